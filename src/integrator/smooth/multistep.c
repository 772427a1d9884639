/* Common part of the multistep methods: see multistep.h. */
#include "integrator/smooth/multistep.h"
#include "base/hot.h"
#include "base/huge_pages.h"
#include "control/contact_error.h"
#include "control/controller.h"
#include "sim/ledger.h"
#include "sim/quality.h"
#include <stdlib.h>

/* ---- the past ---- */

void hk_nodes_put_places(hk_nodes *z, int j, const hk_past *p) {
  z->t[j] = p->t, z->q[j] = p->q, z->v[j] = p->v, z->lambda[j] = p->lambda;
  z->power[j] = p->power;
}

void hk_nodes_put_rates(hk_nodes *z, int j, const hk_past *p) {
  z->t[j] = p->t, z->q[j] = p->q_rate, z->v[j] = p->v_rate, z->lambda[j] = p->lambda;
  z->power[j] = p->power;
}

void hk_multistep_push(const hk_sim *s, const double *x0, const double *q_rate, double *x1) {
  const hk_model *m = s->model;
  const hk_multistep *b = s->own;
  hk_past now = hk_history_node(m, x0, 0);
  now.q_rate = q_rate ? q_rate : b->q_0;
  if (!q_rate && ((unsigned)hk_history_in(m, x0)->parts & HK_PAST_RATES))
    hk_configuration_rate(m, now.q, now.v, b->q_0);
  hk_history_push(m, &now, x0, s->kept_past, x1);
}

HK_HOT void hk_nodes_sum(const double *w, const double *const *part, int n, int size,
                         double *restrict out) {
  const double *a = part[0], w0 = w[0];
  for (int i = 0; i < size; i++) out[i] = w0 * a[i];
  for (int j = 1; j < n; j++) {
    const double *restrict b = part[j], wj = w[j];
    for (int i = 0; i < size; i++) out[i] += wj * b[i];
  }
}

/* out_s = base + sum_j w_js part_j for all sums s, with each part read once. */
HK_HOT static void sum_nodes(const hk_sums *k, const double *const *part, const double *base,
                             int size, double *const out[HK_N_SUMS]) {
  double *restrict o0 = out[0], *restrict o1 = out[1], *restrict o2 = out[2], *restrict o3 = out[3];
  int i = 0, n = k->n;
  for (; i + 4 <= size; i += 4) {
    hk_v4 s0 = {0}, s1, s2, s3;
    if (base) s0 = HK_V4C(base + i);
    s1 = s2 = s3 = s0;
    for (int j = 0; j < n; j++) {
      const double *w = k->w[j];
      hk_v4 a = HK_V4C(part[j] + i);
      s0 += w[0] * a, s1 += w[1] * a, s2 += w[2] * a, s3 += w[3] * a;
    }
    HK_V4(o0 + i) = s0, HK_V4(o1 + i) = s1, HK_V4(o2 + i) = s2, HK_V4(o3 + i) = s3;
  }
  for (; i < size; i++) {
    double sum[HK_N_SUMS];
    for (int s = 0; s < HK_N_SUMS; s++) {
      sum[s] = base ? base[i] : 0;
      for (int j = 0; j < n; j++) sum[s] += k->w[j][s] * part[j][i];
      out[s][i] = sum[s];
    }
  }
}

void hk_multistep_sum(const hk_model *m, hk_multistep *b, const hk_nodes *z, const hk_sums *k,
                      const double *q_0, const double *v_0) {
  double *const q[HK_N_SUMS] = {b->q_b, b->q_e, b->q_below, b->q_above};
  double *const v[HK_N_SUMS] = {b->v_b, b->v_e, b->v_below, b->v_above};
  sum_nodes(k, z->q, q_0, m->nq, q);
  sum_nodes(k, z->v, v_0, m->nv, v);
}

/* ---- scratch ---- */

enum { PARTS = 5 }; /* size of hk_multistep.block */

