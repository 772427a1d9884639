/* Fast version for the most common bearing: balls at low speed, one contact on each race, without
 * defects. Four balls at once, one in each lane of a vector. The equations are those of ring_force.c
 * and element.c, and tests compare both. */
#ifndef HK_BEARING_RING_FORCE_FAST_H
#define HK_BEARING_RING_FORCE_FAST_H
#include "bearing/ring_force.h"

/* Friction of all elements on the inner ring, and its derivative with respect to the position
 * of the ring. */
typedef struct hk_bearing_drag {
  double sum, row[HK_BEARING_COORDINATES];
} hk_bearing_drag;

static inline bool hk_bearing_is_plain(const hk_bearing *p) {
  return p->points == 1 && !hk_bearing_has_rollers(p) && p->dynamics == HK_BEARING_STATIC &&
         !p->defects;
}
/* `out` and `drag` are zero on entry. */
const char *hk_bearing_act_plain(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                                 hk_bearing_action *out, hk_bearing_drag *drag);
#endif
