/* Every registered joint type over many steps: no drift.  The arm hangs on a ball joint, the joint
 * under test connects a second body to it, and undamped springs limit the motion.  Offsets and axes
 * are arbitrary.  Types that relate coordinates of other joints have a model of their own; a new
 * type of that kind fails this test until it has one.  100 000 steps, ten times as many with
 * HOOKE_LONG=1. */
#include "spec/type.h"
#include <hooke/element.h>
#include "verify/verify.h"
#include "registry/builtin.h"

/* Models of the types without frames; the joint under test is called `test`. */
static const struct recipe {
  const char *type, *text;
} recipe[] = {
    {"gear",
     "bodies:\n"
     "  p: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
     "  q: {type: rod, length: 0.5 m, mass: 2 kg, position: [1.25 m, 0, 0]}\n"
     "joints:\n"
     "  hp: {type: revolute, b: p, at: [0, 0, 0], axis: y}\n"
     "  hq: {type: revolute, a: p, b: q, at: [1 m, 0, 0], axis: y}\n"
     "  test: {type: gear, first: hp.angle, second: hq.angle, ratio: -0.7}\n"
     "forces: {g: {type: gravity}}\n"},
    {"rack",
     "bodies:\n"
     "  p: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
     "  q: {type: box, size: [0.1 m, 0.2 m, 0.3 m], mass: 2 kg, position: [0, 0.5 m, 0]}\n"
     "joints:\n"
     "  hp: {type: revolute, b: p, at: [0, 0, 0], axis: [0.2, 1, 0]}\n"
     "  sq: {type: prismatic, b: q, at: [0, 0.5 m, 0], axis: [1, 0.3, 0.1]}\n"
     "  test: {type: rack, pinion: hp.angle, rack: sq.displacement, radius: 0.2 m}\n"
     "forces: {g: {type: gravity}, s: {type: spring_damper, b: q, stiffness: 20 N/m, length: 0.1 "
     "m}}\n"},
    {"coupling",
     "bodies:\n"
     "  p: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}\n"
     "  q: {type: rod, length: 0.5 m, mass: 2 kg, position: [1.25 m, 0, 0]}\n"
     "  r: {type: rotor, inertia: 0.3 kg*m^2, rate: 4 rad/s}\n"
     "joints:\n"
     "  hp: {type: revolute, b: p, at: [0, 0, 0], axis: y}\n"
     "  hq: {type: revolute, a: p, b: q, at: [1 m, 0, 0], axis: y}\n"
     "  test: {type: coupling, terms: {hp.angle: 1, hq.angle: 0.5, r: -0.8}}\n"
     "forces: {g: {type: gravity}}\n"},
};

