/* The n-th allocation of the library fails, for every n, while a model is read, compiled, assembled, run and
 * measured, or linearised.  Each time there must be an error message or exactly the result of the undisturbed
 * run, and no memory may leak: see support/starve.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <hooke/linear.h>
#include <hooke/nonlinear.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/contact_problem.h"
#include "support/starve.h"

/* An open chain with a spring, friction, expressions and sensors. */
static const char chain[] =
    "format: 1\n"
    "title: chain\n"
    "parameters: {L: 0.5 m, k: 2 * L / (1 m)}\n"
    "defaults: {rod: {mass: 1 kg}}\n"
    "bodies:\n"
    "  upper: {type: rod, length: L, position: [L/2, 0, 0], markers: {tip: {at: [L/2, 0, 0]}}}\n"
    "  lower: {type: rod, length: L, position: [3*L/2, 0, 0]}\n"
    "  flywheel: {type: rotor, inertia: 0.1 kg*m^2}\n"
    "joints:\n"
    "  hinge: {type: revolute, b: upper, at: [0, 0, 0], axis: z}\n"
    "  elbow: {type: revolute, a: upper.tip, b: lower, at: [L, 0, 0], axis: z}\n"
    "forces:\n"
    "  weight: {type: gravity}\n"
    "  push: {type: load, b: lower, force: [0, \"3 N * sin(20 rad/s * t) - 2 N*s/m * lower.vy\", "
    "0]}\n"
    "sensors:\n"
    "  bend: {value: elbow.angle * k}\n"
    "measures:\n"
    "  end: {of: lower.y, take: final}\n"
    "  most: {of: bend, take: max_abs}\n"
    "  pull: {of: hinge.fy, take: rms}\n"
    "analysis: {duration: 20 ms, output_step: 5 ms, step: 2 ms}\n";

/* Integrators are compared, and the steps of the selected one are kept: high-order steps for a mass on a
 * spring, second-order steps for a mass in uniform motion. */
static const char tried[] =
    "format: 1\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
    "forces:\n"
    "  weight: {type: gravity}\n"
    "  spring: {type: spring_damper, b: m, stiffness: 100 N/m, length: 1 m}\n"
    "measures: {end: {of: m.x, take: final}}\n"
    "analysis: {duration: 3 s}\n";
static const char even[] =
    "format: 1\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
    "forces: {wall: {type: load, b: m, force: [\"-1e4 N/m * max(m.x - 9 m, 0 m)\", 0, 0]}}\n"
    "measures: {end: {of: m.x, take: final}}\n"
    "analysis: {duration: 8 s}\n";

/* A row of closed loops from a sub-model and arrays, with redundant joints and a motion. */
static const char loops[] =
    "format: 1\n"
    "parameters: {N: 2}\n"
    "assemblies:\n"
    "  link:\n"
    "    parameters: {l: 1 m}\n"
    "    ports: [foot]\n"
    "    bodies: {leg: {type: rod, length: l, mass: 1 kg, position: [0, l/2, 0], orientation: "
    "{axis: z, "
    "angle: 90 deg}}}\n"
    "    joints: {pin: {type: revolute, a: foot, b: leg, at: [0, 0, 0], axis: z}}\n"
    "bodies:\n"
    "  ground: {markers: {place: {at: [1 m, 0, 0]}}}\n"
    "  bar: {repeat: {i: 1..N}, type: rod, length: 1 m, mass: 1 kg, position: [(i - 1/2)*1 m, 1 m, "
    "0]}\n"
    "parts:\n"
    "  p: {repeat: {i: 0..N}, assembly: link, position: [i*1 m, 0, 0], connect: {foot: ground}}\n"
    "joints:\n"
    "  left: {repeat: {i: 1..N}, type: revolute, a: \"p[i-1].leg.end\", b: \"bar[i].start\", at: "
    "[(i - 1)*1 "
    "m, 1 m, 0], axis: z}\n"
    "  right: {repeat: {i: 1..N}, type: revolute, a: \"p[i].leg.end\", b: \"bar[i].end\", at: [i*1 "
    "m, 1 m, "
    "0], axis: z}\n"
    "motions:\n"
    "  drive: {coordinate: \"p[0].pin.angle\", value: \"1 rad/s * t\"}\n"
    "measures:\n"
    "  x: {of: \"bar[1].x\", take: final}\n"
    "analysis: {duration: 10 ms, output_step: 5 ms, step: 2 ms}\n";

