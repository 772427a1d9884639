/* Equilibrium, linearisation, modes, state space and matrix files, against closed forms. */
#include "support/check.h"
#include "io/matrix_file.h"
#include <hooke/linear.h>
#include <complex.h>
#include <math.h>

typedef struct solution {
  hk_model *model;
  hk_sim *sim;
  hk_static_report at;
  hk_linear *linear;
  hk_modes modes;
  hk_error err;
} solution;

static void release(solution *s) {
  hk_modes_free(&s->modes);
  hk_linear_destroy(s->linear);
  hk_sim_destroy(s->sim);
  hk_model_destroy(s->model);
}

static hk_status try_static(solution *s, const char *text, bool as_placed) {
  *s = (solution){.model = model_of(text)};
  const hk_static_options o = {.as_placed = as_placed};
  return hk_static_solve(s->model, &o, &s->sim, &s->at, NULL, &s->err);
}

static void linearise(solution *s, int dense_limit, const hk_modes_options *o) {
  const hk_linear_options l = {.dense_limit = dense_limit};
  if (hk_linear_create(s->sim, &l, &s->linear, NULL, &s->err)) fail_msg("%s", s->err.text);
  if (hk_modes_solve(s->linear, o, &s->modes, &s->err)) fail_msg("%s", s->err.text);
}

static void at_rest(solution *s, const char *text) {
  if (try_static(s, text, false)) fail_msg("%s", s->err.text);
  linearise(s, 0, NULL);
}

/* With the velocities of the file. */
static void in_motion(solution *s, const char *text) {
  *s = (solution){.model = model_of(text)};
  s->sim = sim_of(s->model, NULL);
}

static int find(const solution *s, double re, double im, double tolerance) {
  int n = 0;
  for (int i = 0; i < s->modes.n; i++)
    n += hypot(s->modes.mode[i].re - re, s->modes.mode[i].im - im) <= tolerance;
  return n;
}

static void assert_has(const solution *s, double re, double im, int times) {
  double tolerance = 1e-9 * (1 + hypot(re, im));
  int n = find(s, re, im, tolerance);
  if (n == times) return;
  for (int i = 0; i < s->modes.n; i++)
    print_error("%.12g %+.12gi\n", s->modes.mode[i].re, s->modes.mode[i].im);
  fail_msg("eigenvalue %.12g %+.12gi found %d times, expected %d", re, im, n, times);
}

/* ---- equilibrium -------------------------------------------------------------------------------
 */

static const char HANGING[] =
    "format: 1\n"
    "bodies:\n"
    "  bob: {type: rod, length: 1 m, mass: 2 kg, position: [0, -0.5 m, 0],\n"
    "        orientation: {axis: z, angle: -90 deg},\n"
    "        velocity: [1 m/s, 0, 0], angular_velocity: [0, 0, %s]}\n"
    "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

static const char LEVEL[] =
    "format: 1\n"
    "bodies: {bob: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
    "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

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

/* Newton's method alone would go uphill or nowhere from most places here. */
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

static void assert_refused(solution *s, const char *word, const char *other) {
  hk_status status = hk_linear_create(s->sim, NULL, &s->linear, NULL, &s->err);
  if (!status) fail_msg("linearised without a word");
  assert_int_equal(status, HK_EINPUT);
  if (!strstr(s->err.text, word) || !strstr(s->err.text, other)) fail_msg("%s", s->err.text);
  release(s);
}

/* The load of 1e-3 of stiffness times length is 2e8 N for the spring: by that measure a pendulum of
 * 1 g is balanced anywhere.  `hung`: where it hangs, x of that point. */
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

/* A table on four legs: one reaction is free, and least norm gives a quarter each. */
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

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void not_in_equilibrium(void **state) {
  solution s;
  assert_int_equal(try_static(&s, LEVEL, true), HK_OK);
  assert_near(s.at.residual.size, 9.81, 1e-12, "residual");
  assert_refused(&s, "9.81 N", "'bob'");
}

/* At the lowest point nothing is unbalanced along the way, but the swing is not steady. */
static void a_swing_is_not_steady(void **state) {
  char text[700];
  solution s;
  snprintf(text, sizeof text, HANGING, "2 rad/s");
  in_motion(&s, text);
  assert_refused(&s, "'bob'", "steadily");
}

