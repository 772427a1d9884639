/* Start of the FMUs of a model. */
#ifndef HK_CONTROL_EXCHANGE_H
#define HK_CONTROL_EXCHANGE_H
#include "sim/sim.h"

/* Starts the partners at the state of s, and gives the inputs of the model their first outputs. */
hk_status hk_exchange_begin(hk_sim *s, hk_error *err);
#endif
