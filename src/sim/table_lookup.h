/* Table lookups: number of points passed in a step, and the error at the end of a table. */
#ifndef HK_SIM_TABLE_LOOKUP_H
#define HK_SIM_TABLE_LOOKUP_H
#include "sim/sim.h"

/* Arguments of the tables at the end of a step, from the variables of work, into its state. */
void hk_lookups_accept(const hk_sim *s, double *x);
/* Number of points that the step from x to the variables of work passes, relative to the number that its table
 * allows: the maximum over the tables. */
double hk_lookups_pace(const hk_sim *s, const double *x);
/* Description of a table without a value at these variables; returns the item that reads it, NULL: none.  Sensors
 * computed at output only are included if `all`. */
const hk_item *hk_lookups_explain(const hk_model *m, const double *variable, bool all, char *text,
                                  size_t size);
#endif