/* Set-valued contacts together with a joint. */
static const char impacts[] =
    "format: 1\n"
    "bodies:\n"
    "  arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.1 m], velocity: [1 m/s, "
    "0, "
    "-1 m/s]}\n"
    "joints: {hinge: {type: revolute, b: arm.start, axis: y}}\n"
    "forces: {weight: {type: gravity}}\n"
    "laws: {dry: {type: signorini, mu: 0.3, restitution_normal: 0.5}}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n"
    "  tip: {type: point_on_plane, a: ground, b: arm.end, law: dry}\n"
    "measures:\n"
    "  x: {of: ball.x, take: final}\n"
    "  force: {of: tip.normal_force, take: max}\n"
    "analysis: {duration: 10 ms, output_step: 5 ms, step: 1 ms}\n";

/* A similar model with impacts located in time. */
static const char events[] =
    "format: 1\n"
    "bodies:\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.101 m], velocity: [1 "
    "m/s, 0, -1 m/s]}\n"
    "  arm: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 1 mm]}\n"
    "joints: {hinge: {type: revolute, b: arm.start, at: [0, 0, 1 mm], axis: y}}\n"
    "forces: {weight: {type: gravity}}\n"
    "laws: {dry: {type: signorini, mu: 0.3, restitution_normal: 0.5}}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n"
    "  tip: {type: point_on_plane, a: ground, b: arm.end, law: dry}\n"
    "measures:\n"
    "  x: {of: ball.x, take: final}\n"
    "  impacts: {of: floor.impacts, take: final}\n"
    "analysis: {duration: 30 ms, output_step: 10 ms, step: 1 ms, stepper: event_driven}\n";

/* Joints that expand into bodies, contacts and sums. */
static const char cv_joint[] =
    "format: 1\n"
    "bodies:\n"
    "  outer: {type: rotor, inertia: 0.02 kg*m^2, rate: 30 rad/s}\n"
    "  inner: {type: guided_body, mass: 2 kg, tilt: \"0.05 deg\", spin: \"30 rad/s * t\"}\n"
    "laws: {steel: {type: hertz, stiffness: 6e12 N/m^1.5, damping: 3e4 N*s/m, mu: 0.03, velocity: "
    "2 mm/s}}\n"
    "joints:\n"
    "  cvj: {type: cv_ball_joint, a: outer, b: inner, balls: 4, pcd: 110 mm, ball_radius: 11 mm, "
    "track_radius: 11.5 mm, contact_angle: 45 deg, track_alpha: 6 deg, track_beta: 4.8 deg, "
    "window_clearance: 6 um, law: steel, ball_mass: 45 g, cage_mass: 0.4 kg, cage_axial_inertia: "
    "1.2e-3 kg*m^2, cage_transverse_inertia: 6.5e-4 kg*m^2, housing: ground, cage_stiffness: 1e5 "
    "N/m, cage_damping: 200 N*s/m, cage_spin_damping: 0.5 N*m*s/rad}\n"
    "measures:\n"
    "  stroke: {of: \"cvj.stroke[0]\", take: final}\n"
    "  force: {of: cvj.track_force_max, take: max}\n"
    "analysis: {duration: 20 us, output_step: 20 us, step: 10 us}\n";

