/* Linear regression: see regression.h.
 *
 * Columns are centred and divided by their deviations. The modified Gram-Schmidt process makes the columns of x orthogonal
 * and removes them from y: X = Q R, y = Q q + e. Then R b = q gives the standardised coefficients b, e is the
 * residual, R2 = 1 - e.e/y.y, and the variance of b_j is (R^-1 R^-T)_jj e.e/(n - k - 1) with the number k of columns that
 * are used [Draper and Smith]. The residual e is computed directly and not from 1 - R2. Therefore the residual of data
 * that are exactly linear contains only rounding errors. */
#include "statistics/regression.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct column {
  double mean, deviation;
  double *z;    /* [n] standardised values; zero if the column is constant */
  double noise; /* bound of the mean square of the round-off in z */
} column;

/* Round-off of the values in units of eps times their mean: half a unit for each rounded operation. Up to eight are assumed
 * between the number that columns have in common and the value in the table, such as decimal text, a factor and an offset. */
static const double ROUND_OFF = 4;

static void standardise(const double *v, int64_t n, column *c) {
  double sum = 0, square = 0;
  for (int64_t i = 0; i < n; i++) sum += v[i];
  c->mean = sum / (double)n;
  sum = 0; /* the sum of n large values is rounded n times; the rest is small */
  for (int64_t i = 0; i < n; i++) sum += v[i] - c->mean;
  c->mean += sum / (double)n;
  for (int64_t i = 0; i < n; i++) square += (v[i] - c->mean) * (v[i] - c->mean);
  c->deviation = sqrt(square / (double)(n - 1));
  bool varies = c->deviation > 1e-14 * fabs(c->mean);
  if (!varies) c->deviation = 0;
  for (int64_t i = 0; i < n; i++) c->z[i] = varies ? (v[i] - c->mean) / c->deviation : 0;
  double noise = varies ? ROUND_OFF * DBL_EPSILON * c->mean / c->deviation : 0;
  c->noise = noise * noise;
}

static double product(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum / (double)(n - 1);
}

typedef struct ranked {
  double value;
  int64_t row;
} ranked;

static int by_value(const void *a, const void *b) {
  const ranked *p = a, *q = b;
  return p->value < q->value ? -1 : p->value > q->value ? 1 : 0;
}

/* Values closer than this fraction of their range are equal: rounding must not rank the results of variants that differ
 * only in parameters without influence. */
static const double TIE = 1e-9;

/* Computes ranks; equal values share the mean of their ranks. */
static void make_ranks(const double *v, int64_t n, ranked *scratch, double *out) {
  for (int64_t i = 0; i < n; i++) scratch[i] = (ranked){v[i], i};
  qsort(scratch, (size_t)n, sizeof *scratch, by_value);
  const double near = TIE * (scratch[n - 1].value - scratch[0].value);
  for (int64_t i = 0; i < n;) {
    int64_t k = i;
    while (k < n && scratch[k].value - scratch[i].value <= near) k++;
    for (int64_t j = i; j < k; j++) out[scratch[j].row] = 0.5 * (double)(i + k - 1);
    i = k;
  }
}

typedef struct work {
  int d;
  int64_t n;
  double **x, *y; /* complete rows */
  column *c;      /* [d + 1], the last is y */
  double *R;      /* [d][d + 1]: upper triangle, and in the last column q */
  double *unit, *rank[2];
  ranked *scratch;
  bool *used;
} work;

static bool allocate(work *w, int d, int64_t n) {
  size_t rows = (size_t)n + 1, dims = (size_t)d + 1;
  *w = (work){.d = d};
  w->x = calloc(dims, sizeof *w->x);
  w->c = calloc(dims, sizeof *w->c);
  w->y = malloc(rows * sizeof *w->y);
  w->R = malloc(dims * dims * sizeof *w->R);
  w->unit = malloc(dims * sizeof *w->unit);
  w->scratch = malloc(rows * sizeof *w->scratch);
  w->used = calloc(dims, sizeof *w->used);
  bool ok = w->x && w->c && w->y && w->R && w->unit && w->scratch && w->used;
  for (int k = 0; k < 2 && ok; k++) ok = (w->rank[k] = malloc(rows * sizeof(double))) != NULL;
  for (int j = 0; j < d && ok; j++) ok = (w->x[j] = malloc(rows * sizeof(double))) != NULL;
  for (int j = 0; j <= d && ok; j++) ok = (w->c[j].z = malloc(rows * sizeof(double))) != NULL;
  return ok;
}

static void release(work *w) {
  for (int j = 0; j < w->d && w->x; j++) free(w->x[j]);
  for (int j = 0; j <= w->d && w->c; j++) free(w->c[j].z);
  free(w->x), free(w->c), free(w->y), free(w->R), free(w->unit), free(w->scratch);
  free(w->used), free(w->rank[0]), free(w->rank[1]);
}

static void take_rows(work *w, const double *const *x, const double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    bool whole = isfinite(y[i]);
    for (int j = 0; j < w->d && whole; j++) whole = isfinite(x[j][i]);
    if (!whole) continue;
    for (int j = 0; j < w->d; j++) w->x[j][w->n] = x[j][i];
    w->y[w->n++] = y[i];
  }
}

