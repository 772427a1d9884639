/* A job script for the Slurm queue: an array of tasks that each take part of the variants. */
#ifndef HK_SLURM_H
#define HK_SLURM_H
#include "study/plan.h"
#include <stdio.h>

typedef struct hk_slurm_shape {
  int64_t tasks;       /* 1 to 1000 */
  double task_seconds; /* that a task takes, as estimated */
  double variant_seconds;
  int jobs; /* processes of a task */
} hk_slurm_shape;

/* As many tasks as take at least an hour each, at most 1000: centres cap arrays and forbid swarms of
 * short jobs. */
hk_slurm_shape hk_slurm_plan(int64_t variants, double variant_seconds, int jobs);
/* Runs a few variants to learn what they take, then prints the script.  program: how tasks call it. */
hk_status hk_slurm_write(const hk_plan *plan, const char *study_path, const char *folder, int jobs,
                         FILE *out, hk_error *err);
#endif
