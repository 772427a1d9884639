/* Runs that start from the equilibrium of the loaded model: no oscillation, contacts included. */
#include "support/check.h"
#include "support/subject.h"

static double channel_of(hk_sim *sim, const hk_model *m, const char *name) {
  int index = hk_model_channel(m, name);
  assert_true(index >= 0);
  return hk_sim_value(sim, index);
}

static hk_sim *begin(const hk_model *m) {
  hk_sim *sim = NULL;
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  if (hk_sim_create(m, NULL, &sim, &diag, &err)) fail_msg("%s", err.text);
  hk_diag_free(&diag);
  return sim;
}

/* A carriage pulled along x by a motion carries a mass that hangs on a spring: m g/k = 1.962 cm. */
static void a_hanging_mass_rides_along_without_swinging(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  carriage: {mass: 3 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  load: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, -1 m]}\n"
      "joints:\n"
      "  rail: {type: prismatic, a: ground, b: carriage, at: [0, 0, 0], axis: x}\n"
      "  guide: {type: prismatic, a: carriage, b: load, at: [0, 0, -1 m], axis: z}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "  spring: {type: spring_damper, a: carriage, b: load, stiffness: 1000 N/m, length: 1 m}\n"
      "motions:\n"
      "  pull: {coordinate: rail.displacement, value: 0.7 m/s * t}\n"
      "analysis: {duration: 2 s, begin: equilibrium}\n");
  hk_sim *sim = begin(m);
  assert_near(channel_of(sim, m, "guide.displacement"), -0.01962, 1e-9, "sag");
  assert_near(channel_of(sim, m, "load.vx"), 0.7, 1e-9, "speed");
  hk_error err = {0};
  for (int k = 1; k <= 20; k++) {
    assert_int_equal(hk_sim_advance(sim, 0.1 * k, &err), HK_OK);
    assert_near(channel_of(sim, m, "guide.displacement"), -0.01962, 1e-8, "sag later");
  }
  assert_near(channel_of(sim, m, "load.x"), 1.4, 1e-6, "place");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* A ball pressed on a plane: K depth^1.5 = m g. */
static void a_ball_rests_on_its_own_print(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  ball: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [0, 0, 10 "
      "cm],\n"
      "    angular_velocity: [0, 0, 5 rad/s]}\n"
      "laws:\n"
      "  soft: {type: hertz, stiffness: 1e6 N/m^1.5}\n"
      "contacts:\n"
      "  floor: {type: sphere_on_plane, a: ground, b: ball, law: soft, radius: 10 cm}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
      "analysis: {duration: 1 s, begin: equilibrium}\n");
  double depth = pow(2 * 9.81 / 1e6, 2.0 / 3);
  hk_sim *sim = begin(m);
  assert_near(channel_of(sim, m, "floor.gap"), -depth, 1e-6 * depth, "depth");
  assert_near(channel_of(sim, m, "ball.wz"), 5, 1e-9, "a spin that nothing resists is kept");
  hk_error err = {0};
  assert_int_equal(hk_sim_advance(sim, 0.5, &err), HK_OK);
  assert_near(channel_of(sim, m, "floor.normal_force"), 2 * 9.81, 1e-4, "force");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* The body is not supported: the message says so. */
static void what_falls_has_no_equilibrium(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {stone: {type: point_mass, mass: 1 kg}}\n"
      "forces: {weight: {type: gravity}}\n"
      "analysis: {duration: 1 s, begin: equilibrium}\n");
  hk_sim *sim = NULL;
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  assert_int_equal(hk_sim_create(m, NULL, &sim, &diag, &err), HK_EFAIL);
  assert_null(sim);
  assert_non_null(strstr(err.text, "start from equilibrium"));
  assert_non_null(strstr(err.text, "'stone'"));
  hk_diag_free(&diag);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hanging_mass_rides_along_without_swinging),
      cmocka_unit_test(a_ball_rests_on_its_own_print),
      cmocka_unit_test(what_falls_has_no_equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
