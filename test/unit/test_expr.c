/* Expressions: grammar, values, dimensions, constant folding, and locations of errors. */
#include "expr/function_help.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expr/expr.h"

static int calls_of_resolver;

static hk_symbol resolve(void *context, const char *name, char *hint) {
  static const struct {
    const char *name;
    hk_symbol symbol;
  } KNOWN[] = {
      {"t", {HK_SYMBOL_VARIABLE, {{0, 0, 12}}, 0, 0}},
      {"x", {HK_SYMBOL_VARIABLE, {{12}}, 0, 1}},
      {"y", {HK_SYMBOL_VARIABLE, {{0}}, 0, 2}},
      {"crank.v", {HK_SYMBOL_VARIABLE, {{12, 0, -12}}, 0, 3}},
      {"link[3].y", {HK_SYMBOL_VARIABLE, {{12}}, 0, 4}},
      {"omega", {HK_SYMBOL_VARIABLE, {{0, 0, -12, 0, 0, 12}}, 0, 5}},
      {"grid[2][0].z", {HK_SYMBOL_VARIABLE, {{12}}, 0, 6}},
      {"m", {HK_SYMBOL_CONSTANT, {{0, 12}}, 7, 0}},
      {"L", {HK_SYMBOL_CONSTANT, {{12}}, 0.5, 0}},
      {"i", {HK_SYMBOL_CONSTANT, {{0}}, 2, 0}},
      {"n", {HK_SYMBOL_CONSTANT, {{0}}, 0, 0}},
      {"min", {HK_SYMBOL_CONSTANT, {{0}}, 11, 0}},
      {"bad", {HK_SYMBOL_CONSTANT, {{0}}, NAN, 0}},
  };
  assert_ptr_equal(context, &calls_of_resolver);
  calls_of_resolver++;
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (strcmp(KNOWN[i].name, name) == 0) return KNOWN[i].symbol;
  if (strcmp(name, "lenght") == 0) strcpy(hint, "did you mean 'length'?");
  return (hk_symbol){HK_SYMBOL_UNKNOWN, {{0}}, 0, 0};
}

static const double VARIABLES[] = {0.25, 0.3, 1.5, -2, 0.8, 10, 4};

static hk_expr *compile(hk_arena *arena, const char *text) {
  hk_expr_error err = {0};
  hk_expr *e = hk_expr_compile(arena, text, strlen(text), resolve, &calls_of_resolver, &err);
  if (!e) fail_msg("'%s': %d: %s", text, err.column, err.text);
  return e;
}

/* Value and dimension (as a unit; NULL: dimensionless). */
static void check(const char *text, double value, const char *unit) {
  hk_arena arena;
  hk_arena_init(&arena);
  const hk_expr *e = compile(&arena, text);
  double v = hk_expr_value(e, VARIABLES);
  if (!(fabs(v - value) <= 1e-14 * fabs(value)))
    fail_msg("'%s' = %.17g, expected %.17g", text, v, value);
  hk_unit u = {.factor = 1};
  if (unit) assert_int_equal(hk_unit_parse(unit, strlen(unit), &u, NULL), HK_OK);
  char found[128];
  hk_dim_format(hk_expr_dim(e), found, sizeof found);
  if (!hk_dim_equal(u.dim, hk_expr_dim(e)))
    fail_msg("'%s' is in %s, expected %s", text, found, unit ? unit : "1");
  assert_string_equal(hk_expr_text(e), text);
  hk_arena_free(&arena);
}

static void refuse(const char *text, int column, const char *part_of_message) {
  hk_arena arena;
  hk_expr_error err = {.column = -1};
  hk_arena_init(&arena);
  if (hk_expr_compile(&arena, text, strlen(text), resolve, &calls_of_resolver, &err))
    fail_msg("'%s' was compiled", text);
  if (err.column != column || !strstr(err.text, part_of_message))
    fail_msg("'%s': %d: %s", text, err.column, err.text);
  hk_arena_free(&arena);
}

