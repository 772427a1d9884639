/* FMI 2.0, on top of instance.h. */
#include "fmi2.h"
#include "instance.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI FMU_EXPORT

/* Functions that both versions have. */
#define FMI_NAME(name) fmi2##name
#define FMI_STATE FMUstate
#define FMI_DESERIALIZE DeSerialize
#define FMI_BOOLEAN fmi2Boolean
#define FMI_BYTE fmi2Byte
#include "both.inc"

typedef void (*logger_fn)(void *, const char *, fmi2Status, const char *, const char *, ...);

static void tell(const fmu_instance *f, fmu_status status, const char *category,
                 const char *message) {
  logger_fn log = (logger_fn)f->importer.function;
  if (log)
    log(f->importer.environment, f->name ? f->name : "", (fmi2Status)status, category, "%s",
        message);
}

FMI const char *fmi2GetTypesPlatform(void);
FMI const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI const char *fmi2GetVersion(void);
FMI const char *fmi2GetVersion(void) { return "2.0"; }

/* ---- instances ---- */

static int hex(char c) {
  return isdigit((unsigned char)c)    ? c - '0'
         : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10
                                      : -1;
}

/* "file:///tmp/a%20b" -> "/tmp/a b": also "file:/tmp" and "file://localhost/tmp"; a text that is not a URI is
 * returned unchanged.  Allocated by malloc. */
static char *path_of(const char *uri) {
  char *path = malloc(strlen(uri) + 1), *to = path;
  bool is_uri = strncmp(uri, "file:", 5) == 0;
  if (!path) return NULL;
  if (is_uri) uri += 5;
  if (is_uri && strncmp(uri, "//", 2) == 0) {
    const char *slash = strchr(uri + 2, '/');
    uri = slash ? slash : "";
  }
  for (; *uri; uri++) {
    bool coded = is_uri && *uri == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0;
    *to++ = coded ? (char)(16 * hex(uri[1]) + hex(uri[2])) : *uri;
    if (coded) uri += 2;
  }
  *to = '\0';
  return path;
}

FMI fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                  fmi2String resources, const fmi2CallbackFunctions *functions,
                                  fmi2Boolean visible, fmi2Boolean logging);
FMI fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                  fmi2String resources, const fmi2CallbackFunctions *functions,
                                  fmi2Boolean visible, fmi2Boolean logging) {
  fmu_importer importer = {.environment = functions ? functions->componentEnvironment : NULL,
                           .function = (void (*)(void))(functions ? functions->logger : NULL),
                           .tell = tell,
                           .debug = logging,
                           .exchange = type == fmi2ModelExchange};
  const fmu_instance nobody = {.importer = importer, .name = (char *)name};
  if (!resources) {
    fmu_refuse(&nobody, "the importer gives no folder of resources, where the model is");
    return NULL;
  }
  char *path = path_of(resources);
  fmu_instance *f = path ? fmu_create(&importer, name, guid, path) : NULL;
  free(path);
  return f;
}

FUNCTION(fmi2SetupExperiment, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
         fmi2Boolean stop_defined, fmi2Real stop) {
  return (fmi2Status)fmu_setup(c, tolerance_defined ? tolerance : NAN, start,
                               stop_defined ? stop : NAN);
}
PLAIN_FUNCTION(fmi2EnterInitializationMode) { return (fmi2Status)fmu_begin(c); }

/* ---- values ---- */

FUNCTION(fmi2GetReal, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
  return (fmi2Status)fmu_get(c, r, n, value);
}
FUNCTION(fmi2SetReal, const fmi2ValueReference r[], size_t n, const fmi2Real value[]) {
  return (fmi2Status)fmu_set(c, r, n, value);
}

#define OTHER_TYPE(type)                                                                      \
  FUNCTION(fmi2Get##type, const fmi2ValueReference r[], size_t n, fmi2##type value[]) {       \
    return (fmi2Status)fmu_no_values(c, n);                                                   \
  }                                                                                           \
  FUNCTION(fmi2Set##type, const fmi2ValueReference r[], size_t n, const fmi2##type value[]) { \
    return (fmi2Status)fmu_no_values(c, n);                                                   \
  }
OTHER_TYPE(Integer)
OTHER_TYPE(Boolean)
OTHER_TYPE(String)

