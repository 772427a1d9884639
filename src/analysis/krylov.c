/* Arnoldi's method with Krylov-Schur restarts [Stewart 2001].
 *
 * Basis V (rows are vectors) with A V = V S + v_m b^T.  The Schur form S = Q T Q^T, wanted
 * eigenvalues first, is truncated to its leading part: V Q, T and b^T Q are again such a
 * decomposition, which is then expanded by more products. Vectors are orthogonalised twice.
 *
 * A single start vector finds each eigenvalue once, whatever its multiplicity, and misses eigenvectors that symmetry
 * decouples from it.  Therefore, if the basis is invariant, the iteration continues with a new vector.  Converged
 * eigenvectors are locked and the search is repeated with new vectors until no further wanted eigenvalue appears. */
#include "analysis/krylov.h"
#include "lapack/lapack.h"
#include <lapacke.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct space {
  const hk_krylov *k;
  int m;           /* largest dimension */
  int dim;         /* current number of basis vectors */
  double *V;       /* [m + 1][n] */
  double *S;       /* [m + 1][m], row dim is b */
  double *T, *Q;   /* [m][m] */
  double *re, *im; /* [m] */
  double *W;       /* [m + 1][n] memory for the new basis at a restart */
  double *block;
  int products;
  bool invariant;
} space;

static hk_status allocate(space *s, hk_error *err) {
  size_t n = (size_t)s->k->n, m = (size_t)s->m;
  s->block = malloc((2 * (m + 1) * n + (m + 1) * m + 2 * m * m + 2 * m + 1) * sizeof *s->block);
  if (!s->block) return hk_fail(err, HK_ENOMEM, "out of memory for a basis of %d vectors", s->m);
  s->V = s->block;
  s->W = s->V + (m + 1) * n;
  s->S = s->W + (m + 1) * n;
  s->T = s->S + (m + 1) * m;
  s->Q = s->T + m * m;
  s->re = s->Q + m * m;
  s->im = s->re + m;
  memset(s->S, 0, (m + 1) * m * sizeof *s->S);
  return HK_OK;
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Subtracts from w its components along the first `count` vectors. If column >= 0, adds the components to this column
 * of S. Returns the remaining length of w. */
static double orthogonalise(space *s, int count, int column, double *w) {
  int n = s->k->n;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++) {
      const double *v = s->V + (size_t)i * n;
      double c = 0;
      for (int l = 0; l < n; l++) c += v[l] * w[l];
      for (int l = 0; l < n; l++) w[l] -= c * v[l];
      if (column >= 0) s->S[(size_t)i * s->m + column] += c;
    }
  return norm(w, n);
}

/* Relative rounding error of a product A x: if the part of the product outside of the basis is smaller than this, it
 * is only round-off. */
static const double NOTHING_NEW = 1e-13;

/* Finds a unit vector in the range of A that is not in the span of the basis; *found is false
 * if there is none. The vector is multiplied by A twice, because the first product may be outside of the space on
 * which A acts. */
static hk_status begin_again(space *s, double *w, bool *found, hk_error *err) {
  int n = s->k->n;
  double *y = s->W, size = 0, rest = 0; /* W is not used until the next restart */
  for (int i = 0; i < s->dim * s->m; i++) size = fmax(size, fabs(s->S[i]));
  for (int i = 0; i < n; i++)
    y[i] = sin(0.7 + 1.3 * s->products + (12.9898 + 0.37 * s->products) * i);
  for (int pass = 0; pass < 2; pass++) {
    double scale = norm(y, n);
    for (int l = 0; l < n; l++) y[l] /= scale > 0 ? scale : 1;
    hk_status status = s->k->multiply(s->k->context, y, w);
    if (status) return hk_fail(err, status, "a product of the eigenvalue iteration failed");
    s->products++;
    rest = orthogonalise(s, s->dim, -1, w);
    if (!isfinite(rest)) return hk_fail(err, HK_EFAIL, "the eigenvalue iteration broke down");
    memcpy(y, w, (size_t)n * sizeof *y);
  }
  *found = rest > NOTHING_NEW * size;
  for (int l = 0; l < n && *found; l++) w[l] /= rest;
  return HK_OK;
}

