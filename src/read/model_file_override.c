/* --set path=value -> changes of the document tree: see model_file_reader.h.
 *
 * The path walks the tree (`joints.pin.friction`); the section may be omitted if the name is unique (`pin.friction`,
 * `L`).  The last key may be new, so that parameters not given in the file can be set; unknown keys are detected
 * when the item is read.
 *
 * `cvj.pitch_error[2]` is one value of a list; missing values are filled with zeros. If the type
 * declares one value per ball, `cvj.ball[2].pitch_error` has the same meaning.
 *
 * `p[1].mass` is the value of one copy of an item with `repeat`. This override is stored until the copies are created.
 *
 * `forces.push={type: load, ...}` adds an item or replaces it as a whole, `forces.push=~` removes it. */
#include "read/model_file_reader.h"
#include "spec/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMED[] = {
    "bodies", "joints",  "forces", "laws",     "contacts", "motions",    "tables", "inputs",
    "states", "sensors", "shapes", "measures", "parts",    "parameters", "fmus",   "events"};
enum { N_NAMED = sizeof NAMED / sizeof *NAMED };
static const char *const OTHER[] = {"defaults", "assemblies", "analysis", "title", "stop"};
enum { N_OTHER = sizeof OTHER / sizeof *OTHER };
enum { MAX_INDEX = 1000 };

typedef struct path {
  char *word[HK_DOC_MAX_DEPTH];
  int n;
} path;

static bool split(hk_mf *r, const char *text, path *p) {
  p->n = 0;
  for (const char *from = text;; from++) {
    size_t n = strcspn(from, ".");
    if (!n || p->n == HK_DOC_MAX_DEPTH) return false;
    p->word[p->n++] = hk_arena_strndup(&r->arena, from, n);
    if (!p->word[p->n - 1]) return hk_mf_no_memory(r);
    from += n;
    if (!*from) return true;
  }
}

static bool in_list(const char *word, const char *const *list, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(word, list[i]) == 0) return true;
  return false;
}

/* Finds the child of a map with the most similar name, optionally preceded by its section. */
static const char *near_child(const hk_doc *map, const char *wrong) {
  if (!map || map->kind != HK_DOC_MAP || !map->n) return NULL;
  const char **names = malloc((size_t)map->n * sizeof *names);
  if (!names) return NULL;
  int n = 0;
  for (const hk_doc *c = map->first; c; c = c->next) names[n++] = c->key;
  const char *near = hk_nearest_name(wrong, names, n);
  free(names);
  return near;
}

/* Removes "[k]" from a word; returns k, -1: no brackets, -2: not an index. */
static int cut_index(char *word) {
  size_t n = strlen(word);
  char *open = strchr(word, '['), *end;
  if (!open || open == word || word[n - 1] != ']') return open ? -2 : -1;
  long k = strtol(open + 1, &end, 10);
  if (end != word + n - 1 || end == open + 1 || k < 0 || k >= MAX_INDEX) return -2;
  *open = '\0';
  return (int)k;
}

/* ---- copies of repeated items ---- */

/* A value for one copy of an item with `repeat`. */
typedef struct hk_mf_copy {
  path at; /* section, name of the copy, keys */
  int index;
  hk_doc *value;
  hk_location place;
  bool used;
  struct hk_mf_copy *next;
} hk_mf_copy;

static bool has_stem(const char *text, const char *word, size_t length) {
  return strncmp(text, word, length) == 0 && (!text[length] || text[length] == '[');
}

/* Finds the item with `repeat` in a section that may make a copy of this name, such as "p[1]"; NULL: there is none. */
static const hk_doc *maker_of(const hk_doc *section, const char *word) {
  size_t length = strcspn(word, "[");
  if (!word[length] || !section || section->kind != HK_DOC_MAP || hk_doc_find(section, word))
    return NULL;
  for (const hk_doc *c = section->first; c; c = c->next) {
    const hk_doc *name = hk_doc_find(c, "name");
    bool template = name && name->kind == HK_DOC_SCALAR;
    if (hk_doc_find(c, "repeat") && has_stem(template ? name->text : c->key, word, length))
      return c;
  }
  return NULL;
}

