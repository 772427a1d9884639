/* Displacement along an axis of A: c = e.d with e fixed in A and d = xB - xA.
 *   dc = e.(dxB - dxA) + (e x d).dthetaA
 *   c'' bias = (w x (w x e)).d + 2 (w x e).d' */
#include <hooke/relation.h>
#include <stddef.h>

static hk_vec3 axis(const double *k, const hk_frame *A) {
  return hk_mul(&A->R, hk_v3(k[0], k[1], k[2]));
}

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  c[0] = hk_dot(axis(k, A), hk_sub(B->x, A->x));
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_vec3 e = axis(k, A);
  J->xa = hk_neg(e);
  J->xb = e;
  J->ta = hk_cross(e, hk_sub(B->x, A->x));
}

static void bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_vec3 e = axis(k, A), we = hk_cross(A->w, e);
  b[0] = hk_dot(hk_cross(A->w, we), hk_sub(B->x, A->x)) + 2 * hk_dot(we, hk_sub(B->v, A->v));
}

static void curvature(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      double K[12][12]) {
  hk_vec3 e = axis(k, A);
  hk_mat3 E = hk_skew(e), D = hk_skew(hk_sub(B->x, A->x)), DE = hk_matmul(&D, &E);
  double f = factor[0];
  hk_block_add(K, 0, 3, f, &E); /* -de = e~ dthetaA */
  hk_block_add(K, 6, 3, -f, &E);
  hk_block_add(K, 3, 3, f, &DE); /* d(e x d) */
  hk_block_add(K, 3, 0, -f, &E);
  hk_block_add(K, 3, 6, f, &E);
}

/* The axis is fixed in A and does not depend on B. */
static void turning_b(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                      hk_mat3 *S) {}

const hk_relation_type hk_relation_along = {.name = "along",
                                            .rows = 1,
                                            .value = value,
                                            .gradient = gradient,
                                            .bias = bias,
                                            .curvature = curvature,
                                            .turning_b = turning_b};