/* One more product: column `dim` of S and vector dim + 1. */
static hk_status expand(space *s, hk_error *err) {
  int n = s->k->n, j = s->dim;
  double *w = s->V + (size_t)(j + 1) * n;
  const hk_progress now = {.what = "modes", .done = NAN, .time = NAN, .count = s->products};
  if (s->k->progress && !s->k->progress(s->k->progress_context, &now))
    return hk_fail(err, HK_STOPPED, "stopped by the caller");
  hk_status status = s->k->multiply(s->k->context, s->V + (size_t)j * n, w);
  if (status) return hk_fail(err, status, "a product of the eigenvalue iteration failed");
  s->products++;
  double before = norm(w, n), rest = orthogonalise(s, j + 1, j, w);
  if (!isfinite(rest)) return hk_fail(err, HK_EFAIL, "the eigenvalue iteration broke down");
  s->dim++;
  bool closed = !(rest > NOTHING_NEW * before), found = false;
  if (closed && s->dim < s->k->most) status = begin_again(s, w, &found, err);
  s->invariant = s->dim >= s->k->most || (closed && !found);
  s->S[(size_t)(j + 1) * s->m + j] = closed || s->invariant ? 0 : rest;
  for (int l = 0; l < n && !closed; l++) w[l] /= rest;
  return status;
}

/* T and Q: Schur form of the leading dim x dim part of S (row-major, stride dim). */
static hk_status schur(space *s, hk_error *err) {
  int d = s->dim;
  lapack_int found = 0;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) s->T[(size_t)i * d + j] = s->S[(size_t)i * s->m + j];
  lapack_int info =
      LAPACKE_dgees(LAPACK_ROW_MAJOR, 'V', 'N', NULL, d, s->T, d, &found, s->re, s->im, s->Q, d);
  return info ? hk_lapack_fail(info, "the Schur decomposition in the eigenvalue iteration", err)
              : HK_OK;
}

static double modulus(const space *s, int i) { return hypot(s->re[i], s->im[i]); }

/* Number of eigenvalues of largest modulus to keep, at least `wanted`; conjugate pairs stay together. */
static int select_largest(const space *s, int wanted, lapack_logical *chosen) {
  int d = s->dim, n = 0;
  memset(chosen, 0, (size_t)d * sizeof *chosen);
  while (n < wanted && n < d) {
    int best = -1;
    for (int i = 0; i < d; i++)
      if (!chosen[i] && (best < 0 || modulus(s, i) > modulus(s, best))) best = i;
    chosen[best] = 1;
    n++;
    int other = s->im[best] > 0 ? best + 1 : best - 1;
    if (s->im[best] != 0 && other >= 0 && other < d && !chosen[other]) chosen[other] = 1, n++;
  }
  return n;
}

