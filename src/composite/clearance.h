/* Common part of the joints with clearance: one joint at four levels of fidelity.
 *
 *   ideal       no clearance: the ideal joint
 *   compliant   no clearance, but compliant: a bushing
 *   clearance   dry clearance: a contact with any law
 *   lubricated  clearance filled with oil: a film, and a contact for gaps below the roughness
 *
 * At every fidelity, frame `a` is on the housing and frame `b` on the journal, and the joint has the sensors
 *
 *   ex, ey, ez             position of `b` in the axes of `a`, with their rates; revolute joints have no ez
 *   eccentricity_distance  distance of the centres
 *   gap                    clearance minus this distance
 *   contact_state          0: free flight; 1: contact (always, without clearance); 2: impact, the gap changes by more than
 *                          1 mm/s while it is closed
 *   impacts                number of impacts (0 without clearance); with two planes the sum of both
 *   closed_time            time in contact (all of it without clearance); with two planes the longer one
 *
 * in addition to the forces and moments on both sides that every composite joint has. */
#ifndef HK_COMPOSITE_CLEARANCE_H
#define HK_COMPOSITE_CLEARANCE_H
#include "composite/parts.h"
#include <hooke/joint.h>

enum { HK_JOINT_IDEAL, HK_JOINT_COMPLIANT, HK_JOINT_CLEARANCE, HK_JOINT_LUBRICATED };
extern const char *const hk_clearance_fidelities[];

/* Common parameters of revolute and spherical joints. */
typedef struct hk_clearance {
  hk_joint_common joint;
  int fidelity;
  double radius, clearance, viscosity, roughness, stiffness, damping;
  const char *law;
} hk_clearance;

#define HK_CLEARANCE_PARAMS(S, of)                                                               \
  HK_PARAM_AS(                                                                                   \
      "fidelity", HK_PARAM_ENUM, S, play.fidelity, NULL, HK_REQUIRED,                            \
      "ideal: no clearance; compliant: a bushing; clearance: a dry contact; lubricated: a "      \
      "film, and a contact for gaps below the roughness",                                        \
      .choices = hk_clearance_fidelities),                                                       \
      HK_PARAM_AS("radius", HK_PARAM_REAL, S, play.radius, "m", HK_POSITIVE,                     \
                  "of the " of "; clearance, lubricated"),                                       \
      HK_PARAM_AS("clearance", HK_PARAM_REAL, S, play.clearance, "m", 0,                         \
                  "radius of the hollow less that of the " of "; clearance, lubricated"),        \
      HK_PARAM_AS("law", HK_PARAM_LAW, S, play.law, NULL, 0,                                     \
                  "law of the contact; clearance, lubricated"),                                  \
      HK_PARAM_AS("viscosity", HK_PARAM_REAL, S, play.viscosity, "Pa s", 0,                      \
                  "dynamic viscosity of the oil; lubricated"),                                   \
      HK_PARAM_AS("roughness", HK_PARAM_REAL, S, play.roughness, "m", 0,                         \
                  "film thickness at which the surfaces touch; lubricated: a thousandth of the " \
                  "clearance if omitted"),                                                       \
      HK_PARAM_AS("stiffness", HK_PARAM_REAL, S, play.stiffness, "N/m", HK_POSITIVE,             \
                  "across the joint; compliant"),                                                \
      HK_PARAM_AS("damping", HK_PARAM_REAL, S, play.damping, "N s/m", 0,                         \
                  "across the joint; compliant", HK_MIN(0))

typedef struct hk_clearance_build {
  const hk_item *item;
  const hk_clearance *p;
  hk_parts parts;
  hk_stand a, b;
} hk_clearance_build;

/* Checks the parameters that the fidelity needs and the initial distance of the frames.  `what` is
 * the description of the points in messages: "the centres". */
hk_status hk_clearance_begin(hk_clearance_build *k, const char *what);
/* Adds a part between the joint's frames. */
void hk_clearance_part(hk_clearance_build *k, hk_category category, const char *type,
                       const char *name);
/* Adds the sensors.  `axes`: number of the sensors ex, ey, ez; `points`: text between the joint's
 * name and the channels of the contact's one or two points. */
void hk_clearance_sensors(hk_clearance_build *k, int axes, const char *const points[2]);
/* Roughness of the film; clearance of the contact, which is the clearance of the joint minus the roughness. */
double hk_clearance_roughness(const hk_clearance_build *k);
double hk_clearance_left(const hk_clearance_build *k);

/* For hk_type.sample and stage: a joint with dimensions of about 1 m and a clearance of some tenths
 * of a metre, within which its bodies move. */
hk_status hk_clearance_sample(hk_item *item, hk_error *err);
void hk_clearance_stage(const hk_item *item, hk_stage *stage);

/* Sensors of joints with clearance: hk_clearance_sensors. */
#define HK_CLEARANCE_CHANNELS                                                           \
  {"eccentricity_distance", "m", "eccentricity e: distance of the centres of a and b"}, \
      {"gap", "m", "clearance minus eccentricity; < 0: penetration"},                   \
      {"contact_state", "1", "0 free flight, 1 contact, 2 impact"},                     \
      {"impacts", "1", "number of impacts since the start"},                            \
      {"closed_time", "s", "time in contact since the start"},                          \
      {"ex", "m", "position of the centre of b along x of a", HK_SHOW_DETAIL}, {        \
    "ey", "m", "position of the centre of b along y of a", HK_SHOW_DETAIL               \
  }
#endif
