/* Least squares with a polynomial of second order: see surrogate.h. */
#include "lapack/lapack.h"
#include "statistics/surrogate_private.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_terms(int d, bool crossed) { return 1 + 2 * d + (crossed ? d * (d - 1) / 2 : 0); }

/* 1, u_k, u_k^2, u_i u_k */
static void fill_terms(const hk_surrogate *s, const double *u, double *out) {
  int at = 0;
  out[at++] = 1;
  for (int k = 0; k < s->d; k++) out[at++] = u[k];
  for (int k = 0; k < s->d; k++) out[at++] = u[k] * u[k];
  for (int i = 0; i < s->d && s->crossed; i++)
    for (int k = i + 1; k < s->d; k++) out[at++] = u[i] * u[k];
}

/* Least squares with A = QR: beta = R^-1 Q^T z. Row i has the leverage h_i = |row i of Q|^2; leaving it out changes its
 * residual e_i to e_i / (1 - h_i). */
static hk_status solve(hk_surrogate *s, double *A, double *tau, hk_error *err) {
  int n = s->n, m = s->terms;
  lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, A, n, tau);
  if (info) return hk_lapack_fail(info, "the least squares problem of the surrogate", err);
  double top = 0;
  for (int j = 0; j < m; j++) {
    top = fmax(top, fabs(A[j * n + j]));
    for (int i = 0; i <= j; i++) s->R[j * m + i] = A[j * n + i];
  }
  for (int j = 0; j < m; j++)
    if (!(fabs(s->R[j * m + j]) > 1e-10 * top))
      return hk_fail(err, HK_EINPUT,
                     "the rows do not determine a quadratic: each variable needs three or more "
                     "values, in all combinations");
  info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, m, m, A, n, tau);
  if (info) return hk_lapack_fail(info, "the least squares problem of the surrogate", err);
  for (int j = 0; j < m; j++) {
    s->beta[j] = 0;
    for (int i = 0; i < n; i++) s->beta[j] += A[j * n + i] * s->z[i];
  }
  double sum = 0, left = 0;
  s->worst = 0;
  for (int i = 0; i < n; i++) {
    double fitted = 0, h = 0;
    for (int j = 0; j < m; j++) {
      fitted += A[j * n + i] * s->beta[j];
      h += A[j * n + i] * A[j * n + i];
    }
    double e = s->z[i] - fitted, out = h < 1 - 1e-12 ? e / (1 - h) : INFINITY;
    left += e * e;
    sum += out * out;
    s->worst = fmax(s->worst, fabs(out));
  }
  s->rms = sqrt(sum / n);
  s->residual = left / (n - m);
  for (int j = m - 1; j >= 0; j--) {
    for (int k = j + 1; k < m; k++) s->beta[j] -= s->R[k * m + j] * s->beta[k];
    s->beta[j] /= s->R[j * m + j];
  }
  return HK_OK;
}

hk_status hk_quadratic_fit(hk_surrogate *s, hk_error *err) {
  s->crossed = s->n > count_terms(s->d, true);
  s->terms = count_terms(s->d, s->crossed);
  if (s->n <= s->terms)
    return hk_fail(err, HK_EINPUT, "a quadratic of %d variables needs more than %d rows, not %d",
                   s->d, s->terms, s->n);
  size_t m = (size_t)s->terms, n = (size_t)s->n;
  double *A = malloc((n * m + 2 * m) * sizeof *A), *tau = A ? A + n * m : NULL;
  s->beta = calloc(m, sizeof *s->beta);
  s->R = calloc(m * m, sizeof *s->R);
  hk_status status = A && s->beta && s->R ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < s->n && !status; i++) {
    double *row = tau + m; /* after tau */
    fill_terms(s, s->u + (size_t)i * (size_t)s->d, row);
    for (size_t j = 0; j < m; j++) A[j * n + (size_t)i] = row[j];
  }
  if (!status) status = solve(s, A, tau, err);
  free(A);
  return status;
}

double hk_quadratic_value(const hk_surrogate *s, const double *u, double *deviation) {
  enum { SMALL = 600 };
  double small[SMALL], *row = s->terms <= SMALL ? small : malloc((size_t)s->terms * sizeof *row);
  if (!row) return NAN;
  fill_terms(s, u, row);
  double z = 0, leverage = 0;
  for (int j = 0; j < s->terms; j++) z += row[j] * s->beta[j];
  if (deviation) { /* h = |R^-T row|^2 */
    for (int j = 0; j < s->terms; j++) {
      for (int k = 0; k < j; k++) row[j] -= s->R[j * s->terms + k] * row[k];
      row[j] /= s->R[j * s->terms + j];
      leverage += row[j] * row[j];
    }
    *deviation = sqrt(s->residual * (1 + leverage));
  }
  if (row != small) free(row);
  return z;
}
