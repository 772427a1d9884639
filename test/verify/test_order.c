/* Measured order of the integrators: fixed steps h, h/2, h/4, h/8, slope of the error of positions
 * and of velocities at the end, against references in minimal coordinates or closed form. */
#include "verify/reference.h"
#include "verify/verify.h"

enum { LEVELS = 4, MAX_CHANNELS = 6 };

typedef struct order_case {
  const char *name, *text;
  double t_end, h;
  int n; /* channels of positions, and of velocities at the same indices */
  const char *position[MAX_CHANNELS], *velocity[MAX_CHANNELS];
  double x[MAX_CHANNELS], v[MAX_CHANNELS]; /* reference at t_end */
} order_case;

static double distance(vf_case *c, const char *const *name, const double *value, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += pow(vf_value(c, name[i]) - value[i], 2);
  return sqrt(sum);
}

/* rho < 0: the trapezoidal rule. */
static void measure(const order_case *o, double rho) {
  double h[LEVELS], x[LEVELS], v[LEVELS];
  vf_case c;
  vf_text(&c, "%s", o->text);
  char name[80];
  if (rho < 0)
    snprintf(name, sizeof name, "%s, trapezoidal", o->name);
  else
    snprintf(name, sizeof name, "%s, alpha rho %g", o->name, rho);
  for (int i = 0; i < LEVELS; i++) {
    h[i] = o->h / (1 << i);
    vf_start(&c, &(hk_sim_options){.step = h[i],
                                   .set = &(hk_setting){"rho", rho},
                                   .n_set = rho >= 0,
                                   .stepper = rho < 0 ? "trapezoidal" : "generalized_alpha"});
    vf_advance(&c, o->t_end);
    x[i] = distance(&c, o->position, o->x, o->n);
    v[i] = distance(&c, o->velocity, o->v, o->n);
  }
  vf_close(&c);
  print_message("  positions %.2e %.2e %.2e %.2e, velocities %.2e %.2e %.2e %.2e\n", x[0], x[1],
                x[2], x[3], v[0], v[1], v[2], v[3]);
  vf_check("order", name, "order of positions", vf_slope(h, x, LEVELS), 2, 0.1, "theory");
  vf_check("order", name, "order of velocities", vf_slope(h, v, LEVELS), 2, 0.1, "theory");
}

static void measure_alpha(const order_case *o) {
  measure(o, 0.5);
  measure(o, 0.8);
  measure(o, 1);
}

/* ---- pendulum on a revolute joint ---- */

/* theta from the vertical, rod of 1 m and 2 kg: theta'' = -(3 g/2) sin theta. */
static void pendulum_rate(const void *data, real t, const real *x, real *xd) {
  xd[0] = x[1];
  xd[1] = -1.5L * 9.81L * sinl(x[0]);
}

static void test_pendulum(void **state) {
  order_case o = {"pendulum on a hinge",
                  "bodies: {rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
                  "joints: {pin: {type: revolute, b: rod.start, at: [0, 0, 0], axis: y}}\n"
                  "forces: {g: {type: gravity}}\n",
                  1.5,
                  0.005,
                  2,
                  {"rod.end.x", "rod.end.z"},
                  {"rod.end.vx", "rod.end.vz"},
                  {0},
                  {0}};
  real x[REF_MAX_STATE] = {acosl(0)};
  ref_rk4(pendulum_rate, NULL, 2, x, 0, 1e-4L, 15000);
  real s = sinl(x[0]), c = cosl(x[0]);
  o.x[0] = (double)s, o.x[1] = (double)-c;
  o.v[0] = (double)(c * x[1]), o.v[1] = (double)(s * x[1]);
  measure_alpha(&o);
}

/* ---- pendulum on a slide that is moved ---- */

/* Pivot at x = 0.1 (1 - cos 6t): theta'' = -(3/2)(g sin theta + x'' cos theta). */
static void driven_rate(const void *data, real t, const real *x, real *xd) {
  xd[0] = x[1];
  xd[1] = -1.5L * (9.81L * sinl(x[0]) + 3.6L * cosl(6 * t) * cosl(x[0]));
}

