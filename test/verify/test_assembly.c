/* Assembly: rough initial guesses are closed, fixed bodies stay, and impossible loops are reported
 * with their gap. */
#include "verify/verify.h"

/* A slider-crank of 0.3 m and 1 m with the crank at 60 degrees; all other values are guesses.  The
 * numbers are scaled by `off`: 1 is exact. */
static void slider_crank(vf_case *c, double off, double tilt, const char *fixed) {
  vf_text(c,
          "parameters: {off: %.6g, tilt: %.6g deg}\n"
          "bodies:\n"
          "  crank: {type: rod, length: 0.3 m, mass: 1 kg, position: [0.075 m, 0.129903810567666 "
          "m, 0], orientation: "
          "{axis: z, angle: 60 deg}%s}\n"
          "  rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.63 m * off, 0.13 m * off, 0.02 "
          "m * (off - 1)], "
          "orientation: {axis: z, angle: -15 deg + tilt}}\n"
          "  piston: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: "
          "[1.12 m * off, 0.05 m * "
          "(off - 1), 0], orientation: {axis: [1, 1, 0], angle: tilt}, markers: {face: "
          "{orientation: {z: [1, 0, 0], x: [0, 1, "
          "0]}}}}\n"
          "  ground: {markers: {guide: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}}}\n"
          "joints:\n"
          "  shaft: {type: revolute, b: crank.start}\n"
          "  pin: {type: revolute, a: crank.end, b: rod.start}\n"
          "  wrist: {type: point_on_line, a: rod.end, b: piston}\n"
          "  guide: {type: prismatic, a: ground.guide, b: piston.face}\n",
          off, tilt, fixed);
}

static void closes(double off, double tilt) {
  vf_case c;
  slider_crank(&c, off, tilt, ", fixed: all");
  vf_start(&c, NULL);
  char name[60];
  snprintf(name, sizeof name, "slider-crank, guess %+.0f %%, %+.0f deg", 100 * (off - 1), tilt);
  double x = 0.15 + sqrt(1 - 0.0675);
  vf_bound("assembly", name, "constraint error", vf_value(&c, "solver.constraint_error"), 1e-10,
           "closed");
  vf_check("assembly", name, "piston x [m]", vf_value(&c, "piston.x"), x, 1e-9, "closed form");
  vf_check("assembly", name, "fixed crank angle [rad]", vf_value(&c, "shaft.angle"), M_PI / 3,
           1e-10, "as in the file");
  vf_check("assembly", name, "fixed crank x [m]", vf_value(&c, "crank.x"), 0.075, 1e-10,
           "as in the file");
  vf_advance(&c, 0.05);
  vf_close(&c);
}

static void test_slider_crank(void **state) {
  static const double off[5] = {1, 0.9, 1.1, 0.8, 1.2};
  for (int i = 0; i < 5; i++) {
    closes(off[i], 0);
    closes(off[i], 8);
    closes(off[i], -8);
  }
}

/* ---- four-bar, links 0.2, 0.5, 0.4 on a ground of 0.5 m ---- */

static void four_bar(vf_case *c, double coupler, double off, const char *fixed) {
  vf_text(c,
          "parameters: {off: %.6g}\n"
          "bodies:\n"
          "  crank: {type: rod, length: 0.2 m, mass: 1 kg, position: [0, 0.1 m, 0], orientation: "
          "{axis: z, angle: 90 "
          "deg}%s}\n"
          "  coupler: {type: rod, length: %.6g m, mass: 1 kg, position: [0.24 m * off, 0.28 m * "
          "off, 0], orientation: "
          "{axis: z, angle: 20 deg * off}}\n"
          "  rocker: {type: rod, length: 0.4 m, mass: 1 kg, position: [0.5 m, 0.2 m * off, 0], "
          "orientation: {axis: z, "
          "angle: 90 deg * off}}\n"
          "  ground: {markers: {b: [0.5 m, 0, 0]}}\n"
          "joints:\n"
          "  a: {type: revolute, b: crank.start}\n"
          "  b: {type: revolute, a: ground.b, b: rocker.start}\n"
          "  c: {type: revolute, a: crank.end, b: coupler.start}\n"
          "  d: {type: revolute, a: rocker.end, b: coupler.end}\n",
          off, fixed, coupler);
}