/* Restarts with the `keep` largest eigenvalues. */
static hk_status restart(space *s, int keep, hk_error *err) {
  int d = s->dim, n = s->k->n;
  lapack_logical *chosen = malloc((size_t)d * sizeof *chosen);
  if (!chosen) return hk_fail(err, HK_ENOMEM, "out of memory");
  keep = select_largest(s, keep, chosen);
  lapack_int m = 0, own[1];
  double x = 0, y = 0, *work = malloc((size_t)(d + 1) * sizeof *work);
  /* Uses the LAPACKE function with an explicit workspace, because the other variant passes a
   * NULL pointer and crashes. */
  lapack_int info = !work
                        ? LAPACK_WORK_MEMORY_ERROR
                        : LAPACKE_dtrsen_work(LAPACK_ROW_MAJOR, 'N', 'V', chosen, d, s->T, d, s->Q,
                                              d, s->re, s->im, &m, &x, &y, work, d + 1, own, 1);
  free(chosen);
  free(work);
  if (info < 0) return hk_lapack_fail(info, "the sorting of the Schur decomposition", err);
  if (m < keep) keep = (int)m;
  if (keep > d - 1) keep = d - 1; /* memory for at least one product */
  if (keep < d && keep > 0 && s->T[(size_t)keep * d + keep - 1] != 0) keep--;
  memset(s->W, 0, (size_t)keep * (size_t)n * sizeof *s->W);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < keep; j++) {
      double q = s->Q[(size_t)i * d + j];
      for (int l = 0; l < n; l++) s->W[(size_t)j * n + l] += q * s->V[(size_t)i * n + l];
    }
  double b[d + 1];
  memset(b, 0, sizeof b);
  for (int j = 0; j < keep; j++)
    for (int i = 0; i < d; i++) b[j] += s->S[(size_t)d * s->m + i] * s->Q[(size_t)i * d + j];
  memset(s->S, 0, (size_t)(s->m + 1) * (size_t)s->m * sizeof *s->S);
  for (int i = 0; i < keep; i++)
    for (int j = 0; j < keep; j++) s->S[(size_t)i * s->m + j] = s->T[(size_t)i * d + j];
  memcpy(s->S + (size_t)keep * s->m, b, (size_t)keep * sizeof *b);
  memmove(s->W + (size_t)keep * n, s->V + (size_t)d * n, (size_t)n * sizeof *s->W);
  memcpy(s->V, s->W, (size_t)(keep + 1) * (size_t)n * sizeof *s->V);
  s->dim = keep;
  return HK_OK;
}

/* Computes the eigenvalues and eigenvectors y of the leading part of S. *good: number of the
 * largest eigenvalues, counted without gaps, with a small residual b.y. */
static hk_status ritz(space *s, int wanted, int *order, double *Y, int *good, hk_error *err) {
  int d = s->dim;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) s->T[(size_t)i * d + j] = s->S[(size_t)i * s->m + j];
  lapack_int info =
      LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', d, s->T, d, s->re, s->im, NULL, d, Y, d);
  if (info) return hk_lapack_fail(info, "the eigenvalue iteration", err);
  for (int i = 0; i < d; i++) order[i] = i;
  for (int i = 1; i < d; i++) /* decreasing modulus; the sort must be stable, so that conjugate
                               * pairs remain in order */
    for (int j = i; j > 0 && modulus(s, order[j]) > modulus(s, order[j - 1]) * (1 + 1e-14); j--) {
      int t = order[j];
      order[j] = order[j - 1];
      order[j - 1] = t;
    }
  *good = 0;
  for (int i = 0; i < d; i++) {
    int e = order[i], a = s->im[e] < 0 ? e - 1 : e;
    double real = 0, imaginary = 0;
    for (int k = 0; k < d; k++) {
      double b = s->S[(size_t)d * s->m + k];
      real += b * Y[(size_t)k * d + a];
      if (s->im[e] != 0) imaginary += b * Y[(size_t)k * d + a + 1];
    }
    if (!(hypot(real, imaginary) <= s->k->tolerance * modulus(s, e)) && !s->invariant) break;
    *good = i + 1;
  }
  if (*good > wanted) *good = wanted;
  /* A conjugate pair is included completely or not at all. */
  if (*good > 0 && *good < d && s->im[order[*good - 1]] > 0) (*good)++;
  return HK_OK;
}

