/* Accelerations of frames, and tangents between two frames in the coordinates of their nodes:
 * see map.h. */
#include "core/map.h"

/* Returns T vd, computed one row of T at a time; u[nv]: scratch memory. */
HK_INLINE void add_acceleration(const hk_work *w, int marker, const hk_node *n, const double *vd,
                                double *u, hk_vec3 *a, hk_vec3 *alpha) {
  double out[6];
  for (int i = 0; i < 6; i++) {
    hk_vec3 e = hk_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2), zero = {0, 0, 0};
    hk_map_row(w, marker, i < 3 ? e : zero, i < 3 ? zero : e, u);
    out[i] = 0;
    for (int k = 0; k < n->nv; k++) out[i] += u[k] * vd[n->v + k];
  }
  *a = hk_add(*a, hk_v3(out[0], out[1], out[2]));
  *alpha = hk_add(*alpha, hk_v3(out[3], out[4], out[5]));
}

HK_APART static void add_acceleration_wide(const hk_work *w, int marker, const hk_node *n,
                                           const double *vd, hk_vec3 *a, hk_vec3 *alpha) {
  double u[n->nv];
  add_acceleration(w, marker, n, vd, u, a, alpha);
}

void hk_map_acceleration(const hk_work *w, int marker, const double *vd, hk_vec3 *a,
                         hk_vec3 *alpha) {
  const hk_node *n = hk_map_node(w, marker);
  double u[HK_NODE_FEW];
  hk_map_bias(w, marker, a, alpha);
  if (n && n->nv > HK_NODE_FEW)
    add_acceleration_wide(w, marker, n, vd, a, alpha);
  else if (n)
    add_acceleration(w, marker, n, vd, u, a, alpha);
}

/* Adds t(jv, jw) to the rotational columns of K[n][12] for the rows (jv, jw) of C[n][12]: the
 * change of the velocities of a frame that moves by T. turn: the function t for each of the six unit rows. */
HK_INLINE void fold_rows(const hk_vec3 turn[6], const double *C, int n, double *K) {
  hk_v4 P[6];
  for (int i = 0; i < 6; i++) P[i] = (hk_v4){0, turn[i].x, turn[i].y, turn[i].z};
  for (int r = 0; r < n; r++, C += 12, K += 12)
    HK_V4(K + 2) +=
        (C[0] * P[0] + C[1] * P[1] + C[2] * P[2]) + (C[3] * P[3] + C[4] * P[4] + C[5] * P[5]);
}

/* If the end of a step is displaced by xi, the velocity of a rigid node changes by cv T^-1 xi =
 * cv (xi + D x xi/2 + ...), and not only by cv xi. The second term is of the same magnitude as
 * the rotation of the velocity with the node, so it is included too. turn: see fold_rows; o: cC
 * D/2 in world axes. */
static void subtract_step_rotation(hk_vec3 o, hk_vec3 s, hk_vec3 turn[6]) {
  const hk_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double along = hk_dot(o, s), part[3] = {o.x, o.y, o.z};
  for (int i = 0; i < 3; i++) { /* o x (s x jv), o x jw */
    turn[i] = hk_sub(turn[i], hk_axpy(hk_scale(part[i], s), -along, unit[i]));
    turn[3 + i] = hk_sub(turn[3 + i], hk_cross(o, unit[i]));
  }
}

HK_HOT HK_FLAT bool hk_map_fold_turning(const hk_work *w, int marker, const hk_coefficients *c,
                                        const double *C, int n, double *K) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return true;
  const hk_node *N = &w->model->node[k->node];
  const hk_frame *F = &w->frame[marker];
  hk_vec3 s = F->s, o = hk_scale(c->cK, F->w), a = hk_cross(o, s);
  if (N->moves == HK_MOVES_RIGID) { /* (w x s) x jv + w x jw */
    hk_vec3 turn[6] = {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0},
                       {0, o.z, -o.y}, {-o.z, 0, o.x}, {o.y, -o.x, 0}};
    if (c->step_rotation) {
      const double *D = c->step_rotation + N->v + 3;
      const hk_vec3 half = hk_scale(0.5 * c->cC, hk_v3(D[0], D[1], D[2]));
      subtract_step_rotation(hk_mul(&w->R[k->node], half), s, turn);
    }
    fold_rows(turn, C, n, K);
  } else if (N->moves == HK_MOVES_AXIS) { /* s x (jv x w) = jv (s.w) - w (s.jv) */
    double d = hk_dot(s, o);
    const hk_vec3 turn[6] = {{d - o.x * s.x, -o.y * s.x, -o.z * s.x},
                             {-o.x * s.y, d - o.y * s.y, -o.z * s.y},
                             {-o.x * s.z, -o.y * s.z, d - o.z * s.z}};
    fold_rows(turn, C, n, K);
  }
  return N->moves != HK_MOVES_CUSTOM || !N->type->turning;
}

