/* Pareto fronts: the rows that are not dominated by another row. */
#ifndef HK_STATISTICS_PARETO_H
#define HK_STATISTICS_PARETO_H
#include <hooke/base.h>

/* value [n_goals][n], smaller is better.  Rows with a NaN or with allowed[i] false are never on the front (allowed
 * may be NULL).  front [n] marks the rows of the front; returns their number. */
int64_t hk_pareto_front(const double *const *value, int n_goals, int64_t n, const bool *allowed,
                        bool *front);
#endif
