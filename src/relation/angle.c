/* Angles as relations: see angle.h.
 *
 *   angle    of xB in (xA, yA): rotation of B about the z axis of A
 *   cross_a  of yB in (yA, zA): rotation of the cross of a universal joint about its arm xA
 *   cross_b  of xA in (xB, zB): rotation of B about the other arm, yB */
#include "relation/angle.h"
#include "relation/dot.h"
#include <string.h>

static double reading_bias(const hk_angle_reading *r, const hk_frame *P, const hk_frame *Q) {
  hk_vec3 turn = hk_sub(P->w, Q->w);
  double sd = hk_dot(hk_cross(r->w, r->b), turn), qd = hk_dot(hk_cross(r->u, r->b), turn);
  double cd = (r->q * sd - r->s * qd) / r->rho2;
  return (r->q * hk_dot_bias(r->w, r->b, P, Q) - r->s * hk_dot_bias(r->u, r->b, P, Q) -
          2 * cd * (r->s * sd + r->q * qd)) /
         r->rho2;
}

/* Adds the curvature, with P in rows and columns 3..5 of K and Q in 9..11. */
static void reading_curvature(const hk_angle_reading *r, double factor, double K[12][12]) {
  double f = factor / r->rho2;
  hk_dot_curvature(r->w, r->b, f * r->q, K);
  hk_dot_curvature(r->u, r->b, -f * r->s, K);
  /* Adds the part of the curvature that is caused by the change of the factors q, s and 1/rho^2 in dc. */
  hk_vec3 ds = hk_cross(r->w, r->b), dq = hk_cross(r->u, r->b), J = hk_angle_moment(r);
  hk_mat3 a = hk_outer(ds, dq), b = hk_outer(dq, ds);
  hk_mat3 d = hk_outer(J, hk_axpy(hk_scale(r->s, ds), r->q, dq));
  hk_mat3 S = hk_mat3_add(hk_mat3_add(a, hk_mat3_scale(-1, b)), hk_mat3_scale(-2, d));
  hk_block_add(K, 3, 3, f, &S);
  hk_block_add(K, 3, 9, -f, &S);
  hk_block_add(K, 9, 3, -f, &S);
  hk_block_add(K, 9, 9, f, &S);
}

/* Computes the part of reading_curvature that remains if the frame P is at rest. m_w = b x w
 * and m_u = b x u are the derivatives of s and q with respect to a rotation of Q. */
static void reading_turning(const hk_angle_reading *r, double factor, hk_mat3 *S) {
  double f = factor / r->rho2;
  hk_vec3 g = hk_axpy(hk_scale(r->q, r->w), -r->s, r->u);
  hk_vec3 mw = hk_cross(r->b, r->w), mu = hk_cross(r->b, r->u);
  hk_vec3 e = hk_axpy(hk_scale(r->s, mw), r->q, mu), m = hk_scale(-2 / r->rho2, hk_cross(r->b, g));
  hk_dot_turning_b(g, r->b, f, S);
  const double MW[3] = {mw.x, mw.y, mw.z}, MU[3] = {mu.x, mu.y, mu.z};
  const double E[3] = {e.x, e.y, e.z}, M[3] = {m.x, m.y, m.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) S->m[i][j] += f * (MW[i] * MU[j] - MU[i] * MW[j] + M[i] * E[j]);
}

/* Same as reading_curvature, with the frames exchanged. */
static void exchanged_curvature(const hk_angle_reading *r, double factor, double K[12][12]) {
  double swapped[12][12] = {{0}};
  reading_curvature(r, factor, swapped);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) K[i][j] += swapped[(i + 6) % 12][(j + 6) % 12];
}

#define ANGLE_OF(name_, u, w, b)                                                                   \
  static void name_##_value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {    \
    hk_angle_reading r = hk_angle_read(A, u, w, B, b);                                             \
    c[0] = atan2(r.s, r.q);                                                                        \
  }                                                                                                \
  static void name_##_gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) { \
    hk_angle_reading r = hk_angle_read(A, u, w, B, b);                                             \
    J->ta = hk_angle_moment(&r);                                                                   \
    J->tb = hk_neg(J->ta);                                                                         \
  }                                                                                                \
  static void name_##_bias(const double *k, const hk_frame *A, const hk_frame *B, double *out) {   \
    hk_angle_reading r = hk_angle_read(A, u, w, B, b);                                             \
    out[0] = reading_bias(&r, A, B);                                                               \
  }                                                                                                \
  static void name_##_curvature(const double *k, const hk_frame *A, const hk_frame *B,             \
                                const double *factor, double K[12][12]) {                          \
    hk_angle_reading r = hk_angle_read(A, u, w, B, b);                                             \
    reading_curvature(&r, factor[0], K);                                                           \
  }                                                                                                \
  static void name_##_turning_b(const double *k, const hk_frame *A, const hk_frame *B,             \
                                const double *factor, hk_mat3 *S) {                                \
    hk_angle_reading r = hk_angle_read(A, u, w, B, b);                                             \
    reading_turning(&r, factor[0], S);                                                             \
  }                                                                                                \
  const hk_relation_type hk_relation_##name_ = {.name = #name_,                                    \
                                                .rows = 1,                                         \
                                                .angular = true,                                   \
                                                .wraps = true,                                     \
                                                .value = name_##_value,                            \
                                                .gradient = name_##_gradient,                      \
                                                .bias = name_##_bias,                              \
                                                .curvature = name_##_curvature,                    \
                                                .turning_b = name_##_turning_b}

ANGLE_OF(angle, 0, 1, 0);
ANGLE_OF(cross_a, 1, 2, 1);

static void cross_b_value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_angle_reading r = hk_angle_read(B, 0, 2, A, 0);
  c[0] = atan2(r.s, r.q);
}

static void cross_b_gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  hk_angle_reading r = hk_angle_read(B, 0, 2, A, 0);
  J->tb = hk_angle_moment(&r);
  J->ta = hk_neg(J->tb);
}

static void cross_b_bias(const double *k, const hk_frame *A, const hk_frame *B, double *b) {
  hk_angle_reading r = hk_angle_read(B, 0, 2, A, 0);
  b[0] = reading_bias(&r, B, A);
}

static void cross_b_curvature(const double *k, const hk_frame *A, const hk_frame *B,
                              const double *factor, double K[12][12]) {
  hk_angle_reading r = hk_angle_read(B, 0, 2, A, 0);
  exchanged_curvature(&r, factor[0], K);
}

const hk_relation_type hk_relation_cross_b = {
    "cross_b", 1, true, true, cross_b_value, cross_b_gradient, cross_b_bias, cross_b_curvature};