static void test_numbers_and_units(void **state) {
  (void)state;
  check("3", 3, NULL);
  check(".5", 0.5, NULL);
  check("2.", 2, NULL);
  check("1e3", 1000, NULL);
  check("1.25E-2", 0.0125, NULL);
  check("3 mm", 0.003, "m");
  check("3mm", 0.003, "m");
  check("1e3mm", 1, "m");
  check("50 um", 5e-5, "m");
  check("300 rpm", 10 * M_PI, "rad/s");
  check("9.81 m/s^2", 9.81, "m/s^2");
  check("6e12 N/m^1.5", 6e12, "N/m^1.5");
  check("2 N/m^(3/2)", 2, "N/m^1.5");
  check("4 m^-1+1 m^-1", 5, "1/m");
  check("5 1/s", 5, "1/s");
  check("5 %", 0.05, NULL);
  check("20 degC", 293.15, "K");
  check("-20 degC", 253.15, "K");
  check("30 degC - 20 degC", 10, "K");
  check("2 m", 2, "m");
  check("2*m", 14, "kg");
  check("2 min", 120, "s");
  check("2*min", 22, NULL);
  check("3 m / L", 6, NULL);
  check("3 m* x", 0.9, "m^2");
  check("(3 m)*(2 m)", 6, "m^2");
  check("1000 N/m", 1000, "N/m");
  check("0.1+0.2", 0.1 + 0.2, NULL);
  check("123456789012345678901234567890", 123456789012345678901234567890.0, NULL);
}

static void test_decimal_point_is_no_matter_of_locale(void **state) {
  (void)state;
  const char *locale = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  check("1.5 mm", 0.0015, "m"); /* holds whether or not that locale is installed */
  if (locale) setlocale(LC_NUMERIC, "C");
}

static void test_operators(void **state) {
  (void)state;
  check("1 + 2*3", 7, NULL);
  check("8/4/2", 1, NULL);
  check("7 - 4 - 2", 1, NULL);
  check("2^3^2", 512, NULL);
  check("2**3", 8, NULL);
  check("-2^2", -4, NULL);
  check("2^-1", 0.5, NULL);
  check("--3", 3, NULL);
  check("+3 - +2", 1, NULL);
  check("(1 + 2)*3", 9, NULL);
  check("1 < 2", 1, NULL);
  check("2 <= 1", 0, NULL);
  check("2 > 1 and 1 > 2", 0, NULL);
  check("1 > 2 or 2 and 3", 1, NULL);
  check("not 1 > 2", 1, NULL);
  check("not not 3", 1, NULL);
  check("1 == 1", 1, NULL);
  check("1 != 1", 0, NULL);
  check("1 >= 1", 1, NULL);
  check("x^2", 0.09, "m^2");
  check("x^1.5", pow(0.3, 1.5), "m^1.5");
  check("x^(1/3)", cbrt(0.3), "m^(1/3)");
  check("y^y", pow(1.5, 1.5), NULL);
  check("1\n+\t2\r", 3, NULL);
}

static void test_functions(void **state) {
  (void)state;
  check("sin(30 deg)", 0.5, NULL);
  check("cos(0.5)", cos(0.5), NULL);
  check("tan(0.5 rad)", tan(0.5), NULL);
  check("asin(0.5)", asin(0.5), "rad");
  check("acos(0.5)", acos(0.5), "rad");
  check("atan(0.5)", atan(0.5), "rad");
  check("atan2(-1 m, -2 m)", atan2(-1, -2), "rad");
  check("sinh(1)", sinh(1), NULL);
  check("cosh(1)", cosh(1), NULL);
  check("tanh(1)", tanh(1), NULL);
  check("exp(1)", exp(1), NULL);
  check("log(2)", log(2), NULL);
  check("log10(1000)", 3, NULL);
  check("sqrt(4 m^2)", 2, "m");
  check("sqrt(2 m)", sqrt(2), "m^0.5");
  check("cbrt(-8 m^3)", -2, "m");
  check("abs(-3 N)", 3, "N");
  check("sign(-3 N)", -1, NULL);
  check("sign(0 N)", 0, NULL);
  check("floor(-1.5)", -2, NULL);
  check("ceil(-1.5)", -1, NULL);
  check("round(2.5)", 3, NULL);
  check("round(-2.5)", -3, NULL);
  check("min(3 m, 2 m, 4 m)", 2, "m");
  check("max(3 m, 2 m, 4 m)", 4, "m");
  check("mod(-1, 3)", 2, NULL);
  check("mod(1, -3)", -2, NULL);
  check("mod(7 s, 2 s)", 1, "s");
  check("hypot(3 m, 4 m)", 5, "m");
  check("hypot(2, 3, 6)", 7, NULL);
  check("clip(5 m, 0, 2 m)", 2, "m");
  check("clip(-5 m, 0, 2 m)", 0, "m");
  check("clip(1 m, 0, 2 m)", 1, "m");
  check("if(x > 0, 2 N, 0)", 2, "N");
  check("if(x < 0, 2 N, 3 N)", 3, "N");
  check("2*pi", 2 * M_PI, NULL);
}

