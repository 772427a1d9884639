/* The flexible bodies of a results file, with their surfaces. */
#ifndef TOOL_FLEXIBLE_BODIES_H
#define TOOL_FLEXIBLE_BODIES_H
#include "base/arena.h"
#include "flexible/flexible_data.h"
#include "results_model.h"

typedef struct tool_flexible_body {
  const char *name, *path;
  hk_flexible_data data;
} tool_flexible_body;

typedef struct tool_flexible_bodies {
  tool_results_model of_run;
  hk_diag diag;
  hk_spec *spec;
  hk_arena arena;
  tool_flexible_body *body;
  int n;
} tool_flexible_bodies;

/* Reads the files of all flexible bodies of a run that have a surface; `name` NULL: of all, otherwise of this one, which must exist.
 * Free in any case. */
hk_status tool_flexible_open(tool_flexible_bodies *b, const tool_args *args, hk_results *results,
                             const char *name, hk_error *err);
/* The same for the bodies of a spec. */
hk_status tool_flexible_of_spec(tool_flexible_bodies *b, const hk_spec *spec, const char *name,
                                hk_error *err);
void tool_flexible_free(tool_flexible_bodies *b);
/* Columns [m] of the coordinates of its modes in a results file.  HK_EINPUT: not recorded. */
hk_status tool_flexible_columns(const tool_flexible_body *b, hk_results *r, int *column,
                                hk_error *err);
#endif
