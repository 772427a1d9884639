/* Lemke's method against a search of all complementary bases, and against its documented properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>

#include "solve/lcp.h"
#include "support/contact_case.h"

enum { N = 8 };

/* z_B from M_BB z_B = -q_B by elimination with row pivoting in long double; false: singular. */
static bool basis_solution(int n, const double *M, const double *q, unsigned mask, double *z) {
  long double a[N][N + 1];
  int index[N], m = 0;
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    if (mask >> i & 1u) index[m++] = i;
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) a[i][j] = M[index[i] * n + index[j]];
    a[i][m] = -q[index[i]];
  }
  for (int c = 0; c < m; c++) {
    int best = c;
    for (int r = c; r < m; r++)
      if (fabsl(a[r][c]) > fabsl(a[best][c])) best = r;
    if (fabsl(a[best][c]) < 1e-12L) return false;
    for (int j = 0; j <= m; j++) {
      long double t = a[c][j];
      a[c][j] = a[best][j], a[best][j] = t;
    }
    for (int r = 0; r < m; r++) {
      long double f = a[r][c] / a[c][c];
      for (int j = c; j <= m && r != c; j++) a[r][j] -= f * a[c][j];
    }
  }
  for (int i = 0; i < m; i++) z[index[i]] = (double)(a[i][m] / a[i][i]);
  return true;
}

/* Largest violation of z >= 0, w >= 0, z'w = 0, by definition; M and q of size one. */
static double violation(int n, const double *M, const double *q, const double *z) {
  long double worst = 0;
  for (int i = 0; i < n; i++) {
    long double w = q[i];
    for (int j = 0; j < n; j++) w += (long double)M[i * n + j] * z[j];
    worst = fmaxl(worst, fabsl(fminl(w, z[i])));
  }
  return (double)worst;
}

/* Number of complementary bases that solve the problem, the first in z. */
static int enumerate(int n, const double *M, const double *q, double *z) {
  int found = 0;
  double x[N];
  for (unsigned mask = 0; mask < 1u << n; mask++)
    if (basis_solution(n, M, q, mask, x) && violation(n, M, q, x) < 1e-10 && !found++)
      memcpy(z, x, (size_t)n * sizeof *z);
  return found;
}

/* w = M z + q, one of each pair exactly zero, none negative. */
static void check_answer(int n, const double *M, const double *q, const double *z, const double *w,
                         double tol) {
  for (int i = 0; i < n; i++) {
    long double sum = q[i];
    for (int j = 0; j < n; j++) sum += (long double)M[i * n + j] * z[j];
    assert_true(z[i] >= 0 && w[i] >= 0 && (z[i] == 0 || w[i] == 0));
    assert_true(fabsl(sum - w[i]) <= tol);
  }
}

/* Diagonal dominance: a P-matrix, with a unique solution. */
static void unique_answers(void **state) {
  (void)state;
  for (int n = 1; n <= N; n++)
    for (int trial = 0; trial < 200; trial++) {
      double M[N * N], q[N], z[N], w[N], x[N] = {0};
      for (int i = 0; i < n * n; i++) M[i] = case_uniform() / n;
      for (int i = 0; i < n; i++) M[i * n + i] += 1.1, q[i] = case_uniform();
      for (int i = 0; i < n && trial % 3 == 0; i++) q[i] = case_below(3) - 1; /* ties and zeros */
      assert_true(enumerate(n, M, q, x) >= 1);
      int pivots = -1;
      assert_int_equal(hk_lemke(n, M, q, z, w, NULL, &pivots), HK_LCP_SOLVED);
      for (int i = 0; i < n; i++) assert_true(fabs(z[i] - x[i]) < 1e-11);
      check_answer(n, M, q, z, w, 1e-12);
      assert_true(pivots >= 0 && pivots <= 10 * n);
    }
}

/* Positive semidefinite of low rank with q in its range: a solution exists, and ties occur. */
static void semidefinite(void **state) {
  (void)state;
  for (int trial = 0; trial < 3000; trial++) {
    int n = 2 + trial % (N - 1), rank = 1 + trial % 3;
    double A[N][N], M[N * N], q[N], z[N], w[N], scratch[2 * N];
    for (int i = 0; i < n; i++)
      for (int k = 0; k < rank; k++) A[i][k] = case_below(5) - 2;
    for (int i = 0; i < n; i++) {
      q[i] = case_below(3); /* M x - s for x, s >= 0 would also be possible; here q = -M x + s */
      for (int j = 0; j < n; j++) {
        M[i * n + j] = 0;
        for (int k = 0; k < rank; k++) M[i * n + j] += A[i][k] * A[j][k];
        q[i] -= M[i * n + j] * (j % 3);
      }
    }
    assert_int_equal(hk_lemke(n, M, q, z, w, NULL, NULL), HK_LCP_SOLVED);
    assert_true(hk_lcp_merit(n, M, q, z, scratch) <= HK_LCP_TOL);
    check_answer(n, M, q, z, w, 1e-8);
  }
}

/* Planar contacts with dependent rows.  If a complementary basis solves the problem, and always for n = 6
 * (opposed contacts of one body can be held), a solution must be found. */
