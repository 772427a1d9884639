/* Toy law: a foam that becomes stiffer under compression, with proportional losses,
 *   N = max(0, (k depth + k2 depth^3)(1 + d depth')),
 * and no friction.
 */
#include <hooke/registry.h>

typedef struct foam {
  double stiffness, hardening, damping;
} foam;

static const foam defaults = {.hardening = 0};

static const hk_param params[] = {
    HK_REAL(foam, stiffness, "N/m", HK_REQUIRED | HK_POSITIVE, "when it is pressed lightly"),
    HK_REAL(foam, hardening, "N/m^3", 0, "force per depth cubed, in addition", HK_MIN(0)),
    HK_REAL(foam, damping, "s/m", 0, "share of the force per speed of pressing", HK_MIN(0)),
};

enum { K, K2, D };

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  const foam *p = hk_item_data(law);
  k[K] = p->stiffness;
  k[K2] = p->hardening;
  k[D] = p->damping;
  return HK_OK;
}

static void normal(const double *k, const hk_law_in *in, hk_normal *out) {
  double x = in->depth, s = 1 + k[D] * in->rate;
  *out = (hk_normal){0};
  if (!(x > 0)) return;
  double F = (k[K] + k[K2] * x * x) * x;
  out->elastic = F;
  out->potential = (0.5 * k[K] + 0.25 * k[K2] * x * x) * x * x;
  if (s <= 0) return;
  out->N = F * s;
  out->N_depth = (k[K] + 3 * k[K2] * x * x) * s;
  out->N_rate = F * k[D];
}

static const hk_law_ops ops = {.prepare = prepare, .normal = normal};

static const hk_type type = {
    .name = "foam",
    .category = HK_LAW,
    .doc = "A foam that grows stiff as it is pressed.",
    .source = "toy",
    .size = sizeof(foam),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};

HK_PLUGIN(&type)
