/* One ball between two grooves, in the half plane (r, z) at its azimuth.
 *
 * Symbols: the index o stands for the outer race, i for the inner race. D and m are the diameter and the mass of the
 * ball, J its moment of inertia, dm the pitch diameter. K_o and K_i are the contact stiffnesses, K_n that of both
 * contacts in series, A is the distance of the groove centres at the start of contact. a_o and a_i are the contact
 * angles, c_o, s_o, c_i, s_i their cosines and sines.
 *
 * d is the vector from the outer groove centre to the inner groove centre, b is the vector from the outer groove
 * centre to the centre of the ball, and e = d - b. With the directions n_o = b/|b| and n_i = e/|e| the contact loads
 * are
 *   Q_o = K_o (|b| - l_o)^1.5,  Q_i = K_i (|e| - l_i)^1.5,   l = groove radius - D/2
 * With the centrifugal force F_c and the friction forces T_o and T_i, the ball is in equilibrium if [Jones1960;
 * Harris2006]
 *   R(b) = Q_i n_i - Q_o n_o + (F_c, 0) + T_o + T_i = 0
 *
 * At low speed both contact angles equal the angle of d, and the load is Q = K_n (|d| - A)^1.5, without iteration.
 *
 * With the orbit speed wm, the speed wR of the ball about its own axis and the angle beta between this axis and the
 * bearing axis, the centrifugal force is F_c = m wm^2 dm/2. The gyroscopic moment is M_g = J wm wR sin(beta). Friction
 * at the races resists this moment:
 *   T_o = lambda_o M_g/D (s_o, -c_o),  T_i = lambda_i M_g/D (-s_i, c_i),  lambda_o + lambda_i = 2
 * The friction of the outer race pushes the ball outwards and against the thrust of the inner
 * ring: the sign follows from dL/dt = wm x L with the angular momentum L of the ball. With gp = D/dm and the speed w
 * of the inner ring relative to the outer ring, one of three assumptions gives wm, wR sin(beta) and lambda_o:
 *   outer control  wm = w (1 - gp c_i)/(1 + cos(a_i - a_o)),        wR sin(beta) = wm s_o/gp,       lambda_o = 2
 *   inner control  wm = w (cos(a_i - a_o) - gp c_o)/(1 + cos(...)),  wR sin(beta) = (w - wm) s_i/gp, lambda_i = 2
 *   load shared    as outer control, lambda_o = 2 Q_o/(Q_o + Q_i)
 * If the outer ring rotates, its speed is added to wm. */
#ifndef HK_BEARING_BALL_H
#define HK_BEARING_BALL_H
#include <math.h>
#include <stdbool.h>

typedef enum hk_bearing_dynamics {
  HK_BEARING_STATIC,
  HK_BEARING_CENTRIFUGAL,
  HK_BEARING_GYROSCOPIC
} hk_bearing_dynamics;
typedef enum hk_bearing_control {
  HK_BEARING_OUTER_CONTROL,
  HK_BEARING_INNER_CONTROL,
  HK_BEARING_LOAD_SHARED
} hk_bearing_control;

typedef struct hk_ball {
  double A, l_i, l_o;   /* distances of the groove centres at the start of contact [m] */
  double K_i, K_o, K_n; /* [N/m^1.5] */
  double D, dm, gp, mass;
  /* deflection of the outer contact divided by the sum of both deflections, at equal loads */
  double outer_part;
  double free_ratio; /* wm/w of a ball without contact at the inner race */
  hk_bearing_dynamics dynamics;
  hk_bearing_control control;
} hk_ball;

/* Speeds of the rings about the axis. */
typedef struct hk_bearing_speed {
  double inner, outer; /* [rad/s] speeds of the rings; inner: relative to the outer ring */
  double cage;         /* NAN: wm is computed by kinematics; otherwise its prescribed value */
} hk_bearing_speed;

/* Force of a ball on the inner ring, and its state. */
typedef struct hk_ball_load {
  double f[2];      /* force on the inner ring, (r, z) */
  double k[2][2];   /* -df/dd */
  double f_w[2][2]; /* df/d(speed.inner), df/d(speed.outer) */
  double Q_i, Q_o;
  double n_i[2], n_o[2]; /* directions of the loads */
  /* orbit speed relative to the outer ring; centrifugal force F_c; gyroscopic moment M_g */
  double wm, centrifugal, gyro;
  bool
      thrown; /* no equilibrium: contact angles of inner and outer race differ by more than 90 deg */
  double k_i; /* dQ_i along n_i */
} hk_ball_load;

/* Start of the iteration for a ball, taken from the equilibrium of its neighbour: the ball centre b of the neighbour,
 * the displacement d there, and db/dd. */
typedef struct hk_ball_start {
  bool known;
  double b[2], d[2], b_d[2][2];
} hk_ball_start;

/* `size`: deviation of the ball diameter from nominal. `slopes`: also computes k and f_w. `start` (may be NULL) is
 * used, and then overwritten by the equilibrium of this ball. Returns false if no equilibrium was found. */
bool hk_ball_fast(const hk_ball *p, const double d[2], double size, const hk_bearing_speed *w,
                  bool slopes, hk_ball_start *start, hk_ball_load *out);

/* Low speed. Returns false, without writing `out`, if the ball is not loaded. */
static inline bool hk_ball_static(const hk_ball *p, const double d[2], double size,
                                  hk_ball_load *out) {
  double L = sqrt(d[0] * d[0] + d[1] * d[1]), delta = L - p->A + size;
  if (!(delta > 0)) return false;
  double k = p->K_n * sqrt(delta), Q = k * delta, c = d[0] / L, s = d[1] / L, across = Q / L;
  k *= 1.5;
  out->Q_i = out->Q_o = Q;
  out->f[0] = -Q * c, out->f[1] = -Q * s;
  out->k[0][0] = k * c * c + across * s * s;
  out->k[1][1] = k * s * s + across * c * c;
  out->k[0][1] = out->k[1][0] = (k - across) * c * s;
  out->n_i[0] = out->n_o[0] = c, out->n_i[1] = out->n_o[1] = s;
  out->k_i = k;
  return true;
}
/* Elastic energy of both contacts. */
static inline double hk_ball_potential(const hk_ball *p, const double d[2], double size) {
  double delta = sqrt(d[0] * d[0] + d[1] * d[1]) - p->A + size;
  return delta > 0 ? 0.4 * p->K_n * delta * delta * sqrt(delta) : 0;
}
#endif
