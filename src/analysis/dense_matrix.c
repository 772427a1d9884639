/* LAPACK for row-major matrices.
 *
 * LAPACKE transposes row-major arguments by copying, which costs less than the factorisation.  It also tests inputs
 * for NaN and returns an error instead of an endless loop. */
#include "analysis/dense_matrix.h"
#include "lapack/lapack.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- singular values ---- */

void hk_svd_free(hk_svd *d) {
  free(d->U);
  free(d->s);
  free(d->Vt);
  *d = (hk_svd){0};
}

static void set_identity(double *A, int n) {
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < n; i++) A[(size_t)i * n + i] = 1;
}

hk_status hk_svd_make(const double *A, int rows, int columns, double tol, hk_svd *out,
                      hk_error *err) {
  int most = rows < columns ? rows : columns;
  size_t size = (size_t)rows * (size_t)columns;
  *out = (hk_svd){.rows = rows, .columns = columns};
  out->U = malloc(((size_t)rows * (size_t)rows + 1) * sizeof *out->U);
  out->Vt = malloc(((size_t)columns * (size_t)columns + 1) * sizeof *out->Vt);
  out->s = calloc((size_t)most + 1, sizeof *out->s);
  double *copy = malloc((size + 1) * sizeof *copy);
  hk_status status = out->U && out->Vt && out->s && copy
                         ? HK_OK
                         : hk_fail(err, HK_ENOMEM, "out of memory: singular values");
  if (!status && most == 0) {
    set_identity(out->U, rows);
    set_identity(out->Vt, columns);
  } else if (!status) {
    memcpy(copy, A, size * sizeof *copy);
    lapack_int info = LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', rows, columns, copy, columns, out->s,
                                     out->U, rows, out->Vt, columns);
    if (info) status = hk_lapack_fail(info, "the singular value decomposition", err);
  }
  free(copy);
  if (status) {
    hk_svd_free(out);
    return status;
  }
  while (out->rank < most && out->s[out->rank] > tol * out->s[0]) out->rank++;
  return HK_OK;
}

hk_status hk_svd_make_right(const double *A, int rows, int columns, double tol, hk_svd *out,
                            hk_error *err) {
  size_t size = (size_t)rows * (size_t)columns, n = (size_t)columns;
  hk_status status = HK_OK;
  if (rows <= columns) {
    status = hk_svd_make(A, rows, columns, tol, out, err);
  } else {
    *out = (hk_svd){0};
    double *Q = malloc((size + n + n * n + 1) * sizeof *Q);
    if (!Q) return hk_fail(err, HK_ENOMEM, "out of memory: singular values");
    double *tau = Q + size, *R = tau + n;
    memcpy(Q, A, size * sizeof *Q);
    lapack_int info =
        columns ? LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, rows, columns, Q, columns, tau) : 0;
    for (int i = 0; i < columns; i++)
      for (int j = 0; j < columns; j++)
        R[(size_t)i * n + (size_t)j] = j >= i ? Q[(size_t)i * n + (size_t)j] : 0;
    status = info ? hk_lapack_fail(info, "the orthogonal factorisation", err)
                  : hk_svd_make(R, columns, columns, tol, out, err);
    free(Q);
  }
  free(out->U);
  out->U = NULL;
  return status;
}

void hk_svd_solve(const hk_svd *d, const double *b, double *x) {
  memset(x, 0, (size_t)d->columns * sizeof *x);
  for (int k = 0; k < d->rank; k++) {
    double c = 0;
    for (int i = 0; i < d->rows; i++) c += d->U[(size_t)i * d->rows + k] * b[i];
    c /= d->s[k];
    for (int j = 0; j < d->columns; j++) x[j] += c * d->Vt[(size_t)k * d->columns + j];
  }
}

void hk_svd_null(const hk_svd *d, double *N) {
  int n = d->columns, free_motions = n - d->rank;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < free_motions; k++)
      N[(size_t)j * free_motions + k] = d->Vt[(size_t)(d->rank + k) * n + j];
}

/* ---- products ---- */

void hk_dense_multiply(int m, int n, int k, const double *A, const double *B, double *C) {
  memset(C, 0, (size_t)m * (size_t)n * sizeof *C);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++) {
      double a = A[(size_t)i * k + l];
      if (a == 0) continue;
      const double *b = B + (size_t)l * n;
      double *c = C + (size_t)i * n;
      for (int j = 0; j < n; j++) c[j] += a * b[j];
    }
}

void hk_dense_multiply_transposed(int m, int n, int p, const double *A, const double *B,
                                  double *C) {
  memset(C, 0, (size_t)n * (size_t)p * sizeof *C);
  for (int l = 0; l < m; l++)
    for (int i = 0; i < n; i++) {
      double a = A[(size_t)l * n + i];
      if (a == 0) continue;
      const double *b = B + (size_t)l * p;
      double *c = C + (size_t)i * p;
      for (int j = 0; j < p; j++) c[j] += a * b[j];
    }
}

