/* Gaussian process: see surrogate.h. */
#include "statistics/optimiser.h"
#include "statistics/surrogate_private.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* number of rows that are sufficient to find the lengths; more rows would be slow, because the
 * likelihood costs n^3 operations */
enum { MOST_ROWS_TO_LEARN = 250 };
/* Logarithms of lengths (rows are in [-1, 1]) and of the fraction of noise. */
static const double LENGTH_LOW = -2.3, LENGTH_HIGH = 4.6, NOISE_LOW = -23, NOISE_HIGH = 0;

/* Matern 5/2 */
static double kernel(const double *a, const double *b, const double *length, int d) {
  double r2 = 0;
  for (int k = 0; k < d; k++) r2 += (a[k] - b[k]) * (a[k] - b[k]) / (length[k] * length[k]);
  double r = sqrt(5 * r2);
  return (1 + r + r * r / 3) * exp(-r);
}

/* Cholesky factor of the correlation of the first n rows (every `stride`-th); false: not positive definite. */
static bool factor(const hk_surrogate *s, int n, int stride, const double *length, double noise,
                   double *L) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      L[(size_t)j * (size_t)n + (size_t)i] =
          kernel(s->u + (size_t)(i * stride) * (size_t)s->d,
                 s->u + (size_t)(j * stride) * (size_t)s->d, length, s->d) +
          (i == j ? noise : 0);
  return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, L, n) == 0;
}

typedef struct learning {
  const hk_surrogate *s;
  int n, stride;
  double *L, *w, *length;
} learning;

static void unpack(const double *x, int d, double *length, double *noise) {
  for (int k = 0; k < d; k++) length[k] = exp(LENGTH_LOW + x[k] * (LENGTH_HIGH - LENGTH_LOW));
  *noise = exp(NOISE_LOW + x[d] * (NOISE_HIGH - NOISE_LOW));
}

/* Negative logarithm of the likelihood, with the variance at its optimum z^T C^-1 z / n [RasmussenWilliams2006, eq.
 * 5.8]. */
static hk_status likelihood(void *context, const double *x, int count, hk_score *score,
                            hk_error *err) {
  learning *l = context;
  (void)err;
  for (int c = 0; c < count; c++) {
    double noise, square = 0, logdet = 0;
    unpack(x + (size_t)c * (size_t)(l->s->d + 1), l->s->d, l->length, &noise);
    score[c] = (hk_score){NAN, 0};
    if (!factor(l->s, l->n, l->stride, l->length, noise, l->L)) continue;
    for (int i = 0; i < l->n; i++) l->w[i] = l->s->z[i * l->stride];
    LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', l->n, 1, l->L, l->n, l->w, l->n);
    for (int i = 0; i < l->n; i++) {
      square += l->w[i] * l->w[i];
      logdet += log(l->L[(size_t)i * (size_t)l->n + (size_t)i]);
    }
    score[c].value = 0.5 * l->n * log(square / l->n + 1e-300) + logdet;
  }
  return HK_OK;
}

static hk_status learn(hk_surrogate *s, hk_error *err) {
  int d = s->d;
  learning l = {.s = s, .stride = (s->n + MOST_ROWS_TO_LEARN - 1) / MOST_ROWS_TO_LEARN};
  l.n = s->n / l.stride;
  size_t n = (size_t)l.n;
  l.L = malloc((n * n + n + 2 * (size_t)d + 1) * sizeof *l.L);
  if (!l.L) return hk_fail(err, HK_ENOMEM, "out of memory");
  l.w = l.L + n * n;
  l.length = l.w + n;
  double *x = l.length + d;
  for (int k = 0; k < d; k++) x[k] = 0.4;
  x[d] = 0.3;
  const hk_objective f = {.n = d + 1, .context = &l, .evaluate = likelihood};
  const hk_search_options o = {
      .evaluations = 60 * (d + 2), .seed = 7, .restarts = -1, .tolerance = 1e-6, .size = 0.25};
  hk_search search = {.x = x};
  hk_status status = hk_cma_es(&f, &o, &search, err);
  if (!status && isnan(search.best.value))
    status = hk_fail(err, HK_EFAIL, "no covariance function fits the rows of the surrogate");
  if (!status) unpack(x, d, s->length, &s->noise);
  free(l.L);
  return status;
}

/* Groups rows that differ only in variables without influence. The rows of a group predict each
 * other, so they are left out together. group [n]: for each row, the first row of its group. */
