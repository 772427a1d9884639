/* Dimensions: what a unit measures. */
#ifndef HOOKE_DIM_H
#define HOOKE_DIM_H
#include <stdint.h>

enum { HK_DIM_BASES = 6 }; /* m, kg, s, A, K, rad */
/* Exponents in units of 1/12, so that 1/2, 1/3, 1/4 and 1/6 powers are exact. */
typedef struct hk_dim {
  int16_t twelfths[HK_DIM_BASES];
} hk_dim;
#endif
