/* Poincare sections, periods and Lyapunov exponents against independent integrations: fourth-order
 * Runge-Kutta of the same equations and their variational equations, written out here. */
#include "verify/verify.h"
#include <complex.h>
#include <hooke/nonlinear.h>

/* ---- the oracle ---- */

/* y = (x, v, u, w): x'' = f(x, v, t) and its linearisation u'' = fx u + fv w. */
typedef void (*field)(const double *p, double t, double x, double v, double *f, double *fx,
                      double *fv);

static void duffing(const double *p, double t, double x, double v, double *f, double *fx,
                    double *fv) { /* F, delta, omega */
  *f = p[0] * cos(p[2] * t) - p[1] * v + x - x * x * x;
  *fx = 1 - 3 * x * x;
  *fv = -p[1];
}

static void pendulum(const double *p, double t, double x, double v, double *f, double *fx,
                     double *fv) { /* g, q, omega */
  *f = p[0] * cos(p[2] * t) - v / p[1] - sin(x);
  *fx = -cos(x);
  *fv = -1 / p[1];
}

static void rate(field f, const double *p, double t, const double *y, double *d) {
  double a, ax, av;
  f(p, t, y[0], y[1], &a, &ax, &av);
  d[0] = y[1], d[1] = a;
  d[2] = y[3], d[3] = ax * y[2] + av * y[3];
}

static void rk4(field f, const double *p, double t, double h, double *y) {
  double k[4][4], z[4];
  const double c[4] = {0, 0.5, 0.5, 1};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 4; i++) z[i] = y[i] + (s ? c[s] * h * k[s - 1][i] : 0);
    rate(f, p, t + c[s] * h, z, k[s]);
  }
  for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static int rk_steps = 400; /* per period */

/* y over one period, starting at section k. */
static void rk_period(field f, const double *p, int k, double *y) {
  double T = 2 * M_PI / p[2], h = T / rk_steps;
  for (int i = 0; i < rk_steps; i++) rk4(f, p, (k + (double)i / rk_steps) * T, h, y);
}

static void rk_start(field f, const double *p, double x, double v, int skip, double *y) {
  const double start[4] = {x, v, 0, 0};
  memcpy(y, start, sizeof start);
  for (int k = 0; k < skip; k++) rk_period(f, p, k, y);
}

/* Mean growth per second over n sections. */
static double rk_exponent(field f, const double *p, double x, double v, int skip, int n) {
  double y[4], sum = 0;
  rk_start(f, p, x, v, skip, y);
  y[2] = 0.6, y[3] = 0.8;
  for (int k = 0; k < n; k++) {
    rk_period(f, p, skip + k, y);
    double d = hypot(y[2], y[3]);
    if (k >= 20) sum += log(d);
    y[2] /= d, y[3] /= d;
  }
  return sum / (n - 20) / (2 * M_PI / p[2]);
}

/* Largest Floquet multiplier of an orbit of m periods, as an exponent per second. */
static double rk_floquet(field f, const double *p, double x, double v, int skip, int m) {
  double y[4], M[2][2];
  for (int c = 0; c < 2; c++) {
    rk_start(f, p, x, v, skip, y);
    y[2] = c == 0, y[3] = c == 1;
    for (int k = 0; k < m; k++) rk_period(f, p, skip + k, y);
    M[0][c] = y[2], M[1][c] = y[3];
  }
  double half = (M[0][0] + M[1][1]) / 2, det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  double complex root = csqrt(half * half - det);
  return log(fmax(cabs(half + root), cabs(half - root))) / (m * 2 * M_PI / p[2]);
}

/* ---- hooke ---- */

static hk_orbit orbit_of(const char *path, const char *const set[][2], int n_set, double period,
                         const char *a, const char *b, bool wrap_a, int skip, int points) {
  vf_case c;
  hk_override override[8];
  for (int i = 0; i < n_set; i++) override[i] = (hk_override){set[i][0], set[i][1]};
  vf_file(&c, path, override, n_set);
  const int channel[2] = {vf_channel(&c, a), vf_channel(&c, b)};
  const bool wrap[2] = {wrap_a, false};
  const hk_orbit_options o = {.section = {.period = period},
                              .channel = channel,
                              .n_channels = 2,
                              .wrap = wrap,
                              .skip = skip,
                              .points = points,
                              .lyapunov = true};
  hk_orbit orbit;
  if (hk_orbit_run(c.model, &o, &orbit, &c.diag, &c.err)) fail_msg("%s", c.err.text);
  vf_close(&c);
  return orbit;
}

static const char duffing_file[] = "examples/nonlinear/duffing.yaml";
static const char pendulum_file[] = "examples/nonlinear/pendulum.yaml";
static const double duffing_period = 2 * M_PI / 1.2, pendulum_period = 3 * M_PI;

