/* Trial integrations of `auto` before it selects a high-order method: undamped modes and steady
 * motion lead to a second-order method. */
#include "sim/sim.h"
#include "support/subject.h"
#include <stdio.h>

/* A shaft of beams with a hub at its end, which twists much more slowly than the fastest modes
 * oscillate. */
static hk_model *shaft(const char *damping, const char *analysis) {
  char text[1000];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies: {hub: {mass: 1 kg, inertia: [8e-4 kg*m^2, 8e-4 kg*m^2, 1.2e-3 kg*m^2],\n"
      "  position: [0, 0, 640 mm]}}\n"
      "joints:\n"
      "  bar: {type: shaft, a: ground, b: hub, lengths: [640 mm], outer_diameters: [24 mm],\n"
      "    stations: [160 mm, 320 mm, 480 mm], damping: %s}\n"
      "  guide: {type: cylindrical, b: hub, at: [0, 0, 640 mm]}\n"
      "forces: {twist: {type: load, b: hub, torque: [0, 0, \"300 N*m * sin(20 rad/s * t)\"]}}\n"
      "analysis: {duration: 200 ms%s}\n",
      damping, analysis);
  return model_of(text);
}

static void expect(const hk_model *m, const hk_sim_options *o, const char *name, const char *why) {
  hk_sim *sim = sim_of(m, o);
  assert_string_equal(hk_sim_stepper_name(sim), name);
  if (!strstr(hk_sim_stepper_why(sim), why)) fail_msg("%s: %s", name, hk_sim_stepper_why(sim));
  hk_error err = {0};
  if (hk_sim_step(sim, 1, &err)) fail_msg("%s", err.text);
  hk_sim_destroy(sim);
}

static void undamped_modes_are_left_to_a_method_that_damps(void **state) {
  (void)state;
  hk_model *free = shaft("0 s", ""), *damped = shaft("1e-4 s", ""),
           *named = shaft("0 s", ", stepper: bdf"), *meant = shaft("0 s", ", max_order: 5");
  expect(free, NULL, "generalized_alpha", "without damping");
  expect(free, &(hk_sim_options){.stepper = "bdf"}, "bdf", "requested");
  expect(free, &(hk_sim_options){.rtol = 1e-6, .atol = 1e-8}, "generalized_alpha", "damping");
  expect(damped, NULL, "multistep", "smooth");
  expect(named, NULL, "bdf", "requested");
  expect(named, &(hk_sim_options){.stepper = "auto"}, "generalized_alpha", "damping");
  expect(meant, NULL, "bdf", "given");
  hk_model_destroy(free);
  hk_model_destroy(damped);
  hk_model_destroy(named);
  hk_model_destroy(meant);
}

/* A mass on a spring, from its side. */
static hk_model *swing(const char *stiffness, const char *duration) {
  char text[600];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
           "forces:\n"
           "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "  spring: {type: spring_damper, b: m, stiffness: %s, length: 1 m}\n"
           "analysis: {duration: %s}\n",
           stiffness, duration);
  return model_of(text);
}

/* A shaft that rotates uniformly in a skewed bearing, and a shaft at rest under a load. */
static hk_model *even_shaft(const char *torque) {
  char text[900];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies:\n"
           "  shaft: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.02 kg*m^2],\n"
           "    orientation: {axis: x, angle: 30 deg},\n"
           "    angular_velocity: [0, -25 rad/s, 43.30127018922193 rad/s]}\n"
           "  beam: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
           "joints:\n"
           "  bearing: {type: revolute, b: shaft, axis: [0, -0.5, 0.8660254037844387]}\n"
           "  wall: {type: fixed, b: beam}\n"
           "forces:\n"
           "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "  push: {type: load, b: beam, force: [5 N, 0, 0]}\n"
           "  strike: {type: load, b: shaft, torque: [0, 0, \"%s\"]}\n"
           "analysis: {duration: 1 s}\n",
           torque);
  return model_of(text);
}

static void steady_motion_is_left_to_a_method_that_makes_no_error(void **state) {
  (void)state;
  hk_model *even = even_shaft("0 N*m"), *later = even_shaft("step5(t, 0.6 s, 0, 0.7 s, 2 N*m)"),
           *blow = even_shaft("if(t > 0.5 s and t < 0.5001 s, 2 N*m, 0 N*m)"),
           *always = even_shaft("2 N*m"), *never = even_shaft("step5(t, 2 s, 0, 3 s, 2 N*m)");
  expect(even, NULL, "generalized_alpha", "steady");
  expect(never, NULL, "generalized_alpha", "steady");
  expect(even, &(hk_sim_options){.stepper = "bdf"}, "bdf", "requested");
  expect(even, &(hk_sim_options){.no_stepping = true}, "multistep", "smooth");
  expect(later, NULL, "multistep", "smooth");
  expect(blow, NULL, "generalized_alpha", "steady"); /* steps end at both ends of it */
  expect(always, NULL, "multistep", "smooth");
  hk_model_destroy(even);
  hk_model_destroy(later);
  hk_model_destroy(blow);
  hk_model_destroy(always);
  hk_model_destroy(never);
}

