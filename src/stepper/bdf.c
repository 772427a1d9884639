/* Backward differentiation of orders 1 to 5 on the Lie group, variable in step and order.
 *
 * With the Lagrange polynomials l_j on t1 and the k steps before it, d_j = l_j'(t1), hg = 1/d_1 and
 * the sums over the past q_b = -hg sum d_j q_j, v_b alike (quaternions as four-vectors):
 *
 *   x1' = (x1 - x_b)/hg,   w1 = -(2/hg) Im(q1* q_b),   v1' = (v1 - v_b)/hg
 *   M v1' + G^T lambda = f(q1, v1),   g(q1) = 0
 *
 * The angular velocity is the derivative of the polynomial through the quaternions, 2 Im(q* q'), so
 * that neither logarithms nor commutators are needed; the real part, the change of the
 * quaternion's length, is dropped.  Newton's iteration is that of implicit.h with cv = 1/hg and
 * ca = 1/hg^2, from positions and multipliers extrapolated through k + 1 steps; its factors then
 * bring the velocities onto the constraints.
 *
 * The error of order m is that of the extrapolation through m + 1 steps, in positions and (times h)
 * in velocities, times h/(t1 - t_-m), which for equal steps is the 1/(m + 1) of the formula.  The
 * orders k - 1, k and k + 1 are compared, and the one that allows the longest step is taken.
 * [BrenanCampbellPetzold1996, ch. 5]
 */
#include "base/hot.h"
#include "core/contact.h"
#include <hooke/param.h>
#include "stepper/dense.h"
#include "stepper/history.h"
#include "stepper/implicit.h"
#include <stdlib.h>

enum { MOST_ORDER = 5 };

typedef struct bdf_keys {
  int max_order;
} bdf_keys;

/* Scratch of the stepper. */
typedef struct bdf {
  double *q_b, *v_b; /* sums over the past */
  double *q_e, *v_e; /* extrapolated through k + 1 steps: the prediction */
  double *q_m, *v_m; /* extrapolated through more or fewer of them */
  double *v_past;    /* a node before the first one, made from accelerations: [nq], then [nv] */
  double hg;
  double scale; /* of the error of order k */
  double block[];
} bdf;

/* ---- sums over the past ---- */

/* Nodes to sum over: those of x0, or while there is just one of them a second one that the
 * accelerations make. */
typedef struct nodes {
  int n;
  double t[HK_HISTORY_NODES];
  const double *q[HK_HISTORY_NODES], *v[HK_HISTORY_NODES], *lambda[HK_HISTORY_NODES];
} nodes;

static void find_nodes(const hk_sim *s, const bdf *b, const double *x0, double h, nodes *out) {
  const hk_model *m = s->model;
  out->n = 1 + (int)hk_history_in(m, x0)->count;
  for (int j = 0; j < out->n; j++) {
    const hk_past p = hk_history_node(m, x0, j);
    out->t[j] = p.t, out->q[j] = p.q, out->v[j] = p.v, out->lambda[j] = p.lambda;
  }
  if (out->n > 1) return;
  const double *v = x0 + m->at.v, *a = x0 + m->at.vd;
  double *q = b->v_past, *u = q + m->nq;
  for (int i = 0; i < m->nv; i++) s->d[i] = -h * v[i] + 0.5 * h * h * a[i];
  hk_configuration_add(m, x0 + m->at.q, s->d, q);
  for (int i = 0; i < m->nv; i++) u[i] = v[i] - h * a[i];
  out->n = 2;
  out->t[1] = x0[m->at.t] - h;
  out->q[1] = q, out->v[1] = u, out->lambda[1] = x0 + m->at.lambda;
}

/* out = sum_j w_j part_j over the first n */
HK_HOT static void sum(const double *w, const double *const *part, int n, int size,
                       double *restrict out) {
  const double *a = part[0], w0 = w[0];
  for (int i = 0; i < size; i++) out[i] = w0 * a[i];
  for (int j = 1; j < n; j++) {
    const double *restrict b = part[j], wj = w[j];
    for (int i = 0; i < size; i++) out[i] += wj * b[i];
  }
}

static void extrapolate(const hk_model *m, const nodes *z, int n, double t, double *q, double *v,
                        double *lambda) {
  double w[HK_HISTORY_NODES];
  hk_lagrange_value(z->t, n, t, w);
  sum(w, z->q, n, m->nq, q);
  sum(w, z->v, n, m->nv, v);
  if (lambda) sum(w, z->lambda, n, m->nc, lambda);
}

