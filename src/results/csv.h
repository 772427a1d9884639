/* Results as comma-separated values: header `time [s],crank.x [m],...`, one line per row.
 *
 * Fields are quoted according to RFC 4180 if necessary; lines end with LF.  Numbers have the fewest of 15, 16 or 17
 * digits that read back to the same double, with a decimal point in every locale; non-finite values are written as
 * `nan`, `inf` and `-inf`. */
#ifndef HK_RESULTS_CSV_H
#define HK_RESULTS_CSV_H
#include "results/results.h"
#include <stdio.h>

/* Which channels and rows to write.  Time (channel 0) is always the first column.  The channels
 * given by name follow in the given order, then the channels that match the POSIX extended regular
 * expression, each channel once.  If neither is given: all channels. */
typedef struct hk_csv_unit {
  char text[64];
  double factor, offset; /* written value = factor value + offset */
} hk_csv_unit;
typedef struct hk_csv_selection {
  const char *const *name;
  int n_names;
  const char *regex;       /* NULL: none; matches anywhere in the name unless anchored */
  int64_t every;           /* keep rows 0, every, 2 every, ...; 0 and 1 mean all rows */
  const hk_csv_unit *unit; /* units, one per selected channel, time first; NULL: SI */
} hk_csv_selection;

enum { HK_CSV_NUMBER_SIZE = 32 };

/* Writes the selected channels; selection may be NULL (everything).  HK_EINPUT: unknown name,
 * invalid expression, or an expression without a match. HK_EIO: closed pipe or full disk. */
hk_status hk_csv_export(hk_results *r, FILE *out, const hk_csv_selection *selection, hk_error *err);
/* Writes a title with its unit ("": none), quoted if necessary; also a text alone. */
void hk_csv_title(FILE *out, const char *name, const char *unit);
/* Writes the shortest decimal that reads back to x and returns its length; the calling thread must use a locale with
 * a decimal point. */
int hk_csv_number(char buf[HK_CSV_NUMBER_SIZE], double x);
/* Indices of the selected channels (channel[0] == 0); *channel is allocated by malloc. */
hk_status hk_csv_select(const hk_results *r, const hk_csv_selection *selection, int **channel,
                        int *n, hk_error *err);
#endif
