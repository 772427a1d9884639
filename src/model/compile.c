/* hk_model_compile: bodies, markers, layout; the other passes are in compile_*.c. */
#include "base/outside.h"
#include "spec/item.h"
#include "model/compile.h"
#include "spec/renamed.h"
#include "model/layout.h"
#include "spec/stepper_keys.h"
#include <stdio.h>
#include <string.h>

bool hk_vector_grow(void **at, int *n, int *capacity, size_t size) {
  if (*n == *capacity) {
    int more = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(*at, (size_t)more * size);
    if (!grown) return false;
    *at = grown;
    *capacity = more;
  }
  memset((char *)*at + (size_t)*n * size, 0, size);
  ++*n;
  return true;
}

void hk_compile_error(hk_compiler *c, const hk_item *item, const char *param, const char *fmt,
                      ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  hk_diag_add(c->diag, HK_ERROR, hk_item_location(item, param), "%s '%s': %s",
              hk_category_name(item->type->category), item->name, text);
}

/* ---- markers and coordinates by name ---- */

int hk_compile_add_marker(hk_compiler *c, const char *name, int node, hk_vec3 s, hk_mat3 R) {
  hk_marker *k = HK_PUSH(&c->marker);
  if (!k) {
    c->out_of_memory = true;
    return -1;
  }
  hk_mat3 I = hk_mat3_identity();
  *k = (hk_marker){name, node, s, R, -1, memcmp(&R, &I, sizeof R) == 0, false, false};
  return c->marker.n - 1;
}

static int compare_marker_names(const void *a, const void *b) {
  return strcmp(((const hk_marker_name *)a)->name, ((const hk_marker_name *)b)->name);
}

/* Sorts the names of markers. Duplicate names are rejected later, as duplicate channels. */
static void sort_marker_names(hk_compiler *c) {
  c->marker_name = HK_NEW_ARRAY(&c->m->arena, hk_marker_name, c->marker.n + 1);
  if (!c->marker_name) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < c->marker.n; i++)
    if (c->marker.at[i].name)
      c->marker_name[c->n_marker_names++] = (hk_marker_name){c->marker.at[i].name, i};
  qsort(c->marker_name, (size_t)c->n_marker_names, sizeof *c->marker_name, compare_marker_names);
}

int hk_compile_find_marker(const hk_compiler *c, const char *name) {
  hk_marker_name key = {name, 0};
  const hk_marker_name *e =
      bsearch(&key, c->marker_name, (size_t)c->n_marker_names, sizeof key, compare_marker_names);
  return e ? e->marker : -1;
}

/* Rejects an element that acts on a flexible body but on none of its interfaces, because its load would act on no
 * material point. Sensors are accepted: they may measure relative to the floating frame. */
static bool is_attachable(hk_compiler *c, const hk_item *item, const char *param, int marker) {
  const hk_marker *k = &c->marker.at[marker];
  const hk_node *n = k->node == HK_GROUND ? NULL : &c->m->node[k->node];
  hk_builtin_marker first;
  if (!n || !n->type->interfaces || item->type->category == HK_SENSOR) return true;
  if (k->interface >= 0 && n->type->observed(n, k->interface))
    hk_diag_add(c->diag, HK_WARNING, hk_item_location(item, param),
                "%s '%s' acts on '%s', a set of nodes that is only observed: the body has no modes "
                "for a load there, and would be too stiff; make it an interface of `hooke reduce`",
                hk_category_name(item->type->category), item->name, k->name ? k->name : n->name);
  if (k->interface >= 0) return true;
  bool any = hk_body_marker(n->item, 0, &first);
  hk_compile_error(c, item, param, "'%s' is a flexible body; name one of its interfaces%s%s%s%s%s",
                   n->name, any ? ", such as '" : ", but it has none", any ? n->name : "",
                   any ? "." : "", any ? first.name : "", any ? "'" : "");
  return false;
}

int hk_compile_frame(hk_compiler *c, const hk_item *item, const char *param, const char *name) {
  int marker = hk_compile_find_marker(c, name);
  if (marker >= 0) return is_attachable(c, item, param, marker) ? marker : -1;
  const char **names = malloc(((size_t)c->marker.n + 1) * sizeof *names);
  const char *near = NULL;
  int n = 0;
  for (int i = 0; names && i < c->marker.n; i++)
    if (c->marker.at[i].name) names[n++] = c->marker.at[i].name;
  if (names) near = hk_nearest_name(name, names, n);
  if (near)
    hk_compile_error(c, item, param, "no body or marker is called '%s'; did you mean '%s'?", name,
                     near);
  else
    hk_compile_error(c, item, param, "no body or marker is called '%s'", name);
  free(names);
  return -1;
}

