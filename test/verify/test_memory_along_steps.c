/* No event within a step is missed if expressions read a force that remembers its past. Such a force is evaluated at the
 * end of a step before the step is accepted (search of loads) and after it (measures, events): both must agree. */
#include "verify/along_steps.h"

/* ---- a Maxwell element ---- */

static const double K = 400, STIFFNESS = 200, DAMPING = 5; /* N/m, N/m, N*s/m */

/* x'' = -K x - f + p(f), f' = k x' - f k/d, with the small load p, which the search of loads follows. */
static void rates(const double y[3], double out[3]) {
  double u = (fabs(y[2]) - 2) / 0.1;
  out[0] = y[1];
  out[1] = -K * y[0] - y[2] + 0.5 * exp(-u * u);
  out[2] = STIFFNESS * y[1] - y[2] * STIFFNESS / DAMPING;
}

/* Integrates by the classical Runge-Kutta method until the force, which soon is a compression, reaches a level; returns
 * the time and the rate of the force. The length of the element is x, which stays positive. */
static double time_of(double level, double *rate) {
  double y[3] = {0.2, 1, 0}, h = 1e-6, t = 0, k[4][3], z[3];
  for (;; t += h) {
    double before = -y[2];
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < 3; j++) z[j] = y[j] + (s ? (s < 3 ? 0.5 : 1) * h * k[s - 1][j] : 0);
      rates(z, k[s]);
    }
    for (int j = 0; j < 3; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    *rate = -k[0][2];
    if (-y[2] >= level) return t + (level - before) / *rate;
  }
}

static const char MAXWELL[] =
    "bodies: {m: {type: point_mass, mass: 1 kg, position: [0.2 m, 0, 0], velocity: [1 m/s, 0, "
    "0]}}\n"
    "forces:\n"
    "  k: {type: load, b: m, force: [\"-400 N/m*m.x\", 0, 0]}\n"
    "  d: {type: maxwell, a: ground, b: m, stiffness: 200 N/m, damping: 5 N*s/m}\n"
    "  p: {type: load, b: m, force: [\"0.5 N*exp(-((d.force-2 N)/(0.1 N))^2)\", 0, 0]}\n";

/* All steppers with adaptive steps that accept forces with memory. */
static const char *const STEPPERS[] = {"trapezoidal", "generalized_alpha", "multistep", "adams",
                                       "bdf",         "nonsmooth_alpha"};
enum { N_STEPPERS = sizeof STEPPERS / sizeof *STEPPERS };

static void test_measures_of_a_maxwell_element(void **state) {
  (void)state;
  const double width = 0.002, duration = 0.05;
  double rate, t = time_of(5, &rate);
  assert_true(t < duration);
  for (int i = 0; i < N_STEPPERS; i++) {
    char text[1500], name[80];
    snprintf(text, sizeof text,
             "%ssensors: {s: {value: \"exp(-((d.force-5 N)/(%g N))^2)\"}}\n"
             "measures: {top: {of: s, take: max}, mean: {of: s, take: mean}}\n"
             "analysis: {duration: %g s, rtol: 1e-6, stepper: %s}\n",
             MAXWELL, width, duration, STEPPERS[i]);
    snprintf(name, sizeof name, "force of a Maxwell element, %s", STEPPERS[i]);
    RUN(name, "Runge-Kutta", text, {"top", 1, 1e-6},
        {"mean", width * sqrt(M_PI) / rate / duration, 1e-6});
  }
}

/* The event must stop the run where it happens, and not at the end of the step. */
static void test_event_of_a_maxwell_element(void **state) {
  (void)state;
  const double width = 0.0005;
  double rate, t = time_of(9 - width * sqrt(log(2)), &rate);
  for (int i = 0; i < N_STEPPERS; i++) {
    char text[1500], name[80];
    snprintf(text, sizeof text,
             "%sevents: {hit: {when: \"exp(-((d.force-9 N)/(%g N))^2) > 0.5\", stop: true}}\n"
             "sensors: {clock: {value: t}}\n"
             "measures: {end: {of: clock, take: final}}\n"
             "analysis: {duration: 0.09 s, rtol: 1e-7, stepper: %s}\n",
             MAXWELL, width, STEPPERS[i]);
    snprintf(name, sizeof name, "event of a Maxwell element, %s", STEPPERS[i]);
    RUN(name, "Runge-Kutta", text, {"end", t, 2e-5});
  }
}

/* ---- a rolling bearing: it remembers the angle of its cage ---- */

static void test_force_of_a_bearing(void **state) {
  (void)state;
  /* joints: without the trapezoidal stepper */
  for (int i = 1; i < N_STEPPERS; i++) {
    char text[2000], name[80];
    snprintf(text, sizeof text,
             "bodies: {shaft: {mass: 3 kg, inertia: [0.024 kg*m^2, 0.024 kg*m^2, 0.0012 kg*m^2], "
             "center_of_mass: [20 um, 0, 0], angular_velocity: [0, 0, 6000 rpm]}}\n"
             "joints: {plane: {type: planar, b: shaft, axis: z}}\n"
             "sensors: {s: {value: \"exp(-((r.fx-30 N)/(1 N))^2)\"}}\n"
             "forces:\n"
             "  weight: {type: load, b: shaft, force: [0, -30 N, 0]}\n"
             "  r: {type: rolling_bearing, kind: deep_groove, b: shaft, elements: 9, "
             "element_diameter: 9.525 mm, pitch_diameter: 46 mm, conformity_outer: 0.52, damping: "
             "200 N*s/m}\n"
             "  p: {type: load, b: shaft, force: [\"0.5 N*exp(-((r.fx-5 N)/(0.5 N))^2)\", 0, 0]}\n"
             "measures: {top: {of: s, take: max}, mean: {of: s, take: mean}}\n"
             "analysis: {duration: 10 ms, rtol: 1e-11, atol: 1e-13, stepper: %s}\n",
             STEPPERS[i]);
    snprintf(name, sizeof name, "force of a rolling bearing, %s", STEPPERS[i]);
    RUN(name, "bdf, rtol 1e-12", text, {"top", 1, 1e-3}, {"mean", 0.0187781, 2e-5});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_measures_of_a_maxwell_element),
      cmocka_unit_test(test_event_of_a_maxwell_element),
      cmocka_unit_test(test_force_of_a_bearing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
