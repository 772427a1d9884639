/* Times at which loads and motions bend or jump: see knot.h. */
#include "control/breakpoint.h"
#include "control/controller.h"
#include "control/source.h"
#include "sim/trust.h"

enum { TIME = 0 }; /* its slot of all expressions */
enum { MOST_GATHERED = 8 };

static hk_breakpoint_ahead *ahead_of(const hk_sim *s) {
  return (hk_breakpoint_ahead *)(void *)(s->x + s->model->at.breakpoint);
}

/* What is nearer than this is reached: no step is that short. */
static double near(double t) { return 1e-13 * fmax(1, fabs(t)); }

/* Round-off of the sum t + h, within which a step ends. */
static double grain(double t) { return 0x1p-50 * fabs(t); }

/* The first of what all expressions do between two times. */
static bool find_first(const hk_model *m, double from, double to, hk_knot *first) {
  bool found = false;
  *first = (hk_knot){to, to, false};
  for (int i = 0; i < m->n_bending; i++) {
    hk_knot k;
    if (!hk_expr_next_bend(m->bending[i], TIME, from, to, &k)) continue;
    if (found && k.right >= first->left) { /* two at one time */
      k.left = fmin(k.left, first->left), k.right = first->right;
      k.sharp = k.sharp || first->sharp;
    }
    *first = k;
    to = k.right;
    found = true;
  }
  return found;
}

/* What comes so soon behind it that no step fits between is one with it.  So is what round-off makes of a comparison that
 * turns slowly: it goes to and fro for a while. */
static const double wavering = 1e-11;

static void gather(const hk_model *m, hk_knot *k) {
  double end = k->left + fmax(near(k->left), wavering * fabs(k->left));
  hk_knot more;
  for (int i = 0; k->right < end && find_first(m, k->right + grain(k->right), end, &more); i++) {
    k->right = i < MOST_GATHERED ? more.right : end;
    k->sharp = k->sharp || more.sharp;
  }
}

/* An expression that stays within round-off of a bend seems to bend all the time: such times are passed over, in strides
 * that grow.  passed: so are the remains of a knot at the beginning. */
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

/* Steps ahead within which it is looked for: knots are seldom, and so is looking for them. */
static const double sight = 16;

/* Dim times follow each other closely, and in a long row of them looking would take all the time: every so many times what
 * is left out behind one doubles.  So a part of the run that is dim is stepped through in about as many steps. */
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

/* Part of the velocities that is round-off of those that the joints hold. */
static const double held = 1e-8;

/* A motion with a corner: its velocity jumps, and so do those of the bodies, by the impulse mu of all joints,
 *
 *   M dv + G^T mu = 0,   G (v + dv) + g_t = 0
 *
 * which does the work mu^T (g_t - (G v + g_t)/2).  Rigid contacts would have a part in it: their steppers find the jump. */
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
                   "at t = %.9g s the velocities behind a corner of a motion cannot be found",
                   in.t);
  hk_zero(s->r, sys->n);
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) s->r[sys->row_at[r]] = -s->y[r];
  hk_linear_solver_solve(sys->solver, s->r);
  for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) work += s->r[sys->row_at[r]] * (w->gt[r] - 0.5 * s->y[r]);
  s->x[m->at.ledger + HK_LEDGER_MOTION] += work;
  hk_trust_kick(s, in.t, m->constraint[m->row_constraint[row]].name, most);
  return HK_OK;
}

/* Steppers whose steps begin with forces at their start, rather than with the state's accelerations, start behind it. */
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

/* From one knot to the next there are two steps at least, or what acts between them might not be seen at either: not of
 * equal length, because in the midst of a whole wave there is nothing too. */
static const double first_share = 0.38;

double hk_breakpoint_due(const hk_sim *s) {
  const hk_breakpoint_ahead *k = ahead_of(s);
  double t = s->x[s->model->at.t];
  if (k->kind == HK_AHEAD_CLEAR) return INFINITY;
  return t == k->from ? t + first_share * (k->until - t) : k->until;
}

static bool present(const hk_sim *s) { return s->model->n_bending > 0; }

const hk_source hk_source_breakpoint = {.what = "a load or motion that switches at a time",
                                        .present = present,
                                        .meet = meet,
                                        .due = hk_breakpoint_due};

/* ---- peaks ---- */

static bool has_peaks(const hk_sim *s) { return s->model->n_bulging > 0; }

/* A step ends where a load is about to rise of which neither of its ends would tell. */
static double before_peak(const hk_sim *s, double h) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t], to = t + h, at;
  for (int i = 0; i < m->n_bulging; i++)
    if (hk_expr_bulges_within(m->bulging[i], t, to, &at) && at > t + near(t)) to = at;
  return to - t;
}

const hk_source hk_source_peak = {
    .what = "a load or motion that rises or falls within a longer step",
    .present = has_peaks,
    .longest = before_peak};