static const char driveline[] =
    "format: 1\n"
    "bodies:\n"
    "  input: {type: rotor, inertia: 0.014 kg*m^2, rate: 100 rad/s}\n"
    "  shaft: {type: rotor, inertia: 0.012 kg*m^2, orientation: {axis: y, angle: 15 deg}, rate: "
    "100 rad/s}\n"
    "  output: {type: rotor, inertia: 0.012 kg*m^2, rate: 100 rad/s}\n"
    "defaults:\n"
    "  universal_clearance_joint: {bend: 15 deg, arm: 40 mm, pin_radius: 20 mm, cross_mass: 1 kg, "
    "cross_inertia: [1.1e-3 kg*m^2, 1.1e-3 kg*m^2, 2e-3 kg*m^2], law: steel}\n"
    "joints:\n"
    "  one: {type: universal_clearance_joint, fidelity: spatial, a: input, b: shaft, clearance_a: "
    "50 um}\n"
    "  two: {type: universal_clearance_joint, fidelity: reduced, a: shaft, b: output, clearance_a: "
    "50 um}\n"
    "forces: {engine: {type: actuator, coordinate: input.angle, force: 50 N*m}}\n"
    "laws: {steel: {type: signorini, mu: 0.1, restitution_normal: 0.4, restitution_tangential: "
    "0.4}}\n"
    "measures:\n"
    "  play: {of: one.delta_a, take: final}\n"
    "  hits: {of: two.impacts_a, take: final}\n"
    "analysis: {duration: 0.6 ms, output_step: 0.2 ms, step: 20 us, stepper: moreau}\n";

/* Driven, so that it has sections by time and by event. */
static const char swing[] =
    "format: 1\n"
    "bodies: {mass: {type: rotor, inertia: 1 kg*m^2, angle: 1 rad}}\n"
    "forces: {all: {type: actuator, coordinate: mass.angle, force: (0.5*cos(1.2 rad/s * t) - "
    "mass.angle/(1 rad)) * 1 N*m}}\n"
    "analysis: {duration: 10 s, step: 0.1 s}\n";

static outcome go_run(const char *text, bool print) {
  outcome o = {0};
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (model) {
    hk_run_report report;
    o.done = hk_run(model, NULL, &report, &diag) == HK_OK;
    err = report.error;
    if (print && !o.done) print_message("%s\n", report.error.text);
    for (int i = 0; i < report.n_measures && i < MOST_MEASURES; i++)
      o.value[i] = report.measure[i].value;
    hk_run_report_free(&report);
  }
  o.told = told(&err, &diag);
  for (int i = 0; print && i < diag.n; i++)
    print_message("%s:%d: %s\n", diag.message[i].place.file, diag.message[i].place.line,
                  diag.message[i].text);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return o;
}

/* Oscillator with a massless bead, a motion, a redundant joint and a free body: equilibrium, linear
 * equations, modes by all three methods, state space. */
static const char oscillator[] =
    "format: 1\n"
    "bodies:\n"
    "  base: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
    "  bead: {mass: 0 kg, position: [0, 0, 1 m]}\n"
    "  cart: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, 2.1 m]}\n"
    "  stone: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0]}\n"
    "joints:\n"
    "  a: {type: prismatic, b: base, axis: z}\n"
    "  b: {type: prismatic, b: bead, at: [0, 0, 1 m], axis: z}\n"
    "  c: {type: prismatic, b: cart, at: [0, 0, 2.1 m], axis: z}\n"
    "  d: {type: point_on_line, b: cart, at: [0, 0, 2.1 m], axis: z}\n"
    "forces:\n"
    "  k0: {type: spring_damper, a: base, b: bead, stiffness: 300 N/m, length: 1 m}\n"
    "  k1: {type: spring_damper, a: bead, b: cart, stiffness: 100 N/m, length: 1 m}\n"
    "  c: {type: spring_damper, a: base, b: cart, stiffness: 0 N/m, damping: 4 N*s/m, length: 2 "
    "m}\n"
    "  push: {type: load, b: cart, force: [0, 0, 0 N]}\n"
    "motions: {road: {coordinate: a.displacement, value: 0 m}}\n"
    "sensors: {up: {value: cart.z}}\n";

