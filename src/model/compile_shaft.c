/* Checks of joints between shafts (universal, constant velocity). If the parameter `axis` is given, both shafts have
 * the same direction. If the shafts have an articulation angle in the initial position, `axis` would change the
 * transmission ratio without a message; such joints are rejected. */
#include "model/compile.h"
#include <hooke/joint.h>
#include <stdio.h>
#include <string.h>

/* Direction of a shaft, and how it was determined. */
typedef struct shaft {
  hk_vec3 z;
  const char *bearing; /* joint that gives the axis of rotation; NULL: the body is a cylinder */
  bool known;
} shaft;

static bool has_axis_of_turning(const hk_item *joint) {
  static const char *const types[] = {"revolute", "cylindrical", "screw"};
  for (int i = 0; i < 3; i++)
    if (strcmp(joint->type->name, types[i]) == 0) return true;
  return false;
}

/* Finds the frame, on the body, of a joint between the body `node` and the ground. */
static bool bearing_on(const hk_compiler *c, const hk_item *joint, int node, hk_frame *F) {
  const hk_joint_common *j = joint->data;
  const char *side[2] = {j->a ? j->a : "ground", j->b};
  int marker[2] = {-1, -1};
  for (int i = 0; i < 2; i++) {
    marker[i] = side[i] ? hk_compile_find_marker(c, side[i]) : -1;
    if (marker[i] < 0) return false;
  }
  int on = c->marker.at[marker[0]].node == node ? 0 : 1;
  if (c->marker.at[marker[on]].node != node || c->marker.at[marker[1 - on]].node != HK_GROUND)
    return false;
  *F = hk_compile_frame_at(c, marker[on]);
  bool at = hk_item_has(joint, "at");
  if (at) F->x = j->at;
  if (at || hk_item_has(joint, "axis")) F->R = hk_frame_from_z(j->axis);
  return true;
}

/* Finds the axis through `centre` about which the body rotates, or the axis of the cylinder. */
static shaft shaft_of(const hk_compiler *c, int node, hk_vec3 centre) {
  shaft s = {.known = false};
  if (node == HK_GROUND) return s;
  for (int i = 0; i < c->spec->n[HK_JOINT]; i++) {
    const hk_item *joint = c->spec->item[HK_JOINT][i];
    hk_frame F;
    if (!has_axis_of_turning(joint) || !bearing_on(c, joint, node, &F)) continue;
    hk_vec3 z = hk_column(&F.R, 2), arm = hk_sub(centre, F.x);
    if (hk_norm(hk_cross(z, arm)) > 1e-6 * (1e-3 + hk_norm(arm))) continue;
    return (shaft){z, joint->name, true};
  }
  if (strcmp(c->m->node[node].item->type->name, "cylinder") != 0) return s;
  hk_frame own = hk_compile_frame_at(c, c->own_marker[node]);
  return (shaft){hk_column(&own.R, 2), NULL, true};
}

static void direction_text(hk_vec3 z, char *buf, size_t size) {
  snprintf(buf, size, "[%.6g, %.6g, %.6g]", z.x + 0.0, z.y + 0.0, z.z + 0.0);
}

static bool refuse_bent(hk_compiler *c, const hk_item *item, const char *body, hk_vec3 axis,
                        const shaft *s, int wrong) {
  char line[2][80], text[80], how[300];
  direction_text(axis, text, sizeof text);
  for (int i = 0; i < 2; i++) {
    /* The direction of a shaft may have either sign: it is compared with `axis`. */
    hk_vec3 z = s[i].known ? s[i].z : axis;
    direction_text(hk_dot(z, axis) < 0 ? hk_neg(z) : z, line[i], sizeof line[i]);
  }
  if (s[wrong].bearing)
    snprintf(how, sizeof how, "'%s' rotates about %s (joint '%s')", body, line[wrong],
             s[wrong].bearing);
  else
    snprintf(how, sizeof how, "'%s' is a cylinder along %s", body, line[wrong]);
  hk_compile_error(
      c, item, hk_item_has(item, "axis") ? "axis" : "at",
      "its axis %s applies to both shafts, but %s; give one axis per shaft: axis_a: %s, axis_b: %s",
      text, how, line[0], line[1]);
  return false;
}

/* Checks that both or neither of the two parameters are given, and not together with `axis`. */
static bool check_pair(hk_compiler *c, const hk_item *item, bool first, bool second) {
  if (first != second) {
    hk_compile_error(c, item, first ? "axis_a" : "axis_b",
                     "give both axis_a and axis_b, or neither");
    return false;
  }
  if (first && hk_item_has(item, "axis")) {
    hk_compile_error(c, item, "axis",
                     "'axis' applies to both shafts; omit it if axis_a and axis_b are given");
    return false;
  }
  return true;
}

bool hk_compile_shafts(hk_compiler *c, const hk_item *item, int a, int b) {
  const hk_shaft_joint *j = item->data;
  const hk_joint_common *common = &j->joint;
  bool own = hk_item_has(item, "axis_a"), at = hk_item_has(item, "at");
  if (!check_pair(c, item, own, hk_item_has(item, "axis_b"))) return false;
  if (own || !(at || hk_item_has(item, "axis"))) return true;
  int marker[2] = {a, b};
  const char *name[2] = {common->a ? common->a : "ground", common->b};
  shaft s[2];
  for (int i = 0; i < 2; i++)
    s[i] = shaft_of(c, c->marker.at[marker[i]].node,
                    at ? common->at : hk_compile_frame_at(c, marker[i]).x);
  for (int i = 0; i < 2; i++)
    if (s[i].known && hk_norm(hk_cross(s[i].z, hk_unit3(common->axis))) > 1e-6)
      return refuse_bent(c, item, name[i], hk_unit3(common->axis), s, i);
  return true;
}