static void an_odd_rotor_in_bearings(void **state) {
  solution s;
  in_motion(
      &s,
      "format: 1\n"
      "bodies:\n"
      "  disc: {mass: 2 kg, inertia: [1 kg*m^2, 1.3 kg*m^2, 2 kg*m^2], angular_velocity: [0, "
      "0, 30 rad/s],\n"
      "         markers: {l: [0, 0, -0.2 m], r: [0, 0, 0.2 m]}}\n"
      "  ground: {markers: {l: [0, 0, -0.2 m], r: [0, 0, 0.2 m]}}\n"
      "forces:\n"
      "  l: {type: bushing, a: ground.l, b: disc.l, stiffness: [1e4 N/m, 2e4 N/m, 1e4 N/m]}\n"
      "  r: {type: bushing, a: ground.r, b: disc.r, stiffness: [1e4 N/m, 2e4 N/m, 1e4 N/m]}\n");
  assert_refused(&s, "change with time", "symmetric");
}

static void a_loose_massless_body(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  straw: {mass: 0 kg, position: [0.5 m, 0, 0]}\n"
      "  stone: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1 m, 0, 0]}\n"
      "joints:\n"
      "  pin: {type: spherical, b: straw, at: [0, 0, 0]}\n"
      "  rail: {type: point_on_line, b: stone, axis: x}\n"
      "%s";
  /* Dense, projected, sparse; without stiffness, and with a spring that does not hold the straw. */
  static const char *const with[] = {
      "", "forces: {s: {type: spring_damper, b: stone, stiffness: 1e5 N/m, length: 1 m}}\n"};
  for (int i = 0; i < 6; i++) {
    char full[800];
    solution s;
    snprintf(full, sizeof full, text, with[i % 2]);
    const hk_linear_options o = {.dense_limit = i < 2 ? 0 : 1};
    const hk_modes_options q = {.project_limit = i < 4 ? 0 : -1};
    if (try_static(&s, full, false)) fail_msg("%s", s.err.text);
    assert_int_equal(hk_linear_create(s.sim, &o, &s.linear, NULL, &s.err), HK_OK);
    assert_int_equal(hk_modes_solve(s.linear, &q, &s.modes, &s.err), HK_EINPUT);
    if (!strstr(s.err.text, "'straw' has no mass")) fail_msg("%s", s.err.text);
    release(&s);
  }
}

/* ---- modes -------------------------------------------------------------------------------------
 */

/* k = 200 N/m, c = 3 N s/m, m = 2 kg on a rail. */
static const char OSCILLATOR[] =
    "format: 1\n"
    "bodies: {cart: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
    "joints: {rail: {type: point_on_line, b: cart, axis: x}}\n"
    "forces:\n"
    "  spring: {type: spring_damper, b: cart, stiffness: 200 N/m, damping: 3 N*s/m, length: 1 m}\n"
    "  push: {type: load, b: cart, force: [0 N, 0 N, 0 N]}\n"
    "sensors: {way: {value: cart.x - 1 m}, speed: {value: cart.vx}}\n";

static void a_damped_oscillator(void **state) {
  solution s;
  at_rest(&s, OSCILLATOR);
  double delta = 0.75, omega = sqrt(100 - delta * delta);
  assert_int_equal(s.linear->dof, 1);
  assert_has(&s, -delta, omega, 1);
  assert_has(&s, -delta, -omega, 1);
  assert_near(s.modes.mode[0].frequency, 10 / (2 * M_PI), 1e-10, "frequency");
  assert_near(s.modes.mode[0].damping, 0.075, 1e-10, "damping");
  assert_near(s.modes.mode[0].time_constant, 1 / delta, 1e-10, "time constant");
  release(&s);
}

/* Gyroscopic splitting of the tilting mode: It w^2 -+ Ip Omega w - kt = 0. */
static void a_rotor_in_bearings(void **state) {
  solution s;
  in_motion(
      &s,
      "format: 1\n"
      "bodies:\n"
      "  disc: {mass: 2 kg, inertia: [1.2e-3 kg*m^2, 1.2e-3 kg*m^2, 2e-3 kg*m^2],\n"
      "         orientation: {axis: [1, 2, 3], angle: 40 deg},\n"
      "         angular_velocity: [300 rad/s * r13, 300 rad/s * r23, 300 rad/s * r33],\n"
      "         markers: {l: [0, 0, -0.2 m], r: [0, 0, 0.2 m]}}\n"
      "  ground: {markers: {l: [-0.2 m * r13, -0.2 m * r23, -0.2 m * r33],\n"
      "                     r: [0.2 m * r13, 0.2 m * r23, 0.2 m * r33]}}\n"
      "parameters:\n"
      "  c: cos(40 deg)\n"
      "  s: sin(40 deg)\n"
      "  n: sqrt(14)\n"
      "  r13: 3*(1 - c)/14 + 2*s/n\n"
      "  r23: 6*(1 - c)/14 - s/n\n"
      "  r33: c + 9*(1 - c)/14\n"
      "forces:\n"
      "  l: {type: bushing, a: ground.l, b: disc.l, stiffness: [1e5 N/m, 1e5 N/m, 1e5 N/m]}\n"
      "  r: {type: bushing, a: ground.r, b: disc.r, stiffness: [1e5 N/m, 1e5 N/m, 1e5 N/m]}\n");
  linearise(&s, 0, NULL);
  assert_int_equal(s.linear->axes, HK_LINEAR_WORLD_AXES);
  double b = 2e-3 * 300 / 1.2e-3 / 2, kt = 2 * 1e5 * 0.04 / 1.2e-3, root = sqrt(b * b + kt);
  assert_has(&s, 0, sqrt(1e5), 3);
  assert_has(&s, 0, root + b, 1);
  assert_has(&s, 0, root - b, 1);
  assert_int_equal(s.modes.n_unstable, 0);
  release(&s);
}

