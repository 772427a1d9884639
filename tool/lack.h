/* What the rows of a results file lack of a channel: motion between them that they do not show. */
#ifndef TOOL_LACK_H
#define TOOL_LACK_H
#include "io/results.h"

typedef struct tool_lack {
  double *below, *above, *turns; /* [rows] as hk_results_read_between has them */
  double share;                  /* of the motion, by its root mean square, that rows cannot show */
  double between;                /* time between rows where that is so */
  double step;                   /* time between rows that would show it, about */
} tool_lack;

/* Of rows first to first + count. */
hk_status tool_lack_read(hk_results *r, int channel, int64_t first, int64_t count, tool_lack *out,
                         hk_error *err);
void tool_lack_free(tool_lack *k);
/* HK_EINPUT with what to do if `what` (a spectrum, a mean) of those rows would be wrong. */
hk_status tool_lack_check(hk_results *r, int channel, int64_t first, int64_t count,
                          const char *what, hk_error *err);
#endif
