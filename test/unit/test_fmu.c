/* FMUs through an importer of the test's own: both standards, states, events, inputs, parameters, bad input. */
#include "support/check.h"
#include "support/fmu_export.h"
#include <math.h>

static const char DRIVE[] =
    "format: 1\n"
    "parameters: {J: 0.6 kg*m^2, c: 0.05 N*m*s, twice: 2*J}\n"
    "inputs: {torque: {unit: N*m, initial_value: 2 N*m}, brake: {unit: N*m}}\n"
    "bodies: {wheel: {type: rotor, inertia: J, axis: z}, bob: {type: point_mass, mass: 2 kg, "
    "position: [0.3 m, 0, 0]}}\n"
    "joints: {rod: {type: distance, a: ground, b: bob}}\n"
    "forces:\n"
    "  g: {type: gravity}\n"
    "  motor: {type: actuator, coordinate: wheel.angle, force: torque - "
    "brake*tanh(wheel.angle_rate/(1 rad/s)) - "
    "c*wheel.angle_rate}\n"
    "sensors: {power: {value: torque*wheel.angle_rate}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static const char BALL[] =
    "format: 1\n"
    "parameters: {e: 0.5}\n"
    "inputs: {push: {unit: N}}\n"
    "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: ball, axis: z}}\n"
    "forces: {g: {type: gravity, acceleration: [0, 0, -10 m/s^2]}, p: {type: load, b: ball, force: "
    "[0, 0, push]}}\n"
    "laws: {hit: {type: signorini, restitution_normal: e}}\n"
    "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 1 mm, law: "
    "hit}}\n"
    "analysis: {duration: 2 s, stepper: event_driven}\n";

