/* Levenberg-Marquardt with bounds [Nielsen1999].
 *
 *   (A + lambda D) d = -g,   A = J^T J,  g = J^T r,  D = diagonal of A
 *
 * A step is cut off at the bounds. A parameter at a bound is kept there while the gradient points outwards. lambda
 * follows from the ratio of the reduction to the reduction that the linear model predicts. */
#include "analysis/least_squares.h"
#include "analysis/dense_matrix.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST_DAMPING = 1e-3, MOST_DAMPING = 1e12;
/* The search ends if the linear model predicts a relative reduction of the sum of squares below the first value, or
 * if the mean square is below the second one. Residuals are relative to the data. */
static const double ENOUGH = 1e-9, EXACT = 1e-20;

hk_status hk_least_squares_create(const hk_residuals *f, hk_least_squares *out, hk_error *err) {
  size_t n = (size_t)f->n, m = (size_t)f->m;
  *out = (hk_least_squares){0};
  out->u = calloc(n + m + m * n + 1, sizeof *out->u);
  out->at_end = calloc(n + 1, sizeof *out->at_end);
  if (!out->u || !out->at_end) return hk_fail(err, HK_ENOMEM, "out of memory");
  out->r = out->u + n;
  out->J = out->r + m;
  return HK_OK;
}

void hk_least_squares_free(hk_least_squares *s) {
  free(s->u);
  free(s->at_end);
  *s = (hk_least_squares){0};
}

static double sum_of_squares(const double *r, int m) {
  double sum = 0;
  for (int i = 0; i < m; i++) sum += r[i] * r[i];
  return sum;
}

static hk_status evaluate(const hk_residuals *f, const double *u, double *r, double *cost,
                          hk_error *err) {
  hk_status status = f->evaluate(f->context, u, r, err);
  *cost = status ? INFINITY : sum_of_squares(r, f->m);
  if (!status && !isfinite(*cost)) *cost = INFINITY;
  return status == HK_EFAIL ? HK_RETRY : status;
}

/* Scratch memory of an iteration: A, its Cholesky factor, and vectors. */
typedef struct scratch {
  double *A, *B;         /* [n][n] */
  double *g, *d, *u, *r; /* [n], [n], [n], [m] */
  double lambda, growth;
} scratch;

static void make_normal(const hk_residuals *f, const hk_least_squares *s, scratch *w) {
  size_t n = (size_t)f->n;
  memset(w->A, 0, n * n * sizeof *w->A);
  memset(w->g, 0, n * sizeof *w->g);
  for (size_t i = 0; i < (size_t)f->m; i++) {
    const double *row = s->J + i * n;
    for (size_t j = 0; j < n; j++) {
      w->g[j] += row[j] * s->r[i];
      for (size_t k = 0; k <= j; k++) w->A[j * n + k] += row[j] * row[k];
    }
  }
  for (size_t j = 0; j < n; j++)
    for (size_t k = j + 1; k < n; k++) w->A[j * n + k] = w->A[k * n + j];
}

/* Computes the next parameters w->u, and the step w->d that leads to them. */
static hk_status make_step(const hk_residuals *f, const hk_least_squares *s, scratch *w,
                           hk_error *err) {
  size_t n = (size_t)f->n;
  memcpy(w->B, w->A, n * n * sizeof *w->B);
  for (size_t j = 0; j < n; j++) {
    double *diagonal = &w->B[j * n + j];
    bool held = s->at_end[j] || !(*diagonal > 0);
    w->d[j] = held ? 0 : -w->g[j];
    *diagonal = held ? 1 : *diagonal * (1 + w->lambda);
    for (size_t k = 0; k < n && held; k++)
      if (k != j) w->B[j * n + k] = w->B[k * n + j] = 0;
  }
  hk_status status = hk_dense_solve(w->B, f->n, w->d, 1, 1e-300, err);
  for (size_t j = 0; j < n && !status; j++) {
    w->u[j] = fmin(1, fmax(0, s->u[j] + w->d[j]));
    w->d[j] = w->u[j] - s->u[j];
  }
  return status;
}

/* Reduction of the sum of squares by the step, according to the linear model. */
static double predict(const hk_residuals *f, const scratch *w) {
  size_t n = (size_t)f->n;
  double sum = 0;
  for (size_t j = 0; j < n; j++) {
    double row = 0;
    for (size_t k = 0; k < n; k++) row += w->A[j * n + k] * w->d[k];
    sum -= w->d[j] * (2 * w->g[j] + row);
  }
  return sum;
}

/* Tries steps of decreasing length until one reduces the sum of squares. *ends: no step reduces it by a significant
 * amount. */
