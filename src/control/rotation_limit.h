/* Angular velocity of bodies for which revolutions are counted: see rotation_limit.c. */
#ifndef HK_CONTROL_ROTATION_LIMIT_H
#define HK_CONTROL_ROTATION_LIMIT_H
#include "sim/sim.h"

/* [rad/s] For the bodies between which an angle is counted; `all`: also for bodies that rotate in space.  *node: the
 * body, if not NULL. */
double hk_fastest_turn(const hk_sim *s, bool all, int *node);
#endif
