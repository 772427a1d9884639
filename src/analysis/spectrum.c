/* Spectra: see spectrum.h.  The transform is Cooley and Tukey's, radix 2, in place. */
#include "analysis/spectrum.h"
#include <math.h>
#include <stdlib.h>

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b, *b = c;
}

void hk_fft(double *re, double *im, int64_t n) {
  for (int64_t i = 1, j = 0; i < n; i++) { /* bits in reverse order */
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) swap(&re[i], &re[j]), swap(&im[i], &im[j]);
  }
  for (int64_t size = 2; size <= n; size *= 2) {
    int64_t half = size / 2;
    for (int64_t k = 0; k < half; k++) {
      double a = -2 * M_PI * (double)k / (double)size, c = cos(a), s = sin(a);
      for (int64_t i = k; i < n; i += size) {
        int64_t j = i + half;
        double tr = re[j] * c - im[j] * s, ti = re[j] * s + im[j] * c;
        re[j] = re[i] - tr, im[j] = im[i] - ti;
        re[i] += tr, im[i] += ti;
      }
    }
  }
}

/* Rows that can be used, in the order of rising x. */
static int64_t keep_rising(const double *x, const double *y, int64_t n, double *xs, double *ys) {
  int64_t count = 0;
  double sign = n > 0 && x[n - 1] < x[0] ? -1 : 1;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i]) || (count && !(sign * x[i] > xs[count - 1]))) continue;
    xs[count] = sign * x[i], ys[count++] = y[i];
  }
  return count;
}

static double fill_grid(const double *xs, const double *ys, int64_t n, double *re, double *im,
                        int64_t points) {
  double span = xs[n - 1] - xs[0], mean = 0, weight = 0;
  for (int64_t i = 0, k = 0; i < points; i++) {
    double at = xs[0] + span * (double)i / (double)points;
    while (k + 2 < n && xs[k + 1] < at) k++;
    re[i] = ys[k] + (at - xs[k]) / (xs[k + 1] - xs[k]) * (ys[k + 1] - ys[k]);
    im[i] = 0;
    mean += re[i] / (double)points;
  }
  for (int64_t i = 0; i < points; i++) {
    double w = 0.5 - 0.5 * cos(2 * M_PI * (double)i / (double)points);
    re[i] = (re[i] - mean) * w;
    weight += w;
  }
  return weight;
}

hk_status hk_spectrum_make(const double *x, const double *y, int64_t n, hk_spectrum *out,
                           hk_error *err) {
  *out = (hk_spectrum){0};
  double *xs = malloc(sizeof *xs * (size_t)(n + 1)), *ys = malloc(sizeof *ys * (size_t)(n + 1));
  int64_t count = xs && ys ? keep_rising(x, y, n, xs, ys) : 0, points = HK_SPECTRUM_LEAST;
  hk_status status = HK_OK;
  while (points < count && points < HK_SPECTRUM_MOST) points *= 2;
  double *block = malloc(sizeof *block * (size_t)(2 * points));
  if (!xs || !ys || !block) {
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  } else if (count < HK_SPECTRUM_LEAST) {
    status = hk_fail(err, HK_EINPUT, "a spectrum needs at least %d values, and there are %lld",
                     HK_SPECTRUM_LEAST, (long long)count);
  } else {
    double *re = block, *im = block + points, span = xs[count - 1] - xs[0];
    double weight = fill_grid(xs, ys, count, re, im, points);
    hk_fft(re, im, points);
    /* In place of the transform, which is needed no more. */
    for (int64_t i = 0; i < points / 2; i++) {
      double amplitude = (i ? 2 : 1) * hypot(re[i], im[i]) / weight;
      re[i] = (double)i / span;
      im[i] = amplitude;
    }
    *out = (hk_spectrum){re, im, points / 2};
    block = NULL;
  }
  free(xs);
  free(ys);
  free(block);
  return status;
}

void hk_spectrum_free(hk_spectrum *s) {
  free(s->frequency);
  *s = (hk_spectrum){0};
}
