/* A frame as passed to elements: position, axes and velocity in world axes.
 *
 * Elements use frames only. A small motion of a frame is (dx, dtheta): dx is the displacement of its origin, dtheta the
 * rotation vector, both in world axes (R -> exp(dtheta~) R). The library maps these to the coordinates of the bodies. */
#ifndef HOOKE_FRAME_H
#define HOOKE_FRAME_H
#include <hooke/math3.h>

typedef struct hk_frame {
  hk_vec3 x;          /* origin */
  hk_mat3 R;          /* columns are the frame's axes */
  hk_vec3 v;          /* velocity of the origin */
  hk_vec3 w;          /* angular velocity */
  hk_vec3 s;          /* vector from the node's reference point to the origin */
  double angle, rate; /* frames of a rotor: rotation angle (not wrapped) and its rate */
} hk_frame;
#endif
