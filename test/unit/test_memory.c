/* Elements with memory: the memory is part of the state and changes only when a step is accepted, and recorded
 * forces are those that were integrated.  If an element cannot be evaluated, the step is repeated with a
 * smaller size; if no size succeeds, the message names the element. */
#include "support/subject.h"
#include "sim/sim.h"
#include "toy/toys.h"

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

/* c = 0.3 t: f = 4 exp(-t/tau) + d 0.3 (1 - exp(-t/tau)), for any step size. */
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

/* The accelerations of the step and of the output come from the same forces. */
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

/* At rest the force of the element has decayed: the parallel spring carries the load. */
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

/* A force of 20 N pulls a mass of 1 kg on a stiff toy. */
static hk_model *toy_model(const hk_registry *r, const char *type, const char *stiffness,
                           const char *scale) {
  char text[1000];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies:\n"
           "  ground: {markers: {wall: {at: [-1 m, 0, 0]}}}\n"
           "  m: {type: point_mass, mass: 1 kg}\n"
           "forces:\n"
           "  goo: {type: %s, a: ground.wall, b: m, stiffness: %s, damping: 20 N*s/m, "
           "scale: %s}\n"
           "  pull: {type: load, b: m, force: [20 N, 0, 0]}\n",
           type, stiffness, scale);
  return toy_model_of(r, text);
}

/* With a stiff spring, 15 iterations are not enough for the first step, which would stretch it far. */
static void a_failing_element_gets_shorter_steps(void **state) {
  (void)state;
  hk_registry *r = toy_registry();
  hk_model *m = toy_model(r, "eyring", "1e5 N/m", "0.05 N");
  for (int k = 0; k < 3; k++) {
    double x[2];
    for (int i = 0; i < 2; i++) {
      hk_sim_options o = {.stepper = FREE_STEPPERS[k], .step = i ? 1e-4 : 0.02};
      hk_sim *sim = sim_of(m, &o);
      advance(sim, 0.2);
      x[i] = channel(sim, m, "m.x");
      assert_true(i ? hk_sim_statistics(sim).rejected == 0 : hk_sim_statistics(sim).rejected > 0);
      hk_sim_destroy(sim);
    }
    assert_near(x[0] / x[1], 1, 0.05, "%s: place with shorter steps", FREE_STEPPERS[k]);
  }
  hk_model_destroy(m);
  hk_registry_destroy(r);
}

/* The same element until it breaks. */
static void torn_eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  eyring_eval(data, in, out);
  if (out->F < -4) out->failed = "it is torn";
}

static void an_element_that_always_fails_is_named(void **state) {
  (void)state;
  hk_force_ops ops = eyring_ops;
  hk_type type = toy_eyring;
  ops.eval = torn_eval;
  type.ops = &ops;
  type.name = "torn";
  hk_registry *r = toy_registry();
  assert_true(r->n < r->capacity);
  r->type[r->n++] = &type;
  hk_model *m = toy_model(r, "torn", "200 N/m", "2 N");
  for (int k = 0; k < 3; k++) {
    hk_error err = {0};
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k], .step = 0.02});
    assert_int_equal(hk_sim_advance(sim, 1, &err), HK_EFAIL);
    if (!strstr(err.text, "force 'goo' (torn): it is torn")) fail_msg("%s", err.text);
    assert_true(hk_sim_time(sim) > 0);
    hk_sim_destroy(sim);
  }
  hk_model_destroy(m);
  hk_registry_destroy(r);
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

/* ---- laws that remember ---- */

static const char BALL[] =
    "format: 1\n"
    "bodies: {b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.11 m], "
    "velocity: [0, 0, %g m/s]}}\n"
    "laws: {w: {type: %s}}\n"
    "contacts: {f: {type: sphere_on_plane, a: ground, b: b, law: w, radius: 0.1 m}}\n";

/* Speed after an impact over that before it. */
static double rebound(const hk_registry *r, const char *stepper, const char *law, double speed) {
  char text[1000];
  hk_error err = {0};
  snprintf(text, sizeof text, BALL, -speed, law);
  hk_model *m = toy_model_of(r, text);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = stepper, .rtol = 1e-8, .atol = 1e-11});
  double energy = 0.5 * speed * speed;
  while (hk_sim_time(sim) < 0.2 / speed)
    if (hk_sim_step(sim, 0.2 / speed, &err)) fail_msg("%s", err.text);
  double after = channel(sim, m, "b.vz") / speed;
  assert_near(channel(sim, m, "energy.balance_error") / energy, 0, 2e-3, "ledger of %s", law);
  assert_near(channel(sim, m, "f.gap") > 0, 1, 0, "it has parted");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  return after;
}

