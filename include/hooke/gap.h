/* Helpers for contact geometry: the derivatives of a contact's normal and point.
 *
 * A small motion is d = (dxA, dthetaA, dxB, dthetaB). A direction n that is fixed to a frame changes by dtheta x n. If
 * n also depends on the position of B relative to A, the change has the additional terms sum_i k_i tau_i (tau_i . du),
 * where du is the displacement of B's point p relative to A and tau_i are unit vectors normal to n. */
#ifndef HOOKE_GAP_H
#define HOOKE_GAP_H
#include <hooke/element.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Always inlined, because the hot loops are compiled for several processors. */
#ifndef HK_INLINE
#define HK_INLINE static inline __attribute__((always_inline))
#endif

HK_INLINE void hk_gap_put(double *k, hk_vec3 v) { k[0] = v.x, k[1] = v.y, k[2] = v.z; }
HK_INLINE hk_vec3 hk_gap_get(const double *k) { return hk_v3(k[0], k[1], k[2]); }

/* Adds the derivative of f v to D, for a vector v that is fixed to a frame: its change is f
 * dtheta x v. `column` is the first column of the rotation dtheta of this frame. */
HK_INLINE void hk_gap_carry(double D[3][12], int column, double f, hk_vec3 v) {
  D[0][column + 1] += f * v.z;
  D[0][column + 2] -= f * v.y;
  D[1][column] -= f * v.z;
  D[1][column + 2] += f * v.x;
  D[2][column] += f * v.y;
  D[2][column + 1] -= f * v.x;
}

enum { HK_GAP_XA = 0, HK_GAP_TA = 3, HK_GAP_XB = 6, HK_GAP_TB = 9 };

/* Computes the row of e . du for a direction e, where du is the displacement of a point of B
 * relative to A. rA and rB are the vectors from the origins of A and B to this point. */
HK_INLINE void hk_gap_row(hk_vec3 e, hk_vec3 rA, hk_vec3 rB, double g[12]) {
  hk_vec3 a = hk_cross(e, rA), b = hk_cross(rB, e);
  hk_gap_put(g + HK_GAP_XA, hk_neg(e));
  hk_gap_put(g + HK_GAP_TA, a);
  hk_gap_put(g + HK_GAP_XB, e);
  hk_gap_put(g + HK_GAP_TB, b);
}

/* D += v g^T */
HK_INLINE void hk_gap_outer(double D[3][12], hk_vec3 v, const double g[12]) {
  for (int j = 0; j < 12; j++) {
    D[0][j] += v.x * g[j];
    D[1][j] += v.y * g[j];
    D[2][j] += v.z * g[j];
  }
}

/* Point of action for a ball of B centred at B's origin: halfway between the two surfaces. */
HK_INLINE hk_vec3 hk_gap_ball_point(const hk_frame *B, double radius, const hk_gap *gap) {
  return hk_axpy(B->x, -(radius + 0.5 * gap->gap), gap->n);
}

/* Computes the derivatives for a ball of B centred at B's origin; d: vector from the origin of A to the origin of B.
 * n_d has the n_tau terms described above, and the contact point c is that of hk_gap_ball_point. */
HK_INLINE void hk_gap_ball(hk_vec3 d, double radius, int n_tau, const hk_vec3 *tau, const double *k,
                           hk_gap *out) {
  double N[12], g[2][12], h = radius + 0.5 * out->gap;
  const hk_vec3 n = out->n, zero = {0, 0, 0};
  hk_gap_row(n, d, zero, N);
  for (int i = 0; i < n_tau; i++) hk_gap_row(tau[i], d, zero, g[i]);
  const double nv[3] = {n.x, n.y, n.z};
  const double tv[2][3] = {{n_tau > 0 ? k[0] * tau[0].x : 0, n_tau > 0 ? k[0] * tau[0].y : 0,
                            n_tau > 0 ? k[0] * tau[0].z : 0},
                           {n_tau > 1 ? k[1] * tau[1].x : 0, n_tau > 1 ? k[1] * tau[1].y : 0,
                            n_tau > 1 ? k[1] * tau[1].z : 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) {
      double n_d = n_tau > 0 ? tv[0][i] * g[0][j] : 0;
      if (n_tau > 1) n_d += tv[1][i] * g[1][j];
      out->n_d[i][j] = n_d;
      out->c_d[i][j] = -0.5 * nv[i] * N[j] - h * n_d;
    }
  hk_gap_carry(out->n_d, HK_GAP_TA, 1, n);
  hk_gap_carry(out->c_d, HK_GAP_TA, -h, n);
  for (int i = 0; i < 3; i++) out->c_d[i][HK_GAP_XB + i] += 1;
}

HK_INLINE void hk_gap_clear(double D[3][12]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) D[i][j] = 0;
}

/* Fills t_d for a tangent that is fixed to a frame. */
HK_INLINE void hk_gap_carried_tangent(int column, hk_gap *out) {
  hk_gap_clear(out->t_d);
  hk_gap_carry(out->t_d, column, 1, out->t);
}

/* Computes a tangent for a normal of any direction: the axis of A with the largest angle to n,
 * projected normal to n.  The choice of the axis changes abruptly with n; isotropic friction does
 * not depend on this choice. */
HK_API void hk_gap_free_tangent(const hk_frame *A, bool derivative, hk_gap *out);

#ifdef __cplusplus
}
#endif
#endif
