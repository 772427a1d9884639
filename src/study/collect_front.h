/* Marks the rows of a study's table that are on the Pareto front of its goals. */
#ifndef HK_STUDY_COLLECT_FRONT_H
#define HK_STUDY_COLLECT_FRONT_H
#include "study/study.h"
#include <sqlite3.h>

/* Writes 1 or 0 into the last column of the table `variant`, NULL for failed rows.  first_goal: index of the first goal
 * with a column of its own.  Studies with fewer than two goals have no such column. */
hk_status hk_collect_front(sqlite3 *db, const hk_study *s, int first_goal, int n_columns,
                           hk_error *err);
#endif
