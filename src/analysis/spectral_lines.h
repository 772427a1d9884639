/* Lines of a spectrum: the sinusoids contained in equally spaced values, their power density, and the change of both
 * during a run.  Frequencies are cycles per unit of x: Hz over time, orders over revolutions.
 *
 * All values are weighted by Hann's window; its side lobes decrease with the third power of the distance
 * [Harris1978].  A sinusoid of amplitude A gives a line of amplitude A, even between two bins. */
#ifndef HK_ANALYSIS_SPECTRAL_LINES_H
#define HK_ANALYSIS_SPECTRAL_LINES_H
#include "analysis/resample.h"
#include "analysis/spectrum.h"

typedef struct hk_line {
  double frequency, amplitude;
  double phase; /* rad: amplitude cos(2 pi frequency x + phase) */
} hk_line;

/* Returns the line at a frequency: exact if the values cover whole periods. */
hk_line hk_line_at(const hk_even *e, double frequency);
/* Finds the largest lines between two frequencies, in descending order, at most `most` of them,
 * without side lobes of larger lines.  Returns their number, -1 if out of memory. */
int hk_lines_find(const hk_even *e, double lowest, double highest, int most, hk_line *out);

/* Computes amplitudes over frequency; bins are no wider than 1/(2 span).  A local maximum is moved
 * to the line that gives the same values in the neighbouring bins: the frequency and amplitude of a
 * sinusoid between two bins. viewer/src/spectrum.ts does the same for pages; a test compares the
 * two. */
hk_status hk_lines_spectrum(const hk_even *e, hk_spectrum *out, hk_error *err);
/* Same as hk_lines_spectrum, for samples at arbitrary x (analysis/resample.h). orders: x is in revolutions; the last
 * whole ones are used, at equal fractions of a revolution, so that orders are bins. */
hk_status hk_lines_of(const double *x, const double *y, int64_t n, bool orders, hk_spectrum *out,
                      hk_error *err);
/* Step in revolutions at which n samples over `turns` are resampled for orders up to `highest`. */
double hk_orders_step(const double *turns, int64_t n, double highest);

/* Computes the one-sided power density, y^2 per frequency, as the mean over segments of `length` (in x) that overlap
 * by half [Welch1967]. The integral of the density is the variance of the values. */
hk_status hk_lines_density(const hk_even *e, double length, hk_spectrum *out, hk_error *err);

/* Spectra of segments of a run. Row r contains the amplitudes of the segment around x[r]. */
typedef struct hk_spectrogram {
  int64_t rows, bins;
  double length;     /* length of a segment, in x */
  double *x;         /* [rows] x at the middle of each segment */
  double *frequency; /* [bins] */
  double *amplitude; /* [rows][bins] */
} hk_spectrogram;

/* Computes the spectra of segments of `length`, for frequencies up to `highest`. There are at most `rows` segments,
 * and their distance is at least length/8. */
hk_status hk_spectrogram_make(const hk_even *e, double length, double highest, int64_t rows,
                              hk_spectrogram *out, hk_error *err);
void hk_spectrogram_free(hk_spectrogram *s);
/* Computes the number of points of a segment of `length`. HK_EINPUT: there are too few points, or the segment is
 * longer than the run. */
hk_status hk_even_piece(const hk_even *e, double length, int64_t *points, hk_error *err);
#endif
