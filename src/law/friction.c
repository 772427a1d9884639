/* Friction of compliant laws: sliding, spinning and rolling.
 *
 * pade: at each point of an elliptic area under Hertz's pressure acts Coulomb's friction against
 * the local velocity v + w n x r.  Its resultants are known for w -> 0 and for v -> 0; first-order
 * Pade approximants join the two [KudraAwrejcewicz2013; Zhuravlev1998 for a circle], here in the
 * form with squares, which is smooth: T_i = -mu N v_i/sqrt(v^2 + h_i^2 w^2),     M = -mu N rho
 * w/sqrt(w^2 + g^2 v^2) rho = (3/8) a E(m),  g = 5 rho v^2/(a_t^2 v_t^2 + a_s^2 v_s^2) 1/h_long =
 * (3/2) (K - E)/(m a),  1/h_short = (3/2) (E - (1 - m) K)/(m a) with the long half axis a, m = 1 -
 * (short/long)^2 and the complete elliptic integrals K(m), E(m). Derived here from the two limits;
 * for a circle they are Zhuravlev's.  The area grows as N^(1/3), or keeps the half axes given.  At
 * rest v2^2 is added under the root of T, (v2/rho)^2 under that of M.
 */
#include "law/friction.h"

const char *const hk_friction_forms[] = {"mu1", "mu2", "mu3", "pade", NULL};

enum {
  KIND = HK_LAW_FRICTION,
  FORM,
  MU,
  RISE,  /* mu_static - mu */
  RATE1, /* 1/v1 */
  RATE2, /* 1/v2; v2^2 for pade */
  HALF_T,
  HALF_S, /* half axes at 1 N, or those given; 0: not known */
  THIRD,  /* 1/3 if the ellipse grows, 0 if not */
  RHO,
  H_T,
  H_S,
  ROLL,
  SPIN,
  TURN2, /* turning_velocity^2 */
  N_K
};
_Static_assert((int)N_K <= (int)HK_LAW_CONSTANTS, "constants of friction");

/* rho, h_t, h_s of the ellipse with the half axes in k. */
static void prepare_pade(double *k) {
  double a = fmax(k[HALF_T], k[HALF_S]), ratio = fmin(k[HALF_T], k[HALF_S]) / a, K, S;
  double m = (1 - ratio) * (1 + ratio);
  hk_elliptic(ratio, &K, &S);
  double s = m > 0 ? S / m : 0.5; /* K - E = K S,  E - (1 - m) K = K (m - S) */
  double along = a / (1.5 * K * s), across = a / (1.5 * K * (1 - s));
  k[RHO] = 0.375 * a * K * (1 - S);
  k[H_T] = k[HALF_T] >= k[HALF_S] ? along : across;
  k[H_S] = k[HALF_T] >= k[HALF_S] ? across : along;
}

hk_status hk_friction_prepare(const hk_item *item, const hk_friction *p, const hk_hertz *ellipse,
                              double *k, hk_error *err) {
  bool fixed = p->half_axis_t > 0 && p->half_axis_s > 0;
  double mu_static = hk_item_has(item, "mu_static") ? p->mu_static : p->mu;
  if (mu_static < p->mu)
    return hk_fail(err, HK_EINPUT, "mu_static %g must not be smaller than mu %g", mu_static, p->mu);
  if (!fixed && (p->half_axis_t > 0 || p->half_axis_s > 0))
    return hk_fail(err, HK_EINPUT, "half_axis_t and half_axis_s go together");
  k[FORM] = p->friction;
  k[MU] = p->mu;
  k[RISE] = p->friction == HK_MU3 ? mu_static - p->mu : 0;
  k[RATE1] = 1 / p->static_velocity;
  k[RATE2] = p->friction == HK_PADE ? p->velocity * p->velocity : 1 / p->velocity;
  k[HALF_T] = fixed ? p->half_axis_t : ellipse->half_t;
  k[HALF_S] = fixed ? p->half_axis_s : ellipse->half_s;
  k[THIRD] = fixed ? 0 : 1.0 / 3;
  k[ROLL] = p->rolling_resistance;
  k[SPIN] = p->spinning_resistance;
  k[TURN2] = p->turning_velocity * p->turning_velocity;
  bool slides = p->mu > 0 || mu_static > 0, turns = k[ROLL] > 0 || k[SPIN] > 0;
  bool pade = slides && p->friction == HK_PADE;
  k[KIND] = turns || pade ? HK_FRICTION_GENERAL : slides ? HK_FRICTION_SLIDE : HK_FRICTION_NONE;
  if (!pade) return HK_OK;
  if (!(k[HALF_T] > 0))
    return hk_fail(err, HK_EINPUT,
                   "friction: pade needs the contact ellipse: give young and use a contact with "
                   "curvatures, or give half_axis_t and half_axis_s");
  prepare_pade(k);
  return HK_OK;
}

