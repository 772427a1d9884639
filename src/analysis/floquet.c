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

/* If the multiplier nearest to 1 is farther from 1 than this, it is not the trivial multiplier of an orbit with free
 * phase. */
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

/* An orbit is reported as stable or unstable only if |mu| differs from 1 by more than this
 * factor times the change of |mu| when all steps are halved. For a method of first order (at
 * kinks of forces) this change equals the error; for second order the error is a third of it. */
static const double SURE = 3;

/* The grid of the orbit suits its motion. Neighbouring motions may be much faster, as in a steady rotation, in which the
 * motion itself allows any step. Therefore the grid is refined until no multiplier changes by more than this. */
static const double SETTLED = 1e-3;
enum { MOST_STEPS = 20000 };

/* Multipliers of two grids that differ by less than this are compared by magnitude. */
static const double SAME = 0.1;

/* Comparison of the multipliers of two grids. */
typedef struct comparison {
  /* largest change of a multiplier; for multipliers above 1: relative to their magnitude */
  double change;
  /* true: all changes are so small that no multiplier could be on the other side of 1 */
  bool all_clear;
} comparison;

static comparison compare(const hk_periodic *a, const hk_periodic *b) {
  comparison c = {.all_clear = true};
  for (int i = 0; i < a->n_multipliers; i++) {
    double least = INFINITY, size = hypot(a->re[i], a->im[i]), other = 0;
    for (int k = 0; k < b->n_multipliers; k++) {
      double apart = hypot(a->re[i] - b->re[k], a->im[i] - b->im[k]);
      if (apart < least) least = apart, other = hypot(b->re[k], b->im[k]);
    }
    c.change = fmax(c.change, least / fmax(1, size));
    bool neutral = hypot(a->re[i] - 1, a->im[i]) < NEUTRAL,
         clear = least < SAME && fabs(other - 1) > SURE * fabs(other - size);
    c.all_clear = c.all_clear && (neutral || clear);
  }
  return c;
}

/* Computes the multipliers from P and E of the last period. */
static hk_status compute(const hk_shooter *p, bool unknown, hk_periodic *out, hk_error *err) {
  size_t n = (size_t)p->n;
  free(out->re);
  free(out->im);
  out->re = calloc(n + 1, sizeof *out->re);
  out->im = calloc(n + 1, sizeof *out->im);
  if (!out->re || !out->im) return hk_fail(err, HK_ENOMEM, "out of memory");
  return hk_floquet_eigen(p, unknown, out->re, out->im, &out->n_multipliers, &out->trivial, err);
}

/* Computes the multipliers on a grid with halved steps into `fine`; the change of the largest one is stored as their
 * uncertainty. */
static hk_status halve(hk_shooter *p, const double *x, bool unknown, const hk_periodic *coarse,
                       hk_periodic *fine, comparison *change, hk_error *err) {
  double *end = malloc((size_t)p->s->state_size * sizeof *end);
  hk_status status = end ? hk_shooter_refine(p, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_shooter_run(p, x, end, true, err);
  if (!status) status = compute(p, unknown, fine, err);
  if (!status) {
    double before = largest(coarse->re, coarse->im, coarse->n_multipliers, &fine->neutral),
           after = largest(fine->re, fine->im, fine->n_multipliers, &fine->neutral);
    *change = compare(coarse, fine);
    fine->uncertainty = fabs(after - before);
  }
  free(end);
  return status;
}

static void take_multipliers(hk_periodic *out, hk_periodic *from) {
  free(out->re);
  free(out->im);
  out->re = from->re, out->im = from->im;
  out->n_multipliers = from->n_multipliers;
  out->trivial = from->trivial;
  from->re = from->im = NULL;
}

hk_status hk_floquet_judge(hk_shooter *p, const double *x, bool unknown, hk_floquet_aim aim,
                           hk_periodic *out, hk_error *err) {
  comparison change = {.change = INFINITY};
  bool refine = aim != HK_FLOQUET_ON_GRID, enough = false;
  int halvings = 0;
  hk_status status = compute(p, unknown, out, err);
  /* error of the multipliers if they are computed from differences of whole periods */
  out->uncertainty = 1e-6;
  while (!status && p->frozen && !enough &&
         (halvings == 0 || (refine && 2 * p->n_tau <= MOST_STEPS))) {
    hk_periodic fine = {0};
    status = halve(p, x, unknown, out, &fine, &change, err);
    if (!status) out->uncertainty = fine.uncertainty * (refine ? 1 : 1.5);
    if (!status && refine) take_multipliers(out, &fine);
    free(fine.re);
    free(fine.im);
    halvings++;
    enough = change.change <= SETTLED || (aim == HK_FLOQUET_STABILITY && change.all_clear);
  }
  while (halvings-- > 0) hk_shooter_coarsen(p);
  if (status) return status;
  double most = largest(out->re, out->im, out->n_multipliers, &out->neutral),
         margin = SURE * out->uncertainty + 1e-9;
  out->stability = most < 1 - margin ? HK_STABLE : most > 1 + margin ? HK_UNSTABLE : HK_UNDECIDED;
  return HK_OK;
}

hk_status hk_floquet(hk_shooter *p, const double *x, bool unknown, hk_floquet_aim aim, bool derived,
                     hk_periodic *out, hk_error *err) {
  size_t state = (size_t)p->s->state_size * sizeof(double);
  double *start = malloc(2 * state);
  if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(start, x, state);
  hk_status status = HK_OK;
  if (!derived) status = hk_shooter_rebase(p, start, err);
  if (!derived && !status) status = hk_shooter_run(p, start, start + p->s->state_size, true, err);
  if (!status) status = hk_floquet_judge(p, start, unknown, aim, out, err);
  free(start);
  return status;
}
