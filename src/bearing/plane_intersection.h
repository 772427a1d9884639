/* Intersection of a circle of the inner ring with the half plane of an element.
 *
 * In the axes of the cage: the circle has the centre c = u + z Q e_z, the radius R and the axes
 * X, Y of Q; the half plane has the directions e_r, e_t (normal to it) and e_z.  The point I = c
 * + R (X cos x + Y sin x) with e_t.I = 0 moves by
 *   dI = dp - (e_t.dp/e_t.tau) tau,  dp = du + dtheta x p,  p = I - u,  tau tangent of the circle
 * so that  d(I_r) = D_r.(du, dtheta),  D_r = (g_r, p x g_r),  g_r = e_r - (tau_r/tau_t) e_t,
 * and likewise for z.  A force (f_r, f_z) on I within the half plane is the force f = f_r g_r +
 * f_z g_z on the ring at I.
 *
 * Second derivatives: with E_t = (e_t, p x e_t), rho = (I - c)/R and any vector g,
 *   d(tau_g/tau_t) = A_g.(du, dtheta),  A_g = ((0, tau x g) + (rho.g)/(R tau_t) E_t)/tau_t
 * and  -d(f_r D_r + f_z D_z) at constant f is  E_t A_f^T + (0, f x (e_r D_r^T + e_z D_z^T -
 * 1_u)). */
#ifndef HK_BEARING_PLANE_INTERSECTION_H
#define HK_BEARING_PLANE_INTERSECTION_H
#include "base/hot.h"
#include <hooke/math3.h>

typedef struct hk_pierce {
  double c, s, R; /* cosine and sine of the azimuth, radius */
  hk_vec3 p, rho, tau;
  double I[2]; /* (r, z) */
  /* the last two are derivatives with respect to the angles of cage and ring, and are set by the caller */
  double Dr[8], Dz[8];
} hk_pierce;

/* Returns false if the circle does not intersect the half plane. */
HK_INLINE bool hk_pierce_find(hk_vec3 u, const hk_mat3 *Q, double R, double z, double c, double s,
                              hk_pierce *out) {
  hk_vec3 X = hk_column(Q, 0), Y = hk_column(Q, 1), arm = hk_scale(z, hk_column(Q, 2));
  double a = c * X.y - s * X.x, b = c * Y.y - s * Y.x;
  double g = -(c * (u.y + arm.y) - s * (u.x + arm.x)) / R, h2 = a * a + b * b, q2 = h2 - g * g;
  if (!(q2 > 0)) return false;
  double q = sqrt(q2), cx = (g * a + q * b) / h2, sx = (g * b - q * a) / h2;
  out->c = c, out->s = s, out->R = R;
  out->rho = hk_axpy(hk_scale(cx, X), sx, Y);
  out->tau = hk_axpy(hk_scale(cx, Y), -sx, X);
  out->p = hk_axpy(arm, R, out->rho);
  out->I[0] = c * (u.x + out->p.x) + s * (u.y + out->p.y);
  out->I[1] = u.z + out->p.z;
  return true;
}

HK_INLINE void hk_pierce_row(hk_vec3 g, hk_vec3 p, double row[8]) {
  hk_vec3 m = hk_cross(p, g);
  row[0] = g.x, row[1] = g.y, row[2] = g.z;
  row[3] = m.x, row[4] = m.y, row[5] = m.z;
  row[6] = row[7] = 0;
}

HK_INLINE double hk_pierce_along(const hk_pierce *k) { return k->c * k->tau.y - k->s * k->tau.x; }

HK_INLINE hk_vec3 hk_pierce_gr(const hk_pierce *k) {
  double alpha = (k->c * k->tau.x + k->s * k->tau.y) / hk_pierce_along(k);
  return hk_v3(k->c + alpha * k->s, k->s - alpha * k->c, 0);
}
HK_INLINE hk_vec3 hk_pierce_gz(const hk_pierce *k) {
  double alpha = k->tau.z / hk_pierce_along(k);
  return hk_v3(alpha * k->s, -alpha * k->c, 1);
}

HK_INLINE void hk_pierce_rows(hk_pierce *k) {
  hk_pierce_row(hk_pierce_gr(k), k->p, k->Dr);
  hk_pierce_row(hk_pierce_gz(k), k->p, k->Dz);
}

/* A_g */
HK_INLINE void hk_pierce_turn(const hk_pierce *k, hk_vec3 g, const double Et[8], double row[8]) {
  double per = 1 / hk_pierce_along(k), part = per * per * hk_dot(k->rho, g) / k->R;
  hk_vec3 m = hk_scale(per, hk_cross(k->tau, g));
  for (int i = 0; i < 6; i++) row[i] = part * Et[i];
  row[3] += m.x, row[4] += m.y, row[5] += m.z;
  row[6] = row[7] = 0;
}
#endif
