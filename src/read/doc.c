/* YAML events -> tree: see doc.h.  The event API is used because it gives the line and column of every key and value, and
 * because the depth limit can be checked while reading. */
#include "read/doc.h"
#include "base/file.h"
#include "read/yaml_hint.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A file of 16 MiB can hold 8 million one-letter values; their nodes would fill a gigabyte. */
enum { MAX_NODES = 2000000 };

typedef struct level {
  hk_doc *node, *last;
  const char *key; /* key that was read and still has no value */
  hk_location key_place;
} level;

typedef struct builder {
  hk_arena *arena;
  hk_diag *diag;
  const char *name, *text;
  size_t length;
  level stack[HK_DOC_MAX_DEPTH];
  int depth, n_nodes, n_documents;
  hk_doc *root;
} builder;

static hk_location place_of(const builder *b, const yaml_mark_t *mark) {
  return (hk_location){b->name, (int)mark->line + 1, (int)mark->column + 1};
}

static bool no_memory(builder *b) {
  b->diag->out_of_memory = true;
  hk_diag_add(b->diag, HK_ERROR, NULL, "out of memory while reading '%s'", b->name);
  return false;
}

static hk_doc *node_create(builder *b, hk_doc_kind kind, const yaml_mark_t *mark) {
  hk_location place = place_of(b, mark);
  if (++b->n_nodes > MAX_NODES) {
    hk_diag_add(b->diag, HK_ERROR, &place, "more than %d values in one file", MAX_NODES);
    return NULL;
  }
  hk_doc *node = HK_NEW(b->arena, hk_doc);
  if (!node) {
    no_memory(b);
    return NULL;
  }
  node->kind = kind;
  node->place = place;
  return node;
}

/* Adds a finished scalar or a just opened collection to the collection that contains it. */
static void attach(builder *b, hk_doc *node) {
  if (!b->depth) {
    b->root = node;
    return;
  }
  level *top = &b->stack[b->depth - 1];
  if (top->node->kind == HK_DOC_MAP) {
    node->key = top->key;
    node->key_place = top->key_place;
    top->key = NULL;
  }
  if (top->last) {
    top->last->next = node;
  } else {
    top->node->first = node;
  }
  top->last = node;
  top->node->n++;
}

static bool awaits_key(const builder *b) {
  return b->depth && b->stack[b->depth - 1].node->kind == HK_DOC_MAP && !b->stack[b->depth - 1].key;
}

static bool open_collection(builder *b, hk_doc_kind kind, const yaml_event_t *event) {
  hk_location place = place_of(b, &event->start_mark);
  const char *what = kind == HK_DOC_MAP ? "map" : "list";
  const yaml_char_t *tag =
      kind == HK_DOC_MAP ? event->data.mapping_start.tag : event->data.sequence_start.tag;
  const yaml_char_t *anchor =
      kind == HK_DOC_MAP ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
  if (tag || anchor) {
    hk_diag_add(b->diag, HK_ERROR, &place,
                "YAML tags ('!') and anchors ('&') have no meaning here");
    return false;
  }
  if (awaits_key(b)) {
    hk_diag_add(b->diag, HK_ERROR, &place,
                "a %s cannot be a key; put text that begins with '%c' in quotes", what,
                kind == HK_DOC_MAP ? '{' : '[');
    return false;
  }
  if (b->depth == HK_DOC_MAX_DEPTH) {
    hk_diag_add(b->diag, HK_ERROR, &place, "lists and maps are nested more than %d deep",
                HK_DOC_MAX_DEPTH);
    return false;
  }
  hk_doc *node = node_create(b, kind, &event->start_mark);
  if (!node) return false;
  attach(b, node);
  b->stack[b->depth++] = (level){.node = node};
  return true;
}

static int by_key(const void *pa, const void *pb) {
  const hk_doc *a = *(const hk_doc *const *)pa, *b = *(const hk_doc *const *)pb;
  int order = strcmp(a->key, b->key);
  if (order) return order;
  if (a->key_place.line != b->key_place.line) return a->key_place.line - b->key_place.line;
  return a->key_place.column - b->key_place.column;
}

static bool refuse_duplicates(builder *b, const hk_doc *map) {
  if (map->n < 2) return true;
  const hk_doc **sorted = malloc((size_t)map->n * sizeof(hk_doc *));
  if (!sorted) return no_memory(b);
  int n = 0;
  for (const hk_doc *c = map->first; c; c = c->next) sorted[n++] = c;
  qsort(sorted, (size_t)n, sizeof *sorted, by_key);
  bool ok = true;
  for (int i = 1, first = 0; i < n; i++) {
    if (strcmp(sorted[i]->key, sorted[first]->key) != 0) {
      first = i;
      continue;
    }
    hk_diag_add(b->diag, HK_ERROR, &sorted[i]->key_place, "duplicate key '%s' (first in line %d)",
                sorted[i]->key, sorted[first]->key_place.line);
    ok = false;
  }
  free(sorted);
  return ok;
}

static bool scalar(builder *b, const yaml_event_t *event) {
  hk_location place = place_of(b, &event->start_mark);
  const char *value = (const char *)event->data.scalar.value;
  if (event->data.scalar.anchor || event->data.scalar.tag) {
    char c = event->data.scalar.anchor ? '&' : '!';
    hk_diag_add(b->diag, HK_ERROR, &place,
                "a value that begins with '%c' has a special meaning in YAML; put it in quotes", c);
    return false;
  }
  if (strlen(value) != event->data.scalar.length) {
    hk_diag_add(b->diag, HK_ERROR, &place, "the text contains a NUL character");
    return false;
  }
  if (awaits_key(b)) {
    level *top = &b->stack[b->depth - 1];
    if (!*value) {
      hk_diag_add(b->diag, HK_ERROR, &place, "a key is missing before ':'");
      return false;
    }
    top->key = hk_arena_strdup(b->arena, value);
    top->key_place = place;
    return top->key || no_memory(b);
  }
  hk_doc *node = node_create(b, HK_DOC_SCALAR, &event->start_mark);
  if (!node) return false;
  node->text = *value ? hk_arena_strdup(b->arena, value) : "";
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  node->one_line = event->start_mark.line == event->end_mark.line;
  if (!node->text) return no_memory(b);
  attach(b, node);
  return true;
}

