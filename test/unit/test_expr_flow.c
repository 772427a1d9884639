/* Ranges of expressions along a path: whatever the variables do on it, values and rates stay within the ranges
 * of hk_expr_flow, and every kink or jump is announced. */
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

enum { VARIABLES = 3 };

static hk_symbol resolve(void *context, const char *name, char *hint) {
  hk_symbol s = {.kind = HK_SYMBOL_VARIABLE};
  (void)hint;
  if (strcmp(name, "table") == 0)
    return (hk_symbol){.kind = HK_SYMBOL_TABLE, .table = (const hk_curve *)context};
  s.slot = name[0] - 'a';
  if (s.slot < 0 || s.slot >= VARIABLES || name[1]) s.kind = HK_SYMBOL_UNKNOWN;
  return s;
}

static const char *const TEXT[] = {
    "a + 2*b - c",
    "a*b*c",
    "a/(2 + b*b)",
    "a/b",
    "a^2 + b^3 - c^4",
    "(1 + a^2)^1.5",
    "(2 + b*b)^a",
    "abs(a)^0.5",
    "sin(3*a) * cos(b)",
    "tan(0.3*a)",
    "asin(0.2*a) + acos(0.2*b)",
    "atan(a) + atan2(b, c)",
    "sinh(a) - cosh(b) + tanh(5*c)",
    "exp(-a*a) + log(1 + b*b) + log10(2 + c*c)",
    "sqrt(a*a + b*b)",
    "cbrt(a)",
    "abs(a - b)",
    "sign(a) * b",
    "floor(3*a) + ceil(b) - round(c)",
    "mod(a, 1) + mod(b, 2 + c*c)",
    "min(a, b, c) - max(a*b, c)",
    "hypot(a, b, c)",
    "if(a > b, a*c, b - c)",
    "if(a > 0 and not (b < c), sin(a), 0)",
    "if(a > 0 or b > 0, 1, c)",
    "clip(a, -1, b*b)",
    "step(a, -1, b, 1, c)",
    "step5(a, -1, 2, 1, c)",
    "ramp(a, b - 3, b + 3)",
    "pulse(a, -0.5, 0.7) * c",
    "interp(a, -2, 1, -1, 3, 0.5, -2, 2, 0)",
    "table(a) * b",
    "table(table(a))",
    "exp(-((a - 0.3)/0.01)^2)",
    "1/(1 + ((a - b)/0.05)^2)",
    "max(0, 1 - abs(a - 0.2)/0.1)",
    "(a == b) + (a != c) + (a <= b) + (b >= c)",
};
enum { TEXTS = sizeof TEXT / sizeof *TEXT, WAYS = 60, PARTS = 200 };

static double any(double from, double to) { return from + (to - from) * rand() / RAND_MAX; }

/* Cubics of a parameter u from 0 to 1. */
typedef struct way {
  double c[VARIABLES][4];
} way;

static way any_way(double size) {
  way w;
  for (int i = 0; i < VARIABLES; i++) {
    w.c[i][0] = any(-2, 2);
    for (int k = 1; k < 4; k++) w.c[i][k] = size * any(-2, 2);
  }
  return w;
}

static void at(const way *w, double u, double *y, double *rate) {
  for (int i = 0; i < VARIABLES; i++) {
    const double *c = w->c[i];
    y[i] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    rate[i] = c[1] + u * (2 * c[2] + 3 * u * c[3]);
  }
}

