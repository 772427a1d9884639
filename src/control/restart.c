/* The continuation of a motion after a jump of accelerations, such as that of an input.
 *
 * Positions and velocities are continuous, but accelerations, multipliers and powers jump with the forces, and an
 * extrapolation of past values is not valid after the jump. Therefore the next step begins like the first step of a run. */
#include "core/contact.h"
#include "control/contact_error.h"
#include "control/controller.h"
#include "control/scan.h"
#include "sim/ledger.h"
#include "sim/sim.h"
#include "sim/table_lookup.h"

hk_status hk_sim_restart(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  double *x = s->x;
  s->kept_past = false;
  hk_scan_forget(s);
  hk_copy(s->out.lambda, x + m->at.lambda, m->nc);
  hk_copy(s->out.vd, x + m->at.vd, m->nv);
  hk_status status = hk_states_begin(s, x, err);
  if (!status) status = hk_sim_accelerations(s, x, s->out.vd, s->out.lambda, err);
  if (status == HK_RETRY)
    return hk_fail(err, HK_EFAIL,
                   "at t = %.9g s inputs and loads cause accelerations that are not finite",
                   x[m->at.t]);
  if (status) return status;
  if (!hk_integrator_can(s, HK_MEANS)) {
    hk_copy(x + m->at.vd, s->out.vd, m->nv);
    hk_copy(x + m->at.lambda, s->out.lambda, m->nc);
    hk_zero(x + m->at.lambda_shift, m->nc);
  }
  double power[3], *kept = x + m->at.ledger + HK_LEDGER_POWER;
  hk_ledger_powers(s, x, power);
  kept[HK_LEDGER_DISSIPATED] = power[HK_LEDGER_DISSIPATED];
  kept[HK_LEDGER_APPLIED] = power[HK_LEDGER_APPLIED];
  /* Integrators for impacts store these powers and compute the work of motions from them. */
  if (!hk_integrator_can(s, HK_MEANS)) kept[HK_LEDGER_MOTION] = power[HK_LEDGER_MOTION];
  hk_contact_note(s, x);
  if (m->n_lookups) hk_lookups_accept(s, x);
  x[m->at.h] = 0;
  hk_copy(x + m->at.memory_old, x + m->at.memory, m->n_memory);
  if (hk_integrator_of(s)->restart) hk_integrator_of(s)->restart(s, x);
  if (hk_integrator_can(s, HK_KEEPS_PAST)) {
    double *wanted = hk_control_wanted(s, x);
    *wanted = fmin(*wanted, hk_first_step(s));
  }
  x[m->at.jump] = 0;
  s->out.have_accelerations = !hk_integrator_can(s, HK_IMPACTS);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = s->out.have_step = false;
  return HK_OK;
}