static hk_status analyse(hk_sim *sim, outcome *o, hk_diag *diag, hk_error *err) {
  hk_status status = HK_OK;
  for (int way = 0; way < 3 && !status; way++) {
    const hk_linear_options l = {.dense_limit = way ? 1 : 0};
    const hk_modes_options m = {.project_limit = way == 2 ? -1 : 0};
    hk_linear *linear = NULL;
    hk_modes modes = {0};
    hk_state_space space = {0};
    status = hk_linear_create(sim, &l, &linear, diag, err);
    if (!status) status = hk_modes_solve(linear, &m, &modes, err);
    if (!status) o->value[way] = modes.mode[modes.n - 1].im;
    if (!status && way == 0) status = hk_linear_state_space(linear, NULL, 0, &space, err);
    if (!status && way == 0) o->value[3] = space.B[space.inputs * (space.n / 2) - 1];
    hk_state_space_free(&space);
    hk_modes_free(&modes);
    hk_linear_destroy(linear);
  }
  return status;
}

static outcome go_linear(const char *text, bool print) {
  outcome o = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_error err = {0};
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_sim *sim = NULL;
  hk_static_report report;
  if (model) {
    hk_status status = hk_static_solve(model, NULL, &sim, &report, &diag, &err);
    if (!status) status = analyse(sim, &o, &diag, &err);
    o.done = status == HK_OK;
  }
  o.told = told(&err, &diag);
  if (print && !o.done) print_message("%s\n", err.text);
  hk_sim_destroy(sim);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return o;
}

/* Sections by time with a second trajectory, sections by event from random starts, and the comparison of
 * attractors. */
static hk_status orbits(const hk_model *model, outcome *o, hk_diag *diag, hk_error *err) {
  const int channel[] = {hk_model_channel_find(model, "mass.angle"),
                         hk_model_channel_find(model, "mass.angle_rate")};
  const hk_orbit_options timed = {.section = {.period = 0.5},
                                  .channel = channel,
                                  .n_channels = 2,
                                  .skip = 1,
                                  .points = 4,
                                  .lyapunov = true};
  hk_orbit_options event = timed;
  event.section = (hk_section){.channel = channel[0], .modulo = 0.1};
  event.lyapunov = false;
  const hk_spread spread = {.angle = 0.1};
  hk_orbit orbit[2] = {0};
  int same[2];
  hk_status status = hk_orbit_run(model, &timed, &orbit[0], diag, err);
  if (!status) status = hk_orbit_run_scattered(model, &event, &spread, 1, 0, &orbit[1], diag, err);
  int n = status ? 0 : hk_orbit_classify(orbit, 2, NULL, 1e-3, same);
  if (n < 0) status = hk_fail(err, (hk_status)n, "not told apart");
  if (!status) {
    o->value[0] = orbit[0].point[7];
    o->value[1] = orbit[0].exponent.per_section;
    o->value[2] = orbit[1].point[7];
    o->value[3] = n;
  }
  for (int i = 0; i < 2; i++) hk_orbit_free(&orbit[i]);
  return status;
}

static outcome go_orbits(const char *text, bool print) {
  outcome o = {0};
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (model) o.done = orbits(model, &o, &diag, &err) == HK_OK;
  o.told = told(&err, &diag);
  if (print && !o.done) print_message("%s\n", diag.n ? diag.message[0].text : err.text);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return o;
}

/* Scratch of the contact solvers: allocated, or NULL. */
static outcome go_scratch(const char *text, bool print) {
  (void)text, (void)print;
  outcome o = {.done = true};
  for (int dim = 2; dim <= 3; dim++) {
    hk_contact_work *contact = hk_contact_work_create(dim, 3, 2, 0);
    hk_lemke_work *lemke = hk_lemke_work_create(20);
    o.done = o.done && contact && lemke;
    hk_contact_work_free(contact);
    hk_lemke_work_free(lemke);
  }
  o.told = !o.done;
  return o;
}

