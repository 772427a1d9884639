/* Nonsmooth generalized-alpha on motions with known answers, by both schemes; that without contacts it is
 * generalized-alpha to the last bit; and what it refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stepper/sim.h"
#include "support/check.h"

static hk_model *model_with(const char *format, ...) __attribute__((format(printf, 1, 2)));
static hk_model *model_with(const char *format, ...) {
  static char text[8192];
  va_list args;
  va_start(args, format);
  int n = snprintf(text, sizeof text, "format: 1\n");
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  return model_of(text);
}

static hk_sim *sim_by(const hk_model *m, const char *scheme, double h) {
  const hk_setting set[] = {{.name = "scheme", .text = scheme}};
  return sim_of(m,
                &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = h, .set = set, .n_set = 1});
}

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

static const char *const SCHEMES[] = {"cured", "plain"};

/* ---- without contacts ---- */

static const char LOOP[] =
    "bodies:\n"
    "  crank: {type: rod, length: 0.2 m, mass: 1 kg, position: [0.1 m, 0, 0]}\n"
    "  link: {type: rod, length: 0.5 m, mass: 1 kg, position: [0.45 m, 0, 0]}\n"
    "  slider: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg, position: [0.7 m, 0, 0]}\n"
    "  top: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg, angular_velocity: [1 rad/s, 5 "
    "rad/s, 0.1 rad/s]}\n"
    "  flywheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s}\n"
    "joints:\n"
    "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, a: crank, b: link, at: [0.2 m, 0, 0], axis: z}\n"
    "  wrist: {type: revolute, a: link, b: slider, at: [0.7 m, 0, 0], axis: z}\n"
    "  guide: {type: prismatic, b: slider, at: [0.7 m, 0, 0], axis: x}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "  rub: {type: joint_friction, joint: guide, mu: 0.1, velocity: 0.05 m/s}\n"
    "  cord: {type: spring_damper, a: slider, b: top, stiffness: 40 N/m, damping: 0.3 N*s/m, "
    "length: "
    "0.3 m}\n"
    "  twist: {type: actuator, coordinate: flywheel.angle, force: \"0.3 N*m * sin(main.angle)\"}\n";

static void without_contacts_it_is_generalized_alpha(void **state) {
  (void)state;
  hk_model *m = model_with(LOOP);
  for (int k = 0; k < 4; k++) {
    const hk_setting set[] = {{.name = "scheme", .text = SCHEMES[k % 2]}};
    double h = k < 2 ? 1e-3 : 0;
    hk_sim *ours = sim_of(
        m, &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = h, .set = set, .n_set = 1});
    hk_sim *known = sim_of(m, &(hk_sim_options){.stepper = "generalized_alpha",
                                                .step = h,
                                                .rtol = ours->option.rtol,
                                                .atol = ours->option.atol});
    for (int i = 0; i < 200; i++) {
      assert_int_equal(hk_sim_step(ours, 10, NULL), HK_OK);
      assert_int_equal(hk_sim_step(known, 10, NULL), HK_OK);
      for (int j = 0; j < m->at.size; j++)
        if (memcmp(&ours->x[j], &known->x[j], sizeof(double)))
          fail_msg("step %d: entry %d is %.17g, not %.17g", i, j, ours->x[j], known->x[j]);
    }
    for (int j = 0; j < hk_model_channel_count(m); j++)
      assert_true(hk_sim_value(ours, j) == hk_sim_value(known, j));
    hk_sim_destroy(ours);
    hk_sim_destroy(known);
  }
  hk_model_destroy(m);
}

/* ---- balls ---- */

static const char BALL[] =
    "bodies:\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.6 m], velocity: [%g m/s, "
    "%g m/s, 0]}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "laws:\n"
    "  dry: {type: signorini, mu: %g, restitution_normal: %g, restitution_tangential: %g}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n";

/* Dropped from 0.5 m: the n-th bounce is at t1 (1 + 2 e (1 - e^(n - 1))/(1 - e)), the last at
 * t1 (1 + e)/(1 - e).  Generalized-alpha is exact under a constant force, so the cured scheme is too. */
