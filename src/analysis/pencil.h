/* Inverse iteration with P(s) = s^2 M + s L + K of the reduced linear model. */
#ifndef HK_ANALYSIS_PENCIL_H
#define HK_ANALYSIS_PENCIL_H
#include "analysis/linearise.h"
#include <complex.h>
#include <lapacke.h>

/* Factors P beside the eigenvalue s: so close that a few steps suffice, so far that the factors exist.
 * A [dof][dof], pivot [dof]. */
hk_status hk_pencil_factor(const hk_linear *l, double complex s, double complex *A,
                           lapack_int *pivot, hk_error *err);
/* Turns the start vector y [n] into the eigenvector of s, or, transposed, into its left eigenvector. */
hk_status hk_pencil_iterate(int n, const double complex *A, const lapack_int *pivot,
                            bool transposed, double complex *y, hk_error *err);
#endif
