/* FMI 3.0, on top of instance.h. */
#include "fmi3.h"
#include "instance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI FMU_EXPORT

static void tell(const fmu_instance *f, fmu_status status, const char *category,
                 const char *message) {
  fmi3LogMessageCallback log = (fmi3LogMessageCallback)f->importer.function;
  if (log) log(f->importer.environment, (fmi3Status)status, category, message);
}

/* After every step of the integrator the importer may read variables and request an early return. */
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
FMI void fmi3FreeInstance(fmi3Instance c);
FMI void fmi3FreeInstance(fmi3Instance c) { fmu_destroy(c); }

/* Every function below: its declaration, and its definition with `c` as the instance. */
#define FUNCTION(name, ...)                       \
  FMI fmi3Status name(fmi3Instance, __VA_ARGS__); \
  FMI fmi3Status name(fmi3Instance c, __VA_ARGS__)
#define PLAIN_FUNCTION(name)         \
  FMI fmi3Status name(fmi3Instance); \
  FMI fmi3Status name(fmi3Instance c)

FUNCTION(fmi3SetDebugLogging, fmi3Boolean on, size_t n, const fmi3String category[]) {
  return (fmi3Status)fmu_set_debug(c, on, n, category);
}

FUNCTION(fmi3EnterInitializationMode, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
         fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
  fmu_status status =
      fmu_setup(c, tolerance_defined ? tolerance : NAN, start, stop_defined ? stop : NAN);
  return (fmi3Status)(status ? status : fmu_begin(c));
}
PLAIN_FUNCTION(fmi3ExitInitializationMode) { return (fmi3Status)fmu_initialize(c); }
PLAIN_FUNCTION(fmi3Terminate) { return (fmi3Status)fmu_terminate(c); }
PLAIN_FUNCTION(fmi3Reset) { return (fmi3Status)fmu_reset(c); }

/* ---- events ---- */

PLAIN_FUNCTION(fmi3EnterEventMode) {
  return (fmi3Status)fmu_change_mode(c, FMU_STEPPING, FMU_EVENT);
}
static fmi3Status leave_events(fmu_instance *f, bool exchange) {
  if (f && f->importer.exchange != exchange)
    return (fmi3Status)fmu_refuse(f, "this instance was created for %s",
                                  exchange ? "co-simulation" : "model exchange");
  return (fmi3Status)fmu_change_mode(f, FMU_EVENT, FMU_STEPPING);
}
PLAIN_FUNCTION(fmi3EnterStepMode) { return leave_events(c, false); }
PLAIN_FUNCTION(fmi3EnterContinuousTimeMode) { return leave_events(c, true); }
PLAIN_FUNCTION(fmi3EvaluateDiscreteStates) { return c ? fmi3OK : fmi3Error; }
/* Co-simulation: velocities have jumped within the step, so nothing remains to be computed. */
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

