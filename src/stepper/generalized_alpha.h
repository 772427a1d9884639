/* One step of generalized-alpha, for steppers that add to it. */
#ifndef HK_GENERALIZED_ALPHA_H
#define HK_GENERALIZED_ALPHA_H
#include "stepper/sim.h"

/* As hk_stepper.step, with the spectral radius rho.  Leaves in work the frames, constraints and forces of
 * the end, in s->system the step's matrix and its factors, in s->d the displacement D with
 * q1 = q0 o exp(D). */
hk_status hk_alpha_step(hk_sim *s, double rho, const double *x0, double h, double *x1,
                        hk_step_info *info);
#endif
