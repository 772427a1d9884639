/* The method family (BDF or Adams) is selected again during a run: a wrong choice at the start is
 * corrected. */
#include "integrator/smooth/multistep.h"
#include "support/subject.h"
#include <stdio.h>
#include <stdlib.h>

/* A mass on a soft spring; a stiff spring and damper hold it while the condition `hold` is true. */
static hk_model *stopped(const char *hold) {
  char text[900];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
      "forces:\n"
      "  spring: {type: spring_damper, b: m, stiffness: 100 N/m, length: 0.7 m, damping: 0.1 "
      "N*s/m}\n"
      "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  stop: {type: load, b: m, force: [\"-(%s)*(1e8 N/m * (m.x - 1 m) + 1e5 N*s/m * m.vx)\",\n"
      "    0 N, 0 N]}\n"
      "analysis: {duration: 10 s}\n",
      hold);
  return model_of(text);
}

typedef struct outcome {
  long attempts;
  int by_adams, changes; /* number of steps, and number of changes of family */
  bool ends_with_adams;
  double x[2];
} outcome;

static outcome run(const hk_model *m, const char *stepper, double rtol) {
  hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = 0.01 * rtol});
  outcome k = {0};
  hk_error err = {0};
  while (hk_sim_time(s) < 10) {
    if (hk_sim_step(s, 10, &err)) fail_msg("%s", err.text);
    if (strcmp(stepper, "multistep") != 0) continue;
    const hk_history *past = hk_history_in(m, s->x);
    k.by_adams += past->used_family == HK_FAMILY_ADAMS;
    k.changes += past->family != past->used_family;
    k.ends_with_adams = past->family == HK_FAMILY_ADAMS;
  }
  k.attempts = hk_sim_statistics(s).steps + hk_sim_statistics(s).rejected;
  k.x[0] = s->x[m->at.q + 2], k.x[1] = s->x[m->at.v + 2];
  hk_sim_destroy(s);
  return k;
}

static double off(const outcome *a, const outcome *b) {
  return fmax(fabs(a->x[0] - b->x[0]), fabs(a->x[1] - b->x[1]));
}

/* The run takes fewer attempts than the better family alone, and is as accurate as either. */
static void expect_gain(hk_model *m, bool adams_at_the_end) {
  outcome bdf = run(m, "bdf", 1e-10), adams = run(m, "adams", 1e-10),
          both = run(m, "multistep", 1e-10), fine = run(m, "multistep", 1e-12);
  assert_true(both.attempts < 0.9 * fmin(bdf.attempts, adams.attempts));
  assert_true(both.attempts < 0.4 * fmax(bdf.attempts, adams.attempts));
  assert_true(both.ends_with_adams == adams_at_the_end);
  assert_true(both.changes >= 1 && both.changes <= 8);
  double worst = fmax(off(&bdf, &fine), off(&adams, &fine));
  if (!(off(&both, &fine) < 3 * worst)) fail_msg("%g instead of %g", off(&both, &fine), worst);
  hk_model_destroy(m);
}

static void soft_then_stiff(void **state) {
  (void)state;
  expect_gain(stopped("clip((t - 2 s)/(1 s), 0, 1)"), false);
}

static void stiff_then_soft(void **state) {
  (void)state;
  expect_gain(stopped("1 - clip((t - 2 s)/(1 s), 0, 1)"), true);
}

/* If one family is better all the time, it is used throughout, and the cost is the same as without
 * changes. */
static void what_stays_the_same_is_left_so(void **state) {
  (void)state;
  hk_model *soft = stopped("0"), *stiff = stopped("1");
  outcome a = run(soft, "multistep", 1e-10), adams = run(soft, "adams", 1e-10);
  outcome b = run(stiff, "multistep", 1e-10), bdf = run(stiff, "bdf", 1e-10);
  assert_true(a.attempts < 1.1 * adams.attempts + 30 && a.changes == 1);
  assert_true(b.attempts < 1.1 * bdf.attempts + 30 && !b.ends_with_adams);
  hk_model_destroy(soft);
  hk_model_destroy(stiff);
}

/* A block on an incline that friction holds, apart from creep, or that is pushed back and forth.
 * The damping of friction is mu N/velocity near rest and 0 otherwise, so that the ends of steps
 * across the reversal do not show it. */