static void test_signals(void **state) {
  (void)state;
  /* t = 0.25 s: u = 1/4, u^2(3 - 2u) = 5/32, u^3(10 - 15u + 6u^2) = 53/512 */
  check("step(t, 0, 1 mm, 1 s, 33 mm)", 0.006, "m");
  check("step5(t, 0, 0, 1 s, 512 N)", 53, "N");
  check("step(t, 1 s, 1, 2 s, 2)", 1, NULL);
  check("step(t, -2 s, 1, -1 s, 2)", 2, NULL);
  check("step(t, 0.25 s, 1, 1 s, 2)", 1, NULL);
  check("ramp(t, 0, 1 s)", 0.25, NULL);
  check("ramp(t, 1 s, 2 s)", 0, NULL);
  check("ramp(t, -2 s, 0)", 1, NULL);
  check("pulse(t, 0.25 s, 1 s)", 1, NULL);
  check("pulse(t, 0, 0.25 s)", 0, NULL);
  check("interp(t, 0,0, 0.5 s,3 N, 2 s,4 N)", 1.5, "N");
  check("interp(t, 1 s,7 N, 2 s,8 N)", 7, "N");
  check("interp(t, 0,7 N, 0.1 s,8 N)", 8, "N");
  check("interp(t, 0.25 s,7 N)", 7, "N");
  check("interp(2.5, 0,0, 1,10, 2,20, 3,40, 4,50)", 30, NULL);
}

static void test_names(void **state) {
  (void)state;
  check("crank.v*t", -0.5, "m");
  check("link[i+1].y", 0.8, "m");
  check("link[ 3 ].y", 0.8, "m");
  check("grid[i][0*7].z", 4, "m");
  check("L*omega", 5, "m*rad/s");
  check("L*omega + crank.v", 3, "m*rad/s");
  check("crank.v + L*omega", 3, "m*rad/s");
  check("omega + 1/t", 14, "rad/s");
  check("atan(1) + pi", 1.25 * M_PI, "rad");
}

static void test_constant_conditions(void **state) {
  (void)state;
  check("if(n > 0, 1/n, 5)", 5, NULL);
  check("if(n == 0, 5 N, sqrt(-1)*1 N)", 5, "N");
  check("n > 0 and 1/n > 3", 0, NULL);
  check("n == 0 or 1/n > 3", 1, NULL);
  check("if(i > 5, link[i-9].y*2 N, 3 J)", 3, "N*m");
  check("if(i > 5, link[1/n].y, x)", 0.3, "m");
  check("if(i > 1, x, 0)*2", 0.6, "m");
  check("if(1, if(0, 1/0, y), 2) + if(0, 0, t)*0 1/s", 1.5, NULL);
  refuse("if(n > 0, lenght, 5)", 10, "did you mean 'length'?");
  refuse("if(x > 0, 1/0, 5)", 11, "division by zero");
}

