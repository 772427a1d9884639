/* All keys of one item, its defaults, markers and placement: see model_file_reader.h. */
#include "read/model_file_reader.h"
#include "spec/renamed.h"
#include "spec/stepper_keys.h"
#include <stdio.h>
#include <string.h>

static bool is_item_key(const hk_item *item, const char *key) {
  if (strcmp(key, "markers") == 0 || strcmp(key, "shape") == 0)
    return item->type->category == HK_BODY;
  if (item->type->category == HK_ANALYSIS) return strcmp(key, "type") == 0;
  if (item->type->category == HK_FMU &&
      (strcmp(key, "inputs") == 0 || strcmp(key, "outputs") == 0 || strcmp(key, "units") == 0 ||
       strcmp(key, "start") == 0))
    return true;
  return strcmp(key, "type") == 0 || strcmp(key, "repeat") == 0 || strcmp(key, "name") == 0;
}

/* Reports an unknown key; returns a similar name, or NULL.  The item is NULL for defaults. */
static const char *unknown_key(hk_mf *r, const hk_type *type, const hk_item *item,
                               const hk_doc *doc, const char *owner) {
  static const char *const more[] = {"type", "repeat", "markers", "shape"};
  const int n = item && type->category == HK_BODY ? 4 : 2;
  char hint[200], word[64], other[600];
  if (item && hk_stepper_whose(item, doc->key, other, sizeof other)) {
    hk_diag_add(r->diag, HK_ERROR, &doc->key_place, "%s", other);
    return NULL;
  }
  /* In YAML, `mass:1 kg` is a key without a value. */
  snprintf(word, sizeof word, "%.*s", (int)strcspn(doc->key, ":"), doc->key);
  const char *near = hk_nearest_key(type, item, word, more, n);
  if (!near) snprintf(hint, sizeof hint, "; `hooke types %s` lists the keys", type->name);
  hk_diag_add(r->diag, HK_ERROR, &doc->key_place, "unknown key '%s' in %s%s", doc->key, owner,
              strchr(doc->key, ':') ? "; write a space after the colon"
              : near                ? hk_mf_did_you_mean(near, hint, sizeof hint)
                                    : hint);
  return near;
}

/* --- Keys by their current and former names, alone and in groups -------------------------------- */

static const hk_group *group_of(const hk_type *type, const char *key) {
  for (const hk_group *g = type->groups; g && g->name; g++)
    if (strcmp(g->name, key) == 0) return g;
  return NULL;
}

/* Returns the index of the parameter of a key, within a group if `group` is not NULL; -1: no such
 * parameter.  `current` is the current name if the key is a former one, else NULL. */
static int find_key(const hk_type *type, const hk_group *group, const char *key,
                    hk_renamed *current) {
  char full[128];
  *current = (hk_renamed){0};
  if (snprintf(full, sizeof full, "%s%s", key, group ? group->suffix : "") >= (int)sizeof full)
    return -1;
  const int i = hk_type_param_find(type, full);
  if (i >= 0 && strcmp(hk_type_param(type, i)->name, full) != 0)
    *current = hk_renamed_key(type, full);
  return i;
}

/* Name of a key within its group: "profile_crowning" for "profile_crowning_a". */
static const char *within_group(hk_mf *r, const hk_group *group, const char *name) {
  if (!group) return name;
  const char *cut = hk_arena_strndup(&r->arena, name, strlen(name) - strlen(group->suffix));
  if (!cut) hk_mf_no_memory(r);
  return cut ? cut : name;
}

static bool same_place(const hk_location *a, const hk_location *b) {
  return a->line == b->line && a->column == b->column && a->file && b->file &&
         strcmp(a->file, b->file) == 0;
}

static void read_key(const hk_mf_at *at, hk_item *item, const hk_group *group, const hk_doc *doc) {
  hk_renamed current;
  const int index = find_key(item->type, group, doc->key, &current);
  if (index < 0) return;
  const char *name = hk_type_param(item->type, index)->name;
  /* If the parameter is already set, it was given twice, under its current and a former name.
   * Exception: names and choices are read in advance, so the parameter may have been set by
   * this key itself. */
  if (item->param_place[index].file && !same_place(&item->param_place[index], &doc->place)) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->key_place,
                "%s of %s is given twice, here as '%s%s%s' and under another name; remove one",
                name, at->owner, group ? group->name : "", group ? "." : "", doc->key);
    return;
  }
  if (current.new_name)
    hk_mf_former_key(at->r, doc, within_group(at->r, group, current.new_name), current.note);
  hk_mf_set_param(at, item, index, doc);
}

