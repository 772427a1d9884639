/* By how much a step mistakes the impulses of compliant contacts.
 *
 * A contact is short: it may close and open within a step whose positions are right to the tolerance, and
 * the velocities after it are then anything.  So each point of contact is judged by itself, by the energy
 * that the step gives it or takes from it.  What a point was at the start of a step stands in the state
 * (HK_TOUCH_GAP to HK_TOUCH_LAGGED).
 */
#ifndef HK_CONTACT_ERROR_H
#define HK_CONTACT_ERROR_H
#include "stepper/sim.h"

/* How the stepper weighs a force over a step, in the terms of generalized-alpha; a half each is the
 * trapezoidal rule. */
typedef struct hk_step_rule {
  double am, af, gamma;
  double impulse; /* of the step, per residual in hk_sim.r */
} hk_step_rule;

/* Room for the judge, and how stiff each contact is for a start. */
hk_status hk_contact_judge_create(hk_sim *s, hk_error *err);
/* What the state keeps of the contact points, at x, whose forces are in work: where no step has led to x. */
void hk_contact_note(const hk_sim *s, double *x);
/* The largest error of a contact over its limit, 0 without contacts, of the step from x0 to x1, whose forces are in
 * work, and what is left of its balance in s->r; x1 notes its points. */
double hk_contact_error(hk_sim *s, const double *x0, double h, double *x1,
                        const hk_step_rule *rule);
#endif
