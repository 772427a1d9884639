/* A whole run against the parabola of a thrown mass: x = 3 t, y = 4 t - g t^2 / 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "results/results.h"

static const char model_text[] =
    "format: 1\n"
    "bodies: {ball: {type: point_mass, mass: 2 kg, velocity: [3 m/s, 4 m/s, 0]}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, -10 m/s^2, 0]}}\n"
    "measures:\n"
    "  x_end: {of: ball.x, take: final}\n"
    "  x_start: {of: ball.x, take: initial}\n"
    "  y_end: {of: ball.y, take: final}\n"
    "  y_at: {of: ball.y, take: at, at: 0.33 s}\n"
    "  x_mean: {of: ball.x, take: mean, from: 0.2 s, to: 0.6 s}\n"
    "  x_path: {of: ball.x, take: integral}\n"
    "  pull: {of: ball.ay, take: max_abs}\n"
    "  top: {of: ball.vy, take: event_time}\n"
    "  back: {of: ball.y, take: event_time, crossing: falling, level: 1 mm}\n"
    "  lines: {of: ball.x, take: events, every: 50 cm}\n"
    "  late: {of: ball.x, take: max, from: 5 s, to: 6 s}\n"
    "analysis: {duration: 1 s, output_step: 0.3 s, step: 0.07 s}\n";
enum { X_END, X_START, Y_END, Y_AT, X_MEAN, X_PATH, PULL, TOP, BACK, LINES, LATE, N_MEASURES };

static hk_diag diag;

static int setup(void **state) {
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("ball", model_text, strlen(model_text), NULL, 0, &diag);
  *state = spec ? hk_model_compile(spec, &diag) : NULL;
  return *state ? 0 : -1;
}
static int teardown(void **state) {
  hk_model_destroy(*state);
  hk_diag_free(&diag);
  return 0;
}

static void near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* A caller that needs no messages passes no list. */
static void test_without_messages(void **state) {
  (void)state;
  hk_run_report r;
  assert_null(hk_model_file_read("there is no such file", NULL, 0, NULL));
  assert_null(hk_model_text_read("wrong", "format: 1\nbodies: {a: {typ: x}}\n", 32, NULL, 0, NULL));
  assert_null(hk_model_compile(NULL, NULL));
  hk_spec *spec = hk_model_text_read("ball", model_text, strlen(model_text), NULL, 0, NULL);
  assert_non_null(spec);
  hk_model *model = hk_model_compile(spec, NULL);
  assert_non_null(model);
  assert_int_equal(hk_run(model, NULL, &r, NULL), HK_OK);
  near(r.measure[X_END].value, 3, 1e-13);
  hk_run_report_free(&r);
  hk_model_destroy(model);
}

static void test_measures(void **state) {
  hk_run_report r;
  assert_int_equal(hk_run(*state, NULL, &r, &diag), HK_OK);
  assert_int_equal(r.n_measures, N_MEASURES);
  near(r.measure[X_END].value, 3, 1e-13);
  near(r.measure[X_START].value, 0, 0);
  /* The trapezoidal rule is exact under a constant force, and the cubic on a parabola. */
  near(r.measure[Y_END].value, -1, 1e-12);
  near(r.measure[Y_AT].value, 4 * 0.33 - 5 * 0.33 * 0.33, 1e-12);
  near(r.measure[X_MEAN].value, 1.2, 1e-13);
  near(r.measure[X_PATH].value, 1.5, 1e-13);
  near(r.measure[PULL].value, 10, 1e-12);
  near(r.measure[TOP].value, 0.4, 1e-12);
  assert_string_equal(r.measure[TOP].unit, "s");
  near(r.measure[BACK].value, 0.4 + sqrt(0.16 - 2 * 1e-3 / 10), 1e-12); /* Hermite on a parabola */
  near(r.measure[LINES].value, 6, 0);                                   /* 0.5 to 3 m */
  assert_true(isnan(r.measure[LATE].value));
  assert_string_equal(r.measure[X_PATH].unit, "m*s");
  assert_string_equal(r.measure[PULL].unit, "m/s^2");
  assert_true(r.measure[LATE].note[0]);
  assert_int_equal(diag.n_warnings, 1); /* of `late` */
  assert_int_equal(r.rows, 0);
  assert_true(r.t == 1 && r.end == 1 && r.start == 0);
  near(r.energy_balance_error, 0, 1e-11);
  hk_run_report_free(&r);
}

