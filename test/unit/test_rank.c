/* Rank analysis against the singular values of dense G W^-1/2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solve/rank.h"

static uint64_t seed;
static double uniform(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}
static int below(int n) { return (int)((uniform() + 1) / 2 * n) % n; }

typedef struct model {
  hk_block_pattern *p;
  hk_block_matrix *m;
} model;

static void set_g(hk_block_matrix *m, int joint, int node, int r, int c, double value) {
  int rows, columns;
  double *g = hk_block_matrix_at(m, joint, node, &columns);
  double *t = hk_block_matrix_at(m, node, joint, &rows);
  assert_non_null(g);
  g[r * columns + c] += value;
  t[c * rows + r] += value;
}

static void unit_metric(hk_block_matrix *m) {
  const hk_block_pattern *p = m->pattern;
  for (int i = 0; i < p->nb; i++)
    for (int k = 0; !p->is_multiplier[i] && k < p->size[i]; k++)
      hk_block_matrix_at(m, i, i, NULL)[k * (p->size[i] + 1)] = 1;
}

static void model_free(model s) {
  hk_block_matrix_free(s.m);
  hk_block_pattern_free(s.p);
}

/* Rank of the rows in `use` (multiplier rows; NULL: all) by singular values; the metric is the
 * identity.  *distance: smallest singular value counted, relative to the largest. */
static int dense_rank(const hk_block_matrix *m, const uint8_t *skip, double *smallest) {
  const hk_block_pattern *p = m->pattern;
  int rows = 0, n = p->rows;
  double *g = calloc((size_t)n * (size_t)n + 1, sizeof *g), *sv = calloc((size_t)n + 1, sizeof *sv);
  double *work = calloc((size_t)n + 1, sizeof *work);
  for (int i = 0; i < p->nb; i++)
    for (int r = 0; p->is_multiplier[i] && r < p->size[i]; r++) {
      if (skip && skip[p->offset[i] + r]) continue;
      double length = 0, *to = g + (size_t)rows * (size_t)n;
      for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
        int j = p->column[e];
        const double *a = m->value + p->value_start[e] + r * p->size[j];
        for (int c = 0; c < p->size[j] && !p->is_multiplier[j]; c++)
          to[p->offset[j] + c] = a[c], length += a[c] * a[c];
      }
      for (int c = 0; c < n && length > 0; c++) to[c] /= sqrt(length);
      rows++;
    }
  int rank = 0;
  if (rows) {
    assert_int_equal(
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, n, g, n, sv, NULL, 1, NULL, 1, work), 0);
    while (rank < rows && rank < n && sv[rank] > 1e-9 * sv[0]) rank++;
    if (smallest) *smallest = rank ? sv[rank - 1] : 1;
  }
  free(g), free(sv), free(work);
  return rank;
}

/* The kept rows are as many as the rank and have full rank; each dependent row is a combination of
 * kept rows, as hk_rank_dependency says. */
static int check(const hk_block_matrix *m) {
  const hk_block_pattern *p = m->pattern;
  uint8_t *dependent = malloc((size_t)p->rows + 1);
  double *c = malloc((size_t)p->rows * sizeof *c), *sum = malloc((size_t)p->rows * sizeof *sum);
  int n_dependent, n_multiplier = 0, found = 0;
  hk_rank *keep;
  hk_error err;
  assert_int_equal(hk_rank_analyse(m, HK_RANK_TOL, dependent, &n_dependent, &keep, &err), HK_OK);
  for (int i = 0; i < p->nb; i++) n_multiplier += p->is_multiplier[i] ? p->size[i] : 0;
  int rank = dense_rank(m, NULL, NULL);
  assert_int_equal(n_multiplier - n_dependent, rank);
  assert_int_equal(dense_rank(m, dependent, NULL), rank);
  for (int row = 0; row < p->rows; row++) {
    if (!dependent[row]) continue;
    found++;
    double residual;
    assert_int_equal(hk_rank_dependency(keep, row, c, &residual, &err), HK_OK);
    assert_true(residual < 1e-6);
    /* independent of the residual reported by the function: sum of kept rows minus the row
     * itself */
    for (int i = 0; i < p->rows; i++) assert_true(!dependent[i] || c[i] == 0);
    c[row] = -1;
    hk_block_matrix_multiply(m, c, sum);
    for (int i = 0; i < p->rows; i++) assert_true(fabs(sum[i]) < 1e-6);
  }
  assert_int_equal(found, n_dependent);
  hk_rank_free(keep);
  free(dependent), free(c), free(sum);
  return n_dependent;
}

