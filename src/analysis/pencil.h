/* Inverse iteration with P(s) = s^2 M + s L + K of the reduced linear model. */
#ifndef HK_ANALYSIS_PENCIL_H
#define HK_ANALYSIS_PENCIL_H
#include "analysis/linearise.h"
#include <complex.h>
#include <lapacke.h>

/* Factorizes P at a value near the eigenvalue s. The distance is so small that a few iterations
 * are sufficient, and so large that P is regular. A [dof][dof], pivot [dof]. */
hk_status hk_pencil_factor(const hk_linear *l, double complex s, double complex *A,
                           lapack_int *pivot, hk_error *err);
/* Replaces the start vector y [n] by the eigenvector of s or, if `transposed`, by its left
 * eigenvector. */
hk_status hk_pencil_iterate(int n, const double complex *A, const lapack_int *pivot,
                            bool transposed, double complex *y, hk_error *err);
#endif
