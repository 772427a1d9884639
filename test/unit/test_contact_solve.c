/* Contact solvers, checked by the contact law itself in long double, by closed forms, and against each other if
 * the solution is unique. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "solve/contact_problem.h"
#include "support/contact_case.h"

/* Largest violation of the law, as a velocity relative to max |b| (G of size one), by cases: open, stick or
 * slip, whichever has the smallest violation. */
static double violation(const hk_contact_problem *p, const double *P) {
  int n = hk_contact_problem_rows(p), dim = p->dim;
  long double worst = 0, size = 1e-300L;
  for (int i = 0; i < n; i++) size = fmaxl(size, fabsl(p->b[i]));
  for (int i = 0; i < n; i += i < dim * p->contacts ? dim : 1) {
    long double xi[3] = {0}, e;
    int rows = i < dim * p->contacts ? dim : 1;
    for (int a = 0; a < rows; a++) {
      xi[a] = p->b[i + a];
      for (int j = 0; j < n; j++) xi[a] += (long double)p->G[(i + a) * n + j] * P[j];
    }
    if (rows == 1) {
      worst = fmaxl(worst, fabsl(xi[0]));
      continue;
    }
    long double mu = p->mu[i / dim], pn = P[i], px = P[i + 1], py = dim == 3 ? P[i + 2] : 0;
    long double pt = hypotl(px, py), v = hypotl(xi[1], xi[2]);
    e = fmaxl(0, -pn) + fmaxl(0, pt - mu * pn); /* in the cone */
    e = fmaxl(e, fmaxl(0, -xi[0]));
    e = fmaxl(e, fminl(fabsl(pn), fabsl(xi[0])));
    /* on the friction cone and opposite to the slip, or no slip, or a negligible force */
    long double against = hypotl(px * v + mu * pn * xi[1], py * v + mu * pn * xi[2]);
    e = fmaxl(e, fminl(v > 0 ? against / v : 0, v));
    worst = fmaxl(worst, e);
  }
  return (double)(worst / size);
}

static hk_contact_problem problem_of(const contact_case *c) {
  return (hk_contact_problem){
      .dim = c->dim, .contacts = c->contacts, .G = c->G, .b = c->b, .mu = c->mu};
}

static double largest(const double *x, int n) {
  double top = 0;
  for (int i = 0; i < n; i++) top = fmax(top, fabs(x[i]));
  return top;
}

static double distance(const double *a, const double *b, int n) {
  double top = 0;
  for (int i = 0; i < n; i++) top = fmax(top, fabs(a[i] - b[i]));
  return top;
}

