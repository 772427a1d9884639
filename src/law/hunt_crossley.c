/* Elastic contact with a damping that is proportional to the elastic force, from a coefficient
 * of restitution:
 *   N = max(0, K depth^n (1 + c depth'/v0))
 * with the initial approach velocity v0. The force is continuous at both ends of a contact. In
 * an impact of a mass m, with u = depth'/v0,
 *   u du/(1 + c u) = -K depth^n d(depth)/(m v0^2)
 * and the depth is zero at both ends, so that u changes from 1 to -e with
 *   c (1 + e) = ln((1 + c)/(1 - c e))
 * for all K, n and m. `exact` solves this for c; the others are common approximations:
 *   hunt_crossley       c = 3/2 (1 - e)         [HuntCrossley1975], e near 1
 *   lankarani_nikravesh c = 3/4 (1 - e^2)       [LankaraniNikravesh1990], e near 1
 *   flores              c = 8/5 (1 - e)/e       [Flores2011], all e > 0
 *
 * Internal variables of a contact point: gap and approach velocity at the end of the last step and, while the contact
 * is closed, v0. In the step in which the contact closes, let r0 and r be the approach velocities at the start and at
 * the end of the step, and g0 the gap at the start. Then
 *   v0^2 = r0^2 + (r^2 - r0^2) g0/(g0 + depth)
 * because at constant acceleration the square of the velocity is a linear function of distance.
 * To second order in the step size, v0 does not depend on where the step ends; this includes
 * bodies that start from rest. v0 is never less than impact_velocity: slower impacts, and
 * contacts closed from the start, are damped as if the bodies met at this speed, which gives
 * less damping than their actual speed would. Otherwise the damping would grow without limit as
 * bodies come to rest on each other and would hold them together. */
#include "law/friction.h"

typedef struct hunt_crossley {
  hk_elastic elastic;
  double restitution, impact_velocity;
  int formula;
  hk_friction friction;
} hunt_crossley;

enum { EXACT, HUNT_CROSSLEY, LANKARANI_NIKRAVESH, FLORES };
static const char *const FORMULAS[] = {"exact", "hunt_crossley", "lankarani_nikravesh", "flores",
                                       NULL};

static const hunt_crossley defaults = {.elastic = HK_ELASTIC_DEFAULTS,
                                       .impact_velocity = 1e-3,
                                       .formula = EXACT,
                                       .friction = HK_FRICTION_DEFAULTS};

static const hk_param params[] = {
    HK_ELASTIC_PARAMS(hunt_crossley, elastic),
    HK_REAL(hunt_crossley, restitution, NULL, HK_REQUIRED,
            "coefficient of restitution: speed after an impact divided by the speed before it",
            HK_RANGE(0.01, 1)),
    HK_REAL(hunt_crossley, impact_velocity, "m/s", HK_POSITIVE,
            "lower limit of the approach velocity in the damping: slower impacts are damped less"),
    HK_ENUM(hunt_crossley, formula, FORMULAS, 0,
            "formula that gives the damping from the coefficient of restitution"),
    HK_FRICTION_PARAMS(hunt_crossley, friction),
};

enum { K_, EXPONENT, FACTOR, LEAST_SPEED };
enum { GAP, RATE, SPEED, N_MEMORY }; /* SPEED: v0, 0 while open */

/* Solves c (1 + e) = ln((1 + c)/(1 - c e)) for c. If c is smaller than the solution, the left side is larger. */
static double exact_factor(double e) {
  double low = 0, high = 1 / e;
  if (e >= 1) return 0;
  for (;;) {
    double c = 0.5 * (low + high);
    if (!(c > low && c < high)) return low;
    *(c * (1 + e) > log1p(c) - log1p(-c * e) ? &low : &high) = c;
  }
}

