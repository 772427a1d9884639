/* A node type that is not part of the library: one file (toy/trolley.c), one line (toy/toys.h). The
 * conformance tests check it with elements and integrators; here its motion is compared with that
 * of the same mechanism made of bodies and joints of the library: an arm on a hinge and a slider on
 * the arm. */
#include "support/subject.h"
#include <hooke/linear.h>
#include <stdio.h>

static const char TOY[] =
    "  cart: {type: trolley, mass: 1.5 kg, inertia: 0.07 kg*m^2, radius: 0.6 m, angle: 0.3 rad,\n"
    "    radius_rate: 0.2 m/s, rate: 1.1 rad/s, markers: {tip: {at: [0.1 m, 0.05 m, 0]}}}\n";
/* The inertia of the arm rotates with that of the trolley. */
static const char BODIES[] =
    "  arm: {mass: 0.2 kg, inertia: [0.02 kg*m^2, 0.02 kg*m^2, 0.02 kg*m^2], orientation: {axis: "
    "z,\n"
    "    angle: 0.3 rad}, angular_velocity: [0, 0, 1.1 rad/s]}\n"
    "  cart: {mass: 1.5 kg, inertia: [0.05 kg*m^2, 0.05 kg*m^2, 0.05 kg*m^2], position: [0.6 m *\n"
    "    cos(0.3 rad), 0.6 m * sin(0.3 rad), 0], orientation: {axis: z, angle: 0.3 rad},\n"
    "    angular_velocity: [0, 0, 1.1 rad/s], velocity: [0.2 m/s * cos(0.3 rad) - 0.66 m/s *\n"
    "    sin(0.3 rad), 0.2 m/s * sin(0.3 rad) + 0.66 m/s * cos(0.3 rad), 0],\n"
    "    markers: {tip: {at: [0.1 m, 0.05 m, 0]}}}\n";
static const char JOINTS[] =
    "  pivot: {type: revolute, b: arm, at: [0, 0, 0], axis: z}\n"
    "  rail: {type: prismatic, a: arm, b: cart, at: [0, 0, 0], axis: [cos(0.3 rad), sin(0.3 rad), "
    "0]}\n";

/* A rod hangs on the trolley by a hinge, a spring connects both, and the end of the rod falls on a
 * floor. */
static hk_model *mechanism(bool toy, const char *law, const char *analysis) {
  char text[4000];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "parameters: {a: 0.3 rad, X: 0.7 m * cos(a) - 0.05 m * sin(a), Y: 0.7 m * sin(a) + 0.05 m *\n"
      "  cos(a)}\n"
      "bodies:\n"
      "  ground: {markers: {wall: {at: [1.2 m, 0.4 m, 0]}, floor: {at: [0, -0.7 m, 0],\n"
      "    orientation: {axis: x, angle: -90 deg}}, step: {at: [0, -0.3 m, 0],\n"
      "    orientation: {axis: x, angle: -90 deg}}}}\n"
      "%s"
      "  rod: {type: rod, length: 0.5 m, mass: 0.8 kg, radius: 1 cm,\n"
      "    position: [X + 0.25 m, Y, 0],\n"
      "    velocity: [0.2 m/s * cos(a) - 1.1/(1 s) * Y, 0.2 m/s * sin(a) + 1.1/(1 s) * X, 0]}\n"
      "joints:\n"
      "  hinge: {type: revolute, a: cart.tip, b: rod.start, axis: z}\n"
      "%s"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  s: {type: spring_damper, a: ground.wall, b: cart.tip, stiffness: 60 N/m, damping: 0.4 "
      "N*s/m, length: 0.5 m}\n"
      "  d: {type: spring_damper, a: ground.wall, b: rod.end, stiffness: 5 N/m, damping: 0.2 "
      "N*s/m, length: 0.5 m}\n"
      "laws: {law: {%s}}\n"
      "contacts:\n"
      "  hit: {type: sphere_on_plane, a: ground.floor, b: rod.end, radius: 2 cm, law: law}\n"
      "  knock: {type: sphere_on_plane, a: ground.step, b: cart, radius: 2 cm, law: law}\n"
      "analysis: {duration: 1 s, %s}\n",
      toy ? TOY : BODIES, toy ? "" : JOINTS, law, analysis);
  return model_of_types(subjects(), text);
}

static const char *const SOFT =
    "type: hertz, stiffness: 2e5 N/m^1.5, damping: 100 N*s/m, ramp: 1 mm, "
    "mu: 0.2, friction: mu3, velocity: 1 cm/s";
static const char *const HARD = "type: signorini, restitution_normal: 0.4, mu: 0.2";

typedef struct outcome {
  double x, y, turn, end, acceleration, reaction, balance;
  bool touched, knocked;
} outcome;

