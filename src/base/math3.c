/* Rotation maps with closed forms that need series near zero: see include/hooke/math3.h. */
#include <hooke/math3.h>

hk_quat hk_quat_from_matrix(const hk_mat3 *R) {
  /* Method of Shepperd: divide by the largest of the four components. */
  const double(*m)[3] = R->m;
  double trace = m[0][0] + m[1][1] + m[2][2];
  hk_quat q;
  if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]) {
    double s = 2 * sqrt(1 + trace);
    q = (hk_quat){s / 4, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s};
  } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
    double s = 2 * sqrt(1 + m[0][0] - m[1][1] - m[2][2]);
    q = (hk_quat){(m[2][1] - m[1][2]) / s, s / 4, (m[0][1] + m[1][0]) / s, (m[0][2] + m[2][0]) / s};
  } else if (m[1][1] >= m[2][2]) {
    double s = 2 * sqrt(1 - m[0][0] + m[1][1] - m[2][2]);
    q = (hk_quat){(m[0][2] - m[2][0]) / s, (m[0][1] + m[1][0]) / s, s / 4, (m[1][2] + m[2][1]) / s};
  } else {
    double s = 2 * sqrt(1 - m[0][0] - m[1][1] + m[2][2]);
    q = (hk_quat){(m[1][0] - m[0][1]) / s, (m[0][2] + m[2][0]) / s, (m[1][2] + m[2][1]) / s, s / 4};
  }
  return hk_quat_normalize(q);
}

hk_quat hk_quat_exp(hk_vec3 phi) {
  double t2 = hk_dot(phi, phi) / 4; /* (angle/2)^2 */
  double c, s;                      /* cos(angle/2), sin(angle/2)/angle */
  if (t2 < 2.5e-3) {
    s = 0.5 * (1 - t2 / 6 * (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72))));
    c = 1 - t2 / 2 * (1 - t2 / 12 * (1 - t2 / 30 * (1 - t2 / 56 * (1 - t2 / 90))));
  } else {
    double half = sqrt(t2);
    s = sin(half) / (2 * half);
    c = cos(half);
  }
  return (hk_quat){c, s * phi.x, s * phi.y, s * phi.z};
}

hk_vec3 hk_quat_log(hk_quat q) {
  if (q.w < 0) q = (hk_quat){-q.w, -q.x, -q.y, -q.z};
  double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  double k = n < 1e-8 ? 2 / q.w : 2 * atan2(n, q.w) / n;
  return hk_v3(k * q.x, k * q.y, k * q.z);
}

/* (1 - (a/2) cot(a/2)) / a^2 with a = |phi| */
static double tangent_coefficient(double a2) {
  if (a2 < 1e-2) return 1.0 / 12 + a2 * (1.0 / 720 + a2 * (1.0 / 30240 + a2 / 1209600));
  double half = sqrt(a2) / 2;
  return (1 - half / tan(half)) / a2;
}

hk_vec3 hk_so3_tangent_inv(hk_vec3 phi, hk_vec3 a) {
  hk_vec3 b = hk_cross(phi, a);
  return hk_axpy(hk_axpy(a, 0.5, b), tangent_coefficient(hk_dot(phi, phi)), hk_cross(phi, b));
}

hk_mat3 hk_so3_tangent_inv_matrix(hk_vec3 phi) {
  hk_mat3 S = hk_skew(phi), S2 = hk_matmul(&S, &S);
  return hk_mat3_add(hk_mat3_add(hk_mat3_identity(), hk_mat3_scale(0.5, S)),
                     hk_mat3_scale(tangent_coefficient(hk_dot(phi, phi)), S2));
}

hk_mat3 hk_frame_from_zx(hk_vec3 z, hk_vec3 x) {
  z = hk_unit3(z);
  hk_vec3 y = hk_unit3(hk_cross(z, x));
  x = hk_cross(y, z);
  return (hk_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

hk_mat3 hk_frame_from_z(hk_vec3 z) {
  z = hk_unit3(z);
  /* World x unless z is nearly parallel to it; then world y. If z is the world z axis, the result
   * is the world frame. */
  hk_vec3 x = fabs(z.x) < 0.9 ? hk_v3(1, 0, 0) : hk_v3(0, 1, 0);
  return hk_frame_from_zx(z, x);
}