static double damping_factor(int formula, double e) {
  if (formula == EXACT) return exact_factor(e);
  if (formula == HUNT_CROSSLEY) return 1.5 * (1 - e);
  if (formula == LANKARANI_NIKRAVESH) return 0.75 * (1 - e * e);
  return 1.6 * (1 - e) / e;
}

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  const hunt_crossley *p = hk_item_data(law);
  hk_hertz ellipse;
  hk_status status = hk_elastic_prepare(&p->elastic, radii, &k[K_], &k[EXPONENT], &ellipse, err);
  if (status) return status;
  k[FACTOR] = damping_factor(p->formula, p->restitution);
  k[LEAST_SPEED] = p->impact_velocity;
  return hk_friction_prepare(law, &p->friction, &ellipse, k, err);
}

/* v0 of a closed point, and its derivatives with respect to the gap and the approach velocities. */
typedef struct meeting {
  double speed, by_depth, by_rate;
} meeting;

static meeting meeting_of(const double *k, const hk_law_in *in) {
  meeting out = {.speed = k[LEAST_SPEED]};
  if (isinf(in->h)) return out;
  double before = in->memory[SPEED] > 0 ? in->memory[SPEED] : in->memory[RATE];
  double gap = in->memory[GAP], way = gap + in->depth, now = in->rate;
  if (in->memory[SPEED] > 0 || !(gap > 0) || !(now > 0)) {
    out.speed = fmax(before, k[LEAST_SPEED]);
    return out;
  }
  before = fmax(before, 0);
  double share = gap / way, square = before * before * (1 - share) + now * now * share;
  if (!(square > k[LEAST_SPEED] * k[LEAST_SPEED])) return out;
  out.speed = sqrt(square);
  out.by_rate = share * now / out.speed;
  out.by_depth = -(now * now - before * before) * share / (2 * way * out.speed);
  return out;
}

static void normal(const double *k, const hk_law_in *in, hk_normal *out) {
  if (!(in->depth > 0)) {
    *out = (hk_normal){0};
    return;
  }
  double F, F_depth;
  const meeting v0 = meeting_of(k, in);
  double c = k[FACTOR] / v0.speed, u = in->rate / v0.speed, s = 1 + c * in->rate;
  hk_elastic_force(k[K_], k[EXPONENT], in->depth, &F, &F_depth, &out->potential);
  bool pushes = s > 0;
  out->elastic = F;
  out->N = pushes ? F * s : 0;
  out->N_depth = pushes ? F_depth * s - F * c * u * v0.by_depth : 0;
  out->N_rate = pushes ? F * c * (1 - u * v0.by_rate) : 0;
}

static void accept(const double *k, const hk_law_in *in, double *memory) {
  memory[SPEED] = in->depth > 0 ? meeting_of(k, in).speed : 0;
  memory[RATE] = in->rate;
  memory[GAP] = -in->depth;
}

static const hk_quantity channels[] = {
    {.name = "initial_approach_velocity",
     .unit = "m/s",
     .doc = "approach velocity at the start of the contact; 0 while open"},
};

static void read(const double *k, const hk_law_in *in, const hk_normal *at, double *value) {
  value[0] = in->depth > 0 ? meeting_of(k, in).speed : 0;
}

static double count_above(const hk_item *law) {
  return HK_DATA(law, hunt_crossley)->elastic.impact_threshold;
}

static const hk_law_ops ops = {.count_above = count_above,
                               .prepare = prepare,
                               .normal = normal,
                               .memory = N_MEMORY,
                               .memory_constant = true,
                               .accept = accept,
                               HK_CHANNELS(channels),
                               .read = read,
                               HK_FRICTION_OPS};

const hk_type hk_type_law_hunt_crossley = {
    .name = "hunt_crossley",
    .category = HK_LAW,
    .doc =
        "Elastic contact K depth^n with damping from a coefficient of restitution, and regularized "
        "Coulomb friction.",
    .source = "[HuntCrossley1975; LankaraniNikravesh1990; Flores2011]",
    .size = sizeof(hunt_crossley),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
