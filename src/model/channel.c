/* The channels of a compiled model, from the tables of spec/channel.h:
 *
 *   time, <frame>.x|y|z|vx|..., <joint>.<coordinate>, ..._rate, ..._acc, <rotor>.angle
 *   <joint>.fx|..., <motion>.effort, <force>.force|power|..., <contact>.gap|..., <body>.load_fx|...
 *   <composite joint>.torque_a|..., <sensor>, <input>, <state>, <state>.rate, energy.*, solver.*
 *
 * Primary channels first, then details, then internal channels of composite joints.
 */
#include "spec/own_name.h"
#include "model/compile.h"
#include "spec/renamed.h"
#include "spec/signal.h"
#include <stdio.h>
#include <string.h>

static void add(hk_compiler *c, const char *name, const hk_channel *channel) {
  hk_channel *k = name ? HK_PUSH(&c->channel) : NULL;
  if (!k) {
    c->out_of_memory = true;
    return;
  }
  *k = *channel;
  k->name = name;
}

static const char *join(hk_compiler *c, const char *a, const char *b) {
  return hk_arena_printf(&c->m->arena, "%s.%s", a, b);
}

/* Rank of a channel: channels of parts of composite joints are listed after those of the user's items. */
static hk_show lower(hk_show show, bool inside) {
  return inside && show < HK_SHOW_INSIDE ? (hk_show)(show + 1) : show;
}

/* An owner of channels; the mask `is` selects the lines of its channel table that apply to it. */
typedef struct owner {
  const char *name;
  hk_owner kind;
  int index;
  unsigned is;
  unsigned needs; /* data that the channels need in addition to hk_quantity.needs of the table */
  bool inside;    /* a part of a composite joint */
} owner;

static void add_quantity(hk_compiler *c, const owner *o, const hk_quantity *q, int component,
                         unsigned needs) {
  add(c, join(c, o->name, q->name),
      &(hk_channel){.unit = q->unit,
                    .doc = q->doc,
                    .owner = o->kind,
                    .index = o->index,
                    .component = component,
                    .needs = needs | o->needs,
                    .show = lower(q->show, o->inside)});
}

static void add_table(hk_compiler *c, const owner *o) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(o->kind, &n);
  for (int i = 0; i < n && !c->out_of_memory; i++)
    if (hk_owner_has(&line[i], o->is))
      add_quantity(c, o, &line[i].is, line[i].component, line[i].needs);
}

static bool is_repeated(const hk_quantity *q) { return strstr(q->name, "[i]") != NULL; }

/* Returns a line such as "pair[i].load" with a number in place of i. */
static hk_quantity numbered(hk_compiler *c, const hk_quantity *q, int i) {
  hk_quantity out = *q;
  int before = (int)(strstr(q->name, "[i]") - q->name);
  out.name = hk_arena_printf(&c->m->arena, "%.*s[%d]%s", before, q->name, i, q->name + before + 3);
  if (!out.name) c->out_of_memory = true;
  return out;
}

/* Adds the channels of a flexible body, or of one of its interfaces: o->index is its marker. */
static void add_deformation(hk_compiler *c, const owner *o, int modes) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_DEFORMATION, &n);
  for (int j = 0; j < n; j++) {
    if (!hk_owner_has(&line[j], o->is)) continue;
    int times = is_repeated(&line[j].is) ? modes : 1;
    for (int i = 0; i < times && !c->out_of_memory; i++) {
      hk_quantity q = is_repeated(&line[j].is) ? numbered(c, &line[j].is, i + 1) : line[j].is;
      if (q.name)
        add_quantity(c, o, &q, hk_deformation_component(line[j].component, i), line[j].needs);
    }
  }
}

