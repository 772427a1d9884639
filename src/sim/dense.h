/* States between two accepted steps (dense output): see hk_integrator.dense. */
#ifndef HK_SIM_DENSE_H
#define HK_SIM_DENSE_H
#include "sim/sim.h"

/* All of the state at t but its positions and velocities: what lies between the last two steps, and
 * what the step before t left to elements. */
void hk_dense_begin(const hk_sim *s, double t, double *x);
/* Positions and velocities at the share k of a step of length h, on the cubic through those of both ends. */
void hk_dense_motion(const hk_sim *s, const double *q0, const double *v0, const double *q1,
                     const double *v1, double h, double k, double *q, double *v);
/* The cubic through positions and velocities of both ends: for steppers of second order. */
void hk_dense_hermite(const hk_sim *s, double t, double *x);

/* Before a step the state may have been carried over an event, a short way by constant accelerations: values on that way belong
 * to the step too. */

/* x = the state x0 after a time d of constant acceleration, so short that nothing else changes. */
void hk_dense_carry(const hk_sim *s, const double *x0, double d, double *x);
/* s->x is where the step in hand is carried from. */
void hk_dense_carried(hk_sim *s);
/* Whether a time lies on that way of the last step; x becomes the state there. */
bool hk_dense_on_the_way(const hk_sim *s, double t, double *x);
#endif
