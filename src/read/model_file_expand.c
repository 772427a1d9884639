/* repeat -> items: see model_file_reader.h.
 *
 * This is the first pass: all items get their names and types here, so that the second pass can
 * resolve every reference and channel. */
#include "read/model_file_reader.h"
#include "spec/renamed.h"
#include <stdio.h>
#include <string.h>

/* Order in which items are created: tables, bodies, joints and sensors first, because the others refer to them. */
static const hk_category ORDER[] = {HK_TABLE,  HK_FMU,   HK_INPUT,   HK_STATE,  HK_BODY,
                                    HK_JOINT,  HK_LAW,   HK_CONTACT, HK_SENSOR, HK_FORCE,
                                    HK_MOTION, HK_SHAPE, HK_EVENT,   HK_MEASURE};
enum { N_ORDER = sizeof ORDER / sizeof *ORDER };

/* --- Items ----------------------------------------------------------------------------------- */

hk_location hk_mf_keep_place(hk_mf *r, hk_location place) {
  if (place.file && place.file != r->last_file) {
    r->last_file_copy = hk_arena_strdup(&r->spec->arena, place.file);
    r->last_file = r->last_file_copy ? place.file : NULL;
    if (!r->last_file_copy) hk_mf_no_memory(r);
  }
  if (place.file) place.file = r->last_file_copy;
  return place;
}

static bool remember(hk_mf *r, hk_category category, hk_mf_pending pending) {
  int *n = &r->n_pending[category], *capacity = &r->pending_capacity[category];
  if (*n == *capacity) {
    int wanted = *capacity ? 2 * *capacity : 16;
    hk_mf_pending *grown = HK_NEW_ARRAY(&r->arena, hk_mf_pending, wanted);
    if (!grown) return hk_mf_no_memory(r);
    if (*n) memcpy(grown, r->pending[category], (size_t)*n * sizeof *grown);
    r->pending[category] = grown;
    *capacity = wanted;
  }
  r->pending[category][(*n)++] = pending;
  return true;
}

static const char *type_of(hk_mf *r, hk_category category, const hk_doc *doc, const char *name,
                           const hk_location **place) {
  const hk_doc *type = hk_doc_find(doc, "type");
  char owner[300];
  snprintf(owner, sizeof owner, "%s '%s'", hk_category_name(category), name);
  hk_mf_at at = {.r = r, .owner = owner};
  *place = type ? &type->place : &doc->key_place;
  if (type) return hk_mf_expect(&at, type, HK_DOC_SCALAR, "type", "a name") ? type->text : NULL;
  const char *standard = hk_category_default_type(category);
  if (!standard)
    hk_diag_add(r->diag, HK_ERROR, &doc->key_place,
                "%s '%s' needs a type; `hooke types` lists them", hk_category_name(category), name);
  return standard;
}

/* Creates an item; NULL: the item is invalid; an error was reported and the document node is
 * marked. */
hk_item *hk_mf_make_item(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index,
                         hk_category category, hk_doc *doc, const char *full_name) {
  hk_mf_at at = {.r = r};
  char key[300];
  const hk_location *place;
  hk_item *item = NULL;
  if (category == HK_INPUT && hk_mf_follows_file(doc))
    return hk_mf_make_file_input(r, scope, index, doc, full_name);
  snprintf(key, sizeof key, "%s '%s'", hk_category_name(category), full_name);
  if (hk_mf_expect(&at, doc, HK_DOC_MAP, key, "a map")) {
    const char *type = type_of(r, category, doc, full_name, &place);
    hk_error err = {0};
    item = type ? hk_spec_add(r->spec, category, type, full_name, &err) : NULL;
    const hk_doc *named = hk_doc_find(doc, "type");
    const hk_renamed current = item && named ? hk_renamed_type(category, type) : (hk_renamed){0};
    if (current.new_name && strcmp(item->type->name, type) != 0)
      hk_mf_former_value(r, named, current.new_name, current.note);
    if (type && !item) {
      bool bad_type = !hk_registry_find(r->spec->registry, category, type);
      if (err.code == HK_ENOMEM) r->diag->out_of_memory = true;
      hk_diag_add(r->diag, HK_ERROR, bad_type ? place : &doc->key_place, "%s", err.text);
    }
  }
  if (item) {
    item->place = hk_mf_keep_place(r, doc->key_place);
    if (remember(r, category, (hk_mf_pending){doc, scope, index})) return item;
    return NULL;
  }
  doc->faulty = true;
  return NULL;
}

