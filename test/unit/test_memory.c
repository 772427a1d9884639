/* Elements that remember: what they remember is the state's, changes only when a step is accepted, and
 * the forces shown are those that were integrated.  An element that cannot be evaluated asks for a
 * shorter step, and is named where none helps. */
#include "support/subject.h"
#include "spec/registry.h"
#include "stepper/sim.h"
#include "toy/eyring.h"

static const double K = 50, D = 10; /* N/m, N s/m: tau = 0.2 s */

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

static const char *const FREE_STEPPERS[] = {"trapezoidal", "generalized_alpha", "moreau"};

/* ---- Maxwell's element in closed form ---- */

static const char HELD[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {wall: {at: [-1 m, 0, 0]}}}\n"
    "  m: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
    "joints: {rail: {type: prismatic, b: m, axis: x}}\n"
    "motions: {drive: {coordinate: rail.displacement, value: 0.3 m/s * t}}\n"
    "forces: {e: {type: maxwell, a: ground.wall, b: m, stiffness: 50 N/m, damping: 10 N*s/m, "
    "preload: 4 N}}\n";

/* c = 0.3 t: f = 4 exp(-t/tau) + d 0.3 (1 - exp(-t/tau)), whatever the steps are. */
static void steady_pull_is_exact(void **state) {
  (void)state;
  hk_model *m = model_of(HELD);
  for (int k = 1; k < 3; k++)
    for (double h = 0.1; h > 0.01; h /= 3) {
      hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = h});
      assert_near(channel(sim, m, "drive.effort"), 4, 1e-12, "pull at the start");
      for (int i = 1; i < 4; i++) {
        advance(sim, 0.3 * i);
        double left = exp(-0.3 * i * K / D), f = 4 * left + D * 0.3 * (1 - left);
        if (k == 1) assert_near(channel(sim, m, "drive.effort"), f, 1e-9, "pull with h = %g", h);
        assert_near(channel(sim, m, "energy.potential"), 0.5 * f * f / K, 1e-9, "stored");
      }
      hk_sim_destroy(sim);
    }
  hk_model_destroy(m);
}

static const char FREE[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {wall: {at: [-1 m, 0, 0]}}}\n"
    "  m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}\n"
    "forces:\n"
    "  e: {type: maxwell, a: ground.wall, b: m, stiffness: 50 N/m, damping: 10 N*s/m}\n"
    "  k: {type: spring_damper, a: ground.wall, b: m, stiffness: 20 N/m, length: 1 m}\n";

/* x'' = -f - 20 x, f' = K x' - f K/D by the classical Runge-Kutta method. */
static double reference(double t) {
  double y[3] = {0, 1, 0}, h = 1e-4;
  for (long i = 0; i < lround(t / h); i++) {
    double k[4][3], z[3];
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < 3; j++) z[j] = y[j] + (s ? (s < 3 ? 0.5 : 1) * h * k[s - 1][j] : 0);
      k[s][0] = z[1], k[s][1] = -z[2] - 20 * z[0], k[s][2] = K * z[1] - z[2] * K / D;
    }
    for (int j = 0; j < 3; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  return y[0];
}

static void motion_is_of_second_order(void **state) {
  (void)state;
  hk_model *m = model_of(FREE);
  for (int k = 0; k < 3; k++) {
    double error[2];
    for (int i = 0; i < 2; i++) {
      hk_sim *sim =
          sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = i ? 2e-3 : 8e-3});
      advance(sim, 1.2);
      error[i] = fabs(channel(sim, m, "m.x") - reference(1.2));
      hk_sim_destroy(sim);
    }
    if (!(error[0] < 1e-3 && error[0] / error[1] > 12 && error[0] / error[1] < 22))
      fail_msg("%s: %g, then %g", FREE_STEPPERS[k], error[0], error[1]);
  }
  hk_model_destroy(m);
}

/* ---- memory is state ---- */

static void a_restored_state_has_the_same_future(void **state) {
  (void)state;
  hk_model *m = model_of(FREE);
  for (int k = 1; k < 3; k++) {
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = 0.01});
    size_t size = hk_sim_state_size(sim);
    char *saved = malloc(2 * size), *end = saved + size;
    assert_non_null(saved);
    advance(sim, 0.4);
    hk_sim_state_get(sim, saved);
    advance(sim, 0.8);
    hk_sim_state_get(sim, end);
    double pull = channel(sim, m, "m.ax");
    hk_sim_state_set(sim, saved);
    advance(sim, 0.8);
    assert_memory_equal(sim->x, end, size);
    hk_sim_state_set(sim, end);
    assert_true(channel(sim, m, "m.ax") == pull);
    free(saved);
    hk_sim_destroy(sim);
  }
  hk_model_destroy(m);
}

