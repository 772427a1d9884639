/* Branches of periodic orbits against references: fourth-order Runge-Kutta with variational equations, by an independent
 * program. */
#include "support/check.h"
#include <hooke/nonlinear.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* x'' + 0.1 x' + x + x^3 = 0.2 cos(omega t) */
static hk_status hard(void *context, double value, hk_model **m, hk_periodic_options *o,
                      hk_error *err) {
  char text[800];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "parameters: {w: %.17g rad/s}\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: (0.2*cos(w*t) - 0.1*m.angle_rate/(1 "
           "rad/s) - "
           "m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 5 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / value;
  return HK_OK;
}

/* x'' + 0.3 x' - x + x^3 = F cos(1.2 t) */
static hk_status wells(void *context, double value, hk_model **m, hk_periodic_options *o,
                       hk_error *err) {
  char text[800];
  (void)context;
  (void)err;
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1 rad}}\n"
           "forces:\n"
           "  f: {type: actuator, coordinate: m.angle, force: (%.17g*cos(1.2*t/(1 s)) - "
           "0.3*m.angle_rate/(1 rad/s) + "
           "m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"
           "analysis: {duration: 10 s, step: 5 ms, rtol: 1e-8, atol: 1e-10}\n",
           value);
  *m = model_of(text);
  o->period = 2 * M_PI / 1.2;
  return HK_OK;
}

static hk_orbit_branch follow(hk_branch_options o) {
  hk_orbit_branch b;
  hk_error err = {0};
  if (hk_branch_run(&o, &b, NULL, &err)) fail_msg("%s", err.text);
  for (int i = 0; i < b.n; i++)
    if (b.point[i].special)
      print_message("%s at %.8f of %d points\n", hk_special_name(b.point[i].special),
                    b.point[i].value, b.n);
  print_message("end %d %s, %ld periods\n", b.end, b.why, b.runs);
  return b;
}

static void folds(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){
      .orbit = &(hk_periodic_options){0}, .first = 1, .last = 2, .points = 31, .model = hard});
  const double at[] = {1.522448029, 1.2520149591};
  int n = 0, unstable = 0;
  assert_int_equal(b.end, HK_BRANCH_REACHED);
  assert_true(b.point[b.n - 1].value == 2);
  for (int i = 0; i < b.n; i++) {
    if (b.point[i].special == HK_ORDINARY) {
      assert_int_equal(b.point[i].orbit.stability, n == 1 ? HK_UNSTABLE : HK_STABLE);
      unstable += n == 1;
      continue;
    }
    assert_int_equal(b.point[i].special, HK_FOLD);
    assert_true(n < 2);
    assert_near(b.point[i].value, at[n++], 1e-5, "fold");
    assert_near(b.point[i].orbit.re[0], 1, 1e-3, "multiplier at a fold");
  }
  assert_int_equal(n, 2);
  assert_true(unstable > 3);
  hk_branch_free(&b);
}

static void flip(void **state) {
  (void)state;
  hk_orbit_branch b = follow((hk_branch_options){
      .orbit = &(hk_periodic_options){0}, .first = 0.2, .last = 0.27, .points = 8, .model = wells});
  int n = 0;
  for (int i = 0; i < b.n; i++)
    if (b.point[i].special && n++ == 0) {
      assert_int_equal(b.point[i].special, HK_FLIP);
      assert_near(b.point[i].value, 0.2655817861, 1e-5, "flip");
    }
  assert_int_equal(n, 1);
  assert_int_equal(b.point[b.n - 1].orbit.stability, HK_UNSTABLE);
  hk_branch_free(&b);
}

static void mistakes(void **state) {
  (void)state;
  hk_orbit_branch b;
  hk_error err = {0};
  const hk_periodic_options orbit = {0};
  assert_int_equal(
      hk_branch_run(&(hk_branch_options){.orbit = &orbit, .first = 1, .last = 1, .model = hard}, &b,
                    NULL, &err),
      HK_EINPUT);
  hk_branch_free(&b);
  assert_int_equal(
      hk_branch_run(&(hk_branch_options){.orbit = &orbit, .first = 1, .last = 2}, &b, NULL, &err),
      HK_EINPUT);
  hk_branch_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds), cmocka_unit_test(flip),
                                     cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
