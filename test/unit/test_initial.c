/* The start of a simulation: assembly from a rough guess, fixed bodies stay, the message names a joint that
 * cannot be closed; redundant and conflicting joints; bodies without mass. */
#include "support/subject.h"
#include "sim/sim.h"

/* Creates a simulation that must fail; returns its message. */
static const char *failure(const char *text) {
  static hk_error err;
  hk_model *m = model_of(text);
  hk_sim *sim = NULL;
  hk_diag diag;
  hk_diag_init(&diag);
  memset(&err, 0, sizeof err);
  hk_status status = hk_sim_create(m, NULL, &sim, &diag, &err);
  if (!status) fail_msg("this was accepted: %s", text);
  assert_int_equal(status, HK_EINPUT);
  assert_null(sim);
  hk_diag_free(&diag);
  hk_model_destroy(m);
  return err.text;
}

static void assert_says(const char *message, const char *word) {
  if (!strstr(message, word)) fail_msg("'%s' is not in: %s", word, message);
}

/* ---- assembly ---- */

/* A four-bar linkage with rods in arbitrary positions. */
#define FOUR_BAR(more_left, more_right, coupler)                                                 \
  "format: 1\n"                                                                                  \
  "bodies:\n"                                                                                    \
  "  ground: {markers: {o: {at: [2 m, 0, 0]}}}\n"                                                \
  "  left: {type: rod, length: 1 m, mass: 1 kg, position: [0.1 m, 0.4 m, 0.02 m], orientation: " \
  "{axis: z, angle: 80 deg}" more_left                                                           \
  "}\n"                                                                                          \
  "  bar: {type: rod, length: " coupler                                                          \
  ", mass: 1 kg, position: [1.1 m, 1.2 m, -0.01 m]}\n"                                           \
  "  right: {type: rod, length: 1 m, mass: 1 kg, position: [1.9 m, 0.6 m, 0], orientation: "     \
  "{axis: "                                                                                      \
  "z, angle: 100 deg}" more_right                                                                \
  "}\n"                                                                                          \
  "joints:\n"                                                                                    \
  "  a: {type: revolute, a: ground, b: left.start}\n"                                            \
  "  b: {type: revolute, a: left.end, b: bar.start}\n"                                           \
  "  c: {type: revolute, a: bar.end, b: right.end}\n"                                            \
  "  d: {type: spherical, a: ground.o, b: right.start}\n"

