/* Model exchange: FMUs whose states an importer integrates, by a Runge-Kutta method of fixed step and by an adaptive one
 * that locates events.  The references are closed-form solutions, invariants, and co-simulation of the same FMU. */
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

static void derivatives(plant *p, double t, const double *x, double *rate) {
  CALL(p, fmi2SetTime(p->c, t), fmi3SetTime(p->c, t));
  CALL(p, fmi2SetContinuousStates(p->c, x, p->n), fmi3SetContinuousStates(p->c, x, p->n));
  CALL(p, fmi2GetDerivatives(p->c, rate, p->n),
       fmi3GetContinuousStateDerivatives(p->c, rate, p->n));
}

static void indicators(plant *p, double t, const double *x, double *z) {
  CALL(p, fmi2SetTime(p->c, t), fmi3SetTime(p->c, t));
  CALL(p, fmi2SetContinuousStates(p->c, x, p->n), fmi3SetContinuousStates(p->c, x, p->n));
  CALL(p, fmi2GetEventIndicators(p->c, z, p->n_events),
       fmi3GetEventIndicators(p->c, z, p->n_events));
}

static double value(plant *p, const char *name) {
  unsigned reference = fmu_reference(p->f, name);
  double out = NAN;
  assert_true(reference > 0);
  CALL(p, fmi2GetReal(p->c, &reference, 1, &out), fmi3GetFloat64(p->c, &reference, 1, &out, 1));
  return out;
}

static void put_value(plant *p, const char *name, double x) {
  unsigned reference = fmu_reference(p->f, name);
  assert_true(reference > 0);
  CALL(p, fmi2SetReal(p->c, &reference, 1, &x), fmi3SetFloat64(p->c, &reference, 1, &x, 1));
}

