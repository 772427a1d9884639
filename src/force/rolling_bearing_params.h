/* Lines of parameter tables that the force rolling_bearing and the joints made of it share.  S: the
 * struct, `in`: the member of S that holds hk_rolling_bearing_params, followed by a dot; empty if S
 * is this struct. */
#ifndef HK_FORCE_ROLLING_BEARING_PARAMS_H
#define HK_FORCE_ROLLING_BEARING_PARAMS_H
#include "force/rolling_bearing.h"
#include <hooke/param.h>

/* Bearings with balls. */
#define HK_BEARING_BALL_PARAMS(S, in)                                                           \
  HK_PARAM_AS(                                                                                  \
      "control", HK_PARAM_ENUM, S, in control, NULL, 0,                                         \
      "race that resists the gyroscopic moment; `load`: both, in proportion to their loads",    \
      .choices = hk_bearing_control_names),                                                     \
      HK_PARAM_AS("conformity_inner", HK_PARAM_REAL, S, in conformity_inner, NULL, 0,           \
                  "radius of the inner groove divided by the ball diameter", HK_RANGE(0.5, 1)), \
      HK_PARAM_AS("conformity_outer", HK_PARAM_REAL, S, in conformity_outer, NULL, 0,           \
                  "radius of the outer groove divided by the ball diameter", HK_RANGE(0.5, 1)), \
      HK_PARAM_AS("shoulder_inner", HK_PARAM_REAL, S, in shoulder_inner, "m", 0,                \
                  "height of the inner shoulder over its groove", HK_MIN(0)),                   \
      HK_PARAM_AS("shoulder_outer", HK_PARAM_REAL, S, in shoulder_outer, "m", 0,                \
                  "height of the outer shoulder over its groove", HK_MIN(0)),                   \
      HK_PARAM_AS("spin_friction", HK_PARAM_REAL, S, in spin_friction, NULL, 0,                 \
                  "coefficient of friction for drilling (spinning) of balls on the inner race", \
                  HK_RANGE(0, 1))

/* Bearings with rollers. */
#define HK_BEARING_ROLLER_PARAMS(S, in)                                                            \
  HK_PARAM_AS("roller_length", HK_PARAM_REAL, S, in roller_length, "m", 0,                         \
              "length of a roller in contact with the races", HK_MIN(0)),                          \
      HK_PARAM_AS("slices", HK_PARAM_INT, S, in slices, NULL, 0, "number of slices of a roller",   \
                  HK_RANGE(1, HK_ROLLER_MAX_SLICES)),                                              \
      HK_PARAM_AS("profile", HK_PARAM_ENUM, S, in profile, NULL, 0,                                \
                  "profile of the rollers along their length",                                     \
                  .choices = hk_bearing_profile_names),                                            \
      HK_PARAM_AS("taper", HK_PARAM_REAL, S, in taper, "rad", 0,                                   \
                  "half of the cone angle of a tapered roller", HK_RANGE(0, 0.5)),                 \
      HK_PARAM_AS("osculation", HK_PARAM_REAL, S, in osculation, NULL, 0,                          \
                  "spherical rollers: radius of their profile divided by that of the races",       \
                  HK_RANGE(0.5, 1)),                                                               \
      HK_PARAM_AS("rib_height", HK_PARAM_REAL, S, in rib_height, "m", 0,                           \
                  "height of the rib contact over the inner race; default: 0.15 roller diameters", \
                  HK_MIN(0))

