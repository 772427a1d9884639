/* Complementarity and contact problems against Siconos numerics, if the solution is unique. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "solve/contact_problem.h"
#include "support/contact_case.h"

#ifdef HOOKE_SICONOS
#include "support/siconos.h"

static double largest_difference(const double *a, const double *b, int n) {
  double worst = 0, size = 1;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i])), size = fmax(size, fabs(a[i]));
  return worst / size;
}

/* P-matrices have a unique solution. */
static void complementarity(void **state) {
  (void)state;
  enum { N = 24 };
  SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
  hk_lemke_work *k = hk_lemke_work_create(N);
  int agree = 0;
  for (int trial = 0; trial < 1000; trial++) {
    int n = 1 + trial % N, info = 0;
    double M[N * N], by_column[N * N], q[N], z[N], w[N], x[N] = {0}, v[N] = {0}, scratch[2 * N];
    for (int i = 0; i < n * n; i++) M[i] = case_uniform() / n;
    for (int i = 0; i < n; i++) M[i * n + i] += 1.1, q[i] = case_uniform();
    for (int i = 0; i < n * n; i++) by_column[i % n * n + i / n] = M[i];
    NumericsMatrix *m = siconos_borrow(n, by_column);
    LinearComplementarityProblem lcp = {n, m, q};
    lcp_lexicolemke(&lcp, x, v, &info, options);
    siconos_give_back(m);
    assert_int_equal(hk_lemke(n, M, q, z, w, k, NULL), HK_LCP_SOLVED);
    /* Solutions of Siconos are not always correct: those that our check rejects are not used as
     * references. */
    if (info || hk_lcp_merit(n, M, q, x, scratch) > 1e-10) continue;
    agree++;
    assert_true(largest_difference(z, x, n) < 1e-10);
    assert_true(largest_difference(w, v, n) < 1e-10);
  }
  assert_true(agree > 900);
  hk_lemke_work_free(k);
  siconos_options_free(options);
}

/* Independent rows and little friction: the solution is unique, in the plane and in space. */
static void friction(void **state) {
  (void)state;
  static contact_case c;
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, 8, 0, 0);
    SolverOptions *options = siconos_options(
        dim == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS, 100000, 1e-13);
    int agree = 0, trials = 300;
    for (int trial = 0; trial < trials; trial++) {
      int nc = 1 + trial % 8, n = dim * nc;
      case_random(&c, dim, nc, n + 4);
      for (int i = 0; i < nc; i++) c.mu[i] *= 0.2;
      double P[24] = {0}, xi[24], r[24] = {0}, v[24] = {0};
      hk_contact_problem p = {.dim = dim, .contacts = nc, .G = c.G, .b = c.b, .mu = c.mu};
      assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
      NumericsMatrix *m = siconos_borrow(n, c.G); /* symmetric */
      FrictionContactProblem f = {
          .dimension = dim, .numberOfContacts = nc, .M = m, .q = c.b, .mu = c.mu};
      int info = dim == 2 ? fc2d_driver(&f, r, v, options) : fc3d_driver(&f, r, v, options);
      siconos_give_back(m);
      if (info || hk_contact_merit(&p, r) > 1e-9) continue;
      agree++;
      assert_true(largest_difference(P, r, n) < 1e-6);
      assert_true(largest_difference(xi, v, n) < 1e-7);
    }
    print_message("dim %d: %d of %d answers of the oracle certify, all agree\n", dim, agree,
                  trials);
    assert_true(agree > trials / 2);
    siconos_options_free(options);
    hk_contact_work_free(k);
  }
}
#else
static void complementarity(void **state) {
  (void)state;
  print_message("skipped: built without Siconos numerics (package libsiconos-numerics-dev)\n");
  skip();
}
static void friction(void **state) { complementarity(state); }
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(complementarity), cmocka_unit_test(friction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
