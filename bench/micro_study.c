/* Cost of a study in addition to its runs.  usage: micro_study pool|mpi|warm|collect MODEL
 *
 *   pool      wall time per number that does nothing, one and two workers
 *   mpi       the same on the ranks of an MPI job: mpirun -n 2 micro_study mpi
 *   warm      a variant of a small model: reading, compiling and running it, beside the run alone
 *   collect   100 000 rows from journals into SQLite and CSV, and the memory that takes
 */
#include "study/collect.h"
#include "study/engine.h"
#include "study/runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hk_status nothing(void *context, int64_t number, bool *failed, hk_error *err) {
  (void)context;
  (void)number;
  (void)failed;
  (void)err;
  return HK_OK;
}

static int pool(void) {
  hk_error err = {0};
  for (int jobs = 1; jobs <= 2; jobs++) {
    const hk_engine_task t = {.n = 1000000, .jobs = jobs, .work = nothing};
    double begin = seconds(CLOCK_MONOTONIC);
    if (hk_engine_pool(&t, &err)) return 1;
    printf("pool, %d workers: %.3f us per number\n", jobs,
           1e6 * (seconds(CLOCK_MONOTONIC) - begin) / (double)t.n);
  }
  return 0;
}

static int mpi(void) {
  const hk_engine_task t = {.n = 20000, .work = nothing};
  hk_error err = {0};
  bool leader;
  double begin = seconds(CLOCK_MONOTONIC);
  if (hk_engine_mpi(&t, &leader, &err)) {
    fprintf(stderr, "%s\n", err.text);
    return 1;
  }
  if (leader)
    printf("mpi: %.1f us per number, with the start of MPI\n",
           1e6 * (seconds(CLOCK_MONOTONIC) - begin) / (double)t.n);
  return 0;
}

static hk_study *open_study(const char *model, const char *axis, const char *values,
                            hk_plan *plan) {
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_study *s = hk_study_create(model, NULL, 0);
  if (!s || hk_study_add_axis(s, axis, values, 0, &err) || hk_study_bind(s, &diag)) {
    fprintf(stderr, "%s%s\n", err.text, diag.n ? diag.message[0].text : "");
    exit(1);
  }
  hk_plan_of_study(s, plan);
  hk_plan_open(plan, &err);
  hk_diag_free(&diag);
  return s;
}

static int warm(const char *model, const char *axis, const char *values) {
  hk_plan plan;
  hk_error err = {0};
  hk_record record;
  hk_runner runner;
  enum { N = 200 };
  hk_study *s = open_study(model, axis, values, &plan);
  if (hk_runner_init(&runner, &plan, &err)) return 1;
  double best = 1e9, alone = 1e9, read = 1e9;
  for (int i = 0; i < N; i++) {
    double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (hk_runner_run(&runner, i % plan.n, &record, &err)) return 1;
    double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (took < best) best = took;
    /* The same by hand: what of it is the run? */
    hk_diag diag;
    hk_run_report report;
    hk_diag_init(&diag);
    begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    hk_variant_make(&runner.variant, &plan, i % plan.n);
    hk_model *m = hk_model_compile(
        hk_model_source_read(s->source, runner.variant.set, runner.variant.n_set, &diag), &diag);
    double made = seconds(CLOCK_PROCESS_CPUTIME_ID);
    hk_run(m, NULL, &report, &diag);
    double ran = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (made - begin < read) read = made - begin;
    if (ran - made < alone) alone = ran - made;
    hk_run_report_free(&report);
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  printf(
      "warm: a variant takes %.3f ms of CPU: %.3f ms to read and compile, %.3f ms to run (%.2f "
      "times the run)\n",
      1e3 * best, 1e3 * read, 1e3 * alone, best / alone);
  hk_runner_free(&runner);
  hk_study_destroy(s);
  return 0;
}

static long peak_kb(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss;
}

static int collect(const char *model, const char *axis) {
  for (int n = 1000; n <= 100000; n *= 100) {
    char values[60], folder[] = "/tmp/hooke-bench-XXXXXX", sqlite[100], csv[100];
    hk_plan plan;
    hk_error err = {0};
    hk_journal *j;
    hk_variant v;
    hk_collection c;
    snprintf(values, sizeof values, "1..2:%d m", n);
    hk_study *s = open_study(model, axis, values, &plan);
    if (!mkdtemp(folder)) return 1;
    snprintf(sqlite, sizeof sqlite, "%s/table.sqlite", folder);
    snprintf(csv, sizeof csv, "%s/table.csv", folder);
    double *value = calloc((size_t)s->n_measures + 1, sizeof *value);
    if (!value || hk_variant_init(&v, s, &err) ||
        hk_journal_create(folder, plan.identity, s->n_measures, false, &j, &err))
      return 1;
    for (int i = 0; i < n; i++) {
      int number = (int)((long long)i * 7919 % n); /* in no order */
      hk_variant_make(&v, &plan, number);
      hk_record r = {.number = number, .value = value, .error = ""};
      memcpy(r.key, v.key, sizeof r.key);
      for (int k = 0; k < s->n_measures; k++) value[k] = number + 0.1 * k;
      if (hk_journal_append(j, &r, &err)) return 1;
    }
    hk_journal_close(j, &err);
    double begin = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (hk_collect(&plan, folder, sqlite, &c, &err)) {
      fprintf(stderr, "%s\n", err.text);
      return 1;
    }
    double middle = seconds(CLOCK_MONOTONIC), cpu2 = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (hk_collect_csv(sqlite, csv, &err)) return 1;
    printf(
        "collect: %d rows in %.2f s (%.2f s of CPU), as CSV in %.2f s more; peak memory %ld kB\n",
        n, middle - begin, cpu2 - cpu, seconds(CLOCK_MONOTONIC) - middle, peak_kb());
    hk_variant_free(&v);
    free(value);
    hk_study_destroy(s);
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "pool") == 0) return pool();
  if (strcmp(what, "mpi") == 0) return mpi();
  if (strcmp(what, "warm") == 0 && argc == 5) return warm(argv[2], argv[3], argv[4]);
  if (strcmp(what, "collect") == 0 && argc == 4) return collect(argv[2], argv[3]);
  fprintf(stderr, "usage: micro_study pool | mpi | warm MODEL PATH VALUES | collect MODEL PATH\n");
  return 2;
}