#define OK(call)                                   \
  do {                                             \
    if (call) fail_msg("%s: %s", #call, err.text); \
  } while (0)

static hk_item *add_body(hk_spec *s, const char *name, hk_vec3 at, hk_error *err) {
  hk_item *b = hk_spec_add(s, HK_BODY, "rigid_body", name, err);
  assert_non_null(b);
  static const double inertia[6] = {0.05, 0.08, 0.06, 0.005, -0.01, 0.004};
  assert_int_equal(hk_item_real(b, "mass", 1.3, err), 0);
  assert_int_equal(hk_item_reals(b, "inertia", inertia, 6, err), 0);
  assert_int_equal(hk_item_vec3(b, "position", at, err), 0);
  return b;
}

/* Every other required parameter of a type gets a small positive value. */
static void fill_required(hk_item *joint, hk_error *err) {
  int common;
  hk_category_params(HK_JOINT, &common);
  for (int i = common;; i++) {
    const hk_param *p = hk_type_param(joint->type, i);
    if (!p) return;
    if (!(p->flags & HK_REQUIRED)) continue;
    if (p->kind != HK_PARAM_REAL)
      fail_msg("joint type %s requires '%s': give test_every_joint.c a recipe for it",
               joint->type->name, p->name);
    assert_int_equal(hk_item_real(joint, p->name, 0.3, err), 0);
  }
}

static hk_spec *frame_model(const hk_type *type) {
  hk_error err = {0};
  hk_spec *s = hk_spec_create();
  assert_non_null(s);
  add_body(s, "arm", hk_v3(0.4, 0.1, -0.2), &err);
  hk_item *ball = hk_spec_add(s, HK_JOINT, "spherical", "ball", &err);
  OK(hk_item_text(ball, "b", "arm", &err));
  OK(hk_item_vec3(ball, "at", hk_v3(0, 0, 0), &err));
  hk_item *body = add_body(s, "body", hk_v3(0.9, -0.2, -0.1), &err);
  OK(hk_item_vec3(body, "angular_velocity", hk_v3(0.4, -0.3, 0.8), &err));
  hk_item *joint = hk_spec_add(s, HK_JOINT, type->name, "test", &err);
  assert_non_null(joint);
  if (strcmp(type->name, "distance") == 0 || strcmp(type->name, "revolute_spherical") == 0) {
    /* a link needs two distinct end points */
    OK(hk_spec_marker(s, hk_spec_find(s, HK_BODY, "arm"), "tip", hk_v3(0.2, 0, 0),
                      hk_quat_identity(), &err));
    OK(hk_item_text(joint, "a", "arm.tip", &err));
    OK(hk_item_text(joint, "b", "body", &err));
  } else {
    OK(hk_item_text(joint, "a", "arm", &err));
    OK(hk_item_text(joint, "b", "body", &err));
    OK(hk_item_vec3(joint, "at", hk_v3(0.7, 0.1, -0.25), &err));
    OK(hk_item_vec3(joint, "axis", hk_unit3(hk_v3(0.3, 0.5, 0.8)), &err));
  }
  fill_required(joint, &err);
  hk_item *spring = hk_spec_add(s, HK_FORCE, "spring_damper", "spring", &err);
  OK(hk_item_text(spring, "b", "body", &err));
  OK(hk_item_real(spring, "stiffness", 30, &err));
  OK(hk_item_real(spring, "length", 0.2, &err));
  /* Stiff enough that no joint folds over: if the axes of a homokinetic joint point in opposite
   * directions, the joint is singular, and its motion there depends on round-off. */
  hk_item *stiff = hk_spec_add(s, HK_FORCE, "bushing", "stiff", &err);
  OK(hk_item_text(stiff, "a", "arm", &err));
  OK(hk_item_text(stiff, "b", "body", &err));
  OK(hk_item_vec3(stiff, "torsion_stiffness", hk_v3(6, 6, 6), &err));
  assert_non_null(hk_spec_add(s, HK_FORCE, "gravity", "gravity", &err));
  return s;
}

static void open_model(vf_case *c, const hk_type *type) {
  *c = (vf_case){0};
  hk_diag_init(&c->diag);
  const hk_joint_ops *ops = type->ops;
  if (ops->frames) {
    vf_compile(c, frame_model(type));
  } else {
    const char *text = NULL;
    for (size_t i = 0; i < sizeof recipe / sizeof *recipe; i++)
      if (strcmp(recipe[i].type, type->name) == 0) text = recipe[i].text;
    if (!text) fail_msg("joint type %s needs a recipe in test_every_joint.c", type->name);
    hk_diag_free(&c->diag);
    vf_text(c, "%s", text);
  }
}

/* This motion folds a constant-velocity joint back on itself after some hundred seconds; at an
 * articulation angle of 180 degrees the constraint direction is undefined, and the run ends with a
 * message. */
static bool folds(const hk_type *type) { return strstr(type->name, "constant_velocity") != NULL; }

/* Steps of multistep methods are longer: a million of them are hours of simulated motion. */
static void drift_multistep(const hk_type *type, const char *stepper) {
  vf_case c;
  open_model(&c, type);
  vf_start(&c, &(hk_sim_options){.stepper = stepper});
  long steps = vf_long() ? 1000000 : 3000;
  double g = 0, e = 0, span = 0;
  int energy = vf_channel(&c, "energy.balance_error");
  for (long i = 1; i <= steps && !(folds(type) && hk_sim_time(c.sim) > 50); i++) {
    if (hk_sim_step(c.sim, 1e6, &c.err)) fail_msg("%s: %s", type->name, c.err.text);
    g = fmax(g, hk_sim_statistics(c.sim).constraint_error);
    if (i % 100) continue;
    e = fmax(e, fabs(hk_sim_value(c.sim, energy)));
    span = fmax(span, vf_value(&c, "energy.kinetic"));
  }
  assert_true(span > 1e-3); /* it moved */
  char name[80];
  snprintf(name, sizeof name, "%s, %ld steps of %s, %.0f s", type->name,
           hk_sim_statistics(c.sim).steps, stepper, hk_sim_time(c.sim));
  vf_bound("drift", name, "constraint error [m, rad]", g, 1e-10, "exact");
  vf_note("drift", name, "energy drift over largest kinetic energy", e / span, "conservation");
  vf_close(&c);
}

static void drift(const hk_type *type) {
  vf_case c;
  open_model(&c, type);
  const double h = 1e-3;
  vf_start(&c, &(hk_sim_options){.step = h});
  long steps = vf_long() && strcmp(type->name, "constant_velocity") ? 1000000 : 100000;
  int constraint = vf_channel(&c, "solver.constraint_error"),
      velocity = vf_channel(&c, "solver.velocity_error");
  int energy = vf_channel(&c, "energy.balance_error");
  double g = 0, gd = 0, e = 0, span = 0;
  for (long i = 1; i <= steps; i++) {
    if (hk_sim_step(c.sim, (double)steps * h * 2, &c.err))
      fail_msg("%s: %s", type->name, c.err.text);
    g = fmax(g, hk_sim_statistics(c.sim).constraint_error);
    if (i % 20) continue;
    g = fmax(g, hk_sim_value(c.sim, constraint));
    gd = fmax(gd, hk_sim_value(c.sim, velocity));
    e = fmax(e, fabs(hk_sim_value(c.sim, energy)));
    span = fmax(span, vf_value(&c, "energy.kinetic"));
  }
  assert_int_equal(hk_sim_statistics(c.sim).steps, steps);
  assert_true(span > 1e-3); /* it moved */
  char name[60];
  snprintf(name, sizeof name, "%s, %ld steps", type->name, steps);
  vf_bound("drift", name, "constraint error [m, rad]", g, 1e-10, "exact");
  vf_bound("drift", name, "velocity error [m/s, rad/s]", gd, 1e-6, "exact");
  vf_note("drift", name, "energy drift over largest kinetic energy", e / span, "conservation");
  vf_close(&c);
}

/* All except wheels, which test_rolling.c covers, and composite joints. */
static void for_every_joint(void (*check)(const hk_type *type)) {
  assert_true(hk_registry_count(hk_registry_builtin(), HK_JOINT) >= 15);
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_JOINT); i++) {
    const hk_type *type = hk_registry_at(hk_registry_builtin(), HK_JOINT, i);
    const hk_joint_ops *ops = type->ops;
    if (!ops->ground && !ops->expand) check(type);
  }
}

static void test_every_joint(void **state) {
  (void)state;
  for_every_joint(drift);
}

static void both_multistep(const hk_type *type) {
  drift_multistep(type, "bdf");
  drift_multistep(type, "adams");
}

static void test_multistep(void **state) {
  (void)state;
  for_every_joint(both_multistep);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_multistep),
                                     cmocka_unit_test(test_every_joint)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
