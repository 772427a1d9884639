/* Items, markers and the table of names of a spec: see hooke/spec.h.  Everything lives in the spec's arena; arrays that grow
 * leave their old copies there (at most the same amount again). */
#include "spec/item.h"
#include "spec/registry.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name_entry {
  const char *name; /* NULL: free */
  uint32_t hash;
  int category, index;
} name_entry;

struct hk_name_table {
  name_entry *entry;
  uint32_t capacity, n; /* capacity is a power of two */
};

static uint32_t hash_name(int category, const char *name) {
  uint32_t h = 2166136261u ^ (uint32_t)category;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h ^ h >> 15;
}

static name_entry *slot_of(const struct hk_name_table *t, int category, const char *name,
                           uint32_t hash) {
  uint32_t i = hash & (t->capacity - 1);
  for (;; i = (i + 1) & (t->capacity - 1)) {
    name_entry *e = &t->entry[i];
    if (!e->name) return e;
    if (e->hash == hash && e->category == category && strcmp(e->name, name) == 0) return e;
  }
}

static bool table_grow(hk_arena *arena, struct hk_name_table *t) {
  uint32_t capacity = t->capacity ? 2 * t->capacity : 64;
  struct hk_name_table grown = {HK_NEW_ARRAY(arena, name_entry, capacity), capacity, t->n};
  if (!grown.entry) return false;
  for (uint32_t i = 0; i < t->capacity; i++) {
    const name_entry *e = &t->entry[i];
    if (e->name) *slot_of(&grown, e->category, e->name, e->hash) = *e;
  }
  *t = grown;
  return true;
}

/* -1: unknown. */
static int table_find(const hk_spec *spec, int category, const char *name) {
  const struct hk_name_table *t = spec->names;
  if (!t->capacity) return -1;
  const name_entry *e = slot_of(t, category, name, hash_name(category, name));
  return e->name ? e->index : -1;
}

static bool table_add(hk_spec *spec, int category, const char *name, int index) {
  struct hk_name_table *t = spec->names;
  if (4 * (t->n + 1) > 3 * t->capacity && !table_grow(&spec->arena, t)) return false;
  uint32_t hash = hash_name(category, name);
  *slot_of(t, category, name, hash) = (name_entry){name, hash, category, index};
  t->n++;
  return true;
}

hk_spec *hk_spec_create_with(const hk_registry *registry) {
  hk_spec *spec = calloc(1, sizeof *spec);
  if (!spec) return NULL;
  hk_arena_init(&spec->arena);
  spec->registry = registry;
  atomic_init(&spec->owners, 1);
  spec->names = HK_NEW(&spec->arena, struct hk_name_table);
  if (!spec->names) {
    hk_spec_destroy(spec);
    return NULL;
  }
  return spec;
}

void hk_spec_destroy(hk_spec *spec) {
  while (spec && atomic_fetch_sub(&spec->owners, 1) == 1) {
    hk_spec *origin = spec->origin;
    hk_arena_free(&spec->arena);
    free(spec);
    spec = origin;
  }
}

hk_status hk_spec_note(hk_spec *spec, const hk_error *err, hk_status status, const hk_error *own) {
  if (status < 0 && !err && spec && !spec->error.code) spec->error = *own;
  return status;
}

const hk_error *hk_spec_error(const hk_spec *spec) {
  return spec && spec->error.code ? &spec->error : NULL;
}

int hk_spec_count(const hk_spec *spec, hk_category category) {
  return spec && (unsigned)category < HK_N_CATEGORIES ? spec->n[category] : 0;
}

hk_item *hk_spec_at(const hk_spec *spec, hk_category category, int i) {
  return i >= 0 && i < hk_spec_count(spec, category) ? spec->item[category][i] : NULL;
}

hk_status hk_spec_title(hk_spec *spec, const char *title) {
  if (!spec) return HK_EINPUT;
  spec->title = hk_arena_strdup(&spec->arena, title ? title : "");
  return spec->title ? HK_OK : HK_ENOMEM;
}

/* Ensures capacity for one more element of an arena array. */
static bool reserve(hk_arena *arena, void **array, int n, int *capacity, size_t size) {
  if (n < *capacity) return true;
  int wanted = *capacity ? 2 * *capacity : 16;
  void *grown = hk_arena_alloc(arena, (size_t)wanted * size);
  if (!grown) return false;
  if (n) memcpy(grown, *array, (size_t)n * size);
  *array = grown;
  *capacity = wanted;
  return true;
}

