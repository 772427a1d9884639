/* Names of channels in expressions, before the model is compiled, as far as the spec determines them. */
#include "spec/own_name.h"
#include "spec/item.h"
#include "model/compile.h"
#include "spec/event.h"
#include "spec/renamed.h"
#include "spec/signal.h"
#include <stdio.h>
#include <string.h>

enum { NAME = 512 };

static hk_dim unit_dim(const char *unit) {
  hk_unit u = {0};
  hk_unit_parse(unit, strlen(unit), &u, NULL);
  return u.dim;
}

/* ---- frames and coordinates ---- */

/* Returns true if the spec has this body, marker or built-in marker. */
static bool is_frame(const hk_spec *s, const char *name) {
  if (strcmp(name, "ground") == 0 || hk_spec_find(s, HK_BODY, name)) return true;
  for (int i = 0; i < s->n_markers; i++) {
    char full[NAME];
    snprintf(full, sizeof full, "%s.%s", s->marker[i].body ? s->marker[i].body->name : "ground",
             s->marker[i].name);
    if (strcmp(full, name) == 0) return true;
  }
  const char *dot = strrchr(name, '.');
  if (!dot) return false;
  char body[NAME];
  snprintf(body, sizeof body, "%.*s", (int)(dot - name), name);
  const hk_item *item = hk_spec_find(s, HK_BODY, body);
  hk_builtin_marker builtin;
  return item && hk_body_marker_find(item, dot + 1, &builtin);
}

/* Returns true if a frame has this component. A marker (body = NULL) has no rotation channels: rotation channels
 * belong to the body of the marker, if the node of this body has any. */
static bool has_frame_quantity(const hk_item *body, int component) {
  bool turns = hk_frame_quantity_turns(component);
  if (!body) return !turns;
  return hk_records(((const hk_body_ops *)body->type->ops)->node->records, turns);
}

static bool frame_channel(const hk_spec *s, const char *frame, const char *what, hk_dim *dim) {
  const hk_item *body = hk_spec_find(s, HK_BODY, frame);
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_FRAME, &n);
  for (int i = is_frame(s, frame) ? 0 : n; i < n; i++)
    if (strcmp(line[i].is.name, what) == 0 && has_frame_quantity(body, line[i].component))
      return *dim = unit_dim(line[i].is.unit), true;
  return false;
}

/* Removes a suffix: "angle_rate" gives "angle" and 1, "angle_acc" gives "angle" and 2. */
static int strip_order(const char *quantity_name, char *buf, size_t size) {
  size_t n = strlen(quantity_name);
  for (int order = HK_N_ORDERS - 1;; order--) {
    const char *tail = hk_coordinate_table[order].suffix;
    size_t k = strlen(tail);
    if (n < k || strcmp(quantity_name + n - k, tail) != 0) continue;
    snprintf(buf, size, "%.*s", (int)(n - k), quantity_name);
    return order;
  }
}

static hk_dim coordinate_dim(bool angular, int order) {
  return unit_dim(hk_coordinate_table[order].unit[angular]);
}

/* Fills the frames and coordinates of a force; false: not given.  Ignores other errors, and
 * parameters that are read later, such as expressions. */
static bool force_binding(const hk_item *force, hk_force_binding *b) {
  hk_error err;
  const hk_param *p;
  *b = (hk_force_binding){0};
  for (int i = 0; (p = hk_type_param(force->type, i)); i++)
    if (p->flags & HK_REQUIRED && hk_param_is_name(p) && !hk_item_given(force, i)) return false;
  (void)((const hk_force_ops *)force->type->ops)->bind(force, b, &err);
  return b->field || b->relation || b->coordinate || b->b || b->joint;
}

/* Finds a force by the prefix of its channels: the force's name, or "forces.name" if another item has the same name. */
static const hk_item *force_of(const hk_spec *s, const char *owner) {
  const hk_item *force = hk_spec_find(s, HK_FORCE, owner);
  if (!force && strncmp(owner, "forces.", 7) == 0) force = hk_spec_find(s, HK_FORCE, owner + 7);
  char right[NAME];
  if (!force) return NULL;
  hk_force_channel_owner(force, right, sizeof right);
  return strcmp(right, owner) == 0 ? force : NULL;
}

