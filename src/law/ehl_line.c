/* Elastohydrodynamic line contact: an oil film between deformed flanks [Scurria2019].
 *
 *   p = q(F_SS) - h,  h = f(F_SS),  F = F_SS + F_D,  F_D = -C dh/dt,  C = 6.66 eta b (R/h)^n
 *
 * f is the central film thickness of Moes, with U = eta u/(E R), M = F_SS/(b E R U^(1/2)), L = alpha E U^(1/4), h = H R
 * U^(1/2); u is the sum of the surface speeds. (Equation 5 of the publication has U^(-1/2), a misprint that would give
 * films kilometres thick.) q is the deformation of the flanks under the steady load. The rate of the film thickness is
 * a backward difference from the last accepted step.
 *
 * Exponent n: squeezing a rigid parabola with oil of constant viscosity gives n = 3/2, and 3 pi/sqrt(2) = 6.664 is half
 * of its constant, the contribution of the inlet [WiegertHetzlerSeemann2013]. Table 3 of [Scurria2019] agrees with n =
 * 1 within 1 % and differs from n = 3/2 by a factor above 100.
 *
 * Limits: `min_sum_speed` is a lower limit of the speed. At this limit the film is negligibly thin and the contact is
 * dry, without a switch. The film force of Moes decreases slowly with the gap: at 90 um some newtons would remain, and
 * both flanks of a tooth would always be loaded. The force is therefore reduced to zero between 0.4 and 1 times
 * `cutoff_gap`. An opening film does not pull: the oil cavitates, and F >= 0. */
#include "gear/line_simd4.h"
#include "law/line_friction.h"
#include "law/moes.h"

typedef enum sliding_kind { CONSTANT, MIXED } sliding_kind;
static const char *const KINDS[] = {"constant", "mixed", NULL};

typedef struct ehl_line {
  double viscosity, pressure_viscosity, squeeze_exponent, squeeze_factor, min_sum_speed, cutoff_gap,
      roughness;
  int friction;
  hk_line_sliding sliding;
} ehl_line;

static const ehl_line defaults = {.pressure_viscosity = 2e-8,
                                  .squeeze_exponent = 1.5,
                                  .squeeze_factor = 6.66,
                                  .min_sum_speed = 1e-4,
                                  .cutoff_gap = 50e-6,
                                  .roughness = 0.4e-6,
                                  .sliding = HK_LINE_SLIDING_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(ehl_line, viscosity, "Pa s", HK_REQUIRED | HK_POSITIVE,
            "dynamic viscosity of the oil at the temperature of the teeth and at ambient pressure"),
    HK_REAL(ehl_line, pressure_viscosity, "1/Pa", 0,
            "Barus coefficient: increase of ln(viscosity) with pressure", HK_RANGE(0, 1e-6)),
    HK_REAL(ehl_line, squeeze_exponent, NULL, 0,
            "n of the squeeze damping 6.66 eta b (R/h)^n: 1.5 by theory, 1 for published tables",
            HK_RANGE(0, 3)),
    HK_REAL(ehl_line, squeeze_factor, NULL, 0, "factor of the squeeze damping (6.66)", HK_MIN(0)),
    HK_REAL(ehl_line, min_sum_speed, "m/s", HK_POSITIVE,
            "lower limit of the sum velocity (sum of the surface speeds) in the film thickness"),
    HK_REAL(ehl_line, cutoff_gap, "m", HK_POSITIVE, "gap beyond which the film force is zero"),
    HK_ENUM(ehl_line, friction, KINDS, 0,
            "coefficient of friction: `constant` (mu), or `mixed`, from load, speed, oil and "
            "roughness"),
    HK_REAL(ehl_line, roughness, "m", HK_POSITIVE,
            "mean Ra of both flanks, for the specific film thickness and `friction: mixed`"),
    HK_LINE_SLIDING_PARAMS(ehl_line, sliding),
};

/* Quantities of a contact spot that do not depend on the load. */
enum {
  LN_M = HK_LINE_LAW,
  LN_L,
  H,
  DAMPING,
  SLOPE_U
}; /* ln M at 1 N, ln L, h/H, C for a film thickness of 1 m, u/v^2 */

