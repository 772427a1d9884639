/* Eigenvalues of small symmetric matrices, for checks of input: inertias, damping matrices. */
#ifndef HK_BASE_EIGEN_SMALL_H
#define HK_BASE_EIGEN_SMALL_H

enum { HK_EIGEN_SMALL_MAX = 6 };
/* Eigenvalues of the symmetric n x n matrix A (row by row, n <= HK_EIGEN_SMALL_MAX) in ascending
 * order.  All elements must be finite. */
void hk_symmetric_eigenvalues(const double *A, int n, double *lambda);
#endif
