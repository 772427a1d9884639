/* Elastic contact whose damping grows with the depth, from a coefficient of restitution:
 *   N = max(0, K depth^n (1 + factor depth'/v0))
 * with the speed v0 at which the bodies meet and, for the restitution e,
 *   hunt_crossley       factor = 3/2 (1 - e)         [HuntCrossley1975], e near 1
 *   lankarani_nikravesh factor = 3/4 (1 - e^2)       [LankaraniNikravesh1990], e near 1
 *   flores              factor = 8/5 (1 - e)/e       [Flores2011], all e > 0
 * The force is continuous at both ends of a contact.  v0 is a constant of the law here, since a law
 * has no memory of when a contact began: the restitution is e at that speed only, higher below it
 * and lower above.
 */
#include "law/friction.h"

typedef struct hunt_crossley {
  hk_elastic elastic;
  double restitution, impact_velocity;
  int formula;
  hk_friction friction;
} hunt_crossley;

enum { HUNT_CROSSLEY, LANKARANI_NIKRAVESH, FLORES };
static const char *const FORMULAS[] = {"hunt_crossley", "lankarani_nikravesh", "flores", NULL};

static const hunt_crossley defaults = {
    .elastic = HK_ELASTIC_DEFAULTS, .formula = FLORES, .friction = HK_FRICTION_DEFAULTS};

static const hk_param params[] = {
    HK_ELASTIC_PARAMS(hunt_crossley, elastic),
    HK_REAL(hunt_crossley, restitution, NULL, HK_REQUIRED,
            "speed after an impact over that before it, at impact_velocity", HK_RANGE(0.01, 1)),
    HK_REAL(hunt_crossley, impact_velocity, "m/s", HK_REQUIRED | HK_POSITIVE,
            "speed at which the bodies typically meet"),
    HK_ENUM(hunt_crossley, formula, FORMULAS, 0, "how damping follows from restitution"),
    HK_FRICTION_PARAMS(hunt_crossley, friction),
};

enum { K_, EXPONENT, FACTOR };

static double damping_factor(int formula, double e) {
  if (formula == HUNT_CROSSLEY) return 1.5 * (1 - e);
  if (formula == LANKARANI_NIKRAVESH) return 0.75 * (1 - e * e);
  return 1.6 * (1 - e) / e;
}

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  const hunt_crossley *p = law->data;
  hk_hertz ellipse;
  hk_status status = hk_elastic_prepare(&p->elastic, radii, &k[K_], &k[EXPONENT], &ellipse, err);
  if (status) return status;
  k[FACTOR] = damping_factor(p->formula, p->restitution) / p->impact_velocity;
  return hk_friction_prepare(law, &p->friction, &ellipse, k, err);
}

static void normal(const double *k, const hk_law_in *in, hk_normal *out) {
  double depth = in->depth, rate = in->rate;
  if (!(depth > 0)) {
    *out = (hk_normal){0};
    return;
  }
  double F, F_depth, s = 1 + k[FACTOR] * rate;
  hk_elastic_force(k[K_], k[EXPONENT], depth, &F, &F_depth, &out->potential);
  bool pushes = s > 0;
  out->elastic = F;
  out->N = pushes ? F * s : 0;
  out->N_depth = pushes ? F_depth * s : 0;
  out->N_rate = pushes ? F * k[FACTOR] : 0;
}

static const hk_law_ops ops = {.prepare = prepare, .normal = normal, HK_FRICTION_OPS};

const hk_type hk_type_law_hunt_crossley = {
    .name = "hunt_crossley",
    .category = HK_LAW,
    .doc =
        "Elastic contact K depth^n whose damping follows from a coefficient of restitution, and "
        "friction rounded off at rest.",
    .source = "[HuntCrossley1975; LankaraniNikravesh1990; Flores2011]",
    .size = sizeof(hunt_crossley),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
