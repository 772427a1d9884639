/* Inline functions of a rigid node for the fast loops; src/node/rigid.c builds its table from
 * the same functions.
 *
 * q = (x, unit quaternion), x the centre of mass; v = (x', omega), omega in body axes; R -> R
 * exp(d~). The displacement of the node is (dx_n, dtheta_n). A frame at the vector s from x, in world axes, moves by
 *   dx = dx_n + dtheta x s,   dtheta = R dtheta_n
 * so that a row (jx, jt) becomes (jx, R^T (jt + s x jx)). */
#ifndef HK_NODE_RIGID_H
#define HK_NODE_RIGID_H
#include "base/rotation.h"
#include "node/node.h"

HK_INLINE hk_vec3 hk_rigid_spin(const double *v) { return hk_v3(v[3], v[4], v[5]); }
HK_INLINE hk_quat hk_quat_at(const double *q) { return (hk_quat){q[0], q[1], q[2], q[3]}; }
HK_INLINE void hk_quat_put(double *q, hk_quat p) { q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z; }

/* Centripetal acceleration of a point that rotates with its body. */
HK_INLINE hk_vec3 hk_rigid_centripetal(const hk_frame *F) {
  return hk_cross(F->w, hk_cross(F->w, F->s));
}

HK_INLINE void hk_rigid_add(const double *a, const double *e, double *b) {
  hk_quat p = hk_near_unit(hk_quat_mul(hk_quat_at(a + 3), hk_small_exp(hk_rigid_spin(e))));
  b[0] = a[0] + e[0], b[1] = a[1] + e[1], b[2] = a[2] + e[2];
  hk_quat_put(b + 3, p);
}

HK_INLINE void hk_rigid_map(const hk_mat3 *R, hk_vec3 s, hk_vec3 jx, hk_vec3 jt, double *out) {
  hk_vec3 u = hk_tmul(R, hk_add(jt, hk_cross(s, jx)));
  out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
  out[3] = u.x, out[4] = u.y, out[5] = u.z;
}

/* d(R^T (m + s x f)) = R^T (f~ s~ + tau~) R dtheta_n,  tau = m + s x f: both the lever arm and
 * the axes rotate with the body. f~ s~ = s f^T - (f.s) 1. In node axes: lever arm r, force b,
 * moment t about the node. */
HK_INLINE void hk_rigid_turned(hk_vec3 r, hk_vec3 b, hk_vec3 t, double *out, int stride) {
  double d = hk_dot(b, r);
  out += 3 * stride + 3;
  out[0] += r.x * b.x - d, out[1] += r.x * b.y - t.z, out[2] += r.x * b.z + t.y;
  out += stride;
  out[0] += r.y * b.x + t.z, out[1] += r.y * b.y - d, out[2] += r.y * b.z - t.x;
  out += stride;
  out[0] += r.z * b.x - t.y, out[1] += r.z * b.y + t.x, out[2] += r.z * b.z - d;
}
HK_INLINE void hk_rigid_geometric(const hk_mat3 *R, hk_vec3 s, hk_vec3 f, hk_vec3 m, double c,
                                  double *out, int stride) {
  hk_vec3 b = hk_scale(c, hk_tmul(R, f)), r = hk_tmul(R, s);
  hk_vec3 t = hk_add(hk_scale(c, hk_tmul(R, m)), hk_cross(r, b));
  hk_rigid_turned(r, b, t, out, stride);
}

/* dv = dtheta x (w x s), dw = dtheta x w */
HK_INLINE void hk_rigid_turning(const hk_mat3 *R, const hk_frame *F, hk_vec3 jv, hk_vec3 jw,
                                double *out) {
  hk_vec3 t = hk_add(hk_cross(hk_cross(F->w, F->s), jv), hk_cross(F->w, jw)), u = hk_tmul(R, t);
  out[3] += u.x, out[4] += u.y, out[5] += u.z;
}

HK_INLINE void hk_rigid_multiply(const hk_node *n, const double *x, double *y) {
  for (int k = 0; k < 3; k++) y[k] = n->mass * x[k];
  hk_vec3 a = hk_mul(&n->inertia, hk_rigid_spin(x));
  y[3] = a.x, y[4] = a.y, y[5] = a.z;
}

/* -omega x J omega */
HK_INLINE void hk_rigid_force(const hk_node *n, const double *v, double *out) {
  hk_vec3 o = hk_rigid_spin(v), g = hk_cross(hk_mul(&n->inertia, o), o);
  out[0] = out[1] = out[2] = 0;
  out[3] = g.x, out[4] = g.y, out[5] = g.z;
}

/* D <- D T^-1(phi): expresses the columns of the inertia in the displacement at the end of the
 * step; by rows, since the transpose of T^-1(phi) is T^-1(-phi). */
HK_INLINE void hk_rigid_times_tangent_inv(hk_mat3 *D, hk_vec3 phi) {
  double k = hk_tangent_coefficient(phi);
  for (int i = 0; i < 3; i++) {
    hk_vec3 r = hk_tangent_inv(k, hk_neg(phi), hk_v3(D->m[i][0], D->m[i][1], D->m[i][2]));
    D->m[i][0] = r.x, D->m[i][1] = r.y, D->m[i][2] = r.z;
  }
}

/* d(J w' + w x J w): cM J + cC (w~ J - (J w)~) */
HK_INLINE void hk_rigid_tangent(const hk_node *n, const hk_inertia_weights *c, double *out,
                                int stride) {
  for (int k = 0; k < 3; k++) out[k * stride + k] += c->cM * n->mass;
  const hk_mat3 *J = &n->inertia;
  hk_vec3 o = hk_scale(c->cC, hk_rigid_spin(c->v)), l = hk_mul(J, o);
  hk_mat3 D = {{{0, l.z, -l.y}, {-l.z, 0, l.x}, {l.y, -l.x, 0}}};
  for (int j = 0; j < 3; j++) {
    D.m[0][j] += c->cM * J->m[0][j] + (o.y * J->m[2][j] - o.z * J->m[1][j]);
    D.m[1][j] += c->cM * J->m[1][j] + (o.z * J->m[0][j] - o.x * J->m[2][j]);
    D.m[2][j] += c->cM * J->m[2][j] + (o.x * J->m[1][j] - o.y * J->m[0][j]);
  }
  if (c->D) hk_rigid_times_tangent_inv(&D, hk_rigid_spin(c->D));
  out += 3 * stride + 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i * stride + j] += D.m[i][j];
}
#endif
