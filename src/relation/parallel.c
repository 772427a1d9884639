/* Parallel axes: zA.xB = zA.yB = 0, the two scalar products of dot.c that keep the z axis of B
 * along that of A, evaluated together because most joints use them. */
#include "relation/dot.h"

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_vec3 z = hk_column(&A->R, 2);
  c[0] = hk_dot(z, hk_column(&B->R, 0));
  c[1] = hk_dot(z, hk_column(&B->R, 1));
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_vec3 z = hk_column(&A->R, 2);
  for (int i = 0; i < 2; i++) {
    J[i].ta = hk_cross(z, hk_column(&B->R, i));
    J[i].tb = hk_neg(J[i].ta);
  }
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_vec3 z = hk_column(&A->R, 2);
  for (int i = 0; i < 2; i++) b[i] = hk_dot_bias(z, hk_column(&B->R, i), A, B);
}

/* The curvature is linear in b: one product for the weighted sum of the axes of B. */
static hk_vec3 weighted(const hk_frame *B, const double *factor) {
  return hk_axpy(hk_scale(factor[0], hk_column(&B->R, 0)), factor[1], hk_column(&B->R, 1));
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_dot_curvature(hk_column(&A->R, 2), weighted(B, factor), 1, K);
}

static void turning_b(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      hk_mat3 *S) {
  hk_dot_turning_b(hk_column(&A->R, 2), weighted(B, factor), 1, S);
}

const hk_relation_type hk_relation_parallel = {.name = "parallel",
                                               .rows = 2,
                                               .angular = true,
                                               .value = value,
                                               .gradient = gradient,
                                               .bias = bias,
                                               .curvature = curvature,
                                               .turning_b = turning_b};
