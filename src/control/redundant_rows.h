/* Redundant rows of the joints during a run. */
#ifndef HK_CONTROL_REDUNDANT_ROWS_H
#define HK_CONTROL_REDUNDANT_ROWS_H
#include "sim/sim.h"

/* Returns true if rows omitted as redundant are violated at the end of the last step. */
bool hk_rows_broken(const hk_sim *s);
/* Repeats the selection of redundant rows at the present position and continues from s->x. */
hk_status hk_rows_take_back(hk_sim *s, hk_error *err);
#endif
