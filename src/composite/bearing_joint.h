/* Common part of ball_bearing and roller_bearing: one joint, several fidelities.
 *
 *   ideal         a joint: revolute, or cylindrical where the bearing carries no axial force
 *   linear        the force rolling_bearing, linearised about the position under `load`
 *   quasi_static  the force rolling_bearing: every element in equilibrium at every instant
 *   full          balls and cage are bodies: bearing_full.c; ball_bearing only
 *
 * Frame `a` is on the outer ring and frame `b` on the inner ring, both in the middle of the rows with z along the
 * axis. At every fidelity, the joint has the sensors `angle`, `axial` and `tilt`, and the forces and moments on both
 * sides that every composite joint has. With `quasi_static` it also has the sensors of the elements. */
#ifndef HK_COMPOSITE_BEARING_JOINT_H
#define HK_COMPOSITE_BEARING_JOINT_H
#include "composite/parts.h"
#include "force/rolling_bearing_params.h"
#include <hooke/joint.h>

enum { HK_BEARING_IDEAL, HK_BEARING_LINEARISED, HK_BEARING_QUASI_STATIC, HK_BEARING_FULL };
extern const char *const hk_bearing_fidelity_names[], *const hk_bearing_dimension_names[],
                                                          *const hk_bearing_guidance_names[],
                                                              *const hk_bearing_traction_names[];
enum { HK_BEARING_GIVEN, HK_BEARING_TYPICAL };

/* Parameters of fidelity: full. */
enum { HK_BEARING_BY_BALLS, HK_BEARING_BY_INNER, HK_BEARING_BY_OUTER };
typedef struct hk_bearing_full {
  const char *law, *cage_law;
  int guidance, traction_form;
  double traction, traction_velocity, pocket_clearance, guide_clearance, cage_density, cage_mass,
      cage_youngs_modulus, cage_friction, cage_restitution;
} hk_bearing_full;

/* Names of a rolling element in the parameter table of a joint and in its parts. */
typedef struct hk_bearing_words {
  const char *elements,
      /* parameter names such as "balls" and "ball_diameter"; the part has the name of the first parameter */
      *diameter;
  hk_bearing_kind first;
} hk_bearing_words;

typedef struct hk_bearing_joint {
  hk_joint_common joint;
  const hk_bearing_words *words; /* of the type */
  int fidelity, dimensions;
  hk_bearing_full full;
  /* `kind`: the kind of bearing, counted from the first kind that the joint supports */
  hk_rolling_bearing_params of;
} hk_bearing_joint;

#define HK_BEARING_JOINT_PARAMS(fidelities, kinds, elements_, diameter_)                        \
  HK_PARAM_AS("fidelity", HK_PARAM_ENUM, hk_bearing_joint, fidelity, NULL, HK_REQUIRED,         \
              "ideal: a joint; linear: stiffness at `load`; quasi_static: every element in "    \
              "equilibrium; full: every ball is a body",                                        \
              .choices = fidelities),                                                           \
      HK_PARAM_AS("kind", HK_PARAM_ENUM, hk_bearing_joint, of.kind, NULL, 0, "kind of bearing", \
                  .choices = kinds),                                                            \
      HK_PARAM_AS("dimensions", HK_PARAM_ENUM, hk_bearing_joint, dimensions, NULL, 0,           \
                  "given, or typical: those that are left out are estimated from bore and "     \
                  "outside",                                                                    \
                  .choices = hk_bearing_dimension_names),                                       \
      HK_PARAM_AS(elements_, HK_PARAM_INT, hk_bearing_joint, of.elements, NULL, 0,              \
                  "number in each row", HK_RANGE(3, HK_BEARING_MAX_ELEMENTS)),                  \
      HK_PARAM_AS(diameter_, HK_PARAM_REAL, hk_bearing_joint, of.element_diameter, "m",         \
                  HK_POSITIVE, "diameter, of a tapered roller at its middle"),                  \
      HK_PARAM_AS("pitch_diameter", HK_PARAM_REAL, hk_bearing_joint, of.pitch_diameter, "m",    \
                  HK_POSITIVE, "diameter of the circle of their centres"),                      \
      HK_BEARING_COMMON_PARAMS(hk_bearing_joint, of.)

#define HK_BEARING_FULL_DEFAULTS        \
  .full = {.traction = 0.06,            \
           .traction_velocity = 0.02,   \
           .cage_density = 7800,        \
           .cage_youngs_modulus = 1e11, \
           .cage_friction = 0.05,       \
           .cage_restitution = 0.5}
