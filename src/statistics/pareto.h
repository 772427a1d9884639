/* Pareto fronts: the rows that no other row beats in every goal. */
#ifndef HK_PARETO_H
#define HK_PARETO_H
#include <hooke/base.h>

/* value [n_goals][n], smaller is better; rows with a NaN or with allowed[i] false are never on the
 * front (allowed may be NULL).  front [n] says which are; returns how many. */
int64_t hk_pareto_front(const double *const *value, int n_goals, int64_t n, const bool *allowed,
                        bool *front);
#endif
