/* Registries: see hooke/registry.h. */
#include "spec/registry.h"
#include "spec/renamed.h"
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
  *r = (hk_registry){.type = type,
                     .n = from->n,
                     .n_added = from->n_added,
                     .capacity = capacity,
                     .variable = from->variable,
                     .current_channel = from->current_channel,
                     .outside = from->outside,
                     .native = from->native,
                     .in_process = from->in_process};
  return r;
}

void hk_registry_destroy(hk_registry *r) {
  if (!r || r->capacity == 0) return;
  free(r->type);
  for (int i = r->n_libraries - 1; i >= 0; i--) r->close(r->library[i]);
  free(r->library);
  free(r);
}

bool hk_registry_keep(hk_registry *r, void *library, void (*close)(void *library)) {
  void **more = realloc(r->library, (size_t)(r->n_libraries + 1) * sizeof *more);
  if (!more) return false;
  r->library = more;
  r->library[r->n_libraries++] = library;
  r->close = close;
  return true;
}

/* Returns true if the functions of a category are declared in public headers; other categories could not be checked. */
static bool has_public_ops(hk_category c) {
  return c == HK_BODY || c == HK_JOINT || c == HK_FORCE || c == HK_LAW || c == HK_CONTACT ||
         c == HK_MOTION || c == HK_SENSOR || c == HK_STEPPER;
}

hk_status hk_registry_add(hk_registry *r, const hk_type *type, hk_error *err) {
  if (!r || r->capacity == 0)
    return hk_fail(err, HK_EINPUT, "types can only be added to a registry of hk_registry_create");
  if (type && (unsigned)type->category < HK_N_CATEGORIES && !has_public_ops(type->category))
    return hk_fail(err, HK_EINPUT,
                   "a type of %s cannot be added: the functions of its category are not public",
                   hk_category_name(type->category));
  hk_status status = hk_type_sound(type, err);
  if (status) return status;
  const hk_type *alike = hk_registry_find(r, type->category, type->name);
  if (alike && strcmp(alike->name, type->name) == 0)
    return hk_fail(err, HK_EINPUT, "there is a type of %s named '%s' already",
                   hk_category_name(type->category), type->name);
  if (r->n == r->capacity) {
    const hk_type **more = realloc(r->type, 2 * (size_t)r->capacity * sizeof *more);
    if (!more) return hk_fail(err, HK_ENOMEM, "out of memory");
    r->type = more;
    r->capacity *= 2;
  }
  r->type[r->n++] = type;
  r->n_added++;
  return HK_OK;
}

void hk_registry_allow_outside(hk_registry *r) {
  if (!r) return;
  if (r->capacity) r->outside = true;
}

void hk_registry_allow_native(hk_registry *r) {
  if (!r) return;
  if (r->capacity) r->native = true;
}

void hk_registry_fmus_in_process(hk_registry *r) {
  if (!r) return;
  if (r->capacity) r->in_process = true;
}

int hk_registry_count(const hk_registry *r, hk_category category) {
  if (!r) return 0;
  int n = 0;
  for (int i = 0; i < r->n; i++) n += r->type[i]->category == category;
  return n;
}

const hk_type *hk_registry_at(const hk_registry *r, hk_category category, int index) {
  if (!r) return NULL;
  for (int i = 0; i < r->n; i++)
    if (r->type[i]->category == category && index-- == 0) return r->type[i];
  return NULL;
}

const hk_type *hk_registry_find(const hk_registry *r, hk_category category, const char *name) {
  if (!r || !name) return NULL;
  for (int i = 0; i < r->n; i++)
    if (r->type[i]->category == category && strcmp(r->type[i]->name, name) == 0) return r->type[i];
  const char *current = hk_renamed_type(category, name).new_name;
  return current ? hk_registry_find(r, category, current) : NULL;
}
