/* How fast bodies turn whose rotations are counted: see turn.c. */
#ifndef HK_CONTROL_TURN_H
#define HK_CONTROL_TURN_H
#include "sim/sim.h"

/* [rad/s] Of the bodies between which an angle is counted; `all`: and of those that turn in space.  *node: which one, if not
 * NULL. */
double hk_fastest_turn(const hk_sim *s, bool all, int *node);
#endif
