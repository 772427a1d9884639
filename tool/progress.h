/* The progress line of a run on a terminal. If stderr is not a terminal, a long run prints a
 * line from time to time. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H
#include <hooke/run.h>

typedef struct tool_progress {
  bool shown;         /* stderr is a terminal, and --quiet is not set */
  bool told;          /* stderr is not a terminal: a long run prints a line from time to time */
  double next;        /* wall time of the next line */
  bool drawn;         /* a line is displayed and must be cleared */
  double began, last; /* wall time of the start and of the last line */
  long newton, steps; /* numbers of Newton iterations and steps at the last line */
  double done;        /* completed fraction at the last call, for operations other than a run */
} tool_progress;

void tool_progress_begin(tool_progress *p, bool quiet);
void tool_progress_draw(tool_progress *p, const hk_run_progress *now);
/* For hk_diag.progress, with the tool_progress as context. */
void tool_progress_work(void *progress, const char *what, double done);
void tool_progress_end(tool_progress *p);
#endif
