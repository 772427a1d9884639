/* States between two accepted steps (dense output): see hk_stepper.interpolate. */
#ifndef HK_DENSE_H
#define HK_DENSE_H
#include "stepper/sim.h"

/* All of the state at t but its positions and velocities: what lies between the last two steps, and
 * what the step before t left to elements. */
void hk_dense_begin(const hk_sim *s, double t, double *x);
/* The cubic through positions and velocities of both ends: for steppers of second order. */
void hk_dense_hermite(const hk_sim *s, double t, double *x);
#endif