/* ---- alternative names of a parameter ---- */

/* Returns the index of the section in a path: `assemblies.NAME` is followed by another section. */
static int section_at(const path *p) {
  return strcmp(p->word[0], "assemblies") == 0 && p->n > 2 ? 2 : 0;
}

static const hk_type *type_of_item(const hk_mf *r, const char *section, const hk_doc *item) {
  const hk_doc *named = hk_doc_find(item, "type");
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    if (strcmp(hk_category_section((hk_category)c), section) != 0) continue;
    const char *name = named && named->kind == HK_DOC_SCALAR
                           ? named->text
                           : hk_category_default_type((hk_category)c);
    return name ? hk_registry_find(r->spec->registry, (hk_category)c, name) : NULL;
  }
  return NULL;
}

/* Finds the map of keys addressed by the path, their type, and the index of the first key in the
 * path. */
static const hk_doc *keys_of_path(const hk_mf *r, const path *p, const hk_type **type, int *first) {
  const int s = section_at(p);
  const hk_doc *root = s ? hk_doc_find(hk_doc_find(r->root, "assemblies"), p->word[1]) : r->root;
  const hk_doc *section = hk_doc_find(root, p->word[s]);
  *type = NULL;
  *first = s + 2;
  if (strcmp(p->word[s], "analysis") == 0) {
    *first = 1;
    *type = type_of_item(r, "analysis", section);
    return section;
  }
  if (strcmp(p->word[s], "stop") == 0) {
    *first = 1;
    *type = hk_registry_find(r->spec->registry, HK_EVENT, "event");
    return section;
  }
  const hk_doc *item = p->n > s + 1 ? hk_doc_find(section, p->word[s + 1]) : NULL;
  if (strcmp(p->word[s], "defaults") == 0) {
    for (int c = 0; c < HK_N_CATEGORIES && item && !*type; c++)
      *type = hk_registry_find(r->spec->registry, (hk_category)c, p->word[s + 1]);
  } else if (item) {
    *type = type_of_item(r, p->word[s], item);
  }
  return item;
}

/* The current name of a parameter given by any of its names; NULL: unknown. */
static const char *current_name(const hk_mf *r, const hk_type *type, const char *group,
                                const char *key) {
  char full[160];
  snprintf(full, sizeof full, "%s%s%s", group ? group : "", group ? "." : "", key);
  int i = hk_type_param_find(type, full);
  if (i >= 0) return hk_type_param(type, i)->name;
  const int n =
      type->category == HK_ANALYSIS ? hk_registry_count(r->spec->registry, HK_STEPPER) : 0;
  for (int k = 0; k < n; k++) {
    const hk_type *stepper = hk_registry_at(r->spec->registry, HK_STEPPER, k);
    if ((i = hk_type_param_find(stepper, full)) >= 0) return hk_type_param(stepper, i)->name;
  }
  return NULL;
}

/* If the file gives the parameter under another name or in a group, changes the path
 * accordingly. */
static void respell(const hk_mf *r, path *p) {
  const hk_type *type;
  int first;
  const hk_doc *map = keys_of_path(r, p, &type, &first);
  const int n = p->n - first;
  if (!map || map->kind != HK_DOC_MAP || !type || n < 1 || n > 2) return;
  const char *name = current_name(r, type, n == 2 ? p->word[first] : NULL, p->word[p->n - 1]);
  for (const hk_doc *c = name ? map->first : NULL; c; c = c->next) {
    const char *same = current_name(r, type, NULL, c->key);
    const hk_doc *d = same || c->kind != HK_DOC_MAP ? NULL : c->first;
    for (; d; d = d->next)
      if ((same = current_name(r, type, c->key, d->key)) && strcmp(same, name) == 0) break;
    if (!same || strcmp(same, name) != 0 || (d && first + 1 >= HK_DOC_MAX_DEPTH)) continue;
    p->word[first] = (char *)(uintptr_t)c->key;
    if (d) p->word[first + 1] = (char *)(uintptr_t)d->key;
    p->n = first + (d ? 2 : 1);
    return;
  }
}

