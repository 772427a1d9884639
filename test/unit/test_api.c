/* The public interface as programs use it: optional arguments, the first error of a spec, reading back, copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SWING[] =
    "format: 1\n"
    "bodies: {bob: {type: point_mass, mass: 2 kg, position: [1 m, 0 m, 0 m]}}\n"
    "joints: {rod: {type: distance, b: bob}}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"
    "inputs: {push: {unit: N}}\n"
    "measures: {low: {of: bob.y, take: min}}\n"
    "analysis: {duration: 1 s, output_step: 0.1 s}\n";

static hk_model *model_of(const char *text) {
  hk_model *m =
      hk_model_compile(hk_model_text_read("test", text, strlen(text), NULL, 0, NULL), NULL);
  assert_non_null(m);
  return m;
}

/* A program that needs no messages, errors, options or reports passes NULL. */
static void optional_arguments_may_be_null(void **state) {
  (void)state;
  hk_model *m = model_of(SWING);
  hk_sim *sim;
  hk_linear *linear;
  hk_modes modes;
  hk_orbit orbit;
  hk_run_digits *digits;
  hk_run_report report;
  double x[3];
  const double t[3] = {0.1, 0.2, 0.3};
  const int time = 0;
  assert_int_equal(hk_run_check(m, NULL), HK_OK);
  assert_int_equal(hk_run(m, NULL, NULL, NULL), HK_OK);
  assert_int_equal(hk_run_with_digits(m, NULL, &report, &digits, NULL), HK_OK);
  free(digits);
  hk_run_report_free(&report);
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, NULL), HK_OK);
  assert_int_equal(hk_sim_sample(sim, t, 3, &time, 1, x, NULL), HK_OK);
  assert_int_equal(hk_sim_input_set_by_name(sim, "pull", 1, NULL), HK_EINPUT);
  assert_int_equal(hk_sim_values(sim, (int[]){-1}, 1, x, NULL), HK_EINPUT);
  hk_sim_destroy(sim);
  assert_int_equal(hk_static_solve(m, NULL, &sim, NULL, NULL, NULL), HK_OK);
  assert_int_equal(hk_linear_create(sim, NULL, &linear, NULL, NULL), HK_OK);
  assert_int_equal(hk_modes_solve(linear, NULL, &modes, NULL), HK_OK);
  hk_modes_free(&modes);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  assert_int_equal(hk_orbit_run(m, NULL, &orbit, NULL, NULL), HK_EINPUT);
  hk_orbit_free(&orbit);
  assert_int_equal(hk_orbit_run_scattered(m, NULL, NULL, 1, 0, &orbit, NULL, NULL), HK_EINPUT);
  hk_orbit_free(&orbit);
  hk_model_destroy(m);
  assert_null(hk_model_file_read("/no/such/file.yaml", NULL, 0, NULL));
  assert_int_equal(hk_table_load(NULL, NULL, NULL), HK_EINPUT);
  assert_int_equal(hk_diag_add(NULL, HK_ERROR, NULL, "lost"), HK_EINPUT);
}

static void nothing_may_be_destroyed(void **state) {
  (void)state;
  hk_spec_destroy(NULL);
  hk_model_destroy(NULL);
  hk_sim_destroy(NULL);
  hk_linear_destroy(NULL);
  hk_registry_destroy(NULL);
  hk_quality_destroy(NULL);
  hk_results_destroy(NULL);
  hk_run_report_free(NULL);
  hk_orbit_free(NULL);
  hk_modes_free(NULL);
  hk_state_space_free(NULL);
  hk_matrices_free(NULL);
  hk_diag_free(NULL);
}

/* If a model did not compile, the calls that follow fail with a message. */
static void no_model_is_told(void **state) {
  (void)state;
  hk_error err = {0};
  hk_sim *sim;
  hk_run_report report;
  assert_int_equal(hk_sim_create(NULL, NULL, &sim, NULL, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "there is no model"));
  assert_null(sim);
  assert_int_equal(hk_run(NULL, NULL, &report, NULL), HK_EINPUT);
  assert_non_null(strstr(report.error.text, "there is no model"));
  hk_run_report_free(&report);
  assert_int_equal(hk_static_solve(NULL, NULL, &sim, NULL, NULL, &err), HK_EINPUT);
}

/* ---- the first error ---- */

static void a_spec_keeps_its_first_error(void **state) {
  (void)state;
  hk_diag diag;
  hk_spec *s = hk_spec_create();
  assert_null(hk_spec_error(s));
  hk_item *bob = hk_spec_add(s, HK_BODY, "point_mass", "bob", NULL);
  hk_item_real(bob, "mas", 1.0, NULL);
  hk_item *rod = hk_spec_add(s, HK_JOINT, "distanse", "rod", NULL);
  hk_item_text(rod, "b", "bob", NULL);
  assert_non_null(hk_spec_error(s));
  assert_non_null(strstr(hk_spec_error(s)->text, "did you mean 'mass'?"));
  hk_diag_init(&diag);
  assert_null(hk_model_compile(s, &diag));
  assert_true(diag.n_errors >= 1);
  assert_non_null(strstr(diag.message[0].text, "unknown parameter 'mas'"));
  hk_diag_free(&diag);
}

