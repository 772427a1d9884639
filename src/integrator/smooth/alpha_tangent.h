/* The formula of generalized-alpha in the form that its derivative needs. */
#ifndef HK_INTEGRATOR_SMOOTH_ALPHA_TANGENT_H
#define HK_INTEGRATOR_SMOOTH_ALPHA_TANGENT_H
#include "sim/sim.h"

/* Coefficients of a step of length h after one of length `before` (0: none):
 *   a0' = vd0 + ratio (a0 - vd0),  a1 = k1 vd1 + k0 vd0 - ka a0'
 *   v1 = v0 + va a0' + vb a1,  D = h v0 + qa a0' + qb a1;   ca = d vd1/d D, cv = d v1/d D */
typedef struct hk_alpha_formula {
  double ratio, k1, k0, ka, va, vb, qa, qb, ca, cv;
} hk_alpha_formula;
/* Returns false if the simulation uses another integrator. */
bool hk_alpha_formula_of(const hk_sim *s, double before, double h, hk_alpha_formula *out);
#endif