/* Adds the channels of the type; lines with "[i]" are repeated `times` times. */
static void add_own(hk_compiler *c, const owner *o, const hk_item *item, const hk_quantity *own,
                    int n, int times, int first) {
  int plain = n;
  while (plain > 0 && is_repeated(&own[plain - 1])) plain--;
  int all = plain + times * (n - plain);
  if (all > HK_MAX_OWN_CHANNELS)
    hk_compile_error(c, item, NULL,
                     "its type '%s' has %d additional channels, more than the limit of %d",
                     item->type->name, all, HK_MAX_OWN_CHANNELS);
  for (int i = 0; i < plain && !c->out_of_memory; i++)
    add_quantity(c, o, &own[i], first++, HK_NEEDS_OUTPUT);
  for (int i = 0; i < times; i++)
    for (int k = plain; k < n && !c->out_of_memory; k++) {
      hk_quantity q = numbered(c, &own[k], i);
      if (q.name) add_quantity(c, o, &q, first++, HK_NEEDS_OUTPUT);
    }
}

/* Returns true if the name is that of a part of a composite joint: "joint.part", or a marker "body.joint_part" (see
 * hk_part_marker_name). */
static bool is_inside(const hk_compiler *c, const char *name) {
  const char *dot = strrchr(name, '.');
  for (int i = 0; i < c->composite.n; i++) {
    const char *joint = c->composite.at[i].name;
    size_t length = strlen(joint);
    if (strncmp(name, joint, length) == 0 && name[length] == '.') return true;
    char made[256];
    snprintf(made, sizeof made, "%s_", joint);
    for (char *s = made; *s; s++)
      if (*s == '.' || *s == '[' || *s == ']') *s = '_';
    if (dot && strncmp(dot + 1, made, strlen(made)) == 0) return true;
  }
  return false;
}

/* "stroke[i]" is "stroke[3]". */
static bool is_line(const char *line, const char *name) {
  const char *i = strstr(line, "[i]");
  if (!i) return strcmp(line, name) == 0;
  size_t before = (size_t)(i - line) + 1;
  if (strncmp(line, name, before) != 0) return false;
  const char *end = name + before + strspn(name + before, "0123456789");
  return end > name + before && strcmp(end, i + 2) == 0;
}

/* Finds the innermost composite joint that a sensor "joint.name" belongs to, and the name within
 * that joint; NULL: none. */
static const hk_joint_ops *sensing_joint(const hk_compiler *c, const char *name,
                                         const char **what) {
  char joint[512];
  for (size_t n = strlen(name); n-- > 1;) {
    if (name[n] != '.' || n >= sizeof joint) continue;
    snprintf(joint, sizeof joint, "%.*s", (int)n, name);
    const hk_item *item = hk_spec_find(c->spec, HK_JOINT, joint);
    const hk_joint_ops *ops = item ? item->type->ops : NULL;
    *what = name + n + 1;
    if (ops && ops->expand) return ops;
  }
  return NULL;
}

/* Returns the description of a sensor that a composite joint has added: its line in the channel
 * table of the joint's type. `plain` is the line used for all other sensors.  A sensor that is not
 * in the table is an internal part. */
static hk_quantity sensor_line(const hk_compiler *c, const char *name, const hk_quantity *plain) {
  const char *what = NULL;
  const hk_joint_ops *joint = sensing_joint(c, name, &what);
  hk_quantity out = *plain;
  if (!joint || joint->n_channels == 0) return out;
  for (int i = 0; i < joint->n_channels; i++)
    if (is_line(joint->channel[i].name, what)) {
      out.doc = joint->channel[i].doc;
      if (joint->channel[i].show > out.show) out.show = joint->channel[i].show;
      return out;
    }
  out.show = HK_SHOW_INSIDE;
  return out;
}

