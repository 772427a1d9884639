/* What `auto` tries before it takes a formula of high order: undamped modes send it to a method that damps them. */
#include "stepper/sim.h"
#include "support/subject.h"
#include <stdio.h>

/* A shaft of beams with a hub at its end, which is twisted much more slowly than the fastest modes swing. */
static hk_model *shaft(const char *damping, const char *analysis) {
  char text[1000];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies: {hub: {mass: 1 kg, inertia: [8e-4 kg*m^2, 8e-4 kg*m^2, 1.2e-3 kg*m^2],\n"
      "  position: [0, 0, 640 mm]}}\n"
      "joints:\n"
      "  bar: {type: shaft, a: ground, b: hub, lengths: [640 mm], outer_diameters: [24 mm],\n"
      "    stations: [160 mm, 320 mm, 480 mm], damping: %s}\n"
      "  guide: {type: cylindrical, b: hub, at: [0, 0, 640 mm]}\n"
      "forces: {twist: {type: load, b: hub, torque: [0, 0, \"300 N*m * sin(20 rad/s * t)\"]}}\n"
      "analysis: {duration: 200 ms%s}\n",
      damping, analysis);
  return model_of(text);
}

static void expect(const hk_model *m, const hk_sim_options *o, const char *name, const char *why) {
  hk_sim *sim = sim_of(m, o);
  assert_string_equal(hk_sim_stepper_name(sim), name);
  if (!strstr(hk_sim_stepper_why(sim), why)) fail_msg("%s: %s", name, hk_sim_stepper_why(sim));
  hk_error err = {0};
  if (hk_sim_step(sim, 1, &err)) fail_msg("%s", err.text);
  hk_sim_destroy(sim);
}

static void undamped_modes_are_left_to_a_method_that_damps(void **state) {
  (void)state;
  hk_model *free = shaft("0 s", ""), *damped = shaft("1e-4 s", ""),
           *named = shaft("0 s", ", stepper: bdf"), *meant = shaft("0 s", ", max_order: 5");
  expect(free, NULL, "generalized_alpha", "without damping");
  expect(free, &(hk_sim_options){.stepper = "bdf"}, "bdf", "named");
  expect(free, &(hk_sim_options){.rtol = 1e-6, .atol = 1e-8}, "generalized_alpha", "damping");
  expect(damped, NULL, "bdf", "smooth");
  expect(named, NULL, "bdf", "named");
  expect(named, &(hk_sim_options){.stepper = "auto"}, "generalized_alpha", "damping");
  expect(meant, NULL, "bdf", "given");
  hk_model_destroy(free);
  hk_model_destroy(damped);
  hk_model_destroy(named);
  hk_model_destroy(meant);
}

/* The trial leaves nothing behind: the run is that of the stepper by its name. */
static void the_run_is_that_of_the_stepper(void **state) {
  (void)state;
  hk_model *m = shaft("0 s", "");
  hk_sim *a = sim_of(m, NULL), *b = sim_of(m, &(hk_sim_options){.stepper = "generalized_alpha"});
  hk_error err = {0};
  for (int i = 0; i < 50; i++) {
    if (hk_sim_step(a, 1, &err) || hk_sim_step(b, 1, &err)) fail_msg("%s", err.text);
    assert_memory_equal(a->x, b->x, (size_t)a->state_size * sizeof *a->x);
  }
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(undamped_modes_are_left_to_a_method_that_damps),
      cmocka_unit_test(the_run_is_that_of_the_stepper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
