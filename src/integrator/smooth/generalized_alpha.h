/* One step of generalized-alpha, for integrators that extend it. */
#ifndef HK_INTEGRATOR_SMOOTH_GENERALIZED_ALPHA_H
#define HK_INTEGRATOR_SMOOTH_GENERALIZED_ALPHA_H
#include "sim/sim.h"

/* Offsets of the method's variables in the state; they follow the variables of the model. */
typedef struct hk_alpha_blocks {
  int h;          /* [2] lengths of the last two steps, 0: none */
  int reference;  /* see control/reference_step.h */
  int a;          /* [nv] the acceleration variable a of the method */
  int vd_old;     /* [2][nv] accelerations of the two steps before, for extrapolation */
  int lambda_old; /* [2][nc] multipliers, likewise */
  int end;
} hk_alpha_blocks;
static inline hk_alpha_blocks hk_alpha_at(const hk_model *m) {
  hk_alpha_blocks b = {.h = m->at.size};
  b.reference = b.h + 2;
  b.a = b.reference + 1;
  b.vd_old = b.a + m->nv;
  b.lambda_old = b.vd_old + 2 * m->nv;
  b.end = b.lambda_old + 2 * m->nc;
  return b;
}
int hk_alpha_state_size(const hk_model *m);
/* Same as hk_integrator.restart. */
void hk_alpha_restart(const hk_sim *s, double *x);

/* Same as hk_integrator.attempt, with the spectral radius rho. Leaves the frames, constraints and forces of the end
 * in `work`, the step's matrix and its factorization in s->system, and the displacement D with q1 = q0 o exp(D) in
 * s->d. */
hk_status hk_alpha_step(hk_sim *s, double rho, const double *x0, double h, double *x1,
                        hk_attempt *info);
#endif