/* Returns the coordinate `what` of a joint, rotor, motion or force, or a coordinate that depends on
 * a rotor's angle; `what` NULL: the only coordinate of a rotor or force. */
static const hk_relation_type *coordinate_of(const hk_spec *s, const char *owner,
                                             const char *what) {
  static const hk_category jointed[] = {HK_JOINT, HK_MOTION};
  for (int i = 0; i < 2; i++) {
    const hk_item *joint = hk_spec_find(s, jointed[i], owner);
    const hk_relation_type *type = joint ? hk_joint_coordinate_type(joint, what) : NULL;
    if (type) return type;
  }
  const hk_item *force = force_of(s, owner);
  hk_force_binding b;
  if (force && force_binding(force, &b) && b.relation &&
      (!what || strcmp(what, hk_force_coordinate_name(force->type->ops, b.relation->angular)) == 0))
    return b.relation;
  const hk_item *body = hk_spec_find(s, HK_BODY, owner);
  const hk_body_ops *ops = body ? body->type->ops : NULL;
  if (!ops) return NULL;
  if (!what || (ops->node->free_name && strcmp(what, ops->node->free_name) == 0))
    return ops->node->free_relation;
  if (!ops->follower) return NULL;
  const char *own;
  double k[HK_RELATION_CONSTANTS] = {0};
  const hk_relation_type *type = ops->follower(body, &own, k);
  return strcmp(what, own) == 0 ? type : NULL;
}

/* Returns true if a coordinate is an angle. The name of the coordinate has the form used in parameters: "hinge.angle",
 * or "hinge" if the joint has only one coordinate. */
static bool is_angle(const hk_spec *s, const char *coordinate) {
  const hk_item *sensor = hk_spec_find(s, HK_SENSOR, coordinate);
  hk_sensor_binding b = {0};
  hk_error err;
  if (sensor && !((const hk_sensor_ops *)sensor->type->ops)->bind(sensor, &b, &err) && b.relation)
    return b.relation->angular;
  const hk_relation_type *type = coordinate_of(s, coordinate, NULL);
  const char *dot = strrchr(coordinate, '.');
  if (!type && dot) {
    char owner[NAME];
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - coordinate), coordinate);
    type = coordinate_of(s, owner, dot + 1);
  }
  return type && type->angular;
}

/* Returns true if a line of a table describes the channel: "pair[i].load" matches "pair[2].load". */
static bool is_line(const char *line, const char *name) {
  while (*line && *line == *name) {
    bool index = *name == '[' && strncmp(line, "[i]", 3) == 0;
    line++, name++;
    if (index) {
      size_t digits = strspn(name, "0123456789");
      if (digits == 0) return false;
      line++, name += digits;
    }
  }
  return *line == *name;
}

static bool in_table(hk_owner owner, unsigned is, const char *what, hk_dim *dim) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(owner, &n);
  for (int i = 0; i < n; i++)
    if (hk_owner_has(&line[i], is) && is_line(line[i].is.name, what))
      return *dim = unit_dim(line[i].is.unit), true;
  return false;
}

/* Returns true if this is a channel of a flexible body or of a marker on it. */
static bool deformation_channel(const hk_spec *s, const char *frame, const char *what,
                                hk_dim *dim) {
  const char *dot = strrchr(frame, '.');
  char owner[NAME];
  const hk_item *body = hk_spec_find(s, HK_BODY, frame);
  unsigned is = body ? HK_OF_WHOLE : HK_OF_INTERFACE;
  if (!body && dot && is_frame(s, frame)) {
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - frame), frame);
    body = hk_spec_find(s, HK_BODY, owner);
  }
  return body && ((const hk_body_ops *)body->type->ops)->node->deformation &&
         in_table(HK_OF_DEFORMATION, is, what, dim);
}

