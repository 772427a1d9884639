/* The law of conformal contact against a second method: the frictionless contact of a sphere or a cylinder with
 * a hole in an elastic body, solved by modes.
 *
 * A pressure p cos(n theta) or p P_n(cos theta) on the wall of the hole displaces it by C_n p R/(2 G); the ball
 * or pin has other compliances [Lure1964; Barber2010, chapter 9].  In rings of constant pressure the
 * displacement is sum_j C_ij p_j, and in the contact zone it is the penetration (c + d) cos(theta) - c of the
 * undeformed surfaces.  Rings under tension are opened and penetrating rings are closed until none of either
 * kind is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "spec/item.h"
#include <hooke/element.h>
#include <hooke/hooke.h>
#include <math.h>
#include <string.h>

enum { RINGS = 70, MODES = 600 };
static const double NU = 0.3;

/* ---- modes: 2 G u/(p R) ---- */

static double hole(bool ball, int n, double outer) {
  const double kappa = 3 - 4 * NU;
  if (ball && n == 0) return 0.5;
  if (ball) {
    const double b = (n * n - 2 + 2 * NU) / (n + 2);
    return (n * (n + 3 - 4 * NU) - (n + 1) * b) /
           (n * (n * n + 3 * n - 2 * NU) - (n + 1) * (n + 2) * b);
  }
  if (n == 0) return 1;
  if (n == 1)
    return 0.25 * (kappa - 1) / (kappa + 1) * (1 - 1 / (outer * outer)) +
           kappa / (kappa + 1) * log(outer);
  return (kappa + (n - 1.0) / (n + 1)) / (2 * (n - 1));
}

/* Displacements from the centre of mass; the load acts as a body force. */
static double inner(bool ball, int n) {
  const double kappa = 3 - 4 * NU;
  if (ball && n == 0) return (1 - 2 * NU) / (1 + NU);
  if (ball && n == 1) return (1 - 2 * NU) / (2 * (1 + NU));
  if (ball) {
    const double b = -(n * n + 2.0 * n - 1 + 2 * NU) / (n - 1);
    return ((n + 1) * (n - 2 + 4 * NU) + b * n) /
           ((n + 1) * (n * n - n - 2 - 2 * NU) + b * n * (n - 1));
  }
  if (n == 0) return 1 - 2 * NU;
  if (n == 1) return 0.5 * (1 - 2 * NU);
  return (kappa + (n + 1.0) / (n - 1)) / (2 * (n + 1));
}

/* f[n] = P_n(cos a) or cos(n a). */
static void functions(bool ball, double a, double f[MODES + 2]) {
  const double x = cos(a);
  f[0] = 1, f[1] = x;
  for (int n = 1; n <= MODES; n++)
    f[n + 1] = ball ? ((2 * n + 1) * x * f[n] - n * f[n - 1]) / (n + 1) : 2 * x * f[n] - f[n - 1];
}

/* ---- contact ---- */

static double C[RINGS][RINGS], A[RINGS][RINGS];

static void solve(int n, double *b) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

static void set_compliance(bool ball, double w, double outer, const double edge[RINGS + 1]) {
  static double at[RINGS][MODES + 2], end[RINGS + 1][MODES + 2];
  const double G = 0.5 * (1 - NU); /* of E* = 1 */
  for (int i = 0; i <= RINGS; i++) functions(ball, edge[i], end[i]);
  for (int i = 0; i < RINGS; i++) functions(ball, 0.5 * (edge[i] + edge[i + 1]), at[i]);
  memset(C, 0, sizeof C);
  for (int n = 0; n < MODES; n++) {
    const double k = ((1 - w) * hole(ball, n, outer) + w * inner(ball, n)) / (2 * G);
    for (int j = 0; j < RINGS; j++) {
      const double *a = end[j], *b = end[j + 1];
      const double part = n && ball ? 0.5 * (b[n - 1] - b[n + 1] - a[n - 1] + a[n + 1])
                          : n       ? 2 / (M_PI * n) * (sin(n * edge[j + 1]) - sin(n * edge[j]))
                          : ball    ? 0.5 * (cos(edge[j]) - cos(edge[j + 1]))
                                    : (edge[j + 1] - edge[j]) / M_PI;
      for (int i = 0; i < RINGS; i++) C[i][j] += k * at[i][n] * part;
    }
  }
}