hk_status hk_multistep_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  hk_multistep *b = hk_huge_calloc(1, sizeof *b + PARTS * (nq + nv) * sizeof(double));
  if (!b) return hk_fail(err, HK_ENOMEM, "out of memory");
  b->q_b = b->block, b->v_b = b->q_b + nq;
  b->q_e = b->v_b + nv, b->v_e = b->q_e + nq;
  b->q_below = b->v_e + nv, b->v_below = b->q_below + nq;
  b->q_above = b->v_below + nv, b->v_above = b->q_above + nq;
  b->q_0 = b->v_above + nv, b->v_0 = b->q_0 + nq;
  s->own = b;
  hk_integrator_of(s)->restart(s, s->x);
  return HK_OK;
}

void hk_multistep_destroy(hk_sim *s) { free(s->own); }

void hk_multistep_poison(hk_sim *s) {
  hk_multistep *b = s->own;
  b->hg = b->scale = b->pace = b->stretch = b->weight = b->energy = b->blurred = NAN;
  hk_fill_nan(b->block, PARTS * (s->model->nq + s->model->nv));
}

/* ---- the equations ---- */

/* A step shorter than this fraction of the reference step is not shortened because of velocity errors, which may be
 * true jumps. The limit is that small because of the first step into a contact of hard bodies: the force grows as the
 * time to the power 1.5, so that for a tolerance of 1e-12 this step is 1e-5 of the contact time, which may be 1e-5 of
 * the flight before it. */
static const double least_judged = 1e-10;
/* Relative round-off of velocities that are sums over the past: the weights of an extrapolation through ten nodes add
 * up to 2^10. In stiff contacts the past may contain more noise, which shorter steps do not reduce. Therefore this
 * value is doubled with each rejected attempt of a step, up to 1.5e-11. The maximum is not used from the first attempt
 * on, because then the velocity errors of impacts would remain above 1e-9 of the speed at every tolerance. */
static const double velocity_digits = 0x1p-43;
enum { MOST_DOUBLED = 7 };
static double velocity_noise(const hk_attempt *info) {
  return ldexp(velocity_digits, info->rejected < MOST_DOUBLED ? info->rejected : MOST_DOUBLED);
}

/* In the error test, a velocity error is multiplied by this time; h: length of the step, `pace`: length of the
 * reference step. Joints enforce positions. The round-off of positions divided by the step size enters the
 * multipliers and, with friction, also the velocities. */
static double judged_pace(const hk_sim *s, const double *x0, double h, double pace, double noise) {
  const hk_model *m = s->model;
  if (!(h < 0.5 * pace && h > least_judged * pace)) return h;
  double speed = hk_error_norm(s, x0 + m->at.v), most = pace;
  if (m->friction) most = fmin(most, 0.1 * h / hk_round_off(s));
  if (speed > 0) most = fmin(most, 1 / (noise * speed));
  return fmax(h, most);
}

/* Expected ratio of the lengths of later steps and first steps: the velocity error of the first steps must stay below
 * the tolerance over a later step. First steps have a length of tol^(1/3), with tol relative, and steps of order p one
 * of tol^(1/(p + 1)): for the orders 5 to 10 the ratio is tol^(-1/6) to tol^(-1/4). Not applied in two cases: with
 * redundant joints, because the initial position may be singular and shorter steps would contain only round-off; and
 * for velocities that a stiff damper removes at once. */
static double growth_ahead(const hk_sim *s, double h) {
  static const double usual = 30, follows = 1e3;
  const hk_model *m = s->model;
  bool lost = h < follows * hk_smallest_step(s);
  if (m->friction || s->index1->n_kept < m->nc || lost) return usual;
  return fmax(usual, pow(hk_tolerance(s) / m->length, -0.25));
}

void hk_multistep_begin(const hk_sim *s, const double *x0, double h, const hk_attempt *info,
                        double *x1) {
  const hk_model *m = s->model;
  hk_multistep *b = s->own;
  /* Copies the state except for two parts: the part that the prediction writes, and the part that x1 already contains
   * (see hk_integrator.attempt). */
  hk_copy(x1 + m->at.lambda_shift, x0 + m->at.lambda_shift, m->nc);
  x1[m->at.t] = x0[m->at.t] + h;
  x1[m->at.h] = h;
  const hk_history *past = hk_history_in(m, x0);
  double pace = past->starting > 0 ? fmax(past->pace, growth_ahead(s, h) * h) : past->pace;
  b->noise = velocity_noise(info);
  b->by_velocity = false;
  b->pace = judged_pace(s, x0, h, pace, b->noise);
}

