/* Forces and sensors: their frames and coordinates, and the nodes on which their expressions depend. */
#include "spec/own_name.h"
#include "model/compile.h"
#include <string.h>

bool hk_compile_expr(hk_compiler *c, const hk_expr *e, hk_bound_expr *out, bool *on_state) {
  const int *slots = NULL;
  out->expr = e;
  out->n = e ? hk_expr_slots(e, &slots) : 0;
  int *copy = HK_NEW_ARRAY(&c->m->arena, int, out->n + 1);
  if (!copy) {
    c->out_of_memory = true;
    return false;
  }
  for (int i = 0; i < out->n; i++) {
    copy[i] = slots[i];
    if (on_state && slots[i] != 0) *on_state = true;
  }
  out->slot = copy;
  return true;
}

static int find_joint(hk_compiler *c, const hk_item *item, const char *name) {
  for (int i = 0; i < c->constraint.n; i++)
    if (c->constraint.at[i].n_held && strcmp(c->constraint.at[i].name, name) == 0 &&
        c->constraint.at[i].item->type->category == HK_JOINT)
      return i;
  if (!c->joints_failed)
    hk_compile_error(c, item, "joint", "joint '%s' has no reaction between bodies", name);
  return -1;
}

/* Checks the initial positions of the frames. */
static bool stands(hk_compiler *c, const hk_item *item, int a, int b) {
  const hk_force_ops *ops = item->type->ops;
  if (!ops->check_placement) return true;
  const hk_frame A = hk_compile_frame_at(c, a), B = hk_compile_frame_at(c, b);
  hk_error err = {0};
  if (!ops->check_placement(item, &A, &B, &err)) return true;
  hk_compile_error(c, item, "b", "%s", err.text);
  return false;
}

static void compile_force(hk_compiler *c, const hk_item *item) {
  const hk_force_ops *ops = item->type->ops;
  hk_force_binding b = {0};
  hk_error err = {0};
  if (ops->bind(item, &b, &err)) {
    hk_compile_error(c, item, NULL, "%s", err.text);
    return;
  }
  hk_force f = {.name = item->name,
                .item = item,
                .ops = ops,
                .a = -1,
                .b = -1,
                .coordinate = -1,
                .joint = -1,
                .field = b.field,
                .numerical = item->type->numerical,
                .n_expr = b.n_expr};
  for (int i = 0; i < b.n_expr; i++)
    if (!hk_compile_expr(c, b.expr[i], &f.expr[i], &f.depends_on_state)) return;
  if (b.joint) {
    f.joint = find_joint(c, item, b.joint);
    if (f.joint < 0) return;
  }
  int ma = -1, mb = -1;
  if (b.a || b.b) {
    ma = b.a ? hk_compile_frame(c, item, "a", b.a) : c->own_marker_of_ground;
    mb = b.b ? hk_compile_frame(c, item, "b", b.b) : c->own_marker_of_ground;
    if (ma < 0 || mb < 0) return;
    if (c->marker.at[ma].node == c->marker.at[mb].node) {
      hk_compile_error(c, item, "b", "acts between '%s' and '%s', which are the same body",
                       b.a ? b.a : "ground", b.b ? b.b : "ground");
      return;
    }
  }
  bool turns = b.relation && b.relation->angular,
       moment[2] = {turns || b.moment_a, turns || b.moment_b};
  int ends[2] = {ma, mb};
  for (int i = 0; i < 2; i++) {
    int node = ends[i] >= 0 ? c->marker.at[ends[i]].node : HK_GROUND;
    const hk_node *n = node == HK_GROUND ? NULL : &c->m->node[node];
    if (!n || !n->type->pointlike) continue;
    *(i ? &f.point_b : &f.point_a) =
        true; /* a C function may exert a moment without declaring it */
    if (!moment[i]) continue;
    hk_compile_error(c, item, i ? "b" : "a",
                     "it exerts a moment, but %s '%s' does not support moments", n->type->noun,
                     n->name);
    return;
  }
  if (b.relation) {
    if (!b.relation->bias) hk_compile_numerical(c, item);
    char owner[256];
    hk_force_channel_owner(item, owner, sizeof owner);
    const char *name = hk_arena_printf(&c->m->arena, "%s.%s", owner,
                                       hk_force_coordinate_name(ops, b.relation->angular));
    if (b.relation == &hk_relation_turn) {
      ma = hk_compile_spin_marker(c, ma);
      mb = hk_compile_spin_marker(c, mb);
    }
    if (!name || ma < 0 || mb < 0) {
      c->out_of_memory = true;
      return;
    }
    f.coordinate =
        hk_compile_add_coordinate(c, name, b.relation, b.k, HK_RELATION_CONSTANTS, ma, mb);
    if (b.relation == &hk_relation_distance) {
      hk_frame A = hk_compile_frame_at(c, ma), B = hk_compile_frame_at(c, mb);
      if (!(hk_norm(hk_sub(B.x, A.x)) > 0))
        hk_compile_error(
            c, item, NULL,
            "its two ends are at the same point, so it has no direction; a force between "
            "points that coincide is a bushing: {type: bushing, stiffness: [k, k, k]}");
    }
  } else if (b.coordinate) {
    f.coordinate = hk_compile_coordinate(c, item, "coordinate", b.coordinate);
    if (f.coordinate < 0) return;
    const char *full = c->coordinate.at[f.coordinate].name;
    if (b.along_angle && !c->coordinate.at[f.coordinate].type->angular) {
      hk_compile_error(c, item, "coordinate",
                       "'%s' is a length, but a %s acts along an angle; for a length use "
                       "spring_damper between two frames, or an actuator",
                       full, item->type->name);
      return;
    }
    size_t length = b.joint ? strlen(b.joint) : 0;
    if (b.joint && (strncmp(full, b.joint, length) != 0 || full[length] != '.' ||
                    strchr(full + length + 1, '.'))) {
      hk_compile_error(c, item, "coordinate", "'%s' is not a coordinate of joint '%s'", full,
                       b.joint);
      return;
    }
  } else if (ma >= 0) {
    f.a = ma;
    f.b = mb;
    if (!stands(c, item, ma, mb)) return;
  } else if (f.joint >= 0) { /* friction on the frames of the joint */
    f.a = c->port.at[c->constraint.at[f.joint].port];
    f.b = c->port.at[c->constraint.at[f.joint].port + 1];
  }
  if (f.coordinate >= 0) hk_compile_units(c, item, f.coordinate);
  hk_force *at = HK_PUSH(&c->force);
  if (!at)
    c->out_of_memory = true;
  else
    *at = f;
}

