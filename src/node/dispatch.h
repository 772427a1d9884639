/* The functions of the node table for the fast loops: inline for the common kinds of motion,
 * through the table for all others. The arguments are the parts of q, v etc. that belong to the
 * node. */
#ifndef HK_NODE_DISPATCH_H
#define HK_NODE_DISPATCH_H
#include "node/rigid.h"
#include "node/rotor.h"

/* Functions for custom nodes, which call their table. They are separate, so that the inline code of the common nodes
 * keeps its registers. */
void hk_node_custom_add(const hk_node *n, const double *a, const double *d, double *b);
void hk_node_custom_map(const hk_node *n, const hk_mat3 *R, const double *own, const hk_marker *k,
                        const hk_frame *F, hk_vec3 jx, hk_vec3 jt, double *out);
void hk_node_custom_push(const hk_node *n, const hk_mat3 *R, const double *own, const hk_marker *k,
                         const hk_frame *F, hk_vec3 f, hk_vec3 m, double *out);
void hk_node_custom_multiply(const hk_node *n, const hk_mat3 *R, const double *own, const double *x,
                             double *y);
void hk_node_custom_force(const hk_node *n, const hk_mat3 *R, const double *own, const double *v,
                          double *out);
void hk_node_custom_tangent(const hk_node *n, const hk_mat3 *R, const double *own,
                            const hk_inertia_weights *c, double *out, int stride);

/* b = a (+) d */
HK_INLINE void hk_node_add(const hk_node *n, const double *a, const double *d, double *b) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_add(a, d, b);
      break;
    case HK_MOVES_TRANSLATION:
      b[0] = a[0] + d[0], b[1] = a[1] + d[1], b[2] = a[2] + d[2];
      break;
    case HK_MOVES_AXIS:
      b[0] = a[0] + d[0];
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_add(n, a, d, b);
      break;
  }
}

/* d = b (-) a. chord: the approximation 2 Im(a* b) = -2 Im(b* a), in which a need not be a unit
 * quaternion. */
HK_INLINE void hk_node_sub(const hk_node *n, const double *b, const double *a, double *d,
                           bool chord) {
  int turn = 3;
  if (n->moves == HK_MOVES_RIGID) {
    d[0] = b[0] - a[0], d[1] = b[1] - a[1], d[2] = b[2] - a[2];
  } else {
    turn = n->turn < 0 ? n->nv : n->turn;
    for (int k = 0; k < turn; k++) d[k] = b[k] - a[k];
    if (n->turn < 0) return;
    for (int k = turn + 3; k < n->nv; k++) d[k] = b[k + 1] - a[k + 1];
  }
  hk_quat p = hk_quat_at(a + turn), q = hk_quat_at(b + turn);
  hk_quat back = hk_quat_mul(hk_quat_conj(q), p);
  hk_vec3 r = chord ? hk_v3(-2 * back.x, -2 * back.y, -2 * back.z)
                    : hk_quat_log(hk_quat_mul(hk_quat_conj(p), q));
  d[turn] = r.x, d[turn + 1] = r.y, d[turn + 2] = r.z;
}

/* Finds b such that the chord b (-) a is d: the inverse of hk_node_sub with `chord`; b is a unit
 * quaternion. */
HK_INLINE void hk_node_chord_add(const hk_node *n, const double *a, const double *d, double *b) {
  int turn = n->moves == HK_MOVES_RIGID ? 3 : n->turn < 0 ? n->nv : n->turn;
  for (int k = 0; k < turn; k++) b[k] = a[k] + d[k];
  if (n->turn < 0) return;
  for (int k = turn + 3; k < n->nv; k++) b[k + 1] = a[k + 1] + d[k];
  /* r = b* a has the vector part -d/2 and the length of a; b = a r* / |a|^2 */
  hk_quat p = hk_quat_at(a + turn);
  double x = 0.5 * d[turn], y = 0.5 * d[turn + 1], z = 0.5 * d[turn + 2];
  double size = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z, w = size - (x * x + y * y + z * z);
  const hk_quat back = {w > 0 ? sqrt(w) : 0, x, y, z};
  hk_quat q = hk_quat_mul(p, back);
  hk_quat_put(b + turn, (hk_quat){q.w / size, q.x / size, q.y / size, q.z / size});
}

