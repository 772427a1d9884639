/* The scalar sparse LU that FMUs use instead of KLU: it gives the same solutions and rejects the
 * same matrices. */
#include "support/block_model.h"

static hk_linear_solver *pivot_lu(const model *s) {
  hk_linear_solver *solver;
  assert_int_equal(hk_pivot_lu_create(s->p, &solver, NULL), HK_OK);
  return solver;
}

/* Chains of several sizes; a second factorization is bit-identical to the first. */
static void test_solves(void **state) {
  (void)state;
  for (int bodies = 1; bodies <= 40; bodies += 3) {
    model *s = chain(bodies, 5);
    hk_linear_solver *solver = pivot_lu(s);
    size_t n = (size_t)s->p->rows;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    assert_true(error_against_lapack(solver, s->m) < 1e-10);
    for (size_t i = 0; i < n; i++) x[i] = y[i] = uniform();
    hk_linear_solver_solve(solver, x);
    hk_linear_solver_poison(solver);
    assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
    hk_linear_solver_solve(solver, y);
    assert_memory_equal(x, y, n * sizeof *x);
    free(x);
    free(y);
    hk_linear_solver_destroy(solver);
    model_free(s);
  }
}

/* A body without mass, held by six constraint rows: the pivots are outside of the diagonal blocks. */
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
  hk_linear_solver *solver = pivot_lu(s);
  assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
  assert_int_equal(solver->singular_row, -1);
  assert_true(error_against_lapack(solver, s->m) < 1e-10);
  hk_linear_solver_destroy(solver);
  model_free(s);
}

/* A joint with two equal rows, a row of zeros or a row with NaN; regular values afterwards. */
static void test_singular(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++)
    for (int joint = 0; joint < 6; joint++) {
      model *s = chain(6, 3);
      for (int node = joint ? joint - 1 : 0; node <= joint; node++) {
        double *g = hk_block_matrix_at(s->m, 6 + joint, node, NULL);
        double *t = hk_block_matrix_at(s->m, node, 6 + joint, NULL);
        for (int c = 0; c < 6; c++) {
          g[12 + c] = kind == 0 ? 0 : kind == 1 ? g[c] : NAN;
          t[3 * c + 2] = kind == 0 ? 0 : t[3 * c];
        }
      }
      hk_linear_solver *solver = pivot_lu(s);
      assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_RETRY);
      assert_in_range(solver->singular_row, 0, s->p->rows - 1);
      fill(s);
      assert_int_equal(hk_linear_solver_factor(solver, s->m), HK_OK);
      assert_true(error_against_lapack(solver, s->m) < 1e-10);
      hk_linear_solver_destroy(solver);
      model_free(s);
    }
}

int main(void) {
  seed = 3;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves), cmocka_unit_test(test_massless),
                                     cmocka_unit_test(test_singular)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
