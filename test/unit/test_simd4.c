/* Four numbers at once: exponentials and logarithms against those of the C library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/simd4.h"
#include <float.h>
#include <math.h>

static void near_to(double got, double wanted) {
  if (!(fabs(got - wanted) <= 4 * DBL_EPSILON * fabs(wanted)))
    fail_msg("%.17g, not %.17g", got, wanted);
}

static void exponentials(void **state) {
  for (double x = -700; x < 700; x += 0.6180339887) {
    hk_v4 e = hk_exp4((hk_v4){x, -x, 1e-3 * x, 1e-9 * x});
    near_to(e[0], exp(x));
    near_to(e[1], exp(-x));
    near_to(e[2], exp(1e-3 * x));
    near_to(e[3], exp(1e-9 * x));
  }
  hk_v4 ends = hk_exp4((hk_v4){0, -1e4, NAN, -INFINITY});
  assert_true(ends[0] == 1);
  assert_true(ends[1] == ends[3] && ends[1] < 1e-300);
  assert_true(isnan(ends[2]));
}

static void logarithms(void **state) {
  for (double x = -700; x < 700; x += 0.6180339887) {
    hk_v4 l = hk_log4((hk_v4){exp(x), 1 + 1e-3 * x, 1 + 1e-9 * x, 1.5 + 1e-3 * x});
    near_to(l[0], log(exp(x)));
    near_to(l[1], log(1 + 1e-3 * x));
    near_to(l[2], log(1 + 1e-9 * x));
    near_to(l[3], log(1.5 + 1e-3 * x));
  }
  hk_v4 none = hk_log4((hk_v4){0, -1, NAN, INFINITY});
  for (int i = 0; i < 4; i++) assert_true(isnan(none[i]));
  none = hk_log4((hk_v4){1, 1e-307, 1.7e308, 2});
  assert_true(none[0] == 0);
  near_to(none[1], log(1e-307));
  near_to(none[2], log(1.7e308));
  near_to(none[3], M_LN2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exponentials), cmocka_unit_test(logarithms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
