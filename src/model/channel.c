/* Channels: the names under which everything can be recorded, measured and used in expressions.
 *
 *   time, <frame>.x|y|z|vx|vy|vz|wx|wy|wz|qw|qx|qy|qz|ax|ay|az|alphax|alphay|alphaz
 *   <joint>.<coordinate>, ..._rate, ..._acc;  <rotor>.angle, ..._rate, ..._acc
 *   <joint>.fx|fy|fz|tx|ty|tz: reaction on b at the joint, world axes;  <motion>.effort
 *   <sensor>, energy.*, solver.*
 */
#include "model/compile.h"
#include <stdio.h>
#include <string.h>

typedef struct quantity {
  const char *suffix, *unit, *doc;
  hk_channel_kind kind;
  int component;
} quantity;

static const quantity frame_quantity[] = {
    {"x", "m", "position", HK_CH_POSITION, 0},
    {"y", "m", "position", HK_CH_POSITION, 1},
    {"z", "m", "position", HK_CH_POSITION, 2},
    {"vx", "m/s", "velocity", HK_CH_VELOCITY, 0},
    {"vy", "m/s", "velocity", HK_CH_VELOCITY, 1},
    {"vz", "m/s", "velocity", HK_CH_VELOCITY, 2},
    {"wx", "rad/s", "angular velocity, world axes", HK_CH_ANGULAR, 0},
    {"wy", "rad/s", "angular velocity, world axes", HK_CH_ANGULAR, 1},
    {"wz", "rad/s", "angular velocity, world axes", HK_CH_ANGULAR, 2},
    {"qw", "1", "orientation quaternion", HK_CH_QUATERNION, 0},
    {"qx", "1", "orientation quaternion", HK_CH_QUATERNION, 1},
    {"qy", "1", "orientation quaternion", HK_CH_QUATERNION, 2},
    {"qz", "1", "orientation quaternion", HK_CH_QUATERNION, 3},
    {"ax", "m/s^2", "acceleration", HK_CH_ACCELERATION, 0},
    {"ay", "m/s^2", "acceleration", HK_CH_ACCELERATION, 1},
    {"az", "m/s^2", "acceleration", HK_CH_ACCELERATION, 2},
    {"alphax", "rad/s^2", "angular acceleration, world axes", HK_CH_ANGULAR_ACCELERATION, 0},
    {"alphay", "rad/s^2", "angular acceleration, world axes", HK_CH_ANGULAR_ACCELERATION, 1},
    {"alphaz", "rad/s^2", "angular acceleration, world axes", HK_CH_ANGULAR_ACCELERATION, 2},
};
enum { N_FRAME_QUANTITIES = sizeof frame_quantity / sizeof *frame_quantity };

