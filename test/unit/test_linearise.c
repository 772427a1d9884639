/* Models that are not linearised, and modes by the dense method, against closed forms. */
#include "linear_case.h"
#include <complex.h>
#include <hooke/model_file.h>
#include <hooke/response.h>
#include <string.h>

static const char HANGING[] =
    "format: 1\n"
    "bodies:\n"
    "  bob: {type: rod, length: 1 m, mass: 2 kg, position: [0, -0.5 m, 0],\n"
    "        orientation: {axis: z, angle: -90 deg},\n"
    "        velocity: [1 m/s, 0, 0], angular_velocity: [0, 0, %s]}\n"
    "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

/* ---- refusals ---- */

static void not_in_equilibrium(void **state) {
  solution s;
  assert_int_equal(try_static(&s, LEVEL, true), HK_OK);
  assert_near(s.at.residual.size, 9.81, 1e-12, "residual");
  assert_refused(&s, "9.81 N", "'bob'");
}

/* At the lowest point no force along the path is unbalanced, but the motion is not steady. */
static void a_swing_is_not_steady(void **state) {
  char text[700];
  solution s;
  snprintf(text, sizeof text, HANGING, "2 rad/s");
  in_motion(&s, text);
  assert_refused(&s, "'bob'", "steady motion");
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
  /* Dense, projected, sparse; without stiffness, and with a spring that does not hold the massless rod. */
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

/* ---- modes ---- */

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

/* 1e7 rad/s and 0.44 rad/s: the slow one is not a free motion; and a free motion in addition to both. */
static void a_slow_mode_beside_a_fast_one(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "bodies:\n"
          "  bob: {type: point_mass, mass: 1 kg, position: [0, -50 m, 0]}\n"
          "  mote: {type: point_mass, mass: 1 g, position: [2 m, 0, 0]}\n"
          "  sledge: {type: point_mass, mass: 1 kg, position: [0, 5 m, 0]}\n"
          "joints:\n"
          "  string: {type: distance, b: bob, length: 50 m}\n"
          "  rail: {type: point_on_line, b: mote, axis: x}\n"
          "  track: {type: point_on_line, b: sledge, at: [0, 5 m, 0], axis: x}\n"
          "forces:\n"
          "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
          "  stiff: {type: spring_damper, b: mote, stiffness: 1e11 N/m, length: 2 m}\n");
  assert_has(&s, 0, sqrt(9.81 / 50), 2);
  assert_near(s.modes.mode[7].frequency, 1e7 / (2 * M_PI), 1, "fast");
  for (int i = 0; i < s.modes.n; i++) assert_int_equal(s.modes.mode[i].zero, i < 2);
  release(&s);
}

/* A stiffness that changes with time has no modes; if the modes of the current instant are requested, there is
 * a warning. */
static void equations_that_change_with_time(void **state) {
  static const char *const force[] = {"-50 N/m * (1 + 0.5*sin(3 rad/s * t)) * r.displacement",
                                      "-2 N*s/m * max(0, t/(1 s)) * r.displacement_rate",
                                      "-50 N/m * r.displacement + 0*sin(3 rad/s * t) * 1 N"};
  for (int i = 0; i < 6; i++) {
    char text[800];
    snprintf(text, sizeof text,
             "format: 1\n"
             "bodies: {a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
             "joints: {r: {type: point_on_line, b: a, axis: x, at: [1 m, 0, 0]}}\n"
             "forces:\n"
             "  s: {type: spring_damper, b: a, stiffness: 100 N/m, damping: 1 N*s/m, length: 1 m}\n"
             "  x: {type: actuator, coordinate: r.displacement, force: \"%s\"}\n"
             "analysis: {duration: 1 s}\n",
             force[i % 3]);
    solution s;
    hk_diag diag;
    hk_diag_init(&diag);
    in_motion(&s, text);
    const hk_linear_options o = {.frozen = i >= 3};
    hk_status status = hk_linear_create(s.sim, &o, &s.linear, &diag, &s.err);
    assert_int_equal(status, i < 2 ? HK_EINPUT : HK_OK);
    if (i < 2) assert_non_null(strstr(s.err.text, "change with time"));
    assert_int_equal(diag.n, i == 3 || i == 4);
    hk_diag_free(&diag);
    release(&s);
  }
}

/* The slope of a force at rest does not describe a force with internal variables. */
static void a_force_that_relaxes_is_named(void **state) {
  for (int i = 0; i < 2; i++) {
    char text[800];
    snprintf(text, sizeof text,
             "format: 1\n"
             "bodies: {a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
             "joints: {r: {type: point_on_line, b: a, axis: x, at: [1 m, 0, 0]}}\n"
             "forces: {x: {type: %s, b: a, stiffness: 100 N/m, damping: 1 N*s/m%s}}\n",
             i ? "maxwell" : "spring_damper", i ? "" : ", length: 1 m");
    solution s;
    hk_diag diag;
    hk_diag_init(&diag);
    in_motion(&s, text);
    if (hk_linear_create(s.sim, NULL, &s.linear, &diag, &s.err)) fail_msg("%s", s.err.text);
    assert_int_equal(diag.n, i);
    if (i) assert_non_null(strstr(diag.message[0].text, "'x' relaxes"));
    hk_diag_free(&diag);
    release(&s);
  }
}

