/* Former names in a model file: see model_file_reader.h and spec/renamed.list. */
#include "read/model_file_reader.h"
#include <stdio.h>
#include <string.h>

/* Returns true if a message has been added already: a document that is read for each repetition gives each message
 * once. */
static bool is_said(const hk_diag *diag, const hk_location *place, const char *text) {
  for (int i = 0; i < diag->n; i++) {
    const hk_diag_message *m = &diag->message[i];
    if (m->place.line == place->line && m->place.column == place->column &&
        strcmp(m->text, text) == 0)
      return true;
  }
  return false;
}

static void report(hk_mf *r, const hk_former_name *f, bool note) {
  char text[300];
  snprintf(text, sizeof text, "'%.100s' is now called '%.100s'; the old name is still read",
           f->old_name, f->new_name);
  if (note && !is_said(r->diag, &f->place, text))
    hk_diag_add(r->diag, HK_NOTE, &f->place, "%s", text);
  if (r->former) r->former(r->former_context, f);
}

void hk_mf_former_key(hk_mf *r, const hk_doc *doc, const char *new_name, bool note) {
  report(r, &(hk_former_name){doc->key_place, doc->key, new_name, NULL}, note);
}

void hk_mf_former_value(hk_mf *r, const hk_doc *doc, const char *new_name, bool note) {
  report(r, &(hk_former_name){doc->place, doc->text, new_name, NULL}, note);
}

const char *hk_mf_current_channel(hk_mf *r, const hk_doc *doc, const char *full) {
  char current[512];
  bool note;
  if (!r->spec->registry->current_channel(r->spec, full, current, sizeof current, &note))
    return full;
  const char *copy = hk_arena_strdup(&r->arena, current);
  if (!copy) hk_mf_no_memory(r);
  /* Compares the words of both names one by one: those that differ have been renamed. */
  for (const char *old = full, *new = copy; new &&*old &&*new;) {
    const size_t n = strcspn(old, "."), k = strcspn(new, ".");
    if (n != k || strncmp(old, new, n) != 0) {
      const char *from = hk_arena_strndup(&r->arena, old, strcspn(old, "[."));
      const char *to = hk_arena_strndup(&r->arena, new, strcspn(new, "[."));
      if (from && to) report(r, &(hk_former_name){doc->place, from, to, doc->text}, note);
    }
    old += n + (old[n] == '.');
    new += k + (new[k] == '.');
  }
  return copy ? copy : full;
}
