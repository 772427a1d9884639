/* See line.h. */
#include "gear/line_simd4.h"

HK_HOT void hk_line_ready(hk_line_spot *s) {
  hk_spot_four four;
  hk_spot_gather((const hk_line_spot *const[]){s, s, s, s}, &four);
  hk_v4 k = hk_line_ready4(&four);
  s->k[HK_LINE_DEFORM] = k[0];
}

HK_HOT double hk_line_deform(const hk_line_spot *s, double x) {
  hk_spot_four four;
  hk_spot_gather((const hk_line_spot *const[]){s, s, s, s}, &four);
  hk_v4 q = hk_line_deform4(&four, hk_all4(x), hk_exp4(hk_all4(x))).q;
  return q[0];
}

void hk_line_hertz(const hk_line_spot *s, double F, double *half_width, double *peak) {
  double a = sqrt(8 * F * s->radius / (M_PI * s->modulus * s->width));
  *half_width = a;
  *peak = a > 0 ? 2 * F / (M_PI * a * s->width) : 0;
}
