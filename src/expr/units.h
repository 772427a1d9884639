/* Units and dimensions as the library uses them; what programs see is in hooke/units.h. */
#ifndef HK_UNITS_H
#define HK_UNITS_H
#include <hooke/units.h>

/* Exponents beyond +-100 are an error wherever text is read. */
enum { HK_DIM_LIMIT = 1200 };

/* Hz where an angle is due. */
bool hk_dim_counts_cycles(hk_dim dim, hk_dim wanted);
/* A value of dimension dim may stand where `wanted` is due: rad may be missing or left over, but a
 * plain number is neither a length nor an angle, and Hz is no angular velocity. */
bool hk_dim_fits(hk_dim dim, hk_dim wanted);
/* Products saturate; hk_dim_in_range tells whether every exponent is within HK_DIM_LIMIT. */
hk_dim hk_dim_mul(hk_dim a, hk_dim b);
hk_dim hk_dim_div(hk_dim a, hk_dim b);
bool hk_dim_in_range(hk_dim a);
/* a^(num/den); false if an exponent is not a multiple of 1/12 or exceeds HK_DIM_LIMIT. */
bool hk_dim_pow(hk_dim a, int num, int den, hk_dim *out);
/* For error messages: a few units of this dimension that fit, such as "m, mm, um". */
int hk_dim_examples(hk_dim d, char *buf, size_t size);

/* Distance of two words for "did you mean": an insertion, deletion, replacement or swap of
 * neighbours costs 4, a change of case 1.  Words longer than 31 bytes are far from everything. */
int hk_word_distance(const char *a, size_t a_length, const char *b, size_t b_length);
#endif
