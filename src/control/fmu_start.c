/* Exchange of values with FMUs at their sample times: steps end there.
 *
 * At the sample k the mechanism is at start + k period, and the FMU is one period behind. The FMU makes its step with
 * inputs that are constant from the start of this period or change linearly within it. The outputs of the FMU are then
 * used from this sample on, constant or with their last slope. So the mechanism never needs a value of a later time,
 * and the FMU never has to return to an earlier time. If several FMUs have the same sample time, each FMU reads those
 * outputs of the others that were valid before this time. */
#include "control/fmu_start.h"
#include "control/source.h"
#include "sim/fmu_partners.h"
#include <math.h>
#include <string.h>

static bool has_partners(const hk_sim *s) { return s->model->n_exchanges > 0; }

static double *numbers_of(const hk_sim *s, const hk_exchange *e) {
  return s->x + s->model->at.exchange + e->at;
}

static double sample_time(const hk_sim *s, const hk_exchange *e, double k) {
  return s->option.start + k * e->coupling->period;
}

static double next_sample(const hk_sim *s, const hk_exchange *e) {
  return sample_time(s, e, numbers_of(s, e)[HK_EXCHANGE_STEPS] + 1);
}

/* Returns true if a sample time is reached. The time t may differ from the sample time by the round-off of t + h. */
static bool is_due(const hk_sim *s, const hk_exchange *e) {
  double t = s->x[s->model->at.t];
  return t >= next_sample(s, e) - fmin(0x1p-50 * fabs(t), 1e-3 * e->coupling->period);
}

static hk_status set_outputs(hk_sim *s, const hk_exchange *e, const double *y, bool first,
                             hk_error *err) {
  const hk_coupling *c = e->coupling;
  hk_status status = HK_OK;
  for (int i = 0; i < c->n_outputs && !status; i++) {
    double last = s->x[s->model->at.input + e->input[i]]; /* value of the input at the last
                                                           * sample */
    bool sloped = !first && c->signals == HK_SIGNALS_LINEAR && c->output_smooth[i];
    status = hk_sim_input_ramp(s, e->input[i], y[i], sloped ? (y[i] - last) / c->period : 0, err);
  }
  return status;
}

/* ---- the start ---- */

/* Checks that the first outputs of the FMUs do not change the equilibrium, which was computed before these outputs
 * were known. */
static hk_status check_equilibrium(const hk_sim *s, const hk_exchange *e, const double *y,
                                   hk_error *err) {
  if (s->option.initial_state != HK_BEGIN_EQUILIBRIUM) return HK_OK;
  for (int i = 0; i < e->coupling->n_outputs; i++) {
    if (y[i] == s->x[s->model->at.input + e->input[i]]) continue;
    hk_fail(err, HK_EINPUT,
            "fmu '%s' starts with '%s' = %.6g: an equilibrium with an FMU is only found if its "
            "outputs start at 0",
            e->coupling->name, e->coupling->output[i], y[i]);
    hk_error_about(err, e->coupling->name, s->x[s->model->at.t], -1);
    return HK_EINPUT;
  }
  return HK_OK;
}

/* Sets the inputs of the FMU from channels, and inputs of the model from the outputs of the FMU. *changed: the inputs
 * of the FMU differ from those of the last call. */
static hk_status settle_one(hk_sim *s, int i, bool last, bool *changed, hk_error *err) {
  const hk_exchange *e = &s->model->exchange[i];
  const hk_coupling *c = e->coupling;
  hk_partners *p = s->partners;
  double *u = numbers_of(s, e) + HK_EXCHANGE_INPUT;
  hk_status status = hk_sim_values(s, e->channel, c->n_inputs, p->u, err);
  size_t size = (size_t)c->n_inputs * sizeof *u;
  if (status) return status;
  if (size && memcmp(u, p->u, size) != 0) *changed = true;
  if (size) memcpy(u, p->u, size);
  status = c->ops->settle(p->partner[i], u, last, p->y, err);
  if (!status && last) status = check_equilibrium(s, e, p->y, err);
  return status ? status : set_outputs(s, e, p->y, true, err);
}

/* Computes the outputs at the start. The outputs of an FMU may depend on its inputs, and these inputs on other
 * outputs: values are exchanged until nothing changes. */