static void add_frames(hk_compiler *c) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_FRAME, &n);
  for (int i = 0; i < c->marker.n; i++) {
    const hk_marker *k = &c->marker.at[i];
    if (!k->name || k->node == HK_GROUND) continue;
    bool own = c->own_marker[k->node] == i;
    hk_frame_records records = own ? c->m->node[k->node].type->records : HK_RECORDS_PLACE;
    bool inside = is_inside(c, k->name);
    owner o = {k->name, HK_OF_FRAME, i};
    for (int j = 0; j < n && !c->out_of_memory; j++) {
      if (!hk_records(records, hk_frame_quantity_turns(line[j].component))) continue;
      hk_quantity q = line[j].is;
      /* Markers are details.  For parts of composite joints only the position is recorded, which is enough for
       * drawings. */
      bool placed = q.show == HK_SHOW_DETAIL && !(line[j].needs & HK_NEEDS_ACCELERATIONS);
      if (!own) q.show = inside ? HK_SHOW_INSIDE : HK_SHOW_DETAIL;
      if (own && !placed) q.show = lower(q.show, inside);
      add_quantity(c, &o, &q, line[j].component, line[j].needs);
    }
    const hk_node *node = &c->m->node[k->node];
    if (!node->type->deformation || !(own || k->interface >= 0)) continue;
    o.kind = HK_OF_DEFORMATION, o.is = own ? HK_OF_WHOLE : HK_OF_INTERFACE, o.inside = inside;
    add_deformation(c, &o, node->nv - 6);
  }
}

static void add_coordinates(hk_compiler *c) {
  const hk_coordinate_quantity *line = hk_coordinate_table;
  for (int i = 0; i < c->coordinate.n; i++) {
    const hk_coordinate *q = &c->coordinate.at[i];
    if (!q->name) continue;
    bool sensor = hk_spec_find(c->spec, HK_SENSOR, q->name) != NULL;
    for (int k = 0; k < HK_N_ORDERS; k++) {
      hk_quantity is = {.doc = line[k].doc,
                        .show = lower(line[k].show, !sensor && is_inside(c, q->name))};
      if (sensor) is = sensor_line(c, q->name, &is);
      add(c, hk_arena_printf(&c->m->arena, "%s%s", q->name, line[k].suffix),
          &(hk_channel){.unit = line[k].unit[q->type->angular],
                        .doc = k == 0 ? is.doc : line[k].doc,
                        .owner = HK_OF_COORDINATE,
                        .index = i,
                        .component = k,
                        .needs = line[k].needs,
                        .show = is.show});
    }
  }
}

static void add_effort(hk_compiler *c, const hk_constraint *k) {
  int sums = 0; /* an item with several sums, such as a point motion, has one channel per sum */
  for (int j = 0; j < c->constraint.n; j++)
    sums += c->constraint.at[j].item == k->item && !c->constraint.at[j].n_held;
  const char *name = sums > 1 ? hk_arena_printf(&c->m->arena, "%s.%s_%s", k->name, hk_effort.name,
                                                c->row_name.at[k->row])
                              : join(c, k->name, hk_effort.name);
  add(c, name,
      &(hk_channel){.unit = c->row_angular.at[k->row] ? "N*m" : "N",
                    .doc = hk_effort.doc,
                    .owner = HK_OF_ROW,
                    .index = k->row,
                    .needs = HK_NEEDS_OUTPUT | HK_NEEDS_ACCELERATIONS,
                    .show = lower(hk_effort.show, is_inside(c, k->name))});
}

static void add_reactions(hk_compiler *c) {
  for (int i = 0; i < c->constraint.n; i++) {
    const hk_constraint *k = &c->constraint.at[i];
    owner o = {k->name, HK_OF_JOINT, i, .inside = is_inside(c, k->name)};
    if (k->n_held)
      add_table(c, &o);
    else
      add_effort(c, k);
  }
}

/* Returns true if expressions may read the force. Friction that depends on a reaction must not
 * be read. A force given by expressions must not be read either: it may depend on more than its
 * two frames (see core/force_channel.c), and it is an input of the linear model, so that other
 * elements must not depend on its expression directly. */
static unsigned force_needs(const hk_force *f) {
  if (f->joint >= 0) return HK_NEEDS_OUTPUT | HK_NEEDS_ACCELERATIONS;
  return f->n_expr > 0 ? HK_NEEDS_OUTPUT : 0;
}

static void add_forces(hk_compiler *c) {
  for (int i = 0; i < c->force.n; i++) {
    const hk_force *f = &c->force.at[i];
    if (f->ops == &hk_state_rate) continue;
    bool angular = f->coordinate >= 0 && c->coordinate.at[f->coordinate].type->angular;
    char name[512];
    hk_force_channel_owner(f->item, name, sizeof name);
    owner o = {name,
               HK_OF_FORCE,
               i,
               .is = hk_force_channel_mask(f->field, f->coordinate >= 0, angular),
               .needs = force_needs(f),
               .inside = is_inside(c, f->name)};
    add_table(c, &o);
    int times = f->ops->repeats ? f->ops->repeats(f->constants) : 0;
    add_own(c, &o, f->item, f->ops->channel, f->ops->n_channels, times, HK_FORCE_OWN);
  }
}

