/* See model_migrate.h. */
#include "read/model_migrate.h"
#include "base/file.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A former name in the file, with copies of its texts. */
typedef struct found {
  hk_location place;
  char *old_name, *new_name, *within;
} found;

typedef struct edit {
  size_t at, length;
  const char *by;
} edit;

typedef struct migration {
  const char *file; /* name of the file that is rewritten */
  found *name;
  int n, capacity, elsewhere;
  edit *edit;
  int n_edits, edit_capacity;
  bool out_of_memory;
} migration;

static bool grow(void **list, int n, int *capacity, size_t size) {
  if (n < *capacity) return true;
  const int wanted = *capacity ? 2 * *capacity : 32;
  void *more = realloc(*list, (size_t)wanted * size);
  if (!more) return false;
  *list = more;
  *capacity = wanted;
  return true;
}

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Returns true if the name has been recorded already: repetitions and parts read a document many times. */
static bool is_known(const migration *m, const hk_former_name *f) {
  for (int i = m->n - 1; i >= 0; i--) {
    const found *g = &m->name[i];
    if (g->place.line == f->place.line && g->place.column == f->place.column &&
        same(g->old_name, f->old_name) && same(g->within, f->within))
      return true;
  }
  return false;
}

static void collect(void *context, const hk_former_name *f) {
  migration *m = context;
  if (!same(f->place.file, m->file)) {
    m->elsewhere++;
    return;
  }
  if (is_known(m, f)) return;
  if (!grow((void **)&m->name, m->n, &m->capacity, sizeof *m->name)) {
    m->out_of_memory = true;
    return;
  }
  found *g = &m->name[m->n++];
  *g = (found){f->place, strdup(f->old_name), strdup(f->new_name),
               f->within ? strdup(f->within) : NULL};
  g->place.file = m->file;
  m->out_of_memory = m->out_of_memory || !g->old_name || !g->new_name || (f->within && !g->within);
}

/* ---- positions in the text ---- */

