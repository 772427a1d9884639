/* FMI 3.0, on top of instance.h. */
#include "fmi3.h"
#include "instance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI FMU_EXPORT

/* Functions that both versions have. */
#define FMI_NAME(name) fmi3##name
#define FMI_STATE FMUState
#define FMI_DESERIALIZE Deserialize
#define FMI_BOOLEAN fmi3Boolean
#define FMI_BYTE fmi3Byte
#include "both.inc"

static void tell(const fmu_instance *f, fmu_status status, const char *category,
                 const char *message) {
  fmi3LogMessageCallback log = (fmi3LogMessageCallback)f->importer.function;
  if (log) log(f->importer.environment, (fmi3Status)status, category, message);
}

/* Called after every step of the integrator: the importer may read variables and request an
 * early return. */
static bool look(fmu_instance *f, double time, double *until) {
  fmi3IntermediateUpdateCallback update = (fmi3IntermediateUpdateCallback)f->importer.second;
  bool early = false, can = f->importer.early;
  double at = time;
  f->time = time;
  update(f->importer.environment, time, false, true, true, can, &early, &at);
  if (!early || !can) return false;
  *until = fmax(time, fmin(at, *until));
  return true;
}

FMI const char *fmi3GetVersion(void);
FMI const char *fmi3GetVersion(void) { return "3.0"; }

/* ---- instances ---- */

static fmi3Instance instantiate(const fmu_importer *importer, const char *name, const char *token,
                                const char *resources) {
  if (resources) return fmu_create(importer, name, token, resources);
  const fmu_instance nobody = {.importer = *importer, .name = (char *)name};
  fmu_refuse(&nobody, "the importer gives no folder of resources, where the model is");
  return NULL;
}

FMI fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
    const fmi3ValueReference intermediate[], size_t n, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update);
FMI fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
    const fmi3ValueReference intermediate[], size_t n, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
  const fmu_importer importer = {.environment = environment,
                                 .function = (void (*)(void))log,
                                 .second = (void (*)(void))update,
                                 .look = update ? look : NULL,
                                 .tell = tell,
                                 .early = early,
                                 .events = events,
                                 .debug = logging,
                                 .rates_last = true};
  return instantiate(&importer, name, token, resources);
}

FMI fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                              fmi3String resources, fmi3Boolean visible,
                                              fmi3Boolean logging,
                                              fmi3InstanceEnvironment environment,
                                              fmi3LogMessageCallback log);
FMI fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                              fmi3String resources, fmi3Boolean visible,
                                              fmi3Boolean logging,
                                              fmi3InstanceEnvironment environment,
                                              fmi3LogMessageCallback log) {
  const fmu_importer importer = {.environment = environment,
                                 .function = (void (*)(void))log,
                                 .tell = tell,
                                 .debug = logging,
                                 .exchange = true};
  return instantiate(&importer, name, token, resources);
}
FMI fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock);
FMI fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock) {
  const fmu_instance nobody = {
      .importer = {.environment = environment, .function = (void (*)(void))log, .tell = tell}};
  fmu_refuse(&nobody,
             "this FMU is for co-simulation and model exchange, not for scheduled execution");
  return NULL;
}
FUNCTION(fmi3EnterInitializationMode, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
         fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
  fmu_status status =
      fmu_setup(c, tolerance_defined ? tolerance : NAN, start, stop_defined ? stop : NAN);
  return (fmi3Status)(status ? status : fmu_begin(c));
}

/* ---- events ---- */

static fmi3Status leave_events(fmu_instance *f, bool exchange) {
  if (f && f->importer.exchange != exchange)
    return (fmi3Status)fmu_refuse(f, "this instance was created for %s",
                                  exchange ? "co-simulation" : "model exchange");
  return (fmi3Status)fmu_change_mode(f, FMU_EVENT, FMU_STEPPING);
}
PLAIN_FUNCTION(fmi3EnterStepMode) { return leave_events(c, false); }
PLAIN_FUNCTION(fmi3EnterContinuousTimeMode) { return leave_events(c, true); }
PLAIN_FUNCTION(fmi3EvaluateDiscreteStates) { return c ? fmi3OK : fmi3Error; }
/* In co-simulation, the step itself has computed the jump of velocities, so nothing remains to
 * be done in event mode. */
