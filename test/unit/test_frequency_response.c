/* Frequency responses against closed forms, static differences and time simulation. */
#include "support/check.h"
#include <hooke/response.h>
#include <complex.h>
#include <math.h>

typedef struct linear_case {
  hk_model *model;
  hk_sim *sim;
  hk_linear *linear;
} linear_case;

static hk_model *read_model(const char *text) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("case", text, strlen(text), NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  char why[512] = "";
  if (!model && diag.n) hk_diag_format(&diag.message[0], why, sizeof why);
  hk_diag_free(&diag);
  if (!model) fail_msg("%s", why);
  return model;
}

static linear_case open_case(const char *text) {
  linear_case c = {.model = read_model(text)};
  hk_diag diag;
  hk_error err = {0};
  hk_static_report report;
  hk_diag_init(&diag);
  hk_status status = hk_static_solve(c.model, NULL, &c.sim, &report, &diag, &err);
  if (!status) status = hk_linear_create(c.sim, NULL, &c.linear, &diag, &err);
  if (status) fail_msg("%s", err.text);
  hk_diag_free(&diag);
  return c;
}

static void close_case(linear_case *c) {
  hk_linear_destroy(c->linear);
  hk_sim_destroy(c->sim);
  hk_model_destroy(c->model);
}

static double complex respond(const linear_case *c, const char *input, const char *channel,
                              double w) {
  hk_error err = {0};
  hk_response *r = NULL;
  int i = -1, k = hk_model_channel_find(c->model, channel);
  double out[2];
  if (k < 0) fail_msg("no channel %s", channel);
  hk_status status = hk_response_input_find(c->linear, input, &i, &err);
  if (!status) status = hk_response_create(c->sim, c->linear, i, &k, 1, &r, &err);
  if (!status) status = hk_response_value(r, w, out, &err);
  if (status) fail_msg("%s", err.text);
  hk_response_destroy(r);
  return out[0] + I * out[1];
}

static void near(double complex got, double complex wanted, double tolerance, const char *what) {
  if (!(cabs(got - wanted) <= tolerance * cabs(wanted)))
    fail_msg("%s: %.15g%+.15gi instead of %.15g%+.15gi", what, creal(got), cimag(got),
             creal(wanted), cimag(wanted));
}

static const double some_w[] = {0.3, 4, 9.7, 10, 11.3, 25, 140};
enum { N_W = sizeof some_w / sizeof *some_w };

/* ---- closed forms ---- */

static const char oscillator[] =
    "format: 1\n"
    "bodies: {block: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
    "joints: {guide: {type: prismatic, b: block, axis: x}}\n"
    "forces:\n"
    "  mount: {type: bushing, b: block, stiffness: [200 N/m, 0, 0], damping: [3 N*s/m, 0, 0]}\n"
    "  push: {type: load, b: block, force: [0 N, 0, 0]}\n"
    "  motor: {type: actuator, coordinate: guide.displacement, force: 0 N}\n"
    "sensors: {twice: {value: 2*block.x + 0.5 s * block.vx}}\n";

static void test_one_degree(void **state) {
  linear_case c = open_case(oscillator);
  assert_int_equal(c.linear->dof, 1);
  for (int k = 0; k < N_W; k++) {
    double w = some_w[k];
    double complex s = I * w, H = 1 / (200 + 3 * s + 2 * s * s);
    near(respond(&c, "forces.push.force.x", "block.x", w), H, 1e-12, "x");
    near(respond(&c, "push.force.x", "block.vx", w), s * H, 1e-12, "vx");
    near(respond(&c, "push.force.x", "block.ax", w), s * s * H, 1e-12, "ax");
    near(respond(&c, "motor", "guide.displacement", w), H, 1e-12, "coordinate");
    near(respond(&c, "forces.motor.force", "guide.displacement_rate", w), s * H, 1e-12, "rate");
    near(respond(&c, "motor", "guide.displacement_acc", w), s * s * H, 1e-12, "acceleration");
    near(respond(&c, "motor", "twice", w), (2 + 0.5 * s) * H, 1e-12, "sensor");
    /* The guide carries a force perpendicular to it, with the correct sign. */
    near(respond(&c, "push.force.y", "guide.fy", w), -1, 1e-12, "guide");
    /* Rotating unbalance m e = 0.01 kg m: force m e w^2, so x = -m e times (acceleration per
     * force). */
    double complex unbalance = 0.01 * w * w / (200 - 2 * w * w + 3 * s);
    near(-0.01 * respond(&c, "push.force.x", "block.ax", w), unbalance, 1e-12, "unbalance");
  }
  close_case(&c);
}

