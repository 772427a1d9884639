/* Independent items processed by forked processes; their results return through pipes.
 *
 * Items are distributed one by one, so that slow ones do not delay the others; the results do not depend on which
 * process takes which item.  A process that dies loses its item only.  With one job everything runs in the calling
 * process. */
#ifndef HK_STUDY_FORK_POOL_H
#define HK_STUDY_FORK_POOL_H
#include <hooke/base.h>

typedef struct hk_pool_link hk_pool_link;

typedef struct hk_pool_task {
  int n;    /* items */
  int jobs; /* processes; 0: one per processor */
  void *context;
  /* Runs in a separate process and may emit any number of results.  Returns only failures that
   * affect all items, such as HK_ENOMEM. */
  hk_status (*work)(void *context, int item, hk_pool_link *link, hk_error *err);
  /* Runs in the calling process, one result at a time. */
  hk_status (*take)(void *context, int tag, const void *bytes, size_t size, hk_error *err);
  void (*lost)(void *context, int item, const char *why);
  bool (*go_on)(
      void *context); /* called several times per second, false: stop; NULL: never stops */
} hk_pool_task;

/* HK_OK, HK_STOPPED after go_on returned false, or a failure. */
hk_status hk_fork_pool_run(const hk_pool_task *task, hk_error *err);

/* For `work`: emits a result; returns whether the caller has requested to stop. */
hk_status hk_pool_emit(hk_pool_link *link, int tag, const void *bytes, size_t size, hk_error *err);
bool hk_pool_stopped(hk_pool_link *link);
#endif
