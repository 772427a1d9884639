/* Values at equal steps of a variable (time, or revolutions of a shaft) from samples at arbitrary steps: the input of
 * spectra.
 *
 * Samples at equal steps are used unchanged, and rows between these (of events, at the end of a run) are omitted.  A
 * cubic spline interpolates other samples: the amplitude of a line at 1/8 of the sampling
 * frequency is then too small by 1e-3, less at lower frequencies.  Rows that are not finite or
 * in which the variable does not increase are omitted; a decreasing variable is counted
 * backwards. */
#ifndef HK_ANALYSIS_RESAMPLE_H
#define HK_ANALYSIS_RESAMPLE_H
#include <hooke/base.h>

typedef struct hk_even {
  double *y; /* [n] */
  int64_t n;
  double x0, step; /* y[i] is at x0 + i step */
  double *block;   /* memory that holds y, freed by hk_even_free */
} hk_even;

enum { HK_EVEN_LEAST = 8, HK_EVEN_MOST = 1 << 23 };

/* Resamples; step = 0: the step of the samples, or half of their mean distance if they are not
 * equally spaced. */
hk_status hk_even_make(const double *x, const double *y, int64_t n, double step, hk_even *out,
                       hk_error *err);
void hk_even_free(hk_even *e);
/* Keeps the last part of the rows; its length is the largest possible multiple of `period`. Keeps all rows if they
 * are shorter than one period. */
void hk_even_trim(hk_even *e, double period);
/* Returns a part of the rows, which uses the memory of all rows. Do not free it. */
hk_even hk_even_part(const hk_even *e, int64_t first, int64_t n);
double hk_even_mean(const hk_even *e);
double hk_even_rms(const hk_even *e); /* root mean square of the deviation from the mean */
#endif
