/* Curved tracks of fixed ball joints: where they cross, and how far the joint bends.
 *
 * The middle line of a track is P(v) = O + rho (cos v e_r + sin v e_z), straight along e_z from v = 0 on
 * where it is undercut-free.  Bent by b, both races' lines meet in the plane that halves the bend, in the
 * homokinetic position: with tau = tan(b/2), azimuth a around the axis of the outer race and offset e,
 *
 *   p = l (cos a, sin a, tau sin a),   l = [e tau s + sqrt((e tau s)^2 + r^2 (1 + (tau s)^2))]/(1 + (tau s)^2)
 *
 * s = sin a, r the pitch radius; undercut-free: l = rho where rho tau s > e.  (a counts from the axis about
 * which the joint is bent.)
 */
#include "assembly/cv_ball_joint.h"

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

/* The ball at azimuth a of the joint bent by b, across the axis of the cage. */
static void in_window(const hk_cv_ball_joint *p, double b, double a, double *x, double *y) {
  double tau = tan(0.5 * b), t = tau * sin(a), e = fabs(p->track_offset), r = 0.5 * p->pcd;
  double l = (e * t + sqrt(e * e * t * t + r * r * (1 + t * t))) / (1 + t * t);
  double rho = hk_cv_arc_radius(p);
  if (p->track_family == HK_CV_UNDERCUT_FREE && rho * t > e) l = rho;
  *x = l * cos(a);
  *y = l * sin(a) / cos(0.5 * b);
}

/* What ends a bend of b; NULL: nothing. */
static const char *obstacle(const hk_cv_ball_joint *p, double b) {
  enum { AROUND = 360 };
  if (!(asin(fabs(p->track_offset) / hk_cv_arc_radius(p)) + 0.5 * b < 0.5 * M_PI))
    return "the balls reach the ends of their arcs";
  for (int i = 0; i < AROUND; i++) {
    double a = 2 * M_PI * i / AROUND, x[2], y[2];
    in_window(p, b, a, &x[0], &y[0]);
    in_window(p, b, a + 2 * M_PI / p->balls, &x[1], &y[1]);
    double r = hypot(x[0], y[0]);
    if (r < p->guide_inner_radius || r > p->guide_outer_radius)
      return "the balls leave the wall of the cage";
    if (hypot(x[1] - x[0], y[1] - y[0]) < 2 * p->ball_radius) return "the balls touch each other";
  }
  return NULL;
}

double hk_cv_arc_bend_limit(const hk_cv_ball_joint *p) {
  double low = 0, high = M_PI;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if (obstacle(p, middle))
      high = middle;
    else
      low = middle;
  }
  return low;
}

hk_status hk_cv_arc_check_bend(const hk_cv_ball_joint *p, double bend, hk_error *err) {
  if (!obstacle(p, bend)) return HK_OK;
  double limit = hk_cv_arc_bend_limit(p);
  return hk_fail(
      err, HK_EINPUT,
      "the joint is bent by %g deg at the start, and its geometry allows %.4g deg: beyond, "
      "%s",
      hk_cv_degrees(bend), hk_cv_degrees(limit), obstacle(p, limit + 1e-9));
}