/* Dimensionless load: N/(E* R (c + d)) for a ball, N/(E* L (c + d)) for a pin. */
static double exact(bool ball, double s, double w, double outer) {
  const double m = 1 - s, widest = fmin(1.02 * M_PI / 2, 1.2 * acos(m));
  double edge[RINGS + 1], p[RINGS], overlap[RINGS], b[RINGS], N = 0;
  bool closed[RINGS];
  for (int i = 0; i <= RINGS; i++) edge[i] = widest * i / RINGS;
  set_compliance(ball, w, outer, edge);
  for (int i = 0; i < RINGS; i++) {
    overlap[i] = cos(0.5 * (edge[i] + edge[i + 1])) - m;
    closed[i] = overlap[i] > 0;
  }
  bool changed = true;
  for (int round = 0; changed && round < 40; round++) { /* the last rings may alternate between open and
                                                         * closed */
    int at[RINGS], n = 0;
    for (int i = 0; i < RINGS; i++)
      if (closed[i]) at[n++] = i;
    for (int i = 0; i < n; i++) {
      b[i] = overlap[at[i]];
      for (int j = 0; j < n; j++) A[i][j] = C[at[i]][at[j]];
    }
    solve(n, b);
    memset(p, 0, sizeof p);
    for (int i = 0; i < n; i++) p[at[i]] = b[i];
    changed = false;
    for (int i = 0; i < RINGS; i++) {
      double gap = -overlap[i];
      for (int j = 0; j < RINGS; j++) gap += C[i][j] * p[j];
      const bool next = closed[i] ? p[i] >= 0 : gap < -1e-12;
      changed = changed || next != closed[i];
      closed[i] = next;
    }
  }
  for (int i = 0; i < RINGS; i++)
    N += ball ? M_PI * p[i] * (pow(sin(edge[i + 1]), 2) - pow(sin(edge[i]), 2))
              : 2 * p[i] * (sin(edge[i + 1]) - sin(edge[i]));
  return N;
}

/* ---- the law ---- */

/* The same load from the law, at the clearance 1 - s and the depth s; R and L are 1 m. */
static double by_law(bool ball, double s, double w, hk_normal *out) {
  hk_error err = {0};
  hk_spec *spec = hk_spec_create();
  hk_item *law = hk_spec_add(spec, HK_LAW, "conformal", "law", &err);
  /* Moduli for E* = 1 and the fraction w of the compliance in b. */
  const double E_a = w < 1 ? (1 - NU * NU) / (1 - w) : 1e12, E_b = w > 0 ? (1 - NU * NU) / w : 1e12;
  assert_int_equal(hk_item_real(law, "youngs_modulus", E_a, &err), HK_OK);
  assert_int_equal(hk_item_real(law, "youngs_modulus_b", E_b, &err), HK_OK);
  const double c = 1 - s;
  const hk_curvature socket = {-1, -1, 1 - c, 1 - c}, bush = {INFINITY, -1, INFINITY, 1 - c, 1};
  const hk_law_ops *ops = law->type->ops;
  double k[HK_LAW_CONSTANTS] = {0};
  if (c < 1) assert_int_equal(ops->prepare(law, ball ? &socket : &bush, k, &err), HK_OK);
  ops->normal(k, &(hk_law_in){.depth = s, .h = INFINITY}, out);
  hk_spec_destroy(spec);
  return out->N;
}