int hk_multistep_most(const hk_model *m, int wanted) {
  return m->n_moving > 0 && wanted > 2 ? 2 : wanted;
}

int hk_multistep_order(const hk_history *past, int least, const hk_attempt *info) {
  int order = (int)past->order;
  if (past->noisy > 0) return order;
  for (int i = info->rejected - info->memory->beside.tries; i >= 3 && order > least; i -= 3)
    order = order > 2 * least ? order / 2 : least;
  return order;
}

void hk_multistep_place(const hk_sim *s, const hk_multistep *b, double *x1) {
  const hk_model *m = s->model;
  double *v = x1 + m->at.v, *vd = x1 + m->at.vd, over = 1 / b->hg;
  for (int i = 0; i < m->nv; i++) {
    s->d[i] = b->hg * v[i];
    vd[i] = over * (v[i] - b->v_b[i]);
  }
  hk_configuration_chord_add(m, b->q_b, s->d, x1 + m->at.q);
}

static double move(hk_sim *s, const hk_implicit *k, double *xi, double *x1) {
  const hk_model *m = s->model;
  double size = hk_error_norm(s, xi), *v = x1 + m->at.v;
  if (!isfinite(size)) return size;
  hk_configuration_chord_tangent(m, s->d, xi);
  for (int i = 0; i < m->nv; i++) v[i] += k->cv * xi[i];
  hk_multistep_place(s, k->formula, x1);
  return size;
}

double hk_multistep_distance(hk_sim *s, double h, const double *x1, const double *q,
                             const double *v) {
  const hk_model *m = s->model;
  const double *v1 = x1 + m->at.v;
  hk_configuration_chord(m, x1 + m->at.q, q, s->u);
  double position = ((const hk_multistep *)s->own)->by_velocity ? 0 : hk_error_norm(s, s->u);
  for (int i = 0; i < m->nv; i++) s->u[i] = h * (v1[i] - v[i]);
  /* Scalar states are omitted. Their rate is a function of the state and the motion, so an error of the rate does not
   * persist. */
  for (int i = 0; i < m->n_states; i++) {
    int at = m->node[m->state[i].node].v;
    s->u[at] = fmin(h, x1[m->at.h]) * (v1[at] - v[at]);
  }
  double velocity = hk_error_norm(s, s->u);
  return velocity > position || isnan(velocity) ? velocity : position;
}

double hk_multistep_off(hk_sim *s, bool above, const double *x1) {
  const hk_multistep *b = s->own;
  return above ? hk_multistep_distance(s, b->pace, x1, b->q_above, b->v_above)
               : hk_multistep_distance(s, b->pace, x1, b->q_below, b->v_below);
}

/* The velocity error tested over the reference step; 0: the reference step is not longer than the step. */
static double jump_error(hk_sim *s, double h, const double *x1) {
  const hk_multistep *b = s->own;
  if (b->pace <= h) return 0;
  return b->scale * hk_multistep_distance(s, b->pace, x1, b->q_e, b->v_e);
}

static double contact_error(hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  const hk_multistep *b = s->own;
  if (m->n_points == 0) return 0;
  double speed = hk_error_norm(s, x0 + m->at.v) * hk_tolerance(s);
  const hk_step_rule rule = {.am = 0.5,
                             .af = 0.5,
                             .gamma = 0.5,
                             .scale = b->scale,
                             .span = b->span,
                             .noise = b->noise * speed};
  for (int i = 0; i < m->nv; i++) s->u[i] = b->scale * (x1[m->at.v + i] - b->v_e[i]);
  return hk_contact_error(s, x0, h, x1, &rule, s->u);
}