void hk_dense_project(int n, int p, int q, const double *P, const double *A, const double *Q,
                      double *scratch, double *R) {
  hk_dense_multiply(n, q, n, A, Q, scratch);
  hk_dense_multiply_transposed(n, p, q, P, scratch, R);
}

/* Exchanges column k with the column j >= k that has the largest entry (the pivot). Returns the row of the pivot. */
static int pivot_row(double *A, int m, int n, int k) {
  int row = 0, column = k;
  for (int i = 0; i < m; i++)
    for (int j = k; j < n; j++)
      if (fabs(A[(size_t)i * n + j]) > fabs(A[(size_t)row * n + column])) row = i, column = j;
  for (int i = 0; i < m && column != k; i++) {
    double a = A[(size_t)i * n + k];
    A[(size_t)i * n + k] = A[(size_t)i * n + column];
    A[(size_t)i * n + column] = a;
  }
  return row;
}

void hk_dense_echelon(double *A, int m, int n) {
  const double rounding = 1e-14; /* relative, because the entries have a magnitude of one */
  for (int k = 0; k < n; k++) {
    int row = pivot_row(A, m, n, k);
    double pivot = A[(size_t)row * n + k];
    if (pivot == 0) return;
    for (int i = 0; i < m; i++) A[(size_t)i * n + k] /= pivot;
    double factor[n];
    memcpy(factor, A + (size_t)row * n, sizeof factor);
    for (int i = 0; i < m; i++) {
      double *a = A + (size_t)i * n;
      for (int j = 0; j < n && a[k] != 0; j++)
        if (j != k) a[j] -= factor[j] * a[k];
    }
    for (int j = 0; j < n; j++) A[(size_t)row * n + j] = j == k;
  }
  for (size_t i = 0; i < (size_t)m * (size_t)n; i++)
    if (fabs(A[i]) < rounding) A[i] = 0;
}

double hk_dense_max(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
  return most;
}

/* ---- systems and eigenvalues ---- */

hk_status hk_dense_solve(double *A, int n, double *B, int p, double rcond, hk_error *err) {
  if (n == 0) return HK_OK;
  lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
  if (!pivot) return hk_fail(err, HK_ENOMEM, "out of memory: linear equations");
  double norm = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, A, n), reciprocal = 0;
  lapack_int info = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, A, n, pivot);
  if (info == 0) info = LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', n, A, n, norm, &reciprocal);
  hk_status status = HK_OK;
  if (info < 0)
    status = hk_lapack_fail(info, "a linear solution", err);
  else if (info > 0 || !(reciprocal > rcond))
    status = hk_fail(err, HK_RETRY, "a matrix is singular");
  else if (p > 0) {
    info = LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, p, A, n, pivot, B, p);
    if (info) status = hk_lapack_fail(info, "a linear solution", err);
  }
  free(pivot);
  return status;
}

hk_status hk_dense_cholesky(double *A, int n) {
  if (n == 0) return HK_OK;
  lapack_int info = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, A, n);
  if (info > 0) return HK_RETRY;
  if (info < 0) return hk_lapack_fail(info, "", NULL);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) A[(size_t)i * n + j] = 0;
  return HK_OK;
}

hk_status hk_dense_symmetric(double *A, int n, double *value, hk_error *err) {
  if (n == 0) return HK_OK;
  lapack_int info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'L', n, A, n, value);
  return info ? hk_lapack_fail(info, "the symmetric eigenvalue solution", err) : HK_OK;
}

hk_status hk_dense_eigen(double *A, int n, double *re, double *im, double *V, hk_error *err) {
  if (n == 0) return HK_OK;
  lapack_int info =
      LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', V ? 'V' : 'N', n, A, n, re, im, NULL, n, V, n);
  return info ? hk_lapack_fail(info, "the eigenvalue solution", err) : HK_OK;
}

hk_status hk_dense_pencil(double *A, double *B, int n, double *re, double *im, double *beta,
                          double *V, hk_error *err) {
  if (n == 0) return HK_OK;
  lapack_int info = LAPACKE_dggev(LAPACK_ROW_MAJOR, 'N', V ? 'V' : 'N', n, A, n, B, n, re, im, beta,
                                  NULL, n, V, n);
  return info ? hk_lapack_fail(info, "the generalised eigenvalue solution", err) : HK_OK;
}

hk_status hk_dense_orthonormal(double *A, int m, int n, hk_error *err) {
  if (n == 0) return HK_OK;
  double *tau = malloc((size_t)n * sizeof *tau);
  if (!tau) return hk_fail(err, HK_ENOMEM, "out of memory");
  lapack_int info = LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, m, n, A, n, tau);
  if (!info) info = LAPACKE_dorgqr(LAPACK_ROW_MAJOR, m, n, n, A, n, tau);
  free(tau);
  return info ? hk_lapack_fail(info, "the orthogonal factorisation", err) : HK_OK;
}
