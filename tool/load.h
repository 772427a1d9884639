/* Reading and compiling the model given to a subcommand. */
#ifndef TOOL_LOAD_H
#define TOOL_LOAD_H
#include "command.h"
#include <hooke/hooke.h>

#define TOOL_SET_OPTION                                                                        \
  {                                                                                            \
    0, "set", "PATH=VALUE",                                                                    \
        "change one value of the model before it is read, such as joints.pin.friction=0.1 or " \
        "L=\"50 mm\"; may be given several times",                                             \
        true                                                                                   \
  }

#define TOOL_INPUT_OPTION                                                                         \
  {                                                                                               \
    0, "input", "NAME=FILE[:COLUMN]",                                                             \
        "let an input of the model follow a column of a CSV or HDF5 file over the time, such as " \
        "torque=bench.csv:T; may be given several times",                                         \
        true                                                                                      \
  }

/* All --set arguments, and the --input arguments in the form of --set arguments: complete, and split into path and
 * value. */
typedef struct tool_overrides {
  const char **text;
  char *made; /* texts that were made from --input arguments */
  hk_override *set;
  int n;
  char *buffer;
} tool_overrides;
/* Reads the --set arguments.  HK_OK, HK_EINPUT (see diag) or HK_ENOMEM.  Free *o in any case. */
hk_status tool_overrides_read(tool_overrides *o, const tool_args *args, hk_diag *diag);
void tool_overrides_free(tool_overrides *o);

typedef struct tool_model {
  const char *path;
  hk_model *model; /* NULL: errors are in diag */
  hk_diag diag;
  const char **set; /* the overrides, in the form of --set arguments */
  int n_set;
  char *set_made; /* part of their texts */
} tool_model;

/* Reads args->word[0].  HK_OK, HK_EINPUT (see diag) or HK_ENOMEM.  Free *m in any case. */
hk_status tool_model_load(tool_model *m, const tool_args *args);
/* Same as tool_model_load, for linear analyses: internal variables of forces become states of the model
 * (hk_spec_first_order). */
hk_status tool_model_load_linear(tool_model *m, const tool_args *args);
void tool_model_free(tool_model *m);
/* Returns the text of the file, or NULL. */
char *tool_model_text(const tool_model *m);
/* Reports a failure of the model's simulation or analysis at the location of the element that caused it. */
void tool_model_failed(tool_model *m, const hk_error *err);
/* Returns the first error in diag, formatted, or NULL. */
char *tool_first_error(const hk_diag *diag);
#endif
