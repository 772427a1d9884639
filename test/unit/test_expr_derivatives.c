/* Exact derivatives of expressions against eighth-order central differences at random points, and
 * the conventions at kinks. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expr/expr.h"

/* a, b, c are variables 2, 5, 7; v[i] is variable i; all plain numbers. */
static hk_symbol resolve(void *context, const char *name, char *hint) {
  hk_symbol s = {.kind = HK_SYMBOL_VARIABLE};
  (void)context, (void)hint;
  if (strcmp(name, "a") == 0) return s.slot = 2, s;
  if (strcmp(name, "b") == 0) return s.slot = 5, s;
  if (strcmp(name, "c") == 0) return s.slot = 7, s;
  if (sscanf(name, "v[%d]", &s.slot) == 1) return s;
  s.kind = HK_SYMBOL_UNKNOWN;
  return s;
}

static hk_expr *compile(hk_arena *arena, const char *text) {
  hk_expr_error err = {0};
  hk_expr *e = hk_expr_compile(arena, text, strlen(text), resolve, NULL, &err);
  if (!e) fail_msg("'%s': %d: %s", text, err.column, err.text);
  return e;
}

static double random_in(double low, double high) {
  return low + (high - low) * ((double)rand() / RAND_MAX);
}

/* Eighth-order central differences: error h^8 f^(9)/630 and about eps/h or eps/h^2. */
static void differences(const hk_expr *e, double *variables, int slot, double *d1, double *d2) {
  static const double first[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static const double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  const double h = 1.0 / 128, x = variables[slot];
  *d1 = 0;
  *d2 = second[0] * hk_expr_value(e, variables);
  for (int k = 1; k <= 4; k++) {
    variables[slot] = x + k * h;
    double right = hk_expr_value(e, variables);
    variables[slot] = x - k * h;
    double left = hk_expr_value(e, variables);
    *d1 += first[k] * (right - left);
    *d2 += second[k] * (right + left);
  }
  variables[slot] = x;
  *d1 /= h;
  *d2 /= h * h;
}

static void check_near(const char *text, const char *what, double exact, double numeric,
                       double tolerance) {
  if (!(fabs(exact - numeric) <= tolerance * (1 + fabs(numeric))))
    fail_msg("%s of '%s' is %.12g, differences say %.12g", what, text, exact, numeric);
}

static void compare(const hk_expr *e, double *variables) {
  double gradient[16], d1, d2, n1, n2;
  const int *slots;
  int n = hk_expr_slots(e, &slots);
  const char *text = hk_expr_text(e);
  double value = hk_expr_value(e, variables);
  assert_true(isfinite(value));
  assert_true(hk_expr_gradient(e, variables, gradient) == value);
  for (int i = 0; i < n; i++) {
    assert_true(hk_expr_second(e, variables, slots[i], &d1, &d2) == value);
    assert_true(d1 == gradient[i]);
    differences(e, variables, slots[i], &n1, &n2);
    check_near(text, "first derivative", d1, n1, 1e-11);
    check_near(text, "second derivative", d2, n2, 1e-8);
  }
  assert_true(hk_expr_second(e, variables, 9, &d1, &d2) == value);
  assert_true(d1 == 0 && d2 == 0);
}

typedef struct sample {
  const char *text;
  double a_low, a_high, b_low, b_high;
} sample;

/* Each function in the range where it is smooth, at a distance of 4h from poles and kinks. */
static const sample SAMPLES[] = {
    {"a + b", -2, 2, -2, 2},
    {"a - b", -2, 2, -2, 2},
    {"a*b*a", -2, 2, -2, 2},
    {"a/b", -2, 2, 0.5, 2},
    {"-a", -2, 2, 0, 0},
    {"a^b", 0.5, 2, -2, 2},
    {"a^2", -2, 2, 0, 0},
    {"a^3", -2, 2, 0, 0},
    {"a^1", -2, 2, 0, 0},
    {"a^0", -2, 2, 0, 0},
    {"a^1.5", 0.5, 2, 0, 0},
    {"a^-2", 0.5, 2, 0, 0},
    {"2^a", -2, 2, 0, 0},
    {"sin(a)", -4, 4, 0, 0},
    {"cos(a)", -4, 4, 0, 0},
    {"tan(a)", -1, 1, 0, 0},
    {"asin(a)", -0.7, 0.7, 0, 0},
    {"acos(a)", -0.7, 0.7, 0, 0},
    {"atan(a)", -3, 3, 0, 0},
    {"atan2(a, b)", 0.5, 2, -2, 2},
    {"atan2(a, b)", -2, -0.5, -2, 2},
    {"sinh(a)", -2, 2, 0, 0},
    {"cosh(a)", -2, 2, 0, 0},
    {"tanh(a)", -2, 2, 0, 0},
    {"exp(a)", -2, 2, 0, 0},
    {"log(a)", 0.5, 3, 0, 0},
    {"log10(a)", 0.5, 3, 0, 0},
    {"sqrt(a)", 0.5, 3, 0, 0},
    {"cbrt(a)", 0.5, 3, 0, 0},
    {"cbrt(a)", -3, -0.5, 0, 0},
    {"abs(a)", 0.1, 2, 0, 0},
    {"abs(a)", -2, -0.1, 0, 0},
    {"sign(a)*a", 0.1, 2, 0, 0},
    {"floor(a) + ceil(a)", 0.1, 0.9, 0, 0},
    {"round(a)*a", 0.6, 1.4, 0, 0},
    {"min(a*a, b)", 1.2, 2, 0, 1},
    {"min(a*a, b)", -0.5, 0.5, 1, 2},
    {"max(a*a, b*b)", 1.5, 2, 0, 1},
    {"mod(a, b)", 5.2, 5.5, 1.95, 2.1},
    {"mod(a, b)", -5.5, -5.2, 1.95, 2.1},
    {"hypot(a, b)", 0.5, 2, 0.5, 2},
    {"hypot(a, b, 2)", -2, 2, -2, 2},
    {"clip(a*b, 0, 1)", 0.3, 0.9, 0.3, 0.9},
    {"clip(a*b, 0, 1)", 1.5, 2, 1.5, 2},
    {"if(a > 0, a^3, b)", 0.1, 2, -1, 1},
    {"if(a > 0, a^3, b)", -2, -0.1, -1, 1},
    {"step(a, 0, b, 1, 2*b)", 0.1, 0.9, -2, 2},
    {"step(a, 0, b, 1, 2*b)", 1.1, 2, -2, 2},
    {"step(a, -b, 1, b, 2)", -0.3, 0.3, 0.8, 2},
    {"step5(a, 0, b, 1, 2*b)", 0.1, 0.9, -2, 2},
    {"step5(a, -b, 1, b, 2)", -0.3, 0.3, 0.8, 2},
    {"ramp(a, -b, b)", -0.3, 0.3, 0.8, 2},
    {"pulse(a, 0, 1)*b", 0.1, 0.9, -2, 2},
    {"interp(a, 0,1, 1,3, 2,-1)", 1.1, 1.9, 0, 0},
    {"interp(a, 0,1, 1,3, 2,-1)^2", 0.1, 0.9, 0, 0},
    {"interp(a, 0,1, 1,3, 2,-1) + a", -2, -0.1, 0, 0},
    {"sin(a*b)*exp(-a^2)/(2 + cos(b))", -1, 1, -1, 1},
    {"sqrt(1 + a^2 + b^4)^3", -1, 1, -1, 1},
    {"atan2(sin(a) + 3, b)*hypot(1, a*b)", -1, 1, -1, 1},
    {"(1 + a^2)^(sin(b) + a)", -1, 1, -1, 1},
    {"log(cosh(a - b)) + tanh(a*b)^2", -1, 1, -1, 1},
};

static void test_against_differences(void **state) {
  (void)state;
  srand(3);
  for (size_t i = 0; i < sizeof SAMPLES / sizeof *SAMPLES; i++) {
    const sample *s = &SAMPLES[i];
    hk_arena arena;
    hk_arena_init(&arena);
    const hk_expr *e = compile(&arena, s->text);
    for (int n = 0; n < 50; n++) {
      double variables[10] = {0};
      variables[2] = random_in(s->a_low, s->a_high);
      variables[5] = random_in(s->b_low, s->b_high);
      compare(e, variables);
    }
    hk_arena_free(&arena);
  }
}

/* More variables than one pass can process. */
static void test_many_variables(void **state) {
  (void)state;
  char text[2048] = "1";
  enum { N = 29 };
  for (int i = 0; i < N; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " + sin(v[%d]*v[%d])", 3 * i,
             3 * ((i + 1) % N));
  hk_arena arena;
  hk_arena_init(&arena);
  const hk_expr *e = compile(&arena, text);
  double variables[3 * N], gradient[N];
  for (int i = 0; i < 3 * N; i++) variables[i] = 0.1 + 0.03 * i;
  const int *slots;
  assert_int_equal(hk_expr_slots(e, &slots), N);
  assert_true(hk_expr_gradient(e, variables, gradient) == hk_expr_value(e, variables));
  for (int i = 0; i < N; i++) {
    assert_int_equal(slots[i], 3 * i);
    double left = variables[3 * ((i + N - 1) % N)], right = variables[3 * ((i + 1) % N)];
    double x = variables[3 * i];
    double expected = left * cos(left * x) + right * cos(x * right);
    assert_true(fabs(gradient[i] - expected) < 1e-14 * (1 + fabs(expected)));
  }
  hk_arena_free(&arena);
}

static void kink(const char *text, double a, double d1, double d2) {
  hk_arena arena;
  double variables[10] = {0}, found1, found2;
  hk_arena_init(&arena);
  variables[2] = a;
  hk_expr_second(compile(&arena, text), variables, 2, &found1, &found2);
  if (found1 != d1 || found2 != d2)
    fail_msg("'%s' at %g: %g and %g, expected %g and %g", text, a, found1, found2, d1, d2);
  hk_arena_free(&arena);
}

static void test_kinks(void **state) {
  (void)state;
  kink("abs(a)", 0, 0, 0);
  kink("sign(a)", 0, 0, 0);
  kink("floor(a)", 1, 0, 0);
  kink("ceil(a)", 1, 0, 0);
  kink("round(a)", 0.5, 0, 0);
  kink("a > 0", 0, 0, 0);
  kink("min(a, 1)", 1, 1, 0);
  kink("min(1, a)", 1, 0, 0);
  kink("max(a, 1)", 1, 1, 0);
  kink("clip(a, 0, 1)", 0, 1, 0);
  kink("clip(a, 0, 1)", 1, 1, 0);
  kink("clip(a, 0, 1)", 1.5, 0, 0);
  kink("ramp(a, 0, 2)", 0, 0.5, 0);
  kink("step(a, 0, 0, 1, 1)", 0, 0, 6);
  kink("step(a, 0, 0, 1, 1)", 1, 0, -6);
  kink("step(a, 0, 0, 1, 1)", 1.0625, 0, 0);
  kink("step5(a, 0, 0, 1, 1)", 0, 0, 0);
  kink("step5(a, 0, 0, 1, 1)", 1, 0, 0);
  kink("interp(a, 0,0, 1,2, 2,3)", 1, 1, 0);
  kink("interp(a, 0,0, 1,2, 2,3)", 0, 2, 0);
  kink("interp(a, 0,0, 1,2, 2,3)", 2, 0, 0);
  kink("hypot(a, 0)", 0, 0, 0);
  kink("a^1", 0, 1, 0);
  kink("a^2", 0, 0, 2);
  kink("a^3", 0, 0, 0);
  kink("a^(b + 2)", 0, 0, 2);
  kink("sqrt(b) + a", 0, 1, 0); /* infinite only with respect to b */
  kink("b^0.5*a", 3, 0, 0);
  kink("if(a > 0, sqrt(a), 0)", -1, 0, 0); /* NaN of the unselected branch has no effect */
}

static void test_infinite_slope(void **state) {
  (void)state;
  hk_arena arena;
  double variables[10] = {0}, gradient;
  hk_arena_init(&arena);
  assert_true(hk_expr_gradient(compile(&arena, "sqrt(a)"), variables, &gradient) == 0);
  assert_true(isinf(gradient));
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_differences),
      cmocka_unit_test(test_many_variables),
      cmocka_unit_test(test_kinks),
      cmocka_unit_test(test_infinite_slope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
