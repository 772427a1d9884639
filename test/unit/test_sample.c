/* Values of several channels at many times in one call: of a simulation and of a results file. */
#include "sim/sim.h"
#include "support/subject.h"
#include <hooke/results.h>
#include <hooke/run.h>
#include <unistd.h>

/* x = cos 2t, v = -2 sin 2t. */
static const char SWING[] =
    "format: 1\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
    "forces: {k: {type: load, b: m, force: [-4 N/m * m.x, 0, 0]}}\n"
    "analysis: {duration: 2 s, output_step: 1 ms, rtol: 1e-8, atol: 1e-10}\n";
static const char *const NAME[3] = {"m.vx", "time", "m.x"};

static void a_simulation_is_sampled(void **state) {
  static const char *const stepper[] = {"generalized_alpha", "trapezoidal", "bdf", "moreau"};
  hk_model *m = model_of(SWING);
  for (size_t k = 0; k < sizeof stepper / sizeof *stepper; k++) {
    double t[50], out[50][3], last[1][3];
    hk_error err = {0};
    bool fixed = strcmp(stepper[k], "moreau") == 0;
    hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = stepper[k], .step = fixed ? 1e-4 : 0});
    for (int i = 0; i < 50; i++) t[i] = 0.037 * i;
    if (hk_sim_sample_by_name(s, t, 50, NAME, 3, &out[0][0], &err)) fail_msg("%s", err.text);
    double tol = fixed ? 2e-3 : 1e-4;
    for (int i = 0; i < 50; i++) {
      assert_near(out[i][1], t[i], 1e-15, "t");
      assert_near(out[i][2], cos(2 * t[i]), tol, "x");
      assert_near(out[i][0], -2 * sin(2 * t[i]), tol, "v");
    }
    assert_true(hk_sim_time(s) == t[49]);
    /* Steps are of any length if the integrator has values between them. */
    if (!fixed && hk_sim_interpolates(s)) assert_true(hk_sim_statistics(s).steps < 10000);
    /* After a further step: values within the last step are available, older ones are not. */
    if (hk_sim_sample_by_name(s, &(double){2.5}, 1, NAME, 3, &last[0][0], &err))
      fail_msg("%s", err.text);
    assert_near(last[0][2], cos(5), tol, "x later");
    assert_int_equal(hk_sim_sample_by_name(s, &(double){1}, 1, NAME, 3, &last[0][0], &err),
                     HK_EINPUT);
    assert_non_null(strstr(err.text, "earliest time that the simulation can interpolate"));
    assert_int_equal(hk_sim_sample_by_name(s, (double[2]){2.7, 2.6}, 2, NAME, 3, &out[0][0], &err),
                     HK_EINPUT);
    assert_non_null(strstr(err.text, "the times must increase"));
    assert_int_equal(hk_sim_sample_by_name(s, &(double){NAN}, 1, NAME, 3, &last[0][0], &err),
                     HK_EINPUT);
    static const char *const wrong[1] = {"m.wx1"};
    assert_int_equal(hk_sim_sample_by_name(s, &(double){3}, 1, wrong, 1, &last[0][0], &err),
                     HK_EINPUT);
    assert_non_null(strstr(err.text, "there is no channel 'm.wx1'; did you mean"));
    hk_sim_destroy(s);
  }
  hk_model_destroy(m);
}

static void a_file_is_sampled(void **state) {
  char file[] = "/tmp/hooke-sample-XXXXXX";
  close(mkstemp(file));
  hk_model *m = model_of(SWING);
  hk_run_report report;
  hk_diag diag;
  hk_diag_init(&diag);
  if (hk_run(m, &(hk_run_options){.results = file}, &report, &diag))
    fail_msg("%s", report.error.text);
  hk_run_report_free(&report);
  hk_results *r;
  hk_error err = {0};
  if (hk_results_open(file, &r, &err)) fail_msg("%s", err.text);
  double t[3] = {1.2345, 0, 2}, out[3][3], *column = malloc(3 * 2001 * sizeof *column);
  assert_non_null(column);
  if (hk_results_sample(r, t, 3, NAME, 3, &out[0][0], &err)) fail_msg("%s", err.text);
  for (int i = 0; i < 3; i++) {
    assert_near(out[i][1], t[i], 1e-15, "t");
    assert_near(out[i][2], cos(2 * t[i]), 1e-5, "x");
    assert_near(out[i][0], -2 * sin(2 * t[i]), 1e-5, "v");
  }
  assert_int_equal(hk_results_row_count(r), 2001);
  if (hk_results_read(r, NAME, 3, column, &err)) fail_msg("%s", err.text);
  for (int i = 0; i <= 2000; i += 100)
    assert_near(column[2 * 2001 + i], cos(0.002 * i), 1e-5, "column");
  assert_int_equal(hk_results_sample(r, &(double){2.1}, 1, NAME, 3, &out[0][0], &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "lies outside of"));
  assert_int_equal(hk_results_sample(r, t, 1, (const char *const[1]){"m.u"}, 1, &out[0][0], &err),
                   HK_EINPUT);
  free(column);
  hk_results_destroy(r);
  hk_diag_free(&diag);
  hk_model_destroy(m);
  unlink(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_simulation_is_sampled),
                                     cmocka_unit_test(a_file_is_sampled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