/* Samples many points on the path, with a bound for the values between two of them. */
static void flows_of(const way *w, hk_flow *flow) {
  for (int i = 0; i < VARIABLES; i++)
    flow[i] = (hk_flow){INFINITY, -INFINITY, INFINITY, -INFINITY, false, true};
  double slack = 0, rate_slack = 0;
  for (int i = 0; i < VARIABLES; i++) {
    const double *c = w->c[i];
    slack = fmax(slack, (fabs(c[1]) + 2 * fabs(c[2]) + 3 * fabs(c[3])) / PARTS);
    rate_slack = fmax(rate_slack, (2 * fabs(c[2]) + 6 * fabs(c[3])) / PARTS);
  }
  for (int k = 0; k <= PARTS; k++) {
    double y[VARIABLES], rate[VARIABLES];
    at(w, (double)k / PARTS, y, rate);
    for (int i = 0; i < VARIABLES; i++) {
      flow[i].lo = fmin(flow[i].lo, y[i] - slack), flow[i].hi = fmax(flow[i].hi, y[i] + slack);
      flow[i].rate_lo = fmin(flow[i].rate_lo, rate[i] - rate_slack);
      flow[i].rate_hi = fmax(flow[i].rate_hi, rate[i] + rate_slack);
    }
  }
}

static double rate_at(const hk_expr *e, const double *y, const double *rate) {
  const int *slot;
  double gradient[VARIABLES], sum = 0;
  int n = hk_expr_slots(e, &slot);
  hk_expr_gradient(e, y, gradient);
  for (int i = 0; i < n; i++)
    if (rate[slot[i]] != 0) sum += gradient[i] * rate[slot[i]];
  return sum;
}

static const hk_curve *make_table(hk_arena *arena, hk_outside outside) {
  const double x[] = {-3, -1.5, -1, 0, 0.2, 1, 2.5, 3}, y[] = {1, 2, -1, 0.5, 0.5, 3, -2, 1};
  return hk_curve_create(arena, x, y, 8, HK_INTERPOLATION_AKIMA, outside, NULL);
}

static void values_and_rates_stay_within(void **state) {
  (void)state;
  srand(7);
  for (int i = 0; i < TEXTS; i++) {
    hk_arena arena;
    hk_arena_init(&arena);
    void *table =
        (void *)(uintptr_t)make_table(&arena, i % 2 ? HK_OUTSIDE_HOLD : HK_OUTSIDE_PERIODIC);
    hk_expr *e = hk_expr_compile(&arena, TEXT[i], strlen(TEXT[i]), resolve, table, NULL);
    assert_non_null(e);
    for (int k = 0; k < WAYS; k++) {
      const way w = any_way(pow(10, any(-4, 0.5)));
      hk_flow flow[VARIABLES], f;
      flows_of(&w, flow);
      f = hk_expr_flow(e, flow);
      for (int p = 0; p <= PARTS; p++) {
        double y[VARIABLES], rate[VARIABLES];
        at(&w, (double)p / PARTS, y, rate);
        double value = hk_expr_value(e, y), slope = rate_at(e, y, rate);
        double round_off = 1e-12 * fmax(1, fabs(value)), slope_off = 1e-9 * fmax(1, fabs(slope));
        if (isfinite(value) && !(value >= f.lo - round_off && value <= f.hi + round_off))
          fail_msg("'%s' is %.17g, outside of %g to %g", TEXT[i], value, f.lo, f.hi);
        if (isfinite(slope) && !(slope >= f.rate_lo - slope_off && slope <= f.rate_hi + slope_off))
          fail_msg("'%s' has rate %.17g, outside of %g to %g", TEXT[i], slope, f.rate_lo,
                   f.rate_hi);
      }
    }
    hk_arena_free(&arena);
  }
}

/* A jump between two points appears as a difference that no rate can explain. */
static void what_jumps_is_announced(void **state) {
  (void)state;
  srand(8);
  int jumps = 0;
  for (int i = 0; i < TEXTS; i++) {
    hk_arena arena;
    hk_arena_init(&arena);
    void *table = (void *)(uintptr_t)make_table(&arena, HK_OUTSIDE_HOLD);
    hk_expr *e = hk_expr_compile(&arena, TEXT[i], strlen(TEXT[i]), resolve, table, NULL);
    for (int k = 0; k < WAYS; k++) {
      const way w = any_way(pow(10, any(-3, 0)));
      hk_flow flow[VARIABLES];
      flows_of(&w, flow);
      const hk_flow f = hk_expr_flow(e, flow);
      double fastest = fmax(fabs(f.rate_lo), fabs(f.rate_hi)), before = NAN;
      for (int p = 0; p <= PARTS; p++) {
        double y[VARIABLES], rate[VARIABLES];
        at(&w, (double)p / PARTS, y, rate);
        double value = hk_expr_value(e, y);
        bool jumped = fabs(value - before) > 1.01 * fastest / PARTS + 1e-9;
        jumps += jumped;
        if (jumped && !f.bends)
          fail_msg("'%s' jumps from %.17g to %.17g unannounced", TEXT[i], before, value);
        before = value;
      }
    }
    hk_arena_free(&arena);
  }
  assert_true(jumps > 100);
}

