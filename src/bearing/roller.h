/* One roller between two races, in slices, in the half plane (r, z) at its azimuth.
 *
 * The inner race moves by d at two of its points, x = +half and -half along the roller, which gives its displacement a
 * along the normal n_i in the middle and its tilt s.  Slice k at x_k presses with  q = c delta^(10/9)  [ISO/TS 16281].
 *
 * Cylindrical roller at low speed: both contacts together, without iteration,
 *   delta_k = a + s x_k - clearance/2 - 2 P(x_k),   c = 35948 L^(8/9)/slices  (N, mm)
 * Fast or tapered: the roller's shift w = (w_r, w_z) and tilt t are unknowns, each contact has c_1 = 2^(10/9) c, and
 *   V(w, t) = V_o(n_o.w, t) + V_i(a - clearance/2 - n_i.w, s - t) + V_rib - F_c w_r
 * is least; V is convex.  A tapered roller is pressed towards its large end and held there by a rib of the inner ring,
 * which pushes along the roller's axis with K_rib depth^1.5.
 */
#ifndef HK_BEARING_ROLLER_H
#define HK_BEARING_ROLLER_H
#include "bearing/ball.h"

enum { HK_ROLLER_MAX_SLICES = 64 };

typedef struct hk_roller {
  int slices, padded; /* padded: a multiple of four, slices behind the last are never loaded */
  double x[HK_ROLLER_MAX_SLICES], relief[HK_ROLLER_MAX_SLICES]; /* P of one contact */
  double c, c_1;                                                /* of one slice [N/m^(10/9)] */
  double half;                                                  /* where d is given [m] */
  double clearance;                                             /* radial: half of the diametral */
  double n_i[2], n_o[2], axis[2];     /* axis: towards the small end, along which the rib pushes */
  double rib, rib_height, rib_offset; /* K_rib; from the race, from the roller's axis */
  bool tapered;
  double D, dm, mass, free_ratio;
  hk_bearing_dynamics dynamics;
} hk_roller;

typedef struct hk_roller_load {
  double f[4], k[4][4], f_w[2][4]; /* at both points, (r, z) each */
  double Q_i, Q_o, Q_rib, potential, wm, centrifugal;
  double Q_d[4]; /* of Q_i, by d */
} hk_roller_load;

/* `fast`: with its inertia.  False: no balance was found. */
bool hk_roller_press(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                     bool fast, hk_roller_load *out);
/* The loads of its slices, inner race then outer race. */
void hk_roller_slices(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                      bool fast, double *inner, double *outer);
/* Film that resists being squeezed, of `damping` N s/m over all slices, growing in over the depth `ramp`: adds to
 * f and k, fills c = -df/d(rate) and returns the power lost. */
double hk_roller_damp(const hk_roller *p, const double d[4], const double rate[4], double size,
                      double damping, double ramp, double f[4], double k[4][4], double c[4][4]);
#endif
