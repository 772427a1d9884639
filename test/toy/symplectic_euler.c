/* Symplectic Euler, the proof that a stepper is one file and one line: explicit, of first order, for
 * models without joints.  The energy of an undamped system swings but does not drift.
 *
 *   kick first:   v1 = v0 + h M^-1 f(q0, v0, t0),           q1 = q0 (+) h v1
 *   drift first:  q1 = q0 (+) h v0,                         v1 = v0 + h M^-1 f(q1, v0, t1)
 */
#include <hooke/param.h>
#include "stepper/sim.h"

typedef struct euler_keys {
  bool drift_first;
} euler_keys;

static const euler_keys euler_defaults;

static const hk_param euler_params[] = {
    HK_BOOL(euler_keys, drift_first, 0, "move before the forces are taken"),
};

static void drift(const hk_sim *s, double h, const double *v, double *x1) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->nv; i++) s->d[i] = h * v[i];
  hk_configuration_add(m, x1 + m->at.q, s->d, x1 + m->at.q);
}

static hk_status euler_step(hk_sim *s, const double *x0, double h, double *x1,
                            hk_step_info *info) {
  const hk_model *m = s->model;
  const euler_keys *keys = s->parameter;
  double *v = x1 + m->at.v, *vd = x1 + m->at.vd;
  hk_copy(x1, x0, m->at.size);
  if (keys->drift_first) {
    drift(s, h, v, x1);
    x1[m->at.t] = x0[m->at.t] + h;
  }
  hk_status status = hk_sim_accelerations(s, x1, vd, x1 + m->at.lambda, NULL);
  if (status) return status;
  for (int i = 0; i < m->nv; i++) v[i] += h * vd[i];
  if (!keys->drift_first) drift(s, h, v, x1);
  x1[m->at.t] = x0[m->at.t] + h;
  x1[m->at.h] = h;
  /* Frames and forces of the end, for the angles and the energies that an accepted step counts. */
  const hk_instant in = hk_instant_at(m, x1);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  hk_forces(s->work, &in);
  info->newton = 1;
  return HK_OK;
}

static hk_status euler_takes(const hk_model *m, hk_error *why) {
  if (m->nc > 0) return hk_fail(why, HK_EINPUT, "cannot hold joints");
  return hk_stepper_needs_smooth(m, why);
}

static const hk_stepper euler = {.order = 1, .step = euler_step, .takes = euler_takes};

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
