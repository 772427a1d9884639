/* Lines of a spectrum: see spectral_lines.h. */
#include "analysis/spectral_lines.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double hann(int64_t i, int64_t n) {
  return 0.5 - 0.5 * cos(2 * M_PI * ((double)i + 0.5) / (double)n);
}

/* ---- one line ---- */

/* A unit vector that rotates by a constant angle per step. It is computed by complex
 * multiplication; from time to time it is computed directly, so that rounding errors do not
 * accumulate. */
typedef struct turning {
  double c, s, by_c, by_s;
} turning;

static void turning_set(turning *t, double turns, double by) {
  t->c = cos(2 * M_PI * fmod(turns, 1)), t->s = sin(2 * M_PI * fmod(turns, 1));
  t->by_c = cos(2 * M_PI * by), t->by_s = sin(2 * M_PI * by);
}

static void turning_go(turning *t) {
  double c = t->c * t->by_c - t->s * t->by_s;
  t->s = t->s * t->by_c + t->c * t->by_s;
  t->c = c;
}

enum { BLOCK = 256 };

hk_line hk_line_at(const hk_even *e, double frequency) {
  double mean = hk_even_mean(e), re = 0, im = 0, weight = 0, by = frequency * e->step;
  turning wave = {0}, window = {0};
  for (int64_t i = 0; i < e->n; i++) {
    if (i % BLOCK == 0) {
      turning_set(&wave, by * (double)i, by);
      turning_set(&window, ((double)i + 0.5) / (double)e->n, 1 / (double)e->n);
    }
    double w = 0.5 - 0.5 * window.c, y = w * (e->y[i] - mean);
    re += y * wave.c;
    im -= y * wave.s;
    weight += w;
    turning_go(&wave);
    turning_go(&window);
  }
  double start = 2 * M_PI * fmod(frequency * e->x0, 1);
  return (hk_line){frequency, 2 * hypot(re, im) / weight,
                   remainder(atan2(im, re) - start, 2 * M_PI)};
}

/* ---- transforms ---- */

typedef struct transform {
  int64_t n;       /* points, a power of two */
  double *re, *im; /* one block */
} transform;

static bool transform_alloc(transform *t, int64_t least) {
  for (t->n = 16; t->n < least;) t->n *= 2;
  t->re = malloc(sizeof *t->re * 2 * (size_t)t->n);
  t->im = t->re ? t->re + t->n : NULL;
  return t->re != NULL;
}

/* Applies the window, subtracts the mean and pads with zeros.  Returns the sum of the weights and of their squares.
 */
static double transform_do(transform *t, const hk_even *e, double *squares) {
  double mean = hk_even_mean(e), weight = 0;
  *squares = 0;
  memset(t->re, 0, sizeof *t->re * 2 * (size_t)t->n);
  for (int64_t i = 0; i < e->n; i++) {
    double w = hann(i, e->n);
    t->re[i] = w * (e->y[i] - mean);
    weight += w;
    *squares += w * w;
  }
  hk_fft(t->re, t->im, t->n);
  return weight;
}

static double bin_width(const transform *t, const hk_even *e) {
  return 1 / ((double)t->n * e->step);
}

/* Logarithm of the main lobe of Hann's window, d periods of the record away from its line: sin(pi d)/(pi d (1 - d^2))
 * [Harris1978]. */
static double lobe(double d) {
  double x = M_PI * d;
  return log((fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x) / (1 - d * d));
}

/* Moves each local maximum to the line whose main lobe passes through the value of this bin and has the same ratio of
 * the values in its two neighbours. spacing: distance of the bins in periods of the record, at most 0.5. */
static void move_peaks(hk_spectrum *s, double width, double spacing) {
  double before = 0; /* original amplitude of the previous bin, which may have been moved already */
  for (int64_t i = 1; i + 1 < s->n; i++) {
    double a = i == 1 ? s->amplitude[0] : before, b = s->amplitude[i], c = s->amplitude[i + 1];
    before = b;
    if (!(b > a && b >= c && c > 0 && a > 0) || i == 1) continue;
    double ratio = log(c / a),
           by = 0; /* position of the line relative to the bin, in periods of the record */
    for (int k = 0; k < 12; k++) { /* the lobe is nearly a Gaussian: converges fast */
      double r = lobe(spacing - by) - lobe(spacing + by);
      by += (ratio - r) / (4 * (M_PI * M_PI / 6 - 1) * spacing);
      by = fmax(-0.5 * spacing, fmin(0.5 * spacing, by));
    }
    s->frequency[i] = width * ((double)i + by / spacing);
    s->amplitude[i] = b / exp(lobe(by));
  }
}

