/* A model file for repeated reading: see model_source.h. */
#include "base/outside.h"
#include "read/model_source.h"
#include "read/model_file_reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hk_model_source {
  hk_arena arena;
  hk_doc *root;    /* all files joined */
  hk_spec *joined; /* knows the included files */
  char *path;
  const hk_registry *types; /* NULL: the types of the library */
  const hk_preparation *preparation;
};

static hk_spec *create_spec(const hk_model_source *s) {
  return s->types ? hk_spec_create_with(s->types) : hk_spec_create();
}

hk_model_source *hk_model_source_open(const hk_model_text *m, const char *named_in, hk_diag *diag) {
  const char *path = m->name;
  hk_model_source *s = calloc(1, sizeof *s);
  hk_mf *r = calloc(1, sizeof *r);
  int before = diag->n_errors, first = diag->n;
  bool is_model = false;
  if (s) hk_arena_init(&s->arena);
  if (s) s->types = m->types, s->preparation = m->preparation;
  if (r && s && (r->spec = create_spec(s))) {
    r->diag = diag;
    r->arena = s->arena;
    hk_doc *doc = hk_doc_read_file(&r->arena, path, diag);
    is_model = hk_doc_find(doc, "format") != NULL;
    s->root = doc ? hk_mf_join_files(r, doc, path) : NULL;
    s->path = hk_arena_strdup(&r->arena, path);
    s->arena = r->arena;
  }
  hk_outside_hush(diag, first, path);
  if (!is_model) hk_outside_hush(diag, first, named_in);
  bool good = s && s->root && s->path && diag->n_errors == before && !diag->out_of_memory;
  if (!good && diag->n_errors == before) {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
  }
  if (s && r) s->joined = r->spec;
  free(r);
  if (good) return s;
  hk_model_source_close(s);
  return NULL;
}

void hk_model_source_close(hk_model_source *s) {
  if (!s) return;
  hk_spec_destroy(s->joined);
  hk_arena_free(&s->arena);
  free(s);
}

const char *hk_model_source_path(const hk_model_source *s) { return s->path; }

/* Copies the nodes, which readers change; texts and locations are shared with the source. */
static hk_doc *copy(hk_arena *arena, const hk_doc *from) {
  hk_doc *to = HK_NEW(arena, hk_doc);
  if (!to) return NULL;
  *to = *from;
  hk_doc **end = &to->first;
  for (const hk_doc *c = from->first; c; c = c->next, end = &(*end)->next)
    if (!(*end = copy(arena, c))) return NULL;
  *end = NULL;
  return to;
}

hk_spec *hk_model_source_read(const hk_model_source *s, const hk_override *set, int n_set,
                              hk_diag *diag) {
  hk_spec *spec = NULL;
  hk_mf *r = calloc(1, sizeof *r);
  int first = diag->n;
  if (r) {
    r->diag = diag;
    r->preparation = s->preparation;
    r->n_errors_before = diag->n_errors;
    hk_arena_init(&r->arena);
    hk_arena_init(&r->scratch);
    r->spec = create_spec(s);
    r->root = r->spec ? copy(&r->arena, s->root) : NULL;
  }
  const hk_read_file *f = r && r->root ? s->joined->read : NULL;
  while (f && hk_mf_keep_file(r, f->path, f->included)) f = f->next;
  if (r && r->root && !f) {
    spec = hk_mf_build(r, s->path, set, n_set);
  } else {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
  }
  if (!r) return NULL;
  hk_outside_hush(diag, first, s->path);
  if (!spec) hk_spec_destroy(r->spec);
  hk_arena_free(&r->scratch);
  hk_arena_free(&r->arena);
  free(r);
  return spec;
}

bool hk_model_source_target(const hk_model_source *s, const char *path, hk_override_target *out) {
  hk_diag unread;
  hk_mf *r = calloc(1, sizeof *r);
  if (!r) return false;
  hk_diag_init(&unread);
  r->diag = &unread;
  hk_arena_init(&r->arena);
  r->root = s->root;
  r->spec = create_spec(s);
  bool found = r->spec && hk_mf_override_target(r, path, out);
  hk_spec_destroy(r->spec);
  hk_arena_free(&r->arena);
  hk_diag_free(&unread);
  free(r);
  return found;
}

typedef struct listing {
  void (*line)(void *context, const char *text);
  void *context;
  char path[HK_DOC_MAX_DEPTH * (HK_MODEL_MAX_NAME + 8)];
} listing;

static void list(listing *l, const hk_doc *d, size_t used) {
  if (d->kind == HK_DOC_SCALAR) {
    size_t size = used + strlen(d->text) + 8;
    char *text = malloc(size);
    if (!text) return;
    snprintf(text, size, "%.*s: %s", (int)used, l->path, d->text);
    for (char *c = text; *c; c++)
      if (*c == '\n') *c = ' ';
    l->line(l->context, text);
    free(text);
    return;
  }
  int i = 0;
  for (const hk_doc *c = d->first; c; c = c->next, i++) {
    size_t room = sizeof l->path - used;
    int n = c->key ? snprintf(l->path + used, room, "%s%s", used ? "." : "", c->key)
                   : snprintf(l->path + used, room, "[%d]", i);
    list(l, c, (size_t)n < room ? used + (size_t)n : sizeof l->path - 1);
  }
}

void hk_model_source_lines(const hk_model_source *s, void (*line)(void *context, const char *text),
                           void *context) {
  listing *l = calloc(1, sizeof *l);
  if (!l) return;
  l->line = line;
  l->context = context;
  list(l, s->root, 0);
  free(l);
}
