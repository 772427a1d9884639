/* Angle by which B leads A about the axis that bisects the angle between their z axes. With the
 * articulation angle b and the lead angle p,
 *   yA.xB - xA.yB = (1 + cos b) sin p,   xA.xB + yA.yB = (1 + cos b) cos p,
 * so that p is the atan2 of these two expressions, at any articulation angle and over any number of revolutions. Its
 * rate is that of the relative rotation along n = (zA + zB)/(1 + zA.zB); for two shafts that rotate equally, p is
 * constant (the constraint of relation/homokinetic.c holds its sine). */
#include "relation/twist.h"
#include <math.h>

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_vec3 xa = hk_column(&A->R, 0), ya = hk_column(&A->R, 1);
  hk_vec3 xb = hk_column(&B->R, 0), yb = hk_column(&B->R, 1);
  c[0] = atan2(hk_dot(ya, xb) - hk_dot(xa, yb), hk_dot(xa, xb) + hk_dot(ya, yb));
}

/* Axes, their sum, and 1 + cos b, which is 0 for opposite axes, where the angle is undefined. */
typedef struct axes {
  hk_vec3 a, b, sum;
  double w;
} axes;

static axes axes_of(const hk_frame *A, const hk_frame *B) {
  axes z = {.a = hk_column(&A->R, 2), .b = hk_column(&B->R, 2)};
  z.sum = hk_add(z.a, z.b);
  z.w = fmax(1 + hk_dot(z.a, z.b), 1e-12);
  return z;
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  const axes z = axes_of(A, B);
  J->tb = hk_scale(1 / z.w, z.sum);
  J->ta = hk_neg(J->tb);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  const axes z = axes_of(A, B);
  hk_vec3 da = hk_cross(A->w, z.a), db = hk_cross(B->w, z.b), w = hk_sub(B->w, A->w);
  double rate = hk_dot(da, z.b) + hk_dot(z.a, db);
  b[0] = (hk_dot(hk_add(da, db), w) - rate / z.w * hk_dot(z.sum, w)) / z.w;
}

/* dn = (dzA + dzB)/w - sum (zA x zB).(dthetaA - dthetaB)/w^2 with dz = dtheta x z. */
static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  const axes z = axes_of(A, B);
  const hk_vec3 across = hk_cross(z.a, z.b), e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < 3; j++)
    for (int side = 0; side < 2; side++) {
      hk_vec3 turned = hk_cross(e[j], side ? z.b : z.a);
      double opening = (side ? -1 : 1) * hk_dot(across, e[j]) / z.w;
      hk_vec3 dn = hk_scale(factor[0] / z.w, hk_axpy(turned, -opening, z.sum));
      const double d[3] = {dn.x, dn.y, dn.z};
      for (int i = 0; i < 3; i++) {
        K[9 + i][(side ? 9 : 3) + j] += d[i];
        K[3 + i][(side ? 9 : 3) + j] -= d[i];
      }
    }
}

const hk_relation_type hk_relation_twist = {"twist", 1,        true, true,
                                            value,   gradient, bias, curvature};
