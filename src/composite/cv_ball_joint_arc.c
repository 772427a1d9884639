/* Crossing points of the curved tracks of fixed ball-type CV joints.
 *
 * The centre line of a track is P(v) = O + rho (cos v e_r + sin v e_z); undercut-free tracks are straight along e_z
 * from v = 0 on. At the articulation angle b the centre lines of both races meet in the bisecting (homokinetic) plane:
 * with tau = tan(b/2), azimuth a around the axis of the outer race and offset e,
 *
 *   p = l (cos a, sin a, tau sin a),   l = [e tau s + sqrt((e tau s)^2 + r^2 (1 + (tau s)^2))]/(1 + (tau s)^2)
 *
 * with s = sin a and r the pitch radius; undercut-free: l = rho if rho tau s > e. The azimuth a is measured from the
 * axis of the articulation. */
#include "composite/cv_ball_joint.h"

bool hk_cv_arc_crossing(const hk_cv_ball_joint *p, int k, double side, hk_vec3 n, hk_vec3 at,
                        hk_vec3 *where, hk_vec3 *along) {
  double phi = hk_cv_azimuth(p, k), rho = hk_cv_arc_radius(p);
  hk_vec3 out = hk_v3(cos(phi), sin(phi), 0), z = hk_v3(0, 0, 1);
  hk_vec3 O = hk_v3(0, 0, side * p->track_offset);
  /* A cos v + B sin v = C */
  double A = rho * hk_dot(n, out), B = rho * n.z, C = hk_dot(n, hk_sub(at, O)), R = hypot(A, B);
  if (!(fabs(C) <= R)) return false;
  double middle = atan2(B, A), half = acos(C / R);
  double v[2] = {remainder(middle + half, 2 * M_PI), remainder(middle - half, 2 * M_PI)};
  double near = fabs(v[0]) < fabs(v[1]) ? v[0] : v[1];
  if (hk_cv_arc_straight(p, side, near)) {
    *along = z;
    *where = hk_axpy(hk_axpy(O, rho, out), (C - A) / n.z, z);
    return n.z != 0;
  }
  *where = hk_axpy(hk_axpy(O, rho * cos(near), out), rho * sin(near), z);
  *along = hk_axpy(hk_scale(-sin(near), out), cos(near), z);
  return true;
}

void hk_cv_arc_in_window(const hk_cv_ball_joint *p, double b, double a, double *x, double *y) {
  double tau = tan(0.5 * b), t = tau * sin(a), e = fabs(p->track_offset), r = 0.5 * p->pcd;
  double l = (e * t + sqrt(e * e * t * t + r * r * (1 + t * t))) / (1 + t * t);
  double rho = hk_cv_arc_radius(p);
  if (p->track_family == HK_CV_UNDERCUT_FREE && rho * t > e) l = rho;
  *x = l * cos(a);
  *y = l * sin(a) / cos(0.5 * b);
}
