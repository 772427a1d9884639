/* See stepper_keys.h. */
#include "spec/stepper_keys.h"
#include "spec/registry.h"
#include <stdio.h>
#include <string.h>

static const hk_param *choice_of(const hk_type *type) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (p->kind == HK_PARAM_STEPPER) return p;
  return NULL;
}

const hk_type *hk_stepper_chosen(const hk_item *analysis) {
  const hk_param *p = choice_of(analysis->type);
  const char *name = p ? *(const char *const *)((const char *)analysis->data + p->offset) : NULL;
  return name ? hk_registry_find(analysis->spec->registry, HK_STEPPER, name) : NULL;
}

/* Returns the i-th stepper that may have keys in this item. */
static const hk_type *candidate(const hk_item *analysis, int i) {
  const hk_type *chosen = hk_stepper_chosen(analysis);
  if (chosen) return i == 0 ? chosen : NULL;
  return choice_of(analysis->type) ? hk_registry_at(analysis->spec->registry, HK_STEPPER, i) : NULL;
}

static const hk_type *owner(const hk_item *analysis, const char *key, int i) {
  const hk_type *type;
  for (int k = 0; (type = candidate(analysis, k)); k++)
    if (hk_type_param_find(type, key) >= 0 && i-- == 0) return type;
  return NULL;
}

bool hk_stepper_takes(const hk_item *analysis, const char *key) {
  return key && hk_type_param_find(analysis->type, key) < 0 && owner(analysis, key, 0);
}

hk_item *hk_stepper_host(hk_item *analysis, const char *key, int i, hk_status *status,
                         hk_error *err) {
  const hk_type *type = owner(analysis, key, i);
  if (!type) return NULL;
  hk_item *host = hk_spec_find(analysis->spec, HK_STEPPER, type->name);
  if (!host) host = hk_spec_add(analysis->spec, HK_STEPPER, type->name, type->name, err);
  if (!host) *status = HK_ENOMEM;
  if (host) host->place = analysis->place;
  return host;
}

int hk_stepper_key_names(const hk_item *analysis, const char **names, int room) {
  int n = 0;
  const hk_type *type;
  const hk_param *p;
  for (int k = 0; (type = candidate(analysis, k)); k++)
    for (int i = 0; (p = hk_type_param(type, i)) && (!names || n < room); i++, n++)
      if (names) names[n] = p->name;
  return n;
}

/* Writes the keys of a stepper as in ", which takes rho". */
static void own_keys(const hk_type *type, char *text, size_t size) {
  const hk_param *p;
  int n = snprintf(text, size, "%s", hk_type_param(type, 0) ? ", which takes" : "");
  for (int i = 0; (p = hk_type_param(type, i)) && n < (int)size; i++)
    n += snprintf(text + n, size - (size_t)n, "%s %s", i ? "," : "", p->name);
  if (!hk_type_param(type, 0)) snprintf(text, size, ", which has no such keys");
}

static void misplaced(const char *key, const hk_type *whose, const hk_type *chosen, char *text,
                      size_t size) {
  char own[300];
  own_keys(chosen, own, sizeof own);
  snprintf(text, size, "'%s' belongs to the stepper %s, but this analysis runs with %s%s", key,
           whose->name, chosen->name, own);
}

bool hk_stepper_misplaced(const hk_registry *types, const hk_type *stepper, const char *key,
                          char *text, size_t size) {
  const hk_type *type;
  for (int i = 0; (type = hk_registry_at(types, HK_STEPPER, i)); i++) {
    if (hk_type_param_find(type, key) < 0) continue;
    misplaced(key, type, stepper, text, size);
    return true;
  }
  return false;
}

bool hk_stepper_whose(const hk_item *analysis, const char *key, char *text, size_t size) {
  const hk_type *chosen = hk_stepper_chosen(analysis);
  return chosen && hk_stepper_misplaced(analysis->spec->registry, chosen, key, text, size);
}

int hk_stepper_check(const hk_spec *spec, const hk_type *type, hk_severity severity,
                     hk_diag *diag) {
  int found = 0;
  for (int i = 0; type && i < spec->n[HK_STEPPER]; i++) {
    const hk_item *item = spec->item[HK_STEPPER][i];
    const hk_param *p;
    for (int k = 0; item->type != type && (p = hk_type_param(item->type, k)); k++) {
      if (!hk_item_given(item, k) || hk_type_param_find(type, p->name) >= 0) continue;
      char text[600];
      misplaced(p->name, item->type, type, text, sizeof text);
      found++;
      if (diag) hk_diag_add(diag, severity, hk_item_location(item, p->name), "%s", text);
    }
  }
  return found;
}
