/* The reduced universal joint with clearance, time stepping: the table of reference values (an
 * event-driven solution converged to 1e-10 and independent time-stepping programs), the order in
 * the step, zero clearance, and other mechanisms with clearance. */
#include "verify/verify.h"
#include <hooke/run.h>

static const char TABLE[] = "ujoint_clearance";
static const char PAPER[] = "examples/ujoint_clearance/paper.yaml";

typedef struct outcome {
  hk_run_report report;
  vf_case c;
} outcome;

static void run_file(outcome *o, const char *file, const hk_override *set, int n) {
  vf_file(&o->c, file, set, n);
  if (hk_run(o->c.model, NULL, &o->report, &o->c.diag)) fail_msg("%s", o->report.error.text);
}

static double measured(const outcome *o, const char *name) {
  for (int i = 0; i < o->report.n_measures; i++)
    if (strcmp(o->report.measure[i].name, name) == 0) return o->report.measure[i].value;
  fail_msg("no measure '%s'", name);
  return NAN;
}

static void forget(outcome *o) {
  hk_run_report_free(&o->report);
  vf_close(&o->c);
}

/* ---- the table ---- */

typedef struct reference {
  const char *C;
  double phi_rms, phi_max, dphi_rms, dphi_max, ddelta_rms, ddelta_max, pn, contact, impacts;
} reference;
static const reference EVENT_DRIVEN[] = {
    {"0 um", 7.73184e-4, 1.083352e-3, .0773426, .111677, 0, 0, NAN, 1, 0},
    {"0.05 um", 7.73363e-4, 1.083503e-3, .0773619, .111854, 6.4460e-4, .0075489, 1.89455e-3, .94931,
     0},
    {"10 um", 8.05325e-4, 1.145142e-3, .0835416, .205815, .0484705, .2193838, .05505888, .71091, 8},
    {"50 um", 9.07337e-4, 1.427332e-3, .114875, .414313, .173010, .5613199, .14087481, .50710, 10},
};

static void compare(const reference *r, const char *scheme) {
  const hk_override set[] = {{"parameters.C", r->C}, {"analysis.paper", scheme}};
  outcome o;
  char text[60];
  run_file(&o, PAPER, set, 2);
  snprintf(text, sizeof text, "C = %s%s", r->C, strcmp(scheme, "true") == 0 ? ", as in print" : "");
  const char *source = "event driven";
  bool tiny = r->ddelta_max<0.01, play = r->ddelta_max> 0;
  vf_check(TABLE, text, "phi1c_rms", measured(&o, "phi1c_rms"), r->phi_rms, 1e-3 * r->phi_rms,
           source);
  vf_check(TABLE, text, "phi1c_max", measured(&o, "phi1c_max"), r->phi_max, 1e-3 * r->phi_max,
           source);
  vf_check(TABLE, text, "dphi1c_rms", measured(&o, "dphi1c_rms"), r->dphi_rms, 1e-3 * r->dphi_rms,
           source);
  vf_check(TABLE, text, "dphi1c_max", measured(&o, "dphi1c_max"), r->dphi_max, 2e-3 * r->dphi_max,
           source);
  vf_check(TABLE, text, "ddelta_rms", measured(&o, "ddelta_rms"), r->ddelta_rms,
           play ? (tiny ? 3e-2 : 5e-3) * r->ddelta_rms : 1e-9, source);
  vf_check(TABLE, text, "ddelta_max", measured(&o, "ddelta_max"), r->ddelta_max,
           play ? (tiny ? 2e-2 : 3e-3) * r->ddelta_max : 1e-9, source);
  if (play)
    vf_check(TABLE, text, "pn_max", measured(&o, "pn_max"), r->pn, (tiny ? 3e-2 : 5e-3) * r->pn,
             source);
  vf_check(TABLE, text, "contact_fraction", measured(&o, "contact_fraction"), r->contact, 6e-3,
           source);
  vf_check(TABLE, text, "impacts_per_period", measured(&o, "impacts_per_period"), r->impacts, 1e-9,
           source);
  /* The penetration is at most the approach within one step. */
  vf_bound(TABLE, text, "overlap over C/L + dt |delta'|",
           fmax(0, measured(&o, "delta_max") - strtod(r->C, NULL) * 1e-6 / 0.04 -
                       1e-5 * measured(&o, "ddelta_max")),
           1e-12, "");
  forget(&o);
}

