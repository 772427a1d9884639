/* Errors of velocities in methods of second order.
 *
 * Their steps are judged by displacements alone.  Where a load acts for a moment steps are cut short, and by that measure they
 * would let a large error of velocity pass, which stays for ever after.  So a step that is much shorter than those before it is
 * judged once more: by the displacement that its error of velocity, h^3 v'''/12, causes in a step as long as those (the reference
 * step, which the integrator keeps in the state).  Contacts have a judge of their own (contact_error.h).
 */
#ifndef HK_CONTROL_REFERENCE_STEP_H
#define HK_CONTROL_REFERENCE_STEP_H
#include "sim/sim.h"

/* The time over which an error of velocity counts in a step of length h; 0: it does not.  Accelerations are found from
 * positions: round-off counts the more, the shorter the step. */
static inline double hk_reference_over(const hk_sim *s, double reference, double h) {
  if (!(h < 0.5 * reference && h > 1e-8 * reference) || s->model->n_points > 0 || !hk_sim_adapts(s))
    return 0;
  return fmin(reference, 0.1 * h / hk_round_off(s));
}
/* The reference after a step of length h: forgotten in time, if steps stay short. */
static inline double hk_reference_next(double reference, double h) {
  return fmax(h, reference - 0.1 * h);
}
#endif
