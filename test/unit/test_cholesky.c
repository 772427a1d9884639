/* Sparse Cholesky factors and nested dissection: solutions are checked by multiplication with
 * the matrix, the structure by the graph. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reduce/assemble.h"
#include "fe_solve/cholesky.h"
#include "fe_solve/dissection.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_part(hk_part_mesh *m, hk_nodal_matrix *A) {
  const hk_part_material aluminium = {.young = 7e10, .poisson = 0.33, .density = 2700};
  hk_error err = {0};
  assert_int_equal(hk_gmsh_read(HOOKE_SOURCE_DIR "/test/flexible/bracket.msh", 1, m, &err), HK_OK);
  assert_int_equal(hk_part_assemble(m, &aluminium, A, &err), HK_OK);
}

static void test_solution(void **state) {
  (void)state;
  hk_part_mesh m = {0};
  hk_nodal_matrix A;
  hk_error err = {0};
  read_part(&m, &A);
  size_t n = 3 * (size_t)A.n;
  enum { VECTORS = 19 };
  double *b = malloc(sizeof *b * n * VECTORS), *u = malloc(sizeof *u * n * VECTORS),
         *r = malloc(sizeof *r * n * VECTORS);
  unsigned char *held = calloc((size_t)A.n, 1);
  hk_nodal_spring *spring = calloc(n, sizeof *spring);
  int springs = 0;
  assert_true(b && u && r && held && spring);
  for (int way = 0; way < 2; way++) { /* a held surface, springs */
    const hk_part_set *hub = hk_part_mesh_set(&m, "hub");
    for (int i = 0; i < hub->n; i++)
      if (way == 0)
        held[hub->node[i]] = 1;
      else
        for (int d = 0; d < 3; d++) {
          spring[springs] = (hk_nodal_spring){.node = hub->node[i], .stiffness = 1e9};
          spring[springs].direction[d] = 0.6, spring[springs++].direction[(d + 1) % 3] = 0.8;
        }
    hk_cholesky_task task = {.A = &A,
                             .x = (const double(*)[3])m.x,
                             .held = way ? NULL : held,
                             .n_springs = springs,
                             .spring = spring};
    hk_cholesky *c;
    assert_int_equal(hk_cholesky_create(&task, &c, NULL, &err), HK_OK);
    for (size_t i = 0; i < n * VECTORS; i++) b[i] = u[i] = sin(0.37 * (double)i);
    assert_int_equal(hk_cholesky_solve(c, VECTORS, u, &err), HK_OK);
    hk_nodal_stiffness_times(&A, u, VECTORS, r);
    for (int v = 0; v < VECTORS; v++)
      for (int k = 0; k < springs; k++) {
        size_t at = (size_t)v * n + 3 * (size_t)spring[k].node;
        double stretch = 0;
        for (int d = 0; d < 3; d++) stretch += spring[k].direction[d] * u[at + (size_t)d];
        for (int d = 0; d < 3; d++) r[at + (size_t)d] += 1e9 * stretch * spring[k].direction[d];
      }
    double error = 0, size = 0;
    for (size_t i = 0; i < n * VECTORS; i++) {
      if (way == 0 && held[i / 3 % (size_t)A.n]) {
        assert_true(u[i] == 0);
        continue;
      }
      error = fmax(error, fabs(r[i] - b[i])), size = fmax(size, fabs(b[i]));
    }
    assert_true(error < 1e-9 * size);
    assert_true(hk_cholesky_sizes(c).entries < 6e5); /* 8.0e6 without an order */
    hk_cholesky_free(c);
  }
  free(b);
  free(u);
  free(r);
  free(held);
  free(spring);
  hk_nodal_matrix_free(&A);
  hk_part_mesh_free(&m);
}

/* Without supports six motions are free: the factorization stops instead of dividing by round-off. */
static void test_free_body(void **state) {
  (void)state;
  hk_part_mesh m = {0};
  hk_nodal_matrix A;
  hk_error err = {0};
  read_part(&m, &A);
  hk_cholesky *c;
  int node = -1;
  hk_cholesky_task task = {.A = &A, .x = (const double(*)[3])m.x};
  assert_int_equal(hk_cholesky_create(&task, &c, &node, &err), HK_EFAIL);
  assert_null(c);
  assert_true(node >= 0 && node < A.n);
  hk_nodal_matrix_free(&A);
  hk_part_mesh_free(&m);
}

static bool stop(void *context, const hk_progress *now) {
  *(double *)context = now->done;
  return now->done < 0.5;
}

static void test_stopped(void **state) {
  (void)state;
  hk_part_mesh m = {0};
  hk_nodal_matrix A;
  hk_error err = {0};
  read_part(&m, &A);
  double done = 0;
  hk_nodal_spring *spring = calloc(3 * (size_t)A.n, sizeof *spring);
  assert_non_null(spring);
  for (int i = 0; i < 3 * A.n; i++) {
    spring[i] = (hk_nodal_spring){.node = i / 3, .stiffness = 1e6};
    spring[i].direction[i % 3] = 1;
  }
  hk_cholesky *c;
  hk_cholesky_task task = {.A = &A,
                           .x = (const double(*)[3])m.x,
                           .n_springs = 3 * A.n,
                           .spring = spring,
                           .progress = stop,
                           .context = &done};
  assert_int_equal(hk_cholesky_create(&task, &c, NULL, &err), HK_STOPPED);
  assert_true(done >= 0.5 && done < 1);
  free(spring);
  hk_nodal_matrix_free(&A);
  hk_part_mesh_free(&m);
}

/* Orders of graphs of all shapes are permutations: a line, a set without edges, all nodes at one point. */
static void test_orders(void **state) {
  (void)state;
  enum { N = 1000 };
  static size_t first[N + 1];
  static int column[3 * N], order[N], seen[N];
  static double x[N][3];
  hk_error err = {0};
  for (int shape = 0; shape < 3; shape++) {
    size_t used = 0;
    for (int i = 0; i < N; i++) {
      first[i] = used;
      for (int k = -1; k < 2; k++)
        if (k == 0 || (shape != 1 && i + k >= 0 && i + k < N)) column[used++] = i + k;
      x[i][0] = shape == 2 ? 0 : i;
    }
    first[N] = used;
    assert_int_equal(hk_dissect(N, first, column, (const double(*)[3])x, order, &err), HK_OK);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < N; i++) {
      assert_true(order[i] >= 0 && order[i] < N);
      assert_int_equal(seen[order[i]]++, 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solution),
      cmocka_unit_test(test_free_body),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
