/* Nonsmooth generalized-alpha on motions with known solutions, with both schemes; without contacts
 * it is identical to generalized-alpha to the last bit; rejected models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integrator/impact/nonsmooth_alpha.h"
#include "support/rigid_contact_case.h"

static hk_sim *sim_by(const hk_model *m, const char *scheme, double h) {
  const hk_setting set[] = {{.name = "scheme", .text = scheme}};
  return sim_of(m,
                &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = h, .set = set, .n_set = 1});
}

static const char *const SCHEMES[] = {"corrected", "published"};

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

/* Dropped from 0.5 m: the n-th bounce is at t1 (1 + 2 e (1 - e^(n - 1))/(1 - e)), the last at t1 (1
 * + e)/(1 - e).  Generalized-alpha is exact under a constant force, and so is the corrected
 * scheme. */
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
    check_rest(sim, m, k ? 0.2 : 1e-4);
    assert_near(channel(sim, m, "floor.gap"), 0, 1e-13, "on the floor");
    assert_near(channel(sim, m, "ball.az"), 0, 1e-9, "acceleration with the contact's force");
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

static void a_ball_slides_until_it_rolls(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    hk_model *m = model_with(ROLLING);
    hk_sim *sim = sim_by(m, SCHEMES[k], 1e-3);
    check_rolling(sim, m, k ? 5e-3 : 1e-9);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

static void a_block_on_a_slope(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    double mu = k < 2 ? 0.6 : 0.5, near = k % 2 ? 3e-3 : 1e-5;
    hk_model *m = model_with(SLOPE, mu);
    hk_sim *sim = sim_by(m, SCHEMES[k % 2], 1e-3);
    check_slope(sim, m, mu, near, near);
    assert_true(channel(sim, m, "slope.gap") > -1e-12);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* A ball bounces, lands and slides in a narrow socket, with adaptive steps.  In flight the error is
 * zero and steps become long; the error test of the first step on the wall must be the same as that
 * of later ones, so that the landing is accurate. */
static void a_landing_costs_no_accuracy(void **state) {
  (void)state;
  hk_model *m = model_with(
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 0.1 kg, velocity: [0.02 m/s, 0, 0]}}\n"
      "forces: {weight: {type: gravity}}\n"
      "laws: {rigid: {type: signorini, restitution_normal: 0.5}}\n"
      "contacts: {socket: {type: sphere_in_socket, a: ground, b: ball, socket_radius: 10.2 mm, "
      "ball_radius: 1 cm, law: rigid}}\n");
  hk_sim *known = sim_of(m, &(hk_sim_options){.stepper = "event_driven"});
  hk_sim *ours = sim_of(m, &(hk_sim_options){.stepper = "nonsmooth_alpha"});
  advance(known, 0.03);
  advance(ours, 0.03);
  double off = hypot(channel(ours, m, "ball.x") - channel(known, m, "ball.x"),
                     channel(ours, m, "ball.z") - channel(known, m, "ball.z"));
  assert_true(off < 2e-8); /* of a clearance of 0.2 mm */
  assert_near(channel(ours, m, "energy.balance_error"), 0, 1e-7, "balance of 5e-4 J");
  hk_sim_destroy(known);
  hk_sim_destroy(ours);
  hk_model_destroy(m);
}

/* The reported acceleration is v' of the smooth motion plus W/h, with W the velocity change due to
 * contacts within the step: a bead in a bowl, suspended on a rod, with a spring and a damper. */
static const char BOWL[] =
    "bodies:\n"
    "  bead: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, -0.9 m], velocity: [3 m/s, "
    "1 m/s, 0]}\n"
    "  arm: {type: rod, length: 0.5 m, mass: 0.5 kg, position: [0.25 m, 0, -0.9 m], velocity: [3 "
    "m/s, 1 m/s, 0]}\n"
    "joints: {neck: {type: spherical, a: bead, b: arm, at: [0, 0, -0.9 m]}}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "  cord: {type: spring_damper, b: arm.end, stiffness: 5 N/m, damping: 1 N*s/m, length: 0.3 m}\n"
    "laws: {smooth: {type: signorini}}\n"
    "contacts: {bowl: {type: sphere_in_socket, a: ground, b: bead, socket_radius: 1 m, "
    "ball_radius: 0.1 m, law: smooth}}\n";

