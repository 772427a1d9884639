/* Elastic contact of a pin in a bush or a ball in a socket: stiffness from the material and the
 * clearance.
 *
 * Such surfaces conform: with increasing depth the contact area grows to a large part of the
 * bore. Hertz's theory assumes a contact area that is small compared with the radii. For conforming surfaces its
 * stiffness is too high, and the error grows without limit as the clearance goes to zero. With the radius R of the
 * bore, the radial clearance c, the depth d and s = d/(c + d), the stored energy is
 *
 *   ball:  U = 8/15 E* R d^2 sqrt(s) (1 + a1 sqrt(s) + a2 s + a3 s^2)
 *   pin:   U = E* L d^2 (b0 + b1 sqrt(s) + b2 s),       1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b
 *
 * and the force is its derivative. A term a s^p of U/d^2 gives, with t = 1 - s,
 *
 *   N = d a s^p (2 + p t),   dN/dd = a s^p ((2 + p t)(1 + p t) - p s t).
 *
 * The coefficients depend on w = E* (1 - nu_b^2)/E_b, the fraction of the compliance that
 * belongs to the ball or pin: 0 if it is rigid, 1/2 for equal materials. The coefficients are fitted to the
 * frictionless contact of a sphere (a cylinder) with a hole in an elastic body, nu = 0.3, solved by the modes of
 * linear elasticity [Lure1964, chapter 6; Barber2010, chapter 9]; test/unit/test_law_conformal.c repeats this
 * solution. For s -> 0 the law of the ball is Hertz's law with the radius R^2/c.
 *
 * The displacement of a line contact grows with the logarithm of the distance at which the bush
 * is held [Johnson1985, section 5.6]; here this distance is assumed to be 2 to 4 radii, between
 * which the displacement differs by 20 percent. Deviation from the solution above: ball 2
 * percent if it is rigid, otherwise 6 percent; pin 17 percent for s > 1e-3 and w up to 1/2. Not
 * modelled: friction, the rim of the socket, thin walls, Poisson's ratios far from 0.3. */
#include "base/hot.h"
#include "law/friction.h"

typedef struct conformal {
  double youngs_modulus, poisson_ratio, youngs_modulus_b, poisson_ratio_b;
  double damping_factor, impact_threshold;
  hk_friction friction;
} conformal;

static const conformal defaults = {
    .poisson_ratio = 0.3, .poisson_ratio_b = 0.3, .friction = HK_FRICTION_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(conformal, youngs_modulus, "N/m^2", HK_POSITIVE | HK_REQUIRED,
            "Young's modulus of both bodies (of a, if youngs_modulus_b is given)"),
    HK_REAL(conformal, poisson_ratio, NULL, 0,
            "Poisson's ratio of both bodies (of a, if youngs_modulus_b is given)",
            HK_RANGE(0, 0.5)),
    HK_REAL(conformal, youngs_modulus_b, "N/m^2", HK_POSITIVE, "Young's modulus of b, if another"),
    HK_REAL(conformal, poisson_ratio_b, NULL, 0, "Poisson's ratio of b; used with youngs_modulus_b",
            HK_RANGE(0, 0.5)),
    HK_REAL(conformal, damping_factor, "s/m", 0,
            "Hunt-Crossley damping: the elastic force is multiplied by 1 + damping_factor times "
            "the rate of the depth",
            HK_MIN(0)),
    HK_REAL(conformal, impact_threshold, "m/s", 0,
            "approach velocity above which a touch is counted as an impact", HK_MIN(0)),
    HK_FRICTION_PARAMS(conformal, friction),
};

/* Constants: TERM contains the coefficients of s^FIRST, s^(FIRST + 1/2), s^(FIRST + 1) and s^(FIRST + 2) in U/d^2. */
enum { FIRST, CLEARANCE, DAMPING, TERM };

