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
  bool tangent; /* false: k, f_w and drag_d of fast balls are not needed */
  /* result of the previous element of the row, as start of the iteration; NULL: none */
  hk_ball_start *start;
} hk_element_in;

typedef struct hk_element_out {
  double f[HK_ELEMENT_ROWS];                  /* force on the inner ring */
  double k[HK_ELEMENT_ROWS][HK_ELEMENT_ROWS]; /* -df/dd */
  double c[HK_ELEMENT_ROWS][HK_ELEMENT_ROWS]; /* -df/d(rate) */
  double f_w[2][HK_ELEMENT_ROWS];
  double potential, dissipated, applied;
  /* contribution of the element to the friction torque, and its derivative with respect to d */
  double drag, drag_d[HK_ELEMENT_ROWS];
} hk_element_out;

/* Sum of rolling and spinning friction of a ball under Q, as a moment on the inner ring; s: sine of its
 * contact angle. */
static inline double hk_ball_drag(const hk_bearing *p, double Q, double s, double *by_Q,
                                  double *by_s) {
  static const double ROUND = 1e-2; /* regularization of |s| */
  const hk_bearing_friction *r = &p->friction;
  const double roll = 0.5 * r->load * p->ball.dm;
  *by_Q = roll, *by_s = 0;
  if (!(r->spin > 0)) return roll * Q;
  double size = sqrt(s * s + ROUND * ROUND), S = s * s / size,
         S_s = s * (2 - s * s / (size * size)) / size;
  double spin = r->spin * r->spin_arm * cbrt(Q);
  *by_Q += 4.0 / 3 * spin * S;
  *by_s = spin * Q * S_s;
  return roll * Q + spin * Q * S;
}

/* Returns NULL, or an error message. *loaded: true if the element carries load; only then `out`
 * is filled. `tell` may be NULL. */
const char *hk_element_press(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                             hk_element_out *out, hk_bearing_element *tell);
#endif