/* The event iteration; afterwards the continuous-time mode.  True: the states have changed. */
static bool update(plant *p) {
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

static plant begin(const fmu_file *f, bool two) {
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

static void start_plant(plant *p) {
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

static void end_plant(plant *p) {
  if (p->two)
    p->f->fmi2FreeInstance(p->c);
  else
    p->f->fmi3FreeInstance(p->c);
}

/* The step to t with the states x is complete. */
static void complete(plant *p, double t, const double *x) {
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

static void meet_event(plant *p) {
  CALL(p, fmi2EnterEventMode(p->c), fmi3EnterEventMode(p->c));
  update(p);
}

/* ---- fixed steps: the classical method of order 4 ---- */

static void runge_kutta(plant *p, double h) {
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
static double trial(plant *p, double h, double tolerance, double *y) {
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

static bool crossed(const double *a, const double *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((a[i] > 0) != (b[i] > 0)) return true;
  return false;
}

static void adaptive(plant *p, double end, double tolerance) {
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

/* ---- closed chains ---- */

/* Three rods in space between the ground and itself: a closed chain of spherical and universal joints. */
static const char CHAIN[] =
    "format: 1\n"
    "bodies:\n"
    "  a: {type: rigid_body, mass: 1 kg, inertia: [0.02 kg*m^2, 0.03 kg*m^2, 0.01 kg*m^2], "
    "position: "
    "[0.2 m, 0, 0.1 m], markers: {end: [0.2 m, 0, 0.1 m]}}\n"
    "  b: {type: rigid_body, mass: 2 kg, inertia: [0.04 kg*m^2, 0.03 kg*m^2, 0.05 kg*m^2], "
    "position: "
    "[0.6 m, 0.2 m, 0.2 m], markers: {start: [-0.2 m, -0.2 m, 0], end: [0.2 m, 0.2 m, 0]}}\n"
    "  c: {type: rigid_body, mass: 1 kg, inertia: [0.03 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2], "
    "position: "
    "[0.9 m, 0.4 m, 0.1 m], markers: {start: [-0.1 m, 0, 0.1 m]}}\n"
    "joints:\n"
    "  o: {type: spherical, a: ground, b: a, at: [0, 0, 0]}\n"
    "  ab: {type: spherical, a: a.end, b: b.start}\n"
    "  bc: {type: spherical, a: b.end, b: c.start}\n"
    "  p: {type: spherical, a: ground, b: c, at: [1 m, 0.4 m, 0]}\n"
    "forces: {g: {type: gravity}}\n"
    "sensors: {gap: {value: 'hypot(a.end.x - b.start.x, a.end.y - b.start.y, a.end.z - b.start.z) "
    "+ "
    "hypot(b.end.x - c.start.x, b.end.y - c.start.y, b.end.z - c.start.z)'}}\n"
    "analysis: {duration: 10 s, output_step: 10 ms}\n";

static double energy_of(plant *p) {
  return value(p, "energy.kinetic") + value(p, "energy.potential");
}

static void chain(bool two, double h, int steps, double most_gap, double most_energy) {
  fmu_file f = open_text(
      "chain.yaml", CHAIN,
      (hk_fmu_options){
          .fmi = two ? 2 : 3,
          .exchange = true,
          .output = {(const char *const[]){"gap", "energy.kinetic", "energy.potential", "b.x"},
                     4}});
  plant p = begin(&f, two);
  start_plant(&p);
  double energy = energy_of(&p), gap = 0, off = 0;
  for (int i = 0; i < steps; i++) {
    runge_kutta(&p, h);
    gap = fmax(gap, value(&p, "gap"));
    /* the states themselves, not their projection: lengths of quaternions */
    for (int body = 0; body < 3; body++) {
      const double *q = p.x + 7 * body + 3;
      off = fmax(off, fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1));
    }
  }
  printf(
      "chain, FMI %d, h = %g, %d steps: gap %.2g m, quaternions %.2g, energy %.2g J, %d events\n",
      two ? 2 : 3, h, steps, gap, off, energy_of(&p) - energy, p.step_events);
  assert_true(gap <= most_gap);
  assert_near(energy_of(&p), energy, most_energy, "energy");
  end_plant(&p);
  fmu_close(&f);
}

static void test_drift(void **state) {
  (void)state;
  int steps = getenv("HOOKE_LONG") ? 100000 : 5000;
  chain(false, 1e-3, steps, 1e-9, 1e-6);
  chain(true, 1e-2, 1000, 1e-9, 1e-2);
}

/* ---- events ---- */

/* A force that is switched on at 0.3 s and off at 0.7 s, and a motion whose velocity jumps at 0.5 s; positions at 1 s. */
static const char TIMED[] =
    "format: 1\n"
    "bodies:\n"
    "  m: {type: point_mass, mass: 2 kg}\n"
    "  d: {type: rotor, inertia: 1 kg*m^2, axis: z}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
    "motions: {turn: {type: motion, coordinate: d.angle, value: '1 rad/s^2 * t^2 + if(t < 0.5 s, "
    "0, "
    "3 "
    "rad/s * (t - 0.5 s))'}}\n"
    "forces: {f: {type: load, b: m, force: ['if(t < 0.3 s, 0, if(t < 0.7 s, 10 N, 0))', 0, 0]}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static void test_times(void **state) {
  (void)state;
  for (int two = 0; two < 2; two++) {
    fmu_file f =
        open_text("timed.yaml", TIMED, (hk_fmu_options){.fmi = two ? 2 : 3, .exchange = true});
    plant p = begin(&f, two);
    start_plant(&p);
    adaptive(&p, 1, 1e-6);
    assert_int_equal(p.time_events, 3);
    NEAR(p.t, 1, 1e-15);
    /* 5 m/s^2 for 0.4 s, then 0.3 s at 2 m/s: the polynomials are integrated exactly */
    NEAR(value(&p, "m.vx"), 2, 1e-11);
    NEAR(value(&p, "m.x"), 0.5 * 5 * 0.16 + 0.6, 1e-9);
    NEAR(value(&p, "d.angle"), 1 + 1.5, 1e-12);
    NEAR(value(&p, "d.angle_rate"), 2 + 3, 1e-12);
    end_plant(&p);
    fmu_close(&f);
  }
}

/* A mass between two stops of stiffness 1 kN/m at +-0.1 m, which starts with 1 m/s: half periods of free flight and of
 * oscillation at the stop, in closed form.  Stops by max, by a comparison and by `interp`. */
static const char STOPS[] =
    "format: 1\n"
    "parameters: {k: 1000 N/m}\n"
    "inputs: {push: {unit: N}}\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
    "forces: {f: {type: load, b: m, force: ['push - k*max(0, m.x - 0.1 m) - if(m.x < -0.1 m, "
    "k*(m.x + "
    "0.1 m), 0)', 0, 0]}}\n"
    "sensors: {out: {value: abs(m.x)}}\n"
    "analysis: {duration: 3 s, output_step: 10 ms}\n";

static void test_switches(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  assert_int_equal(p.n_events, 2); /* max and <; the sensor affects nothing */
  start_plant(&p);
  adaptive(&p, 2, 1e-9);
  double w = sqrt(1000), flight = 0.2, half = M_PI / w, period = 2 * (flight + half), t = 2;
  t = fmod(t - 0.1, period);                  /* since the first contact with the right stop */
  assert_true(t > half && t < half + flight); /* on the way to the left one */
  NEAR(value(&p, "m.x"), 0.1 - (t - half), 2e-7);
  assert_int_equal(p.state_events, 1 + 4 * (int)((2 - 0.1) / period) + 1);
  /* parameters and inputs may change; the state continues */
  CALL(&p, fmi2EnterEventMode(p.c), fmi3EnterEventMode(p.c));
  double x = value(&p, "m.x"), v = value(&p, "m.vx");
  put_value(&p, "push", 3);
  put_value(&p, "k", 500);
  update(&p);
  NEAR(value(&p, "m.x"), x, 1e-15);
  NEAR(value(&p, "m.vx"), v, 1e-15);
  double rate[MOST_STATES];
  derivatives(&p, p.t, p.x, rate);
  NEAR(rate[3], 3, 1e-12);
  end_plant(&p);
  fmu_close(&f);
}

/* A ball that bounces on a compliant floor: the same as in co-simulation, with events where it opens and closes. */
static const char BOUNCE[] =
    "format: 1\n"
    "bodies: {ball: {type: rigid_body, mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 "
    "kg*m^2], "
    "position: [0, 0, 0.3 m]}}\n"
    "forces: {g: {type: gravity}}\n"
    "laws: {soft: {type: hunt_crossley, stiffness: 1e5 N/m^1.5, exponent: 1.5, restitution: 0.7}}\n"
    "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 20 mm, law: soft}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms, rtol: 1e-9}\n";

static void test_contacts(void **state) {
  (void)state;
  fmu_file f = open_text("bounce.yaml", BOUNCE, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  start_plant(&p);
  fmi3Instance c = start(&f);
  for (int i = 1; i <= 10; i++) {
    adaptive(&p, 0.1 * i, 1e-9);
    assert_int_equal(step(&f, c, 0.1 * (i - 1), 0.1), fmi3OK);
    NEAR(value(&p, "ball.z"), get(&f, c, "ball.z"), 1e-5);
  }
  assert_true(p.state_events >= 4 && p.state_events % 2 == 0);
  f.fmi3FreeInstance(c);
  end_plant(&p);
  fmu_close(&f);
}

/* ---- states, bad calls ---- */

/* A saved state, restored here or as bytes elsewhere, gives the same bits. */
static void test_states(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false), other = begin(&f, false);
  start_plant(&p);
  start_plant(&other);
  adaptive(&p, 0.35, 1e-6);
  void *saved = NULL, *copy = NULL;
  size_t size;
  assert_int_equal(f.fmi3GetFMUState(p.c, &saved), fmi3OK);
  plant before = p;
  adaptive(&p, 1, 1e-6);
  double x[MOST_STATES];
  memcpy(x, p.x, sizeof x);
  assert_int_equal(f.fmi3SetFMUState(p.c, saved), fmi3OK);
  p = before;
  adaptive(&p, 1, 1e-6);
  assert_memory_equal(x, p.x, p.n * sizeof *x);
  assert_int_equal(f.fmi3SerializedFMUStateSize(p.c, saved, &size), fmi3OK);
  fmi3Byte *bytes = malloc(size);
  assert_int_equal(f.fmi3SerializeFMUState(p.c, saved, bytes, size), fmi3OK);
  assert_int_equal(f.fmi3DeserializeFMUState(other.c, bytes, size, &copy), fmi3OK);
  assert_int_equal(f.fmi3SetFMUState(other.c, copy), fmi3OK);
  void *c = other.c;
  other = before, other.c = c;
  adaptive(&other, 1, 1e-6);
  assert_memory_equal(x, other.x, p.n * sizeof *x);
  /* damaged bytes, and states of the other kind of instance */
  void *damaged = NULL;
  bytes[size / 2] ^= 1;
  assert_int_equal(f.fmi3DeserializeFMUState(other.c, bytes, size, &damaged), fmi3Error);
  assert_null(damaged);
  free(bytes);
  fmi3Instance cs = start(&f);
  assert_int_equal(f.fmi3SetFMUState(cs, saved), fmi3Error);
  f.fmi3FreeFMUState(p.c, &saved);
  f.fmi3FreeFMUState(other.c, &copy);
  f.fmi3FreeInstance(cs);
  end_plant(&p);
  end_plant(&other);
  fmu_close(&f);
}

static void test_bad_calls(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  double x[MOST_STATES] = {0}, y[MOST_STATES];
  bool event, end;
  assert_int_equal(f.fmi3GetContinuousStates(p.c, x, p.n), fmi3Error); /* not initialised */
  assert_int_equal(f.fmi3SetTime(p.c, 0), fmi3Error);
  start_plant(&p);
  assert_int_equal(f.fmi3GetContinuousStates(p.c, x, p.n + 1), fmi3Error);
  assert_int_equal(f.fmi3GetContinuousStates(p.c, NULL, p.n), fmi3Error);
  assert_int_equal(f.fmi3GetContinuousStates(NULL, x, p.n), fmi3Error);
  assert_int_equal(f.fmi3SetTime(p.c, NAN), fmi3Error);
  assert_int_equal(f.fmi3CompletedIntegratorStep(p.c, true, NULL, &end), fmi3Error);
  assert_int_equal(step(&f, p.c, 0, 0.1), fmi3Error);
  memcpy(y, p.x, sizeof y);
  y[0] = NAN;
  assert_int_equal(f.fmi3SetContinuousStates(p.c, y, p.n), fmi3Discard);
  y[0] = 1e300; /* absurd states: refused or finite, and the next good ones are fine */
  assert_int_equal(f.fmi3SetContinuousStates(p.c, y, p.n), fmi3OK);
  f.fmi3GetContinuousStateDerivatives(p.c, x, p.n);
  derivatives(&p, p.t, p.x, x);
  NEAR(x[0], 1, 1e-12);
  assert_int_equal(f.fmi3CompletedIntegratorStep(p.c, true, &event, &end), fmi3OK);
  end_plant(&p);
  /* an FMU for co-simulation only */
  fmu_close(&f);
  f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3});
  assert_null(f.fmi3InstantiateModelExchange("me", f.token, f.resources, false, false, NULL, log3));
  assert_non_null(strstr(last_error, "--model-exchange"));
  fmu_close(&f);
}

static void refuse_model(const char *text, const char *what) {
  char model[200], path[200], line[2048] = "";
  hk_diag diag;
  hk_diag_init(&diag);
  write_text("bad.yaml", text, model, sizeof model);
  snprintf(path, sizeof path, "%s/none.fmu", work);
  assert_int_equal(fmu_export(model, (hk_fmu_options){.fmi = 3, .exchange = true}, path, &diag),
                   HK_EINPUT);
  if (diag.n) hk_diag_format(&diag.message[diag.n - 1], line, sizeof line);
  if (!strstr(line, what)) fail_msg("'%s' is not in '%s'", what, line);
  hk_diag_free(&diag);
}

static void test_refused(void **state) {
  (void)state;
  refuse_model(BALL, "contact 'floor' with the law 'hit' (signorini) makes velocities jump");
  refuse_model(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
      "forces: {d: {type: maxwell, coordinate: rail.displacement, stiffness: 100 N/m, damping: "
      "3 N*s/m}}\n"
      "analysis: {duration: 1 s}\n",
      "depends on the steps before");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drift),    cmocka_unit_test(test_times),
      cmocka_unit_test(test_switches), cmocka_unit_test(test_contacts),
      cmocka_unit_test(test_states),   cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