/* Internal variables as states: m s^2 + k0 + k s/(s + k/d) = 0 for a Maxwell element (k, d) along the line
 * between two points, along a displacement and along the angle of a rotor; inputs are constant. */
static void a_maxwell_element_has_its_mode(void **state) {
  static const char *const text[3] = {
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
      "joints: {r: {type: point_on_line, b: m, axis: x, at: [1 m, 0, 0]}}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: m, stiffness: 170 N/m, length: 1 m}\n"
      "  x: {type: maxwell, b: m, stiffness: 137 N/m, damping: 8.4 N*s/m}\n"
      "  push: {type: actuator, coordinate: r.displacement, force: 0 N}\n",
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
      "joints: {r: {type: point_on_line, b: m, axis: x, at: [1 m, 0, 0]}}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: m, stiffness: 170 N/m, length: 1 m}\n"
      "  x: {type: maxwell, coordinate: r.displacement, stiffness: 137 N/m, damping: 8.4 N*s/m}\n"
      "  push: {type: actuator, coordinate: r.displacement, force: 0 N}\n",
      "format: 1\n"
      "bodies: {m: {type: rotor, inertia: 2 kg*m^2, axis: z}}\n"
      "forces:\n"
      "  s: {type: torsion_spring, coordinate: m.angle, stiffness: 170 N*m/rad}\n"
      "  x: {type: maxwell, coordinate: m.angle, stiffness: 137 N*m/rad, damping: 8.4 N*m*s/rad}\n"
      "  push: {type: actuator, coordinate: m.angle, force: 0 N*m}\n"};
  const double m = 2, k0 = 170, k = 137, d = 8.4;
  for (int i = 0; i < 3; i++) {
    solution s = {0};
    hk_diag diag;
    hk_diag_init(&diag);
    hk_spec *spec = hk_model_text_read("m.yaml", text[i], strlen(text[i]), NULL, 0, &diag);
    assert_non_null(spec);
    assert_int_equal(hk_spec_first_order(spec, &s.err), HK_OK);
    s.model = hk_model_compile(spec, &diag);
    assert_non_null(s.model);
    if (hk_sim_create(s.model, NULL, &s.sim, &diag, &s.err) ||
        hk_linear_create(s.sim, NULL, &s.linear, &diag, &s.err))
      fail_msg("%s", s.err.text);
    assert_int_equal(diag.n, 0);
    assert_int_equal(hk_linear_input_count(s.linear), 1);
    if (hk_modes_solve(s.linear, NULL, &s.modes, &s.err)) fail_msg("%s", s.err.text);
    int found = 0;
    for (int j = 0; j < s.modes.n; j++) {
      double complex z = s.modes.mode[j].re + I * s.modes.mode[j].im;
      double complex p = m * z * z * z + m * k / d * z * z + (k0 + k) * z + k0 * k / d;
      assert_true(cabs(p) < 1e-9 * k0 * k / d);
      found++;
    }
    assert_int_equal(found, 3);
    hk_diag_free(&diag);
    release(&s);
  }
}

/* A left eigenvector gives the shift of its eigenvalue due to a change of the model: two masses with dampers,
 * and a circulatory force that makes the matrices unsymmetric; ds/dk by finite differences of two linear
 * models. */
static void left_vectors_shift_eigenvalues(void **state) {
  static const char *const text =
      "format: 1\n"
      "bodies:\n"
      "  a: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}\n"
      "  b: {type: point_mass, mass: 1 kg, position: [0, 1 m, 0]}\n"
      "joints:\n"
      "  ra: {type: point_on_line, b: a, axis: x, at: [1 m, 0, 0]}\n"
      "  rb: {type: point_on_line, b: b, axis: y, at: [0, 1 m, 0]}\n"
      "forces:\n"
      "  ka: {type: actuator, coordinate: ra.displacement, force: \"%.17g N/m * ra.displacement"
      " - 3 N*s/m * ra.displacement_rate + 40 N/m * rb.displacement\"}\n"
      "  kb: {type: actuator, coordinate: rb.displacement, force: \"-500 N/m * rb.displacement"
      " - 25 N/m * ra.displacement - 1 N*s/m * rb.displacement_rate\"}\n";
  const double k = 300, step = 1e-3;
  solution s[3];
  char line[1200];
  for (int i = 0; i < 3; i++) {
    snprintf(line, sizeof line, text, -(k + (i - 1) * step));
    at_rest(&s[i], line);
  }
  const hk_linear *l = s[1].linear;
  double *left = calloc(2 * (size_t)l->n, sizeof *left);
  for (int j = 0; j < s[1].modes.n; j++) {
    const hk_mode *m = &s[1].modes.mode[j];
    if (hk_mode_left(l, m, left, &s[1].err)) fail_msg("%s", s[1].err.text);
    double complex z = m->re + I * m->im, shift = 0, one = 0;
    for (int p = 0; p < l->n; p++)
      for (int q = 0; q < l->n; q++) {
        double complex w = left[2 * p] - I * left[2 * p + 1];
        double complex d = m->shape[2 * q] + I * m->shape[2 * q + 1];
        int at = p * l->n + q;
        shift -= w * (s[2].linear->K[at] - s[0].linear->K[at]) / (2 * step) * d;
        one += w * (2 * z * l->M[at] + l->L[at]) * d;
      }
    double complex low = s[0].modes.mode[j].re + I * s[0].modes.mode[j].im;
    double complex high = s[2].modes.mode[j].re + I * s[2].modes.mode[j].im;
    assert_true(cabs(one - 1) < 1e-9);
    if (cabs(shift - (high - low) / (2 * step)) > 1e-6 * cabs(shift))
      fail_msg("mode %d: %g %+gi, not %g %+gi", j, creal(shift), cimag(shift),
               creal((high - low) / (2 * step)), cimag((high - low) / (2 * step)));
  }
  free(left);
  for (int i = 0; i < 3; i++) release(&s[i]);
}

