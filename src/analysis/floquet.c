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

/* A multiplier farther from 1 is not the trivial one of an orbit whose phase is free. */
static const double TRIVIAL = 0.05;

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
  if (unknown && p->n) {
    int near = 0;
    for (int i = 1; i < p->n; i++)
      if (hypot(re[i] - 1, im[i]) < hypot(re[near] - 1, im[near])) near = i;
    *trivial = hypot(re[near] - 1, im[near]);
    if (*trivial > TRIVIAL) unknown = false; /* the motion depends on time: it has no free phase */
  }
  if (unknown && p->n) {
    int near = 0;
    for (int i = 1; i < p->n; i++)
      if (hypot(re[i] - 1, im[i]) < hypot(re[near] - 1, im[near])) near = i;
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

/* The grid of the orbit suits its motion. Neighbouring motions may be much faster, as in a steady rotation, in which the
 * motion itself allows any step. Therefore the grid is refined until no multiplier changes by more than this. */
static const double SETTLED = 1e-3;
enum { MOST_STEPS = 20000 };

/* Largest distance of a multiplier from the nearest multiplier of the other set. If the magnitude of the multiplier
 * is above 1, the distance is divided by this magnitude. */
static double distance(const double *re, const double *im, const double *re2, const double *im2,
                       int n, int m) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int k = 0; k < m; k++) least = fmin(least, hypot(re[i] - re2[k], im[i] - im2[k]));
    most = fmax(most, least / fmax(1, hypot(re[i], im[i])));
  }
  return most;
}

/* Largest |mu| on a grid with twice the number of steps, and the largest change of a multiplier; the grid of p is not
 * changed. */
static hk_status halve(hk_shooter *p, const double *x, bool unknown, const hk_periodic *coarse,
                       double *most, double *change, hk_error *err) {
  size_t n = (size_t)p->n, grid = (size_t)p->n_tau * sizeof(double);
  int n_tau = p->n_tau, count, neutral;
  double *tau = malloc(grid + 1), *end = malloc((size_t)p->s->state_size * sizeof *end),
         *mu = calloc(2 * n + 1, sizeof *mu), trivial;
  hk_status status = tau && end && mu ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) memcpy(tau, p->tau, grid);
  if (!status) status = hk_shooter_refine(p, err);
  if (!status) status = hk_shooter_run(p, x, end, true, err);
  if (!status) status = hk_floquet_eigen(p, unknown, mu, mu + n, &count, &trivial, err);
  if (!status) {
    *most = largest(mu, mu + n, count, &neutral);
    *change = distance(coarse->re, coarse->im, mu, mu + n, coarse->n_multipliers, count);
  }
  if (tau && p->n_tau != n_tau) {
    memcpy(p->tau, tau, grid);
    p->n_tau = n_tau;
  }
  free(tau);
  free(end);
  free(mu);
  return status;
}

static hk_status judge(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                       double *change, hk_error *err) {
  size_t n = (size_t)p->n;
  out->re = calloc(n + 1, sizeof *out->re);
  out->im = calloc(n + 1, sizeof *out->im);
  if (!out->re || !out->im) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status =
      hk_floquet_eigen(p, unknown, out->re, out->im, &out->n_multipliers, &out->trivial, err);
  if (status) return status;
  double most = largest(out->re, out->im, out->n_multipliers, &out->neutral), fine = most + 1e-6;
  *change = 0;
  if (p->frozen) status = halve(p, x, unknown, out, &fine, change, err);
  if (status) return status;
  /* A method of second order: 4/3 of the change, and a margin for higher orders. */
  out->uncertainty = 1.5 * fabs(fine - most);
  double margin = SURE * out->uncertainty + 1e-9;
  out->stability = most < 1 - margin ? HK_STABLE : most > 1 + margin ? HK_UNSTABLE : HK_UNDECIDED;
  return HK_OK;
}

hk_status hk_floquet_judge(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                           hk_error *err) {
  double change;
  return judge(p, x, unknown, out, &change, err);
}

hk_status hk_floquet(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                     hk_error *err) {
  size_t state = (size_t)p->s->state_size * sizeof(double);
  double *start = malloc(2 * state);
  if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(start, x, state);
  hk_status status = hk_shooter_rebase(p, start, err);
  double change = INFINITY;
  while (!status && change > SETTLED) {
    if (isfinite(change)) status = hk_shooter_refine(p, err);
    if (!status) status = hk_shooter_run(p, start, start + p->s->state_size, true, err);
    free(out->re);
    free(out->im);
    out->re = out->im = NULL;
    if (!status) status = judge(p, start, unknown, out, &change, err);
    if (2 * p->n_tau > MOST_STEPS) break;
  }
  free(start);
  return status;
}
