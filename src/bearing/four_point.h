/* One ball of a four-point bearing: both rings have two arcs, with centres on both sides of the
 * middle.
 *
 * The centre `b` of the ball is unknown. The centres of the outer arcs are O_j, those of the inner arcs I_j, with j =
 * 1, 2. Each of the four contacts has the load K (distance of centres - l)^1.5. With the energy V_o or V_i of a
 * contact and the centrifugal force F_c, the function
 *   V(b) = sum_j V_o(|b - O_j| - l_o) + sum_j V_i(|I_j - b| - l_i) - F_c b_r
 * has a minimum. V is convex, because distances are. The centres I_j of the inner arcs move with
 * the inner ring. */
#ifndef HK_BEARING_FOUR_POINT_H
#define HK_BEARING_FOUR_POINT_H
#include "bearing/ball.h"

typedef struct hk_four_point {
  double outer[2][2]; /* centres of the outer arcs, (r, z) */
  double inner[2][2]; /* centres of the inner arcs in the initial position */
} hk_four_point;

typedef struct hk_four_point_load {
  double f[4], k[4][4], f_w[2][4];
  double Q_i[2], Q_o[2], n_i[2][2], n_o[2][2];
  double potential, wm, centrifugal;
} hk_four_point_load;

/* d: displacements of both inner centres. Returns false if no equilibrium was found. */
bool hk_four_point_press(const hk_ball *ball, const hk_four_point *p, const double d[4],
                         double size, const hk_bearing_speed *w, bool fast,
                         hk_four_point_load *out);
#endif
