/* Tables: interpolation, derivatives, ends; in expressions with their units. */
#include "support/check.h"
#include "expr/expr.h"
#include <math.h>

static hk_curve *make(hk_arena *arena, const double *x, const double *y, int n,
                      hk_interpolation how, hk_outside outside) {
  hk_error err = {0};
  hk_curve *t = hk_curve_create(arena, x, y, n, how, outside, &err);
  if (!t) fail_msg("%s", err.text);
  return t;
}

enum { N = 23 };

/* Points at uneven distances on a smooth curve. */
static void draw_points(double *x, double *y) {
  random_seed(7);
  x[0] = -1;
  for (int i = 1; i < N; i++) x[i] = x[i - 1] + uniform(0.05, 0.4);
  for (int i = 0; i < N; i++) y[i] = sin(1.3 * x[i]) + uniform(-0.1, 0.1);
}

static void every_kind_goes_through_its_points(void **state) {
  (void)state;
  double x[N], y[N];
  draw_points(x, y);
  for (int how = 0; how <= HK_INTERPOLATION_CUBIC; how++) {
    hk_arena arena;
    hk_arena_init(&arena);
    const hk_curve *t = make(&arena, x, y, N, how, HK_OUTSIDE_HOLD);
    for (int i = 0; i < N; i++) assert_near(hk_curve_value(t, x[i]), y[i], 1e-14, "point %d", i);
    /* The same from the left. */
    for (int i = 1; i < N; i++)
      assert_near(hk_curve_value(t, x[i] - 1e-9), y[i], 1e-7, "left of point %d", i);
    hk_arena_free(&arena);
  }
}

static void derivatives_are_exact(void **state) {
  (void)state;
  double x[N], y[N];
  draw_points(x, y);
  for (int how = 0; how <= HK_INTERPOLATION_CUBIC; how++) {
    hk_arena arena;
    hk_arena_init(&arena);
    const hk_curve *t = make(&arena, x, y, N, how, HK_OUTSIDE_LINE);
    for (int k = 0; k < 400; k++) {
      double at = uniform(x[0] - 1, x[N - 1] + 1), h = 1e-4, j[3], l[3], r[3];
      bool knot = false;
      for (int i = 0; i < N; i++) knot |= fabs(at - x[i]) < 2 * h;
      if (knot) continue;
      hk_curve_jet(t, at, j), hk_curve_jet(t, at - h, l), hk_curve_jet(t, at + h, r);
      assert_near(j[1], (r[0] - l[0]) / (2 * h), 1e-5, "slope, kind %d at %g", how, at);
      assert_near(j[2], (r[1] - l[1]) / (2 * h), 1e-5, "curvature, kind %d at %g", how, at);
    }
    hk_arena_free(&arena);
  }
}

static void cubics_are_as_smooth_as_they_promise(void **state) {
  (void)state;
  double x[N], y[N];
  draw_points(x, y);
  for (int how = HK_INTERPOLATION_AKIMA; how <= HK_INTERPOLATION_CUBIC; how++) {
    hk_arena arena;
    hk_arena_init(&arena);
    const hk_curve *t = make(&arena, x, y, N, how, HK_OUTSIDE_HOLD);
    for (int i = 1; i < N - 1; i++) {
      double l[3], r[3], h = 1e-10;
      hk_curve_jet(t, x[i] - h, l), hk_curve_jet(t, x[i] + h, r);
      assert_near(l[1], r[1], 1e-6, "slope at point %d of kind %d", i, how);
      if (how == HK_INTERPOLATION_CUBIC) assert_near(l[2], r[2], 1e-5, "curvature at point %d", i);
    }
    hk_arena_free(&arena);
  }
}

/* The error of each kind of interpolation decreases with its own power of the spacing, inside the
 * table. */