/* Random sparse G; some joints are combinations of rows of others on the same nodes. */
static void test_random(void **state) {
  (void)state;
  int total = 0;
  for (int trial = 0; trial < 60; trial++) {
    int nodes = 2 + below(12), joints = 1 + below(14), size[40];
    uint8_t multiplier[40] = {0};
    for (int i = 0; i < nodes + joints; i++) size[i] = 1 + below(6), multiplier[i] = i >= nodes;
    hk_block_pattern *p = hk_block_pattern_create(nodes + joints, size, multiplier);
    int end[40][2];
    for (int k = 0; k < joints; k++) {
      bool twin = k > 0 && below(3) == 0;
      for (int s = 0; s < 2; s++) {
        end[k][s] = twin ? end[k - 1][s] : below(nodes);
        assert_int_equal(hk_block_pattern_add(p, nodes + k, end[k][s]), HK_OK);
      }
    }
    assert_int_equal(hk_block_pattern_finish(p), HK_OK);
    model s = {p, hk_block_matrix_create(p)};
    unit_metric(s.m);
    for (int k = 0; k < joints; k++)
      for (int r = 0; r < size[nodes + k]; r++) {
        bool copy = k > 0 && end[k][0] == end[k - 1][0] && end[k][1] == end[k - 1][1] && below(2);
        for (int side = 0; side < 2; side++)
          for (int c = 0; c < size[end[k][side]] && (side == 0 || end[k][0] != end[k][1]); c++) {
            double value = uniform();
            if (copy) {
              int columns;
              const double *g = hk_block_matrix_at(s.m, nodes + k - 1, end[k][side], &columns);
              value = 0;
              for (int q = 0; q < size[nodes + k - 1]; q++)
                value += (q + 1 + r) * g[q * columns + c];
            }
            set_g(s.m, nodes + k, end[k][side], r, c, value);
          }
      }
    total += check(s.m);
    model_free(s);
  }
  assert_true(total > 50); /* some of the cases have dependent rows */
}