hk_status hk_lines_spectrum(const hk_even *e, hk_spectrum *out, hk_error *err) {
  transform t;
  double squares;
  *out = (hk_spectrum){0};
  if (!transform_alloc(&t, 2 * e->n)) return hk_fail(err, HK_ENOMEM, "out of memory");
  double weight = transform_do(&t, e, &squares), width = bin_width(&t, e);
  for (int64_t i = 0; i < t.n / 2; i++) {
    double amplitude = (i ? 2 : 1) * hypot(t.re[i], t.im[i]) / weight;
    t.re[i] = width * (double)i;
    t.im[i] = amplitude;
  }
  *out = (hk_spectrum){t.re, t.im, t.n / 2};
  move_peaks(out, width, (double)e->n / (double)t.n);
  return HK_OK;
}

double hk_orders_step(const double *turns, int64_t n, double highest) {
  double mean = n > 0 ? fabs(turns[n - 1] - turns[0]) / (double)n : 0;
  /* an integer number of steps per revolution, sufficient for the highest order */
  return mean > 0 && isfinite(mean) ? 1 / ceil(fmax(2 / mean, 2.56 * highest)) : 0;
}

hk_status hk_lines_of(const double *x, const double *y, int64_t n, bool orders, hk_spectrum *out,
                      hk_error *err) {
  hk_even e;
  *out = (hk_spectrum){0};
  hk_status status = hk_even_make(x, y, n, orders ? hk_orders_step(x, n, 0) : 0, &e, err);
  if (status) return status;
  if (orders) hk_even_trim(&e, 1);
  status = hk_lines_spectrum(&e, out, err);
  hk_even_free(&e);
  return status;
}

/* ---- peaks ---- */

/* Maximum of the line's amplitude near f, by golden section search. */
static hk_line sharpen(const hk_even *e, double f, double reach) {
  const double g = 0.6180339887498949;
  double low = fmax(f - reach, 0), high = f + reach;
  hk_line a = hk_line_at(e, high - g * (high - low)), b = hk_line_at(e, low + g * (high - low));
  for (int i = 0; i < 22; i++) {
    if (a.amplitude > b.amplitude) {
      high = b.frequency;
      b = a;
      a = hk_line_at(e, high - g * (high - low));
    } else {
      low = a.frequency;
      a = b;
      b = hk_line_at(e, low + g * (high - low));
    }
  }
  return a.amplitude > b.amplitude ? a : b;
}

/* Returns true if a line of this amplitude can be a side lobe of the lines found before: Hann's window gives at most
 * A/(pi d (d^2 - 1)) at a distance of d bins. */
static bool is_lobe(const hk_line *found, int n, double f, double amplitude, double span) {
  double lobes = 0;
  for (int i = 0; i < n; i++) {
    double d = fabs(f - found[i].frequency) * span, mirrored = (f + found[i].frequency) * span;
    if (d < 2) return true;
    lobes += found[i].amplitude / (M_PI * d * (d * d - 1));
    if (mirrored > 2) lobes += found[i].amplitude / (M_PI * mirrored * (mirrored * mirrored - 1));
  }
  return amplitude < 1.5 * lobes;
}

int hk_lines_find(const hk_even *e, double lowest, double highest, int most, hk_line *out) {
  hk_spectrum s;
  if (hk_lines_spectrum(e, &s, NULL)) return -1;
  double span = (double)e->n * e->step, top = 0;
  int n = 0;
  while (n < most) {
    int64_t best = 0;
    for (int64_t i = 1; i + 1 < s.n; i++) {
      double f = s.frequency[i], a = s.amplitude[i];
      if (f < lowest || f > highest || !(a > 0) || (best && a <= s.amplitude[best])) continue;
      if (a < s.amplitude[i - 1] || a < s.amplitude[i + 1]) continue;
      if (f * span < 1 || is_lobe(out, n, f, a, span)) continue;
      best = i;
    }
    if (!best || s.amplitude[best] < 1e-9 * top) break;
    out[n] = sharpen(e, s.frequency[best], 0.5 / span);
    top = fmax(top, out[n++].amplitude);
  }
  hk_spectrum_free(&s);
  return n;
}

