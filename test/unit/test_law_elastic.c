/* Hertz's theory against known numbers, against its own integral equation, and against an impact.
 */
#include "support/check.h"
#include "law/friction.h"
#include "registry/builtin.h"

static const double PI = 3.14159265358979323846;

typedef struct value {
  const char *name;
  double x;
  const char *text;
} value;

static hk_status prepare(const char *type, const hk_curvature *radii, const value *v, int n,
                         double *k, hk_error *err) {
  hk_spec *spec = hk_spec_create();
  hk_item *law = add_item(spec, HK_LAW, type, "law");
  for (int i = 0; i < n; i++)
    if (v[i].text)
      set_text(law, v[i].name, v[i].text);
    else
      set_real(law, v[i].name, v[i].x);
  memset(k, 0, HK_LAW_CONSTANTS * sizeof *k);
  hk_status status = ((const hk_law_ops *)law->type->ops)->prepare(law, radii, k, err);
  hk_spec_destroy(spec);
  return status;
}
#define LAW(type, radii, k, ...)                     \
  prepare(type, radii, (const value[]){__VA_ARGS__}, \
          (int)(sizeof((const value[]){__VA_ARGS__}) / sizeof(value)), k, &err)

static const hk_law_ops *ops_of(const char *type) { return hk_registry_find(hk_registry_builtin(), HK_LAW, type)->ops; }

static double force(const char *type, const double *k, double depth, double rate) {
  hk_normal out = {0};
  const double memory[8] = {0};
  ops_of(type)->normal(k, &(hk_law_in){.depth = depth, .rate = rate, .memory = memory}, &out);
  return out.N;
}

static const hk_elastic_method BOTH[] = {HK_ELASTIC_HAMROCK_BREWE, HK_ELASTIC_ELLIPTIC};

/* ---- stiffness ---- */

static void elliptic_integrals_have_their_known_values(void **state) {
  (void)state;
  double K, S;
  hk_elliptic(1, &K, &S);
  assert_near(K, PI / 2, 1e-15, "K(0)");
  assert_near(S, 0, 1e-15, "1 - E/K at 0");
  hk_elliptic(sqrt(0.5), &K, &S); /* m = 1/2: K = Gamma(1/4)^2/(4 sqrt(pi)) */
  assert_near(K, 1.8540746773013719, 1e-15, "K(1/2)");
  assert_near(K * (1 - S), 1.3506438810476755, 1e-15, "E(1/2)");
  hk_elliptic(sqrt(0.01), &K, &S); /* m = 0.99 */
  assert_near(K, 3.6956373629898747, 1e-14, "K(0.99)");
  assert_near(K * (1 - S), 1.0159935450252239, 1e-14, "E(0.99)");
}

/* K = 4/3 E* sqrt(R), a^2 = R depth for a ball on a plane and for two balls. */
static void balls_are_as_stiff_as_in_the_textbook(void **state) {
  (void)state;
  double E = 115e9, R = 0.01;
  const hk_curvature plane = {INFINITY, INFINITY, R, R}, balls = {2 * R, 2 * R, 2 * R, 2 * R};
  for (int i = 0; i < 2; i++) {
    hk_hertz h;
    double limit = BOTH[i] == HK_ELASTIC_ELLIPTIC ? 1e-13 : 1e-3;
    assert_true(hk_hertz_contact(&plane, E, BOTH[i], &h));
    assert_near(h.K / (4.0 / 3 * E * sqrt(R)), 1, limit, "ball on a plane");
    double N = h.K * pow(1e-5, 1.5);
    assert_near(h.half_t * cbrt(N) / sqrt(R * 1e-5), 1, limit, "its area");
    assert_near(h.half_s, h.half_t, 1e-13, "which is round");
    assert_true(hk_hertz_contact(&balls, E, BOTH[i], &h));
    assert_near(h.K / (4.0 / 3 * E * sqrt(R)), 1, limit, "two balls");
  }
}

