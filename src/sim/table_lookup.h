/* Where tables are read: how far a step goes through their points, and what to say where one ends. */
#ifndef HK_SIM_TABLE_LOOKUP_H
#define HK_SIM_TABLE_LOOKUP_H
#include "sim/sim.h"

/* Arguments of the tables at the end of a step, from the variables of work, into its state. */
void hk_lookups_accept(const hk_sim *s, double *x);
/* Points that the step from x to the variables of work passes, over what its table allows: the largest. */
double hk_lookups_pace(const hk_sim *s, const double *x);
/* A table that has no value at these variables, in words; returns who reads it, NULL: there is none.  Sensors that are known
 * at output only are looked at if `all`. */
const hk_item *hk_lookups_explain(const hk_model *m, const double *variable, bool all, char *text,
                                  size_t size);
#endif