static void degenerate_contacts(void **state) {
  (void)state;
  static contact_case c;
  static double M[48 * 48], q[48], z[48], w[48], scratch[96];
  hk_lemke_work *k = hk_lemke_work_create(48);
  assert_non_null(k);
  for (int nc = 1; nc <= 16; nc *= 2)
    for (int trial = 0; trial < 2000; trial++) {
      int n = 3 * nc;
      case_degenerate(&c, 2, nc, 2);
      case_lcp(&c, M, q);
      hk_lcp_status end = hk_lemke(n, M, q, z, w, k, NULL);
      assert_int_equal(end, HK_LCP_SOLVED);
      assert_true(hk_lcp_merit(n, M, q, z, scratch) <= HK_LCP_TOL);
      check_answer(n, M, q, z, w, 1e-8);
    }
  hk_lemke_work_free(k);
}

/* The same problem in other units has the same solution in these units, even for q ~ 1e-9 and smaller. */
static void units(void **state) {
  (void)state;
  static contact_case c;
  for (int trial = 0; trial < 500; trial++) {
    enum { R = 6 };
    double M[R * R], q[R], z[R], w[R], S[R * R], s[R], x[R], v[R];
    case_random(&c, 2, 2, 4);
    c.mu[0] *= 0.2, c.mu[1] *= 0.2; /* unique */
    case_lcp(&c, M, q);
    assert_int_equal(hk_lemke(R, M, q, z, w, NULL, NULL), HK_LCP_SOLVED);
    double row[R], column[R], size = pow(10, -20 + 10 * case_uniform());
    for (int i = 0; i < R; i++)
      row[i] = pow(10, 6 * case_uniform()), column[i] = pow(10, 2 * case_uniform());
    for (int i = 0; i < R; i++) {
      s[i] = q[i] * row[i] * size;
      for (int j = 0; j < R; j++) S[i * R + j] = M[i * R + j] * row[i] * column[j];
    }
    assert_int_equal(hk_lemke(R, S, s, x, v, NULL, NULL), HK_LCP_SOLVED);
    for (int i = 0; i < 4; i++) /* the impulses; xi_R and xi_L of an open contact are not unique */
      assert_true(fabs(x[i] * column[i] / size - z[i]) < 1e-8 * (1 + fabs(z[i])));
  }
}

static void no_answer(void **state) {
  (void)state;
  double z[N], w[N];
  const double minus[1] = {-1}, zero[4] = {0}, q[2] = {-1, 1}, good[2] = {0, 3};
  assert_int_equal(hk_lemke(1, minus, q, z, w, NULL, NULL), HK_LCP_RAY);
  assert_true(z[0] == 0 && w[0] == 0);
  assert_int_equal(hk_lemke(2, zero, q, z, w, NULL, NULL), HK_LCP_RAY);
  assert_int_equal(hk_lemke(2, zero, good, z, w, NULL, NULL), HK_LCP_SOLVED);
  assert_true(w[1] == 3 && z[1] == 0);
  const double spoilt[4] = {1, NAN, 0, 1}, endless[2] = {-1, INFINITY};
  const double one[4] = {1, 0, 0, 1};
  assert_int_equal(hk_lemke(2, spoilt, q, z, w, NULL, NULL), HK_LCP_LIMIT);
  assert_int_equal(hk_lemke(2, one, endless, z, w, NULL, NULL), HK_LCP_LIMIT);
  double big[100] = {0}, r[10] = {-1}, y[10], v[10];
  assert_int_equal(hk_lemke(10, big, r, y, v, NULL, NULL), HK_LCP_LIMIT); /* no room given */
  hk_lemke_work *k = hk_lemke_work_create(10);
  assert_int_equal(hk_lemke(10, big, r, y, v, k, NULL), HK_LCP_RAY);
  hk_lemke_work_free(k);
}

/* If the search of all bases finds no solution, the method must find none, and vice versa. */
static void any_matrix(void **state) {
  (void)state;
  int solved = 0, refused = 0;
  for (int trial = 0; trial < 2000; trial++) {
    int n = 2 + trial % 4;
    double M[N * N], q[N], z[N], w[N], x[N], scratch[2 * N];
    for (int i = 0; i < n * n; i++) M[i] = case_uniform();
    for (int i = 0; i < n; i++) q[i] = case_uniform();
    int found = enumerate(n, M, q, x);
    hk_lcp_status end = hk_lemke(n, M, q, z, w, NULL, NULL);
    if (found) {
      assert_int_equal(end, HK_LCP_SOLVED);
      solved++;
    } else {
      assert_int_not_equal(end, HK_LCP_SOLVED);
      refused++;
    }
    if (end == HK_LCP_SOLVED) assert_true(hk_lcp_merit(n, M, q, z, scratch) <= HK_LCP_TOL);
  }
  assert_true(solved > 500 && refused > 50);
}

static void merit_refuses_wrong_answers(void **state) {
  (void)state;
  const double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}; /* z = (4/3, 7/3) */
  double z[2] = {4.0 / 3, 7.0 / 3}, scratch[4];
  assert_true(hk_lcp_merit(2, M, q, z, scratch) < 1e-15);
  z[0] += 1e-6;
  assert_true(hk_lcp_merit(2, M, q, z, scratch) > 1e-8);
  z[0] = -1;
  assert_true(hk_lcp_merit(2, M, q, z, scratch) > 1e-2);
  z[0] = NAN;
  assert_true(hk_lcp_merit(2, M, q, z, scratch) == HUGE_VAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unique_answers),
      cmocka_unit_test(semidefinite),
      cmocka_unit_test(degenerate_contacts),
      cmocka_unit_test(units),
      cmocka_unit_test(no_answer),
      cmocka_unit_test(any_matrix),
      cmocka_unit_test(merit_refuses_wrong_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
