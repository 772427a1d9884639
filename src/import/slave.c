/* Instances of FMUs: see slave.h. */
#include "import/slave.h"
#include "import/functions.h"
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(type, name, arguments) type(*name) arguments;
#define PAIR(name, type)                                              \
  int (*Get##name)(void *, const uint32_t *, size_t, type *, size_t); \
  int (*Set##name)(void *, const uint32_t *, size_t, const type *, size_t);

struct hk_slave {
  const hk_fmu_plan *plan;
  void *library, *instance;
  struct {
    FMI2_FUNCTIONS(MEMBER)
  } two;
  struct {
    FMI3_FUNCTIONS(MEMBER)
    FMI3_NUMBERS(PAIR)
  } three;
  fmi2_callbacks callbacks;
  hk_slave_tell *tell;
  void *context;
  char last[300]; /* the last message of the FMU */
  /* [n_arrays] for arrays of which single elements are set: all values, in units of the FMU */
  double **element;
  bool *known;   /* [n_arrays] true: `element` contains the values that the FMU has */
  bool *stale;   /* [n_arrays] true: values in `element` must be written to the FMU */
  double *got;   /* elements of the array that was read from the FMU last */
  void *scratch; /* scratch memory: the elements of one array in the number type of the FMU */
  void *before;  /* state of the FMU at the start of a step, if the FMU can save its state */
  bool running;  /* initialised and not terminated */
  bool broken;   /* the FMU has reported a fatal error: no further function of it may be called */
};

/* ---- messages ---- */

static const char *status_name(int status) {
  static const char *const NAME[] = {"ok", "warning", "discard", "error", "fatal", "pending"};
  return status >= 0 && status <= FMI_PENDING ? NAME[status] : "unknown status";
}

/* Converts a message to one line without control characters, because it is printed on a
 * terminal. */
static void tell(hk_slave *s, int status, const char *text) {
  if (status == FMI_OK) return;
  size_t n = 0;
  for (const char *p = text ? text : ""; *p && n + 1 < sizeof s->last; p++)
    s->last[n++] = (unsigned char)*p < ' ' || *p == 127 ? ' ' : *p;
  while (n > 0 && s->last[n - 1] == ' ') n--;
  s->last[n] = '\0';
  if (n && s->tell) s->tell(s->context, s->last);
}

/* References to variables, such as #r12#, are not replaced. */
__attribute__((format(printf, 5, 6))) static void logger2(void *environment, const char *instance,
                                                          int status, const char *category,
                                                          const char *message, ...) {
  char text[1000];
  va_list arguments;
  (void)instance, (void)category;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message ? message : "", arguments);
  va_end(arguments);
  tell(environment, status, text);
}

static void logger3(void *environment, int status, const char *category, const char *message) {
  (void)category;
  tell(environment, status, message);
}

/* Returns HK_OK if the status permits further calls; otherwise an error message about `what`. */
static hk_status judge(hk_slave *s, int status, const char *what, hk_error *err) {
  if (status == FMI_OK || status == FMI_WARNING) return HK_OK;
  if (status == FMI_FATAL) s->broken = true;
  return hk_fail(err, status == FMI_DISCARD ? HK_EFAIL : HK_EINPUT, "%s failed with '%s'%s%s%s",
                 what, status_name(status), s->last[0] ? ": " : "", s->last, "");
}

/* ---- the binary ---- */

#if defined __x86_64__
#define PLATFORM2 "linux64"
#define PLATFORM3 "x86_64-linux"
#elif defined __aarch64__
#define PLATFORM2 "linux-aarch64"
#define PLATFORM3 "aarch64-linux"
#else
#define PLATFORM2 "linux"
#define PLATFORM3 "unknown-linux"
#endif

void hk_fmu_binary_path(const hk_fmu_description *d, char *out, size_t size) {
  snprintf(out, size, "binaries/%s/%s.so", d->version == 2 ? PLATFORM2 : PLATFORM3, d->identifier);
}

/* Optional functions, which are called only if the FMU declares the corresponding capability. */
static bool is_optional(const hk_fmu_description *d, const char *name) {
  if (strstr(name, "FMUstate") || strstr(name, "FMUState")) return !d->saves;
  if (strstr(name, "ConfigurationMode") || strstr(name, "BooleanStatus")) return true;
  return strstr(name, "InputDerivatives") && !d->interpolates;
}

static hk_status find_function(hk_slave *s, const char *name, void *out, hk_error *err) {
  char full[80];
  snprintf(full, sizeof full, "fmi%d%s", s->plan->description.version, name);
  void *found = dlsym(s->library, full);
  memcpy(out, &found, sizeof found);
  if (found || is_optional(&s->plan->description, name)) return HK_OK;
  return hk_fail(err, HK_EINPUT, "its binary has no function %s", full);
}

static hk_status load(hk_slave *s, const char *folder, hk_error *err) {
  char name[600], path[1100];
  hk_status status = HK_OK;
  hk_fmu_binary_path(&s->plan->description, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!s->library) {
    const char *why = dlerror();
    /* The path of the private folder is removed from messages, because it does not help the
     * user. */
    const char *rest = why && strncmp(why, path, strlen(path)) == 0 ? why + strlen(path) : why;
    return hk_fail(err, HK_EINPUT, "its binary cannot be loaded%s%s",
                   rest == why && rest ? ": " : "", rest ? rest : "");
  }
#define FIND(type, name, arguments) \
  if (!status) status = find_function(s, #name, &s->FMI.name, err);
#define FIND_PAIR(name, type)                                                  \
  if (!status) status = find_function(s, "Get" #name, &s->FMI.Get##name, err); \
  if (!status) status = find_function(s, "Set" #name, &s->FMI.Set##name, err);
  if (s->plan->description.version == 2) {
#define FMI two
    FMI2_FUNCTIONS(FIND)
#undef FMI
  } else {
#define FMI three
    FMI3_FUNCTIONS(FIND)
    FMI3_NUMBERS(FIND_PAIR)
#undef FMI
  }
  return status;
}

/* ---- values ---- */

#define CASES                           \
  CASE(Float64, double, HK_FMU_FLOAT64) \
  CASE(Float32, float, HK_FMU_FLOAT32)  \
  CASE(Int8, int8_t, HK_FMU_INT8)       \
  CASE(UInt8, uint8_t, HK_FMU_UINT8)    \
  CASE(Int16, int16_t, HK_FMU_INT16)    \
  CASE(UInt16, uint16_t, HK_FMU_UINT16) \
  CASE(Int32, int32_t, HK_FMU_INT32)    \
  CASE(UInt32, uint32_t, HK_FMU_UINT32) \
  CASE(Int64, int64_t, HK_FMU_INT64)    \
  CASE(UInt64, uint64_t, HK_FMU_UINT64) \
  CASE(Boolean, bool, HK_FMU_BOOLEAN)

static int set2(hk_slave *s, const hk_fmu_port *p, double value) {
  int whole = (int)value;
  if (p->kind == HK_FMU_FLOAT64) return s->two.SetReal(s->instance, &p->reference, 1, &value);
  return p->kind == HK_FMU_BOOLEAN ? s->two.SetBoolean(s->instance, &p->reference, 1, &whole)
                                   : s->two.SetInteger(s->instance, &p->reference, 1, &whole);
}

/* Reads or writes one number, or all n elements of an array. FMI 3.0 has a function for each number type. */
static int set3(hk_slave *s, uint32_t reference, hk_fmu_kind kind, const double *value, int n) {
  switch ((int)kind) {
#define CASE(name, type, KIND)                                                \
  case KIND: {                                                                \
    type *number = s->scratch;                                                \
    for (int i = 0; i < n; i++) number[i] = (type)value[i];                   \
    return s->three.Set##name(s->instance, &reference, 1, number, (size_t)n); \
  }
    CASES
#undef CASE
    default:
      return FMI_ERROR;
  }
}

static int get2(hk_slave *s, const hk_fmu_port *p, double *value) {
  int whole = 0, status;
  if (p->kind == HK_FMU_FLOAT64) return s->two.GetReal(s->instance, &p->reference, 1, value);
  status = p->kind == HK_FMU_BOOLEAN ? s->two.GetBoolean(s->instance, &p->reference, 1, &whole)
                                     : s->two.GetInteger(s->instance, &p->reference, 1, &whole);
  *value = p->kind == HK_FMU_BOOLEAN ? whole != 0 : whole;
  return status;
}

static int get3(hk_slave *s, uint32_t reference, hk_fmu_kind kind, double *value, int n) {
  switch ((int)kind) {
#define CASE(name, type, KIND)                                                      \
  case KIND: {                                                                      \
    type *number = s->scratch;                                                      \
    memset(number, 0, (size_t)n * sizeof *number);                                  \
    int status = s->three.Get##name(s->instance, &reference, 1, number, (size_t)n); \
    for (int i = 0; i < n; i++) value[i] = (double)number[i];                       \
    return status;                                                                  \
  }
    CASES
#undef CASE
    default:
      return FMI_ERROR;
  }
}

/* Returns true if a value is in the range of a type of whole numbers. */
static bool fits(hk_fmu_kind kind, double value) {
  static const double MOST[HK_FMU_N_NUMBERS][2] = {[HK_FMU_FLOAT64] = {-HUGE_VAL, HUGE_VAL},
                                                   [HK_FMU_FLOAT32] = {-3.4e38, 3.4e38},
                                                   [HK_FMU_INT8] = {-0x1p7, 0x1p7 - 1},
                                                   [HK_FMU_UINT8] = {0, 0x1p8 - 1},
                                                   [HK_FMU_INT16] = {-0x1p15, 0x1p15 - 1},
                                                   [HK_FMU_UINT16] = {0, 0x1p16 - 1},
                                                   [HK_FMU_INT32] = {-0x1p31, 0x1p31 - 1},
                                                   [HK_FMU_UINT32] = {0, 0x1p32 - 1},
                                                   [HK_FMU_INT64] = {-0x1p53, 0x1p53},
                                                   [HK_FMU_UINT64] = {0, 0x1p53},
                                                   [HK_FMU_BOOLEAN] = {0, 1}};
  return value >= MOST[kind][0] && value <= MOST[kind][1];
}

static hk_status set_element(hk_slave *s, const hk_fmu_port *p, double value, hk_error *err) {
  const hk_fmu_array *a = &s->plan->array[p->array];
  double *element = s->element[p->array];
  if (!s->known[p->array]) {
    char what[200];
    snprintf(what, sizeof what, "reading the array '%.100s'", a->name);
    hk_status status = judge(s, get3(s, a->reference, a->kind, element, a->size), what, err);
    if (status) return status;
    s->known[p->array] = true;
  }
  element[p->element] = value;
  s->stale[p->array] = true;
  return HK_OK;
}

/* Sets a variable from its SI value, converted to the unit of the FMU; whole numbers are rounded. */
static hk_status set(hk_slave *s, const hk_fmu_port *p, double si, hk_error *err) {
  double value = hk_unit_from_si(&p->unit, si);
  if (p->kind > HK_FMU_FLOAT32) value = rint(value);
  if (!isfinite(si) || !fits(p->kind, value))
    return hk_fail(err, HK_EFAIL, "'%s' cannot be set to %g", p->name, value);
  char what[200];
  if (p->array >= 0) return set_element(s, p, value, err);
  snprintf(what, sizeof what, "setting '%.100s' to %.9g", p->name, value);
  int status = s->plan->description.version == 2 ? set2(s, p, value)
                                                 : set3(s, p->reference, p->kind, &value, 1);
  return judge(s, status, what, err);
}

/* Writes all arrays of which an element has been changed to the FMU. */
static hk_status set_arrays(hk_slave *s, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < s->plan->n_arrays && !status; i++) {
    const hk_fmu_array *a = &s->plan->array[i];
    char what[200];
    if (!s->stale[i]) continue;
    snprintf(what, sizeof what, "setting the array '%.100s'", a->name);
    status = judge(s, set3(s, a->reference, a->kind, s->element[i], a->size), what, err);
    s->stale[i] = status != HK_OK;
  }
  return status;
}

/* Returns the value of an output. *loaded: the array that was read last. */
static int get(hk_slave *s, const hk_fmu_port *p, double *value, int *loaded) {
  if (s->plan->description.version == 2) return get2(s, p, value);
  if (p->array < 0) return get3(s, p->reference, p->kind, value, 1);
  int status = FMI_OK;
  if (*loaded != p->array)
    status = get3(s, p->reference, p->kind, s->got, s->plan->array[p->array].size);
  *loaded = p->array;
  *value = s->got[p->element];
  return status;
}

static hk_status get_outputs(hk_slave *s, double *y, hk_error *err) {
  int loaded = -1;
  for (int i = 0; i < s->plan->n_outputs; i++) {
    const hk_fmu_port *p = &s->plan->output[i];
    char what[200];
    double value = NAN;
    snprintf(what, sizeof what, "reading '%.100s'", p->name);
    hk_status status = judge(s, get(s, p, &value, &loaded), what, err);
    if (status) return status;
    if (!isfinite(value))
      return hk_fail(err, HK_EFAIL, "its output '%s' is not a finite number", p->name);
    y[i] = hk_unit_to_si(&p->unit, value);
  }
  return HK_OK;
}

static hk_status set_inputs(hk_slave *s, const double *u, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < s->plan->n_inputs && !status; i++)
    status = set(s, &s->plan->input[i], u[i], err);
  return status ? status : set_arrays(s, err);
}

/* ---- the start ---- */

static hk_status instantiate(hk_slave *s, const char *folder, hk_error *err) {
  const hk_fmu_plan *p = s->plan;
  const hk_fmu_description *d = &p->description;
  char resources[1100];
  if (d->version == 2) {
    s->callbacks = (fmi2_callbacks){logger2, calloc, free, NULL, s};
    snprintf(resources, sizeof resources, "file://%s/resources", folder);
    s->instance = s->two.Instantiate(p->name, 1, d->token, resources, &s->callbacks, false, true);
  } else {
    snprintf(resources, sizeof resources, "%s/resources/", folder);
    s->instance = s->three.InstantiateCoSimulation(p->name, d->token, resources, false, true, false,
                                                   false, NULL, 0, s, logger3, NULL);
  }
  if (s->instance) return HK_OK;
  return hk_fail(err, HK_EINPUT, "it makes no instance%s%s", s->last[0] ? ": " : "", s->last);
}

/* Sizes of arrays. */
static hk_status set_structural(hk_slave *s, hk_error *err) {
  const hk_fmu_plan *p = s->plan;
  if (p->n_structural == 0) return HK_OK;
  if (!s->three.EnterConfigurationMode || !s->three.ExitConfigurationMode)
    return hk_fail(err, HK_EINPUT, "its binary has no configuration mode");
  hk_status status =
      judge(s, s->three.EnterConfigurationMode(s->instance), "its configuration", err);
  for (int i = 0; i < p->n_structural && !status; i++) {
    const hk_fmu_structural *n = &p->structural[i];
    char what[200];
    snprintf(what, sizeof what, "setting '%.100s' to %.9g", n->name, n->value);
    status = judge(s, set3(s, n->reference, n->kind, &n->value, 1), what, err);
  }
  return status ? status
                : judge(s, s->three.ExitConfigurationMode(s->instance), "its configuration", err);
}

static hk_status initialise(hk_slave *s, double t, hk_error *err) {
  const hk_fmu_plan *p = s->plan;
  bool two = p->description.version == 2;
  hk_status status = set_structural(s, err);
  for (int i = 0; i < p->n_starts && !status; i++)
    status = set(s, &p->start[i].port, p->start[i].value, err);
  if (!status) status = set_arrays(s, err);
  if (!status && two)
    status = judge(s, s->two.SetupExperiment(s->instance, false, 0, t, false, 0),
                   "the setup of the experiment", err);
  if (!status)
    status = judge(s,
                   two ? s->two.EnterInitializationMode(s->instance)
                       : s->three.EnterInitializationMode(s->instance, false, 0, t, false, 0),
                   "the initialisation", err);
  return status;
}

hk_status hk_slave_settle(hk_slave *s, const double *u, bool last, double *y, hk_error *err) {
  hk_status status = set_inputs(s, u, err);
  if (!status && last) {
    status = judge(s,
                   s->plan->description.version == 2 ? s->two.ExitInitializationMode(s->instance)
                                                     : s->three.ExitInitializationMode(s->instance),
                   "the initialisation", err);
    s->running = !status;
  }
  return status ? status : get_outputs(s, y, err);
}

/* Allocates memory for the elements of arrays. */
static hk_status make_room(hk_slave *s, hk_error *err) {
  const hk_fmu_plan *p = s->plan;
  int all = 0, most = 1;
  for (int i = 0; i < p->n_arrays; i++) {
    all += p->array[i].size;
    most = p->array[i].size > most ? p->array[i].size : most;
  }
  s->element = calloc((size_t)p->n_arrays + 1, sizeof *s->element);
  s->known = calloc((size_t)p->n_arrays + 1, sizeof *s->known);
  s->stale = calloc((size_t)p->n_arrays + 1, sizeof *s->stale);
  s->got = calloc((size_t)most, sizeof *s->got);
  s->scratch = calloc((size_t)most, sizeof(double));
  double *at = calloc((size_t)all + 1, sizeof *at);
  if (s->element) s->element[0] = at;
  if (!s->element || !s->known || !s->stale || !s->got || !s->scratch || !at) {
    if (!s->element) free(at);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0; i < p->n_arrays; at += p->array[i++].size) {
    s->element[i] = at;
    s->known[i] = p->array[i].start;
    if (s->known[i]) memcpy(at, p->array[i].start, (size_t)p->array[i].size * sizeof *at);
  }
  return HK_OK;
}

hk_status hk_slave_open(const hk_fmu_plan *plan, const char *folder, double t,
                        hk_slave_tell *teller, void *context, hk_slave **out, hk_error *err) {
  *out = NULL;
  hk_slave *s = calloc(1, sizeof *s);
  if (!s) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->plan = plan;
  s->tell = teller;
  s->context = context;
  hk_status status = make_room(s, err);
  if (!status) status = load(s, folder, err);
  if (!status) status = instantiate(s, folder, err);
  if (!status) status = initialise(s, t, err);
  if (status)
    hk_slave_close(s);
  else
    *out = s;
  return status;
}

void hk_slave_close(hk_slave *s) {
  if (!s) return;
  bool two = s->plan->description.version == 2;
  if (s->instance && !s->broken) {
    if (s->before)
      two ? s->two.FreeFMUstate(s->instance, &s->before)
          : s->three.FreeFMUState(s->instance, &s->before);
    if (s->running) two ? s->two.Terminate(s->instance) : s->three.Terminate(s->instance);
    two ? s->two.FreeInstance(s->instance) : s->three.FreeInstance(s->instance);
  }
  if (s->library) dlclose(s->library);
  if (s->element) free(s->element[0]);
  free(s->element);
  free(s->known);
  free(s->stale);
  free(s->got);
  free(s->scratch);
  free(s);
}

/* ---- steps ---- */

/* Sets the inputs for the part of a step between `from` and `to`, both relative to the whole step: the values at the
 * middle of this part, or the values at its start and their rates. */
static hk_status give_inputs(hk_slave *s, double h, double from, double to, const double *u,
                             const double *next, hk_error *err) {
  static const int FIRST = 1;
  const hk_fmu_plan *p = s->plan;
  hk_status status = HK_OK;
  for (int i = 0; i < p->n_inputs && !status; i++) {
    const hk_fmu_port *port = &p->input[i];
    bool smooth = p->linear && port->kind <= HK_FMU_FLOAT32,
         ramp = smooth && p->description.interpolates;
    double change = smooth ? next[i] - u[i] : 0;
    status = set(s, port, u[i] + change * (ramp ? from : (from + to) / 2), err);
    if (!ramp || status) continue;
    double rate = change / h / port->unit.factor;
    status =
        judge(s, s->two.SetRealInputDerivatives(s->instance, &port->reference, 1, &FIRST, &rate),
              "setting the rate of an input", err);
  }
  return status ? status : set_arrays(s, err);
}

static int do_step(hk_slave *s, double t, double h, bool *ends) {
  /* Restores a state that was written as bytes; this is permitted at any later time. */
  const bool no_return = !s->plan->description.serialises;
  bool event = false, early = false;
  double last = t;
  *ends = false;
  if (s->plan->description.version == 2) {
    int done = s->two.DoStep(s->instance, t, h, no_return), over = 0;
    if (done == FMI_DISCARD && s->two.GetBooleanStatus &&
        s->two.GetBooleanStatus(s->instance, FMI2_TERMINATED, &over) <= FMI_WARNING)
      *ends = over != 0;
    return done;
  }
  int status = s->three.DoStep(s->instance, t, h, no_return, &event, ends, &early, &last);
  return status <= FMI_WARNING && early && last < t + h * (1 - 1e-9) ? FMI_DISCARD : status;
}

/* Makes the part from `from` to `to` (fractions of the step) of the step that begins at t. If
 * the FMU rejects this part, it is repeated in two halves, provided that the FMU can return to
 * the start of the part and permits steps of other sizes. */
static hk_status step_part(hk_slave *s, double t, double h, double from, double to, const double *u,
                           const double *next, int depth, hk_error *err) {
  enum { MOST_HALVINGS = 10 };
  const hk_fmu_description *d = &s->plan->description;
  bool two = d->version == 2, ends = false;
  double start = t + from * h, end = t + to * h;
  hk_status status = HK_OK;
  if (d->saves)
    status = judge(s,
                   two ? s->two.GetFMUstate(s->instance, &s->before)
                       : s->three.GetFMUState(s->instance, &s->before),
                   "saving its state", err);
  if (!status) status = give_inputs(s, h, from, to, u, next, err);
  if (status) return status;
  s->last[0] = '\0';
  char what[120];
  snprintf(what, sizeof what, "its step from t = %.9g s to %.9g s", start, end);
  int done = do_step(s, start, end - start, &ends);
  if (done == FMI_PENDING)
    return hk_fail(
        err, HK_EINPUT,
        "%s is not finished when the call returns: steps in the background are not supported",
        what);
  if (ends)
    return hk_fail(err, HK_EFAIL, "it ended the simulation in %s%s%s", what, s->last[0] ? ": " : "",
                   s->last);
  if (done != FMI_DISCARD || !d->saves || !d->varies || depth == MOST_HALVINGS)
    return judge(s, done, what, err);
  status = judge(s,
                 two ? s->two.SetFMUstate(s->instance, s->before)
                     : s->three.SetFMUState(s->instance, s->before),
                 "returning to its state", err);
  double middle = (from + to) / 2;
  if (!status) status = step_part(s, t, h, from, middle, u, next, depth + 1, err);
  return status ? status : step_part(s, t, h, middle, to, u, next, depth + 1, err);
}

hk_status hk_slave_step(hk_slave *s, double t, double h, const double *u, const double *next,
                        double *y, hk_error *err) {
  hk_status status = step_part(s, t, h, 0, 1, u, next, 0, err);
  return status ? status : get_outputs(s, y, err);
}

/* ---- states ---- */

static int get_state(hk_slave *s, void **state) {
  return s->plan->description.version == 2 ? s->two.GetFMUstate(s->instance, state)
                                           : s->three.GetFMUState(s->instance, state);
}

static void free_state(hk_slave *s, void **state) {
  if (!*state) return;
  if (s->plan->description.version == 2)
    s->two.FreeFMUstate(s->instance, state);
  else
    s->three.FreeFMUState(s->instance, state);
}

static int state_bytes(hk_slave *s, void *state, size_t *size) {
  return s->plan->description.version == 2
             ? s->two.SerializedFMUstateSize(s->instance, state, size)
             : s->three.SerializedFMUStateSize(s->instance, state, size);
}

hk_status hk_slave_state_size(hk_slave *s, size_t *size, hk_error *err) {
  void *state = NULL;
  *size = 0;
  if (!s->plan->description.serialises) return HK_OK;
  hk_status status = judge(s, get_state(s, &state), "saving its state", err);
  if (!status) status = judge(s, state_bytes(s, state, size), "the size of its state", err);
  free_state(s, &state);
  return status;
}

hk_status hk_slave_save(hk_slave *s, void *bytes, size_t size, hk_error *err) {
  void *state = NULL;
  size_t wanted = 0;
  hk_status status = judge(s, get_state(s, &state), "saving its state", err);
  if (!status) status = judge(s, state_bytes(s, state, &wanted), "the size of its state", err);
  if (!status && wanted != size)
    status =
        hk_fail(err, HK_EFAIL, "the size of its state changed from %zu to %zu bytes", size, wanted);
  if (!status)
    status = judge(s,
                   s->plan->description.version == 2
                       ? s->two.SerializeFMUstate(s->instance, state, bytes, size)
                       : s->three.SerializeFMUState(s->instance, state, bytes, size),
                   "saving its state", err);
  free_state(s, &state);
  return status;
}

hk_status hk_slave_restore(hk_slave *s, const void *bytes, size_t size, hk_error *err) {
  void *state = NULL;
  bool two = s->plan->description.version == 2;
  hk_status status = judge(s,
                           two ? s->two.DeSerializeFMUstate(s->instance, bytes, size, &state)
                               : s->three.DeserializeFMUState(s->instance, bytes, size, &state),
                           "reading a state", err);
  if (!status)
    status = judge(
        s, two ? s->two.SetFMUstate(s->instance, state) : s->three.SetFMUState(s->instance, state),
        "returning to a state", err);
  free_state(s, &state);
  return status;
}
