/* Times of kinks and jumps in loads and motions: see breakpoint.h. */
#include "control/breakpoint.h"
#include "control/controller.h"
#include "control/scan_private.h"
#include "control/source.h"
#include "sim/quality.h"

enum { TIME = 0 }; /* slot of the expression in the list of all expressions */
enum { MOST_GATHERED = 8 };

static hk_breakpoint_ahead *ahead_of(const hk_sim *s) {
  return (hk_breakpoint_ahead *)(void *)(s->x + s->model->at.breakpoint);
}

/* A breakpoint counts as reached if the remaining time is less than this, because no step is
 * that short. */
static double near(double t) { return 1e-13 * fmax(1, fabs(t)); }

/* Round-off of the sum t + h: a step may end this far from the requested time. */
static double grain(double t) { return 0x1p-50 * fabs(t); }

/* The first breakpoint of all expressions between two times. */
static bool find_first(const hk_model *m, double from, double to, hk_knot *first) {
  bool found = false;
  *first = (hk_knot){to, to, false};
  for (int i = 0; i < m->n_bending; i++) {
    hk_knot k;
    if (!hk_expr_next_bend(m->bending[i], TIME, from, to, &k)) continue;
    if (found && k.right >= first->left) { /* both breakpoints are at the same time */
      k.left = fmin(k.left, first->left), k.right = first->right;
      k.sharp = k.sharp || first->sharp;
    }
    *first = k;
    to = k.right;
    found = true;
  }
  return found;
}

/* Breakpoints that are too close together for a step between them are merged. If an expression crosses zero slowly,
 * its sign changes several times within round-off; these changes are merged too. */
static const double wavering = 1e-11;

static void gather(const hk_model *m, hk_knot *k) {
  double end = k->left + fmax(near(k->left), wavering * fabs(k->left));
  hk_knot more;
  for (int i = 0; k->right < end && find_first(m, k->right + grain(k->right), end, &more); i++) {
    k->right = i < MOST_GATHERED ? more.right : end;
    k->sharp = k->sharp || more.sharp;
  }
}

/* Finds the next breakpoint. An expression whose argument stays within round-off of a kink appears to have a kink at
 * every time: such times are skipped with increasing strides. passed: the interval begins at a breakpoint; further
 * kinks that differ from this breakpoint by round-off are skipped too. */
static bool find_next(const hk_model *m, double from, double to, bool passed, hk_knot *next) {
  double stride = near(from);
  while (from < to && find_first(m, from, to, next)) {
    bool here = next->left <= from + 4 * grain(from);
    gather(m, next);
    if (!(here && passed)) return true;
    from = next->right + stride;
    stride *= 2;
  }
  return false;
}

bool hk_breakpoint_next(const hk_model *m, double from, double to, hk_knot *next) {
  if (!find_next(m, from, to, true, next)) return false;
  next->left -= grain(next->left);
  next->right += 2 * grain(next->right);
  return true;
}

/* Number of steps that one search looks ahead. Breakpoints are rare, so one search is enough for many steps. */
static const double sight = 16;

/* Undecided times may follow each other closely; then the search would take most of the time of the run. Therefore
 * the skipped time is doubled each time this number of undecided times has occurred. */
static const double row_of_dim = 64;

static void look_ahead(const hk_sim *s, double t, double from, bool passed) {
  hk_breakpoint_ahead *k = ahead_of(s);
  double to = from + sight * *hk_control_wanted(s, s->x);
  double row = k->kind == HK_AHEAD_DIM ? k->row + 1 : 0;
  hk_knot next;
  *k = (hk_breakpoint_ahead){.from = t, .until = to, .beyond = to, .kind = HK_AHEAD_CLEAR};
  if (!find_next(s->model, from, to, passed, &next)) return;
  k->until = next.left - grain(next.left);
  k->beyond = next.right + 2 * grain(next.right);
  k->kind = next.sharp ? HK_AHEAD_BREAKPOINT : HK_AHEAD_DIM;
  if (next.sharp) return;
  k->row = row;
  k->beyond = fmax(k->beyond, next.left + near(t) * exp2(floor(row / row_of_dim)));
}

/* Fraction of the velocities constrained by the joints that counts as round-off. */
static const double held = 1e-8;

/* Computes the velocities of the bodies after a kink of a prescribed motion. The velocities jump together with the
 * prescribed velocity. The change dv of the velocities is caused by the impulses mu of all joints,
 *   M dv + G^T mu = 0,   G (v + dv) + g_t = 0
 * These impulses do the work mu^T (g_t - (G v + g_t)/2). Rigid contacts would contribute to the impulse: integrators
 * for impacts compute the jump themselves. */
