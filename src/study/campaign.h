/* A campaign: runs all variants of a plan by an engine and writes the journals of one folder.
 *
 *   plan              description of the study, line by line: a campaign is resumed only if it is the same
 *   study             absolute name of the study's file
 *   journals/         one file per worker process
 *   stored/           channels of variants, if the study requests them
 *   table.sqlite      made by hk_collect when the campaign ends, or later */
#ifndef HK_STUDY_CAMPAIGN_H
#define HK_STUDY_CAMPAIGN_H
#include "study/collect.h"
#include "study/engine.h"

typedef struct hk_campaign_options {
  const char *folder;
  int jobs;    /* number of processes; 0: one per processor */
  bool resume; /* continue an interrupted campaign */
  bool mpi;    /* all ranks of an MPI job instead of processes here */
  /* only the variants with number % tasks == task are run; tasks = 0: all variants */
  int64_t task, tasks;
  bool no_sync; /* do not sync journals to the disk: for temporary tables */
  bool (*go_on)(void *context, int64_t done, int64_t failed, int64_t todo);
  void *context;
} hk_campaign_options;

typedef struct hk_campaign_report {
  /* number of variants that were to be run at the beginning, and number of these that are finished */
  int64_t todo, found;
  hk_journal_scan scan;
  bool leader; /* false in all but one process of an MPI job */
} hk_campaign_report;

/* Runs the campaign.  HK_EINPUT with messages in diag: the folder contains another study, or a
 * study that was begun while resume is not set. */
hk_status hk_campaign_run(const hk_plan *plan, const hk_campaign_options *o,
                          hk_campaign_report *report, hk_diag *diag, hk_error *err);
/* Paths inside of a campaign's folder. */
void hk_campaign_path(const char *folder, const char *name, char *out, size_t size);
/* Checks that the folder belongs to this plan, without running anything. */
hk_status hk_campaign_check(const hk_plan *plan, const char *folder, hk_diag *diag, hk_error *err);
/* The name of the study's file, if it still exists. */
bool hk_campaign_study(const char *folder, char *out, size_t size);
/* Registers the files of a study's folder as inputs: no output may replace them (base/file.h). */
void hk_campaign_note(const char *folder);
/* Returns true if the path is one of the study's files, which a program must not replace. */
bool hk_campaign_keeps(const char *folder, const char *path);
/* Removes a campaign's folder with all files made by it. */
void hk_campaign_remove(const char *folder);
#endif
