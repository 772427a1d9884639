/* Removes zero eigenvalues, one null space after the other.
 *
 * A free motion is a double zero with one eigenvector; a cyclic coordinate (the distance travelled by a vehicle)
 * makes longer chains.  Rounding spreads a chain of length k to eps^(1/k): the zeros of a chain of
 * length four become 1e-4, which hides slow instabilities or looks like one.  With V0 a basis of
 * the null space of A and V1 its complement,
 *   [V0 V1]^T A [V0 V1] = [ 0  A01 ]
 *                         [ 0  A11 ]
 * the zeros of V0 are exact and A11 has the other eigenvalues.  This is repeated until A11 is regular.  An
 * eigenvector y of A11 gives the eigenvector V1 y + V0 A01 y/s of A. */
#include "analysis/deflate.h"
#include "analysis/dense_matrix.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8 };

typedef struct level {
  int n, zeros;
  double *Q;   /* [n][n]: V0, V1 */
  double *A01; /* [zeros][n - zeros] */
} level;

typedef struct chain {
  level at[LEVELS];
  int n;
} chain;

static void release(chain *c) {
  for (int i = 0; i < c->n; i++) free(c->at[i].Q);
}

/* Returns an upper bound of the change of singular value k due to errors E of the matrix: |u|^T
 * E |v|, where u and v are its singular vectors. */
static double uncertainty(const hk_svd *svd, const double *E, int k) {
  int n = svd->rows;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++) row += E[(size_t)i * n + j] * fabs(svd->Vt[(size_t)k * n + j]);
    sum += fabs(svd->U[(size_t)i * n + k]) * row;
  }
  return sum;
}

/* Returns the number of non-zero singular values; moves them to the front together with their
 * vectors. */
static int sort_out(hk_svd *svd, const double *E, double least, double *scratch) {
  int n = svd->rows, rank = 0;
  double most = 0;
  for (size_t i = 0; E && i < (size_t)n * (size_t)n; i++) most += E[i];
  for (int k = 0; k < n; k++) {
    if (!(svd->s[k] > least)) continue;
    if (!(svd->s[k] > most) && !(svd->s[k] > uncertainty(svd, E, k))) continue;
    double *a = svd->Vt + (size_t)rank * n, *b = svd->Vt + (size_t)k * n;
    memcpy(scratch, b, (size_t)n * sizeof *b);
    memmove(a + n, a, (size_t)(k - rank) * (size_t)n * sizeof *a);
    memcpy(a, scratch, (size_t)n * sizeof *a);
    rank++;
  }
  return rank;
}

/* Computes the errors E [n][n] of the remaining part: |V1|^T E |V1|. B is scratch memory. */
static void carry_error(double *E, const double *Q, int n, int zeros, double *B) {
  int rank = n - zeros;
  memset(B, 0, (size_t)n * (size_t)rank * sizeof *B);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < rank; j++)
        B[(size_t)i * rank + j] += E[(size_t)i * n + k] * fabs(Q[(size_t)k * n + zeros + j]);
  memset(E, 0, (size_t)rank * (size_t)rank * sizeof *E);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < rank; i++)
      for (int j = 0; j < rank; j++)
        E[(size_t)i * rank + j] += fabs(Q[(size_t)k * n + zeros + i]) * B[(size_t)k * rank + j];
}

/* Removes one null space: overwrites A with A11 [*n][*n], and E with the bounds of the errors of A11. *more: set to
 * false if A is regular, so that nothing was removed. */
