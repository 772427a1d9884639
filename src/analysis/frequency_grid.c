/* Frequencies of a response: see hk_response_frequencies. */
#include <hooke/response.h>
#include <math.h>
#include <stdlib.h>

typedef struct grid {
  double first, last; /* [Hz]; first >= last: range from the modes */
  int points;         /* 0: default, finer at resonances */
  bool log;
  double *f; /* [n] frequencies [Hz] */
  int n;
} grid;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sets the range from well below the slowest oscillation to well above the fastest. */
static void default_range(grid *s, const hk_modes *m) {
  double low = INFINITY, high = 0;
  for (int i = 0; i < m->n; i++) {
    double f = m->mode[i].im / (2 * M_PI);
    if (m->mode[i].zero || f <= 0) continue;
    low = fmin(low, f), high = fmax(high, f);
  }
  if (high == 0) low = 1, high = 10;
  s->first = s->log ? low / 10 : 0;
  s->last = s->log ? high * 10 : high * 2;
}

/* An equidistant grid, by default with more points near each resonance, so that no peak is missed. */
static hk_status set_frequencies(grid *s, const hk_linear *l, hk_error *err) {
  enum { DEFAULT = 400, AROUND = 20 };
  static const double spread[AROUND] = {0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.2, 1.5, 2,
                                        2.5,  3,   4,   5,    7,   10,  14,  20,  30,  50};
  hk_modes modes = {0};
  bool need = s->first >= s->last || s->points == 0;
  hk_status status = need ? hk_modes_solve(l, NULL, &modes, err) : HK_OK;
  if (status) return status;
  if (s->first >= s->last) default_range(s, &modes);
  int n = s->points ? s->points : DEFAULT, room = n + (s->points ? 0 : modes.n * (2 * AROUND + 1));
  s->f = malloc(((size_t)room + 1) * sizeof *s->f);
  if (!s->f) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n && !status; i++) {
    double u = (double)i / (n - 1);
    s->f[s->n++] = i == n - 1 ? s->last
                   : s->log   ? s->first * pow(s->last / s->first, u)
                              : s->first + u * (s->last - s->first);
  }
  for (int i = 0; i < modes.n && !status && !s->points; i++) {
    const hk_mode *m = &modes.mode[i];
    double f = m->im / (2 * M_PI), half = fabs(m->re) / (2 * M_PI);
    bool undamped =
        half <
        1e-9 *
            f; /* the peak of an undamped mode is infinite: use a frequency slightly off the peak */
    if (undamped) half = 1e-3 * f;
    for (int k = -AROUND; k <= AROUND && f > 0 && !m->zero; k++) {
      if (undamped && abs(k) < 8) continue;
      double at = f + (k ? copysign(spread[abs(k) - 1], k) : 0) * half;
      if (at > s->first && at < s->last) s->f[s->n++] = at;
    }
  }
  if (!status && !s->points) {
    qsort(s->f, (size_t)s->n, sizeof *s->f, by_value);
    int kept = 1;
    for (int i = 1; i < s->n; i++)
      if (s->f[i] > s->f[kept - 1]) s->f[kept++] = s->f[i];
    s->n = kept;
  }
  hk_modes_free(&modes);
  return status;
}

hk_status hk_response_frequencies(const hk_linear *linear, double first, double last, int points,
                                  bool log, double **f, int *n, hk_error *err) {
  grid s = {.first = first, .last = last, .points = points, .log = log};
  if (!linear || !f || !n) return hk_fail(err, HK_EINPUT, "there is no linear model");
  hk_status status = set_frequencies(&s, linear, err);
  *f = NULL;
  *n = 0;
  if (status) {
    free(s.f);
    return status;
  }
  *f = s.f;
  *n = s.n;
  return HK_OK;
}