/* The acceleration of the step and that of the output come from the same forces. */
static void what_is_shown_was_integrated(void **state) {
  (void)state;
  hk_model *m = model_of(FREE);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = "generalized_alpha", .step = 0.05});
  for (int i = 1; i < 20; i++) {
    advance(sim, 0.05 * i);
    assert_near(channel(sim, m, "m.ax"), sim->x[m->at.vd], 1e-9, "acceleration at step %d", i);
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* At rest the element has let go: the spring beside it carries the load. */
static void at_rest_it_has_let_go(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  ground: {markers: {wall: {at: [-1 m, 0, 0]}}}\n"
      "  m: {type: point_mass, mass: 1 kg}\n"
      "forces:\n"
      "  e: {type: maxwell, a: ground.wall, b: m, stiffness: 50 N/m, damping: 10 N*s/m}\n"
      "  k: {type: spring_damper, a: ground.wall, b: m, stiffness: 20 N/m, length: 1 m}\n"
      "  pull: {type: load, b: m, force: [3 N, 0, 0]}\n");
  hk_sim *sim = NULL;
  hk_error err = {0};
  hk_static_report report;
  if (hk_static_solve(m, NULL, &sim, &report, NULL, &err)) fail_msg("%s", err.text);
  assert_near(channel(sim, m, "m.x"), 3.0 / 20, 1e-9, "equilibrium");
  assert_near(channel(sim, m, "energy.potential"), 0.5 * 20 * 0.15 * 0.15, 1e-9, "stored");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- inner solves that fail ---- */

static hk_model *toy_model(hk_registry *r, const char *more) {
  char text[1000];
  hk_diag diag;
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies:\n"
           "  ground: {markers: {wall: {at: [-1 m, 0, 0]}}}\n"
           "  m: {type: point_mass, mass: 1 kg}\n"
           "forces:\n"
           "  goo: {type: eyring, a: ground.wall, b: m, stiffness: 200 N/m, damping: 20 N*s/m, "
           "scale: 2 N, %s}\n"
           "  pull: {type: load, b: m, force: [20 N, 0, 0]}\n",
           more);
  hk_diag_init(&diag);
  r->type[r->n++] = &toy_eyring;
  hk_spec *spec = hk_model_text_read_with(r, "toy", text, strlen(text), NULL, 0, &diag);
  if (!spec) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(spec);
  return must_compile(spec);
}

static void a_failing_element_gets_shorter_steps(void **state) {
  (void)state;
  double x[2];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++) {
      hk_registry *r = hk_registry_create();
      hk_model *m = toy_model(r, i ? "rounds: 40" : "rounds: 4");
      hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = 0.02});
      advance(sim, 1);
      x[i] = channel(sim, m, "m.x");
      if (i == 0) assert_true(hk_sim_statistics(sim).rejected > 0);
      if (i == 1) assert_int_equal(hk_sim_statistics(sim).rejected, 0);
      hk_sim_destroy(sim);
      hk_model_destroy(m);
      hk_registry_destroy(r);
      if (i == 1) assert_near(x[0], x[1], 2e-2, "%s: place with shorter steps", FREE_STEPPERS[k]);
    }
}

static void an_element_that_always_fails_is_named(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    hk_registry *r = hk_registry_create();
    hk_model *m = toy_model(r, "strength: 4 N");
    hk_error err = {0};
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = 0.02});
    assert_int_equal(hk_sim_advance(sim, 1, &err), HK_EFAIL);
    if (!strstr(err.text, "force 'goo' (eyring): it is torn")) fail_msg("%s", err.text);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
    hk_registry_destroy(r);
  }
}

static void a_force_that_is_no_number_is_named(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  push: {type: load, b: m, force: [1 N * sqrt(0.5 - t/(1 s)), 0, 0]}\n");
  hk_error err = {0};
  for (int k = 0; k < 3; k++) {
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = 0.02});
    assert_int_equal(hk_sim_advance(sim, 1, &err), HK_EFAIL);
    if (!strstr(err.text, "force 'push' (load): its force is not a finite number"))
      fail_msg("%s", err.text);
    hk_sim_destroy(sim);
  }
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_pull_is_exact),
      cmocka_unit_test(motion_is_of_second_order),
      cmocka_unit_test(a_restored_state_has_the_same_future),
      cmocka_unit_test(what_is_shown_was_integrated),
      cmocka_unit_test(at_rest_it_has_let_go),
      cmocka_unit_test(a_failing_element_gets_shorter_steps),
      cmocka_unit_test(an_element_that_always_fails_is_named),
      cmocka_unit_test(a_force_that_is_no_number_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
