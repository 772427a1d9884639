/* Detection of events within a step: expressions of loads and states between the two ends of an attempted step.
 *
 * An integrator evaluates forces at a few instants of its step. A load that depends on positions, velocities or states
 * can rise and fall, or switch, between two of these instants. Neither the result of the integrator nor its error
 * estimate would show such a load. Therefore every attempted step is scanned before it is accepted. The ends of the
 * step give a cubic for every channel that expressions read. Interval arithmetic (hk_expr_flow) gives the range of the
 * expression's value and rate along these cubics, and:
 *
 * - A significant kink or jump ends the step just before it.  The state is then extrapolated across it by its Taylor
 *   polynomial, over a time too short to matter for the tolerance, and the motion continues with the accelerations of the
 *   other side (hk_scan_cross).
 * - A smooth rise or dip that is not visible in the values and slopes at both ends, and that would move a body by more
 *   than the tolerance, ends the step on its flank, where the integrator's own error estimate detects it.
 *
 * Both are found by bisection, with a proof: events excluded by the intervals do not occur, up to the difference
 * between the cubic and the integrator's own polynomial.  Expressions that are polynomials of low degree are left to
 * the error estimate.
 *
 * Steps of fixed length are not scanned. */
#ifndef HK_CONTROL_SCAN_H
#define HK_CONTROL_SCAN_H
#include "control/source.h"

typedef struct hk_scan hk_scan;

hk_status hk_scan_create(hk_sim *s, hk_error *err);
/* Call at the start of a run: determines which displacements the expressions can cause. */
void hk_scan_begin(hk_sim *s);
void hk_scan_free(hk_sim *s);

/* Call if the state was changed other than by a step. */
void hk_scan_forget(hk_sim *s);
/* For measures of sensors: prepares the path of the last step for hk_scan_sensor. */
void hk_scan_last_step(hk_sim *s);
/* Error of a sensor at the end of the last step that is caused by errors of the channels it reads: tolerances of
 * positions, tolerances divided by the step for velocities, and round-off. */
double hk_scan_sensor_noise(const hk_sim *s, int sensor);
/* Range of a sensor and of its rate between two times of the last step. If the flow is marked as not known, there is no
 * bound. */
hk_flow hk_scan_sensor(const hk_sim *s, int sensor, double from, double to);
#endif
