/* Curves of a test bench for a page: columns of a CSV file, over time or over an angle. */
#ifndef HK_REPORT_PAGE_MEASURED_H
#define HK_REPORT_PAGE_MEASURED_H
#include "results/results.h"
#include <hooke/spec.h>

typedef struct hk_measured {
  const char *path;
  const char *const *match; /* "COLUMN=CHANNEL" */
  int n_match;
} hk_measured;

/* Reads all columns except the first, which is the time or an angle, as JSON in memory allocated by malloc. A column
 * is drawn over a channel of the run if it has the name of this channel, or if the option for matches assigns it to
 * this channel. The column must have the same dimension as the channel. Errors of the file are in diag, others in
 * err. */
hk_status hk_page_measured(const hk_measured *m, const hk_results *r, char **json, hk_diag *diag,
                           hk_error *err);
#endif
