/* The registry: every type that a model can name, from types.list. */
#include "body/body.h"
#include "gap/gap.h"
#include "joint/joint.h"
#include <string.h>

#define HK_TYPE(category, name) extern const hk_type hk_type_##category##_##name;
#include "registry/types.list"
#undef HK_TYPE

#define HK_TYPE(category, name) &hk_type_##category##_##name,
static const hk_type *const TYPES[] = {
#include "registry/types.list"
};
#undef HK_TYPE
enum { N_TYPES = sizeof TYPES / sizeof TYPES[0] };

static const struct {
  const char *name, *section, *default_type;
} CATEGORIES[HK_N_CATEGORIES] = {
    [HK_BODY] = {"body", "bodies", "rigid_body"},
    [HK_JOINT] = {"joint", "joints", NULL},
    [HK_FORCE] = {"force", "forces", NULL},
    [HK_LAW] = {"law", "laws", NULL},
    [HK_CONTACT] = {"contact", "contacts", NULL},
    [HK_MOTION] = {"motion", "motions", "motion"},
    [HK_SENSOR] = {"sensor", "sensors", "expression"},
    [HK_MEASURE] = {"measure", "measures", "channel"},
    [HK_ANALYSIS] = {"analysis", "analysis", "dynamics"},
};

static bool valid(hk_category category) { return (unsigned)category < HK_N_CATEGORIES; }

int hk_type_count(hk_category category) {
  int n = 0;
  for (int i = 0; i < N_TYPES; i++) n += TYPES[i]->category == category;
  return n;
}

const hk_type *hk_type_at(hk_category category, int index) {
  for (int i = 0; i < N_TYPES; i++)
    if (TYPES[i]->category == category && index-- == 0) return TYPES[i];
  return NULL;
}

const hk_type *hk_type_find(hk_category category, const char *name) {
  for (int i = 0; i < N_TYPES; i++)
    if (TYPES[i]->category == category && strcmp(TYPES[i]->name, name) == 0) return TYPES[i];
  return NULL;
}

const hk_param *hk_category_params(hk_category category, int *n) {
  if (category == HK_BODY) return *n = hk_body_n_params, hk_body_params;
  if (category == HK_JOINT) return *n = hk_joint_n_params, hk_joint_params;
  if (category == HK_CONTACT) return *n = hk_contact_n_params, hk_contact_params;
  *n = 0;
  return NULL;
}

const char *hk_category_name(hk_category category) {
  return valid(category) ? CATEGORIES[category].name : NULL;
}

const char *hk_category_section(hk_category category) {
  return valid(category) ? CATEGORIES[category].section : NULL;
}

const char *hk_category_default_type(hk_category category) {
  return valid(category) ? CATEGORIES[category].default_type : NULL;
}

const hk_param *hk_type_param(const hk_type *type, int i) {
  int n;
  const hk_param *common = hk_category_params(type->category, &n);
  if (i < 0) return NULL;
  if (i < n) return &common[i];
  return i - n < type->n_params ? &type->params[i - n] : NULL;
}

int hk_type_param_index(const hk_type *type, const char *name) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (strcmp(p->name, name) == 0) return i;
  return -1;
}
