/* One instant of a motion: all that the evaluation of an element may depend on.
 *
 * A stepper makes one for each evaluation and hands it down: kinematics, constraints, forces,
 * contacts and the matrix read it and nothing else of the state.
 */
#ifndef HK_INSTANT_H
#define HK_INSTANT_H
#include "model/model.h"

typedef struct hk_instant {
  double t;
  double h;             /* length of the step that ends here; 0: none */
  const double *q, *v;  /* configuration, velocity */
  const double *lambda; /* multipliers, where forces depend on them; NULL: none */
  const double *turn;   /* angles at the last accepted step, see hk_layout */
} hk_instant;

/* That of a state, outside of a step. */
static inline hk_instant hk_instant_at(const hk_model *m, const double *x) {
  return (hk_instant){.t = x[m->at.t],
                      .q = x + m->at.q,
                      .v = x + m->at.v,
                      .lambda = x + m->at.lambda,
                      .turn = x + m->at.turn};
}

/* The same with other multipliers than the state's. */
static inline hk_instant hk_instant_with(const hk_model *m, const double *x, const double *lambda) {
  hk_instant in = hk_instant_at(m, x);
  in.lambda = lambda;
  return in;
}
#endif