static void test_two_degrees(void **state) {
  linear_case c = open_case(
      "format: 1\n"
      "bodies:\n"
      "  one: {mass: 1.5 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  two: {mass: 0.7 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "joints:\n"
      "  first: {type: prismatic, b: one, axis: z}\n"
      "  second: {type: prismatic, b: two, axis: z}\n"
      "forces:\n"
      "  s1: {type: bushing, b: one, stiffness: [0, 0, 300 N/m], damping: [0, 0, 2 N*s/m]}\n"
      "  s2: {type: bushing, a: one, b: two, stiffness: [0, 0, 90 N/m],\n"
      "       damping: [0, 0, 0.4 N*s/m]}\n"
      "  gravity: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  push: {type: load, a: one, b: two, force: [0, 0, 0 N]}\n");
  for (int k = 0; k < N_W; k++) {
    double w = some_w[k];
    double complex s = I * w, c1 = 300 + 2 * s, c2 = 90 + 0.4 * s;
    double complex a = c1 + c2 + 1.5 * s * s, b = -c2, d = c2 + 0.7 * s * s, det = a * d - b * b;
    /* The load acts on two and its reaction on one. */
    near(respond(&c, "push.force.z", "one.z", w), (-d - b) / det, 1e-11, "one");
    near(respond(&c, "push.force.z", "two.z", w), (a + b) / det, 1e-11, "two");
  }
  close_case(&c);
}

/* A table moves; a mass on it follows by a spring and a damper. */
static void test_base_excitation(void **state) {
  linear_case c = open_case(
      "format: 1\n"
      "bodies:\n"
      "  table: {mass: 4 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  mass: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "joints:\n"
      "  rail: {type: prismatic, b: table, axis: x}\n"
      "  slide: {type: prismatic, b: mass, axis: x}\n"
      "  copy: {type: prismatic, b: mass, axis: x}\n" /* redundant */
      "forces: {mount: {type: bushing, a: table, b: mass, stiffness: [200 N/m, 0, 0],\n"
      "  damping: [3 N*s/m, 0, 0]}}\n"
      "motions: {shake: {coordinate: rail.displacement, value: 2 mm * sin(7 rad/s * t)}}\n");
  assert_int_equal(c.linear->dof, 1);
  assert_int_equal(c.linear->rank, c.linear->nc - 5);
  for (int k = 0; k < N_W; k++) {
    double w = some_w[k];
    double complex s = I * w, link = 200 + 3 * s, T = link / (link + 2 * s * s);
    near(respond(&c, "motions.shake", "mass.x", w), T, 1e-12, "transmissibility");
    near(respond(&c, "shake", "mass.ax", w), s * s * T, 1e-12, "acceleration");
    near(respond(&c, "shake", "table.x", w), 1, 1e-12, "table");
    near(respond(&c, "shake", "table.vx", w), s, 1e-12, "table velocity");
    near(respond(&c, "shake", "shake.effort", w), 4 * s * s + link * (1 - T), 1e-11, "effort");
  }
  close_case(&c);
}

static const char train[] =
    "format: 1\n"
    "bodies:\n"
    "  engine: {type: rotor, inertia: 0.3 kg*m^2}\n"
    "  flywheel: {type: rotor, inertia: 1.2 kg*m^2}\n"
    "  load: {type: rotor, inertia: 0.5 kg*m^2}\n"
    "forces:\n"
    "  front: {type: torsion_spring, a: engine, b: flywheel, stiffness: 150 N*m/rad,\n"
    "          damping: 0.8 N*m*s/rad}\n"
    "  rear: {type: torsion_spring, a: flywheel, b: load, stiffness: 60 N*m/rad,\n"
    "         damping: 0.3 N*m*s/rad}\n"
    "  firing: {type: actuator, coordinate: engine.angle, force: 0 N*m}\n";