/* ---- segments ---- */

hk_status hk_even_piece(const hk_even *e, double length, int64_t *points, hk_error *err) {
  double n = round(length / e->step);
  if (n < HK_EVEN_LEAST)
    return hk_fail(err, HK_EINPUT,
                   "a window of %g contains %g values; a spectrum needs at least %d", length, n,
                   HK_EVEN_LEAST);
  if (n > (double)e->n + 0.5)
    return hk_fail(err, HK_EINPUT, "a window of %g is longer than the data, which cover %g", length,
                   (double)e->n * e->step);
  *points = (int64_t)n;
  return HK_OK;
}

hk_status hk_lines_density(const hk_even *e, double length, hk_spectrum *out, hk_error *err) {
  int64_t n, pieces = 0;
  transform t;
  *out = (hk_spectrum){0};
  hk_status status = hk_even_piece(e, length, &n, err);
  if (status) return status;
  double *sum = NULL;
  if (!transform_alloc(&t, n) || !(sum = calloc((size_t)t.n, sizeof *sum))) {
    free(t.re);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int64_t first = 0; first + n <= e->n; first += (n + 1) / 2, pieces++) {
    hk_even part = hk_even_part(e, first, n);
    double squares;
    transform_do(&t, &part, &squares);
    for (int64_t i = 0; i <= t.n / 2; i++)
      sum[i] +=
          (i && i < t.n / 2 ? 2 : 1) * (t.re[i] * t.re[i] + t.im[i] * t.im[i]) * e->step / squares;
  }
  double width = bin_width(&t, e);
  for (int64_t i = 0; i <= t.n / 2 && i < t.n; i++) {
    t.re[i] = width * (double)i;
    t.im[i] = sum[i] / (double)pieces;
  }
  free(sum);
  *out = (hk_spectrum){t.re, t.im, t.n / 2 + 1};
  return HK_OK;
}

static bool spectrogram_alloc(hk_spectrogram *s) {
  s->x = malloc(sizeof *s->x * (size_t)s->rows);
  s->frequency = malloc(sizeof *s->frequency * (size_t)s->bins);
  s->amplitude = malloc(sizeof *s->amplitude * (size_t)s->rows * (size_t)s->bins);
  return s->x && s->frequency && s->amplitude;
}

hk_status hk_spectrogram_make(const hk_even *e, double length, double highest, int64_t rows,
                              hk_spectrogram *out, hk_error *err) {
  int64_t n;
  transform t = {0};
  *out = (hk_spectrogram){.length = length};
  hk_status status = hk_even_piece(e, length, &n, err);
  if (status) return status;
  int64_t room = (e->n - n) / (n / 8 > 0 ? n / 8 : 1) + 1;
  out->rows = rows < room ? rows : room;
  bool ok = transform_alloc(&t, 2 * n);
  double width = ok ? bin_width(&t, e) : 1, squares;
  out->bins = (int64_t)fmin((double)(t.n / 2), floor(highest / width) + 1);
  if (out->bins < 2) out->bins = 2;
  ok = ok && spectrogram_alloc(out);
  for (int64_t r = 0; r < out->rows && ok; r++) {
    int64_t first = out->rows > 1 ? (e->n - n) * r / (out->rows - 1) : (e->n - n) / 2;
    hk_even part = hk_even_part(e, first, n);
    double weight = transform_do(&t, &part, &squares);
    out->x[r] = part.x0 + 0.5 * e->step * (double)(n - 1);
    for (int64_t i = 0; i < out->bins; i++)
      out->amplitude[r * out->bins + i] = (i ? 2 : 1) * hypot(t.re[i], t.im[i]) / weight;
  }
  for (int64_t i = 0; i < out->bins && ok; i++) out->frequency[i] = width * (double)i;
  free(t.re);
  if (!ok) hk_spectrogram_free(out);
  return ok ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

void hk_spectrogram_free(hk_spectrogram *s) {
  free(s->x);
  free(s->frequency);
  free(s->amplitude);
  *s = (hk_spectrogram){0};
}
