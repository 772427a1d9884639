/* Units: factors against defining constants, dimension algebra, text round trip, error texts. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expr/units.h"

static hk_unit parse(const char *text) {
  hk_unit u;
  hk_error err = {0};
  if (hk_unit_parse(text, strlen(text), &u, &err)) fail_msg("'%s': %s", text, err.text);
  return u;
}

static void check(const char *text, double factor, const char *same_dimension) {
  hk_unit u = parse(text);
  if (!(fabs(u.factor - factor) <= 4e-16 * fabs(factor)))
    fail_msg("'%s' is %.17g, expected %.17g", text, u.factor, factor);
  if (!hk_dim_equal(u.dim, parse(same_dimension).dim))
    fail_msg("'%s' has not the dimension of '%s'", text, same_dimension);
}

static void refuse(const char *text, const char *part_of_message) {
  hk_unit u;
  hk_error err = {0};
  if (hk_unit_parse(text, strlen(text), &u, &err) != HK_EINPUT) fail_msg("'%s' was read", text);
  if (!strstr(err.text, part_of_message)) fail_msg("'%s' says: %s", text, err.text);
}

static void test_factors(void **state) {
  (void)state;
  check("mm", 1e-3, "m");
  check("um", 1e-6, "m");
  check("\xC2\xB5m", 1e-6, "m");
  check("\xCE\xBCm", 1e-6, "m");
  check("nm", 1e-9, "m");
  check("km", 1e3, "m");
  check("kg", 1, "kg");
  check("g", 1e-3, "kg");
  check("t", 1e3, "kg");
  check("ms", 1e-3, "s");
  check("us", 1e-6, "s");
  check("min", 60, "s");
  check("h", 3600, "s");
  check("kN", 1e3, "kg*m/s^2");
  check("MPa", 1e6, "N/m^2");
  check("GPa", 1e9, "N/m^2");
  check("bar", 1e5, "N/m^2");
  check("kJ", 1e3, "N*m");
  check("kW", 1e3, "J/s");
  check("kWh", 3.6e6, "J");
  check("L", 1e-3, "m^3");
  check("mL", 1e-6, "m^3");
  check("Hz", 1, "1/s");
  check("C", 1, "A*s");
  check("V", 1, "W/A");
  check("Ohm", 1, "V/A");
  check("F", 1, "C/V");
  check("H", 1, "V*s/A");
  check("T", 1, "V*s/m^2");
  check("Wb", 1, "V*s");
  check("deg", 0.017453292519943295, "rad");
  check("\xC2\xB0", 0.017453292519943295, "rad");
  check("rev", 6.283185307179586, "rad");
  check("rpm", 0.10471975511965977, "rad/s");
  check("in", 0.0254, "m");
  check("ft", 0.3048, "m");
  check("lb", 0.45359237, "kg");
  check("lbf", 4.4482216152605, "N");
  check("psi", 6894.757293168361, "Pa");
  check("%", 0.01, "1");
  check("1", 1, "1");
}

static void test_degree_celsius(void **state) {
  (void)state;
  assert_true(parse("degC").offset == 273.15);
  assert_true(parse("\xC2\xB0"
                    "C")
                  .offset == 273.15);
  assert_true(hk_dim_equal(parse("degC").dim, parse("K").dim));
  assert_true(parse("K").offset == 0);
  assert_true(parse("C").offset == 0);
  refuse("W/degC", "K");
  refuse("degC^2", "K");
  refuse("degC*m", "K");
}

static void test_syntax(void **state) {
  (void)state;
  static const char *const torque[] = {"Nm",
                                       "N*m",
                                       "N.m",
                                       "N\xC2\xB7m",
                                       "N m",
                                       "N * m",
                                       "J",
                                       "(N)*(m)",
                                       "N*(m)",
                                       "kg*m^2/s^2",
                                       "N/m^-1",
                                       "kg*m\xC2\xB2/s**2",
                                       "N\xE2\x8B\x85m",
                                       " N*m "};
  for (size_t i = 0; i < sizeof torque / sizeof *torque; i++) check(torque[i], 1, "kg*m^2*s^-2");
  check("Nms", 1, "N*m*s");
  check("Ns", 1, "N*s");
  check("kNm", 1e3, "N*m");
  check("Nmm", 1e-3, "N*m");
  check("N/m*s", 1, "N*s/m");
  check("m/s/s", 1, "m/s^2");
  check("m/(s*s)", 1, "m/s^2");
  check("N/mm^2", 1e6, "Pa");
  check("km/h", 1 / 3.6, "m/s");
  check("1/min", 1.0 / 60, "1/s");
  check("N/m^1.5", 1, "N/m^(3/2)");
  check("N/mm^1.5", 31622.776601683792, "N/m^(3/2)");
  check("m^(1/3)", 1, "m^(4/12)");
  check("m^0.25", 1, "m^(1/4)");
  check("m^-0.5", 1, "1/m^0.5");
  check("m^(-1/2)", 1, "1/m^0.5");
  check("m^0", 1, "1");
  check("rad^2", 1, "rad*rad");
  hk_unit u = parse("N/m^1.5");
  static const int16_t expected[HK_DIM_BASES] = {-6, 12, -24, 0, 0, 0};
  assert_memory_equal(u.dim.twelfths, expected, sizeof expected);
}

static void test_refusals(void **state) {
  (void)state;
  refuse("", "empty");
  refuse("  ", "empty");
  refuse("KN", "did you mean 'kN'?");
  refuse("hz", "did you mean 'Hz'?");
  refuse("Kg", "did you mean 'kg'?");
  refuse("mpa", "did you mean 'MPa'?");
  refuse("rmp", "did you mean 'rpm'?");
  refuse("degg", "did you mean 'deg'?");
  refuse("sec", "did you mean 's'?");
  refuse("meters", "did you mean 'm'?");
  refuse("kmh", "did you mean 'km/h'?");
  refuse("blob", "unknown unit 'blob'");
  refuse("kkg", "unknown unit");
  refuse("kdeg", "unknown unit");
  refuse("m2", "'m^2'");
  refuse("m^", "exponent");
  refuse("m^x", "exponent");
  refuse("m^(1/0)", "exponent");
  refuse("m^(1/2", "exponent");
  refuse("m^0.3", "1/12");
  refuse("m^0.333", "1/12");
  refuse("m^101", "out of range");
  refuse("m^60*m^60", "exceeds 100");
  refuse("m^9999999", "digits");
  refuse("m^2^2", "two exponents");
  refuse("km^100*km^-100*km^99*Gs^99*Tg^99", "too large");
  refuse("fm^30*fm^0", "too large or too small");
  refuse("m*", "missing");
  refuse("*m", "expected a unit");
  refuse("/s", "expected a unit");
  refuse("m)", "unexpected ')'");
  refuse("(m", "expected ')'");
  refuse("2*m", "1");
  refuse("10/s", "1");
  refuse("N/m s", "is ambiguous");
  refuse("m\x01", "unexpected '?'");
  char deep[200];
  memset(deep, '(', sizeof deep);
  deep[199] = '\0';
  refuse(deep, "parentheses");
  char *huge = malloc(5000);
  memset(huge, 'm', 4999);
  huge[4999] = '\0';
  refuse(huge, "too long");
  huge[900] = '\0';
  refuse(huge, "unknown unit");
  free(huge);
  hk_unit u;
  assert_int_equal(hk_unit_parse("m\0s", 3, &u, NULL), HK_EINPUT);
}

static void test_algebra(void **state) {
  (void)state;
  hk_dim N = parse("N").dim, m = parse("m").dim, none = {{0}}, d;
  assert_true(hk_dim_equal(hk_dim_mul(N, m), parse("J").dim));
  assert_true(hk_dim_equal(hk_dim_div(N, hk_dim_mul(m, m)), parse("Pa").dim));
  assert_true(hk_dim_is_none(hk_dim_div(N, N)));
  assert_false(hk_dim_is_none(parse("rad").dim));
  assert_true(hk_dim_matches(parse("rad").dim, none));
  assert_true(hk_dim_matches(parse("N*m/rad").dim, parse("N*m").dim));
  /* Cycles are not angles unless a factor of 2 pi is written. */
  hk_dim hertz = parse("Hz").dim, omega = parse("rad/s").dim, pi = {.pi = 1};
  assert_false(hk_dim_fits(hertz, omega));
  assert_true(hk_dim_fits(parse("1/s").dim, omega) && hk_dim_fits(hertz, parse("1/s").dim));
  assert_true(hk_dim_fits(hk_dim_mul(pi, hertz), omega));
  assert_true(hk_dim_equal(hk_dim_mul(pi, hertz), omega));
  assert_true(hk_dim_equal(hk_dim_div(pi, hk_dim_div((hk_dim){{0}}, hertz)), omega));
  assert_int_equal(hk_dim_div(hertz, parse("kHz").dim).cycles, 0);
  assert_true(hk_dim_matches(parse("rad/s").dim, parse("Hz").dim));
  assert_false(hk_dim_equal(parse("rad/s").dim, parse("Hz").dim));
  assert_false(hk_dim_matches(m, none));
  assert_true(hk_dim_pow(m, 3, 2, &d) && d.twelfths[0] == 18);
  assert_true(hk_dim_pow(m, 3, -2, &d) && d.twelfths[0] == -18);
  assert_true(hk_dim_pow(m, 1, 12, &d) && d.twelfths[0] == 1);
  assert_false(hk_dim_pow(d, 1, 2, &d));
  assert_false(hk_dim_pow(m, 1, 0, &d));
  assert_false(hk_dim_pow(m, 101, 1, &d));
  assert_false(hk_dim_pow(m, 2147483647, 1, &d));
  hk_dim large = {{30000, -30000}};
  d = hk_dim_mul(large, large);
  assert_int_equal(d.twelfths[0], 32767);
  assert_int_equal(d.twelfths[1], -32767);
  assert_false(hk_dim_in_range(d));
  assert_true(hk_dim_in_range(m));
}

