/* Eigenvalues of a matrix whose zero eigenvalues are defective. */
#ifndef HK_ANALYSIS_DEFLATE_H
#define HK_ANALYSIS_DEFLATE_H
#include <hooke/base.h>

/* Computes the eigenvalues of A [n][n] with exact zeros, which come first (re = im = 0); *zeros is
 * their number.  V [n][n] (may be NULL): right eigenvectors in LAPACK's packing; those of the zeros
 * are vectors of the null space, repeated if there are fewer of them than zeros.  A singular value
 * counts as zero below tol times the largest entry, or below the change that E [n][n] (errors of
 * the entries of A, may be NULL) can cause.  A and E are destroyed. */
hk_status hk_deflated_eigen(double *A, double *E, int n, double tol, double *re, double *im,
                            double *V, int *zeros, hk_error *err);
#endif
