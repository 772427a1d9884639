/* Tangents between frames on nodes with many coordinates, such as flexible bodies: see map.h. Computes the same sums
 * as hk_map_pair, but with T[6][nv] of both nodes as full matrices. */
#include "core/map.h"
#include <string.h>

/* Writes the six rows of T: displacement and rotation of the frame as functions of the coordinates of its node. */
static void map_matrix(const hk_work *w, int marker, int nv, double *T) {
  const hk_vec3 zero = {0, 0, 0};
  for (int i = 0; i < 6; i++) {
    hk_vec3 e = hk_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    hk_map_row(w, marker, i < 3 ? e : zero, i < 3 ? zero : e, T + i * nv);
  }
}

/* out += c T^T in B for in[6][stride]; B[n][columns], or the first `columns` of `in` if B is NULL. */
static void add_product(double c, const double *T, int nv, const double *in, int stride, int n,
                        const double *B, int columns, hk_slot out) {
  double row[columns];
  for (int r = 0; r < 6; r++, in += stride, T += nv) {
    memset(row, 0, sizeof row);
    bool any = false;
    for (int k = 0; k < n; k++) {
      if (in[k] == 0) continue;
      any = true;
      if (B)
        for (int j = 0; j < columns; j++) row[j] += c * in[k] * B[k * columns + j];
      else
        row[k] = c * in[k];
    }
    if (!any) continue;
    for (int i = 0; i < nv; i++) {
      double t = T[i], *to = out.at + i * out.stride;
      if (t == 0) continue;
      for (int j = 0; j < columns; j++) to[j] += t * row[j];
    }
  }
}

void hk_map_pair_wide(const hk_work *w, int a, int b, const hk_pair_tangent *k, double c,
                      const hk_slot *pair, int n) {
  const hk_model *m = w->model;
  const int marker[2] = {a, b}, width = m->widest;
  double T[2][6 * width];
  int nv[2] = {0, 0};
  for (int p = 0; p < 2; p++) {
    const hk_marker *P = &m->marker[marker[p]];
    if (P->node == HK_GROUND) continue;
    const hk_node *N = &m->node[P->node];
    hk_slot own = pair[p * n + p];
    nv[p] = N->nv;
    if (own.at)
      hk_node_geometric(N, &w->R[P->node], hk_map_own(w, N), P, &w->frame[marker[p]], k->f[p],
                        k->m[p], c, own.at, own.stride);
    if (k->has_K) map_matrix(w, marker[p], nv[p], T[p]);
  }
  for (int p = 0; p < 2 && k->has_K; p++)
    for (int q = 0; q < 2 && nv[p]; q++) {
      hk_slot out = pair[p * n + q];
      if (!nv[q] || !out.at) continue;
      add_product(c, T[p], nv[p], k->K[6 * p] + 6 * q, 12, 6, T[q], nv[q], out);
      if (k->has_turning[q])
        add_product(c, T[p], nv[p], hk_map_turning_of(w, q) + 6 * p * width, width, nv[q], NULL,
                    nv[q], out);
    }
}