static void check_round_trip(hk_dim d) {
  char text[128], cut[4];
  int length = hk_dim_format(d, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_null(strchr(text, ' '));
  hk_unit u = parse(text);
  if (!hk_dim_equal(u.dim, d) || u.factor != 1 || u.offset != 0)
    fail_msg("'%s' does not read back", text);
  assert_int_equal(hk_dim_format(d, cut, sizeof cut), length);
  assert_int_equal(hk_dim_format(d, NULL, 0), length);
  assert_true(strlen(cut) < sizeof cut);
}

static void test_format_reads_back(void **state) {
  (void)state;
  srand(1);
  for (int n = 0; n < 20000; n++) {
    hk_dim d;
    for (int i = 0; i < HK_DIM_BASES; i++) {
      int spread = n % 3 == 0 ? HK_DIM_LIMIT : 48;
      d.twelfths[i] = (int16_t)(rand() % (2 * spread + 1) - spread);
      if (n % 3 == 1) d.twelfths[i] = (int16_t)(12 * (d.twelfths[i] / 12));
      if (rand() % 2) d.twelfths[i] = 0;
    }
    if (n % 2) d.twelfths[1] = rand() % 2 ? 12 : -12;
    check_round_trip(d);
  }
}

static void test_format_is_familiar(void **state) {
  (void)state;
  static const char *const same[] = {
      "1",     "m",         "kg",      "s",      "A",       "K",       "rad",     "N",
      "N*m",   "W",         "Pa",      "N/m",    "N*s/m",   "N/m^1.5", "N*m/rad", "N*m*s/rad",
      "m/s^2", "rad/s",     "rad/s^2", "kg*m^2", "kg/m^3",  "Pa*s",    "N*s",     "V",
      "C",     "N/m^3",     "1/s",     "m^2",    "m^(1/3)", "m/N",     "N*m*s",   "1/(m*s)",
      "Ohm",   "N/m^(7/3)", "rad/N",   "kg/m",   "m^2/s",   "W/K"};
  char text[128];
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    hk_dim_format(parse(same[i]).dim, text, sizeof text);
    assert_string_equal(text, same[i]);
  }
}

