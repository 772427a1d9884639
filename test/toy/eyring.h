/* A force with memory and an inner unknown, in one file: a spring in series with a dashpot whose rate grows
 * faster than its load [Eyring 1936],
 *   f' = k c' - (k/d) s sinh(f/s)
 * A step uses backward Euler; Newton's iteration solves its equation for f from the last f:
 *   r(f) = f - f0 - k (c - c0) + h (k/d) s sinh(f/s) = 0,   df/dc = k/(1 + h (k/d) cosh(f/s))
 * If a step stretches the spring far, Newton's iteration does not converge; the force then reports a
 * recoverable failure, and the step is repeated with a smaller size.
 */
#ifndef HK_TOY_EYRING_H
#define HK_TOY_EYRING_H
#include <hooke/element.h>

typedef struct eyring {
  const char *a, *b;
  double stiffness, damping, scale;
} eyring;

static const eyring eyring_defaults = {.a = "ground", .scale = 1};

static const hk_param eyring_params[] = {
    HK_FRAME(eyring, a, 0, "first end"),
    HK_FRAME(eyring, b, HK_REQUIRED, "second end"),
    HK_REAL(eyring, stiffness, "N/m", HK_REQUIRED | HK_POSITIVE, "of the spring"),
    HK_REAL(eyring, damping, "N s/m", HK_REQUIRED | HK_POSITIVE, "of the dashpot at small loads"),
    HK_REAL(eyring, scale, "N", HK_POSITIVE, "load beyond which it gives way faster"),
};

static hk_status eyring_bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const eyring *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}

/* Memory of the item: constants, state at the last step and scratch. */
typedef struct eyring_constants {
  double k, s, give; /* give: k/d */
} eyring_constants;
enum { EYRING_LENGTH, EYRING_TENSION, EYRING_MEMORY };
enum { EYRING_REST, EYRING_SLOPE, EYRING_SCRATCH }; /* r and dr/df */

static hk_status eyring_prepare(const hk_item *item, hk_arena *arena, const void **out,
                                hk_error *err) {
  const eyring *p = hk_item_data(item);
  eyring_constants *c = HK_NEW(arena, eyring_constants);
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  *c = (eyring_constants){p->stiffness, p->scale, p->stiffness / p->damping};
  *out = c;
  return HK_OK;
}

static void eyring_sizes(const void *data, const void *constants, int *memory, int *scratch) {
  *memory = EYRING_MEMORY;
  *scratch = EYRING_SCRATCH;
}

/* Computes the tension and its derivatives with respect to length and rate; false: no convergence. */
static bool eyring_pull(const hk_force_in *in, double *f, double *f_c, double *f_rate) {
  const eyring_constants *p = in->constants;
  double *r = &in->scratch[EYRING_REST], *slope = &in->scratch[EYRING_SLOPE];
  *f_rate = 0;
  if (isinf(in->h)) { /* c' = (1/k) give s sinh(f/s) */
    double x = p->k * in->rate / (p->give * p->s);
    *f = p->s * asinh(x);
    *f_c = 0;
    *f_rate = p->k / p->give / sqrt(1 + x * x);
    return true;
  }
  double f0 = in->memory[EYRING_TENSION], way = in->c - in->memory[EYRING_LENGTH];
  double give = in->h * p->give;
  *f = f0;
  for (int i = 0; i < 15; i++) {
    *r = *f - f0 - p->k * way + give * p->s * sinh(*f / p->s);
    *slope = 1 + give * cosh(*f / p->s);
    *f -= *r / *slope;
    *f_c = p->k / (1 + give * cosh(*f / p->s));
    if (fabs(*r / *slope) <= 1e-12 * (p->s + fabs(*f))) return true;
  }
  return false;
}

static void eyring_eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const eyring *p = data;
  double f = 0, f_c = 0, f_rate = 0;
  if (!eyring_pull(in, &f, &f_c, &f_rate)) {
    out->failed = "its tension is not found in 15 rounds";
    return;
  }
  out->F = -f;
  out->F_c = -f_c;
  out->F_rate = -f_rate;
  out->potential = 0.5 * f * f / p->stiffness;
  out->dissipated = f * p->scale * sinh(f / p->scale) / p->damping;
}

static void eyring_accept(const void *data, const hk_force_in *in, double *memory) {
  double f = 0, unused;
  eyring_pull(in, &f, &unused, &unused);
  memory[EYRING_LENGTH] = in->c;
  memory[EYRING_TENSION] = f;
}

static const hk_force_ops eyring_ops = {.bind = eyring_bind,
                                        .eval = eyring_eval,
                                        .prepare = eyring_prepare,
                                        .sizes = eyring_sizes,
                                        .accept = eyring_accept};

static const hk_type toy_eyring = {
    .name = "eyring",
    .category = HK_FORCE,
    .doc = "Spring in series with a dashpot that gives way faster than its load grows.",
    .source = "toy",
    .size = sizeof(eyring),
    .defaults = &eyring_defaults,
    HK_TABLE(eyring_params),
    .ops = &eyring_ops,
};
#endif
