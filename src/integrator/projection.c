/* Projection of velocities onto the constraints at the end of a step: G v + g_t = 0.
 *
 * The correction must have the form A^-1 G^T mu, with the step's matrix A on the bodies and G of exactly this position:
 * then it does not change the free motion. (A correction along an older G would change it slightly in each step, and
 * the energy would drift.) The factorization of the step was computed at the predicted position, which Newton's
 * iteration hardly changes, so one solution is sufficient; further passes remove the effect of magnified round-off or
 * of a bad prediction.
 *
 * If friction depends on the loads of joints, the factorized matrix contains G^T + F instead of G^T, where F mu is the
 * friction caused by the impulse mu. The same factorization gives the correction without this friction: A x + (G^T +
 * F) mu' = F mu is solved repeatedly until mu' = mu; each pass reduces the remainder by about the coefficient of
 * friction. For a correction that is negligible compared with the tolerance this is not done. */
#include "base/hot.h"
#include "sim/sim.h"

HK_HOT void hk_put_rows(hk_sim *s, const double *restrict y) {
  const hk_system *sys = s->system;
  const int *restrict row = sys->kept_row;
  double *restrict r = s->r + s->model->nv;
  if (sys->n_kept == s->model->nc) { /* all rows are kept, in their order */
    for (int k = 0; k < sys->n_kept; k++) r[k] = -y[k];
    return;
  }
  for (int k = 0; k < sys->n_kept; k++) r[k] = -y[row[k]];
}

/* Writes the kept rows of -(G v + g_t) into s->r; returns the largest magnitude, NaN if a row is NaN. */
static double velocity_error(hk_sim *s, const double *v) {
  hk_constraint_velocity(s->work, v, s->y);
  hk_put_rows(s, s->y);
  return hk_max_abs(s->r + s->model->nv, s->system->n_kept, NULL);
}

/* Settings of the iteration. The iteration ends when the impulses change by less than the fraction `settled`. If
 * friction is strong and the impulses converge more slowly than by the factor `slow`, a new factorization of the
 * matrix without friction is cheaper. */
static const double settled = 1e-3, slow = 0.5;

/* Displacement that the velocity correction in s->r causes within a step, relative to the tolerance. */
static double way(hk_sim *s, double h) {
  for (int i = 0; i < s->model->nv; i++) s->u[i] = h * s->r[i];
  return hk_error_norm(s, s->u);
}

/* Fraction of the tolerance below which the friction of a correction does not matter. */
static const double nothing = 0.01;

/* Removes F from the solution in s->r: see the head of the file.  False: no convergence. */
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

/* Adds the correction of the velocity error in s->r and s->y to v and to the impulse. The correction of v remains in
 * s->r, that of the impulse in s->full. False: friction prevents the correction, and nothing has changed. */
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

/* A correction above this fraction of the velocities, or of the change of the velocities in the step, is not accepted.
 * Exception: the step is so short that the correction causes no significant displacement within the step. This
 * exception allows velocities to follow a prescribed motion that starts with a jump. */
static const double most_correction = 0.05;

static bool is_too_large(hk_sim *s, double most, double h) {
  const hk_model *m = s->model;
  if (hk_max_abs(s->r, m->nv, NULL) <= most) return false;
  return !(way(s, h) <= 1);
}

/* Near a singular position even a negligible velocity error requires a large correction. Such a
 * correction is only amplified round-off. A method with a history would treat it as a jump in
 * later steps. The velocity error itself may be larger than round-off, because the positions
 * are not accurate enough for the correction. If only joints can cause such a correction, it is
 * also noise if it exceeds both the tolerance and the effect of lever arms. */
static const double most_magnified = 100, least_seen = 0.02;
static const double most_levered = 10, least_spoiling = 2;

/* Displacement that violates the constraints, caused by this velocity error within a step;
 * relative to the tolerance. */
static double drift(const hk_sim *s, double error, double h) { return h * error / hk_tolerance(s); }

static bool is_magnified(hk_sim *s, double error, double h, double *noise) {
  const hk_model *m = s->model;
  double size = way(s, h), cause = drift(s, error, h);
  bool spoils = s->noise_fades && m->n_points == 0 && !m->friction &&
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
  /* The iteration ends when it no longer improves the result. The cause is round-off, or a factorization that was
   * computed at another position. If the remaining error exceeds the step's own error, a shorter step is needed. */
  if (error > tolerance && !told->rubs && !(drift(s, error, h) <= 1)) return HK_RETRY;
  double k = 1 / h;
  for (int r = 0; r < m->nc; r++) impulse[r] *= k;
  return HK_OK;
}
