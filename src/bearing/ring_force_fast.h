/* Fast version for the most common bearing: balls at low speed, one contact on each race,
 * without films, friction and defects. The equations are those of ring_force.c and element.c, and tests
 * compare both. */
#ifndef HK_BEARING_RING_FORCE_FAST_H
#define HK_BEARING_RING_FORCE_FAST_H
#include "bearing/ring_force.h"

static inline bool hk_bearing_is_plain(const hk_bearing *p) {
  return p->points == 1 && !hk_bearing_has_rollers(p) && p->dynamics == HK_BEARING_STATIC &&
         !p->defects && !(p->damping > 0) && !(p->friction.load > 0) && !(p->friction.spin > 0) &&
         !(p->friction.viscous > 0);
}
/* `out` is zero on entry. */
const char *hk_bearing_act_plain(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                                 hk_bearing_action *out);
#endif
