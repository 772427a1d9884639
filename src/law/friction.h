/* Friction of compliant laws, rounded off at rest so that it has a slope everywhere.
 *
 * With the sliding speed v and the coefficient mu(v), T = -N mu(v) v_t/v [Marter2020, figure 5]:
 *   mu1   mu min(1, v/v2)                                  sign function with a steep line
 *   mu2   mu tanh(v/v2)                                    continuously differentiable
 *   mu3   (mu + (mu_static - mu) exp(-v/v1)) tanh(v/v2)    eq. 22
 * with v1 = static_velocity and v2 = velocity.  Below v2 the contact creeps: it never sticks.
 *
 *   pade  sliding and spinning over an elliptic area coupled: see friction.c
 *
 * Resistance to rolling and spinning: a moment N times the given arm against the turning, rounded
 * off below turning_velocity.
 */
#ifndef HK_FRICTION_H
#define HK_FRICTION_H
#include "base/four.h"
#include "law/elastic.h"

typedef enum hk_friction_form { HK_MU1, HK_MU2, HK_MU3, HK_PADE } hk_friction_form;
extern const char *const hk_friction_forms[];

typedef struct hk_friction {
  int friction;
  double mu, mu_static, velocity, static_velocity;
  double half_axis_t, half_axis_s;
  double rolling_resistance, spinning_resistance, turning_velocity;
} hk_friction;
#define HK_FRICTION_DEFAULTS \
  { .friction = HK_MU3, .velocity = 1e-3, .static_velocity = 1e-2, .turning_velocity = 1e-1 }
#define HK_FRICTION_PARAMS(S, f)                                                                  \
  HK_PARAM_AS("friction", HK_PARAM_ENUM, S, f.friction, NULL, 0,                                  \
              "mu1: steep line, mu2: tanh, mu3: tanh with a higher coefficient at rest, pade: "   \
              "coupled with spin over the contact ellipse",                                       \
              .choices = hk_friction_forms),                                                      \
      HK_PARAM_AS("mu", HK_PARAM_REAL, S, f.mu, NULL, 0, "coefficient of friction when sliding",  \
                  HK_MIN(0)),                                                                     \
      HK_PARAM_AS("mu_static", HK_PARAM_REAL, S, f.mu_static, NULL, 0,                            \
                  "coefficient near rest (mu3); that of sliding if left out", HK_MIN(0)),         \
      HK_PARAM_AS("velocity", HK_PARAM_REAL, S, f.velocity, "m/s", HK_POSITIVE,                   \
                  "sliding speed below which friction fades to zero"),                            \
      HK_PARAM_AS("static_velocity", HK_PARAM_REAL, S, f.static_velocity, "m/s", HK_POSITIVE,     \
                  "sliding speed over which mu_static falls to mu (mu3)"),                        \
      HK_PARAM_AS("half_axis_t", HK_PARAM_REAL, S, f.half_axis_t, "m", HK_POSITIVE,               \
                  "half axis of the contact area along the first tangent (pade), in place of "    \
                  "Hertz's"),                                                                     \
      HK_PARAM_AS("half_axis_s", HK_PARAM_REAL, S, f.half_axis_s, "m", HK_POSITIVE,               \
                  "half axis along the second tangent"),                                          \
      HK_PARAM_AS("rolling_resistance", HK_PARAM_REAL, S, f.rolling_resistance, "m", 0,           \
                  "moment against rolling per normal force", HK_MIN(0)),                          \
      HK_PARAM_AS("spinning_resistance", HK_PARAM_REAL, S, f.spinning_resistance, "m", 0,         \
                  "moment against spinning about the normal per normal force", HK_MIN(0)),        \
      HK_PARAM_AS("turning_velocity", HK_PARAM_REAL, S, f.turning_velocity, "rad/s", HK_POSITIVE, \
                  "rate of turning below which these moments fade to zero")

/* Fills the constants from k[HK_LAW_FRICTION] on.  `item` is the law, whose parameters are p. */
hk_status hk_friction_prepare(const hk_item *item, const hk_friction *p, const hk_hertz *ellipse,
                              double *k, hk_error *err);
/* Sliding of four contacts, where each of them has a form that it takes: see hk_law_four. */
bool hk_friction_takes_four(const double *k);
void hk_friction_slide_four(const hk_v4 *k, const hk_v4 *v, hk_v4 *f, hk_v4 *f_v);
/* The operations of hk_law_ops. */
double hk_friction_slide(const double *k, double v, double *f_v);
void hk_friction_general(const double *k, double N, const double slip[HK_N_SLIP],
                         double out[HK_N_SLIP], double J[HK_N_SLIP][HK_N_SLIP],
                         double by_N[HK_N_SLIP]);
int hk_friction_kind(const double *k);
bool hk_friction_pressure(const double *k, double depth, double N, double *half_t, double *half_s,
                          double *peak);
#define HK_FRICTION_OPS                                                                           \
  .slide = hk_friction_slide, .friction = hk_friction_general, .friction_kind = hk_friction_kind, \
  .pressure = hk_friction_pressure
#endif
