/* Quality indicators of a run: a joint articulated beyond the limit of its geometry, an instant
 * that no tolerance resolves. */
#include "model/model.h"
#include "sim/quality.h"
#include "verify/verify.h"
#include <hooke/run.h>

/* An arm that swings to 20 degrees within a second, monitored by a sensor. */
static void swing(vf_case *c, hk_run_report *r, const char *limit) {
  vf_text(
      c,
      "bodies:\n  arm: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "joints:\n  hinge: {type: revolute, b: arm, axis: x}\n"
      "motions:\n  swing: {coordinate: hinge.angle, value: \"step5(t, 0 s, 0 rad, 1 s, 20 deg)\"}\n"
      "sensors:\n  lean: {type: bend, b: arm%s}\n"
      "analysis: {duration: 1 s, output_step: 0.1 s, max_step: 10 ms}\n",
      limit);
  assert_int_equal(hk_run(c->model, NULL, r, &c->diag), HK_OK);
}

static void a_limit_that_is_passed_is_told(void **state) {
  (void)state;
  vf_case c;
  hk_run_report r;
  swing(&c, &r, ", limit: 10 deg");
  const hk_indicator *k = hk_quality_find(r.quality, HK_QUALITY_ARTICULATION);
  assert_non_null(k);
  assert_int_equal(k->level, HK_LEVEL_DOUBT);
  assert_string_equal(k->element, "lean");
  assert_string_equal(k->name, "articulation");
  assert_float_equal(k->limit, M_PI / 18, 1e-12);
  assert_float_equal(k->amount, M_PI / 9, 1e-9);
  assert_true(k->time > 0.5 && k->time < 0.52); /* half of the way */
  assert_non_null(strstr(k->sentence, "'lean' exceeded 10 deg"));
  assert_int_equal(r.doubts, 1);
  assert_true(vf_said(&c.diag, "'lean' exceeded 10 deg"));
  hk_run_report_free(&r);
  vf_close(&c);
}

static void within_its_limit_nothing_is_said(void **state) {
  (void)state;
  static const char *const limit[] = {"", ", limit: 20.1 deg"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    hk_run_report r;
    swing(&c, &r, limit[i]);
    const hk_indicator *k = hk_quality_find(r.quality, HK_QUALITY_ARTICULATION);
    assert_true(i ? k && k->level == HK_LEVEL_GOOD && k->amount < k->limit : !k);
    assert_int_equal(r.doubts, 0);
    hk_run_report_free(&r);
    vf_close(&c);
  }
}

/* The limit of a fixed ball joint is the angle from which initial positions are rejected. */
static void a_fixed_joint_has_its_limit(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/rzeppa.yaml", NULL, 0);
  double limit = 0;
  for (int i = 0; i < c.model->n_coordinates; i++)
    if (strcmp(c.model->coordinate[i].name, "cvj.articulation_angle") == 0)
      limit = c.model->coordinate[i].limit;
  assert_float_equal(limit * 180 / M_PI, 45.2, 0.05);
  vf_close(&c);
}

/* A wave of 10 ns: the bodies hardly move, so any motion satisfies the tolerance. */
static void an_instant_is_told(void **state) {
  (void)state;
  static const char *const tolerance[] = {"", ", rtol: 1e-21, atol: 1e-21", ", step: 0.1 ns"};
  for (int i = 0; i < 3; i++) {
    vf_case c;
    hk_run_report r;
    vf_text(&c,
            "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
            "forces: {l: {type: load, b: m, force: [\"1000 N * sin(2*pi*t/(10 ns))\", 0, 0]}}\n"
            "measures: {way: {of: m.x, take: final}}\n"
            "analysis: {duration: 10 ns%s}\n",
            tolerance[i]);
    assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
    assert_int_equal(r.doubts, i == 0);
    assert_int_equal(vf_said(&c.diag, "hardly resolve this motion"), i == 0);
    if (i > 0) /* followed */
      assert_float_equal(r.measure[0].value, 500 * 1e-16 / (2 * M_PI), 2e-17);
    hk_run_report_free(&r);
    vf_close(&c);
  }
}

/* x'' = -100 x for 50 periods.  The warning appears if the phase is wrong, and only then. */
static void errors_that_add_up_are_told(void **state) {
  (void)state;
  static const struct {
    const char *damping, *analysis;
    bool wrong;
  } k[] = {{"0 N*s/m", ", stepper: generalized_alpha, rtol: 1e-6", true},
           {"0 N*s/m", ", stepper: trapezoidal, rtol: 1e-6", true},
           {"0 N*s/m", ", stepper: nonsmooth_alpha, rtol: 1e-6", true},
           {"0 N*s/m", ", stepper: generalized_alpha", false},
           {"0 N*s/m", ", stepper: trapezoidal", false},
           {"0 N*s/m", "", false},
           {"5 N*s/m", ", stepper: generalized_alpha, rtol: 1e-6", false}};
  for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
    vf_case c;
    hk_run_report r;
    vf_text(&c,
            "bodies: {m: {type: point_mass, mass: 1 kg, position: [1.1 m, 0, 0]}}\n"
            "forces: {s: {type: spring_damper, b: m, stiffness: 100 N/m, damping: %s, free_length: "
            "1 m}}\n"
            "measures: {x: {of: m.x, take: final}}\n"
            "analysis: {duration: 31.3 s%s}\n",
            k[i].damping, k[i].analysis);
    assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
    assert_int_equal(vf_said(&c.diag, "may add up to"), k[i].wrong);
    assert_int_equal(r.doubts, k[i].wrong);
    double error = fabs(r.measure[0].value - 1 - 0.1 * cos(313)) / 0.1;
    if (k[i].wrong) assert_true(error > HK_ACCURATE_MOTION);
    if (!k[i].wrong && k[i].damping[0] == '0') assert_true(error < 3e-4);
    hk_run_report_free(&r);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_limit_that_is_passed_is_told),
                                     cmocka_unit_test(within_its_limit_nothing_is_said),
                                     cmocka_unit_test(a_fixed_joint_has_its_limit),
                                     cmocka_unit_test(an_instant_is_told),
                                     cmocka_unit_test(errors_that_add_up_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
