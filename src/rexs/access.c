/* Access to attributes: see access.h. */
#include "rexs/access.h"
#include "base/number.h"
#include "base/safe_text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

static void describe(const hk_rexs_component *c, char *out, size_t size) {
  char name[120];
  hk_safe_text(c->name, name, sizeof name);
  if (*name)
    snprintf(out, size, "%.60s %d '%s': ", c->type, c->id, name);
  else
    snprintf(out, size, "%.60s %d: ", c->type, c->id);
}

void hk_rexs_fail(hk_rexs_source *s, const hk_rexs_component *c, const char *format, ...) {
  char text[400], owner[240] = "";
  va_list args;
  if (s->status) return;
  va_start(args, format);
  hk_number_vprint(text, sizeof text, format, args);
  va_end(args);
  if (c) describe(c, owner, sizeof owner);
  s->status = hk_fail(s->err, HK_EINPUT, "%s%s", owner, text);
}

static void out_of_memory(hk_rexs_source *s) {
  if (!s->status) s->status = hk_fail(s->err, HK_ENOMEM, "out of memory");
}

void hk_rexs_note(hk_rexs_source *s, const hk_rexs_component *c, const char *format, ...) {
  char text[500], owner[240] = "", all[760], safe[900];
  va_list args;
  va_start(args, format);
  hk_number_vprint(text, sizeof text, format, args);
  va_end(args);
  if (c) describe(c, owner, sizeof owner);
  snprintf(all, sizeof all, "%s%s", owner, text);
  hk_safe_text(all, safe, sizeof safe);
  if (s->n_notes == s->room) {
    const int room = s->room ? 2 * s->room : 32;
    char **more = realloc(s->note, (size_t)room * sizeof *more);
    if (!more) {
      out_of_memory(s);
      return;
    }
    s->note = more;
    s->room = room;
  }
  if (!(s->note[s->n_notes] = strdup(safe)))
    out_of_memory(s);
  else
    s->n_notes++;
}

/* ---- attributes ---- */

static hk_rexs_attribute *attribute_of(const hk_rexs_component *c, const char *name) {
  for (hk_rexs_attribute *a = c ? c->first : NULL; a; a = a->next)
    if (strcmp(a->name, name) == 0) return a;
  return NULL;
}

/* The attribute in the load case; if it has none, the attribute of the component. */
static hk_rexs_attribute *find(hk_rexs_source *s, hk_rexs_component *c, const char *name) {
  hk_rexs_attribute *own = attribute_of(c, name), *in_case = NULL;
  const hk_rexs_component *k = s->load_case ? s->load_case->first : NULL;
  for (; k && !in_case; k = k->next)
    if (k->id == c->id) in_case = attribute_of(k, name);
  c->used = true;
  if (own) own->used = true;
  if (in_case) in_case->used = true;
  return in_case ? in_case : own;
}

static bool read_number(hk_rexs_source *s, const hk_rexs_component *c, const hk_rexs_attribute *a,
                        const char *text, hk_rexs_dim dim, double *out) {
  double factor;
  char *end;
  if (!hk_rexs_unit_factor(a->unit, dim, &factor)) {
    hk_rexs_fail(s, c, "the unit '%.40s' of %.80s is not known for %s", a->unit, a->name,
                 hk_rexs_dim_name(dim));
    return false;
  }
  text += strspn(text, " \t\r\n");
  *out = factor * hk_number_read(text, &end);
  if (end == text || end[strspn(end, " \t\r\n")] || !isfinite(*out)) {
    hk_rexs_fail(s, c, "'%.40s' of %.80s is not a number", text, a->name);
    return false;
  }
  return true;
}

bool hk_rexs_number(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                    double *out) {
  const hk_rexs_attribute *a = find(s, c, name);
  if (!a || !a->text || s->status) return false;
  return read_number(s, c, a, a->text, dim, out);
}

bool hk_rexs_required(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                      double *out) {
  if (hk_rexs_number(s, c, name, dim, out)) return true;
  hk_rexs_fail(s, c, "%s is missing", name);
  return false;
}

bool hk_rexs_vector(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                    double out[3]) {
  const hk_rexs_attribute *a = find(s, c, name);
  if (!a || !a->n || s->status) return false;
  if (a->n != 3) {
    hk_rexs_fail(s, c, "%s has %d numbers instead of 3", name, a->n);
    return false;
  }
  for (int i = 0; i < 3; i++)
    if (!read_number(s, c, a, a->number[i], dim, &out[i])) return false;
  return true;
}

