/* Location in the model file of the element named in an error: see hk_error_location. */
#include "model/model.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

/* Finds the item with this name; if several sections have such an item, the one whose section is
 * mentioned in the text. */
static const hk_item *find_item(const hk_spec *spec, const char *name, const char *text) {
  const hk_item *found = NULL;
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    const hk_item *item = hk_spec_find(spec, (hk_category)c, name);
    char label[300];
    if (!item || item->place.line <= 0) continue;
    hk_item_label(item, label, sizeof label);
    if (strstr(text, label)) return item;
    if (!found) found = item;
  }
  return found;
}

/* Same as find_item, but for a part of a composite joint, such as "joint.ball[2]", returns the item of the joint. */
static const hk_item *find_owner(const hk_spec *spec, const char *name, const char *text) {
  char part[300];
  snprintf(part, sizeof part, "%s", name);
  for (;;) {
    const hk_item *item = find_item(spec, part, text);
    char *dot = strrchr(part, '.'), *bracket = strrchr(part, '[');
    char *cut = dot > bracket ? dot : bracket;
    if (item || !cut || cut == part) return item;
    *cut = '\0';
  }
}

/* Finds the first name in quotes that is the name of an item of the model. */
static const hk_item *find_quoted(const hk_spec *spec, const char *text) {
  for (const char *at = strchr(text, '\''); at; at = strchr(at + 1, '\'')) {
    char name[300];
    const char *end = strchr(at + 1, '\'');
    size_t n = end ? (size_t)(end - at - 1) : 0;
    if (n == 0 || n >= sizeof name) continue;
    memcpy(name, at + 1, n);
    name[n] = '\0';
    const hk_item *item = find_owner(spec, name, text);
    if (item) return item;
  }
  return NULL;
}

hk_location hk_error_location(const hk_model *m, const hk_error *err) {
  if (!m || !err) return (hk_location){0};
  const hk_spec *spec = m->spec;
  const hk_item *item = err->element[0] ? find_owner(spec, err->element, err->text) : NULL;
  if (!item) item = find_quoted(spec, err->text);
  /* A failure without an element: the location of the analysis. */
  if (!item && err->code == HK_EFAIL && spec->n[HK_ANALYSIS] &&
      spec->item[HK_ANALYSIS][0]->place.line > 0)
    item = spec->item[HK_ANALYSIS][0];
  return item ? item->place : (hk_location){.file = spec->file};
}
