/* NULL arguments of the public interface: functions of an object accept NULL in its place and return an error, zero, NaN or an
 * empty text.  test/cli/headers.sh checks that every such function occurs in this file. */
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

#define REJECTED(call) assert_int_equal(call, HK_EINPUT)
#define EMPTY(call) assert_string_equal(call, "")

static void objects_may_be_destroyed_as_null(void **state) {
  (void)state;
  hk_spec_destroy(NULL);
  hk_model_destroy(NULL);
  hk_sim_destroy(NULL);
  hk_linear_destroy(NULL);
  hk_registry_destroy(NULL);
  hk_quality_destroy(NULL);
  hk_recording_destroy(NULL);
  hk_results_destroy(NULL);
  hk_run_report_free(NULL);
  hk_orbit_free(NULL);
  hk_periodic_free(NULL);
  hk_branch_free(NULL);
  hk_modes_free(NULL);
  hk_state_space_free(NULL);
  hk_matrices_free(NULL);
  hk_diag_free(NULL);
}

static void a_spec(void **state) {
  (void)state;
  hk_error err = {0};
  REJECTED(hk_spec_title(NULL, "x"));
  assert_null(hk_spec_error(NULL));
  assert_null(hk_spec_copy(NULL));
  REJECTED(hk_spec_first_order(NULL, &err));
  assert_null(hk_spec_add(NULL, HK_BODY, "rigid_body", "x", &err));
  assert_true(err.text[0] != 0);
  assert_null(hk_spec_find(NULL, HK_BODY, "x"));
  assert_int_equal(hk_spec_count(NULL, HK_BODY), 0);
  assert_null(hk_spec_at(NULL, HK_BODY, 0));
  REJECTED(hk_spec_marker(NULL, NULL, "m", hk_v3(0, 0, 0), (hk_quat){1, 0, 0, 0}, &err));
  hk_spec *s = hk_spec_create_with(NULL);
  assert_non_null(s);
  assert_null(hk_spec_add(s, HK_BODY, NULL, "x", &err));
  assert_null(hk_spec_add(s, HK_BODY, "rigid_body", NULL, &err));
  assert_null(hk_spec_find(s, HK_BODY, NULL));
  assert_null(hk_spec_at(s, HK_BODY, -1));
  assert_int_equal(hk_spec_title(s, NULL), HK_OK);
  REJECTED(hk_spec_marker(s, NULL, NULL, hk_v3(0, 0, 0), (hk_quat){1, 0, 0, 0}, &err));
  hk_spec_destroy(s);
}

