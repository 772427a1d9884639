/* Relation for the angle between an axis of A and an axis of B by its cosine: c = a.b - c0. */
#include "relation/dot.h"

static hk_vec3 axis_a(const double *k, const hk_frame *A) {
  return hk_mul(&A->R, hk_v3(k[0], k[1], k[2]));
}
static hk_vec3 axis_b(const double *k, const hk_frame *B) {
  return hk_mul(&B->R, hk_v3(k[3], k[4], k[5]));
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = hk_dot(axis_a(k, A), axis_b(k, B)) - k[6];
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J->ta = hk_cross(axis_a(k, A), axis_b(k, B));
  J->tb = hk_neg(J->ta);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  b[0] = hk_dot_bias(axis_a(k, A), axis_b(k, B), A, B);
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_dot_curvature(axis_a(k, A), axis_b(k, B), factor[0], K);
}

static void turning_b(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      hk_mat3 *S) {
  hk_dot_turning_b(axis_a(k, A), axis_b(k, B), factor[0], S);
}

const hk_relation_type hk_relation_dot = {.name = "dot",
                                          .rows = 1,
                                          .angular = true,
                                          .value = value,
                                          .gradient = gradient,
                                          .bias = bias,
                                          .curvature = curvature,
                                          .turning_b = turning_b};