static hk_status deliver(const space *s, const int *order, const double *Y, int n,
                         hk_krylov_result *out, hk_error *err) {
  size_t size = (size_t)s->k->n;
  int d = s->dim;
  out->block = calloc((size_t)n * (2 * size + 2) + 1, sizeof *out->block);
  if (!out->block) return hk_fail(err, HK_ENOMEM, "out of memory");
  out->re = out->block;
  out->im = out->re + n;
  out->vector = out->im + n;
  out->n = n;
  for (int i = 0; i < n; i++) {
    int e = order[i], a = s->im[e] < 0 ? e - 1 : e;
    double sign = s->im[e] < 0 ? -1 : 1, *x = out->vector + 2 * size * (size_t)i;
    out->re[i] = s->re[e];
    out->im[i] = s->im[e];
    for (int k = 0; k < d; k++) {
      double real = Y[(size_t)k * d + a];
      double imaginary = s->im[e] != 0 ? sign * Y[(size_t)k * d + a + 1] : 0;
      const double *v = s->V + (size_t)k * size;
      for (size_t l = 0; l < size; l++) x[l] += real * v[l], x[size + l] += imaginary * v[l];
    }
  }
  return HK_OK;
}

/* Keeps converged vectors as an invariant basis and continues with a new vector. */
static hk_status lock(space *s, int wanted, hk_error *err) {
  bool found = false;
  hk_status status = schur(s, err);
  if (!status) status = restart(s, wanted, err);
  if (status) return status;
  memset(s->S + (size_t)s->dim * s->m, 0, (size_t)s->m * sizeof *s->S);
  status = begin_again(s, s->V + (size_t)s->dim * s->k->n, &found, err);
  s->invariant = !found;
  return status;
}

/* Returns true if the moduli of the requested eigenvalues equal those before the last restart. Stores the moduli for
 * the next call. */
static bool same_as_before(const space *s, const int *order, int wanted, double *before) {
  bool same = true;
  for (int i = 0; i < wanted; i++) {
    double size = modulus(s, order[i]);
    same = same && fabs(size - before[i]) <= 1e-8 * size;
    before[i] = size;
  }
  return same;
}

static hk_status iterate(space *s, int wanted, hk_krylov_result *out, hk_error *err) {
  int *order = malloc((size_t)s->m * sizeof *order), good = 0;
  double *Y = malloc((size_t)s->m * (size_t)(s->m + 1) * sizeof *Y);
  hk_status status = order && Y ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  double *before = Y ? Y + (size_t)s->m * (size_t)s->m : NULL;
  for (int i = 0; i < s->m && before; i++) before[i] = 0;
  while (!status) {
    while (s->dim < s->m && !s->invariant && !status) status = expand(s, err);
    if (!status) status = ritz(s, wanted, order, Y, &good, err);
    if (status || s->invariant || s->products >= s->k->max_products) break;
    if (good < wanted) {
      status = schur(s, err);
      if (!status) status = restart(s, wanted + (s->m - wanted) / 2, err);
    } else {
      if (same_as_before(s, order, wanted, before)) break;
      status = lock(s, wanted, err);
    }
  }
  if (!status && good == 0)
    status = hk_fail(err, HK_EFAIL, "no eigenvalue converged in %d products", s->products);
  if (!status) status = deliver(s, order, Y, good, out, err);
  out->products = s->products;
  out->exhausted = s->invariant && good >= s->dim;
  free(order);
  free(Y);
  return status;
}

hk_status hk_krylov_solve(const hk_krylov *k, double *x, hk_krylov_result *out, hk_error *err) {
  *out = (hk_krylov_result){0};
  int most = k->most < k->n ? k->most : k->n;
  if (most < 1) return HK_OK;
  int wanted = k->wanted < most ? k->wanted : most;
  space s = {.k = k, .m = wanted + 20 > 2 * wanted ? wanted + 20 : 2 * wanted};
  if (s.m > most) s.m = most;
  hk_status status = allocate(&s, err);
  if (status) return status;
  double size = norm(x, k->n);
  if (!(size > 0) || !isfinite(size)) {
    free(s.block);
    return hk_fail(err, HK_EFAIL, "the eigenvalue iteration has no start vector");
  }
  for (int i = 0; i < k->n; i++) s.V[i] = x[i] / size;
  status = iterate(&s, wanted, out, err);
  free(s.block);
  if (status) hk_krylov_free(out);
  return status;
}

void hk_krylov_free(hk_krylov_result *r) {
  free(r->block);
  r->block = NULL;
  r->n = 0;
}