/* Handles one event; false stops reading (the error is in diag). */
static bool take(builder *b, const yaml_event_t *event, bool *ok) {
  hk_location place = place_of(b, &event->start_mark);
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (++b->n_documents == 1) return true;
      hk_diag_add(b->diag, HK_ERROR, &place,
                  "a second document ('---'); a model file has only one");
      return false;
    case YAML_ALIAS_EVENT:
      hk_diag_add(b->diag, HK_ERROR, &place,
                  "'*%s' is a YAML alias, which has no meaning here; put an expression that begins "
                  "with '*' in quotes",
                  (const char *)event->data.alias.anchor);
      return false;
    case YAML_SCALAR_EVENT:
      return scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
      return open_collection(b, HK_DOC_LIST, event);
    case YAML_MAPPING_START_EVENT:
      return open_collection(b, HK_DOC_MAP, event);
    case YAML_MAPPING_END_EVENT:
      if (!refuse_duplicates(b, b->stack[b->depth - 1].node)) *ok = false;
      b->depth--;
      return !b->diag->out_of_memory;
    case YAML_SEQUENCE_END_EVENT:
      b->depth--;
      return true;
    default:
      return true;
  }
}

static void syntax_error(builder *b, const yaml_parser_t *parser) {
  if (parser->error == YAML_MEMORY_ERROR) {
    no_memory(b);
    return;
  }
  hk_doc_trouble trouble = {
      .text = b->text,
      .length = b->length,
      .problem = parser->problem,
      .context = parser->context,
      .line = (int)parser->problem_mark.line,
      .column = (int)parser->problem_mark.column,
      .context_line = (int)parser->context_mark.line,
      .context_column = (int)parser->context_mark.column,
  };
  if (parser->error == YAML_READER_ERROR)
    hk_doc_locate(b->text, b->length, parser->problem_offset, &trouble.line, &trouble.column);
  char message[512];
  hk_doc_explain(&trouble, message, sizeof message);
  hk_location place = {b->name, trouble.line + 1, trouble.column + 1};
  hk_diag_add(b->diag, HK_ERROR, &place, "%s", message);
}

static bool run(builder *b, yaml_parser_t *parser) {
  bool ok = true;
  for (;;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
      syntax_error(b, parser);
      return false;
    }
    bool end = event.type == YAML_STREAM_END_EVENT;
    bool go_on = take(b, &event, &ok);
    yaml_event_delete(&event);
    if (!go_on) return false;
    if (end) return ok;
  }
}

hk_doc *hk_doc_read_text(hk_arena *arena, const char *name, const char *text, size_t length,
                         hk_diag *diag) {
  hk_location place = {.file = name};
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
    text += 3, length -= 3; /* byte order mark */
  builder b = {.arena = arena, .diag = diag, .text = text, .length = length};
  b.name = hk_arena_strdup(arena, name);
  if (!b.name) {
    b.name = name;
    no_memory(&b);
    return NULL;
  }
  if (length > HK_DOC_MAX_BYTES) {
    hk_diag_add(diag, HK_ERROR, &place, "larger than %d MiB", HK_DOC_MAX_BYTES >> 20);
    return NULL;
  }
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    no_memory(&b);
    return NULL;
  }
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  bool ok = run(&b, &parser);
  yaml_parser_delete(&parser);
  if (ok && !b.root) hk_diag_add(diag, HK_ERROR, &place, "the file is empty");
  return ok ? b.root : NULL;
}

/* Reads a whole stream, at most one byte more than allowed; NULL with errno on failure. */
static char *read_all(FILE *f, size_t *length) {
  size_t capacity = 1 << 16, n = 0;
  char *text = malloc(capacity);
  while (text) {
    n += fread(text + n, 1, capacity - n, f);
    if (n < capacity || n > HK_DOC_MAX_BYTES) break;
    capacity *= 2;
    char *grown = realloc(text, capacity);
    if (!grown) free(text);
    text = grown;
  }
  if (text && ferror(f)) {
    free(text);
    return NULL;
  }
  if (!text) errno = ENOMEM;
  *length = n;
  return text;
}

hk_doc *hk_doc_read_file(hk_arena *arena, const char *path, hk_diag *diag) {
  bool standard = strcmp(path, "-") == 0;
  const char *name = standard ? "<stdin>" : path;
  hk_location place = {.file = name};
  FILE *f = standard ? stdin : hk_input_open(path);
  size_t length = 0;
  char *text = f ? read_all(f, &length) : NULL;
  int trouble = errno;
  if (f && !standard) fclose(f);
  if (!text) {
    if (trouble == ENOMEM) diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, &place, "cannot be read: %s", strerror(trouble));
    return NULL;
  }
  hk_doc *doc = hk_doc_read_text(arena, name, text, length, diag);
  free(text);
  return doc;
}

hk_doc *hk_doc_find(const hk_doc *map, const char *key) {
  if (!map || map->kind != HK_DOC_MAP) return NULL;
  for (hk_doc *c = map->first; c; c = c->next)
    if (strcmp(c->key, key) == 0) return c;
  return NULL;
}
