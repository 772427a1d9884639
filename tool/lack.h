/* Missing information in the rows of a results file: motion of a channel between rows that the rows do not show. */
#ifndef TOOL_LACK_H
#define TOOL_LACK_H
#include "results/results.h"

typedef struct tool_lack {
  double *below, *above, *turns; /* [rows] as returned by hk_results_read_between */
  double share;   /* missing motion as a fraction of the whole motion (root mean squares) */
  double between; /* time between rows at that point */
  double step;    /* approximate time between rows that would show the motion */
} tool_lack;

/* Reads these data for the rows first to first + count - 1. */
hk_status tool_lack_read(hk_results *r, int channel, int64_t first, int64_t count, tool_lack *out,
                         hk_error *err);
void tool_lack_free(tool_lack *k);
/* Checks the rows; HK_EINPUT with a remedy if `what` (a spectrum, a mean) of these rows would be
 * wrong. */
hk_status tool_lack_check(hk_results *r, int channel, int64_t first, int64_t count,
                          const char *what, hk_error *err);
#endif