static void an_item(void **state) {
  (void)state;
  hk_error err = {0};
  double x[4] = {0};
  char text[8] = "";
  REJECTED(hk_item_real(NULL, "p", 1, &err));
  REJECTED(hk_item_int(NULL, "p", 1, &err));
  REJECTED(hk_item_bool(NULL, "p", true, &err));
  REJECTED(hk_item_vec3(NULL, "p", hk_v3(0, 0, 0), &err));
  REJECTED(hk_item_rotation(NULL, "p", (hk_quat){1, 0, 0, 0}, &err));
  REJECTED(hk_item_reals(NULL, "p", x, 1, &err));
  REJECTED(hk_item_text(NULL, "p", "x", &err));
  REJECTED(hk_item_expression(NULL, "p", 0, "t", &err));
  REJECTED(hk_item_points(NULL, "p", x, x, 1, NULL, NULL, &err));
  REJECTED(hk_item_term(NULL, "p", "x", 1, &err));
  EMPTY(hk_item_name(NULL));
  EMPTY(hk_item_type_name(NULL));
  assert_null(hk_item_type(NULL));
  assert_null(hk_item_data(NULL));
  assert_null(hk_item_edit(NULL));
  assert_null(hk_item_spec(NULL));
  assert_int_equal(hk_item_category(NULL), HK_N_CATEGORIES);
  assert_null(hk_item_made_by(NULL));
  assert_int_equal(hk_item_get(NULL, "p", text, sizeof text), -1);
  assert_int_equal(hk_item_get_reals(NULL, "p", x, 1), -1);
  assert_false(hk_item_has(NULL, "p"));
  assert_false(hk_item_given(NULL, 0));
  assert_null(hk_item_location(NULL, "p")->file);
  assert_null(hk_item_expression_location(NULL, NULL)->file);
  REJECTED(hk_force_callback(NULL, NULL, NULL, &err));
  REJECTED(hk_table_load(NULL, NULL, NULL));

  hk_spec *s = hk_spec_create();
  hk_item *bob = hk_spec_add(s, HK_BODY, "point_mass", "bob", &err);
  hk_item *table = hk_spec_add(s, HK_TABLE, "table", "map", &err);
  hk_item *push = hk_spec_add(s, HK_FORCE, "load", "push", &err);
  assert_non_null(bob);
  REJECTED(hk_item_real(bob, NULL, 1, &err));
  REJECTED(hk_item_int(bob, NULL, 1, &err));
  REJECTED(hk_item_bool(bob, NULL, true, &err));
  REJECTED(hk_item_vec3(bob, NULL, hk_v3(0, 0, 0), &err));
  REJECTED(hk_item_rotation(bob, NULL, (hk_quat){1, 0, 0, 0}, &err));
  REJECTED(hk_item_reals(bob, "position", NULL, 3, &err));
  REJECTED(hk_item_text(bob, NULL, "x", &err));
  REJECTED(hk_item_text(push, "b", NULL, &err));
  REJECTED(hk_item_expression(push, "force", 0, NULL, &err));
  REJECTED(hk_item_points(table, "points", NULL, NULL, 2, NULL, NULL, &err));
  REJECTED(hk_item_term(bob, NULL, NULL, 1, &err));
  assert_int_equal(hk_item_get(bob, NULL, text, sizeof text), -1);
  assert_true(hk_item_get(bob, "mass", NULL, 0) > 0);
  assert_int_equal(hk_item_get_reals(bob, "position", NULL, 0), 3);
  assert_false(hk_item_has(bob, NULL));
  assert_false(hk_item_given(bob, -1));
  hk_spec_destroy(s);
}

static void a_registry(void **state) {
  (void)state;
  hk_error err = {0};
  REJECTED(hk_registry_add(NULL, NULL, &err));
  assert_int_equal(hk_registry_count(NULL, HK_BODY), 0);
  assert_null(hk_registry_at(NULL, HK_BODY, 0));
  assert_null(hk_registry_find(NULL, HK_BODY, "rod"));
  hk_registry_allow_outside(NULL);
  hk_registry_allow_native(NULL);
  hk_registry_fmus_in_process(NULL);
  REJECTED(hk_registry_load(NULL, "x.so", &err));
  hk_registry *r = hk_registry_create();
  REJECTED(hk_registry_add(r, NULL, &err));
  REJECTED(hk_registry_load(r, NULL, &err));
  assert_null(hk_registry_find(r, HK_BODY, NULL));
  hk_registry_destroy(r);
}

