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

void hk_spectrum_free(hk_spectrum *s) {
  free(s->frequency);
  *s = (hk_spectrum){0};
}
