/* Runs one variant: applies its overrides to the parsed model, runs it and makes a record for the journal. */
#ifndef HK_STUDY_RUNNER_H
#define HK_STUDY_RUNNER_H
#include "study/journal.h"
#include <hooke/run.h>

typedef struct hk_runner {
  const hk_plan *plan;
  const char *store_folder; /* folder for channels of variants; NULL: none */
  /* Called at every step, false: stop; NULL: never stops. */
  bool (*go_on)(void *context);
  void *context;
  hk_variant variant;
  double *value; /* [measures of the study] */
  char error[1500];
} hk_runner;

hk_status hk_runner_init(hk_runner *r, const hk_plan *plan, hk_error *err);
void hk_runner_free(hk_runner *r);
/* Runs variant `number`; *record points into the runner.  A failed variant gives a record and
 * HK_OK; HK_STOPPED: interrupted, no record. */
hk_status hk_runner_run(hk_runner *r, int64_t number, hk_record *record, hk_error *err);
/* Makes the record of a variant that crashed its process. */
void hk_runner_lost(hk_runner *r, int64_t number, const char *why, hk_record *record);
#endif