static void a_ball_bounces_and_comes_to_rest(void **state) {
  (void)state;
  const double e = 0.5, t1 = sqrt(2 * 0.5 / 10);
  for (int k = 0; k < 2; k++) {
    const double h = 1e-3, t = 0.75, near = k ? 2e-2 : 1e-11;
    hk_model *m = model_with(BALL, 0.0, 0.0, 0.0, e, e);
    hk_sim *sim = sim_by(m, SCHEMES[k], h);
    advance(sim, t);
    double flight = t - t1 * (1 + 2 * e), v = e * e * sqrt(2 * 10 * 0.5); /* after two bounces */
    assert_near(channel(sim, m, "floor.impacts"), 2, 0, "two bounces");
    assert_near(channel(sim, m, "ball.z") - 0.1, v * flight - 5 * flight * flight, near, "height");
    assert_near(channel(sim, m, "ball.vz"), v - 10 * flight, 5 * near, "velocity");
    assert_near(channel(sim, m, "energy.balance_error"), 0, near, "balance");
    advance(sim, t1 * (1 + e) / (1 - e) + 0.1);
    assert_near(channel(sim, m, "ball.vz"), 0, 1e-12, "at rest");
    assert_near(channel(sim, m, "floor.gap"), 0, 1e-13, "on the floor");
    assert_near(channel(sim, m, "floor.normal_force"), 20, 1e-9, "carries the weight");
    assert_near(channel(sim, m, "ball.az"), 0, 1e-9, "acceleration with the contact's force");
    assert_near(channel(sim, m, "energy.dissipated"), 10, k ? 0.2 : 1e-4, "all energy is lost");
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* With the velocity v0 along (3, 4)/5 sliding ends at 5/7 v0. */
static void a_ball_slides_until_it_rolls(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    hk_model *m = model_with(
        "bodies:\n"
        "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.1 m], velocity: [3 "
        "m/s, 4 m/s, 0]}\n"
        "forces:\n  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
        "laws:\n  dry: {type: signorini, mu: 0.2}\n"
        "contacts:\n"
        "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n");
    hk_sim *sim = sim_by(m, SCHEMES[k], 1e-3);
    double v0 = 5, end = 2.0 / 7 * v0 / (0.2 * 10);
    advance(sim, end / 2);
    assert_near(hypot(channel(sim, m, "ball.vx"), channel(sim, m, "ball.vy")),
                v0 - 0.2 * 10 * end / 2, k ? 5e-3 : 1e-9, "speed while it slides");
    assert_near(channel(sim, m, "floor.friction_force"), 0.2 * 20, 1e-9, "friction");
    advance(sim, end + 0.2);
    double vx = channel(sim, m, "ball.vx"), vy = channel(sim, m, "ball.vy");
    assert_near(hypot(vx, vy), 5.0 / 7 * v0, 5e-3, "speed when it rolls");
    assert_near(vy / vx, 4.0 / 3, 1e-9, "direction");
    assert_near(channel(sim, m, "floor.friction_force"), 0, 1e-8, "no friction when it rolls");
    assert_near(channel(sim, m, "ball.wy") * 0.1, vx, 1e-9, "rolls in x");
    assert_near(channel(sim, m, "floor.sliding_work"), 0.5 * 2 * 25 * 2.0 / 7, 2e-2,
                "sliding work");
    assert_near(channel(sim, m, "energy.balance_error"), 0, 2e-2, "balance");
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* On a slope of 30 degrees it sticks if mu > tan 30 and else slides with g (sin - mu cos). */
static void a_block_on_a_slope(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    double mu = k < 2 ? 0.6 : 0.5;
    hk_model *m = model_with(
        "bodies:\n"
        "  ground: {markers: {slope: {orientation: {axis: y, angle: 30 deg}}}}\n"
        "  block: {type: point_mass, mass: 1 kg}\n"
        "forces:\n  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
        "laws:\n  dry: {type: signorini, mu: %g}\n"
        "contacts:\n"
        "  slope: {type: point_on_plane, a: ground.slope, b: block, law: dry}\n",
        mu);
    hk_sim *sim = sim_by(m, SCHEMES[k % 2], 1e-3);
    advance(sim, 0.5);
    double s = hypot(channel(sim, m, "block.x"), channel(sim, m, "block.z"));
    double a = mu > tan(M_PI / 6) ? 0 : 10 * (sin(M_PI / 6) - mu * cos(M_PI / 6));
    assert_near(s, 0.5 * a * 0.25, k % 2 ? 3e-3 : 1e-5, "way down the slope");
    assert_near(channel(sim, m, "slope.friction_force"),
                fmin(10 * sin(M_PI / 6), mu * 10 * cos(M_PI / 6)), 1e-9, "friction");
    assert_true(channel(sim, m, "slope.gap") > -1e-12);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* A box that falls on its corners and comes to rest on four of them, whose forces are not unique; a spring
 * with a slider in a joint with friction and a compliant contact go on beside it. */
static void a_box_on_four_corners(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    hk_model *m = model_with(
        "bodies:\n"
        "  box: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg, position: [0, 0, 0.2 m], "
        "velocity: [0.5 m/s, 0, 0], angular_velocity: [0.3 rad/s, 0.2 rad/s, 1 rad/s], markers: "
        "{a: "
        "[0.15 m, 0.1 m, -0.05 m], b: [0.15 m, -0.1 m, -0.05 m], c: [-0.15 m, 0.1 m, -0.05 m], d: "
        "[-0.15 m, -0.1 m, -0.05 m]}}\n"
        "  car: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg, position: [2 m, 0, 0]}\n"
        "  pad: {type: sphere, radius: 0.05 m, mass: 1 kg, position: [3 m, 0, 0.06 m]}\n"
        "joints:\n  rail: {type: prismatic, b: car, at: [2 m, 0, 0], axis: x}\n"
        "forces:\n"
        "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
        "  pull: {type: spring_damper, a: box, b: car, stiffness: 3 N/m, length: 2 m}\n"
        "  rub: {type: joint_friction, joint: rail, mu: 0.05, velocity: 0.01 m/s}\n"
        "laws:\n"
        "  dry: {type: signorini, mu: 0.5, restitution_normal: 0.3}\n"
        "  soft: {type: hertz, stiffness: 1e6 N/m^1.5, damping: 300 N*s/m}\n"
        "contacts:\n"
        "  a: {type: point_on_plane, a: ground, b: box.a, law: dry}\n"
        "  b: {type: point_on_plane, a: ground, b: box.b, law: dry}\n"
        "  c: {type: point_on_plane, a: ground, b: box.c, law: dry}\n"
        "  d: {type: point_on_plane, a: ground, b: box.d, law: dry}\n"
        "  e: {type: sphere_on_plane, a: ground, b: pad, law: soft, radius: 0.05 m}\n");
    hk_sim *sim = sim_by(m, SCHEMES[k], 5e-4);
    double lowest = 0;
    for (int i = 1; i <= 60; i++) {
      advance(sim, 0.05 * i);
      for (int c = 0; c < 4; c++) {
        const char name[] = {(char)('a' + c), '.', 'g', 'a', 'p', 0};
        lowest = fmin(lowest, channel(sim, m, name));
      }
      assert_true(channel(sim, m, "solver.contact_merit") < 1e-10);
    }
    assert_true(lowest > -1e-12);
    double sum = 0;
    sum += channel(sim, m, "a.normal_force") + channel(sim, m, "b.normal_force");
    sum += channel(sim, m, "c.normal_force") + channel(sim, m, "d.normal_force");
    assert_near(sum, 9.81, 0.1, "the floor carries the box");
    assert_near(channel(sim, m, "box.vz"), 0, 1e-9, "at rest");
    assert_near(channel(sim, m, "e.normal_force"), 9.81, 0.2, "the soft one carries its ball");
    assert_true(channel(sim, m, "solver.constraint_error") < 1e-11);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* Values between steps: the motion's own, and forces of the step. */
static void values_between_steps(void **state) {
  (void)state;
  hk_model *m = model_with(BALL, 1.0, 0.0, 0.0, 0.0, 0.0);
  hk_sim *sim = sim_by(m, "cured", 1e-2);
  hk_error err = {0};
  while (channel(sim, m, "floor.normal_force") == 0 && hk_sim_time(sim) < 1)
    assert_int_equal(hk_sim_step(sim, 10, &err), HK_OK);
  assert_int_equal(hk_sim_step(sim, 10, &err), HK_OK);
  int list[3] = {hk_model_channel_find(m, "ball.x"), hk_model_channel_find(m, "floor.normal_force"),
                 hk_model_channel_find(m, "ball.az")};
  double t = 0.5 * (hk_sim_step_start(sim) + hk_sim_time(sim)), out[3];
  assert_int_equal(hk_sim_values_at(sim, t, list, 3, out, &err), HK_OK);
  assert_near(out[0], t, 1e-12, "place");
  assert_near(out[1], 20, 1e-9, "force");
  assert_near(out[2], 0, 1e-9, "acceleration");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void refuses_what_it_cannot_take(void **state) {
  (void)state;
  hk_sim *sim = NULL;
  hk_error err = {0};
  hk_model *m = model_with(
      "bodies:\n"
      "  yoke: {type: rotor, inertia: 0.02 kg*m^2, axis: z}\n"
      "  cross: {type: universal_shaft, inertia: 0.01 kg*m^2, bend: 20 deg, axis: z}\n"
      "laws:\n  dry: {type: signorini, mu: 0.3}\n"
      "contacts:\n"
      "  joint: {type: universal_clearance, a: yoke, b: cross, law: dry, clearance: 0, arm: 40 mm, "
      "pin_radius: 20 mm, angle: 20 deg}\n");
  const hk_sim_options o = {.stepper = "nonsmooth_alpha", .step = 1e-4};
  assert_int_equal(hk_sim_create(m, &o, &sim, NULL, &err), HK_EINPUT);
  if (!strstr(err.text, "'joint'") || !strstr(err.text, "no play")) fail_msg("%s", err.text);
  hk_model_destroy(m);
  m = model_with(
      "bodies:\n  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.098 m]}\n"
      "laws:\n  dry: {type: signorini}\n"
      "contacts:\n  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n");
  sim = sim_by(m, "cured", 1e-3);
  assert_true(hk_sim_step(sim, 1, &err) < 0);
  if (!strstr(err.text, "'floor' overlap by 0.002 m")) fail_msg("%s", err.text);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_contacts_it_is_generalized_alpha),
      cmocka_unit_test(a_ball_bounces_and_comes_to_rest),
      cmocka_unit_test(a_ball_slides_until_it_rolls),
      cmocka_unit_test(a_block_on_a_slope),
      cmocka_unit_test(a_box_on_four_corners),
      cmocka_unit_test(values_between_steps),
      cmocka_unit_test(refuses_what_it_cannot_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
