/* The event-driven integrator: its steps, its state, and rejected models. */
#include "support/subject.h"

static const char BALL[] =
    "format: 1\n"
    "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m], velocity: [0.3 m/s, 0.2 "
    "m/s, 0]}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}}\n"
    "laws: {dry: {type: signorini, restitution_normal: 0.6, mu: 0.05}}\n"
    "contacts: {floor: {type: point_on_plane, a: ground, b: ball, law: dry}}\n"
    "analysis: {duration: 2 s, stepper: event_driven}\n";

static void step_once(hk_sim *sim, double end) {
  hk_error err = {0};
  if (hk_sim_step(sim, end, &err)) fail_msg("%s", err.text);
}

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

/* The states before and after an impact have the same time, and their velocities differ according to the impact
 * law. */
static void impact_is_a_step_of_no_length(void **state) {
  (void)state;
  hk_model *m = model_of(BALL);
  hk_sim *sim = sim_of(m, NULL);
  assert_string_equal(hk_sim_stepper_name(sim), "event_driven");
  double before = 0, t = -1;
  while (channel(sim, m, "floor.impacts") < 1) {
    before = channel(sim, m, "ball.vz");
    t = hk_sim_time(sim);
    step_once(sim, 2);
  }
  assert_true(hk_sim_time(sim) == t);
  assert_float_equal(t, sqrt(0.2), 1e-14);
  assert_float_equal(before, -sqrt(20), 1e-12);
  assert_float_equal(channel(sim, m, "ball.vz"), 0.6 * sqrt(20), 1e-12);
  assert_float_equal(channel(sim, m, "floor.impulse"), 1.6 * sqrt(20), 1e-12);
  assert_true(channel(sim, m, "solver.step") == 0);
  step_once(sim, 2);
  assert_true(hk_sim_time(sim) > t);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* Copies of the state, before or after an impact, at rest or in flight, give the same continuation. */
static void state_holds_all_there_is(void **state) {
  (void)state;
  hk_model *m = model_of(BALL);
  for (int steps = 1; steps < 90; steps += 4) {
    hk_sim *a = sim_of(m, NULL), *b = sim_of(m, NULL);
    for (int i = 0; i < steps; i++) step_once(a, 2.5);
    size_t size = hk_sim_state_size(a);
    void *x = malloc(size), *y = malloc(size);
    assert_non_null(x);
    assert_non_null(y);
    hk_sim_state_get(a, x);
    hk_sim_state_set(b, x);
    advance(a, 2.5);
    advance(b, 2.5);
    hk_sim_state_get(a, x);
    hk_sim_state_get(b, y);
    assert_memory_equal(x, y, size);
    free(x);
    free(y);
    hk_sim_destroy(a);
    hk_sim_destroy(b);
  }
  hk_model_destroy(m);
}

/* At rest: the normal force is the weight, the acceleration is zero, and friction is not larger than needed. */
static void rest_is_told_with_its_forces(void **state) {
  (void)state;
  hk_model *m = model_of(BALL);
  hk_sim *sim = sim_of(m, NULL);
  advance(sim, 4);
  assert_float_equal(channel(sim, m, "floor.normal_force"), 10, 1e-12);
  assert_true(channel(sim, m, "floor.closed") == 1);
  hk_sim *copy = sim_of(m, NULL);
  double *x = malloc(hk_sim_state_size(sim));
  assert_non_null(x);
  hk_sim_state_get(sim, x);
  hk_sim_state_set(copy, x);
  assert_float_equal(channel(copy, m, "floor.normal_force"), 10, 1e-12);
  free(x);
  hk_sim_destroy(copy);
  assert_true(channel(sim, m, "ball.vx") == 0 && channel(sim, m, "ball.vz") == 0);
  assert_float_equal(channel(sim, m, "ball.az"), 0, 1e-12);
  assert_float_equal(channel(sim, m, "floor.friction_force"), 0, 1e-9);
  assert_float_equal(channel(sim, m, "energy.balance_error"), 0, 1e-11);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* The load rotates while it grows: a block starts to slide in its direction.  The result must not depend on the
 * tolerance by more than the tolerance, and friction must dissipate the work of the load. */
static void sliding_begins_under_a_turning_load(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {block: {type: point_mass, mass: 1 kg}}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
      "  push: {type: load, b: block, force: [6 N/s * t * cos(2 rad/s * t), 6 N/s * t * sin(2 "
      "rad/s * t), 0]}\n"
      "laws: {dry: {type: signorini, mu: 0.5}}\n"
      "contacts: {floor: {type: point_on_plane, a: ground, b: block, law: dry}}\n");
  double x[3][2];
  for (int k = 0; k < 3; k++) {
    double tol = k == 0 ? 1e-8 : k == 1 ? 1e-10 : 1e-12;
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = "event_driven", .rtol = tol, .atol = tol});
    advance(sim, 5.0 / 6 - 1e-9);
    assert_true(channel(sim, m, "block.vx") == 0);
    advance(sim, 1.5);
    x[k][0] = channel(sim, m, "block.x");
    x[k][1] = channel(sim, m, "block.y");
    assert_float_equal(channel(sim, m, "energy.balance_error"), 0, 1e-6);
    assert_true(hk_sim_statistics(sim).steps < 5000);
    hk_sim_destroy(sim);
  }
  for (int i = 0; i < 2; i++) {
    assert_true(fabs(x[2][i]) > 0.02);
    assert_float_equal(x[0][i], x[2][i], 1e-6);
    assert_float_equal(x[1][i], x[2][i], 1e-6);
  }
  hk_model_destroy(m);
}

