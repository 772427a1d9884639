/* Units of REXS: see unit.h.  Some units are written in several ways, depending on the version and the program. */
#include "rexs/unit.h"
#include <math.h>
#include <string.h>

static const struct unit {
  const char *name;
  hk_rexs_dim dim;
  double factor;
} UNITS[] = {
    {"none", HK_REXS_NUMBER, 1},
    {"", HK_REXS_NUMBER, 1},
    {"%", HK_REXS_NUMBER, 0.01},
    {"mm", HK_REXS_LENGTH, 1e-3},
    {"m", HK_REXS_LENGTH, 1},
    {"mum", HK_REXS_LENGTH, 1e-6},
    {"\xC2\xB5m", HK_REXS_LENGTH, 1e-6},
    {"deg", HK_REXS_ANGLE, M_PI / 180},
    {"degree", HK_REXS_ANGLE, M_PI / 180},
    {"\xC2\xB0", HK_REXS_ANGLE, M_PI / 180},
    {"rad", HK_REXS_ANGLE, 1},
    {"1 / min", HK_REXS_SPEED, M_PI / 30},
    {"rad / s", HK_REXS_SPEED, 1},
    {"N", HK_REXS_FORCE, 1},
    {"kN", HK_REXS_FORCE, 1e3},
    {"N m", HK_REXS_TORQUE, 1},
    {"W", HK_REXS_POWER, 1},
    {"kW", HK_REXS_POWER, 1e3},
    {"kg", HK_REXS_MASS, 1},
    {"kg m^2", HK_REXS_INERTIA, 1},
    {"kg / dm^3", HK_REXS_DENSITY, 1e3},
    {"N / mm^2", HK_REXS_PRESSURE, 1e6},
    {"MPa", HK_REXS_PRESSURE, 1e6},
    {"Pa", HK_REXS_PRESSURE, 1},
    {"N / m", HK_REXS_STIFFNESS, 1},
    {"N / mm", HK_REXS_STIFFNESS, 1e3},
    {"N mm / rad", HK_REXS_ROTATIONAL_STIFFNESS, 1e-3},
    {"N m / rad", HK_REXS_ROTATIONAL_STIFFNESS, 1},
    {"mm^2 / s", HK_REXS_VISCOSITY, 1e-6},
    {"C", HK_REXS_TEMPERATURE, 1},
    {"m / s^2", HK_REXS_ACCELERATION, 1},
};

bool hk_rexs_unit_factor(const char *unit, hk_rexs_dim dim, double *factor) {
  *factor = 1;
  if (dim == HK_REXS_DIRECTION) return true;
  for (unsigned i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
    if (UNITS[i].dim == dim && strcmp(UNITS[i].name, unit) == 0) {
      *factor = UNITS[i].factor;
      return true;
    }
  return false;
}

const char *hk_rexs_dim_name(hk_rexs_dim dim) {
  static const char *const NAMES[HK_REXS_N_DIMS] = {"a number",
                                                    "a length",
                                                    "an angle",
                                                    "a speed",
                                                    "a force",
                                                    "a torque",
                                                    "a power",
                                                    "a mass",
                                                    "an inertia",
                                                    "a density",
                                                    "a pressure",
                                                    "a stiffness",
                                                    "a rotational stiffness",
                                                    "a viscosity",
                                                    "a temperature",
                                                    "an acceleration",
                                                    "a direction"};
  return NAMES[dim];
}
