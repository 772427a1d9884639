/* All elements of models without impacts, with bdf and adams, against generalized_alpha with many
 * small steps: both use the same equations, but different formulas and no common history. */
#include "verify/verify.h"

enum { MOST_CHANNELS = 6 };
typedef struct subject {
  const char *name, *text;
  const char *channel[MOST_CHANNELS];
  double duration, rtol; /* of the reference */
  double limit;          /* difference relative to the largest value of the reference */
  bool massless;         /* nothing for adams */
} subject;

static void values_of(vf_case *c, const subject *s, const hk_sim_options *o, double *y) {
  vf_start(c, o);
  assert_string_equal(hk_sim_stepper_name(c->sim), o->stepper);
  vf_advance(c, s->duration);
  for (int i = 0; i < MOST_CHANNELS && s->channel[i]; i++) y[i] = vf_value(c, s->channel[i]);
}

static void compare(const subject *s) {
  static const char *const STEPPER[] = {"bdf", "adams"};
  double fine[MOST_CHANNELS], y[MOST_CHANNELS];
  vf_case c;
  vf_text(&c, "%s", s->text);
  values_of(
      &c, s,
      &(hk_sim_options){.stepper = "generalized_alpha", .rtol = s->rtol, .atol = s->rtol / 10},
      fine);
  long steps = hk_sim_statistics(c.sim).steps;
  for (int k = 0; k < (s->massless ? 1 : 2); k++) {
    values_of(&c, s, &(hk_sim_options){.stepper = STEPPER[k], .rtol = 1e-9, .atol = 1e-10}, y);
    for (int i = 0; i < MOST_CHANNELS && s->channel[i]; i++) {
      char what[80], source[60];
      snprintf(what, sizeof what, "%s, %s, %ld steps", s->channel[i], STEPPER[k],
               hk_sim_statistics(c.sim).steps);
      snprintf(source, sizeof source, "generalized_alpha, %ld steps", steps);
      vf_check("models", s->name, what, y[i], fine[i], s->limit * fmax(0.1, fabs(fine[i])), source);
    }
    vf_bound("models", s->name, "joints apart", vf_value(&c, "solver.constraint_error"), 1e-10,
             "held");
  }
  vf_close(&c);
}

static void test_bodies(void **state) {
  (void)state;
  compare(&(subject){
      "bodies of every kind",
      "bodies:\n"
      "  ground: {markers: {ceiling: {at: [0, 1 m, 0]}}}\n"
      "  top: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg, angular_velocity: [1 rad/s, 5 "
      "rad/s, 0.1 rad/s]}\n"
      "  bob: {type: rigid_body, mass: 1 kg, inertia: [0.02 kg*m^2, 0.03 kg*m^2, 0.04 kg*m^2],\n"
      "    center_of_mass: [0.05 m, 0, 0.02 m], position: [0.6 m, 0.1 m, 0]}\n"
      "  dust: {type: point_mass, mass: 0.2 kg, position: [0.2 m, 0.5 m, 0.3 m]}\n"
      "  wheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s}\n"
      "  race: {type: guided_body, mass: 2 kg, position: [0, -1 m, 0],\n"
      "    tilt: 0.3 rad * sin(3 rad/s * t), spin: 4 rad/s * t, markers: {rim: [0.2 m, 0, 0]}}\n"
      "  shaft: {type: universal_shaft, inertia: 0.1 kg*m^2, bend: 20 deg, rate: 5 rad/s}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  hold: {type: spring_damper, b: top, a: ground.ceiling, stiffness: 90 N/m, length: 0.8 m}\n"
      "  cord: {type: spring_damper, a: top, b: dust, stiffness: 40 N/m, damping: 0.3 N*s/m, "
      "length: 0.3 m}\n"
      "  rope: {type: spring_damper, a: top, b: bob, stiffness: 60 N/m, length: 0.5 m}\n"
      "  seat: {type: bushing, a: ground, b: bob, stiffness: [20 N/m, 30 N/m, 40 N/m],\n"
      "    torsion_stiffness: [1 N*m/rad, 1 N*m/rad, 1 N*m/rad]}\n"
      "  hang: {type: spring_damper, a: ground, b: race.rim, stiffness: 100 N/m, length: 1 m}\n"
      "  twist: {type: torsion_spring, a: wheel, b: shaft, stiffness: 5 N*m/rad, damping: 0.1 "
      "N*m*s/rad}\n",
      {"top.x", "bob.y", "dust.z", "wheel.angle", "race.y", "shaft.angle"},
      1,
      1e-9,
      2e-5,
      false});
}