/* A block of mass 2 on a table, pushed sideways: b = velocity after the step without contact. */
static void block_on_a_table(void **state) {
  (void)state;
  hk_contact_work *k = hk_contact_work_create(2, 1, 0, 0);
  assert_non_null(k);
  const double m = 2, G[4] = {1 / m, 0, 0, 1 / m}, mu = 0.5;
  const struct {
    double b[2], P[2], xi[2];
  } c[] = {
      {{-1, 0.3}, {2, -0.6}, {0, 0}},     /* stick: m |v_T| <= mu m v_N */
      {{-1, 0.8}, {2, -1}, {0, 0.3}},     /* slip forward */
      {{-1, -0.8}, {2, 1}, {0, -0.3}},    /* slip backward */
      {{0.1, -0.8}, {0, 0}, {0.1, -0.8}}, /* open */
      {{0, 0.8}, {0, 0}, {0, 0.8}},       /* grazing */
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    for (int solver = HK_CONTACT_AUTO; solver <= HK_CONTACT_POLYHEDRAL; solver++) {
      double P[2] = {0}, xi[2];
      hk_contact_problem p = {.dim = 2, .contacts = 1, .G = G, .b = c[i].b, .mu = &mu};
      hk_contact_result r;
      assert_int_equal(hk_contact_solve_with((hk_contact_solver)solver, &p, P, xi, k, &r), HK_OK);
      assert_true(distance(P, c[i].P, 2) < 1e-12);
      assert_true(distance(xi, c[i].xi, 2) < 1e-12);
      assert_true(r.merit <= HK_CONTACT_TOL && r.status == HK_OK);
    }
  hk_contact_work_free(k);
}

/* In space: slip against the direction of motion, friction mu P_N. */
static void puck_in_space(void **state) {
  (void)state;
  hk_contact_work *k = hk_contact_work_create(3, 1, 0, 0);
  const double G[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.25, b[3] = {-2, 3, -4};
  hk_contact_problem p = {.dim = 3, .contacts = 1, .G = G, .b = b, .mu = &mu};
  for (int solver = HK_CONTACT_AUTO; solver <= HK_CONTACT_NSGS; solver++) {
    if (solver == HK_CONTACT_LEMKE) continue;
    double P[3] = {0}, xi[3];
    assert_int_equal(hk_contact_solve_with((hk_contact_solver)solver, &p, P, xi, k, NULL), HK_OK);
    const double expect[3] = {2, -0.5 * 0.6, 0.5 * 0.8};
    assert_true(distance(P, expect, 3) < 1e-10);
    assert_true(fabs(xi[1] - 2.7) < 1e-10 && fabs(xi[2] + 3.6) < 1e-10);
  }
  hk_contact_work_free(k);
}

/* Low friction and independent rows: the solution is unique, and all solvers find it. */
static void solvers_agree(void **state) {
  (void)state;
  static contact_case c;
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, 8, 0, 0);
    for (int trial = 0; trial < 300; trial++) {
      int nc = 1 + trial % 8, n = dim * nc;
      case_random(&c, dim, nc, n + 3);
      for (int i = 0; i < nc; i++) c.mu[i] *= 0.1;
      hk_contact_problem p = problem_of(&c);
      double first[24], P[24], xi[24];
      int found = 0;
      for (int solver = HK_CONTACT_AUTO; solver <= HK_CONTACT_NSGS; solver++) {
        if (solver == HK_CONTACT_DIRECT || (solver == HK_CONTACT_LEMKE && dim == 3)) continue;
        memset(P, 0, sizeof P);
        hk_contact_result r;
        hk_status end = hk_contact_solve_with((hk_contact_solver)solver, &p, P, xi, k, &r);
        /* Newton's method alone may not converge; the chain of methods and the other solvers must. */
        if (end && solver == HK_CONTACT_NEWTON) continue;
        assert_int_equal(end, HK_OK);
        assert_true(violation(&p, P) < 1e-8);
        if (found++)
          assert_true(distance(P, first, n) < 1e-6 * (1 + largest(first, n)));
        else
          memcpy(first, P, sizeof P);
      }
    }
    hk_contact_work_free(k);
  }
}

/* All situations of a joint with clearance: the chain must certify every solution, and the law must be
 * satisfied. */
static void chain_certifies_degenerate(void **state) {
  (void)state;
  static contact_case c;
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, 8, 0, 0);
    int refused = 0;
    for (int trial = 0; trial < 1500; trial++) {
      case_degenerate(&c, dim, 1 + trial % 8, 2 + trial % 3);
      hk_contact_problem p = problem_of(&c);
      double P[24] = {0}, xi[24];
      hk_contact_result r;
      if (hk_contact_solve(&p, P, xi, k, &r)) {
        refused++;
        printf("dim %d contacts %d trial %d: merit %g by %s, %d pivots %d iterations\n", dim,
               c.contacts, trial, r.merit, hk_contact_solver_name(r.solver), r.pivots,
               r.iterations);
        continue;
      }
      assert_true(violation(&p, P) < 1e-7 * (1 + 0.01 * largest(P, dim * c.contacts)));
    }
    assert_int_equal(refused, 0);
    hk_contact_work_free(k);
  }
}

/* Friction so large that a sideways push jams (Painleve): solutions exist, possibly several. */
static void chain_certifies_large_friction(void **state) {
  (void)state;
  static contact_case c;
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, 4, 0, 0);
    int refused = 0;
    for (int trial = 0; trial < 1000; trial++) {
      case_random(&c, dim, 1 + trial % 4, dim * (1 + trial % 4));
      for (int i = 0; i < c.contacts; i++) c.mu[i] = pow(10, 1 + case_uniform());
      hk_contact_problem p = problem_of(&c);
      double P[12] = {0}, xi[12];
      hk_contact_result r;
      if (hk_contact_solve(&p, P, xi, k, &r)) {
        refused++;
        printf("dim %d contacts %d trial %d: merit %g by %s\n", dim, c.contacts, trial, r.merit,
               hk_contact_solver_name(r.solver));
      } else {
        assert_true(violation(&p, P) < 1e-7 * (1 + largest(P, dim * c.contacts)));
      }
    }
    assert_int_equal(refused, 0);
    hk_contact_work_free(k);
  }
}