static void unknown_in_group(hk_mf *r, const hk_type *type, const hk_group *group,
                             const hk_doc *doc, const char *owner) {
  char full[128], hint[200];
  snprintf(full, sizeof full, "%.100s%s", doc->key, group->suffix);
  const char *near = hk_nearest_key(type, NULL, full, NULL, 0);
  const hk_param *p = near ? hk_type_param(type, hk_type_param_find(type, near)) : NULL;
  near = p && hk_type_group(type, p) == group ? within_group(r, group, near) : NULL;
  hk_diag_add(r->diag, HK_ERROR, &doc->key_place, "unknown key '%s' in %s%s", doc->key, owner,
              hk_mf_did_you_mean(near, hint, sizeof hint));
}

static void read_group(const hk_mf_at *at, hk_item *item, const hk_group *group,
                       const hk_doc *map) {
  hk_renamed current;
  char owner[400];
  if (hk_mf_is_empty(map)) return;
  if (!hk_mf_expect(at, map, HK_DOC_MAP, group->name, "a map from parameters to values")) return;
  snprintf(owner, sizeof owner, "'%s' of %s", group->name, at->owner);
  for (const hk_doc *c = map->first; c; c = c->next) {
    if (find_key(item->type, group, c->key, &current) >= 0)
      read_key(at, item, group, c);
    else
      unknown_in_group(at->r, item->type, group, c, owner);
  }
}

static void read_default(const hk_mf_at *at, hk_item *item, const hk_group *group,
                         const hk_doc *doc) {
  hk_renamed current;
  const int index = find_key(item->type, group, doc->key, &current);
  if (index < 0 || hk_item_given(item, index) || item->param_place[index].file) return;
  if (current.new_name)
    hk_mf_former_key(at->r, doc, within_group(at->r, group, current.new_name), current.note);
  hk_mf_set_param(at, item, index, doc);
}

/* Finds the defaults of a type, under its current name or a former one. */
static const hk_doc *defaults_of(hk_mf *r, const hk_doc *all, const hk_type *type) {
  for (const hk_doc *c = all->first; c; c = c->next) {
    if (strcmp(c->key, type->name) == 0) return c;
    const hk_renamed current = hk_renamed_type(type->category, c->key);
    if (!current.new_name || strcmp(current.new_name, type->name) != 0) continue;
    hk_mf_former_key(r, c, current.new_name, current.note);
    return c;
  }
  return NULL;
}

/* Reads the model file's defaults for this type; names in them are names of the model. */
static void read_defaults(hk_mf *r, hk_item *item, const char *owner) {
  const hk_doc *all = hk_doc_find(r->root, "defaults");
  const hk_doc *own = all ? defaults_of(r, all, item->type) : NULL;
  if (!own || own->faulty || own->kind != HK_DOC_MAP) return;
  hk_mf_at at = {r, &r->model, NULL, owner};
  for (const hk_doc *c = own->first; c; c = c->next) {
    const hk_group *group = group_of(item->type, c->key);
    if (!group) read_default(&at, item, NULL, c);
    for (const hk_doc *d = group && c->kind == HK_DOC_MAP ? c->first : NULL; d; d = d->next)
      read_default(&at, item, group, d);
  }
}

/* Reports all missing keys in one message, except for keys that were given with a misspelled name. */
static void check_required(hk_mf *r, const hk_item *item, const char *owner,
                           const hk_param *misspelt) {
  char list[300] = "";
  size_t used = 0;
  int n = 0;
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    /* A rejected value has a location and is not reported as missing, although it does not count as given. */
    if (!(p->flags & HK_REQUIRED) || hk_item_given(item, i) || item->param_place[i].file ||
        p == misspelt)
      continue;
    if (used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", n ? ", " : "", p->name);
    n++;
  }
  if (n) hk_diag_add(r->diag, HK_ERROR, &item->place, "%s needs %s", owner, list);
}

/* Reads a key of the stepper; the key `stepper` has been read before. */
static void read_stepper_key(const hk_mf_at *at, hk_item *item, const hk_doc *doc) {
  hk_mf *r = at->r;
  hk_status status = HK_OK;
  int before = r->diag->n_errors;
  hk_item *host;
  hk_error err;
  for (int i = 0;
       r->diag->n_errors == before && (host = hk_stepper_host(item, doc->key, i, &status, &err));
       i++)
    read_key(at, host, NULL, doc);
  if (status) hk_mf_no_memory(r);
}

/* Reads the defaults of a stepper without messages. If the stepper is not used, its defaults are ignored and do not
 * count as given by the user. */
