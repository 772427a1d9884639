/* Linear solvers against dense LAPACK on random and mechanism-like block systems. */
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
#include <time.h>

#include "solve/block_kernel.h"
#include "solve/linear_solver.h"
#include "solve/ordering.h"

static uint64_t seed;
static double uniform(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}
static int below(int n) { return (int)((uniform() + 1) / 2 * n) % n; }

typedef struct model {
  int nb, size[4000];
  uint8_t multiplier[4000];
  hk_block_pattern *p;
  hk_block_matrix *m;
} model;

static model *model_new(void) {
  model *s = calloc(1, sizeof *s);
  assert_non_null(s);
  return s;
}

static int add_block(model *s, int size, bool multiplier) {
  s->size[s->nb] = size;
  s->multiplier[s->nb] = multiplier;
  return s->nb++;
}

static void start(model *s) {
  s->p = hk_block_pattern_create(s->nb, s->size, s->multiplier);
  assert_non_null(s->p);
}

static void couple(model *s, int i, int j) {
  assert_int_equal(hk_block_pattern_add(s->p, i, j), HK_OK);
}

/* Node blocks: diagonally dominant, unsymmetric; G^T differs from the transpose of G by 1 %. */
static void fill(model *s) {
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

static void finish(model *s) {
  assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
  s->m = hk_block_matrix_create(s->p);
  assert_non_null(s->m);
  fill(s);
}

static void model_free(model *s) {
  hk_block_matrix_free(s->m);
  hk_block_pattern_free(s->p);
  free(s);
}

static double *dense_of(const hk_block_matrix *m) {
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

/* Relative error of s against dgesv, largest entry. */
static double error_against_lapack(hk_linear_solver *s, const hk_block_matrix *m) {
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
static void check_model(model *s, double tolerance) {
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

static void test_one_row(void **state) {
  (void)state;
  for (int size = 1; size <= 6; size++) {
    model *s = model_new();
    add_block(s, size, false);
    start(s);
    finish(s);
    check_model(s, 1e-14);
    model_free(s);
  }
}

static void test_empty(void **state) {
  (void)state;
  model *s = model_new();
  start(s);
  finish(s);
  hk_linear_solver_kind kind[] = {HK_SOLVER_AUTO, HK_SOLVER_BLOCK, HK_SOLVER_KLU};
  for (int k = 0; k < 3; k++) {
    hk_linear_solver *solver;
    double x = 1;
    assert_int_equal(hk_linear_solver_create(s->p, kind[k], &solver, NULL), HK_OK);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    hk_linear_solver_solve(solver, &x);
    assert_true(x == 1);
    hk_linear_solver_destroy(solver);
  }
  model_free(s);
}

/* Nodes of 1..6 rows in a random graph; a joint holds at most a third of the rows of its nodes, so
 * that constraints stay independent. */
static void test_random(void **state) {
  (void)state;
  for (int trial = 0; trial < 60; trial++) {
    model *s = model_new();
    int nodes = 1 + below(25), joints = below(nodes + 1), springs = below(nodes + 1);
    for (int i = 0; i < nodes; i++) add_block(s, 1 + below(6), false);
    int left[4000], link[4000][2], n_link = 0;
    for (int i = 0; i < nodes; i++) left[i] = s->size[i] - 1;
    for (int k = 0; k < joints; k++) {
      int a = below(nodes), b = below(nodes), room = left[a] < left[b] ? left[a] : left[b];
      if (room < 1) continue;
      int rows = 1 + below(room);
      left[a] -= rows;
      if (b != a) left[b] -= rows;
      link[n_link][0] = a;
      link[n_link++][1] = b;
      add_block(s, rows, true);
    }
    start(s);
    for (int k = 0; k < n_link; k++)
      couple(s, nodes + k, link[k][0]), couple(s, link[k][1], nodes + k);
    for (int k = 0; k < springs; k++) couple(s, below(nodes), below(nodes));
    finish(s);
    check_model(s, 1e-10);
    model_free(s);
  }
}

static model *chain(int n, int rows) {
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

static void test_chain(void **state) {
  (void)state;
  for (int rows = 1; rows <= 5; rows++)
    for (int n = 1; n <= 33; n += 8) {
      model *s = chain(n, rows);
      check_model(s, 1e-10);
      model_free(s);
    }
}

static void test_tree_and_star(void **state) {
  (void)state;
  for (int arity = 1; arity <= 40; arity += 13) {
    model *s = model_new();
    int n = 41;
    for (int i = 0; i < n; i++) add_block(s, i % 3 ? 6 : 3, false);
    for (int i = 1; i < n; i++) add_block(s, 1 + i % 2, true);
    start(s);
    for (int i = 1; i < n; i++) couple(s, n + i - 1, i), couple(s, n + i - 1, (i - 1) / arity);
    finish(s);
    check_model(s, 1e-10);
    model_free(s);
  }
}

/* Balls that touch a common border (cage and rings): an arrow without multipliers. */
static void test_arrow(void **state) {
  (void)state;
  model *s = model_new();
  for (int i = 0; i < 11; i++) add_block(s, 6, false);
  start(s);
  for (int i = 0; i < 8; i++)
    for (int b = 8; b < 11; b++) couple(s, i, b);
  couple(s, 8, 9);
  couple(s, 9, 10);
  finish(s);
  check_model(s, 1e-12);
  model_free(s);
}

/* Everything coupled to everything: one front, panels of every length. */
static void test_dense(void **state) {
  (void)state;
  for (int n = 3; n <= 14; n++) {
    model *s = model_new();
    for (int i = 0; i < n; i++) add_block(s, 1 + i % 6, false);
    add_block(s, 3, true);
    start(s);
    for (int i = 0; i <= n; i++)
      for (int j = 0; j < i; j++) couple(s, i, j);
    finish(s);
    check_model(s, 1e-10);
    model_free(s);
  }
}

/* A node block that needs row exchanges inside. */
static void test_exchange_inside_block(void **state) {
  (void)state;
  model *s = chain(5, 2);
  for (int i = 0; i < 5; i++) {
    double *a = hk_block_matrix_at(s->m, i, i, NULL);
    memset(a, 0, 36 * sizeof *a);
    for (int r = 0; r < 6; r++) a[r * 6 + (r + 1) % 6] = 2 + r, a[r * 6 + r] = r ? 1e-9 : 0;
  }
  const hk_block_kernel *kernel[] = {&hk_block_kernel_portable, hk_block_kernel_avx2()};
  for (int k = 0; k < 2; k++) {
    hk_linear_solver *solver;
    if (!kernel[k]) continue;
    assert_int_equal(hk_block_lu_create_with(s->p, kernel[k], &solver, NULL), HK_OK);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    assert_true(error_against_lapack(solver, s->m) < 1e-10);
    hk_linear_solver_destroy(solver);
  }
  model_free(s);
}

/* A body without mass, held by six constraint rows: only pivoting across blocks can do it. */
static void test_massless(void **state) {
  (void)state;
  model *s = model_new();
  for (int i = 0; i < 3; i++) add_block(s, 6, false);
  add_block(s, 6, true);
  start(s);
  couple(s, 3, 0);
  couple(s, 3, 1);
  couple(s, 1, 2);
  finish(s);
  memset(hk_block_matrix_at(s->m, 0, 0, NULL), 0, 36 * sizeof(double));
  hk_linear_solver *solver;
  assert_int_equal(hk_linear_solver_create(s->p, HK_SOLVER_BLOCK, &solver, NULL), HK_OK);
  assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_RETRY);
  assert_true(solver->singular_row >= 0 && solver->singular_row < 6);
  hk_linear_solver_destroy(solver);
  hk_linear_solver_kind able[] = {HK_SOLVER_KLU, HK_SOLVER_AUTO};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(hk_linear_solver_create(s->p, able[k], &solver, NULL), HK_OK);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    assert_int_equal(solver->singular_row, -1);
    assert_true(error_against_lapack(solver, s->m) < 1e-10);
    hk_linear_solver_destroy(solver);
  }
  model_free(s);
}

/* Row `row` of the last joint copies another row of it, or is zero: that joint is named. */
static void test_singular_row(void **state) {
  (void)state;
  for (int zero = 0; zero < 2; zero++)
    for (int joint = 0; joint < 6; joint++) {
      model *s = chain(6, 3);
      int block = 6 + joint;
      for (int node = joint ? joint - 1 : 0; node <= joint; node++) {
        double *g = hk_block_matrix_at(s->m, block, node, NULL);
        double *t = hk_block_matrix_at(s->m, node, block, NULL);
        for (int c = 0; c < 6; c++) {
          g[12 + c] = zero ? 0 : g[c];
          t[3 * c + 2] = zero ? 0 : t[3 * c];
        }
      }
      hk_linear_solver_kind kind[] = {HK_SOLVER_BLOCK, HK_SOLVER_KLU, HK_SOLVER_AUTO};
      for (int k = 0; k < 3; k++) {
        hk_linear_solver *solver;
        assert_int_equal(hk_linear_solver_create(s->p, kind[k], &solver, NULL), HK_OK);
        assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_RETRY);
        if (kind[k] == HK_SOLVER_BLOCK)
          assert_int_equal(hk_block_pattern_block_of_row(s->p, solver->singular_row), block);
        assert_in_range(solver->singular_row, 0, s->p->rows - 1);
        /* recovers with good values */
        fill(s);
        assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
        assert_true(error_against_lapack(solver, s->m) < 1e-10);
        hk_linear_solver_destroy(solver);
        for (int node = joint ? joint - 1 : 0; node <= joint; node++) {
          double *g = hk_block_matrix_at(s->m, block, node, NULL);
          double *t = hk_block_matrix_at(s->m, node, block, NULL);
          for (int c = 0; c < 6; c++)
            g[12 + c] = zero ? 0 : g[c], t[3 * c + 2] = zero ? 0 : t[3 * c];
        }
      }
      model_free(s);
    }
}

/* Two joints with the same rows: the dependence appears only after the first is eliminated. */
static void test_redundant_joint(void **state) {
  (void)state;
  model *s = model_new();
  for (int i = 0; i < 2; i++) add_block(s, 6, false);
  for (int i = 0; i < 2; i++) add_block(s, 4, true);
  start(s);
  for (int i = 0; i < 2; i++) couple(s, 0, 2 + i), couple(s, 1, 2 + i);
  finish(s);
  for (int node = 0; node < 2; node++) {
    memcpy(hk_block_matrix_at(s->m, 3, node, NULL), hk_block_matrix_at(s->m, 2, node, NULL),
           24 * sizeof(double));
    memcpy(hk_block_matrix_at(s->m, node, 3, NULL), hk_block_matrix_at(s->m, node, 2, NULL),
           24 * sizeof(double));
  }
  hk_linear_solver *solver;
  assert_int_equal(hk_linear_solver_create(s->p, HK_SOLVER_BLOCK, &solver, NULL), HK_OK);
  assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_RETRY);
  assert_true(solver->singular_row >= 12);
  /* A change of 1e-4 makes it regular, and the growth says how close it is. */
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 6; c++) {
      double d = 1e-4 * uniform();
      hk_block_matrix_at(s->m, 3, 0, NULL)[r * 6 + c] += d;
      hk_block_matrix_at(s->m, 0, 3, NULL)[c * 4 + r] += d;
    }
  assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
  assert_true(solver->growth > 1e6 && solver->growth < 1e13);
  hk_linear_solver_destroy(solver);
  model_free(s);
}

