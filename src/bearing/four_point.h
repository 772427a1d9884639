/* One ball of a four-point bearing: both rings have two arcs, whose centres lie on both sides of the middle.
 *
 * The ball's centre b is an unknown; each of the four contacts presses with K (distance of centres - l)^1.5, and
 *   V(b) = sum_j V_o(|b - O_j| - l_o) + sum_j V_i(|I_j - b| - l_i) - F_c b_r
 * is least.  V is convex, because distances are.  The centres I_j of the inner arcs move with the inner ring.
 */
#ifndef HK_BEARING_FOUR_POINT_H
#define HK_BEARING_FOUR_POINT_H
#include "bearing/ball.h"

typedef struct hk_four_point {
  double outer[2][2]; /* centres of the outer arcs, (r, z) */
  double inner[2][2]; /* ... of the inner ones before they move */
} hk_four_point;

typedef struct hk_four_point_load {
  double f[4], k[4][4], f_w[2][4];
  double Q_i[2], Q_o[2], n_i[2][2], n_o[2][2];
  double potential, wm, centrifugal;
} hk_four_point_load;

/* d: by how much both inner centres have moved.  False: no balance was found. */
bool hk_four_point_press(const hk_ball *ball, const hk_four_point *p, const double d[4],
                         double size, const hk_bearing_speed *w, bool fast,
                         hk_four_point_load *out);
#endif
