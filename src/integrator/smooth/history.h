/* The past of a motion as multistep formulas need it: time, positions, velocities, multipliers and
 * powers at the last accepted steps (or, for Adams' formulas, rates of positions and velocities), and
 * the polynomials through them.
 *
 * It lies behind the model's part of the state (hk_integrator.state_size) in slots that are used in turn, so that a step
 * writes a few of them and leaves the others where they are; node 0 is the state itself.  A polynomial through the nodes t_j has the Lagrange polynomials l_j as weights:
 * positions are combined component by component, quaternions as four-vectors.
 */
#ifndef HK_HISTORY_H
#define HK_HISTORY_H
#include "sim/sim.h"

enum { HK_HISTORY_MOST = 11 }; /* nodes of any history, with the state itself and a step's end */

/* Doubles behind the model's part of the state, for this many nodes besides the state itself. */
int hk_history_size(const hk_model *m, int room);
/* What stands before the slots, whole numbers but for the last one. */
typedef struct hk_history {
  double room;     /* for nodes besides the state itself */
  double count;    /* those that there are */
  double newest;   /* slot of the newest; those before it go backwards from there, and round */
  double order;    /* of the next step */
  double used;     /* order of the last step */
  double since;    /* steps since the order was changed */
  double starting; /* 1: the order has only risen yet */
  double noisy;    /* steps to come that see an end at which Newton's iteration crept */
  double noise;    /* ... by this much, over tolerance; 0: too little to count */
  double pace;     /* length of the steps when the motion was smooth */
} hk_history;
static inline hk_history *hk_history_of(const hk_model *m, double *x) {
  return (hk_history *)(x + m->at.size);
}
static inline const hk_history *hk_history_in(const hk_model *m, const double *x) {
  return (const hk_history *)(x + m->at.size);
}
/* Nothing but the state itself counts from here on. */
void hk_history_forget(const hk_model *m, double *x, int room);

/* The parts of a node. */
typedef struct hk_past {
  double t;
  const double *q, *v, *lambda, *power; /* [nq], [nv], [nc], [3] */
} hk_past;
/* Node j of a state; number 0 is the state itself with its positions and velocities. */
hk_past hk_history_node(const hk_model *m, const double *x, int j);
/* x1's past is `now`, which x0 is, and x0's past.  kept: x1 is the state before x0 or a try of the step that comes after
 * it (hk_sim.kept_past), so that most of its slots are those of x0 already. */
void hk_history_push(const hk_model *m, const hk_past *now, const double *x0, bool kept,
                     double *x1);

/* weight[j] = l_j(t) on the nodes z[0..n-1]. */
void hk_lagrange_value(const double *z, int n, double t, double *weight);
/* out = those on the nodes z[0..n], from `weight`, those on the first n of them; both may be the same. */
void hk_lagrange_extend(const double *z, int n, double t, const double *weight, double *out);
/* weight[j] = l_j'(z[0]). */
void hk_lagrange_slope(const double *z, int n, double *weight);
/* weight[j] = integral of l_j from a to b. */
void hk_lagrange_integral(const double *z, int n, double a, double b, double *weight);
/* weight[0] of these, by a fraction of the work. */
double hk_lagrange_integral_first(const double *z, int n, double a, double b);
#endif
