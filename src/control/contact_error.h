/* Error estimate of the contact impulses of a step.
 *
 * A contact lasts for a short time: it may close and open within one step. The positions at the end of this step may
 * then be accurate to the tolerance while the velocities are wrong. Therefore each contact point is checked
 * separately, by the energy that the step generates or loses in it. The values of a point at the start of a step are
 * in the state (HK_TOUCH_GAP to HK_TOUCH_LAGGED). */
#ifndef HK_CONTROL_CONTACT_ERROR_H
#define HK_CONTROL_CONTACT_ERROR_H
#include "sim/sim.h"

/* Weights of the forces at both ends of a step, in the notation of generalized-alpha; the trapezoidal rule has the
 * weights 1/2 and 1/2. */
typedef struct hk_step_rule {
  double am, af, gamma;
  /* The following members are for methods that estimate the error of the velocities themselves. `off` is this
   * estimate; it is valid for forces that are as smooth as the formula assumes. For other forces the estimate is `off`
   * divided by `scale`. 0: the method has no such estimate. */
  double scale;
  /* [s] the formula assumes that forces are smooth within this time before and after the step */
  double span;
  /* [m/s] round-off of velocities; 0: the velocities have the round-off of positions divided by the step */
  double noise;
} hk_step_rule;

/* Allocates the working memory and computes the initial stiffness of each contact. */
hk_status hk_contact_judge_create(hk_sim *s, hk_error *err);
/* Computes the values of contact points that are stored in the state x. For a state x that is not the end of a step;
 * the forces at x must be in `work`. */
void hk_contact_note(const hk_sim *s, double *x);
/* The largest ratio of a contact's error and its limit (0 without contacts) for the step from x0 to x1, with the
 * forces of x1 in `work`; stores its points in x1.  `off`: error of the velocities at the end of the step, [nv], from
 * Newton's residual or from the formula. */
double hk_contact_error(hk_sim *s, const double *x0, double h, double *x1, const hk_step_rule *rule,
                        const double *off);
/* Call after an error above 1. If the step reaches an open contact, the next attempt ends before the contact closes
 * (info->next, info->memory->land). Otherwise the step is reduced as usual. */
void hk_contact_land(const hk_sim *s, double h, hk_attempt *info);
/* Call after a step that hk_contact_land has shortened. Returns the length of the next step, which enters the
 * contact; 0: there is no such contact. */
double hk_contact_leave(const hk_sim *s, double h, const hk_attempt *info, const double *x1);
/* off = impulse M^-1 r, with the diagonal of M and Newton's residual r in s->r. The result is in the first half of
 * s->u. */
const double *hk_velocity_left(hk_sim *s, double impulse);
#endif