/* Intermediate axis: growth w sqrt((I2 - I1)(I3 - I2)/(I1 I3)); largest axis: stable. */
static void a_free_body_about_its_axes(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies: {book: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2],\n"
      "                angular_velocity: [%s]}}\n";
  char full[300];
  solution s;
  snprintf(full, sizeof full, text, "0, 3 rad/s, 0");
  in_motion(&s, full);
  linearise(&s, 0, NULL);
  assert_int_equal(s.linear->axes, HK_LINEAR_BODY_AXES);
  assert_has(&s, 3 * sqrt(1 * 0.5 / 2.5), 0, 1);
  assert_int_equal(s.modes.n_unstable, 1);
  release(&s);
  snprintf(full, sizeof full, text, "0, 0, 3 rad/s");
  in_motion(&s, full);
  linearise(&s, 0, NULL);
  assert_has(&s, 0, 3 * sqrt(1.5 * 0.5 / 2), 1);
  assert_int_equal(s.modes.n_unstable, 0);
  release(&s);
}

/* A disc that rolls upright: s^2 = -(C (C + m r^2) w^2/A - m g r)/(A + m r^2), stable above
 * w^2 = g/(3 r). */
static void a_rolling_disc(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {r: 0.5 m, m: 2 kg, w: %g rad/s}\n"
      "bodies:\n"
      "  disc: {mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2], position: [0, 0, r],\n"
      "         orientation: {axis: x, angle: -90 deg}, velocity: [w/(1 rad)*r, 0, 0],\n"
      "         angular_velocity: [0, w, 0]}\n"
      "joints: {road: {type: rolling_wheel, b: disc, radius: r}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n";
  static const double speed[] = {1.5, 2.4, 2.7, 8};
  for (int i = 0; i < 4; i++) {
    char full[700];
    solution s;
    snprintf(full, sizeof full, text, speed[i]);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    double m = 2, r = 0.5, A = m * r * r / 4, C = 2 * A, w = speed[i];
    double s2 = -(C * (C + m * r * r) * w * w / A - m * 9.81 * r) / (A + m * r * r);
    assert_int_equal(s.linear->dof, 3);
    assert_int_equal(s.modes.n, 8);
    assert_int_equal(s.modes.n_unstable, s2 > 0);
    if (s2 > 0)
      assert_has(&s, sqrt(s2), 0, 1);
    else
      assert_has(&s, 0, sqrt(-s2), 1);
    release(&s);
  }
}

/* A massless bead between two springs in a row halves their stiffness; its own motion is infinite.
 */
static void a_massless_bead(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "bodies:\n"
          "  bead: {mass: 0 kg, position: [1 m, 0, 0]}\n"
          "  cart: {type: point_mass, mass: 2 kg, position: [2 m, 0, 0]}\n"
          "joints:\n"
          "  lock: {type: prismatic, b: bead, axis: x}\n"
          "  rail: {type: point_on_line, b: cart, axis: x}\n"
          "forces:\n"
          "  one: {type: spring_damper, b: bead, stiffness: 100 N/m, length: 1 m}\n"
          "  two: {type: spring_damper, a: bead, b: cart, stiffness: 300 N/m, length: 1 m}\n");
  assert_int_equal(s.linear->dof, 2);
  assert_int_equal(s.modes.n, 2);
  assert_int_equal(s.modes.n_infinite, 2);
  assert_has(&s, 0, sqrt(75 / 2.0), 1);
  for (int i = 0; i < s.linear->n; i++) {
    char name[80];
    hk_linear_coordinate_name(s.linear, i, name, sizeof name);
    double wanted = strcmp(name, "cart.x") == 0 ? 1 : strcmp(name, "bead.x") == 0 ? 0.75 : 0;
    assert_near(s.modes.mode[0].shape[2 * i], wanted, 1e-12, "%s", name);
  }
  release(&s);
}

