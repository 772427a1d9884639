/* No contact within a step is missed: balls that would pass through each other, that touch, and that part, all with
 * default settings.  Most cases have a closed-form solution. */
#include "verify/along_steps.h"

/* Damping that would pull is omitted, and decreases with the penetration: between a ball without
 * force that still penetrates and one that has left, the wall pushes once more. */
static void test_parting(void **state) {
  (void)state;
  RUN("damped ball leaves a wall", "Runge-Kutta; Dormand and Prince",
      "bodies:\n"
      "  ground: {markers: {wall: {at: [0.5 m, 0, 0], orientation: {axis: y, angle: -90 deg}}}}\n"
      "  ball: {type: sphere, radius: 3 cm, mass: 0.3 kg, velocity: [13 m/s, 0, 0]}\n"
      "laws: {l: {type: hertz, exponent: 1, reference_force: 0.1 MN, reference_depth: 0.1 mm, "
      "damping: 6600 N*s/m, damping_depth: 20 um}}\n"
      "contacts: {c: {type: sphere_on_plane, a: ground.wall, b: ball, law: l, radius: 3 cm}}\n"
      "measures: {v: {of: ball.vx, take: final}, x: {of: ball.x, take: final}}\n"
      "analysis: {duration: 0.1 s}\n",
      {"v", -7.7406244011, 2e-6}, {"x", -0.023781252351, 2e-7});
}

static void test_rigid_balls(void **state) {
  (void)state;
  static const char *const stepper[] = {"nonsmooth_alpha", "event_driven", "auto"};
  for (int i = 0; i < 3; i++) {
    char text[1200], name[80];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  a: {type: sphere, radius: 0.001 m, mass: 1 kg, velocity: [100 m/s, 0, 0]}\n"
             "  b: {type: sphere, radius: 0.001 m, mass: 1 kg, position: [1.2345 m, 0, 0]}\n"
             "laws: {l: {type: signorini, restitution_normal: 1, restitution_tangential: 1}}\n"
             "contacts: {c: {type: sphere_on_sphere, a: a, b: b, radius_a: 1 mm, radius_b: 1 mm, "
             "law: l}}\n"
             "measures: {va: {of: a.vx, take: final}, vb: {of: b.vx, take: final}}\n"
             "analysis: {duration: 0.1 s, stepper: %s}\n",
             stepper[i]);
    snprintf(name, sizeof name, "fast small balls, %s", stepper[i]);
    RUN(name, "momentum and energy", text, {"va", 0, 1e-6}, {"vb", 100, 1e-6});
    snprintf(text, sizeof text,
             "bodies:\n"
             "  a: {type: sphere, radius: 3 cm, mass: 0.2 kg, position: [0, 0, 5 m]}\n"
             "  b: {type: sphere, radius: 3 cm, mass: 0.2 kg}\n"
             "joints: {f: {type: fixed, b: b}}\n"
             "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
             "laws: {l: {type: signorini, restitution_normal: 1, restitution_tangential: 1}}\n"
             "contacts: {c: {type: sphere_on_sphere, a: a, b: b, radius_a: 3 cm, radius_b: 3 cm, "
             "law: l}}\n"
             "measures: {z: {of: a.z, take: final}}\n"
             "analysis: {duration: 2 s, stepper: %s}\n",
             stepper[i]);
    double t1 = sqrt(2 * 4.94 / 9.81), v1 = 9.81 * t1, t = 2 - t1;
    snprintf(name, sizeof name, "ball dropped on a ball, %s", stepper[i]);
    RUN(name, "closed form", text, {"z", 0.06 + v1 * t - 9.81 * t * t / 2, 1e-5});
  }
}

/* A near miss causes no contact: 1 um between two balls that pass each other at 3 m/s. */
/* A light ball that spins fast hits a heavy one after a long flight: the bound of the approach
 * velocity must not include the spin, otherwise the search within the step ends before it finds the
 * impact. */