static hk_model *rubbing(double velocity, const char *push) {
  char text[900];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {b: {type: box, size: [1 m, 1 m, 1 m], mass: 1 kg, position: [0, 0, 0]}}\n"
           "joints: {r: {type: prismatic, b: b, at: [0, 0, 0], axis: x}}\n"
           "forces:\n"
           "  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "  p: {type: load, b: b, force: [\"%s\", 0 N, 0 N]}\n"
           "  f: {type: joint_friction, joint: r, mu: 0.3, velocity: %g m/s}\n"
           "analysis: {duration: 10 s}\n",
           push, velocity);
  return model_of(text);
}

/* A mass on a soft spring with a damper that is soft enough for Adams' formulas only in the first
 * milliseconds. */
static hk_model *damped(double damping, const char *factor) {
  char text[900];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
           "forces:\n"
           "  spring: {type: spring_damper, b: m, stiffness: 100 N/m, length: 0.7 m}\n"
           "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
           "  damper: {type: load, b: m, force: [\"-(%s) * %g N*s/m * m.vx\", 0 N, 0 N]}\n"
           "analysis: {duration: 10 s}\n",
           factor, damping);
  return model_of(text);
}

/* If the model is stiff, the attempts of bdf are the upper bound, however many Adams' formulas
 * alone would take. */
static void expect_no_more_than_bdf(hk_model *m, const char *what, double size) {
  outcome both = run(m, "multistep", 1e-10), bdf = run(m, "bdf", 1e-10);
  if (!(both.attempts < 1.3 * bdf.attempts + 20))
    fail_msg("%s %g: %ld attempts instead of %ld", what, size, both.attempts, bdf.attempts);
  hk_model_destroy(m);
}

static void stiffness_is_seen_in_time(void **state) {
  (void)state;
  for (double velocity = 1e-3; velocity > 0.9e-8; velocity *= 0.1) {
    expect_no_more_than_bdf(rubbing(velocity, "2 N"), "creep", velocity);
    expect_no_more_than_bdf(rubbing(velocity, "6 N * sin(3 * t / (1 s))"), "push", velocity);
  }
  for (double damping = 1e3; damping < 2e9; damping *= 100) {
    expect_no_more_than_bdf(damped(damping, "1"), "damper", damping);
    expect_no_more_than_bdf(damped(damping, "clip((t - 2 s)/(1 s), 0, 1)"), "late", damping);
    expect_no_more_than_bdf(damped(damping, "max(0, sin(4 * t / (1 s)))"), "pulses", damping);
  }
}

/* Damped oscillations look stiff to high-order Adams formulas, but the step size is limited by the
 * error: a quarter-car model with a wheel-hop mode. */
static void oscillations_are_not_stiff(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  wheel: {type: point_mass, mass: 36 kg, position: [0, 0, 0.3 m]}\n"
      "  body: {type: point_mass, mass: 240 kg, position: [0, 0, 0.8 m]}\n"
      "forces:\n"
      "  tyre: {type: spring_damper, b: wheel, stiffness: 160 kN/m, free_length: 0.29 m}\n"
      "  strut: {type: spring_damper, a: wheel, b: body, stiffness: 16 kN/m, damping: 980 N*s/m,\n"
      "    free_length: 0.5 m}\n"
      "  road: {type: load, b: wheel, force: [0 N, 0 N, \"1600 N * sin(7.5 * t / (1 s))\"]}\n"
      "analysis: {duration: 10 s}\n");
  for (double rtol = 1e-6; rtol > 0.9e-10; rtol *= 0.01) {
    outcome both = run(m, "multistep", rtol), adams = run(m, "adams", rtol);
    if (!(both.attempts < 1.5 * adams.attempts))
      fail_msg("rtol %g: %ld attempts instead of %ld", rtol, both.attempts, adams.attempts);
  }
  hk_model_destroy(m);
}

/* A state saved before a change of family continues in the same way through the change, in a
 * simulation with invalid data in its working memory. */
static void a_restored_state_changes_alike(void **state) {
  (void)state;
  hk_model *m = stopped("clip((t - 2 s)/(1 s), 0, 1)");
  const hk_sim_options o = {.stepper = "multistep"};
  hk_sim *a = sim_of(m, &o), *b = sim_of(m, &o);
  hk_error err = {0};
  double *saved = malloc(hk_sim_state_size(a));
  int changes = 0;
  for (int n = 0; hk_sim_time(a) < 3; n++) {
    if (n % 50 == 0) {
      hk_sim_state_get(a, saved);
      assert_int_equal(hk_sim_state_set(b, saved), HK_OK);
    }
    hk_sim_poison(b);
    if (hk_sim_step(a, 10, &err) || hk_sim_step(b, 10, &err)) fail_msg("%s", err.text);
    assert_memory_equal(a->x, b->x, hk_sim_state_size(a));
    const hk_history *past = hk_history_in(m, a->x);
    changes += past->family != past->used_family;
  }
  assert_true(changes >= 2);
  free(saved);
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(soft_then_stiff),
      cmocka_unit_test(stiff_then_soft),
      cmocka_unit_test(what_stays_the_same_is_left_so),
      cmocka_unit_test(stiffness_is_seen_in_time),
      cmocka_unit_test(oscillations_are_not_stiff),
      cmocka_unit_test(a_restored_state_changes_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