static void test_driven(void **state) {
  order_case o = {
      "pendulum on a driven slide",
      "bodies:\n"
      "  car: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2]}\n"
      "  rod: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}\n"
      "joints:\n"
      "  slide: {type: prismatic, b: car, at: [0, 0, 0], axis: x}\n"
      "  pin: {type: revolute, a: car, b: rod.start, at: [0, 0, 0], axis: y}\n"
      "motions: {drive: {coordinate: slide.displacement, value: 0.1 m * (1 - cos(6 rad/s * t))}}\n"
      "forces: {g: {type: gravity}}\n",
      2,
      0.01,
      2,
      {"rod.end.x", "rod.end.z"},
      {"rod.end.vx", "rod.end.vz"},
      {0},
      {0}};
  real x[REF_MAX_STATE] = {acosl(0)}, t = 2;
  ref_rk4(driven_rate, NULL, 2, x, 0, 1e-4L, 20000);
  real s = sinl(x[0]), c = cosl(x[0]);
  o.x[0] = (double)(0.1L * (1 - cosl(6 * t)) + s), o.x[1] = (double)-c;
  o.v[0] = (double)(0.6L * sinl(6 * t) + c * x[1]), o.v[1] = (double)(s * x[1]);
  measure_alpha(&o);
}

/* ---- four-bar ---- */

static void four_bar_rate(const void *data, real t, const real *x, real *xd) {
  xd[0] = x[1];
  xd[1] = 9.81L * sinl(x[0]) * 2 / (5.0L / 3);
}

static void test_four_bar(void **state) {
  order_case o = {"four-bar",
                  "bodies:\n"
                  "  left: {type: rod, length: 1 m, mass: 1 kg, position: [0, 0.5 m, 0], "
                  "orientation: {axis: z, "
                  "angle: 90 deg}, velocity: [0.5 m/s, 0, 0], angular_velocity: [0, 0, -1 rad/s]}\n"
                  "  right: {type: rod, length: 1 m, mass: 1 kg, position: [2 m, 0.5 m, 0], "
                  "orientation: {axis: z, "
                  "angle: 90 deg}, velocity: [0.5 m/s, 0, 0], angular_velocity: [0, 0, -1 rad/s]}\n"
                  "  top: {type: rod, length: 2 m, mass: 1 kg, position: [1 m, 1 m, 0], velocity: "
                  "[1 m/s, 0, 0]}\n"
                  "joints:\n"
                  "  a: {type: revolute, b: left.start, at: [0, 0, 0], axis: z}\n"
                  "  b: {type: revolute, b: right.start, at: [2 m, 0, 0], axis: z}\n"
                  "  c: {type: revolute, a: left, b: top, at: [0, 1 m, 0], axis: z}\n"
                  "  d: {type: point_on_line, a: right.end, b: top.end}\n"
                  "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n",
                  1.5,
                  0.005,
                  2,
                  {"left.end.x", "left.end.y"},
                  {"left.end.vx", "left.end.vy"},
                  {0},
                  {0}};
  real x[REF_MAX_STATE] = {0, 1};
  ref_rk4(four_bar_rate, NULL, 2, x, 0, 1e-4L, 15000);
  real s = sinl(x[0]), c = cosl(x[0]);
  o.x[0] = (double)s, o.x[1] = (double)c;
  o.v[0] = (double)(c * x[1]), o.v[1] = (double)(-s * x[1]);
  measure_alpha(&o);
}

/* ---- double pendulum on spherical joints, in space ---- */

static const real INERTIA[2][3] = {{0.02L, 0.05L, 0.06L}, {0.01L, 0.03L, 0.025L}};

/* Rotation vectors of both bodies; the second hangs at (0.5, 0, 0) of the first. */
static void double_place(const void *data, const real *q, real (*y)[3]) {
  real a[3][3], b[3][3], x[3];
  ref_axes(q, a);
  ref_axes(q + 3, b);
  for (int k = 0; k < 3; k++) x[k] = 0.3L * a[0][k] + 0.1L * a[1][k];
  y += ref_body_place(x, a, y);
  for (int k = 0; k < 3; k++) x[k] = 0.5L * a[0][k] + 0.2L * b[0][k] - 0.1L * b[2][k];
  ref_body_place(x, b, y);
}

