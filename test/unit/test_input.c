/* Inputs: set from outside between steps, part of the state, used by name. */
#include "support/check.h"
#include <math.h>

/* A mass on a spring and a damper, pushed by gain times push through a sensor. */
static const char MODEL[] =
    "format: 1\n"
    "inputs:\n"
    "  push: {unit: N}\n"
    "  gain: {start: 2}\n"
    "bodies:\n"
    "  ground: {markers: {far: [-5 m, 0, 0]}}\n"
    "  m: {type: point_mass, mass: 2 kg}\n"
    "sensors:\n"
    "  effort: {value: gain*push}\n"
    "forces:\n"
    "  s: {type: spring_damper, a: ground.far, b: m, stiffness: 8 N/m, damping: 1 N*s/m, length: 5 "
    "m}\n"
    "  l: {type: load, b: m, force: [effort, 0, 0]}\n"
    "%s"
    "analysis: {duration: 3 s%s}\n";

static const char GUIDE[] = "joints:\n  g: {type: point_on_line, a: ground, b: m, axis: x}\n";

static hk_model *compile(const char *joints, const char *analysis) {
  char text[2000];
  snprintf(text, sizeof text, MODEL, joints, analysis);
  return model_of(text);
}

/* x(t) after a jump of the force to F at t = 0, from rest at x0 with the force k x0. */
static double step_response(double F, double x0, double t) {
  double m = 2, c = 1, k = 8, d = c / (2 * m), w = sqrt(k / m - d * d);
  return F / k + (x0 - F / k) * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

/* Two jumps: at 0.3 s and, during the transient, at 1.1 s; the second one by superposition. */
static double two_jumps(double t) {
  double x = t > 0.3 ? step_response(6, 0, t - 0.3) : 0;
  return t > 1.1 ? x + step_response(-10, 0, t - 1.1) : x;
}

static void jumps_are_followed_by_every_stepper(void **state) {
  (void)state;
  static const struct {
    const char *joints, *analysis;
    double tolerance;
  } cases[] = {
      {GUIDE, ", stepper: generalized_alpha, rtol: 1e-8, atol: 1e-9", 2e-5},
      {"", ", stepper: trapezoidal, rtol: 1e-8, atol: 1e-9", 2e-5},
      {GUIDE, ", stepper: bdf, rtol: 1e-8, atol: 1e-9", 2e-5},
      {GUIDE, ", stepper: moreau, step: 1 ms", 2e-5},
      {"", ", stepper: event_driven, rtol: 1e-8, atol: 1e-9", 2e-5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hk_model *m = compile(cases[i].joints, cases[i].analysis);
    hk_sim *s = sim_of(m, NULL);
    int x = hk_model_channel_find(m, "m.x"), push = hk_model_channel_find(m, "push"),
        ax = hk_model_channel_find(m, "m.ax"),
        balance = hk_model_channel_find(m, "energy.balance_error");
    assert_true(x >= 0 && push >= 0);
    double worst = 0;
    for (int k = 1; k <= 30; k++) {
      double t = 0.1 * k;
      MUST(hk_sim_advance(s, t, err));
      worst = fmax(worst, fabs(hk_sim_value(s, x) - two_jumps(t)));
      if (k == 3) {
        MUST(hk_sim_input_set(s, hk_model_input_find(m, "push"), 3, err));
        assert_near(hk_sim_value(s, push), 3, 0, "the channel");
        /* Immediately, before any step. */
        if (i < 3) assert_near(hk_sim_value(s, ax), 3, 1e-9, "acceleration behind the jump");
      }
      if (k == 11) MUST(hk_sim_input_set_by_name(s, "push", -2, err));
    }
    if (!(worst < cases[i].tolerance)) fail_msg("case %d is off by %g", (int)i, worst);
    double lost = hk_sim_value(s, balance);
    if (!(fabs(lost) < 1e-4)) fail_msg("case %d: energy is off by %g", (int)i, lost);
    hk_sim_destroy(s);
    hk_model_destroy(m);
  }
}

/* Without a restart, the acceleration of the old force would be used in the step after the jump and reduce the
 * order: with a restart, halving fixed steps still divides the error by four. */
static void order_survives_a_jump(void **state) {
  (void)state;
  static const char *const stepper[] = {"generalized_alpha", "trapezoidal", "moreau"};
  for (int k = 0; k < 3; k++) {
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
      char analysis[100];
      snprintf(analysis, sizeof analysis, ", stepper: %s, step: %g ms", stepper[k],
               fine ? 5.0 : 10.0);
      hk_model *m = compile(k == 1 ? "" : GUIDE, analysis);
      hk_sim *s = sim_of(m, NULL);
      MUST(hk_sim_advance(s, 0.3, err));
      MUST(hk_sim_input_set(s, 0, 3, err));
      MUST(hk_sim_advance(s, 1.1, err));
      MUST(hk_sim_input_set(s, 0, -2, err));
      MUST(hk_sim_advance(s, 2, err));
      off[fine] = hk_sim_value(s, hk_model_channel_find(m, "m.x")) - two_jumps(2);
      hk_sim_destroy(s);
      hk_model_destroy(m);
    }
    double order = log2(fabs(off[0] / off[1]));
    if (!(order > 1.9 && order < 2.2)) fail_msg("%s: order %.3f", stepper[k], order);
  }
}

/* A state saved between the jump and the next step includes the jump. */
static void inputs_are_state(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    hk_model *m = compile(k ? "" : GUIDE, k ? ", stepper: trapezoidal" : "");
    hk_sim *a = sim_of(m, NULL), *b = sim_of(m, NULL);
    MUST(hk_sim_input_set(a, 1, 1.5, err));
    MUST(hk_sim_advance(a, 0.4, err));
    MUST(hk_sim_input_set(a, 0, 5, err));
    size_t n = hk_sim_state_size(a);
    void *x = malloc(n), *y = malloc(n);
    hk_sim_state_get(a, x);
    hk_sim_state_set(b, x);
    assert_near(hk_sim_input_get(b, 0), 5, 0, "input");
    assert_true(isnan(hk_sim_input_get(b, 9)));
    MUST(hk_sim_advance(a, 1, err));
    MUST(hk_sim_advance(b, 1, err));
    hk_sim_state_get(a, x);
    hk_sim_state_get(b, y);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    hk_sim_destroy(a);
    hk_sim_destroy(b);
    hk_model_destroy(m);
  }
}

