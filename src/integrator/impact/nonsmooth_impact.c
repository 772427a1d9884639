/* Impacts within a step of nonsmooth generalized-alpha: the time at which the first gap closes, and the impact
 * itself. */
#include "integrator/impact/nonsmooth_alpha.h"
#include "sim/ledger.h"
#include <string.h>

/* ---- location of impacts ---- */

static double cubic(double h, double g0, double r0, double g1, double r1, double x) {
  double u = x / h, w = 1 - u;
  return w * w * ((1 + 2 * u) * g0 + h * u * r0) + u * u * ((1 + 2 * w) * g1 - h * w * r1);
}

/* Returns the time at which a gap closes that is zero at the start and opens at the rate r0: the first positive root
 * of g/x, which is a parabola for the cubic g. */
static double end_of_hop(double h, double r0, double g1, double r1) {
  double c = (r1 + r0 - 2 * g1 / h) / (h * h),
         b = (3 * g1 / h - 2 * r0 - r1) / h; /* r0 + b x + c x^2 */
  double inside = b * b - 4 * c * r0;
  if (!(inside >= 0)) return h;
  double x = 2 * r0 /
             (-b + sqrt(inside)); /* for b < 0 the smaller root; for c < 0 the only positive root */
  return x > 0 && x < h ? x : h;
}

/* Returns the first time in [0, h] at which a gap becomes negative. The gap must be negative at
 * h. `nothing` is a tolerance: an initial gap g0 below it counts as zero. */
static double first_root(double h, double g0, double r0, double g1, double r1, double nothing) {
  enum { PARTS = 16 };
  double a = 0, b = h;
  if (g0 <= nothing) return r0 > 0 ? end_of_hop(h, r0, g1, r1) : 0;
  for (int i = 1; i < PARTS; i++) {
    double x = h * i / PARTS;
    if (cubic(h, g0, r0, g1, r1, x) < 0) {
      b = x;
      break;
    }
    a = x;
  }
  for (int i = 0; i < 60 && b - a > 1e-16 * h; i++) {
    double c = 0.5 * (a + b);
    if (cubic(h, g0, r0, g1, r1, c) > 0)
      a = c;
    else
      b = c;
  }
  return 0.5 * (a + b);
}

/* Returns true if point i, which is open at x0, overlaps at x1. After an impact a point starts with an overlap,
 * because the impact was located with limited accuracy; while it separates from there, this is not a new impact. */
static bool overlaps(const hk_sim *s, const hk_nonsmooth *k, const double *x0, const double *x1,
                     int i) {
  const double gap = k->row[i].gap, nothing = hk_nonsmooth_nothing(s);
  if (!(gap < -nothing) || !hk_nonsmooth_is_open(s, k, x0, i)) return false;
  return gap < -(hk_nonsmooth_located + nothing) ||
         !(hk_contact_row_rate(&k->row[i], HK_DIR_N, x1 + s->model->at.v) > 0);
}

bool hk_nonsmooth_overlaps(const hk_sim *s, const hk_nonsmooth *k, const double *x0,
                           const double *x1) {
  for (int i = 0; i < k->n; i++)
    if (overlaps(s, k, x0, x1, i)) return true;
  return false;
}

/* Rates of gaps of all points at x; the frames of x need not be in `work`. */
static void look_at(hk_sim *s, hk_nonsmooth *k, const double *x, hk_contact_row *row) {
  const hk_instant in = hk_instant_at(s->model, x);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  hk_contact_rows_at(s->work, INFINITY, row);
}

/* Finds the gap that closes first among the gaps that are negative at h. Returns its closing time, and its contact
 * point in *which. */
static double impact_time(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, const double *x1,
                          int *which) {
  const hk_model *m = s->model;
  double first = h;
  look_at(s, k, x1, k->row);
  look_at(s, k, x0, k->from.row);
  /* The frames must be computed again, because rows of other points were evaluated without the joints. */
  k->from.q[0] = NAN;
  *which = -1;
  for (int i = 0; i < k->n; i++) {
    if (!overlaps(s, k, x0, x1, i)) continue;
    double t = first_root(h, k->from.row[i].gap,
                          hk_contact_row_rate(&k->from.row[i], HK_DIR_N, x0 + m->at.v),
                          k->row[i].gap, hk_contact_row_rate(&k->row[i], HK_DIR_N, x1 + m->at.v),
                          hk_nonsmooth_nothing(s));
    if (*which >= 0 && t >= first) continue;
    first = t;
    *which = i;
  }
  return first;
}