FUNCTION(fmi3UpdateDiscreteStates, fmi3Boolean *need_update, fmi3Boolean *terminate,
         fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *next_defined,
         fmi3Float64 *next) {
  fmu_instance *f = c;
  bool changed = false;
  double time = INFINITY;
  fmi3Status status = !f                     ? fmi3Error
                      : f->importer.exchange ? (fmi3Status)fmu_update_discrete(f, &changed, &time)
                                             : fmi3OK;
  if (need_update) *need_update = false;
  if (terminate) *terminate = false;
  if (nominals_changed) *nominals_changed = false;
  if (values_changed) *values_changed = changed;
  if (next_defined) *next_defined = time < INFINITY;
  if (next) *next = time < INFINITY ? time : 0;
  return status;
}

/* ---- model exchange ---- */

FUNCTION(fmi3GetContinuousStateDerivatives, fmi3Float64 rate[], size_t n) {
  return (fmi3Status)fmu_get_state_rates(c, rate, n);
}
static fmi3Status count(const fmu_instance *f, size_t *out, int n) {
  if (!f || fmu_need(f, out, 1)) return fmi3Error;
  *out = (size_t)n;
  return fmi3OK;
}
FUNCTION(fmi3GetNumberOfContinuousStates, size_t *n) {
  return count(c, n, c ? ((fmu_instance *)c)->n_states : 0);
}
FUNCTION(fmi3GetNumberOfEventIndicators, size_t *n) {
  return count(c, n, c ? ((fmu_instance *)c)->n_switches : 0);
}

/* ---- values ---- */

FUNCTION(fmi3GetFloat64, const fmi3ValueReference r[], size_t n, fmi3Float64 value[],
         size_t n_values) {
  const unsigned *all;
  fmu_status status = fmu_expand(c, 0, r, n, n_values, &all);
  return (fmi3Status)(status ? status : fmu_get(c, all, n_values, value));
}
FUNCTION(fmi3SetFloat64, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
         size_t n_values) {
  const unsigned *all;
  fmu_status status = fmu_expand(c, 0, r, n, n_values, &all);
  return (fmi3Status)(status ? status : fmu_set(c, all, n_values, value));
}

#define OTHER_TYPE(name, type)                                                                     \
  FUNCTION(fmi3Get##name, const fmi3ValueReference r[], size_t n, type value[], size_t n_values) { \
    return (fmi3Status)fmu_no_values(c, n);                                                        \
  }                                                                                                \
  FUNCTION(fmi3Set##name, const fmi3ValueReference r[], size_t n, const type value[],              \
           size_t n_values) {                                                                      \
    return (fmi3Status)fmu_no_values(c, n);                                                        \
  }
OTHER_TYPE(Float32, float)
OTHER_TYPE(Int8, int8_t)
OTHER_TYPE(UInt8, uint8_t)
OTHER_TYPE(Int16, int16_t)
OTHER_TYPE(UInt16, uint16_t)
OTHER_TYPE(Int32, int32_t)
OTHER_TYPE(UInt32, uint32_t)
OTHER_TYPE(Int64, int64_t)
OTHER_TYPE(UInt64, uint64_t)
OTHER_TYPE(Boolean, fmi3Boolean)
OTHER_TYPE(String, fmi3String)
FUNCTION(fmi3GetBinary, const fmi3ValueReference r[], size_t n, size_t size[],
         const fmi3Byte *value[], size_t n_values) {
  return (fmi3Status)fmu_no_values(c, n);
}
FUNCTION(fmi3SetBinary, const fmi3ValueReference r[], size_t n, const size_t size[],
         const fmi3Byte *const value[], size_t n_values) {
  return (fmi3Status)fmu_no_values(c, n);
}

