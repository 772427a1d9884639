/* Values of an instance's variables, and derivatives of its outputs: see instance.h. */
#include "instance.h"
#include <math.h>

/* Value references: 0 time, inputs, outputs, parameters, rates of inputs, those of continuous.c. */
typedef enum kind { TIME, INPUT, OUTPUT, PARAMETER, RATE, CONTINUOUS, NOTHING } kind;

static kind sort(const fmu_instance *f, unsigned reference, int *i) {
  unsigned at = reference - 1;
  *i = 0;
  if (reference == 0) return TIME;
  const int size[] = {f->n_inputs, f->n_outputs, f->n_parameters, f->n_inputs,
                      2 * f->n_states + f->n_switches};
  for (int k = 0; k < 5; k++) {
    if (at < (unsigned)size[k]) {
      *i = (int)at;
      return (kind)(INPUT + k);
    }
    at -= (unsigned)size[k];
  }
  return NOTHING;
}

static int index_of(const fmu_instance *f, unsigned reference, kind wanted) {
  int i;
  return sort(f, reference, &i) == wanted ? i : -1;
}
int fmu_is_input(const fmu_instance *f, unsigned r) { return index_of(f, r, INPUT); }
int fmu_is_output(const fmu_instance *f, unsigned r) { return index_of(f, r, OUTPUT); }

static fmu_status unknown(const fmu_instance *f, unsigned reference) {
  return fmu_refuse(f, "there is no variable with the value reference %u", reference);
}

static double parameter_value(const fmu_instance *f, int i) {
  hk_parameter p = {.value = NAN};
  if (fmu_parameter(f, i)->given) return fmu_parameter(f, i)->value;
  hk_model_parameter(f->model, f->parameter[i], &p);
  return p.value;
}

/* Computes all outputs at once, because they have most computations in common. Outputs without a
 * value, such as a table beyond its end, are NaN. */
static fmu_status get_outputs(fmu_instance *f, const unsigned *reference, int n, double *out) {
  fmu_status status = fmu_ready(f);
  if (status) return status;
  double t = hk_sim_time(f->sim);
  if (f->ahead && f->mode > FMU_INITIALIZING) t = fmin(t, f->time);
  for (int k = 0; k < n; k++) f->one_channel[k] = f->channel[fmu_is_output(f, reference[k])];
  if (!hk_sim_values_at(f->sim, t, f->one_channel, n, out, NULL)) return FMU_OK;
  for (int k = 0; k < n; k++)
    if (hk_sim_values_at(f->sim, t, &f->one_channel[k], 1, &out[k], NULL)) out[k] = NAN;
  return FMU_OK;
}

static fmu_status get_one(fmu_instance *f, unsigned reference, double *out) {
  int i;
  fmu_status status = FMU_OK;
  const fmu_given *g;
  switch (sort(f, reference, &i)) {
    case TIME:
      *out = f->mode > FMU_INITIALIZING ? f->time : isnan(f->start) ? 0 : f->start;
      return FMU_OK;
    case INPUT:
      g = fmu_input(f, i);
      if (!g->given) status = fmu_settle(f);
      if (!status) *out = g->given ? g->value : hk_sim_input_get(f->sim, f->input[i]);
      return status;
    case OUTPUT:
      return get_outputs(f, &reference, 1, out);
    case PARAMETER:
      /* a parameter that is computed from others may have changed with them */
      if (!fmu_parameter(f, i)->given && f->parameters_changed) status = fmu_settle(f);
      if (!status) *out = parameter_value(f, i);
      return status;
    case RATE:
      *out = fmu_rate(f, i)->given ? fmu_rate(f, i)->value : 0;
      return FMU_OK;
    case CONTINUOUS:
      return fmu_get_continuous(f, i, out);
    default:
      return unknown(f, reference);
  }
}

fmu_status fmu_get(fmu_instance *f, const unsigned *reference, size_t n, double *out) {
  if (!f || fmu_need(f, reference, n) || fmu_need(f, out, n)) return FMU_ERROR;
  for (size_t k = 0, run; k < n; k += run) {
    for (run = 0; k + run < n && run < (size_t)f->n_outputs; run++)
      if (fmu_is_output(f, reference[k + run]) < 0) break;
    fmu_status status =
        run ? get_outputs(f, reference + k, (int)run, out + k) : get_one(f, reference[k], &out[k]);
    if (status) return status;
    if (!run) run = 1;
  }
  return FMU_OK;
}

static fmu_status set_one(fmu_instance *f, unsigned reference, double value) {
  int i;
  fmu_given *g;
  bool early = f->mode <= FMU_INITIALIZING;
  if (!isfinite(value))
    return fmu_refuse(f, "the variable with the value reference %u cannot be set to %g", reference,
                      value);
  switch (sort(f, reference, &i)) {
    case INPUT:
      g = fmu_input(f, i);
      if (early && !(g->given && g->value == value)) f->parameters_changed = true;
      break;
    case PARAMETER:
      g = fmu_parameter(f, i);
      if (value == parameter_value(f, i) && (g->given || !f->parameters_changed)) return FMU_OK;
      f->parameters_changed = true;
      break;
    case RATE:
      g = fmu_rate(f, i);
      break;
    case CONTINUOUS:
      return fmu_refuse(f, "states, derivatives and event indicators cannot be set as variables");
    case TIME:
      return fmu_refuse(f, "the time cannot be set");
    case OUTPUT:
      return fmu_refuse(f, "'%s' is an output and cannot be set", f->manifest.output.name[i]);
    default:
      return unknown(f, reference);
  }
  *g = (fmu_given){value, 1};
  f->placed = false;
  return FMU_OK;
}