/* If the caller passes an error struct, the failure is left to the caller, who may try another call. */
static void an_error_that_is_taken_does_not_count(void **state) {
  (void)state;
  hk_error err;
  hk_spec *s = hk_spec_create();
  hk_item *bob = hk_spec_add(s, HK_BODY, "point_mass", "bob", NULL);
  assert_int_equal(hk_item_real(bob, "mass", -1, &err), HK_EINPUT);
  assert_null(hk_spec_error(s));
  hk_item_real(bob, "mass", 1, NULL);
  hk_model *m = hk_model_compile(s, NULL);
  assert_non_null(m);
  hk_model_destroy(m);
}

/* ---- reading back ---- */

static void assert_reads(const hk_spec *s, hk_category c, const char *item, const char *param,
                         const char *text) {
  char buf[300];
  int n = hk_item_get(hk_spec_find(s, c, item), param, buf, sizeof buf);
  if (n < 0 || strcmp(buf, text) != 0)
    fail_msg("%s.%s is '%s', not '%s'", item, param, n < 0 ? "unknown" : buf, text);
  assert_int_equal(n, (int)strlen(text));
}

static void parameters_are_read_back(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\nparameters: {k: 2 N/mm}\n"
      "bodies:\n"
      "  arm: {mass: 500 g, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2], position: [0 m, 10 cm, 0 m],\n"
      "        orientation: {axis: z, angle: 180 deg}}\n"
      "joints: {hinge: {type: revolute, b: arm, axis: -y}}\n"
      "forces:\n"
      "  s: {type: spring_damper, b: arm, length: 1 m, stiffness: k, damping: 3 N*s/m}\n"
      "  w: {type: load, b: arm, force: [\"1 N * sin(t / 1 s)\", 0, 2 N], axes: ground}\n"
      "tables: {road: {points: [[0 s, 0 mm], [1 s, 5 mm]]}}\n"
      "analysis: {duration: 1 s, stepper: moreau, step: 1 ms, theta: 0.6}\n";
  hk_spec *s = hk_model_text_read("test", text, sizeof text - 1, NULL, 0, NULL);
  assert_non_null(s);
  assert_int_equal(hk_spec_count(s, HK_FORCE), 2);
  assert_string_equal(hk_item_name(hk_spec_at(s, HK_FORCE, 1)), "w");
  assert_string_equal(hk_item_type_name(hk_spec_at(s, HK_FORCE, 1)), "load");
  assert_int_equal(hk_item_category(hk_spec_at(s, HK_FORCE, 1)), HK_FORCE);
  assert_null(hk_spec_at(s, HK_FORCE, 2));
  assert_null(hk_spec_at(s, HK_FORCE, -1));
  assert_int_equal(hk_spec_count(s, (hk_category)77), 0);
  assert_reads(s, HK_BODY, "arm", "mass", "0.5 kg");
  assert_reads(s, HK_BODY, "arm", "position", "[0 m, 0.1 m, 0 m]");
  assert_reads(s, HK_JOINT, "hinge", "axis", "[0, -1, 0]");
  assert_reads(s, HK_JOINT, "hinge", "b", "arm");
  assert_reads(s, HK_FORCE, "s", "stiffness", "2000 N/m");
  assert_reads(s, HK_FORCE, "w", "axes", "ground");
  assert_reads(s, HK_TABLE, "road", "points", "[[0 s, 0 m], [1 s, 0.005 m]]");
  const hk_item *analysis = hk_spec_at(s, HK_ANALYSIS, 0);
  char buf[80];
  double x[6];
  assert_int_equal(hk_item_get(analysis, "theta", buf, sizeof buf), 3);
  assert_string_equal(buf, "0.6");
  assert_int_equal(hk_item_get_reals(analysis, "duration", x, 6), 1);
  assert_true(x[0] == 1);
  assert_int_equal(hk_item_get_reals(hk_spec_find(s, HK_BODY, "arm"), "inertia", x, 6), 6);
  assert_true(x[1] == 2 && x[3] == 0);
  assert_int_equal(hk_item_get_reals(hk_spec_find(s, HK_BODY, "arm"), "orientation", x, 6), 4);
  assert_float_equal(fabs(x[3]), 1, 1e-15);
  assert_int_equal(hk_item_get_reals(hk_spec_find(s, HK_FORCE, "w"), "force", x, 6), -1);
  int length = hk_item_get(hk_spec_find(s, HK_FORCE, "w"), "force", buf, sizeof buf);
  assert_int_equal(length, (int)strlen(buf));
  assert_non_null(strstr(buf, "1 N * sin(t / 1 s)"));
  assert_int_equal(hk_item_get(analysis, "thet", buf, sizeof buf), -1);
  assert_int_equal(hk_item_get(NULL, "theta", buf, sizeof buf), -1);
  assert_int_equal(hk_item_get(hk_spec_find(s, HK_BODY, "arm"), "mass", NULL, 0), 6);
  hk_spec_destroy(s);
}