static void a_rough_guess_is_closed(void **state) {
  (void)state;
  hk_model *m = model_of(FOUR_BAR("", "", "2 m"));
  hk_sim *sim = sim_of(m, NULL);
  assert_true(channel(sim, m, "solver.constraint_error") < 1e-12);
  assert_true(channel(sim, m, "solver.velocity_error") < 1e-12);
  assert_near(hypot(channel(sim, m, "left.end.x"), channel(sim, m, "left.end.y")), 1, 1e-12,
              "left");
  assert_near(channel(sim, m, "bar.start.x"), channel(sim, m, "left.end.x"), 1e-12, "pin");
  /* It was assembled in a nearby position. */
  assert_true(fabs(channel(sim, m, "left.end.y") - 1) < 0.2);
  assert_true(fabs(channel(sim, m, "left.z")) < 0.1);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void what_is_fixed_stays(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  one: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0.3 m, 0.1 m, 0], fixed: "
      "position}\n"
      "  two: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1.6 m, 0.2 m, 0.1 m], "
      "orientation: "
      "{axis: z, angle: 30 deg}, fixed: orientation}\n"
      "  three: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [2 m, 2 m, 2 m], fixed: all}\n"
      "joints:\n"
      "  link: {type: distance, a: one, b: two, length: 1 m}\n"
      "  rope: {type: distance, a: two, b: three, length: 2.5 m}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_true(channel(sim, m, "solver.constraint_error") < 1e-12);
  assert_near(channel(sim, m, "one.x"), 0.3, 1e-12, "one.x");
  assert_near(channel(sim, m, "one.y"), 0.1, 1e-12, "one.y");
  assert_near(channel(sim, m, "two.qz"), sin(M_PI / 12), 1e-12, "two.qz");
  assert_near(channel(sim, m, "three.z"), 2, 1e-12, "three.z");
  assert_true(fabs(channel(sim, m, "two.x") - 1.6) > 0.01); /* this is the body that moved */
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void a_loop_that_cannot_close_is_named(void **state) {
  (void)state;
  const char *said = failure(FOUR_BAR("", "", "5 m"));
  assert_says(said, "the joints cannot be closed");
  assert_says(said, "joint '");
  assert_says(said, " mm remain");
  /* 50 mm between two points that are both fixed. */
  said = failure(
      "format: 1\n"
      "bodies:\n"
      "  one: {type: sphere, radius: 0.1 m, mass: 1 kg, fixed: all}\n"
      "  two: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1.05 m, 0, 0], fixed: all}\n"
      "joints:\n"
      "  link: {type: distance, a: one, b: two, length: 1 m}\n");
  assert_says(said, "joint 'link' (distance)");
  assert_says(said, "50 mm remain");
  said = failure(
      "format: 1\n"
      "bodies:\n"
      "  one: {type: sphere, radius: 0.1 m, mass: 1 kg, orientation: {axis: x, angle: 20 deg}, "
      "fixed: "
      "all}\n"
      "joints:\n"
      "  slide: {type: cylindrical, a: ground, b: one}\n");
  assert_says(said, "joint 'slide'");
  assert_says(said, " deg remain");
}

static void velocities(void **state) {
  (void)state;
  /* The given spin is kept; the other velocities follow. */
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  rod: {type: rod, length: 2 m, mass: 1 kg, position: [1 m, 0, 0], angular_velocity: [0, 0, "
      "3 "
      "rad/s]}\n"
      "joints: {hinge: {type: revolute, b: rod.start}}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "hinge.angle_rate"), 3, 1e-5, "rate");
  assert_near(channel(sim, m, "rod.vy"), channel(sim, m, "rod.wz"), 1e-12,
              "velocity of the middle");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  const char *said = failure(
      "format: 1\n"
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2}}\n"
      "motions:\n"
      "  slow: {coordinate: r.angle, value: \"1 rad/s * t\"}\n"
      "  fast: {coordinate: r.angle, value: \"2 rad/s * t\"}\n");
  assert_says(said, "conflicting speeds");
  assert_says(said, "by 1 rad/s");
}

/* A motion may start in any revolution of its angle; items that depend on the angle keep their positions. */
static void a_motion_chooses_the_turn(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  nut: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.3 m], orientation: "
      "{axis: z, "
      "angle: 57.29577951308232 deg}}\n"
      "  drum: {type: rotor, inertia: 1 kg*m^2, angle: 0.5 rad}\n"
      "joints:\n"
      "  thread: {type: screw, b: nut, pitch: 10 mm}\n"
      "  mesh: {type: gear, first: drum, second: thread.angle, ratio: 4}\n"
      "motions: {drive: {coordinate: thread.angle, value: \"7.283185307179586 rad + 1 rad/s * "
      "t\"}}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "thread.angle"), 1 + 2 * M_PI, 1e-12, "angle");
  assert_near(channel(sim, m, "thread.displacement"), 0.3, 1e-12, "displacement");
  assert_near(channel(sim, m, "nut.z"), 0.3, 1e-12, "nut");
  assert_near(channel(sim, m, "drum.angle"), 0.5, 1e-12, "drum");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- redundant and conflicting joints ---- */

static void redundant_joints_are_named(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {door: {type: box, size: [1 m, 2 m, 0.1 m], mass: 10 kg, position: [0.5 m, 1 m, 0], "
      "angular_velocity: [0, 1 rad/s, 0]}}\n"
      "joints:\n"
      "  upper: {type: revolute, b: door, at: [0, 2 m, 0], axis: y}\n"
      "  lower: {type: revolute, b: door, at: [0, 0, 0], axis: y}\n");
  hk_sim *sim = NULL;
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  if (hk_sim_create(m, &(hk_sim_options){.step = 1e-3}, &sim, &diag, &err))
    fail_msg("%s", err.text);
  assert_int_equal(hk_sim_statistics(sim).redundant, 5);
  assert_int_equal(diag.n_warnings, 5);
  assert_int_equal(diag.n_errors, 0);
  for (int i = 0; i < diag.n; i++) {
    assert_says(diag.message[i].text, "redundant: joint 'lower' (revolute), ");
    assert_says(diag.message[i].text, "follows from 'upper'");
  }
  if (hk_sim_advance(sim, 1, &err)) fail_msg("%s", err.text);
  assert_near(channel(sim, m, "upper.angle"), 1, 1e-6, "angle of the door");
  hk_sim_destroy(sim);
  hk_diag_free(&diag);
  hk_model_destroy(m);
}

static void conflicting_joints_are_named(void **state) {
  (void)state;
  const char *said = failure(
      "format: 1\n"
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2}}\n"
      "motions:\n"
      "  one: {coordinate: r.angle, value: 0 rad}\n"
      "  two: {coordinate: r.angle, value: 0.1 rad}\n");
  assert_says(said, "conflicting constraints");
  assert_says(said, "motion 'one'");
  assert_says(said, "motion 'two'");
  assert_says(said, "5.72958 deg");
}

