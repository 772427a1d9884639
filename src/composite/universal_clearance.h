/* Common data of the two fidelities of the universal joint with clearance. */
#ifndef HK_COMPOSITE_UNIVERSAL_CLEARANCE_H
#define HK_COMPOSITE_UNIVERSAL_CLEARANCE_H
#include "composite/parts.h"
#include <hooke/joint.h>

enum { HK_SIDE_A, HK_SIDE_B };

typedef struct hk_universal_clearance {
  hk_joint_common joint;
  int fidelity, bores, friction;
  double clearance_a, clearance_b;
  double arm, pin_radius, length;
  double articulation_angle;
  double cross_density, cross_mass;
  double cross_inertia
      /* stiffness about the pins of `a`, about the pins of `b`, and about the normal of both; 0: from the geometry */
      [3];
  const char *law;
  double mu_no_clearance, friction_velocity;
  /* One value per pin: a at -x and +x, b at -y and +y. */
  double clearance_error[4], pitch_error[4], axial_error[4];
} hk_universal_clearance;

typedef struct hk_universal_build {
  const hk_item *item;
  const hk_universal_clearance *p;
  hk_parts parts;
  hk_stand a, b;
  double mass, inertia[3]; /* mass and inertia of the cross, as given or from the geometry */
  const hk_item *law;      /* NULL: none given */
  char prefix[128];        /* prefix of the names of markers on the user's bodies */
} hk_universal_build;

static inline double hk_universal_play(const hk_universal_clearance *p, int side) {
  return side == HK_SIDE_A ? p->clearance_a : p->clearance_b;
}

enum { HK_UNIVERSAL_ROUND, HK_UNIVERSAL_SLOTTED };
enum { HK_UNIVERSAL_AROUND, HK_UNIVERSAL_FULL }; /* friction of the pins */

/* Add sensors: "what_side" of an expression; "closed_side" from the impulses; and the sensors of a
 * side without clearance, which is always in contact and has no impacts. */
void hk_universal_sensor(hk_universal_build *u, int side, const char *what, const char *text);
void hk_universal_closed(hk_universal_build *u, int side);
void hk_universal_fitted(hk_universal_build *u, int side);

/* Check the parameters, then add the parts of the joint. */
hk_status hk_universal_expand_reduced(hk_universal_build *u);
hk_status hk_universal_expand_spatial(hk_universal_build *u);
#endif
