/* Relative position of two gears, from the frames to which they are fixed.
 *
 * Everything is a function of B relative to A: u = RA^T (xB - xA) and Q = RA^T RB, which change
 * by (du, dpsi), Q -> exp(dpsi~) Q.  Both gears are treated equally: sections are perpendicular
 * to the mean m = e_z + b of both axes, b = Q e_z, and their position is measured from the
 * midpoint between the middles of both faces. Along m the middle of gear 2 is shifted by
 *   z = (u_z + b.u)/(1 + b_z)
 * so that the section at s intersects the axes at the heights s1 = s + z/2 and s2 = s - z/2 of
 * each gear, at points with the distance vector
 *   d = u + s2 b - s1 e_z,   d.m = 0
 * In the section the centres have the distance a, and the line of centres has the angles c1, c2
 * in the axes of each gear. The faces have the widths w1 and w2 and extend from -w1/2 - z/2 to
 * w1/2 - z/2 and from -w2/2 + z/2 to w2/2 + z/2. With e = (w1 - w2)/4 their common part is
 *   W = (w1 + w2)/2 - |e - z/2| - |e + z/2|   around the middle   c = (|e + z/2| - |e - z/2|)/2
 * For gears of equal width w this is w - |z| around 0. The sections are at fractions of it,
 * s = c + part W.
 *
 * A point p of the section, measured from the first axis, is at the heights s1 + p.e_z and s2 +
 * (p - d).b. Since p and d are perpendicular to m, p.b = -p.e_z, and the heights differ by
 *   z + (2 p - d).e_z
 * The inclination of the axes (`lean`) consists of the components of e_z along the line of
 * centres and perpendicular to it (counter-clockwise): d_z/a and (b_x d_y - b_y d_x)/(2 a), in
 * the middle section, correct to second order in the tilt.
 *
 * Each of these quantities has its gradient and, if requested, the derivative of the gradient. */
#ifndef HK_GEAR_RELATIVE_POSITION_H
#define HK_GEAR_RELATIVE_POSITION_H
#include <hooke/frame.h>
#include <stdbool.h>

/* A number with its gradient g with respect to (u, psi) and the derivative of g, D[i][j] =
 * dg_i/dq_j. */
typedef struct hk_gear_value {
  double v, g[6], D[6][6];
} hk_gear_value;

/* Position of B relative to A, with rates. */
typedef struct hk_gear_relative {
  hk_vec3 u;
  hk_mat3 Q;
  double rate[6]; /* (u', omega), omega = RA^T (wB - wA) */
} hk_gear_relative;
void hk_gear_relate(const hk_frame *A, const hk_frame *B, hk_gear_relative *out);

/* The common face width W and its middle c as functions of the shift z, with derivatives. Where
 * the faces are flush, the kinks of |e -+ z/2| are rounded over a thousandth of the width, as if
 * by a chamfer. */
typedef struct hk_gear_face {
  double width, slope, bend;                /* W, dW/dz, d^2W/dz^2 */
  double middle, middle_slope, middle_bend; /* c, dc/dz, d^2c/dz^2 */
} hk_gear_face;
hk_gear_face hk_gear_face_at(const double face_width[2], double shift);
/* Only z. */
double hk_gear_shift(const hk_gear_relative *r);

/* Quantities common to all sections. */
typedef struct hk_gear_axes {
  hk_gear_value shift; /* z */
  hk_gear_value lean[2];
  hk_gear_face face;
} hk_gear_axes;

typedef struct hk_gear_centers {
  hk_gear_value distance; /* a */
  hk_gear_value
      angle[2]; /* angle of the line of centres, from gear 1 to gear 2, in the axes of each gear */
  double height[2], height_slope[2]; /* s1, s2 and their derivatives with respect to z */
} hk_gear_centers;

/* Computes `n` sections at the fractions `part` of the common face width, from -1/2 to 1/2. The inclination axes->lean
 * is computed only if `lean` is true, and the derivatives D of the gradients only if `second` is true. */
void hk_gear_centers_at(const hk_gear_relative *r, const double face_width[2], const double *part,
                        int n, bool lean, bool second, hk_gear_axes *axes, hk_gear_centers *out);
#endif
