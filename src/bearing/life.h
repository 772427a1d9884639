/* Further results of a bearing: frequencies, films, pressures and fatigue life.
 *
 * Frequencies per revolution of the inner ring, with the outer ring at rest. n is the number of elements, D their
 * diameter, dm the pitch diameter, and g = D cos(contact angle)/dm:
 *   cage (1 - g)/2,  outer race n (1 - g)/2,  inner race n (1 + g)/2,  ball spin dm/(2 D) (1 - g^2)
 * Film thickness of balls [HamrockDowson1977], of rollers [Dowson1968], with the entrainment
 * velocity u = w dm (1 - g^2)/4 and R_x = D (1 -+ g)/2. Life [ISO281; ISO/TS 16281]: Q_c from
 * the rating C of one row, loads of all elements as power means with exponents 3 and 10/3
 * (rollers 4 and 4.5, slice by slice with the factor f_k for edge stress); rows are combined
 * with the exponent 10/9 (9/8). */
#ifndef HK_BEARING_LIFE_H
#define HK_BEARING_LIFE_H
#include "bearing/balance.h"

typedef struct hk_bearing_frequencies {
  double cage, outer, inner, element;
} hk_bearing_frequencies;
hk_bearing_frequencies hk_bearing_frequencies_at(const hk_bearing *p, double angle);

typedef struct hk_oil {
  double viscosity, pressure_viscosity; /* [Pa s], [1/Pa] */
  double roughness;                     /* combined r.m.s. roughness of both surfaces [m] */
} hk_oil;
/* The minimum film thickness is proportional to this power of Q. */
static inline double hk_bearing_film_power(const hk_bearing *p) {
  return hk_bearing_has_rollers(p) ? -0.13 : -0.073;
}
/* Minimum and central film thickness at one race (0 inner, 1 outer) under Q at the speed w of
 * the inner ring; 0: no oil. */
void hk_bearing_film(const hk_bearing *p, int race, double Q, double w, const hk_oil *oil,
                     double *least, double *central);

/* Maximum pressure, and semi-axis of the contact perpendicular to the rolling direction;
 * rollers: of the most loaded slice. */
typedef struct hk_bearing_patch {
  double pressure, half, width; /* width: semi-axis along the rolling direction */
} hk_bearing_patch;
hk_bearing_patch hk_bearing_patch_at(const hk_bearing *p, int race, double Q, const double *slice);
/* Fraction of the semi-axis of the ellipse that is beyond the shoulder; <= 0: none, NAN: the
 * shoulder is not known. */
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
  double L10r, L10mr; /* millions of revolutions */
  double equivalent;  /* reference load C/L10r^(1/3), rollers ^(3/10) */
  double a_iso;       /* life modification factor of the whole bearing */
} hk_bearing_life;
/* `rating`: C of one row. The inner ring rotates relative to the load, or with `outer_turns` the
 * outer ring. `edges`: rollers with f_k. */
hk_bearing_life hk_bearing_life_of(const hk_bearing *p, const hk_bearing_element *element,
                                   const hk_bearing_speed *w, double rating,
                                   const hk_bearing_lubrication *oil, bool outer_turns, bool edges);
/* Q_c of the inner and of the outer race. */
void hk_bearing_rated_loads(const hk_bearing *p, double rating, double Q_c[2]);
/* Life over a duty cycle; share: fractions of the revolutions. */
double hk_bearing_life_over(const double *life, const double *share, int n);
#endif
