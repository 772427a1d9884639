/* Friction laws: their published values, and the approximation for spin over an ellipse against the exact
 * integral. */
#include "spec/type.h"
#include "support/check.h"
#include "law/friction.h"

static const double PI = 3.14159265358979323846;

typedef struct value {
  const char *name;
  double x;
  const char *text;
} value;

static hk_status prepare(const value *v, int n, double *k, hk_error *err) {
  hk_spec *spec = hk_spec_create();
  hk_item *law = add_item(spec, HK_LAW, "hertz", "law");
  set_real(law, "stiffness", 1e9);
  for (int i = 0; i < n; i++)
    if (v[i].text)
      set_text(law, v[i].name, v[i].text);
    else
      set_real(law, v[i].name, v[i].x);
  memset(k, 0, HK_LAW_CONSTANTS * sizeof *k);
  hk_status status = ((const hk_law_ops *)law->type->ops)->prepare(law, NULL, k, err);
  hk_spec_destroy(spec);
  return status;
}
#define LAW(k, ...)                     \
  prepare((const value[]){__VA_ARGS__}, \
          (int)(sizeof((const value[]){__VA_ARGS__}) / sizeof(value)), k, &err)

static double mu_at(const double *k, double v) {
  double f_v;
  return v * hk_friction_slide(k, v, &f_v);
}

static void the_three_forms_have_their_printed_values(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS], f_v;
  hk_error err = {0};
  assert_int_equal(LAW(k, {"mu", 0.03, NULL}, {"velocity", 2e-3, NULL}, {"friction", 0, "mu1"}),
                   HK_OK);
  assert_int_equal(hk_friction_kind(k), HK_FRICTION_SLIDE);
  assert_near(mu_at(k, 1e-3), 0.015, 1e-15, "mu1 on the line");
  assert_near(mu_at(k, 0.5), 0.03, 1e-15, "mu1 sliding");
  assert_int_equal(LAW(k, {"mu", 0.03, NULL}, {"velocity", 2e-3, NULL}, {"friction", 0, "mu2"}),
                   HK_OK);
  assert_near(mu_at(k, 3e-3), 0.03 * tanh(1.5), 1e-15, "mu2");
  assert_near(mu_at(k, 1e-4), 0.03 * tanh(0.05), 1e-15, "mu2 by its series");
  assert_int_equal(LAW(k, {"mu", 0.03, NULL}, {"mu_static", 0.036, NULL},
                       {"velocity", 1.8e-3, NULL}, {"static_velocity", 0.02, NULL}),
                   HK_OK);
  const double v[] = {1e-5, 1e-4, 1.7e-4, 1.9e-4, 1e-3, 5e-3, 0.02, 0.05, 1};
  for (int i = 0; i < 9; i++)
    assert_near(mu_at(k, v[i]) / ((0.03 + 0.006 * exp(-v[i] / 0.02)) * tanh(v[i] / 1.8e-3)), 1,
                4e-15, "mu3 at %g", v[i]);
  assert_near(hk_friction_slide(k, 0, &f_v), 0.036 / 1.8e-3, 1e-13, "slope at rest");
  assert_near(f_v, -0.006 / 0.02 / 1.8e-3, 1e-13, "and how it starts to fall");
  assert_int_equal(LAW(k, {"velocity", 1e-3, NULL}), HK_OK);
  assert_int_equal(hk_friction_kind(k), HK_FRICTION_NONE);
  assert_int_equal(LAW(k, {"mu", 0.3, NULL}, {"mu_static", 0.2, NULL}), HK_EINPUT);
  assert_int_equal(LAW(k, {"mu", 0.3, NULL}, {"friction", 0, "pade"}), HK_EINPUT);
  assert_non_null(strstr(err.text, "needs the contact ellipse"));
}

/* d(tanh(x)/x)/dx on both sides of the limit of the series, in long double. */
static void the_series_at_rest_joins_the_closed_form(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS], f_v;
  hk_error err = {0};
  assert_int_equal(LAW(k, {"mu", 1, NULL}, {"velocity", 1, NULL}, {"friction", 0, "mu2"}), HK_OK);
  for (int i = 1; i < 40; i++) {
    long double x = 0.005L * i, s = tanhl(x), wanted = (1 - s * s - s / x) / x;
    hk_friction_slide(k, (double)x, &f_v);
    assert_near(f_v / (double)wanted, 1, 1e-12, "at x = %g", (double)x);
  }
}

static void resistance_acts_against_turning(void **state) {
  (void)state;
  double k[HK_LAW_CONSTANTS], out[HK_N_SLIP];
  hk_error err = {0};
  assert_int_equal(LAW(k, {"rolling_resistance", 1e-3, NULL}, {"spinning_resistance", 2e-3, NULL},
                       {"turning_velocity", 1e-6, NULL}),
                   HK_OK);
  assert_int_equal(hk_friction_kind(k), HK_FRICTION_GENERAL);
  const double slip[HK_N_SLIP] = {5, 7, -2, 3, -4};
  hk_friction_general(k, 100, slip, out, NULL, NULL);
  const double wanted[HK_N_SLIP] = {0, 0, 0.2, -0.06, 0.08};
  for (int i = 0; i < HK_N_SLIP; i++) assert_near(out[i], wanted[i], 1e-12, "component %d", i);
}

