/* Scalar product of an axis `a` of frame A and an axis `b` of frame B, in world axes, and its derivatives: the basic
 * element of all relations between directions.
 *   d(a.b) = (a x b).(dthetaA - dthetaB) */
#ifndef HK_RELATION_DOT_H
#define HK_RELATION_DOT_H
#include <hooke/relation.h>

static inline double hk_dot_bias(hk_vec3 a, hk_vec3 b, const hk_frame *A, const hk_frame *B) {
  hk_vec3 da = hk_cross(A->w, a), db = hk_cross(B->w, b);
  return hk_dot(hk_cross(A->w, da), b) + 2 * hk_dot(da, db) + hk_dot(a, hk_cross(B->w, db));
}

/* K += f d(a x b, b x a)/d(dthetaA, dthetaB); d(a x b) = b~a~ dthetaA - a~b~ dthetaB. */
static inline void hk_dot_curvature(hk_vec3 a, hk_vec3 b, double f, double K[12][12]) {
  hk_mat3 SA = hk_skew(a), SB = hk_skew(b);
  hk_mat3 BA = hk_matmul(&SB, &SA), AB = hk_matmul(&SA, &SB);
  hk_block_add(K, 3, 3, f, &BA);
  hk_block_add(K, 3, 9, -f, &AB);
  hk_block_add(K, 9, 3, -f, &BA);
  hk_block_add(K, 9, 9, f, &AB);
}

/* S += f d(b x a)/dthetaB = f a~b~ = f (b a^T - (a.b) 1). */
static inline void hk_dot_turning_b(hk_vec3 a, hk_vec3 b, double f, hk_mat3 *S) {
  hk_vec3 e = hk_scale(f, a);
  double d = hk_dot(e, b);
  S->m[0][0] += b.x * e.x - d, S->m[0][1] += b.x * e.y, S->m[0][2] += b.x * e.z;
  S->m[1][0] += b.y * e.x, S->m[1][1] += b.y * e.y - d, S->m[1][2] += b.y * e.z;
  S->m[2][0] += b.z * e.x, S->m[2][1] += b.z * e.y, S->m[2][2] += b.z * e.z - d;
}
#endif
