/* Large blocks: zeroed, aligned with cache lines, freed like others; failures are reported. */
#include "support/check.h"
#include "base/huge_pages.h"

static void blocks_of_all_sizes_are_zeroed_and_aligned(void **state) {
  (void)state;
  const size_t MiB = (size_t)1 << 20;
  const size_t size[] = {1, 63, 4096, MiB - 8, MiB, 2 * MiB + 8, 3 * MiB, 5 * MiB - 8};
  for (int round = 0; round < 2; round++) /* the second block may reuse the memory of the first */
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
      unsigned char *a = hk_huge_calloc(size[i], 1), *b = hk_huge_calloc(1, size[i]);
      assert_true(a != NULL && b != NULL);
      assert_true((uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0);
      for (size_t k = 0; k < size[i]; k++) assert_true(a[k] == 0);
      memset(a, 1, size[i]);
      for (size_t k = 0; k < size[i]; k++) assert_true(b[k] == 0);
      memset(b, 2, size[i]);
      free(a);
      free(b);
    }
}

static void what_cannot_be_had_is_refused(void **state) {
  (void)state;
  assert_null(hk_huge_calloc(SIZE_MAX / 4, 8));
  assert_null(hk_huge_calloc(SIZE_MAX, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_of_all_sizes_are_zeroed_and_aligned),
      cmocka_unit_test(what_cannot_be_had_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