static hk_status take_off(chain *c, double *A, double *E, int *n, double least, bool *more,
                          hk_error *err) {
  int size = *n;
  hk_svd svd;
  hk_status status = hk_svd_make(A, size, size, 0, &svd, err);
  if (status) return status;
  double scratch[size];
  int rank = sort_out(&svd, E, least, scratch);
  int zeros = size - rank;
  *more = zeros > 0 && c->n < LEVELS;
  if (*more) {
    level *l = &c->at[c->n];
    *l = (level){.n = size, .zeros = zeros};
    l->Q = malloc(((size_t)size * (size_t)size + (size_t)zeros * (size_t)rank + 1) * sizeof *l->Q);
    double *B = malloc((2 * (size_t)size * (size_t)size + 1) * sizeof *B);
    if (l->Q && B) {
      double *full = B + (size_t)size * (size_t)size;
      l->A01 = l->Q + (size_t)size * (size_t)size;
      c->n++;
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
          l->Q[(size_t)i * size + j] =
              svd.Vt[(size_t)(j < zeros ? rank + j : j - zeros) * size + i];
      hk_dense_project(size, size, size, l->Q, A, l->Q, B, full);
      for (int i = 0; i < size; i++)
        for (int j = zeros; j < size; j++) {
          double a = full[(size_t)i * size + j];
          if (i < zeros)
            l->A01[(size_t)i * rank + j - zeros] = a;
          else
            A[(size_t)(i - zeros) * rank + j - zeros] = a;
        }
      if (E) carry_error(E, l->Q, size, zeros, B);
      *n = rank;
    } else {
      free(l->Q);
      status = hk_fail(err, HK_ENOMEM, "out of memory");
    }
    free(B);
  }
  hk_svd_free(&svd);
  return status;
}

/* Transforms y (columns: real and imaginary part of an eigenvector of the matrix of level k + 1) to level k in place.
 */
static void lift(const level *l, double re, double im, double *a, double *b, double *scratch) {
  int rank = l->n - l->zeros;
  double *x = scratch, *y = x + l->n, size = re * re + im * im;
  for (int i = 0; i < l->zeros; i++) {
    double p = 0, q = 0;
    for (int j = 0; j < rank; j++) {
      p += l->A01[(size_t)i * rank + j] * a[j];
      q += l->A01[(size_t)i * rank + j] * b[j];
    }
    x[i] = (p * re + q * im) / size;
    y[i] = (q * re - p * im) / size;
  }
  memcpy(x + l->zeros, a, (size_t)rank * sizeof *x);
  memcpy(y + l->zeros, b, (size_t)rank * sizeof *y);
  hk_dense_multiply(l->n, 1, l->n, l->Q, x, a);
  hk_dense_multiply(l->n, 1, l->n, l->Q, y, b);
}

/* Computes the eigenvectors of the original matrix from W [m][m], the eigenvectors of the remaining matrix. */
static void put_vectors(const chain *c, int n, int m, const double *re, const double *im,
                        const double *W, double *V, double *scratch) {
  int zeros = n - m;
  double *a = scratch, *b = a + n, *w = b + n;
  for (int j = 0; j < zeros; j++)
    for (int i = 0; i < n; i++) {
      const level *l = &c->at[0];
      V[(size_t)i * n + j] = l->Q[(size_t)i * n + j % l->zeros];
    }
  for (int j = 0; j < m; j++) {
    bool pair = im[zeros + j] != 0;
    for (int i = 0; i < m; i++) {
      a[i] = W[(size_t)i * m + j];
      b[i] = pair ? W[(size_t)i * m + j + 1] : 0;
    }
    for (int k = c->n - 1; k >= 0; k--) lift(&c->at[k], re[zeros + j], im[zeros + j], a, b, w);
    for (int i = 0; i < n; i++) {
      V[(size_t)i * n + zeros + j] = a[i];
      if (pair) V[(size_t)i * n + zeros + j + 1] = b[i];
    }
    j += pair;
  }
}

hk_status hk_deflated_eigen(double *A, double *E, int n, double tol, double *re, double *im,
                            double *V, int *zeros, hk_error *err) {
  chain c = {.n = 0};
  int m = n;
  bool more = n > 0;
  double least = tol * hk_dense_max(A, (size_t)n * (size_t)n);
  hk_status status = HK_OK;
  while (more && m > 0 && !status) status = take_off(&c, A, E, &m, least, &more, err);
  *zeros = n - m;
  memset(re, 0, (size_t)*zeros * sizeof *re);
  memset(im, 0, (size_t)*zeros * sizeof *im);
  double *W = malloc(((size_t)m * (size_t)m + 4 * (size_t)n + 1) * sizeof *W);
  if (!status && !W) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_dense_eigen(A, m, re + *zeros, im + *zeros, V ? W : NULL, err);
  if (!status && V && n > 0) put_vectors(&c, n, m, re, im, W, V, W + (size_t)m * (size_t)m);
  free(W);
  release(&c);
  return status;
}
