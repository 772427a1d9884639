/* The results file of a run: created for a model, with its scene and room for the summary. */
#ifndef HK_STUDY_RUN_RESULTS_H
#define HK_STUDY_RUN_RESULTS_H
#include "results/results.h"
#include <hooke/run.h>

/* Creates the file; info[0] is time.  Only the names and texts that are written into the file are
 * read from the options. */
hk_status hk_run_results_create(const hk_model *m, const hk_run_options *o, const char *stepper,
                                const hk_channel_info *info, int n, hk_results_writer **out,
                                hk_error *err);
/* Writes the summary, and closes the file with the status of the run. */
hk_status hk_run_results_close(hk_results_writer *w, const hk_model *m, const hk_run_report *p,
                               const hk_diag *diag, hk_error *err);
#endif