static void the_table(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) compare(&EVENT_DRIVEN[i], "false");
  for (int i = 0; i < 4; i++) compare(&EVENT_DRIVEN[i], "true");
}

/* ---- order ---- */

static void in_steps(double per_period, const char *C, const char *scheme, outcome *o) {
  char dt[60];
  snprintf(dt, sizeof dt, "period/%.0f", per_period);
  const hk_override set[] = {
      {"parameters.C", C}, {"analysis.paper", scheme}, {"parameters.dt", dt}};
  run_file(o, PAPER, set, 3);
}

/* With impacts, against the event-driven value. */
static double order_with_impacts(void) {
  static const char *const dt[] = {"4e-5 s", "2e-5 s", "1e-5 s", "5e-6 s", "2.5e-6 s"};
  double h[5], error[5];
  for (int i = 0; i < 5; i++) {
    outcome o;
    const hk_override set[] = {
        {"parameters.C", "10 um"}, {"analysis.paper", "true"}, {"parameters.dt", dt[i]}};
    run_file(&o, PAPER, set, 3);
    h[i] = strtod(dt[i], NULL);
    error[i] = fabs(measured(&o, "phi1c_rms") - 8.05325e-4);
    forget(&o);
  }
  return vf_slope(h, error, 5);
}

/* The published scheme is of first order everywhere; ours only at impacts. */
static void the_order_in_the_step(void **state) {
  (void)state;
  double h[4], rms[4], energy[4];
  for (int i = 0; i < 4; i++) {
    outcome o;
    double n = 1600 * (1 << i);
    h[i] = 1 / n;
    in_steps(n, "0 um", "true", &o);
    rms[i] = fabs(measured(&o, "phi1c_rms") - 7.73184e-4);
    forget(&o);
    in_steps(n, "50 um", "false", &o);
    energy[i] = fabs(measured(&o, "energy_error"));
    forget(&o);
  }
  vf_check(TABLE, "order", "as in print, phi1c_rms", vf_slope(h, rms, 4), 1, 0.06, "theory");
  vf_check(TABLE, "order", "as in print, C = 10 um", order_with_impacts(), 1, 0.06, "theory");
  vf_check(TABLE, "order", "energy balance with impacts", vf_slope(h, energy, 4), 1, 0.2, "theory");
}

/* Without friction and clearance: 1/|Ks e^2 - (J1 + I) W^2 + i W Cs e^2|, e = 1/cos b, I = I(0);
 * its change with the angle is of second order for an amplitude of 1e-3. */
static void the_linear_amplitude(void **state) {
  (void)state;
  const hk_override set[] = {
      {"parameters.C", "0 m"}, {"parameters.mu", "0"}, {"parameters.dt", "period/6280"}};
  vf_case c;
  vf_file(&c, PAPER, set, 3);
  vf_start(&c, NULL);
  const double T = 2 * M_PI / 100, h = T / 6280;
  double co = 0, si = 0;
  vf_advance(&c, 20 * T);
  for (int i = 0; i < 6280; i++) { /* exact for whole periods */
    vf_advance(&c, 20 * T + i * h);
    double x = vf_value(&c, "cross.angle");
    co += 2.0 / 6280 * x * cos(100 * i * h), si += 2.0 / 6280 * x * sin(100 * i * h);
  }
  vf_check(TABLE, "no friction, no clearance", "amplitude", hypot(co, si), 1.1217036e-3, 1e-9,
           "closed form");
  vf_check(TABLE, "no friction, no clearance", "lag", atan2(-co, si), .600609, 2e-6, "closed form");
  vf_close(&c);
}

/* ---- mechanisms ---- */

/* The slider-crank in minimal coordinates (angles of crank, rod and slider), explicit steps much
 * smaller than those of the test, impulses by sweeps over the corners [FloresLeineGlocker2010]. */
typedef struct crank {
  double q[3], u[3];
} crank;
enum { TINY = 2000 }; /* steps in a millisecond */

static void crank_mass(const double *q, double M[3][3]) {
  const double l1 = .153, l2 = .306, m1 = .038, m2 = .038, m3 = .076;
  double c = (m2 / 2 + m3) * l1 * l2 * cos(q[0] - q[1]);
  M[0][0] = 7.4e-5 + (m1 / 4 + m2 + m3) * l1 * l1, M[1][1] = 5.9e-4 + (m2 / 4 + m3) * l2 * l2;
  M[0][1] = M[1][0] = c, M[2][2] = 2.7e-6;
  M[0][2] = M[2][0] = M[1][2] = M[2][1] = 0;
}