/* Fixed steps: no error control, the same events. */
static void fixed_steps_find_the_same_events(void **state) {
  (void)state;
  hk_model *m = model_of(BALL);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 0.03});
  while (channel(sim, m, "floor.impacts") < 3) step_once(sim, 2);
  assert_float_equal(hk_sim_time(sim), sqrt(0.2) * (1 + 2 * 0.6 + 2 * 0.36), 1e-13);
  assert_true(hk_sim_statistics(sim).rejected == 0);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* Two coinciding planes: one of them carries the weight, the other one stays inactive. */
static void contact_that_is_there_twice(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 0.2 m]}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}}\n"
      "laws: {hard: {type: signorini, restitution_normal: 0.4}}\n"
      "contacts:\n"
      "  floor: {type: point_on_plane, a: ground, b: ball, law: hard}\n"
      "  again: {type: point_on_plane, a: ground, b: ball, law: hard}\n");
  hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = "event_driven"});
  advance(sim, 1);
  assert_float_equal(channel(sim, m, "ball.z"), 0, 1e-14);
  assert_float_equal(channel(sim, m, "floor.normal_force") + channel(sim, m, "again.normal_force"),
                     10, 1e-11);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void refused(const char *text, double end, const char *why) {
  hk_model *m = model_of(text);
  hk_sim *sim = NULL;
  hk_error err = {0};
  hk_status status =
      hk_sim_create(m, &(hk_sim_options){.stepper = "event_driven"}, &sim, NULL, &err);
  if (!status) status = hk_sim_advance(sim, end, &err);
  if (!status) fail_msg("not refused: %s", why);
  if (!strstr(err.text, why)) fail_msg("'%s' does not say '%s'", err.text, why);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void what_it_cannot_do_is_refused(void **state) {
  (void)state;
  refused(
      "format: 1\n"
      "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, -1 mm]}}\n"
      "laws: {hard: {type: signorini}}\n"
      "contacts: {floor: {type: point_on_plane, a: ground, b: ball, law: hard}}\n",
      1, "'floor' overlap by 0.001 m");
  refused(
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
      "forces: {rub: {type: joint_friction, joint: hinge, coordinate: hinge.angle, mu: 0.1, "
      "radius: 1 cm}}\n",
      1, "friction in joints");
  refused(
      "format: 1\n"
      "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}}\n"
      "forces: {push: {type: load, b: ball, force: [\"1 N*s^2 / (0.5 s - t)^2\", 0, 0]}}\n"
      "laws: {hard: {type: signorini}}\n"
      "contacts: {floor: {type: point_on_plane, a: ground, b: ball, law: hard}}\n",
      1, "a jump in a load or motion");
  /* A plate that slides and rotates on four legs: the distribution of the weight is not determined, nor is
   * therefore the friction moment. */
  refused(
      "format: 1\n"
      "bodies: {plate: {type: box, size: [0.4 m, 0.3 m, 0.1 m], mass: 1 kg, position: [0, 0, 50 "
      "mm],\n"
      "  velocity: [1 m/s, 0, 0], angular_velocity: [0, 0, 3 rad/s], markers: {\n"
      "  a: [0.2 m, 0.15 m, -50 mm], b: [-0.2 m, 0.15 m, -50 mm], c: [-0.2 m, -0.15 m, -50 mm],\n"
      "  d: [0.2 m, -0.15 m, -50 mm]}}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}}\n"
      "laws: {dry: {type: signorini, mu: 0.3}}\n"
      "contacts:\n"
      "  a: {type: point_on_plane, a: ground, b: plate.a, law: dry}\n"
      "  b: {type: point_on_plane, a: ground, b: plate.b, law: dry}\n"
      "  c: {type: point_on_plane, a: ground, b: plate.c, law: dry}\n"
      "  d: {type: point_on_plane, a: ground, b: plate.d, law: dry}\n",
      1, "the motion is not determined");
}

/* A rod that rests on both ends under a growing pull: the distribution of the pull along the rod is not
 * determined, but the rod rests until both ends together reach their limit, mu (m g + 5 N) = 7.5 N. */
static void forces_that_are_not_unique_still_hold(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, markers: {hook: [0.3 m, 0, 0]}}}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
      "  press: {type: load, b: rod.hook, force: [0, 0, -5 N]}\n"
      "  pull: {type: load, b: rod.hook, force: [3 N/s * t, 0, 0]}\n"
      "laws: {dry: {type: signorini, mu: 0.5}}\n"
      "contacts:\n"
      "  left: {type: point_on_plane, a: ground, b: rod.start, law: dry}\n"
      "  right: {type: point_on_plane, a: ground, b: rod.end, law: dry}\n");
  hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = "event_driven"});
  advance(sim, 2.4);
  assert_true(channel(sim, m, "rod.vx") == 0);
  assert_float_equal(
      channel(sim, m, "left.friction_force") + channel(sim, m, "right.friction_force"), 7.2, 1e-9);
  assert_float_equal(channel(sim, m, "right.normal_force"), 9, 1e-9);
  advance(sim, 3.5);
  /* v = 1.5 (t^2 - 2.5^2) - 7.5 (t - 2.5) */
  assert_float_equal(channel(sim, m, "rod.vx"), 1.5, 1e-9);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* The belt drags a shoe against its hinge.  Friction increases the normal force: about the hinge, 0.2 N - 0.3
 * mu N = 10 has no solution N > 0 for mu >= 2/3, and the message says so with numbers. */