/* A mass m on ks carries a light mass on a stiff damped spring: s = sqrt(-ks/m) for any light mass. */
static void slow_behind_a_stiff_spring(double ks, double light, double stiffness, double c) {
  solution s;
  char text[2000];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies:\n"
      "  a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
      "  b: {type: point_mass, mass: %g kg, position: [2 m, 0, 0]}\n"
      "  far: {type: point_mass, mass: 1 kg, position: [0, 9 m, 0]}\n"
      "joints:\n"
      "  ra: {type: point_on_line, b: a, axis: x, at: [1 m, 0, 0]}\n"
      "  rb: {type: point_on_line, b: b, axis: x, at: [2 m, 0, 0]}\n"
      "  rf: {type: point_on_line, b: far, axis: [1, 2, 2], at: [0, 9 m, 0]}\n"
      "forces:\n"
      "  s: {type: actuator, coordinate: ra.displacement, force: \"%g N/m * ra.displacement\"}\n"
      "  stiff: {type: spring_damper, a: a, b: b, stiffness: %g N/m, length: 1 m,"
      " damping: %g N*s/m}\n"
      "  soft: {type: actuator, coordinate: rf.displacement,"
      " force: \"-1e-4 N/m * rf.displacement\"}\n",
      light, -ks, stiffness, c);
  at_rest(&s, text);
  double root = sqrt(fabs(ks) / (1 + light));
  /* The stiffness is accurate to the round-off of the stiff spring. */
  double error = 1e-9 + root * 1e-14 * stiffness / fmax(fabs(ks), 1e-300);
  if (ks != 0) {
    assert_int_equal(find(&s, ks < 0 ? root : 0, ks < 0 ? 0 : root, error), 1);
    assert_int_equal(find(&s, ks < 0 ? -root : 0, ks < 0 ? 0 : -root, error), 1);
  }
  assert_int_equal(s.modes.n_unstable, ks < 0);
  assert_int_equal(find(&s, 0, 0.01, 1e-10), 1);
  for (int i = 0; i < s.modes.n; i++) assert_int_equal(s.modes.mode[i].zero, ks == 0 && i < 2);
  release(&s);
}

static void slow_modes_are_not_free(void **state) {
  static const double ks[] = {100, -100, 1, -1, 0.01, -0.01, 0};
  for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
    for (int c = 0; c < 3; c++) {
      slow_behind_a_stiff_spring(ks[i], 1e-6, 1e9, c);
      slow_behind_a_stiff_spring(ks[i], 1e-12, 1e6, c * 1e-6);
      slow_behind_a_stiff_spring(ks[i], 3, 1e9, c);
    }
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

/* A massless bead between two springs in series halves their stiffness; its eigenvalue is infinite. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(not_in_equilibrium),
      cmocka_unit_test(a_swing_is_not_steady),
      cmocka_unit_test(an_odd_rotor_in_bearings),
      cmocka_unit_test(a_loose_massless_body),
      cmocka_unit_test(a_damped_oscillator),
      cmocka_unit_test(a_slow_mode_beside_a_fast_one),
      cmocka_unit_test(slow_modes_are_not_free),
      cmocka_unit_test(equations_that_change_with_time),
      cmocka_unit_test(a_force_that_relaxes_is_named),
      cmocka_unit_test(a_maxwell_element_has_its_mode),
      cmocka_unit_test(left_vectors_shift_eigenvalues),
      cmocka_unit_test(a_rotor_in_bearings),
      cmocka_unit_test(a_free_body_about_its_axes),
      cmocka_unit_test(a_rolling_disc),
      cmocka_unit_test(a_massless_bead),
      cmocka_unit_test(a_damped_massless_bead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
