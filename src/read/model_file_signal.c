/* Shorthands of the model file, which are replaced by other items.
 *
 * Inputs that follow a file: an item of `inputs` with the key `file` becomes a table over the time and a sensor that shows
 * its value. Expressions that read the name read the table at the time t: see hk_symbol.of_time. */
#include "read/model_file_reader.h"
#include "spec/signal.h"
#include <string.h>

/* Keys of an input that follows a file, and the corresponding keys of the table. */
static const struct {
  const char *key, *of_table;
} KEYS[] = {{"file", "file"},
            {"column", "y"},
            {"time", "x"},
            {"time_unit", "x_unit"},
            {"unit", "y_unit"},
            {"interpolate", "interpolation"},
            {"extrapolation", "extrapolation"},
            {"points_per_step", "points_per_step"},
            {"repeat", "repeat"},
            {"name", "name"},
            {"type", NULL},
            /* the file replaces the constant value of the input (--input) */
            {"initial_value", NULL}};
enum { N_KEYS = sizeof KEYS / sizeof *KEYS };

bool hk_mf_follows_file(const hk_doc *doc) {
  return doc->kind == HK_DOC_MAP && hk_doc_find(doc, "file");
}

static bool report_key(hk_mf *r, const hk_doc *entry, const char *name) {
  const char *key[N_KEYS];
  char hint[200];
  for (int i = 0; i < N_KEYS; i++) key[i] = KEYS[i].key;
  hk_diag_add(r->diag, HK_ERROR, &entry->key_place,
              "unknown key '%s' in input '%s' with a file; it may have file, column, time, "
              "time_unit, unit, interpolate, extrapolation and points_per_step%s",
              entry->key, name,
              hk_mf_did_you_mean(hk_nearest_name(entry->key, key, N_KEYS), hint, sizeof hint));
  return false;
}

/* Adds a copy of an entry under another key. */
static bool add(hk_mf *r, hk_doc *map, const hk_doc *entry, const char *key, const char *text) {
  hk_doc *copy = HK_NEW(&r->arena, hk_doc);
  if (!copy) return hk_mf_no_memory(r);
  *copy = *entry;
  copy->key = key;
  copy->next = NULL;
  if (text) {
    copy->kind = HK_DOC_SCALAR;
    copy->text = text;
    copy->first = NULL;
    copy->n = 0;
  }
  hk_mf_append(map, copy);
  return true;
}

static bool add_entry(hk_mf *r, hk_doc *table, const hk_doc *entry, const char *name) {
  for (int i = 0; i < N_KEYS; i++) {
    if (strcmp(KEYS[i].key, entry->key) != 0) continue;
    return !KEYS[i].of_table || strcmp(entry->key, "repeat") == 0 ||
           strcmp(entry->key, "name") == 0 || add(r, table, entry, KEYS[i].of_table, NULL);
  }
  return report_key(r, entry, name);
}

hk_item *hk_mf_make_file_input(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index, hk_doc *doc,
                               const char *full_name) {
  hk_doc *table = hk_mf_new_map(r, doc->key, doc->key_place);
  hk_doc *sensor = hk_mf_new_map(r, doc->key, doc->key_place);
  const char *own = full_name + strlen(scope->prefix);
  const char *value = hk_arena_printf(&r->arena, "%s(t)", own);
  bool ok = table && sensor && value;
  if (!ok) hk_mf_no_memory(r);
  for (const hk_doc *c = ok ? doc->first : NULL; c; c = c->next)
    ok = add_entry(r, table, c, full_name) && ok;
  if (ok && hk_spec_find(r->spec, HK_TABLE, full_name)) {
    hk_diag_add(r->diag, HK_ERROR, &doc->key_place,
                "input '%s' follows a file, so there cannot be a table of the same name",
                full_name);
    ok = false;
  }
  ok = ok && add(r, sensor, hk_doc_find(doc, "file"), "value", value);
  hk_item *item = ok ? hk_mf_make_item(r, scope, index, HK_TABLE, table, full_name) : NULL;
  if (item) ((hk_table_params *)item->data)->of_time = true;
  if (!item || !hk_mf_make_item(r, scope, index, HK_SENSOR, sensor, full_name)) {
    doc->faulty = true;
    return NULL;
  }
  return item;
}

void hk_mf_make_stop(hk_mf *r, hk_doc *stop) {
  if (hk_mf_is_empty(stop) || (stop->kind == HK_DOC_SCALAR && strcmp(stop->text, "~") == 0)) return;
  hk_doc *made = hk_mf_new_map(r, "stop", stop->key_place);
  if (!made) {
    hk_mf_no_memory(r);
    return;
  }
  const bool map = stop->kind == HK_DOC_MAP;
  for (const hk_doc *c = map ? stop->first : NULL; c; c = c->next)
    if (!add(r, made, c, c->key, NULL)) return;
  if (map && !hk_doc_find(stop, "stop")) add(r, made, stop, "stop", "true");
  hk_mf_make_item(r, &r->model, NULL, HK_EVENT, map ? made : stop, "stop");
}