void hk_compile_forces(hk_compiler *c) {
  for (int i = 0; i < c->spec->n[HK_FORCE] && !c->out_of_memory; i++)
    compile_force(c, c->spec->item[HK_FORCE][i]);
  hk_compile_rates(c);
}

void hk_compile_sensors(hk_compiler *c) {
  for (int i = 0; i < c->spec->n[HK_SENSOR] && !c->out_of_memory; i++) {
    const hk_item *item = c->spec->item[HK_SENSOR][i];
    const hk_sensor_ops *ops = item->type->ops;
    hk_sensor_binding b = {0};
    hk_error err = {0};
    if (ops->bind(item, &b, &err)) {
      hk_compile_error(c, item, NULL, "%s", err.text);
      continue;
    }
    if (b.expr) {
      hk_sensor *s = HK_PUSH(&c->sensor);
      if (!s) {
        c->out_of_memory = true;
        return;
      }
      s->name = item->name;
      hk_compile_expr(c, b.expr, &s->expr, NULL);
      continue;
    }
    if (!b.relation->bias) hk_compile_numerical(c, item);
    int ma = hk_compile_frame(c, item, "a", b.a ? b.a : "ground");
    int mb = hk_compile_frame(c, item, "b", b.b ? b.b : "ground");
    if (ma < 0 || mb < 0) continue;
    int k =
        hk_compile_add_coordinate(c, item->name, b.relation, b.k, HK_RELATION_CONSTANTS, ma, mb);
    if (k >= 0) c->coordinate.at[k].limit = b.limit;
  }
}

/* ---- ports ---- */

/* Adds the two frames of the force. */
static void add_ports(hk_compiler *c, const hk_force *f) {
  if (f->coordinate >= 0)
    hk_compile_ports(c, c->coordinate.at[f->coordinate].a, c->coordinate.at[f->coordinate].b);
  else
    hk_compile_ports(c, f->a, f->b);
}

static void leaf_port(void *context, int channel, double derivative) {
  hk_compiler *c = context;
  (void)derivative;
  const hk_channel *k = &c->m->channel[channel];
  if (k->owner == HK_OF_COORDINATE)
    hk_compile_ports(c, c->coordinate.at[k->index].a, c->coordinate.at[k->index].b);
  else if (k->owner == HK_OF_FORCE)
    add_ports(c, &c->force.at[k->index]);
  else if (k->owner == HK_OF_STATE)
    hk_compile_ports(c, c->m->state[k->index].marker, c->m->state[k->index].marker);
  else
    hk_compile_ports(c, k->index, k->index);
}

