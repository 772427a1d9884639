/* Distance between two points: c = |d| - L, d = xB - xA. Undefined at d = 0 (the joint and the
 * spring reject a zero length). */
#include <hooke/relation.h>

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = hk_norm(hk_sub(B->x, A->x)) - k[0];
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J->xb = hk_unit3(hk_sub(B->x, A->x));
  J->xa = hk_neg(J->xb);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_vec3 d = hk_sub(B->x, A->x), v = hk_sub(B->v, A->v);
  double l = hk_norm(d), along = hk_dot(d, v) / l;
  b[0] = (hk_dot(v, v) - along * along) / l;
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_vec3 d = hk_sub(B->x, A->x);
  double l = hk_norm(d), f = factor[0] / l;
  hk_vec3 n = hk_scale(1 / l, d);
  hk_mat3 nn = hk_outer(n, n), P = hk_mat3_add(hk_mat3_identity(), hk_mat3_scale(-1, nn));
  hk_block_add(K, 0, 0, f, &P);
  hk_block_add(K, 0, 6, -f, &P);
  hk_block_add(K, 6, 0, -f, &P);
  hk_block_add(K, 6, 6, f, &P);
}

const hk_relation_type hk_relation_distance = {"distance", 1,        false, false,
                                               value,      gradient, bias,  curvature};
