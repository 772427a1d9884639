/* Tangent for contact normals of any direction. */
#include <hooke/gap.h>

/* With the axis e:  t = w/|w|,  w = e - (e . n) n,
 *   dw = de - (n . de + e . dn) n - (e . n) dn,  dt = (1 - t t^T) dw/|w| */
static void free_tangent_slope(hk_vec3 e, double en, double size, hk_gap *out) {
  hk_vec3 n = out->n, t = out->t, ne = hk_cross(e, n); /* n . (dtheta x e) = dtheta . (e x n) */
  const double *dn[3] = {out->n_d[0], out->n_d[1], out->n_d[2]};
  double de[3][12] = {{0}};
  const double axis[3] = {ne.x, ne.y, ne.z};
  hk_gap_carry(de, HK_GAP_TA, 1, e);
  for (int j = 0; j < 12; j++) {
    double s = e.x * dn[0][j] + e.y * dn[1][j] + e.z * dn[2][j];
    if (j >= HK_GAP_TA && j < HK_GAP_XB) s += axis[j - HK_GAP_TA];
    hk_vec3 dw = hk_v3(de[0][j] - s * n.x - en * dn[0][j], de[1][j] - s * n.y - en * dn[1][j],
                       de[2][j] - s * n.z - en * dn[2][j]);
    hk_vec3 dt = hk_scale(1 / size, hk_axpy(dw, -hk_dot(t, dw), t));
    out->t_d[0][j] = dt.x, out->t_d[1][j] = dt.y, out->t_d[2][j] = dt.z;
  }
}

void hk_gap_free_tangent(const hk_frame *A, bool derivative, hk_gap *out) {
  hk_vec3 in_a = hk_tmul(&A->R, out->n);
  double x = fabs(in_a.x), y = fabs(in_a.y), z = fabs(in_a.z);
  hk_vec3 e = hk_column(&A->R, x <= y ? (x <= z ? 0 : 2) : (y <= z ? 1 : 2));
  double en = hk_dot(e, out->n);
  hk_vec3 w = hk_axpy(e, -en, out->n);
  double size = hk_norm(w); /* >= sqrt(2/3) */
  out->t = hk_scale(1 / size, w);
  if (derivative) free_tangent_slope(e, en, size, out);
}