static void a_model(void **state) {
  (void)state;
  hk_error err = {0};
  hk_parameter parameter;
  hk_body_info body;
  hk_body_pose pose;
  int i;
  const char *const name[1] = {"x"};
  assert_null(hk_model_compile(NULL, NULL));
  assert_null(hk_model_file_read(NULL, NULL, 0, NULL));
  assert_null(hk_model_text_read(NULL, NULL, 0, NULL, 0, NULL));
  assert_null(hk_model_file_read_with(NULL, NULL, NULL, 0, NULL));
  assert_null(hk_model_text_read_with(NULL, NULL, NULL, 0, NULL, 0, NULL));
  assert_null(hk_model_spec(NULL));
  assert_null(hk_model_reads(NULL, "x"));
  assert_null(hk_error_location(NULL, NULL).file);
  EMPTY(hk_model_title(NULL));
  assert_int_equal(hk_model_position_count(NULL), 0);
  assert_int_equal(hk_model_velocity_count(NULL), 0);
  assert_int_equal(hk_model_constraint_count(NULL), 0);
  assert_int_equal(hk_model_parameter_count(NULL), 0);
  REJECTED(hk_model_parameter(NULL, 0, &parameter));
  assert_int_equal(hk_model_parameter_find(NULL, "x"), -1);
  assert_int_equal(hk_model_channel_count(NULL), 0);
  EMPTY(hk_model_channel_name(NULL, 0));
  EMPTY(hk_model_channel_unit(NULL, 0));
  EMPTY(hk_model_channel_doc(NULL, 0));
  assert_int_equal(hk_model_channel_rank(NULL, 0), 0);
  assert_int_equal(hk_model_channel_find(NULL, "x"), -1);
  assert_int_equal(hk_model_channel_kind(NULL, 0), HK_CHANNEL_TIME);
  assert_int_equal(hk_model_channel_depends(NULL, 0), 0);
  REJECTED(hk_model_channels_find(NULL, name, 1, &i, &err));
  assert_int_equal(hk_model_input_count(NULL), 0);
  EMPTY(hk_model_input_name(NULL, 0));
  EMPTY(hk_model_input_unit(NULL, 0));
  assert_int_equal(hk_model_input_find(NULL, "x"), -1);
  assert_int_equal(hk_model_body_count(NULL), 0);
  REJECTED(hk_model_body_info(NULL, 0, &body));
  assert_int_equal(hk_model_body_find(NULL, "x"), -1);
  REJECTED(hk_model_body_pose(NULL, 0, NULL, &pose));
}

static void a_simulation(void **state) {
  (void)state;
  hk_error err = {0};
  hk_sim *sim = NULL;
  hk_linear *linear = NULL;
  hk_quality *quality = NULL;
  hk_recording *recording = NULL;
  hk_matrices matrices;
  hk_state_entry entry;
  hk_body_pose pose;
  hk_step_report step = {.start = 1};
  double x[4] = {0};
  const int channel = 0;
  const char *const name[1] = {"x"};
  REJECTED(hk_sim_create(NULL, NULL, &sim, NULL, &err));
  REJECTED(hk_sim_create_from(NULL, NULL, &sim, &err));
  REJECTED(hk_sim_copy(NULL, &sim, &err));
  REJECTED(hk_sim_copy(NULL, NULL, &err));
  REJECTED(hk_sim_step(NULL, 1, &err));
  REJECTED(hk_sim_advance(NULL, 1, &err));
  hk_sim_progress_set(NULL, NULL, NULL);
  REJECTED(hk_sim_input_set(NULL, 0, 1, &err));
  REJECTED(hk_sim_input_set_by_name(NULL, "x", 1, &err));
  assert_true(isnan(hk_sim_input_get(NULL, 0)));
  REJECTED(hk_sim_input_ramp(NULL, 0, 1, 1, &err));
  assert_true(isnan(hk_sim_time(NULL)));
  assert_int_equal(hk_sim_statistics(NULL).steps, 0);
  EMPTY(hk_sim_stepper_name(NULL));
  EMPTY(hk_sim_stepper_why(NULL));
  EMPTY(hk_sim_step_limit(NULL));
  assert_null(hk_sim_stop_event(NULL));
  assert_int_equal(hk_sim_step_limit_text(NULL, NULL, 0), 0);
  REJECTED(hk_sim_quality(NULL, &quality, &err));
  hk_sim_last_step(NULL, &step);
  assert_true(step.start == 0);
  REJECTED(hk_sim_rates(NULL, 0, x, x, x, x, x, &err));
  REJECTED(hk_sim_project(NULL, 0, x, x, &err));
  REJECTED(hk_sim_sensitivity(NULL, &channel, 1, x, &channel, 1, x, &err));
  assert_true(isnan(hk_sim_value(NULL, 0)));
  REJECTED(hk_sim_values(NULL, &channel, 1, x, &err));
  REJECTED(hk_sim_values_at(NULL, 0, &channel, 1, x, &err));
  REJECTED(hk_sim_sample(NULL, x, 1, &channel, 1, x, &err));
  REJECTED(hk_sim_sample_by_name(NULL, x, 1, name, 1, x, &err));
  assert_false(hk_sim_interpolates(NULL));
  assert_true(isnan(hk_sim_step_start(NULL)));
  assert_int_equal(hk_sim_state_size(NULL), 0);
  hk_sim_state_get(NULL, x);
  REJECTED(hk_sim_state_set(NULL, x));
  assert_int_equal(hk_sim_state_count(NULL), 0);
  REJECTED(hk_sim_state_entry(NULL, 0, &entry));
  assert_int_equal(hk_sim_state_find(NULL, "x"), -1);
  REJECTED(hk_sim_state_savable(NULL, &err));
  REJECTED(hk_sim_step_exactly(NULL, 1, 1, &err));
  REJECTED(hk_sim_state_difference(NULL, x, x, x));
  REJECTED(hk_sim_state_move(NULL, x, x));
  REJECTED(hk_sim_body_pose(NULL, 0, &pose));
  REJECTED(hk_sim_matrices(NULL, &matrices, &err));
  hk_matrices_free(&matrices);
  REJECTED(hk_recording_create(NULL, NULL, 0, &recording, &err));
  REJECTED(hk_static_solve(NULL, NULL, &sim, NULL, NULL, &err));
  REJECTED(hk_linear_create(NULL, NULL, &linear, NULL, &err));
}

