/* Ratio of the angular velocities of a universal joint, eta, with its derivatives with respect
 * to the angle. */
#ifndef HK_RELATION_UNIVERSAL_H
#define HK_RELATION_UNIVERSAL_H
#include <math.h>

typedef struct hk_universal {
  double co, si;            /* cosine and sine of the input angle */
  double eta, eta_1, eta_2; /* with derivatives */
} hk_universal;

static inline hk_universal hk_universal_ratio(double cos_beta, double sin2_beta, double angle) {
  hk_universal u = {.co = cos(angle), .si = sin(angle)};
  double D = 1 - sin2_beta * u.co * u.co, D1 = 2 * sin2_beta * u.co * u.si;
  double D2 = 2 * sin2_beta * (u.co * u.co - u.si * u.si);
  u.eta = cos_beta / D;
  u.eta_1 = -u.eta * D1 / D;
  u.eta_2 = u.eta * (2 * D1 * D1 / D - D2) / D;
  return u;
}
#endif
