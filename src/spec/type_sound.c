/* Checks of a type: name and texts, parameter table, defaults, and the functions that its category requires.  Called for
 * every type added to a registry, and by the tests for every type of the library. */
#include "expr/units.h"
#include "spec/registry.h"
#include <hooke/integrator.h>
#include <string.h>

static bool is_name(const char *s) {
  if (!s || !(*s >= 'a' && *s <= 'z')) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || *s == '_')) return false;
  return true;
}

size_t hk_param_size(const hk_param *p) {
  switch (p->kind) {
    case HK_PARAM_REAL:
      return sizeof(double);
    case HK_PARAM_INT:
    case HK_PARAM_ENUM:
      return sizeof(int);
    case HK_PARAM_BOOL:
      return sizeof(bool);
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      return sizeof(hk_vec3);
    case HK_PARAM_ROTATION:
      return sizeof(hk_quat);
    case HK_PARAM_INERTIA:
      return 6 * sizeof(double);
    case HK_PARAM_REALS:
      return (size_t)p->count * sizeof(double);
    case HK_PARAM_EXPR3:
      return 3 * sizeof(hk_expr *);
    case HK_PARAM_TERMS:
      return sizeof(hk_terms);
    case HK_PARAM_POINTS:
      return sizeof(hk_points);
    default:
      return sizeof(void *);
  }
}

/* Returns the error of a parameter's default, or NULL. */
static const char *wrong_default(const hk_type *t, const hk_param *p) {
  const void *at = (const char *)t->defaults + p->offset;
  if (p->kind == HK_PARAM_ENUM) {
    int n = 0, value = *(const int *)at;
    while (p->choices[n]) n++;
    if (n < 2) return "has fewer than two choices";
    if (value < 0 || value >= n) return "has a default that is not one of its choices";
  }
  bool ranged = (p->min != 0 || p->max != 0) && !(p->flags & HK_POSITIVE);
  if (p->kind == HK_PARAM_INT && ranged && (*(const int *)at < p->min || *(const int *)at > p->max))
    return "has a default out of its range";
  if (p->kind == HK_PARAM_REAL && !(p->flags & HK_REQUIRED)) {
    double value = *(const double *)at;
    if (isnan(value)) return "has a default that is not a number";
    if (ranged && (value < p->min || value > p->max)) return "has a default out of its range";
  }
  if (p->kind == HK_PARAM_ROTATION) {
    hk_quat q = *(const hk_quat *)at;
    if (fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) > 1e-14)
      return "has a default that is not a rotation: use {1, 0, 0, 0} for no rotation";
  }
  return NULL;
}

/* Returns the error of parameter i, or NULL. */
static const char *wrong_param(const hk_type *t, int i) {
  const hk_param *p = hk_type_param(t, i);
  if (!p->doc || !*p->doc) return "has no doc";
  if (p->offset + hk_param_size(p) > t->size) return "is outside of the parameter struct";
  if (hk_type_param_find(t, p->name) != i) return "occurs twice in the table";
  if (p->max != 0 && p->min > p->max) return "has a range that is empty";
  if ((p->kind == HK_PARAM_ENUM) != (p->choices != NULL))
    return "must have choices if and only if it is an ENUM";
  if ((p->kind == HK_PARAM_REALS) != (p->count > 0))
    return "must have a count if and only if it is a list of REALS";
  if (p->flags & HK_WORLD_PLACE && p->kind != HK_PARAM_VEC3)
    return "is a position in the model, but not a VEC3";
  if (p->flags & HK_WORLD_AXES && p->kind != HK_PARAM_VEC3 && p->kind != HK_PARAM_DIRECTION &&
      p->kind != HK_PARAM_ROTATION)
    return "is given in the axes of the model, but is not a VEC3, DIRECTION or ROTATION";
  for (int j = 0; j < i; j++) {
    const hk_param *q = hk_type_param(t, j);
    if (q->offset + hk_param_size(q) > p->offset && p->offset + hk_param_size(p) > q->offset)
      return "overlaps another parameter in the struct";
  }
  return wrong_default(t, p);
}

static const char *wrong_unit(const hk_param *p, hk_error *why) {
  hk_unit unit;
  if (!p->unit) return NULL;
  if (hk_unit_parse(p->unit, strlen(p->unit), &unit, why)) return why->text;
  return unit.factor != 1 || unit.offset != 0 ? "has a unit that is not SI" : NULL;
}

