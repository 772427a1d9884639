/* Inputs of a simulation. If the value of an input jumps, the state records this, and the next step begins with a restart
 * (restart.c). */
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
  /* part of the value that the last ramp of the input has added; only this part has the round-off of the ramp */
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

static bool has_jumped(const hk_sim *s) { return s->x[s->model->at.jump] > 0; }

static hk_status meet(hk_sim *s, double t_end, hk_error *err) {
  (void)t_end;
  return hk_sim_restart(s, err);
}

const hk_source hk_source_input = {
    .what = "an input that was set", .fixed = true, .present = has_jumped, .meet = meet};
