/* Impacts of compliant laws: the specified restitution is obtained, for any speed, stiffness and
 * exponent; for comparison, the results of the usual approximations, and of a law with a constant
 * approach speed. */
#include "verify/verify.h"

/* Ratio of the speeds after and before an impact of 1 kg on a wall, without other loads. */
static double rebound(const char *law, double speed) {
  vf_case c;
  vf_text(&c,
          "bodies: {b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.11 m], "
          "velocity: [0, 0, %.17g m/s]}}\n"
          "laws: {w: {type: hunt_crossley, %s}}\n"
          "contacts: {f: {type: sphere_on_plane, a: ground, b: b, law: w, radius: 0.1 m}}\n",
          -speed, law);
  vf_start(&c, &(hk_sim_options){.rtol = 1e-9, .atol = 1e-12});
  vf_advance(&c, 0.2 / speed);
  assert_true(vf_value(&c, "f.gap") > 0);
  double e = vf_value(&c, "b.vz") / speed;
  vf_close(&c);
  return e;
}

static void test_restitution(void **state) {
  (void)state;
  static const double wanted[] = {0.1, 0.3, 0.5, 0.8, 0.95}, speed[] = {0.02, 0.3, 5};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++) {
      char law[200], name[60];
      snprintf(law, sizeof law, "stiffness: 1e9 N/m^1.5, restitution: %g", wanted[i]);
      snprintf(name, sizeof name, "%g m/s", speed[k]);
      vf_check("impact", name, "restitution", rebound(law, speed[k]), wanted[i], 1e-3,
               "c (1 + e) = ln((1 + c)/(1 - c e))");
    }
}

static void test_exponents(void **state) {
  (void)state;
  static const char *const force[] = {"exponent: 1, reference_force: 1 N, reference_depth: 0.1 um",
                                      "exponent: 2.2, reference_force: 1 N, reference_depth: 1 um"};
  for (int i = 0; i < 2; i++) {
    char law[200];
    snprintf(law, sizeof law, "%s, restitution: 0.4", force[i]);
    vf_check("impact", i ? "exponent 2.2" : "exponent 1", "restitution", rebound(law, 0.5), 0.4,
             1e-3, "the same for all");
  }
}

/* Specified and obtained restitution. */
static void test_others(void **state) {
  (void)state;
  static const char *const formula[] = {"hunt_crossley", "lankarani_nikravesh", "flores"};
  for (int i = 0; i < 3; i++) {
    char law[200];
    snprintf(law, sizeof law, "stiffness: 1e9 N/m^1.5, restitution: 0.3, formula: %s", formula[i]);
    vf_note("impact", formula[i], "restitution, asked for 0.3", rebound(law, 0.5), "its formula");
  }
  vf_note("impact", "met at a tenth of impact_velocity", "restitution, asked for 0.3",
          rebound("stiffness: 1e9 N/m^1.5, restitution: 0.3, impact_velocity: 5 m/s", 0.5),
          "damping of 5 m/s");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_restitution),
                                     cmocka_unit_test(test_exponents),
                                     cmocka_unit_test(test_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
