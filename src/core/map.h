/* Map between frames and node coordinates: converts rows, forces and tangents at markers to the
 * coordinates of the nodes that carry them, with the functions of src/node. Elements use frames
 * only; all code after this map uses node coordinates only. A marker on the ground contributes
 * nothing.
 *
 * For the meaning of a row in node coordinates see node/node.h: u = T^T (jx, jt). */
#ifndef HK_CORE_MAP_H
#define HK_CORE_MAP_H
#include "core/work.h"
#include "node/dispatch.h"

HK_INLINE const double *hk_map_own(const hk_work *w, const hk_node *n) {
  return w->node_own + n->own;
}
static inline hk_pose hk_map_pose(const hk_work *w, int node) {
  const hk_node *n = &w->model->node[node];
  return (hk_pose){n, &w->R[node], hk_map_own(w, n)};
}
static inline const hk_node *hk_map_node(const hk_work *w, int marker) {
  int node = w->model->marker[marker].node;
  return node == HK_GROUND ? NULL : &w->model->node[node];
}

/* out = the row (jx, jt) in the coordinates of the node of the marker; not written for the
 * ground. */
HK_INLINE void hk_map_row(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jt, double *out) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *n = &w->model->node[k->node];
  hk_node_map(n, &w->R[k->node], hk_map_own(w, n), k, &w->frame[marker], jx, jt, out);
}

/* Writes three rows of the Jacobian, `stride` apart: the position of the marker's origin, multiplied by `sign`. */
HK_INLINE void hk_map_point(const hk_work *w, int marker, double sign, double *out, int stride) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *n = &w->model->node[k->node];
  const hk_vec3 zero = {0, 0, 0}, s = hk_scale(sign, w->frame[marker].s);
  const double(*R)[3] = w->R[k->node].m;
  if (n->moves != HK_MOVES_RIGID) {
    hk_map_row(w, marker, hk_v3(sign, 0, 0), zero, out);
    hk_map_row(w, marker, hk_v3(0, sign, 0), zero, out + stride);
    hk_map_row(w, marker, hk_v3(0, 0, sign), zero, out + 2 * stride);
    return;
  }
  for (int i = 0; i < 3; i++) {
    double *r = out + i * stride;
    r[0] = r[1] = r[2] = 0;
    r[i] = sign;
  }
  for (int j = 0; j < 3; j++) { /* -s~ R */
    out[3 + j] = s.z * R[1][j] - s.y * R[2][j];
    out[stride + 3 + j] = s.x * R[2][j] - s.z * R[0][j];
    out[2 * stride + 3 + j] = s.y * R[0][j] - s.x * R[1][j];
  }
}

/* Adds the change of jv . F->v + jw . F->w with the position of the node, at constant node
 * velocities, to out[nv]. */
HK_INLINE void hk_map_turning(const hk_work *w, int marker, hk_vec3 jv, hk_vec3 jw, double *out) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *n = &w->model->node[k->node];
  hk_node_turning(n, &w->R[k->node], hk_map_own(w, n), k, &w->frame[marker], jv, jw, out);
}

/* Prescribed part of the angular velocity of a node, which its coordinates do not contain; alpha
 * (may be NULL): the prescribed angular acceleration. */
HK_INLINE hk_vec3 hk_map_guide(const hk_work *w, int node, hk_vec3 *alpha) {
  const hk_node *n = &w->model->node[node];
  const hk_vec3 zero = {0, 0, 0};
  const double *own = hk_map_own(w, n);
  if (alpha) *alpha = n->guided ? hk_v3(own[3], own[4], own[5]) : zero;
  return n->guided ? hk_v3(own[0], own[1], own[2]) : zero;
}

/* Adds force and moment on a node, at its reference point. Called only if w->load is requested. */
static inline void hk_load_add(hk_work *w, int node, hk_vec3 f, hk_vec3 m) {
  double *l = w->load[node];
  l[0] += f.x, l[1] += f.y, l[2] += f.z, l[3] += m.x, l[4] += m.y, l[5] += m.z;
}

