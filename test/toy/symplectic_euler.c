/* Symplectic Euler, an example of an integrator in one file and one line of a list: explicit, of first order,
 * for models without joints.  The energy of an undamped system oscillates but does not drift.
 *
 *   kick first:   v1 = v0 + h M^-1 f(q0, v0, t0),           q1 = q0 (+) h v1
 *   drift first:  q1 = q0 (+) h v0,                         v1 = v0 + h M^-1 f(q1, v0, t1)
 */
#include <hooke/integrator.h>
#include <hooke/param.h>
#include <stdlib.h>
#include <string.h>

typedef struct euler_keys {
  bool drift_first;
} euler_keys;

static const euler_keys euler_defaults;

static const hk_param euler_params[] = {
    HK_BOOL(euler_keys, drift_first, 0, "move before the forces are taken"),
};

/* Working memory: a displacement. */
static hk_status euler_create(hk_sim *s, hk_error *err) {
  double *d = calloc((size_t)hk_integrator_parts(s).nv + 1, sizeof *d);
  hk_integrator_memory_set(s, d);
  return d ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void euler_destroy(hk_sim *s) { free(hk_integrator_memory(s)); }

static void drift(const hk_sim *s, double h, double *x1) {
  const hk_state_parts at = hk_integrator_parts(s);
  double *d = hk_integrator_memory(s);
  for (int i = 0; i < at.nv; i++) d[i] = h * x1[at.v + i];
  hk_integrator_move(s, x1 + at.q, d, x1 + at.q);
}

static hk_status euler_step(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *a) {
  const hk_state_parts at = hk_integrator_parts(s);
  const euler_keys *keys = hk_integrator_keys(s);
  memcpy(x1 + at.q, x0 + at.q, (size_t)at.nq * sizeof *x1);
  memcpy(x1 + at.v, x0 + at.v, (size_t)at.nv * sizeof *x1);
  x1[at.t] = x0[at.t];
  if (keys->drift_first) {
    drift(s, h, x1);
    x1[at.t] = x0[at.t] + h;
  }
  hk_status status = hk_integrator_accelerations(s, x1, x1 + at.vd, x1 + at.lambda);
  if (status) return status;
  for (int i = 0; i < at.nv; i++) x1[at.v + i] += h * x1[at.vd + i];
  if (!keys->drift_first) drift(s, h, x1);
  x1[at.t] = x0[at.t] + h;
  a->newton = 1;
  return hk_integrator_finish(s, h, x1);
}

static const hk_integrator euler = {.order = 1,
                                    .attempt = euler_step,
                                    .create = euler_create,
                                    .destroy = euler_destroy,
                                    .supports = hk_integrator_needs_free};

const hk_type hk_type_stepper_symplectic_euler = {
    .name = "symplectic_euler",
    .category = HK_STEPPER,
    .doc = "Explicit, of first order, without drift of the energy; for models without joints.",
    .source = "[example]",
    .size = sizeof(euler_keys),
    .defaults = &euler_defaults,
    HK_TABLE(euler_params),
    .ops = &euler,
};
