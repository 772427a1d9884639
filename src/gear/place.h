/* How two gears stand to each other in a transverse section, from the frames that they are fixed to.
 *
 * Everything is a function of B as seen from A: u = RA^T (xB - xA) and Q = RA^T RB, which move by
 * (du, dpsi), Q -> exp(dpsi~) Q.  The section at height s of gear 1 meets the axis of gear 2 at its height
 * s2.  In it the centres are a apart, and the teeth stand at the angles c1, c2 from the line of centres.
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

typedef struct hk_gear_stand {
  hk_place_value distance; /* a */
  hk_place_value
      angle[2]; /* of the line of centres, from gear 1 to gear 2, in the axes of each gear */
  hk_place_value height; /* s2 */
} hk_gear_stand;
/* `n` sections at the heights s[]; D only if `second`. */
void hk_gear_stand_at(const hk_gear_relative *r, const double *s, int n, bool second,
                      hk_gear_stand *out);
#endif