static void within(double got, double wanted, double share, const char *what, double at) {
  if (fabs(got / wanted - 1) > share) fail_msg("%s at %g: %g instead of %g", what, at, got, wanted);
}

/* A steel ball of 11.1125 mm in grooves: K within 4 %, the semi-axes within 3 %; in the groove of 1.05 times
 * its radius K agrees to 0.4 %. */
static void the_fitted_formulas_are_near_the_integrals(void **state) {
  (void)state;
  const double R = 0.0111125;
  const double conformity[] = {1.02, 1.05, 1.1, 1.5, 5};
  for (int i = 0; i < 5; i++) {
    const hk_curvature radii = {INFINITY, -conformity[i] * R, R, R};
    hk_hertz a, b;
    assert_true(hk_hertz_contact(&radii, 115e9, BOTH[0], &a));
    assert_true(hk_hertz_contact(&radii, 115e9, BOTH[1], &b));
    within(a.K, b.K, i == 1 ? 0.004 : 0.04, "K", conformity[i]);
    within(a.half_t, b.half_t, 0.03, "short half axis", conformity[i]);
    within(a.half_s, b.half_s, 0.03, "long half axis", conformity[i]);
    assert_true(b.half_s > b.half_t); /* the major axis is perpendicular to the groove */
  }
}

/* Deflection of the half space at (x, y) under Hertz's pressure, by rays from that point:
 * u = 1/(pi E*) int int p dr dphi. */
static double deflection(double a, double b, double p0, double E, double x, double y) {
  enum { RAYS = 720, STEPS = 200 };
  double sum = 0;
  for (int i = 0; i < RAYS; i++) {
    double phi = 2 * PI * i / RAYS, c = cos(phi), s = sin(phi);
    double A = c * c / (a * a) + s * s / (b * b), B = x * c / (a * a) + y * s / (b * b);
    double C = 1 - x * x / (a * a) - y * y / (b * b), end = (sqrt(B * B + A * C) - B) / A;
    for (int j = 0; j < STEPS; j++) { /* r = end (1 - w^2): the root at the edge becomes smooth */
      double w = (j + 0.5) / STEPS, r = end * (1 - w * w), q = C - 2 * B * r - A * r * r;
      sum += sqrt(q > 0 ? q : 0) * 2 * w * end / STEPS;
    }
  }
  return p0 * sum * (2 * PI / RAYS) / (PI * E);
}

/* Hertz's contact solves u(x, y) = depth - x^2/(2 R_x) - y^2/(2 R_y) within the ellipse. */
static void the_ellipse_solves_the_integral_equation(void **state) {
  (void)state;
  const double E = 115e9, N = 6428, R = 0.0111125;
  const hk_curvature radii = {INFINITY, -1.05 * R, R, R};
  const double ct = 1 / R, cs = 1 / R - 1 / (1.05 * R);
  hk_hertz h;
  assert_true(hk_hertz_contact(&radii, E, HK_ELASTIC_ELLIPTIC, &h));
  double a = h.half_t * cbrt(N), b = h.half_s * cbrt(N), p0 = 1.5 * N / (PI * a * b);
  double depth = pow(N / h.K, 2.0 / 3);
  const double at[][2] = {{0, 0}, {0.5, 0}, {0, 0.5}, {0.5, 0.5}, {-0.6, 0.3}, {0.2, -0.8}};
  for (int i = 0; i < 6; i++) {
    double x = at[i][0] * a, y = at[i][1] * b;
    double wanted = depth - 0.5 * ct * x * x - 0.5 * cs * y * y;
    assert_near(deflection(a, b, p0, E, x, y) / depth, wanted / depth, 2e-5, "at point %d", i);
  }
}

