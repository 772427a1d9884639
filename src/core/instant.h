/* One instant of a motion: all that the evaluation of an element may depend on.
 *
 * A stepper makes one for each evaluation and hands it down: kinematics, constraints, forces,
 * contacts and the matrix read it and nothing else of the state.  What elements remember changes only
 * when a step is accepted, so that within a step the state that it writes has the memory of its start.
 */
#ifndef HK_INSTANT_H
#define HK_INSTANT_H
#include "model/model.h"

typedef struct hk_instant {
  double t;
  double h;             /* length of the step that ends here; 0, INFINITY: see hooke/element.h */
  const double *q, *v;  /* configuration, velocity */
  const double *lambda; /* multipliers, where forces depend on them; NULL: none */
  const double *turn;   /* angles at the last accepted step, see hk_layout */
  const double *memory; /* of elements, at the last accepted step */
  const double *input;  /* what is set from outside; NULL: none is read */
} hk_instant;

/* That of a state, outside of a step. */
static inline hk_instant hk_instant_at(const hk_model *m, const double *x) {
  return (hk_instant){.t = x[m->at.t],
                      .q = x + m->at.q,
                      .v = x + m->at.v,
                      .lambda = x + m->at.lambda,
                      .turn = x + m->at.turn,
                      .memory = x + m->at.memory,
                      .input = x + m->at.input};
}

/* That of a state as the step that ended there saw it: its forces are those that were integrated. */
static inline hk_instant hk_instant_last(const hk_model *m, const double *x, const double *lambda) {
  hk_instant in = hk_instant_at(m, x);
  in.lambda = lambda;
  in.h = x[m->at.h];
  in.memory = x + m->at.memory_old;
  return in;
}

/* The same with other multipliers than the state's. */
static inline hk_instant hk_instant_with(const hk_model *m, const double *x, const double *lambda) {
  hk_instant in = hk_instant_at(m, x);
  in.lambda = lambda;
  return in;
}

/* The same as if it had lasted for ever: for equilibria and what is linear about them. */
static inline hk_instant hk_instant_settled(const hk_model *m, const double *x,
                                            const double *lambda) {
  hk_instant in = hk_instant_with(m, x, lambda);
  in.h = INFINITY;
  return in;
}
#endif
