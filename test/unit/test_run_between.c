/* Extremes of channels between two rows. */
#include "study/run_between.h"
#include "support/check.h"
#include <math.h>

/* Adds the values at step ends, then the last one as a row, and checks the record. */
static void between(hk_between *b, const double *y, int n, float below, float above, float turns) {
  for (int i = 0; i + 1 < n; i++) hk_between_add(b, &y[i]);
  hk_between_row(b, &y[n - 1]);
  assert_true(b->record[0] == below && b->record[1] == above && b->record[2] == turns);
}

static void of_a_channel(void **state) {
  (void)state;
  hk_between b;
  const double first[] = {0}, still[] = {0, 0, 0}, swing[] = {1, 0, -2, 0, 3, 0}, up[] = {1, 2, 3};
  assert_int_equal(hk_between_init(&b, 1), HK_OK);
  between(&b, first, 1, 0, 0, 0);
  between(&b, still, 3, 0, 0, 0);
  between(&b, swing, 6, 2, 3, 3);
  between(&b, up, 3, 0, 0, 1);
  between(&b, (double[]){3, 3, 3}, 3, 0, 0, 0);
  hk_between_free(&b);
}

static void without_a_value(void **state) {
  (void)state;
  hk_between b;
  assert_int_equal(hk_between_init(&b, 1), HK_OK);
  /* There is no row before the first, so that 0 is an extreme like any other. */
  between(&b, (double[]){0, 0, -1, 2}, 4, 1, 0, 1);
  between(&b, (double[]){INFINITY, NAN, 2}, 3, 0, 0, 0);
  between(&b, (double[]){5, NAN}, 2, 0, 3, 0);
  between(&b, (double[]){NAN, 4, 6, 4}, 4, 0, 2, 1);
  hk_between_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_channel),
                                     cmocka_unit_test(without_a_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