void hk_map_turning_rows(const hk_work *w, int marker, double c, const double *in, int n,
                         double *out) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *N = &w->model->node[k->node];
  for (int r = 0; r < n; r++, in += 12, out += w->model->widest) {
    for (int i = 0; i < w->model->widest; i++) out[i] = 0;
    hk_node_turning(N, &w->R[k->node], hk_map_own(w, N), k, &w->frame[marker],
                    hk_scale(c, hk_v3(in[0], in[1], in[2])),
                    hk_scale(c, hk_v3(in[3], in[4], in[5])), out);
  }
}

/* Converts two or four columns of (f, m), stored with `stride` between the numbers of a column,
 * to (f, R^T (m + s x f)). */
#define RIGID_COLUMNS(V, in, out)                                                     \
  do {                                                                                \
    V fx = *(const V *)(in), fy = *(const V *)((in) + stride),                        \
      fz = *(const V *)((in) + 2 * stride);                                           \
    V tx = *(const V *)((in) + 3 * stride) + (s.y * fz - s.z * fy);                   \
    V ty = *(const V *)((in) + 4 * stride) + (s.z * fx - s.x * fz);                   \
    V tz = *(const V *)((in) + 5 * stride) + (s.x * fy - s.y * fx);                   \
    *(V *)(out) = fx, *(V *)((out) + stride) = fy, *(V *)((out) + 2 * stride) = fz;   \
    *(V *)((out) + 3 * stride) = R->m[0][0] * tx + R->m[1][0] * ty + R->m[2][0] * tz; \
    *(V *)((out) + 4 * stride) = R->m[0][1] * tx + R->m[1][1] * ty + R->m[2][1] * tz; \
    *(V *)((out) + 5 * stride) = R->m[0][2] * tx + R->m[1][2] * ty + R->m[2][2] * tz; \
  } while (0)

/* T^T of a rotor's marker: z . (m + s x f) = (z x s) . f + z . m */
HK_INLINE void axis_row(const hk_node *n, hk_vec3 s, double out[6]) {
  hk_vec3 z = hk_rotor_axis(n), x = hk_cross(z, s);
  out[0] = x.x, out[1] = x.y, out[2] = x.z, out[3] = z.x, out[4] = z.y, out[5] = z.z;
}

/* out[nv][stride] = T^T in, in[6][stride], for the first `width` columns (an even number): rows
 * of forces and moments at a marker. */
HK_INLINE void map_rows(const hk_work *w, int marker, const double *in, int width, int stride,
                        double *out) {
  const hk_marker *k = &w->model->marker[marker];
  const hk_node *n = &w->model->node[k->node];
  const hk_mat3 *R = &w->R[k->node];
  const hk_frame *F = &w->frame[marker];
  if (n->moves == HK_MOVES_RIGID) {
    hk_vec3 s = F->s;
    int j = 0;
    for (; j + 4 <= width; j += 4) RIGID_COLUMNS(hk_v4, in + j, out + j);
    if (j < width) RIGID_COLUMNS(hk_v2, in + j, out + j);
    return;
  }
  if (n->moves == HK_MOVES_AXIS) {
    double k6[6];
    axis_row(n, F->s, k6);
    for (int j = 0; j < width; j += 2) {
      hk_v2 sum = {0, 0};
      for (int i = 0; i < 6; i++) sum += k6[i] * *(const hk_v2 *)(in + i * stride + j);
      *(hk_v2 *)(out + j) = sum;
    }
    return;
  }
  for (int j = 0; j < width; j++) {
    double u[HK_NODE_FEW];
    const double *c = in + j;
    hk_node_map(n, R, hk_map_own(w, n), k, F, hk_v3(c[0], c[stride], c[2 * stride]),
                hk_v3(c[3 * stride], c[4 * stride], c[5 * stride]), u);
    for (int i = 0; i < n->nv; i++) out[i * stride + j] = u[i];
  }
}

/* Computes to += c row, for a row of six numbers. */
HK_INLINE void add_six(double c, hk_v4 x, double y, double z, double *to) {
  HK_V4(to) += c * x;
  *(hk_v2 *)(to + 4) += c * (hk_v2){y, z};
}