static void stiffness_comes_from_where_it_is_given(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS], half_t, half_s, peak;
  hk_error err = {0};
  const hk_curvature radii = {INFINITY, INFINITY, 0.01, 0.01},
                     line = {INFINITY, INFINITY, INFINITY, 1};
  const hk_law_ops *ops = ops_of("hertz");
  assert_int_equal(LAW("hertz", NULL, k, {"stiffness", 1e9, NULL}), HK_OK);
  assert_near(force("hertz", k, 1e-4, 0), 1e3, 1e-13, "given");
  assert_false(ops->pressure(k, 1e-4, 1e3, &half_t, &half_s, &peak));
  /* Steel on steel: E* = E/(2 (1 - nu^2)). */
  assert_int_equal(LAW("hertz", &radii, k, {"young", 210e9, NULL}, {"method", 0, "elliptic"}),
                   HK_OK);
  double E = 210e9 / (2 * (1 - 0.09)), K = 4.0 / 3 * E * 0.1;
  assert_near(force("hertz", k, 1e-6, 0) / (K * 1e-9), 1, 1e-12, "computed");
  assert_true(ops->pressure(k, 0, 100, &half_t, &half_s, &peak));
  /* p0 = (6 N E*^2/(pi^3 R^2))^(1/3) */
  assert_near(peak / cbrt(6 * 100 * E * E / (PI * PI * PI * 1e-4)), 1, 1e-12, "peak pressure");
  assert_near(half_t / cbrt(3 * 100 * 0.01 / (4 * E)), 1, 1e-12, "radius of the area");
  assert_int_equal(LAW("hertz", &radii, k, {"young", 210e9, NULL}, {"young_b", 1e9, NULL},
                       {"poisson_b", 0.4, NULL}, {"method", 0, "elliptic"}),
                   HK_OK);
  E = 1 / ((1 - 0.09) / 210e9 + (1 - 0.16) / 1e9);
  assert_near(force("hertz", k, 1e-6, 0) / (4.0 / 3 * E * 0.1 * 1e-9), 1, 1e-12, "two materials");
  assert_int_equal(LAW("hertz", NULL, k, {"exponent", 1, NULL}, {"reference_force", 100, NULL},
                       {"reference_depth", 1e-3, NULL}),
                   HK_OK);
  assert_near(force("hertz", k, 5e-4, 0), 50, 1e-13, "linear");
  /* Refusals. */
  assert_int_equal(LAW("hertz", &radii, k, {"mu", 0.1, NULL}), HK_EINPUT);
  assert_non_null(strstr(err.text, "give stiffness, or young"));
  assert_int_equal(LAW("hertz", NULL, k, {"young", 1e9, NULL}), HK_EINPUT);
  assert_non_null(strstr(err.text, "no curvatures"));
  assert_int_equal(LAW("hertz", &line, k, {"young", 1e9, NULL}), HK_EINPUT);
  assert_non_null(strstr(err.text, "along a line"));
  assert_int_equal(LAW("hertz", NULL, k, {"stiffness", 1, NULL}, {"exponent", 2, NULL}), HK_EINPUT);
  assert_int_equal(LAW("hertz", NULL, k, {"reference_force", 1, NULL}), HK_EINPUT);
  assert_int_equal(LAW("hertz", NULL, k, {"stiffness", 1, NULL}, {"reference_force", 1, NULL},
                       {"reference_depth", 1, NULL}),
                   HK_EINPUT);
}

/* ---- damping ---- */

static void damping_grows_in_and_never_pulls(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS];
  hk_error err = {0};
  assert_int_equal(LAW("hertz", NULL, k, {"stiffness", 6e12, NULL}, {"damping", 3e4, NULL}), HK_OK);
  assert_near(force("hertz", k, 1e-6, 0.01), 6e3 + 300, 1e-12, "past the ramp");
  assert_near(force("hertz", k, 0.5e-7, 0.01), 6e12 * pow(0.5e-7, 1.5) + 150, 1e-12, "half way");
  assert_near(force("hertz", k, 1e-6, -0.3), 0, 0, "no pull");
  assert_int_equal(
      LAW("hertz", NULL, k, {"stiffness", 6e12, NULL}, {"damping", 3e4, NULL}, {"ramp", 0, NULL}),
      HK_OK);
  assert_near(force("hertz", k, 1e-12, 0.01), 300 + 6e-6, 1e-12, "no ramp");
}

