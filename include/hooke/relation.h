/* A relation: a smooth function c(A, B) of two frames, with first and second derivatives.
 *
 * Everything between two frames stands on relations: a joint holds some of them at zero, a joint
 * coordinate is one left free, a motion holds one at a function of time, a coupling holds a
 * weighted sum, a spring puts a law on one, a sensor reads one.  So their derivatives are derived
 * and tested once.
 *
 * With the frame motions d = (dxA, dthetaA, dxB, dthetaB) in world axes (frame.h):
 *   value      c
 *   gradient   J, so that the change of c is J d and its rate is J (vA, wA, vB, wB)
 *   bias       J' v: the part of the second time derivative that accelerations do not make
 *   curvature  K += sum_i factor_i dJ_i^T/dd, 12x12: the geometric stiffness of a force along c
 */
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
  bool wraps;   /* c is known up to whole turns; the core unwraps it */
  /* Written only where not zero: a row of a relation without rotation of B keeps tb = 0. */
  void (*value)(const double *k, const hk_frame *A, const hk_frame *B, double *c);
  void (*gradient)(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J);
  /* NULL: bias and curvature are differences of the gradient, and whoever compiles a model is told. */
  void (*bias)(const double *k, const hk_frame *A, const hk_frame *B, double *b);
  /* NULL beside a bias: zero. */
  void (*curvature)(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                    double K[12][12]);
  /* Only J (vA, wA, vB, wB) = 0 is meant, there is no position behind it (rolling); value gives 0. */
  bool velocity_only;
  bool ground_a; /* A must be on the ground: its own motion is left out */
  /* A function of two rotors' angles a, b alone: c, c_a, c_b, c_aa, c_ab, c_bb.  NULL: it is none. */
  void (*angles)(const double *k, double a, double b, double d[6]);
  /* Where A rests: S += sum_i factor_i d(tb_i)/dthetaB, if that is all of the curvature that is left.  NULL: it
   * is not, or curvature tells it as well, only more slowly. */
  void (*turning_b)(const double *k, const hk_frame *A, const hk_frame *B, const double *factor,
                    hk_mat3 *S);
} hk_relation_type;

HK_API extern const hk_relation_type hk_relation_point;    /* xB - xA, world axes; 3 rows */
HK_API extern const hk_relation_type hk_relation_along;    /* e.(xB - xA); k = e in A's axes */
HK_API extern const hk_relation_type hk_relation_dot;      /* a.b - c0; k = a in A's, b in B's axes, c0 */
HK_API extern const hk_relation_type hk_relation_parallel; /* zA.xB, zA.yB; 2 rows */
HK_API extern const hk_relation_type hk_relation_distance; /* |xB - xA| - k[0] */
HK_API extern const hk_relation_type hk_relation_homokinetic; /* (xA.yB - yA.xB)/2 */
HK_API extern const hk_relation_type hk_relation_angle;    /* turn of B about A's z axis, wrapped */
HK_API extern const hk_relation_type hk_relation_bend;     /* angle between the z axes */
HK_API extern const hk_relation_type hk_relation_cross_a;  /* turn of a universal joint's cross about xA */
HK_API extern const hk_relation_type hk_relation_cross_b;  /* turn of B about its arm yB */
HK_API extern const hk_relation_type hk_relation_wheel_height; /* k = radius */
HK_API extern const hk_relation_type hk_relation_rolling;      /* k = radius; 2 rows of velocity */
HK_API extern const hk_relation_type hk_relation_knife_edge;   /* yB.vB */
HK_API extern const hk_relation_type hk_relation_turn;     /* angle of rotor B minus that of rotor A */

HK_API extern const hk_relation_type hk_relation_universal_turn; /* k = beta, cos beta, sin^2 beta */

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