/* The same with a damper at the bead: m s^2 + (k2 (k1 + c s))/(k1 + k2 + c s) = 0. */
static void a_damped_massless_bead(void **state) {
  solution s;
  at_rest(
      &s,
      "format: 1\n"
      "bodies:\n"
      "  bead: {mass: 0 kg, position: [1 m, 0, 0]}\n"
      "  cart: {type: point_mass, mass: 2 kg, position: [2 m, 0, 0]}\n"
      "joints:\n"
      "  lock: {type: prismatic, b: bead, axis: x}\n"
      "  rail: {type: point_on_line, b: cart, axis: x}\n"
      "forces:\n"
      "  one: {type: spring_damper, b: bead, stiffness: 100 N/m, damping: 20 N*s/m, length: 1 m}\n"
      "  two: {type: spring_damper, a: bead, b: cart, stiffness: 300 N/m, length: 1 m}\n");
  assert_int_equal(s.modes.n, 3);
  assert_int_equal(s.modes.n_infinite, 1);
  for (int i = 0; i < 3; i++) {
    double a = s.modes.mode[i].re, b = s.modes.mode[i].im;
    /* 40 s^3 + 800 s^2 + 6000 s + 30000 */
    double s2r = a * a - b * b, s2i = 2 * a * b, s3r = s2r * a - s2i * b, s3i = s2r * b + s2i * a;
    assert_near((40 * s3r + 800 * s2r + 6000 * a) / 30000, -1, 1e-10, "real part");
    assert_near((40 * s3i + 800 * s2i + 6000 * b) / 30000, 0, 1e-10, "imaginary part");
  }
  release(&s);
}

/* ---- large models ------------------------------------------------------------------------------
 */

static void chain(char *text, size_t size, int n, const char *damping) {
  snprintf(
      text, size,
      "format: 1\n"
      "parameters: {n: %d, L: 0.1 m}\n"
      "bodies: {link: {repeat: {i: 1..n}, type: rod, length: L, mass: 0.1 kg,\n"
      "         position: [0, -(i - 0.5)*L, 0], orientation: {axis: z, angle: -90 deg}}}\n"
      "joints:\n"
      "  first: {type: revolute, b: \"link[1].start\", at: [0, 0, 0], axis: z}\n"
      "  pin: {repeat: {i: 2..n}, type: revolute, a: \"link[i-1].end\", b: \"link[i].start\",\n"
      "        at: [0, -(i - 1)*L, 0], axis: z}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "%s",
      n, damping);
}

static void compare_methods(const char *damping, int limit) {
  char text[1500];
  chain(text, sizeof text, 30, damping);
  solution dense, sparse;
  at_rest(&dense, text);
  if (try_static(&sparse, text, false)) fail_msg("%s", sparse.err.text);
  linearise(&sparse, 1, &(hk_modes_options){.count = 12, .project_limit = limit});
  assert_string_equal(dense.modes.method, "dense");
  assert_string_equal(sparse.modes.method, limit < 0 ? "sparse" : "projected");
  assert_int_equal(sparse.modes.complete, limit == 0);
  assert_int_equal(dense.modes.n, 60);
  assert_true(sparse.modes.n >= 12);
  assert_int_equal(sparse.linear->dof, 30);
  for (int i = 0; i < 12; i++) {
    const hk_mode *m = &sparse.modes.mode[i];
    assert_has(&dense, m->re, m->im, 1);
    /* The shape, up to its factor: both have 1 as their largest component. */
    const hk_mode *d = NULL;
    for (int k = 0; k < dense.modes.n; k++)
      if (hypot(dense.modes.mode[k].re - m->re, dense.modes.mode[k].im - m->im) < 1e-7)
        d = &dense.modes.mode[k];
    assert_non_null(d);
    double worst = 0;
    for (int k = 0; k < 2 * dense.linear->n; k++)
      worst = fmax(worst, fabs(fabs(d->shape[k]) - fabs(m->shape[k])));
    assert_true(worst < 1e-6);
  }
  release(&dense);
  release(&sparse);
}

static void sparse_equals_dense(void **state) {
  compare_methods("", 0);
  compare_methods("", -1);
}

static void sparse_equals_dense_with_damping(void **state) {
  static const char damping[] =
      "  d: {repeat: {i: 2..n}, type: torsion_spring, coordinate: \"pin[i].angle\",\n"
      "      stiffness: 0, damping: 2e-4 N*m*s/rad}\n";
  compare_methods(damping, 0);
  compare_methods(damping, -1);
}

