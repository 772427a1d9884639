/* What a bearing exerts on its inner ring, with derivatives.
 *
 * Eight coordinates: place u and small rotations theta of the inner ring in the axes of the cage, and the angles of
 * the cage and of the inner ring against the outer ring, on which waviness and spalls depend.  Q is the generalised
 * force along them, K = -dQ/dq, C = -dQ/dq', all exact.
 *
 * Energy.  The potential is that of the contacts without inertia of the balls.  At speed centrifugal forces and gyroscopic
 * moments change the loads; the difference of forces is fed in (`applied`) by the motion of the balls, whose kinetic
 * energy is not part of the model.
 */
#ifndef HK_BEARING_ACT_H
#define HK_BEARING_ACT_H
#include "bearing/bearing.h"
#include <hooke/math3.h>

enum { HK_BEARING_CAGE = 6, HK_BEARING_TURN, HK_BEARING_COORDINATES };

typedef struct hk_bearing_place {
  hk_vec3 u;
  hk_mat3 Q;
  double rate[HK_BEARING_COORDINATES];
  double cage, turn; /* angles from the outer ring */
  hk_bearing_speed speed;
  bool
      linear; /* linear kinematics [DeMul1989] of u and tilt, which is Q's rotation vector `theta` */
  hk_vec3 theta;
} hk_bearing_place;

typedef struct hk_bearing_action {
  double Q[HK_BEARING_COORDINATES];
  double K[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES];
  double C[HK_BEARING_COORDINATES][HK_BEARING_COORDINATES];
  double Q_w[2][HK_BEARING_COORDINATES]; /* by the speeds of inner and outer ring */
  double potential, dissipated, applied;
  bool moves; /* C is not zero */
} hk_bearing_action;

/* One element, for tables and channels. */
typedef struct hk_bearing_element {
  double Q_i, Q_o, angle_i, angle_o; /* angles: positive where the inner ring is pushed along +z */
  double wm, centrifugal, gyro, rib;
  double d[4];
} hk_bearing_element;

/* NULL, or in words what went wrong.  `element` (may be NULL) has rows x n places. */
const char *hk_bearing_act(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                           hk_bearing_action *out, hk_bearing_element *element);
#endif
