/* Friction of compliant laws, regularized at zero sliding speed so that it is differentiable.
 *
 * With the sliding speed v and the coefficient mu(v), T = -N mu(v) v_t/v [Marter2020, figure 5]:
 *
 *   linear          mu min(1, v/v2)                               sign function with a steep linear part
 *   tanh            mu tanh(v/v2)                                 continuously differentiable
 *   tanh_stribeck   (mu + (mu_static - mu) exp(-v/v1)) tanh(v/v2)   eq. 22
 *
 * with v1 = stribeck_velocity and v2 = friction_velocity. At speeds below v2 a loaded contact slides slowly; it never
 * sticks.
 *
 *   pade            coupled sliding and drilling friction over an elliptic area: see friction.c
 *   integrated      as pade, but with mu tanh(v/v2) at each point, by quadrature: see friction_integral.h
 *
 * Rolling and drilling resistance: a moment N times the given lever arm against the relative rotation, regularized
 * below friction_angular_velocity. */
#ifndef HK_LAW_FRICTION_H
#define HK_LAW_FRICTION_H
#include "base/simd4.h"
#include "law/elastic.h"

typedef enum hk_friction_form { HK_MU1, HK_MU2, HK_MU3, HK_PADE, HK_INTEGRATED } hk_friction_form;
extern const char *const hk_friction_forms[];

typedef struct hk_friction {
  int friction;
  double mu, mu_static, friction_velocity, stribeck_velocity;
  double semi_axis_t, semi_axis_s;
  double rolling_resistance, spinning_resistance, friction_angular_velocity;
} hk_friction;
#define HK_FRICTION_DEFAULTS                                                  \
  {                                                                           \
    .friction = HK_MU3, .friction_velocity = 1e-3, .stribeck_velocity = 1e-2, \
    .friction_angular_velocity = 1e-1                                         \
  }
#define HK_FRICTION_PARAMS(S, f)                                                                  \
  HK_PARAM_AS("friction", HK_PARAM_ENUM, S, f.friction, NULL, 0,                                  \
              "linear: steep line, tanh: tanh, tanh_stribeck: tanh with a higher coefficient "    \
              "near rest, pade: sliding coupled with drilling over the contact ellipse, "         \
              "integrated: the same as tanh at each point of the ellipse, by quadrature",         \
              .choices = hk_friction_forms),                                                      \
      HK_PARAM_AS("mu", HK_PARAM_REAL, S, f.mu, NULL, 0, "coefficient of friction when sliding",  \
                  HK_MIN(0)),                                                                     \
      HK_PARAM_AS("mu_static", HK_PARAM_REAL, S, f.mu_static, NULL, 0,                            \
                  "coefficient near rest (tanh_stribeck); default: mu", HK_MIN(0)),               \
      HK_PARAM_AS(                                                                                \
          "friction_velocity", HK_PARAM_REAL, S, f.friction_velocity, "m/s", HK_POSITIVE,         \
          "regularization velocity: sliding speed below which friction decreases to zero"),       \
      HK_PARAM_AS("stribeck_velocity", HK_PARAM_REAL, S, f.stribeck_velocity, "m/s", HK_POSITIVE, \
                  "Stribeck velocity: sliding speed over which mu_static decreases to mu "        \
                  "(tanh_stribeck)"),                                                             \
      HK_PARAM_AS("semi_axis_t", HK_PARAM_REAL, S, f.semi_axis_t, "m", HK_POSITIVE,               \
                  "semi-axis of the contact area along the first tangent, instead of the "        \
                  "Hertzian one"),                                                                \
      HK_PARAM_AS("semi_axis_s", HK_PARAM_REAL, S, f.semi_axis_s, "m", HK_POSITIVE,               \
                  "semi-axis along the second tangent"),                                          \
      HK_PARAM_AS("rolling_resistance", HK_PARAM_REAL, S, f.rolling_resistance, "m", 0,           \
                  "moment against rolling per normal force", HK_MIN(0)),                          \
      HK_PARAM_AS("spinning_resistance", HK_PARAM_REAL, S, f.spinning_resistance, "m", 0,         \
                  "moment against drilling (rotation about the normal) per normal force",         \
                  HK_MIN(0)),                                                                     \
      HK_PARAM_AS("friction_angular_velocity", HK_PARAM_REAL, S, f.friction_angular_velocity,     \
                  "rad/s", HK_POSITIVE,                                                           \
                  "regularization velocity of these moments: relative angular velocity below "    \
                  "which they decrease to zero")

/* Fills the constants from k[HK_LAW_FRICTION] on. `item` is the law with the parameters p. */
hk_status hk_friction_prepare(const hk_item *item, const hk_friction *p, const hk_hertz *ellipse,
                              double *k, hk_error *err);
/* Sliding friction of four contacts at once, if the friction form of each supports it: see
 * hk_law_four. */
bool hk_friction_takes_four(const double *k);
void hk_friction_slide_four(const hk_v4 *k, const hk_v4 *v, hk_v4 *f, hk_v4 *f_v);
/* Operations of hk_law_ops. */
double hk_friction_slide(const double *k, double v, double *f_v);
void hk_friction_general(const double *k, double N, const double slip[HK_N_SLIP],
                         double out[HK_N_SLIP], double J[HK_N_SLIP][HK_N_SLIP],
                         double by_N[HK_N_SLIP]);
int hk_friction_kind(const double *k);
double hk_friction_full_speed(const double *k);
bool hk_friction_pressure(const double *k, double depth, double N, double *half_t, double *half_s,
                          double *peak);
#define HK_FRICTION_OPS                                                                           \
  .slide = hk_friction_slide, .friction = hk_friction_general, .friction_kind = hk_friction_kind, \
  .full_speed = hk_friction_full_speed, .pressure = hk_friction_pressure
#endif