/* no_time: shortest time to an impact, relative to the step. close_share: gap accepted at the impact, relative to the
 * displacement within the step. much_deeper: if the overlap of another point at this time exceeds this multiple of a
 * gap that counts as 0, this other point collides earlier. */
static const double no_time = 1e-9, close_share = 1e-8, much_deeper = 5;
enum { MOST_LOCATED = 20 };

hk_status hk_nonsmooth_locate(hk_sim *s, hk_nonsmooth *k, const double *x0, double *h, double *x1,
                              int *point, hk_attempt *info) {
  const hk_model *m = s->model;
  const double whole = *h;
  double hi = whole;
  int which;
  double t = impact_time(s, k, x0, hi, x1, &which);
  for (int pass = 0; pass < MOST_LOCATED; pass++) {
    *point = which;
    if (!(t > no_time * whole)) return *h = 0, HK_OK;
    hk_status status = hk_nonsmooth_advance(s, k, x0, t, x1, info);
    if (status) return status;
    look_at(s, k, x1, k->row);
    double rate = hk_contact_row_rate(&k->row[which], HK_DIR_N, x1 + m->at.v);
    double gap = k->row[which].gap,
           close = fmin(close_share * fabs(rate) * whole, hk_nonsmooth_located) +
                   hk_nonsmooth_nothing(s);
    bool deeper = false;
    for (int i = 0; i < k->n; i++)
      deeper = deeper || (i != which && hk_nonsmooth_is_open(s, k, x0, i) &&
                          k->row[i].gap < -much_deeper * hk_nonsmooth_nothing(s));
    if (fabs(gap) <= close && !deeper) return *h = t, HK_OK;
    if (deeper || gap < 0) hi = fmin(hi, t);
    double next = rate < 0 ? t - gap / rate : 0.5 * t;
    if (deeper) next = impact_time(s, k, x0, t, x1, &which);
    t = next < hi || pass < 2 ? fmin(next, whole) : 0.5 * (t + hi);
  }
  return HK_RETRY;
}

/* ---- what ---- */

/* Returns true if the step has more impacts than the limit. Rebounds after which a body returns within the step are
 * then ignored. */
static bool too_many(const hk_sim *s, const double *x) {
  return hk_nonsmooth_state_in(s->model, x)->impacts >
         hk_nonsmooth_keys_of(s)->max_impacts_per_step;
}

/* Finds a point that touches without approaching or separating, but would overlap at once.  The stages of the next
 * step determine whether it has a normal force. */
static void hold_grazing(hk_event_driven *e, int which) {
  hk_event_point *p = &e->point[which];
  const hk_contact_row *r = &e->row[which];
  if (p->mode != HK_MODE_OPEN || p->rate[HK_DIR_N] > 1e-9 * e->speed) return;
  double slide =
      r->tangents > 1 ? hypot(p->rate[HK_DIR_T], p->rate[HK_DIR_S]) : fabs(p->rate[HK_DIR_T]);
  p->mode = HK_MODE_SLIP;
  for (int a = 0; a < 2; a++)
    p->slip[a] = a < r->tangents && r->mu > 0 && slide > 0 ? p->rate[HK_DIR_T + a] / slide : 0;
}

/* Determines the contact states at x0 by the functions of the event-driven integrator: for the first time (`begin`), or
 * after the impact of the points given by the state or by `which` (-1: none). */
