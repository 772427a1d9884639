/* Projection by the normal equations: see least_norm.h. */
#include "solve/least_norm.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Solves A x = b for a symmetric positive definite A by A = L L^T, in place; only the lower triangle of A is needed. */
static bool cholesky_solve(double *A, int n, double *b) {
  for (int j = 0; j < n; j++) {
    double *row = A + (size_t)j * n, pivot = row[j], whole = pivot;
    for (int k = 0; k < j; k++) pivot -= row[k] * row[k];
    if (!(pivot > 1e-14 * whole)) return false;
    row[j] = sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      double *below = A + (size_t)i * n, sum = below[j];
      for (int k = 0; k < j; k++) sum -= below[k] * row[k];
      below[j] = sum / row[j];
    }
    for (int k = 0; k < j; k++) b[j] -= row[k] * b[k];
    b[j] /= row[j];
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int i = j + 1; i < n; i++) b[j] -= A[(size_t)i * n + j] * b[i];
    b[j] /= A[(size_t)j * n + j];
  }
  return true;
}

bool hk_least_norm(const double *Z, int n, int size, double *x, double *room) {
  double *A = room, *b = room + (size_t)n * n;
  memset(room, 0, ((size_t)n * n + n) * sizeof *room);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < size; k++) {
      double z = Z[(size_t)i * size + k];
      if (z == 0) continue;
      b[i] += z * x[k];
      for (int j = 0; j <= i; j++) A[(size_t)i * n + j] += z * Z[(size_t)j * size + k];
    }
  if (!cholesky_solve(A, n, b)) return false;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < size; k++) x[k] -= b[i] * Z[(size_t)i * size + k];
  return true;
}
