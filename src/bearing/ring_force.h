/* Force of a bearing on its inner ring, with derivatives.
 *
 * Eight coordinates: position u and small rotations theta of the inner ring in the axes of the
 * cage, and the angles of the cage and of the inner ring relative to the outer ring, on which
 * waviness and spalls depend. Q is the generalized force along them, K = -dQ/dq, C = -dQ/dq',
 * all exact.
 *
 * Energy: the potential is that of the contacts without inertia of the balls. At speed,
 * centrifugal forces and gyroscopic moments change the loads; the power of this change of the loads counts as supplied
 * (`applied`) by the motion of the balls, because the kinetic energy of the balls is not part of the model. */
#ifndef HK_BEARING_RING_FORCE_H
#define HK_BEARING_RING_FORCE_H
#include "bearing/bearing.h"
#include <hooke/math3.h>

enum { HK_BEARING_CAGE = 6, HK_BEARING_TURN, HK_BEARING_COORDINATES };

typedef struct hk_bearing_place {
  hk_vec3 u;
  hk_mat3 Q;
  double rate[HK_BEARING_COORDINATES];
  double cage, turn; /* angles relative to the outer ring */
  hk_bearing_speed speed;
  bool linear; /* linear kinematics [DeMul1989] with u and the rotation vector `theta` of Q */
  hk_vec3 theta;
} hk_bearing_place;

typedef struct hk_bearing_action {
  double Q[HK_BEARING_COORDINATES];
  double potential, dissipated, applied;
  double friction; /* moment of friction on the inner ring about the axis, part of Q */
  bool moves;      /* C is not zero */
  /* With tangent only: */
  double K[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES];
  double C[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES];
  double Q_w[2][HK_BEARING_COORDINATES]; /* derivatives with respect to the speeds of inner and
                                          * outer ring */
} hk_bearing_action;

/* One element, for tables and channels. */
typedef struct hk_bearing_element {
  double Q_i, Q_o, angle_i, angle_o; /* angles: positive if the inner ring is pushed along +z */
  double wm, centrifugal, gyro, rib;
  double d[4];
} hk_bearing_element;

/* Returns NULL, or an error message. `element` (may be NULL) has rows x n entries. */
const char *hk_bearing_act(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                           hk_bearing_action *out, hk_bearing_element *element);
#endif