static void errors_fall_with_the_distance_of_the_points(void **state) {
  (void)state;
  static const double order[] = {2, 2.5, 2.5, 3.8};
  for (int how = 0; how <= HK_INTERPOLATION_CUBIC; how++) {
    double worst[2] = {0};
    for (int fine = 0; fine < 2; fine++) {
      int n = fine ? 161 : 81;
      double x[161], y[161];
      hk_arena arena;
      hk_arena_init(&arena);
      for (int i = 0; i < n; i++) x[i] = 4.0 * i / (n - 1), y[i] = exp(-x[i]) + 3 * x[i];
      const hk_curve *t = make(&arena, x, y, n, how, HK_OUTSIDE_HOLD);
      for (double at = 1; at < 3; at += 0.0031)
        worst[fine] = fmax(worst[fine], fabs(hk_curve_value(t, at) - exp(-at) - 3 * at));
      hk_arena_free(&arena);
    }
    double got = log2(worst[0] / worst[1]);
    if (!(got > order[how] - 0.1)) fail_msg("order of kind %d is %.2f", how, got);
  }
}

/* Akima's example: a flat part next to a steep one stays flat, unlike with a spline. */
static void akima_and_pchip_do_not_ring(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {0, 0, 0, 0, 10, 10, 10, 10};
  hk_arena arena;
  hk_arena_init(&arena);
  const hk_curve *a = make(&arena, x, y, 8, HK_INTERPOLATION_AKIMA, HK_OUTSIDE_HOLD),
                 *p = make(&arena, x, y, 8, HK_INTERPOLATION_PCHIP, HK_OUTSIDE_HOLD),
                 *c = make(&arena, x, y, 8, HK_INTERPOLATION_CUBIC, HK_OUTSIDE_HOLD);
  for (double at = 0; at < 2.9; at += 0.1) {
    assert_near(hk_curve_value(a, at), 0, 1e-14, "akima at %g", at);
    assert_near(hk_curve_value(p, at), 0, 1e-14, "pchip at %g", at);
  }
  assert_true(fabs(hk_curve_value(c, 2.5)) > 0.3);
  double last = -1;
  for (double at = 0; at < 7; at += 0.01) {
    double now = hk_curve_value(p, at);
    assert_true(now >= last);
    last = now;
  }
  hk_arena_free(&arena);
}

/* [Akima1970]: the slope formula at a point whose neighbours are known. */
static void akima_slope_by_hand(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, 3, 4, 9};
  hk_arena arena;
  hk_arena_init(&arena);
  double j[3];
  hk_curve_jet(make(&arena, x, y, 5, HK_INTERPOLATION_AKIMA, HK_OUTSIDE_HOLD), 2, j);
  /* Slopes 1, 2, 1, 5: (|5 - 1| 2 + |2 - 1| 1)/5 */
  assert_near(j[1], 9.0 / 5, 1e-14, "slope");
  hk_arena_free(&arena);
}

static void ends(void **state) {
  (void)state;
  const double x[] = {1, 2, 4}, y[] = {5, 6, 2};
  hk_arena arena;
  hk_arena_init(&arena);
  double j[3];
  const hk_curve *t = make(&arena, x, y, 3, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_HOLD);
  hk_curve_jet(t, 0, j);
  assert_true(j[0] == 5 && j[1] == 0);
  hk_curve_jet(t, 9, j);
  assert_true(j[0] == 2 && j[1] == 0);
  t = make(&arena, x, y, 3, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_LINE);
  hk_curve_jet(t, 0, j);
  assert_true(j[0] == 4 && j[1] == 1);
  hk_curve_jet(t, 5, j);
  assert_true(j[0] == 0 && j[1] == -2);
  t = make(&arena, x, y, 3, HK_INTERPOLATION_AKIMA, HK_OUTSIDE_ERROR);
  assert_true(isnan(hk_curve_value(t, 0.9)) && isnan(hk_curve_value(t, 4.1)));
  assert_true(!hk_curve_covers(t, 0.9) && hk_curve_covers(t, 4) && hk_curve_covers(t, 4 + 1e-12));
  assert_near(hk_curve_value(t, 4 + 1e-12), 2, 1e-9, "the end, but for round-off");
  assert_true(isnan(hk_curve_value(t, NAN)));
  hk_arena_free(&arena);
}

