/* Residual of the equilibrium at a position: the multipliers that balance the forces, and the remaining force.
 *
 * With the metric W (a radian is weighted by the characteristic length) the multipliers minimise |f - G^T lambda| in
 * the norm of W^-1:
 *
 *   [ W  G^T ] [ a      ]   [ f ]
 *   [ G  0   ] [ lambda ] = [ 0 ]      f - G^T lambda = W a = r
 *
 * over the rows that are not redundant. hk_balance_least_norm gives the solution of minimum Euclidean norm of all
 * solutions with the redundant rows.
 *
 * Bodies may carry loads of very different magnitude. hk_balance_begin measures the loads and scales W accordingly:
 * round-off of a heavily loaded body then does not affect a lightly loaded neighbour, and a residual is compared with
 * the load of the body on which it acts. */
#ifndef HK_SETUP_EQUILIBRIUM_RESIDUAL_H
#define HK_SETUP_EQUILIBRIUM_RESIDUAL_H
#include "sim/sim.h"
#include <hooke/linear.h>

typedef struct hk_balance {
  hk_sim *sim;
  hk_system *metric; /* system of the rows that sim keeps */
  double *unit;      /* [nv] metric W before it is scaled with the loads */
  double *weight;    /* [nv] W */
  double *scale;     /* [nv] scale of a component of r in the norm */
  double *rhs;       /* [metric->n] scratch */
  double *a, *r;     /* [nv] */
  /* [nv] mass times the acceleration of a steady rotation; all entries are 0 without such a rotation */
  double *inertia;
  hk_vec3 spin;   /* angular velocity of the steady rotation in which forces must balance inertia */
  bool rotating;  /* the model rotates steadily with `spin` */
  double *lambda; /* [nc] */
  double *block;  /* allocation that holds these arrays */
  double *load;   /* [n_nodes] magnitude of the loads [N]; moments by the characteristic length */
  int *group;     /* [n_nodes] the first body of the group of bodies that are connected by joints */
  double largest; /* magnitude of the loads */
  double norm;    /* largest r relative to scale */
} hk_balance;

/* Creates the balance; sim must be assembled and its redundant rows known.  Free *b in any case. */
hk_status hk_balance_create(hk_sim *sim, hk_balance *b, hk_error *err);
void hk_balance_free(hk_balance *b);
/* Equal weights again. */
void hk_balance_plain(hk_balance *b);
/* Determines the weights from the loads at x, then does the same as hk_balance_evaluate. */
hk_status hk_balance_begin(hk_balance *b, const double *x, hk_error *err);
/* Computes forces, multipliers and residual at the positions and velocities of x. If the model
 * rotates steadily, the forces must cause the accelerations of this rotation; otherwise the
 * accelerations must be zero. */
hk_status hk_balance_evaluate(hk_balance *b, const double *x, hk_error *err);
/* Accelerations [nv] in the steady rotation with `spin` at the state x: all vectors of a node
 * rotate with it. */
void hk_balance_rotation(const hk_balance *b, const double *x, double *vd);
/* Projects the position in x onto the constraints after a small step; HK_RETRY if it does not converge. */
hk_status hk_balance_close(hk_balance *b, double *x, hk_error *err);
/* Finds the component of r that is largest relative to the load of its body. */
hk_imbalance hk_balance_worst(const hk_balance *b, const double *r);
/* src/setup/equilibrium_residual_load.c: finds the groups of bodies that joints and contacts connect (`group`), and the
 * load on each body from the forces at x (`load`). */
void hk_balance_groups(hk_balance *b);
void hk_balance_loads(hk_balance *b, const double *x);
static inline bool hk_balance_is_moment(const hk_model *m, int node, int component) {
  return m->node[node].coordinate[component].angular;
}
/* Computes the self-stresses: [n_redundant][nc], G^T z = 0, of unit length, one per redundant row.
 * *out is allocated by malloc, NULL if there are none. */
hk_status hk_balance_self_stress(hk_balance *b, double **out, int *n, hk_error *err);
/* Subtracts from lambda its component in the span of the self-stresses. */
hk_status hk_balance_least_norm(const hk_model *m, const double *self_stress, int n, double *lambda,
                                hk_error *err);
/* src/setup/equilibrium_residual_contact.c: HK_EINPUT if a set-valued contact is closed at the state of sim. */
hk_status hk_balance_refuse_closed(hk_sim *sim, hk_error *err);
/* src/setup/equilibrium.c: hk_static_solve at another time, from other positions (NULL: the model's). */
hk_status hk_static_at(const hk_model *model, const double *t, const double *q,
                       const hk_static_options *o, hk_sim **out, hk_static_report *report,
                       hk_error *err);
#endif