/* ---- forces, reactions, efforts, contacts, loads, energies ---- */

static bool in_own(const hk_quantity *own, int n, const char *what, hk_dim *dim) {
  for (int i = 0; i < n; i++)
    if (is_line(own[i].name, what)) return *dim = unit_dim(own[i].unit), true;
  return false;
}

static bool force_channel(const hk_spec *s, const char *owner, const char *what, hk_dim *dim) {
  const hk_item *force = force_of(s, owner);
  hk_force_binding b;
  if (!force || !force_binding(force, &b)) return false;
  const hk_force_ops *ops = force->type->ops;
  bool along = b.relation || b.coordinate;
  bool angular = b.relation ? b.relation->angular : along && is_angle(s, b.coordinate);
  return in_table(HK_OF_FORCE, hk_force_channel_mask(b.field, along, angular), what, dim) ||
         in_own(ops->channel, ops->n_channels, what, dim);
}

/* Search for a row that is a sum of coordinates; also finds whether all of these coordinates are
 * angles. */
typedef struct row_search {
  const char *name; /* NULL: the first */
  int rows;
  bool found, angular;
} row_search;

static void look_at_sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                        const hk_expr *value, bool start_as_is) {
  row_search *s = b->context;
  bool meant = s->name ? strcmp(s->name, row) == 0 : s->rows == 0;
  s->rows++;
  if (!meant) return;
  bool first = true;
  s->found = s->angular = true;
  for (int i = 0; i < n; i++) {
    char own[NAME];
    const char *name = term[i].coordinate ? term[i].coordinate : "";
    if (name[0] == '.') {
      snprintf(own, sizeof own, "%s%s", b->item->name, name);
      name = own;
    }
    bool angle = is_angle(b->item->spec, name);
    s->angular = s->angular && angle;
    if (i == 0) first = angle;
  }
  s->angular = hk_sum_is_angle(b->item, first, s->angular);
}

/* Returns true if the channel is the effort of a motion or coupling: "drive.effort", or "drive.effort_x" if there are
 * several rows. */
static bool effort_channel(const hk_spec *s, const char *owner, const char *what, hk_dim *dim) {
  static const hk_joint_builder_ops LOOK = {.sum = look_at_sum};
  static const hk_category jointed[] = {HK_JOINT, HK_MOTION};
  size_t n = strlen(hk_effort.name);
  if (strncmp(what, hk_effort.name, n) != 0 || (what[n] && what[n] != '_')) return false;
  const char *which = what[n] ? what + n + 1 : NULL;
  for (int i = 0; i < 2; i++) {
    const hk_item *item = hk_spec_find(s, jointed[i], owner);
    const hk_joint_ops *ops = item ? item->type->ops : NULL;
    if (!ops || !ops->build) continue;
    row_search row = {.name = which};
    hk_frame A = {.R = hk_mat3_identity()}, B = A;
    hk_joint_builder b = {.item = item, .A = &A, .B = &B, .ops = &LOOK, .context = &row};
    B.x = hk_v3(1, 0, 0); /* different positions, so that distances are defined */
    ops->build(&b);
    if (row.found && (row.rows > 1) == (which != NULL))
      return *dim = unit_dim(row.angular ? "N*m" : "N"), true;
  }
  return false;
}

/* Returns true if the contact has a point of this name. A contact with one point has channels without a point name. */
static bool has_point(const hk_item *contact, const char *point) {
  const hk_gap_ops *gap = contact->type->ops;
  if (!gap->point_names) return true; /* compilation reports the unknown point */
  for (int i = 0; point && i < gap->points; i++)
    if (strcmp(gap->point_names[i], point) == 0) return true;
  return false;
}