static void periodic_tables_repeat_smoothly(void **state) {
  (void)state;
  static const int sizes[] = {2, 3, 4, 17};
  for (int s = 0; s < 4; s++)
    for (int how = 0; how <= HK_INTERPOLATION_CUBIC; how++) {
      int n = sizes[s];
      double x[17], y[17];
      for (int i = 0; i < n; i++) x[i] = 2.0 * i / (n - 1), y[i] = 1 + cos(M_PI * x[i] + 0.4);
      y[n - 1] = y[0];
      hk_arena arena;
      hk_arena_init(&arena);
      const hk_curve *t = make(&arena, x, y, n, how, HK_OUTSIDE_PERIODIC);
      for (int k = 0; k < 50; k++) {
        double at = uniform(0, 2), j[3], f[3];
        hk_curve_jet(t, at, j), hk_curve_jet(t, at - 6, f);
        for (int i = 0; i < 3; i++) assert_near(f[i], j[i], 1e-9, "one period on, %d", i);
      }
      double l[3], r[3];
      hk_curve_jet(t, 2 - 1e-9, l), hk_curve_jet(t, 2 + 1e-9, r);
      assert_near(l[0], r[0], 1e-7, "the seam");
      if (how != HK_INTERPOLATION_LINEAR) assert_near(l[1], r[1], 1e-6, "slope at the seam");
      if (how == HK_INTERPOLATION_CUBIC) assert_near(l[2], r[2], 1e-5, "curvature at the seam");
      if (n == 17 && how == HK_INTERPOLATION_CUBIC)
        assert_near(hk_curve_value(t, 0.77), 1 + cos(M_PI * 0.77 + 0.4), 1e-4, "a cosine");
      hk_arena_free(&arena);
    }
}

static void pieces_are_counted(void **state) {
  (void)state;
  const double x[] = {0, 1, 3, 4}, y[] = {0, 1, 2, 0};
  hk_arena arena;
  hk_arena_init(&arena);
  const hk_curve *t = make(&arena, x, y, 4, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_HOLD);
  assert_near(hk_curve_pieces_between(t, 0.5, 2), 1, 1e-15, "parts");
  assert_near(hk_curve_pieces_between(t, 2, 0.5), 1, 1e-15, "backwards");
  assert_near(hk_curve_pieces_between(t, -9, -8), 0, 1e-15, "outside");
  assert_near(hk_curve_pieces_between(t, -9, 9), 3, 1e-15, "all");
  t = make(&arena, x, y, 4, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_PERIODIC);
  assert_near(hk_curve_pieces_between(t, 0.5, 8.5), 6, 1e-12, "two periods");
  assert_near(hk_curve_pieces_between(t, -0.5, 0.5), 1, 1e-12, "over the seam");
  hk_arena_free(&arena);
}

static void bad_points_are_refused(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_error err = {0};
  const double up[] = {0, 1, 1}, y[] = {1, 2, 3}, nan[] = {0, NAN, 2}, good[] = {0, 1, 2};
  assert_null(hk_curve_create(&arena, up, y, 3, 0, 0, &err));
  assert_non_null(strstr(err.text, "ascend"));
  assert_null(hk_curve_create(&arena, good, nan, 3, 0, 0, &err));
  assert_non_null(strstr(err.text, "point 2 of 3 is not finite"));
  assert_null(hk_curve_create(&arena, good, y, 3, 0, HK_OUTSIDE_PERIODIC, &err));
  assert_non_null(strstr(err.text, "the values are 1 and 3"));
  assert_null(hk_curve_create(&arena, good, y, 0, 0, 0, &err));
  hk_arena_free(&arena);
}

