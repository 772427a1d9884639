/* Nonsmooth generalized-alpha: time stepping for joints, forces and rigid contacts with impacts and friction, in
 * which bodies never penetrate and joints are satisfied in position and velocity.
 *
 * A step is decoupled [CosimoGalvezCavalieriCardonaBruls2020]: the smooth motion without contacts is a step of
 * generalized-alpha (hk_alpha_step), whose accelerations and multipliers continue in the next step; then impulses at
 * the position level prevent negative gaps, and impulses at the velocity level satisfy the law of impact and friction
 * (nonsmooth_stage.c).
 *
 * `scheme: published` is the method of the cited paper. Contacts that overlap at the end of the smooth step are
 * active; both stages act along the directions at the end of the step; Newton's law compares the velocities at the two
 * ends of the step. First order with impacts. A body that slides along a wall of radius R at the speed v is
 * decelerated by h v^3/(2 R^2), and bounces lose speed.
 *
 * `scheme: corrected` avoids both errors and is of second order, also with impacts:
 *
 * - Closed contacts are known from step to step. The impulses of the position stage act along the directions at the
 *   start of the step and change the velocities as well. The velocity stage adds the remaining impulses along the
 *   directions at the end of the step, as RATTLE does for joints. In this way sliding without friction loses no energy.
 * - A step in which an open gap would become negative ends when this gap closes. The time follows from the cubic
 *   through gap and rate at both ends, and the step is repeated up to this time. The impact is a step of zero length,
 *   with the laws of the event-driven integrator (event_driven_mode.c). Then the step is completed.
 * - A rebound with a flight shorter than `chatter_fraction` steps is ignored: the contact closes. */
#include <hooke/param.h>
#include "sim/dense_output.h"
#include "control/gap_scan.h"
#include "integrator/smooth/generalized_alpha.h"
#include "integrator/impact/nonsmooth_alpha.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rho_of(const hk_sim *s) { return hk_nonsmooth_keys_of(s)->rho; }

/* Returns true if the stored position equals the position of x, and all closed points of x are stored. */
static bool is_at(const hk_sim *s, const hk_nonsmooth *k, const hk_nonsmooth_place *p,
                  const double *x) {
  const hk_model *m = s->model;
  if (p->q[0] != x[m->at.t] || memcmp(p->q + 1, x + m->at.q, (size_t)m->nq * sizeof *x) != 0)
    return false;
  for (int i = 0; i < k->n_closed; i++)
    if (!p->row[k->closed[i]].wanted) return false;
  return true;
}

/* Stores the joints in `work` and the closed points of k->row at x. */
static void keep_place(const hk_sim *s, const hk_nonsmooth *k, const double *x,
                       hk_nonsmooth_place *p) {
  const hk_model *m = s->model;
  p->q[0] = x[m->at.t];
  hk_copy(p->q + 1, x + m->at.q, m->nq);
  if (m->nc) {
    hk_copy(p->G, s->work->G, m->jacobian_size);
    hk_copy(p->gt, s->work->gt, m->nc);
  }
  for (int i = 0; i < k->n; i++) p->row[i].wanted = false;
  for (int i = 0; i < k->n_closed; i++) p->row[k->closed[i]] = k->row[k->closed[i]];
}

/* Joints and directions of the closed points at the start of the step. */
static void remember_start(hk_sim *s, hk_nonsmooth *k, const double *x0) {
  if (is_at(s, k, &k->from, x0)) return;
  if (is_at(s, k, &k->to, x0)) {
    hk_nonsmooth_place from = k->from;
    k->from = k->to;
    k->to = from;
    return;
  }
  hk_nonsmooth_frames(s, k, x0, 0);
  keep_place(s, k, x0, &k->from);
}

static void clear_wanted(hk_nonsmooth *k) {
  for (int i = 0; i < k->n; i++) k->row[i].wanted = false;
}

/* Removes the points that the position stage has opened from the velocity stage. */
static void keep_pressed(const hk_sim *s, hk_nonsmooth *k) {
  int n = 0;
  for (int i = 0; i < k->n_closed; i++) {
    if (!(k->nu[2 * i] > 0) && k->row[k->closed[i]].gap > hk_nonsmooth_nothing(s)) continue;
    k->closed[n] = k->closed[i];
    k->nu[2 * n] = k->nu[2 * i];
    hk_copy(k->share + HK_N_DIR * n, k->share + HK_N_DIR * i, HK_N_DIR);
    n++;
  }
  k->n_closed = n;
}

