/* FMUs for model exchange as plants: a Runge-Kutta method of fixed step, and an adaptive one that locates events.  For tests. */
#ifndef TEST_FMU_PLANT_H
#define TEST_FMU_PLANT_H
#include "support/fmu_case.h"

enum { MOST_STATES = 200, MOST_EVENTS = 50 };

/* An instance of either version behind the same functions. */
typedef struct plant {
  const fmu_file *f;
  bool two;
  void *c;
  size_t n, n_events;
  double t, next; /* next time event */
  double x[MOST_STATES];
  int state_events, time_events, step_events;
} plant;

#define CALL(p, two_call, three_call) \
  assert_int_equal((p)->two ? (int)(p)->f->two_call : (int)(p)->f->three_call, 0)

static inline void derivatives(plant *p, double t, const double *x, double *rate) {
  CALL(p, fmi2SetTime(p->c, t), fmi3SetTime(p->c, t));
  CALL(p, fmi2SetContinuousStates(p->c, x, p->n), fmi3SetContinuousStates(p->c, x, p->n));
  CALL(p, fmi2GetDerivatives(p->c, rate, p->n),
       fmi3GetContinuousStateDerivatives(p->c, rate, p->n));
}

static inline void indicators(plant *p, double t, const double *x, double *z) {
  CALL(p, fmi2SetTime(p->c, t), fmi3SetTime(p->c, t));
  CALL(p, fmi2SetContinuousStates(p->c, x, p->n), fmi3SetContinuousStates(p->c, x, p->n));
  CALL(p, fmi2GetEventIndicators(p->c, z, p->n_events),
       fmi3GetEventIndicators(p->c, z, p->n_events));
}

static inline double value(plant *p, const char *name) {
  unsigned reference = fmu_reference(p->f, name);
  double out = NAN;
  assert_true(reference > 0);
  CALL(p, fmi2GetReal(p->c, &reference, 1, &out), fmi3GetFloat64(p->c, &reference, 1, &out, 1));
  return out;
}

static inline void put_value(plant *p, const char *name, double x) {
  unsigned reference = fmu_reference(p->f, name);
  assert_true(reference > 0);
  CALL(p, fmi2SetReal(p->c, &reference, 1, &x), fmi3SetFloat64(p->c, &reference, 1, &x, 1));
}

/* The event iteration; afterwards the continuous-time mode.  True: the states have changed. */
static inline bool update(plant *p) {
  bool need = true, end = false, nominals, changed = false, defined = false, any = false;
  double next = 0;
  for (int i = 0; i < 10 && need; i++) {
    if (p->two) {
      fmi2EventInfo info;
      assert_int_equal(p->f->fmi2NewDiscreteStates(p->c, &info), fmi2OK);
      need = info.newDiscreteStatesNeeded, changed = info.valuesOfContinuousStatesChanged;
      defined = info.nextEventTimeDefined, next = info.nextEventTime;
    } else {
      assert_int_equal(
          p->f->fmi3UpdateDiscreteStates(p->c, &need, &end, &nominals, &changed, &defined, &next),
          fmi3OK);
    }
    any = any || changed;
  }
  assert_false(need || end);
  p->next = defined ? next : INFINITY;
  assert_true(p->next > p->t);
  CALL(p, fmi2EnterContinuousTimeMode(p->c), fmi3EnterContinuousTimeMode(p->c));
  if (any)
    CALL(p, fmi2GetContinuousStates(p->c, p->x, p->n), fmi3GetContinuousStates(p->c, p->x, p->n));
  return any;
}

static inline plant begin(const fmu_file *f, bool two) {
  plant p = {.f = f, .two = two};
  char uri[300];
  const fmi2CallbackFunctions functions = {.logger = log2_};
  snprintf(uri, sizeof uri, "file://%s", f->resources);
  p.c =
      two ? f->fmi2Instantiate("me", fmi2ModelExchange, f->token, uri, &functions, 0, 0)
          : f->fmi3InstantiateModelExchange("me", f->token, f->resources, false, false, NULL, log3);
  assert_non_null(p.c);
  char number[40];
  fmu_attribute(f->xml, "numberOfEventIndicators", number, sizeof number);
  for (const char *at = f->xml; (at = strstr(at, "<EventIndicator ")); at++) p.n_events++;
  if (two) p.n_events = strtoul(number, NULL, 10);
  for (const char *at = f->xml; (at = strstr(at, " name=\"states.")); at++) p.n++;
  assert_true(p.n <= MOST_STATES && p.n_events <= MOST_EVENTS);
  if (!two) {
    size_t n = 0;
    assert_int_equal(f->fmi3GetNumberOfContinuousStates(p.c, &n), fmi3OK);
    assert_int_equal(n, p.n);
    assert_int_equal(f->fmi3GetNumberOfEventIndicators(p.c, &n), fmi3OK);
    assert_int_equal(n, p.n_events);
  }
  return p;
}