static void test_properties(void **state) {
  (void)state;
  hk_arena arena;
  const int *slots;
  hk_arena_init(&arena);
  const hk_expr *e = compile(&arena, "link[3].y + x*2 + link[3].y*y + x");
  assert_int_equal(hk_expr_slots(e, &slots), 3);
  assert_int_equal(slots[0], 1);
  assert_int_equal(slots[1], 2);
  assert_int_equal(slots[2], 4);
  assert_false(hk_expr_is_constant(e));
  e = compile(&arena, "2*(3 m + L) - sin(pi)*1 m");
  assert_true(hk_expr_is_constant(e));
  assert_int_equal(hk_expr_slots(e, &slots), 0);
  assert_true(hk_expr_is_plain_zero(compile(&arena, "0")));
  assert_true(hk_expr_is_plain_zero(compile(&arena, "-(0.0)")));
  assert_false(hk_expr_is_plain_zero(compile(&arena, "0 m")));
  assert_false(hk_expr_is_plain_zero(compile(&arena, "1")));
  e = hk_expr_constant(&arena, 2.5, (hk_dim){{12}});
  assert_true(hk_expr_is_constant(e) && hk_expr_value(e, NULL) == 2.5);
  assert_string_equal(hk_expr_text(e), "2.5 m");
  assert_true(hk_expr_is_plain_zero(hk_expr_constant(&arena, 0, (hk_dim){{0}})));
  /* Text without a final NUL, no resolver, no error struct. */
  e = hk_expr_compile(&arena, "1+2junk", 3, NULL, NULL, NULL);
  assert_true(e && hk_expr_value(e, NULL) == 3);
  assert_string_equal(hk_expr_text(e), "1+2");
  assert_null(hk_expr_compile(&arena, "x", 1, NULL, NULL, NULL));
  hk_arena_free(&arena);
}

/* All of them from 0 to 20 s: the search continues slightly after each one. */
static void knots(const char *text, int n, const double *expected) {
  hk_arena arena;
  hk_knot k;
  double from = 0;
  int found = 0;
  hk_arena_init(&arena);
  const hk_expr *e = compile(&arena, text);
  for (; hk_expr_next_bend(e, 0, from, 20, &k); from = k.right + 1e-13, found++) {
    if (found < n && k.sharp && fabs(k.left - expected[found]) <= 1e-14 * (1 + k.left) &&
        fabs(k.right - expected[found]) <= 1e-14 * (1 + k.left))
      continue;
    fail_msg("'%s': knot %d from %.17g to %.17g, expected %.17g", text, found, k.left, k.right,
             found < n ? expected[found] : NAN);
  }
  if (found != n) fail_msg("'%s': %d knots, expected %d", text, found, n);
  /* It is known at once whether there is any breakpoint. */
  if (n > 0) assert_true(hk_expr_bends_within(e, 0, -INFINITY, INFINITY));
  hk_arena_free(&arena);
}