/* ---- scheme: published ---- */

static hk_status plain(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, double *x1,
                       hk_attempt *info) {
  const hk_model *m = s->model;
  hk_status status = hk_alpha_step(s, rho_of(s), x0, h, x1, info);
  if (status) return status;
  clear_wanted(k);
  k->n_closed = 0;
  hk_contact_rows_at(s->work, 0, k->row);
  for (int i = 0; i < k->n; i++)
    if (k->row[i].gap <= 0) k->row[i].wanted = true, k->closed[k->n_closed++] = i;
  if (!k->n_closed) return HK_OK;
  hk_zero(k->fixed, m->nv);
  hk_zero(k->share, HK_N_DIR * k->n_closed);
  status = hk_nonsmooth_factor(s, h, true, x1);
  if (!status) status = hk_nonsmooth_positions(s, k, true, h, x1);
  if (status) return status;
  keep_pressed(s, k);
  if (!k->n_closed) return HK_OK;
  remember_start(s, k, x0);
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *r = &k->from.row[k->closed[i]];
    for (int a = 0; a < HK_N_DIR; a++)
      k->before[HK_N_DIR * i + a] =
          a <= r->tangents ? (a ? r->eT : r->eN) * hk_contact_row_rate(r, a, x0 + m->at.v) : 0;
  }
  hk_zero(k->start, m->nv);
  hk_zero(k->U + m->nv, m->nc);
  hk_nonsmooth_frames(s, k, x1, h);
  return hk_nonsmooth_velocities(s, k, h, x1);
}

/* ---- scheme: corrected ---- */

/* Finds the closed points of x0, and the friction that the position stage uses: for sliding points per unit of normal
 * force, for sticking points half of the previous value, because the velocity stage adds the other half. */
static void find_closed(hk_sim *s, hk_nonsmooth *k, const double *x0, double h) {
  const hk_model *m = s->model;
  k->n_closed = 0;
  for (int i = 0; i < k->n; i++) {
    const double *x = x0 + m->at.touch + k->row[i].point * HK_N_TOUCH;
    hk_touch_mode mode = hk_nonsmooth_mode(m, k, x0, i);
    k->row[i].wanted = mode == HK_MODE_STICK || mode == HK_MODE_SLIP;
    if (!k->row[i].wanted) continue;
    double *share = k->share + HK_N_DIR * k->n_closed;
    double factor = mode == HK_MODE_SLIP ? -k->row[i].mu : 0;
    share[HK_DIR_N] = 0;
    share[HK_DIR_T] = factor * x[HK_TOUCH_SLIP_T];
    share[HK_DIR_S] = factor * x[HK_TOUCH_SLIP_S];
    k->closed[k->n_closed++] = i;
  }
}

static void fix_sticking(const hk_sim *s, hk_nonsmooth *k, const double *x0, double h) {
  const hk_model *m = s->model;
  hk_zero(k->fixed, m->nv);
  for (int i = 0; i < k->n_closed; i++) {
    const hk_contact_row *r = &k->from.row[k->closed[i]];
    const double *x = x0 + m->at.touch + r->point * HK_N_TOUCH;
    for (int a = HK_DIR_T; a <= r->tangents && x[HK_TOUCH_MODE] == HK_MODE_STICK; a++)
      hk_contact_row_add(r, a, 0.5 * h * h * x[HK_TOUCH_SLIP_T + a - 1], k->fixed);
  }
}

/* Stores the impulses of the position stage, which act at the start of the step. */
static void share_impulses(const hk_sim *s, hk_nonsmooth *k, const double *x0, double h) {
  const hk_model *m = s->model;
  for (int i = 0; i < k->n_closed; i++) {
    const double *x = x0 + m->at.touch + k->row[k->closed[i]].point * HK_N_TOUCH;
    double *share = k->share + HK_N_DIR * i, N = k->nu[2 * i] / h;
    bool stick = x[HK_TOUCH_MODE] == HK_MODE_STICK;
    share[HK_DIR_N] = N;
    for (int a = HK_DIR_T; a < HK_N_DIR; a++)
      share[a] = stick ? 0.5 * h * x[HK_TOUCH_SLIP_T + a - 1] : share[a] * N;
  }
}

/* Local error of the part of the motion that contacts cause. The error is computed from the accelerations of this
 * part, as in generalized-alpha. */
