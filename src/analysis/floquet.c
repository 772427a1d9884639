/* Floquet multipliers: see floquet.h. */
#include "analysis/floquet.h"
#include "analysis/dense_matrix.h"
#include <stdlib.h>
#include <string.h>

static void exchange(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

hk_status hk_floquet_eigen(const hk_shooter *p, bool unknown, double *re, double *im, int *n,
                           double *trivial, hk_error *err) {
  size_t size = (size_t)p->n;
  double *A = malloc((2 * size * size + 1) * sizeof *A);
  if (!A) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *B = A + size * size;
  memcpy(A, p->P, size * size * sizeof *A);
  memcpy(B, p->E, size * size * sizeof *B);
  hk_status status = hk_dense_solve(A, p->n, B, p->n, 1e-14, err);
  if (!status) status = hk_dense_eigen(B, p->n, re, im, NULL, err);
  free(A);
  *n = p->n;
  *trivial = NAN;
  if (status) return status;
  if (unknown) {
    int near = 0;
    for (int i = 1; i < p->n; i++)
      if (hypot(re[i] - 1, im[i]) < hypot(re[near] - 1, im[near])) near = i;
    *trivial = hypot(re[near] - 1, im[near]);
    exchange(&re[near], &re[p->n - 1]);
    exchange(&im[near], &im[p->n - 1]);
    (*n)--;
  }
  for (int i = 0; i < *n; i++)
    for (int k = i + 1; k < *n; k++) {
      double a = hypot(re[i], im[i]), b = hypot(re[k], im[k]);
      if (b > a * (1 + 1e-12) || (b > a * (1 - 1e-12) && im[k] > im[i])) {
        exchange(&re[i], &re[k]);
        exchange(&im[i], &im[k]);
      }
    }
  return HK_OK;
}

/* Multipliers closer to 1 than this are neutral: they belong to a conserved momentum or to a cyclic
 * coordinate. */
static const double NEUTRAL = 1e-7;

/* Largest |mu| of the multipliers that are not neutral, and the number of these. */
static double largest(const double *re, const double *im, int n, int *neutral) {
  double most = 0;
  *neutral = 0;
  for (int i = 0; i < n; i++) {
    if (hypot(re[i] - 1, im[i]) < NEUTRAL)
      ++*neutral;
    else
      most = fmax(most, hypot(re[i], im[i]));
  }
  return most;
}

/* An orbit is called stable or unstable only if |mu| differs from 1 by more than this times the change of |mu| with
 * halved steps. */
static const double SURE = 3;

/* Largest |mu| on a grid with twice the number of steps; the grid of p is not changed. */
static hk_status halve(hk_shooter *p, const double *x, bool unknown, double *most, hk_error *err) {
  size_t n = (size_t)p->n, grid = (size_t)p->n_tau * sizeof(double);
  int n_tau = p->n_tau, count, neutral;
  double *tau = malloc(grid + 1), *end = malloc((size_t)p->s->state_size * sizeof *end),
         *mu = calloc(2 * n + 1, sizeof *mu), trivial;
  hk_status status = tau && end && mu ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) memcpy(tau, p->tau, grid);
  if (!status) status = hk_shooter_refine(p, err);
  if (!status) status = hk_shooter_run(p, x, end, true, err);
  if (!status) status = hk_floquet_eigen(p, unknown, mu, mu + n, &count, &trivial, err);
  if (!status) *most = largest(mu, mu + n, count, &neutral);
  if (tau && p->n_tau != n_tau) {
    memcpy(p->tau, tau, grid);
    p->n_tau = n_tau;
  }
  free(tau);
  free(end);
  free(mu);
  return status;
}

hk_status hk_floquet_judge(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                           hk_error *err) {
  size_t n = (size_t)p->n;
  out->re = calloc(n + 1, sizeof *out->re);
  out->im = calloc(n + 1, sizeof *out->im);
  if (!out->re || !out->im) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status =
      hk_floquet_eigen(p, unknown, out->re, out->im, &out->n_multipliers, &out->trivial, err);
  if (status) return status;
  double most = largest(out->re, out->im, out->n_multipliers, &out->neutral), fine = most + 1e-6;
  if (p->frozen) status = halve(p, x, unknown, &fine, err);
  if (status) return status;
  out->uncertainty = fabs(fine - most);
  double margin = SURE * out->uncertainty + 1e-9;
  out->stability = most < 1 - margin ? HK_STABLE : most > 1 + margin ? HK_UNSTABLE : HK_UNDECIDED;
  return HK_OK;
}

hk_status hk_floquet(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                     hk_error *err) {
  size_t state = (size_t)p->s->state_size * sizeof(double);
  double *start = malloc(2 * state);
  if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(start, x, state);
  hk_status status = hk_shooter_rebase(p, start, err);
  if (!status) status = hk_shooter_run(p, start, start + p->s->state_size, true, err);
  if (!status) status = hk_floquet_judge(p, start, unknown, out, err);
  free(start);
  return status;
}