static void results(void **state) {
  (void)state;
  hk_error err = {0};
  hk_results *r = NULL;
  double x[4] = {0};
  int i;
  char *json;
  void *data;
  size_t size;
  const char *const name[1] = {"x"};
  assert_int_not_equal(hk_results_open(NULL, &r, &err), HK_OK);
  REJECTED(hk_results_refresh(NULL, &err));
  EMPTY(hk_results_path(NULL));
  assert_int_equal(hk_results_channel_count(NULL), 0);
  assert_int_equal(hk_results_row_count(NULL), 0);
  assert_int_equal(hk_results_lost_count(NULL), 0);
  EMPTY(hk_results_name(NULL, 0));
  EMPTY(hk_results_unit(NULL, 0));
  EMPTY(hk_results_doc(NULL, 0));
  EMPTY(hk_results_status(NULL));
  EMPTY(hk_results_model_text(NULL));
  EMPTY(hk_results_summary(NULL));
  REJECTED(hk_results_scene(NULL, &json, &data, &size, &err));
  assert_null(hk_results_attribute_value(NULL, "x"));
  assert_int_equal(hk_results_attribute_count(NULL), 0);
  assert_null(hk_results_attribute_at(NULL, 0).key);
  assert_int_equal(hk_results_find(NULL, "x"), -1);
  REJECTED(hk_results_channel(NULL, "x", &i, &err));
  REJECTED(hk_results_read_column(NULL, 0, x, &err));
  REJECTED(hk_results_read_rows(NULL, 0, 1, x, &err));
  REJECTED(hk_results_read_between(NULL, 0, x, x, x, &err));
  REJECTED(hk_results_read(NULL, name, 1, x, &err));
  REJECTED(hk_results_sample(NULL, x, 1, name, 1, x, &err));

  REJECTED(hk_recording_append(NULL, NULL, &err));
  assert_int_equal(hk_recording_channel_count(NULL), 0);
  assert_int_equal(hk_recording_row_count(NULL), 0);
  EMPTY(hk_recording_name(NULL, 0));
  EMPTY(hk_recording_unit(NULL, 0));
  EMPTY(hk_recording_doc(NULL, 0));
  assert_int_equal(hk_recording_find(NULL, "x"), -1);
  assert_null(hk_recording_column(NULL, 0));

  assert_int_equal(hk_quality_count(NULL), 0);
  assert_null(hk_quality_at(NULL, 0));
  assert_null(hk_quality_find(NULL, HK_QUALITY_ENERGY));
  assert_null(hk_quality_kind_name((hk_quality_kind)-1));

  hk_run_report report;
  hk_run_digits *digits;
  REJECTED(hk_run(NULL, NULL, NULL, NULL));
  REJECTED(hk_run_with_digits(NULL, NULL, &report, &digits, NULL));
  assert_null(digits);
  hk_run_report_free(&report);
  REJECTED(hk_run_check(NULL, NULL));
}