static double push_error(hk_sim *s, const hk_nonsmooth *k, const double *x0, double h,
                         const double *x1) {
  const hk_model *m = s->model;
  const hk_nonsmooth_state *own = hk_nonsmooth_state_in(m, x0);
  if (!own->pressed) return 0;
  for (int i = 0; i < m->nv; i++)
    s->d[i] = h * h / 12 * ((x1[m->at.v + i] - k->v_free[i]) / h - own->push[i]);
  return hk_error_norm(s, s->d);
}

hk_status hk_nonsmooth_advance(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, double *x1,
                               hk_attempt *info) {
  find_closed(s, k, x0, h);
  if (k->n_closed) {
    remember_start(s, k, x0);
    fix_sticking(s, k, x0, h);
  }
  hk_status status = hk_alpha_step(s, rho_of(s), x0, h, x1, info);
  if (status) return status;
  if (!k->n_closed) {
    hk_contact_rows_at(s->work, 0, k->row);
    return HK_OK;
  }
  status = hk_nonsmooth_positions(s, k, false, h, x1);
  if (status) return status;
  keep_pressed(s, k);
  if (!k->n_closed) return HK_OK; /* all have opened */
  share_impulses(s, k, x0, h);
  hk_zero(k->before, HK_N_DIR * k->n_closed);
  status = hk_nonsmooth_velocities(s, k, h, x1);
  if (status) return status;
  hk_attempt_raise(info, push_error(s, k, x0, h, x1));
  keep_place(s, k, x1, &k->to);
  return HK_OK;
}

/* ---- the step ---- */

static bool marked(const hk_model *m, const hk_nonsmooth *k, const double *x, hk_touch_mode mode) {
  for (int i = 0; i < k->n; i++)
    if (hk_nonsmooth_mode(m, k, x, i) == mode) return true;
  return false;
}

/* Returns true if a point touches whose contact state is unknown. */
static bool must_begin(hk_sim *s, hk_nonsmooth *k, const double *x0) {
  if (!marked(s->model, k, x0, HK_MODE_UNKNOWN)) return false;
  clear_wanted(k);
  hk_nonsmooth_frames(s, k, x0, 0);
  for (int i = 0; i < k->n; i++)
    if (hk_nonsmooth_mode(s->model, k, x0, i) == HK_MODE_UNKNOWN &&
        k->row[i].gap <= 1e-10 * s->model->length)
      return true;
  return false;
}

static void mark_hits(const hk_sim *s, const hk_nonsmooth *k, const double *x0, double *x1) {
  const hk_model *m = s->model;
  for (int i = 0; i < k->n; i++)
    if (hk_nonsmooth_is_open(s, k, x0, i) &&
        k->row[i].gap <= hk_nonsmooth_located + 2 * hk_nonsmooth_nothing(s) &&
        hk_contact_row_rate(&k->row[i], HK_DIR_N, x1 + m->at.v) < 0)
      x1[m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_MODE] = HK_MODE_HIT;
}

/* A step shorter than this fraction of the previous steps does not store its accelerations for the following one. */
static const double stub = 0.1;

typedef struct open_points {
  const hk_sim *sim;
  const hk_nonsmooth *k;
  const double *x0;
} open_points;

static bool is_open(const void *context, int i) {
  const open_points *p = context;
  return hk_nonsmooth_is_open(p->sim, p->k, p->x0, i);
}

/* Finds a gap that closes and opens again within the step. Then x1 becomes the state at a time at which this gap is
 * closed, and *h becomes this time. */
static hk_status look_inside(hk_sim *s, hk_nonsmooth *k, const double *x0, double *h, double *x1,
                             hk_attempt *info, bool *hit) {
  const hk_model *m = s->model;
  const open_points points = {s, k, x0};
  const hk_gap_way way = {x0, x1 + m->at.q, x1 + m->at.v, *h};
  bool any = false;
  for (int i = 0; i < k->n && !any; i++) any = !m->contact[k->row[i].contact].gap->concave;
  if (!any) return HK_OK;
  double time = hk_gap_scan(s, &way, k->row, k->n, is_open, &points, hk_nonsmooth_nothing(s));
  if (!(time < *h)) {
    hk_nonsmooth_frames(s, k, x1, *h); /* restores the frames of the end of the step */
    return HK_OK;
  }
  *h = time;
  hk_status status = hk_nonsmooth_advance(s, k, x0, *h, x1, info);
  if (!status) *hit = hk_nonsmooth_overlaps(s, k, x0, x1);
  return status;
}