/* ---- in expressions ---- */

static const hk_curve *the_table;

static hk_symbol resolve(void *context, const char *name, char *hint) {
  hk_symbol s = {.kind = HK_SYMBOL_VARIABLE, .dim = {{0, 0, 12}}};
  (void)context, (void)hint;
  if (strcmp(name, "t") == 0) return s;
  s = (hk_symbol){.kind = HK_SYMBOL_TABLE, .table = the_table};
  if (strcmp(name, "road") == 0 || strcmp(name, "left.road") == 0) return s;
  s.kind = HK_SYMBOL_UNKNOWN;
  return s;
}

static void assert_expression_fails(hk_arena *arena, const char *text, const char *why) {
  hk_expr_error err = {0};
  if (hk_expr_compile(arena, text, strlen(text), resolve, NULL, &err)) fail_msg("'%s' works", text);
  if (!strstr(err.text, why)) fail_msg("'%s': %s", text, err.text);
}

static void expressions_call_tables(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 5}, y[] = {0, 3, 1, 2, 2};
  hk_arena arena;
  hk_arena_init(&arena);
  hk_curve *t = make(&arena, x, y, 5, HK_INTERPOLATION_CUBIC, HK_OUTSIDE_ERROR);
  t->name = "road";
  t->x_dim = (hk_dim){{0, 0, 12}}; /* s */
  t->y_dim = (hk_dim){{12}};       /* m */
  the_table = t;
  static const char text[] = "2*left.road(1.5*t + sin(t/1 s)*0.1 s) - if(t > 0, road(t), 0)";
  hk_expr_error err = {0};
  hk_expr *e = hk_expr_compile(&arena, text, strlen(text), resolve, NULL, &err);
  if (!e) fail_msg("%d: %s", err.column, err.text);
  assert_true(hk_dim_equal(hk_expr_dim(e), t->y_dim));
  assert_int_equal(hk_expr_calls(e), 2);
  for (double at = 0.1; at < 3; at += 0.173) {
    double argument, d1, d2, h = 1e-4, left = at - h, right = at + h, gradient;
    double inner = 1.5 * at + 0.1 * sin(at);
    assert_ptr_equal(hk_expr_call(e, 0, &at, &argument), t);
    assert_near(argument, inner, 1e-14, "first argument");
    hk_expr_call(e, 1, &at, &argument);
    assert_near(argument, at, 1e-14, "second argument");
    double value = hk_expr_second(e, &at, 0, &d1, &d2), before = hk_expr_value(e, &left),
           after = hk_expr_value(e, &right);
    assert_near(value, 2 * hk_curve_value(t, inner) - hk_curve_value(t, at), 1e-14, "value");
    assert_near(hk_expr_gradient(e, &at, &gradient), value, 1e-14, "value of the gradient");
    assert_near(d1, gradient, 1e-14, "two ways to the slope");
    assert_near(d1, (after - before) / (2 * h), 1e-6, "slope at %g", at);
    assert_near(d2, (after - 2 * value + before) / (h * h), 2e-3, "curvature at %g", at);
  }
  static const char fixed[] = "road(2.5 s)"; /* folded */
  e = hk_expr_compile(&arena, fixed, strlen(fixed), resolve, NULL, &err);
  assert_true(e && hk_expr_is_constant(e) && hk_expr_calls(e) == 0);
  assert_near(hk_expr_value(e, NULL), hk_curve_value(t, 2.5), 1e-15, "folded");
  assert_expression_fails(&arena, "road(2 m)", "table 'road' takes s, not m");
  assert_expression_fails(&arena, "road(6 s)",
                          "6 is outside the range of table 'road', 0 to 5");
  assert_expression_fails(&arena, "road + 1 m", "is a table; write 'road(...)'");
  assert_expression_fails(&arena, "road(t, t)", "expected ')'");
  assert_expression_fails(&arena, "road()", "expected a value");
  assert_expression_fails(&arena, "raod(t)", "unknown function 'raod'");
  assert_expression_fails(&arena, "t(1 s)", "'t' is not a function");
  assert_expression_fails(&arena, "sine(1)", "did you mean 'sin'?");
  hk_arena_free(&arena);
}

