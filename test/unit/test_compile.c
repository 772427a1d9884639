/* Compilation: each error once, with the words of its message; and properties of a compiled model. */
#include "support/subject.h"

/* The text does not compile, and there is a message that contains all of the words. */
static void assert_refused(const char *items, const char *word, const char *word2) {
  static const char bodies[] =
      "format: 1\n"
      "bodies:\n"
      "  ground: {markers: {m: {at: [0, 0, 0]}}}\n"
      "  a: {type: sphere, radius: 0.1 m, mass: 1 kg, markers: {tip: {at: [0, 1 m, 0]}}}\n"
      "  b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1 m, 0, 0]}\n"
      "  p: {type: point_mass, mass: 1 kg, position: [0, 2 m, 0]}\n"
      "  r: {type: rotor, inertia: 1 kg*m^2}\n"
      "  s: {type: rotor, inertia: 1 kg*m^2}\n";
  char text[4096];
  snprintf(text, sizeof text, "%s%s", bodies, items);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (m) fail_msg("this was accepted: %s", items);
  assert_true(diag.n_errors >= 1);
  bool said = false;
  for (int i = 0; i < diag.n; i++)
    said = said || (strstr(diag.message[i].text, word) && strstr(diag.message[i].text, word2));
  if (!said) print_messages(&diag);
  if (!said) fail_msg("nothing said '%s' and '%s' about: %s", word, word2, items);
  hk_diag_free(&diag);
}

static void frames(void **state) {
  (void)state;
  assert_refused("joints: {j: {type: revolute, a: a, b: a.tip}}\n", "same body", "'j'");
  assert_refused("joints: {j: {type: revolute, b: ground.m}}\n", "same body", "'j'");
  assert_refused("joints: {j: {type: revolute, a: a}}\n", "needs 'b'", "'j'");
  assert_refused("joints: {j: {type: revolute, a: a, b: b, axis: z, x_axis: -z}}\n", "parallel",
                 "'j'");
  assert_refused("forces: {f: {type: spring_damper, a: a, b: a.tip, length: 1 m}}\n", "same body",
                 "'f'");
  assert_refused("forces: {f: {type: spring_damper, a: ground.m, b: a, length: 1 m}}\n",
                 "same point", "'f'");
}

static void points_have_no_orientation(void **state) {
  (void)state;
  static const char *const needs[] = {"fixed",  "revolute",  "prismatic",        "cylindrical",
                                      "planar", "universal", "constant_velocity"};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    char text[200];
    snprintf(text, sizeof text, "joints: {j: {type: %s, a: a, b: p}}\n", needs[i]);
    assert_refused(text, "orientation", "'p'");
  }
  assert_refused("joints: {j: {type: spherical, a: a, b: p, at: [1 m, 1 m, 1 m]}}\n", "offset",
                 "'p'");
  assert_refused("joints: {j: {type: spherical, a: p, b: a, at: [1 m, 1 m, 1 m]}}\n", "offset",
                 "'p'");
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_spec_create();
  hk_item *p = add_item(spec, HK_BODY, "point_mass", "p");
  set_real(p, "mass", 1);
  MUST(hk_spec_marker(spec, p, "m", hk_v3(1, 0, 0), hk_quat_identity(), err));
  assert_null(hk_model_compile(spec, &diag));
  assert_non_null(strstr(diag.message[0].text, "no orientation"));
  hk_diag_free(&diag);
}

