/* See line_friction.h. */
#include "law/line_friction.h"

hk_line_friction hk_line_slide(const hk_line_sliding *p, double mu, double F, double v) {
  double size = sqrt(v * v + p->friction_velocity * p->friction_velocity), g = v / size;
  return (hk_line_friction){.T = mu * F * g, .T_F = mu * g, .T_v = mu * F * (1 - g * g) / size};
}