static void read_quiet_defaults(hk_mf *r, hk_item *item, const char *owner) {
  const size_t n = (size_t)hk_type_param_count(item->type);
  unsigned char *state = hk_arena_alloc(&r->arena, n + 1);
  if (!state) {
    hk_mf_no_memory(r);
    return;
  }
  memcpy(state, item->param_state, n);
  read_defaults(r, item, owner);
  memcpy(item->param_state, state, n);
}

/* Reads the defaults of the steppers that may be selected: an item is created for each stepper that
 * has defaults. */
static void read_stepper_defaults(hk_mf *r, hk_item *analysis, const char *owner) {
  const hk_doc *all = hk_doc_find(r->root, "defaults");
  const int n = all ? hk_stepper_key_names(analysis, NULL, 0) : 0;
  const char **key = HK_NEW_ARRAY(&r->arena, const char *, n + 1);
  if (key)
    hk_stepper_key_names(analysis, key, n);
  else
    hk_mf_no_memory(r);
  for (int i = 0; key && i < n; i++) {
    hk_item *host;
    hk_status status = HK_OK;
    hk_error err;
    for (int k = 0; (host = hk_stepper_host(analysis, key[i], k, &status, &err)); k++) {
      read_quiet_defaults(r, host, owner);
    }
    if (status) hk_mf_no_memory(r);
  }
}

void hk_mf_read_item(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  char owner[300];
  if (pending->doc->faulty) return;
  hk_item_label(item, owner, sizeof owner);
  hk_mf_at at = {r, pending->scope, pending->index, owner, item};
  int before = r->diag->n_errors;
  const hk_param *misspelt = NULL;
  for (const hk_doc *c = pending->doc->first; c; c = c->next) {
    const hk_group *group = group_of(item->type, c->key);
    if (group)
      read_group(&at, item, group, c);
    else
      read_key(&at, item, NULL, c);
  }
  for (const hk_doc *c = pending->doc->first; c; c = c->next) {
    if (hk_type_param_find(item->type, c->key) >= 0 || is_item_key(item, c->key) ||
        group_of(item->type, c->key))
      continue;
    if (hk_stepper_takes(item, c->key)) {
      read_stepper_key(&at, item, c);
    } else {
      const char *near = unknown_key(r, item->type, item, c, owner);
      int meant = near ? hk_type_param_find(item->type, near) : -1;
      if (meant >= 0) misspelt = hk_type_param(item->type, meant);
    }
  }
  read_defaults(r, item, owner);
  if (item->type->category == HK_ANALYSIS) read_stepper_defaults(r, item, owner);
  check_required(r, item, owner, misspelt);
  if (pending->scope->placed) hk_item_place(item, pending->scope->origin, pending->scope->rotation);
  if (r->diag->n_errors > before) pending->doc->faulty = true;
}

void hk_mf_peek_item(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  hk_diag quiet, *loud = r->diag;
  if (pending->doc->faulty) return;
  hk_diag_init(&quiet);
  r->diag = &quiet; /* cppcheck-suppress autoVariables ; given back below */
  hk_mf_at at = {r, pending->scope, pending->index, item->name};
  for (const hk_doc *c = pending->doc->first; c; c = c->next) {
    int index = hk_type_param_find(item->type, c->key);
    if (index >= 0 && hk_param_is_name(hk_type_param(item->type, index)))
      hk_mf_set_param(&at, item, index, c);
  }
  loud->out_of_memory = loud->out_of_memory || quiet.out_of_memory;
  hk_diag_free(&quiet);
  r->diag = loud;
}

/* --- Markers --------------------------------------------------------------------------------- */

static void read_marker(const hk_mf_at *body_at, hk_item *body, const hk_doc *doc) {
  static const char *const keys[] = {"at", "orientation"};
  hk_mf *r = body_at->r;
  char owner[400];
  snprintf(owner, sizeof owner, "marker '%.60s' of %s", doc->key, body_at->owner);
  hk_mf_at at = *body_at;
  at.owner = owner;
  hk_vec3 p = {0, 0, 0};
  hk_quat q = hk_quat_identity();
  bool ok = hk_mf_check_word(r, doc->key, &doc->key_place, "the name of a marker");
  if (doc->kind == HK_DOC_LIST) { /* tip: [L, 0, 0] */
    ok = hk_mf_vector(&at, doc, "at", "m", &p) && ok;
  } else if (!hk_mf_is_empty(doc)) {
    hk_mf_at nobody = {.r = r};
    if (!hk_mf_expect(&nobody, doc, HK_DOC_MAP, owner, "a map such as {at: [0, 0, 1 m]}")) return;
    hk_mf_check_keys(r, doc, keys, 2, owner);
    const hk_doc *place = hk_doc_find(doc, "at"), *turn = hk_doc_find(doc, "orientation");
    if (place) ok = hk_mf_vector(&at, place, "at", "m", &p) && ok;
    if (turn) ok = hk_mf_rotation(&at, turn, "orientation", &q) && ok;
  }
  /* A marker with an invalid position is still added, to avoid errors where it is used. */
  hk_error err = {0};
  (void)ok;
  if (hk_spec_marker(r->spec, body, doc->key, p, q, &err)) {
    if (err.code == HK_ENOMEM) r->diag->out_of_memory = true;
    if (ok) hk_diag_add(r->diag, HK_ERROR, &doc->key_place, "%s", err.text);
    return;
  }
  r->spec->marker[r->spec->n_markers - 1].place = hk_mf_keep_place(r, doc->key_place);
}