/* Friction over the ellipse by summation: with rho = sin q the pressure is smooth at the edge. */
static void integrate(double at, double as, double vt, double vs, double w, double out[3]) {
  enum { RINGS = 80, SPOKES = 240 };
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < RINGS; i++)
    for (int j = 0; j < SPOKES; j++) {
      double q = (i + 0.5) / RINGS * PI / 2, phi = (j + 0.5) / SPOKES * 2 * PI;
      double share = 1.5 / PI * cos(q) * cos(q) * sin(q) * (PI / 2 / RINGS) * (2 * PI / SPOKES);
      double x = at * sin(q) * cos(phi), y = as * sin(q) * sin(phi);
      double ut = vt - w * y, us = vs + w * x, u = sqrt(ut * ut + us * us);
      out[0] -= share * ut / u;
      out[1] -= share * us / u;
      out[2] -= share * (x * us - y * ut) / u;
    }
}

static void spin_over_an_ellipse_follows_the_integral(void **state) {
  (void)state;
  /* semi-axes, then the largest error of T/(mu N) and of M/(mu N rho) */
  const double CASE[][4] = {{1, 1, 0.04, 0.03},
                            {1, 2, 0.04, 0.08},
                            {3, 1, 0.06, 0.07},
                            {1, 7, 0.1, 0.1},
                            {16, 1, 0.15, 0.12}};
  for (int c = 0; c < 5; c++) {
    double k[HK_LAW_CONSTANTS], at = CASE[c][0], as = CASE[c][1], exact[3], out[HK_N_SLIP];
    hk_error err = {0};
    assert_int_equal(LAW(k, {"mu", 0.5, NULL}, {"friction", 0, "pade"}, {"velocity", 1e-7, NULL},
                         {"half_axis_t", at, NULL}, {"half_axis_s", as, NULL}),
                     HK_OK);
    integrate(at, as, 0, 0, 1, exact);
    double rho = -exact[2], eT = 0, eM = 0;
    for (int i = 0; i <= 6; i++)
      for (int j = 0; j < 17; j++) {
        double th = i * PI / 12, w = pow(10, -2 + 0.25 * j) / sqrt(at * as);
        const double slip[HK_N_SLIP] = {cos(th), -sin(th), w, 0, 0};
        integrate(at, as, slip[0], slip[1], w, exact);
        hk_friction_general(k, 2, slip, out, NULL, NULL);
        eT = fmax(eT, hypot(out[0] - exact[0], out[1] - exact[1]));
        eM = fmax(eM, fabs(out[2] - exact[2]) / rho);
      }
    if (eT > CASE[c][2] || eM > CASE[c][3])
      fail_msg("%g : %g: T is off by %.3f mu N, M by %.3f mu N rho", at, as, eT, eM);
  }
}

/* Both limits of the approximation are those of the integral. */
static void the_limits_of_sliding_and_of_spin_are_exact(void **state) {
  (void)state;
  const double at = 1, as = 4;
  double k[HK_LAW_CONSTANTS], exact[3], out[HK_N_SLIP];
  hk_error err = {0};
  assert_int_equal(LAW(k, {"mu", 1, NULL}, {"friction", 0, "pade"}, {"velocity", 1e-9, NULL},
                       {"half_axis_t", at, NULL}, {"half_axis_s", as, NULL}),
                   HK_OK);
  for (int i = 0; i <= 4; i++) {
    double th = i * PI / 8, c = cos(th), s = sin(th);
    const double slides[HK_N_SLIP] = {c, s, 1e-3, 0, 0},
                 spins[HK_N_SLIP] = {1e-2 * c, 1e-2 * s, 1, 0, 0};
    hk_friction_general(k, 1, slides, out, NULL, NULL);
    assert_near(out[0], -c, 1e-5, "T_t sliding");
    assert_near(out[1], -s, 1e-5, "T_s sliding");
    assert_near(out[2] / (-1e-3 * (c * c + 16 * s * s) / 5), 1, 1e-3, "M sliding"); /* <r^2>/v */
    hk_friction_general(k, 1, spins, out, NULL, NULL);
    integrate(at, as, spins[0], spins[1], 1, exact);
    for (int j = 0; j < 3; j++) assert_near(out[j], exact[j], 3e-4, "component %d spinning", j);
  }
}