static void test_knots(void **state) {
  (void)state;
  knots("pulse(t, 2 s, 2.5 s)", 2, (const double[]){2, 2.5});
  knots("max(abs(abs(abs(t - 8 s) - 4 s) - 2 s), 1 s)", 11,
        (const double[]){1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15});
  knots("step5(t, 1 s, 0, 3 s, 4)", 2, (const double[]){1, 3});
  knots("step(2*t - 1 s, L*1 s/m, 0, 2 s, x)", 2, (const double[]){0.75, 1.5});
  knots("x*ramp(-t/2, -2 s, -1 s)", 2, (const double[]){2, 4});
  knots("if(t > 5 s and not (6 s <= t), x, 0 m)", 2, (const double[]){5, 6});
  knots("abs(t - 3 s) + max(t, 1 s - t)", 2, (const double[]){0.5, 3});
  knots("clip(t, 1 s, 2 s)", 2, (const double[]){1, 2});
  knots("sign(3 s - (4 s - t)*2)", 1, (const double[]){2.5});
  knots("if(1 s < t, 2, 3)*pulse(x, 1 m, 2 m)", 1, (const double[]){1});
  /* A function cut off by limits continues in pieces with further breakpoints; a part that is never selected
   * does not count. */
  knots("max(0 s, min(t - 5 s, 6 s - t))", 3, (const double[]){5, 5.5, 6});
  knots("max(0 s, 2 s - abs(t - 5 s))", 3, (const double[]){3, 5, 7});
  knots("if(abs(t - 5 s) < 1 s, x, 0 m)", 2, (const double[]){4, 6});
  knots("abs(ramp(t, 2 s, 4 s) - 0.5)", 3, (const double[]){2, 3, 4});
  knots("if(t < 4 s, abs(t - 2 s), abs(t - 3 s))", 2, (const double[]){2, 4});
  knots("pulse(t, 1 s, 2 s)*sign(t - 3 s)", 2, (const double[]){1, 2});
  knots("(t > 3 s or t > 2 s) and (t < 1 s or t > 0.5 s)", 1, (const double[]){2});
  /* Curves over time, and periodic functions. */
  knots("pulse(t*t, 1 s^2, 4 s^2) + pulse((t - 10 s)^2, 1 s^2, 4 s^2)", 6,
        (const double[]){1, 2, 8, 9, 11, 12});
  knots("pulse(mod(t, 5 s), 1 s, 2 s)", 12,
        (const double[]){1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17, 20});
  knots("if(1/t > 0.25/(1 s), x, 0 m)", 2, (const double[]){0, 4});
  knots("sign(sin(2*pi*t/(6 s)))*x + abs(cos(2*pi*t/(18 s)))*x", 9,
        (const double[]){0, 3, 4.5, 6, 9, 12, 13.5, 15, 18});
  knots("floor(t/(6 s)) + round(t/(10 s))", 5, (const double[]){5, 6, 12, 15, 18});
  knots("max(exp(t/(1 s)), exp(2)) + min(sqrt(1 + t/(1 s)), 3) + max(log(t/(1 s)), 0)", 3,
        (const double[]){1, 2, 8});
  /* Angles that repeat, and a period that grows: at k/(1 - 0.1 k) s. */
  knots("atan2(sin(pi*t/(6 s)), cos(pi*t/(6 s)))", 2, (const double[]){6, 18});
  knots("if(atan2(sin(pi*t/(6 s)), cos(pi*t/(6 s))) > 3*pi/4, x, 0 m)", 4,
        (const double[]){4.5, 6, 16.5, 18});
  knots("atan2(0 s, t - 5 s)", 1, (const double[]){5});
  knots("atan(tan(pi*t/(6 s)))", 3, (const double[]){3, 9, 15});
  knots("mod(t, 1 s + 0.1*t)", 6, (const double[]){1 / 0.9, 2.5, 3 / 0.7, 4 / 0.6, 10, 15});
  knots("mod(-t, -4 s - 0.2*t)", 2, (const double[]){5, 40. / 3});
  /* Kinks of roots. */
  knots("sqrt((t - 3 s)^2) + hypot(t - 4 s, 0 s, t*(t - 4 s)/(1 s))", 2, (const double[]){3, 4});
  knots("sqrt(max(0, t/(1 s) - 5)) + cbrt(t/(1 s) - 7) + max(t/(1 s) - 8, 0)^1.5", 3,
        (const double[]){5, 7, 8});
  knots("hypot(t/(1 s) - 4, 0.001) + sqrt(1 + sin(t/(1 s))/2) + asin(0.9*sin(t/(1 s)))", 0, NULL);
  /* Functions of other variables, curves that never intersect, and tables. */
  knots("sin(1 rad/s * t) + max(x, 1 m)/x", 0, NULL);
  knots("max(if(x > 1 m, t, 2*t) - 3 s, 0 s)", 0, NULL);
  knots("max(t, t + 1 s)", 0, NULL);
  knots("interp(t, 0 s, 1, 30 s, 2)", 0, NULL);
  knots("if(interp(t, 0 s, 0, 5 s, 1, 30 s, 0) > 0.8, x, 0 m)", 2, (const double[]){4, 10});
  knots("max(interp(t, 0 s, 0, 5 s, 1, 30 s, 0), 2)", 0, NULL);
  knots("max(sin(1 rad/s * t), 2)", 0, NULL);
}

/* Start of a pulse between 0 and 20 s; NaN: none. */
static void bulge(const char *text, double expected) {
  hk_arena arena;
  double at = NAN;
  hk_arena_init(&arena);
  const hk_expr *e = compile(&arena, text);
  bool found = hk_expr_may_bulge(e) && hk_expr_bulges_within(e, 0, 20, &at);
  if (found != !isnan(expected) || (found && !(fabs(at - expected) < 0.1)))
    fail_msg("'%s': %s at %g, expected %g", text, found ? "a bulge" : "none", at, expected);
  hk_arena_free(&arena);
}