double hk_multistep_judge(hk_sim *s, const double *x0, double h, double patience, double *x1,
                          hk_attempt *info) {
  double own = fmax(info->error, jump_error(s, h, x1) / patience);
  info->error = fmax(own, contact_error(s, x0, h, x1));
  return own;
}

static double local_error(hk_sim *s, const hk_implicit *k, const double *x1) {
  const hk_multistep *b = k->formula;
  const hk_model *m = s->model;
  if (s->quality.n_fine) {
    for (int i = 0; i < m->nv; i++) s->u[i] = k->h * b->scale * (x1[m->at.v + i] - b->v_e[i]);
    hk_quality_displaced(s, s->u);
  }
  return b->scale * hk_multistep_distance(s, k->h, x1, b->q_e, b->v_e);
}

/* The multipliers of a singular direction grow without bound near the singular position and cannot be extrapolated.
 * With a larger regularization than this, Newton's iteration would not find them either, and the bodies would change to
 * another branch. */
static const double softened = 1e-12;

/* With contacts, Newton's iteration may leave a residual of this fraction of the step's error, which is itself only an
 * estimate. A smaller fraction gives the same steps and no better results. */
static const double loose_share = 0.03;

hk_implicit hk_multistep_equations(const hk_sim *s, const hk_multistep *b, const double *x0,
                                   double h) {
  return (hk_implicit){.h = h,
                       .ca = 1 / (b->hg * b->hg),
                       .cv = 1 / b->hg,
                       .D = s->d,
                       .soft = softened,
                       .noisy = true,
                       .loose = loose_share,
                       .x0 = x0,
                       .formula = b,
                       .move = move,
                       .error = local_error};
}

/* ---- control ---- */

/* Allowed change of the step: most growth by the error, and after the first steps; least growth that is worth a change;
 * limits of the reduction after a rejected step; error relative to the tolerance for which a step is chosen, smaller than 1
 * because the estimate for the next step is uncertain. */
static const double most_stretch = 10, most_growth = 1.5, worth = 1.1, least_share = 0.25,
                    most_share = 0.9, aimed_error = 0.5, pace_fall = 0.1;

double hk_multistep_stretch(double E, int m) {
  return E > 0 ? pow(aimed_error / E, 1.0 / (m + 2)) : most_stretch;
}

double hk_multistep_shorter(double h, double E, int k) {
  return h * fmax(least_share, fmin(most_share, most_share * hk_multistep_stretch(E, k)));
}

void hk_multistep_next(hk_sim *s, const hk_multistep_orders *o, const hk_nodes *z, double h,
                       double E, double *x1, hk_attempt *info) {
  hk_history *past = hk_history_of(s->model, x1);
  hk_multistep *b = s->own;
  int k = o->order, next = k;
  double best = hk_multistep_stretch(E, k), own = o->own;
  b->by_velocity = E > own;
  if (b->by_velocity) own = b->scale * hk_multistep_distance(s, b->pace, x1, b->q_e, b->v_e);
  double weight = own > 0 ? E / own : 1;
  past->since++;
  b->stretch = b->weight = NAN;
  if (hk_multistep_remember_noise(s, past, k, h, info)) return;
  if (k > o->least) {
    double f = hk_multistep_stretch(weight * o->error(s, z, k, k - 1, h, x1), k - 1);
    if (f > best) best = f, next = k - 1;
  }
  if (k < o->most && k + 1 + o->extra <= o->known && (past->starting > 0 || past->since >= 3)) {
    double f = hk_multistep_stretch(weight * o->error(s, z, k, k + 1, h, x1), k + 1);
    if (f > best) best = f, next = k + 1;
  }
  if (next < k || best < 1 || next == o->most) past->starting = 0;
  if (next != k) past->since = 0;
  past->order = next;
  b->stretch = best, b->weight = weight;
  past->pace = fmax(h, past->pace - pace_fall * h); /* decreases slowly if steps stay short */
  best = fmin(best, past->starting > 0 ? 2 : most_growth);
  info->next = best >= worth ? best * h : best < 1 ? fmax(best, 0.5) * h : h;
}
