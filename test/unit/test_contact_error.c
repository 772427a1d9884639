/* Steps through compliant contacts: no contact is missed, and the energy is conserved. */
#include "verify/verify.h"

static const char *const STEPPERS[] = {"bdf", "adams", "trapezoidal", "generalized_alpha"};
enum { N_STEPPERS = sizeof STEPPERS / sizeof *STEPPERS };

/* Two balls far apart and fast: in free flight the steps become longer than the distance across both. */
static void balls_do_not_fly_through_each_other(void **state) {
  (void)state;
  for (int i = 0; i < N_STEPPERS; i++) {
    vf_case c;
    vf_text(&c,
            "bodies:\n"
            "  a: {type: sphere, radius: 1 cm, mass: 3 kg, position: [-5 m, 0, 0], velocity: [2 "
            "m/s, 0, 0]}\n"
            "  b: {type: sphere, radius: 1 cm, mass: 1 kg}\n"
            "laws: {steel: {type: hertz, stiffness: 3e9 N/m^1.5}}\n"
            "contacts: {c: {type: sphere_on_sphere, a: a, b: b, law: steel, radius_a: 1 cm, "
            "radius_b: 1 cm}}\n"
            "analysis: {duration: 10 s}\n");
    vf_start(&c, &(hk_sim_options){.stepper = STEPPERS[i]});
    vf_advance(&c, 10);
    assert_true(fabs(vf_value(&c, "a.vx") - 1) < 1e-3);
    assert_true(fabs(vf_value(&c, "b.vx") - 3) < 1e-3);
    vf_close(&c);
  }
}

/* Energy of a ball after ten bounces from 0.5 m without losses. */
static double height_left(double stiffness, const char *stepper) {
  vf_case c;
  vf_text(&c,
          "bodies: {b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.6 m]}}\n"
          "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
          "laws: {w: {type: hertz, stiffness: %g N/m^1.5}}\n"
          "contacts: {f: {type: sphere_on_plane, a: ground, b: b, law: w, radius: 0.1 m}}\n"
          "analysis: {duration: 6.4 s}\n",
          stiffness);
  vf_start(&c, stepper ? &(hk_sim_options){.stepper = stepper} : NULL);
  vf_advance(&c, 6.4);
  double v = vf_value(&c, "b.vz"), deep = fmax(0, 0.1 - vf_value(&c, "b.z"));
  double height =
      vf_value(&c, "b.z") - 0.1 + v * v / (2 * 9.81) + 0.4 * stiffness * pow(deep, 2.5) / 9.81;
  vf_close(&c);
  return height;
}

static void bounces_keep_their_height(void **state) {
  (void)state;
  for (double K = 1e5; K < 1e12; K *= 100) {
    double off = fabs(height_left(K, NULL) / 0.5 - 1);
    if (!(off < 1e-3)) fail_msg("%g N/m^1.5: the height changes by %g", K, off);
    for (int i = 2; i < N_STEPPERS; i++) { /* second order, ten bounces */
      off = fabs(height_left(K, STEPPERS[i]) / 0.5 - 1);
      if (!(off < 5e-3)) fail_msg("%g N/m^1.5, %s: the height changes by %g", K, STEPPERS[i], off);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_do_not_fly_through_each_other),
      cmocka_unit_test(bounces_keep_their_height),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
