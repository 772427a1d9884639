/* Analyses for programs: frequency responses, gear pairs and bearings on their own, figures, pages, recordings as files, studies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char BOB[] =
    "format: 1\n"
    "title: Bob\n"
    "parameters: {k: 100 N/m, c: 2 N*s/m}\n"
    "bodies: {bob: {type: point_mass, mass: 2 kg, position: [0.1 m, 0, 0]}}\n"
    "joints: {rail: {type: point_on_line, b: bob, axis: x}}\n"
    "forces:\n"
    "  push: {type: load, b: bob, force: [0 N, 0, 0]}\n"
    "  spring: {type: load, b: bob, force: [\"-k * bob.x - c * bob.vx\", 0, 0]}\n"
    "measures: {least: {of: bob.x, take: min}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static hk_model *model_of(const char *text) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *s = hk_model_text_read("test", text, strlen(text), NULL, 0, &diag);
  hk_model *m = s ? hk_model_compile(s, &diag) : NULL;
  if (!m) fail_msg("%s", diag.n ? diag.message[0].text : "?");
  hk_diag_free(&diag);
  return m;
}

static hk_model *example(const char *name) {
  char path[1000];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/examples/%s", HOOKE_SOURCE_DIR, name);
  hk_spec *s = hk_model_file_read(path, NULL, 0, &diag);
  hk_model *m = s ? hk_model_compile(s, &diag) : NULL;
  if (!m) fail_msg("%s", diag.n ? diag.message[0].text : "?");
  hk_diag_free(&diag);
  return m;
}

/* ---- responses ---- */

static void a_response_is_that_of_the_oscillator(void **state) {
  (void)state;
  hk_model *m = model_of(BOB);
  hk_sim *sim;
  hk_linear *linear;
  hk_response *response;
  hk_error err = {0};
  int input, n;
  const int channel = hk_model_channel_find(m, "bob.x");
  double *f, out[2];
  assert_int_equal(hk_static_solve(m, NULL, &sim, NULL, NULL, &err), HK_OK);
  assert_int_equal(hk_linear_create(sim, NULL, &linear, NULL, &err), HK_OK);
  assert_int_equal(hk_response_input_find(linear, "push.force.x", &input, &err), HK_OK);
  assert_int_equal(hk_response_create(sim, linear, input, &channel, 1, &response, &err), HK_OK);
  for (double w = 0; w < 20; w += 1.7) {
    assert_int_equal(hk_response_value(response, w, out, &err), HK_OK);
    double re = 100 - 2 * w * w, im = 2 * w, size = re * re + im * im;
    assert_float_equal(out[0], re / size, 1e-12);
    assert_float_equal(out[1], -im / size, 1e-12);
  }
  assert_string_equal(hk_response_unit(response, 0), "m/N");
  /* The default range contains the resonance, and its frequencies increase. */
  assert_int_equal(hk_response_frequencies(linear, 0, 0, 0, false, &f, &n, &err), HK_OK);
  assert_true(n > 400 && f[0] == 0 && f[n - 1] > sqrt(50) / (2 * M_PI));
  for (int i = 1; i < n; i++) assert_true(f[i] > f[i - 1]);
  free(f);
  assert_int_equal(hk_response_frequencies(linear, 1, 100, 3, true, &f, &n, &err), HK_OK);
  assert_int_equal(n, 3);
  assert_float_equal(f[1], 10, 1e-12);
  free(f);
  hk_response_destroy(response);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- machine elements ---- */

static void a_gear_pair_alone(void **state) {
  (void)state;
  hk_model *m = example("gear_rig/mesh.yaml");
  hk_gear_solution s, twice;
  hk_error err = {0};
  const hk_gear_options o = {.torque = 100, .points = 64}, more = {.torque = 200, .points = 64};
  assert_int_equal(hk_gear_solve(m, NULL, &o, &s, &err), HK_OK);
  assert_int_equal(hk_gear_solve(m, s.name, &more, &twice, &err), HK_OK);
  assert_int_equal(s.n, 64);
  assert_float_equal(twice.load / s.load, 2, 1e-12);
  assert_true(twice.transmission_error.mean > s.transmission_error.mean);
  /* The reported means are those of the columns. */
  double sum = 0, most = 0;
  for (int i = 0; i < s.n; i++) sum += s.stiffness_at[i], most = fmax(most, s.stiffness_at[i]);
  assert_float_equal(sum / s.n / s.stiffness.mean, 1, 1e-12);
  assert_true(most == s.stiffness.most);
  for (int i = 0; i < s.n_path; i++) assert_true(s.path_share[i] > 0 && s.path_share[i] < 1 + 1e-9);
  hk_gear_solution_free(&s);
  hk_gear_solution_free(&twice);
  assert_int_equal(hk_gear_solve(m, "none", NULL, &s, &err), HK_EINPUT);
  assert_int_equal(hk_gear_solve(m, NULL, &(hk_gear_options){.points = 3}, &s, &err), HK_EINPUT);
  const hk_gear_options unknown[] = {{.torque = NAN, .speed = 1}, {.torque = 100, .speed = NAN}};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(hk_gear_solve(m, NULL, &unknown[i], &s, &err), HK_EINPUT);
    assert_non_null(strstr(err.text, i ? "has no speed" : "has no torque"));
  }
  assert_int_equal(hk_bearing_solve(m, NULL, NULL, &(hk_bearing_solution){0}, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "the model has no rolling_bearing"));
  hk_model_destroy(m);
}

