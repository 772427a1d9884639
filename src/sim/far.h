/* Bodies far from the origin: their positions have few digits left for small motions.
 *
 * A position at the distance D has the round-off eps D. The error of a step cannot be smaller than this, and high-order
 * formulas magnify it (hk_least_told). If this lower bound exceeds the requested tolerance, every step may have an
 * error of this size. The sum of these errors over all steps is compared with the relative motion of the bodies. The
 * error of a contact force is the stiffness times eps D. */
#ifndef HK_SIM_FAR_H
#define HK_SIM_FAR_H
#include "sim/sim.h"

/* Call after a step to s->x, with its contacts in `work`. */
void hk_far_step(hk_sim *s);
#endif