/* Returns hk_param.each of a parameter of the item in the path; NULL: none. */
static const char *each_of(const hk_mf *r, const path *p, const char *param) {
  const hk_doc *item = hk_doc_find(hk_doc_find(r->root, p->word[0]), p->word[1]);
  const hk_doc *type = hk_doc_find(item, "type");
  for (int c = 0; c < HK_N_CATEGORIES && type && type->kind == HK_DOC_SCALAR; c++) {
    const hk_type *t = hk_registry_find(r->spec->registry, (hk_category)c, type->text);
    int i = t && strcmp(hk_category_section((hk_category)c), p->word[0]) == 0
                ? hk_type_param_find(t, param)
                : -1;
    if (i >= 0) return hk_type_param(t, i)->each;
  }
  return NULL;
}

/* Removes the index of a list element from the end of the path; -1: no index.  False with an error if it is invalid. */
static bool find_index(hk_mf *r, path *p, const hk_location *place, int *index) {
  char *last = p->word[p->n - 1];
  *index = cut_index(last);
  if (*index == -1 && p->n == 4 && strchr(p->word[2], '[')) {
    *index = cut_index(p->word[2]);
    const char *each = *index >= 0 ? each_of(r, p, last) : NULL;
    if (*index >= 0 && (!each || strcmp(each, p->word[2]) != 0)) {
      if (each)
        hk_diag_add(r->diag, HK_ERROR, place, "'%s' of '%s' has one value per %s, not per '%s'",
                    last, p->word[1], each, p->word[2]);
      else
        hk_diag_add(r->diag, HK_ERROR, place, "'%s' of '%s' is not a list with one value per '%s'",
                    last, p->word[1], p->word[2]);
      return false;
    }
    p->word[2] = last;
    p->n = 3;
  }
  if (*index != -2) return true;
  hk_diag_add(r->diag, HK_ERROR, place, "the index in brackets must be a number from 0 to %d",
              MAX_INDEX - 1);
  return false;
}

static hk_doc *new_zero(hk_mf *r, hk_location place) {
  hk_doc *zero = HK_NEW(&r->arena, hk_doc);
  if (!zero) {
    hk_mf_no_memory(r);
    return NULL;
  }
  *zero = (hk_doc){.kind = HK_DOC_SCALAR, .one_line = true, .place = place, .text = "0"};
  return zero;
}

/* Sets element `index` of the list under a key of the map to `value`. */
static void set_element(hk_mf *r, hk_doc *map, const char *key, int index, hk_doc *value,
                        hk_location place) {
  hk_doc *list = hk_doc_find(map, key);
  if (!list) {
    list = hk_mf_new_map(r, key, place);
    if (!list) return;
    list->kind = HK_DOC_LIST;
    hk_mf_append(map, list);
  }
  if (list->kind != HK_DOC_LIST) {
    hk_diag_add(r->diag, HK_ERROR, &place, "'%s' is not a list, so it has no element %d", key,
                index);
    return;
  }
  while (list->n <= index) {
    hk_doc *zero = new_zero(r, place);
    if (!zero) return;
    hk_mf_append(list, zero);
  }
  hk_doc *at = list->first;
  for (int i = 0; i < index; i++) at = at->next;
  value->next = at->next;
  *at = *value;
}

/* Finds the next section from `*i` on that has an item of this name; NULL: there is none. A path of one word can only be
 * a parameter; a path of several words cannot. */
