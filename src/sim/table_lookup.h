/* Table lookups: the number of table points passed in a step, and the error at the end of a
 * table. */
#ifndef HK_SIM_TABLE_LOOKUP_H
#define HK_SIM_TABLE_LOOKUP_H
#include "sim/sim.h"

/* Stores the arguments of the tables at the end of a step, computed from the variables in work, in
 * the state x. */
void hk_lookups_accept(const hk_sim *s, double *x);
/* Number of points that the step from x to the variables of work passes, relative to the number that its table
 * allows: the maximum over the tables. */
double hk_lookups_pace(const hk_sim *s, const double *x);
/* Describes a table without a value at these variables; returns the item that reads the table,
 * NULL: none.  If `all`, includes sensors that are computed at output only. */
const hk_item *hk_lookups_explain(const hk_model *m, const double *variable, bool all, char *text,
                                  size_t size);
#endif