/* A rotor in bearings and a free body beside it that spins about the axis of least inertia. */
static const char SPINNING[] =
    "format: 1\n"
    "bodies:\n"
    "  disc: {mass: 2 kg, inertia: [1.2e-3 kg*m^2, %s, 2e-3 kg*m^2],\n"
    "         orientation: {axis: x, angle: 30 deg},\n"
    "         angular_velocity: [0, -150 rad/s, 300 rad/s * cos(30 deg)],\n"
    "         markers: {l: [0, 0, -0.2 m], r: [0, 0, 0.2 m]}}\n"
    "  ground: {markers: {l: [0, 0.1 m, -0.2 m * cos(30 deg)],\n"
    "                     r: [0, -0.1 m, 0.2 m * cos(30 deg)]}}\n"
    "forces:\n"
    "  l: {type: bushing, a: ground.l, b: disc.l, stiffness: [1e5 N/m, %s, 1e5 N/m]}\n"
    "  r: {type: bushing, a: ground.r, b: disc.r, stiffness: [1e5 N/m, %s, 1e5 N/m]}\n";

static void sparse_spinning(void **state) {
  char text[1200];
  for (int limit = -1; limit <= 0; limit++) {
    solution dense, sparse;
    snprintf(text, sizeof text, SPINNING, "1.2e-3 kg*m^2", "1e5 N/m", "1e5 N/m");
    in_motion(&dense, text);
    linearise(&dense, 0, NULL);
    in_motion(&sparse, text);
    linearise(&sparse, 1, &(hk_modes_options){.project_limit = limit});
    assert_true(sparse.linear->sparse);
    assert_int_equal(sparse.linear->axes, HK_LINEAR_WORLD_AXES);
    assert_int_equal(dense.linear->axes, HK_LINEAR_WORLD_AXES);
    double b = 2e-3 * 300 / 1.2e-3 / 2, kt = 2 * 1e5 * 0.04 / 1.2e-3, root = sqrt(b * b + kt);
    assert_has(&dense, 0, root + b, 1);
    assert_has(&sparse, 0, root + b, 1);
    assert_has(&sparse, 0, root - b, 1);
    assert_int_equal(sparse.modes.n, dense.modes.n);
    release(&dense);
    release(&sparse);
    static const char book[] =
        "format: 1\n"
        "bodies: {book: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2],\n"
        "                angular_velocity: [0, 3 rad/s, 0]}}\n";
    in_motion(&sparse, book);
    linearise(&sparse, 1, &(hk_modes_options){.project_limit = limit});
    assert_int_equal(sparse.linear->axes, HK_LINEAR_BODY_AXES);
    assert_has(&sparse, 3 * sqrt(1 * 0.5 / 2.5), 0, 1);
    release(&sparse);
  }
  /* Asymmetric in asymmetric bearings: constant in no axes. */
  solution s;
  snprintf(text, sizeof text, SPINNING, "1.5e-3 kg*m^2", "2e5 N/m", "2e5 N/m");
  in_motion(&s, text);
  const hk_linear_options o = {.dense_limit = 1};
  assert_int_equal(hk_linear_create(s.sim, &o, &s.linear, NULL, &s.err), HK_EINPUT);
  assert_non_null(strstr(s.err.text, "change with time"));
  release(&s);
}

/* Ten equal pendulums among faster ones: one start vector meets the equal ones once. */
static void sparse_few_of_many_equal(void **state) {
  solution s;
  if (try_static(&s,
                 "format: 1\n"
                 "bodies: {bob: {repeat: {i: 1..80}, type: point_mass, mass: 1 kg,\n"
                 "               position: [i * 1 m, 0, 0]}}\n"
                 "joints: {rail: {repeat: {i: 1..80}, type: point_on_line, b: \"bob[i]\",\n"
                 "                axis: z, at: [i * 1 m, 0, 0]}}\n"
                 "forces: {k: {repeat: {i: 1..80}, type: load, b: \"bob[i]\",\n"
                 "             force: [0, 0, \"-max(100, 10*i) * 1 N/m * bob[i].z\"]}}\n",
                 false))
    fail_msg("%s", s.err.text);
  linearise(&s, 1, &(hk_modes_options){.count = 12, .project_limit = -1});
  assert_string_equal(s.modes.method, "sparse");
  assert_false(s.modes.complete);
  assert_int_equal(s.modes.n, 12);
  assert_has(&s, 0, 10, 6);
  release(&s);
}

/* A load that is a spring by its expression, and nothing else: no load is left at rest. */
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

/* Equal eigenvalues, and modes that symmetry hides from one start vector. */
static void sparse_finds_all(const char *text, double re, double im, int times, int n,
                             int infinite) {
  for (int limit = -1; limit <= 0; limit++) {
    solution s;
    if (try_static(&s, text, false)) fail_msg("%s", s.err.text);
    linearise(&s, 1, &(hk_modes_options){.project_limit = limit});
    assert_string_equal(s.modes.method, limit ? "sparse" : "projected");
    assert_true(s.modes.complete);
    assert_int_equal(s.modes.n, n);
    assert_int_equal(s.modes.n_infinite, infinite);
    assert_has(&s, re, im, times);
    release(&s);
  }
}

