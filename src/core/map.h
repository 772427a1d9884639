/* Between frames and node coordinates.
 *
 * A frame at offset s (world axes) from its node's reference point moves by
 *   dx = dx_n + dtheta x s,   dtheta = R dtheta_n   (rigid: dtheta_n in body axes)
 * A point has no rotation of its own, nor has a guided body; a rotor has dx_n = 0 and dtheta = axis dphi.
 * A row (jx, jt) over (dx, dtheta) therefore becomes (jx, R^T (jt + s x jx)), and a wrench (f, m)
 * at the frame the node's force (f, R^T (m + s x f)): the same formula.
 */
#ifndef HK_MAP_H
#define HK_MAP_H
#include "model/model.h"

static inline void hk_map_row(const hk_node *n, const hk_mat3 *R, hk_vec3 s, hk_vec3 jx, hk_vec3 jt,
                              double out[6]) {
  switch (n->kind) {
    case HK_NODE_RIGID: {
      hk_vec3 u = hk_tmul(R, hk_add(jt, hk_cross(s, jx)));
      out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
      out[3] = u.x, out[4] = u.y, out[5] = u.z;
      break;
    }
    case HK_NODE_POINT:
    case HK_NODE_GUIDED:
      out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
      break;
    case HK_NODE_ROTOR:
      out[0] = hk_dot(hk_column(&n->R0, 2), hk_add(jt, hk_cross(s, jx)));
      break;
  }
}
#endif