static const char *section_of(const hk_mf *r, const char *word, bool parameter, int *i) {
  for (; *i < N_NAMED; (*i)++) {
    if ((strcmp(NAMED[*i], "parameters") == 0) != parameter) continue;
    const hk_doc *section = hk_doc_find(r->root, NAMED[*i]);
    if (hk_doc_find(section, word) || maker_of(section, word)) return NAMED[(*i)++];
  }
  return NULL;
}

/* Completes a path without a section; false with an error if it is not unique.  If an item has the name of a section,
 * such as `stop`, and the file does not have this section, the path refers to the item. */
static bool find_section(hk_mf *r, path *p, const hk_location *place) {
  const char *word = p->word[0];
  const bool section = in_list(word, NAMED, N_NAMED) || in_list(word, OTHER, N_OTHER);
  int at = 0;
  const char *found = section_of(r, word, p->n == 1, &at);
  if (section && (hk_doc_find(r->root, word) || !found)) return true;
  const char *second = found ? section_of(r, word, p->n == 1, &at) : NULL;
  if (second) {
    hk_diag_add(r->diag, HK_ERROR, place, "there are %s and %s named '%s'; write '%s.%s...'", found,
                second, word, found, word);
    return false;
  }
  if (!found || p->n == HK_DOC_MAX_DEPTH) {
    char hint[200];
    const char *near = NULL;
    for (int i = 0; i < N_NAMED && !near; i++)
      near = near_child(hk_doc_find(r->root, NAMED[i]), word);
    if (!near) near = hk_nearest_name(word, NAMED, N_NAMED);
    if (!near) near = hk_nearest_name(word, OTHER, N_OTHER);
    /* the value exists but cannot be changed, so that a suggestion would not help */
    if (near && strcmp(near, word) == 0) near = NULL;
    hk_diag_add(r->diag, HK_ERROR, place, HK_NO_ITEM " '%s'%s", word,
                hk_mf_did_you_mean(near, hint, sizeof hint));
    return false;
  }
  memmove(p->word + 1, p->word, (size_t)p->n * sizeof *p->word);
  p->word[0] = (char *)(uintptr_t)found;
  p->n++;
  return true;
}

/* Returns true if the i-th word of a path may be a key that the file does not contain yet. A whole item is given as a
 * map, so a new name with a map as its value is not considered a misspelling. */
static bool may_create(const path *p, int i, const hk_doc *value) {
  const char *section = p->word[0];
  if (strcmp(section, "parameters") == 0) return i == 0 && p->n == 1;
  if (p->n == 2 && value->kind == HK_DOC_MAP && in_list(section, NAMED, N_NAMED)) return true;
  if (strcmp(section, "analysis") == 0 || strcmp(section, "defaults") == 0 ||
      strcmp(section, "stop") == 0)
    return true;
  if (strcmp(section, "title") == 0) return i == 0;
  if (strcmp(section, "measures") == 0)
    return true; /* measures may have keys in addition to their parameters */
  if (strcmp(section, "assemblies") == 0) return i >= 4;
  return i >= 2;
}

/* Sets the location of a value that is not in the file: messages refer to the option. */
static void set_place(hk_doc *doc, hk_location place) {
  doc->place = doc->key_place = place;
  for (hk_doc *c = doc->first; c; c = c->next) set_place(c, place);
}

static hk_doc *parse_value(hk_mf *r, const char *text, const char *name, hk_location place) {
  hk_doc *value;
  if (*text == '[' || *text == '{') {
    value = hk_doc_read_text(&r->arena, name, text, strlen(text), r->diag);
    if (value) set_place(value, place);
  } else {
    value = HK_NEW(&r->arena, hk_doc);
    if (value) {
      *value = (hk_doc){.kind = HK_DOC_SCALAR, .one_line = true, .place = place};
      value->text = hk_arena_strdup(&r->arena, text);
    }
    if (!value || !value->text) {
      hk_mf_no_memory(r);
      return NULL;
    }
  }
  return value;
}