/* ---- cases ---- */

static void duffing_periods(void **state) {
  (void)state;
  static const struct {
    const char *F;
    double value;
    int period;
  } wanted[] = {{"0.20", 0.20, 1}, {"0.28", 0.28, 2}, {"0.29", 0.29, 4},
                {"0.37", 0.37, 5}, {"0.50", 0.50, 0}, {"0.65", 0.65, 2}};
  for (int i = 0; i < 6; i += vf_all() ? 1 : 2) {
    const char *set[][2] = {{"F", wanted[i].F}, {"analysis.step", "5 ms"}};
    const double p[3] = {wanted[i].value, 0.3, 1.2};
    char text[40], quantity[60];
    snprintf(text, sizeof text, "Duffing, F = %s", wanted[i].F);
    hk_orbit o = orbit_of(duffing_file, set, 2, duffing_period, "x", "v", false, 200, 400);
    vf_check("nonlinear", text, "period", o.repeat.period, wanted[i].period, 0, "Jordan and Smith");
    if (wanted[i].period) {
      /* The nearest point of the reference orbit: both may be at different phases of it. */
      double y[4], best = INFINITY;
      rk_start(duffing, p, 1, 0, 600, y);
      for (int k = 0; k < wanted[i].period; k++) {
        best = fmin(best, hypot(y[0] - o.point[0], y[1] - o.point[1]));
        rk_period(duffing, p, 600 + k, y);
      }
      snprintf(quantity, sizeof quantity, "distance from the orbit");
      vf_bound("nonlinear", text, quantity, best, 2e-4, "Runge-Kutta");
      double floquet = rk_floquet(duffing, p, 1, 0, 600, wanted[i].period);
      /* If the multipliers are complex, the growth of one section depends on the phase of the
       * orbit. */
      vf_check("nonlinear", text, "exponent [1/s]", o.exponent.per_second, floquet, 2e-3,
               "Floquet multiplier");
      assert_true(o.repeat.error < 1e-4);
      assert_int_equal(o.repeat.distinct, wanted[i].period);
    } else {
      assert_true(o.repeat.distinct > 100);
      assert_true(o.exponent.per_second > 0.05);
    }
    hk_orbit_free(&o);
  }
}

static void chaos(const char *file, field f, const double *p, double period, const char *a,
                  const char *b, const char *step, double x0, int n, const char *text) {
  const char *set[][2] = {{"analysis.step", step}};
  hk_orbit o = orbit_of(file, set, 1, period, a, b, f == pendulum, 100, n);
  /* Mean over three starts, so that its statistical error is the smaller one. */
  double reference = 0;
  for (int i = 0; i < 3; i++) reference += rk_exponent(f, p, x0 + 0.1 * i, 0, 100, 8000) / 3;
  vf_note("nonlinear", text, "standard error / exponent", o.exponent.error / o.exponent.per_section,
          "blocks");
  /* Both are means of a chaotic motion and differ by some standard errors. */
  double error = o.exponent.error / period;
  vf_check("nonlinear", text, "exponent [1/s]", o.exponent.per_second, reference,
           fmax(0.03 * reference, 4 * error), "variational equation");
  assert_true(error < 0.05 * reference);
  assert_int_equal(o.repeat.period, 0);
  hk_orbit_free(&o);
}

static void duffing_chaos(void **state) {
  (void)state;
  const double p[3] = {0.5, 0.3, 1.2};
  chaos(duffing_file, duffing, p, duffing_period, "x", "v", vf_long() ? "20 ms" : "40 ms", 1,
        vf_long() ? 40000 : 6000, "Duffing, chaos");
}

/* On a hinge: constraints and rotations. */
static void pendulum_chaos(void **state) {
  (void)state;
  if (!vf_all()) skip();
  const double p[3] = {1.5, 2, 2.0 / 3};
  chaos(pendulum_file, pendulum, p, pendulum_period, "hinge.angle", "hinge.angle_rate",
        vf_long() ? "10 ms" : "20 ms", 0, vf_long() ? 10000 : 2000, "driven pendulum, chaos");
}

static void pendulum_periods(void **state) {
  (void)state;
  static const struct {
    const char *g;
    double value;
    int period;
  } wanted[] = {{"1.35", 1.35, 1}, {"1.45", 1.45, 2}, {"1.47", 1.47, 4}};
  for (int i = 0; i < 3; i++) {
    const char *set[][2] = {{"g", wanted[i].g}, {"analysis.step", "20 ms"}};
    const double p[3] = {wanted[i].value, 2, 2.0 / 3};
    char text[40];
    snprintf(text, sizeof text, "driven pendulum, g = %s", wanted[i].g);
    hk_orbit o = orbit_of(pendulum_file, set, 2, pendulum_period, "hinge.angle", "hinge.angle_rate",
                          true, 100, 60);
    vf_check("nonlinear", text, "period", o.repeat.period, wanted[i].period, 0, "Baker and Gollub");
    vf_check("nonlinear", text, "exponent [1/s]", o.exponent.per_second,
             rk_floquet(pendulum, p, 0, 0, 400, wanted[i].period), 3e-3, "Floquet multiplier");
    hk_orbit_free(&o);
  }
}

