/* Shared by the loops over batches: vectors of four contacts at once, and the motion of their
 * balls. */
#ifndef HK_CORE_SIMD4_H
#define HK_CORE_SIMD4_H
#include "core/contact.h"

/* A vector in space. Each of its three components contains the values of four contacts. */
typedef struct hk_vec4 {
  hk_v4 x, y, z;
} hk_vec4;

HK_INLINE hk_vec4 hk_x4_same(hk_vec3 a) {
  return (hk_vec4){hk_all4(a.x), hk_all4(a.y), hk_all4(a.z)};
}
HK_INLINE hk_vec4 hk_x4_minus(hk_vec4 a, hk_vec4 b) {
  return (hk_vec4){a.x - b.x, a.y - b.y, a.z - b.z};
}
HK_INLINE hk_vec4 hk_x4_cross(hk_vec4 a, hk_vec4 b) {
  return (hk_vec4){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HK_INLINE hk_v4 hk_x4_dot(hk_vec4 a, hk_vec4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HK_INLINE hk_vec4 hk_x4_scale(hk_v4 s, hk_vec4 a) { return (hk_vec4){s * a.x, s * a.y, s * a.z}; }
/* a + s b */
HK_INLINE hk_vec4 hk_x4_axpy(hk_vec4 a, hk_v4 s, hk_vec4 b) {
  return (hk_vec4){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* A 3 x 3 matrix by rows. Each entry is a vector with the values of four contacts. */
typedef struct hk_mat4 {
  hk_vec4 x, y, z;
} hk_mat4;

/* X^T a */
HK_INLINE hk_vec4 hk_x4_tmul(const hk_mat4 *X, hk_vec4 a) {
  return hk_x4_axpy(hk_x4_axpy(hk_x4_scale(a.x, X->x), a.y, X->y), a.z, X->z);
}

/* Rotation matrices of the balls. */
HK_INLINE hk_mat4 hk_x4_rotations(const hk_work *w, const hk_contact_batch *b) {
  const double *r[4] = {w->R[b->node[0]].m[0], w->R[b->node[1]].m[0], w->R[b->node[2]].m[0],
                        w->R[b->node[3]].m[0]};
  hk_v4 t[8];
  hk_transpose4(HK_V4C(r[0]), HK_V4C(r[1]), HK_V4C(r[2]), HK_V4C(r[3]), t);
  hk_transpose4(HK_V4C(r[0] + 4), HK_V4C(r[1] + 4), HK_V4C(r[2] + 4), HK_V4C(r[3] + 4), t + 4);
  const hk_v4 last = {r[0][8], r[1][8], r[2][8], r[3][8]};
  return (hk_mat4){{t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], last}};
}

/* One vector for each lane. Reading four numbers from each is safe: in its struct, each vector
 * is followed by another member. */
HK_INLINE hk_vec4 hk_x4_gather(const hk_vec3 *a, const hk_vec3 *b, const hk_vec3 *c,
                               const hk_vec3 *d) {
  hk_v4 out[4];
  hk_transpose4(HK_V4C(&a->x), HK_V4C(&b->x), HK_V4C(&c->x), HK_V4C(&d->x), out);
  return (hk_vec4){out[0], out[1], out[2]};
}

/* Motion of the balls relative to A. */
typedef struct hk_motion {
  hk_vec4 d, u, w; /* position, velocity, angular velocity */
  hk_vec4 dv;      /* vB - vA: velocity relative to the origin of A, without the rotation of A */
} hk_motion;

HK_INLINE hk_motion hk_motion_of(const hk_frame *A, const hk_frame *const B[4]) {
  hk_vec4 wA = hk_x4_same(A->w), vB = hk_x4_gather(&B[0]->v, &B[1]->v, &B[2]->v, &B[3]->v);
  hk_vec4 xB = hk_x4_gather(&B[0]->x, &B[1]->x, &B[2]->x, &B[3]->x);
  hk_vec4 wB = hk_x4_gather(&B[0]->w, &B[1]->w, &B[2]->w, &B[3]->w);
  hk_motion s = {.d = hk_x4_minus(xB, hk_x4_same(A->x)),
                 .w = hk_x4_minus(wB, wA),
                 .dv = hk_x4_minus(vB, hk_x4_same(A->v))};
  s.u = hk_x4_minus(s.dv, hk_x4_cross(wA, s.d));
  return s;
}

/* Gaps of both points of each contact. */
HK_INLINE void hk_batch_gaps(const hk_contact_batch *b, const hk_frame *A, const hk_motion *s,
                             bool derivatives, hk_ball_four *out) {
  const hk_v4 d[3] = {s->d.x, s->d.y, s->d.z};
  const double *r = A->R.m[0];
  const hk_v4 R[9] = {hk_all4(r[0]), hk_all4(r[1]), hk_all4(r[2]), hk_all4(r[3]), hk_all4(r[4]),
                      hk_all4(r[5]), hk_all4(r[6]), hk_all4(r[7]), hk_all4(r[8])};
  b->contact[0]->gap->four->ball(b->k, R, d, derivatives, out);
}
#endif