static void test_not_finite(void **state) {
  (void)state;
  double bad[] = {NAN, INFINITY};
  for (int b = 0; b < 2; b++)
    for (int kind = HK_SOLVER_AUTO; kind <= HK_SOLVER_KLU; kind++) {
      model *s = chain(7, 5);
      hk_linear_solver *solver;
      assert_int_equal(hk_linear_solver_create(s->p, (hk_linear_solver_kind)kind, &solver, NULL),
                       HK_OK);
      for (size_t k = 0; k < s->m->n_value; k += 5) {
        double keep = s->m->value[k];
        s->m->value[k] = bad[b];
        assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_RETRY);
        assert_in_range(solver->singular_row, 0, s->p->rows - 1);
        s->m->value[k] = keep;
      }
      assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
      assert_true(error_against_lapack(solver, s->m) < 1e-10);
      hk_linear_solver_destroy(solver);
      model_free(s);
    }
}

/* Same matrix, same bits: whatever was factored in between, and in a second solver. */
static void test_repeats_bitwise(void **state) {
  (void)state;
  model *s = chain(20, 4);
  int n = s->p->rows;
  double *first = malloc((size_t)n * sizeof *first), *x = malloc((size_t)n * sizeof *x);
  double *value = malloc(s->m->n_value * sizeof *value);
  memcpy(value, s->m->value, s->m->n_value * sizeof *value);
  hk_linear_solver *solver[2];
  for (int k = 0; k < 2; k++)
    assert_int_equal(hk_linear_solver_create(s->p, HK_SOLVER_BLOCK, &solver[k], NULL), HK_OK);
  for (int k = 0; k < 6; k++) {
    hk_linear_solver *use = solver[k % 2];
    fill(s);
    if (k == 3) s->m->value[0] = NAN;
    hk_linear_solver_factor(use, s->m);
    memcpy(s->m->value, value, s->m->n_value * sizeof *value);
    assert_int_equal(hk_linear_solver_factor(use, s->m), HK_OK);
    for (int i = 0; i < n; i++) x[i] = sin(i);
    hk_linear_solver_solve(use, x);
    if (k == 0) memcpy(first, x, (size_t)n * sizeof *x);
    assert_memory_equal(first, x, (size_t)n * sizeof *x);
  }
  hk_linear_solver_destroy(solver[0]);
  hk_linear_solver_destroy(solver[1]);
  free(first), free(x), free(value);
  model_free(s);
}

