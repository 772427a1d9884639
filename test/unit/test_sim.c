/* A simulation from the caller's point of view: options, step control, time, failure. */
#include "support/subject.h"
#include "sim/sim.h"

/* A mass on a spring: x = cos(w t), w = 10 rad/s, energy 50 J. */
static const char SPRING[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {wall: {at: [-3 m, 0, 0]}}}\n"
    "  m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
    "forces: {k: {type: spring_damper, a: ground.wall, b: m, stiffness: 100 N/m, length: 3 m}}\n";

static const char PENDULUM[] =
    "format: 1\n"
    "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
    "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

static void steppers_are_chosen_by_the_model(void **state) {
  (void)state;
  hk_model *spring = model_of(SPRING), *pendulum = model_of(PENDULUM);
  hk_sim *a = sim_of(spring, NULL), *b = sim_of(pendulum, NULL);
  assert_string_equal(hk_sim_stepper_name(a), "multistep");
  assert_string_equal(hk_sim_stepper_why(a), "smooth motion");
  /* by Adams' formulas: the model cannot be stiff */
  assert_string_equal(hk_sim_stepper_name(b), "multistep");
  assert_string_equal(hk_sim_stepper_why(b), "only gravity acts");
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  /* With a fixed step, which these methods do not support. */
  a = sim_of(spring, &(hk_sim_options){.step = 1e-3});
  b = sim_of(pendulum, &(hk_sim_options){.step = 1e-3});
  assert_string_equal(hk_sim_stepper_name(a), "trapezoidal");
  assert_string_equal(hk_sim_stepper_name(b), "generalized_alpha");
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  a = sim_of(spring, &(hk_sim_options){.stepper = "generalized_alpha"});
  assert_string_equal(hk_sim_stepper_name(a), "generalized_alpha");
  hk_sim_destroy(a);
  hk_error err = {0};
  assert_int_equal(
      hk_sim_create(pendulum, &(hk_sim_options){.stepper = "trapezoidal"}, &a, NULL, &err),
      HK_EINPUT);
  assert_non_null(strstr(err.text, "'hinge'")); /* names both */
  assert_non_null(strstr(err.text, "trapezoidal"));
  assert_null(a);
  assert_int_equal(hk_sim_create(spring, &(hk_sim_options){.stepper = "euler"}, &a, NULL, &err),
                   HK_EINPUT);
  assert_non_null(strstr(err.text, "'euler'"));
  hk_model_destroy(spring);
  hk_model_destroy(pendulum);
}

static void the_error_follows_the_tolerance(void **state) {
  (void)state;
  static const char *const stepper[] = {"trapezoidal", "generalized_alpha"};
  hk_model *m = model_of(SPRING);
  for (int k = 0; k < 2; k++) {
    double last = 1;
    for (double tol = 1e-3; tol > 5e-8; tol /= 10) {
      hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = stepper[k], .rtol = tol, .atol = tol});
      advance(sim, 2);
      double error = fabs(channel(sim, m, "m.x") - cos(20));
      if (!(error < 0.5 * last)) fail_msg("%s at %g: %g after %g", stepper[k], tol, error, last);
      last = fmax(error, 1e-9);
      hk_sim_destroy(sim);
    }
    assert_true(last < 5e-4); /* as tolerance^(2/3): order two */
  }
  hk_model_destroy(m);
}

static void steps_land_where_they_should(void **state) {
  (void)state;
  hk_model *m = model_of(PENDULUM);
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  for (int i = 1; i <= 50; i++) {
    advance(sim, i * 0.013);
    assert_true(hk_sim_time(sim) == i * 0.013);
  }
  long before = hk_sim_statistics(sim).steps;
  advance(sim, 0.1); /* the past */
  assert_int_equal(hk_sim_step(sim, hk_sim_time(sim), &err), HK_OK);
  assert_true(hk_sim_statistics(sim).steps == before);
  hk_sim_destroy(sim);
  /* Fixed steps: as many as fit into the run. */
  sim = sim_of(m, &(hk_sim_options){.step = 0.01});
  advance(sim, 1);
  assert_int_equal(hk_sim_statistics(sim).steps, 100);
  assert_near(hk_sim_statistics(sim).step, 0.01, 1e-12, "step");
  hk_sim_destroy(sim);
  /* No step longer than allowed. */
  sim = sim_of(m, &(hk_sim_options){.max_step = 2e-3, .rtol = 1e-2, .atol = 1e-2});
  for (int i = 0; i < 50; i++) {
    assert_int_equal(hk_sim_step(sim, 10, &err), HK_OK);
    assert_true(hk_sim_statistics(sim).step <= 2e-3 * (1 + 1e-12));
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* Angles are continuous over several revolutions. */
static void angles_do_not_wrap(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], "
      "angular_velocity: [0, "
      "0, 20 rad/s], velocity: [0, 10 m/s, 0]}}\n"
      "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
      "sensors: {turn: {type: angle, a: ground, b: rod}}\n");
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 2e-3});
  advance(sim, 2);
  assert_near(channel(sim, m, "hinge.angle"), 40, 1e-3, "angle");
  assert_near(channel(sim, m, "turn"), channel(sim, m, "hinge.angle"), 1e-9, "sensor");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* A load that becomes infinite: the message says where and when. */