static void analyses(void **state) {
  (void)state;
  hk_error err = {0};
  hk_modes modes;
  hk_state_space space;
  hk_orbit orbit;
  double x[4] = {0};
  char text[8];
  assert_int_equal(hk_linear_coordinate_name(NULL, 0, text, sizeof text), 0);
  EMPTY(hk_linear_coordinate_unit(NULL, 0));
  assert_int_equal(hk_linear_input_count(NULL), 0);
  assert_int_equal(hk_linear_input_name(NULL, 0, text, sizeof text), 0);
  assert_int_equal(hk_linear_input_find(NULL, "x"), -1);
  REJECTED(hk_linear_input(NULL, 0, x));
  REJECTED(hk_linear_output(NULL, 0, x, x, &err));
  assert_int_equal(hk_linear_motion_count(NULL), 0);
  assert_int_equal(hk_linear_motion_name(NULL, 0, text, sizeof text), 0);
  REJECTED(hk_linear_state_space(NULL, NULL, 0, &space, &err));
  hk_state_space_free(&space);
  assert_int_equal(hk_state_space_input_name(NULL, NULL, 0, text, sizeof text), 0);
  assert_int_equal(hk_state_space_state_name(NULL, NULL, 0, text, sizeof text), 0);
  REJECTED(hk_modes_solve(NULL, NULL, &modes, &err));
  REJECTED(hk_mode_left(NULL, NULL, NULL, &err));
  hk_modes_free(&modes);
  REJECTED(hk_orbit_run(NULL, NULL, &orbit, NULL, &err));
  hk_periodic periodic;
  REJECTED(hk_periodic_run(NULL, NULL, &periodic, NULL, &err));
  REJECTED(hk_periodic_run(NULL, NULL, NULL, NULL, NULL));
  hk_orbit_branch branch;
  REJECTED(hk_branch_run(NULL, &branch, NULL, &err));
  REJECTED(hk_branch_run(NULL, NULL, NULL, NULL));
  EMPTY(hk_special_name((hk_special)-1));
  assert_int_equal(hk_imbalance_text(NULL, NULL, 0), 0);
  assert_int_equal(hk_imbalance_text(&(hk_imbalance){0}, NULL, 0), 0);
  hk_orbit_free(&orbit);
  REJECTED(hk_orbit_run_scattered(NULL, NULL, NULL, 1, 0, &orbit, NULL, &err));
  hk_orbit_free(&orbit);
  assert_int_equal(hk_orbit_classify(NULL, 0, NULL, 1e-3, NULL), 0);
}