static void compare(bool ball, double s, double w, double outer, double within) {
  hk_normal n;
  const double want = exact(ball, s, w, outer), got = by_law(ball, s, w, &n);
  if (!(fabs(got / want - 1) < within))
    fail_msg("%s, s %g, w %g: %.5f instead of %.5f (%.3f)", ball ? "ball" : "pin", s, w, got, want,
             got / want);
}

static void a_ball_in_a_socket(void **state) {
  (void)state;
  static const double S[] = {0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99};
  for (int i = 0; i < 7; i++) {
    compare(true, S[i], 0, 0, 0.02);
    compare(true, S[i], 0.25, 0, 0.05);
    compare(true, S[i], 0.5, 0, 0.03);
    compare(true, S[i], 1, 0, 0.06);
  }
}

static void a_pin_in_a_bush(void **state) {
  (void)state;
  static const double S[] = {0.01, 0.05, 0.2, 0.5, 0.9};
  for (int i = 0; i < 5; i++) {
    compare(false, S[i], 0, 2, 0.1);
    compare(false, S[i], 0.5, 2, 0.17);
    compare(false, S[i], 0.5, 4, 0.17);
  }
}

/* For a depth far below the clearance, N = 4/3 E* R d^1.5/sqrt(c). */
static void hertz_is_its_limit(void **state) {
  (void)state;
  for (double s = 1e-4; s > 1e-9; s *= 0.1) {
    hk_normal n;
    const double hertz = 4.0 / 3 * pow(s, 1.5) / sqrt(1 - s), N = by_law(true, s, 0.5, &n);
    assert_true(fabs(N / hertz - 1) < 2 * sqrt(s));
  }
}

static void slopes_and_energy(void **state) {
  (void)state;
  for (int ball = 0; ball < 2; ball++) {
    hk_error err = {0};
    hk_spec *spec = hk_spec_create();
    hk_item *law = hk_spec_add(spec, HK_LAW, "conformal", "law", &err);
    hk_item_real(law, "youngs_modulus", 2.1e11, &err);
    hk_item_real(law, "damping_factor", 0.4, &err);
    const hk_law_ops *ops = law->type->ops;
    double k[HK_LAW_CONSTANTS] = {0};
    const hk_curvature socket = {-10.05e-3, -10.05e-3, 10e-3, 10e-3},
                       bore = {-10.05e-3, INFINITY, 10e-3, INFINITY, 20e-3};
    assert_int_equal(ops->prepare(law, ball ? &socket : &bore, k, &err), HK_OK);
    for (double d = 1e-8; d < 1e-3; d *= 7) {
      hk_normal at, up, down;
      const double h = 1e-4 * d;
      ops->normal(k, &(hk_law_in){.depth = d, .rate = 0.3, .h = INFINITY}, &at);
      ops->normal(k, &(hk_law_in){.depth = d + h, .rate = 0.3, .h = INFINITY}, &up);
      ops->normal(k, &(hk_law_in){.depth = d - h, .rate = 0.3, .h = INFINITY}, &down);
      assert_true(fabs((up.N - down.N) / (2 * h) / at.N_depth - 1) < 1e-7);
      assert_true(fabs((up.potential - down.potential) / (2 * h) / at.elastic - 1) < 1e-7);
      assert_true(fabs(at.N / at.elastic - 1.12) < 1e-12);
    }
    hk_normal apart;
    ops->normal(k, &(hk_law_in){.depth = 1e-6, .rate = -3, .h = INFINITY}, &apart);
    assert_true(apart.N == 0 && apart.N_depth == 0 && apart.elastic > 0);
    /* Other surfaces are rejected. */
    const hk_curvature other = {INFINITY, INFINITY, 1e-2, 1e-2};
    assert_int_equal(ops->prepare(law, &other, k, &err), HK_EINPUT);
    assert_int_equal(ops->prepare(law, NULL, k, &err), HK_EINPUT);
    hk_spec_destroy(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_in_a_socket),
      cmocka_unit_test(a_pin_in_a_bush),
      cmocka_unit_test(hertz_is_its_limit),
      cmocka_unit_test(slopes_and_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
