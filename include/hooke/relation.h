/* A relation: a smooth function c(A, B) of two frames, with first and second derivatives.
 *
 * All elements between two frames use relations. A joint holds some relations at zero; a joint coordinate is a relation
 * that is free. A motion sets a relation to a function of time, a coupling keeps a weighted sum of relations constant,
 * a spring applies a law to a relation, and a sensor reads a relation. So the derivatives are written and tested only
 * once.
 *
 * With the frame motions d = (dxA, dthetaA, dxB, dthetaB) in world axes (frame.h):
 *
 *   value      c
 *   gradient   J, so that the change of c is J d and its rate is J (vA, wA, vB, wB)
 *   bias       J' v: the part of the second time derivative that does not depend on accelerations
 *   curvature  K += sum_i factor_i dJ_i^T/dd, 12x12: the geometric stiffness of a force along c */
#ifndef HOOKE_RELATION_H
#define HOOKE_RELATION_H
#include <hooke/frame.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One row of J. */
typedef struct hk_row {
  hk_vec3 xa, ta, xb, tb;
} hk_row;

enum { HK_RELATION_CONSTANTS = 9, HK_RELATION_MAX_ROWS = 3 };

typedef struct hk_relation_type {
  const char *name;
  int rows;
  bool angular; /* c is an angle or a cosine, not a length */
  bool wraps;   /* c is unique only up to whole revolutions; the core counts these */
  /* A relation writes only the parts of its gradient that can be nonzero; the others are 0
   * already. For example, tb stays 0 if the relation does not depend on the rotation of B. */
  void (*value)(const double *k, const hk_frame *A, const hk_frame *B, double *c);
  void (*gradient)(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J);
  /* NULL: bias and curvature are finite differences of the gradient; compilation adds a note. */
  void (*bias)(const double *k, const hk_frame *A, const hk_frame *B, double *b);
  /* NULL, if bias is given: the curvature is zero. */
  void (*curvature)(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                    double K[12][12]);
  /* Nonholonomic: only J (vA, wA, vB, wB) = 0 holds, without a position constraint (rolling); value returns 0. */
  bool velocity_only;
  bool ground_a; /* A must be on the ground; its motion is ignored */
  /* For relations that depend only on the angles `a` and `b` of two rotors: fills c and its derivatives c_a, c_b,
   * c_aa, c_ab, c_bb. NULL: other relations. */
  void (*angles)(const double *k, double a, double b, double d[6]);
  /* If A is at rest: S += sum_i factor_i d(tb_i)/dthetaB. Optional: a faster form of `curvature`, for relations
   * in which the rotation of B is the only part of the curvature. */
  void (*turning_b)(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                    hk_mat3 *S);
} hk_relation_type;

HK_API extern const hk_relation_type hk_relation_point; /* xB - xA, world axes; 3 rows */
HK_API extern const hk_relation_type hk_relation_along; /* e.(xB - xA); k = e in A's axes */
HK_API extern const hk_relation_type
    hk_relation_dot; /* a.b - c0; k = a in A's, b in B's axes, c0 */
HK_API extern const hk_relation_type hk_relation_parallel; /* zA.xB, zA.yB; 2 rows */
HK_API extern const hk_relation_type hk_relation_distance; /* |xB - xA| - k[0] */
HK_API extern const hk_relation_type
    hk_relation_link; /* zA.(xB - xA) - k[0], |xB - xA| - k[1]; 2 rows */
/* angle of xB - xA about A's z axis, from A's x axis, wrapped */
HK_API extern const hk_relation_type hk_relation_azimuth;
HK_API extern const hk_relation_type hk_relation_homokinetic; /* (xA.yB - yA.xB)/2 */
HK_API extern const hk_relation_type
    hk_relation_angle; /* rotation of B about A's z axis, wrapped */
HK_API extern const hk_relation_type hk_relation_articulation; /* angle between the z axes */
HK_API extern const hk_relation_type
    hk_relation_cross_a; /* rotation of a universal joint's cross about xA */
HK_API extern const hk_relation_type hk_relation_cross_b;      /* rotation of B about its arm yB */
HK_API extern const hk_relation_type hk_relation_wheel_height; /* k = radius */
HK_API extern const hk_relation_type hk_relation_rolling;      /* k = radius; 2 velocity rows */
HK_API extern const hk_relation_type hk_relation_knife_edge;   /* yB.vB */
/* angle of rotor B minus angle of rotor A */
HK_API extern const hk_relation_type hk_relation_turn;

HK_API extern const hk_relation_type
    hk_relation_universal_turn; /* three rows: the articulation angle beta, cos beta, sin^2 beta */

/* K[i..i+2][j..j+2] += s M */
static inline void hk_block_add(double K[12][12], int i, int j, double s, const hk_mat3 *M) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) K[i + r][j + c] += s * M->m[r][c];
}
static inline double hk_row_rate(const hk_row *J, const hk_frame *A, const hk_frame *B) {
  return hk_dot(J->xa, A->v) + hk_dot(J->ta, A->w) + hk_dot(J->xb, B->v) + hk_dot(J->tb, B->w);
}

#ifdef __cplusplus
}
#endif
#endif
