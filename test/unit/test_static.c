/* Static equilibrium, against closed forms. */
#include "linear_case.h"

static void a_level_pendulum_falls(void **state) {
  solution s;
  at_rest(&s, LEVEL);
  assert_true(s.at.newton > 0);
  assert_near(s.at.start.size, 2 * 9.81 / 2, 1e-9, "unbalanced as placed");
  assert_string_equal(s.at.start.body, "bob");
  assert_near(channel(s.sim, s.model, "bob.y"), -0.5, 1e-12, "y");
  assert_near(channel(s.sim, s.model, "pin.fy"), 19.62, 1e-10, "reaction");
  assert_near(s.at.turned, M_PI / 2, 1e-9, "turned");
  double omega = sqrt(9.81 * 0.5 / (1.0 / 3));
  assert_has(&s, 0, omega, 1);
  assert_has(&s, 0, -omega, 1);
  assert_int_equal(s.modes.n, 2);
  release(&s);
}

static void an_upright_pendulum_is_unstable(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies: {bob: {type: rod, length: 1 m, mass: 2 kg, position: [0, 0.5 m, 0],\n"
      "               orientation: {axis: z, angle: 90 deg}}}\n"
      "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
      "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";
  solution s;
  at_rest(&s, text);
  double rate = sqrt(9.81 * 1.5);
  assert_has(&s, rate, 0, 1);
  assert_has(&s, -rate, 0, 1);
  assert_int_equal(s.modes.n_unstable, 1);
  release(&s);
}

/* Newton's method alone would diverge or stall from most initial positions in this test. */
static void a_folded_chain_unfolds(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {n: 3}\n"
      "bodies: {link: {repeat: {i: 0..n}, type: rod, length: 1 m, mass: 1 kg,\n"
      "                position: [(i + 0.5)*0.8 m, (i + 0.5)*0.6 m, 0],\n"
      "                orientation: {axis: z, angle: 36.869897645844 deg}}}\n"
      "joints:\n"
      "  first: {type: revolute, b: \"link[0].start\", at: [0, 0, 0], axis: z}\n"
      "  pin: {repeat: {i: 1..n}, type: revolute, a: \"link[i-1].end\", b: \"link[i].start\",\n"
      "        axis: z}\n"
      "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";
  solution s;
  if (try_static(&s, text, false)) fail_msg("%s", s.err.text);
  assert_true(s.at.residual.relative < 1e-10);
  assert_near(fabs(channel(s.sim, s.model, "first.fy")), 4 * 9.81, 1e-9, "weight");
  release(&s);
}

static void what_falls_has_no_equilibrium(void **state) {
  solution s;
  hk_status status = try_static(&s,
                                "format: 1\n"
                                "bodies: {stone: {type: sphere, radius: 1 m, mass: 3 kg}}\n"
                                "forces: {g: {type: gravity}}\n",
                                false);
  assert_int_equal(status, HK_EFAIL);
  assert_null(s.sim);
  assert_non_null(strstr(s.err.text, "stone"));
  assert_non_null(strstr(s.err.text, "29.43 N"));
  release(&s);
}

/* Pendulum of 1 g with a stiff spring.  A residual of 1e-3 of stiffness times length is 2e8 N for
 * the spring: with that scale any position of the pendulum would count as equilibrium.  `hung`: x
 * of the point at which it hangs. */
static void a_light_pendulum(const char *hung, double x) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  bob: {type: point_mass, mass: 1 g, position: [%g m, -0.4 m, 0]}\n"
      "  block: {type: point_mass, mass: 1000 kg, position: [2 m, 0, 0]}\n"
      "joints:\n"
      "  string: {type: distance, a: %s, b: bob, length: 0.5 m}\n"
      "  rail: {type: point_on_line, b: block, axis: x}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  stiff: {type: spring_damper, b: block, stiffness: 1e11 N/m, length: 2 m}\n";
  char full[800];
  solution s;
  snprintf(full, sizeof full, text, x + 0.3, hung);
  assert_int_equal(try_static(&s, full, true), HK_OK);
  assert_near(s.at.start.size, 9.81e-3 * 0.6 * 0.8, 1e-7, "unbalanced as placed");
  assert_true(s.at.start.relative > 1e-5);
  assert_refused(&s, "force of 0.00", "'bob'");
  at_rest(&s, full);
  assert_true(s.at.newton > 0);
  assert_string_equal(s.at.start.body, "bob");
  assert_true(s.at.residual.relative <= 1e-10);
  assert_near(channel(s.sim, s.model, "bob.x"), x, 1e-9, "x");
  assert_near(channel(s.sim, s.model, "bob.y"), -0.5, 1e-9, "y");
  assert_near(channel(s.sim, s.model, "string.fy"), 9.81e-3, 1e-11, "tension");
  assert_has(&s, 0, sqrt(9.81 / 0.5), 2);
  release(&s);
}

static void a_stiff_spring_elsewhere(void **state) { a_light_pendulum("ground", 0); }

static void a_stiff_spring_next_door(void **state) { a_light_pendulum("block", 2); }

/* A table on four legs: one reaction is undetermined, and the minimum norm gives a quarter of the
 * weight on each leg. */
static void reactions_of_least_norm(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies: {table: {type: box, size: [2 m, 2 m, 0.1 m], mass: 8 kg, markers: {a: [1 m, 1 m, "
      "0],\n"
      "  b: [1 m, -1 m, 0], c: [-1 m, 1 m, 0], d: [-1 m, -1 m, 0]}}}\n"
      "joints:\n"
      "  a: {type: point_on_plane, b: table.a, axis: z}\n"
      "  b: {type: point_on_plane, b: table.b, axis: z}\n"
      "  c: {type: point_on_plane, b: table.c, axis: z}\n"
      "  d: {type: point_on_plane, b: table.d, axis: z}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n";
  solution s;
  at_rest(&s, text);
  assert_int_equal(s.at.redundant, 1);
  static const char *const leg[] = {"a.fz", "b.fz", "c.fz", "d.fz"};
  for (int i = 0; i < 4; i++)
    assert_near(channel(s.sim, s.model, leg[i]), 2 * 9.81, 1e-12, "%s", leg[i]);
  assert_int_equal(s.linear->rank, 3);
  assert_int_equal(s.linear->dof, 3);
  assert_true(s.linear->self_stress < 1e-10);
  release(&s);
}

/* A load whose expression makes it a spring, and no other force: at rest the load is zero. */
static void no_load_left(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "bodies: {b: {mass: 4 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2],\n"
          "             position: [0.1 m, 0, 0]}}\n"
          "joints: {p: {type: prismatic, b: b, axis: x, at: [0.1 m, 0, 0]}}\n"
          "forces: {s: {type: load, b: b, force: [-100 N/m * b.x, 0, 0]}}\n");
  assert_near(s.at.start.size, 10, 1e-12, "as placed");
  assert_near(s.at.moved, 0.1, 1e-12, "way");
  assert_has(&s, 0, 5, 1);
  release(&s);
}

/* A state variable that reaches its equilibrium value is not counted as a displacement of a
 * body. */
static void a_state_goes_no_way(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "states: {lag: {unit: N, rate: (20 N - lag)/1 s}}\n"
          "bodies: {b: {type: point_mass, mass: 4 kg}}\n"
          "joints: {p: {type: point_on_line, b: b, axis: x}}\n"
          "forces: {s: {type: load, b: b, force: [lag - 100 N/m * b.x, 0, 0]}}\n");
  assert_near(channel(s.sim, s.model, "lag"), 20, 1e-12, "state");
  assert_near(s.at.moved, 0.2, 1e-12, "way");
  release(&s);
}

/* A guided body is held at rest during the equilibrium search: the damper exerts no force.  A run
 * from the equilibrium rotates the body again. */
static void a_guide_stands_still_at_rest(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "bodies: {race: {type: guided_body, mass: 2 kg, tilt: 0 rad, spin: 10 rad/s * t,\n"
          "                markers: {arm: [0, 0.1 m, 0]}}}\n"
          "forces:\n"
          "  s: {type: bushing, b: race.arm, stiffness: [800 N/m, 800 N/m, 800 N/m],\n"
          "      damping: [9 N*s/m, 0 N*s/m, 0 N*s/m]}\n");
  assert_near(channel(s.sim, s.model, "race.x"), 0, 1e-12, "x");
  assert_near(channel(s.sim, s.model, "race.y"), -0.1, 1e-12, "y");
  assert_near(channel(s.sim, s.model, "race.wz"), 0, 1e-12, "turning");
  assert_has(&s, 0, 20, 2); /* sqrt(800/2) */
  hk_error err = {0};
  if (hk_sim_advance(s.sim, 0.01, &err)) fail_msg("%s", err.text);
  assert_near(channel(s.sim, s.model, "race.wz"), 10, 1e-12, "turning in the run");
  release(&s);
}

/* The characteristic length is the ball's radius of gyration; the displacement is 500 times as
 * large. */
static void a_small_body_far_away(void **state) {
  solution s;
  at_rest(
      &s,
      "format: 1\n"
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [3 m, 0, 9.99 mm]}}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, 0, -8 m/s^2]}\n"
      "  s: {type: bushing, b: ball, stiffness: [900 N/m, 900 N/m, 0 N/m]}\n"
      "laws: {steel: {type: hertz, stiffness: 1e9 N/m^1.5}}\n"
      "contacts: {rest: {type: sphere_on_plane, a: ground, b: ball, law: steel, radius: 1 cm}}\n");
  assert_int_equal(s.at.relaxation, 0);
  assert_near(channel(s.sim, s.model, "ball.x"), 0, 1e-9, "x");
  assert_near(channel(s.sim, s.model, "ball.z"), 0.01 - 4e-6, 1e-12, "z");
  assert_has(&s, 0, 30, 2);
  assert_has(&s, 0, sqrt(3e6), 1);
  release(&s);
}