hk_frame hk_compile_frame_at(const hk_compiler *c, int marker) {
  const hk_marker *k = &c->marker.at[marker];
  hk_frame F = {.x = k->s, .R = k->R};
  if (k->node == HK_GROUND) return F;
  const hk_node *n = &c->m->node[k->node];
  hk_node_start_frame(n, k, 0, c->m->q0 + n->q, c->m->v0 + n->v, &F);
  F.v = F.w = hk_v3(0, 0, 0);
  F.rate = 0;
  return F;
}

int hk_compile_add_coordinate(hk_compiler *c, const char *name, const hk_relation_type *type,
                              const double *k, int nk, int a, int b) {
  hk_coordinate *q = HK_PUSH(&c->coordinate);
  if (!q) {
    c->out_of_memory = true;
    return -1;
  }
  q->name = name;
  q->type = type;
  if (nk) memcpy(q->k, k, (size_t)nk * sizeof *k);
  q->a = a;
  q->b = b;
  q->turn = type->wraps ? c->m->n_turns++ : -1;
  return c->coordinate.n - 1;
}

static bool has_coordinate(const void *compiler, const char *name) {
  const hk_compiler *c = compiler;
  for (int i = 0; i < c->coordinate.n; i++)
    if (c->coordinate.at[i].name && strcmp(c->coordinate.at[i].name, name) == 0) return true;
  return false;
}