/* Words joined by dots, each with optional indices: left.link[0][2]. */
static bool valid_name(const char *s, bool dots) {
  for (;;) {
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    while (*s == '[') {
      s++;
      if (*s == '-') s++;
      if (!isdigit((unsigned char)*s)) return false;
      while (isdigit((unsigned char)*s)) s++;
      if (*s++ != ']') return false;
    }
    if (!*s) return true;
    if (*s++ != '.' || !dots) return false;
  }
}

static hk_status check_name(const hk_spec *spec, hk_category category, const char *name,
                            hk_error *err) {
  const char *what = hk_category_name(category);
  if (!name || !valid_name(name, true))
    return hk_fail(err, HK_EINPUT,
                   "'%s' cannot be the name of a %s: use letters, digits and '_', not beginning "
                   "with a digit",
                   name ? name : "", what);
  if (category == HK_BODY && strcmp(name, "ground") == 0)
    return hk_fail(err, HK_EINPUT, "'ground' is the fixed frame and cannot be a body");
  if (table_find(spec, category, name) >= 0)
    return hk_fail(err, HK_EINPUT, "there are two %s named '%s'", hk_category_section(category),
                   name);
  return HK_OK;
}

static const hk_type *find_type(const hk_registry *r, hk_category category, const char *type,
                                hk_error *err) {
  const hk_type *found = type ? hk_registry_find(r, category, type) : NULL;
  if (found) return found;
  const char *what = hk_category_name(category);
  int n = hk_registry_count(r, category);
  const char **names = malloc((size_t)(n ? n : 1) * sizeof *names);
  for (int i = 0; names && i < n; i++) names[i] = hk_registry_at(r, category, i)->name;
  const char *near = names && type ? hk_nearest_name(type, names, n) : NULL;
  free(names);
  if (near) {
    hk_fail(err, HK_EINPUT, "unknown type of %s '%s'; did you mean '%s'?", what, type, near);
  } else {
    hk_fail(err, HK_EINPUT, "unknown type of %s '%s'; `hooke types` lists them", what,
            type ? type : "");
  }
  return NULL;
}

static hk_item *item_create(hk_spec *spec, const hk_type *type, const char *name) {
  hk_arena *arena = &spec->arena;
  int n_params = hk_type_param_count(type);
  hk_item *item = HK_NEW(arena, hk_item);
  if (!item) return NULL;
  item->type = type;
  item->spec = spec;
  item->name = hk_arena_strdup(arena, name);
  item->data = hk_arena_alloc(arena, type->size ? type->size : 1);
  item->param_place = HK_NEW_ARRAY(arena, hk_location, n_params ? n_params : 1);
  item->param_state = HK_NEW_ARRAY(arena, unsigned char, n_params ? n_params : 1);
  if (!item->name || !item->data || !item->param_place || !item->param_state) return NULL;
  if (type->defaults) memcpy(item->data, type->defaults, type->size);
  return item;
}

static hk_item *add(hk_spec *spec, hk_category category, const char *type, const char *name,
                    hk_error *err) {
  if ((unsigned)category >= HK_N_CATEGORIES) {
    hk_fail(err, HK_EINPUT, "no such category: %d", (int)category);
    return NULL;
  }
  if (!type) {
    hk_fail(err, HK_EINPUT, "the type of %s '%s' is NULL", hk_category_name(category),
            name ? name : "");
    return NULL;
  }
  if (check_name(spec, category, name, err)) return NULL;
  const hk_type *found = find_type(spec->registry, category, type, err);
  if (!found) return NULL;
  hk_item *item = item_create(spec, found, name);
  int *n = &spec->n[category];
  if (!item ||
      !reserve(&spec->arena, (void **)&spec->item[category], *n, &spec->capacity[category],
               sizeof(hk_item *)) ||
      !table_add(spec, category, item->name, *n)) {
    hk_fail(err, HK_ENOMEM, "out of memory");
    return NULL;
  }
  spec->item[category][(*n)++] = item;
  item->made_by = spec->expanding;
  return item;
}

hk_item *hk_spec_add(hk_spec *spec, hk_category category, const char *type, const char *name,
                     hk_error *err) {
  hk_error own = {0};
  if (!spec)
    return hk_fail(err, HK_EINPUT, "'%s' cannot be added: the spec is NULL", name ? name : ""),
           NULL;
  hk_item *item = add(spec, category, type, name, err ? err : &own);
  if (!item) hk_spec_note(spec, err, HK_EINPUT, &own);
  return item;
}

hk_item *hk_spec_find(const hk_spec *spec, hk_category category, const char *name) {
  if (!spec || (unsigned)category >= HK_N_CATEGORIES || !name) return NULL;
  int i = table_find(spec, category, name);
  return i < 0 ? NULL : spec->item[category][i];
}

