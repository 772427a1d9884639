/* Independent items worked on by forked processes; what they find comes back over pipes.
 *
 * Items are handed out one by one, so that slow ones do not hold up the others; which process takes
 * which item does not matter to the results.  A process that dies takes its item with it, nothing
 * else.  With one job everything happens in the calling process.
 */
#ifndef HK_FORK_POOL_H
#define HK_FORK_POOL_H
#include <hooke/base.h>

typedef struct hk_pool_link hk_pool_link;

typedef struct hk_pool_task {
  int n;    /* items */
  int jobs; /* processes; 0: one per processor */
  void *context;
  /* In a process of its own: may emit any number of results.  Returns only failures of the whole,
   * such as HK_ENOMEM. */
  hk_status (*work)(void *context, int item, hk_pool_link *link, hk_error *err);
  /* In the calling process, one at a time. */
  hk_status (*take)(void *context, int tag, const void *bytes, size_t size, hk_error *err);
  void (*lost)(void *context, int item, const char *why);
  bool (*go_on)(void *context); /* asked several times per second; NULL: always */
} hk_pool_task;

/* HK_OK, HK_STOPPED after go_on said so, or a failure. */
hk_status hk_fork_pool_run(const hk_pool_task *task, hk_error *err);

/* For work: hand a result over; has the caller asked to stop? */
hk_status hk_pool_emit(hk_pool_link *link, int tag, const void *bytes, size_t size, hk_error *err);
bool hk_pool_stopped(hk_pool_link *link);
#endif
