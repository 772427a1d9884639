/* A YAML file as a tree in which every key and value has its file, line and column.
 *
 * Read with libyaml's event API: limits are checked while reading (16 MiB, depth 64); duplicate keys, anchors, aliases
 * and tags are rejected. The messages about anchors, aliases and tags contain a hint, because an unquoted `*k` or `&x`
 * is usually an expression that needs quotes. */
#ifndef HK_READ_DOC_H
#define HK_READ_DOC_H
#include "base/arena.h"
#include <hooke/base.h>

typedef enum hk_doc_kind { HK_DOC_SCALAR, HK_DOC_LIST, HK_DOC_MAP } hk_doc_kind;

typedef struct hk_doc hk_doc;
struct hk_doc {
  hk_doc_kind kind;
  hk_location place;
  bool quoted; /* scalar written in quotes or as a block */
  /* scalar within one line: an offset in the text is also an offset in the line */
  bool one_line;
  bool faulty; /* set by the reader after an error was reported, so that it is reported only once */
  bool is_text;     /* set by the reader: a parameter that is used as a text (`$name`) */
  const char *text; /* scalar: the text (UTF-8, no NUL inside) */
  const char *key;  /* the key of this value in its map, or NULL */
  hk_location key_place;
  hk_doc *first, *next; /* children of a list or map, in the order of the file */
  int n;                /* number of children */
};

enum { HK_DOC_MAX_BYTES = 16 << 20, HK_DOC_MAX_DEPTH = 64 };

/* Read a file ("-" is standard input) or a text; errors are added to diag.  NULL: not readable.  The tree lives in the arena. */
hk_doc *hk_doc_read_file(hk_arena *arena, const char *path, hk_diag *diag);
hk_doc *hk_doc_read_text(hk_arena *arena, const char *name, const char *text, size_t length,
                         hk_diag *diag);
/* Returns a child of a map by key, or NULL. */
hk_doc *hk_doc_find(const hk_doc *map, const char *key);
#endif