static void find_twins(const hk_surrogate *s, int *group) {
  bool flat[s->d];
  for (int k = 0; k < s->d; k++) { /* correlation across the whole range, [-1, 1] */
    double low = -1, high = 1;
    flat[k] = kernel(&low, &high, &s->length[k], 1) > 0.999;
  }
  for (int i = 0; i < s->n; i++) {
    group[i] = i;
    for (int j = 0; j < i && group[i] == i; j++) {
      bool same = group[j] == j;
      for (int k = 0; k < s->d && same; k++)
        same = flat[k] || s->u[(size_t)i * s->d + k] == s->u[(size_t)j * s->d + k];
      if (same) group[i] = j;
    }
  }
}

/* Replaces alpha [m] of the rows member [m] of one group by their errors (C^-1)_gg^-1 alpha_g. */
static bool solve_group(const hk_surrogate *s, const double *inverse, const int *member, int m,
                        double *A, double *e) {
  size_t n = (size_t)s->n;
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++)
      A[(size_t)j * (size_t)m + (size_t)i] = inverse[(size_t)member[j] * n + (size_t)member[i]];
  for (int i = 0; i < m; i++) e[i] = s->alpha[member[i]];
  return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', m, 1, A, m, e, m) == 0;
}

/* Computes the leave-one-out errors. Leaving out the rows g changes their predictions by (C^-1)_gg^-1 alpha_g; for one
 * row see [RasmussenWilliams2006, eq. 5.12]. */
static hk_status leave_out(hk_surrogate *s, hk_error *err) {
  size_t n = (size_t)s->n;
  double *inverse = malloc((2 * n * n + n) * sizeof *inverse), sum = 0;
  int *group = malloc(2 * n * sizeof *group);
  hk_status status =
      inverse && group ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory: errors of the surrogate");
  if (!status) memcpy(inverse, s->L, n * n * sizeof *inverse);
  if (!status && LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', s->n, inverse, s->n))
    status = hk_fail(err, HK_EFAIL, "the covariance of the surrogate is singular");
  s->worst = 0;
  if (!status) find_twins(s, group);
  for (int first = 0; first < s->n && !status; first++) {
    int *member = group + n, m = 0;
    double *A = inverse + n * n, *e = A + n * n;
    for (int i = first; i < s->n && group[first] == first; i++)
      if (group[i] == first) member[m++] = i;
    if (m && !solve_group(s, inverse, member, m, A, e))
      status = hk_fail(err, HK_EFAIL, "the covariance of the surrogate is singular");
    for (int i = 0; i < m && !status; i++) {
      sum += e[i] * e[i];
      s->worst = fmax(s->worst, fabs(e[i]));
    }
  }
  s->rms = sqrt(sum / s->n);
  free(inverse);
  free(group);
  return status;
}

hk_status hk_gaussian_fit(hk_surrogate *s, hk_error *err) {
  size_t n = (size_t)s->n;
  s->length = calloc((size_t)s->d, sizeof *s->length);
  s->L = malloc(n * n * sizeof *s->L);
  s->alpha = malloc(n * sizeof *s->alpha);
  if (!s->length || !s->L || !s->alpha) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = learn(s, err);
  for (int attempt = 0; !status && !factor(s, s->n, 1, s->length, s->noise, s->L); attempt++) {
    s->noise = fmax(100 * s->noise, 1e-12);
    if (attempt > 8) status = hk_fail(err, HK_EFAIL, "the covariance of the surrogate is singular");
  }
  if (status) return status;
  memcpy(s->alpha, s->z, n * sizeof *s->alpha);
  LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', s->n, 1, s->L, s->n, s->alpha, s->n);
  s->variance = 0;
  for (size_t i = 0; i < n; i++) s->variance += s->z[i] * s->alpha[i] / s->n;
  return leave_out(s, err);
}

double hk_gaussian_value(const hk_surrogate *s, const double *u, double *deviation) {
  double *k = malloc((size_t)s->n * sizeof *k), z = 0;
  if (!k) return NAN;
  for (int i = 0; i < s->n; i++) {
    k[i] = kernel(s->u + (size_t)i * (size_t)s->d, u, s->length, s->d);
    z += k[i] * s->alpha[i];
  }
  if (deviation) {
    double left = 1 + s->noise;
    LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', s->n, 1, s->L, s->n, k, s->n);
    for (int i = 0; i < s->n; i++) left -= k[i] * k[i];
    *deviation = sqrt(fmax(0, left) * s->variance);
  }
  free(k);
  return z;
}