/* With one section per period of the free vibration, every section shrinks by exp(-zeta omega
 * T). */
static void linear_oscillator(void **state) {
  (void)state;
  const double omega = 3, zeta = 0.05, T = 2 * M_PI / (omega * sqrt(1 - zeta * zeta));
  static const struct {
    const char *text, *joint, *extra;
  } way[] = {{"linear oscillator, free mass", "", ""},
             {"linear oscillator, in a guide",
              "joints: {guide: {type: prismatic, b: m, axis: x}}\n", ", rho: 1"}};
  for (int i = 0; i < 2; i++)
    for (int adaptive = 0; adaptive < 2; adaptive++) {
      vf_case c;
      vf_text(&c,
              "bodies: {m: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], "
              "velocity: [1 m/s, 0, 0]}}\n%s"
              "forces: {spring: {type: bushing, a: ground, b: m, "
              "stiffness: [%.17g N/m, %.17g N/m, %.17g N/m], "
              "damping: [%.17g N*s/m, %.17g N*s/m, %.17g N*s/m], "
              "torsion_stiffness: [9 N*m/rad, 9 N*m/rad, 9 N*m/rad], "
              "torsion_damping: [0.3 N*m*s/rad, 0.3 N*m*s/rad, 0.3 N*m*s/rad]}}\n"
              "analysis: {duration: 1 s, %s: %.17g s%s, rtol: 1e-8, atol: 1e-9}\n",
              way[i].joint, 2 * omega * omega, 2 * omega * omega, 2 * omega * omega,
              4 * zeta * omega, 4 * zeta * omega, 4 * zeta * omega, adaptive ? "max_step" : "step",
              T / 1000, way[i].extra);
      const int channel[1] = {vf_channel(&c, "m.x")};
      const hk_orbit_options o = {.section = {.period = T},
                                  .channel = channel,
                                  .n_channels = 1,
                                  .skip = 2,
                                  .points = 30,
                                  .lyapunov = true};
      hk_orbit orbit;
      if (hk_orbit_run(c.model, &o, &orbit, &c.diag, &c.err)) fail_msg("%s", c.err.text);
      vf_check("nonlinear", way[i].text, "exponent [1/s]", orbit.exponent.per_second, -zeta * omega,
               1e-5, "-zeta omega");
      vf_check("nonlinear", way[i].text, "exponent per section", orbit.exponent.per_section,
               -zeta * omega * T, 2e-5, "-zeta omega T");
      assert_true(orbit.exponent.error < 1e-5);
      hk_orbit_free(&orbit);
      vf_close(&c);
    }
}

/* A stiff stop, hit at about 3 m/s: exponents across smooth impacts.  The mass is pushed against a
 * wall at a distance; the reference uses the same contact law in the variational equation. */
static void stop(const double *p, double t, double x, double v, double *f, double *fx, double *fv) {
  double out = fmax(0, x - 0.2); /* F, c, omega, k */
  *f = p[0] * cos(p[2] * t) - p[1] * v - x - p[3] * out;
  *fx = -1 - (x > 0.2 ? p[3] : 0);
  *fv = -p[1];
}

static hk_orbit stopped_orbit(double omega, int points) {
  const double T = 2 * M_PI / omega;
  vf_case c;
  vf_text(
      &c,
      "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 0.1 rad}}\n"
      "forces: {all: {type: actuator, coordinate: m.angle, force: \"(cos(%.17g rad/s * t) - 0.1 "
      "* m.angle_rate/(1 rad/s) - m.angle/(1 rad) - 2000*max(0, m.angle/(1 rad) - 0.2)) * 1 "
      "N*m\"}}\n"
      "analysis: {duration: 1 s, step: %.17g s, rtol: 1e-8, atol: 1e-10}\n",
      omega, T / 2000);
  const int channel[2] = {vf_channel(&c, "m.angle"), vf_channel(&c, "m.angle_rate")};
  const hk_orbit_options o = {.section = {.period = T},
                              .channel = channel,
                              .n_channels = 2,
                              .skip = 150,
                              .points = points,
                              .lyapunov = true};
  hk_orbit orbit;
  if (hk_orbit_run(c.model, &o, &orbit, &c.diag, &c.err)) fail_msg("%s", c.err.text);
  vf_close(&c);
  return orbit;
}