/* friction: integrated against the same sum with 70 000 points. */
static void integrated_friction_follows_the_integral(void **state) {
  (void)state;
  enum { RINGS = 150, SPOKES = 480 };
  const double at = 1, as = 7, v2 = 0.05;
  double k[HK_LAW_CONSTANTS], out[HK_N_SLIP], worst[3] = {0};
  hk_error err = {0};
  assert_int_equal(LAW(k, {"mu", 1, NULL}, {"friction", 0, "integrated"}, {"velocity", v2, NULL},
                       {"half_axis_t", at, NULL}, {"half_axis_s", as, NULL}),
                   HK_OK);
  for (int c = 0; c < 60; c++) {
    const double th = 0.3 * c, w = pow(10, -2 + 0.07 * (c % 30)), v = c % 3 ? 1 : 0.02;
    const double slip[HK_N_SLIP] = {v * cos(th), -v * sin(th), w / 3, 0, 0};
    double exact[3] = {0};
    for (int i = 0; i < RINGS; i++)
      for (int j = 0; j < SPOKES; j++) {
        double q = (i + 0.5) / RINGS * PI / 2, phi = (j + 0.5) / SPOKES * 2 * PI;
        double share = 1.5 / PI * cos(q) * cos(q) * sin(q) * (PI / 2 / RINGS) * (2 * PI / SPOKES);
        double x = at * sin(q) * cos(phi), y = as * sin(q) * sin(phi);
        double ut = slip[0] - slip[2] * y, us = slip[1] + slip[2] * x, u = hypot(ut, us),
               f = share * tanh(u / v2) / u;
        exact[0] -= f * ut, exact[1] -= f * us, exact[2] -= f * (x * us - y * ut);
      }
    hk_friction_general(k, 1, slip, out, NULL, NULL);
    for (int i = 0; i < 3; i++)
      worst[i] = fmax(worst[i], fabs(out[i] - exact[i]) / (i < 2 ? 1 : 0.375 * as));
  }
  /* The exact limit of pure rolling slip, and of no motion. */
  const double slides[HK_N_SLIP] = {0.02, 0, 0, 0, 0}, none[HK_N_SLIP] = {0};
  hk_friction_general(k, 1, slides, out, NULL, NULL);
  assert_near(out[0], -tanh(0.02 / v2), 1e-14, "sliding only");
  hk_friction_general(k, 1, none, out, NULL, NULL);
  for (int i = 0; i < 3; i++) assert_true(out[i] == 0);
  for (int i = 0; i < 3; i++)
    if (!(worst[i] < 1e-3)) fail_msg("component %d is off by %.2g", i, worst[i]);
}

/* Hertz's contact ellipse: the semi-axes are proportional to N^(1/3). */
static void the_area_grows_with_the_pressure(void **state) {
  (void)state;
  const hk_curvature radii = {INFINITY, -0.0117, 0.0111, 0.0111};
  double grows[HK_LAW_CONSTANTS] = {0}, fixed[HK_LAW_CONSTANTS], a[HK_N_SLIP], b[HK_N_SLIP];
  double half_t, half_s, peak, N = 5000;
  hk_spec *spec = hk_spec_create();
  hk_item *law = add_item(spec, HK_LAW, "hertz", "law");
  const hk_law_ops *ops = law->type->ops;
  set_real(law, "young", 210e9);
  set_real(law, "mu", 0.1);
  set_text(law, "friction", "pade");
  MUST(ops->prepare(law, &radii, grows, err));
  hk_spec_destroy(spec);
  assert_true(ops->pressure(grows, 0, N, &half_t, &half_s, &peak));
  hk_error err = {0};
  assert_int_equal(LAW(fixed, {"mu", 0.1, NULL}, {"friction", 0, "pade"},
                       {"half_axis_t", half_t, NULL}, {"half_axis_s", half_s, NULL}),
                   HK_OK);
  const double slip[HK_N_SLIP] = {0.05, 0.02, 30, 0, 0};
  hk_friction_general(grows, N, slip, a, NULL, NULL);
  hk_friction_general(fixed, N, slip, b, NULL, NULL);
  for (int i = 0; i < 3; i++) assert_near(a[i] / b[i], 1, 1e-12, "component %d", i);
  double J[HK_N_SLIP][HK_N_SLIP], by_N[HK_N_SLIP], c[HK_N_SLIP], h = 1;
  hk_friction_general(grows, N, slip, a, J, by_N);
  hk_friction_general(grows, N + h, slip, b, NULL, NULL);
  hk_friction_general(grows, N - h, slip, c, NULL, NULL);
  for (int i = 0; i < 3; i++)
    assert_near(by_N[i] / ((b[i] - c[i]) / (2 * h)), 1, 1e-7, "component %d by N", i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_three_forms_have_their_printed_values),
      cmocka_unit_test(the_series_at_rest_joins_the_closed_form),
      cmocka_unit_test(resistance_acts_against_turning),
      cmocka_unit_test(spin_over_an_ellipse_follows_the_integral),
      cmocka_unit_test(the_limits_of_sliding_and_of_spin_are_exact),
      cmocka_unit_test(integrated_friction_follows_the_integral),
      cmocka_unit_test(the_area_grows_with_the_pressure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