/* Adds a line of the table of sensors, inputs or states. The unit of the channel is the unit of the item. */
static void add_named(hk_compiler *c, hk_owner kind, int line, int index, const char *name,
                      const char *unit) {
  int n;
  const hk_owner_quantity *q = hk_owner_table(kind, &n) + line;
  const hk_quantity is = kind == HK_OF_SENSOR ? sensor_line(c, name, &q->is) : q->is;
  if (!unit) c->out_of_memory = true;
  add(c, *q->is.name ? join(c, name, q->is.name) : name,
      &(hk_channel){.unit = unit,
                    .doc = is.doc,
                    .owner = kind,
                    .index = index,
                    .component = q->component,
                    .needs = q->needs,
                    .show = is.show});
}

static const char *unit_text(hk_compiler *c, hk_dim dim) {
  char unit[128];
  hk_dim_format(dim, unit, sizeof unit);
  return hk_arena_strdup(&c->m->arena, unit);
}

static void add_signals(hk_compiler *c) {
  const hk_model *m = c->m;
  for (int i = 0; i < c->sensor.n; i++)
    add_named(c, HK_OF_SENSOR, 0, i, c->sensor.at[i].name,
              unit_text(c, hk_expr_dim(c->sensor.at[i].expr.expr)));
  for (int i = 0; i < m->n_inputs; i++)
    add_named(c, HK_OF_INPUT, 0, i, m->input[i].name, m->input[i].unit);
  for (int i = 0; i < m->n_states; i++) {
    const hk_signal *s = &m->state[i];
    hk_unit unit = {0};
    hk_unit_parse(s->unit, strlen(s->unit), &unit, NULL);
    add_named(c, HK_OF_STATE, 0, i, s->name, s->unit);
    add_named(c, HK_OF_STATE, 1, i, s->name,
              unit_text(c, hk_dim_div(unit.dim, (hk_dim){{0, 0, 12}})));
  }
}

/* Returns the mask of a contact's channels, which depend on its law. */
static unsigned contact_mask(const hk_contact *k) {
  double a, b, p;
  if (k->law->set_valued) return HK_SET_VALUED;
  bool pressed = k->curved && k->law->pressure && k->law->pressure(k->l, 0, 0, &a, &b, &p);
  return pressed ? HK_COMPLIANT | HK_CURVED : HK_COMPLIANT;
}

static void add_contacts(hk_compiler *c) {
  for (int i = 0; i < c->contact.n; i++) {
    const hk_contact *k = &c->contact.at[i];
    for (int p = 0; p < k->n_points && !c->out_of_memory; p++) {
      const char *name = k->gap->point_names ? join(c, k->name, k->gap->point_names[p]) : k->name;
      owner o = {name, HK_OF_CONTACT, k->point + p, .is = contact_mask(k),
                 .inside = is_inside(c, k->name)};
      if (name) add_table(c, &o);
      if (name) add_own(c, &o, k->law_item, k->law->channel, k->law->n_channels, 0, HK_CONTACT_OWN);
    }
  }
  for (int i = 0; i < c->m->n_nodes && c->contact.n; i++) {
    const char *name = c->m->node[i].name;
    if (c->m->node[i].type->number) continue;
    add_table(c, &(owner){name, HK_OF_BODY, i, .inside = is_inside(c, name)});
  }
}

/* ---- the list and its names ---- */

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

/* Adds the forces and moments of each composite joint on its two sides. */
static void add_composites(hk_compiler *c) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_COMPOSITE, &n);
  for (int i = 0; i < c->composite.n; i++) {
    const hk_composite *k = &c->composite.at[i];
    owner o = {k->name, HK_OF_COMPOSITE, i, .needs = k->needs};
    for (int j = 0; j < n && !c->out_of_memory; j++)
      if (k->end[1] >= 0 || !hk_is_of_side_b(line[j].is.name))
        add_quantity(c, &o, &line[j].is, line[j].component, line[j].needs);
  }
}