FUNCTION(fmi3CompletedIntegratorStep, fmi3Boolean no_state_before, fmi3Boolean *event,
         fmi3Boolean *terminate) {
  bool enter = false;
  if (!c || fmu_need(c, event, 1) || fmu_need(c, terminate, 1)) return fmi3Error;
  fmi3Status status = (fmi3Status)fmu_completed_step(c, &enter);
  *event = enter, *terminate = false;
  return status;
}
FUNCTION(fmi3SetTime, fmi3Float64 time) { return (fmi3Status)fmu_set_time(c, time); }
FUNCTION(fmi3SetContinuousStates, const fmi3Float64 x[], size_t n) {
  return (fmi3Status)fmu_set_states(c, x, n);
}
FUNCTION(fmi3GetContinuousStates, fmi3Float64 x[], size_t n) {
  return (fmi3Status)fmu_get_states(c, x, n);
}
FUNCTION(fmi3GetContinuousStateDerivatives, fmi3Float64 rate[], size_t n) {
  return (fmi3Status)fmu_get_state_rates(c, rate, n);
}
FUNCTION(fmi3GetEventIndicators, fmi3Float64 indicator[], size_t n) {
  return (fmi3Status)fmu_get_indicators(c, indicator, n);
}
FUNCTION(fmi3GetNominalsOfContinuousStates, fmi3Float64 nominal[], size_t n) {
  return (fmi3Status)fmu_get_nominals(c, nominal, n);
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
  return (fmi3Status)(n == n_values ? fmu_get(c, r, n, value)
                                    : fmu_refuse(c, "%zu variables have %zu values, not %zu", n, n,
                                                 n_values));
}
FUNCTION(fmi3SetFloat64, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
         size_t n_values) {
  return (fmi3Status)(n == n_values ? fmu_set(c, r, n, value)
                                    : fmu_refuse(c, "%zu variables have %zu values, not %zu", n, n,
                                                 n_values));
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

/* Number of inputs on which an output depends directly; -1: the reference is not an output. */
static int dependencies(fmu_instance *f, unsigned reference) {
  if (!f) return -1;
  int i = fmu_is_output(f, reference);
  if (i < 0) return -1;
  return hk_model_channel_depends(f->model, f->channel[i]) & HK_DEPENDS_INPUT ? f->n_inputs : 0;
}
FUNCTION(fmi3GetNumberOfVariableDependencies, fmi3ValueReference r, size_t *n) {
  if (!c || fmu_need(c, n, 1)) return fmi3Error;
  int count = dependencies(c, r);
  *n = count > 0 ? (size_t)count : 0;
  return count < 0 ? (fmi3Status)fmu_refuse(c, "value reference %u is no output", r) : fmi3OK;
}
FUNCTION(fmi3GetVariableDependencies, fmi3ValueReference r, size_t element[],
         fmi3ValueReference independent[], size_t independent_element[], fmi3DependencyKind kind[],
         size_t n) {
  int count = dependencies(c, r);
  if (count < 0) return (fmi3Status)fmu_refuse(c, "value reference %u is no output", r);
  if (n != (size_t)count)
    return (fmi3Status)fmu_refuse(c, "the variable has %d dependencies, not %zu", count, n);
  if (fmu_need(c, element, n) || fmu_need(c, independent, n) ||
      fmu_need(c, independent_element, n) || fmu_need(c, kind, n))
    return fmi3Error;
  for (int i = 0; i < count; i++) {
    element[i] = independent_element[i] = 0;
    independent[i] = (fmi3ValueReference)(1 + i);
    kind[i] = fmi3Dependent;
  }
  return fmi3OK;
}

static fmi3Status derivative(fmu_instance *f, const fmi3ValueReference unknown[], size_t n_unknown,
                             const fmi3ValueReference known[], size_t n_known,
                             const fmi3Float64 seed[], bool adjoint, size_t n_seed,
                             fmi3Float64 out[], size_t n_out) {
  if (n_seed != (adjoint ? n_unknown : n_known) || n_out != (adjoint ? n_known : n_unknown))
    return (fmi3Status)fmu_refuse(f, "seed and sensitivity do not have the sizes of the variables");
  return (fmi3Status)fmu_derivative(f, unknown, n_unknown, known, n_known, seed, adjoint, out);
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
  if (c && n != n_values)
    return (fmi3Status)fmu_refuse(c, "%zu variables have %zu derivatives, not %zu", n, n, n_values);
  return (fmi3Status)fmu_output_rates(c, r, n, order, value);
}

/* ---- states ---- */

FUNCTION(fmi3GetFMUState, fmi3FMUState *state) {
  return (fmi3Status)fmu_state_get(c, (fmu_state **)state);
}
FUNCTION(fmi3SetFMUState, fmi3FMUState state) { return (fmi3Status)fmu_state_set(c, state); }
FUNCTION(fmi3FreeFMUState, fmi3FMUState *state) {
  if (state) free(*state), *state = NULL;
  return fmi3OK;
}
FUNCTION(fmi3SerializedFMUStateSize, fmi3FMUState state, size_t *size) {
  if (!c || fmu_need(c, size, 1)) return fmi3Error;
  *size = fmu_state_size(state);
  return fmi3OK;
}
FUNCTION(fmi3SerializeFMUState, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return (fmi3Status)fmu_state_write(c, state, bytes, size);
}
FUNCTION(fmi3DeserializeFMUState, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
  return (fmi3Status)fmu_state_read(c, bytes, size, (fmu_state **)state);
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
