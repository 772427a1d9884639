/* One rolling element of any kind: from the displacements d of points of the inner ring in its
 * half plane to forces. */
#ifndef HK_BEARING_ELEMENT_H
#define HK_BEARING_ELEMENT_H
#include "bearing/ring_force.h"

enum { HK_ELEMENT_ROWS = 4 }; /* two points, (r, z) each */

typedef struct hk_element_in {
  int row, k;
  const double *d, *rate;
  const hk_bearing_speed *speed;
  bool tangent;         /* false: k, f_w and drag_d of fast balls are not needed */
  hk_ball_start *start; /* from the previous element of the row; may be NULL */
} hk_element_in;

typedef struct hk_element_out {
  double f[HK_ELEMENT_ROWS];                  /* force on the inner ring */
  double k[HK_ELEMENT_ROWS][HK_ELEMENT_ROWS]; /* -df/dd */
  double c[HK_ELEMENT_ROWS][HK_ELEMENT_ROWS]; /* -df/d(rate) */
  double f_w[2][HK_ELEMENT_ROWS];
  double potential, dissipated, applied;
  double drag, drag_d[HK_ELEMENT_ROWS]; /* its contribution to the friction torque, and the
                                         * derivative with respect to d */
} hk_element_out;

/* Returns NULL, or an error message; *loaded: true if `out` was filled. `tell` may be NULL. */
const char *hk_element_press(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                             hk_element_out *out, hk_bearing_element *tell);
#endif
