/* Eigenvalues of a matrix whose zero eigenvalues are defective. */
#ifndef HK_DEFLATE_H
#define HK_DEFLATE_H
#include <hooke/base.h>

/* Eigenvalues of A [n][n] with the zeros found exactly: they come first, re = im = 0, and *zeros
 * tells how many.  V [n][n] (may be NULL): right eigenvectors as LAPACK packs them, those of the
 * zeros being vectors of the null space, repeated where it is smaller than their number.  A
 * singular value below tol times the largest counts as zero.  A is destroyed. */
hk_status hk_deflated_eigen(double *A, int n, double tol, double *re, double *im, double *V,
                            int *zeros, hk_error *err);
#endif