static void read_markers(const hk_mf_at *at, hk_item *body, const hk_doc *markers) {
  if (!markers || hk_mf_is_empty(markers)) return;
  if (!hk_mf_expect(at, markers, HK_DOC_MAP, "markers", "a map from names to positions")) return;
  for (const hk_doc *c = markers->first; c && !hk_mf_stop(at->r); c = c->next)
    read_marker(at, body, c);
}

void hk_mf_read_markers(hk_mf *r, hk_item *body, const hk_mf_pending *pending) {
  const hk_doc *markers = hk_doc_find(pending->doc, "markers");
  if (!markers || markers->faulty) return;
  char owner[300];
  hk_item_label(body, owner, sizeof owner);
  hk_mf_at at = {r, pending->scope, pending->index, owner};
  int before = r->diag->n_errors;
  read_markers(&at, body, markers);
  if (r->diag->n_errors > before) ((hk_doc *)(uintptr_t)markers)->faulty = true;
}

void hk_mf_read_ground(hk_mf *r, hk_doc *ground) {
  static const char *const keys[] = {"markers", "shape"};
  hk_mf_at at = {r, &r->model, NULL, "ground"};
  if (hk_mf_is_empty(ground) || !hk_mf_expect(&at, ground, HK_DOC_MAP, "content",
                                              "a map with the keys 'markers' and 'shape'"))
    return;
  hk_mf_check_keys(r, ground, keys, 2, "ground");
  read_markers(&at, NULL, hk_doc_find(ground, "markers"));
}

/* --- Defaults -------------------------------------------------------------------------------- */

/* Finds a type by name in any category; the first match is used. */
static const hk_type *any_type(const hk_registry *types, const char *name) {
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    const hk_type *type = hk_registry_find(types, (hk_category)c, name);
    if (type) return type;
  }
  return NULL;
}

static const char *near_type(const hk_registry *types, const char *name) {
  const char *best = NULL;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(types, (hk_category)c); i++) {
      const char *pair[2] = {hk_registry_at(types, (hk_category)c, i)->name, best};
      const char *near = hk_nearest_name(name, pair, best ? 2 : 1);
      if (near) best = near;
    }
  return best;
}

static bool some_type_has(const hk_registry *types, const char *type_name, const char *param) {
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    const hk_type *type = hk_registry_find(types, (hk_category)c, type_name);
    if (type && (hk_type_param_find(type, param) >= 0 || group_of(type, param))) return true;
  }
  return false;
}

void hk_mf_check_defaults(hk_mf *r) {
  const hk_doc *all = hk_doc_find(r->root, "defaults");
  hk_mf_at at = {r, &r->model, NULL, NULL};
  for (hk_doc *c = all ? all->first : NULL; c && !hk_mf_stop(r); c = c->next) {
    char owner[100], hint[100];
    snprintf(owner, sizeof owner, "the defaults of '%.60s'", c->key);
    const hk_type *type = any_type(r->spec->registry, c->key);
    c->faulty = true;
    if (!type) {
      hk_diag_add(r->diag, HK_ERROR, &c->key_place, "there is no type '%s'%s", c->key,
                  hk_mf_did_you_mean(near_type(r->spec->registry, c->key), hint, sizeof hint));
      continue;
    }
    if (hk_mf_is_empty(c)) continue;
    if (!hk_mf_expect(&at, c, HK_DOC_MAP, owner, "a map from parameters to values")) continue;
    c->faulty = false;
    for (const hk_doc *d = c->first; d; d = d->next) {
      const hk_group *group = group_of(type, d->key);
      hk_renamed current;
      if (!some_type_has(r->spec->registry, c->key, d->key)) unknown_key(r, type, NULL, d, owner);
      for (const hk_doc *k = group && d->kind == HK_DOC_MAP ? d->first : NULL; k; k = k->next)
        if (find_key(type, group, k->key, &current) < 0) unknown_in_group(r, type, group, k, owner);
    }
  }
}