/* A chain of bodies with masses 10^(+-3) kg, radii of gyration `gyration` and joints at arms of
 * 0.1 m. */
static model *scaled_chain(double gyration) {
  model *s = chain(12, 5);
  for (int i = 0; i < 12; i++) {
    double *a = hk_block_matrix_at(s->m, i, i, NULL), mass = pow(10, 3 * uniform()), d[6];
    for (int k = 0; k < 6; k++) d[k] = mass * (k < 3 ? 1 : gyration * gyration);
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++) a[r * 6 + c] *= sqrt(d[r] * d[c]);
    for (int joint = i; joint <= i + 1 && joint < 12; joint++) {
      double *g = hk_block_matrix_at(s->m, 12 + joint, i, NULL);
      double *t = hk_block_matrix_at(s->m, i, 12 + joint, NULL);
      for (int r = 0; r < 5; r++)
        for (int c = 3; c < 6; c++) g[r * 6 + c] *= 0.1, t[c * 5 + r] *= 0.1;
    }
  }
  return s;
}

/* Largest error of the velocities, relative to the largest. */
static double error_of_known(hk_linear_solver *solver, const hk_block_matrix *m) {
  int n = m->pattern->rows;
  double *x = malloc((size_t)n * sizeof *x), *b = malloc((size_t)n * sizeof *b), error = 0;
  for (int i = 0; i < n; i++) x[i] = uniform();
  hk_block_matrix_multiply(m, x, b);
  hk_linear_solver_solve(solver, b);
  for (int i = 0; i < m->pattern->offset[12]; i++) error = fmax(error, fabs(x[i] - b[i]));
  free(x), free(b);
  return error;
}