static double reach(const void *law) { return ((const ehl_line *)law)->cutoff_gap; }
static double roughness(const void *law) { return ((const ehl_line *)law)->roughness; }

/* Regularized speed v: v^2 = u^2 + u0^2. Its derivative is u/v. */
HK_INLINE hk_v4 speed_of(const ehl_line *p, hk_v4 u) {
  return hk_sqrt4(u * u + p->min_sum_speed * p->min_sum_speed);
}

/* x^n; the usual exponents are computed without a logarithm. */
HK_INLINE hk_v4 power(hk_v4 x, double n) {
  if (n == 1.5) return x * hk_sqrt4(x);
  return n == 1 ? x : hk_exp4(n * hk_log4(x));
}

HK_HOT static void ready(const void *law, const hk_line_call *call, int n) {
  const ehl_line *p = law;
  /* used for oil with a viscosity that does not depend on pressure */
  static const double LEAST_L = 1e-13;
  for (; n > 0; call += 4, n -= 4) {
    hk_spot_four s;
    hk_line_gather(call, n, &s);
    hk_v4 v = speed_of(p, s.speed);
    hk_v4 root = hk_sqrt4(p->viscosity * v / (s.modulus * s.radius)); /* square root of U */
    hk_v4 G = p->pressure_viscosity * s.modulus, least = hk_all4(LEAST_L);
    s.k[HK_LINE_DEFORM] = hk_line_ready4(&s);
    s.k[H] = s.radius * root;
    s.k[LN_M] = -hk_log4(s.width * s.modulus * s.k[H]);
    s.k[LN_L] = hk_log4(hk_where4(G > least, G, least) * hk_sqrt4(root));
    s.k[DAMPING] =
        p->squeeze_factor * p->viscosity * s.width * power(s.radius, p->squeeze_exponent);
    s.k[SLOPE_U] = s.speed / (v * v);
    for (int lane = 0; lane < 4 && lane < n; lane++)
      for (int i = 0; i < 6; i++) call[lane].spot->k[i] = s.k[i][lane];
  }
}

/* The fraction of the film force that remains at thickness h, and its derivative with respect to
 * ln h. */
HK_INLINE hk_v4 fading(const ehl_line *p, hk_v4 h, hk_v4 *slope) {
  double per_way = 1 / (0.6 * p->cutoff_gap);
  const hk_v4 none = hk_all4(0), all = hk_all4(1);
  hk_v4 t = (p->cutoff_gap - h) * per_way;
  t = hk_where4(t < all, hk_where4(t > none, t, none), all);
  *slope = -6 * t * (1 - t) * h * per_way;
  return t * t * (3 - 2 * t);
}

/* Rate of the film thickness since the last step and its derivative with respect to ln h. */
HK_INLINE hk_v4 rate_of(const hk_line_call *call, int n, hk_v4 h, hk_v4 *by_h) {
  hk_v4 before = h, per_dt = hk_all4(0);
  for (int i = 0; i < 4 && i < n; i++) {
    const hk_line_past *past = call[i].past;
    if (!(past->film > 0 && past->dt > 0 && past->dt < INFINITY)) continue;
    before[i] = past->film;
    per_dt[i] = 1 / past->dt;
  }
  *by_h = h * per_dt;
  return (h - before) * per_dt;
}

