/* Slow modes in the presence of fast ones.
 *
 * Problem: the error of an eigenvalue solver is rounding relative to the fastest frequency w, so a mode at s is lost
 * if s^2 M is below 1e-16 w^2 M.  Stiffness and mass contain more information: 10 rad/s of 1 kg is exact to 1e-9 in
 * the presence of a spring of 1e9 N/m, however light the mass on that spring is.
 *
 * Method: the slow modes are computed again at their own scale sigma.  With P = K + sigma L + sigma^2 M and the
 * states (d, d'/sigma), the eigenvalues mu = s/(s - sigma) belong to
 *   B = [ P^-1 K    -sigma^2 P^-1 M     ]
 *       [ P^-1 K   1 - sigma^2 P^-1 M   ],
 * and without damping mu = kappa/(kappa + sigma^2), kappa = -s^2, to P^-1 K.  Fast and massless directions have mu =
 * 1.  The coordinates are scaled so that the diagonal of P is one.
 *
 * A free motion is a null vector of B.  Rounding of K, L and M causes errors E of the entries of B; a singular value
 * of B that E can cause is zero.  In this way large entries elsewhere do not hide a mode.  The
 * scale is reduced until no slower mode remains, or until B consists of rounding errors. */
#include "analysis/deflate.h"
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLOW = 1e-3; /* modes below this fraction of the scale are computed again */
/* factor by which a scale differs from an eigenvalue, because a scale must not equal an eigenvalue */
static const double BESIDE = 1.37;
static const double NEXT = 1e-6; /* next scale if all slow modes seem to be free */

typedef struct slow {
  const hk_linear *l;
  int n, size; /* sizes of the reduced model and of B */
  bool damped, shapes;
  /* [n][n], the same with the absolute values of all terms, [n] scales of the coordinates */
  double *P, *T, *D;
  /* [n][n] sum of the absolute values of the terms of each entry */
  double *size_of_K, *size_of_L, *size_of_M;
  double *X; /* [n][size + n] right sides, then solutions */
  double *B, *E, *V, *re, *im;
  /* [2 n] candidates, the slowest first; their member `frequency` holds the column of V */
  hk_mode *mode;
  double *block;
} slow;

static double size_of(const hk_mode *m) { return hypot(m->re, m->im); }

static int by_size(const void *a, const void *b) {
  double x = size_of(a), y = size_of(b);
  return (x > y) - (x < y);
}

/* Computes the scale of each coordinate, from its diagonal entry or from its couplings to other coordinates,
 * whichever is larger. */
static void equilibrate(slow *s) {
  int n = s->n;
  for (int i = 0; i < n; i++) {
    double most = fabs(s->P[(size_t)i * n + i]);
    for (int j = 0; j < n; j++) {
      double other = fabs(s->P[(size_t)j * n + j]), p = s->P[(size_t)i * n + j];
      if (other > 0) most = fmax(most, p * p / other);
    }
    s->D[i] = most > 0 ? 1 / sqrt(most) : 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s->P[(size_t)i * n + j] *= s->D[i] * s->D[j];
}

/* Copies row i of X [n][wide] to both halves of B, because the upper and the lower half contain the same rows. */
static void put_row(const slow *s, const double *X, int i, double diagonal, double *B) {
  int n = s->n, wide = s->size;
  memcpy(B + (size_t)i * wide, X + (size_t)i * wide, (size_t)wide * sizeof *B);
  if (!s->damped) return;
  double *lower = B + (size_t)(n + i) * wide;
  memcpy(lower, X + (size_t)i * wide, (size_t)wide * sizeof *lower);
  lower[n + i] += diagonal;
}

/* Computes E: errors of B due to errors of the terms T of P, |dB| <= |P^-1| e |T| (1 + |B|). */
static void fill_errors(slow *s) {
  int n = s->n, wide = s->size, all = wide + n;
  const double rounding = 32 * DBL_EPSILON;
  double *grown = s->V; /* [n][wide] |T| (1 + |B|), in memory that the solution uses later */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < wide; j++) {
      double sum = s->T[(size_t)i * n + j % n];
      for (int k = 0; k < n; k++) sum += s->T[(size_t)i * n + k] * fabs(s->X[(size_t)k * all + j]);
      grown[(size_t)i * wide + j] = rounding * sum;
    }
  double *error = grown + (size_t)n * (size_t)wide;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < wide; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += fabs(s->X[(size_t)i * all + wide + k]) * grown[(size_t)k * wide + j];
      error[(size_t)i * wide + j] = sum;
    }
  for (int i = 0; i < n; i++) put_row(s, error, i, 0, s->E);
}

