/* Parses JSON from an untrusted source and writes it again: see json.h. */
#include "base/number.h"
#include "read/doc.h"
#include "results/json.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_scalar(hk_json *j, const hk_doc *d) {
  char *end;
  double x = hk_number_read(d->text, &end);
  if (!d->quoted && (strcmp(d->text, "true") == 0 || strcmp(d->text, "false") == 0))
    hk_json_bool(j, d->key, d->text[0] == 't');
  else if (!d->quoted && (strcmp(d->text, "null") == 0 || !d->text[0]))
    hk_json_real(j, d->key, NAN); /* null */
  else if (!d->quoted && end != d->text && !*end)
    hk_json_real(j, d->key, x);
  else
    hk_json_text(j, d->key, d->text);
}

/* Writes a parsed value. Its depth is at most that of a document: HK_DOC_MAX_DEPTH. */
static void put_value(hk_json *j, const void *what) {
  const hk_doc *d = what;
  if (d->kind == HK_DOC_SCALAR) {
    put_scalar(j, d);
    return;
  }
  bool map = d->kind == HK_DOC_MAP;
  hk_json_open(j, d->key, map ? '{' : '[');
  for (const hk_doc *c = d->first; c; c = c->next) put_value(j, c);
  hk_json_close(j, map ? '}' : ']');
}

char *hk_json_again(const hk_doc *root) {
  size_t length;
  return hk_json_write(put_value, root, &length);
}

hk_status hk_json_clean(const char *json, char **out, hk_error *err) {
  hk_arena arena;
  hk_diag diag;
  hk_arena_init(&arena);
  hk_diag_init(&diag);
  const hk_doc *root = hk_doc_read_text(&arena, "JSON", json, strlen(json), &diag);
  bool starved = diag.out_of_memory;
  *out = root ? hk_json_again(root) : NULL;
  hk_diag_free(&diag);
  hk_arena_free(&arena);
  if (*out) return HK_OK;
  return root || starved ? hk_fail(err, HK_ENOMEM, "out of memory")
                         : hk_fail(err, HK_EINPUT, "it is not JSON");
}
