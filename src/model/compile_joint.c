/* Joints and motions: joint frames, held relations, free coordinates, sums. */
#include "model/compile.h"
#include <hooke/joint.h>
#include <stdio.h>
#include <string.h>

/* State of one joint while its type's build function runs. */
typedef struct joint_context {
  hk_compiler *c;
  int constraint; /* offset of the held rows; -1: none yet */
  int a, b;       /* markers, or -1 */
} joint_context;

static void out_of_memory(joint_context *x, hk_joint_builder *b) {
  x->c->out_of_memory = true;
  b->status = HK_ENOMEM;
}

static hk_constraint *add_constraint(joint_context *x, hk_joint_builder *b) {
  hk_constraint *k = HK_PUSH(&x->c->constraint);
  if (!k) {
    out_of_memory(x, b);
    return NULL;
  }
  k->name = b->item->name;
  k->item = b->item;
  k->row = x->c->m->nc;
  k->port = x->c->port.n;
  k->held = x->c->held.n;
  k->term = x->c->term.n;
  return k;
}

static bool add_row(joint_context *x, hk_joint_builder *b, hk_constraint *k, const char *name,
                    size_t length, bool angular) {
  const char **n = HK_PUSH(&x->c->row_name);
  bool *a = n ? HK_PUSH(&x->c->row_angular) : NULL;
  char *copy = a ? hk_arena_strndup(&x->c->m->arena, name, length) : NULL;
  if (!copy) {
    out_of_memory(x, b);
    return false;
  }
  *n = copy;
  *a = angular;
  k->n_rows++;
  x->c->m->nc++;
  return true;
}

static const hk_node *node_of(const hk_compiler *c, int marker) {
  int node = c->marker.at[marker].node;
  return node == HK_GROUND ? NULL : &c->m->node[node];
}

static bool is_pointlike(const hk_compiler *c, int marker) {
  const hk_node *n = node_of(c, marker);
  return n && n->type->pointlike;
}

static void hold(hk_joint_builder *b, const hk_relation_type *type, const double *k, int nk,
                 const char *names) {
  joint_context *x = b->context;
  hk_constraint *c;
  if (x->constraint < 0) {
    c = add_constraint(x, b);
    if (!c) return;
    x->constraint = x->c->constraint.n - 1;
    if (!hk_compile_ports(x->c, x->a, x->b)) return;
    c->n_ports = 2;
  }
  c = &x->c->constraint.at[x->constraint];
  if (type != &hk_relation_point && type != &hk_relation_distance && is_pointlike(x->c, x->a)) {
    hk_joint_refuse(b, "a", "%s '%s' has no axes to measure along; exchange a and b",
                    node_of(x->c, x->a)->type->noun, node_of(x->c, x->a)->name);
    return;
  }
  hk_held *h = HK_PUSH(&x->c->held);
  if (!h) {
    out_of_memory(x, b);
    return;
  }
  h->type = type;
  if (!type->bias) hk_compile_numerical(x->c, b->item);
  if (nk) memcpy(h->k, k, (size_t)nk * sizeof *k);
  c->n_held++;
  for (int r = 0; r < type->rows; r++) {
    size_t length = strcspn(names, ",");
    if (type->velocity_only) {
      int *row = HK_PUSH(&x->c->velocity_row);
      if (!row) {
        out_of_memory(x, b);
        return;
      }
      *row = x->c->m->nc;
    }
    if (!add_row(x, b, c, names, length, type->angular)) return;
    names += length + (names[length] == ',');
  }
}

static void leave_free(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                       const double *k, int nk) {
  joint_context *x = b->context;
  if (!type->bias) hk_compile_numerical(x->c, b->item);
  const char *full = hk_arena_printf(&x->c->m->arena, "%s.%s", b->item->name, name);
  if (!full || hk_compile_add_coordinate(x->c, full, type, k, nk, x->a, x->b) < 0)
    out_of_memory(x, b);
}

