/* The integrator keys of the analysis section: where they are stored, which integrator uses them,
 * from a file and from C. */
#include "support/subject.h"
#include "sim/sim.h"
#include "spec/stepper_keys.h"

static const char PENDULUM[] =
    "format: 1\n"
    "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
    "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

static hk_spec *read_with(const char *analysis, hk_diag *diag) {
  char text[2000];
  int n = snprintf(text, sizeof text, "%s%s\n", PENDULUM, analysis);
  hk_diag_init(diag);
  return hk_model_text_read("m.yaml", text, (size_t)n, NULL, 0, diag);
}

static void assert_refused(const char *analysis, const char *first, const char *second) {
  hk_diag diag;
  hk_spec *spec = read_with(analysis, &diag);
  if (spec) fail_msg("accepted: %s", analysis);
  assert_int_equal(diag.n_errors, 1);
  assert_int_equal(diag.message[0].place.line, 5);
  if (!strstr(diag.message[0].text, first) || !strstr(diag.message[0].text, second))
    fail_msg("%s", diag.message[0].text);
  hk_diag_free(&diag);
}

static void a_key_of_another_stepper_is_told_whose_it_is(void **state) {
  (void)state;
  assert_refused("analysis: {duration: 1 s, stepper: generalized_alpha, theta: 0.6}",
                 "'theta' belongs to the stepper moreau",
                 "runs with generalized_alpha, which takes rho");
  assert_refused("analysis: {duration: 1 s, rho: 0.9, stepper: event_driven}",
                 "'rho' belongs to the stepper generalized_alpha", "has no such keys");
  assert_refused("analysis: {duration: 1 s, thetta: 0.6}", "'thetta'", "'theta'");
  assert_refused("analysis: {duration: 1 s, stepper: moreau, theta: 0.3}", "theta of the analysis",
                 "between 0.5 and 1");
  assert_refused("analysis: {duration: 1 s, theta: 0.3}", "theta of the analysis",
                 "between 0.5 and 1");
  assert_refused("analysis: {duration: 1 s, stepper: moro}", "'moro'", "moreau");
}

/* A new simulation of the text; NULL options. */
static hk_sim *simulate(const char *analysis, const hk_sim_options *o, hk_diag *diag,
                        hk_model **model) {
  hk_spec *spec = read_with(analysis, diag);
  if (!spec) fail_msg("%s", diag->message[0].text);
  *model = hk_model_compile(spec, diag);
  if (!*model) fail_msg("%s", diag->message[0].text);
  hk_sim *sim = NULL;
  hk_error err = {0};
  if (hk_sim_create(*model, o, &sim, diag, &err)) fail_msg("%s", err.text);
  return sim;
}

static double parameter(const hk_sim *sim, const char *key) {
  const hk_param *p = hk_type_param(sim->stepper, hk_type_param_find(sim->stepper, key));
  assert_non_null(p);
  return *(const double *)((const char *)sim->parameter + p->offset);
}

