/* Registries: see hooke/spec.h and registry.h. */
#include "spec/registry.h"
#include <stdlib.h>
#include <string.h>

hk_registry *hk_registry_copy(const hk_registry *from) {
  hk_registry *r = calloc(1, sizeof *r);
  int capacity = from->n + 16;
  const hk_type **type = malloc((size_t)capacity * sizeof *type);
  if (!r || !type) {
    free(r);
    free(type);
    return NULL;
  }
  memcpy(type, from->type, (size_t)from->n * sizeof *type);
  *r = (hk_registry){type, from->n, capacity, from->variable};
  return r;
}

void hk_registry_destroy(hk_registry *r) {
  if (!r || r->capacity == 0) return;
  free(r->type);
  free(r);
}

int hk_registry_count(const hk_registry *r, hk_category category) {
  int n = 0;
  for (int i = 0; i < r->n; i++) n += r->type[i]->category == category;
  return n;
}

const hk_type *hk_registry_at(const hk_registry *r, hk_category category, int index) {
  for (int i = 0; i < r->n; i++)
    if (r->type[i]->category == category && index-- == 0) return r->type[i];
  return NULL;
}

const hk_type *hk_registry_find(const hk_registry *r, hk_category category, const char *name) {
  for (int i = 0; i < r->n; i++)
    if (r->type[i]->category == category && strcmp(r->type[i]->name, name) == 0) return r->type[i];
  return NULL;
}
