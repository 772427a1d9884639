/* An integrator that is not part of the library: one file (toy/symplectic_euler.c), one line
 * (below). */
#define _GNU_SOURCE
#include "toy/symplectic_euler.c"
#include "reference/type_help.h"
#include "registry/builtin.h"
#include "support/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static hk_registry *types;

static int begin(void **state) {
  (void)state;
  types = hk_registry_create();
  types->type[types->n++] = &hk_type_stepper_symplectic_euler; /* the line */
  return 0;
}

static int end(void **state) {
  (void)state;
  hk_registry_destroy(types);
  return 0;
}

/* A mass on a spring: x = cos(w t), w = 10 rad/s, energy 50 J. */
static const char SPRING[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {wall: {at: [-3 m, 0, 0]}}}\n"
    "  m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
    "forces: {k: {type: spring_damper, a: ground.wall, b: m, stiffness: 100 N/m, length: 3 m}}\n";

static hk_model *compile(const char *text, const char *analysis, hk_diag *diag) {
  char all[2000];
  int n = snprintf(all, sizeof all, "%sanalysis: {duration: 1 s%s}\n", text, analysis);
  hk_diag_init(diag);
  hk_spec *spec = hk_model_text_read_with(types, "m.yaml", all, (size_t)n, NULL, 0, diag);
  hk_model *m = spec ? hk_model_compile(spec, diag) : NULL;
  return m;
}

static double value(hk_sim *sim, const hk_model *m, const char *name) {
  return hk_sim_value(sim, hk_model_channel_find(m, name));
}

static double error_after(const hk_model *m, double h, double t) {
  hk_error err = {0};
  hk_sim *sim = NULL;
  if (hk_sim_create(m, &(hk_sim_options){.step = h}, &sim, NULL, &err)) fail_msg("%s", err.text);
  assert_string_equal(hk_sim_stepper_name(sim), "symplectic_euler");
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
  double error = fabs(value(sim, m, "m.x") - cos(10 * t));
  hk_sim_destroy(sim);
  return error;
}

static void it_is_of_first_order(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    hk_diag diag;
    hk_model *m = compile(
        SPRING,
        first ? ", stepper: symplectic_euler, drift_first: true" : ", stepper: symplectic_euler",
        &diag);
    if (!m) fail_msg("%s", diag.message[0].text);
    double a = error_after(m, 1e-3, 1), b = error_after(m, 5e-4, 1);
    if (!(a / b > 1.9 && a / b < 2.1)) fail_msg("errors %g and %g", a, b);
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
}

static void energy_does_not_drift(void **state) {
  (void)state;
  hk_diag diag;
  hk_model *m = compile(SPRING, ", stepper: symplectic_euler, step: 2 ms", &diag);
  hk_error err = {0};
  hk_sim *sim = NULL;
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, &err), HK_OK);
  double most[2] = {0};
  for (int i = 0; i < 20000; i++) {
    if (hk_sim_step(sim, 1000, &err)) fail_msg("%s", err.text);
    double E = value(sim, m, "energy.kinetic") + value(sim, m, "energy.potential");
    most[i >= 10000] = fmax(most[i >= 10000], fabs(E - 50));
  }
  if (!(most[0] < 1.5 && most[1] < 1.001 * most[0])) fail_msg("%g, then %g", most[0], most[1]);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static void it_is_known_wherever_steppers_are(void **state) {
  (void)state;
  hk_diag diag;
  hk_model *m = compile(SPRING, "", &diag);
  hk_error err = {0};
  hk_sim *sim = NULL;
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, &err), HK_OK);
  /* it is never selected automatically */
  assert_string_equal(hk_sim_stepper_name(sim), "multistep");
  hk_sim_destroy(sim);
  assert_int_equal(
      hk_sim_create(m, &(hk_sim_options){.stepper = "symplectic_euler"}, &sim, NULL, &err),
      HK_EINPUT);
  assert_non_null(strstr(err.text, "symplectic_euler stepper needs a fixed step"));
  hk_model_destroy(m);
  hk_diag_free(&diag);
  static const char HINGE[] =
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n";
  m = compile(HINGE, ", stepper: symplectic_euler, step: 1 ms", &diag);
  assert_int_equal(hk_sim_create(m, NULL, &sim, NULL, &err), HK_EINPUT);
  assert_non_null(strstr(
      err.text, "the symplectic_euler stepper does not support joints, but this model has 5"));
  assert_non_null(strstr(err.text, "; use stepper: generalized_alpha, "));
  hk_model_destroy(m);
  hk_diag_free(&diag);
  assert_null(compile(SPRING, ", stepper: trapezoidal, drift_first: true", &diag));
  assert_non_null(strstr(diag.message[0].text, "belongs to the stepper symplectic_euler"));
  hk_diag_free(&diag);
}

static void hooke_types_explains_it(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_int_equal(hk_types_print(out, types, "symplectic_euler", false), HK_OK);
  assert_int_equal(hk_types_print(out, types, "dynamics", false), HK_OK);
  fclose(out);
  assert_non_null(strstr(text, "drift_first: true or false"));
  assert_non_null(strstr(text, ", symplectic_euler\n")); /* among the choices */
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_of_first_order),
      cmocka_unit_test(energy_does_not_drift),
      cmocka_unit_test(it_is_known_wherever_steppers_are),
      cmocka_unit_test(hooke_types_explains_it),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