static void impacts(void **state) {
  (void)state;
  rk_steps = 2000;
  const double p[4] = {1, 0.1, 2, 2000}, q[4] = {1, 0.1, 2.4, 2000};
  hk_orbit o = stopped_orbit(p[2], 1000);
  vf_check("nonlinear", "stiff stop, 2 rad/s", "period", o.repeat.period, 1, 0, "");
  vf_check("nonlinear", "stiff stop, 2 rad/s", "exponent [1/s]", o.exponent.per_second,
           rk_floquet(stop, p, 0.1, 0, 300, 1), 2e-3, "Floquet multiplier");
  hk_orbit_free(&o);
  if (!vf_all()) {
    rk_steps = 400;
    return;
  }
  o = stopped_orbit(q[2], 1000);
  vf_check("nonlinear", "stiff stop, 2.4 rad/s", "exponent [1/s]", o.exponent.per_second,
           rk_exponent(stop, q, 0.1, 0, 100, 2000), 6 * o.exponent.error / (2 * M_PI / q[2]),
           "variational equation");
  assert_int_equal(o.repeat.period, 0);
  assert_true(o.exponent.per_section > 4 * o.exponent.error);
  hk_orbit_free(&o);
  rk_steps = 400;
}

/* A steady motion allows steps of any length, but neighbouring motions do not: exponents at rest
 * and in steady rotation with adaptive steps.  sections: whole periods of the neighbouring
 * motion. */
static double exponent_of(const char *text, const char *channel_name, double period) {
  vf_case c;
  vf_text(&c, "%s", text);
  const int channel[1] = {vf_channel(&c, channel_name)};
  const hk_orbit_options o = {.section = {.period = period},
                              .channel = channel,
                              .n_channels = 1,
                              .skip = 2,
                              .points = 60,
                              .lyapunov = true};
  hk_orbit orbit;
  if (hk_orbit_run(c.model, &o, &orbit, &c.diag, &c.err)) fail_msg("%s", c.err.text);
  double exponent = orbit.exponent.per_second;
  hk_orbit_free(&orbit);
  vf_close(&c);
  return exponent;
}

static void motions_that_do_not_change(void **state) {
  (void)state;
  static const char growing[] =
      "bodies: {m: {type: rotor, inertia: 1 kg*m^2}}\n"
      "forces: {f: {type: actuator, coordinate: m.angle, force: \"-100 N*m/rad * m.angle + "
      "0.1 N*m*s/rad * m.angle_rate\"}}\n"
      "analysis: {duration: 10 s}\n";
  static const char upright[] =
      "bodies: {r: {type: rod, length: 1 m, mass: 1 kg, position: [0, 0, 0.5 m],"
      " orientation: {axis: y, angle: -90 deg}}}\n"
      "joints: {h: {type: revolute, b: r, at: [0, 0, 0], axis: y}}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  d: {type: torsion_spring, coordinate: h.angle, damping: 0.5 N*m*s/rad}\n"
      "analysis: {duration: 10 s}\n";
  static const char top[] =
      "bodies: {b: {mass: 1 kg, inertia: [0.015 kg*m^2, 0.015 kg*m^2, 0.005 kg*m^2],"
      " position: [0, 0, 0.1 m], angular_velocity: [0, 0, 50 rad/s]}}\n"
      "joints: {s: {type: spherical, b: b, at: [0, 0, 0]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
      "analysis: {duration: 1 s}\n";
  vf_check("nonlinear", "oscillator at rest", "exponent [1/s]",
           exponent_of(growing, "m.angle", 2 * M_PI / sqrt(100 - 0.0025)), 0.05, 1e-3, "");
  /* Sections that do not fit the oscillation: the growth per section varies by a factor of two. */
  assert_true(fabs(exponent_of(growing, "m.angle", 0.5) - 0.05) < 1e-4);
  assert_true(fabs(exponent_of(growing, "m.angle", 1) - 0.05) < 1e-4);
  vf_check("nonlinear", "rod upright at rest", "exponent [1/s]", exponent_of(upright, "h.angle", 1),
           (-0.5 + sqrt(0.25 + 2 * 9.81 / 3)) * 1.5, 1e-3, "");
  double It = 0.025, half = 0.005 * 50 / (2 * It);
  vf_check("nonlinear", "top that spins too slowly to sleep", "exponent [1/s]",
           exponent_of(top, "b.x", 1), sqrt(0.981 / It - half * half), 2e-3, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(duffing_periods),
      cmocka_unit_test(duffing_chaos),
      cmocka_unit_test(pendulum_chaos),
      cmocka_unit_test(pendulum_periods),
      cmocka_unit_test(linear_oscillator),
      cmocka_unit_test(impacts),
      cmocka_unit_test(motions_that_do_not_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