static void test_bulges(void **state) {
  (void)state;
  bulge("exp(-((t - 5 s)/(10 ms))^2)", 5);
  bulge("-exp(-((t - 5 s)/(1 us))^2) + 3", 5);
  bulge("1/cosh((t - 15 s)/(1 ms))", 15);
  bulge("sin(pi*t/(20 s))^20000 * exp(t/(1 s))/exp(10)", 10);
  bulge("exp(-((t - 7 s)/(1 ms))^2) + exp(-((t - 3 s)/(1 ms))^2)", 3);
  /* A pulse that the end values show, one below their round-off, and one that covers the whole interval. */
  bulge("exp(-t/(1 s))", NAN);
  bulge("1000 + 1e-5*exp(-((t - 5 s)/(10 ms))^2)", NAN);
  bulge("exp(sin(2*pi*t/(1 s)))", NAN);
  bulge("exp(-((t - 10 s)/(10 s))^2)", NAN);
  bulge("exp(t/(1 s))/exp(t/(1 s)) + cosh(t/(1 s))^2 - sinh(t/(1 s))^2", NAN);
  /* Sines and low powers are not searched, nor are functions of the motion. */
  bulge("(t/(1 s))^2 + sin(2*pi*t/(1 s))", NAN);
  bulge("x*exp(-((t - 5 s)/(10 ms))^2)", NAN);
}

static void test_zero_fits_all(void **state) {
  (void)state;
  check("x + 0", 0.3, "m");
  check("0 - x", -0.3, "m");
  check("x > 0", 1, NULL);
  check("max(0, x)", 0.3, "m");
  check("n + x", 0.3, "m");
  check("clip(0, -1 m, 1 m)", 0, "m");
  refuse("x + 1", 2, "cannot add m and a plain number");
  refuse("x > 1", 2, "cannot compare m with a plain number");
  refuse("clip(0, -1 m, 1 s)", 0, "m and s");
}

static void test_dimension_errors(void **state) {
  (void)state;
  refuse("1 m + 1 s", 4, "cannot add m and s");
  refuse("x - t", 2, "cannot subtract s from m");
  refuse("2*(x == t)", 5, "cannot compare m with s");
  refuse("1 + sin(x)", 4, "'sin' takes an angle or a plain number, not m");
  refuse("exp(x)", 0, "'exp' takes a plain number, not m");
  refuse("min(x, t)", 0, "m and s");
  refuse("atan2(x, t)", 0, "m and s");
  refuse("if(x > 0, x, t)", 0, "m and s");
  refuse("if(x, 1, 2)", 0, "condition");
  refuse("y and x", 2, "condition");
  refuse("x^y", 1, "must be constant");
  refuse("y^x", 1, "plain number, not m");
  refuse("x^0.3", 1, "1/12");
  refuse("x^101", 1, "within");
  refuse("floor(x)", 0, "divide by the unit");
  refuse("step(t, 0, 1 m, 1 m, 2 m)", 0, "s and m");
  refuse("step(t, 0, 1 m, 1 s, 2 N)", 0, "m and N");
  refuse("interp(t, 0,1, 1 m,2)", 15, "should be in s, not m");
  refuse("interp(t, 0,1 m, 1 s,2 N)", 21, "should be in m, not N");
  refuse("cbrt(sqrt(sqrt(sqrt(x))))", 5, "multiples of 1/12");
  refuse("(x^99)*x^2", 6, "exceeds 100");
}

static void test_not_finite(void **state) {
  (void)state;
  refuse("1/0", 1, "division by zero");
  refuse("x/(1-1)", 1, "division by zero");
  refuse("2 + sqrt(-1)", 4, "sqrt(-1)");
  refuse("1e308*10", 5, "1e+308 * 10");
  refuse("log(0)", 0, "log(0)");
  refuse("(-8)^(1/3)", 4, "-8 ^ 0.333333");
  refuse("1e999", 0, "too large");
  refuse("1e308 Mm", 0, "too large");
  refuse("mod(1, 0)", 0, "mod(1, 0)");
  refuse("bad", 0, "no usable value");
  hk_arena arena;
  hk_arena_init(&arena);
  assert_true(isnan(hk_expr_value(compile(&arena, "(-y)^y"), VARIABLES)));
  hk_arena_free(&arena);
}