static const quantity energy_quantity[] = {
    {"energy.kinetic", "J", "kinetic energy", HK_CH_ENERGY, HK_ENERGY_KINETIC},
    {"energy.potential", "J", "potential energy of gravity and springs", HK_CH_ENERGY,
     HK_ENERGY_POTENTIAL},
    {"energy.dissipated", "J", "energy lost in dampers and friction", HK_CH_ENERGY,
     HK_ENERGY_DISSIPATED},
    {"energy.motion_work", "J", "work done by prescribed motions", HK_CH_ENERGY,
     HK_ENERGY_MOTION_WORK},
    {"energy.applied_work", "J", "work done by applied loads and actuators", HK_CH_ENERGY,
     HK_ENERGY_APPLIED_WORK},
    {"energy.balance_error", "J", "kinetic + potential + dissipated - work - energy at the start",
     HK_CH_ENERGY, HK_ENERGY_BALANCE_ERROR},
    {"solver.step", "s", "step size", HK_CH_SOLVER, HK_SOLVER_STEP},
    {"solver.newton", "1", "Newton iterations since the start", HK_CH_SOLVER, HK_SOLVER_NEWTON},
    {"solver.constraint_error", "1", "largest violation of a joint, in m or rad", HK_CH_SOLVER,
     HK_SOLVER_CONSTRAINT_ERROR},
    {"solver.velocity_error", "1", "largest violation of a joint's velocity, in m/s or rad/s",
     HK_CH_SOLVER, HK_SOLVER_VELOCITY_ERROR},
    {"solver.contact_merit", "1", "what the contacts' impulses leave of their equations, relative",
     HK_CH_SOLVER, HK_SOLVER_CONTACT_MERIT},
    {"solver.contact_pivots", "1", "pivots of the contact solver since the start", HK_CH_SOLVER,
     HK_SOLVER_CONTACT_PIVOTS},
};
static const quantity contact_quantity[] = {
    {"gap", "m", "distance of the surfaces; < 0: overlap", HK_CH_CONTACT, HK_CONTACT_GAP},
    {"normal_force", "N", "pressing force", HK_CH_CONTACT, HK_CONTACT_NORMAL_FORCE},
    {"friction_force", "N", "size of the friction force", HK_CH_CONTACT, HK_CONTACT_FRICTION_FORCE},
    {"slip", "m/s", "sliding speed while touching", HK_CH_CONTACT, HK_CONTACT_SLIP},
    {"power", "W", "power lost", HK_CH_CONTACT, HK_CONTACT_POWER},
    {"sliding_work", "J", "energy lost in sliding since the start", HK_CH_CONTACT,
     HK_CONTACT_SLIDING_WORK},
    {"fx", "N", "force on b, world axes", HK_CH_CONTACT, HK_CONTACT_FX},
    {"fy", "N", "force on b, world axes", HK_CH_CONTACT, HK_CONTACT_FY},
    {"fz", "N", "force on b, world axes", HK_CH_CONTACT, HK_CONTACT_FZ},
    {"pressure", "Pa", "peak pressure", HK_CH_CONTACT, HK_CONTACT_PRESSURE},
    {"half_width_t", "m", "half axis of the contact ellipse", HK_CH_CONTACT, HK_CONTACT_HALF_T},
    {"half_width_s", "m", "half axis of the contact ellipse", HK_CH_CONTACT, HK_CONTACT_HALF_S},
    {"impulse", "N*s", "pressing impulse of the last step", HK_CH_CONTACT, HK_CONTACT_IMPULSE},
    {"approach", "m/s", "approach velocity of the last impact", HK_CH_CONTACT, HK_CONTACT_APPROACH},
    {"impacts", "1", "number of impacts since the start", HK_CH_CONTACT, HK_CONTACT_IMPACTS},
    {"closed", "1", "1 in contact, else 0", HK_CH_CONTACT, HK_CONTACT_CLOSED},
    {"closed_time", "s", "time in contact since the start", HK_CH_CONTACT, HK_CONTACT_CLOSED_TIME},
};
enum { N_CONTACT_QUANTITIES = sizeof contact_quantity / sizeof *contact_quantity };

static const quantity load_quantity[] = {
    {".load_fx", "N", "force of contacts and forces, without gravity", HK_CH_LOAD, 0},
    {".load_fy", "N", "force of contacts and forces, without gravity", HK_CH_LOAD, 1},
    {".load_fz", "N", "force of contacts and forces, without gravity", HK_CH_LOAD, 2},
    {".load_tx", "N*m", "moment of contacts and forces about the centre of mass", HK_CH_LOAD, 3},
    {".load_ty", "N*m", "moment of contacts and forces about the centre of mass", HK_CH_LOAD, 4},
    {".load_tz", "N*m", "moment of contacts and forces about the centre of mass", HK_CH_LOAD, 5},
};
enum { N_LOAD_QUANTITIES = sizeof load_quantity / sizeof *load_quantity };

enum { N_ENERGY_QUANTITIES = sizeof energy_quantity / sizeof *energy_quantity };

/* ---- names in expressions, before the model is compiled ---- */

