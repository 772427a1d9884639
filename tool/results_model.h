/* Results files of commands, and the model of a run, whose text the results file contains. */
#ifndef TOOL_RESULTS_MODEL_H
#define TOOL_RESULTS_MODEL_H
#include "load.h"
#include "results/results.h"

/* Opens the results file that word number `word` of the command names, and warns if rows are missing.  HK_EINPUT: an output
 * of the command would replace the file or the model of its run. */
hk_status tool_results_open(const tool_args *args, int word, hk_results **out, hk_error *err);

/* Texts to which the spec refers. */
typedef struct tool_results_model {
  char *overrides; /* overrides of the run, split into lines */
} tool_results_model;

/* Reads the spec with the overrides of the run, then those of `own` (NULL: none).  *spec is NULL if the model has errors, which are in diag.
 * HK_EINPUT: the file does not contain its model. */
hk_status tool_results_spec(tool_results_model *m, const tool_args *args, hk_results *results,
                            const tool_overrides *own, hk_diag *diag, hk_spec **spec,
                            hk_error *err);
void tool_results_model_free(tool_results_model *m);
#endif