static void test_double_pendulum(void **state) {
  order_case o = {"double pendulum on spherical joints",
                  "bodies:\n"
                  "  a: {mass: 1 kg, inertia: [0.02 kg*m^2, 0.05 kg*m^2, 0.06 kg*m^2], "
                  "center_of_mass: [0.3 m, 0.1 "
                  "m, 0], markers: {tip: [0.5 m, 0, 0]}, angular_velocity: [3 rad/s, 0, 1 rad/s]}\n"
                  "  b: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.03 kg*m^2, 0.025 kg*m^2], position: "
                  "[0.5 m, 0, 0], "
                  "center_of_mass: [0.2 m, 0, -0.1 m], velocity: [0, 0.5 m/s, 0], "
                  "angular_velocity: [0, 2 rad/s, "
                  "1 rad/s]}\n"
                  "joints:\n"
                  "  p: {type: spherical, b: a}\n"
                  "  q: {type: spherical, a: a.tip, b: b}\n"
                  "forces: {g: {type: gravity}}\n",
                  0.8,
                  0.004,
                  6,
                  {"a.tip.x", "a.tip.y", "a.tip.z", "b.qx", "b.qy", "b.qz"},
                  {"a.tip.vx", "a.tip.vy", "a.tip.vz", "b.wx", "b.wy", "b.wz"},
                  {0},
                  {0}};
  ref_system s = {
      .n = 6, .n_points = 2 * REF_BODY_POINTS, .place = double_place, .gravity = {0, 0, -9.81L}};
  ref_body_weights(1, INERTIA[0], s.weight);
  ref_body_weights(2, INERTIA[1], s.weight + REF_BODY_POINTS);
  real x[REF_MAX_STATE] = {0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 2, 1};
  ref_advance(&s, x, 4e-4L, 2000);
  ref_cloud y1;
  real n = 0, way[REF_MAX_Q];
  for (int i = 0; i < 6; i++) n = fmaxl(n, fabsl(x[6 + i]));
  for (int i = 0; i < 6; i++) way[i] = x[6 + i] / n;
  ref_derive(&s, x, way, y1, NULL);
  real e[3][3], ed[3][3];
  ref_axes(x, e);
  /* velocity of the tip: from the points on a's axes, x axis times 0.5 */
  for (int k = 0; k < 3; k++) {
    o.x[k] = (double)(0.5L * e[0][k]);
    o.v[k] = (double)(0.5L * n * (y1[1][k] - y1[2][k]) / (2 * ref_arm));
  }
  ref_axes(x + 3, e);
  /* angular velocity w = sum_i e_i x e_i'/2 */
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      ed[i][k] = n * (y1[REF_BODY_POINTS + 1 + 2 * i][k] - y1[REF_BODY_POINTS + 2 + 2 * i][k]) /
                 (2 * ref_arm);
  for (int i = 0; i < 3; i++) {
    real w[3];
    ref_cross(e[i], ed[i], w);
    for (int k = 0; k < 3; k++) o.v[3 + k] += (double)(w[k] / 2);
  }
  real angle = sqrtl(ref_dot(x + 3, x + 3));
  real sign = cosl(angle / 2) < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) o.x[3 + k] = (double)(sign * sinl(angle / 2) * x[3 + k] / angle);
  measure_alpha(&o);
}

/* ---- unconstrained: the free body, the oscillator, two bodies on a bushing ---- */

/* Euler's equations in body axes with the quaternion, I = (1, 2, 3). */
static void free_rate(const void *data, real t, const real *x, real *xd) {
  const real *q = x + 3;
  xd[0] = (2 - 3) * x[1] * x[2] / 1;
  xd[1] = (3 - 1) * x[2] * x[0] / 2;
  xd[2] = (1 - 2) * x[0] * x[1] / 3;
  xd[3] = (-q[1] * x[0] - q[2] * x[1] - q[3] * x[2]) / 2;
  xd[4] = (q[0] * x[0] + q[2] * x[2] - q[3] * x[1]) / 2;
  xd[5] = (q[0] * x[1] + q[3] * x[0] - q[1] * x[2]) / 2;
  xd[6] = (q[0] * x[2] + q[1] * x[1] - q[2] * x[0]) / 2;
}

static const char FREE_BODY[] =
    "bodies: {body: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2], "
    "angular_velocity: [0.05 rad/s, 4 rad/s, 0.1 rad/s]}}\n";