/* Computes B at the scale sigma and its errors E.  HK_RETRY: P is singular to rounding. */
static hk_status fill(slow *s, double sigma, hk_error *err) {
  const hk_linear *l = s->l;
  int n = s->n, wide = s->size, all = wide + n;
  for (int i = 0; i < n * n; i++) {
    s->P[i] = l->Kr[i] + sigma * (l->Lr[i] + sigma * l->Mr[i]);
    s->T[i] = s->size_of_K[i] + sigma * (s->size_of_L[i] + sigma * s->size_of_M[i]);
  }
  equilibrate(s);
  memset(s->X, 0, (size_t)n * (size_t)all * sizeof *s->X); /* K, -sigma^2 M, 1 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      size_t at = (size_t)i * n + j;
      double scale = s->D[i] * s->D[j], *x = s->X + (size_t)i * all;
      s->T[at] *= scale;
      x[j] = scale * l->Kr[at];
      if (s->damped) x[n + j] = -sigma * sigma * scale * l->Mr[at];
      x[wide + j] = i == j;
    }
  hk_status status = hk_dense_solve(s->P, n, s->X, all, 0, err);
  if (status) return status;
  fill_errors(s);
  if (!(hk_dense_max(s->E, (size_t)wide * (size_t)wide) < 0.1)) return HK_RETRY;
  for (int i = 0; i < n; i++)
    memmove(s->X + (size_t)i * wide, s->X + (size_t)i * all, (size_t)wide * sizeof *s->X);
  for (int i = 0; i < n; i++) put_row(s, s->X, i, 1, s->B);
  return HK_OK;
}

/* Computes candidates from the eigenvalues of B, sorted so that the slowest is first. */
static int collect(slow *s, double sigma) {
  int n = 0;
  for (int j = 0; j < s->size; j++) {
    double complex mu = s->re[j] + I * s->im[j];
    if (cabs(1 - mu) < 1e-12) continue; /* infinite */
    if (!s->damped && fabs(s->im[j]) < 1e-12) mu = s->re[j];
    double complex value =
        s->damped ? sigma * mu / (mu - 1) : csqrt(-sigma * sigma * mu / (1 - mu));
    if (!s->damped && cimag(mu) == 0 && creal(mu) >= 0 && creal(mu) < 1)
      value = I * fabs(cimag(value)); /* an undamped oscillation, exactly */
    s->mode[n++] = (hk_mode){.re = creal(value), .im = cimag(value), .frequency = j};
    if (!s->damped)
      s->mode[n++] = (hk_mode){.re = -creal(value), .im = -cimag(value), .frequency = j};
  }
  qsort(s->mode, (size_t)n, sizeof *s->mode, by_size);
  return n;
}

/* z^H A z */
static double complex form(const double *A, const double complex *z, int n) {
  double complex sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += conj(z[i]) * A[(size_t)i * n + j] * z[j];
  return sum;
}

/* Returns the root of z^H (s^2 M + s L + K) z that is nearest to s. The root is exact for an exact eigenvector z. If
 * the matrices are symmetric, the error of the root is of second order in the error of z. The difference between the
 * root and s is taken as the error of s; a real part below this error counts as zero. */
static double complex rayleigh(const slow *s, double complex value, const double complex *z) {
  const hk_linear *l = s->l;
  double complex m = form(l->Mr, z, s->n), k = form(l->Kr, z, s->n);
  double complex d = s->damped ? form(l->Lr, z, s->n) : 0, root = csqrt(d * d - 4 * m * k);
  if (cabs(m) == 0) return value;
  double complex a = (-d + root) / (2 * m), b = (-d - root) / (2 * m);
  if (cabs(b - value) < cabs(a - value)) a = b;
  double error = cabs(a - value);
  if (!(error < 0.1 * cabs(value))) return value;
  return fabs(creal(a)) <= error ? I * cimag(a) : a;
}

static void unpack(const slow *s, int column, double complex *z) {
  hk_eigenvector_unpack(s->V, s->size, column, s->im, z, s->n);
  for (int k = 0; k < s->n; k++) z[k] *= s->D[k];
}

static void put_shape(const slow *s, const double complex *z, double *shape) {
  const hk_linear *l = s->l;
  double complex d[l->n + 1];
  for (int i = 0; i < l->n; i++) {
    d[i] = 0;
    for (int k = 0; k < s->n; k++) d[i] += l->N[(size_t)i * s->n + k] * z[k];
  }
  hk_modes_put_shape(d, l->n, shape);
}

/* Computes the `count` slowest modes of out again at the scale sigma.  HK_RETRY: they cannot be
 * distinguished from free motions. */
static hk_status again(slow *s, double sigma, int count, hk_modes *out, hk_error *err) {
  hk_status status = fill(s, sigma, err);
  /* if P is singular at the scale sigma, a mode may grow as exp(sigma t): another scale is used */
  if (status == HK_RETRY) {
    sigma *= BESIDE;
    status = fill(s, sigma, err);
  }
  int zeros;
  if (!status)
    status =
        hk_deflated_eigen(s->B, s->E, s->size, 64 * DBL_EPSILON, s->re, s->im, s->V, &zeros, err);
  if (status) return status;
  int found = collect(s, sigma);
  if (found < count) return HK_RETRY;
  /* Pairs stay together. */
  while (count < out->n && count < found && size_of(&s->mode[count - 1]) > 0 &&
         size_of(&s->mode[count]) <= (1 + 1e-9) * size_of(&s->mode[count - 1]))
    count++;
  for (int i = 0; i < count; i++) {
    hk_mode *m = &out->mode[i];
    double complex z[s->n + 1], value = s->mode[i].re + I * s->mode[i].im;
    unpack(s, (int)s->mode[i].frequency, z);
    if (s->damped && cabs(value) > 0) value = rayleigh(s, value, z);
    m->re = creal(value), m->im = cimag(value), m->frequency = sigma;
    if (s->shapes) put_shape(s, z, (double *)m->shape);
  }
  return HK_OK;
}

/* Returns the group of a coordinate: translation, rotation, or one mode of a flexible body. */
static int group_of(int r) { return r < 6 ? r / 3 : r - 4; }

/* |A| in the pattern.  Translations and rotations of two bodies are blocks of 3 x 3 in which every entry is replaced
 * by the largest: directions are mixed there, and an entry may be only the rounding error of another. */
static void sizes_of_blocks(const hk_linear *l, const double *A, double *size) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  int nodes = l->model->n_nodes;
  for (int i = 0; i < nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++) {
      int rows = p->size[i], columns = p->size[p->column[e]];
      const double *a = A + p->value_start[e];
      double *out = size + p->value_start[e];
      double most[group_of(rows) + 2][group_of(columns) + 2];
      memset(most, 0, sizeof most);
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
          most[group_of(r)][group_of(c)] =
              fmax(most[group_of(r)][group_of(c)], fabs(a[r * columns + c]));
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) out[r * columns + c] = most[group_of(r)][group_of(c)];
    }
}

