/* Angle between the z axes of A and B: x = zA.zB, c = atan2(|zA x zB|, x) in [0, pi].
 *   dc = -dx/sin c,   c'' = -(x'' + c'^2 cos c)/sin c
 * It has a kink at c = 0 and pi; the derivatives are set to zero there. */
#include "relation/dot.h"
#include <math.h>

enum { Z = 2 };
static const double SMALL = 1e-12;

static double bend(hk_vec3 a, hk_vec3 b, double *sine, double *cosine) {
  *sine = hk_norm(hk_cross(a, b));
  *cosine = hk_dot(a, b);
  return atan2(*sine, *cosine);
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  double sine, cosine;
  c[0] = bend(hk_column(&A->R, Z), hk_column(&B->R, Z), &sine, &cosine);
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_vec3 a = hk_column(&A->R, Z), b = hk_column(&B->R, Z);
  double sine, cosine;
  bend(a, b, &sine, &cosine);
  J->ta = sine > SMALL ? hk_scale(-1 / sine, hk_cross(a, b)) : hk_v3(0, 0, 0);
  J->tb = hk_neg(J->ta);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *out) {
  hk_vec3 a = hk_column(&A->R, Z), b = hk_column(&B->R, Z);
  double sine, cosine;
  hk_row J = {0};
  bend(a, b, &sine, &cosine);
  gradient(k, A, B, &J);
  double rate = hk_row_rate(&J, A, B);
  out[0] = sine > SMALL ? -(hk_dot_bias(a, b, A, B) + rate * rate * cosine) / sine : 0;
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_vec3 a = hk_column(&A->R, Z), b = hk_column(&B->R, Z);
  double sine, cosine;
  hk_row J = {0};
  bend(a, b, &sine, &cosine);
  if (!(sine > SMALL)) return;
  gradient(k, A, B, &J);
  hk_dot_curvature(a, b, -factor[0] / sine, K);
  hk_mat3 square = hk_outer(J.ta, J.ta);
  double f = -factor[0] * cosine / sine;
  hk_block_add(K, 3, 3, f, &square);
  hk_block_add(K, 3, 9, -f, &square);
  hk_block_add(K, 9, 3, -f, &square);
  hk_block_add(K, 9, 9, f, &square);
}

const hk_relation_type hk_relation_articulation = {"bend", 1,        true, false,
                                           value,  gradient, bias, curvature};
