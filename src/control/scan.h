/* What a step passes over: expressions of loads and states between the two ends of an attempted step.
 *
 * An integrator sees forces at a few instants of its step.  A load that depends on places, velocities or states can rise and
 * fall, or switch, between two of them, and neither the integrator's result nor its error estimate would show it.  So every
 * attempted step is scanned before it is accepted.  The ends of the step give a cubic for every channel that expressions
 * read; interval arithmetic (hk_expr_flow) gives the range of the expression's value and rate along these cubics, and:
 *
 * - a corner or jump that matters ends the step just before it.  The state is then carried over it by its Taylor
 *   polynomial, a way too short for the tolerance to notice, and the motion goes on with the accelerations of the other
 *   side (hk_scan_cross);
 * - a smooth rise or dip that the values and slopes at both ends do not tell of, and that would move a body by more than
 *   the tolerance, ends the step on its flank, where the integrator's own error estimate sees it.
 *
 * Both are found by halving, with proof: what the ranges exclude does not happen, up to the difference between the cubic and
 * the integrator's own polynomial.  Expressions that are polynomials of low degree are left to the error estimate.
 *
 * Steps of a fixed length are not scanned.
 */
#ifndef HK_CONTROL_SCAN_H
#define HK_CONTROL_SCAN_H
#include "control/source.h"

typedef struct hk_scan hk_scan;

hk_status hk_scan_create(hk_sim *s, hk_error *err);
/* At the start of a run: what the expressions can move. */
void hk_scan_begin(hk_sim *s);
void hk_scan_free(hk_sim *s);

/* The state has been changed otherwise than by a step. */
void hk_scan_forget(hk_sim *s);
/* For measures of sensors: the ends of the last step become those of the path that hk_scan_sensor goes by. */
void hk_scan_last_step(hk_sim *s);
/* By how much a sensor may be off at the end of the last step for the errors of what it reads: those that the tolerance
 * leaves of places and, over the step, of velocities, and round-off. */
double hk_scan_sensor_noise(const hk_sim *s, int sensor);
/* What a sensor may be, and how fast it may change, between two times of the last step.  Not known: nothing can be told. */
hk_flow hk_scan_sensor(const hk_sim *s, int sensor, double from, double to);
#endif
