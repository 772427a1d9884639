/* A small FMU (FMI 2.0, co-simulation) for tests of an importer: y' = gain u, integrated by Euler's method; its
 * parameter `mode` selects a fault. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void logger_fn(void *, const char *, int, const char *, const char *, ...);
typedef struct callbacks {
  logger_fn *log;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, int);
  void *environment;
} callbacks;

enum { Y, U, GAIN, MODE, RATE, N };
enum {
  FINE,
  CRASH,
  ENDLESS,
  REFUSES_LONG,
  ERROR,
  EXITS,
  TALKS,
  REFUSES_ALL,
  NOT_A_NUMBER,
  BAD_START,
  ENDS,
  REMEMBERS
};
enum { OK, WARNING, DISCARD, ERROR_STATUS };

typedef struct instance {
  double value[N];
  double rate;
  int final; /* a step was made whose start is never returned to, as the importer said */
  const callbacks *c;
} instance;

#define EXPORT __attribute__((visibility("default")))

EXPORT void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                             const callbacks *c, int visible, int logging) {
  (void)name, (void)visible, (void)logging;
  if (type != 1 || strcmp(guid, "toy") != 0 || strncmp(resources, "file:///", 8) != 0) return NULL;
  instance *i = calloc(1, sizeof *i);
  if (i) i->value[GAIN] = 1, i->c = c;
  return i;
}
EXPORT void fmi2FreeInstance(void *i) { free(i); }
EXPORT int fmi2SetupExperiment(void *i, int a, double b, double c, int d, double e) {
  (void)i, (void)a, (void)b, (void)c, (void)d, (void)e;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(void *i) {
  return ((instance *)i)->value[MODE] == BAD_START ? ERROR_STATUS : OK;
}
EXPORT int fmi2ExitInitializationMode(void *i) { return (void)i, OK; }
EXPORT int fmi2Terminate(void *i) { return (void)i, OK; }

EXPORT int fmi2SetReal(void *p, const unsigned *reference, size_t n, const double *value) {
  instance *i = p;
  for (size_t k = 0; k < n; k++) i->value[reference[k]] = value[k];
  i->rate = 0;
  return OK;
}
EXPORT int fmi2GetReal(void *p, const unsigned *reference, size_t n, double *value) {
  const instance *i = p;
  for (size_t k = 0; k < n; k++) value[k] = i->value[reference[k]];
  return OK;
}
EXPORT int fmi2SetInteger(void *p, const unsigned *reference, size_t n, const int *value) {
  for (size_t k = 0; k < n; k++) ((instance *)p)->value[reference[k]] = value[k];
  return OK;
}
EXPORT int fmi2GetInteger(void *p, const unsigned *reference, size_t n, int *value) {
  for (size_t k = 0; k < n; k++) value[k] = (int)((instance *)p)->value[reference[k]];
  return OK;
}
EXPORT int fmi2SetBoolean(void *p, const unsigned *r, size_t n, const int *v) {
  return fmi2SetInteger(p, r, n, v);
}
EXPORT int fmi2GetBoolean(void *p, const unsigned *r, size_t n, int *v) {
  return fmi2GetInteger(p, r, n, v);
}
EXPORT int fmi2SetRealInputDerivatives(void *p, const unsigned *reference, size_t n,
                                       const int *order, const double *value) {
  (void)reference, (void)order;
  if (n == 1) ((instance *)p)->rate = value[0];
  return OK;
}

EXPORT int fmi2DoStep(void *p, double t, double h, int keep) {
  instance *i = p;
  i->final |= keep;
  switch ((int)i->value[MODE]) {
    case CRASH:
      if (t > 0.0145) raise(SIGSEGV);
      break;
    case ENDLESS:
      if (t > 0.0145)
        for (;;) sleep(1);
      break;
    case REFUSES_LONG:
      if (h > 0.3e-3) return DISCARD;
      break;
    case REFUSES_ALL:
      i->c->log(i->c->environment, "toy", DISCARD, "logStatusDiscard", "no step of %g s", h);
      return DISCARD;
    case ENDS:
      if (t > 0.0145) return DISCARD;
      break;
    case ERROR:
      i->c->log(i->c->environment, "toy", ERROR_STATUS, "logStatusError", "the %s at %d%%", "oven",
                99);
      return ERROR_STATUS;
    case EXITS:
      exit(7);
    case TALKS:
      if (t == 0) puts("printed by the FMU");
      fflush(stdout);
      i->c->log(i->c->environment, "toy", WARNING, "logStatusWarning", "%s", "it is warm");
      break;
    default:
      break;
  }
  i->value[Y] += i->value[GAIN] * h * (i->value[U] + i->rate * h / 2);
  i->value[U] += i->rate * h;
  if (i->value[MODE] == NOT_A_NUMBER) i->value[Y] = NAN;
  return OK;
}

EXPORT int fmi2GetBooleanStatus(void *p, int kind, int *value) {
  *value = kind == 3 && ((instance *)p)->value[MODE] == ENDS;
  return OK;
}

EXPORT int fmi2GetFMUstate(void *p, void **state) {
  if (!*state) *state = malloc(sizeof(instance));
  return *state ? memcpy(*state, p, sizeof(instance)), OK : ERROR_STATUS;
}
EXPORT int fmi2SetFMUstate(void *p, void *state) {
  instance *i = p;
  if (i->value[MODE] == REMEMBERS && i->final) return ERROR_STATUS;
  *i = *(instance *)state;
  return OK;
}
EXPORT int fmi2FreeFMUstate(void *p, void **state) {
  (void)p;
  free(*state);
  *state = NULL;
  return OK;
}
EXPORT int fmi2SerializedFMUstateSize(void *p, void *state, size_t *size) {
  (void)p, (void)state;
  *size = sizeof(double) * N;
  return OK;
}
EXPORT int fmi2SerializeFMUstate(void *p, void *state, char *bytes, size_t size) {
  (void)p;
  memcpy(bytes, ((instance *)state)->value, size);
  return OK;
}
EXPORT int fmi2DeSerializeFMUstate(void *p, const char *bytes, size_t size, void **state) {
  instance *i = malloc(sizeof *i);
  if (!i) return ERROR_STATUS;
  *i = *(instance *)p;
  memcpy(i->value, bytes, size);
  *state = i;
  return OK;
}
