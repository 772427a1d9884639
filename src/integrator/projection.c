/* Velocities back onto the constraints at the end of a step: G v + g_t = 0.
 *
 * The correction must have the form A^-1 G^T mu, A the step's matrix on the bodies and G of this
 * very position: then it leaves the free motion alone.  (A correction along an older G would push
 * it a little in each step, and energy would creep.)  The step's own factors are of the predicted
 * position, which Newton hardly moves, so one solve gives it; further passes take what magnified
 * round-off or a bad prediction leaves.
 *
 * Friction that follows the joints' loads has put F beside G^T into the factors, F mu being the friction that
 * the impulse mu would make.  The same factors give the correction without it: A x + (G^T + F) mu' = F mu, again
 * until mu' = mu, and each pass takes what is left down by about the coefficient of friction.  A correction that is
 * nothing beside the tolerance needs none.
 */
#include "base/hot.h"
#include "sim/sim.h"

HK_HOT void hk_put_rows(hk_sim *s, const double *restrict y) {
  const hk_system *sys = s->system;
  const int *restrict row = sys->kept_row;
  double *restrict r = s->r + s->model->nv;
  if (sys->n_kept == s->model->nc) { /* in their order */
    for (int k = 0; k < sys->n_kept; k++) r[k] = -y[k];
    return;
  }
  for (int k = 0; k < sys->n_kept; k++) r[k] = -y[row[k]];
}

/* The kept rows of -(G v + g_t) into s->r; the largest, NaN if there is one. */
static double velocity_error(hk_sim *s, const double *v) {
  hk_constraint_velocity(s->work, v, s->y);
  hk_put_rows(s, s->y);
  return hk_max_abs(s->r + s->model->nv, s->system->n_kept, NULL);
}

/* Passes end when the impulses change by less than this part; where friction is so strong that they do not settle
 * quickly, factors without it are cheaper. */
static const double settled = 1e-3, slow = 0.5;

/* Way that the velocities' correction in s->r makes within a step, over tolerance. */
static double way(hk_sim *s, double h) {
  for (int i = 0; i < s->model->nv; i++) s->u[i] = h * s->r[i];
  return hk_error_norm(s, s->u);
}

/* Of the tolerance: a correction of which friction would not matter even if it were all of it. */
static const double nothing = 0.01;

/* F out of the solution in s->r: see the head of the file.  False: it does not go. */
static bool leave_friction_out(hk_sim *s) {
  const hk_system *sys = s->system;
  int nv = s->model->nv, n = sys->n_kept;
  double *mu = s->r + nv, before = INFINITY;
  for (;;) {
    hk_copy(s->full, mu, n);
    hk_system_load_multiply(sys, s->full, s->r);
    hk_put_rows(s, s->y);
    hk_linear_solver_solve(sys->solver, s->r);
    s->stats.solves++;
    double change = 0, most = hk_max_abs(mu, n, NULL);
    for (int k = 0; k < n; k++) change = fmax(change, fabs(mu[k] - s->full[k]));
    if (change <= settled * most) return true;
    if (!(change < slow * before)) return false;
    before = change;
  }
}

/* v and the impulse += the correction of the velocity error in s->r, s->y.  The correction of v stays
 * there, that of the impulse in s->full.  False: friction is in the way, and nothing has changed. */
static bool correct(hk_sim *s, double h, double *v, double *impulse) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  hk_zero(s->r, m->nv);
  hk_linear_solver_solve(sys->solver, s->r);
  s->stats.solves++;
  if (sys->loads && !(way(s, h) <= nothing) && !leave_friction_out(s)) return false;
  for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
  for (int k = 0; k < sys->n_kept; k++) {
    s->full[k] = s->r[m->nv + k];
    impulse[sys->kept_row[k]] += s->full[k];
  }
  return true;
}

static void take_back(hk_sim *s, double *v, double *impulse) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  for (int i = 0; i < m->nv; i++) v[i] -= s->r[i];
  for (int k = 0; k < sys->n_kept; k++) impulse[sys->kept_row[k]] -= s->full[k];
}

/* A correction beyond this share of the velocities, or of what the step adds to them, is none: the step is
 * not to be had, unless it is so short that even such a correction moves nothing within it.  That is how the
 * velocity follows a motion that sets in with a jump. */
static const double most_correction = 0.05;

static bool is_too_large(hk_sim *s, double most, double h) {
  const hk_model *m = s->model;
  if (hk_max_abs(s->r, m->nv, NULL) <= most) return false;
  return !(way(s, h) <= 1);
}

/* Near a singular position a velocity error of no weight asks for a correction of much: round-off magnified, which
 * the steps to come of a method that remembers would see as a jump.  The error need not be round-off itself: the
 * correction is for positions that are not known so well.  Where nothing but joints can ask for it, one that is beyond
 * the tolerance, and by more than levers do, is noise too. */
static const double most_magnified = 100, least_seen = 0.02;
static const double most_levered = 10, least_spoiling = 2;

/* How far bodies drift from where the constraints let them, within a step at this velocity error, over tolerance. */
static double drift(const hk_sim *s, double error, double h) { return h * error / hk_tolerance(s); }

static bool is_magnified(hk_sim *s, double error, double h, double *noise) {
  const hk_model *m = s->model;
  double size = way(s, h), cause = drift(s, error, h);
  bool spoils = hk_integrator_can(s, HK_NOISE_FADES) && m->n_points == 0 && !m->friction &&
                size > fmax(least_spoiling, most_levered * cause);
  if (spoils) *noise = size;
  return spoils || size > fmax(least_seen, most_magnified * cause);
}

hk_status hk_velocity_project(hk_sim *s, double h, bool noisy, double *x1, hk_projected *told) {
  const hk_model *m = s->model;
  *told = (hk_projected){0};
  if (m->nc == 0) return HK_OK;
  double *v = x1 + m->at.v, *impulse = x1 + m->at.lambda_shift;
  double fastest = hk_max_abs(v, m->nv, NULL), tolerance = 1e-8 * (1 + fastest);
  double most = most_correction * fmax(fastest, h * hk_max_abs(x1 + m->at.vd, m->nv, NULL));
  double error = velocity_error(s, v);
  hk_zero(impulse, m->nc);
  for (int pass = 0; pass < 6 && error > (pass ? tolerance : 0); pass++) {
    double before = error;
    if (!correct(s, h, v, impulse)) {
      told->rubs = pass == 0;
      break;
    }
    if (is_too_large(s, fmax(most, tolerance), h)) return HK_RETRY;
    if (!noisy || !is_magnified(s, before, h, &told->noise)) {
      error = velocity_error(s, v);
      if (error < (noisy ? 0.5 : 1) * before) continue;
    }
    take_back(s, v, impulse);
    error = before;
    break;
  }
  /* Passes end where they no longer help: at round-off, which is nothing, or because the factors are of another
   * position than this one.  What is left may be no more than the step's own error, or a shorter one has to do. */
  if (error > tolerance && !told->rubs && !(drift(s, error, h) <= 1)) return HK_RETRY;
  double k = 1 / h;
  for (int r = 0; r < m->nc; r++) impulse[r] *= k;
  return HK_OK;
}