static void crank_solve(double M[3][3], const double *f, double *x) {
  double det = M[0][0] * M[1][1] - M[0][1] * M[0][1];
  x[0] = (M[1][1] * f[0] - M[0][1] * f[1]) / det;
  x[1] = (M[0][0] * f[1] - M[0][1] * f[0]) / det;
  x[2] = f[2] / M[2][2];
}

/* Gap and rows of corner i: +-a along, +-b across. */
static double crank_corner(const double *q, int i, double N[3], double T[3]) {
  const double l1 = .153, l2 = .306, x = i < 2 ? .05 : -.05, y = i % 2 ? -.025 : .025;
  double side = i % 2 ? 1 : -1, c = cos(q[2]), s = sin(q[2]);
  double at = l1 * sin(q[0]) + l2 * sin(q[1]) + x * s + y * c;
  N[0] = side * l1 * cos(q[0]), N[1] = side * l2 * cos(q[1]), N[2] = side * (x * c - y * s);
  T[0] = -l1 * sin(q[0]), T[1] = -l2 * sin(q[1]), T[2] = -x * s - y * c;
  return .026 + side * at;
}

static void crank_step(crank *k, double h) {
  const double l1 = .153, l2 = .306, m2 = .038, m3 = .076, g = 9.81;
  double q[3], M[3][3], f[3], du[3], N[4][3], T[4][3], P[4][2] = {{0}}, u[3];
  bool closed[4];
  for (int i = 0; i < 3; i++) q[i] = k->q[i] + h / 2 * k->u[i];
  crank_mass(q, M);
  double c = (m2 / 2 + m3) * l1 * l2 * sin(q[0] - q[1]);
  f[0] = -c * k->u[1] * k->u[1] - (.038 / 2 + m2 + m3) * g * l1 * cos(q[0]);
  f[1] = c * k->u[0] * k->u[0] - (m2 / 2 + m3) * g * l2 * cos(q[1]);
  f[2] = 0;
  crank_solve(M, f, du);
  for (int i = 0; i < 3; i++) u[i] = k->u[i] + h * du[i];
  for (int i = 0; i < 4; i++) closed[i] = crank_corner(q, i, N[i], T[i]) <= 0;
  for (int sweep = 0; sweep < 200; sweep++) {
    double change = 0;
    for (int i = 0; i < 4; i++)
      for (int d = 0; closed[i] && d < 2; d++) {
        const double *W = d ? T[i] : N[i];
        double X[3], G = 0, xi = 0, e = d ? 0 : .4, before = P[i][d];
        crank_solve(M, W, X);
        for (int j = 0; j < 3; j++) G += W[j] * X[j], xi += W[j] * (u[j] + e * k->u[j]);
        double limit = .01 * P[i][0], next = before - xi / G;
        P[i][d] = d ? fmax(-limit, fmin(limit, next)) : fmax(0, next);
        for (int j = 0; j < 3; j++) u[j] += X[j] * (P[i][d] - before);
        change = fmax(change, fabs(P[i][d] - before));
      }
    if (change < 1e-15) break;
  }
  for (int i = 0; i < 3; i++) k->q[i] = q[i] + h / 2 * u[i], k->u[i] = u[i];
}

static void slider_crank_with_clearance(void **state) {
  (void)state;
  vf_case c;
  crank k = {{0, 0, 0}, {150, -75, 0}};
  double first = 0, energy;
  vf_file(&c, "examples/clearance/slider_crank.yaml", NULL, 0);
  vf_start(&c, NULL);
  energy = vf_value(&c, "energy");
  double start = energy;
  for (int i = 1; i <= 1000; i++) {
    vf_advance(&c, i * 1e-4);
    if (first == 0 && vf_value(&c, "impacts") > 0) first = i * 1e-4;
    double now = vf_value(&c, "energy");
    if (!(now <= energy + 1e-3)) fail_msg("energy %g J -> %g J at step %d", energy, now, i);
    energy = now;
  }
  for (int i = 0; i < 100 * TINY; i++) crank_step(&k, 1e-3 / TINY);
  vf_check(TABLE, "slider-crank", "first impact", first, 0.0028, 1e-9, "Siconos, h = 1e-4");
  vf_check(TABLE, "slider-crank", "revolutions at 0.1 s", vf_value(&c, "turns"),
           k.q[0] / (2 * M_PI), 5e-4, "minimal coordinates, h = 5e-7");
  vf_bound(TABLE, "slider-crank", "energy gained", fmax(0, energy - start), 0, "theory");
  /* The reference run of the Siconos project reaches 1.4909 revolutions, but at 1.5 revolutions its
   * crank is at 154.7 rad/s, more than the 150 rad/s that the whole initial energy would give
   * there. */
  vf_note(TABLE, "slider-crank", "revolutions compared with Siconos",
          vf_value(&c, "turns") / 1.4909, "");
  vf_close(&c);
}

