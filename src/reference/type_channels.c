/* Lists the channels that an item of a type has, as far as its type determines them: see type_help.h.
 *
 * Names, units and descriptions come from the tables that a compiled model uses as well (spec/channel.h). The bodies
 * and coordinates on which an item acts determine some of its channels. To find them, items of the type with
 * placeholder names are created and built in an empty spec. test/conformance/test_channels.c compares this list with
 * the channels of real models. */
#include "reference/type_help.h"
#include "node/node.h"
#include "spec/channel.h"
#include <float.h>
#include <string.h>

/* Callback and its context. */
typedef struct listener {
  const hk_type *type;
  hk_channel_fn *give;
  void *context;
} listener;

static void give_table(const listener *l, hk_owner owner, unsigned is) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(owner, &n);
  for (int i = 0; i < n; i++) {
    hk_quantity q = line[i].is;
    if (!*q.name) q.name = HK_ITEM_ITSELF;
    if (hk_owner_has(&line[i], is)) l->give(l->context, &q);
  }
}

static void give_own(const listener *l, const hk_quantity *own, int n) {
  for (int i = 0; i < n; i++) l->give(l->context, &own[i]);
}

static void give_coordinate(const listener *l, const char *name, const hk_relation_type *relation) {
  for (int i = 0; i < HK_N_ORDERS; i++) {
    const hk_coordinate_quantity *line = &hk_coordinate_table[i];
    char full[128];
    snprintf(full, sizeof full, "%s%s", name, line->suffix);
    l->give(l->context, &(hk_quantity){full, line->unit[relation->angular], line->doc, line->show});
  }
}

/* ---- items of a type with placeholder names ---- */

static double some_number(const hk_param *p) {
  bool limited = p->min != 0 || p->max != 0;
  if (p->flags & HK_POSITIVE) return limited && p->max > 0 && p->max < 1 ? p->max : 1;
  return limited && p->min > -DBL_MAX ? p->min : limited ? p->max : 1;
}

static void set_expression(hk_item *item, const hk_param *p, int component) {
  char text[100];
  snprintf(text, sizeof text, "1 %s", p->unit && strcmp(p->unit, "1") != 0 ? p->unit : "");
  for (char *c = text + 2; *c; c++)
    if (*c == ' ') *c = '*';
  (void)hk_item_expression(item, p->name, component, text, NULL);
}

typedef enum acts_on { ON_FRAMES, ON_COORDINATES, N_WAYS } acts_on;

/* Creates an item with placeholder names of frames or of coordinates. Other required parameters get a valid value. All
 * expressions are given, because some types have a component only if its expression is given. */
static hk_item *ask(hk_spec *spec, const hk_type *type, acts_on way) {
  const hk_param *p;
  hk_item *item =
      hk_spec_add(spec, type->category, type->name, way ? "coordinates" : "frames", NULL);
  for (int i = 0; item && (p = hk_type_param(type, i)); i++) {
    bool required = p->flags & HK_REQUIRED;
    if (p->kind == HK_PARAM_FRAME && (required || way == ON_FRAMES))
      (void)hk_item_text(item, p->name, "ground", NULL);
    else if (p->kind == HK_PARAM_COORDINATE && (required || way == ON_COORDINATES))
      (void)hk_item_text(item, p->name, "some.coordinate", NULL);
    else if (p->kind == HK_PARAM_JOINT || (p->kind == HK_PARAM_LAW && required))
      (void)hk_item_text(item, p->name, "some", NULL);
    else if (p->kind == HK_PARAM_TERMS)
      (void)hk_item_term(item, p->name, "some.coordinate", 1, NULL);
    else if (p->kind == HK_PARAM_EXPR)
      set_expression(item, p, 0);
    else if (p->kind == HK_PARAM_EXPR3)
      for (int k = 0; k < 3; k++) set_expression(item, p, k);
    else if (p->kind == HK_PARAM_REAL && required)
      (void)hk_item_real(item, p->name, some_number(p), NULL);
    else if (p->kind == HK_PARAM_INT && required)
      (void)hk_item_int(item, p->name, (long)some_number(p), NULL);
  }
  return item;
}

/* ---- by category ---- */

static bool has_param(const hk_type *type, hk_param_kind kind) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (p->kind == kind) return true;
  return false;
}

/* A coordinate may be a length or an angle, unless the type accepts angles only. */
static unsigned along_named(const hk_type *type) {
  return has_param(type, HK_PARAM_COORDINATE) ? HK_ALONG_LENGTH | HK_ALONG_ANGLE : 0;
}

static void give_force(const listener *l, hk_spec *spec) {
  const hk_force_ops *ops = l->type->ops;
  const hk_relation_type *made = NULL;
  unsigned is = along_named(l->type);
  for (int way = 0; way < N_WAYS; way++) {
    const hk_item *item = ask(spec, l->type, (acts_on)way);
    hk_force_binding b = {0};
    hk_error err;
    if (!item) continue;
    hk_status status = ops->bind(item, &b, &err);
    if (b.field || b.relation)
      is |= hk_force_channel_mask(b.field, b.relation, b.relation && b.relation->angular);
    else if (b.joint || (!b.coordinate && (b.a || b.b)) || (status && way == ON_FRAMES))
      is |= HK_BETWEEN_FRAMES;
    if (b.relation) made = b.relation;
    if (b.along_angle) is &= ~(unsigned)HK_ALONG_LENGTH;
  }
  give_table(l, HK_OF_FORCE, is);
  give_own(l, ops->channel, ops->n_channels);
  if (made) give_coordinate(l, hk_force_coordinate_name(ops, made->angular), made);
}