static hk_dim unit_dim(const char *unit) {
  hk_unit u = {0};
  hk_unit_parse(unit, strlen(unit), &u, NULL);
  return u.dim;
}

/* Does the spec have this body, marker or built-in marker? */
static bool is_frame(const hk_spec *s, const char *name) {
  if (strcmp(name, "ground") == 0 || hk_spec_find(s, HK_BODY, name)) return true;
  for (int i = 0; i < s->n_markers; i++) {
    char full[512];
    snprintf(full, sizeof full, "%s.%s", s->marker[i].body ? s->marker[i].body->name : "ground",
             s->marker[i].name);
    if (strcmp(full, name) == 0) return true;
  }
  const char *dot = strrchr(name, '.');
  if (!dot) return false;
  char body[512];
  snprintf(body, sizeof body, "%.*s", (int)(dot - name), name);
  const hk_item *item = hk_spec_find(s, HK_BODY, body);
  const hk_body_ops *ops = item ? item->type->ops : NULL;
  hk_builtin_marker builtin[6];
  int n = ops && ops->markers ? ops->markers(item, builtin) : 0;
  for (int i = 0; i < n; i++)
    if (strcmp(builtin[i].name, dot + 1) == 0) return true;
  return false;
}

static bool is_rotation(hk_channel_kind kind) {
  return kind == HK_CH_ANGULAR || kind == HK_CH_QUATERNION || kind == HK_CH_ANGULAR_ACCELERATION;
}

/* A marker (body NULL) has no rotation channels: they are its body's.  A point mass has none at all,
 * and a rotor has its angle instead. */
static bool has_quantity(const hk_item *body, hk_channel_kind kind) {
  if (!body) return !is_rotation(kind);
  hk_node_kind node = ((const hk_body_ops *)body->type->ops)->kind;
  return node == HK_NODE_RIGID || node == HK_NODE_GUIDED ||
         (node == HK_NODE_POINT && !is_rotation(kind));
}

/* "angle_rate" -> "angle", 1; "angle_acc" -> "angle", 2 */
static int strip_order(const char *quantity_name, char *buf, size_t size) {
  static const char *const tail[] = {"", "_rate", "_acc"};
  size_t n = strlen(quantity_name);
  for (int order = 2;; order--) {
    size_t k = strlen(tail[order]);
    if (n < k || strcmp(quantity_name + n - k, tail[order]) != 0) continue;
    snprintf(buf, size, "%.*s", (int)(n - k), quantity_name);
    return order;
  }
}

