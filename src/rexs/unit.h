/* Units of REXS. */
#ifndef HK_REXS_UNIT_H
#define HK_REXS_UNIT_H
#include <stdbool.h>

typedef enum hk_rexs_dim {
  HK_REXS_NUMBER, /* "none" and "%" */
  HK_REXS_LENGTH,
  HK_REXS_ANGLE,
  HK_REXS_SPEED, /* rad/s */
  HK_REXS_FORCE,
  HK_REXS_TORQUE,
  HK_REXS_POWER,
  HK_REXS_MASS,
  HK_REXS_INERTIA,
  HK_REXS_DENSITY,
  HK_REXS_PRESSURE,
  HK_REXS_STIFFNESS,
  HK_REXS_ROTATIONAL_STIFFNESS,
  HK_REXS_VISCOSITY,   /* kinematic */
  HK_REXS_TEMPERATURE, /* degrees Celsius */
  HK_REXS_ACCELERATION,
  HK_REXS_DIRECTION, /* components of a direction; any unit is accepted */
  HK_REXS_N_DIMS
} hk_rexs_dim;

/* Finds the factor that converts a unit, in the spelling of REXS files, to SI units. False: the unit is unknown or
 * has another dimension. */
bool hk_rexs_unit_factor(const char *unit, hk_rexs_dim dim, double *factor);
/* Name of the dimension in messages, such as "a length". */
const char *hk_rexs_dim_name(hk_rexs_dim dim);
#endif
