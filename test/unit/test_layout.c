/* Meaning of the entries of a state, and the table of bodies: names against the values of channels. */
#include "model/layout.h"
#include "sim/sim.h"
#include "support/subject.h"
#include <hooke/state.h>

/* A model that uses every part of the state. */
static const char RICH[] =
    "format: 1\n"
    "inputs: {push: {unit: N, start: 3 N}}\n"
    "states: {lag: {unit: N, rate: (push - lag)/0.1 s}}\n"
    "tables: {road: {points: [[0 s, 0 mm], [1 s, 5 mm]]}}\n"
    "bodies:\n"
    "  arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0], angular_velocity: [0, 0, "
    "3 rad/s], velocity: [0, 1.5 m/s, 0]}\n"
    "  bob: {type: point_mass, mass: 0.5 kg, position: [1 m, 0.01 m, 0]}\n"
    "  wheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 4 rad/s}\n"
    "  lump: {type: rigid_body, mass: 3 kg, center_of_mass: [0.1 m, 0, 0], inertia: [1 kg*m^2, 2 "
    "kg*m^2, "
    "2 kg*m^2], position: [1 m, 2 m, 3 m], orientation: {axis: z, angle: 90 deg}, "
    "angular_velocity: [0, 0, "
    "2 rad/s]}\n"
    "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}\n"
    "laws: {soft: {type: hunt_crossley, stiffness: 1e4 N/m^1.5, restitution: 0.5}}\n"
    "contacts: {foot: {type: sphere_on_plane, a: ground, b: bob, radius: 1 cm, law: soft}}\n"
    "forces:\n"
    "  slow: {type: maxwell, coordinate: hinge.angle, stiffness: 5 N*m/rad, damping: 0.5 "
    "N*m*s/rad}\n"
    "  pull: {type: load, b: bob, force: [lag, 1 N/m * road(t), 0]}\n";

static double value(hk_sim *s, const char *name) {
  int i = hk_model_channel_find(s->model, name);
  if (i < 0) fail_msg("no channel %s", name);
  return hk_sim_value(s, i);
}

static hk_sim *begin(hk_model *m, const char *stepper) {
  hk_error err = {0};
  hk_sim *s =
      sim_of(m, &(hk_sim_options){.step = strcmp(stepper, "bdf") ? 1e-3 : 0, .stepper = stepper});
  if (hk_sim_advance(s, 0.05, &err)) fail_msg("%s", err.text);
  return s;
}

static void every_entry_has_a_name_of_its_own(void **state) {
  static const char *const stepper[] = {"generalized_alpha", "bdf"};
  hk_model *m = model_of(RICH);
  for (size_t k = 0; k < sizeof stepper / sizeof *stepper; k++) {
    hk_sim *s = begin(m, stepper[k]);
    int n = hk_sim_state_count(s);
    hk_state_entry e;
    unsigned parts = 0;
    assert_true((size_t)n * sizeof(double) == hk_sim_state_size(s));
    for (int i = 0; i < n; i++) {
      assert_int_equal(hk_sim_state_entry(s, i, &e), HK_OK);
      assert_true(e.name[0]);
      assert_non_null(e.unit);
      parts |= 1u << e.part;
      if (hk_sim_state_find(s, e.name) != i) fail_msg("entry %d: '%s' is taken", i, e.name);
    }
    assert_int_equal(parts, (1u << (HK_PART_STEPPER + 1)) - 1);
    assert_int_equal(hk_sim_state_entry(s, n, &e), HK_EINPUT);
    assert_int_equal(hk_sim_state_entry(s, -1, &e), HK_EINPUT);
    assert_int_equal(hk_sim_state_find(s, "nobody.x"), -1);
    hk_sim_destroy(s);
  }
  hk_model_destroy(m);
}