static void a_step_that_cannot_be_taken(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}, other: {type: point_mass, mass: 1 kg}}\n"
      "forces: {f: {type: load, b: m, force: [\"1 N / (1 - t / (0.5 s))^3\", 0, 0]}}\n");
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  hk_status status = hk_sim_advance(sim, 1, &err);
  if (status) { /* or the step jumps across it, which no step control can detect */
    assert_int_equal(status, HK_EFAIL);
    assert_non_null(strstr(err.text, "t = 0."));
    assert_true(hk_sim_time(sim) > 0.499);
    assert_non_null(strstr(err.text, "'m'"));
    assert_true(hk_sim_time(sim) <= 0.5);
    assert_true(isfinite(channel(sim, m, "m.x"))); /* the last valid state is still available */
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  m = model_of(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "forces: {f: {type: load, b: m, force: [\"1 N * sqrt(0.25 - t / (1 s))\", 0, 0]}}\n");
  sim = sim_of(m, NULL);
  assert_int_equal(hk_sim_advance(sim, NAN, &err), HK_EINPUT);
  assert_int_equal(hk_sim_advance(sim, 1, &err), HK_EFAIL);
  assert_string_equal(err.element, "f"); /* machine-readable fields in addition to the sentence */
  assert_true(fabs(err.time - 0.25) < 1e-3 && err.row == -1);
  assert_non_null(strstr(err.text, "0.25"));
  assert_non_null(strstr(err.text, "force 'f' (load): its force is not a finite number"));
  assert_near(hk_sim_time(sim), 0.25, 1e-6, "time of failure");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* A rotor alone would allow steps of many revolutions; an angle measured on it must not lose any
 * revolution. */
static void turns_of_a_rotor_are_counted(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 300 rad/s}}\n"
      "sensors: {s: {type: angle, a: ground, b: r}}\n");
  hk_sim *sim = sim_of(m, NULL);
  advance(sim, 1);
  assert_near(channel(sim, m, "r.angle"), 300, 1e-9, "r.angle");
  assert_near(channel(sim, m, "s"), 300, 1e-9, "s");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void a_force_that_is_no_number_is_named(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {b: {type: point_mass, mass: 1 kg}}\n"
      "forces: {pull: {type: load, b: b, force: [\"1 N * sqrt(b.x/(1 m) - 1)\", 0 N, 0 N]}}\n");
  hk_sim *sim;
  hk_error err = {0};
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "force 'pull' is not a finite number"));
  hk_model_destroy(m);
}

/* At 1e10 s doubles are 2 us apart. */
static void time_does_not_stand_still(void **state) {
  (void)state;
  char text[600];
  snprintf(text, sizeof text, "%sanalysis: {start: 1e10 s, duration: 1 s}\n", SPRING);
  hk_model *m = model_of(text);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-7});
  hk_error err = {0};
  assert_int_equal(hk_sim_step(sim, 1e10 + 1, &err), HK_EFAIL);
  assert_non_null(strstr(err.text, "below the time resolution"));
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void statistics(void **state) {
  (void)state;
  hk_model *m = model_of(PENDULUM);
  hk_sim *sim = sim_of(m, NULL);
  advance(sim, 1);
  hk_sim_stats s = hk_sim_statistics(sim);
  assert_true(s.steps > 10 && s.newton >= s.steps && s.solves >= s.newton);
  assert_true(s.factorizations >= 1 && s.factorizations <= s.newton);
  assert_int_equal(s.redundant, 0);
  assert_true(s.constraint_error < 1e-10);
  assert_near(channel(sim, m, "solver.newton"), (double)s.newton, 0, "newton");
  assert_near(channel(sim, m, "solver.step"), s.step, 0, "step");
  assert_true(channel(sim, m, "solver.velocity_error") < 1e-7);
  hk_sim_destroy(sim);
  hk_sim_destroy(NULL);
  hk_model_destroy(m);
}

/* Options of the analysis section, and options of the call, which have precedence. */
static void the_analysis_block_is_heard(void **state) {
  (void)state;
  char text[1000];
  snprintf(text, sizeof text, "%sanalysis: {duration: 1 s, start: 2 s, step: 10 ms}\n", PENDULUM);
  hk_model *m = model_of(text);
  hk_sim *sim = sim_of(m, NULL);
  assert_true(hk_sim_time(sim) == 2);
  advance(sim, 2.5);
  assert_int_equal(hk_sim_statistics(sim).steps, 50);
  hk_sim_destroy(sim);
  sim = sim_of(m, &(hk_sim_options){.step = 5e-3});
  advance(sim, 2.5);
  assert_int_equal(hk_sim_statistics(sim).steps, 100);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* A safety margin in an estimate is not part of the recorded error; error contributions of other
 * components are recorded without it. */
static void a_margin_is_not_part_of_the_error_made(void **state) {
  (void)state;
  hk_attempt a = {.error = 0.8, .made = 0.4};
  hk_attempt_raise(&a, 0.6);
  assert_float_equal(a.error, 0.8, 1e-15);
  assert_float_equal(a.made, 0.6, 1e-15);
  hk_attempt_raise(&a, 0.9);
  assert_float_equal(a.error, 0.9, 1e-15);
  assert_float_equal(a.made, 0.9, 1e-15);
  a = (hk_attempt){.error = 0.8};
  hk_attempt_raise(&a, 0.1);
  assert_float_equal(a.made, 0.8, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_margin_is_not_part_of_the_error_made),
      cmocka_unit_test(steppers_are_chosen_by_the_model),
      cmocka_unit_test(the_error_follows_the_tolerance),
      cmocka_unit_test(steps_land_where_they_should),
      cmocka_unit_test(angles_do_not_wrap),
      cmocka_unit_test(turns_of_a_rotor_are_counted),
      cmocka_unit_test(a_force_that_is_no_number_is_named),
      cmocka_unit_test(time_does_not_stand_still),
      cmocka_unit_test(a_step_that_cannot_be_taken),
      cmocka_unit_test(statistics),
      cmocka_unit_test(the_analysis_block_is_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
