/* Summaries of samples against closed forms and tables. */
#include "statistics/summary.h"
#include "support/check.h"
#include <math.h>

static void of_ten(void **state) {
  const double x[] = {9, 1, NAN, 3, 5, 7, 2, 4, 6, 8, 10};
  hk_summary s;
  assert_true(hk_summary_make(x, 11, &s));
  assert_int_equal(s.n, 10);
  assert_float_equal(s.mean, 5.5, 1e-12);
  assert_float_equal(s.deviation, sqrt(82.5 / 9), 1e-12);
  assert_float_equal(s.median, 5.5, 1e-12);
  assert_float_equal(s.low, 1.45, 1e-12);
  assert_float_equal(s.high, 9.55, 1e-12);
  assert_true(s.least == 1 && s.greatest == 10);
  /* t of 9 degrees of freedom: 2.262157 */
  assert_float_equal(s.mean_high - s.mean, 2.262157 * s.deviation / sqrt(10), 1e-4);
  assert_false(hk_summary_make(x + 2, 1, &s));
}

/* Student's quantiles: half width of the mean of n values with deviation 1, from tables. */
static void student(void **state) {
  static const struct {
    int n;
    double t;
  } known[] = {{2, 12.7062}, {3, 4.30265},  {4, 3.18245},
               {6, 2.57058}, {21, 2.08596}, {101, 1.98397}};
  for (int k = 0; k < 6; k++) {
    double x[101];
    hk_summary s;
    for (int i = 0; i < known[k].n; i++) x[i] = i;
    assert_true(hk_summary_make(x, known[k].n, &s));
    double t = (s.mean_high - s.mean) / s.deviation * sqrt(known[k].n);
    assert_float_equal(t, known[k].t, 4e-3 * known[k].t);
  }
}

/* Wilson's interval of 8 of 10: 0.4902 to 0.9433. */
static void shares(void **state) {
  double low, high;
  hk_share_interval(8, 10, &low, &high);
  assert_float_equal(low, 0.49016, 1e-4);
  assert_float_equal(high, 0.94331, 1e-4);
  hk_share_interval(10, 10, &low, &high);
  assert_true(low > 0.72 && low < 0.723 && fabs(high - 1) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_ten),
      cmocka_unit_test(student),
      cmocka_unit_test(shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
