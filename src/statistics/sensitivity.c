/* Sensitivity: see sensitivity.h. */
#include "statistics/sensitivity.h"
#include "base/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return d < 0 ? -1 : d > 0;
}

/* Computes the central 95 % interval of n values; sorts the values. */
static void interval(double *v, int n, double *low, double *high) {
  qsort(v, (size_t)n, sizeof *v, compare);
  *low = v[(int)(0.025 * (n - 1) + 0.5)];
  *high = v[(int)(0.975 * (n - 1) + 0.5)];
}

/* ---- Morris ---- */

int64_t hk_morris_count(const hk_morris *m) { return m->paths * (m->k + 1); }

/* Computes the order in which the steps (1 .. k) of a path change the variables: a permutation. */
static void order_of(const hk_morris *m, int64_t path, int *order) {
  uint64_t s = hk_random_stream(m->seed, (uint64_t)(2 * path + 1));
  for (int i = 0; i < m->k; i++) order[i] = i;
  for (int i = m->k - 1; i > 0; i--) {
    int k = (int)(hk_random_next(&s) % (uint64_t)(i + 1)), t = order[i];
    order[i] = order[k];
    order[k] = t;
  }
}

/* Random number in the open interval (0, 1): at its ends a distribution may be infinite. */
static double share(uint64_t *s) { return 0.5 + 0.499999 * hk_random_signed(s); }

/* Coordinates of a point. Starting values and steps are continuous random numbers. With fixed levels and steps of
 * constant length, an influence that is periodic with this length would not be detected, for example a symmetric
 * influence if the length is half the range. The length of a step is an eighth to a half of the range, in the
 * direction in which the range has enough space. */
void hk_morris_point(const hk_morris *m, int64_t number, double *u) {
  int64_t path = number / (m->k + 1);
  int step = (int)(number % (m->k + 1)), *order = malloc((size_t)m->k * sizeof *order);
  uint64_t s = hk_random_stream(m->seed, (uint64_t)(2 * path));
  if (!order) {
    for (int i = 0; i < m->k; i++) u[i] = NAN;
    return;
  }
  order_of(m, path, order);
  for (int i = 0; i < m->k; i++) u[i] = share(&s);
  for (int j = 0; j < m->k; j++) {
    double length = 0.125 + 0.375 * share(&s);
    if (j < step) u[order[j]] += u[order[j]] < 0.5 ? length : -length;
  }
  free(order);
}

static hk_effect summarise(const double *e, int64_t n, uint64_t seed, double *means) {
  hk_effect out = {.mu = NAN, .mu_star = NAN, .sigma = NAN, .low = NAN, .high = NAN, .n = n};
  if (!n) return out;
  double sum = 0, size = 0, square = 0;
  for (int64_t i = 0; i < n; i++) sum += e[i], size += fabs(e[i]);
  out.mu = sum / (double)n;
  out.mu_star = size / (double)n;
  for (int64_t i = 0; i < n; i++) square += (e[i] - out.mu) * (e[i] - out.mu);
  out.sigma = n > 1 ? sqrt(square / (double)(n - 1)) : 0;
  for (int r = 0; r < HK_SENSITIVITY_RESAMPLES; r++) {
    uint64_t s = hk_random_stream(seed, (uint64_t)r);
    means[r] = 0;
    for (int64_t i = 0; i < n; i++)
      means[r] += fabs(e[hk_random_next(&s) % (uint64_t)n]) / (double)n;
  }
  interval(means, HK_SENSITIVITY_RESAMPLES, &out.low, &out.high);
  return out;
}

hk_status hk_morris_effects(const hk_morris *m, const double *y, hk_effect *effect, hk_error *err) {
  size_t k = (size_t)m->k, r = (size_t)m->paths;
  double *e = malloc(k * r * sizeof *e), *u = malloc(2 * k * sizeof *u);
  double means[HK_SENSITIVITY_RESAMPLES];
  int64_t *n = calloc(k, sizeof *n);
  hk_status status = e && u && n ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t p = 0; p < m->paths && !status; p++)
    for (int j = 1; j <= m->k; j++) {
      int64_t at = p * (m->k + 1) + j;
      double change = y[at] - y[at - 1];
      if (!isfinite(change)) continue;
      hk_morris_point(m, at - 1, u);
      hk_morris_point(m, at, u + k);
      for (size_t i = 0; i < k; i++)
        if (u[i] != u[k + i]) e[i * r + (size_t)n[i]++] = change / (u[k + i] - u[i]);
    }
  for (size_t i = 0; i < k && !status; i++)
    effect[i] = summarise(e + i * r, n[i], m->seed + i, means);
  free(e);
  free(u);
  free(n);
  return status;
}

/* ---- Sobol ---- */

