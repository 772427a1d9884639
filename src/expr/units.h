/* Units and dimensions for internal use; the public part is in hooke/units.h. */
#ifndef HK_EXPR_UNITS_H
#define HK_EXPR_UNITS_H
#include <hooke/units.h>

/* Exponents beyond +-100 (1200 twelfths) are an error wherever text is read. */
enum { HK_DIM_LIMIT = 1200 };

/* Returns true if dim contains Hz while an angle is required. */
bool hk_dim_counts_cycles(hk_dim dim, hk_dim wanted);
/* Returns true if a value of dimension `dim` is accepted for a required dimension `wanted`. The exponent of rad may differ:
 * N m is accepted for N m/rad. Exceptions: a plain number is not accepted for an angle, nor an angle for a plain number, nor
 * Hz for an angular velocity. */
bool hk_dim_fits(hk_dim dim, hk_dim wanted);
/* Products saturate; hk_dim_in_range checks that every exponent is within HK_DIM_LIMIT. */
hk_dim hk_dim_mul(hk_dim a, hk_dim b);
hk_dim hk_dim_div(hk_dim a, hk_dim b);
bool hk_dim_in_range(hk_dim a);
/* a^(num/den); false if an exponent is not a multiple of 1/12 or exceeds HK_DIM_LIMIT. */
bool hk_dim_pow(hk_dim a, int num, int den, hk_dim *out);
/* For error messages: some units of this dimension, such as "m, mm, um". */
int hk_dim_examples(hk_dim d, char *buf, size_t size);

/* Edit distance of two words for "did you mean": an insertion, deletion, replacement or swap of
 * neighbours costs 4, a change of case 1. Words longer than 31 bytes have a very large distance. */
int hk_word_distance(const char *a, size_t a_length, const char *b, size_t b_length);
#endif