/* Range of the values between two arguments, within the table and beyond its ends: it contains a
 * thousand sampled values and is not much wider. */
static void ranges_hold_all_values(void **state) {
  (void)state;
  double x[N], y[N];
  draw_points(x, y);
  y[N - 1] = y[0];
  for (int kind = 0; kind < 12; kind++) {
    static const hk_outside OUTSIDE[] = {HK_OUTSIDE_HOLD, HK_OUTSIDE_LINE, HK_OUTSIDE_PERIODIC};
    hk_arena arena;
    hk_arena_init(&arena);
    const hk_curve *t = make(&arena, x, y, N, kind % 4, OUTSIDE[kind / 4]);
    for (int k = 0; k < 100; k++) {
      double from = uniform(x[0] - 1, x[N - 1] + 1),
             to = from + uniform(0, 0.9 * (x[N - 1] - x[0]));
      double lo, hi, least = INFINITY, most = -INFINITY;
      assert_true(hk_curve_range(t, from, to, &lo, &hi));
      for (int i = 0; i <= 1000; i++) {
        double value = hk_curve_value(t, from + i / 1000.0 * (to - from));
        least = fmin(least, value), most = fmax(most, value);
      }
      assert_true(lo <= least + 1e-14 && hi >= most - 1e-14);
      assert_near(lo, least, 2e-2, "least, kind %d from %g to %g", kind, from, to);
      assert_near(hi, most, 2e-2, "greatest, kind %d from %g to %g", kind, from, to);
      assert_true(hk_curve_range(t, from, from, &lo, &hi));
      assert_true(lo == hi && lo == hk_curve_value(t, from));
    }
    hk_arena_free(&arena);
  }
}

static void ranges_of_what_is_not_there(void **state) {
  (void)state;
  double lo, hi;
  hk_arena arena;
  hk_arena_init(&arena);
  const double x[] = {0, 1, 3}, y[] = {1, 4, 1};
  const hk_curve *t = make(&arena, x, y, 3, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_ERROR);
  assert_false(hk_curve_range(t, -1, 2, &lo, &hi));
  assert_false(hk_curve_range(t, 0, INFINITY, &lo, &hi));
  t = make(&arena, x, y, 3, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_PERIODIC);
  assert_true(hk_curve_range(t, 0.5, 7.5, &lo, &hi) && lo == 1 && hi == 4);
  assert_true(hk_curve_slope_range(t, 0.5, 7.5, &lo, &hi) && lo == -1.5 && hi == 3);
  assert_true(hk_curve_slope_range(t, 1.5, 2.5, &lo, &hi) && lo == -1.5 && hi == -1.5);
  assert_true(hk_curve_range(t, 2, 4.5, &lo, &hi) && lo == 1 && hi == 4);
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_hold_all_values),
      cmocka_unit_test(ranges_of_what_is_not_there),
      cmocka_unit_test(every_kind_goes_through_its_points),
      cmocka_unit_test(derivatives_are_exact),
      cmocka_unit_test(cubics_are_as_smooth_as_they_promise),
      cmocka_unit_test(errors_fall_with_the_distance_of_the_points),
      cmocka_unit_test(akima_and_pchip_do_not_ring),
      cmocka_unit_test(akima_slope_by_hand),
      cmocka_unit_test(ends),
      cmocka_unit_test(periodic_tables_repeat_smoothly),
      cmocka_unit_test(pieces_are_counted),
      cmocka_unit_test(bad_points_are_refused),
      cmocka_unit_test(expressions_call_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
