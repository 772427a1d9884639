/* hooke frf --orders. */
#ifndef TOOL_FRF_ORDERS_H
#define TOOL_FRF_ORDERS_H
#include "command.h"

/* Computes the steady response to the periodic loads of the model, by orders, over a parameter. */
int tool_frf_orders(const tool_args *args);
#endif
