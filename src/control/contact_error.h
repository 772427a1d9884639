/* By how much a step mistakes the impulses of compliant contacts.
 *
 * A contact is short: it may close and open within a step whose positions are right to the tolerance, and
 * the velocities after it are then anything.  So each point of contact is judged by itself, by the energy
 * that the step gives it or takes from it.  What a point was at the start of a step stands in the state
 * (HK_TOUCH_GAP to HK_TOUCH_LAGGED).
 */
#ifndef HK_CONTACT_ERROR_H
#define HK_CONTACT_ERROR_H
#include "sim/sim.h"

/* How the stepper weighs a force over a step, in the terms of generalized-alpha; a half each is the
 * trapezoidal rule. */
typedef struct hk_step_rule {
  double am, af, gamma;
  bool multistep; /* a formula that tells the error of the velocities itself */
} hk_step_rule;

/* Room for the judge, and how stiff each contact is for a start. */
hk_status hk_contact_judge_create(hk_sim *s, hk_error *err);
/* What the state keeps of the contact points, at x, whose forces are in work: where no step has led to x. */
void hk_contact_note(const hk_sim *s, double *x);
/* The largest error of a contact over its limit, 0 without contacts, of the step from x0 to x1, whose
 * forces are in work; x1 notes its points.  `off`: the velocities by which the step's end may be off, [nv],
 * by what is left of Newton's residual or by the formula. */
double hk_contact_error(hk_sim *s, const double *x0, double h, double *x1, const hk_step_rule *rule,
                        const double *off);
/* After an error above 1: instead of a step that meets an open contact one that ends before the touch, into info->next
 * and info->memory->land; the ordinary cut where it meets none. */
void hk_contact_land(const hk_sim *s, double h, hk_attempt *info);
/* After a step that hk_contact_land has asked for: the length of the next one, into the contact; or 0. */
double hk_contact_leave(const hk_sim *s, double h, const hk_attempt *info, const double *x1);
/* off = impulse M^-1 r, by the diagonal of M, r being Newton's residual in s->r: the first half of s->u.
 */
const double *hk_velocity_left(hk_sim *s, double impulse);
#endif
