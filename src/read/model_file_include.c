/* Files -> one document tree: see model_file_reader.h.
 *
 * The sections of all files are merged.  A parameter, a default or a key of `analysis` in the including file replaces the one
 * in the included file, so that a variant is a short file; duplicate items are an error. */
#include "base/outside.h"
#include "read/model_file_reader.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const SECTIONS[] = {
    "format",   "title",      "include", "parameters", "defaults", "bodies", "joints",  "forces",
    "laws",     "contacts",   "motions", "tables",     "inputs",   "states", "sensors", "shapes",
    "measures", "assemblies", "parts",   "analysis",   "fmus",     "events", "stop"};
enum { N_SECTIONS = sizeof SECTIONS / sizeof *SECTIONS };

hk_doc *hk_mf_new_map(hk_mf *r, const char *key, hk_location place) {
  hk_doc *map = HK_NEW(&r->arena, hk_doc);
  if (!map) {
    hk_mf_no_memory(r);
    return NULL;
  }
  *map = (hk_doc){.kind = HK_DOC_MAP, .place = place, .key = key, .key_place = place};
  return map;
}

/* Children are a list without a tail pointer: prepending is cheap, appending walks the list.  Maps that grow here are short,
 * or are joined as a whole (see join). */
void hk_mf_append(hk_doc *map, hk_doc *child) {
  hk_doc **end = &map->first;
  while (*end) end = &(*end)->next;
  *end = child;
  child->next = NULL;
  map->n++;
}

static bool is_section(const char *key) {
  for (int i = 0; i < N_SECTIONS; i++)
    if (strcmp(key, SECTIONS[i]) == 0) return true;
  return false;
}

static bool check_sections(hk_mf *r, const hk_doc *doc) {
  hk_mf_at at = {.r = r};
  if (!hk_mf_expect(&at, doc, HK_DOC_MAP, "a model file", "a map that begins with 'format: 1'"))
    return false;
  const hk_doc *study = hk_doc_find(doc, "model");
  if (study && !is_section("model")) {
    hk_diag_add(r->diag, HK_ERROR, &study->key_place,
                "this file is a study, not a model: run it with `hooke study`");
    return false;
  }
  for (const hk_doc *c = doc->first; c; c = c->next) {
    if (is_section(c->key)) continue;
    char hint[100];
    const char *near = hk_nearest_name(c->key, SECTIONS, N_SECTIONS);
    hk_diag_add(r->diag, HK_ERROR, &c->key_place, "unknown key '%s' in the model file%s", c->key,
                strchr(c->key, ':') ? "; write a space after the colon"
                                    : hk_mf_did_you_mean(near, hint, sizeof hint));
  }
  return true;
}

static void check_format(hk_mf *r, const hk_doc *doc, int depth) {
  const hk_doc *format = hk_doc_find(doc, "format");
  if (!format && depth == 0) {
    hk_diag_add(r->diag, HK_ERROR, &doc->place, "the model file must contain 'format: 1'");
  } else if (format && (format->kind != HK_DOC_SCALAR || strcmp(format->text, "1") != 0)) {
    hk_diag_add(r->diag, HK_ERROR, &format->place, "this version of hooke reads only 'format: 1'");
  }
}

/* Appends the children of `from` to those of `into`; a duplicate name replaces the first one or is
 * an error. */
static void join(hk_mf *r, hk_doc *into, hk_doc *from, bool replace, bool deep) {
  hk_mf_names names = {0};
  hk_doc **end = &into->first;
  for (; *end; end = &(*end)->next)
    if (!hk_mf_names_add(&r->arena, &names, (*end)->key, *end)) {
      hk_mf_no_memory(r);
      return;
    }
  for (hk_doc *c = from->first, *next; c; c = next) {
    next = c->next;
    hk_doc *old = hk_mf_names_find(&names, c->key);
    if (!old) {
      *end = c;
      c->next = NULL;
      end = &c->next;
      into->n++;
    } else if (deep && old->kind == HK_DOC_MAP && c->kind == HK_DOC_MAP) {
      join(r, old, c, replace, false);
    } else if (replace) {
      hk_doc *behind = old->next;
      bool last = end == &old->next;
      *old = *c;
      old->next = behind;
      if (last) end = &old->next;
    } else {
      hk_diag_add(r->diag, HK_ERROR, &c->key_place, "'%s' is already defined in %s:%d", c->key,
                  old->key_place.file, old->key_place.line);
    }
  }
}

