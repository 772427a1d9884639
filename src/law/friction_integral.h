/* Friction integrated over an elliptic area under Hertzian pressure.
 *
 * At each point (x, y) of the area, along t and s, friction mu p tanh(|V|/v2) acts against the local velocity V =
 * (v_t - w y, v_s + w x).  With the semi-axes a_t, a_s and (x, y) = (a_t X, a_s Y) the normalized pressure is 1.5/pi
 * sqrt(1 - X^2 - Y^2) on the unit disc, and the integrals are sums over a fixed set of points: Gauss points in s =
 * sqrt(1 - r^2), for which the integrand is smooth up to the edge, and equal angles.  With drilling and sliding, the
 * direction of friction changes near one point of the area. If v2/w is small compared with the axes of the area, this
 * causes errors of up to 1e-3 mu N. The set of points is symmetric about both axes. The set does not change, so that
 * the tangent of the sum is exact. */
#ifndef HK_LAW_FRICTION_INTEGRAL_H
#define HK_LAW_FRICTION_INTEGRAL_H
#include "base/hot.h"

/* Arguments: semi-axes `half`, `rate` = 1/v2, velocities `slip` = (v_t, v_s, w). Results: force and moment `out` per
 * mu N, with the sign of the velocities, and `slope` (may be NULL), their derivatives by slip. */
void hk_friction_integral(const double half[2], double rate, const double slip[3], double out[3],
                          double slope[3][3]);
#endif