/* q_b, v_b and hg of order k. */
static void sum_past(const hk_model *m, bdf *b, const nodes *z, int k, double t) {
  double at[HK_HISTORY_NODES + 1], d[HK_HISTORY_NODES + 1];
  at[0] = t;
  for (int j = 0; j < k; j++) at[j + 1] = z->t[j];
  hk_lagrange_slope(at, k + 1, d);
  b->hg = 1 / d[0];
  for (int j = 0; j < k; j++) d[j + 1] *= -b->hg;
  sum(d + 1, z->q, k, m->nq, b->q_b);
  sum(d + 1, z->v, k, m->nv, b->v_b);
}

/* ---- the equations ---- */

/* v and v' of x1 from its positions; s->d = hg v, the turning of the inertia's columns. */
static void differentiate(const hk_sim *s, const bdf *b, double *x1) {
  const hk_model *m = s->model;
  double *v = x1 + m->at.v, *vd = x1 + m->at.vd, over = 1 / b->hg;
  hk_configuration_chord(m, x1 + m->at.q, b->q_b, s->d);
  for (int i = 0; i < m->nv; i++) {
    v[i] = over * s->d[i];
    vd[i] = over * (v[i] - b->v_b[i]);
  }
}

static double move(hk_sim *s, const hk_implicit *k, double *xi, double *x1) {
  const hk_model *m = s->model;
  double size = hk_error_norm(s, xi);
  if (!isfinite(size)) return size;
  hk_configuration_add(m, x1 + m->at.q, xi, x1 + m->at.q);
  differentiate(s, k->formula, x1);
  return size;
}

/* By how much x1 is off the extrapolated q and v, over tolerance. */
static double distance(hk_sim *s, double h, const double *x1, const double *q, const double *v) {
  const hk_model *m = s->model;
  const double *v1 = x1 + m->at.v;
  hk_configuration_chord(m, x1 + m->at.q, q, s->u);
  double position = hk_error_norm(s, s->u);
  for (int i = 0; i < m->nv; i++) s->u[i] = h * (v1[i] - v[i]);
  double velocity = hk_error_norm(s, s->u);
  return velocity > position || isnan(velocity) ? velocity : position;
}

static double local_error(hk_sim *s, const hk_implicit *k, const double *x1) {
  const bdf *b = k->formula;
  return b->scale * distance(s, k->h, x1, b->q_e, b->v_e);
}

/* ---- control ---- */

/* By what the step may be longer with order m, whose error is E. */
static double stretch(double E, int m) { return E > 0 ? pow(0.5 / E, 1.0 / (m + 2)) : 10; }

/* Error of order m, which needs m + 1 nodes. */
static double error_of(hk_sim *s, const bdf *b, const nodes *z, int m, double h, const double *x1) {
  double t = x1[s->model->at.t];
  extrapolate(s->model, z, m + 1, t, b->q_m, b->v_m, NULL);
  return h / (t - z->t[m]) * distance(s, h, x1, b->q_m, b->v_m);
}

/* Order and length of the next step, after one of order k with error E. */
static void choose_next(hk_sim *s, const bdf *b, const nodes *z, int k, double h, double E,
                        double *x1, hk_step_info *info) {
  hk_history *past = hk_history_of(s->model, x1);
  double best = stretch(E, k);
  int next = k, most = ((const bdf_keys *)s->parameter)->max_order;
  past->since++;
  if (k > 1) {
    double f = stretch(error_of(s, b, z, k - 1, h, x1), k - 1);
    if (f > best) best = f, next = k - 1;
  }
  if (k < most && k + 2 <= z->n && (past->starting > 0 || past->since >= 3)) {
    double f = stretch(error_of(s, b, z, k + 1, h, x1), k + 1);
    if (f > best) best = f, next = k + 1;
  }
  if (next < k || best < 1 || next == most) past->starting = 0;
  if (next != k) past->since = 0;
  past->order = next;
  best = fmin(best, past->starting > 0 ? 2 : 1.5);
  info->next = best >= 1.1 ? best * h : best < 1 ? fmax(best, 0.5) * h : h;
}

/* ---- the step ---- */

/* The ledger at the order of the step: the polynomial through the powers, integrated. */
static void advance_ledger(hk_sim *s, const nodes *z, int k, const double *x0, double *x1) {
  const hk_model *m = s->model;
  double at[HK_HISTORY_NODES + 1], w[HK_HISTORY_NODES + 1], power[3];
  const double *l0 = x0 + m->at.ledger;
  double *l1 = x1 + m->at.ledger;
  int known = 1 + (int)hk_history_in(m, x0)->count, n = known < k ? known : k;
  at[0] = x1[m->at.t];
  for (int j = 0; j < n; j++) at[j + 1] = z->t[j];
  hk_lagrange_integral(at, n + 1, w);
  if (m->n_points) hk_contact_ledger(s->work, x0, at[0] - at[1], x1);
  hk_ledger_powers(s, x1, power);
  for (int i = 0; i < 3; i++) {
    double add = w[0] * power[i];
    for (int j = 0; j < n; j++) add += w[j + 1] * hk_history_node(m, x0, j).power[i];
    l1[i] = l0[i] + add;
    l1[HK_LEDGER_POWER + i] = power[i];
  }
}