/* All bearings. */
#define HK_BEARING_COMMON_PARAMS(S, in)                                                            \
  HK_PARAM_AS("dynamics", HK_PARAM_ENUM, S, in dynamics, NULL, 0,                                  \
              "inertia of the elements: none, centrifugal force, or gyroscopic moment as well",    \
              .choices = hk_bearing_dynamics_names),                                               \
      HK_PARAM_AS("contact_angle", HK_PARAM_REAL, S, in contact_angle, "rad", 0,                   \
                  "unloaded contact angle of angular_contact, four_point and spherical rollers; "  \
                  "at the outer race, of tapered rollers",                                         \
                  HK_RANGE(0, 1.5)),                                                               \
      HK_PARAM_AS("clearance", HK_PARAM_REAL, S, in clearance, "m", 0,                             \
                  "diametral clearance before mounting; negative: interference", HK_RANGE(-1, 1)), \
      HK_PARAM_AS("rows", HK_PARAM_INT, S, in rows, NULL, 0, "rows of elements",                   \
                  HK_RANGE(1, HK_BEARING_MAX_ROWS)),                                               \
      HK_PARAM_AS(                                                                                 \
          "arrangement", HK_PARAM_ENUM, S, in arrangement, NULL, 0,                                \
          "orientation of rows with a contact angle: all in the same direction, or in two groups", \
          .choices = hk_bearing_arrangement_names),                                                \
      HK_PARAM_AS("thrust", HK_PARAM_ENUM, S, in thrust, NULL, 0,                                  \
                  "direction of the forces on b that `tandem` rows support: +z or -z",             \
                  .choices = hk_bearing_thrust_names),                                             \
      HK_PARAM_AS(                                                                                 \
          "forward_rows", HK_PARAM_INT, S, in forward_rows, NULL, 0,                               \
          "rows that support forces on b along +z, if there are two groups; 0: half of the rows",  \
          HK_RANGE(0, HK_BEARING_MAX_ROWS)),                                                       \
      HK_PARAM_AS("row_distance", HK_PARAM_REAL, S, in row_distance, "m", 0,                       \
                  "distance between neighbouring rows, along z", HK_MIN(0)),                       \
      HK_PARAM_AS("preload", HK_PARAM_REAL, S, in preload, "N", 0,                                 \
                  "axial force of each group of rows if the frames coincide", HK_MIN(0)),          \
      HK_PARAM_AS("preload_displacement", HK_PARAM_REAL, S, in preload_displacement, "m", 0,       \
                  "axial preload displacement of each row, instead of preload", HK_RANGE(-1, 1)),  \
      HK_PARAM_AS("youngs_modulus", HK_PARAM_REAL, S, in youngs_modulus, "Pa", HK_POSITIVE,        \
                  "Young's modulus of the rings"),                                                 \
      HK_PARAM_AS("poisson_ratio", HK_PARAM_REAL, S, in poisson_ratio, NULL, 0,                    \
                  "Poisson's ratio of the rings", HK_RANGE(0, 0.49)),                              \
      HK_PARAM_AS("element_youngs_modulus", HK_PARAM_REAL, S, in element_youngs_modulus, "Pa",     \
                  HK_POSITIVE, "Young's modulus of the elements; default: as the rings"),          \
      HK_PARAM_AS("element_poisson_ratio", HK_PARAM_REAL, S, in element_poisson_ratio, NULL, 0,    \
                  "Poisson's ratio of the elements; default: as the rings", HK_RANGE(0, 0.49)),    \
      HK_PARAM_AS("density", HK_PARAM_REAL, S, in density, "kg/m^3", HK_POSITIVE,                  \
                  "density of the elements and of the inner ring"),                                \
      HK_PARAM_AS("bore", HK_PARAM_REAL, S, in bore, "m", 0,                                       \
                  "bore diameter of the inner ring, for fits and centrifugal growth", HK_MIN(0)),  \
      HK_PARAM_AS("outside", HK_PARAM_REAL, S, in outside, "m", 0,                                 \
                  "outside diameter of the outer ring, for fits", HK_MIN(0)),                      \
      HK_PARAM_AS("shaft_bore", HK_PARAM_REAL, S, in shaft_bore, "m", 0,                           \
                  "inner diameter of a hollow shaft", HK_MIN(0)),                                  \
      HK_PARAM_AS("housing_outside", HK_PARAM_REAL, S, in housing_outside, "m", 0,                 \
                  "outside diameter of the housing; 0: very thick", HK_MIN(0)),                    \
      HK_PARAM_AS("interference_shaft", HK_PARAM_REAL, S, in interference_shaft, "m", 0,           \
                  "diametral interference between inner ring and shaft", HK_RANGE(0, 1)),          \
      HK_PARAM_AS("interference_housing", HK_PARAM_REAL, S, in interference_housing, "m", 0,       \
                  "diametral interference between outer ring and housing", HK_RANGE(0, 1)),        \
      HK_PARAM_AS("temperature_difference", HK_PARAM_REAL, S, in temperature_difference, "K", 0,   \
                  "temperature of inner ring and elements minus that of the outer ring; steel",    \
                  HK_RANGE(-1000, 1000)),                                                          \
      HK_PARAM_AS("friction", HK_PARAM_REAL, S, in friction, NULL, 0,                              \
                  "coefficient of rolling friction: moment divided by half the pitch diameter "    \
                  "and by the sum of all loads",                                                   \
                  HK_RANGE(0, 1)),                                                                 \
      HK_PARAM_AS("viscous_factor", HK_PARAM_REAL, S, in viscous_factor, NULL, 0,                  \
                  "f0 of Palmgren's viscous moment", HK_MIN(0)),                                   \
      HK_PARAM_AS("viscosity", HK_PARAM_REAL, S, in viscosity, "Pa s", 0,                          \
                  "dynamic viscosity of the oil", HK_MIN(0)),                                      \
      HK_PARAM_AS("pressure_viscosity", HK_PARAM_REAL, S, in pressure_viscosity, "1/Pa", 0,        \
                  "pressure-viscosity coefficient of the oil", HK_MIN(0)),                         \
      HK_PARAM_AS("roughness", HK_PARAM_REAL, S, in roughness, "m", 0,                             \
                  "combined r.m.s. roughness of race and element", HK_MIN(0)),                     \
      HK_PARAM_AS("damping", HK_PARAM_REAL, S, in damping, "N s/m", 0,                             \
                  "damping of the films of one loaded element, along its contacts", HK_MIN(0)),    \
      HK_PARAM_AS("damping_depth", HK_PARAM_REAL, S, in damping_depth, "m", HK_POSITIVE,           \
                  "contact deflection at which that damping is fully effective"),                  \
      HK_PARAM_AS("size_error", HK_PARAM_REALS, S, in size_error, "m", HK_UP_TO | HK_COUNTED,      \
                  "deviation of the diameter of each element from nominal, row by row",            \
                  .count = HK_BEARING_MAX_SIZES, .each = "element"),                               \
      HK_PARAM_AS("waviness_inner", HK_PARAM_REALS, S, in waviness_inner, "m",                     \
                  HK_UP_TO | HK_COUNTED,                                                           \
                  "material removed from the inner race: amplitudes of the orders 1, 2, ...",      \
                  .count = HK_BEARING_MAX_ORDERS),                                                 \
      HK_PARAM_AS("waviness_outer", HK_PARAM_REALS, S, in waviness_outer, "m",                     \
                  HK_UP_TO | HK_COUNTED,                                                           \
                  "material removed from the outer race: amplitudes of the orders 1, 2, ...",      \
                  .count = HK_BEARING_MAX_ORDERS),                                                 \
      HK_PARAM_AS("waviness_inner_phase", HK_PARAM_REALS, S, in waviness_inner_phase, "rad",       \
                  HK_UP_TO, "angles of b at which these waves have their maximum",                 \
                  .count = HK_BEARING_MAX_ORDERS),                                                 \
      HK_PARAM_AS("waviness_outer_phase", HK_PARAM_REALS, S, in waviness_outer_phase, "rad",       \
                  HK_UP_TO, "angles of a at which these waves have their maximum",                 \
                  .count = HK_BEARING_MAX_ORDERS),                                                 \
      HK_PARAM_AS("spall_inner", HK_PARAM_REAL, S, in spall_inner, "m", 0,                         \
                  "depth of a spall on the inner race", HK_MIN(0)),                                \
      HK_PARAM_AS("spall_outer", HK_PARAM_REAL, S, in spall_outer, "m", 0,                         \
                  "depth of a spall on the outer race", HK_MIN(0)),                                \
      HK_PARAM_AS("spall_element", HK_PARAM_REAL, S, in spall_element, "m", 0,                     \
                  "depth of a spall on one element", HK_MIN(0)),                                   \
      HK_PARAM_AS("spall_inner_at", HK_PARAM_REAL, S, in spall_inner_at, "rad", 0,                 \
                  "angle of the inner spall from the x axis of b"),                                \
      HK_PARAM_AS("spall_outer_at", HK_PARAM_REAL, S, in spall_outer_at, "rad", 0,                 \
                  "angle of the outer spall from the x axis of a"),                                \
      HK_PARAM_AS("spall_width", HK_PARAM_REAL, S, in spall_width, "rad", 0,                       \
                  "angular width of the spalls", HK_RANGE(0, 3)),                                  \
      HK_PARAM_AS("spalled_element", HK_PARAM_INT, S, in spalled_element, NULL, 0,                 \
                  "index of the element with a spall", HK_RANGE(0, HK_BEARING_MAX_ELEMENTS - 1)),  \
      HK_PARAM_AS("rating", HK_PARAM_REAL, S, in rating, "N", 0,                                   \
                  "basic dynamic load rating of one row, for life", HK_MIN(0)),                    \
      HK_PARAM_AS("fatigue_load", HK_PARAM_REAL, S, in fatigue_load, "N", 0,                       \
                  "fatigue load limit, for the modified life", HK_MIN(0)),                         \
      HK_PARAM_AS("contamination", HK_PARAM_REAL, S, in contamination, NULL, 0, "e_C of ISO 281",  \
                  HK_RANGE(0, 1)),                                                                 \
      HK_PARAM_AS("load", HK_PARAM_VEC3, S, in load, "N", 0,                                       \
                  "force on b, in the axes of a, for `hooke bearing` and `linear`"),               \
      HK_PARAM_AS("moment", HK_PARAM_VEC3, S, in moment, "N m", 0,                                 \
                  "moment on b, in the axes of a, for `hooke bearing` and `linear`; given: the "   \
                  "ring may tilt"),                                                                \
      HK_PARAM_AS("speed", HK_PARAM_REAL, S, in speed, "rad/s", 0,                                 \
                  "angular velocity of b relative to a, for `hooke bearing` and `linear`")

#define HK_BEARING_DEFAULTS                                                                   \
  .rows = 1, .elements = 9, .slices = 30, .conformity_inner = 0.52, .conformity_outer = 0.53, \
  .taper = 0.035, .osculation = 0.98, .youngs_modulus = 208e9, .poisson_ratio = 0.3,          \
  .element_youngs_modulus = 208e9, .element_poisson_ratio = 0.3, .density = 7800,             \
  .damping_depth = 1e-7, .contamination = 0.5
#endif