static void test_spinning_balls(void **state) {
  (void)state;
  static const char *stepper[] = {"auto", "event_driven", "nonsmooth_alpha"};
  static const double spin[] = {30, 1000};
  for (int i = 0; i < 6; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  a: {type: sphere, radius: 8 cm, mass: 10 g, velocity: [1 m/s, 0, 0], "
             "angular_velocity: [0, %g rad/s, 30 rad/s]}\n"
             "  b: {type: sphere, radius: 2 cm, mass: 30 g, position: [7 m, 0, 0]}\n"
             "laws: {rigid: {type: signorini, restitution_normal: 0.6}}\n"
             "contacts: {c: {type: sphere_on_sphere, a: a, b: b, law: rigid, radius_a: 8 cm, "
             "radius_b: 2 cm}}\n"
             "measures: {va: {of: a.vx, take: final}, vb: {of: b.vx, take: final}}\n"
             "analysis: {duration: 11 s, stepper: %s}\n",
             spin[i % 2], stepper[i / 2]);
    RUN("spinning ball hits another", "closed form", text, {"va", -0.2, 1e-9}, {"vb", 0.4, 1e-9});
  }
}

/* Two balls hit and leave each other in the step at whose end a third one hits a wall. */
static void test_impact_before_an_impact(void **state) {
  (void)state;
  static const char *stepper[] = {"auto", "event_driven", "nonsmooth_alpha"};
  for (int i = 0; i < 3; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  ground: {markers: {wall: {at: [3 m, 0, 0], orientation: {axis: y, angle: -90 "
             "deg}}}}\n"
             "  a: {type: sphere, radius: 1 cm, mass: 1 kg, velocity: [30 m/s, 0, 0]}\n"
             "  c: {type: sphere, radius: 5 mm, mass: 1 kg, position: [0, 1 m, 0], velocity: [20 "
             "m/s, 0, 0]}\n"
             "  d: {type: sphere, radius: 5 mm, mass: 1 kg, position: [1.81 m, 1 m, 0]}\n"
             "laws: {l: {type: signorini, restitution_normal: 1}}\n"
             "contacts:\n"
             "  aw: {type: sphere_on_plane, a: ground.wall, b: a, law: l, radius: 1 cm}\n"
             "  cd: {type: sphere_on_sphere, a: c, b: d, law: l, radius_a: 5 mm, radius_b: 5 mm}\n"
             "measures: {a: {of: a.vx, take: final}, c: {of: c.vx, take: final}, d: {of: d.vx, "
             "take: final}}\n"
             "analysis: {duration: 0.12 s, stepper: %s}\n",
             stepper[i]);
    RUN("impact before an impact", "closed form", text, {"a", -30, 1e-9}, {"c", 0, 1e-9},
        {"d", 20, 1e-9});
  }
}

static void test_near_miss(void **state) {
  (void)state;
  RUN("balls that miss each other", "closed form",
      "bodies:\n"
      "  a: {type: sphere, radius: 1 cm, mass: 1 kg, velocity: [3 m/s, 0, 0]}\n"
      "  b: {type: sphere, radius: 1 cm, mass: 1 kg, position: [4 m, 0.020001 m, 0]}\n"
      "laws: {l: {type: signorini, restitution_normal: 1, restitution_tangential: 1}}\n"
      "contacts: {c: {type: sphere_on_sphere, a: a, b: b, radius_a: 1 cm, radius_b: 1 cm, law: "
      "l}}\n"
      "measures: {va: {of: a.vx, take: final}, vb: {of: b.vx, take: final}}\n"
      "analysis: {duration: 2 s}\n",
      {"va", 3, 1e-12}, {"vb", 0, 1e-12});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parting),     cmocka_unit_test(test_spinning_balls),
      cmocka_unit_test(test_rigid_balls), cmocka_unit_test(test_impact_before_an_impact),
      cmocka_unit_test(test_near_miss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