static void begin(const hk_model *m, const double *x0, double h, double *x1) {
  hk_copy(x1, x0, m->at.size);
  x1[m->at.t] = x0[m->at.t] + h;
  x1[m->at.h] = h;
  x1[m->at.h + 1] = x0[m->at.h];
}

static hk_status step(hk_sim *s, const double *x0, double h, double *x1, hk_step_info *info) {
  const hk_model *m = s->model;
  bdf *b = s->own;
  nodes z;
  find_nodes(s, b, x0, h, &z);
  int k = (int)hk_history_in(m, x0)->order;
  for (int i = info->rejected; i >= 3 && k > 1; i -= 3) k /= 2;
  begin(m, x0, h, x1);
  extrapolate(m, &z, k + 1, x1[m->at.t], b->q_e, b->v_e, x1 + m->at.lambda);
  hk_copy(x1 + m->at.q, b->q_e, m->nq);
  hk_configuration_unit(m, x1 + m->at.q);
  sum_past(m, b, &z, k, x1[m->at.t]);
  b->scale = h / (x1[m->at.t] - z.t[k]);
  differentiate(s, b, x1);
  const hk_implicit f = {.h = h,
                         .ca = 1 / (b->hg * b->hg),
                         .cv = 1 / b->hg,
                         .D = s->d,
                         .x0 = x0,
                         .formula = b,
                         .move = move,
                         .error = local_error};
  hk_status status = hk_implicit_solve(s, &f, x1, info);
  if (status) return status;
  if (info->error > 1) {
    double shrink = 0.9 * stretch(info->error, k);
    info->next = h * fmax(0.25, fmin(0.9, shrink));
    return HK_OK;
  }
  status = hk_implicit_project(s, &f, x1);
  if (status) return status;
  hk_history_push(m, x0, x1);
  hk_history_of(m, x1)->used = k;
  choose_next(s, b, &z, k, h, info->error, x1, info);
  advance_ledger(s, &z, k, x0, x1);
  return HK_OK;
}

/* The polynomial of the step: through its end and the k steps before it. */
static void interpolate(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  nodes z;
  int n = (int)hk_history_in(m, s->x)->used + 1;
  for (int j = 0; j < n; j++) {
    const hk_past p = hk_history_node(m, s->x, j);
    z.t[j] = p.t, z.q[j] = p.q, z.v[j] = p.v;
  }
  hk_dense_begin(s, t, x);
  extrapolate(m, &z, n, t, x + m->at.q, x + m->at.v, NULL);
  hk_configuration_unit(m, x + m->at.q);
}

static hk_status create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  bdf *b = calloc(1, sizeof *b + 4 * (nq + nv) * sizeof(double));
  if (!b) return hk_fail(err, HK_ENOMEM, "out of memory");
  b->q_b = b->block, b->v_b = b->q_b + nq;
  b->q_e = b->v_b + nv, b->v_e = b->q_e + nq;
  b->q_m = b->v_e + nv, b->v_m = b->q_m + nq;
  b->v_past = b->v_m + nv;
  s->own = b;
  hk_history_forget(m, s->x);
  return HK_OK;
}

static void destroy(hk_sim *s) { free(s->own); }

static void poison(hk_sim *s) {
  bdf *b = s->own;
  b->hg = b->scale = NAN;
  hk_fill_nan(b->block, 4 * (s->model->nq + s->model->nv));
}

/* ---- the type ---- */

static const bdf_keys defaults = {.max_order = MOST_ORDER};

static const hk_param params[] = {
    HK_INT(bdf_keys, max_order, 0, "highest order; 2 has no numerical instability at all",
           HK_RANGE(1, MOST_ORDER)),
};

/* Smooth motion is what it is for: a contact that closes or opens sends it back to order 1. */
static int fit(const hk_model *m) { return m->n_contacts ? 0 : 3; }

static const hk_stepper ops = {.order = MOST_ORDER,
                               .step = step,
                               .takes = hk_stepper_needs_smooth,
                               .fit = fit,
                               .rtol = 1e-10,
                               .atol = 1e-12,
                               .own_ledger = true,
                               .adaptive = true,
                               .free_steps = true,
                               .create = create,
                               .destroy = destroy,
                               .poison = poison,
                               .interpolate = interpolate,
                               .state_size = hk_history_size,
                               .forget = hk_history_forget};

const hk_type hk_type_stepper_bdf = {
    .name = "bdf",
    .category = HK_STEPPER,
    .doc = "Implicit, of orders 1 to 5, variable in step and order; for smooth motion with joints, "
           "forces and compliant contacts to many digits.",
    .source = "[BrenanCampbellPetzold1996, ch. 5]",
    .size = sizeof(bdf_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
