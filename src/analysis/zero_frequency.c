/* Response to a constant input: see zero_frequency.h.
 *
 * With z = z_-2/s^2 + z_-1/s + z_0 + z_1 s + z_2 s^2 the powers of s in (K + s L + s^2 M) z = r0 + s r1 + s^2 r2 are
 *   s^-2: K z_-2                      = 0
 *   s^-1: L z_-2 + K z_-1             = 0
 *   s^0:  M z_-2 + L z_-1 + K z_0     = r0
 *   s^1:  M z_-1 + L z_0  + K z_1     = r1
 *   s^2:  M z_0  + L z_1  + K z_2     = r2.
 * The singular values of these equations show which free motions remain undetermined.  Time is scaled so that K and M
 * have the same magnitude. */
#include "analysis/zero_frequency.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = 5 };
static const double ROUNDING = 1e-11;

hk_status hk_at_zero_make(int n, const double *K, const double *L, const double *M,
                          double *const rhs[3], hk_at_zero *out, hk_error *err) {
  size_t size = (size_t)POWERS * (size_t)n, square = (size_t)n * (size_t)n;
  const double *part[3] = {K, L, M};
  double k = hk_dense_max(K, square), m = hk_dense_max(M, square);
  *out = (hk_at_zero){.n = n, .time = k > 0 && m > 0 ? sqrt(m / k) : 1};
  double *A = calloc(size * size + size + 1, sizeof *A);
  out->z = calloc(size + 1, sizeof *out->z);
  if (!A || !out->z) {
    free(A);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  double *b = A + size * size;
  for (int row = 0; row < POWERS; row++)
    for (int order = 0; order < 3 && order <= row; order++) {
      double factor = pow(out->time, -order); /* s = s' / time */
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          A[((size_t)row * n + i) * size + (size_t)(row - order) * n + j] =
              factor * part[order][(size_t)i * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int order = 0; order < 3; order++)
      b[(2 + order) * n + i] = pow(out->time, -order) * rhs[order][i];
  hk_status status = hk_svd_make(A, (int)size, (int)size, ROUNDING, &out->svd, err);
  if (!status) {
    hk_svd_solve(&out->svd, b, out->z);
    double worst = 0, most = hk_dense_max(b, size);
    for (size_t i = 0; i < size; i++) {
      double r = -b[i];
      for (size_t j = 0; j < size; j++) r += A[i * size + j] * out->z[j];
      worst = fmax(worst, fabs(r));
    }
    out->unbounded = worst > 1e-8 * most;
  }
  free(A);
  return status;
}

void hk_at_zero_free(hk_at_zero *a) {
  hk_svd_free(&a->svd);
  free(a->z);
  *a = (hk_at_zero){0};
}

/* Returns the coefficient of s^power in sum_k s^k a[k].z: the sum over k of a[k] times the coefficient of s^(power -
 * k) in z. */
static double coefficient(const hk_at_zero *at, double *const a[3], int power, const double *z) {
  double sum = 0;
  for (int k = 0; k < 3 && power - k >= -2; k++)
    for (int i = 0; i < at->n; i++)
      sum += a[k][i] * pow(at->time, -k) * z[(power - k + 2) * at->n + i];
  return sum;
}

double hk_at_zero_value(const hk_at_zero *at, double *const a[3], double p) {
  int size = POWERS * at->n;
  double weight = 0;
  if (at->unbounded) return NAN;
  for (int k = 0; k < 3; k++)
    weight = fmax(weight, hk_dense_max(a[k], (size_t)at->n) * pow(at->time, -k));
  for (int v = at->svd.rank; v < size; v++) /* directions that the equations do not determine */
    for (int power = -2; power <= 0; power++)
      if (fabs(coefficient(at, a, power, at->svd.Vt + (size_t)v * size)) > 1e-8 * weight)
        return NAN;
  double noise = weight * hk_dense_max(at->z, (size_t)size);
  bool bounded = fabs(coefficient(at, a, -2, at->z)) <= 1e-8 * noise &&
                 fabs(coefficient(at, a, -1, at->z)) <= 1e-8 * noise;
  double value = coefficient(at, a, 0, at->z) + p;
  return !bounded ? NAN : fabs(value) <= 1e-13 * noise ? 0 : value;
}
