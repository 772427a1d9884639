/* Joint reactions: closed forms, and the multipliers of Andrews' squeezer. */
#include "verify/verify.h"

static void test_hanging(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0, 0, -0.5 m], "
          "orientation: {axis: y, "
          "angle: 90 deg}}}\n"
          "joints: {pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}}\n"
          "forces: {g: {type: gravity}}\n");
  vf_start(&c, NULL);
  vf_check("reaction", "hanging pendulum, 2 kg", "fz [N]", vf_value(&c, "pin.fz"), 2 * 9.81, 1e-10,
           "m g");
  vf_bound("reaction", "hanging pendulum, 2 kg", "fx, fy [N]",
           hypot(vf_value(&c, "pin.fx"), vf_value(&c, "pin.fy")), 1e-10, "statics");
  vf_close(&c);
}

/* Held horizontally by a fixed joint: weight and its moment. */
static void test_cantilever(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {wall: {type: fixed, b: rod, at: [0, 0, 0]}}\n"
          "forces: {g: {type: gravity}}\n");
  vf_start(&c, NULL);
  vf_advance(&c, 0.1);
  vf_check("reaction", "cantilever, 2 kg at 0.5 m", "fz [N]", vf_value(&c, "wall.fz"), 19.62, 1e-8,
           "m g");
  vf_check("reaction", "cantilever, 2 kg at 0.5 m", "ty [N m]", vf_value(&c, "wall.ty"), -9.81,
           1e-8, "-m g l/2");
  vf_close(&c);
}

static void test_rotating_arm(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
          "motions: {drive: {coordinate: pin.angle, value: 20 rad/s * t}}\n");
  vf_start(&c, &(hk_sim_options){.step = 1e-3});
  vf_advance(&c, 0.3);
  double f = -2 * 400 * 0.5;
  vf_check("reaction", "arm at 20 rad/s", "fx [N]", vf_value(&c, "pin.fx"), f * cos(6), 1e-6,
           "-m w^2 r cos");
  vf_check("reaction", "arm at 20 rad/s", "fy [N]", vf_value(&c, "pin.fy"), f * sin(6), 1e-6,
           "-m w^2 r sin");
  vf_close(&c);
}

/* Released from the horizontal: the pin carries m g/4 at first and 5 m g/2 at the bottom. */
static void test_falling_rod(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}}\n"
          "forces: {g: {type: gravity}}\n");
  vf_start(&c, &(hk_sim_options){.rtol = 1e-8, .atol = 1e-10});
  vf_check("reaction", "falling rod, 2 kg", "fz at the start [N]", vf_value(&c, "pin.fz"),
           19.62 / 4, 1e-9, "m g/4");
  /* until the bottom, where fz has its maximum */
  double most = 0;
  for (int i = 0; i < 600; i++) {
    vf_advance(&c, 1e-3 * (i + 1));
    most = fmax(most, vf_value(&c, "pin.fz"));
  }
  vf_check("reaction", "falling rod, 2 kg", "largest fz [N]", most, 2.5 * 19.62, 1e-3, "5 m g/2");
  vf_close(&c);
}

/* The multipliers of the test set belong to the loops that close at E:
 *   g1, g2: E of k1-k2 less E of k3;  g3, g4: less E of k5-k4;  g5, g6: less E of k7-k6 (x and y).
 * So lambda is the force on k3, k4 and k6 at E. */
static void test_andrews_multipliers(void **state) {
  static const double lambda[6] = {199.1753333731910, -29.75531228015052, 23.06654119098399,
                                   31.45271365475927, 22.64249232082739,  11.61740700019673};
  static const char *const channel[6] = {"e3.fx", "e3.fy", "e4.fx", "e4.fy", "e6.fx", "e6.fy"};
  vf_case c;
  vf_file(&c, "examples/benchmarks/a03_andrews.yaml", NULL, 0);
  vf_start(&c, &(hk_sim_options){.rtol = 1e-9, .atol = 1e-11});
  vf_advance(&c, 0.03);
  for (int i = 0; i < 6; i++) {
    char name[40];
    snprintf(name, sizeof name, "lambda %d = %s [N]", i + 1, channel[i]);
    vf_check("reaction", "A03 Andrews, t = 0.03 s", name, vf_value(&c, channel[i]), lambda[i], 2e-3,
             "IVP test set");
  }
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hanging),
      cmocka_unit_test(test_cantilever),
      cmocka_unit_test(test_rotating_arm),
      cmocka_unit_test(test_falling_rod),
      cmocka_unit_test(test_andrews_multipliers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
