/* Examples exported as FMUs and stepped by an importer: the same motion as that of hooke run.
 *
 * Without inputs the numbers are the same.  With inputs an FMU uses a one-step integrator whose steps end at communication
 * points, so that the results differ by the integration error.  It is measured with the integrator of the FMU: the limit is ten times the
 * change that a tenth of the tolerance (or half of a fixed step) causes, and at least ten times the tolerance.
 * Numbers are relative to the largest value of all channels with the same unit. */
#include "support/check.h"
#include "support/fmu_export.h"
#include <hooke/hooke.h>
#include <math.h>

static void log3(void *environment, fmi3Status status, fmi3String category, fmi3String message) {
  (void)environment;
  if (status >= fmi3Discard) fprintf(stderr, "%s: %s\n", category, message);
}

/* The outputs of an FMU as hooke run computes them.  *used: the tolerance, or minus the fixed step. */
static hk_recording *reference(const hk_model *model, const int *channel, int n,
                               const char *stepper, double rtol, double fixed, double *used) {
  hk_recording *r = NULL;
  hk_run_report report;
  const hk_sim_options sim = {.size = sizeof sim, .rtol = rtol, .step = fixed, .stepper = stepper};
  const hk_run_options options = {
      .size = sizeof options, .sim = &sim, .channel = channel, .n_channels = n, .recording = &r};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status status = hk_run(model, &options, &report, &diag);
  if (status) fmu_print(&diag);
  assert_int_equal(status, HK_OK);
  *used = report.step > 0 ? -report.step : report.rtol;
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  return r;
}

/* Contacts that open or close slightly earlier: the estimated error of the run no longer applies. */
static const double MOST = 0.1;

/* Channels of bodies at rest contain only round-off and have no scale of their own [SI units]. */
static const double REST = 1e-5;

/* Largest value of the channels with this unit. */
static double largest(const hk_recording *r, const char *unit) {
  double most = 0;
  for (int i = 1; i < hk_recording_channel_count(r); i++) {
    if (strcmp(hk_recording_unit(r, i), unit) != 0) continue;
    for (int64_t j = 0; j < hk_recording_row_count(r); j++)
      most = fmax(most, fabs(hk_recording_column(r, i)[j]));
  }
  return most;
}

/* Scale of the differences of channel k.  A power is the sum of products of forces and velocities, which may cancel. */
static double scale_of(const hk_recording *r, int k) {
  const char *unit = hk_recording_unit(r, k);
  double product = strcmp(unit, "W") == 0 ? largest(r, "N") * largest(r, "m/s") : 0;
  return fmax(fmax(largest(r, unit), product), REST);
}

/* Largest difference of two tables of the same shape, relative to the scales of the first. */
static double differ(const hk_recording *a, double *const *b, int *where) {
  double most = 0;
  for (int k = 1; k < hk_recording_channel_count(a); k++) {
    double scale = scale_of(a, k);
    for (int64_t j = 0; j < hk_recording_row_count(a); j++) {
      double d = fabs(hk_recording_column(a, k)[j] - b[k][j]) / scale;
      if (!(d <= most)) most = d, *where = k;
    }
  }
  return most;
}

static double *const *columns(const hk_recording *r) {
  int n = hk_recording_channel_count(r);
  double **c = calloc((size_t)n, sizeof *c);
  for (int i = 0; i < n; i++) c[i] = (double *)(uintptr_t)hk_recording_column(r, i);
  return c;
}

/* Steps the FMU over the times of the recording. */
static double **step_through(fmu_file *f, const hk_recording *r) {
  int n = hk_recording_channel_count(r);
  int64_t rows = hk_recording_row_count(r);
  const double *t = hk_recording_column(r, 0);
  unsigned *reference_of = calloc((size_t)n, sizeof *reference_of);
  double **out = calloc((size_t)n, sizeof *out);
  for (int k = 0; k < n; k++) {
    out[k] = calloc((size_t)rows, sizeof **out);
    reference_of[k] = k ? fmu_reference(f, hk_recording_name(r, k)) : 0;
  }
  fmi3Instance i = f->fmi3InstantiateCoSimulation("test", f->token, f->resources, false, false,
                                                  false, false, NULL, 0, NULL, log3, NULL);
  assert_non_null(i);
  assert_int_equal(f->fmi3EnterInitializationMode(i, false, 0, t[0], true, t[rows - 1]), fmi3OK);
  assert_int_equal(f->fmi3ExitInitializationMode(i), fmi3OK);
  for (int64_t j = 0; j < rows; j++) {
    bool event, end, early;
    double last;
    if (j)
      assert_int_equal(
          f->fmi3DoStep(i, t[j - 1], t[j] - t[j - 1], true, &event, &end, &early, &last), fmi3OK);
    for (int k = 0; k < n; k++)
      assert_int_equal(f->fmi3GetFloat64(i, &reference_of[k], 1, &out[k][j], 1), fmi3OK);
  }
  f->fmi3FreeInstance(i);
  free(reference_of);
  return out;
}