/* ---- copies ---- */

static double low_of(hk_model *m) {
  hk_run_report r;
  assert_int_equal(hk_run(m, NULL, &r, NULL), HK_OK);
  double low = r.measure[0].value;
  hk_run_report_free(&r);
  return low;
}

static void a_model_is_changed_and_compiled_again(void **state) {
  (void)state;
  hk_model *m = model_of(SWING);
  hk_spec *other = hk_model_spec(m), *third = hk_spec_copy(other);
  double low = low_of(m);
  hk_model_destroy(m); /* copies outlive it */
  hk_item_vec3(hk_spec_find(other, HK_BODY, "bob"), "position", hk_v3(3, 0, 0), NULL);
  hk_model *longer = hk_model_compile(other, NULL), *same = hk_model_compile(third, NULL);
  assert_non_null(longer);
  assert_non_null(same);
  assert_true(low_of(same) == low);
  assert_true(low_of(longer) < low - 0.1); /* it falls farther on a longer rod */
  hk_model_destroy(longer);
  hk_model_destroy(same);
}

/* Every example, read back and compiled again, gives the same motion to the last bit, even after the first
 * model is destroyed. */
static void copies_of_every_example_move_alike(void **state) {
  (void)state;
  glob_t files;
  int compared = 0;
  assert_int_equal(glob(HOOKE_SOURCE_DIR "/examples/*/*.yaml", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const char *path = files.gl_pathv[i];
    hk_spec *s = hk_model_file_read(path, NULL, 0, NULL);
    hk_model *m = s ? hk_model_compile(s, NULL) : NULL;
    if (!m) continue; /* a study, or an included file */
    hk_diag diag;
    hk_diag_init(&diag);
    hk_model *again = hk_model_compile(hk_model_spec(m), &diag);
    if (!again) fail_msg("%s: %s", path, diag.n ? diag.message[0].text : "?");
    assert_int_equal(hk_model_channel_count(m), hk_model_channel_count(again));
    hk_sim *a = NULL, *b = NULL;
    const hk_sim_options o = {.no_stepping = true};
    if (hk_sim_create(m, &o, &a, NULL, NULL) == HK_OK) {
      size_t size = hk_sim_state_size(a);
      void *x = malloc(size), *y = malloc(size);
      assert_int_equal(hk_sim_step(a, 1e9, NULL), HK_OK);
      hk_sim_state_get(a, x);
      hk_sim_destroy(a);
      hk_model_destroy(m);
      m = NULL;
      assert_int_equal(hk_sim_create(again, &o, &b, NULL, NULL), HK_OK);
      assert_int_equal(hk_sim_state_size(b), size);
      assert_int_equal(hk_sim_step(b, 1e9, NULL), HK_OK);
      hk_sim_state_get(b, y);
      if (memcmp(x, y, size)) fail_msg("%s: its copy moves otherwise", path);
      free(x);
      free(y);
      compared++;
    }
    hk_sim_destroy(b);
    hk_model_destroy(m);
    hk_model_destroy(again);
    hk_diag_free(&diag);
  }
  globfree(&files);
  print_message("%d examples\n", compared);
  assert_true(compared > 30);
}

static void a_table_in_use_is_not_changed(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\nbodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "tables: {push: {points: [[0 s, 0 N], [1 s, 5 N]]}}\n"
      "forces: {f: {type: load, b: m, force: [push(t), 0 N, 0 N]}}\n"
      "analysis: {duration: 1 s}\n";
  hk_error err;
  const double x[2] = {0, 1}, y[2] = {0, 1};
  hk_spec *s = hk_model_text_read("test", text, sizeof text - 1, NULL, 0, NULL);
  hk_spec *copy = hk_spec_copy(s);
  hk_item *table = hk_spec_find(copy, HK_TABLE, "push");
  assert_int_equal(hk_item_points(table, "points", x, y, 2, "s", "N", &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "already used"));
  hk_spec_destroy(s);
  hk_model *m = hk_model_compile(copy, NULL);
  assert_non_null(m);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(optional_arguments_may_be_null),
                                     cmocka_unit_test(nothing_may_be_destroyed),
                                     cmocka_unit_test(no_model_is_told),
                                     cmocka_unit_test(a_spec_keeps_its_first_error),
                                     cmocka_unit_test(an_error_that_is_taken_does_not_count),
                                     cmocka_unit_test(parameters_are_read_back),
                                     cmocka_unit_test(a_model_is_changed_and_compiled_again),
                                     cmocka_unit_test(copies_of_every_example_move_alike),
                                     cmocka_unit_test(a_table_in_use_is_not_changed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