/* ---- clocks: there are none ---- */

#define NO_CLOCKS(name, ...)                                                       \
  FUNCTION(name, const fmi3ValueReference r[], size_t n, __VA_ARGS__) {            \
    return n || !c ? (fmi3Status)fmu_refuse(c, "this FMU has no clocks") : fmi3OK; \
  }
NO_CLOCKS(fmi3GetClock, fmi3Clock value[])
NO_CLOCKS(fmi3SetClock, const fmi3Clock value[])
NO_CLOCKS(fmi3GetIntervalDecimal, fmi3Float64 interval[], fmi3IntervalQualifier qualifier[])
NO_CLOCKS(fmi3GetIntervalFraction, fmi3UInt64 counter[], fmi3UInt64 resolution[],
          fmi3IntervalQualifier qualifier[])
NO_CLOCKS(fmi3GetShiftDecimal, fmi3Float64 shift[])
NO_CLOCKS(fmi3GetShiftFraction, fmi3UInt64 counter[], fmi3UInt64 resolution[])
NO_CLOCKS(fmi3SetIntervalDecimal, const fmi3Float64 interval[])
NO_CLOCKS(fmi3SetIntervalFraction, const fmi3UInt64 counter[], const fmi3UInt64 resolution[])
NO_CLOCKS(fmi3SetShiftDecimal, const fmi3Float64 shift[])
NO_CLOCKS(fmi3SetShiftFraction, const fmi3UInt64 counter[], const fmi3UInt64 resolution[])

/* ---- dependencies and derivatives ---- */

/* Pairs of an element of an output and an input on which it depends directly; -1: the reference is not an output. */
static int n_dependencies(const fmu_instance *f, unsigned reference) {
  int first = f ? fmu_is_output(f, reference) : -1, n = 0, inputs = 0;
  if (first < 0) return -1;
  for (int i = 0; i < f->n_inputs; i += fmu_size_of(f, 1 + (unsigned)i)) inputs++;
  for (int k = 0; k < fmu_size_of(f, reference); k++)
    if (hk_model_channel_depends(f->model, f->channel[first + k]) & HK_DEPENDS_INPUT) n += inputs;
  return n;
}
FUNCTION(fmi3GetNumberOfVariableDependencies, fmi3ValueReference r, size_t *n) {
  if (!c || fmu_need(c, n, 1)) return fmi3Error;
  int count = n_dependencies(c, r);
  *n = count > 0 ? (size_t)count : 0;
  return count < 0 ? (fmi3Status)fmu_refuse(c, "value reference %u is no output", r) : fmi3OK;
}
/* The element of a single number is 0, and so is that of an input of which all elements count. */
FUNCTION(fmi3GetVariableDependencies, fmi3ValueReference r, size_t element[],
         fmi3ValueReference independent[], size_t independent_element[], fmi3DependencyKind kind[],
         size_t n) {
  const fmu_instance *f = c;
  int count = n_dependencies(f, r);
  if (count < 0) return (fmi3Status)fmu_refuse(c, "value reference %u is no output", r);
  if (n != (size_t)count)
    return (fmi3Status)fmu_refuse(c, "the variable has %d dependencies, not %zu", count, n);
  if (fmu_need(c, element, n) || fmu_need(c, independent, n) ||
      fmu_need(c, independent_element, n) || fmu_need(c, kind, n))
    return fmi3Error;
  const int first = fmu_is_output(f, r), size = fmu_size_of(f, r);
  for (int k = 0, at = 0; k < size; k++) {
    if (!(hk_model_channel_depends(f->model, f->channel[first + k]) & HK_DEPENDS_INPUT)) continue;
    for (int i = 0; i < f->n_inputs; i += fmu_size_of(f, 1 + (unsigned)i), at++) {
      element[at] = size > 1 ? (size_t)k + 1 : 0;
      independent_element[at] = 0;
      independent[at] = (fmi3ValueReference)(1 + i);
      kind[at] = fmi3Dependent;
    }
  }
  return fmi3OK;
}