static void test_examples_fit(void **state) {
  (void)state;
  static const char *const dims[] = {"1",   "m",       "m^3",    "kg",      "s",   "K",
                                     "rad", "rad/s",   "N",      "N*m",     "N/m", "N*s/m",
                                     "Pa",  "N*m/rad", "kg*m^2", "N/m^1.5", "W"};
  for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
    char text[128], *rest = text, *one;
    hk_dim d = parse(dims[i]).dim;
    hk_dim_examples(d, text, sizeof text);
    while ((one = strtok_r(rest, ",", &rest)))
      if (!hk_dim_equal(parse(one).dim, d)) fail_msg("'%s' is no %s", one, dims[i]);
  }
  char text[128];
  hk_dim_examples(parse("m").dim, text, sizeof text);
  assert_string_equal(text, "m, mm, um");
}

static void test_word_distance(void **state) {
  (void)state;
  assert_int_equal(hk_word_distance("abc", 3, "abc", 3), 0);
  assert_int_equal(hk_word_distance("aBc", 3, "abc", 3), 1);
  assert_int_equal(hk_word_distance("acb", 3, "abc", 3), 4);
  assert_int_equal(hk_word_distance("ab", 2, "abc", 3), 4);
  assert_int_equal(hk_word_distance("", 0, "abc", 3), 12);
  assert_int_equal(hk_word_distance("mas", 3, "mass", 4), 4);
  assert_int_equal(hk_word_distance("kitten", 6, "sitting", 7), 12);
}

