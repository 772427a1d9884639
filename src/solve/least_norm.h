/* Minimum-norm vector among all vectors that differ by combinations of given rows. */
#ifndef HK_SOLVE_LEAST_NORM_H
#define HK_SOLVE_LEAST_NORM_H
#include <stdbool.h>

/* Removes from x[size] its component in the span of the rows Z[n][size]: x - Z^T (Z Z^T)^-1 Z x.
 * room: scratch, [n * n + n]. Returns false, with x unchanged, if the rows are linearly
 * dependent. */
bool hk_least_norm(const double *Z, int n, int size, double *x, double *room);
#endif
