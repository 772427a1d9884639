/* Private functions of surrogates, by kind. */
#ifndef HK_STATISTICS_SURROGATE_PRIVATE_H
#define HK_STATISTICS_SURROGATE_PRIVATE_H
#include "statistics/surrogate.h"

struct hk_surrogate {
  hk_surrogate_kind kind;
  int n, d;
  double *low, *high; /* [d] range of the rows */
  double mean, scale; /* of y */
  double *u;          /* [n][d] rows in [-1, 1] */
  double *z;          /* [n] y scaled to mean 0 and deviation 1 */
  double rms, worst;  /* root mean square of the leave-one-out errors, in z */
  /* quadratic */
  int terms;
  bool crossed;    /* the basis includes products of different variables */
  double *beta;    /* [terms] */
  double *R;       /* [terms][terms] of the QR factorisation, column by column */
  double residual; /* residual variance */
  /* gaussian */
  double *length; /* [d] */
  double noise, variance;
  double *L;     /* [n][n] Cholesky factor of the covariance, column by column */
  double *alpha; /* [n] inverse of the covariance times z */
};

hk_status hk_quadratic_fit(hk_surrogate *s, hk_error *err);
double hk_quadratic_value(const hk_surrogate *s, const double *u, double *deviation);
hk_status hk_gaussian_fit(hk_surrogate *s, hk_error *err);
double hk_gaussian_value(const hk_surrogate *s, const double *u, double *deviation);
#endif
