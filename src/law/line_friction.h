/* Sliding friction of line contacts, as parameters of their laws. */
#ifndef HK_LAW_LINE_FRICTION_H
#define HK_LAW_LINE_FRICTION_H
#include "gear/line.h"
#include <hooke/element.h>

typedef struct hk_line_sliding {
  double mu, friction_velocity;
} hk_line_sliding;

#define HK_LINE_SLIDING_DEFAULTS \
  { .mu = 0, .friction_velocity = 1e-2 }
#define HK_LINE_SLIDING_PARAMS(S, member)                                                    \
  HK_PARAM_AS("mu", HK_PARAM_REAL, S, member.mu, NULL, 0, "coefficient of sliding friction", \
              HK_RANGE(0, 2)),                                                               \
      HK_PARAM_AS("friction_velocity", HK_PARAM_REAL, S, member.friction_velocity, "m/s", HK_POSITIVE,         \
                  "regularization velocity: sliding speed below which friction decreases to zero")

/* T = mu F v/sqrt(v^2 + v0^2) for a coefficient that does not depend on F or v. */
hk_line_friction hk_line_slide(const hk_line_sliding *p, double mu, double F, double v);
#endif