static void the_chosen_stepper_reads_its_keys(void **state) {
  (void)state;
  static const struct {
    const char *analysis, *stepper, *key;
    double value;
    int warnings;
  } t[] = {
      {"analysis: {duration: 1 s, rho: 0.7}", "generalized_alpha", "rho", 0.7, 0},
      {"analysis: {duration: 1 s, step: 1 ms}", "generalized_alpha", "rho", 0.8, 0},
      {"analysis: {duration: 1 s, theta: 0.7, rho: 0.6}", "generalized_alpha", "rho", 0.6, 1},
      {"analysis: {duration: 1 s, step: 1 ms, theta: 0.7, stepper: moreau}", "moreau", "theta", 0.7,
       0},
      {"analysis: {duration: 1 s, step: 1 ms}\ndefaults: {generalized_alpha: {rho: 0.4}, moreau: {theta: 0.9}}",
       "generalized_alpha", "rho", 0.4, 0},
      {"analysis: {duration: 1 s, rho: 0.5}\ndefaults: {generalized_alpha: {rho: 0.4}}",
       "generalized_alpha", "rho", 0.5, 0},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hk_diag diag;
    hk_model *m;
    hk_sim *sim = simulate(t[i].analysis, NULL, &diag, &m);
    assert_string_equal(hk_sim_stepper_name(sim), t[i].stepper);
    assert_true(parameter(sim, t[i].key) == t[i].value);
    if (diag.n_warnings != t[i].warnings) fail_msg("%s: %d warnings", t[i].analysis, diag.n);
    if (t[i].warnings) assert_non_null(strstr(diag.message[0].text, "belongs to the stepper"));
    if (t[i].warnings) assert_int_equal(diag.message[0].place.line, 5);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
}

static void a_program_sets_them_by_name(void **state) {
  (void)state;
  hk_diag diag;
  hk_model *m;
  const hk_setting set[] = {{"rho", 0}, {"max_newton", 17}, {.name = "tangent", .text = "full"}};
  hk_sim_options o = {.set = set, .n_set = 3};
  hk_sim *sim = simulate("analysis: {duration: 1 s, rho: 0.7}", &o, &diag, &m);
  assert_true(parameter(sim, "rho") == 0 && sim->option.max_newton == 17);
  assert_true(sim->option.tangent == HK_TANGENT_FULL);
  hk_sim_destroy(sim);
  static const struct {
    hk_setting set;
    const char *stepper, *text;
  } bad[] = {
      {{"rho", 1.5}, NULL, "between 0 and 1"},
      {{"theta", 0.5}, NULL, "belongs to the stepper moreau"},
      {{"thet", 0.5}, NULL, "unknown key 'thet'"},
      {{.name = "rho", .text = "large"}, NULL, "rho of the analysis"},
      {{"max_newton", 2.5}, NULL, "max_newton"},
      {{0}, NULL, "unknown key"},
      {{"rho", 0.5}, "event_driven", "belongs to the stepper generalized_alpha"},
      {{.name = "tangent", .text = "ful"}, NULL, "tangent of the analysis"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hk_error err = {0};
    o = (hk_sim_options){.stepper = bad[i].stepper, .set = &bad[i].set, .n_set = 1};
    assert_int_equal(hk_sim_create(m, &o, &sim, NULL, &err), HK_EINPUT);
    if (!strstr(err.text, bad[i].text)) fail_msg("%s", err.text);
  }
  hk_error err = {0};
  o = (hk_sim_options){.tangent = "ful"};
  assert_int_equal(hk_sim_create(m, &o, &sim, NULL, &err), HK_EINPUT);
  if (!strstr(err.text, "tangent of the analysis")) fail_msg("%s", err.text);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* The largest entry of the Newton matrix of a short step that couples two bodies connected only by
 * a loaded joint: its geometric stiffness. */
static double coupling(const char *tangent) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  upper: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
      "  lower: {type: rod, length: 1 m, mass: 1 kg, position: [1.5 m, 0, 0]}\n"
      "joints:\n"
      "  top: {type: revolute, b: upper, at: [0, 0, 0], axis: z}\n"
      "  elbow: {type: revolute, a: upper, b: lower, at: [1 m, 0, 0], axis: z}\n"
      "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 3 m/s^2]}}\n"
      "analysis: {duration: 1 s, stepper: generalized_alpha}\n";
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("m.yaml", text, sizeof text - 1, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) fail_msg("%s", diag.message[0].text);
  const hk_sim_options o = {.tangent = tangent, .step = 1e-4};
  hk_sim *sim;
  MUST(hk_sim_create(m, &o, &sim, &diag, err));
  MUST(hk_sim_step(sim, 1, err));
  const hk_system *sys = sim->system;
  double *x = calloc(2 * (size_t)sys->n, sizeof *x), *y = x + sys->n, most = 0;
  assert_non_null(x);
  for (int j = 6; j < 12; j++) {
    memset(x, 0, (size_t)sys->n * sizeof *x);
    x[j] = 1;
    hk_block_matrix_multiply(sys->matrix, x, y);
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(y[i]));
  }
  free(x);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return most;
}

static void a_full_tangent_leaves_nothing_out_in_short_steps(void **state) {
  (void)state;
  assert_true(coupling("full") > 0);
  assert_true(coupling("reduced") == 0);
  assert_true(coupling(NULL) == 0);
}

static void a_spec_takes_them_as_the_file_does(void **state) {
  (void)state;
  hk_error err = {0};
  hk_spec *spec = hk_spec_create();
  hk_item *a = hk_spec_add(spec, HK_ANALYSIS, "dynamics", "analysis", &err);
  assert_int_equal(hk_item_real(a, "duration", 1, &err), HK_OK);
  assert_int_equal(hk_item_real(a, "theta", 0.6, &err), HK_OK); /* before the integrator is set */
  assert_int_equal(hk_item_text(a, "stepper", "moreau", &err), HK_OK);
  assert_int_equal(hk_item_bool(a, "paper", true, &err), HK_OK);
  assert_int_equal(hk_item_real(a, "rho", 0.6, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "generalized_alpha"));
  assert_string_equal(hk_stepper_chosen(a)->name, "moreau");
  const hk_item *own = hk_spec_find(spec, HK_STEPPER, "moreau");
  assert_non_null(own);
  assert_true(hk_item_has(own, "theta") && hk_item_has(own, "paper") &&
              !hk_item_has(own, "projection"));
  /* If another integrator is set afterwards, the model is rejected with the reason. */
  assert_int_equal(hk_item_text(a, "stepper", "trapezoidal", &err), HK_OK);
  hk_item *bob = hk_spec_add(spec, HK_BODY, "point_mass", "bob", &err);
  assert_int_equal(hk_item_real(bob, "mass", 1, &err), HK_OK);
  hk_diag diag;
  hk_diag_init(&diag);
  assert_null(hk_model_compile(spec, &diag));
  assert_int_equal(diag.n_errors, 2);
  assert_non_null(strstr(diag.message[0].text, "'theta' belongs to the stepper moreau"));
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_key_of_another_stepper_is_told_whose_it_is),
      cmocka_unit_test(the_chosen_stepper_reads_its_keys),
      cmocka_unit_test(a_program_sets_them_by_name),
      cmocka_unit_test(a_full_tangent_leaves_nothing_out_in_short_steps),
      cmocka_unit_test(a_spec_takes_them_as_the_file_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