const char *hk_rexs_text(hk_rexs_source *s, hk_rexs_component *c, const char *name) {
  const hk_rexs_attribute *a = find(s, c, name);
  return a ? a->text : NULL;
}

bool hk_rexs_flag(hk_rexs_source *s, hk_rexs_component *c, const char *name, bool otherwise) {
  const char *text = hk_rexs_text(s, c, name);
  if (!text) return otherwise;
  if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0) return true;
  if (strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
    hk_rexs_fail(s, c, "'%.40s' of %s must be true or false", text, name);
  return false;
}

/* ---- relations ---- */

int hk_rexs_role(const hk_rexs_relation *r, const char *role) {
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->ref[i].role, role) == 0) return r->ref[i].id;
  return -1;
}

hk_rexs_component *hk_rexs_related(const hk_rexs_source *s, const char *type, const char *from_role,
                                   int from, const char *to_role, hk_rexs_relation **at) {
  for (hk_rexs_relation *r = *at ? (*at)->next : s->file->relation; r; r = r->next) {
    if (strcmp(r->type, type) != 0 || hk_rexs_role(r, from_role) != from) continue;
    hk_rexs_component *c = hk_rexs_find(s->file, hk_rexs_role(r, to_role));
    if (!c) continue;
    *at = r;
    return c;
  }
  return NULL;
}

/* ---- what was not used ---- */

enum { LINE = 380 };

/* Appends a word to a list in a note. If the line is full, a new note begins. */
static void list(hk_rexs_source *s, char line[LINE], const char *head, const char *word) {
  const size_t n = strlen(line);
  if (n && n + strlen(word) + 3 > LINE) {
    hk_rexs_note(s, NULL, "%s", line);
    *line = '\0';
  }
  const size_t used = strlen(line);
  if (!used)
    snprintf(line, LINE, "%s%s", head, word);
  else
    snprintf(line + used, LINE - used, ", %s", word);
}

/* Attributes that appear only in load cases. */
static void note_unused_of_case(hk_rexs_source *s) {
  char line[LINE] = "", word[240];
  for (const hk_rexs_component *c = s->load_case ? s->load_case->first : NULL; c; c = c->next)
    for (const hk_rexs_attribute *a = c->first; a; a = a->next) {
      if (a->used) continue;
      snprintf(word, sizeof word, "%.100s of %.80s %d", a->name, c->type, c->id);
      list(s, line, "not used of the load case: ", word);
    }
  if (*line) hk_rexs_note(s, NULL, "%s", line);
}

void hk_rexs_note_unused(hk_rexs_source *s) {
  char line[LINE] = "", word[200], head[200];
  note_unused_of_case(s);
  *line = '\0';
  for (const hk_rexs_component *c = s->file->component; c; c = c->next) {
    if (c->used) continue;
    snprintf(word, sizeof word, "%.80s %d", c->type, c->id);
    list(s, line, "not used: ", word);
  }
  if (*line) hk_rexs_note(s, NULL, "%s", line);
  /* Lists attributes by type of component, each name once. */
  for (const hk_rexs_component *c = s->file->component; c; c = c->next) {
    bool first = c->used;
    for (const hk_rexs_component *k = s->file->component; k != c && first; k = k->next)
      first = !k->used || strcmp(k->type, c->type) != 0;
    if (!first) continue;
    *line = '\0';
    snprintf(head, sizeof head, "not used of %.80s: ", c->type);
    for (const hk_rexs_component *k = c; k; k = k->next) {
      if (!k->used || strcmp(k->type, c->type) != 0) continue;
      for (const hk_rexs_attribute *a = k->first; a; a = a->next) {
        bool known = a->used;
        for (const hk_rexs_component *j = c; j && !known; j = j->next) {
          const hk_rexs_attribute *same =
              j->used && strcmp(j->type, c->type) == 0 ? attribute_of(j, a->name) : NULL;
          if (j == k) break;
          known = same && !same->used;
        }
        if (known) continue;
        snprintf(word, sizeof word, "%.120s", a->name);
        list(s, line, head, word);
      }
    }
    if (*line) hk_rexs_note(s, NULL, "%s", line);
  }
}
