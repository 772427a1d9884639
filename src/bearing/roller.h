/* One roller between two races, in slices, in the half plane (r, z) at its azimuth.
 *
 * The inner race moves by d at two of its points, x = +half and -half along the roller, which
 * gives its displacement a along the normal n_i in the middle and its tilt s.  Slice k at x_k
 * has the load  q = c delta^(10/9)  [ISO/TS 16281].
 *
 * Cylindrical roller at low speed: both contacts together, without iteration,
 *   delta_k = a + s x_k - clearance/2 - 2 P(x_k),   c = 35948 L^(8/9)/slices  (N, mm)
 * Fast or tapered: the displacement w = (w_r, w_z) and tilt t of the roller are unknowns, each
 * contact has c_1 = 2^(10/9) c, and
 *   V(w, t) = V_o(n_o.w, t) + V_i(a - clearance/2 - n_i.w, s - t) + V_rib - F_c w_r
 * has a minimum; V is convex. A tapered roller is pushed towards its large end and supported
 * there by a rib of the inner ring, with the force K_rib depth^1.5 along the axis of the roller.
 *
 * Barrel-shaped roller between a spherical outer race, whose centre O is on the bearing axis, and an inner race with the section of a
 * circle: it turns until its middle is on the line from O to the centre of this circle, as a ball does.  d is the vector between
 * the two centres (one point only), n = d/|d|, and delta_k = |d| - reach - clearance - 2 P(x_k).  The force acts through O, so
 * that the bearing transmits no moment. */
#ifndef HK_BEARING_ROLLER_H
#define HK_BEARING_ROLLER_H
#include "bearing/ball.h"

enum { HK_ROLLER_MAX_SLICES = 64 };

typedef struct hk_roller {
  int slices, padded; /* padded: a multiple of four; slices after the last one are never loaded */
  double x[HK_ROLLER_MAX_SLICES], relief[HK_ROLLER_MAX_SLICES]; /* P of one contact */
  double c, c_1;                  /* stiffness constants of one slice [N/m^(10/9)] */
  double half;                    /* position of the points with displacement d [m] */
  double clearance;               /* radial: half of the diametral clearance */
  double n_i[2], n_o[2], axis[2]; /* axis: towards the small end, the direction of the rib force */
  double rib, rib_height, rib_offset; /* K_rib; height above the race, distance from the axis of
                                       * the roller */
  bool tapered, barrel;
  /* barrel-shaped rollers: distance of the centres of the race sections at the start of contact, for zero clearance */
  double reach;
  double D, dm, mass, free_ratio;
  hk_bearing_dynamics dynamics;
} hk_roller;

typedef struct hk_roller_load {
  double f[4], k[4][4], f_w[2][4]; /* force on the inner ring at both points, (r, z) each, and
                                    * its derivatives */
  double Q_i, Q_o, Q_rib, potential, wm, centrifugal;
  double Q_d[4]; /* derivative of Q_i with respect to d */
} hk_roller_load;

/* `fast`: with inertia. Returns false if no equilibrium was found. */
bool hk_roller_press(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                     bool fast, hk_roller_load *out);
/* The loads of its slices, inner race then outer race. */
void hk_roller_slices(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                      bool fast, double *inner, double *outer);
/* Squeeze damping of the film, `damping` N s/m over all slices, increasing to its full value
 * over the depth `ramp`: adds to f and k, fills c = -df/d(rate) and returns the dissipated
 * power. */
double hk_roller_damp(const hk_roller *p, const double d[4], const double rate[4], double size,
                      double damping, double ramp, double f[4], double k[4][4], double c[4][4]);
#endif
