/* See envelope.h. */
#include "analysis/envelope.h"
#include "analysis/spectrum.h"
#include <math.h>
#include <stdlib.h>

/* EDGE: width of an edge of the band, relative to the width of the band. RESPONSE: length of the response of the
 * filter, in units of one over the width of an edge. */
static const double EDGE = 0.1, RESPONSE = 1;

/* Smooth rise from 0 at `from` to 1 at `to`. */
static double rise(double x, double from, double to) {
  if (x <= from) return 0;
  return x >= to ? 1 : 0.5 - 0.5 * cos(M_PI * (x - from) / (to - from));
}

static hk_status check(const hk_even *e, double low, double high, int64_t cut, hk_error *err) {
  const double half = 0.5 / e->step, length = (double)e->n * e->step;
  if (!(low >= 0 && high > low))
    return hk_fail(
        err, HK_EINPUT,
        "the band from %g to %g is empty; its upper limit must be larger than its lower one", low,
        high);
  if (high > half)
    return hk_fail(
        err, HK_EINPUT,
        "the band ends at %g, but the rows resolve only up to %.4g; record more rows (output_step)",
        high, half);
  if (2 * cut + HK_EVEN_LEAST > e->n)
    return hk_fail(
        err, HK_EINPUT,
        "the band is too narrow for a signal of length %.4g; its width must be at least %.3g",
        length, (2 * RESPONSE / EDGE + 1) / length);
  return HK_OK;
}

hk_status hk_even_envelope(hk_even *e, double low, double high, hk_error *err) {
  const double edge = EDGE * (high - low);
  const int64_t cut = (int64_t)ceil(RESPONSE / edge / e->step);
  hk_status status = check(e, low, high, cut, err);
  if (status) return status;
  int64_t n = 16;
  while (n < e->n + cut)
    n *= 2; /* zeros after the values, so that their end does not affect their beginning */
  double *re = calloc(2 * (size_t)n, sizeof *re), *im = re ? re + n : NULL;
  if (!re) return hk_fail(err, HK_ENOMEM, "out of memory");
  const double mean = hk_even_mean(e);
  for (int64_t i = 0; i < e->n; i++) re[i] = e->y[i] - mean;
  hk_fft(re, im, n);
  for (int64_t i = 0; i < n; i++) {
    const double f = (double)i / ((double)n * e->step);
    const double pass = 2 * i > n ? 0
                                  : 2 * rise(f, low - 0.5 * edge, low + 0.5 * edge) *
                                        (1 - rise(f, high - 0.5 * edge, high + 0.5 * edge));
    re[i] *= pass, im[i] *= pass;
  }
  hk_fft(
      im, re,
      n); /* the same transform with real and imaginary parts exchanged is the inverse, except for the factor 1/n */
  for (int64_t i = 0; i + 2 * cut < e->n; i++)
    e->y[i] = hypot(re[i + cut], im[i + cut]) / (double)n;
  e->n -= 2 * cut;
  e->x0 += (double)cut * e->step;
  free(re);
  return HK_OK;
}