static hk_status follow_corner(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  hk_work *w = s->work;
  double *v = s->x + m->at.v, work = 0;
  int row;
  if (m->nc == 0 || hk_integrator_can(s, HK_IMPACTS)) return HK_OK;
  const hk_instant in = hk_instant_last(m, s->x, s->x + m->at.lambda);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  hk_constraint_velocity(w, v, s->y);
  double most = hk_max_abs(s->y, m->nc, &row);
  if (!(most > held * (1 + hk_max_abs(v, m->nv, NULL)) * fmax(1, m->length))) return HK_OK;
  if (hk_accelerations_factor(s, &in))
    return hk_fail(err, HK_EFAIL,
                   "at t = %.9g s the velocities after a kink of a motion cannot be computed",
                   in.t);
  hk_zero(s->r, sys->n);
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) s->r[sys->row_at[r]] = -s->y[r];
  hk_linear_solver_solve(sys->solver, s->r);
  for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) work += s->r[sys->row_at[r]] * (w->gt[r] - 0.5 * s->y[r]);
  s->x[m->at.ledger + HK_LEDGER_MOTION] += work;
  hk_quality_event(s, HK_QUALITY_JUMP, most, in.t, m->constraint[m->row_constraint[row]].name,
                   NULL);
  return HK_OK;
}

/* Moves the state past a breakpoint. This is for integrators that begin a step with the forces at its start, not with
 * the accelerations of the state: their next step starts after the breakpoint. */
static hk_status pass(hk_sim *s, double beyond, hk_error *err) {
  double *t = &s->x[s->model->at.t], before = *t;
  *t = beyond;
  hk_status status = follow_corner(s, err);
  if (!status) status = hk_sim_restart(s, err);
  if (hk_integrator_of(s)->dense) *t = before;
  return status;
}

static hk_status meet(hk_sim *s, double t_end, hk_error *err) {
  (void)t_end;
  const hk_model *m = s->model;
  const hk_breakpoint_ahead *k = ahead_of(s);
  double t = s->x[m->at.t];
  if (!(t >= k->from) || t > fmax(k->until, k->beyond) + near(t))
    look_ahead(s, t, t, false);
  else if (k->kind == HK_AHEAD_CLEAR && t + 2 * *hk_control_wanted(s, s->x) > k->until)
    look_ahead(s, t, fmax(t, k->until), false);
  while (k->kind != HK_AHEAD_CLEAR && t >= k->until - near(t)) {
    double beyond = fmax(k->beyond, t);
    hk_status status = k->kind == HK_AHEAD_BREAKPOINT ? pass(s, beyond, err) : HK_OK;
    if (status) return status;
    t = s->x[m->at.t];
    look_ahead(s, t, beyond, true);
  }
  return HK_OK;
}

/* Length of the first step after a breakpoint, as a fraction of the interval to the next breakpoint. At least two
 * steps are made between two breakpoints: with a single step, a load that is zero at both breakpoints would remain
 * undetected. The two steps have different lengths, because a sine is also zero in the middle of a full period. */
static const double first_share = 0.38;

double hk_breakpoint_due(const hk_sim *s) {
  const hk_breakpoint_ahead *k = ahead_of(s);
  double t = s->x[s->model->at.t];
  if (k->kind == HK_AHEAD_CLEAR) return INFINITY;
  return t == k->from ? t + first_share * (k->until - t) : k->until;
}

static bool present(const hk_sim *s) { return s->model->n_bending > 0; }

/* Finds the expression that has the first kink after the last breakpoint. */
static const hk_expr *first_to_bend(const hk_sim *s, const hk_item **item) {
  const hk_model *m = s->model;
  double from = ahead_of(s)->from, to = ahead_of(s)->beyond;
  const hk_expr *found = NULL;
  for (int i = 0; i < m->n_bending; i++) {
    hk_knot k;
    if (!hk_expr_next_bend(m->bending[i], TIME, from, to, &k)) continue;
    to = k.right, found = m->bending[i], *item = m->bending_item[i];
  }
  return found;
}

const hk_source hk_source_breakpoint = {.what = "a load or motion that switches at a time",
                                        .present = present,
                                        .meet = meet,
                                        .due = hk_breakpoint_due,
                                        .who = first_to_bend};

/* ---- peaks ---- */

static bool has_peaks(const hk_sim *s) { return s->model->n_bulging > 0; }

/* Returns h or, if a short rise of a load begins within the step, the length of the step up to the beginning of this
 * rise. Without this limit, the load might be the same at both ends of the step, and the rise would remain
 * undetected. */
static double before_peak(const hk_sim *s, double h) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t], to = t + h, at;
  for (int i = 0; i < m->n_bulging; i++) {
    const hk_expr *e = m->bulging[i];
    const hk_flow *ahead = hk_outlook_over(&s->scan->peaks_ahead[i], e, t, to);
    if (hk_flow_stays_between_ends(ahead, 0)) continue;
    if (hk_expr_bulges_within(e, t, to, &at) && at > t + near(t)) to = at;
  }
  return to - t;
}

static const hk_expr *first_to_rise(const hk_sim *s, const hk_item **item) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t], to = t + 16 * fmax(s->stats.step, near(t)), at;
  const hk_expr *found = NULL;
  for (int i = 0; i < m->n_bulging; i++)
    if (hk_expr_bulges_within(m->bulging[i], t, to, &at) && at > t + near(t))
      to = at, found = m->bulging[i], *item = m->bulging_item[i];
  return found;
}

const hk_source hk_source_peak = {
    .what = "a load or motion that rises or falls within a longer step",
    .present = has_peaks,
    .longest = before_peak,
    .who = first_to_rise};