HK_INLINE hk_load_four load_of(const ehl_line *p, const hk_spot_four *s, hk_v4 x,
                               const hk_line_call *call, int n) {
  hk_v4 F = hk_exp4(x);
  hk_deformation_four d = hk_line_deform4(s, x, F);
  hk_moes m = hk_moes_film4(x + s->k[LN_M], s->k[LN_L]);
  hk_v4 h = s->k[H] * hk_exp4(m.lnH), rate_h, rate = rate_of(call, n, h, &rate_h);
  /* derivatives of ln h with respect to x, ln R and ln u */
  hk_v4 h_x = m.by_M, h_r = 0.5 - 0.5 * m.by_M - 0.25 * m.by_L,
        h_u = 0.5 - 0.5 * m.by_M + 0.25 * m.by_L;
  hk_v4 C = s->k[DAMPING] / power(h, p->squeeze_exponent);
  hk_v4 squeeze_h = C * (p->squeeze_exponent * rate - rate_h), total = F - C * rate;
  hk_v4 part_h, part = fading(p, h, &part_h);
  const hk_v4 left = part, left_film = part_h / h;
  hk_m4 presses = total > hk_all4(0);
  part = hk_only4(presses, part), part_h = hk_only4(presses, part_h);
  hk_v4 by_h = part * squeeze_h + part_h * total; /* derivative of the force with respect to ln h
                                                   * at constant x */
  hk_v4 per_R = 1 / s->radius, by_u = h_u * s->k[SLOPE_U];
  return (hk_load_four){.F = part * total,
                        .F_x = part * F + by_h * h_x,
                        .F_r = (by_h * h_r - part * p->squeeze_exponent * C * rate) * per_R,
                        .F_u = by_h * by_u,
                        .y = d.q - h,
                        .y_x = d.q_x - h * h_x,
                        .y_r = d.q_r - h * h_r * per_R,
                        .y_u = -h * by_u,
                        .y_k = d.q_k,
                        .steady = F,
                        .deformation = d.q,
                        .deformation_x = d.q_x,
                        .film = h,
                        .film_x = h * h_x,
                        .damping = C,
                        .energy = d.energy,
                        .coenergy_r = d.coenergy_r,
                        .coenergy_k = d.coenergy_k,
                        .part = left,
                        .part_film = left_film};
}

HK_HOT static void load(const void *law, const hk_line_call *call, int n) {
  for (; n > 0; call += 4, n -= 4) {
    hk_spot_four s;
    hk_v4 x = hk_line_gather(call, n, &s);
    hk_load_four out = load_of(law, &s, x, call, n);
    hk_line_scatter(&out, call, n < 4 ? n : 4);
  }
}

/* Mean coefficient of friction of gears by Schlenk, applied to each slice with its local load,
 * speed and radius [NiemannWinter; ISO/TR 14179-2]:
 *   mu = 0.048 (w/(u R))^0.2 eta^-0.05 Ra^0.25
 * w in N/mm, u in m/s, R in mm, eta in mPa s, Ra in um. */
static hk_line_friction friction(const void *law, const hk_line_spot *s, double F, double v) {
  const ehl_line *p = law;
  if (p->friction == CONSTANT || !(F > 0)) return hk_line_slide(&p->sliding, p->sliding.mu, F, v);
  double u = speed_of(p, hk_all4(s->speed))[0];
  double mu = 0.048 * pow(1e-6 * F / (s->width * u * s->radius), 0.2) *
              pow(1e3 * p->viscosity, -0.05) * pow(1e6 * p->roughness, 0.25);
  hk_line_friction out = hk_line_slide(&p->sliding, mu, F, v);
  out.T_F *= 1.2;
  out.T_r = -0.2 * out.T / s->radius;
  out.T_u = -0.2 * out.T * s->speed / (u * u);
  return out;
}

static const hk_line_ops line = {
    .reach = reach, .roughness = roughness, .ready = ready, .load = load, .friction = friction};

static const hk_law_ops ops = {.line = &line};

/* For the conformance tests, whose bodies have sizes of metres: an oil that suits gears of this
 * size. */
static hk_status sample(hk_item *item, hk_error *err) {
  const ehl_line *p = hk_item_data(item);
  hk_status status = hk_item_real(item, "cutoff_gap", 2e-3, err);
  if (!status) status = hk_item_real(item, "roughness", 1e-4, err);
  if (!status) status = hk_item_real(item, "min_sum_speed", 0.02, err);
  if (!status) status = hk_item_real(item, "viscosity", 0.01 * p->viscosity, err);
  return status;
}

const hk_type hk_type_law_ehl_line = {
    .name = "ehl_line",
    .category = HK_LAW,
    .doc =
        "Oil film and local deformation of gear teeth along a line, with squeeze damping and "
        "friction.",
    .source =
        "[Scurria2019, eqs 5 to 12], corrected; film [Moes1992]; damping "
        "[WiegertHetzlerSeemann2013]",
    .size = sizeof(ehl_line),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .sample = sample,
};