static void sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                const hk_expr *value, bool start_as_is) {
  joint_context *x = b->context;
  hk_constraint *c = add_constraint(x, b);
  hk_pending_sum *pending = c ? HK_PUSH(&x->c->sum) : NULL;
  hk_sum_term *copy = pending ? calloc((size_t)n + 1, sizeof *copy) : NULL;
  if (!copy) {
    out_of_memory(x, b);
    return;
  }
  c->value = value;
  c->start_as_is = start_as_is;
  if (x->constraint >= 0) x->c->constraint.at[x->constraint].thread = x->c->constraint.n - 1;
  *pending = (hk_pending_sum){x->c->constraint.n - 1, copy, n};
  for (int i = 0; i < n; i++) {
    copy[i] = term[i];
    if (term[i].coordinate[0] != '.') continue;
    copy[i].coordinate =
        hk_arena_printf(&x->c->m->arena, "%s%s", b->item->name, term[i].coordinate);
    if (!copy[i].coordinate) out_of_memory(x, b);
  }
  add_row(x, b, c, row, strlen(row), false);
}

static void refuse(hk_joint_builder *b, const char *param, const char *text) {
  joint_context *x = b->context;
  hk_compile_error(x->c, b->item, param, "%s", text);
  b->status = HK_EINPUT;
}

static const hk_joint_builder_ops BUILDER = {hold, leave_free, sum, refuse};

/* ---- joint frames ---- */

/* Returns the axes of the joint's frame on one side, in world axes. */
static hk_mat3 joint_axes(const hk_item *item, bool second) {
  const hk_joint_common *j = item->data;
  const hk_joint_ops *ops = item->type->ops;
  bool bent = ops->articulated && hk_item_has(item, "axis_a");
  hk_vec3 z = bent ? HK_DATA(item, hk_shaft_joint)->axis_a : j->axis;
  hk_mat3 A = hk_norm(j->x_axis) > 0 ? hk_frame_from_zx(z, j->x_axis) : hk_frame_from_z(z);
  return bent && second ? ops->articulated(&A, HK_DATA(item, hk_shaft_joint)->axis_b) : A;
}

/* Adds the joint frame of one side.  `at` and `axis` are given in world axes in the initial
 * position; each replaces the position or orientation of the side's marker. */
static int joint_marker(hk_compiler *c, const hk_item *item, int marker, bool second) {
  const hk_joint_common *j = item->data;
  bool at = hk_item_has(item, "at");
  bool axes =
      hk_item_has(item, "axis") || hk_item_has(item, "x_axis") || hk_item_has(item, "axis_a");
  if (!at && !axes) return marker;
  hk_frame F = hk_compile_frame_at(c, marker);
  hk_vec3 x = at ? j->at : F.x;
  hk_mat3 R = joint_axes(item, second);
  int node = c->marker.at[marker].node;
  if (node == HK_GROUND) return hk_compile_add_marker(c, NULL, HK_GROUND, x, R);
  /* The frame is first converted to the axes of the body, and then to the axes of the node. */
  const hk_marker *own = &c->marker.at[c->own_marker[node]];
  hk_frame O = hk_compile_frame_at(c, c->own_marker[node]);
  hk_mat3 N = hk_matmult(&O.R, &own->R);
  hk_vec3 s = hk_add(own->s, hk_tmul(&N, hk_sub(x, O.x)));
  int on = c->marker.at[marker].interface;
  int k = hk_compile_add_marker(c, NULL, node, s, hk_tmatmul(&N, &R));
  if (k >= 0) c->marker.at[k].interface = on;
  return k;
}

/* Warns of a marker at a different position than `at`: the marker then only selects its body, which
 * is probably not intended. */
