/* Contacts from the file to their channels: rejected input, a ball at rest on a plane against the closed form,
 * sensors of quantities known only at output. */
#include "linear_case.h"

/* K = 1e9 N/m^1.5 under 8 N: depth (8e-9)^(2/3) = 4e-6 m, stiffness 1.5 K sqrt(depth) = 3e6 N/m. */
static const char BALL[] =
    "format: 1\n"
    "bodies:\n"
    "  ball: {type: sphere, radius: 1 cm, mass: 3 kg, position: [0, 0, 9.996 mm]}\n"
    "  p: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
    "  r: {type: rotor, inertia: 1 kg*m^2}\n"
    "joints: {rail: {type: prismatic, b: ball, at: [0, 0, 0], axis: z}, pin: {type: fixed, b: r}}\n"
    "laws:\n"
    "  steel: {type: hertz, stiffness: 1e9 N/m^1.5, mu: 0.1}\n"
    "  rigid: {type: signorini}\n"
    "forces:\n"
    "  push: {type: load, b: ball, force: [0, 0, %s]}\n"
    "  hold: {type: spring_damper, b: p, stiffness: 1 N/m, length: 1 m}\n"
    "contacts:\n"
    "  rest: {type: sphere_on_plane, a: ground, b: ball, law: steel, radius: 1 cm}\n"
    "%s";

static const char *with(const char *push, const char *more) {
  static char text[2000];
  snprintf(text, sizeof text, BALL, push, more);
  return text;
}

/* There is a message with a line of the file that contains the words. */
static void refused(const char *push, const char *more, const char *word, const char *other) {
  const char *text = with(push, more);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (m) fail_msg("this was accepted: %s%s", push, more);
  bool said = false;
  for (int i = 0; i < diag.n; i++) {
    const hk_diag_message *x = &diag.message[i];
    said = said || (x->place.line > 0 && strstr(x->text, word) && strstr(x->text, other));
  }
  if (!said) print_messages(&diag);
  if (!said) fail_msg("nothing said '%s' and '%s' about: %s%s", word, other, push, more);
  hk_diag_free(&diag);
}

static void names_and_frames(void **state) {
  (void)state;
  refused("-8 N", "  x: {type: sphere_on_plane, a: ground, b: p, law: stele, radius: 1 cm}\n",
          "there is no law 'stele'", "did you mean 'steel'?");
  refused("-8 N", "  x: {type: sphere_on_plane, a: ground, b: bal, law: steel, radius: 1 cm}\n",
          "no body or marker 'bal'", "did you mean 'ball'?");
  refused("-8 N", "  x: {type: sphere_on_plane, a: ball, b: ball, law: steel, radius: 1 cm}\n",
          "same body", "contact 'x'");
  refused("-8 N", "  x: {type: sphere_on_plane, a: ground, b: p, radius: 1 cm}\n", "needs 'law'",
          "'x'");
  refused(
      "-8 N",
      "  x: {type: universal_clearance, a: ground, b: r, law: steel, angle: 20 deg, arm: 2 cm,\n"
      "      pin_radius: 5 mm, clearance: 10 um}\n",
      "needs a set-valued law", "'steel' (hertz)");
}

static void forces_do_not_read_what_is_recorded(void **state) {
  (void)state;
  static const char *const read[] = {
      "energy.kinetic/(1 m)", "rest.normal_force", "rail.fx",
      "ball.load_fz",         "ball.az*1 kg",      "rail.displacement_acc*1 kg"};
  for (size_t i = 0; i < sizeof read / sizeof *read; i++)
    refused(read[i], "", "can be recorded but not used in a force", "'push'");
  refused("s", "sensors: {s: {value: rest.normal_force}}\n", "reads 's'", "recorded");
  refused("u", "sensors: {s: {value: rest.normal_force}, u: {value: 2*s}}\n", "reads 'u'",
          "recorded");
}

/* A sensor that is redefined after a force has used it. */
static void the_last_value_of_a_sensor_counts(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  set_real(add_item(spec, HK_BODY, "point_mass", "p"), "mass", 1);
  hk_item *first = add_item(spec, HK_SENSOR, "expression", "first");
  set_expr(first, "value", 0, "energy.kinetic");
  hk_item *s = add_item(spec, HK_SENSOR, "expression", "s");
  set_expr(s, "value", 0, "2 J");
  hk_item *load = add_item(spec, HK_FORCE, "load", "f");
  set_text(load, "b", "p");
  set_expr(load, "force", 0, "s/(1 m)");
  set_expr(s, "value", 0, "energy.kinetic");
  hk_diag diag;
  hk_diag_init(&diag);
  assert_null(hk_model_compile(spec, &diag));
  assert_non_null(strstr(diag.message[0].text, "reads 's', which can be recorded"));
  hk_diag_free(&diag);
}

static void sensors_in_order(void **state) {
  (void)state;
  refused("-8 N", "sensors: {s: {value: u + 1 m}, u: {value: ball.z}}\n", "unknown name 'u'",
          "has no value yet");
  refused("-8 N", "sensors: {s: {value: 2*s}}\n", "unknown name 's'", "has no value yet");
  /* Names that can be checked only in the compiled model. */
  refused("-8 N", "sensors: {s: {value: rest.pressure}}\n", "sensor 's': reads 'rest.pressure'",
          "does not have");
  refused("-8 N", "sensors: {s: {value: rest.left.gap}}\n", "sensor 's': reads 'rest.left.gap'",
          "does not have");
}