static void merge_section(hk_mf *r, hk_doc *section) {
  if (hk_mf_is_empty(section) || strcmp(section->key, "include") == 0) return;
  hk_doc *old = hk_doc_find(r->root, section->key);
  bool scalar = strcmp(section->key, "format") == 0 || strcmp(section->key, "title") == 0;
  hk_mf_at at = {.r = r};
  char key[40];
  snprintf(key, sizeof key, "'%s'", section->key);
  if (!scalar && !hk_mf_expect(&at, section, HK_DOC_MAP, key, "a map")) return;
  if (!old) {
    hk_mf_append(r->root, section);
  } else if (scalar) {
    hk_doc *behind = old->next;
    *old = *section;
    old->next = behind;
  } else {
    bool defaults = strcmp(section->key, "defaults") == 0;
    join(r, old, section,
         defaults || strcmp(section->key, "parameters") == 0 ||
             strcmp(section->key, "analysis") == 0,
         defaults);
    old->place = section->place;
  }
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *hk_mf_relative_path(hk_mf *r, const char *from, const char *name) {
  const char *slash = strrchr(from, '/');
  if (name[0] == '/' || !slash) return hk_arena_strdup(&r->arena, name);
  return hk_arena_printf(&r->arena, "%.*s%s", (int)(slash + 1 - from), from, name);
}

/* Reports a cycle: each file includes the next one, until the first one is included again. */
static void report_circle(hk_mf *r, const hk_doc *where, int from, int depth) {
  char chain[600];
  size_t used = 0;
  for (int i = from; i <= depth && used < sizeof chain; i++)
    used += (size_t)snprintf(chain + used, sizeof chain - used, "'%.60s' includes ",
                             base_name(r->including[i]));
  hk_diag_add(r->diag, HK_ERROR, &where->place,
              "files include each other in a cycle: %s'%.60s'; remove one of these includes", chain,
              base_name(r->including[from]));
}

/* Returns true if the file, included at `depth`, must be read; false if it has been read already. A file that is
 * still being read is a cycle and an error. */
static bool enter_file(hk_mf *r, char *canonical, const hk_doc *where, int depth) {
  for (int i = 0; i <= depth; i++)
    if (strcmp(r->including[i], canonical) == 0) {
      report_circle(r, where, i, depth);
      return false;
    }
  if (hk_mf_names_find(&r->files, canonical)) return false;
  r->including[depth + 1] = canonical;
  return hk_mf_names_add(&r->arena, &r->files, canonical, canonical) || hk_mf_no_memory(r);
}

/* Returns the canonical name of the file, with links resolved; NULL: out of memory (reported). */
static char *canonical_path(hk_mf *r, const char *path) {
  char resolved[PATH_MAX];
  char *name = hk_arena_strdup(&r->arena, realpath(path, resolved) ? resolved : path);
  if (!name) hk_mf_no_memory(r);
  return name;
}

bool hk_mf_keep_file(hk_mf *r, const char *path, bool included) {
  for (hk_read_file *f = r->spec->read; f; f = f->next)
    if (strcmp(f->path, path) == 0) {
      f->included |= included;
      return true;
    }
  hk_read_file *f = HK_NEW(&r->spec->arena, hk_read_file);
  if (f) *f = (hk_read_file){hk_arena_strdup(&r->spec->arena, path), included, r->spec->read};
  if (!f || !f->path) return hk_mf_no_memory(r);
  r->spec->read = f;
  return true;
}

bool hk_mf_may_read(hk_mf *r, const char *path, const char *name, const hk_location *place,
                    bool *outside) {
  char folder[PATH_MAX];
  bool known = hk_outside_folder(r->model_path, folder);
  *outside = !known || !hk_outside_is_inside(folder, path, name);
  bool allowed = !*outside || r->spec->registry->outside;
  /* files that the user names may be in any folder */
  for (int i = 0; i < r->n_own && !allowed; i++) allowed = strcmp(r->own[i].value, name) == 0;
  if (allowed) return hk_mf_keep_file(r, path, false);
  hk_diag_add(r->diag, HK_ERROR, place,
              "'%s' lies outside of the model's folder '%s'; if you trust the model, use `hooke "
              "--allow-outside COMMAND ...`",
              name, known ? folder : ".");
  return false;
}

static void include_one(hk_mf *r, const hk_doc *name, const char *from, int depth) {
  hk_mf_at at = {.r = r};
  if (!hk_mf_expect(&at, name, HK_DOC_SCALAR, "'include'", "a file name or a list of them")) return;
  if (depth + 1 > HK_MODEL_MAX_INCLUDES) {
    hk_diag_add(r->diag, HK_ERROR, &name->place, "files include each other more than %d deep",
                HK_MODEL_MAX_INCLUDES);
    return;
  }
  char *path = hk_mf_relative_path(r, from, name->text);
  struct stat info;
  if (!path) {
    hk_mf_no_memory(r);
    return;
  }
  /* checked first, so that messages do not reveal whether files exist outside of the model's folder */
  bool outside;
  if (!hk_mf_may_read(r, path, name->text, &name->place, &outside)) return;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    hk_diag_add(r->diag, HK_ERROR, &name->place, "there is no file '%s' to include", path);
    return;
  }
  char *canonical = canonical_path(r, path);
  if (!canonical || !enter_file(r, canonical, name, depth)) return;
  if (!hk_mf_keep_file(r, path, true)) return;
  hk_doc *doc = hk_doc_read_file(&r->arena, path, r->diag);
  if (doc) hk_mf_merge_file(r, doc, path, depth + 1);
}

void hk_mf_merge_file(hk_mf *r, hk_doc *doc, const char *path, int depth) {
  if (depth == 0) {
    char *canonical = canonical_path(r, path);
    if (!canonical || !enter_file(r, canonical, NULL, -1)) return;
  }
  if (!check_sections(r, doc)) return;
  check_format(r, doc, depth);
  hk_doc *include = hk_doc_find(doc, "include");
  if (include && include->kind == HK_DOC_LIST) {
    for (hk_doc *c = include->first; c && !hk_mf_stop(r); c = c->next)
      include_one(r, c, path, depth);
  } else if (include && !hk_mf_is_empty(include)) {
    include_one(r, include, path, depth);
  }
  for (hk_doc *c = doc->first, *next; c && !hk_mf_stop(r); c = next) {
    next = c->next;
    if (is_section(c->key)) merge_section(r, c);
  }
}