/* The rotation matrix of the node, and its private data. */
HK_INLINE void hk_node_place(const hk_node *n, double t, bool still, const double *q,
                             const double *v, hk_mat3 *R, double *own) {
  if (n->moves == HK_MOVES_AXIS)
    hk_rotor_place(n, q[0], R, own);
  else if (n->placed)
    n->type->place(n, t, still, q, v, R, own);
  else if (n->moves == HK_MOVES_RIGID)
    *R = hk_quat_matrix(hk_quat_at(q + 3));
  else
    *R = hk_mat3_identity();
}

/* Computes the frame of a node that rotates about one axis, for the marker at its origin that is aligned with it.
 * Returns false for any other node or marker. */
HK_INLINE bool hk_node_own_frame(const hk_node *n, const hk_mat3 *R, const hk_marker *k,
                                 const double *q, const double *v, hk_frame *F) {
  bool own = k->aligned && k->s.x == 0 && k->s.y == 0 && k->s.z == 0;
  if (!own || n->moves != HK_MOVES_AXIS) return false;
  hk_rotor_own_frame(n, R, q, v, F);
  return true;
}

HK_INLINE void hk_node_map(const hk_node *n, const hk_mat3 *R, const double *own,
                           const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
                           double *out) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_map(R, F->s, jx, jt, out);
      break;
    case HK_MOVES_TRANSLATION:
      out[0] = jx.x, out[1] = jx.y, out[2] = jx.z;
      break;
    case HK_MOVES_AXIS:
      out[0] = hk_rotor_map(n, F->s, jx, jt);
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_map(n, R, own, k, F, jx, jt, out);
      break;
  }
}

/* out += T^T (f, m) */
HK_INLINE void hk_node_push(const hk_node *n, const hk_mat3 *R, const double *own,
                            const hk_marker *k, const hk_frame *F, hk_vec3 f, hk_vec3 m,
                            double *out) {
  switch (n->moves) {
    case HK_MOVES_RIGID: {
      hk_vec3 u = hk_tmul(R, hk_add(m, hk_cross(F->s, f)));
      out[0] += f.x, out[1] += f.y, out[2] += f.z;
      out[3] += u.x, out[4] += u.y, out[5] += u.z;
      break;
    }
    case HK_MOVES_TRANSLATION:
      out[0] += f.x, out[1] += f.y, out[2] += f.z;
      break;
    case HK_MOVES_AXIS:
      out[0] += hk_rotor_map(n, F->s, f, m);
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_push(n, R, own, k, F, f, m, out);
      break;
  }
}

/* Same as hk_node_push, at the reference point of the node; not for custom nodes. */
HK_INLINE void hk_node_push_center(const hk_node *n, const hk_mat3 *R, hk_vec3 f, hk_vec3 m,
                                   double *out) {
  if (n->moves == HK_MOVES_AXIS) {
    out[0] += hk_dot(hk_rotor_axis(n), m);
    return;
  }
  out[0] += f.x, out[1] += f.y, out[2] += f.z;
  if (n->moves != HK_MOVES_RIGID) return;
  hk_vec3 u = hk_tmul(R, m);
  out[3] += u.x, out[4] += u.y, out[5] += u.z;
}

HK_INLINE void hk_node_geometric(const hk_node *n, const hk_mat3 *R, const double *own,
                                 const hk_marker *k, const hk_frame *F, hk_vec3 f, hk_vec3 m,
                                 double c, double *out, int stride) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_geometric(R, F->s, f, m, c, out, stride);
      break;
    case HK_MOVES_TRANSLATION:
      break;
    case HK_MOVES_AXIS:
      out[0] += c * hk_rotor_geometric(n, F->s, f);
      break;
    case HK_MOVES_CUSTOM: {
      const hk_pose p = {n, R, own};
      if (n->type->geometric) n->type->geometric(&p, k, F, f, m, c, out, stride);
      break;
    }
  }
}