int hk_friction_kind(const double *k) { return (int)k[KIND]; }

bool hk_friction_pressure(const double *k, double depth, double N, double *half_t, double *half_s,
                          double *peak) {
  (void)depth;
  if (!(k[HALF_T] > 0)) return false;
  double size = k[THIRD] > 0 ? cbrt(N) : 1;
  *half_t = size * k[HALF_T];
  *half_s = size * k[HALF_S];
  *peak = N > 0 ? N / (2.0943951023931953 * *half_t * *half_s) : 0; /* 3 N/(2 pi a b) */
  return true;
}

/* f = tanh(x)/x and f' for x >= 0. */
static double saturation(double x, double *f_x) {
  double x2 = x * x;
  if (x < 0.1) {
    *f_x = x * (-2.0 / 3 +
                x2 * (8.0 / 15 - x2 * (34.0 / 105 - x2 * (496.0 / 2835 - x2 * (2764.0 / 31185)))));
    return 1 -
           x2 * (1.0 / 3 -
                 x2 * (2.0 / 15 - x2 * (17.0 / 315 - x2 * (62.0 / 2835 - x2 * (1382.0 / 155925)))));
  }
  double e = x < 20 ? exp(-2 * x) : 0, s = (1 - e) / (1 + e), f = s / x;
  *f_x = (1 - s * s - f) / x;
  return f;
}

double hk_friction_slide(const double *k, double v, double *f_v) {
  double mu = k[MU], rate = k[RATE2];
  if (k[FORM] == HK_MU1) {
    bool creeps = v * rate < 1;
    *f_v = creeps ? 0 : -mu / (v * v);
    return creeps ? mu * rate : mu / v;
  }
  double f_x, f = saturation(v * rate, &f_x), mu_v = 0;
  if (k[RISE] > 0) {
    double rise = k[RISE] * exp(-v * k[RATE1]);
    mu += rise;
    mu_v = -rise * k[RATE1];
  }
  *f_v = rate * (mu_v * f + mu * rate * f_x);
  return mu * rate * f;
}

/* Isotropic sliding in the axes of `slip`. */
static void slide(const double *k, double N, const double *slip, double *out,
                  double (*J)[HK_N_SLIP], double *by_N) {
  double vt = slip[HK_SLIDE_T], vs = slip[HK_SLIDE_S], v = sqrt(vt * vt + vs * vs), f_v;
  double f = hk_friction_slide(k, v, &f_v), g = v > 0 ? f_v / v : 0;
  out[HK_SLIDE_T] = -N * f * vt;
  out[HK_SLIDE_S] = -N * f * vs;
  if (!J) return;
  J[HK_SLIDE_T][HK_SLIDE_T] = -N * (f + g * vt * vt);
  J[HK_SLIDE_T][HK_SLIDE_S] = J[HK_SLIDE_S][HK_SLIDE_T] = -N * g * vt * vs;
  J[HK_SLIDE_S][HK_SLIDE_S] = -N * (f + g * vs * vs);
  by_N[HK_SLIDE_T] = -f * vt;
  by_N[HK_SLIDE_S] = -f * vs;
}

/* T_i = -mu N v_i/V */
static void pade_force(const double *k, double N, double size, int i, const double *slip,
                       double *out, double (*J)[HK_N_SLIP], double *by_N) {
  double vt = slip[HK_SLIDE_T], vs = slip[HK_SLIDE_S], w = slip[HK_SPIN];
  double h = size * k[i == HK_SLIDE_T ? H_T : H_S], h2 = h * h;
  double inverse = 1 / sqrt(vt * vt + vs * vs + h2 * w * w + k[RATE2]);
  double b = k[MU] * inverse, c = b * inverse * inverse, v = slip[i];
  out[i] = -N * b * v;
  if (!J) return;
  J[i][HK_SLIDE_T] = N * c * v * vt;
  J[i][HK_SLIDE_S] = N * c * v * vs;
  J[i][HK_SPIN] = N * c * v * h2 * w;
  J[i][i] -= N * b;
  by_N[i] = -b * v + k[THIRD] * c * v * h2 * w * w;
}

