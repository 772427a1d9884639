/* Linear solvers for systems without a solution, or with none unless rows of different blocks are exchanged:
 * the message names the cause.  Inconsistent patterns and matrices are rejected. */
#include "support/block_model.h"
#include <limits.h>

/* A body without mass, held by six constraint rows: it needs pivoting across blocks. */
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

/* Row `row` of the last joint is a copy of another of its rows, or zero: the message names this joint. */
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
        /* recovers with regular values */
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
  /* A change of 1e-4 makes it regular, and the growth factor shows how nearly singular it is. */
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

static void test_refuses_bad_input(void **state) {
  (void)state;
  int size[] = {3, 7}, good[] = {3, 6}, zero[] = {0, 1}, vast[] = {INT_MAX, 1};
  const uint8_t multiplier[] = {0, 1};
  assert_null(hk_block_pattern_create(2, size, multiplier));
  assert_null(hk_block_pattern_create(2, vast, NULL));
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
      cmocka_unit_test(test_massless),          cmocka_unit_test(test_singular_row),
      cmocka_unit_test(test_redundant_joint),   cmocka_unit_test(test_not_finite),
      cmocka_unit_test(test_refuses_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