static void painleves_paradox_is_told(void **state) {
  (void)state;
  static const char SHOE[] =
      "format: 1\n"
      "bodies:\n"
      "  belt: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], velocity: [-1 m/s, 0, 0]}\n"
      "  arm: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [0, 0, 0.3 "
      "m],\n"
      "    markers: {pad: [0.2 m, 0, -0.3 m]}}\n"
      "joints:\n"
      "  slide: {type: prismatic, b: belt, axis: x}\n"
      "  pivot: {type: revolute, b: arm, at: [0, 0, 0.3 m], axis: y}\n"
      "forces: {press: {type: load, b: arm.pad, force: [0, 0, -50 N]}}\n"
      "laws: {dry: {type: signorini, mu: 0.7}}\n"
      "contacts: {c: {type: point_on_plane, a: belt, b: arm.pad, law: dry}}\n"
      "motions: {drive: {coordinate: slide.displacement, value: -1 m/s * t}}\n";
  refused(SHOE, 0.1, "Painleve's paradox");
  refused(SHOE, 0.1, "contact 'c'");
  refused(SHOE, 0.1, "use mu < 0.6667");
  refused(SHOE, 0.1, "at t = 0 s");
}

/* A compliant contact together with a rigid one has correct totals: a ball pushed along the floor at constant
 * speed dissipates mu N times the distance, and is in contact all the time. */