int64_t hk_sobol_count(const hk_sobol *s) { return s->n * (s->k + 2); }

/* Coordinates of a point. Point 0 of a group is A, 1 is B, and 2 + i is A with variable i from B. */
void hk_sobol_point(const hk_sobol *s, int64_t number, double *u) {
  int64_t group = number / (s->k + 2);
  int kind = (int)(number % (s->k + 2));
  const hk_sample points = {2 * s->k <= HK_SOBOL_DIMENSIONS ? HK_SAMPLE_SOBOL : HK_SAMPLE_LATIN,
                            s->seed, s->n};
  for (int i = 0; i < s->k; i++) {
    bool from_b = kind == 1 || kind == 2 + i;
    u[i] = hk_sample_at(&points, group, from_b ? s->k + i : i);
  }
}

typedef struct groups {
  int k;
  int64_t n;
  double *y; /* [n][k + 2] without failures, minus their mean */
} groups;

/* Computes the indices from the groups with the numbers pick[0 .. n-1]; NULL: from all groups. */
static void estimate(const groups *g, const int64_t *pick, double *first, double *total) {
  double mean = 0, square = 0;
  for (int64_t i = 0; i < g->n; i++) {
    const double *y = g->y + (pick ? pick[i] : i) * (g->k + 2);
    mean += (y[0] + y[1]) / (2 * (double)g->n);
    square += (y[0] * y[0] + y[1] * y[1]) / (2 * (double)g->n);
  }
  double variance = square - mean * mean;
  for (int k = 0; k < g->k; k++) {
    double a = 0, b = 0;
    for (int64_t i = 0; i < g->n; i++) {
      const double *y = g->y + (pick ? pick[i] : i) * (g->k + 2);
      a += (y[1] - mean) * (y[2 + k] - y[0]);
      b += (y[0] - y[2 + k]) * (y[0] - y[2 + k]);
    }
    first[k] = variance > 0 ? a / (double)g->n / variance : 0;
    total[k] = variance > 0 ? b / (2 * (double)g->n) / variance : 0;
  }
}

static hk_status resample(const groups *g, uint64_t seed, hk_sobol_index *index, hk_error *err) {
  enum { R = HK_SENSITIVITY_RESAMPLES };
  size_t k = (size_t)g->k;
  double *v = malloc((2 * k * R + 2 * k) * sizeof *v);
  int64_t *pick = malloc((size_t)g->n * sizeof *pick);
  hk_status status = v && pick ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int r = 0; r < R && !status; r++) {
    uint64_t s = hk_random_stream(seed, (uint64_t)r);
    double *one = v + 2 * k * R;
    for (int64_t i = 0; i < g->n; i++) pick[i] = (int64_t)(hk_random_next(&s) % (uint64_t)g->n);
    estimate(g, pick, one, one + k);
    for (size_t i = 0; i < 2 * k; i++) v[i * R + (size_t)r] = one[i];
  }
  for (size_t i = 0; i < k && !status; i++) {
    interval(v + i * R, R, &index[i].first_low, &index[i].first_high);
    interval(v + (k + i) * R, R, &index[i].total_low, &index[i].total_high);
  }
  free(v);
  free(pick);
  return status;
}

hk_status hk_sobol_indices(const hk_sobol *s, const double *y, hk_sobol_index *index, int64_t *used,
                           hk_error *err) {
  size_t width = (size_t)s->k + 2;
  groups g = {.k = s->k, .y = malloc((size_t)s->n * width * sizeof *g.y)};
  double *one = malloc(2 * (size_t)s->k * sizeof *one), mean = 0;
  hk_status status = g.y && one ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t i = 0; i < s->n && !status; i++) {
    bool good = true;
    for (size_t j = 0; j < width; j++) good = good && isfinite(y[(size_t)i * width + j]);
    if (good) memcpy(g.y + (size_t)g.n++ * width, y + (size_t)i * width, width * sizeof *y);
  }
  *used = g.n;
  if (!status && g.n < 2)
    status =
        hk_fail(err, HK_EFAIL, "nearly all variants failed, so no sensitivity can be computed");
  /* The mean is subtracted, because with a large mean the differences would lose significant
   * digits. */
  for (size_t i = 0; i < (size_t)g.n * width && !status; i++)
    mean += g.y[i] / (double)((size_t)g.n * width);
  for (size_t i = 0; i < (size_t)g.n * width && !status; i++) g.y[i] -= mean;
  if (!status) {
    estimate(&g, NULL, one, one + s->k);
    for (int k = 0; k < s->k; k++)
      index[k] = (hk_sobol_index){.first = one[k], .total = one[s->k + k]};
    status = resample(&g, s->seed, index, err);
  }
  free(g.y);
  free(one);
  return status;
}