static hk_dim coordinate_dim(bool angular, int order) {
  static const char *const unit[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  return unit_dim(unit[angular][order]);
}

static bool quantity_of(const quantity *table, int n, const char *suffix, hk_dim *dim) {
  for (int i = 0; i < n; i++)
    if (strcmp(table[i].suffix, suffix) == 0) return *dim = unit_dim(table[i].unit), true;
  return false;
}

/* Channels of what acts: energies, loads, reactions, contacts. */
static bool effort_channel(const hk_spec *s, const char *name, hk_dim *dim) {
  static const char *const reaction[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const char *dot = strrchr(name, '.');
  if (!dot || quantity_of(energy_quantity, N_ENERGY_QUANTITIES, name, dim)) return dot != NULL;
  char owner[512];
  snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  if (hk_spec_find(s, HK_BODY, owner))
    return quantity_of(load_quantity, N_LOAD_QUANTITIES, dot, dim);
  for (int i = 0; hk_spec_find(s, HK_JOINT, owner) && i < 6; i++)
    if (strcmp(reaction[i], dot + 1) == 0) return *dim = unit_dim(i < 3 ? "N" : "N*m"), true;
  const hk_item *contact = hk_spec_find(s, HK_CONTACT, owner);
  char *point = strrchr(owner, '.');
  if (!contact && point) {
    *point = 0;
    contact = hk_spec_find(s, HK_CONTACT, owner);
  }
  return contact && quantity_of(contact_quantity, N_CONTACT_QUANTITIES, dot + 1, dim);
}

/* A joint's coordinate, a rotor's angle or what follows from it. */
static const hk_relation_type *coordinate_of(const hk_spec *s, const char *owner,
                                             const char *what) {
  const hk_item *joint = hk_spec_find(s, HK_JOINT, owner), *body = hk_spec_find(s, HK_BODY, owner);
  const hk_relation_type *type = joint ? hk_joint_coordinate_type(joint, what) : NULL;
  const hk_body_ops *ops = body ? body->type->ops : NULL;
  if (type || !ops) return type;
  if (ops->kind == HK_NODE_ROTOR && strcmp(what, "angle") == 0) return &hk_relation_turn;
  if (!ops->follower) return NULL;
  const char *own;
  double k[HK_RELATION_CONSTANTS] = {0};
  type = ops->follower(body, &own, k);
  return strcmp(what, own) == 0 ? type : NULL;
}

/* Does the spec have this channel, as far as can be told before it is compiled? */
static bool spec_channel(const hk_spec *s, const char *name, hk_dim *dim) {
  const hk_item *sensor = hk_spec_find(s, HK_SENSOR, name);
  if (sensor) {
    hk_sensor_binding b = {0};
    hk_error err;
    const hk_sensor_ops *ops = sensor->type->ops;
    if (ops->bind(sensor, &b, &err) || (!b.expr && !b.relation)) return false;
    *dim = b.expr ? hk_expr_dim(b.expr) : coordinate_dim(b.relation->angular, 0);
    return true;
  }
  const char *dot = strrchr(name, '.');
  if (!dot) return false;
  char owner[512], what[128];
  snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  int order = strip_order(dot + 1, what, sizeof what);
  const hk_relation_type *type = coordinate_of(s, owner, what);
  if (type) return *dim = coordinate_dim(type->angular, order), true;
  const hk_item *body = hk_spec_find(s, HK_BODY, owner);
  for (int i = is_frame(s, owner) ? 0 : N_FRAME_QUANTITIES; i < N_FRAME_QUANTITIES; i++)
    if (strcmp(frame_quantity[i].suffix, dot + 1) == 0 &&
        has_quantity(body, frame_quantity[i].kind))
      return *dim = unit_dim(frame_quantity[i].unit), true;
  return effort_channel(s, name, dim);
}

static void suggest(const hk_spec *s, const char *name, char *hint) {
  static const char *const suffix[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
  const char *dot = strrchr(name, '.');
  char owner[256] = "";
  if (hk_spec_find(s, HK_SENSOR, name))
    snprintf(hint, 256, "this sensor has no value yet; it must stand before what reads it");
  if (dot) snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  if (dot && is_frame(s, owner)) {
    const char *near = hk_nearest_name(dot + 1, suffix, 9);
    snprintf(hint, 256, "'%.100s' has x y z, vx vy vz, wx wy wz%s%s%s", owner,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
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
  if (!spec_channel(s, name, dim)) {
    if (hint) suggest(s, name, hint);
    return -1;
  }
  const char *copy = hk_arena_strdup(&s->arena, name);
  if (!copy) return -1;
  s->variable[s->n_variables] = (hk_variable){copy, *dim};
  return s->n_variables++;
}

/* ---- channels of the compiled model ---- */

static void add(hk_compiler *c, const char *name, const char *unit, const char *doc,
                hk_channel_kind kind, int index, int component) {
  hk_channel *k = name ? HK_PUSH(&c->channel) : NULL;
  if (!k)
    c->out_of_memory = true;
  else
    *k = (hk_channel){name, unit, doc, kind, index, component};
}

static const char *join(hk_compiler *c, const char *a, const char *b) {
  return hk_arena_printf(&c->m->arena, "%s%s", a, b);
}

static void add_frames(hk_compiler *c) {
  for (int i = 0; i < c->marker.n; i++) {
    const hk_marker *k = &c->marker.at[i];
    if (!k->name || k->node == HK_GROUND) continue;
    bool own = c->own_marker[k->node] == i;
    if (c->m->node[k->node].kind == HK_NODE_ROTOR && own) continue;
    bool turns = c->m->node[k->node].kind != HK_NODE_POINT;
    for (int j = 0; j < N_FRAME_QUANTITIES; j++) {
      const quantity *q = &frame_quantity[j];
      if (is_rotation(q->kind) && (!turns || !own)) continue;
      const char *dotted = join(c, k->name, ".");
      add(c, dotted ? join(c, dotted, q->suffix) : NULL, q->unit, q->doc, q->kind, i, q->component);
    }
  }
}

static void add_coordinates(hk_compiler *c) {
  for (int i = 0; i < c->coordinate.n; i++) {
    const hk_coordinate *q = &c->coordinate.at[i];
    if (!q->name) continue;
    bool angular = q->type->angular;
    add(c, q->name, angular ? "rad" : "m", "coordinate", HK_CH_COORDINATE, i, 0);
    add(c, join(c, q->name, "_rate"), angular ? "rad/s" : "m/s", "its rate", HK_CH_RATE, i, 0);
    add(c, join(c, q->name, "_acc"), angular ? "rad/s^2" : "m/s^2", "its second derivative",
        HK_CH_COORDINATE_ACCELERATION, i, 0);
  }
}

static void add_reactions(hk_compiler *c) {
  static const char *const suffix[] = {".fx", ".fy", ".fz", ".tx", ".ty", ".tz"};
  for (int i = 0; i < c->constraint.n; i++) {
    const hk_constraint *k = &c->constraint.at[i];
    for (int j = 0; j < 6 && k->n_held; j++)
      add(c, join(c, k->name, suffix[j]), j < 3 ? "N" : "N*m",
          j < 3 ? "joint force on b" : "joint moment on b, about the joint", HK_CH_REACTION, i, j);
    if (k->n_held) continue;
    int sums = 0; /* an item with several sums, such as a point motion, names each */
    for (int j = 0; j < c->constraint.n; j++)
      sums += c->constraint.at[j].item == k->item && !c->constraint.at[j].n_held;
    const char *name =
        sums > 1 ? hk_arena_printf(&c->m->arena, "%s.effort_%s", k->name, c->row_name.at[k->row])
                 : join(c, k->name, ".effort");
    add(c, name, c->row_angular.at[k->row] ? "N*m" : "N",
        "generalised force along the coordinate (or weighted sum of coordinates)", HK_CH_MULTIPLIER,
        k->row, 0);
  }
}

static void add_sensors(hk_compiler *c) {
  for (int i = 0; i < c->sensor.n; i++) {
    char unit[128];
    hk_dim_format(hk_expr_dim(c->sensor.at[i].expr.expr), unit, sizeof unit);
    add(c, c->sensor.at[i].name, hk_arena_strdup(&c->m->arena, unit), "sensor", HK_CH_SENSOR, i, 0);
  }
}

/* Which channels a contact has: those of its law. */
static bool has_term(const hk_contact *k, int term) {
  if (term <= HK_CONTACT_LAST_OF_ALL) return true;
  if (term <= HK_CONTACT_HALF_S) {
    double a, b, p;
    return k->curved && k->law->pressure && k->law->pressure(k->l, 0, 0, &a, &b, &p);
  }
  return k->law->set_valued || term == HK_CONTACT_CLOSED || term == HK_CONTACT_CLOSED_TIME;
}

static void add_contacts(hk_compiler *c) {
  for (int i = 0; i < c->contact.n; i++) {
    const hk_contact *k = &c->contact.at[i];
    for (int p = 0; p < k->n_points; p++)
      for (int j = 0; j < N_CONTACT_QUANTITIES; j++) {
        const quantity *q = &contact_quantity[j];
        if (!has_term(k, q->component)) continue;
        const char *point = k->gap->point_names ? k->gap->point_names[p] : NULL;
        add(c,
            hk_arena_printf(&c->m->arena, "%s%s%s.%s", k->name, point ? "." : "",
                            point ? point : "", q->suffix),
            q->unit, q->doc, q->kind, k->point + p, q->component);
      }
  }
  for (int i = 0; i < c->m->n_nodes && c->contact.n; i++)
    for (int j = 0; j < N_LOAD_QUANTITIES; j++)
      add(c, join(c, c->m->node[i].name, load_quantity[j].suffix), load_quantity[j].unit,
          load_quantity[j].doc, HK_CH_LOAD, i, load_quantity[j].component);
}

typedef struct name_entry {
  const char *name;
  int channel;
} name_entry;
struct hk_channel_table {
  int n;
  name_entry entry[];
};

static int compare_names(const void *a, const void *b) {
  return strcmp(((const name_entry *)a)->name, ((const name_entry *)b)->name);
}

void hk_compile_channels(hk_compiler *c) {
  hk_model *m = c->m;
  add(c, "time", "s", "time", HK_CH_TIME, 0, 0);
  add_frames(c);
  add_coordinates(c);
  add_reactions(c);
  add_contacts(c);
  add_sensors(c);
  for (int i = 0; i < N_ENERGY_QUANTITIES; i++) {
    const quantity *q = &energy_quantity[i];
    if (q->kind == HK_CH_SOLVER && q->component >= HK_SOLVER_CONTACT_MERIT && !m->set_valued)
      continue;
    add(c, q->suffix, q->unit, q->doc, q->kind, 0, q->component);
  }
  if (c->out_of_memory) return;
  int n = c->channel.n;
  m->channel = HK_NEW_ARRAY(&m->arena, hk_channel, n);
  m->sensor = HK_NEW_ARRAY(&m->arena, hk_sensor, c->sensor.n + 1);
  struct hk_channel_table *table =
      hk_arena_alloc(&m->arena, sizeof *table + (size_t)n * sizeof(name_entry));
  if (!m->channel || !m->sensor || !table) {
    c->out_of_memory = true;
    return;
  }
  memcpy(m->channel, c->channel.at, (size_t)n * sizeof(hk_channel));
  if (c->sensor.n) memcpy(m->sensor, c->sensor.at, (size_t)c->sensor.n * sizeof(hk_sensor));
  m->n_channels = table->n = n;
  m->n_sensors = c->sensor.n;
  for (int i = 0; i < n; i++) table->entry[i] = (name_entry){m->channel[i].name, i};
  qsort(table->entry, (size_t)n, sizeof(name_entry), compare_names);
  for (int i = 1; i < n; i++)
    if (strcmp(table->entry[i].name, table->entry[i - 1].name) == 0)
      hk_diag_add(
          c->diag, HK_ERROR, NULL,
          "two things are both called '%s' in the results; rename a sensor, marker or joint",
          table->entry[i].name);
  m->channel_names = table;
}

int hk_model_channel(const hk_model *m, const char *name) {
  name_entry key = {name, 0};
  const struct hk_channel_table *t = m->channel_names;
  const name_entry *e = bsearch(&key, t->entry, (size_t)t->n, sizeof(name_entry), compare_names);
  return e ? e->channel : -1;
}

/* Slots are handed out in the order of use, so a sensor stands behind all that it reads.  One that
 * does not was given a new expression after it had been used: perhaps one that reads itself. */
static void refuse_circles(hk_compiler *c) {
  const hk_model *m = c->m;
  for (int i = 1; i < m->n_variables; i++) {
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    if (k->kind != HK_CH_SENSOR) continue;
    const hk_bound_expr *e = &m->sensor[k->index].expr;
    for (int j = 0; j < e->n; j++) {
      if (e->slot[j] < i) continue;
      hk_compile_error(c, hk_spec_find(c->spec, HK_SENSOR, k->name), "value",
                       "reads '%s', which comes after it or reads it in turn",
                       c->spec->variable[e->slot[j]].name);
      break;
    }
  }
}

/* The variables that forces read, themselves or through sensors: only these are worth a step's time. */
static void find_step_variables(hk_compiler *c) {
  hk_model *m = c->m;
  bool *used = HK_NEW_ARRAY(&m->arena, bool, m->n_variables);
  m->step_variable = HK_NEW_ARRAY(&m->arena, int, m->n_variables);
  if (!used || !m->step_variable) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < c->force.n; i++)
    for (int k = 0; k < c->force.at[i].n_expr; k++)
      for (int j = 0; j < c->force.at[i].expr[k].n; j++)
        used[c->force.at[i].expr[k].slot[j]] = true;
  for (int i = m->n_variables - 1; i > 0; i--) { /* a sensor stands behind what it reads */
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    if (!used[i] || k->kind != HK_CH_SENSOR) continue;
    const hk_bound_expr *e = &m->sensor[k->index].expr;
    for (int j = 0; j < e->n; j++) used[e->slot[j]] = true;
  }
  for (int i = 1; i < m->n_variables; i++) {
    if (used[i]) m->step_variable[m->n_step_variables++] = i;
    hk_channel_kind kind = m->channel[m->variable_channel[i]].kind;
    if (kind > HK_CH_QUATERNION && kind < HK_CH_CONTACT) m->sensors_need_accelerations = true;
  }
}

/* A name that looked right when it was read, such as a channel that the law of its contact lacks. */
static void refuse_variable(hk_compiler *c, int slot) {
  const char *name = c->spec->variable[slot].name;
  for (int i = 0; i < c->sensor.n; i++) {
    const hk_bound_expr *e = &c->sensor.at[i].expr;
    for (int j = 0; j < e->n; j++) {
      if (e->slot[j] != slot) continue;
      hk_compile_error(c, hk_spec_find(c->spec, HK_SENSOR, c->sensor.at[i].name), "value",
                       "reads '%s', which this model does not have", name);
      return;
    }
  }
  hk_diag_add(c->diag, HK_ERROR, NULL, "an expression uses '%s', which this model does not have",
              name);
}

void hk_compile_variables(hk_compiler *c) {
  hk_model *m = c->m;
  int n = c->spec->n_variables > 0 ? c->spec->n_variables : 1;
  m->variable_channel = HK_NEW_ARRAY(&m->arena, int, n);
  m->variable_recorded = HK_NEW_ARRAY(&m->arena, bool, n);
  if (!m->variable_channel || !m->variable_recorded) {
    c->out_of_memory = true;
    return;
  }
  m->n_variables = n;
  for (int i = 1; i < n; i++) {
    const char *name = c->spec->variable[i].name;
    m->variable_channel[i] = hk_model_channel(m, name);
    if (m->variable_channel[i] < 0) refuse_variable(c, i);
  }
  if (c->diag->n_errors == c->errors_before) refuse_circles(c);
  if (c->diag->n_errors > c->errors_before) return;
  for (int i = 1; i < n; i++) /* a sensor stands behind what it reads */
    m->variable_recorded[i] = hk_channel_recorded_only(m, m->variable_channel[i]);
  find_step_variables(c);
}

int hk_model_channel_count(const hk_model *m) { return m->n_channels; }
const char *hk_model_channel_name(const hk_model *m, int i) {
  return i >= 0 && i < m->n_channels ? m->channel[i].name : NULL;
}
const char *hk_model_channel_unit(const hk_model *m, int i) {
  return i >= 0 && i < m->n_channels ? m->channel[i].unit : NULL;
}
int hk_model_channel_find(const hk_model *m, const char *name) { return hk_model_channel(m, name); }