/* ---- bodies without mass ---- */

/* A massless rod on a hinge that carries a point mass: a pendulum. */
#define PENDULUM(joint)                                            \
  "format: 1\n"                                                    \
  "bodies:\n"                                                      \
  "  arm: {mass: 0 kg, markers: {tip: {at: [1 m, 0, 0]}}}\n"       \
  "  bob: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}\n" \
  "joints:\n"                                                      \
  "  hinge: {type: " joint                                         \
  ", b: arm}\n"                                                    \
  "  hook: {type: spherical, a: arm.tip, b: bob}\n"                \
  "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"

static void a_massless_body_may_pass_on_forces(void **state) {
  (void)state;
  hk_model *m = model_of(PENDULUM("revolute"));
  assert_true(m->massless);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-3, .rtol = 1e-9, .atol = 1e-12});
  hk_error err = {0};
  assert_near(channel(sim, m, "bob.ay"), -9.81, 1e-10, "acceleration at the start");
  if (hk_sim_advance(sim, 0.4, &err)) fail_msg("%s", err.text);
  /* Energy: v^2 = -2 g y. */
  double v2 = pow(channel(sim, m, "bob.vx"), 2) + pow(channel(sim, m, "bob.vy"), 2);
  assert_near(v2, -2 * 9.81 * channel(sim, m, "bob.y"), 1e-4, "energy of the pendulum");
  assert_true(channel(sim, m, "bob.y") < -0.5);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void a_massless_body_that_nothing_holds_is_named(void **state) {
  (void)state;
  const char *said = failure(PENDULUM("spherical")); /* the arm is free to rotate about its axis */
  assert_says(said, "body 'arm'");
  said = failure("format: 1\nbodies: {ghost: {mass: 0 kg}, b: {type: point_mass, mass: 1 kg}}\n");
  assert_says(said, "body 'ghost'");
  said = failure("format: 1\nbodies: {idle: {type: rotor, inertia: 0 kg*m^2}}\n");
  assert_says(said, "body 'idle'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rough_guess_is_closed),
      cmocka_unit_test(what_is_fixed_stays),
      cmocka_unit_test(a_loop_that_cannot_close_is_named),
      cmocka_unit_test(velocities),
      cmocka_unit_test(a_motion_chooses_the_turn),
      cmocka_unit_test(redundant_joints_are_named),
      cmocka_unit_test(conflicting_joints_are_named),
      cmocka_unit_test(a_massless_body_may_pass_on_forces),
      cmocka_unit_test(a_massless_body_that_nothing_holds_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