static void warn_of_marker(hk_compiler *c, const hk_item *item, int marker, const char *name) {
  const hk_joint_common *j = item->data;
  int node = c->marker.at[marker].node;
  if (!hk_item_has(item, "at") || (node != HK_GROUND && marker == c->own_marker[node]) ||
      (node == HK_GROUND && !strchr(name, '.')))
    return;
  hk_vec3 x = hk_compile_frame_at(c, marker).x;
  const hk_node *n = node_of(c, marker);
  if (hk_norm(hk_sub(x, j->at)) <= 1e-9 + 1e-6 * hk_norm(x)) return;
  if (n && n->type->interfaces) {
    hk_diag_add(
        c->diag, HK_WARNING, hk_item_location(item, "at"),
        "joint '%s': 'at' is %.3g m away from '%s', with which the joint moves as if rigidly "
        "attached",
        item->name, hk_norm(hk_sub(x, j->at)), name);
    return;
  }
  hk_diag_add(c->diag, HK_WARNING, hk_item_location(item, "at"),
              "joint '%s': 'at' differs from the position of '%s', [%.6g, %.6g, %.6g] m: the "
              "joint is at 'at', and the marker only selects the body; omit 'at', or name the "
              "body instead of the marker",
              item->name, name, x.x, x.y, x.z);
}

static bool resolve_frames(hk_compiler *c, const hk_item *item, joint_context *x) {
  const hk_joint_common *j = item->data;
  if (!j->b) {
    hk_compile_error(c, item, "b", "needs 'b', the second frame it connects");
    return false;
  }
  const char *first = j->a ? j->a : "ground";
  int a = hk_compile_frame(c, item, "a", first), b = hk_compile_frame(c, item, "b", j->b);
  if (a < 0 || b < 0) return false;
  if (c->marker.at[a].node == c->marker.at[b].node) {
    hk_compile_error(c, item, "b", "connects '%s' with '%s', which are the same body", first, j->b);
    return false;
  }
  for (int side = 1; side >= 0; side--) {
    const hk_node *n = node_of(c, side ? b : a);
    if (!n || !n->type->no_joint) continue;
    hk_compile_error(c, item, side ? "b" : "a", "%s", n->type->no_joint);
    return false;
  }
  bool bent = hk_item_has(item, "axis_a");
  hk_vec3 z = bent ? HK_DATA(item, hk_shaft_joint)->axis_a : j->axis;
  if (hk_item_has(item, "x_axis") && hk_norm(hk_cross(hk_unit3(z), hk_unit3(j->x_axis))) < 1e-6) {
    hk_compile_error(c, item, "x_axis", "x_axis is parallel to %s", bent ? "axis_a" : "axis");
    return false;
  }
  for (int side = 0; side < 2; side++) {
    int marker = side ? b : a;
    if (!is_pointlike(c, marker) || !hk_item_has(item, "at") ||
        !(hk_norm(hk_sub(hk_compile_frame_at(c, marker).x, j->at)) > 1e-12))
      continue;
    hk_compile_error(c, item, "at", "%s '%s' is not at this point and cannot have an offset",
                     node_of(c, marker)->type->noun, side ? j->b : first);
    return false;
  }
  if (((const hk_joint_ops *)item->type->ops)->ground && c->marker.at[a].node != HK_GROUND) {
    hk_compile_error(c, item, "a", "its first frame must be the ground or one of its markers");
    return false;
  }
  if (((const hk_joint_ops *)item->type->ops)->articulated && !hk_compile_shafts(c, item, a, b))
    return false;
  warn_of_marker(c, item, a, first);
  warn_of_marker(c, item, b, j->b);
  x->a = joint_marker(c, item, a, false);
  x->b = joint_marker(c, item, b, true);
  return x->a >= 0 && x->b >= 0;
}

static void build(hk_compiler *c, const hk_item *item) {
  const hk_joint_ops *ops = item->type->ops;
  joint_context x = {c, -1, -1, -1};
  hk_joint_builder b = {.item = item, .ops = &BUILDER, .context = &x};
  hk_frame A, B;
  int rows = c->m->nc;
  if (ops->frames) {
    if (!resolve_frames(c, item, &x)) return;
    A = hk_compile_frame_at(c, x.a);
    B = hk_compile_frame_at(c, x.b);
    b.A = &A;
    b.B = &B;
  }
  ops->build(&b);
  if (c->out_of_memory || b.status) return;
  for (int r = rows; ops->frames && r < c->m->nc; r++)
    if (c->row_angular.at[r] && (is_pointlike(c, x.a) || is_pointlike(c, x.b))) {
      const hk_node *n = node_of(c, is_pointlike(c, x.b) ? x.b : x.a);
      hk_compile_error(c, item, NULL,
                       "a %s joint needs an orientation, but %s '%s' has no orientation",
                       item->type->name, n->type->noun, n->name);
      return;
    }
}

