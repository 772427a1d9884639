/* Dry line contact: the local deformation of Weber and Banaschek, an optional parallel damper
 * and a constant coefficient of friction.
 *   p = q(F),   F > 0;  open slices carry no load
 * The damper represents all energy losses near the contact. The publication gives no value for the damping
 * [Scurria2019, section 6.5]. Damping is zero at zero load and reaches its full value within a tenth of a newton per
 * millimetre, so that the force is continuous at the start of contact. The total force is never tensile. */
#include "gear/line_simd4.h"
#include "law/line_friction.h"

typedef struct dry_line {
  double damping;
  hk_line_sliding sliding;
} dry_line;

static const dry_line defaults = {.sliding = HK_LINE_SLIDING_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(dry_line, damping, "N s/m^2", 0,
            "damping force per approach velocity and per face width in contact", HK_MIN(0)),
    HK_LINE_SLIDING_PARAMS(dry_line, sliding),
};

static const double LEAST = 1e-6; /* N: slices with a smaller load are open */
static const double SOFT = 100;   /* N/m: line load over which the damping increases */

static double least(const void *law) { return log(LEAST); }

HK_HOT static void ready(const void *law, const hk_line_call *call, int n) {
  for (; n > 0; call += 4, n -= 4) {
    hk_spot_four s;
    hk_line_gather(call, n, &s);
    hk_v4 k = hk_line_ready4(&s);
    for (int i = 0; i < 4 && i < n; i++) call[i].spot->k[HK_LINE_DEFORM] = k[i];
  }
}

HK_HOT static void load(const void *law, const hk_line_call *call, int n) {
  for (; n > 0; call += 4, n -= 4) {
    hk_spot_four s;
    hk_v4 x = hk_line_gather(call, n, &s);
    hk_v4 F = hk_exp4(x), none = hk_all4(0);
    hk_deformation_four d = hk_line_deform4(&s, x, F);
    const hk_load_four out = {
        F,   F,     none, none, d.q,  d.q_x,    d.q_r,        none,         d.q_k,      F,
        d.q, d.q_x, none, none, none, d.energy, d.coenergy_r, d.coenergy_k, hk_all4(1), none};
    hk_line_scatter(&out, call, n < 4 ? n : 4);
  }
}

static hk_line_drag drag(const void *law, const hk_line_spot *s, double F, double rate) {
  const dry_line *p = law;
  double c = p->damping * s->width, soft = SOFT * s->width, share = F / (F + soft);
  double value = c * rate * share;
  if (value < -F) return (hk_line_drag){-F, -1, 0};
  return (hk_line_drag){value, c * rate * soft / ((F + soft) * (F + soft)), c * share};
}

static hk_line_friction friction(const void *law, const hk_line_spot *s, double F, double v) {
  const dry_line *p = law;
  return hk_line_slide(&p->sliding, p->sliding.mu, F, v);
}

static const hk_line_ops line = {
    .least = least, .ready = ready, .load = load, .drag = drag, .friction = friction};

static const hk_law_ops ops = {.line = &line};

const hk_type hk_type_law_dry_line = {
    .name = "dry_line",
    .category = HK_LAW,
    .doc =
        "Dry contact of gear teeth along a line: local deformation, damping and constant friction.",
    .source = "[WeberBanaschek1953]; [Scurria2019, eq 9], corrected",
    .size = sizeof(dry_line),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
