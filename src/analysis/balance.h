/* The balance of forces at a position: which multipliers hold it, and what remains.
 *
 * With the metric W (a radian weighs like the characteristic length) the multipliers minimise
 * |f - G^T lambda| in the norm of W^-1:
 *
 *   [ W  G^T ] [ a      ]   [ f ]
 *   [ G  0   ] [ lambda ] = [ 0 ]      f - G^T lambda = W a = r
 *
 * over the rows that are not redundant; of all solutions with the redundant rows
 * hk_balance_least_norm gives that of least Euclidean norm.
 */
#ifndef HK_BALANCE_H
#define HK_BALANCE_H
#include "stepper/sim.h"
#include <hooke/linear.h>

typedef struct hk_balance {
  hk_sim *sim;
  hk_system *metric; /* of the rows that sim keeps */
  double *weight;    /* [nv] W */
  double *rhs;       /* [metric->n] scratch */
  double *a, *r;     /* [nv] */
  double *lambda;    /* [nc] */
  double *block;     /* the allocation behind these */
  double load;       /* size of the applied loads [N]; moments count by the characteristic length */
  double norm;       /* of r in the metric */
} hk_balance;

/* sim must stand on its joints with its redundant rows known.  Free in any case. */
hk_status hk_balance_create(hk_sim *sim, hk_balance *b, hk_error *err);
void hk_balance_free(hk_balance *b);
/* Forces, multipliers and remainder at the positions and velocities of x. */
hk_status hk_balance_evaluate(hk_balance *b, const double *x, hk_error *err);
/* Bring the position in x back onto the constraints after a small step; HK_RETRY if it does not
 * get there. */
hk_status hk_balance_close(hk_balance *b, double *x, hk_error *err);
/* The largest component of r. */
hk_imbalance hk_balance_worst(const hk_balance *b, const double *r);
/* Self-stresses: [n_redundant][nc], G^T z = 0, of unit length, one per redundant row.  *out is
 * malloc'ed, NULL if there are none. */
hk_status hk_balance_self_stress(hk_balance *b, double **out, int *n, hk_error *err);
/* lambda less its part in the span of the self-stresses. */
hk_status hk_balance_least_norm(const hk_model *m, const double *self_stress, int n, double *lambda,
                                hk_error *err);
#endif
