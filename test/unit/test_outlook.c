/* Ranges of expressions of time over several steps ahead: they contain the values of every step, however the steps
 * follow each other, and what they exclude does not occur. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "control/outlook.h"

static hk_symbol resolve(void *context, const char *name, char *hint) {
  (void)context, (void)hint;
  hk_symbol s = {.kind = strcmp(name, "t") == 0 ? HK_SYMBOL_VARIABLE : HK_SYMBOL_UNKNOWN};
  return s;
}

static double between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

static const char *const TEXT[] = {"3*t - 1",
                                   "step5(t, 1, 0, 2, 5)",
                                   "(t - 1)*step5(t, 0, 0, 2, 1)",
                                   "exp(-((t - 2)/0.01)^2)",
                                   "tanh(100*(t - 1.5))",
                                   "5 + 1e-9*sin(300*t)",
                                   "if(t > 1.5, 1, 0)",
                                   "sqrt(abs(t - 1))"};

static void check_step(hk_outlook *k, const hk_expr *e, double from, double to) {
  enum { PARTS = 7 };
  const hk_flow f = *hk_outlook_over(k, e, from, to);
  double y0 = hk_expr_value(e, &from), y1 = hk_expr_value(e, &to);
  bool plain = hk_flow_stays_between_ends(&f, 0);
  for (int i = 0; i <= PARTS; i++) {
    double t = from + (to - from) * i / PARTS, y = hk_expr_value(e, &t);
    double off = 1e-12 * fabs(y);
    assert_true(y >= f.lo - off && y <= f.hi + off);
    if (plain) assert_true(y >= fmin(y0, y1) - off && y <= fmax(y0, y1) + off);
  }
}

static void ranges_contain_every_step(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  for (size_t i = 0; i < sizeof TEXT / sizeof *TEXT; i++) {
    const hk_expr *e = hk_expr_compile(&arena, TEXT[i], strlen(TEXT[i]), resolve, NULL, NULL);
    hk_outlook ahead = {0};
    double t = 0, h = 1e-3;
    assert_non_null(e);
    for (int n = 0; n < 2000; n++) {
      /* mostly forward with steps of similar length; sometimes back, or to another length */
      h *= n % 50 ? between(0.8, 1.25) : between(0.02, 50);
      h = fmin(fmax(h, 1e-6), 0.1);
      check_step(&ahead, e, t, t + h);
      t = n % 10 || rand() % 4 ? t + h : between(0, 3);
      if (t > 3) t = 0;
    }
  }
  hk_arena_free(&arena);
}

/* What has become constant is evaluated once; a ramp is seen to rise, but not across its end, and a peak is not
 * excluded. */
static void what_is_excluded(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  const char *ramp = "step5(t, 1, 0, 2, 5)", *peak = "exp(-((t - 2)/0.01)^2)";
  const hk_expr *e = hk_expr_compile(&arena, ramp, strlen(ramp), resolve, NULL, NULL);
  hk_outlook ahead = {0};
  hk_outlook_over(&ahead, e, 2.5, 2.501);
  assert_true(ahead.until == INFINITY && ahead.flow.lo == 5 && ahead.flow.hi == 5);
  assert_true(hk_flow_stays_between_ends(hk_outlook_over(&ahead, e, 1.2, 1.201), 0));
  assert_true(ahead.until > 1.21 && ahead.until < 1.3);
  assert_false(hk_flow_stays_between_ends(hk_outlook_over(&ahead, e, 1.999, 2.001), 0));
  e = hk_expr_compile(&arena, peak, strlen(peak), resolve, NULL, NULL);
  ahead = (hk_outlook){0};
  assert_false(hk_flow_stays_between_ends(hk_outlook_over(&ahead, e, 0, 4), 0.5));
  assert_true(hk_flow_stays_between_ends(hk_outlook_over(&ahead, e, 0, 0.01), 1e-9));
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_contain_every_step),
                                     cmocka_unit_test(what_is_excluded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