/* The parts of a joint, counted in a first pass and reported in a second. */
typedef struct build_look {
  const listener *to; /* NULL: count */
  int held, sums;
  bool told; /* unit of the effort */
} build_look;

static void look_at_hold(hk_joint_builder *b, const hk_relation_type *type, const double *k, int nk,
                         const char *names) {
  ((build_look *)b->context)->held++;
}

static void look_at_free(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                         const double *k, int nk) {
  const build_look *look = b->context;
  if (look->to) give_coordinate(look->to, name, type);
}

static void look_at_sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                        const hk_expr *value, bool start_as_is) {
  build_look *look = b->context;
  char name[128];
  hk_quantity q = hk_effort;
  if (!look->to) look->sums++;
  if (!look->to) return;
  if (!look->told)
    look->to->give(look->to->context,
                   &q); /* if the coordinate is the only one, it is listed here */
  look->told = true;
  snprintf(name, sizeof name, "%s_%s", hk_effort.name, row);
  q.name = name;
  if (look->sums > 1) look->to->give(look->to->context, &q);
}

static void give_joint(const listener *l, hk_spec *spec) {
  static const hk_joint_builder_ops LOOK = {look_at_hold, look_at_free, look_at_sum, NULL};
  const hk_joint_ops *ops = l->type->ops;
  if (ops->expand) {
    give_own(l, ops->channel, ops->n_channels);
    give_table(l, HK_OF_COMPOSITE, 0);
    return;
  }
  build_look look = {0};
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  hk_joint_builder b = {.item = ask(spec, l->type, ops->frames ? ON_FRAMES : ON_COORDINATES),
                        .A = &A,
                        .B = &B,
                        .ops = &LOOK,
                        .context = &look};
  B.x = hk_v3(1, 0, 0); /* different positions, so that distances are defined */
  if (!b.item) return;
  ops->build(&b);
  if (look.held) give_table(l, HK_OF_JOINT, 0);
  look.to = l;
  ops->build(&b);
}

static void give_contact(const listener *l) {
  const hk_gap_ops *ops = l->type->ops;
  unsigned is = ops->rows ? HK_SET_VALUED : HK_SET_VALUED | HK_COMPLIANT;
  give_table(l, HK_OF_CONTACT, is | (ops->curvature && !ops->line ? HK_CURVED : 0));
}

static void give_body(const listener *l, hk_spec *spec) {
  const hk_body_ops *ops = l->type->ops;
  const hk_node_type *node = ops->node;
  const char *follower = NULL;
  double k[HK_RELATION_CONSTANTS] = {0};
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_FRAME, &n);
  for (int i = 0; i < n; i++)
    if (hk_records(node->records, hk_frame_quantity_turns(line[i].component)))
      l->give(l->context, &line[i].is);
  if (node->free_name) give_coordinate(l, node->free_name, node->free_relation);
  const hk_item *item = ops->follower ? ask(spec, l->type, ON_FRAMES) : NULL;
  const hk_relation_type *follows = item ? ops->follower(item, &follower, k) : NULL;
  if (follows) give_coordinate(l, follower, follows);
  if (node->deformation) give_table(l, HK_OF_DEFORMATION, HK_OF_WHOLE);
  give_table(l, HK_OF_BODY, 0);
}

static void give_sensor(const listener *l, hk_spec *spec) {
  const hk_item *item = ask(spec, l->type, ON_FRAMES);
  hk_sensor_binding b = {0};
  hk_error err;
  if (item) (void)((const hk_sensor_ops *)l->type->ops)->bind(item, &b, &err);
  if (b.relation)
    give_coordinate(l, HK_ITEM_ITSELF, b.relation);
  else
    give_table(l, HK_OF_SENSOR, 0);
}

static void give_all(const listener *l, hk_spec *spec) {
  const hk_law_ops *law = l->type->ops;
  switch (l->type->category) {
    case HK_BODY:
      give_body(l, spec);
      break;
    case HK_JOINT:
    case HK_MOTION:
      give_joint(l, spec);
      break;
    case HK_FORCE:
      give_force(l, spec);
      break;
    case HK_LAW:
      give_own(l, law->channel, law->n_channels);
      break;
    case HK_CONTACT:
      give_contact(l);
      break;
    case HK_SENSOR:
      give_sensor(l, spec);
      break;
    case HK_INPUT:
      give_table(l, HK_OF_INPUT, 0);
      break;
    case HK_STATE:
      give_table(l, HK_OF_STATE, 0);
      break;
    default:
      break;
  }
}

void hk_type_channels(const hk_registry *types, const hk_type *type, hk_channel_fn *give,
                      void *context) {
  const listener l = {type, give, context};
  hk_spec *spec = hk_spec_create_with(types);
  if (spec) give_all(&l, spec);
  hk_spec_destroy(spec);
}

const char *const *hk_type_points(const hk_type *type, int *n) {
  const hk_gap_ops *ops = type->category == HK_CONTACT ? type->ops : NULL;
  *n = ops && ops->point_names ? ops->points : 0;
  return ops ? ops->point_names : NULL;
}
