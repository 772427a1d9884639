/* States between two accepted steps (dense output): see hk_integrator.dense. */
#ifndef HK_SIM_DENSE_OUTPUT_H
#define HK_SIM_DENSE_OUTPUT_H
#include "sim/sim.h"

/* Fills the parts of the state at the time t other than positions and velocities. Energy integrals are interpolated
 * between the two ends of the last step. The internal variables of elements have the values at the start of this
 * step. */
void hk_dense_begin(const hk_sim *s, double t, double *x);
/* Returns the time over which the impulses in the state that is read act: of the last step, or of the part of it that has
 * passed. It differs from the step in the state, over which elements with memory compute their rates. 0: no step. */
double hk_dense_impulse_time(const hk_sim *s);
/* Computes positions and velocities at the fraction k of a step of length h, on the cubic through
 * positions and velocities at both ends. */
void hk_dense_motion(const hk_sim *s, const double *q0, const double *v0, const double *q1,
                     const double *v1, double h, double k, double *q, double *v);
/* Interpolates by the cubic through positions and velocities at both ends: for second-order
 * methods. */
void hk_dense_hermite(const hk_sim *s, double t, double *x);

/* Before a step the state may have been extrapolated across an event, over a short time with constant accelerations.
 * Dense output treats this short time as part of the step. */

/* Computes x: the state after the time d, starting at x0 with constant accelerations. d is so short that all other
 * parts of the state stay the same. */
void hk_dense_carry(const hk_sim *s, const double *x0, double d, double *x);
/* Marks s->x as the state from which the present step is extrapolated. */
void hk_dense_carried(hk_sim *s);
/* Returns true if a time is within the short extrapolation across an event before the last step. In this case x
 * becomes the state at this time. */
bool hk_dense_on_the_way(const hk_sim *s, double t, double *x);
#endif
