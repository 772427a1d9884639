/* Units: text such as `N/m^1.5`, `rpm`, `um`, `deg` <-> SI factor and dimension.
 *
 * A dimension is a vector of rational exponents over (m, kg, s, A, K, rad).  The angle is kept as
 * a base dimension so that `rad/s` and `Hz` (1/s, cycles) are told apart and `2 deg` is refused
 * where a length is due; `hk_dim_matches` lets rad be dropped or added where physics does
 * (N m/rad against N m, rad/s against 1/s: a torque per radian is a torque).
 */
#ifndef HK_UNITS_H
#define HK_UNITS_H
#include <hooke/base.h>

enum { HK_DIM_BASES = 6 }; /* m, kg, s, A, K, rad */
/* Exponents in units of 1/12, so that 1/2, 1/3, 1/4 and 1/6 powers are exact. */
typedef struct hk_dim {
  int16_t twelfths[HK_DIM_BASES];
} hk_dim;

typedef struct hk_unit {
  hk_dim dim;
  double factor; /* SI value of one unit */
  double offset; /* SI value of zero: only degC; allowed only as a whole unit */
} hk_unit;

/* Read all of text[0..length).  On failure *err says what is wrong and, for a near miss, what
 * was perhaps meant (`did you mean 'rpm'?`). */
hk_status hk_unit_parse(const char *text, size_t length, hk_unit *unit, hk_error *err);

bool hk_dim_equal(hk_dim a, hk_dim b);
/* Equal apart from the exponent of rad. */
bool hk_dim_matches(hk_dim a, hk_dim b);
bool hk_dim_is_none(hk_dim a);
hk_dim hk_dim_mul(hk_dim a, hk_dim b);
hk_dim hk_dim_div(hk_dim a, hk_dim b);
/* a^(num/den); false if an exponent is not a multiple of 1/12 or overflows. */
bool hk_dim_pow(hk_dim a, int num, int den, hk_dim *out);
/* Readable SI text of a dimension: "N/m^1.5", "m/s^2", "rad/s", "1" when it has none.  Prefers
 * N, J, W, Pa, N m and similar where the dimension is one of those. */
int hk_dim_format(hk_dim d, char *buf, size_t size);
/* For error messages: a few units of this dimension that fit, such as "m, mm, um". */
int hk_dim_examples(hk_dim d, char *buf, size_t size);
#endif