static void list_all(hk_compiler *c) {
  unsigned set_valued = c->m->set_valued ? HK_SET_VALUED : HK_COMPLIANT;
  add(c, "time", &(hk_channel){.unit = "s", .doc = "time", .owner = HK_OF_TIME});
  add_signals(c);
  add_coordinates(c);
  add_frames(c);
  add_reactions(c);
  add_forces(c);
  add_contacts(c);
  add_composites(c);
  add_table(c, &(owner){"energy", HK_OF_ENERGY, 0});
  add_table(c, &(owner){"solver", HK_OF_SOLVER, 0, .is = set_valued});
}

void hk_compile_channels(hk_compiler *c) {
  hk_model *m = c->m;
  list_all(c);
  if (c->out_of_memory) return;
  int n = c->channel.n, at = 0;
  m->channel = HK_NEW_ARRAY(&m->arena, hk_channel, n);
  m->sensor = HK_NEW_ARRAY(&m->arena, hk_sensor, c->sensor.n + 1);
  struct hk_channel_table *table =
      hk_arena_alloc(&m->arena, sizeof *table + (size_t)n * sizeof(name_entry));
  if (!m->channel || !m->sensor || !table) {
    c->out_of_memory = true;
    return;
  }
  for (int show = 0; show < HK_N_SHOW; show++)
    for (int i = 0; i < n; i++)
      if ((int)c->channel.at[i].show == show) m->channel[at++] = c->channel.at[i];
  if (c->sensor.n) memcpy(m->sensor, c->sensor.at, (size_t)c->sensor.n * sizeof(hk_sensor));
  m->n_channels = table->n = n;
  m->n_sensors = c->sensor.n;
  for (int i = 0; i < n; i++) table->entry[i] = (name_entry){m->channel[i].name, i};
  qsort(table->entry, (size_t)n, sizeof(name_entry), compare_names);
  for (int i = 1; i < n; i++)
    if (strcmp(table->entry[i].name, table->entry[i - 1].name) == 0)
      hk_diag_add(c->diag, HK_ERROR, NULL,
                  "the channel name '%s' is not unique; rename a sensor, marker or joint",
                  table->entry[i].name);
  m->channel_names = table;
}

static int find_channel(const hk_model *m, const char *name) {
  name_entry key = {name, 0};
  const struct hk_channel_table *t = m->channel_names;
  const name_entry *e = bsearch(&key, t->entry, (size_t)t->n, sizeof(name_entry), compare_names);
  return e ? e->channel : -1;
}

static bool has_channel(const void *model, const char *name) {
  return find_channel(model, name) >= 0;
}

int hk_model_channel(const hk_model *m, const char *name) {
  char current[512];
  int i = find_channel(m, name);
  if (i < 0 &&
      hk_renamed_channel(name, HK_TO_CURRENT, has_channel, m, current, sizeof current, NULL))
    i = find_channel(m, current);
  return i;
}

int hk_model_channel_count(const hk_model *m) { return m ? m->n_channels : 0; }
const char *hk_model_channel_name(const hk_model *m, int i) {
  if (!m) return "";
  return i >= 0 && i < m->n_channels ? m->channel[i].name : NULL;
}
const char *hk_model_channel_unit(const hk_model *m, int i) {
  if (!m) return "";
  return i >= 0 && i < m->n_channels ? m->channel[i].unit : NULL;
}
int hk_model_channel_find(const hk_model *m, const char *name) {
  return m && name ? hk_model_channel(m, name) : -1;
}
const char *hk_model_channel_doc(const hk_model *m, int i) {
  if (!m) return "";
  return i >= 0 && i < m->n_channels ? m->channel[i].doc : NULL;
}
int hk_model_channel_rank(const hk_model *m, int i) {
  if (!m) return 0;
  return i >= 0 && i < m->n_channels ? (int)m->channel[i].show : -1;
}