/* Returns the error of a table of channels, or NULL. */
static const char *wrong_channels(const hk_quantity *channel, int n) {
  hk_unit unit;
  hk_error why;
  for (int i = 0; i < n; i++) {
    const hk_quantity *q = &channel[i];
    if (!q->name || !*q->name || !q->doc || !*q->doc) return "has a channel without a name or doc";
    if (!q->unit) return "has a channel without a unit: write \"1\" for a plain number";
    if (hk_unit_parse(q->unit, strlen(q->unit), &unit, &why))
      return "has a channel of an unknown unit";
  }
  return NULL;
}

static const char *wrong_integrator(const hk_integrator *k) {
  if (!k->attempt) return "needs the function attempt";
  if (k->order < 1) return "has no order";
  if (!k->create != !k->destroy) return "needs both create and destroy, or neither";
  if ((k->can & HK_ADAPTIVE_ONLY) && !(k->can & HK_ADAPTIVE))
    return "chooses its steps, but does not estimate their error (HK_ADAPTIVE)";
  if ((k->can & HK_KEEPS_PAST) && !k->restart)
    return "keeps a history (HK_KEEPS_PAST) and needs the function restart";
  return NULL;
}

/* Returns the error of the functions that the category requires, or NULL. */
static const char *wrong_ops(const hk_type *t) {
  if (t->category == HK_MEASURE || t->category == HK_ANALYSIS || t->category == HK_TABLE ||
      t->category == HK_INPUT || t->category == HK_FMU || t->category == HK_EVENT)
    return NULL;
  if (!t->ops) return "has no ops";
  const hk_body_ops *body = t->ops;
  const hk_joint_ops *joint = t->ops;
  const hk_force_ops *force = t->ops;
  const hk_law_ops *law = t->ops;
  const hk_gap_ops *gap = t->ops;
  switch (t->category) {
    case HK_BODY:
      if (!body->node) return "needs a node";
      return body->mass ? NULL : "needs the function mass";
    case HK_JOINT:
    case HK_MOTION:
      if (!joint->build == !joint->expand) return "needs either build or expand";
      return wrong_channels(joint->channel, joint->n_channels);
    case HK_FORCE:
      if (!force->bind || !force->eval == !force->field) return "needs bind, and eval or field";
      return wrong_channels(force->channel, force->n_channels);
    case HK_LAW:
      if (!law->set_valued && !law->normal && !law->line) return "needs the function normal";
      return wrong_channels(law->channel, law->n_channels);
    case HK_CONTACT:
      if (!gap->eval == !gap->rows) return "needs either eval or rows";
      if (gap->points < 1 || gap->points > HK_CONTACT_MAX_POINTS) return "must have 1 to 4 points";
      if (gap->points > 1 && !gap->point_names) return "must have names for its points";
      return gap->tangents < 0 || gap->tangents > 2 ? "must have 0 to 2 tangents" : NULL;
    case HK_STEPPER:
      return wrong_integrator(t->ops);
    case HK_SENSOR:
      return ((const hk_sensor_ops *)t->ops)->bind ? NULL : "needs the function bind";
    default:
      return NULL;
  }
}

hk_status hk_type_sound(const hk_type *t, hk_error *err) {
  if (!t || !is_name(t->name))
    return hk_fail(
        err, HK_EINPUT,
        "the name of a type begins with a small letter and has small letters, digits and "
        "'_', not '%s'",
        t && t->name ? t->name : "");
  if ((unsigned)t->category >= HK_N_CATEGORIES)
    return hk_fail(err, HK_EINPUT, "type '%s' has an unknown category: %d", t->name,
                   (int)t->category);
  const char *category = hk_category_name(t->category);
  const char *wrong = !t->doc || !*t->doc         ? "has no doc"
                      : !t->source || !*t->source ? "has no `source` of its equations"
                      : (!t->size || !t->defaults) && hk_type_param(t, 0)
                          ? "has no parameter struct with defaults"
                          : wrong_ops(t);
  if (wrong) return hk_fail(err, HK_EINPUT, "%s '%s' %s", category, t->name, wrong);
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(t, i)); i++) {
    hk_error why;
    wrong = !is_name(p->name) ? "has a name that a model file cannot use" : wrong_param(t, i);
    if (!wrong) wrong = wrong_unit(p, &why);
    if (wrong)
      return hk_fail(err, HK_EINPUT, "parameter '%s' of %s '%s' %s", p->name ? p->name : "",
                     category, t->name, wrong);
  }
  return HK_OK;
}
