/* The test model that the subject is added to: four bodies, two points, two rotors, two bodies with a node from
 * outside the library if the registry has one, three joints and some sensors, at random positions. */
#include "conform/subject.h"
#include "node/node.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

const char *const HK_SIDE_A[] = {"first.m", "ground.m", "spot", "wheel.m", "other.m"};
const char *const HK_SIDE_B[] = {"second.m", "ground.n", "speck", "disc.m", "another.m"};

#define MUST(t, call)                                       \
  do {                                                      \
    hk_error must_error = {0}, *err = &must_error;          \
    if ((call) != HK_OK) hk_trial_fail(t, "%s", err->text); \
  } while (0)

hk_item *hk_world_add(hk_trial *t, hk_spec *spec, hk_category category, const char *type,
                      const char *name) {
  hk_error err = {0};
  hk_item *item = hk_spec_add(spec, category, type, name, &err);
  if (!item) hk_trial_fail(t, "%s", err.text);
  return item;
}
static void set_real(hk_trial *t, hk_item *item, const char *name, double value) {
  MUST(t, hk_item_real(item, name, value, err));
}
static void set_vec3(hk_trial *t, hk_item *item, const char *name, hk_vec3 value) {
  MUST(t, hk_item_vec3(item, name, value, err));
}
static void set_text(hk_trial *t, hk_item *item, const char *name, const char *value) {
  MUST(t, hk_item_text(item, name, value, err));
}
static void set_expr(hk_trial *t, hk_item *item, const char *name, int component,
                     const char *value) {
  MUST(t, hk_item_expression(item, name, component, value, err));
}

void hk_world_inertia(hk_trial *t, hk_item *body, double size) {
  /* I = tr(S) E - S with S positive definite, which is the inertia of some body */
  hk_mat3 A, S;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.m[i][j] = hk_random(t, -1, 1) + (i == j);
  S = hk_mat3_scale(size, hk_matmult(&A, &A));
  double trace = S.m[0][0] + S.m[1][1] + S.m[2][2];
  const double I[6] = {trace - S.m[0][0], trace - S.m[1][1], trace - S.m[2][2],
                       -S.m[0][1],        -S.m[0][2],        -S.m[1][2]};
  MUST(t, hk_item_reals(body, "inertia", I, 6, err));
}

static void place_body(hk_trial *t, hk_item *body) {
  const hk_body_ops *ops = body->type->ops;
  bool rotor = ops->node->axis; /* starts with a non-zero rate */
  set_vec3(t, body, "position", hk_random_vector(t, 1));
  MUST(t, hk_item_rotation(body, "orientation", hk_random_rotation(t), err));
  hk_vec3 v = hk_random_vector(t, 1), w = hk_random_vector(t, 1);
  if (!rotor) set_vec3(t, body, "velocity", v);
  if (!rotor && strcmp(body->type->name, "point_mass") != 0)
    set_vec3(t, body, "angular_velocity", w);
}

void hk_world_body(hk_trial *t, hk_spec *spec, const char *type, const char *name) {
  hk_item *body = hk_world_add(t, spec, HK_BODY, type, name);
  place_body(t, body);
  if (strcmp(type, "rotor") == 0) {
    set_real(t, body, "inertia", hk_random(t, 0.5, 2));
    set_vec3(t, body, "axis", hk_random_vector(t, 1));
    set_real(t, body, "angle", hk_random(t, -1, 1));
    set_real(t, body, "rate", hk_random(t, -1, 1));
  } else {
    set_real(t, body, "mass", hk_random(t, 0.5, 2));
  }
  if (strcmp(type, "rigid_body") == 0) {
    hk_world_inertia(t, body, 0.3);
    set_vec3(t, body, "center_of_mass", hk_random_vector(t, 0.3));
  }
  if (strcmp(type, "point_mass") != 0)
    MUST(t, hk_spec_marker(spec, body, "m", hk_random_vector(t, 0.5), hk_random_rotation(t), err));
}

const hk_type *hk_world_other(const hk_trial *t) {
#define HK_NODE(name) &hk_node_##name,
  static const hk_node_type *const known[] = {
#include "node/nodes.list"
  };
#undef HK_NODE
  for (int i = 0; i < hk_registry_count(t->types, HK_BODY); i++) {
    const hk_type *type = hk_registry_at(t->types, HK_BODY, i);
    const hk_node_type *node = ((const hk_body_ops *)type->ops)->node;
    bool ours = !node->frame || node->pointlike || node->no_joint;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) ours = ours || node == known[k];
    if (!ours) return type;
  }
  return NULL;
}

