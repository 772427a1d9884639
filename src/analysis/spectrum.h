/* Amplitude spectra of sampled values, over time or over an angle.
 *
 * The values are put on an even grid by linear interpolation (the next power of two of points),
 * their mean is taken off, a Hann window keeps what does not fit into the span from leaking into
 * its neighbours.  Amplitudes are those of sines: a sine of amplitude A whose frequency is a
 * multiple of 1/span gives the line A.
 */
#ifndef HK_SPECTRUM_H
#define HK_SPECTRUM_H
#include <hooke/base.h>

typedef struct hk_spectrum {
  double *frequency,
      *amplitude; /* [n], cycles per unit of x; one block, freed by hk_spectrum_free */
  int64_t n;
} hk_spectrum;

enum { HK_SPECTRUM_LEAST = 8, HK_SPECTRUM_MOST = 1 << 22 };

/* x must rise or fall throughout; rows where y is not finite or x does not go on are left out. 
 * HK_EINPUT if fewer than HK_SPECTRUM_LEAST remain. */
hk_status hk_spectrum_make(const double *x, const double *y, int64_t n, hk_spectrum *out,
                           hk_error *err);
void hk_spectrum_free(hk_spectrum *s);
/* The discrete Fourier transform in place; n is a power of two. */
void hk_fft(double *re, double *im, int64_t n);
#endif