static bool contact_channel(const hk_spec *s, const char *owner, const char *what, hk_dim *dim) {
  const hk_item *contact = hk_spec_find(s, HK_CONTACT, owner);
  const char *point = strrchr(owner, '.');
  if (!contact && point) {
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", (int)(point - owner), owner);
    contact = hk_spec_find(s, HK_CONTACT, name);
  } else
    point = NULL;
  if (!contact || !has_point(contact, point ? point + 1 : NULL)) return false;
  const char *name = HK_DATA(contact, hk_contact_common)->law;
  const hk_item *law = name ? hk_spec_find(s, HK_LAW, name) : NULL;
  const hk_law_ops *ops = law ? law->type->ops : NULL;
  return in_table(HK_OF_CONTACT, ~0u, what, dim) ||
         (ops && in_own(ops->channel, ops->n_channels, what, dim));
}

static bool acting_channel(const hk_spec *s, const char *owner, const char *what, hk_dim *dim) {
  if (strcmp(owner, "energy") == 0 && in_table(HK_OF_ENERGY, 0, what, dim)) return true;
  if (strcmp(owner, "solver") == 0 && in_table(HK_OF_SOLVER, ~0u, what, dim)) return true;
  if (hk_spec_find(s, HK_BODY, owner) && in_table(HK_OF_BODY, 0, what, dim)) return true;
  const hk_item *joint = hk_spec_find(s, HK_JOINT, owner);
  bool composite = joint && ((const hk_joint_ops *)joint->type->ops)->expand;
  if (joint && in_table(composite ? HK_OF_COMPOSITE : HK_OF_JOINT, 0, what, dim))
    return !composite || HK_DATA(joint, hk_joint_common)->b || !hk_is_of_side_b(what);
  return effort_channel(s, owner, what, dim) || force_channel(s, owner, what, dim) ||
         contact_channel(s, owner, what, dim);
}

/* ---- all channels ---- */

/* Returns true if this is a channel of a sensor; a relation between frames also has its
 * derivatives as channels. */
static bool sensor_channel(const hk_spec *s, const char *name, int order, hk_dim *dim) {
  const hk_item *sensor = hk_spec_find(s, HK_SENSOR, name);
  hk_sensor_binding b = {0};
  hk_error err;
  if (!sensor || ((const hk_sensor_ops *)sensor->type->ops)->bind(sensor, &b, &err)) return false;
  if (b.expr && order == 0) return *dim = hk_expr_dim(b.expr), true;
  if (!b.relation) return false;
  return *dim = coordinate_dim(b.relation->angular, order), true;
}

bool hk_channel_known(const hk_spec *s, const char *name, hk_dim *dim) {
  char owner[NAME], what[128];
  if (hk_spec_find(s, HK_SENSOR, name)) return sensor_channel(s, name, 0, dim);
  int derivative = strip_order(name, owner, sizeof owner);
  if (derivative && sensor_channel(s, owner, derivative, dim)) return true;
  const hk_item *input = hk_spec_find(s, HK_INPUT, name), *state = hk_spec_find(s, HK_STATE, name);
  hk_error err;
  if (input || state) return hk_signal_dim(input ? input : state, dim, &err) == HK_OK;
  const char *dot = strrchr(name, '.');
  if (!dot) return false;
  snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  for (int i = 0; i < HK_EVENT_NUMBERS; i++)
    if (strcmp(dot + 1, hk_event_table[i].name) == 0 && hk_spec_find(s, HK_EVENT, owner))
      return *dim = unit_dim(hk_event_table[i].unit), true;
  state = strcmp(dot, ".rate") == 0 ? hk_spec_find(s, HK_STATE, owner) : NULL;
  if (state && hk_signal_dim(state, dim, &err) == HK_OK)
    return *dim = hk_dim_div(*dim, unit_dim("s")), true;
  int order = strip_order(dot + 1, what, sizeof what);
  const hk_relation_type *type = coordinate_of(s, owner, what);
  if (type) return *dim = coordinate_dim(type->angular, order), true;
  if (frame_channel(s, owner, dot + 1, dim) || acting_channel(s, owner, dot + 1, dim) ||
      deformation_channel(s, owner, dot + 1, dim))
    return true;
  const char *part = strrchr(owner, '.'); /* "mesh.pair[0].load" is a channel of "mesh" */
  if (!part) return false;
  const char *rest = name + (part - owner) + 1;
  owner[part - owner] = 0;
  return force_channel(s, owner, rest, dim);
}

