/* Lines of a spectrum: the sines that values at even steps are made of, their power density, and how both
 * change over a run.  Frequencies are cycles per unit of x: Hz over time, orders over turns.
 *
 * Everything is weighted by Hann's window, whose side lobes fall with the third power of the distance
 * [Harris1978].  A sine of amplitude A gives a line of amplitude A, wherever between the bins it lies.
 */
#ifndef HK_LINES_H
#define HK_LINES_H
#include "analysis/even.h"
#include "analysis/spectrum.h"

typedef struct hk_line {
  double frequency, amplitude;
  double phase; /* rad: amplitude cos(2 pi frequency x + phase) */
} hk_line;

/* The line at a frequency: exact if the values hold whole periods of it. */
hk_line hk_line_at(const hk_even *e, double frequency);
/* The largest lines between two frequencies, largest first: at most `most` of them, side lobes of larger
 * ones not among them.  Returns how many, -1 if out of memory. */
int hk_lines_find(const hk_even *e, double lowest, double highest, int most, hk_line *out);

/* Amplitudes of sines over frequency; bins are no wider than 1/(2 span). */
hk_status hk_lines_spectrum(const hk_even *e, hk_spectrum *out, hk_error *err);
/* Of samples at any x, put on an even grid first (analysis/even.h) of as many steps as a power of two: then
 * multiples of 1/span are among the frequencies, and lines there have their true amplitudes. */
hk_status hk_lines_of(const double *x, const double *y, int64_t n, hk_spectrum *out, hk_error *err);

/* Power density, one-sided, y^2 per frequency: mean over pieces of `length` (in x), half of each over the
 * next [Welch1967].  Its integral is the mean square of the values about their mean. */
hk_status hk_lines_density(const hk_even *e, double length, hk_spectrum *out, hk_error *err);

/* Spectra of pieces of a run: row r holds the amplitudes around x[r]. */
typedef struct hk_spectrogram {
  int64_t rows, bins;
  double length;     /* of a piece, in x */
  double *x;         /* [rows] middle of each piece */
  double *frequency; /* [bins] */
  double *amplitude; /* [rows][bins] */
} hk_spectrogram;

/* Pieces of `length`, at most `rows` of them and no closer than an eighth of it; up to `highest`. */
hk_status hk_spectrogram_make(const hk_even *e, double length, double highest, int64_t rows,
                              hk_spectrogram *out, hk_error *err);
void hk_spectrogram_free(hk_spectrogram *s);
/* Points of a piece of `length`: HK_EINPUT if it has too few, or is longer than all. */
hk_status hk_even_piece(const hk_even *e, double length, int64_t *points, hk_error *err);
#endif