static void accelerations_are_those_of_smooth_motion_and_contacts(void **state) {
  (void)state;
  const double H[2] = {1e-3, 2.5e-4};
  double off[2] = {0};
  hk_model *m = model_with(BOWL);
  for (int k = 0; k < 2; k++) {
    hk_sim *sim = sim_by(m, "corrected", H[k]);
    advance(sim, 0.3);
    assert_near(channel(sim, m, "bowl.closed"), 1, 0, "slides in the bowl");
    const hk_nonsmooth_state *own = hk_nonsmooth_state_in(m, sim->x);
    static const char *const name[] = {"bead.ax", "bead.ay", "bead.az"};
    double size = 0;
    for (int i = 0; i < 3; i++) {
      double want = sim->x[m->at.vd + i] + own->push[i];
      off[k] = fmax(off[k], fabs(channel(sim, m, name[i]) - want));
      size = fmax(size, fabs(want));
    }
    assert_true(size > 5);
    hk_sim_destroy(sim);
  }
  assert_true(off[0] < 0.3);          /* of some 20 m/s^2 ... */
  assert_true(off[1] < 0.4 * off[0]); /* ... and of the order of the step */
  hk_model_destroy(m);
}

/* A box that falls on its corners and comes to rest on four of them, with contact forces that are
 * not unique; in the same model, a spring with a slider in a joint with friction and a compliant
 * contact. */
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

/* Values between steps, also just after the start of a step: positions of the motion itself, forces and length of the
 * step, and the part of the impulse that has acted. */
static void values_between_steps(void **state) {
  (void)state;
  hk_model *m = model_with(BALL, 1.0, 0.0, 0.0, 0.0, 0.0);
  hk_sim *sim = sim_by(m, "corrected", 1e-2);
  hk_error err = {0};
  while (channel(sim, m, "floor.normal_force") == 0 && hk_sim_time(sim) < 1)
    assert_int_equal(hk_sim_step(sim, 10, &err), HK_OK);
  assert_int_equal(hk_sim_step(sim, 10, &err), HK_OK);
  int list[] = {hk_model_channel_find(m, "ball.x"), hk_model_channel_find(m, "floor.normal_force"),
                hk_model_channel_find(m, "ball.az"), hk_model_channel_find(m, "solver.step"),
                hk_model_channel_find(m, "floor.impulse")};
  static const double share[] = {1e-9, 1e-4, 0.5};
  for (int i = 0; i < 3; i++) {
    double start = hk_sim_step_start(sim), t = start + share[i] * (hk_sim_time(sim) - start);
    double out[5];
    assert_int_equal(hk_sim_values_at(sim, t, list, 5, out, &err), HK_OK);
    assert_near(out[0], t, 1e-12, "place");
    assert_near(out[1], 20, 1e-9, "force");
    assert_near(out[2], 0, 1e-9, "acceleration");
    assert_near(out[3], 1e-2, 1e-15, "step");
    assert_near(out[4], 20 * (t - start), 1e-15, "impulse");
  }
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
  if (!strstr(err.text, "'joint'") || !strstr(err.text, "without clearance"))
    fail_msg("%s", err.text);
  hk_model_destroy(m);
  m = model_with(
      "bodies:\n  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.098 m]}\n"
      "laws:\n  dry: {type: signorini}\n"
      "contacts:\n  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n");
  sim = sim_by(m, "corrected", 1e-3);
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
      cmocka_unit_test(a_landing_costs_no_accuracy),
      cmocka_unit_test(accelerations_are_those_of_smooth_motion_and_contacts),
      cmocka_unit_test(a_box_on_four_corners),
      cmocka_unit_test(values_between_steps),
      cmocka_unit_test(refuses_what_it_cannot_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