static hk_status cured(hk_sim *s, hk_nonsmooth *k, const double *x0, double usual, double *x1,
                       hk_attempt *info) {
  const hk_model *m = s->model;
  const hk_nonsmooth_state *was = hk_nonsmooth_state_in(m, x0);
  hk_nonsmooth_state *own = hk_nonsmooth_state_of(m, x1);
  double t0 = x0[m->at.t];
  if (must_begin(s, k, x0)) return hk_nonsmooth_jump(s, k, x0, true, -1, usual, x1, info);
  if (marked(m, k, x0, HK_MODE_HIT)) return hk_nonsmooth_jump(s, k, x0, false, -1, usual, x1, info);
  bool rest = was->grid - t0 > 1e-6 * usual; /* length of the step before an impact shortened it */
  double h = rest ? fmin(usual, was->grid - t0) : usual, grid = rest ? was->grid : t0 + usual;
  hk_status status = hk_nonsmooth_advance(s, k, x0, h, x1, info);
  if (status) return status;
  int which = -1;
  bool hit = hk_nonsmooth_overlaps(s, k, x0, x1), found = hit;
  do { /* before an impact other gaps may have closed and opened again */
    if (found) status = hk_nonsmooth_locate(s, k, x0, &h, x1, &which, info);
    if (status) return status;
    if (hit && h == 0) return hk_nonsmooth_jump(s, k, x0, false, which, usual, x1, info);
    found = false;
    status = look_inside(s, k, x0, &h, x1, info, &found);
    hit = hit || found;
  } while (found && !status);
  if (status) return status;
  if (h < stub * usual) status = hk_nonsmooth_forget_past(s, x1);
  if (status) return status;
  info->reached = info->judged = h;
  hk_nonsmooth_record(s, k, x0, h, x1);
  own->grid = hit ? grid : rest && grid > t0 + h ? grid : 0;
  own->impacts = rest ? was->impacts : 0;
  if (hit) mark_hits(s, k, x0, x1);
  return HK_OK;
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  hk_nonsmooth *k = s->own;
  if (hk_nonsmooth_keys_of(s)->scheme == HK_SCHEME_CURED) return cured(s, k, x0, h, x1, info);
  hk_status status = plain(s, k, x0, h, x1, info);
  if (status) return status;
  hk_nonsmooth_state *own = hk_nonsmooth_state_of(m, x1);
  own->grid = own->impacts = 0;
  hk_nonsmooth_record(s, k, x0, h, x1);
  return HK_OK;
}

/* ---- output ---- */

/* Accelerations v' and multipliers lambda of the smooth motion, with the effect of the mean contact forces of the step
 * added. */
static hk_status accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  hk_nonsmooth *k = s->own;
  hk_status status = hk_sim_accelerations(s, x, vd, lambda, err);
  double h = hk_dense_impulse_time(s);
  bool any = false;
  if (status || !k || !(h > 0)) return status;
  for (int i = 0; i < k->n; i++) {
    k->row[i].wanted = x[m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_IMPULSE_N] > 0;
    any = any || k->row[i].wanted;
  }
  if (!any) return HK_OK;
  hk_contact_rows_at(s->work, -INFINITY, k->row);
  hk_zero(k->r, sys->n);
  for (int i = 0; i < k->n; i++) {
    const double *P = x + m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_IMPULSE_N;
    for (int a = 0; a <= k->row[i].tangents && k->row[i].wanted; a++)
      hk_contact_row_add(&k->row[i], a, P[a] / h, k->r);
  }
  hk_linear_solver_solve(sys->solver, k->r);
  for (int i = 0; i < m->nv; i++) vd[i] += k->r[i];
  for (int i = 0; i < sys->n_kept; i++) lambda[sys->kept_row[i]] += k->r[m->nv + i];
  return HK_OK;
}

/* Forces of contacts are constant within a step: within a part of the step their impulse is proportional to its length. */
static void dense(const hk_sim *s, double t, double *x) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x;
  double h = x1[m->at.t] - x0[m->at.t], part = h > 0 ? (t - x0[m->at.t]) / h : 1;
  if (!(part >
        0)) { /* the start of the step is the end of the previous step, so its forces are known */
    hk_copy(x, x0, s->state_size);
    return;
  }
  hk_dense_hermite(s, t, x);
  for (int i = 0; i < m->n_points; i++) {
    int at = m->at.touch + i * HK_N_TOUCH;
    for (int a = 0; a < HK_N_DIR; a++)
      x[at + HK_TOUCH_IMPULSE_N + a] = part * x1[at + HK_TOUCH_IMPULSE_N + a];
    for (int q = HK_TOUCH_CLOSED; q <= HK_TOUCH_SLIDING_WORK; q++)
      x[at + q] = (1 - part) * x0[at + q] + part * x1[at + q];
  }
}

