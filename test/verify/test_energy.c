/* The energy ledger: kinetic + potential + dissipated - work stays constant, with an error that
 * decreases with the square of the step, and every term has the correct sign and magnitude. */
#include "verify/verify.h"

enum { LEVELS = 3 };

/* Balance error at t_end for h, h/2, h/4; the last simulation remains in c. */
static void balance(vf_case *c, const char *name, double t_end, double first, double limit) {
  double h[LEVELS], e[LEVELS];
  for (int i = 0; i < LEVELS; i++) {
    h[i] = first / (1 << i);
    vf_start(c, &(hk_sim_options){.step = h[i]});
    vf_advance(c, t_end);
    e[i] = fabs(vf_value(c, "energy.balance_error"));
  }
  print_message("  %s: balance errors %.3g %.3g %.3g J\n", name, e[0], e[1], e[2]);
  vf_bound("energy", name, "balance error, finest step [J]", e[LEVELS - 1], limit, "conservation");
  if (e[LEVELS - 1] > 1e-11) {
    double order = vf_slope(h, e, LEVELS);
    vf_note("energy", name, "its order", order, "theory: 2");
    assert_true(order > 1.8);
  }
}

/* m = 1 kg, k = 100 N/m, c = 2 N s/m from an elongation of 1 m: all of k x^2/2 = 50 J is
 * dissipated. */
static void test_damped_spring(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {m: {type: point_mass, mass: 1 kg, position: [2 m, 0, 0]}}\n"
          "forces: {s: {type: spring_damper, b: m, stiffness: 100 N/m, damping: 2 N*s/m, length: 1 "
          "m}}\n");
  balance(&c, "damped spring", 1, 4e-3, 2e-3);
  vf_start(&c, &(hk_sim_options){.step = 1e-3});
  vf_advance(&c, 15);
  vf_check("energy", "damped spring", "dissipated after 15 s [J]",
           vf_value(&c, "energy.dissipated"), 50, 5e-3, "closed form");
  vf_close(&c);
}

/* Damped pendulum on a hinge: integration with constraints. */
static void test_damped_hinge(void **state) {
  vf_case c;
  vf_text(
      &c,
      "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
      "joints: {pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}}\n"
      "forces: {g: {type: gravity}, d: {type: torsion_spring, coordinate: pin.angle, damping: 0.3 "
      "N*m*s/rad}}\n");
  balance(&c, "damped hinge", 1.7, 4e-3, 1e-4);
  assert_true(vf_value(&c, "energy.dissipated") > 1);
  assert_true(fabs(vf_value(&c, "energy.motion_work")) == 0);
  vf_close(&c);
}

/* A block of 2 kg slides from 3 m/s to rest under mu = 0.3: 9 J are dissipated. */
static const char BLOCK[] =
    "bodies: {block: {type: box, mass: 2 kg, size: [0.1 m, 0.1 m, 0.1 m], velocity: [3 m/s, 0, "
    "0]}}\n"
    "joints: {slide: {type: prismatic, b: block, at: [0, 0, 0], axis: x}}\n"
    "forces:\n"
    "  g: {type: gravity}\n"
    "  f: {type: joint_friction, joint: slide, mu: 0.3, velocity: 10 mm/s}\n";

static void test_friction(void **state) {
  vf_case c;
  vf_text(&c, "%s", BLOCK);
  balance(&c, "sliding block", 0.9, 4e-3, 1e-9);
  vf_advance(&c, 1.5);
  vf_check("energy", "sliding block", "dissipated after 1.5 s [J]",
           vf_value(&c, "energy.dissipated"), 9, 5e-3, "m v^2/2");
  vf_close(&c);
}

/* A crank driven at 10 rad/s against a brake of 0.5 N m s: 50 W, plus the power of gravity. */
static void test_motion_against_brake(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {crank: {type: rod, length: 0.4 m, mass: 1 kg, position: [0.2 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: crank, at: [0, 0, 0], axis: z}}\n"
          "motions: {drive: {coordinate: pin.angle, value: 10 rad/s * t}}\n"
          "forces:\n"
          "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
          "  brake: {type: torsion_spring, coordinate: pin.angle, damping: 0.5 N*m*s/rad}\n");
  balance(&c, "driven crank", 0.7, 2e-3, 1e-4);
  double t = 0.7, lift = 9.81 * 0.2 * sin(7);
  vf_check("energy", "driven crank", "work of the motion [J]", vf_value(&c, "energy.motion_work"),
           50 * t + lift, 1e-4, "50 W t + m g z");
  vf_check("energy", "driven crank", "dissipated [J]", vf_value(&c, "energy.dissipated"), 50 * t,
           1e-6, "50 W t");
  vf_check("energy", "driven crank", "effort of the motion [N m]", vf_value(&c, "drive.effort"),
           5 + 9.81 * 0.2 * cos(7), 1e-6, "brake + weight");
  vf_close(&c);
}

/* A load that depends on time and on the motion; its work is the energy gained by the body. */
static void test_applied_load(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
          "forces: {f: {type: load, b: m, force: [5 N * sin(3 rad/s * t) - 0.5 N*s/m * m.vx, 0, "
          "0]}}\n");
  balance(&c, "load by expression", 1, 4e-3, 1e-5);
  assert_true(vf_value(&c, "energy.applied_work") > 0);
  vf_check("energy", "load by expression", "work = kinetic energy [J]",
           vf_value(&c, "energy.applied_work"), vf_value(&c, "energy.kinetic"), 1e-5,
           "conservation");
  vf_close(&c);
  /* the same along a coordinate of a joint */
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}}\n"
          "forces: {g: {type: gravity}, d: {type: actuator, coordinate: pin.angle, force: 3 N*m * "
          "cos(2 rad/s * "
          "t)}}\n");
  balance(&c, "actuator on a hinge", 1.3, 4e-3, 1e-4);
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_damped_spring), cmocka_unit_test(test_damped_hinge),
      cmocka_unit_test(test_friction),      cmocka_unit_test(test_motion_against_brake),
      cmocka_unit_test(test_applied_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
