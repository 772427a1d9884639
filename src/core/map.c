/* Accelerations of frames, and tangents between two frames on the nodes behind them: see map.h. */
#include "core/map.h"

void hk_map_acceleration(const hk_work *w, int marker, const double *vd, hk_vec3 *a,
                         hk_vec3 *alpha) {
  double out[6];
  const hk_node *n = hk_map_node(w, marker);
  hk_map_bias(w, marker, a, alpha);
  if (!n) return;
  for (int i = 0; i < 6; i++) { /* a row of T at a time */
    double u[HK_NODE_MAX];
    hk_vec3 e = hk_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2), zero = {0, 0, 0};
    hk_map_row(w, marker, i < 3 ? e : zero, i < 3 ? zero : e, u);
    out[i] = 0;
    for (int k = 0; k < n->nv; k++) out[i] += u[k] * vd[n->v + k];
  }
  *a = hk_add(*a, hk_v3(out[0], out[1], out[2]));
  *alpha = hk_add(*alpha, hk_v3(out[3], out[4], out[5]));
}

/* Of a rigid body only the three coordinates of its rotation: t = (w x s) x jv + w x jw in its axes. */
HK_INLINE void rigid_turning_rows(const hk_mat3 *R, const hk_frame *F, double c, const double *in,
                                  int n, double (*out)[HK_NODE_MAX]) {
  hk_vec3 a = hk_scale(c, hk_cross(F->w, F->s)), o = hk_scale(c, F->w);
  const hk_vec3 turn[6] = {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0},
                           {0, o.z, -o.y}, {-o.z, 0, o.x}, {o.y, -o.x, 0}};
  hk_v4 P[6];
  for (int i = 0; i < 6; i++) {
    hk_vec3 u = hk_tmul(R, turn[i]);
    P[i] = (hk_v4){u.x, u.y, u.z, 0};
  }
  for (int r = 0; r < n; r++, in += 12) {
    hk_v4 u =
        in[0] * P[0] + in[1] * P[1] + in[2] * P[2] + in[3] * P[3] + in[4] * P[4] + in[5] * P[5];
    out[r][0] = out[r][1] = out[r][2] = 0;
    out[r][3] = u[0], out[r][4] = u[1], out[r][5] = u[2];
  }
}

HK_HOT HK_FLAT void hk_map_turning_rows(const hk_work *w, int marker, double c, const double *in,
                                        int n, double (*out)[HK_NODE_MAX]) {
  const hk_marker *k = &w->model->marker[marker];
  if (k->node == HK_GROUND) return;
  const hk_node *N = &w->model->node[k->node];
  if (N->moves == HK_MOVES_RIGID) {
    rigid_turning_rows(&w->R[k->node], &w->frame[marker], c, in, n, out);
    return;
  }
  for (int r = 0; r < n; r++, in += 12) {
    for (int i = 0; i < N->nv; i++) out[r][i] = 0;
    hk_node_turning(N, &w->R[k->node], hk_map_own(w, N), k, &w->frame[marker],
                    hk_scale(c, hk_v3(in[0], in[1], in[2])),
                    hk_scale(c, hk_v3(in[3], in[4], in[5])), out[r]);
  }
}

/* Four or two columns of (f, m), one number under the other `stride` apart: out = (f, R^T (m + s x f)). */
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

/* out[nv][stride] = T^T in, in[6][stride], of either the first `width` columns, an even number: rows of forces and
 * moments at a marker. */
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
  for (int j = 0; j < width; j++) {
    double u[HK_NODE_MAX];
    const double *c = in + j;
    hk_node_map(n, R, hk_map_own(w, n), k, F, hk_v3(c[0], c[stride], c[2 * stride]),
                hk_v3(c[3 * stride], c[4 * stride], c[5 * stride]), u);
    for (int i = 0; i < n->nv; i++) out[i * stride + j] = u[i];
  }
}

/* to += c times a row of six. */
HK_INLINE void add_six(double c, hk_v4 x, double y, double z, double *to) {
  HK_V4(to) += c * x;
  *(hk_v2 *)(to + 4) += c * (hk_v2){y, z};
}

/* out[rows] += c rows T of a rigid node's marker, r[rows][12]: (jx, jt) becomes (jx, R^T (jt + s x jx)). */
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

/* out += c rows T for any node; r[rows][12]. */
HK_INLINE void add_rows(const hk_work *w, int marker, double c, const double *r, int rows,
                        hk_slot out) {
  const hk_marker *k = &w->model->marker[marker];
  const hk_node *n = &w->model->node[k->node];
  if (n->moves == HK_MOVES_RIGID) {
    add_rigid_rows(&w->R[k->node], w->frame[marker].s, c, r, rows, out);
    return;
  }
  for (int i = 0; i < rows; i++, r += 12) {
    double u[HK_NODE_MAX], *to = out.at + i * out.stride;
    hk_map_row(w, marker, hk_v3(r[0], r[1], r[2]), hk_v3(r[3], r[4], r[5]), u);
    for (int j = 0; j < n->nv; j++) to[j] += c * u[j];
  }
}

HK_HOT HK_FLAT void hk_map_pair(const hk_work *w, int a, int b, const hk_pair_tangent *k, double c,
                                const hk_slot *pair, int n) {
  const hk_model *m = w->model;
  const int marker[2] = {a, b};
  int first = m->marker[a].node == HK_GROUND ? 6 : 0; /* columns of frames that move */
  for (int p = 0; p < 2; p++) {
    const hk_marker *P = &m->marker[marker[p]];
    if (P->node == HK_GROUND) continue;
    const hk_node *N = &m->node[P->node];
    hk_slot own = pair[p * n + p];
    if (own.at)
      hk_node_geometric(N, &w->R[P->node], hk_map_own(w, N), P, &w->frame[marker[p]], k->f[p],
                        k->m[p], c, own.at, own.stride);
    if (!k->has_K) continue;
    double rows[HK_NODE_MAX][12], turning[HK_NODE_MAX][HK_NODE_MAX];
    map_rows(w, marker[p], k->K[6 * p] + first, 12 - first, 12, rows[0] + first);
    for (int q = 0; q < 2; q++) {
      const hk_marker *Q = &m->marker[marker[q]];
      hk_slot out = pair[p * n + q];
      if (Q->node == HK_GROUND || !out.at) continue;
      add_rows(w, marker[q], c, rows[0] + 6 * q, N->nv, out);
      if (!k->has_turning) continue;
      map_rows(w, marker[p], k->turning[q][6 * p], HK_NODE_MAX, HK_NODE_MAX, turning[0]);
      for (int i = 0; i < N->nv; i++)
        for (int j = 0; j < m->node[Q->node].nv; j++)
          out.at[i * out.stride + j] += c * turning[i][j];
    }
  }
}