static void test_syntax_errors(void **state) {
  (void)state;
  refuse("", 0, "empty");
  refuse("   ", 0, "empty");
  refuse("1 +", 3, "expected a value, found the end");
  refuse("(1", 2, "expected ')'");
  refuse("1)", 1, "without an opening");
  refuse("1 2", 2, "expected an operator");
  refuse("x y", 2, "expected an operator before 'y'");
  refuse("3 N m", 4, "one word");
  refuse("lenght + 1", 0, "unknown name 'lenght'; did you mean 'length'?");
  refuse("1 + crank.w", 4, "unknown name 'crank.w'");
  refuse("5/s", 2, "write '1 s'");
  refuse("sin", 0, "write 'sin(...)'");
  refuse("foo(1)", 0, "unknown function 'foo'");
  refuse("sqroot(1)", 0, "did you mean 'sqrt'?");
  refuse("atan2(1)", 0, "takes 2 arguments");
  refuse("sin(1, 2)", 0, "takes 1 argument");
  refuse("max(1)", 0, "at least 2");
  refuse("max()", 0, "at least 2");
  refuse("if(1, 2)", 0, "takes 3 arguments");
  refuse("sin(1 2)", 6, "expected ','");
  refuse("1 < 2 < 3", 6, "chained");
  refuse("x = 3", 2, "'=='");
  refuse("x && y", 2, "'and'");
  refuse("y ? 1 : 2", 2, "if(c, a, b)");
  refuse("1 + not y", 4, "parentheses");
  refuse("and", 0, "expected a value");
  refuse("link[1.5].y", 5, "whole number");
  refuse("link[y].y", 5, "constant");
  refuse("link[3 m].y", 5, "plain");
  refuse("link[3.y", 7, "unit");
  refuse("link[3", 6, "expected ']'");
  refuse("link[3].", 8, "expected a name");
  refuse("x @ 2", 2, "unexpected character '@'");
  refuse("x \x01", 2, "0x01");
  refuse("step(t, 1 s, 0, 1 s, 2)", 0, "lower limit");
  refuse("clip(y, 2, 1)", 0, "lower limit");
  refuse("interp(t, 1 s,2, 0,3)", 17, "ascend");
  refuse("interp(t, 0,y)", 12, "constant");
  refuse("interp(t, 0)", 0, "pairs");
  refuse("interp(t)", 0, "pairs");
  refuse("interp()", 0, "pairs");
}

static void test_unit_errors(void **state) {
  (void)state;
  refuse("1 + 2 KN", 6, "did you mean 'kN'?");
  refuse("3 m/unknown", 2, "blanks around the operator");
  refuse("3 N/(m*x)", 2, "blanks around the operator"); /* m is a unit, x a name */
  refuse("3 N/(L*y)", 2, "blanks around the operator"); /* L is a unit and a name */
  refuse("2 m*sin(y)*unknown", 11, "unknown name 'unknown'");
  refuse("2 foo", 2, "write '*'");
  refuse("5 m2", 2, "'m^2'");
  refuse("sin(2*pi*50 Hz*t)", 15, "'t' is a name, but here it is part of the unit");
  refuse("3 m/L", 4, "'L' is a name, but here it is part of the unit");
  check("sin(2*pi*50 Hz * t)*0 + 3 t/m^3 / (1 kg/m^3)", 3000, NULL);
  check("3 N/m", 3, "N/m"); /* although m is a parameter */
}

