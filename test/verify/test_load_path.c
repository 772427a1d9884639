/* Elements act in the right place: reactions and displacements that follow from statics, whatever the element's own
 * equations are.  Each case was once silently wrong although action equalled reaction in it. */
#include "verify/verify.h"

/* The model in equilibrium. */
static void balance(vf_case *c) {
  hk_static_report at;
  if (hk_static_solve(c->model, NULL, &c->sim, &at, &c->diag, &c->err)) fail_msg("%s", c->err.text);
}

/* ---- compliant hinges ---- */

/* A moment of 1 N m about x tilts a hinge whose journal has turned by `angle` about z.  Springs of 1e7 N/m along a
 * bush of 40 mm resist it with 1e7 * 0.04^2/12 = 1333.3 N m/rad at any angle. */
static double tilt_stiffness(double degrees) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  j: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.02 kg*m^2, 0.03 kg*m^2], markers: {f: "
          "{orientation: {axis: z, angle: %.17g deg}}}}\n"
          "joints:\n"
          "  h: {type: revolute_clearance_joint, a: ground, b: j.f, fidelity: compliant, "
          "stiffness: 1e7 N/m, length: 40 mm}\n"
          "forces:\n"
          "  l: {type: load, b: j, torque: [1 N*m, 0, 0]}\n"
          "  hold: {type: torsion_spring, a: ground, b: j.f, stiffness: 1e4 N*m/rad, angle: "
          "%.17g deg}\n",
          degrees, degrees);
  balance(&c);
  double tilt = vf_value(&c, "h.tilt");
  vf_close(&c);
  return 1 / tilt;
}

static void test_tilt_of_a_turned_hinge(void **state) {
  static const double at[] = {0, 90, 170, 180};
  for (int i = 0; i < 4; i++) {
    char text[60];
    snprintf(text, sizeof text, "compliant hinge turned by %g degrees", at[i]);
    vf_check("load_path", text, "tilt stiffness [N m/rad]", tilt_stiffness(at[i]),
             1e7 * 0.04 * 0.04 / 12, 1e-3, "k length^2/12");
  }
}

/* Spun by 20 rad/s over 0.3 s, almost a whole turn. */
static void test_turning_over(void **state) {
  static const char *const type[] = {"revolute_clearance_joint", "spherical_clearance_joint"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_text(&c,
            "bodies: {arm: {type: rod, length: 0.2 m, mass: 1 kg, angular_velocity: [0, 0, 20 "
            "rad/s]}}\n"
            "joints: {h: {type: %s, a: ground, b: arm, fidelity: compliant, stiffness: 1e7 N/m, "
            "damping: 100 N*s/m%s}}\n",
            type[i], i ? "" : ", length: 40 mm");
    vf_start(&c, NULL);
    vf_advance(&c, 0.3);
    vf_check("load_path", type[i], "end of a free arm after 6 rad [m]", vf_value(&c, "arm.end.x"),
             0.1 * cos(6), 1e-9, "l/2 cos");
    vf_close(&c);
  }
}

/* A journal that has slid 30 mm through its bush: its frame b is 30 mm away, the load acts in the bush's middle.  The
 * journal moves across without tilting. */
static void test_slid_journal(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  ground: {markers: {gz: {at: [0, 0, 30 mm]}}}\n"
          "  j: {position: [0, 0, 30 mm], mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 "
          "kg*m^2], markers: {p: {at: [0, 0, -30 mm]}}}\n"
          "joints: {e: {type: revolute_clearance_joint, a: ground, b: j, axial: free, fidelity: "
          "compliant, stiffness: 1e7 N/m, length: 40 mm}}\n"
          "forces:\n"
          "  hold: {type: bushing, a: ground.gz, b: j, stiffness: [0, 0, 1e3 N/m], "
          "torsion_stiffness: [0, 0, 10 N*m/rad]}\n"
          "  ld: {type: load, b: j.p, force: [0, -100 N, 0]}\n");
  balance(&c);
  vf_check("load_path", "journal 30 mm along its bush", "y of the loaded point [m]",
           vf_value(&c, "j.p.y"), -1e-5, 1e-12, "F/k");
  vf_bound("load_path", "journal 30 mm along its bush", "tilt [rad]", vf_value(&c, "e.tilt"), 1e-9,
           "the load passes through the middle");
  vf_close(&c);
}

/* ---- parts ---- */

/* A drive shaft as a part, once as drawn and once turned by 90 degrees about y: the same drive. */
static void test_part_with_bent_shafts(void **state) {
  vf_case c;
  vf_text(&c,
          "assemblies:\n"
          "  drive:\n"
          "    bodies:\n"
          "      inp: {type: cylinder, length: 0.2 m, radius: 2 cm, mass: 2 kg, position: [0, 0, "
          "-0.1 m]}\n"
          "      out: {type: cylinder, length: 1 m, radius: 3 cm, mass: 6 kg, position: [0, -0.5 m "
          "* sin(20 deg), 0.5 m * cos(20 deg)], orientation: {axis: x, angle: 20 deg}}\n"
          "    joints:\n"
          "      first: {type: revolute, b: inp, at: [0, 0, 0], axis: z}\n"
          "      cross: {type: universal, a: inp, b: out, at: [0, 0, 0], axis_a: z, axis_b: [0, "
          "-sin(20 deg), cos(20 deg)]}\n"
          "      last: {type: cylindrical, b: out, at: [0, 0, 0], axis: [0, -sin(20 deg), cos(20 "
          "deg)]}\n"
          "    forces:\n"
          "      t1: {type: actuator, coordinate: first.angle, force: 10 N*m}\n"
          "      t2: {type: torsion_spring, coordinate: last.angle, stiffness: 100 N*m/rad}\n"
          "parts:\n"
          "  p: {assembly: drive}\n"
          "  r: {assembly: drive, position: [1 m, 0, 0], orientation: {axis: y, angle: 90 deg}}\n");
  vf_start(&c, &(hk_sim_options){.rtol = 1e-10, .atol = 1e-12});
  vf_advance(&c, 0.02);
  double as_drawn = vf_value(&c, "p.last.angle");
  assert_true(fabs(as_drawn) > 1e-3);
  vf_check("load_path", "part turned by 90 degrees", "angle of its bent output [rad]",
           vf_value(&c, "r.last.angle"), as_drawn, 1e-10, "the part as drawn");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tilt_of_a_turned_hinge),
      cmocka_unit_test(test_turning_over),
      cmocka_unit_test(test_slid_journal),
      cmocka_unit_test(test_part_with_bent_shafts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