/* Returns true if the override removes an item from the model, as `--set forces.push=~` does. */
static bool removes(const path *p, const hk_doc *value) {
  return p->n == 2 && value->kind == HK_DOC_SCALAR && strcmp(value->text, "~") == 0 &&
         in_list(p->word[0], NAMED, N_NAMED) && strcmp(p->word[0], "parameters") != 0;
}

static void remove_child(hk_doc *map, const hk_doc *child) {
  hk_doc **at = &map->first;
  while (*at != child) at = &(*at)->next;
  *at = child->next;
  map->n--;
}

static void report_missing(hk_mf *r, const path *p, int i, const hk_doc *map,
                           const hk_location *place) {
  char hint[200];
  const char *what = i == 0                                      ? "section"
                     : strcmp(p->word[i - 1], "parameters") == 0 ? "parameter"
                                                                 : "entry";
  hk_diag_add(r->diag, HK_ERROR, place, "there is no %s '%s'%s%s%s", what, p->word[i],
              i ? " in " : "", i ? p->word[i - 1] : "",
              hk_mf_did_you_mean(near_child(map, p->word[i]), hint, sizeof hint));
}

/* Sets the value given by the words of the path from number `from` on; `map` is the map that
 * contains the key of this word. */
static void set_value(hk_mf *r, hk_doc *map, path *p, int from, int index, hk_doc *value,
                      hk_location place) {
  for (int i = from; i < p->n; i++) {
    bool last = i == p->n - 1;
    hk_doc *child = hk_doc_find(map, p->word[i]);
    bool empty = child && child->kind == HK_DOC_SCALAR && !*child->text;
    if (!child && (!may_create(p, i, value) || (last && removes(p, value)))) {
      report_missing(r, p, i, map, &place);
      return;
    }
    if (last && index >= 0) {
      set_element(r, map, p->word[i], index, value, place);
      return;
    }
    if (last && removes(p, value)) {
      remove_child(map, child);
      return;
    }
    if (last) {
      value->key = p->word[i];
      value->key_place = place;
      if (child) {
        value->next = child->next;
        *child = *value;
      } else {
        hk_mf_append(map, value);
      }
      return;
    }
    if (!child) {
      child = hk_mf_new_map(r, p->word[i], place);
      if (!child) return;
      hk_mf_append(map, child);
    } else if (empty) {
      child->kind = HK_DOC_MAP;
    } else if (child->kind != HK_DOC_MAP) {
      hk_diag_add(r->diag, HK_ERROR, &place, "'%s' is a value, so it has no '%s'", p->word[i],
                  p->word[i + 1]);
      return;
    }
    map = child;
  }
}

static void keep_for_copy(hk_mf *r, const path *p, int index, hk_doc *value, hk_location place) {
  hk_mf_copy *c = HK_NEW(&r->arena, hk_mf_copy), **end = &r->copy;
  if (!c) {
    hk_mf_no_memory(r);
    return;
  }
  *c = (hk_mf_copy){.at = *p, .index = index, .value = value, .place = place};
  while (*end) end = &(*end)->next;
  *end = c;
}

/* The target of an override: a value of the tree, either for all copies of its item or for a
 * single copy. */
typedef struct target {
  path at;          /* the item that makes the copies, with its key */
  int index;        /* element of a list; -1: the whole value */
  const char *copy; /* name of the only copy that is changed; NULL: all copies */
} target;

/* Finds the value that a path refers to; false with an error if the path is invalid. */
static bool find_target(hk_mf *r, const char *text, const hk_location *place, target *t) {
  *t = (target){.index = -1};
  path *p = &t->at;
  if (!split(r, text, p)) {
    hk_diag_add(r->diag, HK_ERROR, place, "write --set section.name.key=value");
    return false;
  }
  if (!find_section(r, p, place)) return false;
  const hk_doc *maker = p->n > 2 ? maker_of(hk_doc_find(r->root, p->word[0]), p->word[1]) : NULL;
  if (maker) {
    t->copy = p->word[1];
    p->word[1] = (char *)(uintptr_t)maker->key;
  }
  return find_index(r, p, place, &t->index);
}

