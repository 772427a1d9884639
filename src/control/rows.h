/* Redundant rows of the joints in the course of a run. */
#ifndef HK_CONTROL_ROWS_H
#define HK_CONTROL_ROWS_H
#include "sim/sim.h"

/* Whether rows that were left out as redundant are no longer satisfied by themselves, where a step has just ended. */
bool hk_rows_broken(const hk_sim *s);
/* Sorts the rows anew at that place, and goes on from s->x with those that count now. */
hk_status hk_rows_take_back(hk_sim *s, hk_error *err);
#endif
