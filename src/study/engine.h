/* Engines distribute numbers of variants to processes and supervise these; they have no other knowledge of the study.
 *
 * A worker writes its results to its own journal.  A worker that crashes or exceeds its time or memory limit loses
 * only its variant, which `lost` reports.  If a worker was killed from outside (SIGKILL, SIGTERM), its successor
 * repeats the variant. */
#ifndef HK_STUDY_ENGINE_H
#define HK_STUDY_ENGINE_H
#include <hooke/base.h>

typedef struct hk_engine_task {
  int64_t n;            /* numbers to process: 0 .. n-1 */
  int jobs;             /* number of processes; 0: one per processor */
  double time_limit;    /* time limit per number [s]; 0: none */
  int64_t memory_limit; /* bytes of data per process; 0: no limit */
  void *context;
  /* In a worker. */
  /* called in each worker before its first variant */
  hk_status (*enter)(void *context, hk_error *err);
  bool (*wanted)(void *context, int64_t number); /* NULL: always */
  hk_status (*work)(void *context, int64_t number, bool *failed, hk_error *err);
  hk_status (*leave)(void *context, hk_error *err);
  /* function that replaces the counter and returns the next number; < 0: there are no more; NULL: a counter from 0 to
   * n - 1 */
  int64_t (*next)(void *source);
  void *source;
  /* In the caller. */
  hk_status (*lost)(void *context, int64_t number, const char *why, hk_error *err);
  bool (*go_on)(void *context, int64_t done,
                int64_t failed); /* called ten times per second, false: stop; NULL: never stops */
} hk_engine_task;

/* Runs worker processes on this machine.  HK_STOPPED after go_on returned false. */
hk_status hk_engine_pool(const hk_engine_task *task, hk_error *err);
/* Number of processes if jobs is 0, at most the number of variants. */
int hk_engine_jobs(const hk_engine_task *task);

/* Uses all ranks of an MPI job: rank 0 distributes numbers, every rank has one supervised worker.
 * *leader: whether this is rank 0, even on failure.  MPI is loaded by this function and must not be
 * in use. */
hk_status hk_engine_mpi(const hk_engine_task *task, bool *leader, hk_error *err);
#endif
