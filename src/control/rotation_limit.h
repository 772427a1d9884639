/* Angular velocity of bodies for which revolutions are counted: see rotation_limit.c. */
#ifndef HK_CONTROL_ROTATION_LIMIT_H
#define HK_CONTROL_ROTATION_LIMIT_H
#include "sim/sim.h"

/* [rad/s] Returns the largest angular velocity of the bodies between which revolutions are counted; `all`: also of
 * bodies that rotate in space. If `node` is not NULL, *node becomes the body with this velocity. */
double hk_fastest_turn(const hk_sim *s, bool all, int *node);
#endif