static hk_status improve(const hk_residuals *f, hk_least_squares *s, scratch *w, bool *ends,
                         hk_error *err) {
  for (;;) {
    hk_status status = make_step(f, s, w, err);
    if (status == HK_RETRY) status = HK_OK, w->d[0] = NAN;
    if (status) return status;
    double expected = predict(f, w), cost = INFINITY;
    bool enough = expected > ENOUGH * s->cost;
    if (isfinite(expected)) status = evaluate(f, w->u, w->r, &cost, err);
    if (status && status != HK_RETRY) return status;
    double ratio = isfinite(expected) && expected > 0 ? (s->cost - cost) / expected : -1;
    if (cost < s->cost) {
      memcpy(s->u, w->u, (size_t)f->n * sizeof *w->u);
      memcpy(s->r, w->r, (size_t)f->m * sizeof *w->r);
      s->cost = cost;
      w->lambda *= fmax(1.0 / 3, 1 - pow(2 * fmin(ratio, 1) - 1, 3));
      w->growth = 2;
      *ends = !enough;
      return HK_OK;
    }
    w->lambda *= w->growth;
    w->growth *= 2;
    *ends = (isfinite(expected) && !enough) || w->lambda > MOST_DAMPING;
    if (*ends) return HK_OK;
  }
}

static void find_ends(const hk_residuals *f, hk_least_squares *s, const scratch *w) {
  for (int j = 0; j < f->n; j++)
    s->at_end[j] = (s->u[j] <= 0 && w->g[j] > 0) || (s->u[j] >= 1 && w->g[j] < 0);
}

hk_status hk_least_squares_solve(const hk_residuals *f, int most_iterations, hk_least_squares *s,
                                 hk_error *err) {
  size_t n = (size_t)f->n, m = (size_t)f->m;
  double *block = calloc(2 * n * n + 3 * n + m + 1, sizeof *block);
  if (!block) return hk_fail(err, HK_ENOMEM, "out of memory");
  scratch w = {.A = block, .B = block + n * n, .lambda = FIRST_DAMPING, .growth = 2};
  w.g = w.B + n * n;
  w.d = w.g + n;
  w.u = w.d + n;
  w.r = w.u + n;
  s->converged = false;
  s->iterations = 0;
  hk_status status = evaluate(f, s->u, s->r, &s->cost, err);
  if (status == HK_RETRY) status = HK_EFAIL;
  while (!status) {
    status = f->differentiate(f->context, s->u, s->r, s->J, err);
    if (status) break;
    make_normal(f, s, &w);
    find_ends(f, s, &w);
    if (s->converged || s->iterations == most_iterations) break;
    s->iterations++;
    bool ends = s->cost <= EXACT * (double)m;
    if (!ends) status = improve(f, s, &w, &ends, err);
    s->converged = ends; /* the final result needs the derivative at the last parameters */
  }
  free(block);
  return status;
}

hk_status hk_covariance(const double *J, int m, int n, double *covariance, bool *silent,
                        hk_weakest *weakest, hk_error *err) {
  size_t N = (size_t)n;
  double *norm = calloc(N + 2 * N * N + N + 1, sizeof *norm);
  if (!norm) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *C = norm + N, *value = C + N * N;
  for (size_t i = 0; i < (size_t)m; i++)
    for (size_t j = 0; j < N; j++) norm[j] += J[i * N + j] * J[i * N + j];
  for (size_t j = 0; j < N; j++) {
    norm[j] = sqrt(norm[j]);
    silent[j] = !(norm[j] > 0);
  }
  for (size_t i = 0; i < (size_t)m; i++)
    for (size_t j = 0; j < N; j++)
      for (size_t k = 0; k < N; k++)
        if (!silent[j] && !silent[k])
          C[j * N + k] += J[i * N + j] / norm[j] * (J[i * N + k] / norm[k]);
  for (size_t j = 0; j < N; j++)
    if (silent[j]) C[j * N + j] = 1;
  hk_status status = hk_dense_symmetric(C, n, value, err);
  memset(covariance, 0, N * N * sizeof *covariance);
  weakest->effect = status ? 0 : sqrt(fmax(0, value[0]));
  for (size_t j = 0; j < N && !status; j++) weakest->v[j] = C[j * N];
  for (size_t j = 0; j < N && !status; j++)
    for (size_t k = 0; k < N; k++) {
      if (silent[j] || silent[k]) continue;
      for (size_t i = 0; i < N; i++)
        covariance[j * N + k] += C[j * N + i] * C[k * N + i] / fmax(value[i], 1e-300);
      covariance[j * N + k] /= norm[j] * norm[k];
    }
  free(norm);
  return status;
}
