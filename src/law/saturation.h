/* f(x) = tanh(x)/x and f'(x) for x >= 0: the factor of regularized friction. */
#ifndef HK_LAW_SATURATION_H
#define HK_LAW_SATURATION_H
#include "base/simd4.h"

enum { HK_SATURATION_TERMS = 7 };
/* tanh(x)/x = sum F_i x^2i */
static const double HK_SATURATION[HK_SATURATION_TERMS] = {
    1, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835, -1382.0 / 155925, 21844.0 / 6081075};

HK_INLINE double hk_saturation(double x, double *f_x) {
  double x2 = x * x;
  if (x < 0.1) {
    double f = 0, d = 0;
    for (int i = HK_SATURATION_TERMS - 1; i > 0; i--) {
      f = x2 * f + HK_SATURATION[i];
      d = x2 * d + 2 * i * HK_SATURATION[i];
    }
    *f_x = x * d;
    return 1 + x2 * f;
  }
  /* (1 - e)/(1 + e)/x; f and f' share one division */
  double e = x < 20 ? exp(-2 * x) : 0, r = 1 / (x * (1 + e)), f = (1 - e) * r, s = f * x;
  *f_x = (1 - s * s - f) * (1 + e) * r;
  return f;
}

HK_INLINE hk_v4 hk_saturation_four(hk_v4 x, hk_v4 *f_x) {
  hk_v4 e = hk_exp4(-2 * x), r = 1 / (x * (1 + e));
  hk_v4 f = (1 - e) * r, s = f * x;
  *f_x = (1 - s * s - f) * (1 + e) * r;
  hk_m4 slow = x < hk_all4(0.1);
  if (hk_any4(slow)) {
    hk_v4 x2 = x * x, p = hk_all4(0), d = p;
    for (int i = HK_SATURATION_TERMS - 1; i > 0; i--) {
      p = x2 * p + HK_SATURATION[i];
      d = x2 * d + 2 * i * HK_SATURATION[i];
    }
    f = hk_where4(slow, 1 + x2 * p, f), *f_x = hk_where4(slow, x * d, *f_x);
  }
  return f;
}
#endif
