/* A spectrum (amplitude as a function of frequency), and the fast Fourier transform. The functions that compute
 * spectra are declared in spectral_lines.h. */
#ifndef HK_ANALYSIS_SPECTRUM_H
#define HK_ANALYSIS_SPECTRUM_H
#include <hooke/base.h>

typedef struct hk_spectrum {
  /* [n] frequencies, cycles per unit of x, and amplitudes; both in one block, freed by hk_spectrum_free */
  double *frequency, *amplitude;
  int64_t n;
} hk_spectrum;

void hk_spectrum_free(hk_spectrum *s);
/* The discrete Fourier transform in place; n is a power of two. */
void hk_fft(double *re, double *im, int64_t n);
#endif
