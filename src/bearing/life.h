/* What is known of a bearing besides its forces: frequencies, films, pressures and fatigue life.
 *
 * Frequencies, per turn of the inner ring with the outer at rest, g = D cos(angle)/dm:
 *   cage (1 - g)/2,  outer race n (1 - g)/2,  inner race n (1 + g)/2,  ball spin dm/(2 D) (1 - g^2)
 * Film of balls [HamrockDowson1977], of rollers [Dowson1968], with the entrainment u = w dm (1 - g^2)/4 and
 * R_x = D (1 -+ g)/2.
 * Life [ISO281; ISO/TS 16281]: Q_c from the rating C of one row, loads of all elements in means of the powers 3 and 10/3
 * (rollers 4 and 4.5, slice by slice with the factor f_k for stress at the ends); rows together by the power 10/9 (9/8).
 */
#ifndef HK_BEARING_LIFE_H
#define HK_BEARING_LIFE_H
#include "bearing/balance.h"

typedef struct hk_bearing_frequencies {
  double cage, outer, inner, element;
} hk_bearing_frequencies;
hk_bearing_frequencies hk_bearing_frequencies_at(const hk_bearing *p, double angle);

typedef struct hk_oil {
  double viscosity, pressure_viscosity; /* [Pa s], [1/Pa] */
  double roughness;                     /* of both surfaces together, r.m.s. [m] */
} hk_oil;
/* Smallest and central film at one race (0 inner, 1 outer) under Q at the speed w of the inner ring; 0: no oil. */
void hk_bearing_film(const hk_bearing *p, int race, double Q, double w, const hk_oil *oil,
                     double *least, double *central);

/* Largest pressure, half the length of the contact across the rolling direction; rollers: of the hardest slice. */
typedef struct hk_bearing_patch {
  double pressure, half, width; /* width: half, along the rolling direction */
} hk_bearing_patch;
hk_bearing_patch hk_bearing_patch_at(const hk_bearing *p, int race, double Q, const double *slice);
/* Which part of the ellipse's half length lies beyond the shoulder; <= 0: none, NAN: no shoulder is known. */
double hk_bearing_truncation(const hk_bearing *p, int race, double angle, double half);

typedef struct hk_bearing_lubrication {
  double kappa;         /* viscosity ratio; 0: not known */
  double contamination; /* e_C */
  double fatigue_load;  /* C_u [N]; 0: not known */
  double reliability;   /* a_1 */
} hk_bearing_lubrication;
/* a_ISO, at most 50. */
double hk_bearing_a_iso(bool rollers, double kappa, double x);

typedef struct hk_bearing_life {
  double L10r, L10mr; /* millions of turns */
  double equivalent;  /* reference load C/L10r^(1/3), rollers ^(3/10) */
  double a_iso;       /* of the whole bearing */
} hk_bearing_life;
/* `rating` C of one row.  The inner ring turns against the load; else `outer_turns`.  `edges`: rollers with f_k. */
hk_bearing_life hk_bearing_life_of(const hk_bearing *p, const hk_bearing_element *element,
                                   const hk_bearing_speed *w, double rating,
                                   const hk_bearing_lubrication *oil, bool outer_turns, bool edges);
/* Q_c of the inner and of the outer race. */
void hk_bearing_rated_loads(const hk_bearing *p, double rating, double Q_c[2]);
/* Over a duty cycle: shares of the turns. */
double hk_bearing_life_over(const double *life, const double *share, int n);
#endif