#define HK_BEARING_FULL_PARAMS                                                                     \
  HK_PARAM_AS("guidance", HK_PARAM_ENUM, hk_bearing_joint, full.guidance, NULL, 0,                 \
              "full: what guides the cage", .choices = hk_bearing_guidance_names),                 \
      HK_PARAM_AS("traction", HK_PARAM_REAL, hk_bearing_joint, full.traction, NULL, 0,             \
                  "full: coefficient of friction between balls and races, over the contact "       \
                  "ellipse",                                                                       \
                  HK_RANGE(0, 1)),                                                                 \
      HK_PARAM_AS("traction_velocity", HK_PARAM_REAL, hk_bearing_joint, full.traction_velocity,    \
                  "m/s", HK_POSITIVE,                                                              \
                  "full: sliding speed below which friction decreases to zero"),                   \
      HK_PARAM_AS("traction_form", HK_PARAM_ENUM, hk_bearing_joint, full.traction_form, NULL, 0,   \
                  "full: pade: approximate sliding and spinning friction of the ellipse; "         \
                  "integrated: sum over points of the ellipse",                                    \
                  .choices = hk_bearing_traction_names),                                           \
      HK_PARAM_AS("pocket_clearance", HK_PARAM_REAL, hk_bearing_joint, full.pocket_clearance, "m", \
                  HK_POSITIVE,                                                                     \
                  "full: diameter of a pocket minus that of a ball; default: 0.02 ball "           \
                  "diameters"),                                                                    \
      HK_PARAM_AS("guide_clearance", HK_PARAM_REAL, hk_bearing_joint, full.guide_clearance, "m",   \
                  HK_POSITIVE,                                                                     \
                  "full: diametral clearance of the cage on the ring that guides it; default: "    \
                  "0.02 ball diameters"),                                                          \
      HK_PARAM_AS("cage_density", HK_PARAM_REAL, hk_bearing_joint, full.cage_density, "kg/m^3",    \
                  HK_POSITIVE, "full: density of the cage"),                                       \
      HK_PARAM_AS("cage_mass", HK_PARAM_REAL, hk_bearing_joint, full.cage_mass, "kg", HK_POSITIVE, \
                  "full: mass of the cage of one row; default: from its geometry and density"),    \
      HK_PARAM_AS("cage_youngs_modulus", HK_PARAM_REAL, hk_bearing_joint,                          \
                  full.cage_youngs_modulus, "Pa", HK_POSITIVE,                                     \
                  "full: Young's modulus of the cage; pockets and lands are as stiff as a ball "   \
                  "on a plate"),                                                                   \
      HK_PARAM_AS("cage_friction", HK_PARAM_REAL, hk_bearing_joint, full.cage_friction, NULL, 0,   \
                  "full: coefficient of friction in pockets and on lands", HK_RANGE(0, 1)),        \
      HK_PARAM_AS("cage_restitution", HK_PARAM_REAL, hk_bearing_joint, full.cage_restitution,      \
                  NULL, 0, "full: coefficient of restitution in pockets and on lands",             \
                  HK_RANGE(0.01, 1)),                                                              \
      HK_PARAM_AS("law", HK_PARAM_LAW, hk_bearing_joint, full.law, NULL, 0,                        \
                  "full: law between balls and races, instead of Hertz with traction"),            \
      HK_PARAM_AS("cage_law", HK_PARAM_LAW, hk_bearing_joint, full.cage_law, NULL, 0,              \
                  "full: law of pockets and lands")

/* Assumptions of both types. */
#define HK_BEARING_JOINT_ASSUMPTIONS                                                            \
  "linear: the force is linear in the displacement, with the tangent stiffness in equilibrium " \
  "with `load` at `speed`. Elements do not lose contact."

hk_status hk_bearing_full_expand(const hk_item *item, const hk_rolling_bearing_params *of,
                                 hk_bearing_kind kind, const hk_parts *parts);
extern const hk_joint_ops hk_bearing_joint_ops;
/* For hk_type.draw, sample and stage. */
void hk_bearing_joint_draw(const hk_item *item, struct hk_drawing *d);
hk_status hk_bearing_joint_sample(hk_item *item, hk_error *err);
void hk_bearing_joint_stage(const hk_item *item, hk_stage *stage);
#endif