static void test_loop(void **state) {
  (void)state;
  compare(&(subject){
      "loop with redundant rows and friction of its joints",
      "bodies:\n"
      "  crank: {type: rod, length: 0.2 m, mass: 1 kg, position: [0.1 m, 0, 0]}\n"
      "  link: {type: rod, length: 0.5 m, mass: 1 kg, position: [0.45 m, 0, 0]}\n"
      "  slider: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg, position: [0.7 m, 0, 0]}\n"
      "  bob: {type: rod, length: 0.3 m, mass: 0.5 kg, position: [0.7 m, -0.15 m, 0]}\n"
      "joints:\n"
      "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
      "  pin: {type: revolute, a: crank, b: link, at: [0.2 m, 0, 0], axis: z}\n"
      "  wrist: {type: revolute, a: link, b: slider, at: [0.7 m, 0, 0], axis: z}\n"
      "  guide: {type: prismatic, b: slider, at: [0.7 m, 0, 0], axis: x}\n"
      "  hook: {type: universal, a: slider, b: bob, at: [0.7 m, 0, 0], axis: y}\n"
      "motions: {drive: {coordinate: main.angle, value: 10 rad/s * t + 0.3 rad * sin(5 rad/s * "
      "t)}}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  rub: {type: joint_friction, joint: guide, mu: 0.1, velocity: 0.05 m/s}\n"
      "  rub2: {type: joint_friction, joint: wrist, mu: 0.1, radius: 0.02 m, velocity: 0.05 m/s}\n"
      "  drag: {type: load, b: bob, force: [\"-0.4 N*s/m * bob.vx\", 0, \"0.2 N * sin(4 rad/s * "
      "t)\"]}\n",
      {"bob.x", "bob.vx", "bob.wz", "energy.dissipated", "energy.motion_work"},
      0.6,
      1e-9,
      5e-4, /* error of the dissipated energy: the motion is prescribed, and steps are not shortened
             * for friction at a reversal */
      false});
}

static void test_rolling(void **state) {
  (void)state;
  compare(&(subject){"leaning wheel",
                     "bodies:\n"
                     "  disc: {type: cylinder, radius: 0.5 m, length: 1 mm, mass: 1 kg,\n"
                     "    position: [0, 0, 0.469846310392954 m], orientation: {axis: x, angle: 70 "
                     "deg},\n"
                     "    angular_velocity: [0, -0.5 rad/s, -8 rad/s]}\n"
                     "joints:\n  road: {type: rolling_wheel, b: disc, radius: 0.5 m}\n"
                     "forces:\n  weight: {type: gravity}\n",
                     {"disc.x", "disc.y", "disc.z", "disc.wx"},
                     1,
                     1e-10,
                     1e-5,
                     false});
  compare(&(subject){"skate on a slope",
                     "bodies:\n"
                     "  skate: {type: box, size: [0.3 m, 0.05 m, 0.1 m], mass: 2 kg,\n"
                     "    angular_velocity: [0, 0, 2 rad/s]}\n"
                     "joints:\n"
                     "  slope: {type: planar, b: skate, at: [0, 0, 0], axis: z}\n"
                     "  edge: {type: knife_edge, b: skate}\n"
                     "forces:\n  weight: {type: gravity, acceleration: [3 m/s^2, 0, -9 m/s^2]}\n",
                     {"skate.x", "skate.y", "skate.vx"},
                     2,
                     1e-9,
                     1e-5,
                     false});
}

/* A ball dropped with spin: it bounces, slides and rolls; the losses of sliding are in the energy
 * ledger. */
static void test_contact(void **state) {
  (void)state;
  compare(
      &(subject){"ball on a plane, compliant",
                 "bodies:\n"
                 "  ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.12 m],\n"
                 "    velocity: [1 m/s, 0, 0], angular_velocity: [0, -20 rad/s, 0]}\n"
                 "laws: {soft: {type: hertz, stiffness: 1e5 N/m^1.5, damping: 20 N*s/m, mu: 0.2,\n"
                 "  velocity: 0.05 m/s, ramp: 1e-4 m}}\n"
                 "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: soft, "
                 "radius: 0.1 m}}\n"
                 "forces: {weight: {type: gravity}}\n",
                 {"ball.x", "ball.z", "ball.wy", "floor.sliding_work", "floor.closed_time"},
                 0.5,
                 1e-9,
                 1e-3,
                 false});
}