HK_INLINE void hk_node_turning(const hk_node *n, const hk_mat3 *R, const double *own,
                               const hk_marker *k, const hk_frame *F, hk_vec3 jv, hk_vec3 jw,
                               double *out) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_turning(R, F, jv, jw, out);
      break;
    case HK_MOVES_TRANSLATION:
      break;
    case HK_MOVES_AXIS:
      out[0] += hk_rotor_turning(n, F, jv);
      break;
    case HK_MOVES_CUSTOM: {
      const hk_pose p = {n, R, own};
      if (n->type->turning) n->type->turning(&p, k, F, jv, jw, out);
      break;
    }
  }
}

HK_INLINE void hk_node_multiply(const hk_node *n, const hk_mat3 *R, const double *own,
                                const double *x, double *y) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_multiply(n, x, y);
      break;
    case HK_MOVES_TRANSLATION:
      for (int k = 0; k < 3; k++) y[k] = n->mass * x[k];
      break;
    case HK_MOVES_AXIS:
      y[0] = hk_rotor_inertia(n, own) * x[0];
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_multiply(n, R, own, x, y);
      break;
  }
}

HK_INLINE void hk_node_force(const hk_node *n, const hk_mat3 *R, const double *own, const double *v,
                             double *out) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_force(n, v, out);
      break;
    case HK_MOVES_TRANSLATION:
      out[0] = out[1] = out[2] = 0;
      break;
    case HK_MOVES_AXIS:
      out[0] = hk_rotor_force(n, own, v[0]);
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_force(n, R, own, v, out);
      break;
  }
}

HK_INLINE void hk_node_tangent(const hk_node *n, const hk_mat3 *R, const double *own,
                               const hk_inertia_weights *c, double *out, int stride) {
  switch (n->moves) {
    case HK_MOVES_RIGID:
      hk_rigid_tangent(n, c, out, stride);
      break;
    case HK_MOVES_TRANSLATION:
      for (int k = 0; k < 3; k++) out[k * stride + k] += c->cM * n->mass;
      break;
    case HK_MOVES_AXIS:
      out[0] += hk_rotor_tangent(n, own, c);
      break;
    case HK_MOVES_CUSTOM:
      hk_node_custom_tangent(n, R, own, c, out, stride);
      break;
  }
}

/* f += the force of a field on the node, *potential += its energy. */
HK_INLINE void hk_node_field(const hk_node *n, const hk_mat3 *R, const double *own, const double *q,
                             const hk_field *field, double *f, double *potential) {
  if (n->moves == HK_MOVES_RIGID) {
    hk_node_center_field(n->mass, hk_v3(q[0], q[1], q[2]), field, f, potential);
  } else if (n->type->field) {
    const hk_pose p = {n, R, own};
    n->type->field(&p, q, field, f, potential);
  }
}

/* Computes the sums of squares of the lengths and of the angles of a displacement. */
HK_INLINE void hk_node_squares(const hk_node *n, const double *d, double *lengths, double *angles) {
  *lengths = *angles = 0;
  switch (n->moves) {
    case HK_MOVES_RIGID:
      *angles = d[3] * d[3] + d[4] * d[4] + d[5] * d[5];
      *lengths = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      break;
    case HK_MOVES_TRANSLATION:
      *lengths = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      break;
    case HK_MOVES_AXIS:
      *angles = d[0] * d[0];
      break;
    case HK_MOVES_CUSTOM:
      for (int k = 0; k < n->nv; k++) *(n->coordinate[k].angular ? angles : lengths) += d[k] * d[k];
      break;
  }
}
#endif
