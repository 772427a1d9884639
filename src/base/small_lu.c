/* See small_lu.h. */
#include "base/small_lu.h"
#include "base/hot.h"
#include <math.h>

static void exchange(double *a, double *b, int n) {
  for (int j = 0; j < n; j++) {
    double keep = a[j];
    a[j] = b[j], b[j] = keep;
  }
}

HK_HOT bool hk_small_lu_factor(double *A, double *pivot, int n, double least) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    pivot[k] = best;
    if (best != k) exchange(A + k * n, A + best * n, n);
    const double *top = A + k * n;
    if (!(fabs(top[k]) > least)) return false;
    double inverse = 1 / top[k];
    for (int i = k + 1; i < n; i++) {
      double *row = A + i * n, f = row[k] *= inverse;
      if (f == 0) continue;
      for (int j = k + 1; j < n; j++) row[j] -= f * top[j];
    }
  }
  return true;
}

HK_HOT void hk_small_lu_solve(const double *A, const double *pivot, int n, double *b, int m) {
  for (int k = 0; k < n; k++) {
    int p = (int)pivot[k];
    if (p != k) exchange(b + k * m, b + p * m, m);
  }
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++)
      for (int j = 0; j < m; j++) b[i * m + j] -= A[i * n + k] * b[k * m + j];
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      for (int j = 0; j < m; j++) b[i * m + j] -= A[i * n + k] * b[k * m + j];
    for (int j = 0; j < m; j++) b[i * m + j] /= A[i * n + i];
  }
}
