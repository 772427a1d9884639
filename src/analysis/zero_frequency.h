/* Response at frequency zero of a linear model with free motions.  Free motions grow as 1/s^2 or 1/s; an output has a
 * finite response if it does not depend on those terms. */
#ifndef HK_ANALYSIS_ZERO_FREQUENCY_H
#define HK_ANALYSIS_ZERO_FREQUENCY_H
#include "analysis/dense_matrix.h"

typedef struct hk_at_zero {
  int n;
  double time;    /* unit of time of the coefficients [s] */
  double *z;      /* [5][n] coefficients of s^-2 to s^2 */
  hk_svd svd;     /* singular value decomposition of the equations for the coefficients */
  bool unbounded; /* no such series exists */
} hk_at_zero;

/* Computes the series; K, L, M [n][n]; rhs[k] [n] is multiplied by s^k. */
hk_status hk_at_zero_make(int n, const double *K, const double *L, const double *M,
                          double *const rhs[3], hk_at_zero *out, hk_error *err);
void hk_at_zero_free(hk_at_zero *at);
/* Returns the limit of sum_k s^k a[k].z + p for s = 0; NaN: the limit is infinite, or it is not unique because of
 * free motions. */
double hk_at_zero_value(const hk_at_zero *at, double *const a[3], double p);
#endif
