/* One instant of a motion: all data on which the evaluation of an element may depend.
 *
 * An integrator fills one struct for each evaluation and passes it to all functions. Kinematics,
 * constraints, forces, contacts and the matrix read no other part of the state. The internal
 * variables of elements change only when a step is accepted: within a step, all evaluations use
 * the values at its start. */
#ifndef HK_CORE_INSTANT_H
#define HK_CORE_INSTANT_H
#include "model/model.h"

typedef struct hk_instant {
  double t;
  double h;            /* size of the step that ends here; for 0 and INFINITY see hooke/element.h */
  const double *q, *v; /* configuration, velocity */
  const double *lambda; /* multipliers, for forces that depend on them; NULL: no force does */
  const double *turn;   /* unwrapped angles at the last accepted step, see hk_layout */
  const double *memory; /* internal variables of elements at the last accepted step */
  const double *input;  /* values of the inputs of the model; NULL: no element reads an input */
} hk_instant;

/* Instant of a state, outside a step. */
static inline hk_instant hk_instant_at(const hk_model *m, const double *x) {
  return (hk_instant){.t = x[m->at.t],
                      .q = x + m->at.q,
                      .v = x + m->at.v,
                      .lambda = x + m->at.lambda,
                      .turn = x + m->at.turn,
                      .memory = x + m->at.memory,
                      .input = x + m->at.input};
}

/* Instant at the end of the last step, with the internal variables at the start of this step, as in the integration of
 * the step. The forces at this instant equal those of the integration. */
static inline hk_instant hk_instant_last(const hk_model *m, const double *x, const double *lambda) {
  hk_instant in = hk_instant_at(m, x);
  in.lambda = lambda;
  in.h = x[m->at.h];
  in.memory = x + m->at.memory_old;
  return in;
}

/* Makes x the end of a step of length h from x0, so that hk_instant_last gives at x the forces of this step. */
static inline void hk_instant_ends(const hk_model *m, const double *x0, double h, double *x) {
  x[m->at.h] = h;
  for (int i = 0; i < m->n_memory; i++) x[m->at.memory_old + i] = x0[m->at.memory + i];
}

/* Instant of a state, but with the given multipliers. */
static inline hk_instant hk_instant_with(const hk_model *m, const double *x, const double *lambda) {
  hk_instant in = hk_instant_at(m, x);
  in.lambda = lambda;
  return in;
}

/* Instant of a state that has lasted for an infinite time (h = INFINITY), with the given
 * multipliers: for equilibria and linearization about them. */
static inline hk_instant hk_instant_settled(const hk_model *m, const double *x,
                                            const double *lambda) {
  hk_instant in = hk_instant_with(m, x, lambda);
  in.h = INFINITY;
  return in;
}
#endif
