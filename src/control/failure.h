/* Message if no step succeeds. */
#ifndef HK_CONTROL_FAILURE_H
#define HK_CONTROL_FAILURE_H
#include "sim/sim.h"

/* Call after the last of many attempts, of length h from s->x; why: the integrator's own message, or NULL.  Returns
 * HK_EFAIL with the element that is probably the cause in err. */
hk_status hk_step_failed(hk_sim *s, double h, const char *why, hk_error *err);
#endif
