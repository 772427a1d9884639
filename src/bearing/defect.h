/* Waviness of the races and spalls: material missing between the races at an element, subtracted
 * from d_r. */
#ifndef HK_BEARING_DEFECT_H
#define HK_BEARING_DEFECT_H
#include "bearing/bearing.h"

/* h and its derivatives with respect to the angles of the cage (0) and of the inner ring (1). */
typedef struct hk_defect {
  double h, by[2], bend[2][2];
} hk_defect;

/* Element k, at the cage angle `cage` and the angle `turn` of the inner ring. */
void hk_defect_at(const hk_bearing *p, int k, double cage, double turn, hk_defect *out);
#endif