/* Adds c r T to out[rows], for the marker of a rigid node and r[rows][12]: T converts (jx, jt)
 * to (jx, R^T (jt + s x jx)). */
HK_INLINE void add_rigid_rows(const hk_mat3 *R, hk_vec3 s, double c, const double *r, int rows,
                              hk_slot out) {
  const hk_vec3 turn[3] = {{0, s.z, -s.y}, {-s.z, 0, s.x}, {s.y, -s.x, 0}}; /* s x e */
  hk_v4 P[6];
  for (int i = 0; i < 3; i++) {
    hk_vec3 u = hk_tmul(R, turn[i]);
    P[i] = (hk_v4){u.x, u.y, u.z, 0};
    P[3 + i] = (hk_v4){R->m[i][0], R->m[i][1], R->m[i][2], 0};
  }
  for (int i = 0; i < rows; i++, r += 12) {
    hk_v4 t = r[0] * P[0] + r[1] * P[1] + r[2] * P[2] + r[3] * P[3] + r[4] * P[4] + r[5] * P[5];
    add_six(c, (hk_v4){r[0], r[1], r[2], t[0]}, t[1], t[2], out.at + i * out.stride);
  }
}

/* out += c r T for any node; r[rows][12]. */
HK_INLINE void add_rows(const hk_work *w, int marker, double c, const double *r, int rows,
                        hk_slot out) {
  const hk_marker *k = &w->model->marker[marker];
  const hk_node *n = &w->model->node[k->node];
  if (n->moves == HK_MOVES_RIGID) {
    add_rigid_rows(&w->R[k->node], w->frame[marker].s, c, r, rows, out);
    return;
  }
  if (n->moves == HK_MOVES_TRANSLATION) {
    for (int i = 0; i < rows; i++, r += 12) {
      double *to = out.at + i * out.stride;
      to[0] += c * r[0], to[1] += c * r[1], to[2] += c * r[2];
    }
    return;
  }
  for (int i = 0; i < rows; i++, r += 12) {
    double u[HK_NODE_FEW], *to = out.at + i * out.stride;
    hk_map_row(w, marker, hk_v3(r[0], r[1], r[2]), hk_v3(r[3], r[4], r[5]), u);
    for (int j = 0; j < n->nv; j++) to[j] += c * u[j];
  }
}

HK_HOT HK_FLAT void hk_map_pair(const hk_work *w, int a, int b, const hk_pair_tangent *k, double c,
                                const hk_slot *pair, int n) {
  const hk_model *m = w->model;
  const int marker[2] = {a, b};
  if (m->widest > HK_NODE_FEW) {
    hk_map_pair_wide(w, a, b, k, c, pair, n);
    return;
  }
  int first = m->marker[a].node == HK_GROUND ? 6 : 0; /* first column of a moving frame in the 12
                                                       * columns of K */
  for (int p = 0; p < 2; p++) {
    const hk_marker *P = &m->marker[marker[p]];
    if (P->node == HK_GROUND) continue;
    const hk_node *N = &m->node[P->node];
    hk_slot own = pair[p * n + p];
    if (own.at)
      hk_node_geometric(N, &w->R[P->node], hk_map_own(w, N), P, &w->frame[marker[p]], k->f[p],
                        k->m[p], c, own.at, own.stride);
    if (!k->has_K) continue;
    double mapped[HK_NODE_FEW][12], turning[HK_NODE_FEW][HK_NODE_FEW];
    const double *rows = mapped[0];
    if (N->moves == HK_MOVES_TRANSLATION)
      rows = k->K[6 * p]; /* a point mass: forces are already in the coordinates of the node */
    else
      map_rows(w, marker[p], k->K[6 * p] + first, 12 - first, 12, mapped[0] + first);
    for (int q = 0; q < 2; q++) {
      const hk_marker *Q = &m->marker[marker[q]];
      hk_slot out = pair[p * n + q];
      if (Q->node == HK_GROUND || !out.at) continue;
      add_rows(w, marker[q], c, rows + 6 * q, N->nv, out);
      if (!k->has_turning[q]) continue;
      map_rows(w, marker[p], hk_map_turning_of(w, q) + 6 * p * HK_NODE_FEW, HK_NODE_FEW,
               HK_NODE_FEW, turning[0]);
      for (int i = 0; i < N->nv; i++)
        for (int j = 0; j < m->node[Q->node].nv; j++)
          out.at[i * out.stride + j] += c * turning[i][j];
    }
  }
}
