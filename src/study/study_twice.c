/* Values of the model that two axes of a study change, under whatever names. */
#include "study/study.h"
#include "spec/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 300 };

/* A path without its leading section. */
static const char *without_section(const char *path) {
  const char *dot = strchr(path, '.');
  if (strncmp(path, "parameters.", 11) == 0) return path + 11;
  for (int c = 0; c < HK_N_CATEGORIES && dot; c++) {
    const char *section = hk_category_section((hk_category)c);
    size_t n = (size_t)(dot - path);
    if (section && strlen(section) == n && strncmp(path, section, n) == 0 && strchr(dot + 1, '.'))
      return dot + 1;
  }
  return path;
}

/* Finds the item with this name; if there is none, the first copy that `repeat` makes of it. */
static const hk_item *item_named(const hk_spec *spec, const char *name) {
  const size_t length = strlen(name);
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    const hk_item *item = hk_spec_find(spec, (hk_category)c, name);
    if (item) return item;
  }
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++) {
      const hk_item *item = spec->item[c][i];
      if (strncmp(item->name, name, length) == 0 && item->name[length] == '[') return item;
    }
  return NULL;
}

/* Writes the path with the present name of its parameter: "steel.young" becomes "steel.youngs_modulus". */
static void canonical(const hk_spec *spec, const char *path, char *out) {
  snprintf(out, PATH, "%s", without_section(path));
  char *dot = strchr(out, '.'), key[PATH], index[PATH];
  if (!dot) return;
  *dot = '\0';
  const hk_item *item = item_named(spec, out);
  *dot = '.';
  snprintf(key, sizeof key, "%s", dot + 1);
  size_t n = strcspn(key, "[");
  snprintf(index, sizeof index, "%s", key + n);
  key[n] = '\0';
  int i = item ? hk_type_param_find(item->type, key) : -1;
  if (i >= 0)
    snprintf(dot + 1, (size_t)(out + PATH - dot - 1), "%s%.*s", hk_type_param(item->type, i)->name,
             PATH / 2, index);
}

/* Returns true if `list`, such as "u.error[2]", means the same value as `each`, such as "u.pin[2].error". */
static bool is_number_of(const char *list, const char *each) {
  char text[PATH];
  const char *open = strchr(each, '['), *close = open ? strchr(open, ']') : NULL, *part = open;
  while (part && part > each && *part != '.') part--;
  if (!close || close[1] != '.' || strchr(close + 2, '.') || part == each) return false;
  snprintf(text, sizeof text, "%.*s.%s%.*s", (int)(part - each), each, close + 2,
           (int)(close + 1 - open), open);
  return strcmp(text, list) == 0;
}

/* Returns true if `all`, such as "p.mass", is the value of all copies of an item, and `one`, such as "p[2].mass",
 * that of one of them. */
static bool is_copy_of(const char *all, const char *one) {
  size_t n = strcspn(one, "[.");
  const char *close = one[n] == '[' ? strstr(one + n, "].") : NULL;
  return close && strncmp(all, one, n) == 0 && strcmp(all + n, close + 1) == 0;
}

static bool report_pair(const hk_study *s, int k, int i, const char *p, const char *q,
                        hk_diag *diag) {
  const char *a = s->axis[k].path, *b = s->axis[i].path;
  const hk_location *place = &s->axis[i].place;
  if (strcmp(a, b) == 0)
    hk_diag_add(diag, HK_ERROR, place, "'%s' is both an axis and sampled", b);
  else if (strcmp(p, q) == 0 || is_number_of(p, q) || is_number_of(q, p))
    hk_diag_add(diag, HK_ERROR, place, "'%s' and '%s' are the same value", a, b);
  else if (is_copy_of(p, q) || is_copy_of(q, p))
    hk_diag_add(diag, HK_ERROR, place,
                "'%s' and '%s' change the same value: one of them is that of all copies", a, b);
  else
    return false;
  return true;
}

void hk_study_check_twice(const hk_study *s, const hk_spec *spec, hk_diag *diag) {
  char(*name)[PATH] = malloc(((size_t)s->n_axes + 1) * sizeof *name);
  if (!name) {
    diag->out_of_memory = true;
    return;
  }
  bool found = false;
  for (int i = 0; i < s->n_axes; i++) canonical(spec, s->axis[i].path, name[i]);
  for (int i = 0; i < s->n_axes && !found; i++)
    for (int k = 0; k < i && !found; k++) found = report_pair(s, k, i, name[k], name[i], diag);
  free(name);
}