int hk_channel_frame_names(const hk_spec *s, const char *frame,
                           const char *suffix[HK_MOST_FRAME_NAMES], char *text, size_t size) {
  static const char *const of_frame[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
  const hk_item *body = hk_spec_find(s, HK_BODY, frame);
  const hk_node_type *node = body ? ((const hk_body_ops *)body->type->ops)->node : NULL;
  size_t used = 0;
  int n = 0;
  hk_dim dim;
  text[0] = 0;
  for (int i = 0; i < 9; i++) {
    if (!frame_channel(s, frame, of_frame[i], &dim)) continue;
    suffix[n++] = of_frame[i];
    used += (size_t)snprintf(text + used, size - used, "%s%s",
                             !used   ? ""
                             : i % 3 ? " "
                                     : ", ",
                             of_frame[i]);
  }
  if (!node || !node->free_name) return n;
  suffix[n++] = node->free_name;
  snprintf(text + used, size - used, "%s%s, %s_rate", used ? ", " : "", node->free_name,
           node->free_name);
  return n;
}

static void suggest(const hk_spec *s, const char *name, char *hint) {
  const char *dot = strrchr(name, '.');
  char owner[256] = "";
  if (hk_spec_find(s, HK_SENSOR, name))
    snprintf(hint, 256, "this sensor has no value yet; define it before the item that reads it");
  if (dot) snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  if (dot && hk_spec_find(s, HK_FORCE, owner) && !force_of(s, owner))
    snprintf(hint, 256,
             "another item has the same name; the channels of force '%.80s' are forces.%.80s",
             owner, name);
  if (dot && is_frame(s, owner)) {
    const char *suffix[HK_MOST_FRAME_NAMES];
    char all[100];
    const int n = hk_channel_frame_names(s, owner, suffix, all, sizeof all);
    const char *near = hk_nearest_name(dot + 1, suffix, n);
    snprintf(hint, 256, "'%.100s' has %s%s%s%s", owner, n ? all : "no such channels",
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
}

static bool is_channel(const void *spec, const char *name) {
  hk_dim dim;
  return hk_channel_known(spec, name, &dim);
}

bool hk_channel_current(const hk_spec *s, const char *name, char *out, size_t size, bool *note) {
  return hk_renamed_channel(name, HK_TO_CURRENT, is_channel, s, out, size, note) &&
         !is_channel(s, name);
}

int hk_channel_variable(hk_spec *s, const char *name, hk_dim *dim, char *hint) {
  if (hint) hint[0] = 0;
  if (s->n_variables == 0 || s->n_variables == s->variable_capacity) {
    int capacity = s->variable_capacity ? 2 * s->variable_capacity : 16;
    hk_variable *grown = HK_NEW_ARRAY(&s->arena, hk_variable, capacity);
    if (!grown) return -1;
    if (s->n_variables) memcpy(grown, s->variable, (size_t)s->n_variables * sizeof *grown);
    s->variable = grown;
    s->variable_capacity = capacity;
    if (s->n_variables == 0) s->variable[s->n_variables++] = (hk_variable){"t", unit_dim("s")};
  }
  for (int i = 0; i < s->n_variables; i++)
    if (strcmp(s->variable[i].name, name) == 0) {
      *dim = s->variable[i].dim;
      return i;
    }
  if (!hk_channel_known(s, name, dim)) {
    char current[NAME];
    if (hk_renamed_channel(name, HK_TO_CURRENT, is_channel, s, current, sizeof current, NULL))
      return hk_channel_variable(s, current, dim, hint);
    if (hint) suggest(s, name, hint);
    return -1;
  }
  const char *copy = hk_arena_strdup(&s->arena, name);
  if (!copy) return -1;
  s->variable[s->n_variables] = (hk_variable){copy, *dim};
  return s->n_variables++;
}