FUNCTION(fmi2SetRealInputDerivatives, const fmi2ValueReference r[], size_t n,
         const fmi2Integer order[], const fmi2Real value[]) {
  if (!c || fmu_need(c, r, n) || fmu_need(c, order, n) || fmu_need(c, value, n)) return fmi2Error;
  fmi2Status status = fmi2OK;
  for (size_t k = 0; k < n && status == fmi2OK; k++)
    status = order[k] == 1 ? (fmi2Status)fmu_set_rate(c, r[k], value[k])
                           : (fmi2Status)fmu_refuse(c, "inputs have derivatives of order 1 only");
  return status;
}
FUNCTION(fmi2GetRealOutputDerivatives, const fmi2ValueReference r[], size_t n,
         const fmi2Integer order[], fmi2Real value[]) {
  if (!c || fmu_need(c, order, n)) return fmi2Error;
  for (size_t k = 0; k < n; k++)
    if (order[k] != 1) return (fmi2Status)fmu_refuse(c, "derivatives by the time are of order 1");
  return (fmi2Status)fmu_output_rates(c, r, n, value);
}
FUNCTION(fmi2GetDirectionalDerivative, const fmi2ValueReference unknown[], size_t n_unknown,
         const fmi2ValueReference known[], size_t n_known, const fmi2Real seed[],
         fmi2Real sensitivity[]) {
  return (fmi2Status)fmu_derivative(c, unknown, n_unknown, known, n_known, seed, false,
                                    sensitivity);
}

/* ---- steps ---- */

FUNCTION(fmi2DoStep, fmi2Real t, fmi2Real h, fmi2Boolean no_state_before) {
  fmu_stepped stepped;
  return (fmi2Status)fmu_step(c, t, h, &stepped);
}
PLAIN_FUNCTION(fmi2CancelStep) {
  return (fmi2Status)fmu_refuse(c, "steps are complete when fmi2DoStep returns");
}
FUNCTION(fmi2GetStatus, const fmi2StatusKind kind, fmi2Status *value) {
  return (fmi2Status)fmu_refuse(c, "steps are complete when fmi2DoStep returns");
}
FUNCTION(fmi2GetRealStatus, const fmi2StatusKind kind, fmi2Real *value) {
  if (kind != fmi2LastSuccessfulTime)
    return (fmi2Status)fmu_refuse(c, "the status of this kind is no real number");
  if (!c || fmu_need(c, value, 1)) return fmi2Error;
  *value = ((fmu_instance *)c)->time;
  return fmi2OK;
}
FUNCTION(fmi2GetIntegerStatus, const fmi2StatusKind kind, fmi2Integer *value) {
  return (fmi2Status)fmu_refuse(c, "there is no status that is an integer");
}
FUNCTION(fmi2GetBooleanStatus, const fmi2StatusKind kind, fmi2Boolean *value) {
  if (kind != fmi2Terminated)
    return (fmi2Status)fmu_refuse(c, "the status of this kind is no truth value");
  if (!c || fmu_need(c, value, 1)) return fmi2Error;
  *value = 0;
  return fmi2OK;
}
FUNCTION(fmi2GetStringStatus, const fmi2StatusKind kind, fmi2String *value) {
  return (fmi2Status)fmu_refuse(c, "steps are complete when fmi2DoStep returns");
}

/* ---- model exchange ---- */

PLAIN_FUNCTION(fmi2EnterContinuousTimeMode) {
  return (fmi2Status)fmu_change_mode(c, FMU_EVENT, FMU_STEPPING);
}
FMI fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo *);
FMI fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
  bool changed = false;
  double next = INFINITY;
  if (!c || fmu_need(c, info, 1)) return fmi2Error;
  fmi2Status status = (fmi2Status)fmu_update_discrete(c, &changed, &next);
  *info = (fmi2EventInfo){.valuesOfContinuousStatesChanged = changed,
                          .nextEventTimeDefined = next < INFINITY,
                          .nextEventTime = next < INFINITY ? next : 0};
  return status;
}
FUNCTION(fmi2GetDerivatives, fmi2Real rate[], size_t n) {
  return (fmi2Status)fmu_get_state_rates(c, rate, n);
}
