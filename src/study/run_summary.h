/* Summary of a run as JSON, stored in the results for reports. */
#ifndef HK_STUDY_RUN_SUMMARY_H
#define HK_STUDY_RUN_SUMMARY_H
#include "scene/scene.h"
#include <hooke/run.h>

/* Maximum number of bytes of the summary of a model. */
size_t hk_run_summary_room(const hk_model *m);
/* Returns the summary, allocated by malloc; NULL: out of memory.  Warnings that do not fit are
 * counted. */
char *hk_run_summary(const hk_model *m, const hk_run_report *p, const hk_diag *diag);
#endif
