/* Energy integrals of prescribed motions.  Positions are then exact for steps of any length, so
 * that the error of the motion does not limit the steps; the work of motions and the losses have
 * the same error, which the energy balance does not show.  Therefore they are compared with closed
 * forms, with default settings and with tolerances. */
#include "verify/verify.h"
#include <hooke/run.h>
#include <stdio.h>
#include <string.h>

typedef struct case_of {
  const char *name, *measure;
  double value;
  double duration; /* [s] */
  const char *text;
} case_of;

/* x = A sin(w t) against a damper: c A^2 w^2 (T/2 + sin(2 w T)/(4 w)).  Angle w t against the
 * torque -M (1 + cos(3 angle)/2): -M (w T + sin(3 w T)/6), also with a free rotor and a state in
 * the model. The losses of the slider-crank are reference values computed with 20 000 and with 80
 * 000 steps of order 10, which agree to 9 digits. */
#define DAMPER                                                                                 \
  "bodies: {m: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 2 kg, position: [1 m, 0, 0]}}\n" \
  "joints: {guide: {type: prismatic, b: m, at: [1 m, 0, 0], axis: x}}\n"                       \
  "forces: {damper: {type: spring_damper, a: ground, b: m, length: 1 m, stiffness: 0 N/m, "    \
  "damping: 5 N*s/m}}\n"                                                                       \
  "motions: {drive: {coordinate: guide.displacement, value: \"0.1 m * sin(20 rad/s * t)\"}}\n" \
  "measures: {losses: {of: energy.dissipated, take: final}}\n"
#define ROTOR(bodies, more)                                           \
  "bodies: {r: {type: rotor, inertia: 1 kg*m^2}" bodies               \
  "}\n"                                                               \
  "forces: {f: {type: actuator, coordinate: r.angle, "                \
  "force: \"-2 N*m * (1 + 0.5*cos(3*r.angle/(1 rad)))\"}}\n" more     \
  "motions: {drive: {coordinate: r.angle, value: \"7 rad/s * t\"}}\n" \
  "measures:\n"                                                       \
  "  load: {of: energy.applied_work, take: final}\n"                  \
  "  work: {of: energy.motion_work, take: final}\n"                   \
  "  torque: {of: drive.effort, take: rms}\n"
#define CRANK                                                                                   \
  "parameters: {r: 60 mm, l: 200 mm}\n"                                                         \
  "bodies:\n"                                                                                   \
  "  crank: {type: rod, length: r, mass: 0.3 kg, position: [r/2, 0, 0]}\n"                      \
  "  rod: {type: rod, length: l, mass: 0.5 kg, position: [r + l/2, 0, 0]}\n"                    \
  "  slider: {type: box, size: [40 mm, 40 mm, 40 mm], mass: 0.8 kg, position: [r + l, 0, 0]}\n" \
  "joints:\n"                                                                                   \
  "  main: {type: revolute, b: crank.start, axis: z}\n"                                         \
  "  big_end: {type: spherical, a: crank.end, b: rod.start}\n"                                  \
  "  small_end: {type: universal, a: slider, b: rod.end, axis: x}\n"                            \
  "  guide: {type: prismatic, b: slider, at: [r + l, 0, 0], axis: x}\n"                         \
  "forces:\n"                                                                                   \
  "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"                              \
  "  rub: {type: joint_friction, joint: guide, mu: 0.1}\n"                                      \
  "  buffer: {type: spring_damper, a: ground, b: slider, length: 0.3 m, stiffness: 500 N/m, "   \
  "damping: 5 N*s/m}\n"                                                                         \
  "motions: {drive: {coordinate: main.angle, value: 300 rpm * t}}\n"                            \
  "measures: {losses: {of: energy.dissipated, take: final}}\n"

static void run_case(const case_of *k, const char *settings, double limit) {
  vf_case c;
  hk_run_report report;
  char name[120];
  vf_text(&c, "%sanalysis: {duration: %g s%s}\n", k->text, k->duration, settings);
  hk_status status = hk_run(c.model, &(hk_run_options){0}, &report, &c.diag);
  if (status) fail_msg("%s%s: %s", k->name, settings, report.error.text);
  double value = NAN;
  for (int i = 0; i < report.n_measures; i++)
    if (strcmp(report.measure[i].name, k->measure) == 0) value = report.measure[i].value;
  snprintf(name, sizeof name, "%s%s", k->name, settings);
  vf_check("energy_integrals", name, k->measure, value, k->value, limit * fabs(k->value),
           "closed form");
  hk_run_report_free(&report);
  vf_close(&c);
}

static void test_prescribed_motion(void **state) {
  (void)state;
  const double turned = 35 + sin(105) / 6,
               squared = 35 + sin(105) / 3 + 0.25 * (17.5 + sin(210) / 12);
  const case_of every[] = {
      {"oscillation against a damper", "losses", 20 * (1.5 + sin(120) / 80), 3, DAMPER},
      {"rotation against a torque", "load", -2 * turned, 5, ROTOR("", "")},
      {"rotation against a torque", "work", 2 * turned, 5, ROTOR("", "")},
      {"rotation against a torque", "torque", 2 * sqrt(squared / 35), 5, ROTOR("", "")},
      {"slider-crank with friction", "losses", 4.38286219, 0.4, CRANK},
  };
  static const char *const stepper[] = {"adams", "bdf", "multistep"};
  for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
    run_case(&every[i], "", 2e-6);
    /* The energy error of a step may be 30 times the tolerance of the current energy, that of 300
     * steps 1e4 times. */
    for (int s = 0; s < 3; s++)
      for (double rtol = 1e-7; rtol > 5e-12; rtol /= 100) {
        char settings[80];
        snprintf(settings, sizeof settings, ", stepper: %s, rtol: %g", stepper[s], rtol);
        run_case(&every[i], settings, 1e4 * rtol);
      }
    if (strcmp(every[i].measure, "torque") != 0)
      run_case(&every[i], ", stepper: generalized_alpha, rtol: 1e-7", 1e-4);
  }
}

/* A free rotor has no integration error: the energy error of the driven rotor must limit the
 * steps. */
static void test_beside_free_bodies(void **state) {
  (void)state;
  const double turned = 35 + sin(105) / 6;
  const case_of beside = {"rotation beside a free rotor", "load", -2 * turned, 5,
                          ROTOR(", p: {type: rotor, inertia: 1 kg*m^2, rate: 1 rad/s}", "")};
  run_case(&beside, "", 1e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_prescribed_motion),
                                     cmocka_unit_test(test_beside_free_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