static void a_bearing_alone(void **state) {
  (void)state;
  hk_model *m = example("bearings/rotor.yaml");
  hk_bearing_solution s;
  hk_bearing_options o;
  hk_error err = {0};
  assert_int_equal(hk_bearing_solve(m, NULL, NULL, &s, &err), HK_EINPUT); /* there are two */
  hk_bearing_options_init(&o);
  o.force[0] = 300, o.force[1] = 0, o.force[2] = -400;
  o.speed = 100;
  assert_int_equal(hk_bearing_solve(m, "rear", &o, &s, &err), HK_OK);
  assert_true(s.speed == 100 && s.load[0] == 300 && s.load[2] == -400);
  /* The ring does not move perpendicular to the load; the loads of the elements balance it. */
  assert_true(s.n_elements > 0 && fabs(s.displacement[1]) < 1e-3 * fabs(s.displacement[0]));
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) assert_true(isfinite(s.stiffness[i][k]));
  assert_true(s.stiffness[0][0] > 0 && s.L10r > 0);
  hk_bearing_solution_free(&s);
  hk_model_destroy(m);
}

/* ---- figures and pages ---- */

static void a_figure_as_text(void **state) {
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {0, 1, 4};
  const hk_plot_series series = {.name = "square", .x = x, .y = y, .n = 3};
  const hk_plot_panel panel = {.x = {.label = "x", .unit = "s"}, .series = &series, .n_series = 1};
  const hk_plot_figure figure = {.title = "A <title>", .panel = &panel, .n_panels = 1};
  char *svg;
  hk_error err = {0};
  assert_int_equal(hk_plot_text(&figure, &svg, &err), HK_OK);
  assert_int_equal(strncmp(svg, "<svg", 4), 0);
  assert_non_null(strstr(svg, "A &lt;title&gt;"));
  free(svg);
  assert_int_equal(hk_plot_text(&(hk_plot_figure){.title = "empty"}, &svg, &err), HK_EINPUT);
  assert_null(svg);
}