/* A unit ends before an operator whose right side can only be a value. */
static void test_arithmetic_after_units(void **state) {
  (void)state;
  check("0.5 m*sin(30 deg)", 0.25, "m");
  check("0.5 m*sin(2*pi*5 Hz * t)", 0.5, "m");
  check("60 s/250", 0.24, "s");
  check("60 s/1.5", 40, "s");
  check("60 s/2e2*y", 0.45, "s");
  check("10 N/m*x", 3, "N");
  check("10 N/m*link[3].y", 8, "N");
  check("10 N/m*link[i+1].y", 8, "N");
  check("10 N*s/m*crank.v", -20, "N");
  check("10 N/crank.v", -5, "N*s/m");
  check("3 m/x", 10, NULL);
  check("3 m/x/y", 20. / 3, NULL);
  check("3 m*x^2", 0.27, "m^3");
  check("3 m^(1/2)*y", 4.5, "m^0.5");
  check("3 m**2*y", 4.5, "m^2");
  check("2 m*pi", 2 * M_PI, "m");
  check("2 m*min(3, 4)", 6, "m");
  check("4 N*(1 + y)", 10, "N");
  check("4 N*(y)", 6, "N");
  check("4 N/(y*omega)", 4 / 15., "N*s/rad");
  check("4 N/(m*s)*y", 6, "N/m/s");
  check("2 N/m*2 m", 4, "N");
  check("2 N*m*sin(30 deg)", 1, "N*m"); /* although m is a parameter */
  check("1 - 2 mm/m*y", 0.997, NULL);
  check("if(n > 0, 3 m*link[i-9].x, 2 m)", 2, "m");
  refuse("2 N*t*x", 4, "'t' is a name, but here it is part of the unit");
  refuse("3 m*unknown.x", 2, "blanks around the operator");
  refuse("3 m*x/s", 6, "write '1 s'");
}

static void test_limits(void **state) {
  (void)state;
  enum { SIZE = 6000 };
  char *text = calloc(1, SIZE);
  static const char *const pattern[] = {"(",     "-",     "not ", "2^",    "sin(",
                                        "if(1,", "link[", "y+(",  "y*(y+", "interp("};
  for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++) {
    text[0] = '\0';
    while (strlen(text) + strlen(pattern[i]) < 4090) strcat(text, pattern[i]);
    hk_arena arena;
    hk_expr_error err;
    hk_arena_init(&arena);
    assert_null(hk_expr_compile(&arena, text, strlen(text), resolve, &calls_of_resolver, &err));
    if (!strstr(err.text, "too deeply")) fail_msg("'%s...': %s", pattern[i], err.text);
    hk_arena_free(&arena);
  }
  memset(text, ' ', 4097);
  text[4097] = '\0';
  refuse(text, 4096, "too long");
  memset(text, '1', 100);
  text[100] = '\0';
  refuse(text, 0, "too many digits");
  memset(text, 'a', 300);
  text[300] = '\0';
  refuse(text, 0, "name is too long");
  /* A long flat sum is accepted: 2047 terms. */
  for (int i = 0; i < 2046; i++) memcpy(text + 2 * i, "y+", 2);
  strcpy(text + 2 * 2046, "y");
  check(text, 2047 * 1.5, NULL);
  /* 99 parentheses are fine. */
  memset(text, '(', 99);
  text[99] = 'y';
  memset(text + 100, ')', 99);
  text[199] = '\0';
  check(text, 1.5, NULL);
  free(text);
}

/* Each function has one line of help, which compiles in the form of a call, and there are no other lines. */
static void every_function_is_explained(void **state) {
  (void)state;
  char seen[64][16];
  int n = 0;
  for (int i = 0; i < hk_n_function_helps; i++) {
    const char *call = hk_function_helps[i].call;
    snprintf(seen[n], sizeof seen[n], "%.*s", (int)strcspn(call, "("), call);
    assert_true(hk_expr_is_function(seen[n]));
    for (int k = 0; k < n; k++) assert_string_not_equal(seen[k], seen[n]);
    assert_true(++n < 64);
  }
  assert_int_equal(n, hk_expr_n_functions());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_and_units),
      cmocka_unit_test(test_decimal_point_is_no_matter_of_locale),
      cmocka_unit_test(test_operators),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_signals),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_constant_conditions),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_knots),
      cmocka_unit_test(test_bulges),
      cmocka_unit_test(test_zero_fits_all),
      cmocka_unit_test(test_dimension_errors),
      cmocka_unit_test(test_not_finite),
      cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_arithmetic_after_units),
      cmocka_unit_test(test_unit_errors),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(every_function_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
