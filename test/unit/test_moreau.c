/* Moreau's integrator on motions with known solutions: flight, bounces, sliding, sticking, joints in the same
 * problem, and rejected models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/rigid_contact_case.h"

static void must_refuse(const hk_model *m, const hk_sim_options *o, const char *a, const char *b) {
  hk_sim *sim = NULL;
  hk_error err = {0};
  assert_true(hk_sim_create(m, o, &sim, NULL, &err) < 0);
  assert_null(sim);
  if (!strstr(err.text, a) || !strstr(err.text, b)) fail_msg("'%s' lacks %s, %s", err.text, a, b);
}

static void the_choice_of_steppers(void **state) {
  (void)state;
  hk_model *m = model_with(BALL, 0.0, 0.0, 0.0, 0.5, 0.5);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-3});
  assert_string_equal(hk_sim_stepper_name(sim), "moreau");
  hk_sim_destroy(sim);
  sim = sim_of(m, NULL); /* no step size given: an integrator that chooses its own is selected */
  assert_string_equal(hk_sim_stepper_name(sim), "event_driven");
  hk_sim_destroy(sim);
  must_refuse(m, &(hk_sim_options){.stepper = "moreau"}, "moreau", "step");
  must_refuse(m, &(hk_sim_options){.step = 1e-3, .stepper = "trapezoidal"}, "trapezoidal",
              "signorini");
  must_refuse(m, &(hk_sim_options){.step = 1e-3, .stepper = "generalized_alpha"},
              "generalized_alpha", "'floor'");
  must_refuse(m, &(hk_sim_options){.step = 1e-3, .stepper = "moroe"}, "moroe", "moreau");
  hk_model_destroy(m);
}

/* A ball dropped from h = 0.5 m first bounces at t1 = sqrt(2 h/g) and comes to rest after t1 (1 +
 * e)/(1 - e); n bounces take t1 (1 + 2 e (1 - e^(n - 1))/(1 - e)). */
static void a_ball_bounces_and_comes_to_rest(void **state) {
  (void)state;
  const double e = 0.5, t1 = sqrt(2 * 0.5 / 10);
  hk_model *m = model_with(BALL, 0.0, 0.0, 0.0, e, e);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-4});
  double top = 0, v0 = sqrt(2 * 10 * 0.5);
  for (double t = 0; t < t1 * (1 + 2 * e); t += 1e-3) {
    advance(sim, t);
    if (channel(sim, m, "floor.impacts") == 1) top = fmax(top, channel(sim, m, "ball.z"));
  }
  assert_near(top - 0.1, 0.5 * e * e, 1e-3, "height after one bounce");
  assert_near(channel(sim, m, "floor.approach"), v0, 2e-3, "approach velocity");
  advance(sim, t1 * (1 + e) / (1 - e) + 0.1);
  check_rest(sim, m, 2e-2);
  assert_near(channel(sim, m, "energy.balance_error"), 0, 2e-2, "balance");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void a_ball_slides_until_it_rolls(void **state) {
  (void)state;
  hk_model *m = model_with(ROLLING);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-3});
  check_rolling(sim, m, 5e-3);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void a_block_on_a_slope(void **state) {
  (void)state;
  const double mu[] = {0.6, 0.5};
  for (int i = 0; i < 2; i++) {
    hk_model *m = model_with(SLOPE, mu[i]);
    hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-3});
    check_slope(sim, m, mu[i], 2e-5, 1e-3); /* the first step is taken before the block touches */
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* Without contact the midpoint rule is of second order, with joints too: half the step gives a
 * quarter of the error. */
static void second_order_without_contact(void **state) {
  (void)state;
  hk_model *m = model_with(
      "bodies:\n"
      "  arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
      "  hand: {type: rod, length: 0.5 m, mass: 0.5 kg, position: [1.25 m, 0, 0]}\n"
      "joints:\n"
      "  hinge: {type: revolute, b: arm.start, axis: z}\n"
      "  wrist: {type: revolute, a: arm, b: hand, at: [1 m, 0, 0], axis: [0, 0.6, 0.8]}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, -10 m/s^2, 1 m/s^2]}\n"
      "  brake: {type: torsion_spring, coordinate: wrist.angle, stiffness: 3 N*m/rad, damping: 0.2 "
      "N*m*s/rad}\n");
  double x[4];
  for (int i = 0; i < 4; i++) {
    hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 4e-3 / (1 << i), .stepper = "moreau"});
    advance(sim, 1);
    x[i] = channel(sim, m, "hand.end.x");
    assert_true(channel(sim, m, "solver.constraint_error") < 1e-10);
    assert_true(channel(sim, m, "solver.velocity_error") < 1e-7);
    hk_sim_destroy(sim);
  }
  for (int i = 0; i < 2; i++) {
    double order = log2(fabs((x[i] - x[i + 1]) / (x[i + 1] - x[i + 2])));
    if (!(order > 1.9 && order < 2.1)) fail_msg("order %g", order);
  }
  hk_model_destroy(m);
}

/* With zero clearance the contact holds both sides like a joint, with friction in both
 * directions. */