static void sparse_equal_eigenvalues(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies: {bob: {repeat: {i: 1..3}, mass: 1 kg, position: [i * 1 m, 0, -1 m],\n"
      "               inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
      "joints: {pin: {repeat: {i: 1..3}, type: revolute, b: \"bob[i]\", axis: y,\n"
      "               at: [i * 1 m, 0, 0]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n",
      0, sqrt(9.81 / 2), 3, 6, 0);
}

/* A massless body half way between two equal springs and dampers: it settles by exp(-k/c t) while
 * the mass rests. */
static void sparse_hidden_mode(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies:\n"
      "  b: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, 1 m]}\n"
      "  n: {mass: 0 kg, position: [0, 0, 0.5 m]}\n"
      "joints:\n"
      "  p: {type: prismatic, b: b, at: [0, 0, 1 m], axis: z}\n"
      "  q: {type: prismatic, b: n, at: [0, 0, 0.5 m], axis: z}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: n, stiffness: 100 N/m, damping: 10 N*s/m, length: 0.5 m}\n"
      "  u: {type: spring_damper, a: n, b: b, stiffness: 100 N/m, damping: 10 N*s/m,\n"
      "      length: 0.5 m}\n",
      -10, 0, 1, 3, 1);
}

/* Neither a body that nothing holds nor a stiffness that does no work sets a scale. */
static void sparse_without_scale(void **state) {
  sparse_finds_all(
      "format: 1\n"
      "bodies: {b: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2]}}\n",
      0, 0, 12, 12, 0);
  solution s;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_file_read(HOOKE_SOURCE_DIR "/examples/cv_linear/point.yaml", NULL, 0, &diag);
  assert_non_null(spec);
  s = (solution){.model = hk_model_compile(spec, &diag)};
  hk_diag_free(&diag);
  assert_non_null(s.model);
  if (hk_static_solve(s.model, NULL, &s.sim, &s.at, NULL, &s.err)) fail_msg("%s", s.err.text);
  linearise(&s, 1, NULL);
  for (int i = 0; i < 4; i++)
    assert_has(&s, i & 1 ? -sqrt(0.125) : sqrt(0.125), i & 2 ? -sqrt(0.125) : sqrt(0.125), 1);
  release(&s);
}

/* N four-bars in a row that hang: one degree of freedom,
 * omega^2 = g ((N + 1)/2 + N)/(L ((N + 1)/3 + N)). */
static void four_bars(void **state) {
  const hk_override set[] = {
      {"v0", "0 m/s"}, {"N", "100"}, {"forces.gravity.acceleration", "[0, 9.81 m/s^2, 0]"}};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_file_read(HOOKE_SOURCE_DIR "/examples/benchmarks/a02_four_bar.yaml", set, 3, &diag);
  assert_non_null(spec);
  solution s = {.model = hk_model_compile(spec, &diag)};
  hk_diag_free(&diag);
  assert_non_null(s.model);
  if (hk_static_solve(s.model, NULL, &s.sim, &s.at, NULL, &s.err)) fail_msg("%s", s.err.text);
  linearise(&s, 0, NULL);
  assert_true(s.linear->sparse);
  assert_int_equal(s.linear->dof, 1);
  assert_int_equal(s.modes.n, 2);
  assert_true(s.modes.complete);
  assert_has(&s, 0, sqrt(9.81 * (50.5 + 100) / (101 / 3.0 + 100)), 1);
  release(&s);
}

/* ---- state space and files ---------------------------------------------------------------------
 */

static void state_space(void **state) {
  solution s;
  hk_state_space p;
  at_rest(&s, OSCILLATOR);
  assert_int_equal(hk_linear_input_find(s.linear, "push.force.y"), 1);
  assert_int_equal(hk_linear_input_find(s.linear, "push.force.w"), -1);
  assert_int_equal(hk_linear_state_space(s.linear, NULL, 0, &p, &s.err), HK_OK);
  assert_int_equal(p.n, 2);
  assert_int_equal(p.inputs, 3);
  /* rail.displacement, way, speed in the order of channels */
  int way = -1, speed = -1;
  for (int i = 0; i < p.outputs; i++) {
    const char *name = hk_model_channel_name(s.model, p.output[i]);
    if (strcmp(name, "way") == 0) way = i;
    if (strcmp(name, "speed") == 0) speed = i;
  }
  assert_true(way >= 0 && speed >= 0);
  /* Trace and determinant of A, then C B = 1/m for the speed and the static gain 1/k. */
  assert_near(p.A[0] + p.A[3], -1.5, 1e-12, "trace");
  assert_near(p.A[0] * p.A[3] - p.A[1] * p.A[2], 100, 1e-12, "determinant");
  const double *C = p.C + 2 * speed;
  assert_near(C[0] * p.B[0] + C[1] * p.B[3], 0.5, 1e-12, "CB");
  double det = p.A[0] * p.A[3] - p.A[1] * p.A[2];
  double x0 = -(p.A[3] * p.B[0] - p.A[1] * p.B[3]) / det;
  double x1 = -(-p.A[2] * p.B[0] + p.A[0] * p.B[3]) / det;
  C = p.C + 2 * way;
  assert_near(C[0] * x0 + C[1] * x1 + p.D[3 * way], 1.0 / 200, 1e-14, "static gain");
  hk_state_space_free(&p);
  release(&s);
}

