/* Dimensions: what a unit measures. */
#ifndef HOOKE_DIM_H
#define HOOKE_DIM_H
#include <stdint.h>

enum { HK_DIM_BASES = 6 }; /* m, kg, s, A, K, rad */
/* Exponents in units of 1/12, so that 1/2, 1/3, 1/4 and 1/6 powers are exact. */
typedef struct hk_dim {
  int16_t twelfths[HK_DIM_BASES];
  /* Hz counts cycles, which must not be used as an angle in rad.  These two members record the use of Hz in an expression and
   * are ignored in comparisons: the exponent of Hz, in twelfths, and whether pi is a factor, which converts cycles to rad. */
  int16_t cycles;
  int16_t pi;
} hk_dim;
#endif
