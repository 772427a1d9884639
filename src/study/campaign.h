/* A campaign: all variants of a plan, brought through an engine into journals of one folder.
 *
 *   plan              what is studied, line by line: a campaign goes on only if it is the same
 *   study             absolute name of the study's file
 *   journals/         one file per worker process
 *   stored/           channels of variants, where the study asks for them
 *   table.sqlite      made by hk_collect when the campaign ends, or later
 */
#ifndef HK_CAMPAIGN_H
#define HK_CAMPAIGN_H
#include "study/collect.h"
#include "study/engine.h"

typedef struct hk_campaign_options {
  const char *folder;
  int jobs;            /* 0: one per processor */
  bool resume;         /* go on where another campaign has ended */
  bool mpi;            /* all ranks of an MPI job instead of processes here */
  int64_t task, tasks; /* only numbers with number % tasks == task; 0 tasks: all */
  bool no_sync;        /* do not bring journals to the disk: for tables that are thrown away */
  bool (*go_on)(void *context, int64_t done, int64_t failed, int64_t todo);
  void *context;
} hk_campaign_options;

typedef struct hk_campaign_report {
  int64_t todo, found; /* still to be run at the beginning; already there */
  hk_journal_scan scan;
  bool leader; /* false in all but one process of an MPI job */
} hk_campaign_report;

/* HK_EINPUT with messages in diag: the folder holds another study, or one that was begun and resume
 * is not asked for. */
hk_status hk_campaign_run(const hk_plan *plan, const hk_campaign_options *o,
                          hk_campaign_report *report, hk_diag *diag, hk_error *err);
/* Paths inside of a campaign's folder. */
void hk_campaign_path(const char *folder, const char *name, char *out, size_t size);
/* Only checks that the folder holds this plan. */
hk_status hk_campaign_check(const hk_plan *plan, const char *folder, hk_diag *diag, hk_error *err);
/* The name of the study's file, if it is still there. */
bool hk_campaign_study(const char *folder, char *out, size_t size);
/* Notes what the folder of a study holds for later: no output may replace it (base/file.h). */
void hk_campaign_note(const char *folder);
/* Removes a campaign's folder with all that it made. */
void hk_campaign_remove(const char *folder);
#endif
