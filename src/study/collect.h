/* Journals -> one SQLite file and one text table.  Done by one process with exclusive use of the file, which is
 * written under another name and renamed when it is complete.
 *
 *   variant   one row per variant: number, key, status, error, axes, measures, goals, feasible
 *   column    the columns of that table: name, unit, role (axis, measure, goal, check)
 *   study     description of the study, line by line
 *
 * The rows depend only on the variants, not on which process ran them and when: the same study gives the same bytes.
 */
#ifndef HK_STUDY_COLLECT_H
#define HK_STUDY_COLLECT_H
#include "study/journal.h"

typedef struct hk_collection {
  int64_t variants, done, failed, infeasible;
  hk_journal_scan scan;
  double seconds; /* total time of all variants */
} hk_collection;

/* Rejects an existing file of this name that is not a collection: the folder may have been given by
 * mistake. */
hk_status hk_collect_check(const char *path, hk_error *err);
/* Collects the journals of a folder into the SQLite file `path`.  Variants without a record are
 * omitted. */
hk_status hk_collect(const hk_plan *plan, const char *folder, const char *path, hk_collection *out,
                     hk_error *err);
/* The rows of a collection as comma-separated values. */
hk_status hk_collect_csv(const char *path, const char *csv, hk_error *err);

/* Finds which variants have a record: bit number % 8 of byte number / 8.  [n / 8 + 1] bytes,
 * allocated by malloc. */
hk_status hk_collect_done(const hk_plan *plan, const char *folder, unsigned char **bits,
                          int64_t *n_done, hk_journal_scan *scan, hk_error *err);
#endif
