/* Friction of compliant laws: sliding, drilling and rolling.
 *
 * pade: at each point of an elliptic area under Hertzian pressure, Coulomb friction acts against
 * the local velocity v + w n x r. The resultants T and M are integrals over the area. Their
 * expansions for w -> 0 and for v -> 0 are known, and rational functions join the two, as
 * proposed by [KudraAwrejcewicz2013], after [Zhuravlev1998] for a circle. With the semi-axes
 * a_t, a_s, the longer one a, m = 1 - (short/long)^2 and the complete elliptic integrals K(m),
 * E(m), the limits are, first for w -> 0 and then for v -> 0,
 *   T_i = -mu N (v_i/v) (1 - (3 Q/v^2 - 2 a_i^2) w^2/(10 v^2)),  M = -mu N Q w/(5 v^3)
 *   T_i = -mu N v_i/(h_i w),  M = -mu N rho (1 - sum(v_i^2/h_i)/(2 rho w^2))
 *   Q = a_t^2 v_t^2 + a_s^2 v_s^2,  rho = (3/8) a E
 *   1/h_long = (3/2) (K - E)/(m a),  1/h_short = (3/2) (E - (1 - m) K)/(m a)
 * The functions with these limits were derived here, since the published fits are for other
 * shapes:
 *   T_i = -mu N v_i/V_i,  V_i^2 = (v^4 + (l_i v^2 + G_i) w^2 + h_i^2 l_i w^4)/(v^2 + l_i w^2)
 *   G_i = (3 Q - 2 a_i^2 v^2)/5, but not below -l_i v^2/4,  l_i = 0.9 h_i^2
 *   M = -mu N rho w (D |w|^3 + s)/(D w^4 + D g w^2 + 1)
 *   s = Q/(5 rho v^3),  g = (v_t^2/h_t + v_s^2/h_s)/(2 rho),  D = s^2/g + Q'^2/(6.5 v^8)
 * with Q' = a_s^2 v_t^2 + a_t^2 v_s^2. The numbers 0.9, 1/4 and 6.5 were fitted to the
 * integrals. The largest errors of T/(mu N) and M/(mu N rho) are 0.04 and 0.02 for a circle,
 * 0.05 and 0.06 for axes 3 : 1, 0.10 and 0.09 for 7 : 1, 0.15 and 0.11 for 16 : 1.
 *
 * integrated: the same integrals as sums, see friction_integral.h.
 *
 * The semi-axes grow as N^(1/3), or are constant if given. For regularization of pade, v_t^2 and v_s^2
 * are each increased by half of velocity^2. */
#include "law/friction.h"
#include "base/hot.h"
#include "law/friction_integral.h"
#include "law/saturation.h"

const char *const hk_friction_forms[] = {"linear", "tanh",       "tanh_stribeck",
                                         "pade",   "integrated", NULL};

enum {
  KIND = HK_LAW_FRICTION,
  FORM,
  MU,
  RISE,  /* mu_static - mu */
  RATE1, /* 1/v1 */
  RATE2, /* 1/v2; v2^2 for pade */
  HALF_T,
  HALF_S, /* semi-axes at 1 N, or the given semi-axes; 0: not known */
  THIRD,  /* exponent of the growth of the ellipse with the load: 1/3, or 0 for a given ellipse */
  RHO,
  H_T,
  H_S,
  ROLL,
  SPIN,
  TURN2, /* friction_angular_velocity^2 */
  N_K
};
_Static_assert((int)N_K <= (int)HK_LAW_CONSTANTS, "constants of friction");

/* Computes rho, h_t, h_s of the ellipse with the semi-axes in k. */
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
  bool fixed = p->semi_axis_t > 0 && p->semi_axis_s > 0;
  double mu_static = hk_item_has(item, "mu_static") ? p->mu_static : p->mu;
  if (mu_static < p->mu)
    return hk_fail(err, HK_EINPUT, "mu_static %g must not be smaller than mu %g", mu_static, p->mu);
  if (!fixed && (p->semi_axis_t > 0 || p->semi_axis_s > 0))
    return hk_fail(err, HK_EINPUT, "semi_axis_t and semi_axis_s must be given together");
  k[FORM] = p->friction;
  k[MU] = p->mu;
  k[RISE] = p->friction == HK_MU3 ? mu_static - p->mu : 0;
  k[RATE1] = 1 / p->stribeck_velocity;
  k[RATE2] = p->friction == HK_PADE ? p->friction_velocity * p->friction_velocity
                                    : 1 / p->friction_velocity;
  k[HALF_T] = fixed ? p->semi_axis_t : ellipse->half_t;
  k[HALF_S] = fixed ? p->semi_axis_s : ellipse->half_s;
  k[THIRD] = fixed ? 0 : 1.0 / 3;
  k[ROLL] = p->rolling_resistance;
  k[SPIN] = p->spinning_resistance;
  k[TURN2] = p->friction_angular_velocity * p->friction_angular_velocity;
  bool slides = p->mu > 0 || mu_static > 0, turns = k[ROLL] > 0 || k[SPIN] > 0;
  bool area = slides && p->friction >= HK_PADE;
  k[KIND] = turns || area ? HK_FRICTION_GENERAL : slides ? HK_FRICTION_SLIDE : HK_FRICTION_NONE;
  if (!area) return HK_OK;
  if (!(k[HALF_T] > 0))
    return hk_fail(
        err, HK_EINPUT,
        "friction: %s needs the contact ellipse: give youngs_modulus and use a contact with "
        "curvatures, or give semi_axis_t and semi_axis_s",
        hk_friction_forms[p->friction]);
  if (p->friction == HK_PADE) prepare_pade(k);
  return HK_OK;
}

