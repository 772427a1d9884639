/* Local deformation of a line contact: see line.h. */
#include "gear/line.h"
#include <math.h>

void hk_line_ready(hk_line_spot *s) {
  s->k[HK_LINE_DEFORM] = log(M_PI * s->depth2 * s->modulus * s->width / (2 * s->radius));
}

hk_line_deformation hk_line_deform(const hk_line_spot *s, double x, double F) {
  double w = F / s->width, A = 2 / (M_PI * s->modulus), D = s->poisson / M_PI;
  double ln = s->k[HK_LINE_DEFORM] - x;
  double q = w * (A * ln - D);
  /* U = F q - int q dF, and the integral's slopes: dq/dR = -A w/R, so that int = -A w F/(2 R). */
  return (hk_line_deformation){.q = q,
                               .q_x = q - A * w,
                               .q_r = -A * w / s->radius,
                               .q_k = A * w,
                               .energy = 0.5 * F * (q - 0.5 * A * w),
                               .coenergy_r = -0.5 * A * w * F / s->radius,
                               .coenergy_k = 0.5 * A * w * F};
}

void hk_line_hertz(const hk_line_spot *s, double F, double *half_width, double *peak) {
  double a = sqrt(8 * F * s->radius / (M_PI * s->modulus * s->width));
  *half_width = a;
  *peak = a > 0 ? 2 * F / (M_PI * a * s->width) : 0;
}