/* out [n][n] = |NL|^T |A| |N| for A in the pattern: rounding of N^T A N is proportional to it. */
static hk_status sum_terms(const slow *s, const double *A, double *out, hk_error *err) {
  const hk_linear *l = s->l;
  const double *NL = l->inside->NL ? l->inside->NL : l->N;
  size_t values = l->inside->sys->matrix->n_value;
  double *size = malloc((values + 2 * (size_t)l->n + 1) * sizeof *size);
  if (!size) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *x = size + values, *y = x + l->n;
  sizes_of_blocks(l, A, size);
  memset(out, 0, (size_t)s->n * (size_t)s->n * sizeof *out);
  for (int j = 0; j < s->n; j++) {
    for (int i = 0; i < l->n; i++) x[i] = fabs(l->N[(size_t)i * s->n + j]);
    hk_linear_multiply(l, size, x, y);
    for (int i = 0; i < l->n; i++)
      for (int k = 0; k < s->n && y[i] > 0; k++)
        out[(size_t)k * s->n + j] += fabs(NL[(size_t)i * s->n + k]) * y[i];
  }
  free(size);
  return HK_OK;
}

static hk_status allocate(slow *s, hk_error *err) {
  size_t n = (size_t)s->n, size = (size_t)s->size;
  s->block =
      malloc((5 * n * n + n + n * (size + n) + 4 * size * size + 2 * size + 1) * sizeof *s->block);
  s->mode = malloc((2 * n + 1) * sizeof *s->mode);
  if (!s->block || !s->mode) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->P = s->block, s->T = s->P + n * n, s->D = s->T + n * n, s->X = s->D + n;
  s->B = s->X + n * (size + n), s->E = s->B + size * size, s->V = s->E + size * size;
  s->re = s->V + 2 * size * size, s->im = s->re + size;
  s->size_of_K = s->im + size, s->size_of_L = s->size_of_K + n * n;
  s->size_of_M = s->size_of_L + n * n;
  const struct hk_linear_inside *in = s->l->inside;
  hk_status status = sum_terms(s, in->K, s->size_of_K, err);
  if (!status) status = sum_terms(s, in->L, s->size_of_L, err);
  return status ? status : sum_terms(s, in->M, s->size_of_M, err);
}

