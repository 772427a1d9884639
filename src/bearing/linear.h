/* A bearing linearised about the position that its inner ring has under a load.
 *
 * Coordinates in the axes of the outer ring: q = (u, t), where u is the position of the inner ring, n the direction of
 * its axis, and t = (-n_y, n_x) its tilt. The generalized force along these coordinates is
 *   f = F_0 - K (q - q_0) - C q'
 * where F_0 is the opposite of the load, and K and C are the stiffness and damping of all elements at q_0. Forces and
 * moments on the ring follow by virtual work, so that they do not depend on the position of the model. */
#ifndef HK_BEARING_LINEAR_H
#define HK_BEARING_LINEAR_H
#include "bearing/ring_force.h"
#include "bearing/balance.h"

/* Finds the equilibrium, with the cage at its zero, and fills p->linear; from then on hk_bearing_act uses it.  HK_EINPUT if
 * there is no equilibrium or no stiffness. */
hk_status hk_bearing_linearise(hk_bearing *p, const hk_bearing_task *task, hk_error *err);
/* `out` is zero on entry.  The friction is that of the load. */
void hk_bearing_act_linear(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                           hk_bearing_action *out);
#endif
