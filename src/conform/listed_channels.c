/* See listed_channels.h. */
#include "conform/listed_channels.h"
#include "spec/own_name.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void take(void *context, const hk_quantity *q) {
  hk_listed *out = context;
  if (out->n < HK_MOST_LISTED) {
    hk_listed_channel *l = &out->channel[out->n];
    snprintf(l->name, sizeof l->name, "%s", q->name);
    snprintf(l->unit, sizeof l->unit, "%s", q->unit);
  }
  out->n++;
}

bool hk_listed_fill(const hk_registry *types, const hk_type *type, hk_listed *out) {
  *out = (hk_listed){.type = type};
  hk_type_channels(types, type, take, out);
  const bool fits = out->n <= HK_MOST_LISTED;
  if (!fits) out->n = HK_MOST_LISTED;
  return fits;
}

static void wrong(const hk_listed_look *look, const char *fmt, ...) HK_PRINTF(2, 3);
static void wrong(const hk_listed_look *look, const char *fmt, ...) {
  char sentence[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(sentence, sizeof sentence, fmt, ap);
  va_end(ap);
  look->wrong(look->context, sentence);
}

/* The part of a name after "owner.", if it contains no further dot; otherwise NULL. */
static const char *behind(const char *owner, const char *name) {
  size_t n = strlen(owner);
  if (strncmp(owner, name, n) != 0 || name[n] != '.') return NULL;
  return strchr(name + n + 1, '.') ? NULL : name + n + 1;
}

/* As above, with "[i]" for the first number in brackets. */
static const char *one_of(const char *what, char buf[64]) {
  const char *open = what ? strchr(what, '[') : NULL, *close = open ? strchr(open, ']') : NULL;
  if (!close) return what;
  snprintf(buf, 64, "%.*s[i]%s", (int)(open - what), what, close + 1);
  return buf;
}

/* "NAME", "NAME_rate": the item is a channel itself. */
static const char *itself(const char *item, const char *name, char buf[64]) {
  size_t n = strlen(item);
  if (strncmp(item, name, n) != 0) return NULL;
  snprintf(buf, 64, "%s%s", HK_ITEM_ITSELF, name + n);
  for (int i = 0; i < HK_N_ORDERS; i++)
    if (strcmp(name + n, hk_coordinate_table[i].suffix) == 0) return buf;
  return NULL;
}

static bool is_composite(const hk_type *type) {
  return type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->expand;
}

/* Name of the channel without the name of the item; NULL: it belongs to another item. */
static const char *among(const hk_model *m, const hk_item *item, const hk_channel *c,
                         char buf[64]) {
  char owner[600];
  int n = 0;
  switch (item->type->category) {
    case HK_FORCE: {
      if (c->owner == HK_OF_COORDINATE) return behind(item->name, c->name);
      if (c->owner != HK_OF_FORCE || m->force[c->index].item != item) return NULL;
      hk_force_channel_owner(item, owner, sizeof owner);
      return one_of(c->name + strlen(owner) + 1, buf);
    }
    case HK_CONTACT: {
      const char *const *point = hk_type_points(item->type, &n);
      const char *own = c->owner == HK_OF_CONTACT && !n ? behind(item->name, c->name) : NULL;
      for (int i = 0; i < n && !own && c->owner == HK_OF_CONTACT; i++) {
        snprintf(owner, sizeof owner, "%s.%s", item->name, point[i]);
        own = behind(owner, c->name);
      }
      return own;
    }
    case HK_SENSOR:
      if (c->owner == HK_OF_SENSOR && strcmp(c->name, item->name) != 0) return NULL;
      return c->owner == HK_OF_SENSOR || c->owner == HK_OF_COORDINATE
                 ? itself(item->name, c->name, buf)
                 : NULL;
    case HK_INPUT:
      return c->owner == HK_OF_INPUT ? itself(item->name, c->name, buf) : NULL;
    case HK_STATE:
      if (c->owner != HK_OF_STATE) return NULL;
      return c->component ? behind(item->name, c->name) : itself(item->name, c->name, buf);
    case HK_JOINT:
      if (is_composite(item->type) && c->owner != HK_OF_COMPOSITE) return NULL;
      return c->owner == HK_OF_FORCE ? NULL : behind(item->name, c->name);
    case HK_BODY:
    case HK_MOTION:
      return c->owner == HK_OF_FORCE ? NULL : one_of(behind(item->name, c->name), buf);
    default:
      return NULL;
  }
}

static bool same_unit(const hk_listed_channel *l, const char *unit) {
  if (strcmp(l->unit, hk_effort.unit) == 0)
    return strcmp(unit, "N") == 0 || strcmp(unit, "N*m") == 0;
  return strncmp(l->unit, "as given", 8) == 0 || strcmp(l->unit, unit) == 0;
}

/* If a coordinate may be a length or an angle, one channel name has several units. */
static void find_in_list(const hk_listed_look *look, hk_listed *in, const char *what,
                         const hk_channel *c) {
  const hk_listed_channel *other = NULL;
  bool found = false;
  for (int i = 0; i < in->n; i++) {
    hk_listed_channel *l = &in->channel[i];
    if (strcmp(l->name, what) != 0) continue;
    if (same_unit(l, c->unit))
      l->offered = found = true;
    else
      other = l;
  }
  if (found) return;
  if (other)
    wrong(look, "'%s' is in %s, and `hooke types %s` says %s", c->name, c->unit, in->type->name,
          other->unit);
  else
    wrong(look, "a model offers '%s', and `hooke types %s` does not list '%s'", c->name,
          in->type->name, what);
}

/* The channels of a contact's law are listed with those of the contact points. */
static const hk_type *law_with(const hk_item *contact, const char *what) {
  const char *name = HK_DATA(contact, hk_contact_common)->law;
  const hk_item *law = name ? hk_spec_find(contact->spec, HK_LAW, name) : NULL;
  const hk_law_ops *ops = law ? law->type->ops : NULL;
  for (int i = 0; ops && i < ops->n_channels; i++)
    if (strcmp(ops->channel[i].name, what) == 0) return law->type;
  return NULL;
}

/* Sensors created by a composite joint are items themselves; the sensors that its type lists must exist under
 * their names, with the number of the part as [i]. */
static void find_sensors(const hk_listed_look *look, hk_listed *in, const hk_item *joint) {
  const hk_model *m = look->model;
  for (int i = 0; i < m->n_channels; i++) {
    const hk_channel *c = &m->channel[i];
    char buf[64];
    const char *what = one_of(behind(joint->name, c->name), buf);
    bool sensor = c->owner == HK_OF_SENSOR || (c->owner == HK_OF_COORDINATE && c->component == 0);
    for (int k = 0; k < in->n && what && sensor; k++)
      if (strcmp(in->channel[k].name, what) == 0) find_in_list(look, in, what, c);
  }
}

/* Every composite joint has resultant channels for each of its sides, whatever its parts are. */
static void find_sides(const hk_listed_look *look, const hk_item *joint) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(HK_OF_COMPOSITE, &n);
  for (int i = 0; i < n; i++) {
    char name[200];
    if (hk_is_of_side_b(line[i].is.name) && !HK_DATA(joint, hk_joint_common)->b) continue;
    snprintf(name, sizeof name, "%s.%s", joint->name, line[i].is.name);
    if (hk_model_channel_find(look->model, name) < 0)
      wrong(look, "`hooke types %s` lists '%s', and a model has no '%s'", joint->type->name,
            line[i].is.name, name);
  }
}

void hk_listed_judge(const hk_listed_look *look, const hk_item *item) {
  hk_listed *in = look->of(look->context, item->type);
  const hk_model *m = look->model;
  in->items++;
  if (is_composite(item->type)) find_sensors(look, in, item), find_sides(look, item);
  for (int i = 0; i < m->n_channels; i++) {
    char buf[64];
    const hk_channel *c = &m->channel[i];
    const char *what = among(m, item, c, buf);
    if (!what) continue;
    const hk_type *law = item->type->category == HK_CONTACT ? law_with(item, what) : NULL;
    find_in_list(look, law ? look->of(look->context, law) : in, what, c);
  }
}
