/* Results as comma-separated values: header `time [s],crank.x [m],...`, one line per row.
 *
 * Fields are quoted as in RFC 4180 where needed, lines end in LF.  Numbers are the shortest of
 * 15, 16 or 17 digits that read back to the same double, with a decimal point in every locale;
 * `nan`, `inf` and `-inf` stand for themselves.
 */
#ifndef HK_CSV_H
#define HK_CSV_H
#include "io/results.h"
#include <stdio.h>

/* Which channels and rows to write.  Time (channel 0) is always the first column.  First the
 * named channels in the order given, then those whose name matches the POSIX extended regular
 * expression, each channel once; all channels if neither is given. */
typedef struct hk_csv_unit {
  char text[64];
  double factor, offset; /* written value = factor value + offset */
} hk_csv_unit;
typedef struct hk_csv_selection {
  const char *const *name;
  int n_names;
  const char *regex; /* NULL: none; matches anywhere in the name unless anchored */
  int64_t every;     /* keep rows 0, every, 2 every, ...; 0 and 1 mean all rows */
  const hk_csv_unit *unit; /* one per selected channel, time first; NULL: SI */
} hk_csv_selection;

enum { HK_CSV_NUMBER_SIZE = 32 };

/* selection may be NULL (everything).  Unknown name, bad expression or an expression without a
 * match: HK_EINPUT.  A closed pipe or a full disk: HK_EIO. */
hk_status hk_csv_export(hk_results *r, FILE *out, const hk_csv_selection *selection, hk_error *err);
/* Shortest round-trip decimal of x; the caller's thread must use a locale with a decimal point.
 * Returns the length. */
int hk_csv_number(char buf[HK_CSV_NUMBER_SIZE], double x);
/* The channels a selection picks, as indices (channel[0] == 0); *channel is malloc'ed. */
hk_status hk_csv_select(const hk_results *r, const hk_csv_selection *selection, int **channel,
                        int *n, hk_error *err);
#endif