fmu_status fmu_set(fmu_instance *f, const unsigned *reference, size_t n, const double *value) {
  if (!f || fmu_need(f, reference, n) || fmu_need(f, value, n)) return FMU_ERROR;
  for (size_t k = 0; k < n; k++) {
    fmu_status status = set_one(f, reference[k], value[k]);
    if (status) return status;
  }
  return FMU_OK;
}

fmu_status fmu_set_rate(fmu_instance *f, unsigned reference, double rate) {
  if (!f) return FMU_ERROR;
  int i = fmu_is_input(f, reference);
  if (i < 0) return fmu_refuse(f, "value reference %u is no input, so it has no rate", reference);
  if (!isfinite(rate))
    return fmu_refuse(f, "the rate of '%s' cannot be %g", f->manifest.input.name[i], rate);
  *fmu_rate(f, i) = (fmu_given){rate, 1};
  return FMU_OK;
}

/* ---- derivatives ---- */

/* Distance of the points of a finite difference, relative to the last step of the integrator. */
static const double SHARE = 0.01;

/* Derivative from three points of the interpolation within the last step: a backward difference,
 * or a forward difference near the start of the step. */
static fmu_status rates_within(fmu_instance *f, double t, const unsigned *reference, int n,
                               double *out) {
  double start = hk_sim_step_start(f->sim), end = hk_sim_time(f->sim), d = SHARE * (end - start);
  double *y[3] = {f->scratch, f->scratch + f->n_outputs, out};
  if (!(d > 0)) {
    fmu_tell(f, FMU_DISCARD, FMU_LOG_ERROR,
             "outputs have derivatives after a step of the integrator, of which there is none yet");
    return FMU_DISCARD;
  }
  if (t - 2 * d >= start) d = -d;
  for (int k = 0; k < n; k++) f->one_channel[k] = f->channel[fmu_is_output(f, reference[k])];
  for (int j = 0; j < 3; j++) {
    hk_error err = {0};
    if (hk_sim_values_at(f->sim, t + j * d, f->one_channel, n, y[j], &err))
      return fmu_failed(f, &err);
  }
  for (int k = 0; k < n; k++) out[k] = (4 * y[1][k] - 3 * y[0][k] - y[2][k]) / (2 * d);
  return FMU_OK;
}

fmu_status fmu_output_rates(fmu_instance *f, const unsigned *reference, size_t n, double *out) {
  if (!f || fmu_need(f, reference, n) || fmu_need(f, out, n)) return FMU_ERROR;
  if (f->importer.exchange || f->mode <= FMU_INITIALIZING || n > (size_t)f->n_outputs)
    return fmu_refuse(f, "derivatives are those of outputs in co-simulation, each named once");
  for (size_t k = 0; k < n; k++)
    if (fmu_is_output(f, reference[k]) < 0)
      return fmu_refuse(f, "derivatives by the time are those of outputs");
  fmu_status status = fmu_ready(f);
  if (status) return status;
  if (!hk_sim_interpolates(f->sim))
    return fmu_refuse(f, "the %s stepper has no values within its steps, hence no derivatives",
                      hk_sim_stepper_name(f->sim));
  double now = hk_sim_time(f->sim);
  return rates_within(f, f->ahead ? fmin(now, f->time) : now, reference, (int)n, out);
}

/* Computes one column of the derivative: all unknowns with respect to one known with the seed 1. */
static fmu_status column(fmu_instance *f, size_t n_unknown, int input, double *out) {
  hk_error err = {0};
  const double one = 1;
  if (!hk_sim_sensitivity(f->sim, &input, 1, &one, f->one_channel, (int)n_unknown, out, &err))
    return FMU_OK;
  return fmu_refuse(f, "%s", err.text);
}

fmu_status fmu_derivative(fmu_instance *f, const unsigned *unknown_reference, size_t n_unknown,
                          const unsigned *known, size_t n_known, const double *seed, bool adjoint,
                          double *out) {
  if (!f || fmu_need(f, unknown_reference, n_unknown) || fmu_need(f, known, n_known) ||
      fmu_need(f, seed, adjoint ? n_unknown : n_known) ||
      fmu_need(f, out, adjoint ? n_known : n_unknown))
    return FMU_ERROR;
  if (n_unknown > (size_t)f->n_outputs || n_known > (size_t)f->n_inputs)
    return fmu_refuse(f, "derivatives are those of outputs by inputs, each named once");
  for (size_t k = 0; k < n_unknown; k++) {
    int i = fmu_is_output(f, unknown_reference[k]);
    if (i < 0) return fmu_refuse(f, "value reference %u is no output", unknown_reference[k]);
    f->one_channel[k] = f->channel[i];
  }
  fmu_status status = fmu_ready(f);
  for (size_t k = 0; k < (adjoint ? n_known : n_unknown); k++) out[k] = 0;
  for (size_t j = 0; j < n_known && !status; j++) {
    int i = fmu_is_input(f, known[j]);
    if (i < 0) return fmu_refuse(f, "value reference %u is no input", known[j]);
    status = column(f, n_unknown, f->input[i], f->scratch);
    for (size_t k = 0; k < n_unknown && !status; k++) {
      if (adjoint)
        out[j] += seed[k] * f->scratch[k];
      else
        out[k] += seed[j] * f->scratch[k];
    }
  }
  return status;
}