/* C (s - A)^-1 B + D for one input and output, by Gauss. */
static double complex transfer(const hk_state_space *p, int input, int output, double complex s) {
  int n = p->n;
  double complex A[20][21];
  assert_true(n <= 20);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i][j] = (i == j ? s : 0) - p->A[i * n + j];
    A[i][n] = p->B[i * p->inputs + input];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      if (cabs(A[i][k]) > cabs(A[best][k])) best = i;
    for (int j = 0; j <= n; j++) {
      double complex t = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = t;
    }
    for (int i = 0; i < n; i++) {
      double complex f = i == k ? 0 : A[i][k] / A[k][k];
      for (int j = k; j <= n; j++) A[i][j] -= f * A[k][j];
    }
  }
  double complex y = p->D[output * p->inputs + input];
  for (int i = 0; i < n; i++) y += p->C[output * n + i] * A[i][n] / A[i][i];
  return y;
}

static int output_named(const solution *s, const hk_state_space *p, const char *name) {
  for (int i = 0; i < p->outputs; i++)
    if (strcmp(hk_model_channel_name(s->model, p->output[i]), name) == 0) return i;
  fail_msg("no output %s", name);
  return -1;
}

static void assert_close(double complex a, double complex b, const char *what) {
  if (!(cabs(a - b) <= 1e-9 * cabs(b)))
    fail_msg("%s: %.12g %+.12gi, expected %.12g %+.12gi", what, creal(a), cimag(a), creal(b),
             cimag(b));
}

/* A base u, a massless seat on a spring k0 above it, a mass on k1, c1 between seat and mass; on the
 * seat a force f.  Damper between base and mass: c. */