static void test_torsional_train(void **state) {
  linear_case c = open_case(train);
  for (int k = 0; k < N_W; k++) {
    double w = some_w[k];
    double complex s = I * w, a = 150 + 0.8 * s, b = 60 + 0.3 * s;
    /* Elimination from the free end: the rest of the train acts on a shaft as a dynamic stiffness. */
    double complex end = 0.5 * s * s, behind_rear = b * end / (b + end);
    double complex middle = 1.2 * s * s + behind_rear, behind_front = a * middle / (a + middle);
    double complex engine = 1 / (0.3 * s * s + behind_front);
    double complex flywheel = engine * a / (a + middle), load = flywheel * b / (b + end);
    near(respond(&c, "firing", "engine.angle", w), engine, 1e-10, "engine");
    near(respond(&c, "firing", "flywheel.angle_rate", w), s * flywheel, 1e-10, "flywheel");
    near(respond(&c, "firing", "load.angle", w), load, 1e-10, "load");
  }
  /* A free drive train accelerates under a constant torque. */
  assert_true(isnan(creal(respond(&c, "firing", "load.angle", 0))));
  close_case(&c);
}

/* A mass on a link under gravity: the force of the link rotates with it.  Newton: f = m a - F. */
static void test_reaction_of_preloaded_link(void **state) {
  linear_case c = open_case(
      "format: 1\n"
      "bodies: {bob: {type: point_mass, mass: 2 kg, position: [0, 0, -0.5 m]}}\n"
      "joints: {link: {type: distance, b: bob}}\n"
      "forces:\n"
      "  gravity: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  air: {type: load, b: bob, force: [-0.3 N*s/m * bob.vx, -0.3 N*s/m * bob.vy, 0]}\n"
      "  push: {type: load, b: bob, force: [0 N, 0 N, 0 N]}\n");
  assert_int_equal(c.linear->dof, 2);
  for (int k = 0; k < N_W; k++) {
    double w = some_w[k];
    double complex s = I * w, x = 1 / (2 * s * s + 0.3 * s + 2 * 9.81 / 0.5);
    near(respond(&c, "push.force.x", "bob.x", w), x, 1e-10, "x");
    near(respond(&c, "push.force.x", "link.fx", w), -2 * 9.81 / 0.5 * x, 1e-10, "fx");
    near(respond(&c, "push.force.z", "link.fz", w), -1, 1e-10, "fz");
    assert_true(cabs(respond(&c, "push.force.x", "link.fz", w)) < 1e-12);
  }
  close_case(&c);
}

/* ---- static differences: every reaction of a preloaded spatial linkage ---- */

static const char linkage[] =
    "format: 1\n"
    "bodies:\n"
    "  arm: {type: rod, length: 0.4 m, mass: 3 kg, position: [0.2 m, 0, 0]}\n"
    "  fork: {type: rod, length: 0.3 m, mass: 2 kg, position: [0.55 m, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: [0.2, 1, 0.3]}\n"
    "  cross: {type: universal, a: arm, b: fork, at: [0.4 m, 0, 0], axis: x}\n"
    "forces:\n"
    "  gravity: {type: gravity, acceleration: [0, 2 m/s^2, -9.81 m/s^2]}\n"
    "  hold: {type: bushing, b: arm, a: ground.mid, stiffness: [800 N/m, 700 N/m, 900 N/m],\n"
    "         torsion_stiffness: [30 N*m/rad, 40 N*m/rad, 50 N*m/rad]}\n"
    "  hold2: {type: bushing, a: arm.end, b: fork.start, torsion_stiffness: [9 N*m/rad,\n"
    "          12 N*m/rad, 15 N*m/rad]}\n"
    "  push: {type: load, b: fork.end, force: [%.17g N, 0, 0]}\n";

static void read_linkage(double force, char *text, size_t size) {
  char body[4096];
  snprintf(body, sizeof body, linkage, force);
  snprintf(text, size, "%.*s  ground: {markers: {mid: [0.2 m, 0, 0]}}\n%s",
           (int)(strstr(body, "  arm:") - body), body, strstr(body, "  arm:"));
}