/* Elements with memory use a second-order rule. */
static void test_memory(void **state) {
  (void)state;
  compare(
      &(subject){"Maxwell element",
                 "bodies:\n"
                 "  ground: {markers: {far: [-1 m, 0, 0]}}\n"
                 "  m: {type: point_mass, mass: 1 kg, position: [0.2 m, 0, 0]}\n"
                 "forces:\n"
                 "  s: {type: spring_damper, a: ground.far, b: m, stiffness: 40 N/m, length: 1 m}\n"
                 "  x: {type: maxwell, a: ground.far, b: m, stiffness: 60 N/m, damping: 5 "
                 "N*s/m}\n",
                 {"m.x", "m.vx"},
                 2,
                 1e-9,
                 1e-4,
                 false});
}

static void test_states(void **state) {
  (void)state;
  compare(
      &(subject){"lag and integral in a control loop",
                 "states:\n"
                 "  opening: {rate: (command - opening)/(50 ms)}\n"
                 "  error: {unit: m*s, scale: 0.1 m*s, rate: 0.3 m - rail.displacement}\n"
                 "bodies: {load: {type: point_mass, mass: 4 kg}}\n"
                 "joints: {rail: {type: point_on_line, a: ground, b: load, axis: z}}\n"
                 "sensors:\n"
                 "  command: {value: (0.3 m - rail.displacement)/(0.125 m) + error/(0.125 m*s)}\n"
                 "forces:\n"
                 "  push: {type: actuator, coordinate: rail.displacement,\n"
                 "    force: 20 N * opening - 15 N*s/m * rail.displacement_rate}\n",
                 {"load.z", "load.vz", "opening", "error"},
                 2,
                 1e-10,
                 2e-5,
                 true});
}

/* Friction that depends on a joint load has a kink when the load passes through zero, as for the
 * slider of a crank twice per revolution: it takes a few short steps. */
static double turn_rubbing_crank(double torque, const hk_sim_options *o, long *steps) {
  vf_case c;
  vf_text(
      &c,
      "bodies:\n"
      "  crank: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2]}\n"
      "  rod: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [0.1 m, 0, "
      "0]}\n"
      "  piston: {mass: 0.5 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2],\n"
      "    position: [0.35 m, 0, 0]}\n"
      "joints:\n"
      "  bearing: {type: revolute, a: ground, b: crank, axis: y}\n"
      "  pin: {type: spherical, a: crank, b: rod, at: [0.1 m, 0, 0]}\n"
      "  wrist: {type: revolute, a: rod, b: piston, at: [0.35 m, 0, 0], axis: y}\n"
      "  slider: {type: prismatic, a: piston, b: ground, at: [0.35 m, 0, 0], axis: x}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  motor: {type: actuator, coordinate: bearing.angle, force: \"%g N*m\"}\n"
      "  shaft: {type: joint_friction, joint: bearing, mu: 0.1, radius: 10 mm}\n"
      "  guide: {type: joint_friction, joint: slider, mu: 0.1}\n",
      torque);
  vf_start(&c, o);
  vf_advance(&c, 0.4);
  double angle = vf_value(&c, "bearing.angle");
  *steps = hk_sim_statistics(c.sim).steps + hk_sim_statistics(c.sim).rejected;
  vf_close(&c);
  return angle;
}

static void test_load_through_zero(void **state) {
  (void)state;
  static const double TORQUE[] = {1, 2};
  static const char *const STEPPER[] = {"bdf", "adams"};
  for (int i = 0; i < 4; i++) {
    long fine, steps;
    char name[80];
    double exact = turn_rubbing_crank(
        TORQUE[i / 2], &(hk_sim_options){.stepper = "adams", .rtol = 1e-13, .atol = 1e-15}, &fine);
    double angle =
        turn_rubbing_crank(TORQUE[i / 2], &(hk_sim_options){.stepper = STEPPER[i % 2]}, &steps);
    snprintf(name, sizeof name, "rubbing crank, %g N*m, %s", TORQUE[i / 2], STEPPER[i % 2]);
    vf_check("models", name, "bearing.angle", angle, exact, 1e-6, "adams to 13 digits");
    vf_bound("models", name, "steps and attempts", (double)steps, 800, "kinks passed");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_rolling),
      cmocka_unit_test(test_contact),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_load_through_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
