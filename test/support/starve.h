/* The n-th allocation of the library fails, for every n.  The linker replaces malloc and related functions by
 * those below (test/CMakeLists.txt), for code of the library only: the behaviour of KLU, LAPACK, HDF5 and
 * libyaml without memory is not tested.  Include this file in one source file per test program: it defines the
 * functions. */
#ifndef HK_STARVE_H
#define HK_STARVE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <stdlib.h>
#include <string.h>

static long n_allocations, fail_at, live;
static bool fail_on; /* all later allocations fail too */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *s);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *s);
void __wrap_free(void *p);

static bool refused(void) {
  n_allocations++;
  return fail_at > 0 && (fail_on ? n_allocations >= fail_at : n_allocations == fail_at);
}
static void *count(void *p) {
  if (p) live++;
  return p;
}
void *__wrap_malloc(size_t size) { return refused() ? NULL : count(__real_malloc(size)); }
void *__wrap_calloc(size_t n, size_t size) {
  return refused() ? NULL : count(__real_calloc(n, size));
}
void *__wrap_realloc(void *old, size_t size) {
  if (refused()) return NULL;
  return old ? __real_realloc(old, size) : count(__real_realloc(NULL, size));
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : count(__real_aligned_alloc(alignment, size));
}
char *__wrap_strdup(const char *s) { return refused() ? NULL : count(__real_strdup(s)); }
void __wrap_free(void *p) {
  if (p) live--;
  __real_free(p);
}

enum { MOST_MEASURES = 4 };
typedef struct outcome {
  bool done, told; /* true: success; false: an error was reported */
  double value[MOST_MEASURES];
} outcome;

/* True if an error was reported and its code is HK_ENOMEM. */
static bool told(const hk_error *err, const hk_diag *diag) {
  if (err->code == HK_ENOMEM || diag->out_of_memory) return true;
  for (int i = 0; i < diag->n; i++)
    if (diag->message[i].severity == HK_ERROR && strstr(diag->message[i].text, "memory"))
      return true;
  return false;
}

typedef outcome task(const char *text, bool print);

static void every_allocation(task *go, const char *text, bool on) {
  fail_at = 0;
  n_allocations = 0;
  long before = live;
  const outcome good = go(text, true);
  assert_true(good.done);
  assert_int_equal(live, before);
  long total = n_allocations, survived = 0;
  assert_true(total > 0);
  fail_on = on;
  for (long n = 1; n <= total; n++) {
    n_allocations = 0;
    fail_at = n;
    const outcome o = go(text, false);
    fail_at = 0;
    if (!o.done && !o.told) fail_msg("allocation %ld of %ld: no error was reported", n, total);
    if (o.done && memcmp(o.value, good.value, sizeof o.value) != 0)
      fail_msg("allocation %ld of %ld: another result, and no error", n, total);
    if (live != before) fail_msg("allocation %ld of %ld: %ld blocks leak", n, total, live - before);
    survived += o.done;
  }
  print_message("%ld allocations, %ld of them not needed; values %g %g %g %g\n", total, survived,
                good.value[0], good.value[1], good.value[2], good.value[3]);
}
#endif