/* Masses and velocities in other units: the same solution in these units. */
static void answers_do_not_depend_on_units(void **state) {
  (void)state;
  static contact_case c;
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, 4, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
      int nc = 1 + trial % 4, n = dim * nc;
      case_random(&c, dim, nc, n);
      for (int i = 0; i < nc; i++) c.mu[i] *= 0.2;
      hk_contact_problem p = problem_of(&c);
      double P[12] = {0}, xi[12], Q[12] = {0}, eta[12];
      assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
      double d[4], velocity = pow(10, 9 * case_uniform());
      for (int i = 0; i < nc; i++) d[i] = pow(10, 6 * case_uniform());
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) c.G[i * n + j] *= d[i / dim] * d[j / dim];
        c.b[i] *= d[i / dim] * velocity;
      }
      hk_contact_result r;
      assert_int_equal(hk_contact_solve(&p, Q, eta, k, &r), HK_OK);
      for (int i = 0; i < n; i++) Q[i] *= d[i / dim] / velocity;
      assert_true(distance(P, Q, n) < 1e-7 * (1 + largest(P, n)));
    }
    hk_contact_work_free(k);
  }
}

/* All directions are blocked: P = 0 if the velocity is admissible, an error otherwise. */
static void zero_matrix(void **state) {
  (void)state;
  const double G[16] = {0}, good[4] = {0.5, -1, 0, 2}, bad[4] = {0.5, -1, -0.1, 2};
  const double mu[2] = {0.3, 0.3};
  hk_contact_work *k = hk_contact_work_create(2, 2, 0, 0);
  for (int nc = 1; nc <= 2; nc++) {
    double P[4] = {0}, xi[4], G1[4] = {0};
    hk_contact_problem p = {2, nc, 0, nc == 1 ? G1 : G, good, mu};
    assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
    assert_true(largest(P, 2 * nc) == 0);
    p.b = nc == 1 ? bad + 2 : bad;
    hk_contact_result r;
    assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_RETRY);
    assert_true(r.merit > HK_CONTACT_TOL);
  }
  hk_contact_work_free(k);
}

/* No friction: the solution is that of the normal directions alone. */
static void frictionless(void **state) {
  (void)state;
  static contact_case c;
  hk_contact_work *k = hk_contact_work_create(3, 6, 0, 0);
  for (int trial = 0; trial < 100; trial++) {
    case_random(&c, 3, 6, 18);
    memset(c.mu, 0, sizeof c.mu);
    hk_contact_problem p = problem_of(&c);
    double P[18] = {0}, xi[18], M[36], q[6], z[6], w[6];
    assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
    for (int i = 0; i < 6; i++) {
      q[i] = c.b[3 * i];
      for (int j = 0; j < 6; j++) M[i * 6 + j] = c.G[3 * i * 18 + 3 * j];
    }
    assert_int_equal(hk_lemke(6, M, q, z, w, NULL, NULL), HK_LCP_SOLVED);
    for (int i = 0; i < 6; i++) {
      assert_true(fabs(P[3 * i] - z[i]) < 1e-8 * (1 + largest(z, 6)));
      assert_true(P[3 * i + 1] == 0 && P[3 * i + 2] == 0);
    }
  }
  hk_contact_work_free(k);
}

/* Bilateral rows, some of them duplicated: the same result as for the contacts of a system that satisfies
 * them. */
