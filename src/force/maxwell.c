/* Maxwell element: a spring and a damper in series along a line or a coordinate c,
 *   f' = k c' - f/tau,  tau = d/k
 * where f is the tension. The element acts as a damper for slow motions and as a spring for fast ones; at constant
 * length the force relaxes, f = f0 exp(-t/tau). Internal variables: c and f. Over a step h, in which c changes
 * linearly, the solution is exact [TaylorPisterGoudreau1970]:
 *   f1 = f0 exp(-h/tau) + k (c1 - c0) g,  g = (1 - exp(-h/tau)) tau/h
 * For h = infinity (steady motion) f = d c'.
 *
 * Linear analyses need the differential equation itself: first_order adds a state e, the elongation of the spring, with
 *   e' = c' - e k/d,  f = k e,
 * which is 0 at rest. */
#include "base/number.h"
#include <hooke/element.h>
#include <stdio.h>
#include <string.h>

typedef struct maxwell {
  const char *a, *b, *coordinate;
  double stiffness, damping, preload;
  hk_expr *elongation;
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
    HK_EXPR(
        maxwell, elongation, "m", 0,
        "elongation of the spring, if a state of the model computes it; default: the element does",
        HK_OR_ALONG_ANGLE("rad")),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const maxwell *p = hk_item_data(item);
  if (!p->coordinate == !p->b)
    return hk_fail(err, HK_EINPUT, "give either the end b or a coordinate to act on");
  b->coordinate = p->coordinate;
  b->expr[0] = p->elongation;
  b->n_expr = p->elongation != NULL;
  if (p->coordinate) return HK_OK;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}

enum { LENGTH, TENSION, N_MEMORY };

/* Computes the tension and its derivatives. */
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
  if (p->elongation) { /* the element that computes the elongation also counts the energy */
    out->F = -p->stiffness * in->e[0];
    out->F_e[0] = -p->stiffness;
    out->applied = out->F * in->rate;
    return;
  }
  pull s = pull_of(p, in);
  out->F = -s.f;
  out->F_c = -s.f_c;
  out->F_rate = -s.f_rate;
  out->potential = 0.5 * s.f * s.f / p->stiffness;
  out->dissipated = s.f * s.f / p->damping;
}

/* There are no internal variables if a state of the model computes the elongation. */
static void accept(const void *data, const hk_force_in *in, double *memory) {
  if (((const maxwell *)data)->elongation) return;
  memory[TENSION] = pull_of(data, in).f;
  memory[LENGTH] = in->c;
}

static void start(const void *data, const hk_force_in *in, double *memory) {
  if (((const maxwell *)data)->elongation) return;
  memory[TENSION] = ((const maxwell *)data)->preload;
  memory[LENGTH] = in->c;
}

static void sizes(const void *data, const void *constants, int *memory, int *scratch) {
  *memory = ((const maxwell *)data)->elongation ? 0 : N_MEMORY;
  *scratch = 0;
}

/* Finds a name for the state that no other state has. */
static void free_name(const hk_spec *spec, const char *base, char out[300]) {
  int n = snprintf(out, 280, "%.200s_elongation", base);
  for (char *c = out; *c; c++)
    if (*c == '.' || *c == '[' || *c == ']') *c = '_';
  for (; n < 299 && hk_spec_find(spec, HK_STATE, out); n++) strcpy(out + n, "_");
}

static hk_status first_order(hk_item *item, hk_spec *spec, hk_error *err) {
  const maxwell *p = hk_item_data(item);
  char state[300], rate[340], text[800];
  if (p->elongation) return HK_OK;
  hk_item_get(item, "stiffness", text, sizeof text);
  bool angular = strstr(text, "rad") != NULL; /* N m/rad */
  snprintf(rate, sizeof rate, p->coordinate ? "%.300s_rate" : "%.300s.length_rate",
           p->coordinate ? p->coordinate : hk_item_name(item));
  free_name(spec, hk_item_name(item), state);
  hk_item *e = hk_spec_add(spec, HK_STATE, "state", state, err);
  if (!e) return HK_EINPUT;
  hk_status status = hk_item_text(e, "unit", angular ? "rad" : "m", err);
  hk_number_print(text, sizeof text, "%.17g %s", p->preload / p->stiffness, angular ? "rad" : "m");
  if (!status) status = hk_item_expression(e, "initial_value", 0, text, err);
  if (!status) status = hk_item_expression(e, "scale", 0, angular ? "1 rad" : "1 m", err);
  hk_number_print(text, sizeof text, "%s - %.17g 1/s * %s", rate, p->stiffness / p->damping, state);
  if (!status) status = hk_item_expression(e, "rate", 0, text, err);
  return status ? status : hk_item_expression(item, "elongation", 0, state, err);
}

static const hk_force_ops ops = {.bind = bind,
                                 .eval = eval,
                                 .memory = N_MEMORY,
                                 .sizes = sizes,
                                 .accept = accept,
                                 .start = start,
                                 .first_order = first_order};

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