/* Options, reports, diagnostics and errors of calls that succeed. */
/* Headers response.h, machine.h, plot.h, report.h, study.h. */
static void analyses_of_programs(void **state) {
  (void)state;
  hk_error err = {0};
  char buf[8], *text;
  size_t length;
  double x[2], *f;
  int i, n;
  hk_response *response;
  hk_variants *variants;
  assert_int_equal(hk_response_input_count(NULL), 0);
  assert_int_equal(hk_response_input_name(NULL, 0, buf, sizeof buf), 0);
  REJECTED(hk_response_input_find(NULL, "x", &i, &err));
  REJECTED(hk_response_create(NULL, NULL, 0, NULL, 0, &response, &err));
  assert_null(response);
  REJECTED(hk_response_value(NULL, 1, x, &err));
  REJECTED(hk_response_frequencies(NULL, 0, 1, 2, false, &f, &n, &err));
  REJECTED(hk_response_orders(NULL, NULL, 1, (const int[]){1}, 1, (const int[]){0}, 1, x, &err));
  EMPTY(hk_response_unit(NULL, 0));
  hk_response_destroy(NULL);
  REJECTED(hk_gear_solve(NULL, NULL, NULL, &(hk_gear_solution){0}, &err));
  REJECTED(hk_gear_solve(NULL, NULL, NULL, NULL, &err));
  REJECTED(hk_bearing_solve(NULL, NULL, NULL, &(hk_bearing_solution){0}, &err));
  REJECTED(hk_bearing_solve(NULL, NULL, NULL, NULL, &err));
  hk_bearing_options_init(NULL);
  hk_gear_solution_free(NULL);
  hk_bearing_solution_free(NULL);
  REJECTED(hk_plot_text(NULL, &text, &err));
  REJECTED(hk_plot_write(NULL, stdout, &err));
  REJECTED(hk_plot_save(NULL, "x.svg", &err));
  REJECTED(hk_plot_pattern(NULL, "x.svg", &err));
  REJECTED(hk_plot_pattern_write(NULL, stdout, &err));
  REJECTED(hk_report_text(NULL, 1, NULL, &text, &length, &err));
  REJECTED(hk_report_text((hk_results *[]){NULL}, 1, NULL, &text, &length, &err));
  REJECTED(hk_report_save(NULL, 1, NULL, "x.html", &err));
  REJECTED(hk_run_save(NULL, NULL, NULL, NULL, NULL, &err));
  REJECTED(hk_variants_open(NULL, NULL, &variants, NULL, &err));
  assert_null(variants);
  assert_int_equal(hk_variants_count(NULL), 0);
  EMPTY(hk_variants_title(NULL));
  assert_int_equal(hk_variants_column_count(NULL), 0);
  assert_null(hk_variants_column_name(NULL, 0));
  assert_null(hk_variants_column_unit(NULL, 0));
  assert_null(hk_variants_column_role(NULL, 0));
  REJECTED(hk_variants_run(NULL, NULL, NULL, &err));
  REJECTED(hk_variants_table(NULL, NULL, NULL, &err));
  hk_variants_destroy(NULL);
}

static void units_and_messages(void **state) {
  (void)state;
  hk_error err = {0};
  hk_unit unit;
  double si;
  REJECTED(hk_unit_parse(NULL, 0, &unit, &err));
  REJECTED(hk_unit_parse("furlong", 7, &unit, NULL));
  REJECTED(hk_quantity_parse(NULL, &si, NULL, &err));
  assert_int_equal(hk_quantity_parse("5 mm", NULL, NULL, NULL), HK_OK);
  REJECTED(hk_quantity_parse_as(NULL, "m", &si, &err));
  assert_int_equal(hk_quantity_parse_as("5 mm", "m", &si, NULL), HK_OK);
  assert_true(hk_quantity_format(5, (hk_dim){{0}, 0, 0}, NULL, 0) > 0);
  assert_true(hk_dim_format((hk_dim){{0}, 0, 0}, NULL, 0) > 0);
  assert_int_equal(hk_fail(NULL, HK_EFAIL, "x"), HK_EFAIL);
  assert_int_equal(hk_fail_because(NULL, HK_EFAIL, "x", NULL), HK_EFAIL);
  hk_error_about(NULL, NULL, NAN, -1);
  REJECTED(hk_diag_add(NULL, HK_ERROR, NULL, "x"));
  assert_int_equal(hk_diag_format(NULL, NULL, 0), 0);
  hk_diag_init(NULL);
  REJECTED(hk_conform(NULL, HK_FORCE, NULL, NULL, NULL, &err));
  assert_null(hk_type_param(NULL, 0));
  assert_int_equal(hk_type_param_count(NULL), 0);
  assert_int_equal(hk_type_param_find(NULL, "x"), -1);
  assert_null(hk_type_group(NULL, NULL));
}