void hk_world_other_body(hk_trial *t, hk_spec *spec, const char *name) {
  const hk_type *type = hk_world_other(t);
  if (!type) return;
  hk_item *body = hk_world_add(t, spec, HK_BODY, type->name, name);
  const hk_between nowhere = {0};
  MUST(t, hk_draw_item(t, body, &nowhere, err));
  place_body(t, body);
  MUST(t, hk_spec_marker(spec, body, "m", hk_random_vector(t, 0.5), hk_random_rotation(t), err));
}

/* Frame of a body under test at which forces act: one that its type defines, such as an interface, or else a new
 * marker away from its origin. */
static hk_status frame_of(hk_trial *t, hk_spec *spec, hk_item *body, char *name, size_t size,
                          hk_error *err) {
  const hk_node_type *node = ((const hk_body_ops *)body->type->ops)->node;
  hk_builtin_marker own = {.name = "m"};
  const bool has = hk_body_marker(body, hk_random_pick(t, 2), &own);
  snprintf(name, size, node->pointlike ? "%s" : "%s.%s", body->name, own.name);
  return has || node->pointlike ? HK_OK
                                : hk_spec_marker(spec, body, own.name, hk_random_vector(t, 0.5),
                                                 hk_random_rotation(t), err);
}

hk_status hk_world_tie(hk_trial *t, hk_spec *spec, hk_item *body, hk_error *err) {
  const hk_node_type *node = ((const hk_body_ops *)body->type->ops)->node;
  char frame[80];
  if (!node->frame) return HK_OK; /* nothing can be fixed to a node without a frame */
  hk_status status = frame_of(t, spec, body, frame, sizeof frame, err);
  hk_item *tie =
      hk_world_add(t, spec, HK_FORCE, node->pointlike ? "spring_damper" : "bushing", "tie");
  if (!status) status = hk_item_text(tie, "a", HK_SIDE_A[HK_ON_BODY], err);
  if (!status) status = hk_item_text(tie, "b", frame, err);
  if (!status && node->pointlike) status = hk_item_real(tie, "length", 0.3, err);
  if (node->pointlike) return status ? status : hk_item_real(tie, "stiffness", 3, err);
  static const char *const part[] = {"stiffness", "torsion_stiffness", "damping"};
  for (int i = 0; i < 3 && !status; i++) {
    const double k[3] = {hk_random(t, 0.5, 2), hk_random(t, 0.5, 2), hk_random(t, 0.5, 2)};
    status = hk_item_reals(tie, part[i], k, 3, err);
  }
  return status;
}

void hk_world_build(hk_trial *t, hk_spec *spec) {
  static const char *const rigid[] = {"first", "second", "third", "fourth"};
  for (int i = 0; i < 4; i++) hk_world_body(t, spec, "rigid_body", rigid[i]);
  hk_world_body(t, spec, "point_mass", "spot");
  hk_world_body(t, spec, "point_mass", "speck");
  hk_world_body(t, spec, "rotor", "wheel");
  hk_world_body(t, spec, "rotor", "disc");
  hk_world_other_body(t, spec, "other");
  hk_world_other_body(t, spec, "another");
  MUST(t, hk_spec_marker(spec, NULL, "m", hk_random_vector(t, 1), hk_random_rotation(t), err));
  MUST(t, hk_spec_marker(spec, NULL, "n", hk_random_vector(t, 1), hk_random_rotation(t), err));
  static const char *const joint[][4] = {{"revolute", "hinge", "third.m", "fourth.m"},
                                         {"cylindrical", "arm", "first.m", "third"},
                                         {"spherical", "ball", "fourth", "second.m"}};
  for (int i = 0; i < 3; i++) { /* closed in the initial positions */
    hk_item *j = hk_world_add(t, spec, HK_JOINT, joint[i][0], joint[i][1]);
    set_text(t, j, "a", joint[i][2]);
    set_text(t, j, "b", joint[i][3]);
    set_vec3(t, j, "at", hk_random_vector(t, 1));
    set_vec3(t, j, "axis", hk_random_vector(t, 1));
  }
  hk_item *gap = hk_world_add(t, spec, HK_SENSOR, "distance", "gap");
  set_text(t, gap, "a", "wheel.m");
  set_text(t, gap, "b", "fourth.m");
  hk_item *bend = hk_world_add(t, spec, HK_SENSOR, "angle", "bend");
  set_text(t, bend, "a", "second");
  set_text(t, bend, "b", "first.m");
  hk_item *inner = hk_world_add(t, spec, HK_SENSOR, "expression", "inner");
  set_expr(t, inner, "value", 0, "first.m.vx * gap / (1 m/s)");
  hk_item *outer = hk_world_add(t, spec, HK_SENSOR, "expression", "outer");
  set_expr(t, outer, "value", 0, "inner / (1 m) + 0.3 * sin(bend) * t / (1 s)");
}