int hk_friction_kind(const double *k) { return (int)k[KIND]; }

/* min(1, x) = 1 at x = 1;  tanh x = 0.99 at x = 2.65;  x/sqrt(1 + x^2) = 0.99 at x = 7.02 */
double hk_friction_full_speed(const double *k) {
  if (k[FORM] == HK_PADE) return 7.02 * sqrt(k[RATE2]);
  return (k[FORM] == HK_MU1 ? 1 : 2.65) / k[RATE2];
}

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

HK_HOT double hk_friction_slide(const double *k, double v, double *f_v) {
  double mu = k[MU], rate = k[RATE2];
  if (k[FORM] == HK_MU1) {
    bool creeps = v * rate < 1;
    *f_v = creeps ? 0 : -mu / (v * v);
    return creeps ? mu * rate : mu / v;
  }
  double f_x, f = hk_saturation(v * rate, &f_x), mu_v = 0;
  if (k[RISE] > 0) {
    double rise = k[RISE] * exp(-v * k[RATE1]);
    mu += rise;
    mu_v = -rise * k[RATE1];
  }
  *f_v = rate * (mu_v * f + mu * rate * f_x);
  return mu * rate * f;
}

bool hk_friction_takes_four(const double *k) {
  return k[FORM] == HK_MU2 || k[FORM] == HK_MU3 || k[KIND] == HK_FRICTION_NONE;
}

HK_HOT void hk_friction_slide_four(const hk_v4 *k, const hk_v4 *v, hk_v4 *f, hk_v4 *f_v) {
  hk_v4 rate = k[RATE2], t_x, t = hk_saturation_four(*v * rate, &t_x);
  hk_v4 rise = k[RISE] * hk_exp4(-*v * k[RATE1]), mu = k[MU] + rise;
  *f_v = rate * (mu * rate * t_x - rise * k[RATE1] * t);
  *f = mu * rate * t;
}

/* Isotropic sliding along the axes of `slip`. */
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

/* Regularized squares of the sliding velocity, and quantities computed from them. Index:
 * HK_SLIDE_T, HK_SLIDE_S; a trailing underscore marks derivatives with respect to v_i^2. */
typedef struct sliding {
  double v[2], square[2], v2, Q, Q_[2], cross, cross_[2];
  double half2[2], h[2];
} sliding;

static sliding measure_sliding(const double *k, const double *slip) {
  sliding m = {.v = {slip[HK_SLIDE_T], slip[HK_SLIDE_S]},
               .half2 = {k[HALF_T] * k[HALF_T], k[HALF_S] * k[HALF_S]},
               .h = {k[H_T], k[H_S]}};
  for (int i = 0; i < 2; i++) m.square[i] = m.v[i] * m.v[i] + 0.5 * k[RATE2];
  m.v2 = m.square[0] + m.square[1];
  m.Q_[0] = m.cross_[1] = m.half2[0];
  m.Q_[1] = m.cross_[0] = m.half2[1];
  m.Q = m.Q_[0] * m.square[0] + m.Q_[1] * m.square[1];
  m.cross = m.cross_[0] * m.square[0] + m.cross_[1] * m.square[1];
  return m;
}

