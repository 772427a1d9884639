/* Block systems as they occur for mechanisms, with any pattern, and the difference of a solver from dense
 * LAPACK on them. */
#ifndef HK_TEST_BLOCK_MODEL_H
#define HK_TEST_BLOCK_MODEL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/block_kernel.h"
#include "solve/linear_solver.h"

static uint64_t seed;
static inline double uniform(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}
static inline int below(int n) { return (int)((uniform() + 1) / 2 * n) % n; }

typedef struct model {
  int nb, size[4000];
  uint8_t multiplier[4000];
  hk_block_pattern *p;
  hk_block_matrix *m;
} model;

static inline model *model_new(void) {
  model *s = calloc(1, sizeof *s);
  assert_non_null(s);
  return s;
}

static inline int add_block(model *s, int size, bool multiplier) {
  s->size[s->nb] = size;
  s->multiplier[s->nb] = multiplier;
  return s->nb++;
}

static inline void start(model *s) {
  s->p = hk_block_pattern_create(s->nb, s->size, s->multiplier);
  assert_non_null(s->p);
}

static inline void couple(model *s, int i, int j) {
  assert_int_equal(hk_block_pattern_add(s->p, i, j), HK_OK);
}

/* Node blocks: diagonally dominant, unsymmetric; G^T differs from the transpose of G by 1 %. */
static inline void fill(model *s) {
  const hk_block_pattern *p = s->p;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], rows = p->size[i], columns = p->size[j];
      double *a = s->m->value + p->value_start[e];
      if (i == j && p->is_multiplier[i]) continue;
      bool nodes = !p->is_multiplier[i] && !p->is_multiplier[j];
      for (int k = 0; k < rows * columns; k++) a[k] = (nodes ? 0.1 : 1) * uniform();
      if (i == j)
        for (int k = 0; k < rows; k++) a[k * columns + k] = 4 + uniform();
      else if (j < i && !nodes) {
        const double *t = hk_block_matrix_at(s->m, j, i, NULL);
        for (int r = 0; r < rows; r++)
          for (int c = 0; c < columns; c++)
            a[r * columns + c] = t[c * rows + r] * (1 + 0.01 * uniform());
      }
    }
}

static inline void finish(model *s) {
  assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
  s->m = hk_block_matrix_create(s->p);
  assert_non_null(s->m);
  fill(s);
}

static inline void model_free(model *s) {
  hk_block_matrix_free(s->m);
  hk_block_pattern_free(s->p);
  free(s);
}

static inline double *dense_of(const hk_block_matrix *m) {
  const hk_block_pattern *p = m->pattern;
  size_t n = (size_t)p->rows;
  double *a = calloc(n * n + 1, sizeof *a);
  assert_non_null(a);
  for (int i = 0; i < p->nb; i++)
    for (int j = 0; j < p->nb; j++) {
      int stride;
      const double *b = hk_block_matrix_at(m, i, j, &stride);
      for (int r = 0; b && r < p->size[i]; r++)
        for (int c = 0; c < p->size[j]; c++)
          a[(size_t)(p->offset[i] + r) * n + (size_t)(p->offset[j] + c)] = b[r * stride + c];
    }
  return a;
}

/* Relative error of s against dgesv, for the largest entry. */
static inline double error_against_lapack(hk_linear_solver *s, const hk_block_matrix *m) {
  int n = m->pattern->rows;
  double *a = dense_of(m), *b = malloc((size_t)n * sizeof *b), *x = malloc((size_t)n * sizeof *x);
  lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
  for (int i = 0; i < n; i++) b[i] = x[i] = uniform();
  hk_linear_solver_solve(s, x);
  assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a, n, pivot, b, 1), 0);
  double size = 0, error = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i])), error = fmax(error, fabs(b[i] - x[i]));
  free(a), free(b), free(x), free(pivot);
  return error / size;
}

/* All kernels and methods, twice with different values. */
static inline void check_model(model *s, double tolerance) {
  for (int kind = 0; kind < 4; kind++) {
    hk_linear_solver *solver = NULL;
    const hk_block_kernel *fast = hk_block_kernel_avx2();
    if (kind == 1 && !fast) continue;
    hk_status status = kind == 0
                           ? hk_block_lu_create_with(s->p, &hk_block_kernel_portable, &solver, NULL)
                       : kind == 1 ? hk_block_lu_create_with(s->p, fast, &solver, NULL)
                       : kind == 2 ? hk_linear_solver_create(s->p, HK_SOLVER_KLU, &solver, NULL)
                                   : hk_linear_solver_create(s->p, HK_SOLVER_AUTO, &solver, NULL);
    assert_int_equal(status, HK_OK);
    for (int repeat = 0; repeat < 3; repeat++) {
      if (repeat) fill(s);
      assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
      double error = error_against_lapack(solver, s->m);
      if (!(error < tolerance))
        fail_msg("%s, kind %d: error %g, growth %g", solver->type->name, kind, error,
                 solver->growth);
    }
    hk_linear_solver_destroy(solver);
  }
}

static inline model *chain(int n, int rows) {
  model *s = model_new();
  for (int i = 0; i < n; i++) add_block(s, 6, false);
  for (int i = 0; i < n; i++) add_block(s, rows, true);
  start(s);
  for (int i = 0; i < n; i++) {
    couple(s, n + i, i);
    if (i) couple(s, n + i, i - 1);
  }
  finish(s);
  return s;
}
#endif