/* ---- the type ---- */

static hk_status create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_contacts; i++)
    if (hk_nonsmooth_keys_of(s)->scheme == HK_SCHEME_PLAIN && m->contact[i].law->set_valued &&
        m->contact[i].l[HK_SET_IN_TURN] != 0)
      return hk_fail(err, HK_EINPUT,
                     "scheme: published treats the impulses of all contacts simultaneously, but "
                     "law '%s' of contact '%s' is sequential; use scheme: corrected",
                     m->contact[i].law_item->name, m->contact[i].name);
  s->own = hk_nonsmooth_create(m);
  return s->own ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void destroy(hk_sim *s) {
  hk_nonsmooth_destroy(s->own);
  s->own = NULL;
}

static void poison(hk_sim *s) { hk_nonsmooth_poison(s->own); }

static int own_size(const hk_model *m) {
  return (int)(sizeof(hk_nonsmooth_state) / sizeof(double)) + m->nv;
}
static int state_size(const hk_model *m) { return hk_alpha_state_size(m) + own_size(m); }

static void restart(const hk_sim *s, double *x) {
  hk_alpha_restart(s, x);
  hk_zero((double *)hk_nonsmooth_state_of(s->model, x), own_size(s->model));
}

static hk_status supports(const hk_model *m, hk_error *why) {
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->law->set_valued && c->gap->tight && c->gap->tight(c->k))
      return hk_fail(why, HK_EINPUT, "does not support contact '%s' without clearance", c->name);
  }
  return HK_OK;
}

/* The cost per contact is low, so this integrator is suitable for many contacts. For few contacts event_driven is
 * better. */
enum { FEW_POINTS = 12 };

static int score(const hk_model *m, const char **why) {
  *why = "many rigid contacts, without a fixed step";
  return m->set_valued ? m->n_points <= FEW_POINTS ? 1 : 2 : 0;
}

static const char *const SCHEME[] = {"corrected", "published", NULL};
static const hk_nonsmooth_keys defaults = {
    .rho = 0.8, .chatter_fraction = 0.25, .max_impacts_per_step = 50};

static const hk_param params[] = {
    HK_ENUM(hk_nonsmooth_keys, scheme, SCHEME, 0,
            "corrected: second order, impacts located, no loss in sliding; published: as in print, "
            "first "
            "order "
            "with contacts"),
    HK_REAL(hk_nonsmooth_keys, rho, NULL, 0,
            "spectral radius at infinite frequency: 1 no numerical damping, 0 most",
            HK_RANGE(0, 1)),
    HK_REAL(hk_nonsmooth_keys, chatter_fraction, NULL, 0,
            "corrected: fraction of a step; after a rebound with a shorter flight the contact "
            "stays closed (chatter)",
            HK_RANGE(0, 1)),
    HK_INT(hk_nonsmooth_keys, max_impacts_per_step, 0,
           "corrected: number of impacts within one step above which a rebound that would return "
           "within the step is suppressed",
           HK_RANGE(1, 10000)),
};

static const hk_integrator ops = {.order = 2,
                                  .can = HK_ADAPTIVE | HK_IMPACTS | HK_OWN_LEDGER,
                                  .rtol = 1e-10,
                                  .rtol_coarse = 1e-7,
                                  .attempt = attempt,
                                  .restart = restart,
                                  .dense = dense,
                                  .state_size = state_size,
                                  .create = create,
                                  .destroy = destroy,
                                  .poison = poison,
                                  .accelerations = accelerations,
                                  .supports = supports,
                                  .score = score};

const hk_type hk_type_stepper_nonsmooth_alpha = {
    .name = "nonsmooth_alpha",
    .category = HK_STEPPER,
    .doc =
        "Generalized-alpha with impulses for set-valued contacts: bodies never penetrate, joints "
        "are satisfied in position and velocity, impacts are located within steps.",
    .source = "[CosimoGalvezCavalieriCardonaBruls2020; BreulingCapobiancoEugsterLeine2024]",
    .size = sizeof(hk_nonsmooth_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