/* Random bytes from the alphabet of units: no crash, and every accepted text is a usable unit. */
static void test_noise(void **state) {
  (void)state;
  static const char alphabet[] = "mkgsNPaHz*/^().-+1230 \xC2\xB7\xB2\xB5%u";
  srand(7);
  for (int n = 0; n < 200000; n++) {
    char text[24];
    size_t length = (size_t)rand() % sizeof text;
    for (size_t i = 0; i < length; i++) text[i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
    hk_unit u;
    hk_error err;
    if (hk_unit_parse(text, length, &u, &err) == HK_OK) {
      assert_true(isnormal(u.factor) && u.factor > 0);
      assert_true(hk_dim_in_range(u.dim));
    }
  }
}

/* Input and output of programs: a number with its unit. */
static void test_quantities(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double si;
    const char *shown;
  } good[] = {{"5 N*m", 5, "5 N*m"},
              {"2*25.4 mm", 0.0508, "0.0508 m"},
              {"-40 degC", 233.15, NULL},
              {"0.25", 0.25, "0.25"},
              {"3000 rpm", 3000 * 2 * M_PI / 60, NULL},
              {"-1.5e-3 kN/um", -1.5e6, "-1500000 N/m"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double si, back;
    hk_dim dim, again;
    char text[160];
    hk_error err;
    if (hk_quantity_parse(good[i].text, &si, &dim, &err)) fail_msg("%s", err.text);
    assert_true(fabs(si - good[i].si) <= 1e-14 * fabs(si));
    assert_true(hk_quantity_format(si, dim, text, sizeof text) < (int)sizeof text);
    if (good[i].shown) assert_string_equal(text, good[i].shown);
    assert_int_equal(hk_quantity_parse(text, &back, &again, &err), HK_OK);
    assert_true(back == si && hk_dim_equal(dim, again));
  }
  static const struct {
    const char *text, *unit, *why;
  } bad[] = {{"5 mN", "m", "needs another unit (m, "},    {"5", "m", "needs a unit: m, "},
             {"5 m", "1", "must be a plain number"},        {"50 Hz", "rad/s", "counts cycles"},
             {"5 quark", "m", "column 3"},                 {"", "m", "column 1"},
             {"1/0", "1", "column 2"},                     {"x + 1 m", "m", "column 1"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double si = 7;
    hk_error err = {0};
    assert_int_equal(hk_quantity_parse_as(bad[i].text, bad[i].unit, &si, &err), HK_EINPUT);
    if (!strstr(err.text, bad[i].why)) fail_msg("'%s': %s", bad[i].text, err.text);
    assert_true(si == 7);
  }
  double si = 7;
  assert_int_equal(hk_quantity_parse_as("0", "m", &si, NULL), HK_OK);
  assert_true(si == 0);
  hk_unit um, degC;
  assert_int_equal(hk_unit_parse("um", 2, &um, NULL), HK_OK);
  assert_int_equal(hk_unit_parse("degC", 4, &degC, NULL), HK_OK);
  assert_true(hk_unit_from_si(&um, hk_unit_to_si(&um, 50)) == 50);
  assert_true(hk_unit_from_si(&degC, 273.15) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quantities),
      cmocka_unit_test(test_factors),
      cmocka_unit_test(test_degree_celsius),
      cmocka_unit_test(test_syntax),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_algebra),
      cmocka_unit_test(test_format_reads_back),
      cmocka_unit_test(test_format_is_familiar),
      cmocka_unit_test(test_examples_fit),
      cmocka_unit_test(test_word_distance),
      cmocka_unit_test(test_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
