/* Custom nodes in the fast loops: see dispatch.h. */
#include "node/dispatch.h"

void hk_node_custom_add(const hk_node *n, const double *a, const double *d, double *b) {
  int turn = n->turn < 0 ? n->nv : n->turn;
  for (int k = 0; k < turn; k++) b[k] = a[k] + d[k];
  for (int k = turn + 3; k < n->nv; k++) b[k + 1] = a[k + 1] + d[k];
  if (n->turn < 0) return;
  hk_quat e = hk_small_exp(hk_v3(d[turn], d[turn + 1], d[turn + 2]));
  hk_quat_put(b + turn, hk_near_unit(hk_quat_mul(hk_quat_at(a + turn), e)));
}

void hk_node_custom_map(const hk_node *n, const hk_mat3 *R, const double *own, const hk_marker *k,
                        const hk_frame *F, hk_vec3 jx, hk_vec3 jt, double *out) {
  n->type->map(&(hk_pose){n, R, own}, k, F, jx, jt, out);
}

void hk_node_custom_push(const hk_node *n, const hk_mat3 *R, const double *own, const hk_marker *k,
                         const hk_frame *F, hk_vec3 f, hk_vec3 m, double *out) {
  double u[n->nv];
  n->type->map(&(hk_pose){n, R, own}, k, F, f, m, u);
  for (int i = 0; i < n->nv; i++) out[i] += u[i];
}

void hk_node_custom_multiply(const hk_node *n, const hk_mat3 *R, const double *own, const double *x,
                             double *y) {
  n->type->multiply(&(hk_pose){n, R, own}, x, y);
}

void hk_node_custom_force(const hk_node *n, const hk_mat3 *R, const double *own, const double *v,
                          double *out) {
  n->type->force(&(hk_pose){n, R, own}, v, out);
}

void hk_node_custom_tangent(const hk_node *n, const hk_mat3 *R, const double *own,
                            const hk_inertia_weights *c, double *out, int stride) {
  n->type->tangent(&(hk_pose){n, R, own}, c, out, stride);
}