/* Mass ratios of a million do no harm.  Eliminating bodies first does lose digits as the square of
 * arm / gyration; the growth shows it and AUTO changes to KLU. */
static void test_badly_scaled(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    model *s = scaled_chain(k ? 1e-7 : 0.03);
    hk_linear_solver *solver;
    assert_int_equal(hk_linear_solver_create(s->p, HK_SOLVER_AUTO, &solver, NULL), HK_OK);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    double error = error_of_known(solver, s->m);
    if (!(error < 1e-9))
      fail_msg("gyration case %d: error %g, growth %g", k, error, solver->growth);
    hk_linear_solver_destroy(solver);
    assert_int_equal(hk_linear_solver_create(s->p, HK_SOLVER_BLOCK, &solver, NULL), HK_OK);
    hk_status status = hk_linear_solver_factor(solver, s->m);
    print_message("gyration case %d: block status %d, growth %g, error %g\n", k, status,
                  solver->growth, status ? INFINITY : error_of_known(solver, s->m));
    if (k == 0) {
      assert_int_equal(status, HK_OK);
      assert_true(error_of_known(solver, s->m) < 1e-9);
    } else {
      assert_true(status == HK_RETRY || solver->growth > 1e9);
    }
    hk_linear_solver_destroy(solver);
    model_free(s);
  }
}

/* Fill of every pivot = later neighbours in the graph of a dense symbolic elimination; and a
 * multiplier never before its nodes. */
static void test_ordering(void **state) {
  (void)state;
  for (int trial = 0; trial < 30; trial++) {
    model *s = model_new();
    int n = 2 + below(60);
    for (int i = 0; i < n; i++) add_block(s, 1 + below(6), i > n / 2);
    start(s);
    for (int k = 0; k < 3 * n / 2; k++) couple(s, below(n), below(n));
    assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
    hk_ordering *o;
    assert_int_equal(hk_ordering_create(s->p, &o), HK_OK);
    uint8_t *edge = calloc((size_t)(n * n), 1), *gone = calloc((size_t)n, 1);
    for (int i = 0; i < n; i++)
      for (int e = s->p->row_start[i]; e < s->p->row_start[i + 1]; e++)
        edge[i * n + s->p->column[e]] = 1;
    for (int k = 0; k < n; k++) {
      int p = o->order[k];
      assert_int_equal(o->position[p], k);
      assert_false(gone[p]);
      gone[p] = 1;
      if (s->multiplier[p])
        for (int e = s->p->row_start[p]; e < s->p->row_start[p + 1]; e++)
          assert_true(s->multiplier[s->p->column[e]] || gone[s->p->column[e]]);
      size_t count = 0;
      for (int i = 0; i < n; i++) count += edge[p * n + i] && !gone[i];
      assert_int_equal(count, o->fill_start[k + 1] - o->fill_start[k]);
      for (size_t f = o->fill_start[k]; f < o->fill_start[k + 1]; f++) {
        assert_true(edge[p * n + o->fill[f]] && !gone[o->fill[f]]);
        for (size_t g = o->fill_start[k]; g < o->fill_start[k + 1]; g++)
          edge[o->fill[f] * n + o->fill[g]] = 1;
      }
    }
    free(edge), free(gone);
    hk_ordering_free(o);
    model_free(s);
  }
}

