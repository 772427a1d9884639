/* Scalar sparse LU with partial pivoting by KLU.
 *
 * Every factorization chooses its pivots again. klu_refactor, which reuses the pivots of the
 * first factorization, would be 3.5 times cheaper. But then the factorization, and so the
 * continuation of a run from a saved state, would depend on all previous matrices. */
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/linear_solver.h"

#define SINGULAR 1e-14 /* smallest reciprocal condition estimate */

typedef struct klu_solver {
  hk_linear_solver head;
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  int *column_start, *row;
  double *value;
  size_t *from; /* value[k] = m->value[from[k]] */
} klu_solver;

static void destroy(hk_linear_solver *s) {
  klu_solver *k = (klu_solver *)s;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
  free(k->column_start);
  free(k->row);
  free(k->value);
  free(k->from);
  free(k);
}

/* Returns the row, in the original order, at which the factorization failed. KLU reports a column. The row with the
 * same number belongs to the same joint or body, so its number is returned. */
static hk_status singular(klu_solver *k, int row) {
  k->head.singular_row = row >= 0 && row < k->head.pattern->rows ? row : 0;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  return HK_RETRY;
}

static hk_status factor_anew(klu_solver *k) {
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  k->numeric = klu_factor(k->column_start, k->row, k->value, k->symbolic, &k->common);
  if (k->common.status == KLU_OUT_OF_MEMORY) return HK_ENOMEM;
  if (!k->numeric || k->common.status != KLU_OK) return singular(k, k->common.singular_col);
  klu_rgrowth(k->column_start, k->row, k->value, k->symbolic, k->numeric, &k->common);
  return HK_OK;
}

/* Returns the column of the matrix with the smallest pivot (KLU reports permuted columns). */
static int weakest_column(const klu_solver *k) {
  const double *u = k->numeric->Udiag;
  int n = k->head.pattern->rows, weakest = 0;
  for (int j = 1; j < n; j++)
    if (!(fabs(u[j]) >= fabs(u[weakest]))) weakest = j;
  return k->symbolic->Q[weakest];
}

static hk_status factor(hk_linear_solver *s, const hk_block_matrix *m) {
  klu_solver *k = (klu_solver *)s;
  s->singular_row = -1;
  s->growth = INFINITY;
  int n = s->pattern->rows, nnz = k->column_start[n];
  if (n == 0) {
    s->growth = 1;
    return HK_OK;
  }
  for (int e = 0; e < nnz; e++) {
    k->value[e] = m->value[k->from[e]];
    if (!isfinite(k->value[e])) return singular(k, k->row[e]);
  }
  hk_status status = factor_anew(k);
  if (status) return status;
  s->growth = k->common.rgrowth > 0 ? 1 / k->common.rgrowth : INFINITY;
  klu_rcond(k->symbolic, k->numeric, &k->common);
  if (!(k->common.rcond > SINGULAR)) return singular(k, weakest_column(k));
  return HK_OK;
}

static void solve(hk_linear_solver *s, double *x) {
  klu_solver *k = (klu_solver *)s;
  if (k->numeric) klu_solve(k->symbolic, k->numeric, s->pattern->rows, 1, x, &k->common);
}

static void poison(hk_linear_solver *s) {
  klu_solver *k = (klu_solver *)s;
  int n = s->pattern->rows, nnz = k->column_start[n];
  for (int e = 0; e < nnz; e++) k->value[e] = NAN;
  if (!k->numeric) return;
  for (int i = 0; i < n; i++) ((double *)k->numeric->Udiag)[i] = NAN;
}

static const hk_linear_solver_type klu_type = {"klu", factor, solve, destroy, poison};

/* Builds compressed columns from block rows; the pattern is symmetric, so block column j is block
 * row j transposed. */
static void fill_columns(klu_solver *k, const hk_block_pattern *p) {
  int nnz = 0;
  for (int j = 0; j < p->nb; j++)
    for (int c = 0; c < p->size[j]; c++) {
      k->column_start[p->offset[j] + c] = nnz;
      for (int e = p->row_start[j]; e < p->row_start[j + 1]; e++) {
        int i = p->column[e];
        size_t block = p->value_start[hk_block_pattern_find(p, i, j)];
        for (int r = 0; r < p->size[i]; r++) {
          k->row[nnz] = p->offset[i] + r;
          k->from[nnz++] = block + (size_t)r * p->size[j] + (size_t)c;
        }
      }
    }
  k->column_start[p->rows] = nnz;
}

hk_status hk_klu_solver_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  *out = NULL;
  if (p->n_value > INT32_MAX) return hk_fail(err, HK_EINPUT, "the matrix is too large for KLU");
  klu_solver *k = calloc(1, sizeof *k);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory: linear solver");
  k->head = (hk_linear_solver){.type = &klu_type, .pattern = p, .singular_row = -1, .growth = 1};
  klu_defaults(&k->common);
  k->column_start = malloc(((size_t)p->rows + 1) * sizeof *k->column_start);
  k->row = malloc((p->n_value + 1) * sizeof *k->row);
  k->value = malloc((p->n_value + 1) * sizeof *k->value);
  k->from = malloc((p->n_value + 1) * sizeof *k->from);
  if (k->column_start && k->row && k->value && k->from) {
    fill_columns(k, p);
    if (p->rows > 0) k->symbolic = klu_analyze(p->rows, k->column_start, k->row, &k->common);
    if (p->rows == 0 || k->symbolic) {
      *out = &k->head;
      return HK_OK;
    }
  }
  destroy(&k->head);
  return hk_fail(err, HK_ENOMEM, "out of memory: KLU analysis of a matrix of %d rows", p->rows);
}
