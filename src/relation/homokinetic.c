/* Equal rotation of two shafts that meet at an angle: c = (xA.yB - yA.xB)/2 with the shafts
 * along the z axes. The gradient of c is a moment along zA + zB, the homokinetic axis, of length cos(articulation
 * angle/2) [Minaker, eq. 12; derivation in docs/theory.md]. */
#include "relation/dot.h"

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_vec3 xa = hk_column(&A->R, 0), ya = hk_column(&A->R, 1);
  hk_vec3 xb = hk_column(&B->R, 0), yb = hk_column(&B->R, 1);
  c[0] = 0.5 * (hk_dot(xa, yb) - hk_dot(ya, xb));
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_vec3 xa = hk_column(&A->R, 0), ya = hk_column(&A->R, 1);
  hk_vec3 xb = hk_column(&B->R, 0), yb = hk_column(&B->R, 1);
  J->ta = hk_scale(0.5, hk_sub(hk_cross(xa, yb), hk_cross(ya, xb)));
  J->tb = hk_neg(J->ta);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_vec3 xa = hk_column(&A->R, 0), ya = hk_column(&A->R, 1);
  hk_vec3 xb = hk_column(&B->R, 0), yb = hk_column(&B->R, 1);
  b[0] = 0.5 * (hk_dot_bias(xa, yb, A, B) - hk_dot_bias(ya, xb, A, B));
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_vec3 xa = hk_column(&A->R, 0), ya = hk_column(&A->R, 1);
  hk_vec3 xb = hk_column(&B->R, 0), yb = hk_column(&B->R, 1);
  hk_dot_curvature(xa, yb, 0.5 * factor[0], K);
  hk_dot_curvature(ya, xb, -0.5 * factor[0], K);
}

const hk_relation_type hk_relation_homokinetic = {"homokinetic", 1,        true, false,
                                                  value,         gradient, bias, curvature};