int hk_compile_coordinate(hk_compiler *c, const hk_item *item, const char *param,
                          const char *name) {
  int found = -1, matches = 0;
  size_t length = strlen(name);
  for (int i = 0; i < c->coordinate.n; i++) {
    const char *full = c->coordinate.at[i].name;
    if (!full) continue;
    if (strcmp(full, name) == 0) return i;
    if (strncmp(full, name, length) == 0 && full[length] == '.' &&
        !strchr(full + length + 1, '.')) {
      found = i;
      matches++;
    }
  }
  if (matches == 1) return found;
  if (matches > 1) {
    hk_compile_error(c, item, param, "'%s' has several coordinates; give one, such as '%s'", name,
                     c->coordinate.at[found].name);
    return -1;
  }
  char current[512];
  if (hk_renamed_channel(name, HK_TO_CURRENT, has_coordinate, c, current, sizeof current, NULL))
    return hk_compile_coordinate(c, item, param, current);
  if (c->joints_failed) return -1;
  const char **names = malloc(((size_t)c->coordinate.n + 1) * sizeof *names);
  const char *near = NULL;
  int n = 0;
  for (int i = 0; names && i < c->coordinate.n; i++)
    if (c->coordinate.at[i].name) names[n++] = c->coordinate.at[i].name;
  if (names) near = hk_nearest_name(name, names, n);
  if (hk_spec_find(c->spec, HK_JOINT, name))
    hk_compile_error(c, item, param, "joint '%s' has no free coordinate", name);
  else
    hk_compile_error(c, item, param, "there is no coordinate '%s'%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  free(names);
  return -1;
}

bool hk_compile_ports(hk_compiler *c, int a, int b) {
  int *p = HK_PUSH(&c->port);
  if (p) *p = a;
  int *q = p ? HK_PUSH(&c->port) : NULL;
  if (q) *q = b;
  if (!q) c->out_of_memory = true;
  return q != NULL;
}

/* ---- finishing ---- */

static void *to_arena(hk_compiler *c, const void *at, int n, size_t size) {
  void *copy = hk_arena_alloc(&c->m->arena, (size_t)n * size + 1);
  if (!copy)
    c->out_of_memory = true;
  else if (n)
    memcpy(copy, at, (size_t)n * size);
  return copy;
}
#define TO_MODEL(member, count, vector)                                         \
  (c->m->member = to_arena(c, c->vector.at, c->vector.n, sizeof *c->vector.at), \
   c->m->count = c->vector.n)

static void use_marker(hk_model *m, int marker, bool moving) {
  hk_marker *k = &m->marker[marker];
  if (k->node == HK_GROUND) return;
  k->active = true;
  k->moving = k->moving || moving;
}

static void find_counted_nodes(hk_model *m) {
  for (int i = 0; i < m->n_coordinates; i++) {
    const hk_coordinate *c = &m->coordinate[i];
    int a = m->marker[c->a].node, b = m->marker[c->b].node;
    if (c->turn >= 0 && a != HK_GROUND) m->node[a].counted = true;
    if (c->turn >= 0 && b != HK_GROUND) m->node[b].counted = true;
  }
}

static void find_active_markers(hk_model *m) {
  for (int i = 0; i < m->n_ports; i++) use_marker(m, m->port[i], false);
  for (int i = 0; i < m->n_forces; i++)
    for (int p = 0; p < m->force[i].n_ports; p++)
      use_marker(m, m->port[m->force[i].port + p], true);
  for (int i = 0; i < m->n_contacts; i++)
    use_marker(m, m->contact[i].a, true), use_marker(m, m->contact[i].b, true);
  for (int i = 0; i < m->n_coordinates; i++) {
    /* Angles that wrap and coordinates with a limit are computed in every step; others that no step uses are computed
     * at output only. */
    if (m->coordinate[i].turn < 0 && m->coordinate[i].limit == 0) continue;
    use_marker(m, m->coordinate[i].a, false);
    use_marker(m, m->coordinate[i].b, false);
  }
  for (int i = 0; i < m->n_step_variables; i++) {
    const hk_channel *k = &m->channel[m->variable_channel[m->step_variable[i]]];
    if (k->owner == HK_OF_COORDINATE) {
      use_marker(m, m->coordinate[k->index].a, true);
      use_marker(m, m->coordinate[k->index].b, true);
    } else if (k->owner == HK_OF_FRAME || k->owner == HK_OF_DEFORMATION) {
      use_marker(m, k->index, true);
    } else if (k->owner == HK_OF_FORCE) {
      use_marker(m, m->port[m->force[k->index].port], true);
      use_marker(m, m->port[m->force[k->index].port + 1], true);
    }
  }
  for (int i = 0; i < m->n_markers; i++)
    if (m->marker[i].active) m->active[m->n_active++] = i;
}

int hk_compile_memory(hk_compiler *c, int n, int scratch) {
  hk_model *m = c->m;
  int at = m->n_memory;
  m->n_memory += n;
  m->n_scratch = scratch > m->n_scratch ? scratch : m->n_scratch;
  return at;
}

/* Returns the lever arm that converts angles to lengths in error norms. */
static double characteristic_length(const hk_model *m) {
  double longest = 0;
  for (int i = 0; i < m->n_markers; i++)
    if (m->marker[i].node != HK_GROUND) longest = fmax(longest, hk_norm(m->marker[i].s));
  for (int i = 0; i < m->n_nodes; i++)
    if (m->node[i].type->gyration) longest = fmax(longest, m->node[i].type->gyration(&m->node[i]));
  return longest > 0 ? longest : 1;
}

/* Sets the lever arm of each node: the distance of its farthest marker or its radius of gyration;
 * for a node without markers and without a radius of gyration, the length of the model. */
static void set_arms(hk_model *m) {
  for (int i = 0; i < m->n_markers; i++) {
    const hk_marker *k = &m->marker[i];
    if (k->node != HK_GROUND) m->node[k->node].arm = fmax(m->node[k->node].arm, hk_norm(k->s));
  }
  for (int i = 0; i < m->n_nodes; i++) {
    hk_node *n = &m->node[i];
    if (n->type->gyration) n->arm = fmax(n->arm, n->type->gyration(n));
    if (n->type->axis || !(n->arm > 0)) n->arm = m->length;
  }
}

/* Finds the nodes with mass, and the inverse of the mass diagonal. */
static void weigh(hk_model *m) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double *give = m->give + n->v;
    if (n->type->rank(n) < HK_MASS_FULL) m->massless = true;
    n->type->diagonal(n, give);
    for (int k = 0; k < n->nv; k++) give[k] = 1 / give[k];
  }
}

/* Array counts of a view of the model. */
typedef struct counts {
  int markers, constraints, held, ports, rows, jacobian;
} counts;

static void count_to(hk_model *m, const counts *n) {
  m->n_markers = n->markers, m->n_constraints = n->constraints, m->n_held = n->held;
  m->n_ports = n->ports, m->nc = n->rows, m->jacobian_size = n->jacobian;
}

/* Adds the view of the model with all rows, which has its own list of used markers and its own
 * state layout. */
static void add_start_view(hk_compiler *c, const counts *all) {
  hk_model *m = c->m, *view = HK_NEW(&m->arena, hk_model);
  if (!view) {
    c->out_of_memory = true;
    return;
  }
  *view = *m;
  count_to(view, all);
  view->marker = to_arena(c, m->marker, all->markers, sizeof *m->marker);
  view->active = HK_NEW_ARRAY(&m->arena, int, all->markers + 1);
  view->n_active = 0;
  if (c->out_of_memory || !view->active) {
    c->out_of_memory = true;
    return;
  }
  find_active_markers(view);
  hk_layout_fill(view);
  m->start = view;
}

