/* Accelerations and constraint forces at a given state (index-1 form of the equations):
 *   M v' + G^T lambda = f(q, v, lambda, t),   G v' + bias = 0
 * One linear solve is enough unless friction makes f depend on lambda. In that case Newton's iteration is used. The
 * factorization of the first iteration is kept as long as the residual decreases quickly. Redundant rows get lambda =
 * 0. */
#include "sim/sim.h"
#include <string.h>

/* Residuals below `round_off` (relative to the loads) are round-off. If the residual after an iteration is larger than
 * `slow` times the residual before it, the matrix is factorized again. */
static const double round_off = 1e-12, slow = 0.1;
enum { MOST_PASSES = 30 };

/* Writes -(M v' + G^T lambda - f) and -(G v' + bias) into s->r; returns the largest magnitude. */
static hk_status residual(hk_sim *s, const hk_instant *in, const double *vd, const double *lambda,
                          double *size) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_system *sys = s->index1;
  hk_status status = hk_forces(w, in);
  hk_constraint_force(w, lambda, w->f);
  hk_mass_multiply(w, vd, s->d);
  for (int i = 0; i < m->nv; i++) s->r[i] = w->f[i] - s->d[i];
  hk_constraint_rate(w, vd, s->y);
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) s->r[sys->row_at[r]] = -(s->y[r] + w->bias[r]);
  *size = hk_max_abs(s->r, sys->n, NULL);
  return status;
}

hk_status hk_accelerations_factor(hk_sim *s, const hk_instant *in) {
  const hk_model *m = s->model;
  hk_system *sys = s->index1;
  const hk_coefficients c = {.cM = 1};
  hk_status status = hk_assemble(sys, s->work, &c, in);
  /* A scalar state has no acceleration: its equation gives the rate directly. */
  for (int i = 0; i < m->n_states; i++) *sys->diagonal[m->state[i].node].at += 1;
  return status ? status : hk_linear_solver_factor(sys->solver, sys->matrix);
}

hk_status hk_sim_accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_system *sys = s->index1;
  const hk_instant in = hk_instant_last(m, x, lambda);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  hk_constraint_bias(w, &in);
  for (int r = 0; r < m->nc; r++) lambda[r] = s->kept[r] ? lambda[r] : 0;
  double first = 0, before = 0, size;
  for (int pass = 0;; pass++) {
    if (residual(s, &in, vd, lambda, &size)) return hk_work_failed(w, err);
    if (!isfinite(size)) return hk_fail(err, HK_RETRY, "accelerations are not finite");
    if (pass == 0) first = size;
    double enough = round_off * (1 + first + hk_max_abs(lambda, m->nc, NULL));
    if (pass > 0 && (size <= enough || pass > MOST_PASSES)) break;
    if (pass == 0 || size > slow * before) {
      hk_status status = hk_accelerations_factor(s, &in);
      if (status) return hk_fail(err, status, "the equations for the accelerations are singular");
    }
    hk_linear_solver_solve(sys->solver, s->r);
    for (int i = 0; i < m->nv; i++) vd[i] += s->r[i];
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) lambda[r] += s->r[sys->row_at[r]];
    before = size;
    if (m->friction) continue;
    if (!isfinite(hk_max_abs(s->r, sys->n, NULL)))
      return hk_fail(err, HK_RETRY, "accelerations are not finite");
    break;
  }
  return HK_OK;
}
