/* Shared by the parts of `hooke periodic`. */
#ifndef TOOL_PERIODIC_H
#define TOOL_PERIODIC_H
#include "json.h"
#include "load.h"
#include <hooke/nonlinear.h>
#include <hooke/run.h>

typedef struct tool_periodic {
  tool_model model;
  hk_periodic_options o;
  const char *period, *turn_text; /* --period and --turn as given; NULL: not given */
  hk_periodic orbit;
  hk_run_report report; /* of one period */
  bool measured;
} tool_periodic;

/* Resolves --period and --turn for a model: they may name channels. */
hk_status tool_periodic_resolve(const hk_model *m, const char *period, const char *turn,
                                hk_periodic_options *o, hk_error *err);
/* All options except the period. */
hk_status tool_periodic_options(const tool_args *args, hk_periodic_options *o, hk_error *err);
const char *tool_stability(hk_stability s);
/* Multipliers and stability in one line; "": not computed. */
void tool_multipliers_text(const hk_periodic *orbit, char *text, size_t size);
/* Keys of one orbit. */
void tool_periodic_json(tool_json *j, const hk_periodic *orbit);
/* `hooke periodic --over`. */
int tool_periodic_over(const tool_args *args);
#endif