static outcome run(bool toy, const char *law, const char *analysis) {
  hk_model *m = mechanism(toy, law, analysis);
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  outcome o = {0};
  for (int i = 1; i <= 500; i++) {
    if (hk_sim_advance(sim, 0.002 * i, &err)) fail_msg("%s", err.text);
    o.touched = o.touched || channel(sim, m, "hit.gap") < 1e-3;
    o.knocked = o.knocked || channel(sim, m, "knock.gap") < 1e-3;
  }
  o.x = channel(sim, m, "cart.x"), o.y = channel(sim, m, "cart.y");
  o.turn = channel(sim, m, "cart.wz"), o.end = channel(sim, m, "rod.end.y");
  o.acceleration = channel(sim, m, "rod.end.ax"), o.reaction = channel(sim, m, "hinge.fx");
  o.balance = channel(sim, m, "energy.balance_error");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  return o;
}

static void assert_same(const outcome *a, const outcome *b, double tolerance, const char *who) {
  assert_near(a->x, b->x, tolerance, "%s: x", who);
  assert_near(a->y, b->y, tolerance, "%s: y", who);
  assert_near(a->turn, b->turn, 20 * tolerance, "%s: turning", who);
  assert_near(a->end, b->end, tolerance, "%s: end of the rod", who);
  assert_near(a->acceleration, b->acceleration, 100 * tolerance, "%s: acceleration", who);
  assert_near(a->reaction, b->reaction, 100 * tolerance, "%s: reaction", who);
}

static void it_moves_like_the_mechanism_it_stands_for(void **state) {
  (void)state;
  static const struct {
    const char *law, *analysis;
    double tolerance, balance;
  } line[] = {
      {SOFT, "stepper: generalized_alpha, rtol: 1e-8, atol: 1e-8", 1e-4, 2e-2},
      {SOFT, "stepper: bdf, rtol: 1e-8, atol: 1e-8", 1e-3, 2e-2},
      {HARD, "stepper: moreau, step: 0.05 ms", 2e-3, 1e-2},
      {HARD, "stepper: event_driven, rtol: 1e-9, atol: 1e-9", 1e-6, 1e-6},
  };
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    outcome toy = run(true, line[i].law, line[i].analysis);
    outcome own = run(false, line[i].law, line[i].analysis);
    assert_true(toy.touched && own.touched && toy.knocked && own.knocked);
    assert_same(&toy, &own, line[i].tolerance, line[i].analysis);
    assert_true(fabs(toy.balance) < line[i].balance);
  }
}

/* Equilibrium and eigenvalues, without the floor. */
static void solve(bool toy, double *x, double *angle, double out[6]) {
  hk_model *m = mechanism(toy, SOFT, "start: 0 s");
  hk_sim *sim = NULL;
  hk_linear *linear = NULL;
  hk_modes modes = {0};
  hk_error err = {0};
  hk_static_report at;
  if (hk_static_solve(m, NULL, &sim, &at, NULL, &err) ||
      hk_linear_create(sim, NULL, &linear, NULL, &err) ||
      hk_modes_solve(linear, NULL, &modes, &err))
    fail_msg("%s", err.text);
  *x = channel(sim, m, "cart.x");
  *angle = atan2(channel(sim, m, "cart.y"), *x);
  assert_int_equal(modes.n, 6);
  for (int i = 0; i < 6; i++) out[i] = hypot(modes.mode[i].re, modes.mode[i].im);
  if (toy) {
    char name[64];
    hk_linear_coordinate_name(linear, 0, name, sizeof name);
    assert_string_equal(name, "cart.radius");
    assert_string_equal(hk_linear_coordinate_unit(linear, 0), "m");
    assert_string_equal(hk_linear_coordinate_unit(linear, 1), "rad");
  }
  hk_modes_free(&modes);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void it_rests_and_swings_like_it(void **state) {
  (void)state;
  double x[2], angle[2], mode[2][6];
  for (int toy = 0; toy < 2; toy++) solve(toy, &x[toy], &angle[toy], mode[toy]);
  assert_near(x[1], x[0], 1e-9, "place");
  assert_near(angle[1], angle[0], 1e-9, "angle");
  for (int i = 0; i < 6; i++) assert_near(mode[1][i], mode[0][i], 1e-7 * mode[0][i], "mode %d", i);
}

/* Markers are resolved to frames and names to coordinates for any node type. */
static void it_is_named_like_any_other(void **state) {
  (void)state;
  hk_model *m = mechanism(true, SOFT, "start: 0 s");
  static const char *const channels[] = {"cart.x", "cart.alphaz", "cart.tip.vx", "cart.load_fy"};
  for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
    assert_true(hk_model_channel_find(m, channels[i]) >= 0);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_moves_like_the_mechanism_it_stands_for),
      cmocka_unit_test(it_rests_and_swings_like_it),
      cmocka_unit_test(it_is_named_like_any_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
