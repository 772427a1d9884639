/* History of a motion for multistep methods: time, positions, velocities, multipliers and powers at the last accepted steps,
 * for Adams' formulas rates of positions and velocities, and the polynomials through them.
 *
 * It lies behind the model's part of the state (hk_integrator.state_size) in slots that are used in turn, so that a step
 * writes a few of them and leaves the others where they are; node 0 is the state itself.  A polynomial through the nodes t_j has the Lagrange polynomials l_j as weights:
 * positions are combined component by component, quaternions as four-vectors.
 */
#ifndef HK_HISTORY_H
#define HK_HISTORY_H
#include "sim/sim.h"

enum { HK_HISTORY_MOST = 11 }; /* nodes of any history, with the state itself and a step's end */

/* Data of a node in addition to its time, multipliers and powers. */
typedef enum hk_past_parts {
  HK_PAST_PLACES = 1, /* positions and velocities: backward differentiation */
  HK_PAST_RATES = 2   /* their rates: Adams' formulas */
} hk_past_parts;

/* Doubles after the model's part of the state, for this number of nodes in addition to the state itself. */
int hk_history_size(const hk_model *m, int room, unsigned parts);
/* Header before the slots; whole numbers except the last entries. */
typedef struct hk_history {
  double room;     /* for nodes other than the state itself */
  double parts;    /* hk_past_parts of these */
  double count;    /* those that there are */
  double newest;   /* slot of the newest; those before it go backwards from there, and round */
  double order;    /* order of the next step */
  double used;     /* order of the last step */
  double since;    /* steps since the order was changed */
  double starting; /* 1: the order has only risen yet */
  double noisy;    /* number of following steps with a noisy step end in their history */
  double noise;    /* ... by this much, over tolerance; 0: too little to count */
  double pace;     /* length of the steps when the motion was smooth */
  double family;   /* family of the next step and of the last one: see multistep_switch.c */
  double used_family;
  double
      rested; /* steps since the family was compared with the other one, and how many there have to be */
  double rest;
  double refused; /* attempts that were refused since then */
  double
      blurred; /* [J] noise of the energy integrals of a step, which shorter steps do not reduce */
} hk_history;
static inline hk_history *hk_history_of(const hk_model *m, double *x) {
  return (hk_history *)(x + m->at.size);
}
static inline const hk_history *hk_history_in(const hk_model *m, const double *x) {
  return (const hk_history *)(x + m->at.size);
}
/* Nothing but the state itself counts from here on. */
void hk_history_forget(const hk_model *m, double *x, int room, unsigned parts);

/* Pointers to the data of a node; NULL: not stored. */
typedef struct hk_past {
  double t;
  const double *q, *v, *q_rate, *v_rate; /* [nq], [nv] */
  const double *lambda, *power;          /* [nc], [3] */
} hk_past;
/* Node j of a state; number 0 is the state itself, which does not hold q_rate. */
hk_past hk_history_node(const hk_model *m, const double *x, int j);
/* Sets the history of x1: `now`, which is x0, and the history of x0.  kept: x1 is the state before x0 or an attempt of the
 * step after it (hk_sim.kept_past), so that most of its slots are equal to those of x0 already. */
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
/* Integral of the product of t - z[j], j < n, from a to b. */
double hk_lagrange_product_integral(const double *z, int n, double a, double b);
#endif
