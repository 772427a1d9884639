/* Dense linear algebra for the linear analyses: LAPACK functions for row-major matrices with hooke's status codes.
 * For models of up to a few hundred degrees of freedom. */
#ifndef HK_ANALYSIS_DENSE_MATRIX_H
#define HK_ANALYSIS_DENSE_MATRIX_H
#include <hooke/base.h>

/* A = U diag(s) V^T with complete U and V; s is in descending order. */
typedef struct hk_svd {
  int rows, columns, rank;
  double *U;  /* [rows][rows], columns are the left vectors */
  double *s;  /* [min(rows, columns)] */
  double *Vt; /* [columns][columns], rows are the right vectors */
} hk_svd;

/* Computes the decomposition; A [rows][columns] is not changed.  Rank: number of singular values
 * above tol times the largest. */
hk_status hk_svd_make(const double *A, int rows, int columns, double tol, hk_svd *out,
                      hk_error *err);
/* Same as hk_svd_make, without U, for tall matrices: QR first, so that no [rows][rows] matrix is needed. */
hk_status hk_svd_make_right(const double *A, int rows, int columns, double tol, hk_svd *out,
                            hk_error *err);
void hk_svd_free(hk_svd *svd);
/* Computes x [columns] of minimum norm that minimises |A x - b|, b [rows]. */
void hk_svd_solve(const hk_svd *svd, const double *b, double *x);
/* Computes N [columns][columns - rank], an orthonormal basis of the null space. */
void hk_svd_null(const hk_svd *svd, double *N);

/* C [m][n] = A [m][k] B [k][n] */
void hk_dense_multiply(int m, int n, int k, const double *A, const double *B, double *C);
/* C [n][p] = A^T B with A [m][n], B [m][p] */
void hk_dense_multiply_transposed(int m, int n, int p, const double *A, const double *B, double *C);
/* R [p][q] = P^T A Q with A [n][n], P [n][p], Q [n][q]; scratch [n][q] */
void hk_dense_project(int n, int p, int q, const double *P, const double *A, const double *Q,
                      double *scratch, double *R);
/* Replaces the columns of A [m][n], m >= n, by an orthonormal basis of their span. */
hk_status hk_dense_orthonormal(double *A, int m, int n, hk_error *err);
/* Replaces the linearly independent columns of A [m][n] by another basis of their span. The n pivot rows of this
 * basis are the identity matrix. Blocks of A without common rows are treated separately, so that large numbers in one
 * block cause no rounding errors in another block. */
void hk_dense_echelon(double *A, int m, int n);
/* Largest |x|. */
double hk_dense_max(const double *x, size_t n);

/* Solves A X = B, X [n][p]; A is destroyed, B becomes X.  HK_RETRY if A is singular to working
 * accuracy (reciprocal condition below rcond). */
hk_status hk_dense_solve(double *A, int n, double *B, int p, double rcond, hk_error *err);
/* Lower Cholesky factor in place (upper triangle zeroed); HK_RETRY if A is not positive definite.
 */
hk_status hk_dense_cholesky(double *A, int n);
/* Computes eigenvalues (ascending) and orthonormal eigenvectors, columns of A, of a symmetric
 * matrix. */
hk_status hk_dense_symmetric(double *A, int n, double *value, hk_error *err);
/* Computes the eigenvalues of A and, if V is not NULL, right eigenvectors [n][n] in the packing of
 * LAPACK: for a conjugate pair column j is the real part and column j + 1 the imaginary part.  A is
 * destroyed. */
hk_status hk_dense_eigen(double *A, int n, double *re, double *im, double *V, hk_error *err);
/* Computes the eigenvalues (re + i im)/beta of A x = s B x by QZ; A and B are destroyed. */
hk_status hk_dense_pencil(double *A, double *B, int n, double *re, double *im, double *beta,
                          double *V, hk_error *err);
#endif