static void a_ball_at_rest(void **state) {
  (void)state;
  solution s;
  at_rest(&s, with("-8 N",
                   "sensors:\n"
                   "  press: {value: rest.normal_force + rest.fz}\n"
                   "  twice: {value: 2*press + ball.load_fz}\n"
                   "  pull: {value: ball.az*1 kg + rail.displacement_acc*2 kg}\n"
                   "  high: {value: ball.z}\n"));
  assert_near(channel(s.sim, s.model, "rest.gap"), -4e-6, 1e-15, "gap");
  assert_near(channel(s.sim, s.model, "rest.normal_force"), 8, 1e-9, "pressing force");
  assert_near(channel(s.sim, s.model, "ball.load_fz"), 0, 1e-9, "sum of the forces");
  assert_near(channel(s.sim, s.model, "twice"), 32, 1e-9, "sensor of a sensor");
  assert_near(channel(s.sim, s.model, "pull"), 0, 1e-9, "acceleration");
  assert_has(&s, 0, 1000, 1);
  /* A state space contains the sensors that it supports; a request for another one is rejected with the
   * reason. */
  hk_state_space space;
  if (hk_linear_state_space(s.linear, NULL, 0, &space, &s.err)) fail_msg("%s", s.err.text);
  int high = 0;
  for (int i = 0; i < space.outputs; i++) {
    const char *name = hk_model_channel_name(s.model, space.output[i]);
    assert_string_not_equal(name, "press");
    assert_string_not_equal(name, "twice");
    high += strcmp(name, "high") == 0;
  }
  assert_int_equal(high, 1);
  hk_state_space_free(&space);
  int press = hk_model_channel_find(s.model, "twice");
  assert_int_equal(hk_linear_state_space(s.linear, &press, 1, &space, &s.err), HK_EINPUT);
  assert_non_null(strstr(s.err.text, "'twice' cannot be an output"));
  release(&s);
}

static const char ON_RIGID[] =
    "format: 1\n"
    "bodies: {ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [0, 0, %s]}}\n"
    "forces:\n"
    "  g: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "  s: {type: bushing, b: ball, stiffness: [1 kN/m, 1 kN/m, %s]}\n"
    "laws: {rigid: {type: signorini}}\n"
    "contacts: {rest: {type: sphere_on_plane, a: ground, b: ball, law: rigid, radius: 1 cm}}\n";

/* A set-valued contact has no stiffness: the equilibrium search keeps it closed without penetration, and
 * linearisation rejects it. */
static void rigid_contacts_at_rest(void **state) {
  (void)state;
  static const struct {
    const char *z, *stiffness, *word;
    hk_status status;
  } c[] = {
      {"1 cm", "1 kN/m", "contact 'rest' is closed", HK_EINPUT}, /* else z = -1 cm */
      {"1 cm", "0 N/m", "set-valued laws exert no force", HK_EFAIL},
  };
  char text[800];
  solution s;
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, ON_RIGID, c[i].z, c[i].stiffness);
    hk_status status = try_static(&s, text, false);
    if (!status || !strstr(s.err.text, c[i].word)) fail_msg("case %d: %s", i, s.err.text);
    assert_int_equal(status, c[i].status);
    assert_null(s.sim);
    release(&s);
  }
  /* An open contact has no effect: a ball on a spring from a marker at 5 cm comes to rest at 4 cm. */
  static const char open[] =
      "format: 1\n"
      "bodies:\n"
      "  ground: {markers: {hook: [0, 0, 5 cm]}}\n"
      "  ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [0, 0, 2 cm]}\n"
      "forces:\n"
      "  g: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
      "  s: {type: bushing, a: ground.hook, b: ball, stiffness: [1 kN/m, 1 kN/m, 1 kN/m]}\n"
      "laws: {rigid: {type: signorini}}\n"
      "contacts: {rest: {type: sphere_on_plane, a: ground, b: ball, law: rigid, radius: 1 cm}}\n";
  at_rest(&s, open);
  assert_near(channel(s.sim, s.model, "ball.z"), 0.04, 1e-12, "height");
  assert_has(&s, 0, sqrt(1000), 3);
  release(&s);
}

/* Each sensor depends on the two before it: there are 1e12 paths from the last one to the ball. */
static void sensors_that_branch(void **state) {
  (void)state;
  char more[3000] = "sensors:\n  f0: {value: ball.z}\n  f1: {value: ball.z}\n";
  for (int i = 2; i < 60; i++) {
    char one[60];
    snprintf(one, sizeof one, "  f%d: {value: (f%d + f%d)/2}\n", i, i - 1, i - 2);
    strcat(more, one);
  }
  solution s;
  static char text[5000];
  snprintf(text, sizeof text, BALL, "-8 N", more);
  at_rest(&s, text);
  int output = hk_model_channel_find(s.model, "f59");
  hk_state_space space;
  if (hk_linear_state_space(s.linear, &output, 1, &space, &s.err)) fail_msg("%s", s.err.text);
  double size = 0;
  for (int i = 0; i < space.n; i++) size = fmax(size, fabs(space.C[i]));
  assert_near(size, 1, 1e-12, "f59 by the height");
  hk_state_space_free(&space);
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_frames),
      cmocka_unit_test(forces_do_not_read_what_is_recorded),
      cmocka_unit_test(the_last_value_of_a_sensor_counts),
      cmocka_unit_test(sensors_in_order),
      cmocka_unit_test(a_ball_at_rest),
      cmocka_unit_test(rigid_contacts_at_rest),
      cmocka_unit_test(sensors_that_branch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
