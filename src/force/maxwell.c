/* Maxwell element: a spring and a damper in series along a line or a coordinate c,
 *   f' = k c' - f/tau,  tau = d/k
 * with the tension f. It acts as a damper for slow motions and as a spring for fast ones; at
 * constant length the force relaxes, f = f0 exp(-t/tau). Internal variables: c and f. Over a
 * step h, in which c changes linearly, the solution is exact [TaylorPisterGoudreau1970]:
 *   f1 = f0 exp(-h/tau) + k (c1 - c0) g,  g = (1 - exp(-h/tau)) tau/h
 * For h = infinity (steady motion) f = d c'. */
#include <hooke/element.h>

typedef struct maxwell {
  const char *a, *b, *coordinate;
  double stiffness, damping, preload;
} maxwell;

static const maxwell defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(maxwell, a, 0, "first end"),
    HK_FRAME(maxwell, b, 0, "second end"),
    HK_COORDINATE(maxwell, coordinate, 0, "coordinate to act on, instead of the two ends"),
    HK_REAL(maxwell, stiffness, "N/m", HK_REQUIRED | HK_POSITIVE, "stiffness of the spring",
            HK_OR_ALONG_ANGLE("N m/rad")),
    HK_REAL(maxwell, damping, "N s/m", HK_REQUIRED | HK_POSITIVE,
            "damping coefficient of the damper in series", HK_OR_ALONG_ANGLE("N m s/rad")),
    HK_REAL(maxwell, preload, "N", 0, "initial tension", HK_OR_ALONG_ANGLE("N m")),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const maxwell *p = hk_item_data(item);
  if (!p->coordinate == !p->b)
    return hk_fail(err, HK_EINPUT, "give either the end b or a coordinate to act on");
  b->coordinate = p->coordinate;
  if (p->coordinate) return HK_OK;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}

enum { LENGTH, TENSION, N_MEMORY };

/* The tension and its derivatives. */
typedef struct pull {
  double f, f_c, f_rate;
} pull;

static pull pull_of(const maxwell *p, const hk_force_in *in) {
  if (isinf(in->h)) return (pull){p->damping * in->rate, 0, p->damping};
  double x = in->h * p->stiffness / p->damping, g = x > 0 ? -expm1(-x) / x : 1;
  double way = in->c - in->memory[LENGTH];
  return (pull){in->memory[TENSION] * exp(-x) + p->stiffness * way * g, p->stiffness * g, 0};
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const maxwell *p = data;
  pull s = pull_of(p, in);
  out->F = -s.f;
  out->F_c = -s.f_c;
  out->F_rate = -s.f_rate;
  out->potential = 0.5 * s.f * s.f / p->stiffness;
  out->dissipated = s.f * s.f / p->damping;
}

static void accept(const void *data, const hk_force_in *in, double *memory) {
  memory[TENSION] = pull_of(data, in).f;
  memory[LENGTH] = in->c;
}

static void start(const void *data, const hk_force_in *in, double *memory) {
  memory[TENSION] = ((const maxwell *)data)->preload;
  memory[LENGTH] = in->c;
}

static const hk_force_ops ops = {
    .bind = bind, .eval = eval, .memory = N_MEMORY, .accept = accept, .start = start};

const hk_type hk_type_force_maxwell = {
    .name = "maxwell",
    .category = HK_FORCE,
    .doc = "Spring and damper in series: stiff for fast motions, viscous for slow ones.",
    .source = "Maxwell's viscoelastic element; recursion of [TaylorPisterGoudreau1970]",
    .size = sizeof(maxwell),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .symmetry = HK_SWAPS,
};