/* --- Repetition ------------------------------------------------------------------------------ */

/* Describes what each repetition creates: an item of a category, or a part (HK_N_CATEGORIES). */
typedef struct maker {
  hk_mf *r;
  hk_mf_scope *scope;
  hk_doc *doc;
  int category, depth;
  const hk_doc *template; /* name: "v[i+1]" */
} maker;

/* Indices are listed innermost first; the item's name has them outermost first. */
static void append_indices(const hk_mf_index *index, char *buf, size_t size) {
  if (!index) return;
  append_indices(index->next, buf, size);
  size_t n = strlen(buf);
  snprintf(buf + n, size - n, "[%ld]", index->value);
}

/* Counts one more item, part or repetition; false if there are too many. */
static bool count(const maker *m) {
  hk_mf *r = m->r;
  if (++r->n_made <= HK_MODEL_MAX_ITEMS) return true;
  if (r->n_made == HK_MODEL_MAX_ITEMS + 1)
    hk_diag_add(r->diag, HK_ERROR, &m->doc->key_place, "the model has more than %d items",
                HK_MODEL_MAX_ITEMS);
  m->doc->faulty = true;
  return false;
}

static void make_one(const maker *m, const hk_mf_index *index) {
  hk_mf *r = m->r;
  char name[256], full[512];
  if (!count(m)) return;
  snprintf(name, sizeof name, "%s", m->doc->key);
  append_indices(index, name, sizeof name);
  if (m->template) {
    hk_mf_at at = {r, m->scope, index, "name"};
    const char *made = hk_mf_indexed_name(&at, m->template, m->template->text);
    if (!made) {
      m->doc->faulty = true;
      return;
    }
    snprintf(name, sizeof name, "%s", made);
  }
  if (snprintf(full, sizeof full, "%s%s", m->scope->prefix, name) > 200) {
    hk_diag_add(r->diag, HK_ERROR, &m->doc->key_place, "the name '%.200s...' is too long", full);
    m->doc->faulty = true;
    return;
  }
  bool part = m->category == HK_N_CATEGORIES;
  hk_doc *doc = m->doc;
  if (index && !m->scope->parent)
    doc =
        hk_mf_copy_of(r, part ? "parts" : hk_category_section((hk_category)m->category), full, doc);
  if (!doc)
    m->doc->faulty = true;
  else if (part)
    hk_mf_make_part(r, m->scope, index, doc, full, m->depth);
  else
    hk_mf_make_item(r, m->scope, index, (hk_category)m->category, doc, full);
}

static void repeat_from(const maker *m, const hk_doc *range, const hk_mf_index *outer);

static void repeat_value(const maker *m, const hk_doc *range, const hk_mf_index *outer, long i) {
  hk_mf_index *index = HK_NEW(&m->r->arena, hk_mf_index);
  if (!index) {
    hk_mf_no_memory(m->r);
    return;
  }
  *index = (hk_mf_index){range->key, i, outer};
  repeat_from(m, range->next, index);
}

static bool go_on(const maker *m) {
  return !m->doc->faulty && !hk_mf_stop(m->r) && m->r->n_made <= HK_MODEL_MAX_ITEMS;
}

static void repeat_range(const maker *m, const hk_mf_at *at, const hk_doc *range,
                         const hk_mf_index *outer) {
  const char *dots = strstr(range->text, "..");
  long first, last;
  if (!dots) {
    hk_diag_add(m->r->diag, HK_ERROR, &range->place,
                "index '%.60s' needs a range such as 0..3 or a list such as [0, 2, 5]", range->key);
    m->doc->faulty = true;
    return;
  }
  int behind = (int)(dots - range->text) + 2;
  if (!hk_mf_integer_text(at, range, 0, range->text, (size_t)(dots - range->text), "range",
                          &first) ||
      !hk_mf_integer_text(at, range, behind, dots + 2, strlen(dots + 2), "range", &last)) {
    m->doc->faulty = true;
    return;
  }
  if (last - first >= HK_MODEL_MAX_ITEMS) {
    hk_diag_add(m->r->diag, HK_ERROR, &range->place,
                "%ld repetitions are too many; a model has at most %d items", last - first + 1,
                HK_MODEL_MAX_ITEMS);
    m->doc->faulty = true;
    return;
  }
  for (long i = first; i <= last && go_on(m); i++) repeat_value(m, range, outer, i);
}