/* The specified coefficient of restitution is obtained at any speed above impact_velocity. */
static void restitution_is_met(void **state) {
  (void)state;
  static const double wanted[] = {0.2, 0.5, 0.9};
  hk_registry *r = toy_registry();
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      for (double speed = 0.05; speed < 6; speed *= 10) {
        char law[200];
        snprintf(law, sizeof law, "hunt_crossley, stiffness: 1e8 N/m^1.5, restitution: %g",
                 wanted[i]);
        double e = rebound(r, FREE_STEPPERS[k], law, speed);
        if (!(fabs(e - wanted[i]) < 1e-3))
          fail_msg("%s: %g instead of %g at %g m/s", FREE_STEPPERS[k], e, wanted[i], speed);
      }
  hk_registry_destroy(r);
}

/* Below impact_velocity the coefficient of restitution is larger. */
static void slow_impacts_keep_more(void **state) {
  (void)state;
  hk_registry *r = toy_registry();
  static const char LAW[] =
      "hunt_crossley, stiffness: 1e8 N/m^1.5, restitution: 0.5, impact_velocity: 1 m/s";
  double slow = rebound(r, "trapezoidal", LAW, 0.1), fast = rebound(r, "trapezoidal", LAW, 2);
  assert_near(fast, 0.5, 1e-3, "fast");
  assert_true(slow > 0.9 && slow < 0.98);
  hk_registry_destroy(r);
}

/* The recorded normal force is the one of the step, even if it depends on the memory before the step. */
static void the_normal_force_shown_was_integrated(void **state) {
  (void)state;
  static const char *const LAW[] = {
      "hertz, stiffness: 1e6 N/m^1.5, damping: 20 N*s/m",
      "hunt_crossley, stiffness: 1e6 N/m^1.5, restitution: 0.3",
      "cushion, stiffness: 1e6 N/m^2, damping: 1e4 N*s/m^2, thickness: 5 mm"};
  hk_registry *r = toy_registry();
  for (int k = 0; k < 6; k++) {
    char text[1000];
    hk_error err = {0};
    snprintf(text, sizeof text, BALL, -1.0, LAW[k / 2]);
    hk_model *m = toy_model_of(r, text);
    hk_sim *sim = sim_of(m, &(hk_sim_options){.stepper = FREE_STEPPERS[k % 2], .step = 5e-4});
    int pressed = 0;
    while (hk_sim_time(sim) < 0.03) {
      if (hk_sim_step(sim, 0.03, &err)) fail_msg("%s", err.text);
      double N = sim->work->touch[0].N;
      assert_near(channel(sim, m, "f.normal_force") / fmax(1, N), N / fmax(1, N), 1e-12, "%s",
                  LAW[k / 2]);
      pressed += N > 0;
    }
    assert_true(pressed > 5);
    hk_sim_destroy(sim);
    hk_model_destroy(m);
  }
  hk_registry_destroy(r);
}

/* A cushion stops the ball before it touches, and its channels show it. */
static void a_law_that_reaches_acts_before_touch(void **state) {
  (void)state;
  hk_registry *r = toy_registry();
  char text[1000];
  snprintf(text, sizeof text, BALL, -1.0,
           "cushion, stiffness: 1e9 N/m^2, damping: 0 N*s/m^2, thickness: 5 mm");
  hk_model *m = toy_model_of(r, text);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.rtol = 1e-9, .atol = 1e-12});
  double least = 1, most = 0;
  hk_error err = {0};
  while (hk_sim_time(sim) < 0.03) {
    if (hk_sim_step(sim, 0.03, &err)) fail_msg("%s", err.text);
    least = fmin(least, channel(sim, m, "f.gap"));
    most = fmax(most, channel(sim, m, "f.normal_force"));
  }
  double s = cbrt(3 * 0.5 / 1e9); /* K s^3/3 = m v^2/2 */
  assert_near(channel(sim, m, "b.vz"), 1, 1e-5, "it leaves as it came");
  assert_near((5e-3 - least) / s, 1, 1e-3, "depth in the cushion");
  assert_near(most / (1e9 * s * s), 1, 2e-3, "force");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_registry_destroy(r);
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
      cmocka_unit_test(restitution_is_met),
      cmocka_unit_test(slow_impacts_keep_more),
      cmocka_unit_test(the_normal_force_shown_was_integrated),
      cmocka_unit_test(a_law_that_reaches_acts_before_touch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
