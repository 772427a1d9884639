/* A job script for Slurm: an array of tasks, each of which takes a part of the variants. */
#ifndef HK_STUDY_SLURM_H
#define HK_STUDY_SLURM_H
#include "study/plan.h"
#include <stdio.h>

typedef struct hk_slurm_shape {
  int64_t tasks;       /* 1 to 1000 */
  double task_seconds; /* estimated time of a task */
  double variant_seconds;
  int jobs; /* processes of a task */
} hk_slurm_shape;

/* Chooses the number of tasks so that each takes at least an hour, at most 1000 tasks: computing
 * centres limit arrays and forbid large numbers of short jobs. */
hk_slurm_shape hk_slurm_plan(int64_t variants, double variant_seconds, int jobs);
/* Runs a few variants to measure their time, then prints the script.  before: words between the
 * name of the program and the command, such as --allow-outside. */
hk_status hk_slurm_write(const hk_plan *plan, const char *study_path, const char *folder, int jobs,
                         char *const *before, int n_before, FILE *out, hk_error *err);
#endif
