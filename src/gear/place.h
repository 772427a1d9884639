/* How two gears stand to each other, from the frames that they are fixed to.
 *
 * Everything is a function of B as seen from A: u = RA^T (xB - xA) and Q = RA^T RB, which move by
 * (du, dpsi), Q -> exp(dpsi~) Q.  Neither gear is preferred: sections are square to the mean m = e_z + b of
 * both axes, b = Q e_z, and counted from the middle between the middles of both faces.  Along m that of
 * gear 2 is shifted by
 *   z = (u_z + b.u)/(1 + b_z)
 * so that the section at s meets the axes at the heights s1 = s + z/2 and s2 = s - z/2 of each gear, at
 * points that are
 *   d = u + s2 b - s1 e_z,   d.m = 0
 * apart.  In it the centres are a apart, and the teeth stand at the angles c1, c2 from the line of centres.
 * The faces have in common what is left of the face width w beside the shift, W = w - |z|; the sections lie
 * at parts of that, s = part W.
 *
 * A place p of the section, from the first axis, is at the heights s1 + p.e_z and s2 + (p - d).b.  Since p
 * and d are square to m, p.b = -p.e_z, and the heights differ by
 *   z + (2 p - d).e_z
 * The `lean` of the axes are the components of e_z along the line of centres and across it, to the left:
 * d_z/a and (b_x d_y - b_y d_x)/(2 a), which is right to the second order of the tilt; in the middle section.
 *
 * Each of these comes with its gradient and, if asked, the derivative of the gradient.
 */
#ifndef HK_GEAR_PLACE_H
#define HK_GEAR_PLACE_H
#include <hooke/frame.h>
#include <stdbool.h>

/* A number with its gradient g by (u, psi) and, of g, the derivative D[i][j] = dg_i/dq_j. */
typedef struct hk_place_value {
  double v, g[6], D[6][6];
} hk_place_value;

/* B as seen from A, with rates. */
typedef struct hk_gear_relative {
  hk_vec3 u;
  hk_mat3 Q;
  double rate[6]; /* (u', omega), omega = RA^T (wB - wA) */
} hk_gear_relative;
void hk_gear_relate(const hk_frame *A, const hk_frame *B, hk_gear_relative *out);

/* The common face width W over the shift z, and its slope.  Where the faces are flush the corner of w - |z|
 * is round over a thousandth of the width, as if by a chamfer. */
typedef struct hk_gear_face {
  double width, slope, bend; /* W, dW/dz, its slope */
} hk_gear_face;
hk_gear_face hk_gear_face_at(double face_width, double shift);
/* z alone. */
double hk_gear_shift(const hk_gear_relative *r);

/* What all sections have in common. */
typedef struct hk_gear_axes {
  hk_place_value shift; /* z */
  hk_place_value lean[2];
  hk_gear_face face;
} hk_gear_axes;

typedef struct hk_gear_stand {
  hk_place_value distance; /* a */
  hk_place_value
      angle[2]; /* of the line of centres, from gear 1 to gear 2, in the axes of each gear */
  double height[2], height_slope[2]; /* s1, s2 and their slopes by z */
} hk_gear_stand;

/* `n` sections at these parts of the common face, from -1/2 to 1/2; lean only if asked, D only if `second`. */
void hk_gear_stand_at(const hk_gear_relative *r, double face_width, const double *part, int n,
                      bool lean, bool second, hk_gear_axes *axes, hk_gear_stand *out);
#endif