/* Number of doubles that a constraint row stores for each of its ports. */
static int width_of(const hk_model *m, const hk_constraint *c) {
  int width = HK_NODE_FEW;
  for (int p = 0; p < c->n_ports; p++) {
    int node = m->marker[m->port[c->port + p]].node;
    if (node != HK_GROUND && m->node[node].nv > width) width = m->node[node].nv;
  }
  return width;
}

static void finish(hk_compiler *c) {
  hk_model *m = c->m;
  counts own = {c->marker.n, c->constraint.n, c->held.n, c->port.n, m->nc, 0};
  hk_compile_starts(c);
  TO_MODEL(marker, n_markers, marker);
  TO_MODEL(coordinate, n_coordinates, coordinate);
  TO_MODEL(constraint, n_constraints, constraint);
  TO_MODEL(held, n_held, held);
  TO_MODEL(term, n_terms, term);
  TO_MODEL(port, n_ports, port);
  TO_MODEL(force, n_forces, force);
  TO_MODEL(contact, n_contacts, contact);
  TO_MODEL(composite, n_composites, composite);
  TO_MODEL(member, n_members, member);
  TO_MODEL(numerical, n_numerical, numerical);
  m->point_contact = HK_NEW_ARRAY(&m->arena, int, m->n_points + 1);
  m->row_name = to_arena(c, c->row_name.at, c->row_name.n, sizeof *c->row_name.at);
  TO_MODEL(velocity_row, n_velocity_rows, velocity_row);
  m->row_angular = to_arena(c, c->row_angular.at, c->row_angular.n, sizeof *c->row_angular.at);
  m->row_constraint = HK_NEW_ARRAY(&m->arena, int, m->nc + 1);
  m->active = HK_NEW_ARRAY(&m->arena, int, m->n_markers + 1);
  m->give = HK_NEW_ARRAY(&m->arena, double, m->nv + 1);
  if (c->out_of_memory || !m->point_contact || !m->row_constraint || !m->active || !m->give) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < m->n_constraints; i++) {
    hk_constraint *k = &m->constraint[i];
    for (int r = 0; r < k->n_rows; r++) m->row_constraint[k->row + r] = i;
    k->jacobian = m->jacobian_size;
    k->width = width_of(m, k);
    m->jacobian_size += k->width * k->n_rows * k->n_ports;
    if (i < own.constraints) own.jacobian = m->jacobian_size;
  }
  const counts all = {m->n_markers, m->n_constraints, m->n_held, m->n_ports,
                      m->nc,        m->jacobian_size};
  count_to(m, &own);
  for (int i = 0; i < m->n_contacts; i++)
    for (int p = 0; p < m->contact[i].n_points; p++) m->point_contact[m->contact[i].point + p] = i;
  weigh(m);
  for (int i = 0; i < m->n_forces; i++) m->friction = m->friction || m->force[i].joint >= 0;
  find_active_markers(m);
  find_counted_nodes(m);
  hk_layout_fill(m);
  m->length = characteristic_length(m);
  set_arms(m);
  if (all.rows > own.rows && !c->out_of_memory) add_start_view(c, &all);
}

static void release(hk_compiler *c) {
  free(c->marker.at), free(c->coordinate.at), free(c->constraint.at), free(c->held.at);
  free(c->term.at), free(c->port.at), free(c->row_name.at), free(c->row_angular.at);
  free(c->velocity_row.at);
  for (int i = 0; i < c->sum.n; i++) free(c->sum.at[i].term);
  free(c->sum.at), free(c->force.at), free(c->contact.at), free(c->sensor.at), free(c->channel.at);
  free(c->composite.at), free(c->member.at), free(c->numerical.at);
}

/* Adds one note per type with numerical derivatives, and one warning per type with a caution. */
static void tell_of_types(hk_compiler *c) {
  for (int k = 0; k < HK_N_CATEGORIES; k++)
    for (int i = 0; i < c->spec->n[k]; i++) {
      const hk_item *item = c->spec->item[k][i];
      bool told = !item->type->caution;
      if (item->type->numerical) hk_compile_numerical(c, item);
      for (int j = 0; j < i && !told; j++) told = c->spec->item[k][j]->type == item->type;
      if (!told)
        hk_diag_add(c->diag, HK_WARNING, hk_item_location(item, NULL), "%s '%s': %s",
                    hk_category_name((hk_category)k), item->name, item->type->caution);
    }
}