/* f_i = v_i/V_i with its derivatives with respect to v_t, v_s and w. */
static double pade_force(const sliding *m, double w, int i, double slope[3]) {
  double h2 = m->h[i] * m->h[i], l = 0.9 * h2, w2 = w * w, v2 = m->v2, a2 = m->half2[i];
  double G = (3 * m->Q - 2 * a2 * v2) / 5, least = -0.25 * l * v2;
  bool cut = G < least;
  if (cut) G = least;
  double d = 1 / (v2 + l * w2);
  double V2 = (v2 * v2 + (l * v2 + G) * w2 + h2 * l * w2 * w2) * d;
  double inverse = 1 / sqrt(V2), f = m->v[i] * inverse, c = -f * inverse * inverse;
  for (int j = 0; j < 2; j++) {
    double G_j = cut ? -0.25 * l : (3 * m->Q_[j] - 2 * a2) / 5;
    slope[j] = c * d * (2 * v2 + (l + G_j) * w2 - V2) * m->v[j];
  }
  slope[i] += inverse;
  slope[2] = c * d * (l * v2 + G + 2 * h2 * l * w2 - l * V2) * w;
  return f;
}

/* f = w (D |w|^3 + s)/(D w^4 + D g w^2 + 1) with its derivatives with respect to v_t, v_s and w. */
static double pade_moment(const sliding *m, double rho, double w, double slope[3]) {
  double w2 = w * w, w3 = fabs(w) * w2, i2 = 1 / m->v2, r = 0.5 / rho;
  const double g_[2] = {r / m->h[0], r / m->h[1]};
  double g = g_[0] * m->square[0] + g_[1] * m->square[1], ig = 1 / g;
  double s0 = sqrt(i2) * i2 / (5 * rho), s = m->Q * s0;
  double D1 = s * s * ig, D2_ = m->cross * i2 * i2 * i2 * i2 / 6.5, D2 = m->cross * D2_,
         D = D1 + D2;
  double n = D * w3 + s, d = 1 / (D * w2 * (w2 + g) + 1), f = w * n * d;
  for (int j = 0; j < 2; j++) {
    double s_ = m->Q_[j] * s0 - 1.5 * s * i2;
    double D_ = 2 * s * s_ * ig - D1 * g_[j] * ig + 2 * m->cross_[j] * D2_ - 4 * D2 * i2;
    double n_ = D_ * w3 + s_, d_ = D_ * w2 * (w2 + g) + D * g_[j] * w2;
    slope[j] = 2 * m->v[j] * d * (w * n_ - f * d_);
  }
  slope[2] = d * (n + 3 * D * w3 - f * D * w * (4 * w2 + 2 * g));
  return f;
}

/* Computes the forces f and the moment f[HK_SPIN] of the area with the semi-axes in k, per mu N, and J, their
 * derivatives by v_t, v_s and w. */
static void pade(const double *k, const double slip[3], double f[3], double J[3][3]) {
  sliding m = measure_sliding(k, slip);
  for (int i = 0; i < 2; i++) f[i] = pade_force(&m, slip[HK_SPIN], i, J[i]);
  f[HK_SPIN] = k[RHO] * pade_moment(&m, k[RHO], slip[HK_SPIN], J[HK_SPIN]);
  for (int j = 0; j < 3; j++) J[HK_SPIN][j] *= k[RHO];
}

/* All lengths are those of the contact area at N = 1 N, or the given ones. The actual area is larger by the factor
 * `size`, which is proportional to N^third with third = 1/3, or 0 if the lengths are given. The friction is then T =
 * -mu N f(v, size w) and M = -mu N size f(v, size w). */
static void slide_over_area(const double *k, double N, const double *slip, double *out,
                            double (*J)[HK_N_SLIP], double *by_N) {
  double third = k[THIRD], size = third > 0 ? cbrt(N) : 1, w = size * slip[HK_SPIN];
  const double at[3] = {slip[HK_SLIDE_T], slip[HK_SLIDE_S], w};
  double f[3], slope[3][3];
  if (k[FORM] == HK_PADE)
    pade(k, at, f, slope);
  else
    hk_friction_integral(k + HALF_T, k[RATE2], at, f, J ? slope : NULL);
  for (int i = 0; i < 3; i++) { /* HK_SLIDE_T, HK_SLIDE_S, HK_SPIN */
    double arm = i < 2 ? 1 : size;
    out[i] = -k[MU] * N * arm * f[i];
    if (!J) continue;
    for (int j = 0; j < 3; j++) J[i][j] = -k[MU] * N * arm * slope[i][j] * (j < 2 ? 1 : size);
    by_N[i] = -k[MU] * arm * (f[i] * (i < 2 ? 1 : 1 + third) + third * w * slope[i][2]);
  }
}

/* Moments -N arm w/sqrt(|w|^2 + w0^2) against drilling and rolling. */
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
  if (k[FORM] < HK_PADE) {
    slide(k, N, slip, out, J, by_N);
  } else if (k[MU] > 0) {
    slide_over_area(k, N, slip, out, J, by_N);
  }
  resist(k, N, slip, out, J, by_N);
}