static void test_free_body(void **state) {
  order_case o = {
      "free body, unstable axis",        FREE_BODY, 3,  0.005, 3, {"body.qx", "body.qy", "body.qz"},
      {"body.wx", "body.wy", "body.wz"}, {0},       {0}};
  real x[REF_MAX_STATE] = {0.05L, 4, 0.1L, 1};
  ref_rk4(free_rate, NULL, 7, x, 0, 1e-4L, 30000);
  const real *q = x + 3;
  real sign = q[0] < 0 ? -1 : 1, u[3] = {q[1], q[2], q[3]}, w[3] = {x[0], x[1], x[2]}, a[3], b[3];
  ref_cross(u, w, a); /* w in world axes: w + 2 q0 (u x w) + 2 u x (u x w) */
  ref_cross(u, a, b);
  for (int k = 0; k < 3; k++) {
    o.x[k] = (double)(sign * u[k]);
    o.v[k] = (double)(w[k] + 2 * q[0] * a[k] + 2 * b[k]);
  }
  measure(&o, -1);
  measure(&o, 0.8);
}

/* With the default tolerance, energy and momentum of the free body are conserved over many
 * revolutions. */
static void test_free_body_invariants(void **state) {
  vf_case c;
  vf_text(&c, "%s", FREE_BODY);
  double E0 = 0.5 * (0.0025 + 2 * 16 + 3 * 0.01), L0 = sqrt(0.0025 + 64 + 0.09), e[2], l[2];
  double h[2] = {2e-3, 1e-3};
  for (int i = 0; i < 2; i++) {
    vf_start(&c, &(hk_sim_options){.step = h[i]});
    assert_string_equal(hk_sim_stepper_name(c.sim), "trapezoidal");
    vf_advance(&c, 20);
    e[i] = fabs(vf_value(&c, "energy.kinetic") / E0 - 1);
    double w[3] = {vf_value(&c, "body.wx"), vf_value(&c, "body.wy"), vf_value(&c, "body.wz")};
    hk_quat q = {vf_value(&c, "body.qw"), vf_value(&c, "body.qx"), vf_value(&c, "body.qy"),
                 vf_value(&c, "body.qz")};
    hk_mat3 R = hk_quat_matrix(q);
    hk_vec3 b = hk_tmul(&R, hk_v3(w[0], w[1], w[2]));
    l[i] = fabs(hk_norm(hk_v3(b.x, 2 * b.y, 3 * b.z)) / L0 - 1);
  }
  vf_bound("order", "free body, 20 s, h = 1 ms", "relative energy error", e[1], 1e-5,
           "conservation");
  vf_bound("order", "free body, 20 s, h = 1 ms", "relative momentum error", l[1], 1e-5,
           "conservation");
  assert_true(e[1] < 0.3 * e[0] || e[0] < 1e-12);
  vf_close(&c);
}

/* x = e^(-d t)(cos w t + d/w sin w t), m = 1 kg, k = 100 N/m, c = 2 N s/m, along the spring. */
static void test_oscillator(void **state) {
  order_case o = {
      "damped oscillator",
      "bodies: {m: {type: point_mass, mass: 1 kg, position: [2 m, 0, 0]}}\n"
      "forces: {s: {type: spring_damper, b: m, stiffness: 100 N/m, damping: 2 N*s/m, length: 1 "
      "m}}\n",
      2,
      0.01,
      1,
      {"m.x"},
      {"m.vx"},
      {0},
      {0}};
  double w = sqrt(99), t = 2;
  o.x[0] = 1 + exp(-t) * (cos(w * t) + sin(w * t) / w);
  o.v[0] = -exp(-t) * (w + 1 / w) * sin(w * t);
  measure(&o, -1);
  measure_alpha(&o);
}

/* Two points on an isotropic bushing and gravity: the middle falls freely, the distance is a damped
 * oscillator with the reduced mass 2/3 kg. */
static void test_bushing(void **state) {
  order_case o = {
      "two bodies on a bushing",
      "bodies:\n"
      "  a: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2]}\n"
      "  b: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], velocity: [0.3 m/s, 0, "
      "0], angular_velocity: [0, 0, 0]}\n"
      "forces:\n"
      "  g: {type: gravity}\n"
      "  r: {type: bushing, a: a, b: b, stiffness: [60 N/m, 60 N/m, 60 N/m], "
      "torsion_stiffness: [1 N*m/rad, 1 N*m/rad, 1 N*m/rad], damping: [0.8 N*s/m, 0.8 N*s/m, "
      "0.8 N*s/m]}\n",
      2,
      0.01,
      3,
      {"a.x", "b.x", "b.z"},
      {"a.vx", "b.vx", "b.vz"},
      {0},
      {0}};
  double m = 2.0 / 3, d = 0.8 / (2 * m), w = sqrt(60 / m - d * d), t = 2, g = 9.81;
  double u = 0.3 / w * exp(-d * t) * sin(w * t);
  double ud = 0.3 * exp(-d * t) * (cos(w * t) - d / w * sin(w * t));
  o.x[0] = 0.2 * t - 2 * u / 3, o.x[1] = 0.2 * t + u / 3, o.x[2] = -g * t * t / 2;
  o.v[0] = 0.2 - 2 * ud / 3, o.v[1] = 0.2 + ud / 3, o.v[2] = -g * t;
  measure(&o, -1);
  measure_alpha(&o);
}