static hk_status settle(hk_sim *s, hk_error *err) {
  enum { MOST_PASSES = 50 };
  const hk_model *m = s->model;
  hk_status status = HK_OK;
  bool changed = true;
  for (int pass = 0; pass < MOST_PASSES && changed && !status; pass++) {
    changed = false;
    for (int i = 0; i < m->n_exchanges && !status; i++)
      status = settle_one(s, i, false, &changed, err);
  }
  if (!status && changed) {
    hk_fail(err, HK_EINPUT,
            "the first inputs and outputs of fmu '%s' depend on each other, and their exchange "
            "does not converge",
            m->exchange[0].coupling->name);
    hk_error_about(err, m->exchange[0].coupling->name, s->x[m->at.t], -1);
    return HK_EINPUT;
  }
  for (int i = 0; i < m->n_exchanges && !status; i++)
    status = settle_one(s, i, true, &changed, err);
  return status;
}

hk_status hk_exchange_begin(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if (s->partners && s->partners->started) return HK_OK;
  hk_status status = hk_partners_create(s, err);
  hk_partners *p = s->partners;
  for (int i = 0; i < m->n_exchanges && !status; i++) {
    const hk_coupling *c = m->exchange[i].coupling;
    numbers_of(s, &m->exchange[i])[HK_EXCHANGE_STEPS] = 0;
    status = c->ops->open(c, s->x[m->at.t], &p->partner[i], err);
  }
  if (!status) status = settle(s, err);
  for (int i = 0; i < m->n_exchanges && !status; i++) {
    p->bytes[i] = m->exchange[i].coupling->ops->state_size(p->partner[i]);
    p->word[i + 1] = p->word[i] + 1 + (int)((p->bytes[i] + sizeof(double) - 1) / sizeof(double));
  }
  if (!status && p) p->started = true;
  return status;
}

/* ---- samples ---- */

static hk_status sample_one(hk_sim *s, int i, const double *next, hk_error *err) {
  const hk_exchange *e = &s->model->exchange[i];
  const hk_coupling *c = e->coupling;
  double *number = numbers_of(s, e), *u = number + HK_EXCHANGE_INPUT;
  double from = sample_time(s, e, number[HK_EXCHANGE_STEPS]);
  hk_status status =
      c->ops->step(s->partners->partner[i], from, c->period, u, next, s->partners->y, err);
  if (status) return status;
  number[HK_EXCHANGE_STEPS]++;
  if (c->n_inputs) memcpy(u, next, (size_t)c->n_inputs * sizeof *u);
  return set_outputs(s, e, s->partners->y, false, err);
}

/* All inputs are read before the first output is set. */
static hk_status meet(hk_sim *s, double t_end, hk_error *err) {
  const hk_model *m = s->model;
  (void)t_end;
  hk_status status = hk_exchange_begin(s, err);
  if (status) return status;
  double *u = s->partners->u;
  for (int i = 0; i < m->n_exchanges && !status; i++) {
    const hk_exchange *e = &m->exchange[i];
    if (is_due(s, e)) status = hk_sim_values(s, e->channel, e->coupling->n_inputs, u, err);
    u += e->coupling->n_inputs;
  }
  u = s->partners->u;
  for (int i = 0; i < m->n_exchanges && !status; i++) {
    if (is_due(s, &m->exchange[i])) status = sample_one(s, i, u, err);
    u += m->exchange[i].coupling->n_inputs;
  }
  return status;
}

hk_status hk_exchange_now(hk_sim *s, hk_error *err) {
  bool any = false;
  for (int i = 0; i < s->model->n_exchanges; i++) any = any || is_due(s, &s->model->exchange[i]);
  return any ? meet(s, s->x[s->model->at.t], err) : HK_OK;
}

static double due(const hk_sim *s) {
  double first = INFINITY;
  for (int i = 0; i < s->model->n_exchanges; i++)
    first = fmin(first, next_sample(s, &s->model->exchange[i]));
  return first;
}

const hk_source hk_source_exchange = {.what = "the period of an FMU",
                                      .fixed = true,
                                      .present = has_partners,
                                      .meet = meet,
                                      .due = due};
