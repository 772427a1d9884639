/* The pool: every number once, crashes and time limits reported, killed workers replaced, failures passed
 * on. */
#include "study/engine.h"
#include "support/check.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { N = 200 };

typedef struct record {
  atomic_int entered, left, worked[N];
  int lost[N];
  char why[N][200];
  int crash, hang, killed, fatal, eat; /* numbers; -1: none */
  atomic_int kills, ate;
  int64_t done, stop_at;
  pid_t master;
} record;

static hk_status enter(void *context, hk_error *err) {
  record *r = context;
  (void)err;
  atomic_fetch_add(&r->entered, 1);
  return HK_OK;
}
static hk_status leave(void *context, hk_error *err) {
  record *r = context;
  (void)err;
  atomic_fetch_add(&r->left, 1);
  return HK_OK;
}
static bool wanted(void *context, int64_t number) {
  (void)context;
  return number % 3 != 0;
}

static hk_status work(void *context, int64_t number, bool *failed, hk_error *err) {
  record *r = context;
  assert_int_not_equal(getpid(), r->master);
  if (number == r->crash) {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (number == r->hang)
    for (;;) pause();
  if (number == r->killed && atomic_fetch_add(&r->kills, 1) < 2) raise(SIGKILL);
  if (number == r->fatal) return hk_fail(err, HK_EIO, "the disk is full at %d", (int)number);
  if (number == r->eat) {
    char *much = malloc((size_t)400 << 20);
    if (much) memset(much, 1, (size_t)400 << 20);
    *failed = !much;
    atomic_store(&r->ate, much ? 1 : -1);
    free(much);
  }
  atomic_fetch_add(&r->worked[number], 1);
  return HK_OK;
}

static hk_status lost(void *context, int64_t number, const char *why, hk_error *err) {
  record *r = context;
  (void)err;
  assert_int_equal(getpid(), r->master);
  r->lost[number]++;
  snprintf(r->why[number], sizeof r->why[number], "%s", why);
  return HK_OK;
}

static bool go_on(void *context, int64_t done, int64_t failed) {
  record *r = context;
  (void)failed;
  r->done = done;
  return r->stop_at < 0 || done < r->stop_at;
}

static record *create(void) {
  record *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(r != MAP_FAILED);
  r->crash = r->hang = r->killed = r->fatal = r->eat = -1;
  r->stop_at = -1;
  r->master = getpid();
  return r;
}

static hk_engine_task task_of(record *r, int jobs) {
  return (hk_engine_task){.n = N,
                          .jobs = jobs,
                          .context = r,
                          .enter = enter,
                          .leave = leave,
                          .work = work,
                          .lost = lost,
                          .go_on = go_on};
}

static void each_once(void **state) {
  (void)state;
  for (int jobs = 1; jobs <= 4; jobs += 3) {
    record *r = create();
    hk_error err = {0};
    hk_engine_task t = task_of(r, jobs);
    t.wanted = wanted;
    assert_int_equal(hk_engine_pool(&t, &err), HK_OK);
    for (int i = 0; i < N; i++) assert_int_equal(r->worked[i], i % 3 != 0);
    assert_int_equal(r->entered, jobs);
    assert_int_equal(r->left, jobs);
    munmap(r, sizeof *r);
  }
}

static void casualties(void **state) {
  (void)state;
  record *r = create();
  hk_error err = {0};
  hk_engine_task t = task_of(r, 2);
  r->crash = 20;
  r->hang = 50;
  r->killed = 70;
  t.time_limit = 0.2;
  assert_int_equal(hk_engine_pool(&t, &err), HK_OK);
  for (int i = 0; i < N; i++) {
    bool gone = i == 20 || i == 50;
    assert_int_equal(r->worked[i], gone ? 0 : 1);
    assert_int_equal(r->lost[i], gone ? 1 : 0);
  }
  assert_non_null(strstr(r->why[20], "signal 11"));
  assert_non_null(strstr(r->why[50], "0.2 s"));
  assert_int_equal(r->kills, 3); /* killed twice, then finished */
  munmap(r, sizeof *r);
}

static void always_killed(void **state) {
  (void)state;
  record *r = create();
  hk_error err = {0};
  hk_engine_task t = task_of(r, 1);
  r->killed = 3;
  atomic_store(&r->kills, -100);
  assert_int_equal(hk_engine_pool(&t, &err), HK_OK);
  assert_int_equal(r->lost[3], 1);
  assert_non_null(strstr(r->why[3], "5 times"));
  assert_int_equal(r->worked[4], 1);
  munmap(r, sizeof *r);
}

static void memory_limit(void **state) {
  (void)state;
#ifndef __SANITIZE_ADDRESS__ /* which needs terabytes of memory of its own */
  record *r = create();
  hk_error err = {0};
  hk_engine_task t = task_of(r, 1);
  r->eat = 7;
  t.memory_limit = (int64_t)200 << 20;
  assert_int_equal(hk_engine_pool(&t, &err), HK_OK);
  assert_int_equal(r->worked[7], 1);
  assert_int_equal(r->ate, -1);
  munmap(r, sizeof *r);
#endif
}

static void fatal(void **state) {
  (void)state;
  record *r = create();
  hk_error err = {0};
  hk_engine_task t = task_of(r, 3);
  r->fatal = 30;
  assert_int_equal(hk_engine_pool(&t, &err), HK_EIO);
  assert_string_equal(err.text, "the disk is full at 30");
  munmap(r, sizeof *r);
}

static void stops(void **state) {
  (void)state;
  record *r = create();
  hk_error err = {0};
  hk_engine_task t = task_of(r, 2);
  r->hang = 100;
  r->stop_at = 99;
  assert_int_equal(hk_engine_pool(&t, &err), HK_STOPPED);
  assert_int_equal(r->worked[100], 0);
  munmap(r, sizeof *r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_once),    cmocka_unit_test(casualties), cmocka_unit_test(always_killed),
      cmocka_unit_test(memory_limit), cmocka_unit_test(fatal),      cmocka_unit_test(stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
