/* Bodies of a spec: nodes, markers and coordinates of nodes. */
#include "base/outside.h"
#include "spec/item.h"
#include "model/compile.h"
#include "model/layout.h"
#include "spec/stepper_keys.h"
#include <stdio.h>
#include <string.h>

static bool finite3(hk_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* Returns the name of a parameter that is so large or so small that its square or its products would overflow or lose
 * all precision; NULL: there is no such parameter. */
static const char *beyond_arithmetic(const hk_body_common *b, const hk_mass_properties *p) {
  const double most = 1e15;
  if (p->mass > most) return "mass";
  for (int i = 0; i < 6; i++)
    if (!(fabs(p->inertia[i]) <= most)) return "inertia";
  if (!(hk_norm(p->center) <= most)) return "center_of_mass";
  if (!(hk_norm(b->position) <= most)) return "position";
  if (!(hk_norm(b->velocity) <= most)) return "velocity";
  if (!(hk_norm(b->angular_velocity) <= most)) return "angular_velocity";
  return NULL;
}

/* Returns the name of an initial velocity that the body cannot have and that would be ignored
 * silently; NULL: none. */
static const char *idle_velocity(const hk_body_common *b, const hk_node *n) {
  bool turns = n->guided;
  for (int k = 0; k < n->nv; k++) turns = turns || n->coordinate[k].angular;
  if (n->type->axis && hk_norm(b->velocity) > 0) return "velocity";
  return (n->type->axis || !turns) && hk_norm(b->angular_velocity) > 0 ? "angular_velocity" : NULL;
}

static const char *marker_name(hk_compiler *c, const char *body, const char *marker) {
  const char *name = hk_arena_printf(&c->m->arena, "%s.%s", body, marker);
  if (!name) c->out_of_memory = true;
  return name;
}

/* Adds a frame given in the body's axes relative to its origin. */
static int add_frame(hk_compiler *c, const char *name, int node, hk_vec3 at, hk_mat3 R) {
  if (node == HK_GROUND) return hk_compile_add_marker(c, name, node, at, R);
  hk_vec3 s;
  hk_mat3 axes;
  hk_node_mount(&c->m->node[node], at, &R, &s, &axes);
  return hk_compile_add_marker(c, name, node, s, axes);
}

/* Adds a marker of the model file. On a flexible body it moves with the nearest interface. */
static void add_given_marker(hk_compiler *c, const hk_marker_spec *s, int node) {
  int i = add_frame(c, marker_name(c, s->body ? s->body->name : "ground", s->name), node, s->at,
                    hk_quat_matrix(s->orientation));
  const hk_node *n = node == HK_GROUND ? NULL : &c->m->node[node];
  if (i < 0 || !n || !n->type->interfaces) return;
  hk_marker *k = &c->marker.at[i];
  double least = INFINITY;
  for (int j = 0; j < n->type->interfaces(n); j++) {
    double away = hk_norm(hk_sub(n->type->interface(n, j), k->s));
    if (n->type->observed(n, j) && away > 1e-6 * hk_norm(k->s)) continue;
    if (away < least) least = away, k->interface = j;
  }
  hk_builtin_marker on;
  if (least > 1e-6 * hk_norm(k->s) && hk_body_marker(n->item, k->interface, &on))
    hk_diag_add(
        c->diag, HK_WARNING, &s->place,
        "marker '%s.%s' is %.3g m away from interface '%s' of the flexible body, with which "
        "it moves as if rigidly attached",
        n->name, s->name, least, on.name);
}

static void add_body_markers(hk_compiler *c, int node) {
  const hk_node *n = &c->m->node[node];
  hk_mat3 I = hk_mat3_identity();
  c->own_marker[node] = -1;
  if (!n->type->frame) return;
  c->own_marker[node] = add_frame(c, n->name, node, hk_v3(0, 0, 0), I);
  hk_builtin_marker builtin;
  for (int i = 0; hk_body_marker(n->item, i, &builtin); i++) {
    int k = add_frame(c, marker_name(c, n->name, builtin.name), node, builtin.at, I);
    if (k >= 0 && n->type->interfaces) c->marker.at[k].interface = i;
  }
}

void hk_compile_bodies(hk_compiler *c) {
  hk_model *m = c->m;
  int n = c->spec->n[HK_BODY], all = n + c->spec->n[HK_STATE];
  m->node = HK_NEW_ARRAY(&m->arena, hk_node, all + 1);
  size_t coordinates = HK_NODE_FEW * (size_t)c->spec->n[HK_STATE];
  for (int i = 0; i < n; i++) coordinates += (size_t)hk_node_count(c->spec->item[HK_BODY][i]);
  double *q = HK_NEW_ARRAY(&m->arena, double, coordinates + (size_t)all + 1);
  double *v = HK_NEW_ARRAY(&m->arena, double, coordinates + 1);
  m->widest = HK_NODE_FEW;
  c->own_marker = HK_NEW_ARRAY(&m->arena, int, all + 1);
  c->own_marker_of_ground =
      hk_compile_add_marker(c, "ground", HK_GROUND, hk_v3(0, 0, 0), hk_mat3_identity());
  if (!m->node || !q || !v || !c->own_marker) {
    c->out_of_memory = true;
    return;
  }
  m->q0 = q;
  m->v0 = v;
  for (int i = 0; i < n; i++) {
    const hk_item *item = c->spec->item[HK_BODY][i];
    const hk_body_ops *ops = item->type->ops;
    const hk_body_common *b = item->data;
    hk_mass_properties p = {0};
    hk_error err = {0};
    if (ops->mass(item, &p, &err)) {
      hk_compile_error(c, item, NULL, "%s", err.text);
      continue;
    }
    if (!isfinite(p.mass) || !finite3(b->position) || !finite3(b->velocity) ||
        !finite3(b->angular_velocity) || !finite3(p.center)) {
      hk_compile_error(c, item, NULL, "a number is not finite");
      continue;
    }
    const char *vast = beyond_arithmetic(b, &p);
    if (vast) {
      hk_compile_error(c, item, vast, "its %s is out of range (limit 1e15 in SI units)", vast);
      continue;
    }
    hk_node *k = &m->node[m->n_nodes];
    const char *param = NULL;
    *k = (hk_node){.q = m->nq, .v = m->nv, .own = m->n_node_own};
    if (hk_node_make(item, &p, &m->arena, k, q + m->nq, v + m->nv, &param, &err)) {
      hk_compile_error(c, item, param, "%s", err.text);
      continue;
    }
    const char *idle = idle_velocity(b, k);
    if (idle) {
      hk_compile_error(c, item, idle,
                       k->type->axis ? "it rotates about a fixed axis only: give its angular "
                                       "velocity as 'rate', not as '%s'"
                                     : "it does not rotate: remove '%s'",
                       idle);
      continue;
    }
    m->nq += k->nq;
    m->nv += k->nv;
    m->n_node_own += k->n_own;
    if (k->nv > m->widest) m->widest = k->nv;
    m->elastic = m->elastic || k->type->stored;
    m->guided = m->guided || k->guided;
    m->field_tangents = m->field_tangents || k->type->field_tangent;
    add_body_markers(c, m->n_nodes++);
  }
  for (int i = 0; i < c->spec->n_markers; i++) {
    const hk_marker_spec *s = &c->spec->marker[i];
    int node = HK_GROUND;
    for (int k = 0; s->body && k < m->n_nodes; k++)
      if (m->node[k].item == s->body) node = k;
    if (s->body && node == HK_GROUND) continue; /* the body of this marker was rejected */
    const hk_node *k = node == HK_GROUND ? NULL : &m->node[node];
    if (k && !k->type->frame) {
      hk_diag_add(c->diag, HK_ERROR, &s->place,
                  "marker '%s.%s': a %s has no frame, so it cannot have markers", k->name, s->name,
                  k->type->noun);
      continue;
    }
    if (k && k->type->pointlike && hk_norm(s->at) > 0)
      hk_diag_add(c->diag, HK_ERROR, &s->place,
                  "marker '%s.%s': a %s has no orientation, so its markers cannot have an offset",
                  k->name, s->name, k->type->noun);
    add_given_marker(c, s, node);
  }
}

int hk_compile_spin_marker(hk_compiler *c, int marker) {
  int node = c->marker.at[marker].node;
  if (node == HK_GROUND || !c->m->node[node].type->axis) return marker;
  return hk_compile_add_marker(c, NULL, node, hk_v3(0, 0, 0), hk_mat3_identity());
}

/* Adds the coordinates of a node or of its type of body, such as "shaft.angle". */
void hk_compile_node_coordinates(hk_compiler *c) {
  for (int i = 0; i < c->m->n_nodes; i++) {
    const hk_node *n = &c->m->node[i];
    const hk_body_ops *ops = n->item->type->ops;
    if (c->own_marker[i] < 0 || (!n->type->free_name && !ops->follower)) continue;
    int own = hk_compile_spin_marker(c, c->own_marker[i]);
    if (own < 0) return;
    double k[HK_RELATION_CONSTANTS] = {0};
    if (n->type->free_constants) n->type->free_constants(n, k);
    if (n->type->free_name)
      hk_compile_add_coordinate(c, marker_name(c, n->name, n->type->free_name),
                                n->type->free_relation, k, HK_RELATION_CONSTANTS,
                                c->own_marker_of_ground, own);
    if (!ops->follower) continue;
    const char *name;
    memset(k, 0, sizeof k);
    const hk_relation_type *type = ops->follower(n->item, &name, k);
    hk_compile_add_coordinate(c, marker_name(c, n->name, name), type, k, HK_RELATION_CONSTANTS,
                              c->own_marker_of_ground, own);
  }
}
