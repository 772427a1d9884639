/* Accelerations and constraint forces at a given state (index-1 form of the equations):
 *   M v' + G^T lambda = f(q, v, lambda, t),   G v' + bias = 0
 * One solve unless friction makes f depend on lambda; then Newton.  Redundant rows get lambda = 0.
 */
#include "stepper/sim.h"
#include <string.h>

hk_status hk_sim_accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  hk_system *sys = s->index1;
  const hk_instant in = hk_instant_last(m, x, lambda);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  hk_constraint_bias(w, &in);
  for (int r = 0; r < m->nc; r++) lambda[r] = s->kept[r] ? lambda[r] : 0;
  bool friction = false;
  for (int i = 0; i < m->n_forces; i++) friction = friction || m->force[i].joint >= 0;
  double first = 0;
  for (int iteration = 0;; iteration++) {
    if (hk_forces(w, &in)) return hk_work_failed(w, err);
    hk_constraint_force(w, lambda, w->f);
    hk_mass_multiply(w, vd, s->d);
    for (int i = 0; i < m->nv; i++) s->r[i] = w->f[i] - s->d[i];
    hk_constraint_rate(w, vd, s->y);
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) s->r[sys->row_at[r]] = -(s->y[r] + w->bias[r]);
    double size = hk_max_abs(s->r, sys->n, NULL);
    if (!isfinite(size)) return hk_fail(err, HK_RETRY, "accelerations are not finite");
    if (iteration == 0) first = size;
    if (iteration > 0 && (size <= 1e-12 * (1 + first) || iteration > 30)) break;
    const hk_coefficients c = {.cM = 1};
    hk_status status = hk_assemble(sys, w, &c, &in);
    /* A state has no acceleration to be found: its rate is what it is. */
    for (int i = 0; i < m->n_states; i++) *sys->diagonal[m->state[i].node].at += 1;
    if (!status) status = hk_linear_solver_factor(sys->solver, sys->matrix);
    if (status) return hk_fail(err, status, "the equations for the accelerations are singular");
    hk_linear_solver_solve(sys->solver, s->r);
    for (int i = 0; i < m->nv; i++) vd[i] += s->r[i];
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) lambda[r] += s->r[sys->row_at[r]];
    if (friction) continue;
    if (!isfinite(hk_max_abs(s->r, sys->n, NULL)))
      return hk_fail(err, HK_RETRY, "accelerations are not finite");
    break;
  }
  return HK_OK;
}