/* Contribution of a prescribed rotation to the rate of a row (jx, jt). */
HK_INLINE double hk_map_drift(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jt) {
  int node = w->model->marker[marker].node;
  if (node == HK_GROUND || !w->model->node[node].guided) return 0;
  return hk_dot(hk_map_guide(w, node, NULL), hk_add(jt, hk_cross(w->frame[marker].s, jx)));
}

/* Adds a force and a moment at a marker to out. */
HK_INLINE void hk_map_wrench(hk_work *w, int marker, hk_vec3 f, hk_vec3 m, double *out) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *n = &w->model->node[k->node];
  if (w->load) hk_load_add(w, k->node, f, hk_add(m, hk_cross(w->frame[marker].s, f)));
  if (n->guided)
    w->applied -= hk_map_drift(w, marker, f, m); /* power of the drive that
                                                               * prescribes the rotation */
  hk_node_push(n, &w->R[k->node], hk_map_own(w, n), k, &w->frame[marker], f, m, out + n->v);
}

/* Adds a force and a moment at the reference point of a node, for the fast loops. Custom nodes
 * (HK_MOVES_CUSTOM) are not supported. */
HK_INLINE void hk_map_center_wrench(hk_work *w, int node, hk_vec3 f, hk_vec3 m, double *out) {
  const hk_node *n = &w->model->node[node];
  if (w->load) hk_load_add(w, node, f, m);
  if (n->guided) w->applied -= hk_dot(hk_map_guide(w, node, NULL), m);
  hk_node_push_center(n, &w->R[node], f, m, out + n->v);
}

/* Acceleration of the frame of a marker at zero accelerations of the nodes. */
static inline void hk_map_bias(const hk_work *w, int marker, hk_vec3 *a, hk_vec3 *alpha) {
  const hk_marker *k = &w->model->marker[marker];
  *a = *alpha = hk_v3(0, 0, 0);
  if (k->node == HK_GROUND || !w->model->node[k->node].type->bias) return;
  hk_pose p = hk_map_pose(w, k->node);
  p.node->type->bias(&p, k, &w->frame[marker], a, alpha);
}

/* K[n][12] += cK times the contribution of hk_map_turning for the rows (jv, jw) in columns 0..5 of
 * C[n][12], expressed in the displacements of the frame, columns 0..5 of K. Returns false if this
 * is not possible; then use hk_map_turning_rows.  With hk_coefficients.step_rotation the columns of C of rigid nodes are
 * multiplied by T^-1, to first order. */
bool hk_map_fold_turning(const hk_work *w, int marker, const hk_coefficients *c, const double *C,
                         int n, double *K);
/* Same as hk_map_fold_turning, but in the coordinates of the node: out[n][widest]. */
void hk_map_turning_rows(const hk_work *w, int marker, double c, const double *in, int n,
                         double *out);

/* Acceleration of the frame of a marker, vd: accelerations of the nodes. */
void hk_map_acceleration(const hk_work *w, int marker, const double *vd, hk_vec3 *a,
                         hk_vec3 *alpha);

/* The tangent of an element between two frames: see hk_map_pair. */
typedef struct hk_pair_tangent {
  bool has_K;
  double K[12][12]; /* derivatives with respect to the displacements of both frames */
  /* true: the velocities of the frames depend on the position of node 0 or 1, and
   * hk_work.turning contains the resulting rows for K: see hk_map_turning */
  bool has_turning[2];
  hk_vec3 f[2], m[2]; /* force and moment at each frame, of which K is the derivative */
} hk_pair_tangent;

/* Rows of hk_work.turning for node q of a pair, [12][hk_model.widest]; they are used if hk_pair_tangent.has_turning[q] is
 * true. */
HK_INLINE double *hk_map_turning_of(const hk_work *w, int q) {
  return w->turning + 12 * q * w->model->widest;
}

/* Adds c (T^T K T + T^T turning + d(T^T)(f, m)) to the blocks of the nodes of markers a and b;
 * `pair`: their slots, the first two of n ports. */
void hk_map_pair(const hk_work *w, int a, int b, const hk_pair_tangent *k, double c,
                 const hk_slot *pair, int n);
/* The same functions for models that have nodes with more than HK_NODE_FEW coordinates: core/map_wide.c. */
void hk_map_pair_wide(const hk_work *w, int a, int b, const hk_pair_tangent *k, double c,
                      const hk_slot *pair, int n);
#endif