hk_status hk_modes_slow(const hk_linear *l, bool shapes, double unsure, hk_modes *out,
                        double *scale, hk_error *err) {
  slow s = {.l = l, .n = l->dof, .shapes = shapes};
  s.damped = hk_dense_max(l->Lr, (size_t)l->dof * (size_t)l->dof) > 0;
  s.size = s.damped ? 2 * s.n : s.n;
  qsort(out->mode, (size_t)out->n, sizeof *out->mode, by_size);
  double fastest = *scale = out->n ? size_of(&out->mode[out->n - 1]) : 0;
  for (int i = 0; i < out->n; i++) out->mode[i].frequency = fastest;
  hk_status status = HK_OK;
  while (*scale > 0 && !status) {
    int count = 0;
    while (count < out->n && size_of(&out->mode[count]) <= SLOW * *scale) count++;
    double slowest = count ? size_of(&out->mode[count - 1]) : 0;
    /* Eigenvalues that are exactly zero are recognised at the scale of their own computation. */
    if (count == 0 || (slowest == 0 && *scale < fastest)) break;
    double sigma = fmax(BESIDE * slowest, NEXT * *scale);
    if (!s.block) status = allocate(&s, err);
    if (!status) status = again(&s, sigma, count, out, err);
    if (!status) *scale = sigma;
  }
  for (int i = 0; i < out->n && status == HK_RETRY && *scale == fastest; i++)
    if (size_of(&out->mode[i]) <= unsure * fastest) out->mode[i].re = out->mode[i].im = 0;
  free(s.block);
  free(s.mode);
  return status == HK_RETRY ? HK_OK : status;
}