/* Combined modulus E*, and the contribution of `b` to the compliance. */
static double combined_modulus(const conformal *p, double *part_b) {
  const bool same = !(p->youngs_modulus_b > 0);
  const double a = (1 - p->poisson_ratio * p->poisson_ratio) / p->youngs_modulus;
  const double b = same ? a : (1 - p->poisson_ratio_b * p->poisson_ratio_b) / p->youngs_modulus_b;
  *part_b = b / (a + b);
  return 1 / (a + b);
}

static void set_ball(double *k, double E, double w, double R, double r) {
  const double K = 8.0 / 15 * E * R;
  k[FIRST] = 0.5;
  k[CLEARANCE] = R - r;
  k[TERM] = K;
  k[TERM + 1] = K * (0.7131 + w * (-0.4135 + w * 0.0138));
  k[TERM + 2] = K * (0.3067 + w * (1.8895 - w * 0.315));
  k[TERM + 3] = K * (0.2179 + w * (-1.0303 + w * 2.997));
}

static void set_pin(double *k, double E, double w, double length, double R, double r) {
  const double K = E * length;
  k[FIRST] = 0;
  k[CLEARANCE] = R - r;
  k[TERM] = K * (0.1396 + 0.0104 * w);
  k[TERM + 1] = K * (0.3662 + 0.155 * w);
  k[TERM + 2] = K * (0.2202 + 0.2052 * w);
  k[TERM + 3] = 0;
}

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  const conformal *p = hk_item_data(law);
  const hk_hertz none = {0};
  double w, E = combined_modulus(p, &w);
  const bool pin = radii && radii->length > 0, along_t = pin && isfinite(radii->a_t);
  const bool ball = radii && !pin && radii->a_t < 0 && radii->a_t == radii->a_s && radii->b_t > 0 &&
                    radii->b_t == radii->b_s;
  if (!pin && !ball)
    return hk_fail(err, HK_EINPUT,
                   "this law is only for a pin in a bush (pin_in_bush, trunnion_in_bore) and a "
                   "ball in a socket (sphere_in_socket); use hertz");
  if (pin)
    set_pin(k, E, w, radii->length, along_t ? -radii->a_t : -radii->a_s,
            along_t ? radii->b_t : radii->b_s);
  else
    set_ball(k, E, w, -radii->a_t, radii->b_t);
  k[DAMPING] = p->damping_factor;
  return hk_friction_prepare(law, &p->friction, &none, k, err);
}

HK_HOT static void normal(const double *k, const hk_law_in *in, hk_normal *out) {
  static const double POWER[] = {0, 0.5, 1, 2};
  *out = (hk_normal){0};
  if (!(in->depth > 0)) return;
  const double d = in->depth, s = d / (k[CLEARANCE] + d), t = 1 - s, root = sqrt(s);
  const double first = k[FIRST] > 0 ? root : 1,
               rest[] = {first, first * root, first * s, first * s * s};
  double U = 0, F = 0, F_d = 0;
  for (int i = 0; i < 4; i++) {
    const double p = k[FIRST] + POWER[i], a = k[TERM + i] * rest[i], q = 2 + p * t;
    U += a;
    F += a * q;
    F_d += a * (q * (1 + p * t) - p * s * t);
  }
  const double more = 1 + k[DAMPING] * in->rate;
  out->elastic = d * F;
  out->potential = d * d * U;
  if (!(more > 0)) return; /* the surfaces separate too fast to be in contact */
  out->N = d * F * more;
  out->N_depth = F_d * more;
  out->N_rate = d * F * k[DAMPING];
}

static double count_above(const hk_item *law) { return HK_DATA(law, conformal)->impact_threshold; }

static const hk_law_ops ops = {
    .count_above = count_above, .prepare = prepare, .normal = normal, HK_FRICTION_OPS};

const hk_type hk_type_law_conformal = {
    .name = "conformal",
    .category = HK_LAW,
    .doc =
        "Elastic contact of a pin in a bush or a ball in a socket: stiffness from Young's modulus "
        "and the clearance, with regularized Coulomb friction.",
    .source =
        "modes of elasticity [Lure1964; Barber2010]; Hertz's law for a large clearance "
        "[Johnson1985]",
    .size = sizeof(conformal),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