/* Positions of a kilometre are rounded to 1e-13 m: the force of a contact of 2e7 N/m is rounded to
 * 2e-6 N there. */
static void a_stiff_contact_far_away(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  ground: {markers: {floor: {at: [600 m, -800 m, 500 m], orientation: {axis: x, angle: 60 "
      "deg}}}}\n"
      "  ball: {type: sphere, radius: 10 mm, mass: 1 kg, position: [600 m, -800 m, 500.02 m]}\n"
      "joints: {guide: {type: prismatic, b: ball, at: [600 m, -800 m, 500.02 m], axis: z}}\n"
      "laws: {steel: {type: hertz, stiffness: 1e10 N/m^1.5}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground.floor, b: ball, radius: 10 mm, law: "
      "steel}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n";
  solution s;
  if (try_static(&s, text, false)) fail_msg("%s", s.err.text);
  assert_near(channel(s.sim, s.model, "floor.normal_force"), 2 * 9.81, 1e-5, "wedge of 60 degrees");
  assert_near(channel(s.sim, s.model, "floor.gap"), -pow(19.62e-10, 2.0 / 3), 1e-12, "depth");
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_level_pendulum_falls),   cmocka_unit_test(an_upright_pendulum_is_unstable),
      cmocka_unit_test(a_folded_chain_unfolds),   cmocka_unit_test(what_falls_has_no_equilibrium),
      cmocka_unit_test(a_stiff_spring_elsewhere), cmocka_unit_test(a_stiff_spring_next_door),
      cmocka_unit_test(reactions_of_least_norm),  cmocka_unit_test(no_load_left),
      cmocka_unit_test(a_state_goes_no_way),      cmocka_unit_test(a_guide_stands_still_at_rest),
      cmocka_unit_test(a_small_body_far_away),    cmocka_unit_test(a_stiff_contact_far_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