static void compliant_contacts_keep_their_books(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  ball: {type: sphere, radius: 10 mm, mass: 0.1 kg, position: [0, 0, 9 mm],\n"
      "    velocity: [1 m/s, 0, 0]}\n"
      "  point: {type: point_mass, mass: 1 kg}\n"
      "forces: {weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}}\n"
      "joints: {rail: {type: prismatic, b: ball, at: [0, 0, 9 mm], axis: x}}\n"
      "motions: {push: {coordinate: rail.displacement, value: 1 m/s * t}}\n"
      "laws:\n"
      "  soft: {type: hertz, stiffness: 1e6 N/m^1.5, mu: 0.3, velocity: 1 mm/s}\n"
      "  rigid: {type: signorini}\n"
      "contacts:\n"
      "  floor: {type: sphere_on_plane, a: ground, b: ball, law: soft, radius: 10 mm}\n"
      "  stop: {type: point_on_plane, a: ground, b: point, law: rigid}\n"
      "analysis: {duration: 0.1 s, stepper: event_driven}\n");
  hk_sim *sim = sim_of(m, NULL);
  double N = 1e6 * pow(1e-3, 1.5);
  advance(sim, 0.1);
  assert_float_equal(channel(sim, m, "floor.normal_force"), N, 1e-9);
  assert_float_equal(channel(sim, m, "floor.sliding_work"), 0.3 * N * 0.1, 1e-9);
  assert_float_equal(channel(sim, m, "floor.closed_time"), 0.1, 1e-12);
  assert_float_equal(channel(sim, m, "stop.closed_time"), 0.1, 1e-12);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* A pin in a bush oscillates within its clearance, and even faster about its rod: here sqrt(N z^2/(c I)) = 2400
 * rad/s.  A fixed step of 2 ms is beyond the stability limit of an explicit method, which gave 1e40 J; shorter
 * fixed steps agree with adaptive ones. */
static void fixed_steps_that_lose_the_motion_are_refused(void **state) {
  (void)state;
  static const char MODEL[] =
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 0.3 m, mass: 1 kg, position: [0.15 m, 0, 0]}}\n"
      "laws: {steel: {type: signorini}}\n"
      "joints: {pin: {type: revolute_clearance_joint, fidelity: clearance, b: rod.start, clearance: 0.1 mm, "
      "radius: 10 mm, length: 20 mm, law: steel}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"
      "analysis: {duration: 1 s, stepper: event_driven%s}\n";
  char text[900];
  double angle[2];
  snprintf(text, sizeof text, MODEL, ", step: 1.8 ms");
  refused(text, 1, "the fixed step is too long for the motion at t = 0.2");
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, MODEL, k ? ", step: 0.5 ms" : "");
    hk_model *m = model_of(text);
    hk_sim *sim = sim_of(m, NULL);
    advance(sim, 0.4);
    angle[k] = channel(sim, m, "pin.angle");
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
  assert_float_equal(angle[1], angle[0], 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impact_is_a_step_of_no_length),
      cmocka_unit_test(state_holds_all_there_is),
      cmocka_unit_test(rest_is_told_with_its_forces),
      cmocka_unit_test(sliding_begins_under_a_turning_load),
      cmocka_unit_test(fixed_steps_find_the_same_events),
      cmocka_unit_test(contact_that_is_there_twice),
      cmocka_unit_test(what_it_cannot_do_is_refused),
      cmocka_unit_test(forces_that_are_not_unique_still_hold),
      cmocka_unit_test(painleves_paradox_is_told),
      cmocka_unit_test(compliant_contacts_keep_their_books),
      cmocka_unit_test(fixed_steps_that_lose_the_motion_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
