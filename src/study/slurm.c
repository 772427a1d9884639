/* A job script for Slurm: see slurm.h. */
#include "study/slurm.h"
#include "study/runner.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TASKS = 1000, HOUR = 3600, PILOT_RUNS = 5, DEFAULT_JOBS = 1 };
static const double PILOT_SECONDS = 60;

hk_slurm_shape hk_slurm_plan(int64_t variants, double variant_seconds, int jobs) {
  double all = (double)variants * variant_seconds / jobs;
  double tasks = fmin(fmax(floor(all / HOUR), 1), fmin(MOST_TASKS, (double)variants));
  return (hk_slurm_shape){.tasks = (int64_t)tasks,
                          .task_seconds = ceil((double)variants / tasks / jobs) * variant_seconds,
                          .variant_seconds = variant_seconds,
                          .jobs = jobs};
}

/* Measures the time of variants spread over the study, because the first ones may all be fast. */
static hk_status time_pilot(const hk_plan *plan, double *mean, double *worst, int *n,
                            hk_error *err) {
  hk_runner r;
  hk_record record;
  double sum = 0;
  *worst = 0;
  *n = 0;
  hk_status status = hk_runner_init(&r, plan, err);
  for (int i = 0; i < PILOT_RUNS && !status && sum < PILOT_SECONDS && i < plan->n; i++) {
    int64_t number = (int64_t)((2.0 * i + 1) / (2 * PILOT_RUNS) * (double)plan->n);
    status = hk_runner_run(&r, number, &record, err);
    if (status) break;
    sum += record.seconds;
    *worst = fmax(*worst, record.seconds);
    ++*n;
  }
  hk_runner_free(&r);
  *mean = *n ? sum / *n : 0;
  return status;
}

/* Rejects names with control characters: a newline in a name would end a comment, and the shell
 * would execute the rest of the name. */
static hk_status check_name(const char *what, const char *name, hk_error *err) {
  for (const unsigned char *s = (const unsigned char *)name; *s; s++)
    if (*s < 0x20 || *s == 0x7F)
      return hk_fail(err, HK_EINPUT,
                     "the name of the %s contains a control character (code %d at byte %d), which "
                     "a job script does not support; rename it",
                     what, *s, (int)(s - (const unsigned char *)name) + 1);
  return HK_OK;
}

/* Quotes a word for the shell: within single quotes no character has a special meaning. */
static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fputc(*text, out);
  }
  fputc('\'', out);
}

/* Names used in a call of the program. */
typedef struct call {
  char self[PATH_MAX];
  const char *study, *folder;
  char *const *before; /* words before the command */
  int n_before;
} call;

static hk_status name_call(call *c, const char *study, const char *folder, hk_error *err) {
  ssize_t n = readlink("/proc/self/exe", c->self, sizeof c->self - 1);
  if (n > 0)
    c->self[n] = '\0';
  else
    snprintf(c->self, sizeof c->self, "hooke");
  c->study = study;
  c->folder = folder;
  hk_status status = check_name("program", c->self, err);
  if (!status) status = check_name("study file", study, err);
  if (!status) status = check_name("study's folder", folder, err);
  for (int i = 0; i < c->n_before && !status; i++) status = check_name("plugin", c->before[i], err);
  return status;
}

static void put_call(FILE *out, const call *c) {
  put_quoted(out, c->self);
  for (int i = 0; i < c->n_before; i++) {
    fputc(' ', out);
    put_quoted(out, c->before[i]);
  }
  fputs(" study --folder=", out);
  put_quoted(out, c->folder);
}

/* Writes the name of the study after "--", so that a name that begins with '-' is not an option. */
static void put_study(FILE *out, const call *c) {
  fputs(" -- ", out);
  put_quoted(out, c->study);
  fputc('\n', out);
}

hk_status hk_slurm_write(const hk_plan *plan, const char *study_path, const char *folder, int jobs,
                         char *const *before, int n_before, FILE *out, hk_error *err) {
  double mean, worst;
  int n;
  call c = {.before = before, .n_before = n_before};
  hk_status status = name_call(&c, study_path, folder, err);
  if (!status) status = time_pilot(plan, &mean, &worst, &n, err);
  if (status) return status;
  hk_slurm_shape s = hk_slurm_plan(plan->n, mean, jobs > 0 ? jobs : DEFAULT_JOBS);
  /* Margin for slower processors and variants of different length; at least one minute, the usual minimum of a queue.
   */
  long minutes = (long)ceil((2 * s.task_seconds + 10 * worst) / 60) + 5;
  fprintf(
      out,
      "#!/bin/sh\n"
      "# %lld variants, %.3g s each in %d pilot runs (the longest took %.3g s): %lld tasks of\n"
      "# about %.2g h with %d processes each.  A task that is started again goes on where it was.\n"
      "#SBATCH --job-name=hooke\n"
      "#SBATCH --array=0-%lld\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=%d\n"
      "#SBATCH --time=%ld\n"
      "#SBATCH --output=%%x-%%A_%%a.out\n"
      "#SBATCH --requeue\n",
      (long long)plan->n, mean, n, worst, (long long)s.tasks, s.task_seconds / HOUR, s.jobs,
      (long long)s.tasks - 1, s.jobs, minutes);
  if (plan->study->memory_limit > 0) /* memory of each process, and some for the supervising one */
    fprintf(out, "#SBATCH --mem-per-cpu=%lldM\n",
            (long long)plan->study->memory_limit / 1000000 + 100);
  put_call(out, &c);
  fprintf(out, " --task \"$SLURM_ARRAY_TASK_ID/%lld\" -j %d --quiet", (long long)s.tasks, s.jobs);
  put_study(out, &c);
  fputs("# When all tasks are done:\n#   ", out);
  put_call(out, &c);
  fputs(" --collect", out);
  put_study(out, &c);
  if (fflush(out) || ferror(out)) return hk_fail(err, HK_EIO, "cannot write the job script");
  return HK_OK;
}
