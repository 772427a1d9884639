/* What to tell where no step succeeds. */
#ifndef HK_CONTROL_FAILURE_H
#define HK_CONTROL_FAILURE_H
#include "sim/sim.h"

/* After an attempt of length h from s->x, the last of many; why: what the integrator itself has to say, or NULL.  Returns
 * HK_EFAIL, with the element that seems to be at fault in err. */
hk_status hk_step_failed(hk_sim *s, double h, const char *why, hk_error *err);
#endif
