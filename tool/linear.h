/* From arguments to a linear model, for the commands that need one. */
#ifndef TOOL_LINEAR_H
#define TOOL_LINEAR_H
#include "json.h"
#include "load.h"
#include <hooke/linear.h>

#define TOOL_AT_OPTION                                                                            \
  {                                                                                               \
    0, "at", "TIME",                                                                              \
        "linearise about the state that a simulation has at this time, such as \"0.5 s\", with "  \
        "its velocities; 0 is the start. Without it: about the equilibrium at rest, found as by " \
        "`hooke static`",                                                                         \
        false                                                                                     \
  }
#define TOOL_AS_PLACED_OPTION                                                               \
  {                                                                                         \
    0, "as-placed", NULL,                                                                   \
        "take the position of the file and refuse it if it is not an equilibrium, instead " \
        "of searching for a nearby equilibrium",                                            \
        false                                                                               \
  }

typedef struct tool_linear {
  tool_model model;
  hk_sim *sim;
  hk_linear *linear; /* NULL: see error */
  hk_static_report at;
  hk_status status;
  hk_error error;
} tool_linear;

/* Reads the model, finds the state and linearises; messages are added to the model's diag.
 * dense_limit 0: the default.  Free *t in any case. */
hk_status tool_linear_open(tool_linear *t, const tool_args *args, int dense_limit);
void tool_linear_free(tool_linear *t);
/* Prints the messages in diag and the error; returns the exit code. */
int tool_linear_report(tool_linear *t);
/* Writes {"status": ..., "error": ...}; the object stays open. */
void tool_linear_json_begin(tool_json *j, const tool_linear *t);
/* "errors" and "warnings". */
void tool_linear_json_messages(tool_json *j, const hk_diag *d);
/* Writes v[0], v[stride], ... as a list of n values. */
void tool_json_list(tool_json *j, const char *key, const double *v, int n, int stride);

/* Factor from a unit of frequency to Hz: Hz counts cycles, rad/s and rpm are angular.  1/s could
 * mean either and is rejected.  "" is Hz. */
hk_status tool_frequency_unit(const char *unit, const char *what, double *factor, hk_error *err);

/* Writes a number in a row of a table, preceded by a comma. */
void tool_table_cell(FILE *out, double value);
/* Returns true if one of the files of --output and --csv is standard output. */
bool tool_output_taken(const tool_args *args);
#endif