static void test_reactions_against_static(void **state) {
  static const char *const part[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  static const char *const joint[] = {"hinge", "cross"};
  const double h = 1e-2;
  char text[5000];
  linear_case c[3];
  for (int i = 0; i < 3; i++) {
    read_linkage(1 + (i - 1) * h, text, sizeof text);
    c[i] = open_case(text);
  }
  int checked = 0;
  for (int j = 0; j < 2; j++)
    for (int p = 0; p < 6; p++) {
      char name[32];
      snprintf(name, sizeof name, "%s.%s", joint[j], part[p]);
      int k = hk_model_channel_find(c[0].model, name);
      double slope = (hk_sim_value(c[2].sim, k) - hk_sim_value(c[0].sim, k)) / (2 * h);
      double complex got = respond(&c[1], "push.force.x", name, 0);
      if (fabs(creal(got) - slope) > 2e-6 * (1 + fabs(slope)))
        fail_msg("%s: %.12g instead of %.12g", name, creal(got), slope);
      checked += fabs(slope) > 1e-3;
    }
  assert_true(checked >= 8); /* they are not all zero */
  for (int i = 0; i < 3; i++) close_case(&c[i]);
}

/* ---- time simulation ---- */

/* Complex amplitude at w of samples over whole periods, by projection. */
static double complex amplitude(const double *t, const double *y, int n, double w) {
  double complex sum = 0;
  for (int i = 0; i < n; i++) sum += y[i] * cexp(-I * w * t[i]);
  return 2 * sum / n;
}

enum { PERIODS = 4, PER_PERIOD = 64, SAMPLES = PERIODS * PER_PERIOD, MOST = 5 };
/* Amplitudes of n channels after `settle` seconds, in which the transients decay. */
static void simulate(const hk_model *model, const char *const *channel, int n, double settle,
                     double w, double complex *out) {
  hk_diag diag;
  hk_error err = {0};
  hk_sim *sim;
  hk_diag_init(&diag);
  const hk_sim_options o = {.rtol = 1e-9, .atol = 1e-12, .max_step = 2 * M_PI / w / 6000};
  hk_status status = hk_sim_create(model, &o, &sim, &diag, &err);
  double t[SAMPLES], y[MOST][SAMPLES], period = 2 * M_PI / w;
  double start = ceil(settle / period) * period;
  for (int i = 0; i < SAMPLES && !status; i++) {
    t[i] = start + i * period / PER_PERIOD;
    status = hk_sim_advance(sim, t[i], &err);
    for (int k = 0; k < n && !status; k++)
      y[k][i] = hk_sim_value(sim, hk_model_channel_find(model, channel[k]));
  }
  if (status) fail_msg("%s", err.text);
  for (int k = 0; k < n; k++) out[k] = amplitude(t, y[k], SAMPLES, w);
  hk_sim_destroy(sim);
  hk_diag_free(&diag);
}

/* Pendulum on a shaken pivot, nonlinear, small: input 1e-4 m sin(w t) = -i e^{i w t}. */
static void test_shaken_pendulum_in_time(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  cart: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  bob: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2],\n"
      "        position: [0, 0, -0.4 m]}\n"
      "joints:\n"
      "  rail: {type: prismatic, b: cart, axis: x}\n"
      "  pin: {type: revolute, a: cart, b: bob, at: [0, 0, 0], axis: y}\n"
      "forces:\n"
      "  gravity: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  oil: {type: torsion_spring, coordinate: pin.angle, damping: 0.5 N*m*s/rad}\n"
      "motions: {shake: {coordinate: rail.displacement, value: 0.1 mm * sin(4 rad/s * t)}}\n"
      "analysis: {duration: 1 s, output_step: 1 ms}\n";
  linear_case c = open_case(text);
  const double w = 4;
  static const char *const channel[MOST] = {"bob.x", "pin.angle", "bob.ax", "pin.fx",
                                            "shake.effort"};
  /* Closed form of the angle: I = 0.17 about the pivot; x_bob = u - 0.4 angle. */
  double complex s = I * w, angle = 0.4 * s * s / (0.17 * s * s + 0.5 * s + 0.4 * 9.81);
  near(respond(&c, "shake", "pin.angle", w), angle, 1e-11, "angle");
  double complex nonlinear[MOST];
  simulate(c.model, channel, MOST, 14, w, nonlinear);
  for (int i = 0; i < MOST; i++)
    near(nonlinear[i], respond(&c, "shake", channel[i], w) * 1e-4 * -I, 2e-6, channel[i]);
  close_case(&c);
}