static int degree_of(hk_arena *arena, const char *text, bool between_kinks) {
  return hk_expr_degree(hk_expr_compile(arena, text, strlen(text), resolve, NULL, NULL),
                        between_kinks);
}

static void degrees_of_polynomials(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  static const struct {
    const char *text;
    int degree;
  } known[] = {{"2", 0},          {"a", 1},         {"2*a - b/3", 1},   {"a*b + c^2", 2},
               {"-(a + 1)^3", 3}, {"(a*b)^2*c", 5}, {"((a^3)^3)^3", 27}};
  const char *const other[] = {"a/b",       "a^-1",  "sin(a)", "abs(a)",
                               "max(a, b)", "a^0.5", "exp(a)", "(((a^9)^9)^9)^9"};
  static const struct {
    const char *text;
    int degree;
  } in_pieces[] = {{"abs(a)", 1},
                   {"max(a, b^2)", 2},
                   {"if(a > b, a*b, c)", 2},
                   {"b/(2 + sign(a))", 1},
                   {"floor(a)*b", 1},
                   {"clip(a^3, 0, 1)", 3},
                   {"mod(a, 2)^2", 2},
                   {"mod(2, a)", HK_NO_DEGREE},
                   {"step(a, 0, 0, 1, 1)", HK_NO_DEGREE},
                   {"(a > 0 and b > 0)*c", 1},
                   {"max(a, sin(b))", HK_NO_DEGREE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    for (int pieces = 0; pieces < 2; pieces++)
      assert_int_equal(degree_of(&arena, known[i].text, pieces), known[i].degree);
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    assert_int_equal(degree_of(&arena, other[i], false), HK_NO_DEGREE);
  for (size_t i = 0; i < sizeof in_pieces / sizeof *in_pieces; i++)
    assert_int_equal(degree_of(&arena, in_pieces[i].text, true), in_pieces[i].degree);
  hk_arena_free(&arena);
}

/* Terms have the values of their part of the sum, with factors and signs, and only their own variables. */
static void terms_of_sums(void **state) {
  (void)state;
  static const struct {
    const char *text, *term[3];
  } known[] = {
      {"2*a + b^3 - a*b", {NULL}},
      {"-5*a - 2*(sin(b) - exp(c)/4)", {"-2*sin(b)", "exp(c)/2"}},
      {"(a + step(b, 0, 1, 2, 3))/2 - sin(c)*b", {"step(b, 0, 1, 2, 3)/2", "-(sin(c)*b)"}},
      {"-(3*a + (b - max(a, c)))*7 + 2 - if(a > b, a, a*b)", {"7*max(a, c)", "-if(a > b, a, a*b)"}},
      {"sin(a)*cos(b)", {"sin(a)*cos(b)"}},
      {"a*(sin(a) + b)", {"a*(sin(a) + b)"}},
  };
  hk_arena arena;
  hk_arena_init(&arena);
  const double variables[] = {0.3, 1.1, -0.7, 0.2};
  const bool sensor[4] = {false};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *text = known[i].text;
    const hk_expr *e = hk_expr_compile(&arena, text, strlen(text), resolve, NULL, NULL);
    int n;
    const hk_expr *const *all = hk_expr_terms(&arena, e, 3, sensor, &n);
    assert_non_null(all);
    assert_true(n <= 3 && (n == 3 || !known[i].term[n]));
    for (int k = 0; k < n; k++) {
      assert_non_null(known[i].term[k]);
      const hk_expr *term = all[k];
      const char *wanted = known[i].term[k];
      const hk_expr *w = hk_expr_compile(&arena, wanted, strlen(wanted), resolve, NULL, NULL);
      const int *slot, *wanted_slot;
      assert_true(fabs(hk_expr_value(term, variables) - hk_expr_value(w, variables)) < 1e-15);
      size_t slots = (size_t)hk_expr_slots(w, &wanted_slot);
      assert_int_equal(hk_expr_slots(term, &slot), slots);
      assert_memory_equal(slot, wanted_slot, slots * sizeof *slot);
    }
  }
  const bool all[4] = {true, true, true, true}; /* a sensor may be any function */
  int n;
  const hk_expr *e = hk_expr_compile(&arena, "2*a", 3, resolve, NULL, NULL);
  assert_non_null(hk_expr_terms(&arena, e, 3, all, &n));
  assert_int_equal(n, 1);
  hk_arena_free(&arena);
}

/* Memory for the terms of a long sum is proportional to its length. */
static void terms_of_a_long_sum(void **state) {
  (void)state;
  enum { TERMS = 250, PART = 24 };
  const bool sensor[4] = {false};
  char text[TERMS * PART] = "exp(a)";
  for (int i = 1; i < TERMS; i++) snprintf(text + strlen(text), PART, " + exp(%d*a)", i);
  hk_arena arena, other;
  hk_arena_init(&arena);
  hk_arena_init(&other);
  const hk_expr *e = hk_expr_compile(&arena, text, strlen(text), resolve, NULL, NULL);
  int n;
  assert_non_null(e);
  assert_non_null(hk_expr_terms(&other, e, 3, sensor, &n));
  assert_int_equal(n, TERMS);
  assert_true(other.total < TERMS * 1000);
  hk_arena_free(&other);
  hk_arena_free(&arena);
}

/* If unknown variables are said to leave the range unknown, they do so whatever the others are. */
static void what_stays_unknown(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool unknown; /* if nothing is known of a */
  } sure[] = {{"a + b", true},         {"max(a, 2*a)/3", true},        {"max(a, b)", false},
              {"sin(a)*0", true},      {"if(b > 0, a, c)", false},     {"if(b > 0, a, 2*a)", true},
              {"b*c", false},          {"step5(a, 0, b, 1, c)", true}, {"if(a > 0, b, c)", false},
              {"clip(b, 0, 1)", false}};
  hk_arena arena;
  hk_arena_init(&arena);
  for (size_t i = 0; i < sizeof sure / sizeof *sure; i++) {
    const bool unknown[VARIABLES] = {true, false, false};
    hk_expr *e = hk_expr_compile(&arena, sure[i].text, strlen(sure[i].text), resolve, NULL, NULL);
    assert_non_null(e);
    if (hk_expr_stays_unknown(e, unknown) != sure[i].unknown) fail_msg("%s", sure[i].text);
    for (int n = 0; n < 200 && sure[i].unknown; n++) {
      hk_flow variable[VARIABLES] = {{-INFINITY, INFINITY, -INFINITY, INFINITY, .known = false}};
      for (int k = 1; k < VARIABLES; k++) {
        double lo = -2 + 4.0 * rand() / RAND_MAX, width = n % 2 ? 1.0 * rand() / RAND_MAX : 0;
        variable[k] = (hk_flow){lo, lo + width, -width, width, .known = true};
      }
      assert_false(hk_expr_flow(e, variable).known);
    }
  }
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_of_sums),
      cmocka_unit_test(terms_of_a_long_sum),
      cmocka_unit_test(values_and_rates_stay_within),
      cmocka_unit_test(what_jumps_is_announced),
      cmocka_unit_test(degrees_of_polynomials),
      cmocka_unit_test(what_stays_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
