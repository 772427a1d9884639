/* Elastic contact with viscous damping and no adhesion:
 *   N = max(0, K depth^n + D q(depth/damping_depth) depth'),  q(x) = x^2 (3 - 2 x) for x < 1, else 1
 * [Marter2020, eq. 17]. The publication has a constant damping D, which jumps at the start of
 * contact and pulls when the bodies separate. Here the damping increases over the depth `damping_depth`,
 * and the sum is limited to N >= 0. */
#include "base/hot.h"
#include "law/friction.h"

typedef struct hertz {
  hk_elastic elastic;
  double damping, damping_depth;
  hk_friction friction;
} hertz;

static const hertz defaults = {
    .elastic = HK_ELASTIC_DEFAULTS, .damping_depth = 1e-7, .friction = HK_FRICTION_DEFAULTS};

static const hk_param params[] = {
    HK_ELASTIC_PARAMS(hertz, elastic),
    HK_REAL(hertz, damping, "N s/m", 0, "damping force per rate of the penetration depth",
            HK_MIN(0)),
    HK_REAL(hertz, damping_depth, "m", 0,
            "penetration depth at which damping is fully effective; 0: immediately", HK_MIN(0)),
    HK_FRICTION_PARAMS(hertz, friction),
};

enum { K_, EXPONENT, DAMPING, RAMP_RATE };

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  const hertz *p = hk_item_data(law);
  hk_hertz ellipse;
  hk_status status = hk_elastic_prepare(&p->elastic, radii, &k[K_], &k[EXPONENT], &ellipse, err);
  if (status) return status;
  k[DAMPING] = p->damping;
  k[RAMP_RATE] = p->damping_depth > 0 ? 1 / p->damping_depth : INFINITY;
  return hk_friction_prepare(law, &p->friction, &ellipse, k, err);
}

HK_HOT static void normal(const double *k, const hk_law_in *in, hk_normal *out) {
  double depth = in->depth, rate = in->rate;
  if (!(depth > 0)) {
    *out = (hk_normal){0};
    return;
  }
  double F, F_depth, x = depth * k[RAMP_RATE], D = k[DAMPING], D_depth = 0;
  hk_elastic_force(k[K_], k[EXPONENT], depth, &F, &F_depth, &out->potential);
  if (x < 1) {
    D_depth = D * 6 * x * (1 - x) * k[RAMP_RATE];
    D *= x * x * (3 - 2 * x);
  }
  double N = F + D * rate;
  bool pushes = N > 0;
  out->elastic = F;
  out->N = pushes ? N : 0;
  out->N_depth = pushes ? F_depth + D_depth * rate : 0;
  out->N_rate = pushes ? D : 0;
}

static bool takes_four(const double *k) {
  return k[EXPONENT] == 1.5 && isfinite(k[RAMP_RATE]) && hk_friction_takes_four(k);
}

HK_HOT static void normal_four(const hk_v4 *k, const hk_v4 *depth, const hk_v4 *rate,
                               hk_normal_four *out) {
  const hk_v4 none = hk_all4(0), one = hk_all4(1);
  hk_v4 deep = hk_where4(*depth > none, *depth, none), slope = k[K_] * hk_sqrt4(deep);
  hk_v4 F = slope * deep, x = deep * k[RAMP_RATE];
  x = hk_where4(x < one, x, one);
  hk_v4 D = k[DAMPING] * x * x * (3 - 2 * x);
  hk_v4 D_depth = k[DAMPING] * 6 * x * (1 - x) * k[RAMP_RATE], N = F + D * *rate;
  hk_m4 pushes = N > none;
  out->elastic = F;
  out->potential = F * deep * (1 / 2.5);
  out->N = hk_only4(pushes, N);
  out->N_depth = hk_only4(pushes, 1.5 * slope + D_depth * *rate);
  out->N_rate = hk_only4(pushes, D);
}

static const hk_law_four four = {takes_four, normal_four, hk_friction_slide_four};

static double count_above(const hk_item *law) { return HK_DATA(law, hertz)->elastic.impact_threshold; }

static const hk_law_ops ops = {.count_above = count_above,
                               .prepare = prepare,
                               .normal = normal,
                               .four = &four,
                               HK_FRICTION_OPS};

const hk_type hk_type_law_hertz = {
    .name = "hertz",
    .category = HK_LAW,
    .doc =
        "Elastic contact K depth^n with damping without adhesion (N >= 0), and regularized Coulomb "
        "friction.",
    .source = "[Marter2020, eqs 17 to 22]; stiffness by [HamrockBrewe1983] or elliptic integrals",
    .size = sizeof(hertz),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
