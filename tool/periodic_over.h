/* A table of periodic orbits over a parameter, shared by `hooke periodic --over` and `--through`. */
#ifndef TOOL_PERIODIC_OVER_H
#define TOOL_PERIODIC_OVER_H
#include "load.h"
#include "orbit.h"
#include "periodic.h"

enum { TOOL_OVER_MOST_COLUMNS = 64 };

/* One row: the value, whether an orbit was found, its period, residual, largest |mu|, then the columns. */
typedef struct tool_over_row {
  bool found, fresh;
  double value, period, residual, error, mu;
  hk_stability stability;
  hk_special special; /* --through */
  bool located;
  int periods;
  long steps;
  double column[TOOL_OVER_MOST_COLUMNS];
  char *why; /* reason why there is no orbit */
} tool_over_row;

typedef struct tool_over {
  const tool_args *args;
  tool_overrides overrides;
  hk_diag diag;
  hk_periodic_options o;
  char path[300], unit[64];
  char title[TOOL_OVER_MOST_COLUMNS][200];
  char *channels;
  const char **channel;
  int n_channels, n_columns, n, done, found;
  bool through; /* rows are points of one branch, in its order */
  double first, last;
  tool_over_row *rows;
  void *state; /* state of the last orbit */
  size_t state_size;
  double period;
  tool_counter counter;
} tool_over;

/* Reads the options of both forms; rows are not yet allocated. */
hk_status tool_over_begin(tool_over *v, hk_error *err);
/* The model with this value of the parameter; NULL: see diag. */
hk_model *tool_over_model(const tool_over *v, double value, hk_diag *diag);
/* Computes extremes of the channels, and measures, over one period. */
hk_status tool_over_measure(tool_over *v, const hk_model *m, const hk_periodic *orbit,
                            tool_over_row *r, hk_error *err);
/* Copies period, residual, multipliers and stability of an orbit. */
void tool_over_take(tool_over_row *r, const hk_periodic *orbit);
/* Writes --output and --plot, prints the table. */
hk_status tool_over_show(tool_over *v, hk_status ran, hk_error *err);
/* Prints messages and JSON, frees everything, and returns the exit code. */
int tool_over_end(tool_over *v, hk_status status, hk_error *err);
/* Follows one branch and fills the rows: `hooke periodic --through`. */
hk_status tool_over_through(tool_over *v, hk_error *err);
#endif