/* Analysis time of a chain, a grid and a star of about 4000 blocks. */
static void test_ordering_time(void **state) {
  (void)state;
  for (int shape = 0; shape < 3; shape++) {
    model *s = model_new();
    int n = shape == 2 ? 3969 : 4000, side = 63;
    for (int i = 0; i < n; i++) add_block(s, 6, shape == 1 && i >= n / 2);
    start(s);
    for (int i = 0; i < n; i++) {
      if (shape == 0 && i) couple(s, i, i - 1);
      if (shape == 1 && i >= n / 2) couple(s, i, i - n / 2);
      if (shape == 1 && i > n / 2) couple(s, i, i - n / 2 - 1);
      if (shape == 2 && i % side) couple(s, i, i - 1);
      if (shape == 2 && i >= side) couple(s, i, i - side);
    }
    assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
    hk_front_plan *plan;
    clock_t t0 = clock();
    assert_int_equal(hk_front_plan_create(s->p, &plan, NULL), HK_OK);
    double seconds = (double)(clock() - t0) / CLOCKS_PER_SEC;
    print_message("shape %d: %d blocks analysed in %.1f ms, %.1f doubles per row\n", shape, n,
                  1e3 * seconds, (double)plan->n_storage / s->p->rows);
    /* A linear amount of fill for the chains; a grid of n blocks needs about 8 n log2(n). */
    assert_true((double)plan->n_storage / s->p->rows < (shape == 2 ? 900 : 60));
    hk_front_plan_free(plan);
    model_free(s);
  }
}

static void test_refuses_bad_input(void **state) {
  (void)state;
  int size[] = {3, 7}, good[] = {3, 6}, zero[] = {0, 1};
  assert_null(hk_block_pattern_create(2, size, NULL));
  assert_null(hk_block_pattern_create(2, zero, NULL));
  assert_null(hk_block_pattern_create(-1, good, NULL));
  hk_block_pattern *p = hk_block_pattern_create(2, good, NULL);
  assert_non_null(p);
  assert_int_equal(hk_block_pattern_add(p, 0, 2), HK_EINPUT);
  assert_int_equal(hk_block_pattern_add(p, -1, 0), HK_EINPUT);
  hk_linear_solver *solver;
  hk_error err;
  assert_int_equal(hk_linear_solver_create(p, HK_SOLVER_AUTO, &solver, &err), HK_EINPUT);
  assert_null(solver);
  assert_null(hk_block_matrix_create(p));
  assert_int_equal(hk_block_pattern_finish(p), HK_OK);
  assert_int_equal(hk_block_pattern_finish(p), HK_EINPUT);
  assert_int_equal(hk_block_pattern_add(p, 0, 1), HK_EINPUT);
  assert_int_equal(hk_block_pattern_find(p, 0, 1), -1);
  assert_int_equal(hk_block_pattern_block_of_row(p, 2), 0);
  assert_int_equal(hk_block_pattern_block_of_row(p, 3), 1);
  assert_int_equal(hk_block_pattern_block_of_row(p, 9), -1);
  hk_block_pattern_free(p);
}

int main(void) {
  seed = 88172645463325252u;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_row),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_tree_and_star),
      cmocka_unit_test(test_arrow),
      cmocka_unit_test(test_dense),
      cmocka_unit_test(test_exchange_inside_block),
      cmocka_unit_test(test_massless),
      cmocka_unit_test(test_singular_row),
      cmocka_unit_test(test_redundant_joint),
      cmocka_unit_test(test_not_finite),
      cmocka_unit_test(test_repeats_bitwise),
      cmocka_unit_test(test_badly_scaled),
      cmocka_unit_test(test_ordering),
      cmocka_unit_test(test_ordering_time),
      cmocka_unit_test(test_refuses_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
