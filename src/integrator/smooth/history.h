/* History of a motion for multistep methods, and the polynomials through its values. The history contains time,
 * positions, velocities, multipliers and the powers of the energy integrals at the ends of the last accepted steps.
 * For Adams' formulas it also contains the rates of positions and velocities.
 *
 * In the state, the history follows the model's part (hk_integrator.state_size). The slots of the history form a ring
 * buffer, so that a step writes only a few slots. The nodes are the times t_j of the stored values; node 0 is the
 * state itself. A polynomial through the nodes is a sum of the stored values weighted by the Lagrange polynomials l_j.
 * It is evaluated for each component; quaternions are treated as vectors with four components. */
#ifndef HK_INTEGRATOR_SMOOTH_HISTORY_H
#define HK_INTEGRATOR_SMOOTH_HISTORY_H
#include "sim/sim.h"

/* maximum number of nodes of a history, including the state itself and the end of a step */
enum { HK_HISTORY_MOST = 11 };

/* Data that are stored for each time in addition to time, multipliers and powers. */
typedef enum hk_past_parts {
  HK_PAST_PLACES = 1, /* positions and velocities: backward differentiation */
  HK_PAST_RATES = 2   /* their rates: Adams' formulas */
} hk_past_parts;

/* Number of doubles that the history needs after the model's part of the state, for the given
 * number of nodes in addition to the state itself. */
int hk_history_size(const hk_model *m, int room, unsigned parts);
/* Header before the slots; whole numbers except the last entries. */
typedef struct hk_history {
  double room;     /* number of slots for nodes other than the state itself */
  double parts;    /* kinds of data that these nodes contain: bits of hk_past_parts */
  double count;    /* number of stored nodes */
  double newest;   /* slot of the newest node; older nodes precede it (ring buffer) */
  double order;    /* order of the next step */
  double used;     /* order of the last step */
  double since;    /* steps since the order was changed */
  double starting; /* 1: every change of the order so far was an increase */
  double noisy;    /* number of following steps that still have a noisy step end in their history */
  double noise;    /* magnitude of this noise relative to the tolerance; 0: negligible */
  double pace;     /* length of the steps while the motion was smooth */
  double family;   /* family of the next step and of the last one: see multistep_switch.c */
  double used_family;
  double
      /* number of steps since the last comparison of the two families, and number of steps between comparisons */
      rested;
  double rest;
  double refused; /* number of attempts that were rejected since then */
  /* [J] part of the error of the energy integrals of a step that shorter steps do not reduce (noise) */
  double blurred;
} hk_history;
static inline hk_history *hk_history_of(const hk_model *m, double *x) {
  return (hk_history *)(x + m->at.size);
}
static inline const hk_history *hk_history_in(const hk_model *m, const double *x) {
  return (const hk_history *)(x + m->at.size);
}
/* Resets the history to the state itself. */
void hk_history_forget(const hk_model *m, double *x, int room, unsigned parts);

/* Pointers to the data of a node; NULL: not stored. */
typedef struct hk_past {
  double t;
  const double *q, *v, *q_rate, *v_rate; /* [nq], [nv] */
  const double *lambda, *power;          /* [nc], [3] */
} hk_past;
/* Node j of a state; node 0 is the state itself, which does not store q_rate. */
hk_past hk_history_node(const hk_model *m, const double *x, int j);
/* Sets the history of x1: first the node `now`, which is the state x0, then the history of x0. kept: x1 contains the
 * state before x0, or a rejected attempt of the step from x0 (hk_sim.kept_past), so most of its slots already equal
 * those of x0. */
void hk_history_push(const hk_model *m, const hk_past *now, const double *x0, bool kept,
                     double *x1);

/* weight[j] = l_j(t) on the nodes z[0..n-1]. */
void hk_lagrange_value(const double *z, int n, double t, double *weight);
/* out = weights of the nodes z[0..n], computed from `weight`, the weights of the first n nodes; both may be the same
 * array. */
void hk_lagrange_extend(const double *z, int n, double t, const double *weight, double *out);
/* weight[j] = l_j'(z[0]). */
void hk_lagrange_slope(const double *z, int n, double *weight);
/* weight[j] = integral of l_j from a to b. */
void hk_lagrange_integral(const double *z, int n, double a, double b, double *weight);
/* Computes weight[0] only, which is much cheaper. */
double hk_lagrange_integral_first(const double *z, int n, double a, double b);
/* Integral of the product of t - z[j], j < n, from a to b. */
double hk_lagrange_product_integral(const double *z, int n, double a, double b);
#endif
