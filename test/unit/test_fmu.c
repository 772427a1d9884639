/* FMUs in the importer of the tests: both FMI versions, events, inputs, parameters, bad input. */
#include "support/fmu_case.h"

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
  /* reset restores everything */
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
  /* a value that the model rejects: a message, and the instance continues with the old value */
  assert_int_equal(set(&f, i, "J", -1), fmi3OK);
  errors = 0;
  assert_int_equal(step(&f, i, 2, 0.1), fmi3Error);
  assert_true(errors > 0 && strstr(last_error, "drive.yaml:"));
  assert_int_equal(set(&f, i, "J", 0.6), fmi3OK);
  assert_int_equal(step(&f, i, 2, 0.1), fmi3OK);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
}

/* Inputs held over steps lag by half a step; ramps do not. */
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

/* FMI 3.0 has no derivatives of inputs: they are separate inputs. */
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

/* Derivatives of outputs by the time: of an FMU with inputs, whose steps end at communication points, and of one without. */
static void test_output_rates(void **state) {
  (void)state;
  for (int inputs = 0; inputs < 2; inputs++) {
    static const char FALL[] =
        "format: 1\nbodies: {a: {type: point_mass, mass: 2 kg}}\n"
        "forces: {g: {type: load, b: a, force: [0, 0, -2 N * sin(3 rad/s * t)]}}\n"
        "analysis: {duration: 1 s}\n";
    fmu_file f = open_text("rates.yaml", inputs ? DRIVE : FALL, (hk_fmu_options){.fmi = 3});
    fmi3Instance i = start(&f);
    unsigned reference[] = {fmu_reference(&f, inputs ? "wheel.angle" : "a.z"),
                            fmu_reference(&f, inputs ? "wheel.angle_rate" : "a.vz")};
    int order[] = {1, 1}, second[] = {2, 1};
    double rate[2];
    assert_int_equal(f.fmi3GetOutputDerivatives(i, reference, 2, order, rate, 2), fmi3Discard);
    for (int k = 0; k < 50; k++) {
      double t = 0.02 * (k + 1);
      assert_int_equal(step(&f, i, 0.02 * k, 0.02), fmi3OK);
      assert_int_equal(f.fmi3GetOutputDerivatives(i, reference, 2, order, rate, 2), fmi3OK);
      NEAR(rate[0], inputs ? speed(2, 0.6, 0.05, t) : (cos(3 * t) - 1) / 3, 2e-4);
      NEAR(rate[1], inputs ? (2 - 0.05 * speed(2, 0.6, 0.05, t)) / 0.6 : -sin(3 * t), 2e-3);
    }
    assert_int_equal(f.fmi3GetOutputDerivatives(i, reference, 2, second, rate, 2), fmi3Error);
    assert_int_equal(f.fmi3GetOutputDerivatives(i, NULL, 2, order, rate, 2), fmi3Error);
    f.fmi3FreeInstance(i);
    fmu_close(&f);
  }
}

/* Tables are included in the FMU, even columns of HDF5 files, which its binary cannot read. */
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

/* Impacts of a ball that falls from 1 m - 1 mm with 10 m/s^2 and keeps half of its velocity. */
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

/* ---- intermediate update ---- */

typedef struct watcher {
  int calls;
  double stop;
} watcher;

static void watch(void *environment, double time, bool set_requested, bool get_allowed,
                  bool finished, bool can_return, bool *early, double *at) {
  watcher *w = environment;
  assert_true(get_allowed && finished && !set_requested);
  w->calls++;
  if (can_return && time >= w->stop) *early = true, *at = time;
}

static void test_intermediate(void **state) {
  (void)state;
  fmu_file f = open_text("drive.yaml", DRIVE, (hk_fmu_options){.fmi = 3});
  watcher w = {.stop = 0.3};
  fmi3Instance i = f.fmi3InstantiateCoSimulation("one", f.token, f.resources, false, false, false,
                                                 true, NULL, 0, &w, log3, watch);
  assert_non_null(i);
  initialise(&f, i);
  bool event, end, early;
  double last;
  assert_int_equal(f.fmi3DoStep(i, 0, 1, true, &event, &end, &early, &last), fmi3OK);
  assert_true(early && last >= 0.3 && last < 1 && w.calls > 1);
  NEAR(get(&f, i, "wheel.angle_rate"), speed(2, 0.6, 0.05, last), 1e-6);
  w.stop = 9;
  assert_int_equal(f.fmi3DoStep(i, last, 1 - last, true, &event, &end, &early, &last), fmi3OK);
  assert_false(early);
  NEAR(get(&f, i, "wheel.angle_rate"), speed(2, 0.6, 0.05, 1), 1e-6);
  f.fmi3FreeInstance(i);
  fmu_close(&f);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drive),        cmocka_unit_test(test_tunable),
      cmocka_unit_test(test_ramps),        cmocka_unit_test(test_rates),
      cmocka_unit_test(test_derivatives),  cmocka_unit_test(test_tables),
      cmocka_unit_test(test_output_rates), cmocka_unit_test(test_impacts),
      cmocka_unit_test(test_intermediate), cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_bad_exports),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