static void test_chain_one(void **state) { (void)state, every_allocation(go_run, chain, false); }
static void test_chain_all_later(void **state) {
  (void)state, every_allocation(go_run, chain, true);
}
static void test_tried_one(void **state) { (void)state, every_allocation(go_run, tried, false); }
static void test_tried_all_later(void **state) {
  (void)state, every_allocation(go_run, tried, true);
}
static void test_even_one(void **state) { (void)state, every_allocation(go_run, even, false); }
static void test_even_all_later(void **state) { (void)state, every_allocation(go_run, even, true); }
static void test_loops_one(void **state) { (void)state, every_allocation(go_run, loops, false); }
static void test_loops_all_later(void **state) {
  (void)state, every_allocation(go_run, loops, true);
}

static void test_impacts(void **state) { (void)state, every_allocation(go_run, impacts, false); }

static void test_events_one(void **state) { (void)state, every_allocation(go_run, events, false); }
static void test_events_all_later(void **state) {
  (void)state, every_allocation(go_run, events, true);
}
static void test_cv_joint_one(void **state) {
  (void)state, every_allocation(go_run, cv_joint, false);
}
static void test_cv_joint_all_later(void **state) {
  (void)state, every_allocation(go_run, cv_joint, true);
}
static void test_driveline_one(void **state) {
  (void)state, every_allocation(go_run, driveline, false);
}
static void test_driveline_all_later(void **state) {
  (void)state, every_allocation(go_run, driveline, true);
}
static void test_orbits_one(void **state) {
  (void)state, every_allocation(go_orbits, swing, false);
}
static void test_orbits_all_later(void **state) {
  (void)state, every_allocation(go_orbits, swing, true);
}
static void test_scratch(void **state) { (void)state, every_allocation(go_scratch, NULL, false); }

static void test_linear_one(void **state) {
  (void)state, every_allocation(go_linear, oscillator, false);
}
static void test_linear_all_later(void **state) {
  (void)state, every_allocation(go_linear, oscillator, true);
}

/* A model built by calls with unknown names: suggestions need memory too. */
static void build(hk_error *err) {
  hk_spec *spec = hk_spec_create();
  if (!spec) return;
  hk_item *bob = hk_spec_add(spec, HK_BODY, "point_mass", "bob", err);
  if (bob) {
    hk_item_real(bob, "mas", 1, err);
    hk_item_real(bob, "mass", 1, err);
    hk_spec_marker(spec, bob, "tip", hk_v3(0, 0, 0), hk_quat_identity(), err);
  }
  hk_spec_add(spec, HK_BODY, "point_mas", "other", err);
  hk_item *load = hk_spec_add(spec, HK_FORCE, "load", "push", err);
  if (load) {
    hk_item_text(load, "b", "bob", err);
    hk_item_expression(load, "force", 0, "1 N * cos(1 rad/s * t)", err);
    hk_item_expression(load, "force", 1, "1 N * cos(", err);
  }
  hk_spec_destroy(spec);
}

static void test_setters(void **state) {
  (void)state;
  hk_error err;
  long before = live;
  fail_at = 0;
  n_allocations = 0;
  build(&err);
  long total = n_allocations;
  assert_int_equal(live, before);
  for (long n = 1; n <= total; n++) {
    n_allocations = 0;
    fail_at = n;
    build(&err);
    fail_at = 0;
    assert_int_equal(live, before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_one),     cmocka_unit_test(test_chain_all_later),
      cmocka_unit_test(test_tried_one),     cmocka_unit_test(test_tried_all_later),
      cmocka_unit_test(test_even_one),      cmocka_unit_test(test_even_all_later),
      cmocka_unit_test(test_loops_one),     cmocka_unit_test(test_loops_all_later),
      cmocka_unit_test(test_linear_one),    cmocka_unit_test(test_linear_all_later),
      cmocka_unit_test(test_events_one),    cmocka_unit_test(test_events_all_later),
      cmocka_unit_test(test_cv_joint_one),  cmocka_unit_test(test_cv_joint_all_later),
      cmocka_unit_test(test_driveline_one), cmocka_unit_test(test_driveline_all_later),
      cmocka_unit_test(test_orbits_one),    cmocka_unit_test(test_orbits_all_later),
      cmocka_unit_test(test_impacts),       cmocka_unit_test(test_scratch),
      cmocka_unit_test(test_setters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