/* A body in uniform flight for most of the run, then against a spring. */
static void steady_motion_is_so_to_the_end(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
      "forces: {s: {type: load, b: m, force: [\"-1e4 N/m * max(m.x - 9 m, 0 m)\","
      " 0, 0]}}\n"
      "analysis: {duration: 10 s}\n");
  expect(m, NULL, "multistep", "smooth");
  hk_model_destroy(m);
}

/* A free body that spins about its intermediate axis, slightly disturbed. */
static hk_model *thrown(const char *beside, const char *analysis) {
  char text[400];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {b: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2],\n"
           "  angular_velocity: [%s, 10 rad/s, 0], markers: {tip: [0, 0, 1 m]}}}\n"
           "sensors: {x: {type: displacement, b: b.tip, axis: x},\n"
           "  z: {type: displacement, b: b.tip, axis: z}}\n"
           "analysis: {%s}\n",
           beside, analysis);
  return model_of(text);
}

/* The body turns over in the 8th revolution or later.  The disturbance grows by e^(5.8 t) and is
 * below round-off in all revolutions but the last. */
static void bodies_that_turn_over_late_are_not_steady(void **state) {
  (void)state;
  static const char *const BESIDE[] = {"1e-11 rad/s", "1e-12 rad/s", "1e-13 rad/s", "1e-14 rad/s"};
  for (int i = 0; i < 4; i++) {
    hk_model *m = thrown(BESIDE[i], "duration: 8 s");
    expect(m, NULL, "multistep", "only gravity");
    hk_model_destroy(m);
  }
}

/* ... and a body that does not turn over has the correct position within its steps too, of any
 * length. */
static void turning_is_right_between_steps(void **state) {
  (void)state;
  static const char *const ANALYSIS[] = {"duration: 10 s", "duration: 10 s, stepper: trapezoidal",
                                         "duration: 10 s, stepper: generalized_alpha, rtol: 1e-3"};
  for (int i = 0; i < 3; i++) {
    hk_model *m = thrown("0 rad/s", ANALYSIS[i]);
    hk_sim *sim = sim_of(m, NULL);
    int c[3] = {hk_model_channel_find(m, "x"), hk_model_channel_find(m, "z"),
                hk_model_channel_find(m, "b.wy")};
    for (int k = 1; k <= 100; k++) {
      double t = 0.1 * k, x[3];
      hk_error err = {0};
      while (hk_sim_time(sim) < t)
        if (hk_sim_step(sim, 10, &err)) fail_msg("%s", err.text);
      if (hk_sim_values_at(sim, t, c, 3, x, &err)) fail_msg("%s", err.text);
      assert_near(x[0], sin(10 * t), 1e-9, "x");
      assert_near(x[1], cos(10 * t), 1e-9, "z");
      assert_near(x[2], 10, 1e-9, "speed");
    }
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* The trial has no side effects: the run is that of the integrator requested by name, with the same
 * tolerances. */
static void expect_same_run(hk_model *m, const char *name) {
  hk_sim *a = sim_of(m, NULL);
  hk_sim *b =
      sim_of(m, &(hk_sim_options){.stepper = name, .rtol = a->option.rtol, .atol = a->option.atol});
  hk_error err = {0};
  assert_string_equal(hk_sim_stepper_name(a), name);
  for (int i = 0; i < 50; i++) {
    assert_int_equal(a->state_size, b->state_size);
    assert_memory_equal(a->x, b->x, (size_t)a->state_size * sizeof *a->x);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    for (int k = 0; k < hk_model_channel_count(m); k++) {
      double x = hk_sim_value(a, k), y = hk_sim_value(b, k);
      assert_memory_equal(&x, &y, sizeof x);
    }
    static const hk_quality_kind kind[] = {HK_QUALITY_LOCAL_ERROR, HK_QUALITY_ENERGY,
                                           HK_QUALITY_CONSTRAINT};
    for (int k = 0; k < 3; k++)
      assert_true(a->quality.worst[kind[k]].amount == b->quality.worst[kind[k]].amount);
    assert_true(a->quality.energy_scale == b->quality.energy_scale);
    double end = a->option.duration;
    if (hk_sim_step(a, end, &err) || hk_sim_step(b, end, &err)) fail_msg("%s", err.text);
  }
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  hk_model_destroy(m);
}

static void the_run_is_that_of_the_stepper(void **state) {
  (void)state;
  expect_same_run(shaft("0 s", ""), "generalized_alpha");
  expect_same_run(shaft("1e-4 s", ""), "multistep");
  expect_same_run(shaft("1e-4 s", ", begin: equilibrium"), "multistep");
  expect_same_run(even_shaft("0 N*m"), "generalized_alpha");
  expect_same_run(even_shaft("2 N*m"), "multistep");
  expect_same_run(swing("100 N/m", "4 s"), "multistep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(undamped_modes_are_left_to_a_method_that_damps),
      cmocka_unit_test(steady_motion_is_left_to_a_method_that_makes_no_error),
      cmocka_unit_test(steady_motion_is_so_to_the_end),
      cmocka_unit_test(bodies_that_turn_over_late_are_not_steady),
      cmocka_unit_test(turning_is_right_between_steps),
      cmocka_unit_test(the_run_is_that_of_the_stepper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
