/* Eigenvalues of a matrix whose zero eigenvalues are defective. */
#ifndef HK_DEFLATE_H
#define HK_DEFLATE_H
#include <hooke/base.h>

/* Eigenvalues of A [n][n] with the zeros found exactly: they come first, re = im = 0, and *zeros
 * tells how many.  V [n][n] (may be NULL): right eigenvectors as LAPACK packs them, those of the
 * zeros being vectors of the null space, repeated where it is smaller than their number.  A
 * singular value counts as zero below tol times the largest entry, or below what E [n][n] (may be NULL), errors
 * of the entries of A, can make of it.  A and E are destroyed. */
hk_status hk_deflated_eigen(double *A, double *E, int n, double tol, double *re, double *im,
                            double *V, int *zeros, hk_error *err);
#endif