void hk_mf_override(hk_mf *r, const hk_override *set) {
  target t;
  char *name = hk_arena_printf(&r->arena, "--set %s=%s", set->path, set->value);
  if (!name) {
    hk_mf_no_memory(r);
    return;
  }
  hk_location place = {.file = name};
  if (!find_target(r, set->path, &place, &t)) return;
  respell(r, &t.at);
  const hk_doc *old = r->root;
  for (int i = 0; i < t.at.n && old; i++) old = hk_doc_find(old, t.at.word[i]);
  if (old) hk_mf_note_files(r, old);
  hk_doc *value = parse_value(r, set->value, name, place);
  if (!value) return;
  if (t.copy) {
    t.at.word[1] = (char *)(uintptr_t)t.copy;
    keep_for_copy(r, &t.at, t.index, value, place);
  } else {
    set_value(r, r->root, &t.at, 0, t.index, value, place);
  }
}

bool hk_mf_override_target(hk_mf *r, const char *text, hk_override_target *out) {
  target t;
  const hk_type *type;
  int first;
  if (!find_target(r, text, &(hk_location){0}, &t)) return false;
  keys_of_path(r, &t.at, &type, &first);
  const int n = t.at.n - first;
  const char *group = n == 2 ? t.at.word[first] : NULL;
  const char *name =
      type && (n == 1 || n == 2) ? current_name(r, type, group, t.at.word[t.at.n - 1]) : NULL;
  size_t used = 0;
  for (int i = 0; i < (name ? first : t.at.n) && used < sizeof out->value; i++)
    used += (size_t)snprintf(out->value + used, sizeof out->value - used, "%s.", t.at.word[i]);
  if (name && used < sizeof out->value)
    used += (size_t)snprintf(out->value + used, sizeof out->value - used, "%s.", name);
  if (t.index >= 0 && used < sizeof out->value)
    used += (size_t)snprintf(out->value + used, sizeof out->value - used, "%d.", t.index);
  const int copied = snprintf(out->copy, sizeof out->copy, "%s", t.copy ? t.copy : "");
  return used < sizeof out->value && (size_t)copied < sizeof out->copy;
}

static hk_doc *duplicate(hk_mf *r, const hk_doc *doc) {
  hk_doc *out = HK_NEW(&r->arena, hk_doc);
  if (!out) {
    hk_mf_no_memory(r);
    return NULL;
  }
  *out = *doc;
  hk_doc **end = &out->first;
  for (const hk_doc *c = doc->first; c; c = c->next) {
    *end = duplicate(r, c);
    if (!*end) return NULL;
    end = &(*end)->next;
  }
  *end = NULL;
  return out;
}

hk_doc *hk_mf_copy_of(hk_mf *r, const char *section, const char *name, hk_doc *doc) {
  int errors = r->diag->n_errors;
  hk_doc *own = NULL;
  for (hk_mf_copy *c = r->copy; c; c = c->next) {
    if (c->used || strcmp(c->at.word[0], section) != 0 || strcmp(c->at.word[1], name) != 0)
      continue;
    if (!own) own = duplicate(r, doc);
    if (!own) return NULL;
    c->used = true;
    set_value(r, own, &c->at, 2, c->index, c->value, c->place);
  }
  if (r->diag->n_errors > errors) return NULL;
  return own ? own : doc;
}

void hk_mf_check_copies(hk_mf *r) {
  for (const hk_mf_copy *c = r->copy; c; c = c->next)
    if (!c->used) hk_diag_add(r->diag, HK_ERROR, &c->place, HK_NO_ITEM " '%s'", c->at.word[1]);
}
