/* The vector of least Euclidean norm among those that differ by combinations of given rows. */
#ifndef HK_LEAST_NORM_H
#define HK_LEAST_NORM_H
#include <stdbool.h>

/* x[size] loses its part in the span of the rows Z[n][size]: x - Z^T (Z Z^T)^-1 Z x.  room: [n * n + n] of scratch.  False,
 * and x is as it was: the rows depend on each other. */
bool hk_least_norm(const double *Z, int n, int size, double *x, double *room);
#endif