static hk_status judge(hk_sim *s, hk_nonsmooth *k, const double *x0, bool begin, int which,
                       double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  hk_event_driven *e = k->event;
  memcpy(x1, x0, (size_t)s->state_size * sizeof *x1);
  memcpy(e->start, x1, (size_t)m->at.size * sizeof *x1);
  hk_event_load(m, e, x1);
  e->N = s->index1->n;
  e->chatter = 0;
  e->flight = too_many(s, x0) ? h : hk_nonsmooth_keys_of(s)->chatter_fraction * h;
  /* With adaptive steps, rebounds smaller than the tolerance may be neglected. */
  e->height = s->option.step > 0 ? INFINITY : hk_tolerance(s);
  e->any_forces = true;
  if (which >= 0) e->point[which].hit = true;
  hk_status status = begin ? hk_event_begin(s, e, x1) : hk_event_pass(s, e, x1);
  if (status) return info->why = e->why, status;
  if (which >= 0) hold_grazing(e, which);
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    double *x = x1 + m->at.touch + e->row[i].point * HK_N_TOUCH;
    bool stick = p->mode == HK_MODE_STICK;
    x[HK_TOUCH_MODE] = p->mode;
    x[HK_TOUCH_SLIP_T] = stick ? p->force[HK_DIR_T] : p->slip[0];
    x[HK_TOUCH_SLIP_S] = stick ? p->force[HK_DIR_S] : p->slip[1];
    x[HK_TOUCH_APPROACH] = p->approach;
    x[HK_TOUCH_IMPACTS] += p->impacts;
    x[HK_TOUCH_SLIDING_WORK] += e->lost_sliding[i];
    x[HK_TOUCH_SLIDING_POWER] = 0;
    for (int a = 0; a < HK_N_DIR; a++) x[HK_TOUCH_IMPULSE_N + a] = p->struck ? p->impulse[a] : 0;
  }
  return HK_OK;
}

hk_status hk_nonsmooth_forget_past(hk_sim *s, double *x1) {
  const hk_model *m = s->model;
  hk_error err = {0};
  /* Memory is advanced as in accepted steps. */
  hk_copy(x1 + m->at.memory_old, x1 + m->at.memory, m->n_memory);
  /* The multipliers are the initial value for the friction of joints. */
  hk_copy(x1 + m->at.lambda, s->x + m->at.lambda, m->nc);
  hk_zero(x1 + m->at.lambda_shift, m->nc);
  hk_zero(x1 + m->at.vd, m->nv);
  hk_status status = hk_sim_accelerations(s, x1, x1 + m->at.vd, x1 + m->at.lambda, &err);
  if (status) return status;
  hk_alpha_restart(s, x1);
  return HK_OK;
}

/* Stores the effect of the closed contacts on the accelerations, computed with the same factorization. The error of the
 * next step is measured by its change. */
static void note_push(hk_sim *s, hk_nonsmooth *k, double *x1) {
  const hk_model *m = s->model;
  const hk_event_driven *e = k->event;
  hk_nonsmooth_state *own = hk_nonsmooth_state_of(m, x1);
  own->pressed = 0;
  hk_zero(own->push, m->nv);
  hk_zero(k->r, s->index1->n);
  bool any = false;
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    if (p->mode != HK_MODE_STICK && p->mode != HK_MODE_SLIP) continue;
    if (!(p->force[HK_DIR_N] > 0))
      return; /* the point is closed, but its force is not known yet: see hold_grazing */
    for (int a = 0; a <= e->row[i].tangents; a++)
      hk_contact_row_add(&e->row[i], a, p->force[a], k->r);
    any = true;
  }
  if (!any) return;
  hk_linear_solver_solve(s->index1->solver, k->r);
  if (!isfinite(hk_max_abs(k->r, m->nv, NULL))) return;
  hk_copy(own->push, k->r, m->nv);
  own->pressed = 1;
}

static hk_status begin_again(hk_sim *s, hk_nonsmooth *k, double *x1) {
  const hk_model *m = s->model;
  double power[3], *ledger = x1 + m->at.ledger;
  x1[m->at.h] = 0;
  hk_status status = hk_nonsmooth_forget_past(s, x1);
  if (status) return status;
  hk_ledger_powers(s, x1, power);
  for (int i = 0; i < HK_EVENT_POWERS; i++) ledger[i] += k->event->jump[i];
  hk_copy(ledger + HK_LEDGER_POWER, power, 3);
  note_push(s, k, x1);
  return HK_OK;
}

hk_status hk_nonsmooth_jump(hk_sim *s, hk_nonsmooth *k, const double *x0, bool begin, int which,
                            double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  info->reached = 0;
  hk_status status = judge(s, k, x0, begin, which, h, x1, info);
  if (!status) status = begin_again(s, k, x1);
  if (status) return status;
  hk_nonsmooth_state *own = hk_nonsmooth_state_of(m, x1);
  own->impacts = hk_nonsmooth_state_in(m, x0)->impacts + 1;
  if (own->impacts <= 20.0 * hk_nonsmooth_keys_of(s)->max_impacts_per_step + 1000) return HK_OK;
  info->why = "too many impacts within one step; use a smaller step";
  return HK_EFAIL;
}