/* Rows of a revolute joint about z at point x on one body with centre at `centre`. */
static void revolute(hk_block_matrix *m, int joint, int body, const double x[3],
                     const double centre[3], double sign) {
  double d[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
  for (int r = 0; r < 3; r++) {
    int a = (r + 1) % 3, b = (r + 2) % 3; /* velocity of the point: v + w x d */
    set_g(m, joint, body, r, r, sign);
    set_g(m, joint, body, r, 3 + a, sign * d[b]);
    set_g(m, joint, body, r, 3 + b, -sign * d[a]);
  }
  set_g(m, joint, body, 3, 3, sign);
  set_g(m, joint, body, 4, 4, sign);
}

/* N windows of the planar four-bar chain in three dimensions, bars of length 1 at angle `angle`:
 * bars 0..n, couplers n+1..2n, then 3n+1 revolute joints of five rows. */
static model four_bars(int n, double angle) {
  int nb = 2 * n + 1 + 3 * n + 1, joint = 2 * n + 1;
  int *size = malloc((size_t)nb * sizeof *size);
  uint8_t *multiplier = malloc((size_t)nb);
  for (int i = 0; i < nb; i++) size[i] = i < joint ? 6 : 5, multiplier[i] = i >= joint;
  hk_block_pattern *p = hk_block_pattern_create(nb, size, multiplier);
  for (int w = 0; w <= n; w++) {
    hk_block_pattern_add(p, joint + 3 * w, w);
    if (w == n) break;
    hk_block_pattern_add(p, joint + 3 * w + 1, w);
    hk_block_pattern_add(p, joint + 3 * w + 1, n + 1 + w);
    hk_block_pattern_add(p, joint + 3 * w + 2, n + 1 + w);
    hk_block_pattern_add(p, joint + 3 * w + 2, w + 1);
  }
  assert_int_equal(hk_block_pattern_finish(p), HK_OK);
  model s = {p, hk_block_matrix_create(p)};
  assert_non_null(s.m);
  unit_metric(s.m);
  double dx = cos(angle), dy = sin(angle);
  for (int w = 0; w <= n; w++) {
    double foot[3] = {w, 0, 0}, top[3] = {w + dx, dy, 0}, centre[3] = {w + dx / 2, dy / 2, 0};
    revolute(s.m, joint + 3 * w, w, foot, centre, 1);
    if (w == n) break;
    double next[3] = {w + 1 + dx, dy, 0}, next_centre[3] = {w + 1 + dx / 2, dy / 2, 0};
    double coupler[3] = {w + 0.5 + dx, dy, 0};
    revolute(s.m, joint + 3 * w + 1, w, top, centre, 1);
    revolute(s.m, joint + 3 * w + 1, n + 1 + w, top, coupler, -1);
    revolute(s.m, joint + 3 * w + 2, n + 1 + w, next, coupler, 1);
    revolute(s.m, joint + 3 * w + 2, w + 1, next, next_centre, -1);
  }
  free(size), free(multiplier);
  return s;
}

/* One degree of freedom: 6 (2n+1) - 1 independent rows of 5 (3n+1), so 3n are dependent. */
static void test_four_bars(void **state) {
  (void)state;
  for (int n = 1; n <= 6; n++)
    for (double angle = 0.3; angle < 3; angle += 0.7) {
      model s = four_bars(n, angle);
      assert_int_equal(check(s.m), 3 * n);
      model_free(s);
    }
}

static void test_many_four_bars(void **state) {
  (void)state;
  for (int n = 40; n <= 640; n *= 4) {
    model s = four_bars(n, 0.785);
    uint8_t *dependent = malloc((size_t)s.p->rows);
    int n_dependent;
    clock_t t0 = clock();
    assert_int_equal(hk_rank_analyse(s.m, HK_RANK_TOL, dependent, &n_dependent, NULL, NULL), HK_OK);
    print_message("%d windows: %d dependent rows, %.1f ms\n", n, n_dependent,
                  1e3 * (double)(clock() - t0) / CLOCKS_PER_SEC);
    assert_int_equal(n_dependent, 3 * n);
    free(dependent);
    model_free(s);
  }
}

/* A dependency names the joints of its own loop: out-of-plane rows of window w depend on joints of
 * the nearby bars and couplers, and the coefficients reproduce the row up to rounding. */
static void test_dependency_residual(void **state) {
  (void)state;
  model s = four_bars(5, 1.1);
  uint8_t dependent[400];
  double c[400], residual;
  hk_rank *keep;
  assert_int_equal(hk_rank_analyse(s.m, HK_RANK_TOL, dependent, NULL, &keep, NULL), HK_OK);
  for (int row = 0; row < s.p->rows; row++) {
    hk_status status = hk_rank_dependency(keep, row, c, &residual, NULL);
    assert_int_equal(status, dependent[row] ? HK_OK : HK_EINPUT);
    if (dependent[row]) assert_true(residual < 1e-11);
  }
  hk_rank_free(keep);
  model_free(s);
}

/* Two joints whose rows differ by 1e-4 of their length, in any direction, are independent; by 1e-9
 * they count as dependent. */
static void test_nearly_dependent(void **state) {
  (void)state;
  for (int trial = 0; trial < 20; trial++)
    for (int close = 0; close < 2; close++) {
      double distance = close ? 1e-9 : 1e-4;
      int size[] = {6, 6, 3, 3};
      uint8_t multiplier[] = {0, 0, 1, 1}, dependent[18];
      hk_block_pattern *p = hk_block_pattern_create(4, size, multiplier);
      for (int k = 2; k < 4; k++) hk_block_pattern_add(p, 0, k), hk_block_pattern_add(p, 1, k);
      hk_block_pattern_finish(p);
      model s = {p, hk_block_matrix_create(p)};
      unit_metric(s.m);
      for (int r = 0; r < 3; r++)
        for (int body = 0; body < 2; body++)
          for (int c = 0; c < 6; c++) {
            double value = uniform();
            set_g(s.m, 2, body, r, c, value);
            set_g(s.m, 3, body, r, c, value + 3 * distance * uniform());
          }
      int n_dependent;
      assert_int_equal(hk_rank_analyse(s.m, HK_RANK_TOL, dependent, &n_dependent, NULL, NULL),
                       HK_OK);
      assert_int_equal(n_dependent, close ? 3 : 0);
      model_free(s);
    }
}

/* Equal rows within a joint: the later one is removed.  A zero row is removed. */
static void test_ties_and_zero_rows(void **state) {
  (void)state;
  int size[] = {6, 4};
  uint8_t multiplier[] = {0, 1}, dependent[10];
  hk_block_pattern *p = hk_block_pattern_create(2, size, multiplier);
  hk_block_pattern_add(p, 0, 1);
  hk_block_pattern_finish(p);
  model s = {p, hk_block_matrix_create(p)};
  unit_metric(s.m);
  set_g(s.m, 1, 0, 0, 2, 1);
  set_g(s.m, 1, 0, 1, 5, 1);
  set_g(s.m, 1, 0, 2, 2, 1);
  int n_dependent;
  assert_int_equal(hk_rank_analyse(s.m, HK_RANK_TOL, dependent, &n_dependent, NULL, NULL), HK_OK);
  assert_int_equal(n_dependent, 2);
  const uint8_t expected[10] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  assert_memory_equal(dependent, expected, sizeof expected);
  model_free(s);
}

static void test_metric_not_definite(void **state) {
  (void)state;
  model s = four_bars(2, 1);
  hk_block_matrix_at(s.m, 1, 1, NULL)[14] = 0;
  uint8_t dependent[100];
  hk_error err = {0};
  assert_int_equal(hk_rank_analyse(s.m, HK_RANK_TOL, dependent, NULL, NULL, &err), HK_EFAIL);
  assert_non_null(strstr(err.text, "row 8"));
  model_free(s);
}

int main(void) {
  seed = 88172645463325252u;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_four_bars),
      cmocka_unit_test(test_many_four_bars),
      cmocka_unit_test(test_dependency_residual),
      cmocka_unit_test(test_nearly_dependent),
      cmocka_unit_test(test_ties_and_zero_rows),
      cmocka_unit_test(test_metric_not_definite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