enum { MAX_LEAVES = 16 };

/* Counts the paths from each variable to channels of the state. The count stops at one more than
 * the maximum, because it may grow exponentially: it doubles at every level if each sensor reads
 * two others. */
static int *count_leaves(hk_compiler *c) {
  const hk_model *m = c->m;
  int *leaves = HK_NEW_ARRAY(&c->m->arena, int, m->n_variables + 1);
  if (!leaves) {
    c->out_of_memory = true;
    return NULL;
  }
  for (int i = 1; i < m->n_variables; i++) { /* sensors follow the variables that they read */
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    leaves[i] = k->owner != HK_OF_SENSOR && k->owner != HK_OF_TIME && k->owner != HK_OF_INPUT;
    const hk_bound_expr *e = k->owner == HK_OF_SENSOR ? &m->sensor[k->index].expr : NULL;
    for (int j = 0; e && j < e->n && leaves[i] <= MAX_LEAVES; j++) leaves[i] += leaves[e->slot[j]];
    if (leaves[i] > MAX_LEAVES) leaves[i] = MAX_LEAVES + 1;
  }
  return leaves;
}

static bool reads_too_much(const hk_force *f, const int *leaves) {
  int n = 0;
  for (int k = 0; k < f->n_expr; k++)
    for (int j = 0; j < f->expr[k].n && n <= MAX_LEAVES; j++) n += leaves[f->expr[k].slot[j]];
  return n > MAX_LEAVES;
}

/* Returns the reason why a force must not read a channel; for a sensor, the first reason found. */
static const char *why_not(const hk_compiler *c, const hk_channel *k) {
  const hk_model *m = c->m;
  const hk_bound_expr *e = k->owner == HK_OF_SENSOR ? &m->sensor[k->index].expr : NULL;
  for (int i = 0; e && i < e->n; i++) {
    const hk_channel *read = &m->channel[m->variable_channel[e->slot[i]]];
    if (e->slot[i] && read->needs) return why_not(c, read);
  }
  const hk_force *f = k->owner == HK_OF_FORCE ? &c->force.at[k->index] : NULL;
  if (f && f->joint >= 0)
    return "it is friction under a reaction, which is known only after the step is solved";
  if (f && f->n_expr > 0 && k->component != HK_FORCE_POWER && k->component != HK_FORCE_LOSS &&
      k->component != HK_FORCE_ENERGY && k->component < HK_FORCE_OWN)
    return "that force is given by an expression; move the expression to a sensor that both read";
  if (f) return "its derivatives, which the solver needs, are not known";
  if (k->owner == HK_OF_JOINT || k->owner == HK_OF_ROW || k->owner == HK_OF_COMPOSITE)
    return "a reaction is known only after the step is solved";
  if (k->owner == HK_OF_CONTACT) return "contact values are known only after the step is solved";
  if (k->needs & HK_NEEDS_ACCELERATIONS) return "accelerations depend on the forces";
  return "it is known only at output";
}

/* Returns true if the force reads a channel that exists at output only. A sensor may have received a new expression
 * after the force was defined: the last one is used. */
static bool reads_recorded(hk_compiler *c, const hk_force *f) {
  for (int k = 0; k < f->n_expr; k++)
    for (int j = 0; j < f->expr[k].n; j++) {
      int slot = f->expr[k].slot[j];
      if (!slot || !c->m->channel[c->m->variable_channel[slot]].needs) continue;
      hk_compile_error(
          c, f->item, NULL, "reads '%s', which can be recorded but not used in a force: %s",
          c->spec->variable[slot].name, why_not(c, &c->m->channel[c->m->variable_channel[slot]]));
      return true;
    }
  return false;
}

void hk_compile_force_ports(hk_compiler *c) {
  const int *leaves = count_leaves(c);
  for (int i = 0; i < c->force.n && !c->out_of_memory; i++) {
    hk_force *f = &c->force.at[i];
    f->port = c->port.n;
    if (f->field) continue;
    if (reads_too_much(f, leaves)) {
      hk_compile_error(c, f->item, NULL,
                       "its expressions, including those of the sensors they use, read channels "
                       "more than %d times",
                       MAX_LEAVES);
      continue;
    }
    if (reads_recorded(c, f)) continue;
    add_ports(c, f);
    for (int k = 0; k < f->n_expr && f->depends_on_state; k++)
      for (int j = 0; j < f->expr[k].n; j++)
        hk_channel_leaves(c->m, NULL, c->m->variable_channel[f->expr[k].slot[j]], 1, leaf_port, c);
    f->n_ports = c->port.n - f->port;
  }
}