static void read_back(const char *path, const char *status, const double *t, int rows) {
  hk_results *file;
  hk_error err;
  assert_int_equal(hk_results_open(path, &file, &err), HK_OK);
  assert_string_equal(hk_results_status(file), status);
  assert_int_equal(hk_results_channel_count(file), 3);
  assert_int_equal(hk_results_row_count(file), rows);
  double *row = calloc((size_t)rows * 3, sizeof *row);
  assert_non_null(row);
  assert_int_equal(hk_results_read_rows(file, 0, rows, row, &err), HK_OK);
  for (int i = 0; i < rows; i++) {
    if (t) assert_true(row[3 * i] == t[i]); /* to the last bit */
    near(row[3 * i + 1], 3 * row[3 * i], 1e-12);
  }
  free(row);
  hk_results_destroy(file);
}

static bool stop_after(void *context, const hk_run_progress *now) {
  int *calls = context;
  ++*calls;
  return now->t < 0.5;
}

static void test_results_and_stop(void **state) {
  char path[] = "hooke-run-XXXXXX";
  int fd = mkstemp(path), calls = 0;
  assert_true(fd >= 0);
  close(fd);
  hk_run_report r;
  hk_run_options o = {.results = path, .record = "^ball\\.[xy]$"};
  assert_int_equal(hk_run(*state, &o, &r, &diag), HK_OK);
  assert_int_equal(r.rows, 5);
  hk_run_report_free(&r);
  const double times[] = {0, 0.3, 2 * 0.3, 3 * 0.3, 1};
  read_back(path, "finished", times, 5);

  o.progress = stop_after;
  o.context = &calls;
  assert_int_equal(hk_run(*state, &o, &r, &diag), HK_STOPPED);
  assert_true(r.t >= 0.5 && r.t < 0.6);
  assert_int_equal(calls, r.stats.steps + 1);
  near(r.measure[X_END].value, 3 * r.t, 1e-12); /* the measures so far */
  hk_run_report_free(&r);
  read_back(path, "stopped", NULL, 3);
  unlink(path);
}

static void test_refusals(void **state) {
  hk_run_report r;
  hk_run_options o = {.record = "["};
  assert_int_equal(hk_run(*state, &o, &r, &diag), HK_EINPUT);
  assert_non_null(strstr(r.error.text, "regular expression"));
  hk_run_report_free(&r);
  o = (hk_run_options){.results = "no/such/folder/out.h5"};
  assert_int_equal(hk_run(*state, &o, &r, &diag), HK_EIO);
  assert_int_equal(r.stats.steps, 0);
  hk_run_report_free(&r);
  assert_int_equal(hk_run_check(*state, &diag), HK_OK);
}

static hk_model *compiled(const char *text, hk_diag *d) {
  hk_diag_init(d);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, d);
  hk_model *model = spec ? hk_model_compile(spec, d) : NULL;
  assert_non_null(model);
  return model;
}

/* A run may start before t = 0, and a window must not end before it starts. */
static void test_windows(void **state) {
  (void)state;
  static const char *const windows[] = {"to: -0.5 s", "from: 0.8 s, to: 0.2 s"};
  for (int k = 0; k < 2; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "format: 1\n"
             "bodies: {ball: {type: point_mass, mass: 2 kg, velocity: [1 m/s, 0, 0]}}\n"
             "measures: {far: {of: ball.x, take: max, %s}}\n"
             "analysis: {start: -1 s, duration: 2 s}\n",
             windows[k]);
    hk_diag d;
    hk_model *model = compiled(text, &d);
    hk_run_report r;
    assert_int_equal(hk_run(model, NULL, &r, &d), k == 0 ? HK_OK : HK_EINPUT);
    if (k == 0)
      near(r.measure[0].value, 0.5, 1e-12);
    else
      assert_non_null(strstr(d.message[0].text, "before it starts"));
    hk_run_report_free(&r);
    hk_model_destroy(model);
    hk_diag_free(&d);
  }
}

/* Steps before the first window are not searched, unless an open window needs them: the results do
 * not change. */
