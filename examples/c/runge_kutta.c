/* An integrator as a plugin: Bogacki and Shampine's explicit method of order 3(2), adaptive, for models with and without
 * joints [BogackiShampine1989].
 *
 *   cc -shared -fPIC runge_kutta.c -o runge_kutta.so
 *   hooke --plugin ./runge_kutta.so conform runge_kutta
 *   hooke --plugin ./runge_kutta.so run model.yaml        (with  stepper: runge_kutta  in its analysis)
 *
 * The unknowns within a step are the displacement d from its start and the velocity v.  Rotations in a row do not commute, so
 * the rate of d is not v but hk_integrator_rate(d, v).  After the step positions and velocities are brought back onto the joints.
 */
#include <hooke/integrator.h>
#include <hooke/registry.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 4 };
static const double A[STAGES][STAGES] = {{0}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};
static const double C[STAGES] = {0, 1.0 / 2, 3.0 / 4, 1};
/* The weights of order 3, which are those of the last stage, less those of order 2. */
static const double E[STAGES] = {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8};

/* Working memory: the rates of d and v at each stage, and a displacement. */
typedef struct memory {
  double *d_rate[STAGES], *v_rate[STAGES], *d, block[];
} memory;

static hk_status create(hk_sim *s, hk_error *err) {
  size_t nv = (size_t)hk_integrator_parts(s).nv;
  memory *k = calloc(1, sizeof *k + (2 * STAGES + 1) * nv * sizeof(double));
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < STAGES; i++) k->d_rate[i] = k->block + 2 * i * nv, k->v_rate[i] = k->d_rate[i] + nv;
  k->d = k->block + 2 * STAGES * nv;
  hk_integrator_memory_set(s, k);
  return HK_OK;
}

static void destroy(hk_sim *s) {
  free(hk_integrator_memory(s));
  hk_integrator_memory_set(s, NULL);
}

/* x1 at stage i of a step from x0, and the rates there. */
static hk_status stage(hk_sim *s, int i, const double *x0, double h, double *x1) {
  const hk_state_parts at = hk_integrator_parts(s);
  const memory *k = hk_integrator_memory(s);
  for (int n = 0; n < at.nv; n++) {
    double d = 0, v = 0;
    for (int j = 0; j < i; j++) d += A[i][j] * k->d_rate[j][n], v += A[i][j] * k->v_rate[j][n];
    k->d[n] = h * d;
    x1[at.v + n] = x0[at.v + n] + h * v;
  }
  x1[at.t] = x0[at.t] + C[i] * h;
  hk_integrator_move(s, x0 + at.q, k->d, x1 + at.q);
  memcpy(k->d_rate[i], x1 + at.v, (size_t)at.nv * sizeof(double));
  hk_integrator_rate(s, k->d, k->d_rate[i]);
  return hk_integrator_accelerations(s, x1, k->v_rate[i], x1 + at.lambda);
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *a) {
  const hk_state_parts at = hk_integrator_parts(s);
  const memory *k = hk_integrator_memory(s);
  hk_status status = HK_OK;
  for (int i = 0; i < STAGES && !status; i++) status = stage(s, i, x0, h, x1);
  if (status) return status;
  for (int part = 0; part < 2; part++) { /* an error of velocity counts by the displacement within a step */
    for (int n = 0; n < at.nv; n++) {
      double e = 0;
      for (int i = 0; i < STAGES; i++) e += E[i] * (part ? k->v_rate[i][n] : k->d_rate[i][n]);
      k->d[n] = h * e * (part ? h : 1);
    }
    double error = hk_integrator_error(s, k->d);
    if (!(error <= a->error)) a->error = error;
  }
  status = hk_integrator_project(s, x1);
  if (!status) status = hk_integrator_accelerations(s, x1, x1 + at.vd, x1 + at.lambda);
  return status ? status : hk_integrator_finish(s, h, x1);
}

static hk_status supports(const hk_model *m, hk_error *why) {
  hk_status status = hk_integrator_needs_smooth(m, why);
  return status ? status : hk_integrator_needs_mass(m, why);
}

static const hk_integrator ops = {.order = 3,
                                  .can = HK_ADAPTIVE | HK_DENSE_BY_ENDS,
                                  .rtol = 1e-8,
                                  .attempt = attempt,
                                  .dense = hk_integrator_dense,
                                  .create = create,
                                  .destroy = destroy,
                                  .supports = supports};

static const hk_type runge_kutta = {
    .name = "runge_kutta",
    .category = HK_STEPPER,
    .doc = "Explicit, of third order, adaptive; for smooth motion without stiffness.",
    .source = "[BogackiShampine1989]",
    .ops = &ops,
};

HK_PLUGIN(&runge_kutta)
