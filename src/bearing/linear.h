/* A bearing linearised about the position that its inner ring has under a load.
 *
 * Coordinates in the axes of the outer ring: q = (u, t), with u the position of the inner ring and
 * t = (-n_y, n_x) its tilt, n its axis.  Force along them:
 *   f = F_0 - K (q - q_0) - C q'
 * with F_0 the opposite of the load, K and C those of all elements at q_0.  Forces and moments on
 * the ring follow by virtual work, so that they do not depend on the position of the model. */
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