static void repeat_from(const maker *m, const hk_doc *range, const hk_mf_index *outer) {
  if (!range) {
    make_one(m, outer);
    return;
  }
  /* Empty inner ranges create no items but take time, so they are counted too. */
  if (!count(m)) return;
  char owner[100];
  snprintf(owner, sizeof owner, "repeat of '%.60s'", m->doc->key);
  hk_mf_at at = {m->r, m->scope, outer, owner};
  if (!hk_mf_check_word(m->r, range->key, &range->key_place, "an index")) {
    m->doc->faulty = true;
  } else if (range->kind == HK_DOC_LIST) {
    for (const hk_doc *c = range->first; c && go_on(m); c = c->next) {
      long i;
      if (hk_mf_integer(&at, c, "index", &i)) {
        repeat_value(m, range, outer, i);
      } else {
        m->doc->faulty = true;
      }
    }
  } else if (hk_mf_expect(&at, range, HK_DOC_SCALAR, "range", "such as 0..3 or [0, 2, 5]")) {
    repeat_range(m, &at, range, outer);
  } else {
    m->doc->faulty = true;
  }
}

static void make_checked(maker *m) {
  hk_mf *r = m->r;
  const hk_doc *repeat = hk_doc_find(m->doc, "repeat");
  const hk_doc *name = hk_doc_find(m->doc, "name");
  hk_mf_at at = {.r = r};
  m->doc->faulty = true; /* set again if all checks below have passed */
  if (repeat && !hk_mf_expect(&at, repeat, HK_DOC_MAP, "'repeat'", "a map such as {i: 0..3}"))
    return;
  if (name && !repeat) {
    hk_diag_add(r->diag, HK_ERROR, &name->key_place,
                "'name' is only allowed with 'repeat'; the key '%s' is the name", m->doc->key);
    return;
  }
  if (name && !hk_mf_expect(&at, name, HK_DOC_SCALAR, "'name'", "a text such as \"v[i+1]\""))
    return;
  if (repeat && repeat->n > 4) {
    hk_diag_add(r->diag, HK_ERROR, &repeat->place, "'repeat' has at most 4 indices");
    return;
  }
  m->template = name;
  m->doc->faulty = false;
  repeat_from(m, repeat ? repeat->first : NULL, NULL);
}

/* Creates all items.  An invalid document creates no items, but their names are recorded to avoid
 * further errors. */
static void make_all(maker *m) {
  const char *what = m->category == HK_N_CATEGORIES ? "the name of a part" : "the name of an item";
  if (!m->doc->faulty && !hk_mf_check_word(m->r, m->doc->key, &m->doc->key_place, what))
    m->doc->faulty = true;
  if (!m->doc->faulty) make_checked(m);
  if (m->doc->faulty) hk_mf_mark_broken(m->r, m->scope, m->doc->key);
}

/* --- Sections -------------------------------------------------------------------------------- */

void hk_mf_expand(hk_mf *r, hk_mf_scope *scope, const hk_doc *doc, int depth) {
  for (int k = 0; k <= N_ORDER; k++) {
    bool parts = k == N_ORDER;
    const char *name = parts ? "parts" : hk_category_section(ORDER[k]);
    hk_doc *section = hk_doc_find(doc, name);
    hk_mf_at at = {.r = r};
    if (!section || hk_mf_is_empty(section)) continue;
    if (section->faulty || !hk_mf_expect(&at, section, HK_DOC_MAP, name, "a map")) {
      section->faulty = true;
      continue;
    }
    for (hk_doc *c = section->first; c && !hk_mf_stop(r); c = c->next) {
      bool ground = !parts && ORDER[k] == HK_BODY && strcmp(c->key, "ground") == 0;
      if (ground && !scope->parent) continue; /* bodies of this kind only carry markers */
      if (ground) {
        hk_diag_add(r->diag, HK_ERROR, &c->key_place,
                    "an assembly has no ground; connect a port to a marker of ground");
        continue;
      }
      maker m = {r, scope, c, parts ? HK_N_CATEGORIES : (int)ORDER[k], depth, NULL};
      make_all(&m);
    }
  }
}
