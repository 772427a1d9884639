/* Linear regression: see regression.h.
 *
 * Columns are centred and divided by their deviations.  Then R b = r with the matrix R of correlations between the x and
 * the vector r of correlations with y gives the standardised coefficients b, R2 = b.r, and the
 * variance of b_j is (R^-1)_jj (1 - R2)/(n - d - 1) [Draper and Smith]. */
#include "statistics/regression.h"
#include <math.h>
#include <stdlib.h>

typedef struct column {
  double mean, deviation;
  double *z; /* [n] standardised values; zero if the column is constant */
} column;

static void standardise(const double *v, int64_t n, column *c) {
  double sum = 0, square = 0;
  for (int64_t i = 0; i < n; i++) sum += v[i];
  c->mean = sum / (double)n;
  for (int64_t i = 0; i < n; i++) square += (v[i] - c->mean) * (v[i] - c->mean);
  c->deviation = sqrt(square / (double)(n - 1));
  bool varies = c->deviation > 1e-14 * fabs(c->mean);
  if (!varies) c->deviation = 0;
  for (int64_t i = 0; i < n; i++) c->z[i] = varies ? (v[i] - c->mean) / c->deviation : 0;
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

/* Cholesky factorization of R [d][d] in place; a pivot below 1e-10 indicates a collinear column,
 * whose row is set to zero. */
static void factor(double *R, int d, bool *used) {
  for (int j = 0; j < d; j++) {
    double pivot = R[j * d + j];
    for (int k = 0; k < j; k++) pivot -= R[j * d + k] * R[j * d + k];
    used[j] = used[j] && pivot > 1e-10;
    for (int i = j; i < d; i++) {
      double sum = R[i * d + j];
      for (int k = 0; k < j; k++) sum -= R[i * d + k] * R[j * d + k];
      R[i * d + j] = used[j] ? sum / sqrt(pivot) : 0;
    }
  }
}

static void solve(const double *R, int d, const bool *used, double *b) {
  for (int i = 0; i < d; i++) {
    for (int k = 0; k < i; k++) b[i] -= R[i * d + k] * b[k];
    b[i] = used[i] ? b[i] / R[i * d + i] : 0;
  }
  for (int i = d - 1; i >= 0; i--) {
    for (int k = i + 1; k < d; k++) b[i] -= R[k * d + i] * b[k];
    b[i] = used[i] ? b[i] / R[i * d + i] : 0;
  }
}

typedef struct work {
  int d;
  int64_t n;
  double **x, *y; /* complete rows */
  column *c;      /* [d + 1], the last is y */
  double *R, *r, *unit, *rank[2];
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
  w->r = malloc(dims * sizeof *w->r), w->unit = malloc(dims * sizeof *w->unit);
  w->scratch = malloc(rows * sizeof *w->scratch);
  w->used = calloc(dims, sizeof *w->used);
  bool ok = w->x && w->c && w->y && w->R && w->r && w->unit && w->scratch && w->used;
  for (int k = 0; k < 2 && ok; k++) ok = (w->rank[k] = malloc(rows * sizeof(double))) != NULL;
  for (int j = 0; j < d && ok; j++) ok = (w->x[j] = malloc(rows * sizeof(double))) != NULL;
  for (int j = 0; j <= d && ok; j++) ok = (w->c[j].z = malloc(rows * sizeof(double))) != NULL;
  return ok;
}

static void release(work *w) {
  for (int j = 0; j < w->d && w->x; j++) free(w->x[j]);
  for (int j = 0; j <= w->d && w->c; j++) free(w->c[j].z);
  free(w->x), free(w->c), free(w->y), free(w->R), free(w->r), free(w->unit), free(w->scratch);
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
  standardise(w->rank[1], w->n, &a); /* the column of y is not needed any more */
  standardise(w->rank[0], w->n, &b);
  return b.deviation > 0 && a.deviation > 0 ? correlation(a.z, b.z, w->n) : NAN;
}

static void fit(work *w, hk_regression *out, hk_regression_term *term) {
  int d = w->d;
  column *y = &w->c[d];
  for (int j = 0; j < d; j++) {
    for (int k = 0; k <= j; k++) w->R[j * d + k] = product(w->c[j].z, w->c[k].z, w->n);
    w->r[j] = correlation(w->c[j].z, y->z, w->n);
    w->used[j] = w->c[j].deviation > 0;
    term[j].correlation = w->used[j] ? w->r[j] : NAN;
  }
  factor(w->R, d, w->used);
  double r2 = 0;
  for (int j = 0; j < d; j++) w->unit[j] = w->r[j];
  solve(w->R, d, w->used, w->unit);
  for (int j = 0; j < d; j++) term[j].standard = w->unit[j], r2 += w->unit[j] * w->r[j];
  out->r2 = fmin(1, fmax(0, r2)), out->n = w->n, out->constant = y->mean;
  for (int j = 0; j < d; j++) {
    double ratio = w->used[j] ? y->deviation / w->c[j].deviation : NAN;
    for (int k = 0; k < d; k++) w->unit[k] = k == j;
    solve(w->R, d, w->used, w->unit);
    term[j].slope = term[j].standard * ratio;
    term[j].error = ratio * sqrt(w->unit[j] * (1 - out->r2) / (double)(w->n - d - 1));
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
