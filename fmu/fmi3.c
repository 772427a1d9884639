/* FMI 3.0 for co-simulation, on top of instance.h. */
#include "fmi3.h"
#include "instance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI __attribute__((visibility("default")))

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
  if (resources) return fmu_create(&importer, name, token, resources);
  const fmu_instance nobody = {.importer = importer, .name = (char *)name};
  fmu_refuse(&nobody, "the importer gives no folder of resources, where the model is");
  return NULL;
}

static fmi3Instance other_interface(fmi3InstanceEnvironment environment,
                                    fmi3LogMessageCallback log) {
  const fmu_instance nobody = {
      .importer = {.environment = environment, .function = (void (*)(void))log, .tell = tell}};
  fmu_refuse(&nobody, "this FMU is for co-simulation only");
  return NULL;
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
  return other_interface(environment, log);
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
  return other_interface(environment, log);
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
  fmu_instance *f = c;
  bool events = n == 0;
  for (size_t i = 0; i < n && category; i++)
    if (strcmp(category[i], fmu_category_name[FMU_LOG_EVENTS]) == 0) events = true;
  f->importer.debug = on && events;
  return fmi3OK;
}

FUNCTION(fmi3EnterInitializationMode, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
         fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
  fmu_status status =
      fmu_setup(c, tolerance_defined ? tolerance : NAN, start, stop_defined ? stop : NAN);
  return (fmi3Status)(status ? status : fmu_begin(c));
}
PLAIN_FUNCTION(fmi3ExitInitializationMode) {
  fmu_instance *f = c;
  fmu_status status = fmu_initialize(f);
  if (!status && f->importer.events) f->mode = FMU_EVENT;
  return (fmi3Status)status;
}
PLAIN_FUNCTION(fmi3Terminate) {
  ((fmu_instance *)c)->mode = FMU_TERMINATED;
  return fmi3OK;
}
PLAIN_FUNCTION(fmi3Reset) { return (fmi3Status)fmu_reset(c); }

/* ---- events: velocities have jumped within the step, so nothing remains to be computed ---- */

static fmi3Status change_mode(fmu_instance *f, fmu_mode from, fmu_mode to) {
  if (!f->importer.events || f->mode != from)
    return (fmi3Status)fmu_refuse(f,
                                  "the event mode is entered after a step and left again, by an "
                                  "importer that said so at instantiation");
  f->mode = to;
  return fmi3OK;
}
PLAIN_FUNCTION(fmi3EnterEventMode) { return change_mode(c, FMU_STEPPING, FMU_EVENT); }
PLAIN_FUNCTION(fmi3EnterStepMode) { return change_mode(c, FMU_EVENT, FMU_STEPPING); }
PLAIN_FUNCTION(fmi3EvaluateDiscreteStates) { return fmi3OK; }
FUNCTION(fmi3UpdateDiscreteStates, fmi3Boolean *need_update, fmi3Boolean *terminate,
         fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *next_defined,
         fmi3Float64 *next) {
  *need_update = *terminate = *nominals_changed = *values_changed = *next_defined = false;
  *next = 0;
  return fmi3OK;
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

static fmi3Status none_of(const fmu_instance *f, size_t n) {
  return n ? (fmi3Status)fmu_refuse(f, "all variables of this FMU are of the type Float64")
           : fmi3OK;
}
#define OTHER_TYPE(name, type)                                                                     \
  FUNCTION(fmi3Get##name, const fmi3ValueReference r[], size_t n, type value[], size_t n_values) { \
    return none_of(c, n);                                                                          \
  }                                                                                                \
  FUNCTION(fmi3Set##name, const fmi3ValueReference r[], size_t n, const type value[],              \
           size_t n_values) {                                                                      \
    return none_of(c, n);                                                                          \
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
  return none_of(c, n);
}
FUNCTION(fmi3SetBinary, const fmi3ValueReference r[], size_t n, const size_t size[],
         const fmi3Byte *const value[], size_t n_values) {
  return none_of(c, n);
}

/* ---- clocks: there are none ---- */

#define NO_CLOCKS(name, ...)                                                 \
  FUNCTION(name, const fmi3ValueReference r[], size_t n, __VA_ARGS__) {      \
    return n ? (fmi3Status)fmu_refuse(c, "this FMU has no clocks") : fmi3OK; \
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
  int i = fmu_is_output(f, reference);
  if (i < 0) return -1;
  return hk_model_channel_depends(f->model, f->channel[i]) & HK_DEPENDS_INPUT ? f->n_inputs : 0;
}
FUNCTION(fmi3GetNumberOfVariableDependencies, fmi3ValueReference r, size_t *n) {
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
  return (fmi3Status)fmu_refuse(c, "derivatives of outputs by the time are not offered");
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
  *event_needed = f->importer.events && stepped.event;
  *terminate = false;
  *early = stepped.early;
  *last_time = f->time;
  return (fmi3Status)status;
}