static hk_model *compile(hk_spec *spec, hk_diag *diag) {
  int errors = diag->n_errors, first = diag->n;
  hk_model *m = calloc(1, sizeof *m);
  if (!m) {
    hk_spec_destroy(spec);
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
    return NULL;
  }
  hk_arena_init(&m->arena);
  m->spec = spec;
  if (hk_spec_error(spec)) hk_diag_add(diag, HK_ERROR, NULL, "%s", hk_spec_error(spec)->text);
  m->title = spec->title ? spec->title : "";
  hk_spec_expand(spec, diag);
  if (spec->n[HK_ANALYSIS])
    hk_stepper_check(spec, hk_stepper_chosen(spec->item[HK_ANALYSIS][0]), HK_ERROR, diag);
  hk_compiler c = {.m = m, .spec = spec, .diag = diag, .errors_before = errors};
  tell_of_types(&c);
  if (diag->n_errors == errors) {
    hk_compile_bodies(&c);
    sort_marker_names(&c);
  }
  if (diag->n_errors == errors && !c.out_of_memory) hk_compile_states(&c);
  if (!c.out_of_memory) hk_compile_node_coordinates(&c);
  /* A model without bodies is valid if it has FMUs: hooke then only couples the FMUs. */
  if (!c.out_of_memory && m->n_nodes == 0 && spec->n[HK_FMU] == 0 && diag->n_errors == errors)
    hk_diag_add(diag, HK_ERROR, spec->file ? &(hk_location){spec->file, 1, 1} : NULL,
                "the model has no bodies; add 'bodies: {...}'");
  static void (*const pass[])(hk_compiler *) = {hk_compile_shapes,
                                                hk_compile_joints,
                                                hk_compile_forces,
                                                hk_compile_contacts,
                                                hk_compile_sensors,
                                                hk_compile_owned,
                                                hk_compile_composites,
                                                hk_compile_inputs,
                                                hk_compile_events,
                                                hk_compile_channels,
                                                hk_compile_event_channels,
                                                hk_compile_fmus,
                                                hk_compile_variables,
                                                hk_compile_force_ports,
                                                hk_compile_lookups,
                                                hk_compile_watched,
                                                finish};
  bool bodies_stand = diag->n_errors == errors;
  for (size_t i = 0; i < sizeof pass / sizeof *pass; i++) {
    /* Forces and sensors are checked even if a joint is invalid, to report all errors at once. */
    bool look = diag->n_errors == errors ||
                (bodies_stand && (pass[i] == hk_compile_forces || pass[i] == hk_compile_contacts ||
                                  pass[i] == hk_compile_sensors));
    if (!c.out_of_memory && look) pass[i](&c);
    if (pass[i] == hk_compile_joints) c.joints_failed = diag->n_errors > errors;
  }
  release(&c);
  hk_outside_hush(diag, first, spec->file);
  if (c.out_of_memory) hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
  if (c.out_of_memory || diag->n_errors > errors) {
    hk_model_destroy(m);
    return NULL;
  }
  return m;
}

void hk_model_destroy(hk_model *m) {
  if (!m) return;
  hk_spec_destroy(m->spec);
  hk_arena_free(&m->arena);
  free(m);
}

hk_spec *hk_model_spec(const hk_model *m) { return m ? hk_spec_copy(m->spec) : NULL; }

const char *hk_model_title(const hk_model *m) { return m ? m->title : ""; }
int hk_model_position_count(const hk_model *m) { return m ? m->nq : 0; }
int hk_model_velocity_count(const hk_model *m) { return m ? m->nv : 0; }
int hk_model_constraint_count(const hk_model *m) { return m ? m->nc : 0; }

void hk_model_row_text(const hk_model *m, int row, char *buf, size_t size) {
  const hk_constraint *c = &m->constraint[m->row_constraint[row]];
  snprintf(buf, size, "%s '%s' (%s), %s", hk_category_name(c->item->type->category), c->name,
           c->item->type->name, m->row_name[row]);
}

hk_model *hk_model_compile(hk_spec *spec, hk_diag *diag) {
  hk_diag unread; /* used if the caller gives no diag */
  if (!spec) {
    hk_diag_add(diag, HK_ERROR, NULL, "there is no spec to compile");
    return NULL;
  }
  hk_diag_init(&unread);
  hk_model *model = compile(spec, diag ? diag : &unread);
  hk_diag_free(&unread);
  return model;
}
