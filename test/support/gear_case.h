/* The test gears of the rig of examples/gear_rig as input of the finite elements. */
#ifndef HK_TEST_GEAR_CASE_H
#define HK_TEST_GEAR_CASE_H
#include "fe/gear_fe.h"
#include <math.h>

static const double RIG_PITCH_ROLL = 27.865620e-3, RIG_PATH = 6.297322e-3, RIG_BASE = 69.63122e-3;

/* 57 teeth, module 2.6 mm, 20 deg, x = 0.361389; the web is 7.67 mm between r = 35 and 66.07 mm. */
static inline hk_fe_gear rig_gear(bool web) {
  double m = 2.6e-3, a = 20 * M_PI / 180, z = 57, x = 0.361389;
  double half = M_PI / (2 * z) + 2 * x * tan(a) / z + tan(a) - a - 1e-4 / (4 * RIG_BASE);
  hk_fe_gear g = {.slices = 3,
                  .stations = 25,
                  .reach = 1,
                  .roll_first = RIG_PITCH_ROLL - RIG_PATH,
                  .roll_last = RIG_PITCH_ROLL + RIG_PATH};
  g.body = (hk_fe_body){.tooth = {.teeth = 57,
                                  .base_radius = RIG_BASE,
                                  .tip_radius = 77.56039e-3,
                                  .root_radius = 71.78961e-3,
                                  .half_angle = half,
                                  .reference_radius = m * z / 2,
                                  .pressure_angle = a,
                                  .corner_radius = 0.38 * m},
                        .face_width = 23e-3,
                        .bore_radius = 20e-3,
                        .youngs_modulus = 210e9,
                        .poisson_ratio = 0.3};
  if (web) g.body.web_thickness = 7.67e-3, g.body.web_inner = 35e-3, g.body.web_outer = 66.07e-3;
  return g;
}
#endif