/* The channels of the description, in the order of the model. */
static int exported(const hk_model *m, const fmu_file *f, int *channel) {
  int n = 0;
  for (int i = 1; i < hk_model_channel_count(m); i++)
    if (hk_model_channel_kind(m, i) != HK_CHANNEL_INPUT &&
        fmu_reference(f, hk_model_channel_name(m, i)))
      channel[n++] = i;
  return n;
}

static void stepper_of(const fmu_file *f, char *name, size_t size) {
  char path[400];
  size_t length;
  snprintf(path, sizeof path, "%shooke.yaml", f->resources);
  char *text = fmu_read(path, &length), *at = text ? strstr(text, "stepper: ") : NULL;
  assert_non_null(at);
  snprintf(name, size, "%.*s", (int)strcspn(at + 9, "\n"), at + 9);
  free(text);
}

/* Ten times the change that a smaller tolerance causes with the integrator of the FMU. */
static double error_limit(const hk_model *model, const int *channel, int n, const char *stepper) {
  double rtol, finer;
  int at = 0;
  hk_recording *same = reference(model, channel, n, stepper, 0, 0, &rtol);
  hk_recording *fine =
      reference(model, channel, n, stepper, fmax(rtol / 10, 0), fmax(-rtol / 2, 0), &finer);
  double *const *fine_columns = columns(fine);
  double error = differ(same, fine_columns, &at);
  free((void *)fine_columns);
  hk_recording_destroy(same);
  hk_recording_destroy(fine);
  return fmin(10 * fmax(error, fmax(rtol, 1e-12)), MOST);
}

static void compare(const char *name) {
  char path[400], fmu[] = "/tmp/hooke-example-XXXXXX";
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/examples/%s", HOOKE_SOURCE_DIR, name);
  close(mkstemp(fmu));
  hk_status status = fmu_export(path, (hk_fmu_options){.fmi = 3}, fmu, &diag);
  if (status) fmu_print(&diag);
  assert_int_equal(status, HK_OK);
  fmu_file f;
  assert_true(fmu_open(&f, fmu));
  hk_model *model = hk_model_compile(hk_model_file_read(path, NULL, 0, &diag), &diag);
  assert_non_null(model);
  int *channel = calloc((size_t)hk_model_channel_count(model), sizeof *channel), where = 0;
  int n = exported(model, &f, channel);
  char stepper[100];
  double rtol;
  stepper_of(&f, stepper, sizeof stepper);
  hk_recording *run = reference(model, channel, n, NULL, 0, 0, &rtol);
  double **stepped = step_through(&f, run);
  double off = differ(run, stepped, &where);
  /* without inputs only the iterations of frictional reactions begin elsewhere */
  double limit = hk_model_input_count(model) ? error_limit(model, channel, n, stepper) : 1e-7;
  printf("%-45s %3d channels, %4lld rows: differs by %.2g of %.2g (%s, scale %.2g)\n", name, n,
         (long long)hk_recording_row_count(run), off, limit, hk_recording_name(run, where),
         scale_of(run, where));
  if (!(off <= limit))
    fprintf(stderr, "%s: %s differs by %g\n", name, hk_recording_name(run, where), off);
  if (!getenv("HOOKE_FMU_SURVEY")) assert_true(off <= limit);
  for (int k = 0; k <= n; k++) free(stepped[k]);
  free(stepped);
  free(channel);
  hk_recording_destroy(run);
  hk_model_destroy(model);
  fmu_close(&f);
  unlink(fmu);
  hk_diag_free(&diag);
}

static void test_examples(void **state) {
  (void)state;
  static const char *const list[] = {
      "tutorial/slider_crank.yaml",  "control/hydraulic.yaml",          "control/quarter_car.yaml",
      "benchmarks/a03_andrews.yaml", "clearance/slider_crank.yaml",     "cv_joint/rzeppa.yaml",
      "gear_rig/mesh.yaml",          "slider_crank_clearance/dry.yaml", "linear/bicycle.yaml",
      "half_shaft/bar.yaml",         "flexible/slider_crank.yaml"};
  const char *one = getenv("HOOKE_FMU_EXAMPLE"); /* any other one */
  if (one) {
    compare(one);
    return;
  }
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) compare(list[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
