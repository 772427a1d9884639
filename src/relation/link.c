/* Link: a massless rod that rotates about the z axis of A and ends at the origin of B. Two rows, with d = xB - xA:
 *   zA.d - k[0] = 0,  |d| - k[1] = 0
 * so that B stays on a circle about the axis. Undefined at d = 0. */
#include <hooke/relation.h>

static const double Z[3] = {0, 0, 1};

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_relation_along.value(Z, A, B, &c[0]);
  c[0] -= k[0];
  hk_relation_distance.value(&k[1], A, B, &c[1]);
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_relation_along.gradient(Z, A, B, &J[0]);
  hk_relation_distance.gradient(&k[1], A, B, &J[1]);
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_relation_along.bias(Z, A, B, &b[0]);
  hk_relation_distance.bias(&k[1], A, B, &b[1]);
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_relation_along.curvature(Z, A, B, &factor[0], K);
  hk_relation_distance.curvature(&k[1], A, B, &factor[1], K);
}

const hk_relation_type hk_relation_link = {.name = "link",
                                           .rows = 2,
                                           .value = value,
                                           .gradient = gradient,
                                           .bias = bias,
                                           .curvature = curvature};