/* Completes a constraint on a sum of coordinates. These constraints are completed last, because
 * the coordinates may belong to joints that follow later in the file. */
static void resolve_sum(hk_compiler *c, const hk_pending_sum *s) {
  hk_constraint *k = &c->constraint.at[s->constraint];
  bool angular = true, first = true;
  k->term = c->term.n;
  k->port = c->port.n;
  for (int j = 0; j < s->n; j++) {
    int q = hk_compile_coordinate(c, k->item, NULL, s->term[j].coordinate);
    if (q < 0) break;
    hk_model_term *t = HK_PUSH(&c->term);
    const hk_coordinate *co = &c->coordinate.at[q];
    if (!t || !hk_compile_ports(c, co->a, co->b)) {
      c->out_of_memory = true;
      return;
    }
    *t = (hk_model_term){q, s->term[j].factor};
    angular = angular && co->type->angular;
    if (j == 0) first = co->type->angular;
  }
  k->n_terms = s->n;
  k->n_ports = 2 * s->n;
  if (c->term.n == k->term + s->n) {
    hk_compile_term_units(c, k);
    if (s->n == 1 && k->value) hk_compile_units(c, k->item, c->term.at[k->term].coordinate);
  }
  c->row_angular.at[k->row] = hk_sum_is_angle(k->item, first, angular);
  const int *slots;
  int n = k->value ? hk_expr_slots(k->value, &slots) : 0;
  if (n > 1 || (n == 1 && slots[0] != 0))
    hk_compile_error(c, k->item, "value",
                     "a motion may depend on the time t only; for feedback from channels use an "
                     "actuator or a load");
}

/* Returns a coordinate in the initial position; an angle is shifted by whole revolutions to the
 * value of its motion, as choose_turns in src/setup/assembly.c does. */
static double start_value(const hk_compiler *c, int coordinate) {
  const hk_coordinate *q = &c->coordinate.at[coordinate];
  hk_frame A = hk_compile_frame_at(c, q->a), B = hk_compile_frame_at(c, q->b);
  double value, t = hk_spec_start_time(c->spec);
  q->type->value(q->k, &A, &B, &value);
  if (!q->type->wraps) return value;
  for (int i = 0; i < c->constraint.n; i++) {
    const hk_constraint *k = &c->constraint.at[i];
    if (!k->value || k->n_terms != 1 || c->term.at[k->term].coordinate != coordinate) continue;
    double turns = (hk_expr_value(k->value, &t) / c->term.at[k->term].factor - value) / (2 * M_PI);
    if (isfinite(turns)) value += 2 * M_PI * floor(turns + 0.5);
  }
  return value;
}

static void resolve_sums(hk_compiler *c) {
  for (int i = 0; i < c->sum.n && !c->out_of_memory; i++) resolve_sum(c, &c->sum.at[i]);
  if (c->out_of_memory || c->diag->n_errors > c->errors_before) return;
  for (int i = 0; i < c->sum.n; i++) {
    hk_constraint *k = &c->constraint.at[c->sum.at[i].constraint];
    for (int j = 0; j < k->n_terms && k->start_as_is; j++) {
      const hk_model_term *t = &c->term.at[k->term + j];
      k->constant += t->factor * start_value(c, t->coordinate);
    }
  }
}

void hk_compile_joints(hk_compiler *c) {
  static const hk_category categories[] = {HK_JOINT, HK_MOTION};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < c->spec->n[categories[k]] && !c->out_of_memory; i++)
      if (((const hk_joint_ops *)c->spec->item[categories[k]][i]->type->ops)->build)
        build(c, c->spec->item[categories[k]][i]);
  if (!c->out_of_memory && c->diag->n_errors == c->errors_before) resolve_sums(c);
}
