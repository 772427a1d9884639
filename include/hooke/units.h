/* Units and quantities: text such as `N/m^1.5`, `rpm`, `5 N*m` <-> SI value and dimension.
 *
 * Syntax of units: products by `*`, `.`, `·` or a blank (`N m`), quotients by `/`, powers by `^`, `**`, `²`
 * or `³` with integer, decimal or fractional exponents (`m^-1`, `N/m^1.5`, `N/m^(3/2)`),
 * parentheses, and `1` (`1/s`).  Left associative: `a/b/c` = a/(b c), `N/m*s` = (N/m) s.  A blank
 * as product is refused after a `/`, where it could be read both ways.
 *
 * A dimension is a vector of rational exponents over (m, kg, s, A, K, rad).  The angle is kept as
 * a base dimension so that `rad/s` and `Hz` (1/s, cycles) are told apart and `2 deg` is refused
 * where a length is due; `hk_dim_matches` lets rad be dropped or added where physics does
 * (N m/rad against N m, rad/s against 1/s: a torque per radian is a torque).  One rev is 2 pi rad,
 * one rpm is 2 pi/60 rad/s, and Hz is 1/s without rad, but remembered: where an angular velocity is due
 * model files refuse `50 Hz`, and take `2*pi*50 Hz`.
 */
#ifndef HOOKE_UNITS_H
#define HOOKE_UNITS_H
#include <hooke/base.h>
#include <hooke/dim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_unit {
  hk_dim dim;
  double factor; /* SI value of one unit */
  double offset; /* SI value of zero: only degC; allowed only as a whole unit */
} hk_unit;

/* Read all of text[0..length).  On failure *err says what is wrong and, for a near miss, what
 * was perhaps meant (`did you mean 'rpm'?`). */
HK_API hk_status hk_unit_parse(const char *text, size_t length, hk_unit *unit, hk_error *err);

/* SI value of a number in this unit.  50 um as 50/1e6 is the double nearest to 5e-5, which 50*1e-6 is
 * not. */
HK_API double hk_unit_to_si(const hk_unit *unit, double number);
/* The way back. */
HK_API double hk_unit_from_si(const hk_unit *unit, double si);

/* A quantity as model files write it, with all that constant expressions have there: `5 N*m`,
 * `2*pi/60 * 3 kW`, `-40 degC`.  SI value and dimension; either may be NULL. */
HK_API hk_status hk_quantity_parse(const char *text, double *si, hk_dim *dim, hk_error *err);
/* ... that must be of the same kind as a unit: `hk_quantity_parse_as("3 mm", "m", &x, &err)`. */
HK_API hk_status hk_quantity_parse_as(const char *text, const char *unit, double *si,
                                      hk_error *err);
/* "5 N*m" with as many digits as it takes to read the same number back.  Returns the length needed, as
 * snprintf does; 160 bytes are always enough. */
HK_API int hk_quantity_format(double si, hk_dim dim, char *buf, size_t size);

HK_API bool hk_dim_equal(hk_dim a, hk_dim b);
/* Equal apart from the exponent of rad. */
HK_API bool hk_dim_matches(hk_dim a, hk_dim b);
HK_API bool hk_dim_is_none(hk_dim a);
/* Readable SI text of a dimension: "N/m^1.5", "m/s^2", "rad/s", "1" when it has none.  Prefers
 * N, N*m, W, Pa, N*s/m and similar where they make it shorter.  The text has no blanks, so it can
 * stand behind a number in an expression, and hk_unit_parse reads it back exactly (factor 1).
 * Returns the length needed, as snprintf does; 128 bytes are always enough. */
HK_API int hk_dim_format(hk_dim d, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