/* Functions of valid objects report required arguments that are NULL. */
static void required_arguments(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  hk_item *bob = hk_spec_add(spec, HK_BODY, "point_mass", "bob", NULL);
  hk_item_real(bob, "mass", 1, NULL);
  hk_item_vec3(bob, "position", hk_v3(0, 0, -1), NULL);
  hk_item *spring = hk_spec_add(spec, HK_FORCE, "spring_damper", "spring", NULL);
  hk_item_text(spring, "a", "ground", NULL);
  hk_item_text(spring, "b", "bob", NULL);
  hk_item_real(spring, "stiffness", 10, NULL);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_model *m = hk_model_compile(spec, &diag);
  assert_non_null(m);
  hk_sim *s = NULL, *at = NULL;
  hk_linear *l = NULL;
  hk_error err = {0};
  assert_int_equal(hk_sim_create(m, NULL, &s, NULL, &err), HK_OK);
  assert_int_equal(hk_static_solve(m, NULL, &at, NULL, NULL, &err), HK_OK);
  assert_int_equal(hk_linear_create(at, NULL, &l, NULL, &err), HK_OK);
  REJECTED(hk_static_solve(m, NULL, NULL, NULL, NULL, &err));
  assert_non_null(strstr(err.text, "hk_static_solve: a required argument is NULL"));
  REJECTED(hk_sim_create(m, NULL, NULL, NULL, NULL));
  REJECTED(hk_sim_create_from(m, s, NULL, NULL));
  REJECTED(hk_linear_create(at, NULL, NULL, NULL, NULL));
  REJECTED(hk_linear_state_space(l, NULL, 1, NULL, NULL));
  REJECTED(hk_linear_output(l, 0, NULL, NULL, NULL));
  REJECTED(hk_linear_input(l, 0, NULL));
  REJECTED(hk_modes_solve(l, NULL, NULL, NULL));
  REJECTED(hk_sim_matrices(s, NULL, NULL));
  REJECTED(hk_model_parameter(m, 0, NULL));
  REJECTED(hk_orbit_run(m, NULL, NULL, NULL, NULL));
  REJECTED(hk_orbit_run_scattered(m, NULL, NULL, 1, 0, NULL, NULL, NULL));
  REJECTED(hk_periodic_run(m, NULL, NULL, NULL, NULL));
  REJECTED(hk_recording_create(m, NULL, 0, NULL, NULL));
  REJECTED(hk_results_open("no.h5", NULL, NULL));
  REJECTED(hk_run_with_digits(m, NULL, NULL, NULL, NULL));
  REJECTED(hk_sim_quality(s, NULL, NULL));
  hk_sim_last_step(s, NULL);
  REJECTED(hk_sim_rates(s, 0, NULL, NULL, NULL, NULL, NULL, NULL));
  REJECTED(hk_sim_sensitivity(s, NULL, 1, NULL, NULL, 1, NULL, NULL));
  REJECTED(hk_sim_values(s, NULL, 1, NULL, NULL));
  assert_int_equal(hk_sim_values(s, NULL, 0, NULL, NULL), HK_OK);
  REJECTED(hk_sim_values_at(s, 0, NULL, 1, NULL, NULL));
  REJECTED(hk_sim_sample(s, NULL, 1, NULL, 1, NULL, NULL));
  REJECTED(hk_sim_sample_by_name(s, NULL, 1, NULL, 1, NULL, NULL));
  hk_sim_state_get(s, NULL);
  REJECTED(hk_sim_state_set(s, NULL));
  REJECTED(hk_sim_state_entry(s, 0, NULL));
  REJECTED(hk_model_body_info(m, 0, NULL));
  REJECTED(hk_model_body_pose(m, 0, NULL, NULL));
  REJECTED(hk_sim_body_pose(s, 0, NULL));
  assert_int_equal(hk_model_channel_find(m, NULL), -1);
  hk_linear_destroy(l);
  hk_sim_destroy(at);
  hk_sim_destroy(s);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_may_be_destroyed_as_null),
      cmocka_unit_test(a_spec),
      cmocka_unit_test(an_item),
      cmocka_unit_test(a_registry),
      cmocka_unit_test(a_model),
      cmocka_unit_test(a_simulation),
      cmocka_unit_test(results),
      cmocka_unit_test(analyses),
      cmocka_unit_test(analyses_of_programs),
      cmocka_unit_test(units_and_messages),
      cmocka_unit_test(required_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
