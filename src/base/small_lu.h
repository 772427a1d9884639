/* Small dense linear systems with partial pivoting, for up to some hundred unknowns. */
#ifndef HK_BASE_SMALL_LU_H
#define HK_BASE_SMALL_LU_H
#include <stdbool.h>

/* Factorizes A[n][n] in place, with the row exchanges in pivot[n]. Returns false if the magnitude of a pivot is not
 * larger than `least`. */
bool hk_small_lu_factor(double *A, double *pivot, int n, double least);
/* b[n][m] <- A^-1 b. */
void hk_small_lu_solve(const double *A, const double *pivot, int n, double *b, int m);
#endif
