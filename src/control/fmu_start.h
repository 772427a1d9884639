/* Start of the FMUs of a model. */
#ifndef HK_CONTROL_FMU_START_H
#define HK_CONTROL_FMU_START_H
#include "sim/sim.h"

/* Starts the FMUs at the state of s, and sets the inputs of the model to the first outputs of
 * the FMUs. */
hk_status hk_exchange_begin(hk_sim *s, hk_error *err);
/* Exchanges values with the FMUs if the present time is a sample time. Call this before values
 * are read at this time. Values within the last step are then no longer valid. The next step
 * calls this function automatically. */
hk_status hk_exchange_now(hk_sim *s, hk_error *err);
#endif