static void no_play_is_a_joint_with_friction(void **state) {
  (void)state;
  hk_model *m = model_with(
      "bodies:\n"
      "  yoke: {type: rotor, inertia: 0.02 kg*m^2, axis: z}\n"
      "  cross: {type: universal_shaft, inertia: 0.01 kg*m^2, bend: 20 deg, axis: z}\n"
      "forces:\n"
      "  drive: {type: actuator, coordinate: yoke.angle, force: 2 N*m * sin(30 rad/s * t)}\n"
      "laws:\n  dry: {type: signorini, mu: 0.3}\n"
      "contacts:\n"
      "  joint: {type: universal_clearance, a: yoke, b: cross, law: dry, clearance: 0, arm: 40 mm, "
      "pin_radius: 20 mm, angle: 20 deg}\n");
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-4});
  bool left = false, right = false;
  for (int i = 1; i <= 4000; i++) {
    advance(sim, i * 1e-4);
    double l = channel(sim, m, "joint.left.normal_force");
    double r = channel(sim, m, "joint.right.normal_force");
    double friction = fmax(channel(sim, m, "joint.left.friction_force"),
                           channel(sim, m, "joint.right.friction_force"));
    assert_true(l == 0 || r == 0);
    assert_true(friction <= 0.3 * fmax(l, r) * (1 + 1e-9) + 1e-12);
    left = left || l > 0, right = right || r > 0;
    assert_near(channel(sim, m, "yoke.angle"), channel(sim, m, "cross.angle"), 1e-14, "no play");
    assert_true(channel(sim, m, "solver.contact_merit") < 1e-10);
  }
  assert_true(left && right);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* With e_N = e_T no impact increases the energy, for any directions and velocities. */
static void impacts_never_add_energy(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 40; i++) {
    double r[4];
    for (int k = 0; k < 4; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      r[k] = (double)(seed >> 11) / 9007199254740992.0;
    }
    hk_model *m = model_with(
        "bodies:\n"
        "  ground: {markers: {floor: {orientation: {axis: [1, 2, 0], angle: %g deg}}}}\n"
        "  box: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg, position: [0, 0, 0.3 m], "
        "velocity: [%g m/s, 1 m/s, -3 m/s], angular_velocity: [%g rad/s, 4 rad/s, 3 rad/s],\n"
        "    markers: {a: [0.15 m, 0.1 m, -0.05 m], b: [0.15 m, -0.1 m, -0.05 m], c: [-0.15 m, 0.1 "
        "m, -0.05 m], d: [-0.15 m, -0.1 m, -0.05 m]}}\n"
        "laws:\n  dry: {type: signorini, mu: %g, restitution_normal: 0.6}\n"
        "contacts:\n"
        "  a: {type: point_on_plane, a: ground.floor, b: box.a, law: dry}\n"
        "  b: {type: point_on_plane, a: ground.floor, b: box.b, law: dry}\n"
        "  c: {type: point_on_plane, a: ground.floor, b: box.c, law: dry}\n"
        "  d: {type: point_on_plane, a: ground.floor, b: box.d, law: dry}\n",
        20 * r[0], 4 * r[1] - 2, 20 * r[2] - 10, 1.2 * r[3]);
    hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 5e-4});
    double before = channel(sim, m, "energy.kinetic"), first = before;
    for (int k = 1; k <= 600; k++) {
      advance(sim, k * 5e-4);
      double now = channel(sim, m, "energy.kinetic");
      /* In free rotation a box conserves its energy to third order in the step. */
      if (!(now <= before + 1e-6 * first))
        fail_msg("case %d step %d: %g J -> %g J", i, k, before, now);
      before = now;
    }
    assert_true(before < 0.95 * first); /* it did hit */
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
}

/* A state copied into another simulation continues in the same way, contacts included. */
static void a_copied_state_goes_on(void **state) {
  (void)state;
  hk_model *m = model_with(BALL, 1.0, 0.5, 0.3, 0.6, 0.6);
  hk_sim *a = sim_of(m, &(hk_sim_options){.step = 1e-3}),
         *b = sim_of(m, &(hk_sim_options){.step = 1e-3});
  size_t size = hk_sim_state_size(a);
  char *x = malloc(size), *y = malloc(size);
  advance(a, 0.4);
  hk_sim_state_get(a, x);
  hk_sim_state_set(b, x);
  advance(a, 2), advance(b, 2);
  hk_sim_state_get(a, x), hk_sim_state_get(b, y);
  assert_memory_equal(x, y, size);
  /* Forces are impulses over the last step; a new simulation takes them from the state. */
  hk_sim_destroy(b);
  b = sim_of(m, &(hk_sim_options){.step = 1e-3});
  hk_sim_state_set(b, x);
  assert_near(channel(b, m, "floor.normal_force"), 20, 1e-9, "force of a copied state");
  free(x), free(y);
  hk_sim_destroy(a), hk_sim_destroy(b);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_choice_of_steppers),
      cmocka_unit_test(a_ball_bounces_and_comes_to_rest),
      cmocka_unit_test(a_ball_slides_until_it_rolls),
      cmocka_unit_test(a_block_on_a_slope),
      cmocka_unit_test(second_order_without_contact),
      cmocka_unit_test(no_play_is_a_joint_with_friction),
      cmocka_unit_test(impacts_never_add_energy),
      cmocka_unit_test(a_copied_state_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
