/* Units: text such as `N/m^1.5`, `rpm`, `um`, `deg` <-> SI factor and dimension.
 *
 * Syntax: products by `*`, `.`, `·` or a blank (`N m`), quotients by `/`, powers by `^`, `**`, `²`
 * or `³` with integer, decimal or fractional exponents (`m^-1`, `N/m^1.5`, `N/m^(3/2)`),
 * parentheses, and `1` (`1/s`).  Left associative: `a/b/c` = a/(b c), `N/m*s` = (N/m) s.  A blank
 * as product is refused after a `/`, where it could be read both ways.
 *
 * A dimension is a vector of rational exponents over (m, kg, s, A, K, rad).  The angle is kept as
 * a base dimension so that `rad/s` and `Hz` (1/s, cycles) are told apart and `2 deg` is refused
 * where a length is due; `hk_dim_matches` lets rad be dropped or added where physics does
 * (N m/rad against N m, rad/s against 1/s: a torque per radian is a torque).  One rev is 2 pi rad,
 * one rpm is 2 pi/60 rad/s, and Hz is 1/s without rad: who expects an angular velocity should test
 * with hk_dim_equal, because `50 Hz` matches rad/s but means 50 cycles.
 */
#ifndef HK_UNITS_H
#define HK_UNITS_H
#include <hooke/base.h>
#include <hooke/dim.h>

/* Exponents beyond +-100 are an error wherever text is read. */
enum { HK_DIM_LIMIT = 1200 };

typedef struct hk_unit {
  hk_dim dim;
  double factor; /* SI value of one unit */
  double offset; /* SI value of zero: only degC; allowed only as a whole unit */
} hk_unit;

/* Read all of text[0..length).  On failure *err says what is wrong and, for a near miss, what
 * was perhaps meant (`did you mean 'rpm'?`). */
hk_status hk_unit_parse(const char *text, size_t length, hk_unit *unit, hk_error *err);

/* SI value of a number in this unit.  50 um as 50/1e6 is the double nearest to 5e-5, which 50*1e-6 is
 * not. */
double hk_unit_to_si(const hk_unit *unit, double number);

bool hk_dim_equal(hk_dim a, hk_dim b);
/* Equal apart from the exponent of rad. */
bool hk_dim_matches(hk_dim a, hk_dim b);
bool hk_dim_is_none(hk_dim a);
/* Products saturate; hk_dim_in_range tells whether every exponent is within HK_DIM_LIMIT. */
hk_dim hk_dim_mul(hk_dim a, hk_dim b);
hk_dim hk_dim_div(hk_dim a, hk_dim b);
bool hk_dim_in_range(hk_dim a);
/* a^(num/den); false if an exponent is not a multiple of 1/12 or exceeds HK_DIM_LIMIT. */
bool hk_dim_pow(hk_dim a, int num, int den, hk_dim *out);
/* Readable SI text of a dimension: "N/m^1.5", "m/s^2", "rad/s", "1" when it has none.  Prefers
 * N, N*m, W, Pa, N*s/m and similar where they make it shorter.  The text has no blanks, so it can
 * stand behind a number in an expression, and hk_unit_parse reads it back exactly (factor 1).
 * Returns the length needed, as snprintf does; 128 bytes are always enough. */
int hk_dim_format(hk_dim d, char *buf, size_t size);
/* For error messages: a few units of this dimension that fit, such as "m, mm, um". */
int hk_dim_examples(hk_dim d, char *buf, size_t size);

/* Distance of two words for "did you mean": an insertion, deletion, replacement or swap of
 * neighbours costs 4, a change of case 1.  Words longer than 31 bytes are far from everything. */
int hk_word_distance(const char *a, size_t a_length, const char *b, size_t b_length);
#endif