static void bilateral_rows(void **state) {
  (void)state;
  enum { NC = 3, NB = 4, DOF = 14 };
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *k = hk_contact_work_create(dim, NC, NB, 0);
    for (int trial = 0; trial < 100; trial++) {
      int m = dim * NC, n = m + NB;
      double W[13][DOF], u[DOF], G[169], b[13], mu[NC], P[13] = {0}, xi[13];
      for (int i = 0; i < n; i++)
        for (int l = 0; l < DOF; l++) W[i][l] = case_uniform();
      for (int l = 0; l < DOF; l++) W[n - 1][l] = 2 * W[n - 2][l], u[l] = case_uniform();
      for (int i = 0; i < NC; i++) mu[i] = 0.3;
      for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int l = 0; l < DOF; l++) b[i] += W[i][l] * u[l];
        for (int j = 0; j < n; j++) {
          G[i * n + j] = 0;
          for (int l = 0; l < DOF; l++) G[i * n + j] += W[i][l] * W[j][l];
        }
      }
      hk_contact_problem p = {dim, NC, NB, G, b, mu};
      assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
      assert_true(violation(&p, P) < 1e-9);
      /* the velocities after the solve satisfy the bilateral rows */
      for (int i = m; i < n; i++) {
        double v = 0;
        for (int l = 0; l < DOF; l++) {
          double after = u[l];
          for (int j = 0; j < n; j++) after += W[j][l] * P[j];
          v += W[i][l] * after;
        }
        assert_true(fabs(v) < 1e-10);
      }
    }
    hk_contact_work_free(k);
  }
}

/* The check itself must be able to fail. */
static void merit_refuses_wrong_answers(void **state) {
  (void)state;
  static contact_case c;
  hk_contact_work *k = hk_contact_work_create(3, 4, 0, 0);
  int closed = 0;
  for (int trial = 0; trial < 200; trial++) {
    case_random(&c, 3, 4, 12);
    hk_contact_problem p = problem_of(&c);
    double P[12] = {0}, xi[12];
    assert_int_equal(hk_contact_solve(&p, P, xi, k, NULL), HK_OK);
    int i = case_below(4);
    if (!(P[3 * i] > 0.1)) continue;
    closed++;
    double keep = P[3 * i];
    P[3 * i] *= 1 + 1e-6;
    assert_true(hk_contact_merit(&p, P) > HK_CONTACT_TOL);
    P[3 * i] = -keep;
    assert_true(hk_contact_merit(&p, P) > 1e-3);
    P[3 * i] = NAN;
    assert_true(hk_contact_merit(&p, P) == HUGE_VAL);
  }
  assert_true(closed > 20);
  hk_contact_work_free(k);
}

static void bad_input(void **state) {
  (void)state;
  hk_contact_work *k = hk_contact_work_create(2, 1, 1, 0);
  double G[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 1}, mu[2] = {0.5, 0.5};
  double P[9] = {0}, xi[9], spoilt[4] = {1, NAN, 0, 1}, below = -0.1;
  hk_contact_problem p = {2, 1, 0, spoilt, b, mu};
  hk_contact_result r;
  assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_EINPUT);
  p = (hk_contact_problem){2, 2, 0, G, b, mu};
  assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_EINPUT);
  p = (hk_contact_problem){3, 1, 0, G, b, mu};
  assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_EINPUT);
  p = (hk_contact_problem){2, 1, 0, G, b, &below};
  assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_EINPUT);
  assert_int_equal(r.status, HK_EINPUT);
  p = (hk_contact_problem){2, 0, 1, G, b, mu};
  assert_int_equal(hk_contact_solve(&p, P, xi, k, &r), HK_OK); /* bilateral alone */
  assert_true(fabs(P[0] - 1) < 1e-15);
  assert_null(hk_contact_work_create(4, 1, 0, 0));
  hk_contact_work_free(NULL);
  hk_contact_work_free(k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_on_a_table),
      cmocka_unit_test(puck_in_space),
      cmocka_unit_test(solvers_agree),
      cmocka_unit_test(chain_certifies_degenerate),
      cmocka_unit_test(chain_certifies_large_friction),
      cmocka_unit_test(answers_do_not_depend_on_units),
      cmocka_unit_test(zero_matrix),
      cmocka_unit_test(frictionless),
      cmocka_unit_test(bilateral_rows),
      cmocka_unit_test(merit_refuses_wrong_answers),
      cmocka_unit_test(bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