/* Smaller steps give the same motion, and the violations of joints and contacts are small. */
static void four_bar_with_three_clearances(void **state) {
  (void)state;
  const char *dt[] = {"2e-4 s", "1e-4 s"};
  double x[2], y[2];
  for (int i = 0; i < 2; i++) {
    outcome o;
    const hk_override set[] = {{"parameters.dt", dt[i]}};
    run_file(&o, "examples/clearance/four_bar.yaml", set, 1);
    x[i] = measured(&o, "rocker_x"), y[i] = measured(&o, "coupler_y");
    for (int k = 1; k <= 3; k++) {
      char name[20];
      snprintf(name, sizeof name, "overlap_%d", k);
      vf_bound(TABLE, "four-bar", name, fmax(0, -measured(&o, name)), 1.5e-4, "h |v|");
    }
    vf_bound(TABLE, "four-bar", "joint_error", measured(&o, "joint_error"), 1e-10, "");
    vf_bound(TABLE, "four-bar", "contact merit", measured(&o, "merit"), 1e-10, "");
    forget(&o);
  }
  vf_check(TABLE, "four-bar", "rocker, x at 2 s", x[0], x[1], 1e-4, "half the step");
  vf_check(TABLE, "four-bar", "coupler, y at 2 s", y[0], y[1], 1e-4, "half the step");
}

/* Without clearance and friction the second joint cancels the speed variation of the first one. */
static void driveline_of_two_joints(void **state) {
  (void)state;
  const hk_override ideal[] = {{"parameters.C1", "0 m"}, {"parameters.C2", "0 m"}};
  vf_case c;
  vf_file(&c, "examples/ujoint_clearance/driveline.yaml", ideal, 2);
  vf_start(&c, NULL);
  double most = 0, middle = 0;
  for (int i = 1; i <= 2000; i++) {
    vf_advance(&c, i * 1e-4);
    double in = vf_value(&c, "input.angle_rate");
    most = fmax(most, fabs(vf_value(&c, "output.angle_rate") - in));
    middle = fmax(middle, fabs(vf_value(&c, "propeller.angle_rate") - in));
  }
  /* The joints are satisfied at the end of a step, the contacts at its middle: the difference is of
   * order h^2. */
  vf_bound(TABLE, "driveline, no clearance", "output less input speed", most, 1e-5, "homokinetic");
  vf_check(TABLE, "driveline, no clearance", "propeller shaft's ripple", middle / 100,
           1 / cos(15 * M_PI / 180) - 1, 4e-3, "1/cos b - 1");
  vf_close(&c);
  outcome o;
  run_file(&o, "examples/ujoint_clearance/driveline.yaml", NULL, 0);
  vf_bound(TABLE, "driveline", "joint_error", measured(&o, "joint_error"), 1e-10, "");
  vf_bound(TABLE, "driveline", "contact merit", measured(&o, "merit"), 1e-10, "");
  vf_check(TABLE, "driveline", "mean speed, out less in",
           measured(&o, "speed_out") - measured(&o, "speed_in"), 0, 0.01, "no slip");
  vf_bound(TABLE, "driveline", "energy error over losses",
           measured(&o, "energy_error") / measured(&o, "dissipated"), 1e-6, "");
  assert_true(measured(&o, "impacts1") > 100 && measured(&o, "impacts2") > 100);
  forget(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table),
      cmocka_unit_test(the_linear_amplitude),
      cmocka_unit_test(the_order_in_the_step),
      cmocka_unit_test(slider_crank_with_clearance),
      cmocka_unit_test(four_bar_with_three_clearances),
      cmocka_unit_test(driveline_of_two_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
