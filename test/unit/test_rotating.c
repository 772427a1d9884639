/* Modes of models that rotate steadily as a whole, in rotating axes, against closed forms. */
#include "linear_case.h"
#include <hooke/model_file.h>
#include <hooke/response.h>
#include <string.h>

static void assert_rotating(const solution *s, double x, double y, double z) {
  assert_int_equal(s->linear->axes, HK_LINEAR_ROTATING_AXES);
  assert_near(s->linear->rate[0], x, 1e-12, "rate x");
  assert_near(s->linear->rate[1], y, 1e-12, "rate y");
  assert_near(s->linear->rate[2], z, 1e-12, "rate z");
}

static double largest_of(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* s^2 = square is an eigenvalue, as a conjugate or a real pair. */
static void assert_near_one(const solution *s, double square) {
  double root = sqrt(fabs(square));
  int n = square < 0 ? find(s, 0, root, 1e-7 * root) : find(s, root, 0, 1e-7 * root);
  if (n != 1) fail_msg("the eigenvalue with the square %.12g was found %d times", square, n);
}

/* Free motions have the eigenvalue 0, twice for each cyclic coordinate. */
static void assert_free(const solution *s, int n) {
  int free = 0;
  for (int i = 0; i < s->modes.n; i++) free += s->modes.mode[i].zero;
  assert_int_equal(free, n);
  assert_int_equal(s->modes.n_unstable, 0);
}

/* A point mass at the cone angle a, cos a = g/(W^2 l): the angle oscillates with W sqrt(1 + 3 cos^2 a).  The cone may lie
 * in any direction. */
static void a_conical_pendulum(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {g: 9.81 m/s^2, W: %g rad/s, l: 1 m, c: g/(W^2*l), s: sqrt(1 - c^2)}\n"
      "bodies: {p: {type: point_mass, mass: 2 kg, %s}}\n"
      "joints: {string: {type: distance, b: p, length: l}}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [%s]}\n"
      "  push: {type: load, b: p, force: [0 N, 0 N, 0 N]}\n";
  static const char *const place[] = {
      "position: [l*s, 0, -l*c], velocity: [0, W*l*s, 0]",
      "position: [0, -l*c, l*s], velocity: [W*l*s, 0, 0]",
  };
  static const char *const weight[] = {"0, 0, -g", "0, -g, 0"};
  static const double speed[] = {3.2, 5, 40};
  for (int i = 0; i < 6; i++) {
    char full[900];
    solution s;
    double W = speed[i % 3], c = 9.81 / (W * W);
    snprintf(full, sizeof full, text, W, place[i / 3], weight[i / 3]);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_rotating(&s, 0, i < 3 ? 0 : W, i < 3 ? W : 0);
    assert_has(&s, 0, W * sqrt(1 + 3 * c * c), 1);
    assert_free(&s, 2);
    /* Left vectors of free motions are scaled to 1. */
    double left[6];
    assert_int_equal(hk_mode_left(s.linear, &s.modes.mode[0], left, &s.err), HK_OK);
    assert_near(largest_of(left, 6), 1, 1e-9, "left vector");
    release(&s);
  }
}

/* A heavy top that precesses steadily with W at the tilt b: its nutation is
 * sqrt(W^2 - 2 m g l cos b/A + (m g l/(A W))^2). */
static void a_top_that_precesses(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {g: 9.81 m/s^2, m: 1 kg, l: 0.1 m, A: 0.02 kg*m^2, C: 0.005 kg*m^2, b: 40 deg,\n"
      "             W: %g rad/s, n: (m*g*l + A*W^2*cos(b))/(C*W)}\n"
      "bodies:\n"
      "  p: {mass: m, inertia: [A - m*l^2, A - m*l^2, C], position: [l*sin(b), 0, l*cos(b)],\n"
      "      orientation: {axis: y, angle: b}, velocity: [0, W*l*sin(b), 0],\n"
      "      angular_velocity: [sin(b)*(n - W*cos(b)), 0, W + cos(b)*(n - W*cos(b))]}\n"
      "joints: {tip: {type: spherical, b: p, at: [0, 0, 0]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -g]}}\n";
  static const double speed[] = {3, 8, 25};
  for (int i = 0; i < 3; i++) {
    char full[900];
    solution s;
    double W = speed[i], load = 9.81 * 0.1 / 0.02;
    snprintf(full, sizeof full, text, W);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_rotating(&s, 0, 0, W);
    assert_has(&s, 0, sqrt(W * W - 2 * load * cos(40 * M_PI / 180) + load * load / (W * W)), 1);
    assert_free(&s, 4);
    release(&s);
  }
}

/* A free symmetric body, and one on a ball joint at its centre of mass, whose axis precesses about the angular momentum
 * h: W = h/A.  In axes that rotate with W, constant motions in world axes have +-i W; these of the translation have it
 * twice, because they also grow in proportion to time. */
static void a_body_in_free_precession(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies: {b: {mass: 3 kg, inertia: [2 kg*m^2, 2 kg*m^2, %g kg*m^2], angular_velocity: [%g "
      "rad/s, 0, %g rad/s]}}\n%s";
  static const double C[] = {3, 0.5, 3.9}, across[] = {1, 4, 0.01}, along[] = {5, 20, -300};
  for (int i = 0; i < 6; i++) {
    char full[500];
    solution s;
    bool held = i >= 3;
    double W = hypot(across[i % 3], C[i % 3] * along[i % 3] / 2);
    snprintf(full, sizeof full, text, C[i % 3], across[i % 3], along[i % 3],
             held ? "joints: {pin: {type: spherical, b: b, at: [0, 0, 0]}}\n" : "");
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_int_equal(s.linear->axes, HK_LINEAR_ROTATING_AXES);
    const double *w = s.linear->rate;
    assert_near(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), W, 1e-11 * W, "rate");
    assert_int_equal(find(&s, 0, W, 1e-6 * W), held ? 1 : 3);
    assert_free(&s, held ? 4 : 6);
    release(&s);
  }
}

/* On the axis of a free body that precesses a mass slides on a spring: s^2 = a^2 - k/m, with the angular velocity a across the
 * axis and the reduced mass m. */
static void a_slider_in_free_precession(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  b: {mass: 3 kg, inertia: [2 kg*m^2, 2 kg*m^2, 1 kg*m^2], angular_velocity: [7 rad/s, 0, "
      "11 rad/s]}\n"
      "  p: {type: point_mass, mass: 1 kg}\n"
      "joints: {slide: {type: point_on_line, a: b, b: p, axis: z, at: [0, 0, 0]}}\n"
      "forces: {s: {type: actuator, coordinate: slide.displacement, force: "
      "-k*slide.displacement}}\n"
      "parameters: {k: %g N/m}\n";
  static const double stiffness[] = {60, 30};
  for (int i = 0; i < 2; i++) {
    char full[700];
    solution s;
    snprintf(full, sizeof full, text, stiffness[i]);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_near_one(&s, 49 - stiffness[i] / 0.75);
    assert_int_equal(s.modes.n_unstable, i);
    release(&s);
  }
}

/* Two masses on a spring that rotate in space: s^2 = -(2 k/m + 3 W^2) along the spring.  The double eigenvalues +-i W of the
 * translation are spread by rounding, which is no growth; a spring that drives the vibration however little is growth. */
static void a_free_pair(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {k: 300 N/m, W: 5 1/s, r: 0.5 m, m: 1 kg}\n"
      "bodies:\n"
      "  a: {type: point_mass, mass: m, position: [r, 0, 0], velocity: [0, W*r, 0]}\n"
      "  b: {type: point_mass, mass: m, position: [-r, 0, 0], velocity: [0, -W*r, 0]}\n"
      "forces: {s: {type: nonlinear_spring, a: a, b: b, free_length: 2*r - m*W^2*r/k,\n"
      "             spring: k*deflection, damper: %g N*s/m*deflection_rate}}\n";
  static const double damping[] = {0, -1e-6, 1e-6};
  for (int i = 0; i < 3; i++) {
    char full[700];
    solution s;
    snprintf(full, sizeof full, text, damping[i]);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_rotating(&s, 0, 0, 5);
    assert_int_equal(find(&s, -damping[i], sqrt(675), 1e-9), 1);
    assert_int_equal(find(&s, 0, 5, 1e-6), 3);
    assert_int_equal(s.modes.n_unstable, i == 1 ? 2 : 0);
    release(&s);
  }
}

/* A blade hinged at e from the axis of a hub that turns with W: flapping W sqrt(1 + 3 e/(2 L)), lagging
 * W sqrt(3 e/(2 L)).  Also by sparse matrices. */
static void a_rotor_blade(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {W: 30 rad/s, e: 0.2 m, L: 2 m}\n"
      "bodies:\n"
      "  hub: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2], angular_velocity: [0, 0, W]}\n"
      "  r: {mass: 3 kg, inertia: [0, 1 kg*m^2, 1 kg*m^2], position: [e + L/2, 0, 0],\n"
      "      velocity: [0, W*(e + L/2), 0], angular_velocity: [0, 0, W]}\n"
      "joints:\n"
      "  bearing: {type: revolute, b: hub, axis: z}\n"
      "  hinge: {type: revolute, a: hub, b: r, at: [e, 0, 0], axis: %s}\n"
      "motions: {drive: {coordinate: bearing.angle, value: W*t}}\n";
  for (int i = 0; i < 4; i++) {
    char full[900];
    solution s;
    snprintf(full, sizeof full, text, i % 2 ? "y" : "z");
    in_motion(&s, full);
    linearise(&s, i < 2 ? 0 : 1, NULL);
    assert_rotating(&s, 0, 0, 30);
    assert_has(&s, 0, 30 * sqrt(i % 2 ? 1.15 : 0.15), 1);
    assert_free(&s, 0);
    release(&s);
  }
}

/* A governor that turns freely: with the speed W, the arm length l, the radius R of the masses and the spindle's inertia J,
 * arms that swing against each other have w^2 = (g cos a + W^2 (R sin a - l cos^2 a))/l; arms that swing together change
 * the speed, which adds 8 m R^2 W^2 cos^2 a/(J + 2 m R^2). */
static void a_governor(void **state) {
  solution s;
  in_motion(
      &s,
      "format: 1\n"
      "parameters: {l: 0.3 m, e: 0.05 m, m: 0.5 kg, g: 9.81 m/s^2, a: 60 deg, R: e + l*sin(a), W: "
      "sqrt(g*tan(a)/R)}\n"
      "bodies:\n"
      "  s: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2], angular_velocity: [0, "
      "0, W],\n"
      "      markers: {p: [e, 0, 0], q: [-e, 0, 0]}}\n"
      "  p: {type: point_mass, mass: m, position: [R, 0, -l*cos(a)], velocity: [0, W*R, 0]}\n"
      "  q: {type: point_mass, mass: m, position: [-R, 0, -l*cos(a)], velocity: [0, -W*R, 0]}\n"
      "joints:\n"
      "  b: {type: revolute, b: s, axis: z}\n"
      "  lp: {type: distance, a: s.p, b: p, length: l}\n"
      "  lq: {type: distance, a: s.q, b: q, length: l}\n"
      "  np: {type: point_on_plane, a: s.p, b: p, axis: y}\n"
      "  nq: {type: point_on_plane, a: s.q, b: q, axis: y}\n"
      "forces: {f: {type: gravity, acceleration: [0, 0, -g]}}\n");
  linearise(&s, 0, NULL);
  double c = 0.5, n = sqrt(0.75), l = 0.3, R = 0.05 + l * n, W2 = 9.81 * n / c / R;
  double against = (9.81 * c + W2 * (R * n - l * c * c)) / l;
  assert_rotating(&s, 0, 0, sqrt(W2));
  assert_has(&s, 0, sqrt(against), 1);
  assert_has(&s, 0, sqrt(against + 4 * R * R * W2 * c * c / (0.02 + R * R)), 1);
  assert_free(&s, 2);
  release(&s);
}

/* A disc on a shaft of two stiffnesses in rigid bearings, with damping c that turns with it: in rotating axes
 * (s^2 + c s + k1 - W^2)(s^2 + c s + k2 - W^2) + 4 W^2 s^2 = 0 for a mass of 1; unstable between the critical speeds. */
static void a_shaft_of_two_stiffnesses(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {W: %g rad/s}\n"
      "bodies:\n"
      "  shaft: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.2 kg*m^2, 0.1 kg*m^2], angular_velocity: [0, "
      "0, W]}\n"
      "  disc: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.2 kg*m^2], angular_velocity: [0, "
      "0, W]}\n"
      "joints: {bearing: {type: revolute, b: shaft, axis: z}}\n"
      "motions: {drive: {coordinate: bearing.angle, value: W*t}}\n"
      "forces:\n"
      "  bow: {type: bushing, a: shaft, b: disc, stiffness: [1e4 N/m, 2e4 N/m, 3e4 N/m], "
      "torsion_stiffness: "
      "[1e6 N*m/rad, 1e6 N*m/rad, 1e6 N*m/rad]}\n";
  static const double speed[] = {60, 99, 101, 120, 141, 142, 300};
  for (int i = 0; i < 7; i++) {
    char full[1200];
    solution s;
    double W = speed[i], a = 1e4 - W * W, b = 2e4 - W * W, p = a + b + 4 * W * W;
    snprintf(full, sizeof full, text, W);
    in_motion(&s, full);
    linearise(&s, 0, NULL);
    assert_rotating(&s, 0, 0, W);
    double root = sqrt(p * p - 4 * a * b), slow = (-p + root) / 2, fast = (-p - root) / 2;
    assert_int_equal(s.modes.n_unstable, a * b < 0);
    assert_near_one(&s, slow);
    assert_near_one(&s, fast);
    release(&s);
  }
}

/* A state that steps have reached is not exactly steady: its free motions remain free, and a slow true instability
 * remains one. */
static void states_that_steps_reach(void **state) {
  static const char cone[] =
      "format: 1\n"
      "parameters: {g: 9.81 m/s^2, W: 5 rad/s, l: 0.8 m, c: g/(W^2*l), s: sqrt(1 - c^2)}\n"
      "bodies:\n"
      "  p: {type: point_mass, mass: 2 kg, position: [l*s, 0, -l*c], velocity: [0, W*l*s, 0]}\n"
      "  slow: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}\n"
      "joints:\n"
      "  string: {type: distance, b: p, length: l}\n"
      "  rail: {type: point_on_line, b: slow, axis: z, at: [0, 0, 1 m]}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, 0, -g]}\n"
      "  up: {type: load, b: slow, force: [0, 0, \"%s1e-9 N/m * (slow.z - 1 m) + 1 kg * g\"]}\n"
      "analysis: {duration: 1 s}\n";
  static const double at[] = {0.05, 0.3, 1};
  for (int i = 0; i < 6; i++) {
    char full[1200];
    solution s;
    double c = 9.81 / (25 * 0.8);
    bool grows = i >= 3;
    snprintf(full, sizeof full, cone, grows ? "" : "-");
    in_motion(&s, full);
    if (hk_sim_advance(s.sim, at[i % 3], &s.err)) fail_msg("%s", s.err.text);
    const hk_modes_options values = {.values_only = i == 1};
    linearise(&s, 0, &values);
    assert_int_equal(s.modes.n_unstable, grows);
    assert_int_equal(find(&s, 0, 5 * sqrt(1 + 3 * c * c), 1e-6), 1);
    assert_int_equal(find(&s, 0, 0, 0), 2);
    double slow = sqrt(1e-9);
    assert_int_equal(find(&s, grows ? slow : 0, grows ? 0 : slow, 1e-3 * slow), 1);
    release(&s);
  }
}

/* Stiff springs amplify the errors of steps; a disc of 1 kg on 2500 and 3600 N/m is unstable between 50 and 60 rad/s. */
static void a_stiff_shaft_after_steps(void **state) {
  static const char text[] =
      "format: 1\n"
      "parameters: {W: %g rad/s}\n"
      "bodies:\n"
      "  hub: {mass: 5 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.15 kg*m^2], angular_velocity: [0, "
      "0, W]}\n"
      "  p: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], angular_velocity: [0, 0, W]}\n"
      "joints: {shaft: {type: revolute, b: hub, axis: z}}\n"
      "forces:\n"
      "  s: {type: bushing, a: hub, b: p, stiffness: [2500 N/m, 3600 N/m, 5000 N/m],\n"
      "      rotational_stiffness: [1e4 N*m/rad, 1e4 N*m/rad, 1e4 N*m/rad]}\n"
      "analysis: {duration: 1 s}\n";
  static const double speed[] = {40, 55}, at[] = {0.1, 0.37, 1.3};
  for (int i = 0; i < 6; i++) {
    char full[1200];
    solution s;
    snprintf(full, sizeof full, text, speed[i % 2]);
    in_motion(&s, full);
    if (hk_sim_advance(s.sim, at[i / 2], &s.err)) fail_msg("%s", s.err.text);
    linearise(&s, 0, NULL);
    assert_int_equal(s.modes.n_unstable, i % 2);
    release(&s);
  }
}

/* What changes with time in rotating axes has no frequency response; along the axis there is one. */
static void responses_in_rotating_axes(void **state) {
  solution s;
  in_motion(&s,
            "format: 1\n"
            "parameters: {g: 9.81 m/s^2, W: 5 rad/s, l: 1 m, c: g/(W^2*l), s: sqrt(1 - c^2)}\n"
            "bodies: {p: {type: point_mass, mass: 2 kg, position: [l*s, 0, -l*c], velocity: [0, "
            "W*l*s, 0]}}\n"
            "joints: {string: {type: distance, b: p, length: l}}\n"
            "forces:\n"
            "  g: {type: gravity, acceleration: [0, 0, -g]}\n"
            "  push: {type: load, b: p, force: [0 N, 0 N, 0 N]}\n");
  linearise(&s, 0, NULL);
  hk_response *r = NULL;
  int z = hk_model_channel_find(s.model, "p.z"), x = hk_model_channel_find(s.model, "p.x");
  assert_int_equal(hk_response_create(s.sim, s.linear, 0, &z, 1, &r, &s.err), HK_EINPUT);
  assert_non_null(strstr(s.err.text, "input 'push.force.x' changes with time"));
  assert_int_equal(hk_response_create(s.sim, s.linear, 2, &x, 1, &r, &s.err), HK_EINPUT);
  assert_non_null(strstr(s.err.text, "output 'p.x' changes with time"));
  if (hk_response_create(s.sim, s.linear, 2, &z, 1, &r, &s.err)) fail_msg("%s", s.err.text);
  /* m l^2 (a'' + w0^2 a) = F l sin a, dz = l sin a da */
  double value[2], c = 9.81 / 25, w0 = 25 * (1 + 3 * c * c);
  for (double w = 0.5; w < 20; w += 3.7) {
    assert_int_equal(hk_response_value(r, w, value, &s.err), HK_OK);
    assert_near(value[0], (1 - c * c) / (2 * (w0 - w * w)), 1e-10, "response");
  }
  hk_response_destroy(r);
  release(&s);
}

/* Held in axes that rotate with a prescribed rotation: with unequal stiffness the equations change with time,
 * which the velocities of the state do not show. */
static void a_guide_that_turns(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies: {race: {type: guided_body, mass: 2 kg, tilt: 0 rad, spin: 10 rad/s * t}}\n"
      "forces: {s: {type: bushing, a: race, b: ground, stiffness: [800 N/m, %s, 800 N/m]}}\n";
  char full[400];
  solution s;
  snprintf(full, sizeof full, text, "1800 N/m");
  in_motion(&s, full);
  linearise(&s, 0, NULL);
  assert_rotating(&s, 0, 0, 10);
  double a = 400 - 100, b = 900 - 100, p = a + b + 400, root = sqrt(p * p - 4 * a * b);
  assert_near_one(&s, (-p + root) / 2);
  assert_near_one(&s, (-p - root) / 2);
  release(&s);
  snprintf(full, sizeof full, text, "800 N/m");
  in_motion(&s, full);
  linearise(&s, 0, NULL);
  assert_has(&s, 0, 20, 3);
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_conical_pendulum),
      cmocka_unit_test(a_top_that_precesses),
      cmocka_unit_test(a_body_in_free_precession),
      cmocka_unit_test(a_slider_in_free_precession),
      cmocka_unit_test(a_free_pair),
      cmocka_unit_test(a_rotor_blade),
      cmocka_unit_test(a_governor),
      cmocka_unit_test(a_shaft_of_two_stiffnesses),
      cmocka_unit_test(states_that_steps_reach),
      cmocka_unit_test(a_stiff_shaft_after_steps),
      cmocka_unit_test(responses_in_rotating_axes),
      cmocka_unit_test(a_guide_that_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