static inline void start_plant(plant *p) {
  if (p->two) {
    assert_int_equal(p->f->fmi2SetupExperiment(p->c, 0, 0, 0, 0, 0), fmi2OK);
    assert_int_equal(p->f->fmi2EnterInitializationMode(p->c), fmi2OK);
    assert_int_equal(p->f->fmi2ExitInitializationMode(p->c), fmi2OK);
  } else {
    initialise(p->f, p->c);
  }
  update(p);
  CALL(p, fmi2GetContinuousStates(p->c, p->x, p->n), fmi3GetContinuousStates(p->c, p->x, p->n));
}

static inline void end_plant(plant *p) {
  if (p->two)
    p->f->fmi2FreeInstance(p->c);
  else
    p->f->fmi3FreeInstance(p->c);
}

/* The step to t with the states x is complete. */
static inline void complete(plant *p, double t, const double *x) {
  bool event = false, end = false;
  int event2 = 0, end2 = 0;
  memcpy(p->x, x, p->n * sizeof *x);
  p->t = t;
  CALL(p, fmi2SetTime(p->c, t), fmi3SetTime(p->c, t));
  CALL(p, fmi2SetContinuousStates(p->c, x, p->n), fmi3SetContinuousStates(p->c, x, p->n));
  CALL(p, fmi2CompletedIntegratorStep(p->c, 1, &event2, &end2),
       fmi3CompletedIntegratorStep(p->c, true, &event, &end));
  assert_false(end || end2);
  if (!event && !event2) return;
  p->step_events++;
  CALL(p, fmi2EnterEventMode(p->c), fmi3EnterEventMode(p->c));
  assert_true(update(p));
}

static inline void meet_event(plant *p) {
  CALL(p, fmi2EnterEventMode(p->c), fmi3EnterEventMode(p->c));
  update(p);
}

/* ---- fixed steps: the classical method of order 4 ---- */

static inline void runge_kutta(plant *p, double h) {
  double k[4][MOST_STATES], y[MOST_STATES];
  static const double at[4] = {0, 0.5, 0.5, 1};
  for (int s = 0; s < 4; s++) {
    for (size_t i = 0; i < p->n; i++) y[i] = p->x[i] + (s ? h * at[s] * k[s - 1][i] : 0);
    derivatives(p, p->t + at[s] * h, y, k[s]);
  }
  for (size_t i = 0; i < p->n; i++)
    y[i] = p->x[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  complete(p, p->t + h, y);
}

/* ---- adaptive steps: the pair of orders 3 and 2 of Bogacki and Shampine, events by bisection of the step ---- */

/* One trial step: end states and error relative to the tolerance. */
static inline double trial(plant *p, double h, double tolerance, double *y) {
  double k[4][MOST_STATES], most = 0;
  derivatives(p, p->t, p->x, k[0]);
  for (size_t i = 0; i < p->n; i++) y[i] = p->x[i] + h / 2 * k[0][i];
  derivatives(p, p->t + h / 2, y, k[1]);
  for (size_t i = 0; i < p->n; i++) y[i] = p->x[i] + 3 * h / 4 * k[1][i];
  derivatives(p, p->t + 3 * h / 4, y, k[2]);
  for (size_t i = 0; i < p->n; i++)
    y[i] = p->x[i] + h / 9 * (2 * k[0][i] + 3 * k[1][i] + 4 * k[2][i]);
  derivatives(p, p->t + h, y, k[3]);
  for (size_t i = 0; i < p->n; i++)
    most = fmax(most, fabs(h * (-5 * k[0][i] + 6 * k[1][i] + 8 * k[2][i] - 9 * k[3][i]) / 72) /
                          (tolerance * fmax(1, fabs(p->x[i]))));
  return most;
}

static inline bool crossed(const double *a, const double *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((a[i] > 0) != (b[i] > 0)) return true;
  return false;
}

static inline void adaptive(plant *p, double end, double tolerance) {
  double h = 1e-4, y[MOST_STATES], z0[MOST_EVENTS], z1[MOST_EVENTS];
  while (p->t < end) {
    double until = fmin(end, p->next), length = fmin(h, until - p->t);
    bool last = length >= until - p->t;
    indicators(p, p->t, p->x, z0);
    double error = trial(p, length, tolerance, y), stretch = 0.9 * pow(fmax(error, 1e-8), -1. / 3);
    h = length * fmin(5, fmax(0.2, stretch));
    if (error > 1) continue;
    indicators(p, p->t + length, y, z1);
    if (crossed(z0, z1, p->n_events)) { /* a step that ends just behind the event */
      double low = 0, high = length;
      for (int i = 0; i < 60 && high - low > 1e-12; i++) {
        double middle = 0.5 * (low + high);
        trial(p, middle, tolerance, y);
        indicators(p, p->t + middle, y, z1);
        *(crossed(z0, z1, p->n_events) ? &high : &low) = middle;
      }
      trial(p, high, tolerance, y);
      complete(p, p->t + high, y);
      p->state_events++;
      meet_event(p);
      h = fmin(h, 1e-3);
      continue;
    }
    complete(p, last ? until : p->t + length, y);
    if (last && until == p->next) {
      p->time_events++;
      meet_event(p);
      h = 1e-4;
    }
  }
}
#endif