/* M = -mu N rho w/W,  W^2 = w^2 + u^2 + (v2/rho)^2,  u = 5 rho v^3/Q,  Q = a_t^2 v_t^2 + a_s^2
 * v_s^2 */
static void pade_moment(const double *k, double N, double size, const double *slip, double *out,
                        double (*J)[HK_N_SLIP], double *by_N) {
  double vt = slip[HK_SLIDE_T], vs = slip[HK_SLIDE_S], w = slip[HK_SPIN], v2 = vt * vt + vs * vs;
  double at = size * k[HALF_T], as = size * k[HALF_S], rho = size * k[RHO];
  double Q = at * at * vt * vt + as * as * vs * vs, p = v2 > 0 ? v2 / Q : 0;
  double u2 = 25 * rho * rho * p * p * v2, W2 = w * w + u2 + k[RATE2] / (rho * rho);
  double inverse = 1 / sqrt(W2), b = k[MU] * rho * inverse, c = b * inverse * inverse;
  out[HK_SPIN] -= N * b * w;
  if (!J) return;
  double slope = N * c * w * 25 * rho * rho * p * p; /* of half u^2 by v: (3 - 2 a^2 p) v */
  J[HK_SPIN][HK_SLIDE_T] = slope * vt * (3 - 2 * at * at * p);
  J[HK_SPIN][HK_SLIDE_S] = slope * vs * (3 - 2 * as * as * p);
  J[HK_SPIN][HK_SPIN] += -N * b + N * c * w * w;
  by_N[HK_SPIN] -= b * w * (1 + k[THIRD]) + k[THIRD] * c * w * (W2 - w * w);
}

/* Moments -N arm w/sqrt(|w|^2 + w0^2) against spinning and against rolling. */
static void resist(const double *k, double N, const double *slip, double *out,
                   double (*J)[HK_N_SLIP], double *by_N) {
  double w = slip[HK_SPIN], inverse = 1 / sqrt(w * w + k[TURN2]), b = k[SPIN] * inverse;
  out[HK_SPIN] -= N * b * w;
  double rt = slip[HK_ROLL_T], rs = slip[HK_ROLL_S];
  double rolling = 1 / sqrt(rt * rt + rs * rs + k[TURN2]), r = k[ROLL] * rolling;
  out[HK_ROLL_T] = -N * r * rt;
  out[HK_ROLL_S] = -N * r * rs;
  if (!J) return;
  J[HK_SPIN][HK_SPIN] += -N * b * (1 - w * w * inverse * inverse);
  by_N[HK_SPIN] -= b * w;
  double c = N * r * rolling * rolling;
  J[HK_ROLL_T][HK_ROLL_T] = c * rt * rt - N * r;
  J[HK_ROLL_T][HK_ROLL_S] = J[HK_ROLL_S][HK_ROLL_T] = c * rt * rs;
  J[HK_ROLL_S][HK_ROLL_S] = c * rs * rs - N * r;
  by_N[HK_ROLL_T] = -r * rt;
  by_N[HK_ROLL_S] = -r * rs;
}

void hk_friction_general(const double *k, double N, const double slip[HK_N_SLIP],
                         double out[HK_N_SLIP], double J[HK_N_SLIP][HK_N_SLIP],
                         double by_N[HK_N_SLIP]) {
  for (int i = 0; i < HK_N_SLIP; i++) {
    out[i] = 0;
    if (!J) continue;
    by_N[i] = 0;
    for (int j = 0; j < HK_N_SLIP; j++) J[i][j] = 0;
  }
  if (!(N > 0)) return;
  if (k[FORM] != HK_PADE) {
    slide(k, N, slip, out, J, by_N);
  } else if (k[MU] > 0) {
    double size = k[THIRD] > 0 ? cbrt(N) : 1;
    pade_force(k, N, size, HK_SLIDE_T, slip, out, J, by_N);
    pade_force(k, N, size, HK_SLIDE_S, slip, out, J, by_N);
    pade_moment(k, N, size, slip, out, J, by_N);
  }
  resist(k, N, slip, out, J, by_N);
}