/* An eccentric mass rotates on a guided block: the force of the linear model is m e w^2. */
static void test_unbalance_in_time(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  block: {mass: 1.9 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  ecc: {mass: 0.1 kg, inertia: [1e-5 kg*m^2, 1e-5 kg*m^2, 1e-5 kg*m^2],\n"
      "        position: [0.02 m, 0, 0], angular_velocity: [0, 0, 8 rad/s]}\n"
      "joints:\n"
      "  guide: {type: prismatic, b: block, axis: x}\n"
      "  shaft: {type: revolute, a: block, b: ecc, at: [0, 0, 0], axis: z}\n"
      "forces: {mount: {type: bushing, b: block, stiffness: [200 N/m, 0, 0],\n"
      "  damping: [3 N*s/m, 0, 0]}}\n"
      "motions: {spin: {coordinate: shaft.angle, value: 8 rad/s * t}}\n"
      "analysis: {duration: 1 s, output_step: 1 ms}\n";
  linear_case c = open_case(oscillator);
  hk_model *m = read_model(text);
  const double w = 8, me = 0.1 * 0.02;
  double complex x;
  simulate(m, &(const char *){"block.x"}, 1, 24, w, &x);
  near(x, -me * respond(&c, "push.force.x", "block.ax", w), 2e-6, "unbalance");
  hk_model_destroy(m);
  close_case(&c);
}

/* The force of a spring and damper follows from the motion. */
static void test_force_of_a_spring(void **state) {
  (void)state;
  linear_case c = open_case(oscillator);
  for (double w = 2; w < 30; w *= 2) {
    double complex x = respond(&c, "push.force.x", "block.x", w);
    near(respond(&c, "push.force.x", "mount.fx", w), -(200 + I * w * 3) * x, 1e-12, "force on b");
    near(respond(&c, "push.force.x", "mount.own_fx", w), -(200 + I * w * 3) * x, 1e-12, "own axes");
  }
  close_case(&c);
}

/* ---- names and refusals ---- */

/* Steel on a screw: m z'' + k z = F + f, I phi'' + t phi = -f r with z = r phi, r = pitch/2 pi; f: the thread's force. */
static void test_reactions_of_a_screw(void **state) {
  linear_case c = open_case(
      "format: 1\n"
      "bodies: {b: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2]}}\n"
      "joints: {j: {type: screw, b: b, at: [0, 0, 0], axis: z, pitch: 0.1 m}}\n"
      "forces:\n"
      "  k: {type: bushing, b: b, stiffness: [0, 0, 1000 N/m],"
      " torsion_stiffness: [0, 0, 1 N*m/rad]}\n"
      "  F: {type: load, b: b, force: [0, 0, 0 N]}\n");
  double r = 0.1 / (2 * M_PI);
  for (int i = 0; i < N_W; i++) {
    double w = 1.1 * some_w[i], w2 = w * w, z = 1 / (1000 - w2 + (1 - 0.01 * w2) / (r * r));
    double f = (1000 - w2) * z - 1;
    near(respond(&c, "F.force.z", "j.fz", w), f, 1e-9, "thread");
    near(respond(&c, "F.force.z", "j.tz", w), -f * r, 1e-9, "moment of the thread");
    near(respond(&c, "F.force.z", "b.z", w), z, 1e-9, "way");
  }
  close_case(&c);
}

/* At frequency zero: channels that free motions do not affect have a static response, and accelerations of free
 * bodies are finite. */
static void test_at_zero(void **state) {
  linear_case c = open_case(
      "format: 1\n"
      "bodies:\n"
      "  a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
      "  p: {type: point_mass, mass: 2 kg, position: [0, 5 m, 0]}\n"
      "  q: {type: point_mass, mass: 3 kg, position: [1 m, 5 m, 0]}\n"
      "  slow: {type: rotor, inertia: 2 kg*m^2}\n"
      "  free: {type: rotor, inertia: 1 kg*m^2}\n"
      "joints:\n"
      "  r: {type: point_on_line, b: a, axis: x, at: [1 m, 0, 0]}\n"
      "  rp: {type: point_on_line, b: p, axis: x, at: [0, 5 m, 0]}\n"
      "  rq: {type: point_on_line, b: q, axis: x, at: [1 m, 5 m, 0]}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: a, stiffness: 100 N/m, length: 1 m}\n"
      "  k: {type: spring_damper, a: p, b: q, stiffness: 50 N/m, damping: 2 N*s/m, length: 1 m}\n"
      "  d: {type: torsion_spring, coordinate: slow.angle, damping: 4 N*m*s/rad}\n"
      "  f: {type: load, b: a, force: [0 N, 0, 0]}\n"
      "  g: {type: load, b: p, force: [0 N, 0, 0]}\n"
      "  m: {type: actuator, coordinate: slow.angle, force: 0 N*m}\n"
      "sensors: {stretch: {value: q.x - p.x}}\n");
  near(respond(&c, "f.force.x", "a.x", 0), 0.01, 1e-9, "held");
  assert_true(cabs(respond(&c, "f.force.x", "free.angle", 0)) < 1e-9);
  /* Both accelerate by F/5 kg; the spring acts on q. */
  assert_true(isnan(creal(respond(&c, "g.force.x", "p.x", 0))));
  near(respond(&c, "g.force.x", "p.ax", 0), 0.2, 1e-9, "free acceleration");
  near(respond(&c, "g.force.x", "stretch", 0), -3.0 / 5 / 50, 1e-9, "carried along");
  assert_true(isnan(creal(respond(&c, "m.force", "slow.angle", 0))));
  near(respond(&c, "m.force", "slow.angle_rate", 0), 0.25, 1e-9, "damped rotor");
  close_case(&c);
}

static void refuse(const linear_case *c, const char *input, const char *channel,
                   const char *words) {
  hk_error err = {0};
  hk_response *r = NULL;
  int i = 0, k = channel ? hk_model_channel_find(c->model, channel) : -1;
  hk_status status = hk_response_input_find(c->linear, input, &i, &err);
  if (!status) status = hk_response_create(c->sim, c->linear, i, &k, 1, &r, &err);
  assert_int_equal(status, HK_EINPUT);
  assert_null(r);
  if (!strstr(err.text, words)) fail_msg("'%s' in: %s", words, err.text);
}

static void test_names(void **state) {
  linear_case c = open_case(oscillator);
  char name[64];
  assert_int_equal(hk_response_input_count(c.linear), 4);
  hk_response_input_name(c.linear, 3, name, sizeof name);
  assert_string_equal(name, "motor.force");
  refuse(&c, "push.force.w", "block.x", "did you mean 'push.force.");
  refuse(&c, "push", "block.x", "unknown input 'push'"); /* three begin so */
  refuse(&c, "motions.motor", "block.x", "unknown input");
  refuse(&c, "motor", "energy.kinetic", "has no frequency response");
  refuse(&c, "motor", "time", "has no frequency response");
  refuse(&c, "motor", NULL, "no channel number");
  close_case(&c);
}

static void test_units(void **state) {
  linear_case c = open_case(train);
  hk_error err = {0};
  hk_response *r;
  const int k[] = {hk_model_channel_find(c.model, "load.angle"),
                   hk_model_channel_find(c.model, "load.angle_rate")};
  assert_int_equal(hk_response_create(c.sim, c.linear, 0, k, 2, &r, &err), HK_OK);
  assert_string_equal(hk_response_unit(r, 0), "rad/(N*m)");
  assert_string_equal(hk_response_unit(r, 2), "");
  hk_response_destroy(r);
  close_case(&c);
  c = open_case(oscillator);
  const int x = hk_model_channel_find(c.model, "block.x"),
            f = hk_model_channel_find(c.model, "guide.fy");
  assert_int_equal(hk_response_create(c.sim, c.linear, 0, (int[]){x, f}, 2, &r, &err), HK_OK);
  assert_string_equal(hk_response_unit(r, 0), "m/N");
  assert_string_equal(hk_response_unit(r, 1), "1");
  hk_response_destroy(r);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_degree),
      cmocka_unit_test(test_two_degrees),
      cmocka_unit_test(test_base_excitation),
      cmocka_unit_test(test_torsional_train),
      cmocka_unit_test(test_reaction_of_preloaded_link),
      cmocka_unit_test(test_reactions_against_static),
      cmocka_unit_test(test_shaken_pendulum_in_time),
      cmocka_unit_test(test_unbalance_in_time),
      cmocka_unit_test(test_force_of_a_spring),
      cmocka_unit_test(test_reactions_of_a_screw),
      cmocka_unit_test(test_at_zero),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