/* Speed after an impact at v0 = 1 m/s of 1 kg on a fixed wall, small steps. */
static double rebound(const double *k) {
  double x = 0, v = 1, h = 2e-7;
  for (int i = 0; i < 1000000 && (i == 0 || x > 0); i++) {
    double a1 = -force("hunt_crossley", k, x, v), xm = x + 0.5 * h * v, vm = v + 0.5 * h * a1;
    double a2 = -force("hunt_crossley", k, xm, vm);
    x += h * vm, v += h * a2;
  }
  return -v;
}

static void restitution_comes_out_of_an_impact(void **state) {
  (void)state;
  static const char *const FORMULA[] = {"exact", "hunt_crossley", "lankarani_nikravesh", "flores"};
  double k[HK_LAW_CONSTANTS];
  hk_error err = {0};
  for (int i = 0; i < 4; i++) {
    const double wanted[] = {0.98, 0.9}, limit[] = {0.0014, 0.014};
    for (int j = 0; j < 2; j++) {
      assert_int_equal(
          LAW("hunt_crossley", NULL, k, {"stiffness", 1e9, NULL}, {"restitution", wanted[j], NULL},
              {"impact_velocity", 1, NULL}, {"formula", 0, FORMULA[i]}),
          HK_OK);
      /* The three laws agree to first order in 1 - e. */
      within(rebound(k), wanted[j], limit[j] / wanted[j], FORMULA[i], wanted[j]);
    }
  }
  for (double e = 0.05; e < 1; e += 0.15) {
    assert_int_equal(LAW("hunt_crossley", NULL, k, {"stiffness", 1e9, NULL},
                         {"restitution", e, NULL}, {"impact_velocity", 1, NULL}),
                     HK_OK);
    within(rebound(k), e, 1e-4, "exact", e);
  }
  assert_int_equal(LAW("hunt_crossley", NULL, k, {"stiffness", 1e9, NULL}, {"restitution", 1, NULL},
                       {"impact_velocity", 1, NULL}),
                   HK_OK);
  assert_near(rebound(k), 1, 1e-6, "elastic");
}

/* ---- rigid contact ---- */

static void restitution_pairs_that_can_add_energy_are_refused(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS];
  hk_error err = {0};
  assert_int_equal(LAW("signorini", NULL, k, {"restitution_normal", 0.45, NULL}, {"mu", 0.8, NULL}),
                   HK_OK);
  assert_near(k[HK_SET_RESTITUTION_N], 0.45, 0, "normal");
  assert_near(k[HK_SET_RESTITUTION_T], 0.45, 0, "tangential, left out");
  assert_near(k[HK_SET_MU], 0.8, 0, "mu");
  assert_int_equal(LAW("signorini", NULL, k, {"restitution_normal", 0.45, NULL}, {"mu", 0.8, NULL},
                       {"restitution_tangential", 0, NULL}),
                   HK_EINPUT);
  assert_non_null(strstr(err.text, "0.45 > restitution_tangential 0"));
  assert_int_equal(LAW("signorini", NULL, k, {"restitution_normal", 0.45, NULL},
                       {"restitution_tangential", 0, NULL}),
                   HK_OK); /* without friction the result is valid too */
  assert_int_equal(LAW("signorini", NULL, k, {"restitution_normal", 0, NULL}, {"mu", 0.8, NULL},
                       {"restitution_tangential", 0.9, NULL}),
                   HK_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elliptic_integrals_have_their_known_values),
      cmocka_unit_test(balls_are_as_stiff_as_in_the_textbook),
      cmocka_unit_test(the_fitted_formulas_are_near_the_integrals),
      cmocka_unit_test(the_ellipse_solves_the_integral_equation),
      cmocka_unit_test(stiffness_comes_from_where_it_is_given),
      cmocka_unit_test(damping_grows_in_and_never_pulls),
      cmocka_unit_test(restitution_comes_out_of_an_impact),
      cmocka_unit_test(restitution_pairs_that_can_add_energy_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