static void what_cannot_be_set_is_refused(void **state) {
  (void)state;
  hk_model *m = compile(GUIDE, "");
  hk_sim *s = sim_of(m, NULL);
  hk_error err = {0};
  assert_int_equal(hk_model_input_count(m), 2);
  assert_string_equal(hk_model_input_name(m, 1), "gain");
  assert_string_equal(hk_model_input_unit(m, 0), "N");
  assert_null(hk_model_input_name(m, 2));
  assert_int_equal(hk_sim_input_set(s, 2, 1, &err), HK_EINPUT);
  assert_int_equal(hk_sim_input_set(s, 0, NAN, &err), HK_EINPUT);
  assert_int_equal(hk_sim_input_set_by_name(s, "pusch", 1, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'push'?"));
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

static void assert_refused(const char *text, const char *why) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("m.yaml", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  assert_null(m);
  assert_true(diag.n > 0);
  bool found = false;
  for (int i = 0; i < diag.n; i++) found = found || strstr(diag.message[i].text, why);
  if (!found) fail_msg("'%s' does not say '%s'", diag.message[0].text, why);
  hk_diag_free(&diag);
}

static void bad_models_are_refused(void **state) {
  (void)state;
#define BODY "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
  assert_refused("format: 1\ninputs: {u: {unit: N, start: 3}}\n" BODY, "needs a unit");
  assert_refused("format: 1\ninputs: {u: {unit: N, start: 3 m}}\n" BODY, "needs another unit");
  assert_refused("format: 1\ninputs: {u: {unit: furlongs}}\n" BODY, "furlongs");
  assert_refused("format: 1\ninputs: {u: {start: m.x}}\n" BODY, "it may use parameters");
  assert_refused("format: 1\ninputs: {u: {unit: rad}}\n" BODY
                 "joints: {h: {type: prismatic, b: m}}\nmotions: {d: {coordinate: h.displacement, "
                 "value: u}}\n",
                 "");
  assert_refused("format: 1\ninputs: {u: {}}\nsensors: {u: {value: t}}\n" BODY, "channel name 'u' is not unique");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_are_followed_by_every_stepper),
      cmocka_unit_test(order_survives_a_jump),
      cmocka_unit_test(inputs_are_state),
      cmocka_unit_test(what_cannot_be_set_is_refused),
      cmocka_unit_test(bad_models_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