/* The tolerance is relative to the value, or absolute below 1. */
#define NEAR(got, wanted, tolerance) \
  assert_near(got, wanted, (tolerance)*fmax(1, fabs((double)(wanted))), "%s", #got)

static char work[] = "/tmp/hooke-fmu-test-XXXXXX";
static int errors;
static char last_error[4096];

static void log3(void *environment, fmi3Status status, fmi3String category, fmi3String message) {
  (void)environment, (void)category;
  if (status < fmi3Discard) return;
  errors++;
  snprintf(last_error, sizeof last_error, "%s", message);
}
static void log2_(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String message, ...) {
  va_list ap;
  va_start(ap, message);
  const char *text = va_arg(ap, const char *);
  va_end(ap);
  assert_string_equal(message, "%s"); /* percent signs in a message are no conversions */
  log3(environment, (fmi3Status)status, category, text);
}

static void write_text(const char *name, const char *text, char *path, size_t size) {
  snprintf(path, size, "%s/%s", work, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static fmu_file open_text(const char *name, const char *text, hk_fmu_options option) {
  char model[200], path[200];
  fmu_file f;
  hk_diag diag;
  hk_diag_init(&diag);
  write_text(name, text, model, sizeof model);
  snprintf(path, sizeof path, "%s/a.fmu", work);
  hk_status status = fmu_export(model, option, path, &diag);
  if (status) fmu_print(&diag);
  assert_int_equal(status, HK_OK);
  assert_true(fmu_open(&f, path));
  hk_diag_free(&diag);
  return f;
}

static fmi3Instance instantiate(const fmu_file *f, bool events) {
  fmi3Instance i = f->fmi3InstantiateCoSimulation("one", f->token, f->resources, false, false,
                                                  events, events, NULL, 0, NULL, log3, NULL);
  assert_non_null(i);
  return i;
}
static void initialise(const fmu_file *f, fmi3Instance i) {
  assert_int_equal(f->fmi3EnterInitializationMode(i, false, 0, 0, false, 0), fmi3OK);
  assert_int_equal(f->fmi3ExitInitializationMode(i), fmi3OK);
}
static fmi3Instance start(const fmu_file *f) {
  fmi3Instance i = instantiate(f, false);
  initialise(f, i);
  return i;
}
static double get(const fmu_file *f, fmi3Instance i, const char *name) {
  unsigned reference = strcmp(name, "time") == 0 ? 0 : fmu_reference(f, name);
  double value = NAN;
  if (strcmp(name, "time") != 0) assert_true(reference > 0);
  assert_int_equal(f->fmi3GetFloat64(i, &reference, 1, &value, 1), fmi3OK);
  return value;
}
static fmi3Status set(const fmu_file *f, fmi3Instance i, const char *name, double value) {
  unsigned reference = fmu_reference(f, name);
  assert_true(reference > 0);
  return f->fmi3SetFloat64(i, &reference, 1, &value, 1);
}
static fmi3Status step(const fmu_file *f, fmi3Instance i, double t, double h) {
  bool event, end, early;
  double last;
  return f->fmi3DoStep(i, t, h, false, &event, &end, &early, &last);
}
static void steps(const fmu_file *f, fmi3Instance i, double from, double to, int n) {
  for (int k = 0; k < n; k++)
    assert_int_equal(step(f, i, from + (to - from) * k / n, (to - from) / n), fmi3OK);
}

/* ---- motion ---- */

/* J w' = T - c w: w = T/c (1 - exp(-c t/J)). */
static double speed(double T, double J, double c, double t) {
  return T / c * (1 - exp(-c * t / J));
}

static void test_drive(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  fmi3Instance i = start(&f);
  steps(&f, i, 0, 1, 100);
  NEAR(get(&f, i, "wheel.angle_rate"), speed(2, 0.6, 0.05, 1), 1e-6);
  NEAR(get(&f, i, "time"), 1, 1e-15);
  /* reset brings everything back */
  assert_int_equal(f.fmi3Reset(i), fmi3OK);
  assert_int_equal(set(&f, i, "torque", 5), fmi3OK);
  assert_int_equal(set(&f, i, "J", 1.5), fmi3OK);
  initialise(&f, i);
  NEAR(get(&f, i, "wheel.angle_rate"), 0, 1e-15);
  steps(&f, i, 0, 1, 10);
  NEAR(get(&f, i, "wheel.angle_rate"), speed(5, 1.5, 0.05, 1), 1e-6);
  assert_int_equal(f.fmi3Reset(i), fmi3OK);
  initialise(&f, i);
  NEAR(get(&f, i, "J"), 0.6, 1e-15);
  steps(&f, i, 0, 1, 1);
  NEAR(get(&f, i, "wheel.angle_rate"), speed(2, 0.6, 0.05, 1), 1e-6);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

static void test_tunable(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  fmi3Instance i = start(&f);
  steps(&f, i, 0, 1, 10);
  double w = speed(2, 0.6, 0.05, 1);
  assert_int_equal(set(&f, i, "c", 0.5), fmi3OK);
  steps(&f, i, 1, 2, 10);
  double end = 2 / 0.5 + (w - 2 / 0.5) * exp(-0.5 / 0.6);
  NEAR(get(&f, i, "wheel.angle_rate"), end, 1e-5);
  /* one that the model refuses: a sentence, and the instance goes on with the old one */
  assert_int_equal(set(&f, i, "J", -1), fmi3OK);
  errors = 0;
  assert_int_equal(step(&f, i, 2, 0.1), fmi3Error);
  assert_true(errors > 0 && strstr(last_error, "drive.yaml:"));
  assert_int_equal(set(&f, i, "J", 0.6), fmi3OK);
  assert_int_equal(step(&f, i, 2, 0.1), fmi3OK);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

/* Inputs held over steps are late by half a step; ramps are not. */
static void test_ramps(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 2});
  fmi2CallbackFunctions functions = {.logger = log2_};
  char uri[300];
  snprintf(uri, sizeof uri, "file://%s", f.resources);
  unsigned torque = fmu_reference(&f, "torque"), c = fmu_reference(&f, "c"),
           rate = fmu_reference(&f, "wheel.angle_rate");
  double got[2], zero = 0;
  for (int ramp = 0; ramp < 2; ramp++) {
    fmi2Component i = f.fmi2Instantiate("two", fmi2CoSimulation, f.token, uri, &functions, 0, 0);
    assert_non_null(i);
    assert_int_equal(f.fmi2SetReal(i, &c, 1, &zero), fmi2OK);
    assert_int_equal(f.fmi2SetupExperiment(i, 0, 0, 0, 0, 0), fmi2OK);
    assert_int_equal(f.fmi2EnterInitializationMode(i), fmi2OK);
    assert_int_equal(f.fmi2ExitInitializationMode(i), fmi2OK);
    for (int k = 0; k < 100; k++) { /* torque = 6 t, w = 3 t^2/J */
      double value = 6 * 0.01 * k, slope = 6;
      int order = 1;
      assert_int_equal(f.fmi2SetReal(i, &torque, 1, &value), fmi2OK);
      if (ramp)
        assert_int_equal(f.fmi2SetRealInputDerivatives(i, &torque, 1, &order, &slope), fmi2OK);
      assert_int_equal(f.fmi2DoStep(i, 0.01 * k, 0.01, 1), fmi2OK);
    }
    assert_int_equal(f.fmi2GetReal(i, &rate, 1, &got[ramp]), fmi2OK);
    f.fmi2FreeInstance(i);
  }
  NEAR(got[1], 5, 1e-8);
  NEAR(got[0], 5 - 5 * 0.01, 1e-6); /* sum of the held values */
  fmu_close(&f);
}

/* FMI 3.0 has no derivatives of inputs: they are inputs of their own. */
static void test_rates(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3, .rates = true});
  fmi3Instance i = instantiate(&f, false);
  assert_int_equal(set(&f, i, "c", 0), fmi3OK);
  assert_int_equal(set(&f, i, "torque", 0), fmi3OK);
  initialise(&f, i);
  assert_int_equal(set(&f, i, "der(torque)", 6), fmi3OK);
  steps(&f, i, 0, 1, 7);
  NEAR(get(&f, i, "wheel.angle_rate"), 5, 1e-8);
  NEAR(get(&f, i, "torque"), 6, 1e-12);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

static void test_derivatives(void **state) {
  (void)state;
  fmu_file f = open_text(
      "drive.yaml", DRIVE,
      (hk_fmu_options){
          .fmi = 3,
          .output = {(const char *const[]){"wheel.angle_rate", "wheel.angle_acc", "power"}, 3}});
  fmi3Instance i = start(&f);
  steps(&f, i, 0, 1, 10);
  double w = get(&f, i, "wheel.angle_rate"), seed[2] = {1, 2}, out[3], back[2];
  unsigned known[] = {fmu_reference(&f, "torque"), fmu_reference(&f, "brake")};
  unsigned unknown[] = {fmu_reference(&f, "wheel.angle_rate"), fmu_reference(&f, "wheel.angle_acc"),
                        fmu_reference(&f, "power")};
  assert_int_equal(f.fmi3GetDirectionalDerivative(i, unknown, 3, known, 2, seed, 2, out, 3),
                   fmi3OK);
  NEAR(out[0], 0, 1e-15);
  NEAR(out[1], (1 - 2 * tanh(w)) / 0.6, 1e-8);
  NEAR(out[2], w, 1e-8);
  double weight[3] = {3, 1, 0};
  assert_int_equal(f.fmi3GetAdjointDerivative(i, unknown, 3, known, 2, weight, 3, back, 2), fmi3OK);
  NEAR(back[0], 1 / 0.6, 1e-8);
  NEAR(back[1], -tanh(w) / 0.6, 1e-8);
  size_t n = 9;
  assert_int_equal(f.fmi3GetNumberOfVariableDependencies(i, unknown[0], &n), fmi3OK);
  assert_int_equal(n, 0);
  assert_int_equal(f.fmi3GetNumberOfVariableDependencies(i, unknown[1], &n), fmi3OK);
  assert_int_equal(n, 2);
  assert_int_equal(f.fmi3GetDirectionalDerivative(i, known, 1, known, 1, seed, 1, out, 1),
                   fmi3Error);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

/* Tables travel along, also columns of HDF5 files, which the binary cannot read. */
static void test_tables(void **state) {
  (void)state;
  char results[200], folder[200];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(folder, sizeof folder, "%s/data", work);
  mkdir(folder, 0700);
  write_text("data/fall.csv", "time [ms],lift [N]\n0,0\n500,10\n1000,20\n", folder, sizeof folder);
  snprintf(results, sizeof results, "%s/data/run.h5", work);
  hk_model *m = model_of(
      "format: 1\nbodies: {a: {type: point_mass, mass: 1 kg}}\n"
      "forces: {g: {type: load, b: a, force: [3 N, 0, 0]}}\n"
      "analysis: {duration: 1 s, output_step: 0.1 s}\n");
  assert_int_equal(hk_run(m, &(hk_run_options){.results = results}, NULL, &diag), HK_OK);
  hk_model_destroy(m);
  fmu_file f =
      open_text("tables.yaml",
                "format: 1\nbodies: {a: {type: point_mass, mass: 2 kg}}\n"
                "tables: {speed: {file: data/run.h5, x: time, y: a.vx, extrapolation: hold}, "
                "place: {file: data/run.h5, x: time, y: a.x,\n"
                "  extrapolation: hold}, lift: {file: data/fall.csv, extrapolation: hold}}\n"
                "sensors: {v: {value: speed(t)}, x: {value: place(t)}}\n"
                "forces: {g: {type: load, b: a, force: [0, 0, lift(t)]}}\n"
                "analysis: {duration: 1 s}\n",
                (hk_fmu_options){.fmi = 3});
  fmi3Instance i = start(&f);
  steps(&f, i, 0, 1, 10);
  NEAR(get(&f, i, "v"), 3, 1e-9);
  NEAR(get(&f, i, "x"), 1.5, 1e-9);
  NEAR(get(&f, i, "a.vz"), 5, 1e-6);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
  hk_diag_free(&diag);
}

/* ---- events ---- */

/* Impacts of a ball that falls from 1 m - 1 mm with 10 m/s^2 and half of its velocity left. */
static void test_impacts(void **state) {
  (void)state;
  fmu_file f = open_text("ball.yaml", BALL, (hk_fmu_options){.fmi = 3});
  fmi3Instance i = instantiate(&f, true);
  initialise(&f, i);
  bool event, end, early, b[5];
  double t = 0, next, last, first = sqrt(2 * 0.999 / 10), hit[3] = {first, 2 * first, 2.5 * first};
  int n = 0;
  assert_int_equal(f.fmi3UpdateDiscreteStates(i, &b[0], &b[1], &b[2], &b[3], &b[4], &next), fmi3OK);
  assert_int_equal(f.fmi3EnterStepMode(i), fmi3OK);
  for (int k = 0; k < 1000 && n < 3; k++) {
    assert_int_equal(f.fmi3DoStep(i, t, 0.05, true, &event, &end, &early, &last), fmi3OK);
    assert_int_equal(early, last < t + 0.05 - 1e-12);
    if (event) {
      NEAR(last, hit[n], 1e-9);
      n++;
      assert_int_equal(f.fmi3EnterEventMode(i), fmi3OK);
      assert_int_equal(f.fmi3UpdateDiscreteStates(i, &b[0], &b[1], &b[2], &b[3], &b[4], &next),
                       fmi3OK);
      assert_int_equal(f.fmi3EnterStepMode(i), fmi3OK);
    }
    t = last;
  }
  assert_int_equal(n, 3);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

/* ---- states ---- */

typedef struct roll {
  const fmu_file *f;
  fmi3Instance one, two;
  unsigned *reference;
  int n;
} roll;

static void all_values(const roll *r, fmi3Instance i, double *out) {
  assert_int_equal(r->f->fmi3GetFloat64(i, r->reference, (size_t)r->n, out, (size_t)r->n), fmi3OK);
}

/* From the state at t: three steps with inputs that change. */
static void go(const roll *r, fmi3Instance i, const char *input, const double *u, double t,
               double h, double *out) {
  for (int k = 0; k < 3; k++) {
    assert_int_equal(set(r->f, i, input, u[k]), fmi3OK);
    assert_int_equal(step(r->f, i, t, h), fmi3OK);
    t += h;
  }
  all_values(r, i, out);
}

static void rollbacks(const char *name, const char *text, const char *input, const char *parameter,
                      int count) {
  fmu_file f = open_text(name, text, (hk_fmu_options){.fmi = 3});
  roll r = {.f = &f, .one = start(&f), .two = instantiate(&f, false)};
  char key[40];
  random_seed(7);
  r.reference = calloc(1000, sizeof *r.reference);
  for (r.n = 0; r.n < 1000; r.n++) {
    snprintf(key, sizeof key, " valueReference=\"%d\" ", r.n + 1);
    if (!strstr(f.xml, key)) break;
    r.reference[r.n] = (unsigned)r.n + 1;
  }
  double *a = calloc((size_t)r.n, sizeof *a), *b = calloc((size_t)r.n, sizeof *b), t = 0;
  void *saved = NULL, *copy = NULL;
  for (int k = 0; k < count; k++) {
    double h = 1e-3 + 0.02 * uniform(0, 1), u[3] = {uniform(0, 1), uniform(0, 1), uniform(0, 1)},
           astray[3] = {9 * uniform(0, 1), 0, -uniform(0, 1)};
    size_t size;
    if (parameter && k % 50 == 49)
      assert_int_equal(set(&f, r.one, parameter, 0.1 + 0.1 * uniform(0, 1)), fmi3OK);
    assert_int_equal(f.fmi3GetFMUState(r.one, &saved), fmi3OK);
    go(&r, r.one, input, u, t, h, a);
    if (uniform(0, 1) < 0.5) go(&r, r.one, input, astray, t + 3 * h, h / 2, b);
    assert_int_equal(f.fmi3SetFMUState(r.one, saved), fmi3OK);
    go(&r, r.one, input, u, t, h, b);
    assert_memory_equal(a, b, (size_t)r.n * sizeof *a);
    /* as bytes into a second instance, which was elsewhere */
    assert_int_equal(f.fmi3SerializedFMUStateSize(r.one, saved, &size), fmi3OK);
    fmi3Byte *bytes = malloc(size);
    assert_int_equal(f.fmi3SerializeFMUState(r.one, saved, bytes, size), fmi3OK);
    assert_int_equal(f.fmi3DeserializeFMUState(r.two, bytes, size, &copy), fmi3OK);
    free(bytes);
    assert_int_equal(f.fmi3SetFMUState(r.two, copy), fmi3OK);
    assert_int_equal(f.fmi3FreeFMUState(r.two, &copy), fmi3OK);
    go(&r, r.two, input, u, t, h, b);
    assert_memory_equal(a, b, (size_t)r.n * sizeof *a);
    t += 3 * h;
  }
  assert_int_equal(f.fmi3FreeFMUState(r.one, &saved), fmi3OK);
  free(a);
  free(b);
  free(r.reference);
  f.fmi3FreeInstance(r.one);
  f.fmi3FreeInstance(r.two);
  fmu_close(&f);
}

static void test_rollbacks(void **state) {
  (void)state;
  rollbacks("drive.yaml", DRIVE, "torque", "c", 1000);
}
static void test_rollbacks_of_impacts(void **state) {
  (void)state;
  rollbacks("ball.yaml", BALL, "push", "e", 1000);
}

/* ---- bad input ---- */

static void expect_refusal(const char *what) {
  assert_true(errors > 0);
  if (!strstr(last_error, what)) fail_msg("'%s' is not in '%s'", what, last_error);
  errors = 0;
}

static void test_bad_calls(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  fmi3Instance i = instantiate(&f, false);
  errors = 0;
  assert_int_equal(step(&f, i, 0, 0.1), fmi3Error);
  expect_refusal("initialised");
  initialise(&f, i);
  assert_int_equal(step(&f, i, 0.5, 0.1), fmi3Error);
  expect_refusal("the last one ended at");
  assert_int_equal(step(&f, i, 0, -0.1), fmi3Error);
  expect_refusal("impossible");
  assert_int_equal(step(&f, i, 0, NAN), fmi3Error);
  expect_refusal("impossible");
  assert_int_equal(step(&f, i, 0, 0), fmi3OK);
  assert_int_equal(set(&f, i, "wheel.angle_rate", 1), fmi3Error);
  expect_refusal("is an output");
  assert_int_equal(set(&f, i, "torque", NAN), fmi3Error);
  expect_refusal("cannot be set to nan");
  unsigned wrong = 12345;
  double value = 0;
  assert_int_equal(f.fmi3GetFloat64(i, &wrong, 1, &value, 1), fmi3Error);
  expect_refusal("12345");
  const fmi3Byte junk[200] = {1, 2, 3};
  void *s = NULL;
  assert_int_equal(f.fmi3DeserializeFMUState(i, junk, sizeof junk, &s), fmi3Error);
  expect_refusal("no state of this FMU");
  assert_int_equal(f.fmi3DeserializeFMUState(i, junk, 3, &s), fmi3Error);
  expect_refusal("too few");
  assert_null(s);
  f.fmi3FreeInstance(i);
  f.fmi3FreeInstance(NULL);
  assert_null(f.fmi3InstantiateCoSimulation("x", "{other}", f.resources, false, false, false, false,
                                            NULL, 0, NULL, log3, NULL));
  expect_refusal("does not belong");
  assert_null(f.fmi3InstantiateCoSimulation("x", f.token, "/nowhere", false, false, false, false,
                                            NULL, 0, NULL, log3, NULL));
  expect_refusal("hooke.yaml");
  /* errors of the model with line and column */
  char path[400];
  snprintf(path, sizeof path, "%sdrive.yaml", f.resources);
  FILE *file = fopen(path, "w");
  fputs("format: 1\nbodies: {wheel: {type: rotr}}\n", file);
  fclose(file);
  assert_null(f.fmi3InstantiateCoSimulation("x", f.token, f.resources, false, false, false, false,
                                            NULL, 0, NULL, log3, NULL));
  expect_refusal("drive.yaml:2:24: error: unknown type of body 'rotr'");
  fmu_close(&f);
}

static void refuse_export(const char *text, hk_fmu_options option, const char *what) {
  char model[200], path[200], line[2048];
  hk_diag diag;
  hk_diag_init(&diag);
  write_text("bad.yaml", text, model, sizeof model);
  snprintf(path, sizeof path, "%s/none.fmu", work);
  assert_int_equal(fmu_export(model, option, path, &diag), HK_EINPUT);
  assert_true(diag.n > 0);
  bool found = false;
  for (int i = 0; i < diag.n; i++) {
    hk_diag_format(&diag.message[i], line, sizeof line);
    found = found || strstr(line, what);
  }
  if (!found) fail_msg("'%s' is not in '%s'", what, line);
  assert_int_not_equal(access(path, F_OK), 0);
  hk_diag_free(&diag);
}

static void test_bad_exports(void **state) {
  (void)state;
#define NAMES(text) {(const char *const[]){text}, 1}
  refuse_export("format: 1\nbodies: {a: {type: point_mass, mass: 1 kg}}\n",
                (hk_fmu_options){.fmi = 3}, "needs an `analysis`");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .input = NAMES("torqe")}, "no input 'torqe'");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .output = NAMES("wheel.angle_rats")},
                "wheel.angle_rate");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .output = NAMES("torque")}, "is an input");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .parameter = NAMES("K")}, "no parameter 'K'");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .terminal = NAMES("flange")}, "NAME=VARIABLE");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 3, .terminal = NAMES("flange=tork")},
                "neither an input");
  refuse_export(DRIVE, (hk_fmu_options){.fmi = 2, .rates = true}, "FMI 3.0");
  refuse_export("format: 1\ntables: {road: {file: ../x.csv}}\nanalysis: {duration: 1 s}\n",
                (hk_fmu_options){.fmi = 3}, "outside");
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(work) ? 0 : 1;
}
static int remove_folder(void **state) {
  char command[100];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", work);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drive),
      cmocka_unit_test(test_tunable),
      cmocka_unit_test(test_ramps),
      cmocka_unit_test(test_rates),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_impacts),
      cmocka_unit_test(test_rollbacks),
      cmocka_unit_test(test_rollbacks_of_impacts),
      cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_bad_exports),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