static void coordinates(void **state) {
  (void)state;
  static const char hinge[] =
      "joints: {hinge: {type: revolute, a: a, b: b, at: [0, 0, 0]}, arm: {type: cylindrical, b: a, "
      "at: [0, 0, 0]}, ball: {type: spherical, b: b, at: [0, 0, 0]}}\n";
  char text[800];
#define WITH(more) (snprintf(text, sizeof text, "%s%s", hinge, more), text)
  assert_refused(WITH("motions: {m: {coordinate: hinge.angel, value: 1 rad}}\n"), "did you mean",
                 "hinge.angle");
  assert_refused(WITH("motions: {m: {coordinate: arm, value: 1 rad}}\n"), "several coordinates",
                 "'arm'");
  assert_refused(WITH("motions: {m: {coordinate: ball, value: 1 rad}}\n"), "no free coordinate",
                 "'ball'");
  assert_refused(WITH("motions: {m: {coordinate: nowhere.x, value: 1 rad}}\n"), "no coordinate",
                 "nowhere.x");
  assert_refused(WITH("motions: {m: {coordinate: hinge.angle, value: \"arm.angle * 2\"}}\n"),
                 "time t only", "'m'");
  assert_refused(
      WITH("motions: {m: {coordinate: hinge.angle, value: \"t * 1 rad/s + arm.angle\"}}\n"),
      "time t only", "'m'");
  assert_refused(WITH("forces: {f: {type: joint_friction, joint: hinge, mu: 0.1, radius: 1 m, "
                      "coordinate: arm.angle}}\n"),
                 "not a coordinate of joint", "'hinge'");
  assert_refused(WITH("forces: {f: {type: joint_friction, joint: arm, mu: 0.1}}\n"),
                 "several coordinates", "'arm'");
  assert_refused(WITH("forces: {f: {type: torsion_spring, a: r, b: a, stiffness: 1 N*m/rad}}\n"),
                 "rotor", "'f'");
  assert_refused(
      WITH("forces: {f: {type: torsion_spring, coordinate: arm.displacement, stiffness: 1 "
           "N*m/rad}}\n"),
      "is a length", "'arm.displacement'");
#undef WITH
  assert_refused(
      "joints: {g: {type: gear, first: r, second: s, ratio: 2}}\n"
      "forces: {f: {type: joint_friction, joint: g, coordinate: r.angle, mu: 0.1, radius: 1 "
      "m}}\n",
      "has no reaction between bodies", "'g'");
  assert_refused("joints: {g: {type: gear, first: r, second: s, ratio: 0}}\n", "must not be 0",
                 "'g'");
  assert_refused("joints: {g: {type: gear, first: r, second: s, ratio: 1, b: a}}\n", "it has no 'b'",
                 "'g'");
  assert_refused("joints: {j: {type: distance, a: ground, b: a}}\n", "coincide", "'j'");
}

static void names(void **state) {
  (void)state;
  /* A marker, joint or sensor with channels of the same name. */
  assert_refused("joints: {a: {type: point_on_plane, b: b}}\n", "channel name 'a.x' is not unique", "rename");
  assert_refused("sensors: {time: {type: distance, a: a, b: b}}\n", "is not unique", "'time'");
  assert_refused("sensors: {s: {value: \"r.x\"}}\n", "r.x", "r.x");
  assert_refused("sensors: {s: {value: \"p.wx\"}}\n", "p.wx", "p.wx");
}

/* Sensors may depend on each other, but not in a cycle. */
static void circular_sensors(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  hk_item *body = add_item(spec, HK_BODY, "point_mass", "p");
  set_real(body, "mass", 1);
  hk_item *one = add_item(spec, HK_SENSOR, "expression", "one");
  hk_item *two = add_item(spec, HK_SENSOR, "expression", "two");
  set_expr(one, "value", 0, "p.x");
  set_expr(two, "value", 0, "2 * one");
  set_expr(one, "value", 0, "two + 1 m");
  hk_item *load = add_item(spec, HK_FORCE, "load", "f");
  set_text(load, "b", "p");
  set_expr(load, "force", 0, "one * (1 N/m)");
  hk_diag diag;
  hk_diag_init(&diag);
  assert_null(hk_model_compile(spec, &diag));
  assert_non_null(strstr(diag.message[0].text, "sensor 'one'"));
  hk_diag_free(&diag);
}

static void too_many_channels_in_a_force(void **state) {
  (void)state;
  char text[1000] = "forces: {f: {type: load, b: a, force: [\"1 N/m * (0 m";
  for (int i = 0; i < 17; i++) strcat(text, i % 2 ? " + a.x" : " + b.y * (1 + a.z/(1 m))");
  strcat(text, ")\", \"1 N/m * (p.x + p.y)\", \"1 N/m * p.z * sin(r.angle)\"]}}\n");
  /* Channels are counted once per expression, so this is within the limit ... */
  char whole[2000];
  snprintf(
      whole, sizeof whole,
      "format: 1\nbodies:\n  a: {type: point_mass, mass: 1 kg}\n  b: {type: point_mass, mass: 1 "
      "kg}\n  p: {type: point_mass, mass: 1 kg}\n  r: {type: rotor, inertia: 1 kg*m^2}\n%s",
      text);
  hk_model_destroy(model_of(whole));
  /* ... and eighteen different ones exceed it. */
  strcpy(text, "forces: {f: {type: load, b: a, force: [");
  static const char *const body[] = {"a", "b", "p"};
  for (int c = 0; c < 3; c++) {
    strcat(text, c ? ", \"0 N" : "\"0 N");
    for (int i = 0; i < 6; i++) {
      char one[80];
      snprintf(one, sizeof one, " + 1 N * sin(1 rad * %s.%s/(1 m%s))", body[c],
               (const char *[]){"x", "y", "z", "vx", "vy", "vz"}[i], i < 3 ? "" : "/s");
      strcat(text, one);
    }
    strcat(text, "\"");
  }
  strcat(text, "]}}\n");
  assert_refused(text, "more than 16", "'f'");
}

