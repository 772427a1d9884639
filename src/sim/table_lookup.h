/* Table lookups: the number of table points passed in a step, and the error at the end of a
 * table. */
#ifndef HK_SIM_TABLE_LOOKUP_H
#define HK_SIM_TABLE_LOOKUP_H
#include "sim/sim.h"

/* Stores the arguments of the tables at the end of a step, computed from the variables in `work`, in
 * the state x. */
void hk_lookups_accept(const hk_sim *s, double *x);
/* Number of table points that are passed in the step from the state x to the variables in `work`, divided by the
 * number of points that the table allows. Returns the maximum over all tables. */
double hk_lookups_pace(const hk_sim *s, const double *x);
/* Finds the table that has no value at these variables. Returns the item that reads the table; NULL: all tables have
 * values. all: includes sensors that are computed at output only. */
const hk_item *hk_lookups_explain(const hk_model *m, const double *variable, bool all, char *text,
                                  size_t size);
#endif
