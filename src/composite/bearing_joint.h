/* What ball_bearing and roller_bearing share: one joint, three fidelities.
 *
 *   ideal         a joint: revolute, or cylindrical where the bearing carries no axial force
 *   linear        the force rolling_bearing, linearised about the position under `load`
 *   quasi_static  the force rolling_bearing: every element in equilibrium at every instant
 *
 * Frame a is on the outer ring and b on the inner ring, both in the middle of the rows with z along the axis.  Whatever
 * the fidelity, the joint has the sensors angle, axial and tilt, and the forces and moments on both sides that
 * every composite joint has; quasi_static adds those of the elements. */
#ifndef HK_COMPOSITE_BEARING_JOINT_H
#define HK_COMPOSITE_BEARING_JOINT_H
#include "composite/parts.h"
#include "force/rolling_bearing_params.h"
#include <hooke/joint.h>

enum { HK_BEARING_IDEAL, HK_BEARING_LINEARISED, HK_BEARING_QUASI_STATIC };
extern const char *const hk_bearing_fidelity_names[], *const hk_bearing_dimension_names[];
enum { HK_BEARING_GIVEN, HK_BEARING_TYPICAL };

typedef struct hk_bearing_joint {
  hk_joint_common joint;
  int fidelity, dimensions;
  hk_rolling_bearing_params of; /* `kind` counts from the first kind of the joint */
} hk_bearing_joint;

/* What an element is called in the table of a joint, and in its parts. */
typedef struct hk_bearing_words {
  const char *elements,
      *diameter; /* parameters "balls", "ball_diameter"; the part has the name of the first */
  hk_bearing_kind first;
} hk_bearing_words;

#define HK_BEARING_JOINT_PARAMS(kinds, elements_, diameter_)                                    \
  HK_PARAM_AS("fidelity", HK_PARAM_ENUM, hk_bearing_joint, fidelity, NULL, HK_REQUIRED,         \
              "ideal: a joint; linear: stiffness at `load`; quasi_static: every element in "    \
              "equilibrium",                                                                    \
              .choices = hk_bearing_fidelity_names),                                            \
      HK_PARAM_AS("kind", HK_PARAM_ENUM, hk_bearing_joint, of.kind, NULL, 0, "kind of bearing", \
                  .choices = kinds),                                                            \
      HK_PARAM_AS("dimensions", HK_PARAM_ENUM, hk_bearing_joint, dimensions, NULL, 0,           \
                  "given, or typical: those that are left out are estimated from bore and "     \
                  "outside",                                                                    \
                  .choices = hk_bearing_dimension_names),                                       \
      HK_PARAM_AS(elements_, HK_PARAM_INT, hk_bearing_joint, of.elements, NULL, 0,              \
                  "number in each row; linear, quasi_static",                                   \
                  HK_RANGE(3, HK_BEARING_MAX_ELEMENTS)),                                        \
      HK_PARAM_AS(diameter_, HK_PARAM_REAL, hk_bearing_joint, of.element_diameter, "m",         \
                  HK_POSITIVE, "diameter, of a tapered roller at its middle"),                  \
      HK_PARAM_AS("pitch_diameter", HK_PARAM_REAL, hk_bearing_joint, of.pitch_diameter, "m",    \
                  HK_POSITIVE, "diameter of the circle of their centres"),                      \
      HK_BEARING_COMMON_PARAMS(hk_bearing_joint, of.)

#define HK_BEARING_JOINT_CHANNELS                                                        \
  {"angle", "rad", "turn of b about the axis of a"},                                     \
      {"tilt", "rad", "misalignment: angle between the axes of a and b"},                \
      {"axial", "m", "displacement of b along the axis of a"},                           \
      {"load_max", "N", "largest load of an element on a race; quasi_static"},           \
      {"pressure_max", "Pa", "maximum Hertzian pressure; quasi_static"},                 \
      {"loaded", "1", "number of elements loaded by the inner race; quasi_static"},      \
      {"friction_torque", "N*m", "friction moment on b about the axis; quasi_static"}, { \
    "cage_angle", "rad", "angle of the cage relative to a; quasi_static"                 \
  }

hk_status hk_bearing_joint_expand(const hk_item *item, const hk_bearing_words *words, hk_spec *spec,
                                  hk_error *err);
void hk_bearing_joint_draw(const hk_item *item, const hk_bearing_words *words,
                           struct hk_drawing *d);
/* For hk_type.sample and stage. */
hk_status hk_bearing_joint_sample(hk_item *item, const hk_bearing_words *words, hk_error *err);
void hk_bearing_joint_stage(const hk_item *item, hk_stage *stage);
#endif
