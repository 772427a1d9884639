/* Building blocks for integrators of programs and plugins: see hooke/integrator.h. */
#include "sim/dense_output.h"
#include "sim/sim.h"

hk_state_parts hk_integrator_parts(const hk_sim *s) {
  const hk_model *m = s->model;
  return (hk_state_parts){.t = m->at.t,
                          .q = m->at.q,
                          .v = m->at.v,
                          .vd = m->at.vd,
                          .lambda = m->at.lambda,
                          .h = m->at.h,
                          .own = m->at.size,
                          .nq = m->nq,
                          .nv = m->nv,
                          .nc = m->nc};
}

const void *hk_integrator_keys(const hk_sim *s) { return s->parameter; }
void *hk_integrator_memory(const hk_sim *s) { return s->own; }
void hk_integrator_memory_set(hk_sim *s, void *memory) { s->own = memory; }

void hk_integrator_move(const hk_sim *s, const double *q0, const double *d, double *q1) {
  hk_configuration_add(s->model, q0, d, q1);
}

void hk_integrator_difference(const hk_sim *s, const double *q0, const double *q1, double *d) {
  hk_configuration_sub(s->model, q1, q0, d);
}

void hk_integrator_rate(const hk_sim *s, const double *d, double *v) {
  hk_configuration_tangent_inv(s->model, d, v);
}

hk_status hk_integrator_accelerations(hk_sim *s, const double *x, double *vd, double *lambda) {
  hk_zero(vd, s->model->nv);
  hk_zero(lambda, s->model->nc);
  return hk_sim_accelerations(s, x, vd, lambda, NULL);
}

double hk_integrator_error(const hk_sim *s, const double *d) { return hk_error_norm(s, d); }
void hk_integrator_dense(const hk_sim *s, double t, double *x) { hk_dense_hermite(s, t, x); }

hk_status hk_integrator_finish(hk_sim *s, double h, double *x1) {
  const hk_model *m = s->model;
  x1[m->at.h] = h;
  hk_zero(x1 + m->at.lambda_shift, m->nc);
  hk_instant in = hk_instant_with(m, x1, x1 + m->at.lambda);
  in.h = h;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  return hk_forces(s->work, &in);
}

/* Solves M d + G^T mu = 0, G d = -y for the kept rows, with y in s->y. Writes the correction d
 * into s->r. */
static void correct(hk_sim *s) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  hk_zero(s->r, m->nv);
  for (int i = 0; i < sys->n_kept; i++) s->r[m->nv + i] = -s->y[sys->kept_row[i]];
  hk_linear_solver_solve(sys->solver, s->r);
}

/* Joints count as closed if no row is violated by more than this. Velocity constraints have no position. */
static const double closed = 1e-13;
enum { MOST_PASSES = 6 };

static hk_status project_positions(hk_sim *s, double *x) {
  const hk_model *m = s->model;
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    const hk_instant in = hk_instant_at(m, x);
    hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
    hk_constraints(s->work, &in);
    hk_copy(s->y, s->work->g, m->nc);
    for (int i = 0; i < m->n_velocity_rows; i++) s->y[m->velocity_row[i]] = 0;
    hk_status status = hk_accelerations_factor(s, &in);
    if (status) return status;
    double open = 0;
    for (int i = 0; i < s->index1->n_kept; i++)
      open = fmax(open, fabs(s->y[s->index1->kept_row[i]]));
    if (!(open > closed * fmax(1, m->length))) return isfinite(open) ? HK_OK : HK_RETRY;
    correct(s);
    hk_configuration_add(m, x + m->at.q, s->r, x + m->at.q);
  }
  return HK_RETRY;
}

hk_status hk_integrator_project(hk_sim *s, double *x) {
  const hk_model *m = s->model;
  if (m->nc == 0) return HK_OK;
  hk_status status = project_positions(s, x);
  if (status) return status;
  hk_constraint_velocity(s->work, x + m->at.v, s->y);
  correct(s);
  for (int i = 0; i < m->nv; i++) x[m->at.v + i] += s->r[i];
  return HK_OK;
}