/* Byte offset of a line and column, both counted from 1; columns count characters. */
static size_t byte_at(const char *text, size_t length, const hk_location *place) {
  size_t i = 0;
  for (int line = 1; line < place->line && i < length; i++) line += text[i] == '\n';
  if (i == 0 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) i = 3; /* byte order mark */
  for (int column = 1; column < place->column && i < length && text[i] != '\n'; column++) {
    i++;
    while (i < length && ((unsigned char)text[i] & 0xC0) == 0x80) i++;
  }
  return i;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Returns true if the name is at this byte, as a whole word. */
static bool is_here(const char *text, size_t length, size_t at, const char *name) {
  const size_t n = strlen(name);
  return at + n <= length && memcmp(text + at, name, n) == 0 &&
         (at + n == length || !is_letter(text[at + n])) && (at == 0 || !is_letter(text[at - 1]));
}

/* Returns true if a word of a channel's name, after a dot, is at this byte. */
static bool is_word_here(const char *text, size_t length, size_t at, const char *name) {
  return at > 0 && text[at - 1] == '.' && is_here(text, length, at, name);
}

static int count_words(const char *text, const char *name) {
  const size_t n = strlen(text);
  int count = 0;
  for (size_t i = 0; i < n; i++) count += is_word_here(text, n, i, name);
  return count;
}

static bool add_edit(migration *m, size_t at, const found *f) {
  for (int i = 0; i < m->n_edits; i++)
    if (m->edit[i].at == at) return true;
  if (!grow((void **)&m->edit, m->n_edits, &m->edit_capacity, sizeof *m->edit))
    return m->out_of_memory = true, false;
  m->edit[m->n_edits++] = (edit){at, strlen(f->old_name), f->new_name};
  return true;
}

/* Adds the edits for a name; false: the name is not at the recorded position, because the text is
 * folded. */
static bool place_edits(migration *m, const char *text, size_t length, const found *f) {
  size_t at = byte_at(text, length, &f->place);
  if (!f->within) {
    if (at < length && (text[at] == '"' || text[at] == '\'')) at++;
    return is_here(text, length, at, f->old_name) && add_edit(m, at, f);
  }
  int wanted = count_words(f->within, f->old_name), n = 0;
  for (size_t i = at; i < length && n < wanted; i++) {
    if (!is_word_here(text, length, i, f->old_name)) continue;
    if (!add_edit(m, i, f)) return false;
    n++;
  }
  return wanted > 0 && n == wanted;
}

static int by_place(const void *a, const void *b) {
  const edit *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

static char *rewrite(migration *m, const char *text, size_t length, size_t *out_length) {
  size_t room = length + 1, at = 0, used = 0;
  for (int i = 0; i < m->n_edits; i++) room += strlen(m->edit[i].by);
  char *out = malloc(room);
  if (!out) return NULL;
  if (m->n_edits) qsort(m->edit, (size_t)m->n_edits, sizeof *m->edit, by_place);
  for (int i = 0; i < m->n_edits; i++) {
    const edit *e = &m->edit[i];
    const size_t n = strlen(e->by);
    memcpy(out + used, text + at, e->at - at);
    used += e->at - at;
    memcpy(out + used, e->by, n);
    used += n;
    at = e->at + e->length;
  }
  memcpy(out + used, text + at, length - at);
  used += length - at;
  out[used] = '\0';
  *out_length = used;
  return out;
}

/* ---- the file ---- */

static char *read_text(const char *path, size_t *length, hk_error *err) {
  FILE *f = hk_file_open(path);
  if (!f) {
    hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
    return NULL;
  }
  char *text = malloc(HK_DOC_MAX_BYTES + 1);
  *length = text ? fread(text, 1, HK_DOC_MAX_BYTES, f) : 0;
  if (!text) hk_fail(err, HK_ENOMEM, "out of memory");
  if (text) text[*length] = '\0';
  fclose(f);
  return text;
}

static hk_status edit_file(migration *m, hk_migrated *out, hk_diag *diag, hk_error *err) {
  size_t length;
  char *text = read_text(m->file, &length, err);
  if (!text) return err->code;
  for (int i = 0; i < m->n; i++) {
    const found *f = &m->name[i];
    const bool done = place_edits(m, text, length, f);
    hk_diag_add(diag, done ? HK_NOTE : HK_WARNING, &f->place,
                done ? "'%s' is now '%s'"
                     : "change '%s' to '%s' by hand: it was not found at this location",
                f->old_name, f->new_name);
    out->n_left += !done;
  }
  out->text = m->out_of_memory ? NULL : rewrite(m, text, length, &out->length);
  out->n_edits = m->n_edits;
  out->n_elsewhere = m->elsewhere;
  free(text);
  return out->text ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

hk_status hk_model_migrate(const hk_model_text *model, const char *file, hk_migrated *out,
                           hk_diag *diag) {
  migration m = {.file = file ? file : model->name};
  hk_error err = {0};
  hk_diag reading;
  *out = (hk_migrated){0};
  hk_diag_init(&reading);
  hk_spec *spec = hk_model_read_former(model, collect, &m, &reading);
  hk_status status = HK_OK;
  if (!spec) {
    status = reading.out_of_memory ? HK_ENOMEM : HK_EINPUT;
    for (int i = 0; i < reading.n; i++)
      if (reading.message[i].severity != HK_NOTE)
        hk_diag_add(diag, reading.message[i].severity, &reading.message[i].place, "%s",
                    reading.message[i].text);
  } else {
    status = edit_file(&m, out, diag, &err);
    if (status) hk_diag_add(diag, HK_ERROR, NULL, "%s", err.text);
  }
  hk_spec_destroy(spec);
  hk_diag_free(&reading);
  for (int i = 0; i < m.n; i++)
    free(m.name[i].old_name), free(m.name[i].new_name), free(m.name[i].within);
  free(m.name);
  free(m.edit);
  return status;
}

void hk_migrated_free(hk_migrated *m) {
  free(m->text);
  *m = (hk_migrated){0};
}