static void test_late_window(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "bdf", "adams"};
  for (int k = 0; k < 3; k++) {
    double found[2][6];
    for (int open = 0; open < 2; open++) {
      char text[1400];
      snprintf(text, sizeof text,
               "format: 1\n"
               "bodies: {bob: {mass: 1 kg, inertia: [1e-2 kg*m^2, 1e-2 kg*m^2, 1e-2 kg*m^2],"
               " position: [1 m, 0, 0]}}\n"
               "joints: {pin: {type: revolute, b: bob, at: [0, 0, 0], axis: z}}\n"
               "forces: {weight: {type: gravity, acceleration: [0, -10 m/s^2, 0]}}\n"
               "defaults: {channel: {from: 2.1 s, to: 3.2 s}}\n"
               "measures:\n"
               "  a: {of: pin.fy, take: mean}\n  b: {of: bob.y, take: peak_to_peak}\n"
               "  c: {of: bob.y, take: change}\n  d: {of: pin.angle, take: at, at: 2.1 s}\n"
               "  e: {of: bob.x, take: harmonic, period: 1.1 s}\n"
               "  f: {of: bob.x, take: events}\n%s"
               "analysis: {duration: 4 s, stepper: %s}\n",
               open ? "  all: {of: bob.x, take: mean, from: 0 s}\n" : "", stepper[k]);
      hk_diag d;
      hk_model *model = compiled(text, &d);
      hk_run_report r;
      assert_int_equal(hk_run(model, NULL, &r, &d), HK_OK);
      for (int i = 0; i < 6; i++) found[open][i] = r.measure[i].value;
      assert_int_equal(d.n_warnings, 0);
      hk_run_report_free(&r);
      hk_model_destroy(model);
      hk_diag_free(&d);
    }
    for (int i = 0; i < 6; i++) near(found[0][i], found[1][i], 1e-13 * fabs(found[1][i]));
  }
}

/* The step size of any integrator is limited by its error only; for a thrown ball, steps become
 * very long.  Measures take the motion inside the steps into account.  event_driven has no values
 * between its steps; there the significant digits show the uncertainty. */
static void test_long_steps(void **state) {
  static const char *const stepper[] = {
      "adams", "bdf", "trapezoidal", "generalized_alpha", "nonsmooth_alpha", "event_driven"};
  const double exact[4] = {0.8, 2 - 5.0 / 3, 0, sqrt(16 - 40 + 100.0 / 3)};
  (void)state;
  for (size_t k = 0; k < sizeof stepper / sizeof *stepper; k++) {
    char text[600];
    int n = snprintf(text, sizeof text,
                     "format: 1\n"
                     "bodies: {ball: {type: point_mass, mass: 2 kg, velocity: [3 m/s, 4 m/s, 0]}}\n"
                     "forces: {weight: {type: gravity, acceleration: [0, -10 m/s^2, 0]}}\n"
                     "measures:\n"
                     "  top: {of: ball.y, take: max}\n"
                     "  mean: {of: ball.y, take: mean}\n"
                     "  high: {of: ball.y, take: min, to: 0.8 s}\n"
                     "  speed: {of: ball.vy, take: rms}\n"
                     "analysis: {duration: 1 s, stepper: %s, rtol: %s}\n",
                     stepper[k], k < 2 || k == 5 ? "1e-10" : "1e-7");
    hk_diag own;
    hk_diag_init(&own);
    hk_spec *spec = hk_model_text_read("ball", text, (size_t)n, NULL, 0, &own);
    hk_model *m = spec ? hk_model_compile(spec, &own) : NULL;
    assert_non_null(m);
    hk_run_report report;
    hk_run_digits *digits;
    assert_int_equal(hk_run_with_digits(m, NULL, &report, &digits, &own), HK_OK);
    bool sampled = strcmp(stepper[k], "event_driven") == 0;
    for (int i = 0; i < 4; i++) {
      near(report.measure[i].value, exact[i], sampled ? 2e-5 : 1e-9);
      if (!(fabs(digits[i].value - exact[i]) <= digits[i].error + 1e-13))
        fail_msg("%s, measure %d: %.12g +- %.2g, not %.12g", stepper[k], i, digits[i].value,
                 digits[i].error, exact[i]);
    }
    free(digits);
    hk_run_report_free(&report);
    hk_model_destroy(m);
    hk_diag_free(&own);
  }
}

static void test_no_analysis(void **state) {
  (void)state;
  static const char text[] = "format: 1\nbodies: {ball: {type: point_mass, mass: 2 kg}}\n";
  hk_diag d;
  hk_model *model = compiled(text, &d);
  hk_run_report r;
  assert_int_equal(hk_run(model, NULL, &r, &d), HK_EINPUT);
  assert_int_equal(d.n_errors, 1);
  assert_non_null(strstr(d.message[0].text, "no analysis to run"));
  hk_run_report_free(&r);
  hk_model_destroy(model);
  hk_diag_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_measures, setup, teardown),
      cmocka_unit_test_setup_teardown(test_results_and_stop, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
      cmocka_unit_test(test_long_steps),
      cmocka_unit_test(test_without_messages),
      cmocka_unit_test(test_no_analysis),
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_late_window),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
