/* Angles: the direction of an axis `b` of one frame, measured in the plane of two axes u and w of the other frame. c =
 * atan2(s, q) with s = w.b and q = u.b; with rho^2 = s^2 + q^2
 *   dc = (q ds - s dq)/rho^2.
 * rho = 1 if `b` lies in this plane. Otherwise c is the angle of the projection of `b` onto the plane. It is undefined
 * only if `b` is perpendicular to the plane. */
#ifndef HK_RELATION_ANGLE_H
#define HK_RELATION_ANGLE_H
#include "base/hot.h"
#include <hooke/relation.h>

typedef struct hk_angle_reading {
  hk_vec3 u, w, b;
  double s, q, rho2;
} hk_angle_reading;

/* u and w are columns of P, b is a column of Q. */
HK_INLINE hk_angle_reading hk_angle_read(const hk_frame *P, int u, int w, const hk_frame *Q,
                                         int b) {
  hk_angle_reading r = {hk_column(&P->R, u), hk_column(&P->R, w), hk_column(&Q->R, b), 0, 0, 0};
  r.s = hk_dot(r.w, r.b);
  r.q = hk_dot(r.u, r.b);
  r.rho2 = r.s * r.s + r.q * r.q;
  return r;
}

/* dc = moment.(dthetaP - dthetaQ) */
HK_INLINE hk_vec3 hk_angle_moment(const hk_angle_reading *r) {
  hk_vec3 ds = hk_cross(r->w, r->b), dq = hk_cross(r->u, r->b);
  return hk_scale(1 / r->rho2, hk_axpy(hk_scale(r->q, ds), -r->s, dq));
}

/* The angle of hk_relation_angle: rotation of B about the z axis of A. */
HK_INLINE hk_angle_reading hk_angle_of_turn(const hk_frame *A, const hk_frame *B) {
  return hk_angle_read(A, 0, 1, B, 0);
}
#endif
