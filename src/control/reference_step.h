/* Errors of velocities in second-order methods.
 *
 * Their error test uses displacements only.  When a load acts for a short time, steps become short, and this test
 * would accept a large error of velocity, which persists.  Therefore a step that is much shorter than the previous
 * ones is tested again: by the displacement that its velocity error, h^3 v'''/12, causes in a step as long as those
 * (the reference step, which the integrator keeps in the state).  Contacts have a separate test (contact_error.h). */
#ifndef HK_CONTROL_REFERENCE_STEP_H
#define HK_CONTROL_REFERENCE_STEP_H
#include "sim/sim.h"

/* The time for which an error of velocity counts in a step of length h; 0: it does not.  Accelerations are computed
 * from positions, so round-off increases as the step decreases. */
static inline double hk_reference_over(const hk_sim *s, double reference, double h) {
  if (!(h < 0.5 * reference && h > 1e-8 * reference) || s->model->n_points > 0 || !hk_sim_adapts(s))
    return 0;
  return fmin(reference, 0.1 * h / hk_round_off(s));
}
/* Norm of the displacements s->u that errors of velocities cause within `over`.  The rate of a state is a function of the
 * state and the motion: its error ends with the step. */
static inline double hk_reference_norm(hk_sim *s, double over, double h) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_states; i++) s->u[m->node[m->state[i].node].v] *= h / over;
  return hk_error_norm(s, s->u);
}
/* The reference after a step of length h: it decreases slowly if steps stay short. */
static inline double hk_reference_next(double reference, double h) {
  return fmax(h, reference - 0.1 * h);
}
#endif
