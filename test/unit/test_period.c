/* The period of a sequence of points. */
#include "support/check.h"
#include "analysis/period.h"
#include <math.h>

enum { N = 90 };
static const double one[2] = {1, 1};

static void finds_the_smallest_period(void **state) {
  (void)state;
  for (int p = 1; p <= 30; p++) {
    double x[N];
    for (int i = 0; i < N; i++) x[i] = (i * 7) % p;
    hk_repeat r = hk_repeat_find(x, N, 1, NULL, one, 1e-3, 0);
    /* 7 i mod p runs through all p values unless 7 divides p */
    assert_int_equal(r.period, p % 7 ? p : p / 7);
    assert_int_equal(r.distinct, p % 7 ? p : p / 7);
    assert_int_equal(r.candidate, r.period);
    assert_true(r.error == 0);
  }
}

static void both_channels_count(void **state) {
  (void)state;
  double x[2 * N];
  for (int i = 0; i < N; i++) x[2 * i] = i % 2, x[2 * i + 1] = i % 3;
  hk_repeat r = hk_repeat_find(x, N, 2, NULL, one, 1e-3, 0);
  assert_int_equal(r.period, 6);
  assert_int_equal(r.distinct, 6);
}

static void tolerance_is_a_share_of_the_scale(void **state) {
  (void)state;
  double x[N];
  for (int i = 0; i < N; i++) x[i] = i % 2 + 5e-3 * (i / 2 % 2); /* 4, nearly 2 */
  const double ten[1] = {10};
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 1e-3, 0).period, 4);
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 6e-3, 0).period, 2);
  hk_repeat r = hk_repeat_find(x, N, 1, NULL, ten, 1e-3, 0);
  assert_int_equal(r.period, 2);
  assert_near(r.error, 5e-4, 1e-12, "error of the repetition");
}

static void angles_go_round(void **state) {
  (void)state;
  const bool wrap[1] = {true};
  double x[N];
  for (int i = 0; i < N; i++) x[i] = 2 * M_PI * i + 0.1 * (i % 2);
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 1e-3, 0).period, 0);
  assert_int_equal(hk_repeat_find(x, N, 1, wrap, one, 1e-3, 0).period, 2);
}

static void what_does_not_repeat(void **state) {
  (void)state;
  double x[N];
  for (int i = 0; i < N; i++)
    x[i] = fmod(i * 0.6180339887498949, 1); /* rotation by the golden mean */
  hk_repeat r = hk_repeat_find(x, N, 1, NULL, one, 1e-3, 0);
  assert_int_equal(r.period, 0);
  assert_true(r.error > 0.5 && r.candidate > 0); /* the angle of a rotation jumps at the end of a
                                                  * revolution */
  assert_int_equal(r.distinct, N);
  x[N - 1] = NAN;
  for (int i = 0; i < N - 1; i++) x[i] = 1;
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 1e-3, 0).period, 0);
  assert_int_equal(hk_repeat_find(x, 2, 1, NULL, one, 1e-3, 0).period, 0); /* too few */
  assert_int_equal(hk_repeat_find(x, 0, 1, NULL, one, 1e-3, 0).distinct, 0);
}

static void longest_period_is_a_limit(void **state) {
  (void)state;
  double x[N];
  for (int i = 0; i < N; i++) x[i] = i % 12;
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 1e-3, 11).period, 0);
  assert_int_equal(hk_repeat_find(x, N, 1, NULL, one, 1e-3, 12).period, 12);
  assert_int_equal(hk_repeat_find(x, 35, 1, NULL, one, 1e-3, 0).period, 0); /* not seen thrice */
  assert_int_equal(hk_repeat_find(x, 36, 1, NULL, one, 1e-3, 0).period, 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_smallest_period),
      cmocka_unit_test(both_channels_count),
      cmocka_unit_test(tolerance_is_a_share_of_the_scale),
      cmocka_unit_test(angles_go_round),
      cmocka_unit_test(what_does_not_repeat),
      cmocka_unit_test(longest_period_is_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
