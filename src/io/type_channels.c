/* Which channels an item of a type has, as far as its type says: see type_help.h. */
#include "io/type_help.h"
#include "spec/channel.h"
#include <string.h>

static bool has_param(const hk_type *type, hk_param_kind kind) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (p->kind == kind) return true;
  return false;
}

/* What an item without parameters says of itself is enough for most. */
static unsigned force_mask(const hk_type *type) {
  const hk_force_ops *ops = type->ops;
  hk_item item = {.type = type, .name = "", .data = (void *)(uintptr_t)type->defaults};
  hk_force_binding b = {0};
  hk_error err;
  if (has_param(type, HK_PARAM_COORDINATE)) return HK_ALONG_LENGTH | HK_ALONG_ANGLE;
  (void)ops->bind(&item, &b, &err);
  if (b.field) return HK_FIELD;
  if (b.relation) return b.relation->angular ? HK_ALONG_ANGLE : HK_ALONG_LENGTH;
  return HK_BETWEEN_FRAMES;
}

static void give_table(hk_owner owner, unsigned is, hk_channel_fn *give, void *context) {
  int n;
  const hk_owner_quantity *line = hk_owner_table(owner, &n);
  for (int i = 0; i < n; i++)
    if (!line[i].of || (line[i].of & is)) give(context, &line[i].is);
}

static void give_own(const hk_quantity *own, int n, hk_channel_fn *give, void *context) {
  for (int i = 0; i < n; i++) give(context, &own[i]);
}

static void give_joint(const hk_joint_ops *ops, hk_channel_fn *give, void *context) {
  static const hk_quantity effort = {
      "effort", "N or N*m",
      "generalised force along the coordinate (or weighted sum of coordinates)"};
  if (ops->expand)
    give_table(HK_OF_COMPOSITE, 0, give, context);
  else if (ops->frames)
    give_table(HK_OF_JOINT, 0, give, context);
  else
    give(context, &effort);
}

static void give_contact(const hk_gap_ops *ops, hk_channel_fn *give, void *context) {
  unsigned is = ops->rows ? HK_SET_VALUED : HK_SET_VALUED | HK_COMPLIANT;
  give_table(HK_OF_CONTACT, is | (ops->curvature ? HK_CURVED : 0), give, context);
}

void hk_type_channels(const hk_type *type, hk_channel_fn *give, void *context) {
  const hk_force_ops *force = type->category == HK_FORCE ? type->ops : NULL;
  const hk_law_ops *law = type->category == HK_LAW ? type->ops : NULL;
  if (force) {
    give_table(HK_OF_FORCE, force_mask(type), give, context);
    give_own(force->channel, force->n_channels, give, context);
  }
  if (law) give_own(law->channel, law->n_channels, give, context);
  if (type->category == HK_JOINT || type->category == HK_MOTION)
    give_joint(type->ops, give, context);
  if (type->category == HK_CONTACT) give_contact(type->ops, give, context);
}
