/* States between two accepted steps (dense output): see hk_stepper.interpolate. */
#ifndef HK_DENSE_H
#define HK_DENSE_H
#include "stepper/sim.h"

/* All of the state at t but its positions and velocities: what lies between the last two steps, and
 * what the step before t left to elements. */
void hk_dense_begin(const hk_sim *s, double t, double *x);
/* Positions and velocities at the share k of a step of length h, on the cubic through those of both ends. */
void hk_dense_motion(const hk_sim *s, const double *q0, const double *v0, const double *q1,
                     const double *v1, double h, double k, double *q, double *v);
/* The cubic through positions and velocities of both ends: for steppers of second order. */
void hk_dense_hermite(const hk_sim *s, double t, double *x);
#endif