static hk_status add_marker(hk_spec *spec, hk_item *body, const char *name, hk_vec3 at,
                            hk_quat orientation, hk_error *err) {
  const char *owner = body ? body->name : "ground";
  if (body && body->type->category != HK_BODY)
    return hk_fail(err, HK_EINPUT, "only bodies have markers, not %s '%s'",
                   hk_category_name(body->type->category), owner);
  if (!name || !valid_name(name, false))
    return hk_fail(err, HK_EINPUT, "'%s' cannot be the name of a marker of '%s'", name ? name : "",
                   owner);
  double norm2 = orientation.w * orientation.w + orientation.x * orientation.x +
                 orientation.y * orientation.y + orientation.z * orientation.z;
  if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z) || !isfinite(norm2) || norm2 <= 0)
    return hk_fail(err, HK_EINPUT, "the position of marker '%s.%s' is not finite", owner, name);
  char *full = hk_arena_printf(&spec->arena, "%s.%s", owner, name);
  if (!full) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (table_find(spec, HK_NAME_MARKER, full) >= 0)
    return hk_fail(err, HK_EINPUT, "there are two markers named '%s'", full);
  if (!reserve(&spec->arena, (void **)&spec->marker, spec->n_markers, &spec->marker_capacity,
               sizeof *spec->marker) ||
      !table_add(spec, HK_NAME_MARKER, full, spec->n_markers))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  spec->marker[spec->n_markers++] = (hk_marker_spec){.name = full + strlen(owner) + 1,
                                                     .body = body,
                                                     .made_by = spec->expanding,
                                                     .at = at,
                                                     .orientation = hk_quat_normalize(orientation)};
  return HK_OK;
}

hk_status hk_spec_marker(hk_spec *spec, hk_item *body, const char *name, hk_vec3 at,
                         hk_quat orientation, hk_error *err) {
  hk_error own = {0};
  if (!spec)
    return hk_fail(err, HK_EINPUT, "marker '%s' cannot be added: the spec is NULL",
                   name ? name : "");
  return hk_spec_note(spec, err, add_marker(spec, body, name, at, orientation, err ? err : &own),
                      &own);
}

const hk_marker_spec *hk_spec_find_marker(const hk_spec *spec, const char *full_name) {
  int i = table_find(spec, HK_NAME_MARKER, full_name);
  return i < 0 ? NULL : &spec->marker[i];
}

int hk_spec_variable(hk_spec *spec, const char *name, hk_dim *dim, char *hint) {
  return spec->registry->variable(spec, name, dim, hint);
}

double hk_spec_start_time(const hk_spec *spec) {
  for (int i = 0; i < spec->n[HK_ANALYSIS]; i++) {
    const hk_item *item = spec->item[HK_ANALYSIS][i];
    const hk_param *start = hk_type_param(item->type, hk_type_param_find(item->type, "start"));
    if (!start || start->kind != HK_PARAM_REAL) continue;
    const void *at = (const char *)item->data + start->offset;
    return *(const double *)at;
  }
  return 0;
}

/* Edits allowed for a word of this length, in units of hk_word_distance. */
static int allowed_distance(size_t length) { return length <= 2 ? 1 : length <= 4 ? 5 : 9; }

const char *hk_nearest_name(const char *wrong, const char *const *names, int n) {
  size_t length = strlen(wrong);
  const char *best = NULL, *begins = NULL;
  int best_distance = allowed_distance(length) + 1, n_begins = 0;
  for (int i = 0; i < n; i++) {
    int d = hk_word_distance(wrong, length, names[i], strlen(names[i]));
    if (d < best_distance) {
      best_distance = d;
      best = names[i];
    }
    if (length >= 3 && strncmp(wrong, names[i], length) == 0) {
      begins = names[i];
      n_begins++;
    }
  }
  return best ? best : n_begins == 1 ? begins : NULL;
}

bool hk_spec_hold(hk_spec *spec, const hk_start_hold *hold) {
  if (spec->n_holds == spec->hold_capacity) {
    int capacity = spec->hold_capacity ? 2 * spec->hold_capacity : 16;
    hk_start_hold *grown = HK_NEW_ARRAY(&spec->arena, hk_start_hold, capacity);
    if (!grown) return false;
    if (spec->n_holds) memcpy(grown, spec->hold, (size_t)spec->n_holds * sizeof *grown);
    spec->hold = grown;
    spec->hold_capacity = capacity;
  }
  hk_start_hold *copy = &spec->hold[spec->n_holds];
  *copy = *hold;
  copy->a = hk_arena_strdup(&spec->arena, hold->a);
  copy->b = hk_arena_strdup(&spec->arena, hold->b);
  if (!copy->a || !copy->b) return false;
  spec->n_holds++;
  return true;
}
