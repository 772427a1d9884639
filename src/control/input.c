/* Inputs of a simulation, and the continuation of the motion after a jump of an input.
 *
 * Positions and velocities are continuous, but accelerations, multipliers and powers jump with the forces, and an
 * extrapolation of past values is not valid after the jump. Therefore the state records that an input has changed, and
 * the next step begins like the first step of a run. */
#include "core/contact.h"
#include "control/contact_error.h"
#include "control/controller.h"
#include "sim/ledger.h"
#include "sim/table_lookup.h"
#include "control/scan.h"
#include "control/source.h"
#include "sim/sim.h"

/* Relative round-off by which an input may differ from its ramp and still count as the continuation of this ramp. */
static const double CONTINUES = 1e-12;

hk_status hk_sim_input_ramp(hk_sim *s, int input, double value, double rate, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = s->model;
  if (input < 0 || input >= m->n_own_inputs)
    return hk_fail(err, HK_EINPUT, "there is no input number %d; the model has %d", input,
                   m->n_own_inputs);
  if (!isfinite(value) || !isfinite(rate))
    return hk_fail(err, HK_EINPUT, "input '%s' cannot be set to %g with the rate %g",
                   m->input[input].name, value, rate);
  double now = s->x[m->at.t], *part = s->x + m->at.input + input;
  double before = hk_input_at(m, s->x + m->at.input, input, now);
  double *slope = &part[HK_INPUT_SLOPE * m->n_inputs], *since = &part[HK_INPUT_SINCE * m->n_inputs];
  if (before == value && *slope == rate) return HK_OK;
  /* part of the value that the last ramp has added; only this part has the round-off of the ramp */
  double passed = fabs(*slope * (now - *since));
  bool jumps =
      fabs(value - before) > CONTINUES * fmax(passed, rate == 0 && *slope == 0 ? 0 : fabs(value));
  *part = value;
  *slope = rate;
  *since = rate == 0 ? 0 : now;
  if (!jumps) return HK_OK;
  s->x[m->at.jump] = 1;
  s->out.have_accelerations = s->out.have_loads = s->out.have_variables = false;
  return HK_OK;
}

hk_status hk_sim_input_set(hk_sim *s, int input, double value, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  return hk_sim_input_ramp(s, input, value, 0, err);
}

hk_status hk_sim_input_set_by_name(hk_sim *s, const char *name, double value, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = s->model;
  int i = name ? hk_model_input_find(m, name) : -1;
  if (i >= 0) return hk_sim_input_set(s, i, value, err);
  const char *near = NULL;
  for (int k = 0; name && k < m->n_own_inputs; k++) {
    const char *pair[2] = {m->input[k].name, near};
    const char *nearer = hk_nearest_name(name, pair, near ? 2 : 1);
    if (nearer) near = nearer;
  }
  return hk_fail(err, HK_EINPUT, "there is no input '%s'%s%s%s", name ? name : "",
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

double hk_sim_input_get(const hk_sim *s, int input) {
  if (!s) return NAN;
  const hk_model *m = s->model;
  if (input < 0 || input >= m->n_inputs) return NAN;
  return hk_input_at(m, s->x + m->at.input, input, s->x[m->at.t]);
}

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

static bool has_jumped(const hk_sim *s) { return s->x[s->model->at.jump] > 0; }

static hk_status meet(hk_sim *s, double t_end, hk_error *err) {
  (void)t_end;
  return hk_sim_restart(s, err);
}

const hk_source hk_source_input = {
    .what = "an input that was set", .fixed = true, .present = has_jumped, .meet = meet};
