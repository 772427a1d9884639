/* Left eigenvectors of a linear model: see hk_mode_left in hooke/linear.h.
 *
 * P(s) = s^2 M + s L + K. A mode satisfies P(s) d = 0 with d = N z. Its left vector w = NL y satisfies y^H NL^T P(s) N
 * = 0. y is found by inverse iteration with the conjugate transpose. The shift is so close to s that a few iterations
 * are sufficient, and so far from s that the matrix can be factorized. The start vector (2 s M + L) z belongs to this
 * mode rather than to others of the same s. */
#include "analysis/pencil.h"
#include "lapack/lapack.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct left {
  const hk_linear *l;
  double complex s;
  double complex *A, *y, *d, *w; /* [dof][dof], [dof], [n], [n] */
  lapack_int *pivot;
} left;

/* (2 s M + L) d of the whole model. */
static void slope(const left *t, const double complex *d, double complex *out) {
  const hk_linear *l = t->l;
  for (int i = 0; i < l->n; i++) {
    out[i] = 0;
    for (int j = 0; j < l->n; j++) {
      size_t at = (size_t)i * (size_t)l->n + (size_t)j;
      out[i] += (2 * t->s * l->M[at] + l->L[at]) * d[j];
    }
  }
}

hk_status hk_pencil_factor(const hk_linear *l, double complex s, double complex *A,
                           lapack_int *pivot, hk_error *err) {
  const int n = l->dof;
  const double complex beside = s + 1e-9 * fmax(cabs(s), 1e-3) * (1 + 0.5 * I);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      size_t at = (size_t)i * (size_t)n + (size_t)j;
      A[(size_t)j * (size_t)n + (size_t)i] = l->Kr[at] + beside * (l->Lr[at] + beside * l->Mr[at]);
    }
  int info = LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, A, n, pivot);
  if (info < 0) return hk_lapack_fail(info, "eigenvectors", err);
  return info > 0 ? hk_fail(err, HK_EFAIL, "an eigenvector was not found") : HK_OK;
}

hk_status hk_pencil_iterate(int n, const double complex *A, const lapack_int *pivot,
                            bool transposed, double complex *y, hk_error *err) {
  for (int k = 0; k < 3; k++) {
    double most = 0;
    int info = LAPACKE_zgetrs(LAPACK_COL_MAJOR, transposed ? 'C' : 'N', n, 1, A, n, pivot, y, n);
    for (int i = 0; i < n; i++) most = fmax(most, cabs(y[i]));
    if (info || !(most > 0) || !isfinite(most))
      return hk_fail(err, HK_EFAIL, "an eigenvector was not found");
    for (int i = 0; i < n; i++) y[i] /= most;
  }
  return HK_OK;
}

static void finish(left *t, double *out) {
  const hk_linear *l = t->l;
  const double *NL = l->inside->NL ? l->inside->NL : l->N;
  double complex product = 0, largest = 0;
  double a = 0;
  for (int i = 0; i < l->n; i++) {
    double complex sum = 0;
    for (int j = 0; j < l->dof; j++) sum += NL[(size_t)i * (size_t)l->dof + (size_t)j] * t->y[j];
    out[2 * i] = creal(sum), out[2 * i + 1] = cimag(sum);
  }
  slope(t, t->d, t->w);
  for (int i = 0; i < l->n; i++) {
    double complex w = out[2 * i] + I * out[2 * i + 1];
    product += conj(w) * t->w[i];
    if (cabs(w) > cabs(largest)) largest = w;
    a = fmax(a, cabs(t->w[i]));
  }
  /* Scaled so that w^H (2 s M + L) d = 1.  This product is 0 for a double eigenvalue with one vector: then the
   * largest component is 1. */
  bool alone = cabs(product) > 1e-6 * cabs(largest) * a;
  double complex factor = alone ? 1 / conj(product) : 1 / largest;
  for (int i = 0; i < l->n; i++) {
    double complex w = factor * (out[2 * i] + I * out[2 * i + 1]);
    out[2 * i] = creal(w), out[2 * i + 1] = cimag(w);
  }
}

hk_status hk_mode_left(const hk_linear *l, const hk_mode *mode, double *out, hk_error *err) {
  if (!l || !mode || !out) return hk_fail(err, HK_EINPUT, "an argument is NULL");
  if (l->sparse || l->model->n_velocity_rows || !mode->shape)
    return hk_fail(
        err, HK_EINPUT,
        "left eigenvectors need the dense method, mode shapes and a model without rolling");
  size_t n = (size_t)l->n, dof = (size_t)l->dof;
  left t = {.l = l, .s = mode->re + I * mode->im};
  t.A = calloc(dof * dof + dof + 2 * n + 1, sizeof *t.A);
  t.pivot = calloc(dof + 1, sizeof *t.pivot);
  hk_status status = t.A && t.pivot ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    t.y = t.A + dof * dof, t.d = t.y + dof, t.w = t.d + n;
    for (size_t i = 0; i < n; i++) t.d[i] = mode->shape[2 * i] + I * mode->shape[2 * i + 1];
    slope(&t, t.d, t.w);
    for (size_t j = 0; j < dof; j++)
      for (size_t i = 0; i < n; i++) t.y[j] += l->N[i * dof + j] * t.w[i];
    double most = 0;
    for (size_t j = 0; j < dof; j++) most = fmax(most, cabs(t.y[j]));
    for (size_t j = 0; j < dof && !(most > 0); j++) t.y[j] = 1 + (double)j / (double)dof;
    status = hk_pencil_factor(l, t.s, t.A, t.pivot, err);
    if (!status) status = hk_pencil_iterate(l->dof, t.A, t.pivot, true, t.y, err);
  }
  if (!status) finish(&t, out);
  free(t.A);
  free(t.pivot);
  return status;
}
