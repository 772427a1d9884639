/* The arena: memory is zeroed, aligned and disjoint; failures are reported. */
#include "support/check.h"
#include "base/arena.h"

static void memory_is_zeroed_aligned_and_disjoint(void **state) {
  (void)state;
  enum { N = 3000 };
  static unsigned char *at[N];
  static size_t size[N];
  size_t total = 0;
  hk_arena a;
  hk_arena_init(&a);
  for (int i = 0; i < N; i++) {
    size[i] = i % 97 == 0 ? (size_t)pick(200000) : (size_t)pick(600); /* some larger than a block */
    at[i] = hk_arena_alloc(&a, size[i]);
    assert_non_null(at[i]);
    assert_true((uintptr_t)at[i] % (size[i] >= 256 ? 64 : 16) == 0);
    for (size_t k = 0; k < size[i]; k++) assert_true(at[i][k] == 0);
    memset(at[i], i % 255 + 1, size[i]);
    total += size[i];
  }
  assert_true(a.total == total);
  for (int i = 0; i < N; i++)
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(at[i][k], i % 255 + 1);
  hk_arena_free(&a);
  assert_true(a.first == NULL && a.total == 0);
  hk_arena_free(&a); /* a second call is harmless */
}

static void an_oversized_piece_does_not_waste_the_block(void **state) {
  (void)state;
  hk_arena a;
  hk_arena_init(&a);
  char *first = hk_arena_alloc(&a, 100);
  assert_non_null(hk_arena_alloc(&a, 1 << 20));
  char *second = hk_arena_alloc(&a, 100);
  assert_true(second > first && second - first < 1024);
  hk_arena_free(&a);
}

static void texts(void **state) {
  (void)state;
  hk_arena a;
  hk_arena_init(&a);
  char source[] = "crank.tip";
  char *copy = hk_arena_strdup(&a, source), *part = hk_arena_strndup(&a, source, 5);
  source[0] = 'X';
  assert_string_equal(copy, "crank.tip");
  assert_string_equal(part, "crank");
  assert_string_equal(hk_arena_strdup(&a, ""), "");
  assert_string_equal(hk_arena_printf(&a, "%s[%d].%c", copy, 12, 'x'), "crank.tip[12].x");
  char *lengthy = hk_arena_printf(&a, "%0100000d", 7);
  assert_non_null(lengthy);
  assert_int_equal(strlen(lengthy), 100000);
  assert_true(lengthy[99999] == '7');
  hk_arena_free(&a);
}

static void too_much_is_refused(void **state) {
  (void)state;
  hk_arena a;
  hk_arena_init(&a);
  assert_null(hk_arena_alloc(&a, SIZE_MAX));
  assert_null(hk_arena_alloc(&a, SIZE_MAX / 2));
  assert_non_null(hk_arena_alloc(&a, 8)); /* and the arena still works */
  hk_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_zeroed_aligned_and_disjoint),
      cmocka_unit_test(an_oversized_piece_does_not_waste_the_block),
      cmocka_unit_test(texts),
      cmocka_unit_test(too_much_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