/* ---- adaptive steps: error ~ tolerance^(2/3) ---- */

static void test_tolerance(void **state) {
  static const double tol[4] = {1e-5, 1e-6, 1e-7, 1e-8};
  vf_case c;
  vf_file(&c, "examples/benchmarks/a01_pendulum.yaml", NULL, 0);
  double error[4];
  for (int i = 0; i < 4; i++) {
    vf_start(&c, &(hk_sim_options){
                     .stepper = "generalized_alpha", .rtol = tol[i], .atol = 1e-2 * tol[i]});
    vf_advance(&c, 5);
    error[i] =
        hypot(vf_value(&c, "bob.x") + 0.942305435044, vf_value(&c, "bob.y") + 0.334754338414);
    print_message("  rtol %g: error %.3g, %ld steps\n", tol[i], error[i],
                  hk_sim_statistics(c.sim).steps);
    if (i > 0) assert_true(error[i] < 0.5 * error[i - 1]);
  }
  vf_check("order", "A01, adaptive", "exponent of error over rtol", vf_slope(tol, error, 4),
           2.0 / 3, 0.12, "theory");
  vf_close(&c);
}

/* ---- the error of a step ---- */

/* A mass on a spring, x'' = -w^2 x: deviation of the steps of one period from the exact motion
 * through their start points, relative to the error reported by the integrator.  Velocities are in
 * m/s; the run starts after the internal acceleration of the method has settled. */
static void measure_local_error(const char *stepper, double rho) {
  static const double w = 10, h = 2e-3;
  const int settling = 200, steps = (int)lround(2 * M_PI / (w * h));
  vf_case c;
  vf_text(&c, "%s",
          "bodies: {mass: {type: point_mass, mass: 1 kg, position: [3 m, 0, 0]}}\n"
          "forces: {spring: {type: spring_damper, b: mass, stiffness: 100 N/m, length: 2 m}}\n");
  vf_start(&c, &(hk_sim_options){.step = h,
                                 .rtol = 1e-6,
                                 .atol = 1e-8,
                                 .set = &(hk_setting){"rho", rho},
                                 .n_set = rho >= 0,
                                 .stepper = stepper});
  double made = 0, told = 0;
  for (int i = 0; i < settling + steps; i++) {
    double x = vf_value(&c, "mass.x") - 2, v = vf_value(&c, "mass.vx");
    double before = vf_indicator(&c, HK_QUALITY_LOCAL_ERROR).amount;
    if (hk_sim_step(c.sim, 1e3, &c.err)) fail_msg("%s", c.err.text);
    if (i < settling) continue;
    made += fabs(vf_value(&c, "mass.x") - 2 - x * cos(w * h) - v / w * sin(w * h));
    told += vf_indicator(&c, HK_QUALITY_LOCAL_ERROR).amount - before;
  }
  vf_close(&c);
  char name[80];
  snprintf(name, sizeof name, rho < 0 ? "oscillator, %s" : "oscillator, %s, rho %g", stepper, rho);
  vf_check("order", name, "error of a step, told over made", told / made, 1, 1e-3, "theory");
}

static void test_local_error(void **state) {
  (void)state;
  static const double RHO[] = {0, 0.5, 0.8, 1};
  for (int i = 0; i < 4; i++) measure_local_error("generalized_alpha", RHO[i]);
  measure_local_error("trapezoidal", -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pendulum),   cmocka_unit_test(test_driven),
      cmocka_unit_test(test_four_bar),   cmocka_unit_test(test_double_pendulum),
      cmocka_unit_test(test_free_body),  cmocka_unit_test(test_free_body_invariants),
      cmocka_unit_test(test_oscillator), cmocka_unit_test(test_bushing),
      cmocka_unit_test(test_tolerance),  cmocka_unit_test(test_local_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
