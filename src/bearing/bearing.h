/* Data of a rolling bearing: computed from a drawing by bearing/design.h and evaluated by
 * bearing/ring_force.h.
 *
 * Frames: the outer ring has the axis z and its origin in the middle of the bearing; the frame
 * of the inner ring coincides with it when the bearing is unloaded. Element k of a row is in the
 * half plane at the azimuth 2 pi k/n of the cage. */
#ifndef HK_BEARING_BEARING_H
#define HK_BEARING_BEARING_H
#include "bearing/four_point.h"
#include "bearing/roller.h"
#include "hertz/ellipse.h"

enum { HK_BEARING_MAX_ROWS = 8, HK_BEARING_MAX_ELEMENTS = 64, HK_BEARING_MAX_ORDERS = 48 };

typedef enum hk_bearing_kind {
  HK_BEARING_DEEP_GROOVE,
  HK_BEARING_ANGULAR_CONTACT,
  HK_BEARING_FOUR_POINT,
  HK_BEARING_CYLINDRICAL_ROLLER,
  HK_BEARING_TAPERED_ROLLER,
  HK_BEARING_SPHERICAL_ROLLER
} hk_bearing_kind;

typedef struct hk_bearing_row {
  double side;       /* +1: supports forces on the inner ring along +z; 0: in both directions */
  double at;         /* position of the row along z */
  double R[2], z[2]; /* circles of the inner ring on which contact points move, in its axes */
  /* points (r, z) in the half plane of the outer ring from which the displacements d are measured */
  double from[2][2];
} hk_bearing_row;

/* A raised cosine of this depth around an angle: h = depth/2 (1 + cos(pi x/half)). */
typedef struct hk_spall {
  double at, half, depth;
} hk_spall;

/* Deviation of a race: a sum of terms amplitude cos(order (phi - phase)). */
typedef struct hk_waviness {
  int orders; /* the highest order */
  double amplitude[HK_BEARING_MAX_ORDERS + 1], phase[HK_BEARING_MAX_ORDERS + 1]; /* [0] unused */
} hk_waviness;

typedef struct hk_bearing_friction {
  double load, spin; /* coefficients of rolling and of spinning friction */
  double rest;       /* regularization velocity of friction [rad/s] */
  double viscous;    /* moment = viscous |w|^(2/3) sign(w) [N m s^(2/3)] */
  double spin_arm;   /* 3/8 a E of the inner contact at 1 N [m]; proportional to Q^(1/3) */
} hk_bearing_friction;

/* Force about one position: see bearing/linear.h. */
enum { HK_BEARING_LINEAR = 5 };
typedef struct hk_bearing_linear {
  bool on;
  double q[HK_BEARING_LINEAR], F[HK_BEARING_LINEAR];
  double K[HK_BEARING_LINEAR][HK_BEARING_LINEAR], C[HK_BEARING_LINEAR][HK_BEARING_LINEAR];
  /* friction moment at a speed at which it is fully developed, without the viscous part */
  double drag;
} hk_bearing_linear;

typedef struct hk_bearing {
  hk_bearing_kind kind;
  int rows, n, points; /* n elements in each row; number of points of the inner ring per element */
  hk_bearing_row row[HK_BEARING_MAX_ROWS];
  double cosine[HK_BEARING_MAX_ELEMENTS], sine[HK_BEARING_MAX_ELEMENTS];
  double size[HK_BEARING_MAX_ROWS][HK_BEARING_MAX_ELEMENTS]; /* deviation of the diameter from
                                                              * nominal */
  hk_ball ball;
  hk_roller roller;
  hk_four_point four;
  hk_bearing_dynamics dynamics;

  double kappa;      /* cage revolutions per revolution of the inner ring */
  double spin_ratio; /* rotations of an element about its own axis per revolution of the inner
                      * ring */
  double growth;     /* growth of the inner race radius per speed squared [m s^2] */
  double damping, ramp;
  hk_bearing_friction friction;

  bool defects;
  hk_waviness wavy[2]; /* inner, outer */
  hk_spall spall[3];   /* inner, outer, element */
  int spalled;         /* element with spall[2] */
  hk_bearing_linear linear;

  /* The following members are used only for tables and channels. */
  double nominal_angle, g; /* g = D cos(nominal angle)/dm */
  double modulus;          /* E' */
  hk_hertz hertz[2];       /* inner, outer */
  double clearance;        /* diametral, mounted */
  double preload_displacement;
  double shoulder[2]; /* height / diameter, inner and outer; 0: not given */
  double conformity[2];
} hk_bearing;

static inline bool hk_bearing_has_rollers(const hk_bearing *p) {
  return p->kind >= HK_BEARING_CYLINDRICAL_ROLLER;
}

/* Rollers of a row that faces the other way are computed as mirror images, except barrel-shaped rollers. */
static inline double hk_bearing_roller_side(const hk_bearing *p, int row) {
  return p->row[row].side < 0 && !p->roller.barrel ? -1 : 1;
}

/* A ring with a contact angle has a shoulder on one side only: beyond the bottom of its groove
 * the race continues straight along the axis and does not support the other ring in that
 * direction. */
static inline bool hk_bearing_beyond_groove(const hk_bearing_row *r, const double d[2]) {
  return r->side * d[1] < 0;
}
#endif
