/* Axes of studies: all notations, and rejected input. */
#include "study/axis.h"
#include "support/check.h"

#define check_near(got, wanted, tolerance) assert_near(got, wanted, tolerance, #got)

static hk_arena arena;

static hk_axis read_ok(const char *text) {
  hk_axis a;
  hk_error err = {0};
  if (hk_axis_read(&arena, "x", text, 0, &a, &err)) fail_msg("'%s': %s", text, err.text);
  return a;
}

static void refused(const char *text, const char *why) {
  hk_axis a;
  hk_error err = {0};
  if (!hk_axis_read(&arena, "x", text, 0, &a, &err)) fail_msg("'%s' was taken", text);
  if (!strstr(err.text, why)) fail_msg("'%s': no '%s' in '%s'", text, why, err.text);
}

static void ranges(void **state) {
  (void)state;
  hk_axis a = read_ok("0..0.1:11");
  assert_int_equal(a.n, 11);
  assert_true(hk_axis_value(&a, 0) == 0 && hk_axis_value(&a, 10) == 0.1);
  check_near(hk_axis_value(&a, 3), 0.03, 1e-15);
  a = read_ok("0:10:41 N*m");
  assert_string_equal(a.unit, "N*m");
  assert_int_equal(a.n, 41);
  a = read_ok("1 mm..1 cm:4");
  assert_string_equal(a.unit, "mm");
  check_near(hk_axis_value(&a, 3), 10, 1e-12);
  check_near(hk_axis_si(&a, hk_axis_value(&a, 1)), 4e-3, 1e-15);
  a = read_ok("log(1 um, 1 mm, 4)");
  check_near(hk_axis_value(&a, 1), 10, 1e-12);
  check_near(hk_axis_value(&a, 2), 100, 1e-11);
  a = read_ok("-5..5:3");
  check_near(hk_axis_value(&a, 1), 0, 1e-15);
  refused("0..1", "number of values is missing");
  refused("1..1:5", "has equal ends");
  refused("0..1:0", "empty");
  refused("0..1:2.5", "empty");
  refused("0..1:1e12", "too many");
  refused("log(0, 1, 5)", "positive");
  refused("1 m..2 s:5", "different kinds");
  refused("a..b:3", "not a range");
  refused("log(1, 2)", "log(first, last, count)");
}

static void lists(void **state) {
  (void)state;
  char text[HK_AXIS_TEXT];
  hk_axis a = read_ok("500 N*m, 1 kN*m");
  assert_int_equal(a.n, 2);
  check_near(a.value[1], 1000, 1e-9);
  hk_axis_override(&a, 1, a.value[1], text, sizeof text);
  assert_string_equal(text, "1 kN*m");
  a = read_ok("full, ideal");
  assert_true(a.words);
  a = read_ok("[1 m, 2 m], [3 m, 4 m]");
  assert_int_equal(a.n, 2);
  assert_string_equal(a.text[1], "[3 m, 4 m]");
  a = read_ok("7");
  assert_int_equal(a.n, 1);
  refused("", "no value");
  refused("1, ,2", "value 2 of the axis is empty");
  refused("1 m, 2 s", "different kinds");
  refused("1 m, 2", "has no unit");
  refused("1 foo", "foo");
}

static void distributions(void **state) {
  (void)state;
  hk_axis a = read_ok("normal(0, 5 um)");
  assert_int_equal(a.kind, HK_AXIS_RANDOM);
  assert_string_equal(a.unit, "um");
  check_near(hk_axis_at(&a, 0.5), 0, 1e-12);
  check_near(hk_axis_at(&a, 0.8413447460685429), 5, 1e-12);
  a = read_ok("uniform(1 mm, 2 cm)");
  check_near(hk_axis_at(&a, 0.5), 10.5, 1e-12);
  a = read_ok("log_normal(10 N, 2)");
  check_near(hk_axis_at(&a, 0.8413447460685429), 20, 1e-11);
  a = read_ok("triangular(0, 1, 4)");
  check_near(hk_axis_at(&a, 0.25), 1, 1e-14);
  check_near(hk_axis_at(&a, 1 - 1e-16), 4, 1e-6);
  a = read_ok("normal(0, 1, -1, 1)");
  assert_true(hk_axis_at(&a, 1e-12) >= -1 && hk_axis_at(&a, 1 - 1e-12) <= 1);
  refused("normal(0, -1)", "deviation > 0");
  refused("normal(1)", "write normal");
  refused("gauss(0, 1)", "neither a range");
  refused("uniform(2, 1)", "min < max");
  refused("normal(0 um, 5 s)", "different kinds");
}

/* Phi(quantile(u)) = u to round-off, far into the tails. */
static void normal_quantile(void **state) {
  (void)state;
  for (double u = 1e-15; u < 1; u = u < 0.01 ? 3 * u : u + 0.0123) {
    double x = hk_normal_quantile(u);
    check_near(0.5 * erfc(-x / sqrt(2)) / u, 1, 1e-13);
    if (u < 0.5 && u > 1e-4) check_near(hk_normal_quantile(1 - u), -x, 1e-11);
  }
  check_near(hk_normal_quantile(0.975), 1.959963984540054, 1e-14);
}

static int open_arena(void **state) {
  (void)state;
  hk_arena_init(&arena);
  return 0;
}
static int close_arena(void **state) {
  (void)state;
  hk_arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranges), cmocka_unit_test(lists),
                                     cmocka_unit_test(distributions),
                                     cmocka_unit_test(normal_quantile)};
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
