/* What the joints with clearance share: one joint, four truths.
 *
 *   ideal       no play: the ideal joint
 *   compliant   no play, but soft: a bushing
 *   clearance   play, dry: a contact with any law
 *   lubricated  play filled with oil: a film, and where it breaks the contact
 *
 * Whatever the fidelity, the frames are a (housing) and b (journal), and the joint has the sensors
 *   ex, ey, ez    place of b in the axes of a, with their rates; of a revolute joint without ez
 *   offset, gap   distance of the middles, and clearance less that
 *   regime        0: flight; 1: contact (always, without play); 2: impact, the gap changes by more than 1 mm/s
 *                 while it is closed
 *   impacts       how many there were (none without play); of two planes those of both
 *   closed_time   time in contact (all of it, without play); of two planes the longer one
 * besides the forces and moments on both sides that every composite joint has.
 */
#ifndef HK_ASSEMBLY_CLEARANCE_H
#define HK_ASSEMBLY_CLEARANCE_H
#include "composite/assembly.h"
#include <hooke/joint.h>

enum { HK_JOINT_IDEAL, HK_JOINT_COMPLIANT, HK_JOINT_CLEARANCE, HK_JOINT_LUBRICATED };
extern const char *const hk_clearance_fidelities[];

/* Parameters that both have. */
typedef struct hk_clearance {
  hk_joint_common joint;
  int fidelity;
  double radius, clearance, viscosity, roughness, stiffness, damping;
  const char *law;
} hk_clearance;

#define HK_CLEARANCE_PARAMS(S, of)                                                               \
  HK_PARAM_AS("fidelity", HK_PARAM_ENUM, S, play.fidelity, NULL, HK_REQUIRED,                    \
              "ideal: no play; compliant: a bushing; clearance: a dry contact; lubricated: a "   \
              "film, and a contact where it breaks",                                             \
              .choices = hk_clearance_fidelities),                                               \
      HK_PARAM_AS("radius", HK_PARAM_REAL, S, play.radius, "m", HK_POSITIVE,                     \
                  "of the " of "; clearance, lubricated"),                                       \
      HK_PARAM_AS("clearance", HK_PARAM_REAL, S, play.clearance, "m", 0,                         \
                  "radius of the hollow less that of the " of "; clearance, lubricated"),        \
      HK_PARAM_AS("law", HK_PARAM_LAW, S, play.law, NULL, 0,                                     \
                  "of the contact; clearance, lubricated"),                                      \
      HK_PARAM_AS("viscosity", HK_PARAM_REAL, S, play.viscosity, "Pa s", 0,                      \
                  "dynamic viscosity of the oil; lubricated"),                                   \
      HK_PARAM_AS("roughness", HK_PARAM_REAL, S, play.roughness, "m", 0,                         \
                  "film thickness at which the surfaces touch; lubricated: a thousandth of the " \
                  "clearance if left out"),                                                      \
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

/* Checks what the fidelity needs and where the frames stand.  `what` is apart: "the centres". */
hk_status hk_clearance_begin(hk_clearance_build *k, const char *what);
/* Begins a part between the joint's frames. */
void hk_clearance_part(hk_clearance_build *k, hk_category category, const char *type,
                       const char *name);
/* Sensors: `axes` of ex, ey, ez; `points`: what stands before the channels of the contact's one or two points, behind
 * the joint's name. */
void hk_clearance_sensors(hk_clearance_build *k, int axes, const char *const points[2]);
/* The roughness of the film, and the play that is left to a contact: less by it. */
double hk_clearance_roughness(const hk_clearance_build *k);
double hk_clearance_left(const hk_clearance_build *k);

/* For hk_type.sample and stage: a joint of a metre with a play of some tenths, within which its bodies move. */
hk_status hk_clearance_sample(hk_item *item, hk_error *err);
void hk_clearance_stage(const hk_item *item, hk_stage *stage);

/* Sensors of joints with clearance: hk_clearance_sensors. */
#define HK_CLEARANCE_CHANNELS                                                           \
  {"eccentricity_distance", "m", "eccentricity e: distance of the middles of a and b"}, \
      {"gap", "m", "clearance less the offset; < 0: overlap"},                          \
      {"contact_state", "1", "0 free flight, 1 contact, 2 impact"},                     \
      {"impacts", "1", "number of impacts since the start"},                            \
      {"closed_time", "s", "time in contact since the start"},                          \
      {"ex", "m", "place of the middle of b along x of a", HK_SHOW_DETAIL}, {           \
    "ey", "m", "place of the middle of b along y of a", HK_SHOW_DETAIL                  \
  }
#endif