static void a_recording_becomes_a_file_and_a_page(void **state) {
  (void)state;
  char folder[] = "/tmp/hooke-analyses-XXXXXX", file[100], direct[100];
  assert_non_null(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/saved.h5", folder);
  snprintf(direct, sizeof direct, "%s/direct.h5", folder);
  hk_model *m = model_of(BOB);
  hk_recording *r;
  hk_run_report report;
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  const hk_run_options o = {.recording = &r, .results = direct, .model_text = BOB};
  assert_int_equal(hk_run(m, &o, &report, &diag), HK_OK);
  const hk_run_options save = {.results = file, .model_text = BOB};
  assert_int_equal(hk_run_save(m, r, &save, &report, &diag, &err), HK_OK);
  hk_results *a, *b;
  assert_int_equal(hk_results_open(file, &a, &err), HK_OK);
  assert_int_equal(hk_results_open(direct, &b, &err), HK_OK);
  assert_int_equal(hk_results_row_count(a), 101);
  assert_string_equal(hk_results_status(a), "finished");
  assert_string_equal(hk_results_summary(a), hk_results_summary(b));
  assert_string_equal(hk_results_model_text(a), BOB);
  double *x = calloc(101, sizeof *x), *y = calloc(101, sizeof *y);
  const int channel = hk_results_find(a, "bob.x");
  assert_int_equal(hk_results_read_column(a, channel, x, &err), HK_OK);
  assert_int_equal(hk_results_read_column(b, hk_results_find(b, "bob.x"), y, &err), HK_OK);
  assert_memory_equal(x, y, 101 * sizeof *x);
  free(x);
  free(y);
  char *html;
  size_t length;
  assert_int_equal(hk_report_text((hk_results *[]){a, b}, 2, NULL, &html, &length, &err), HK_OK);
  assert_true(length > 100000);
  assert_non_null(strstr(html, "Bob"));
  free(html);
  assert_int_equal(hk_report_text(&a, 0, NULL, &html, &length, &err), HK_EINPUT);
  assert_int_equal(hk_run_save(m, r, &(hk_run_options){0}, &report, &diag, &err), HK_EINPUT);
  assert_int_equal(
      hk_run_save(m, r, &(hk_run_options){.results = "/no/such/folder/x.h5"}, NULL, NULL, &err),
      HK_EIO);
  hk_results_destroy(a);
  hk_results_destroy(b);
  hk_recording_destroy(r);
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  hk_model_destroy(m);
  remove(file);
  remove(direct);
  rmdir(folder);
}

/* ---- studies ---- */

typedef struct seen {
  int rows, stop_at;
  double least[64];
  bool told[64];
} seen;

static bool on_row(void *context, const hk_variant_row *row) {
  seen *s = context;
  assert_false(row->failed);
  assert_false(s->told[row->number]);
  s->told[row->number] = true;
  s->least[row->number] = row->value[1];
  return ++s->rows != s->stop_at;
}

static void write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void a_study_row_by_row(void **state) {
  (void)state;
  char folder[] = "/tmp/hooke-analyses-XXXXXX", path[100], model[100], out[100], csv[100],
       command[200];
  assert_non_null(mkdtemp(folder));
  snprintf(model, sizeof model, "%s/bob.yaml", folder);
  snprintf(path, sizeof path, "%s/study.yaml", folder);
  snprintf(out, sizeof out, "%s/variants", folder);
  snprintf(csv, sizeof csv, "%s/table.csv", folder);
  write_text(model, BOB);
  /* The last value equals the first one in another unit: it is run only once. */
  write_text(
      path,
      "format: 1\nmodel: bob.yaml\naxes: {k: [50 N/m, 100 N/m, 150 N/m, 200 N/m, 0.05 N/mm]}\n");
  hk_variants *v;
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  assert_int_equal(hk_variants_open(path, NULL, &v, &diag, &err), HK_OK);
  assert_int_equal(hk_variants_count(v), 5);
  assert_int_equal(hk_variants_column_count(v), 2);
  assert_string_equal(hk_variants_column_name(v, 0), "k");
  assert_string_equal(hk_variants_column_role(v, 1), "measure");
  assert_string_equal(hk_variants_column_unit(v, 1), "m");
  assert_null(hk_variants_column_name(v, 2));
  seen first = {.stop_at = 1}, all = {0}, again = {0};
  hk_variants_options o = {.folder = out, .jobs = 1, .row = on_row, .context = &first};
  assert_int_equal(hk_variants_run(v, &o, &diag, &err), HK_STOPPED);
  o.context = &all;
  assert_int_equal(hk_variants_run(v, &o, &diag, &err), HK_EINPUT); /* it was begun */
  o.resume = true;
  assert_int_equal(hk_variants_run(v, &o, &diag, &err), HK_OK);
  assert_int_equal(all.rows, 5);
  assert_true(all.least[0] == all.least[4] && all.least[0] != all.least[1]);
  o.context = &again;
  assert_int_equal(hk_variants_run(v, &o, &diag, &err), HK_OK); /* all are found */
  assert_int_equal(again.rows, 5);
  for (int i = 0; i < 5; i++) assert_true(again.least[i] == all.least[i]);
  /* Files that the study creates with its first table are no output of that table. */
  static const char *const first_time[] = {"table.sqlite", "table.sqlite.lock"};
  for (size_t i = 0; i < sizeof first_time / sizeof *first_time; i++) {
    snprintf(command, sizeof command, "%s/%s", out, first_time[i]);
    unlink(command);
    assert_int_equal(hk_variants_table(v, out, command, &err), HK_EINPUT);
  }
  assert_int_equal(hk_variants_table(v, out, csv, &err), HK_OK);
  assert_int_equal(access(csv, R_OK), 0);
  /* A table replaces no file that the study keeps. */
  static const char *const kept[] = {"plan", "study", "lock", "table.sqlite", "table.sqlite.lock"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    snprintf(command, sizeof command, "%s/%s", out, kept[i]);
    assert_int_equal(access(command, R_OK), 0);
    assert_int_equal(hk_variants_table(v, out, command, &err), HK_EINPUT);
  }
  assert_int_equal(hk_variants_run(v, NULL, NULL, &err), HK_EINPUT);
  hk_variants_destroy(v);
  hk_diag_free(&diag);
  assert_int_equal(hk_variants_open("/no/such/study.yaml", NULL, &v, NULL, &err), HK_EINPUT);
  assert_null(v);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_response_is_that_of_the_oscillator),
                                     cmocka_unit_test(a_gear_pair_alone),
                                     cmocka_unit_test(a_bearing_alone),
                                     cmocka_unit_test(a_figure_as_text),
                                     cmocka_unit_test(a_recording_becomes_a_file_and_a_page),
                                     cmocka_unit_test(a_study_row_by_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