static void entries_hold_what_they_say(void **state) {
  static const struct {
    const char *entry, *channel, *unit;
  } same[] = {
      {"t", "time", "s"},
      {"bob.x", "bob.x", "m"},
      {"bob.x.rate", "bob.vx", "m/s"},
      {"bob.x.acceleration", "bob.ax", "m/s^2"},
      {"wheel.angle", "wheel.angle", "rad"},
      {"wheel.angle.rate", "wheel.angle_rate", "rad/s"},
      {"arm.rz.rate", "arm.wz", "rad/s"},
      {"arm.qw", "arm.qw", "1"},
      {"hinge.angle.turned", "hinge.angle", "rad"},
      {"foot.closed_time", "foot.closed_time", "s"},
      {"energy.dissipated", "energy.dissipated", "J"},
      {"push", "push", "N"},
      {"step_length", "solver.step", "s"},
  };
  hk_model *m = model_of(RICH);
  hk_sim *s = begin(m, "generalized_alpha");
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    hk_state_entry e;
    int at = hk_sim_state_find(s, same[k].entry);
    if (at < 0) fail_msg("no entry %s", same[k].entry);
    assert_int_equal(hk_sim_state_entry(s, at, &e), HK_OK);
    assert_string_equal(e.unit, same[k].unit);
    double want = value(s, same[k].channel);
    if (!(fabs(s->x[at] - want) <= 2e-3 * fabs(want) + 1e-12))
      fail_msg("%s is %.9g, not %.9g", same[k].entry, s->x[at], want);
  }
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

static void bodies_stand_in_a_table(void **state) {
  hk_model *m = model_of(RICH);
  hk_body_info b;
  hk_body_pose p;
  assert_int_equal(hk_model_body_count(m), 4); /* the state variable `lag` is not a body */
  int lump = hk_model_body_find(m, "lump");
  assert_int_equal(hk_model_body_find(m, "lag"), -1);
  assert_int_equal(hk_model_body_info(m, lump, &b), HK_OK);
  assert_string_equal(b.name, "lump");
  assert_string_equal(b.type, "rigid_body");
  assert_near(b.mass, 3, 0, "mass");
  assert_near(b.center.x, 0.1, 0, "centre");
  assert_near(b.inertia[2][2], 2, 0, "inertia");
  assert_int_equal(b.nq, 7);
  assert_int_equal(b.nv, 6);
  assert_int_equal(hk_model_body_info(m, 4, &b), HK_EINPUT);
  assert_int_equal(hk_model_body_pose(m, 4, NULL, &p), HK_EINPUT);
  assert_int_equal(hk_model_body_pose(m, lump, NULL, &p), HK_OK);
  assert_near(p.position.z, 3, 0, "place in the file");
  assert_near(p.orientation.z, sqrt(0.5), 1e-15, "orientation in the file");

  hk_sim *s = begin(m, "generalized_alpha");
  double *kept = malloc(hk_sim_state_size(s));
  assert_non_null(kept);
  hk_sim_state_get(s, kept);
  for (int i = 0; i < hk_model_body_count(m); i++) {
    hk_body_pose now;
    char name[64];
    hk_state_entry e;
    assert_int_equal(hk_model_body_info(m, i, &b), HK_OK);
    assert_int_equal(hk_sim_state_entry(s, b.q, &e), HK_OK);
    assert_int_equal(strncmp(e.name, b.name, strlen(b.name)), 0);
    assert_int_equal(hk_sim_body_pose(s, i, &now), HK_OK);
    assert_int_equal(hk_model_body_pose(m, i, kept, &p), HK_OK);
    assert_memory_equal(&now, &p, sizeof p);
    if (strcmp(b.type, "rotor") == 0) continue;
    const double have[4] = {p.position.x, p.position.y, p.velocity.x, p.velocity.y};
    static const char *const channel[4] = {"x", "y", "vx", "vy"};
    for (int k = 0; k < 4; k++) {
      snprintf(name, sizeof name, "%s.%s", b.name, channel[k]);
      assert_near(have[k], value(s, name), 1e-14, name);
    }
  }
  free(kept);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_entry_has_a_name_of_its_own),
      cmocka_unit_test(entries_hold_what_they_say),
      cmocka_unit_test(bodies_stand_in_a_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