static size_t n_values_of(const fmu_instance *f, const fmi3ValueReference r[], size_t n) {
  size_t size = 0;
  for (size_t k = 0; k < n; k++) size += (size_t)fmu_size_of(f, r[k]);
  return size;
}

static fmi3Status derivative(fmu_instance *f, const fmi3ValueReference unknown[], size_t n_unknown,
                             const fmi3ValueReference known[], size_t n_known,
                             const fmi3Float64 seed[], bool adjoint, size_t n_seed,
                             fmi3Float64 out[], size_t n_out) {
  const unsigned *unknowns, *knowns;
  if (!f || fmu_need(f, unknown, n_unknown) || fmu_need(f, known, n_known)) return fmi3Error;
  if (n_seed != n_values_of(f, adjoint ? unknown : known, adjoint ? n_unknown : n_known) ||
      n_out != n_values_of(f, adjoint ? known : unknown, adjoint ? n_known : n_unknown))
    return (fmi3Status)fmu_refuse(f, "seed and sensitivity do not have the sizes of the variables");
  size_t rows = adjoint ? n_seed : n_out, columns = adjoint ? n_out : n_seed;
  fmu_status status = fmu_expand(f, 0, unknown, n_unknown, rows, &unknowns);
  if (!status) status = fmu_expand(f, 1, known, n_known, columns, &knowns);
  return (fmi3Status)(status
                          ? status
                          : fmu_derivative(f, unknowns, rows, knowns, columns, seed, adjoint, out));
}
FUNCTION(fmi3GetDirectionalDerivative, const fmi3ValueReference unknown[], size_t n_unknown,
         const fmi3ValueReference known[], size_t n_known, const fmi3Float64 seed[], size_t n_seed,
         fmi3Float64 out[], size_t n_out) {
  return derivative(c, unknown, n_unknown, known, n_known, seed, false, n_seed, out, n_out);
}
FUNCTION(fmi3GetAdjointDerivative, const fmi3ValueReference unknown[], size_t n_unknown,
         const fmi3ValueReference known[], size_t n_known, const fmi3Float64 seed[], size_t n_seed,
         fmi3Float64 out[], size_t n_out) {
  return derivative(c, unknown, n_unknown, known, n_known, seed, true, n_seed, out, n_out);
}
FUNCTION(fmi3GetOutputDerivatives, const fmi3ValueReference r[], size_t n, const fmi3Int32 order[],
         fmi3Float64 value[], size_t n_values) {
  const unsigned *all;
  fmu_status status = fmu_expand(c, 0, r, n, n_values, &all);
  if (!status) status = fmu_need(c, order, n);
  for (size_t k = 0; k < n && !status; k++)
    if (order[k] != 1) status = fmu_refuse(c, "derivatives by the time are of order 1");
  return (fmi3Status)(status ? status : fmu_output_rates(c, all, n_values, value));
}

/* ---- configuration and steps ---- */

PLAIN_FUNCTION(fmi3EnterConfigurationMode) {
  return (fmi3Status)fmu_refuse(c, "this FMU has no structural parameters");
}
PLAIN_FUNCTION(fmi3ExitConfigurationMode) {
  return (fmi3Status)fmu_refuse(c, "this FMU has no structural parameters");
}
FUNCTION(fmi3DoStep, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_state_before,
         fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early,
         fmi3Float64 *last_time) {
  fmu_instance *f = c;
  fmu_stepped stepped;
  fmu_status status = fmu_step(f, t, h, &stepped);
  if (event_needed) *event_needed = f && f->importer.events && stepped.event;
  if (terminate) *terminate = false;
  if (early) *early = stepped.early;
  if (last_time) *last_time = f ? f->time : t;
  return (fmi3Status)status;
}

FUNCTION(fmi3ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time) {
  return (fmi3Status)fmu_refuse(c, "this FMU is not for scheduled execution");
}
