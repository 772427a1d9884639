/* Errors of velocities in methods of second order.
 *
 * Their steps are judged by places alone.  Where a load acts for a moment steps are cut short, and by that measure they would
 * let a large error of velocity pass, which stays for ever after.  So a step that is much shorter than those before it is
 * judged once more: by the way that its error of velocity, h^3 v'''/12, makes in a step as long as those (the pace, part
 * of the state).  Beside contacts, which have a judge of their own (contact_error.h), it is not.
 */
#ifndef HK_PACE_H
#define HK_PACE_H
#include "stepper/sim.h"

/* The time over which an error of velocity counts in a step of length h from x0; 0: it does not.  Accelerations are found from
 * places: round-off counts the more, the shorter the step. */
static inline double hk_pace_over(const hk_sim *s, const double *x0, double h) {
  const hk_model *m = s->model;
  double pace = x0[m->at.pace];
  if (!(h < 0.5 * pace && h > 1e-8 * pace) || m->n_points > 0 || s->option.step > 0) return 0;
  return fmin(pace, 0.1 * h / hk_round_off(s));
}
/* After such a step: forgotten in time, if steps stay short. */
static inline double hk_pace_next(const hk_model *m, const double *x0, double h) {
  return fmax(h, x0[m->at.pace] - 0.1 * h);
}
#endif