/* Each sensor depends on the two before it, so that evaluating the last one by recursion would take 1e12
 * evaluations of p.x. */
static void sensors_that_branch(void **state) {
  (void)state;
  char text[4000] = "sensors:\n  f0: {value: p.x}\n  f1: {value: p.y}\n";
  for (int i = 2; i < 60; i++) {
    char one[60];
    snprintf(one, sizeof one, "  f%d: {value: f%d + f%d}\n", i, i - 1, i - 2);
    strcat(text, one);
  }
  strcat(text, "forces: {f: {type: load, b: p, force: [\"f59 * 1 N/m\", 0 N, 0 N]}}\n");
  assert_refused(text, "more than 16", "'f'");
}

/* Every angle of a joint accepts a radius, whatever the name of the angle. */
static void friction_of_a_cross(void **state) {
  (void)state;
  assert_refused(
      "joints: {u: {type: universal, a: a, b: b, at: [0, 0, 0]}}\n"
      "forces: {f: {type: joint_friction, joint: u, coordinate: u.angle_b, mu: 0.1}}\n",
      "give the radius", "'f'");
  assert_refused(
      "joints: {u: {type: planar, a: a, b: b, at: [0, 0, 0]}}\n"
      "forces: {f: {type: joint_friction, joint: u, coordinate: u.y, mu: 0.1, radius: 1 m}}\n",
      "must not have a radius", "'f'");
}

static void a_model_has_the_expected_sizes(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "title: sizes\n"
      "bodies:\n"
      "  a: {type: sphere, radius: 0.1 m, mass: 1 kg}\n"
      "  p: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
      "  r: {type: rotor, inertia: 1 kg*m^2}\n"
      "joints:\n"
      "  hinge: {type: revolute, b: a, at: [0, 0, 0]}\n"
      "  rod: {type: distance, a: a, b: p}\n"
      "  mesh: {type: gear, first: r.angle, second: hinge.angle, ratio: -2}\n");
  assert_string_equal(hk_model_title(m), "sizes");
  assert_int_equal(hk_model_velocity_count(m), 6 + 3 + 1);
  assert_int_equal(hk_model_constraint_count(m), 5 + 1 + 1);
  assert_int_equal(m->nq, 7 + 3 + 1);
  assert_int_equal(m->n_turns, 1);
  assert_false(m->massless);
  char row[256];
  hk_model_row_text(m, 5, row, sizeof row);
  assert_string_equal(row, "joint 'rod' (distance), length");
  assert_int_equal(hk_model_channel_find(m, "time"), 0);
  assert_int_equal(hk_model_channel_find(m, "no such channel"), -1);
  assert_null(hk_model_channel_name(m, -1));
  assert_null(hk_model_channel_unit(m, hk_model_channel_count(m)));
  hk_model_destroy(m);
  hk_model_destroy(NULL);
}

/* Earlier errors in a diag do not affect a new compilation. */
static void older_errors_do_not_matter(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\n"
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2}, s: {type: rotor, inertia: 1 kg*m^2}}\n"
      "joints: {mesh: {type: gear, first: r, second: s, ratio: 2}}\n";
  hk_diag diag;
  hk_diag_init(&diag);
  hk_diag_add(&diag, HK_ERROR, NULL, "something else");
  hk_diag own;
  hk_diag_init(&own);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &own);
  assert_non_null(spec);
  hk_model *m = hk_model_compile(spec, &diag);
  assert_non_null(m);
  assert_int_equal(m->constraint[0].n_terms, 2);
  assert_int_equal(m->constraint[0].n_ports, 4);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  hk_diag_free(&own);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames),
      cmocka_unit_test(points_have_no_orientation),
      cmocka_unit_test(coordinates),
      cmocka_unit_test(names),
      cmocka_unit_test(circular_sensors),
      cmocka_unit_test(too_many_channels_in_a_force),
      cmocka_unit_test(sensors_that_branch),
      cmocka_unit_test(friction_of_a_cross),
      cmocka_unit_test(older_errors_do_not_matter),
      cmocka_unit_test(a_model_has_the_expected_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
