/* The pool of processes: all results arrive, deaths and failures are reported, stopping works. */
#include "support/check.h"
#include "study/fork_pool.h"
#include <signal.h>
#include <unistd.h>

enum { ITEMS = 40, BIG = 300000 };

typedef struct record {
  int got[ITEMS], lost[ITEMS], taken;
  int die, fail, stop_after; /* -1: never */
  bool repeat;               /* two results per item */
  char why[80];
} record;

static int value_of(int item) { return item * item + 3; }

static hk_status work(void *context, int item, hk_pool_link *link, hk_error *err) {
  const record *r = context;
  if (item == r->die) raise(SIGKILL);
  if (item == r->fail) return hk_fail(err, HK_EFAIL, "item %d fails", item);
  if (hk_pool_stopped(link)) return HK_STOPPED;
  int *big = calloc(BIG, sizeof *big); /* more than a pipe holds */
  assert_non_null(big);
  for (int i = 0; i < BIG; i++) big[i] = value_of(item) + i;
  hk_status status = hk_pool_emit(link, item, big, BIG * sizeof *big, err);
  if (!status && r->repeat) status = hk_pool_emit(link, item, big, 0, err);
  free(big);
  return status;
}

static hk_status take(void *context, int tag, const void *bytes, size_t size, hk_error *err) {
  record *r = context;
  (void)err;
  r->taken++;
  r->got[tag]++;
  if (size == 0) return HK_OK;
  assert_int_equal(size, BIG * sizeof(int));
  const char *at = bytes;
  for (int i = 0; i < BIG; i += 997) {
    int v;
    memcpy(&v, at + (size_t)i * sizeof v, sizeof v);
    assert_int_equal(v, value_of(tag) + i);
  }
  return HK_OK;
}

static void lost(void *context, int item, const char *why) {
  record *r = context;
  r->lost[item]++;
  snprintf(r->why, sizeof r->why, "%s", why);
}

static bool go_on(void *context) {
  const record *r = context;
  return r->stop_after < 0 || r->taken < r->stop_after;
}

static hk_status run(record *r, int jobs, hk_error *err) {
  const hk_pool_task task = {.n = ITEMS,
                             .jobs = jobs,
                             .context = r,
                             .work = work,
                             .take = take,
                             .lost = lost,
                             .go_on = go_on};
  return hk_fork_pool_run(&task, err);
}

static void every_item_once(void **state) {
  (void)state;
  for (int jobs = 1; jobs <= 5; jobs += 2) {
    record r = {.die = -1, .fail = -1, .stop_after = -1};
    hk_error err = {0};
    assert_int_equal(run(&r, jobs, &err), HK_OK);
    for (int i = 0; i < ITEMS; i++) {
      assert_int_equal(r.got[i], 1);
      assert_int_equal(r.lost[i], 0);
    }
  }
}

static void several_results_of_one_item(void **state) {
  (void)state;
  record r = {.die = -1, .fail = -1, .stop_after = -1, .repeat = true};
  hk_error err = {0};
  assert_int_equal(run(&r, 2, &err), HK_OK);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(r.got[i], 2);
}

static void a_death_costs_one_item(void **state) {
  (void)state;
  record r = {.die = 7, .fail = -1, .stop_after = -1};
  hk_error err = {0};
  assert_int_equal(run(&r, 2, &err), HK_OK);
  for (int i = 0; i < ITEMS; i++) {
    assert_int_equal(r.lost[i], i == 7);
    assert_int_equal(r.got[i], i != 7);
  }
  assert_non_null(strstr(r.why, "signal 9"));
}

static void a_failure_is_final(void **state) {
  (void)state;
  for (int jobs = 1; jobs <= 2; jobs++) {
    record r = {.die = -1, .fail = 3, .stop_after = -1};
    hk_error err = {0};
    assert_int_equal(run(&r, jobs, &err), HK_EFAIL);
    assert_string_equal(err.text, "item 3 fails");
  }
}

static void stops_when_asked(void **state) {
  (void)state;
  for (int jobs = 1; jobs <= 2; jobs++) {
    record r = {.die = -1, .fail = -1, .stop_after = 4};
    hk_error err = {0};
    assert_int_equal(run(&r, jobs, &err), HK_STOPPED);
    assert_true(r.taken >= 4 && r.taken < ITEMS);
    for (int i = 0; i < ITEMS; i++) assert_int_equal(r.lost[i], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_once),        cmocka_unit_test(several_results_of_one_item),
      cmocka_unit_test(a_death_costs_one_item), cmocka_unit_test(a_failure_is_final),
      cmocka_unit_test(stops_when_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
