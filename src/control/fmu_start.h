/* Start of the FMUs of a model. */
#ifndef HK_CONTROL_FMU_START_H
#define HK_CONTROL_FMU_START_H
#include "sim/sim.h"

/* Starts the partners at the state of s, and gives the inputs of the model their first outputs. */
hk_status hk_exchange_begin(hk_sim *s, hk_error *err);
/* The exchange at the present time, if that is a sample time, before values are read there.  Values
 * within the last step are then no longer valid.  The next step calls this function
 * automatically. */
hk_status hk_exchange_now(hk_sim *s, hk_error *err);
#endif