/* Of standardised columns; rounding may exceed 1. */
static double correlation(const double *a, const double *b, int64_t n) {
  return fmin(1, fmax(-1, product(a, b, n)));
}

static double rank_correlation(work *w, const double *x, const double *y) {
  column a = {.z = w->c[w->d].z}, b = {.z = w->rank[0]};
  make_ranks(x, w->n, w->scratch, w->rank[0]);
  make_ranks(y, w->n, w->scratch, w->rank[1]);
  /* its memory is free, because the column of y is not needed any more */
  standardise(w->rank[1], w->n, &a);
  standardise(w->rank[0], w->n, &b);
  return b.deviation > 0 && a.deviation > 0 ? correlation(a.z, b.z, w->n) : NAN;
}

/* A column is collinear if the columns before it explain all but this fraction of its variance, or if the rest may be
 * round-off. Rounding in the factorisation leaves about 1e-32. Values with a mean m and a deviation s have the absolute
 * round-off c eps m (c: ROUND_OFF), so that z has c eps m/s. A column that is subtracted adds its own round-off, multiplied as the
 * column is: z_k - r_jk q_j with q_j = z_j/r_jj has the mean square noise_k + (r_jk/r_jj)^2 noise_j. */
static const double COLLINEAR = 1e-18;

/* Factorizes X = Q R in place and replaces y by the residual. A constant or collinear column is not used. Returns the number
 * of columns that are used. */
static int orthogonalise(work *w) {
  const int d = w->d;
  int rank = 0;
  for (int j = 0; j < d; j++) {
    double *q = w->c[j].z, square = product(q, q, w->n);
    w->used[j] = w->c[j].deviation > 0 && square > fmax(COLLINEAR, w->c[j].noise);
    if (!w->used[j]) continue;
    const double length = sqrt(square);
    rank++;
    w->R[j * (d + 1) + j] = length;
    for (int64_t i = 0; i < w->n; i++) q[i] /= length;
    for (int k = j + 1; k <= d; k++) {
      double *z = w->c[k].z, part = product(q, z, w->n);
      w->R[j * (d + 1) + k] = part;
      w->c[k].noise += part * part / square * w->c[j].noise;
      for (int64_t i = 0; i < w->n; i++) z[i] -= part * q[i];
    }
  }
  return rank;
}

/* Writes R^-1 q; zero for a column that is not used. */
static void coefficients(const work *w, double *b) {
  const int d = w->d;
  for (int j = d - 1; j >= 0; j--) {
    const double *row = w->R + (ptrdiff_t)j * (d + 1);
    b[j] = w->used[j] ? row[d] : 0;
    for (int k = j + 1; k < d && w->used[j]; k++) b[j] -= row[k] * b[k];
    if (w->used[j]) b[j] /= row[j];
  }
}

/* (R^-1 R^-T)_jj: the square of the length of R^-T e_j. */
static double inverse_square(work *w, int j) {
  const int d = w->d;
  double *v = w->unit, sum = 0;
  for (int i = j; i < d; i++) {
    if (!w->used[i]) continue;
    v[i] = i == j;
    for (int k = j; k < i; k++)
      if (w->used[k]) v[i] -= w->R[k * (d + 1) + i] * v[k];
    v[i] /= w->R[i * (d + 1) + i];
    sum += v[i] * v[i];
  }
  return sum;
}

static void fit(work *w, hk_regression *out, hk_regression_term *term) {
  const int d = w->d;
  const column *y = &w->c[d];
  for (int j = 0; j < d; j++)
    term[j].correlation = w->c[j].deviation > 0 ? correlation(w->c[j].z, y->z, w->n) : NAN;
  const int rank = orthogonalise(w);
  const double rest = product(y->z, y->z, w->n); /* 1 - R2 */
  out->r2 = fmax(0, 1 - rest), out->n = w->n, out->constant = y->mean;
  coefficients(w, w->unit);
  for (int j = 0; j < d; j++) term[j].standard = w->unit[j];
  for (int j = 0; j < d; j++) {
    double ratio = w->used[j] ? y->deviation / w->c[j].deviation : NAN;
    term[j].slope = term[j].standard * ratio;
    term[j].error =
        ratio * sqrt(w->used[j] ? inverse_square(w, j) * rest / (double)(w->n - rank - 1) : 0);
    if (w->used[j]) out->constant -= term[j].slope * w->c[j].mean;
    if (!w->used[j]) term[j].standard = NAN;
  }
  for (int j = 0; j < d; j++) term[j].rank = rank_correlation(w, w->x[j], w->y);
}

bool hk_regression_make(const double *const *x, int d, const double *y, int64_t n,
                        hk_regression *out, hk_regression_term *term) {
  work w = {0};
  *out = (hk_regression){0};
  bool ok = d > 0 && allocate(&w, d, n);
  if (d > 0 && ok) take_rows(&w, x, y, n);
  ok = ok && w.n >= d + 2;
  for (int j = 0; j < d && ok; j++) standardise(w.x[j], w.n, &w.c[j]);
  if (ok) standardise(w.y, w.n, &w.c[d]);
  ok = ok && w.c[d].deviation > 0;
  if (ok) fit(&w, out, term);
  if (d > 0) release(&w);
  return ok;
}
