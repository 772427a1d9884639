/* Anderson's mixing: see anderson.h. */
#include "analysis/anderson.h"
#include "analysis/dense_matrix.h"
#include <stdlib.h>
#include <string.h>

hk_status hk_anderson_create(hk_anderson *a, int n, hk_error *err) {
  size_t size = (size_t)n, depth = HK_ANDERSON_DEPTH + 1;
  *a = (hk_anderson){.n = n, .y = calloc((3 * depth + 1) * size + depth, sizeof *a->y)};
  if (!a->y) return hk_fail(err, HK_ENOMEM, "out of memory");
  a->r = a->y + depth * size;
  a->A = a->r + depth * size;
  a->c = a->A + depth * size;
  return HK_OK;
}

void hk_anderson_free(hk_anderson *a) {
  free(a->y);
  *a = (hk_anderson){0};
}

void hk_anderson_forget(hk_anderson *a) { a->used = 0; }

hk_status hk_anderson_next(hk_anderson *a, const double *y, const double *g, double *next,
                           hk_error *err) {
  size_t n = (size_t)a->n, row = n * sizeof *y;
  memmove(a->y + n, a->y, HK_ANDERSON_DEPTH * row);
  memmove(a->r + n, a->r, HK_ANDERSON_DEPTH * row);
  memcpy(a->y, y, row);
  for (size_t i = 0; i < n; i++) a->r[i] = g[i] - y[i];
  if (a->used <= HK_ANDERSON_DEPTH) a->used++;
  memcpy(next, g, row);
  int m = a->used - 1;
  if (m > a->n) m = a->n;
  if (m < 1) return HK_OK;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      a->A[i * (size_t)m + (size_t)k] = a->r[(size_t)k * n + i] - a->r[(size_t)(k + 1) * n + i];
  hk_svd svd;
  hk_status status = hk_svd_make(a->A, a->n, m, 1e-8, &svd, err);
  if (status) return status;
  hk_svd_solve(&svd, a->r, a->c);
  hk_svd_free(&svd);
  for (int k = 0; k < m; k++)
    for (size_t i = 0; i < n; i++) {
      double dy = a->y[(size_t)k * n + i] - a->y[(size_t)(k + 1) * n + i];
      double dr = a->r[(size_t)k * n + i] - a->r[(size_t)(k + 1) * n + i];
      next[i] -= a->c[k] * (dy + dr);
    }
  return HK_OK;
}
