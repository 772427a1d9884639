/* Small rotations for the fast loops: the series of math3.c, inline and without divisions. In
 * one step a body rotates by a few degrees; larger angles use the closed forms. */
#ifndef HK_BASE_ROTATION_H
#define HK_BASE_ROTATION_H
#include "base/hot.h"
#include <hooke/math3.h>

/* hk_quat_exp */
HK_INLINE hk_quat hk_small_exp(hk_vec3 phi) {
  double t = hk_dot(phi, phi) / 4; /* (angle/2)^2 */
  if (!(t < 2.5e-3)) return hk_quat_exp(phi);
  double s = 0.5 + t * (-1.0 / 12 + t * (1.0 / 240 + t * (-1.0 / 10080 + t / 725760)));
  double c = 1 + t * (-0.5 + t * (1.0 / 24 + t * (-1.0 / 720 + t / 40320)));
  return (hk_quat){c, s * phi.x, s * phi.y, s * phi.z};
}

/* Same as hk_quat_normalize, for a quaternion of nearly unit length. */
HK_INLINE hk_quat hk_near_unit(hk_quat q) {
  double e = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
  if (!(fabs(e) < 1e-6)) return hk_quat_normalize(q);
  double s = 1 + e * (-0.5 + 0.375 * e);
  return (hk_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* hk_so3_tangent_inv in two parts, for several vectors with the same phi: the coefficient, and the
 * map. */
HK_INLINE double hk_tangent_coefficient(hk_vec3 phi) {
  double a = hk_dot(phi, phi);
  if (a < 1e-2) return 1.0 / 12 + a * (1.0 / 720 + a * (1.0 / 30240 + a / 1209600));
  double half = sqrt(a) / 2;
  return (1 - half / tan(half)) / a;
}
HK_INLINE hk_vec3 hk_tangent_inv(double coefficient, hk_vec3 phi, hk_vec3 a) {
  hk_vec3 b = hk_cross(phi, a);
  return hk_axpy(hk_axpy(a, 0.5, b), coefficient, hk_cross(phi, b));
}
#endif