static void test_four_bar(void **state) {
  static const double off[5] = {1, 0.9, 1.1, 0.85, 1.15};
  for (int i = 0; i < 5; i++) {
    vf_case c;
    four_bar(&c, 0.5, off[i], ", fixed: all");
    vf_start(&c, NULL);
    /* coupler's end: on the circles about (0, 0.2) with 0.5 and about (0.5, 0) with 0.4, upper side
     */
    double d = hypot(0.5, 0.2), along = (d * d + 0.25 - 0.16) / (2 * d),
           across = sqrt(0.25 - along * along);
    double x = (0.5 * along + 0.2 * across) / d, y = 0.2 + (-0.2 * along + 0.5 * across) / d;
    char name[60];
    snprintf(name, sizeof name, "four-bar, guess %+.0f %%", 100 * (off[i] - 1));
    vf_bound("assembly", name, "constraint error", vf_value(&c, "solver.constraint_error"), 1e-10,
             "closed");
    vf_check("assembly", name, "knee x [m]", vf_value(&c, "coupler.end.x"), x, 1e-9, "closed form");
    vf_check("assembly", name, "knee y [m]", vf_value(&c, "coupler.end.y"), y, 1e-9, "closed form");
    vf_close(&c);
  }
}

/* The number before "mm remain". */
static double named_gap(const char *text) {
  const char *at = strstr(text, " mm remain");
  assert_non_null(at);
  while (at > text && at[-1] != ' ') at--;
  return atof(at);
}

/* With the crank fixed, a coupler of 1.2 m cannot reach from (0, 0.2) to the rocker's circle: at
 * most sqrt(0.29) + 0.4 = 0.9385 m.  The smallest gap is 261 mm if it is in one joint; assembly may
 * distribute it over several joints. */
static void test_impossible(void **state) {
  vf_case c;
  four_bar(&c, 1.2, 1, ", fixed: all");
  assert_int_equal(hk_sim_create(c.model, NULL, &c.sim, &c.diag, &c.err), HK_EINPUT);
  print_message("  %s\n", c.err.text);
  assert_non_null(strstr(c.err.text, "mm remain"));
  assert_true(strstr(c.err.text, "joint 'a'") || strstr(c.err.text, "joint 'b'") ||
              strstr(c.err.text, "joint 'c'") || strstr(c.err.text, "joint 'd'"));
  double gap = named_gap(c.err.text);
  vf_note("assembly", "four-bar that cannot close", "gap in the message [mm]", gap,
          "261.5 mm in all");
  assert_true(gap > 50 && gap < 261.5);
  vf_close(&c);
}

/* Two fixed bodies too far apart for their joint: the gap is exactly their distance. */
static void test_gap(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  a: {type: point_mass, mass: 1 kg, fixed: all}\n"
          "  b: {type: point_mass, mass: 1 kg, position: [12.5 mm, 0, 0], fixed: all}\n"
          "joints: {weld: {type: spherical, a: a, b: b}}\n");
  hk_status status = hk_sim_create(c.model, NULL, &c.sim, &c.diag, &c.err);
  print_message("  %d %s\n", status, c.err.text);
  assert_int_equal(status, HK_EINPUT);
  assert_non_null(strstr(c.err.text, "joint 'weld'"));
  vf_check("assembly", "two fixed points", "gap in the message [mm]", named_gap(c.err.text), 12.5,
           0.01, "as in the file");
  vf_close(&c);
}

/* Velocities: one rate is given, the others follow; the rod of the spatial slider-crank starts
 * without a guess. */
static void test_velocities(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  crank: {type: rod, length: 0.3 m, mass: 1 kg, position: [0, 0.15 m, 0], orientation: "
          "{axis: z, angle: 90 "
          "deg}, angular_velocity: [0, 0, 10 rad/s]}\n"
          "  rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.4769696 m, 0.15 m, 0], "
          "orientation: {axis: z, "
          "angle: -17.457603123722 deg}}\n"
          "  piston: {type: point_mass, mass: 2 kg, position: [0.953939201416946 m, 0, 0]}\n"
          "  ground: {markers: {guide: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}}}\n"
          "joints:\n"
          "  shaft: {type: revolute, b: crank.start}\n"
          "  pin: {type: revolute, a: crank.end, b: rod.start}\n"
          "  wrist: {type: spherical, a: rod.end, b: piston}\n"
          "  guide: {type: point_on_line, a: ground.guide, b: piston}\n");
  vf_start(&c, NULL);
  vf_check("assembly", "slider-crank at 90 deg", "crank rate [rad/s]",
           vf_value(&c, "shaft.angle_rate"), 10, 1e-8, "as in the file");
  vf_check("assembly", "slider-crank at 90 deg", "piston speed [m/s]", vf_value(&c, "piston.vx"),
           -3, 1e-6, "-r w");
  vf_bound("assembly", "slider-crank at 90 deg", "rod rate [rad/s]", fabs(vf_value(&c, "rod.wz")),
           1e-6, "0");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slider_crank), cmocka_unit_test(test_four_bar),
      cmocka_unit_test(test_impossible),   cmocka_unit_test(test_gap),
      cmocka_unit_test(test_velocities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
