/* Values at even steps of a variable, time or the turns of a shaft, made of samples at any: what spectra
 * are taken of.
 *
 * Samples that are even already are taken as they are; else a cubic spline goes through them.  Rows that are
 * not finite or where the variable does not go on are left out; one that falls throughout is counted
 * backwards.
 */
#ifndef HK_EVEN_H
#define HK_EVEN_H
#include <hooke/base.h>

typedef struct hk_even {
  double *y; /* [n] */
  int64_t n;
  double x0, step; /* y[i] is at x0 + i step */
  double *block;   /* what is freed */
} hk_even;

enum { HK_EVEN_LEAST = 8, HK_EVEN_MOST = 1 << 23 };

/* step = 0: as the samples have it, or half of their mean distance if they are not even. */
hk_status hk_even_make(const double *x, const double *y, int64_t n, double step, hk_even *out,
                       hk_error *err);
void hk_even_free(hk_even *e);
/* The last part whose length is the largest multiple of `period`; all of it if it is shorter than one. */
void hk_even_trim(hk_even *e, double period);
/* A part, not to be freed. */
hk_even hk_even_part(const hk_even *e, int64_t first, int64_t n);
double hk_even_mean(const hk_even *e);
double hk_even_rms(const hk_even *e); /* about the mean */
#endif
