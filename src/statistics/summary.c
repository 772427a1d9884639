/* Summary of a sample: see summary.h. */
#include "statistics/summary.h"
#include <math.h>
#include <stdlib.h>

static const double NORMAL_975 = 1.959963984540054;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double hk_quantile_of(const double *sorted, int64_t n, double p) {
  double at = p * (double)(n - 1);
  int64_t i = (int64_t)at;
  return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* Student's quantile of 97.5 %: exact for 1 and 2 degrees of freedom, otherwise the expansion about the normal
 * quantile [Abramowitz and Stegun, 26.7.5], error 0.3 % at 3. */
static double student_975(double f) {
  double z = NORMAL_975, z2 = z * z;
  if (f < 1.5) return 12.706204736174694;
  if (f < 2.5) return 4.302652729749464;
  double a = z * (z2 + 1) / 4, b = z * ((5 * z2 + 16) * z2 + 3) / 96;
  double c = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  double d = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (a + (b + (c + d / f) / f) / f) / f;
}

bool hk_summary_make(const double *value, int64_t n, hk_summary *out) {
  double *x = malloc(((size_t)n + 1) * sizeof *x), sum = 0, square = 0;
  *out = (hk_summary){.mean_low = NAN, .mean_high = NAN};
  for (int64_t i = 0; i < n && x; i++)
    if (isfinite(value[i])) x[out->n++] = value[i], sum += value[i];
  if (out->n == 0) {
    free(x);
    return false;
  }
  qsort(x, (size_t)out->n, sizeof *x, compare);
  double count = (double)out->n;
  out->mean = sum / count;
  for (int64_t i = 0; i < out->n; i++) square += (x[i] - out->mean) * (x[i] - out->mean);
  out->least = x[0], out->greatest = x[out->n - 1];
  out->low = hk_quantile_of(x, out->n, 0.05);
  out->median = hk_quantile_of(x, out->n, 0.5);
  out->high = hk_quantile_of(x, out->n, 0.95);
  if (out->n > 1) {
    out->deviation = sqrt(square / (count - 1));
    double half = student_975(count - 1) * out->deviation / sqrt(count);
    out->mean_low = out->mean - half, out->mean_high = out->mean + half;
  }
  free(x);
  return true;
}

void hk_share_interval(int64_t good, int64_t n, double *low, double *high) {
  double count = (double)n, p = (double)good / count, z2 = NORMAL_975 * NORMAL_975 / count;
  double middle = (p + z2 / 2) / (1 + z2);
  double half = sqrt(p * (1 - p) * z2 + z2 * z2 / 4) / (1 + z2);
  *low = fmax(0, middle - half), *high = fmin(1, middle + half);
}