static void motions_as_inputs(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  base: {mass: 3 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  seat: {mass: 0 kg, position: [0, 0, 1 m]}\n"
      "  cart: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, 2 m]}\n"
      "joints:\n"
      "  a: {type: prismatic, b: base, axis: z}\n"
      "  b: {type: prismatic, b: seat, at: [0, 0, 1 m], axis: z}\n"
      "  c: {type: prismatic, b: cart, at: [0, 0, 2 m], axis: z}\n"
      "forces:\n"
      "  k0: {type: spring_damper, a: base, b: seat, stiffness: 300 N/m, length: 1 m}\n"
      "  k1: {type: spring_damper, a: seat, b: cart, stiffness: 100 N/m, length: 1 m}\n"
      "  c: {type: spring_damper, a: base, b: cart, stiffness: 0 N/m, damping: 4 N*s/m,\n"
      "      length: 2 m}\n"
      "  push: {type: load, b: seat, force: [0, 0, 0 N]}\n"
      "motions: {road: {coordinate: a.displacement, value: 0 m}}\n"
      "sensors:\n"
      "  seat_up: {value: seat.z}\n"
      "  cart_up: {value: cart.z}\n"
      "  speed: {value: cart.vz - base.vz}\n"
      "%s";
  solution s;
  hk_state_space p;
  char full[1500], name[80];
  snprintf(full, sizeof full, text, "");
  at_rest(&s, full);
  if (hk_linear_state_space(s.linear, NULL, 0, &p, &s.err)) fail_msg("%s", s.err.text);
  assert_int_equal(p.n, 4);
  assert_int_equal(p.motions, 1);
  assert_int_equal(p.inputs, 4);
  hk_state_space_input_name(s.linear, &p, 3, name, sizeof name);
  assert_string_equal(name, "road.acceleration");
  static const char *const states[] = {"z1", "z1.rate", "road", "road.rate"};
  for (int i = 0; i < 4; i++) {
    hk_state_space_state_name(s.linear, &p, i, name, sizeof name);
    assert_string_equal(name, states[i]);
  }
  for (int i = 0; i < 4; i++) {
    double complex w = I * (0.7 + 3 * i), c = 4 * w;
    /* seat: (300 + 100) x0 = 300 u + 100 x1 + f; cart: (2 w^2 + 100 + c) x1 = 100 x0 + c u */
    double complex x1u = (75 + c) / (2 * w * w + 75 + c), x0u = (300 + 100 * x1u) / 400;
    double complex x1f = 0.25 / (2 * w * w + 75 + c), x0f = (1 + 100 * x1f) / 400;
    int seat = output_named(&s, &p, "seat_up"), cart = output_named(&s, &p, "cart_up");
    int speed = output_named(&s, &p, "speed");
    assert_close(transfer(&p, 3, seat, w) * w * w, x0u, "seat by the road");
    assert_close(transfer(&p, 3, cart, w) * w * w, x1u, "cart by the road");
    assert_close(transfer(&p, 3, speed, w) * w * w, (x1u - 1) * w, "speed by the road");
    assert_close(transfer(&p, 2, seat, w), x0f, "seat by the force");
    assert_close(transfer(&p, 2, cart, w), x1f, "cart by the force");
  }
  hk_state_space_free(&p);
  release(&s);
  /* The speed of the massless seat jumps with the force. */
  snprintf(full, sizeof full, text, "  seat_speed: {value: seat.vz}\n");
  at_rest(&s, full);
  assert_int_equal(hk_linear_state_space(s.linear, NULL, 0, &p, &s.err), HK_EINPUT);
  if (!strstr(s.err.text, "'seat_speed'") || !strstr(s.err.text, "'push.force.z'"))
    fail_msg("%s", s.err.text);
  release(&s);
}

static void matrix_files(void **state) {
  const double A[] = {1, 2, 3, 4, 5, 6};
  const char *const label[] = {"ab", "c"};
  const hk_named_matrix m[] = {{"A", 2, 3, A, NULL}, {"names", 2, 0, NULL, label}};
  char path[600];
  hk_error err = {0};
  snprintf(path, sizeof path, "%s/test_matrix.mat", HOOKE_BINARY_DIR);
  assert_int_equal(hk_matrix_file_write(path, m, 2, &err), HK_OK);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  int32_t head[5];
  double value[6];
  char name[8];
  assert_int_equal(fread(head, 4, 5, f), 5);
  const int32_t wanted[] = {0, 2, 3, 0, 2};
  assert_memory_equal(head, wanted, sizeof wanted);
  assert_int_equal(fread(name, 1, 2, f), 2);
  assert_string_equal(name, "A");
  assert_int_equal(fread(value, 8, 6, f), 6);
  const double columns[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(value, columns, sizeof columns);
  assert_int_equal(fread(head, 4, 5, f), 5);
  const int32_t text[] = {1, 2, 2, 0, 6};
  assert_memory_equal(head, text, sizeof text);
  fclose(f);
  remove(path);
  snprintf(path, sizeof path, "%s/test_matrix.csv", HOOKE_BINARY_DIR);
  assert_int_equal(hk_matrix_file_write(path, m, 2, &err), HK_OK);
  f = fopen(path, "r");
  assert_non_null(f);
  char line[100] = "";
  size_t n = fread(line, 1, 99, f);
  line[n] = '\0';
  assert_string_equal(line, "# A 2 3\n1,2,3\n4,5,6\n# names 2 1\nab\nc\n");
  fclose(f);
  remove(path);
  assert_int_equal(hk_matrix_file_write("x.txt", m, 2, &err), HK_EINPUT);
  assert_int_equal(hk_matrix_file_write("/nowhere/x.mat", m, 2, &err), HK_EIO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_level_pendulum_falls),
      cmocka_unit_test(an_upright_pendulum_is_unstable),
      cmocka_unit_test(a_folded_chain_unfolds),
      cmocka_unit_test(what_falls_has_no_equilibrium),
      cmocka_unit_test(a_stiff_spring_elsewhere),
      cmocka_unit_test(a_stiff_spring_next_door),
      cmocka_unit_test(reactions_of_least_norm),
      cmocka_unit_test(not_in_equilibrium),
      cmocka_unit_test(a_swing_is_not_steady),
      cmocka_unit_test(an_odd_rotor_in_bearings),
      cmocka_unit_test(a_loose_massless_body),
      cmocka_unit_test(a_damped_oscillator),
      cmocka_unit_test(a_rotor_in_bearings),
      cmocka_unit_test(a_free_body_about_its_axes),
      cmocka_unit_test(a_rolling_disc),
      cmocka_unit_test(a_massless_bead),
      cmocka_unit_test(a_damped_massless_bead),
      cmocka_unit_test(sparse_equals_dense),
      cmocka_unit_test(sparse_equals_dense_with_damping),
      cmocka_unit_test(sparse_spinning),
      cmocka_unit_test(sparse_few_of_many_equal),
      cmocka_unit_test(no_load_left),
      cmocka_unit_test(sparse_equal_eigenvalues),
      cmocka_unit_test(sparse_hidden_mode),
      cmocka_unit_test(sparse_without_scale),
      cmocka_unit_test(four_bars),
      cmocka_unit_test(state_space),
      cmocka_unit_test(motions_as_inputs),
      cmocka_unit_test(matrix_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
