/* Units and quantities: text such as `N/m^1.5`, `rpm`, `5 N*m` <-> SI value and dimension.
 *
 * Syntax of units: products by `*`, `.`, `·` or a blank (`N m`), quotients by `/`, powers by `^`, `**`, `²` or `³` with
 * integer, decimal or fractional exponents (`m^-1`, `N/m^1.5`, `N/m^(3/2)`), parentheses, and `1` (`1/s`).  Left associative:
 * `a/b/c` = a/(b c), `N/m*s` = (N/m) s.  A blank as product is rejected after a `/`, because it would be ambiguous.
 *
 * A dimension is a vector of rational exponents over (m, kg, s, A, K, rad).  The angle is a base dimension, so that `rad/s`
 * and `Hz` (1/s, cycles) are distinguished and `2 deg` is rejected for a length.  `hk_dim_matches` ignores rad, as physics
 * does (N m/rad and N m, rad/s and 1/s: a torque per radian is a torque).  One rev is 2 pi rad, one rpm is 2 pi/60 rad/s, and
 * Hz is 1/s without rad.  The use of Hz is recorded: for an angular velocity, model files reject
 * `50 Hz` and accept `2*pi*50 Hz`. */
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
  /* SI value of zero on this unit's scale: nonzero only for degC, which must not be part of a
   * compound unit */
  double offset;
} hk_unit;

/* Read all of text[0..length).  On failure *err describes the error and, if possible, suggests a similar unit (`did you mean
 * 'rpm'?`). */
HK_API hk_status hk_unit_parse(const char *text, size_t length, hk_unit *unit, hk_error *err);

/* SI value of a number in this unit.  50 um is computed as 50/1e6, which is the double nearest to 5e-5; 50*1e-6 is not. */
HK_API double hk_unit_to_si(const hk_unit *unit, double number);
/* The inverse conversion. */
HK_API double hk_unit_from_si(const hk_unit *unit, double si);

/* Parses a quantity in the syntax of model files, including constant expressions: `5 N*m`, `2*pi/60
 * * 3 kW`, `-40 degC`.  Returns its SI value and dimension; either pointer may be NULL. */
HK_API hk_status hk_quantity_parse(const char *text, double *si, hk_dim *dim, hk_error *err);
/* Parses a quantity that must have a given dimension: `hk_quantity_parse_as("3 mm", "m", &x,
 * &err)`. */
HK_API hk_status hk_quantity_parse_as(const char *text, const char *unit, double *si,
                                      hk_error *err);
/* Writes a quantity such as "5 N*m" with enough digits to read the same value back.  Returns the
 * length needed, as snprintf does; 160 bytes are always enough. */
HK_API int hk_quantity_format(double si, hk_dim dim, char *buf, size_t size);

HK_API bool hk_dim_equal(hk_dim a, hk_dim b);
/* Returns true if two dimensions are equal apart from the exponent of rad. */
HK_API bool hk_dim_matches(hk_dim a, hk_dim b);
HK_API bool hk_dim_is_none(hk_dim a);
/* Readable SI text of a dimension: "N/m^1.5", "m/s^2", "rad/s", "1" if dimensionless.  Prefers N,
 * N*m, W, Pa, N*s/m and similar if these are shorter.  The text has no blanks, so it can follow a
 * number in an expression, and hk_unit_parse reads it back exactly (factor 1). Returns the length
 * needed, as snprintf does; 128 bytes are always enough. */
HK_API int hk_dim_format(hk_dim d, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
