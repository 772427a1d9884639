/* Errors of velocities in second-order methods.
 *
 * Their error test uses displacements only. When a load acts for a short time, steps become short, and this test would
 * accept a large velocity error, which persists after the load has ended. Therefore a step that is much shorter than
 * the previous ones is tested again: by the displacement that its velocity error, h^3 v'''/12, causes within a step as
 * long as the previous ones. This length is the reference step, which is part of the state. Contacts have a separate
 * test (contact_error.h). */
#ifndef HK_CONTROL_REFERENCE_STEP_H
#define HK_CONTROL_REFERENCE_STEP_H
#include "sim/sim.h"

/* hk_reference_fall: while steps stay short, the reference step decreases by this fraction of each step.
 * hk_reference_least: a step is tested only if its ratio to the reference step is larger than this value.
 * hk_reference_noise: fraction of the tolerance that round-off may contribute to the error of a tested step. */
static const double hk_reference_fall = 0.1, hk_reference_least = 1e-8, hk_reference_noise = 0.1;

/* Time over which the velocity error of a step of length h is tested; 0: not tested. Accelerations are computed from
 * positions, so their round-off increases as the step becomes shorter. */
static inline double hk_reference_over(const hk_sim *s, double reference, double h) {
  if (!(h < 0.5 * reference && h > hk_reference_least * reference) || s->model->n_points > 0 ||
      !hk_sim_adapts(s))
    return 0;
  return fmin(reference, hk_reference_noise * h / hk_round_off(s));
}
/* Norm of the displacements s->u that errors of velocities cause within the time `over`. Scalar states do not count:
 * their rate is a function of the state and the motion, so that its error does not persist. */
static inline double hk_reference_norm(hk_sim *s, double over, double h) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_states; i++) s->u[m->node[m->state[i].node].v] *= h / over;
  return hk_error_norm(s, s->u);
}
/* Returns the reference step after a step of length h. The reference step decreases slowly while steps stay short. */
static inline double hk_reference_next(double reference, double h) {
  return fmax(h, reference - hk_reference_fall * h);
}
#endif
