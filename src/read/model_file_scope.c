/* Names in a model file: see model_file_reader.h. */
#include "read/model_file_reader.h"
#include "spec/own_name.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Tables of names ------------------------------------------------------------------------- */

static uint32_t hash_text(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h ^ h >> 15;
}

static struct hk_mf_name *slot_of(const hk_mf_names *t, const char *name) {
  uint32_t i = hash_text(name) & (t->capacity - 1);
  while (t->entry[i].name && strcmp(t->entry[i].name, name) != 0) i = (i + 1) & (t->capacity - 1);
  return &t->entry[i];
}

void *hk_mf_names_find(const hk_mf_names *t, const char *name) {
  return t->capacity ? slot_of(t, name)->value : NULL;
}

bool hk_mf_names_add(hk_arena *arena, hk_mf_names *t, const char *name, void *value) {
  if (4 * (t->n + 1) > 3 * t->capacity) {
    hk_mf_names grown = {.capacity = t->capacity ? 2 * t->capacity : 8, .n = t->n};
    grown.entry = HK_NEW_ARRAY(arena, struct hk_mf_name, grown.capacity);
    if (!grown.entry) return false;
    for (uint32_t i = 0; i < t->capacity; i++)
      if (t->entry[i].name) *slot_of(&grown, t->entry[i].name) = t->entry[i];
    *t = grown;
  }
  struct hk_mf_name *slot = slot_of(t, name);
  if (!slot->name) t->n++;
  *slot = (struct hk_mf_name){name, value};
  return true;
}

const char *hk_mf_names_nearest(const hk_mf_names *t, const char *wrong) {
  const char **list = malloc((t->n + 1) * sizeof *list);
  if (!list) return NULL;
  int n = 0;
  for (uint32_t i = 0; i < t->capacity; i++)
    if (t->entry[i].name) list[n++] = t->entry[i].name;
  const char *near = hk_nearest_name(wrong, list, n);
  free(list);
  return near;
}

bool hk_mf_no_memory(hk_mf *r) {
  if (!r->diag->out_of_memory) {
    r->diag->out_of_memory = true;
    hk_diag_add(r->diag, HK_ERROR, NULL, "out of memory");
  }
  return false;
}

bool hk_mf_stop(const hk_mf *r) {
  return r->diag->out_of_memory || r->diag->n_errors > HK_MAX_ERRORS;
}

const char *hk_mf_did_you_mean(const char *near, char *buf, size_t size) {
  if (!near) return "";
  snprintf(buf, size, "; did you mean '%s'?", near);
  return buf;
}

/* --- Expressions ----------------------------------------------------------------------------- */

typedef struct resolution {
  const hk_mf_at *at;
  const hk_doc *doc;
  bool channels;      /* t and channels are allowed */
  bool poisoned;      /* the name belongs to an item for which an error was already reported */
  hk_mf_param *needs; /* a parameter that must be evaluated first */
} resolution;

static hk_mf_param *find_param(const hk_mf_scope *scope, const char *name) {
  intptr_t i = scope->names ? (intptr_t)hk_mf_names_find(scope->names, name) : 0;
  return i ? &scope->param[i - 1] : NULL;
}

static void hint_unknown(const hk_mf_at *at, const char *name, char *hint) {
  const char *near = at->scope->names ? hk_mf_names_nearest(at->scope->names, name) : NULL;
  if (!near) near = hk_mf_names_nearest(&at->r->model_names, name);
  if (near) snprintf(hint, 256, "did you mean '%s'?", near);
}

static hk_symbol resolve(void *context, const char *name, char *hint) {
  resolution *c = context;
  const hk_mf_at *at = c->at;
  for (const hk_mf_index *i = at->index; i; i = i->next)
    if (strcmp(i->name, name) == 0)
      return (hk_symbol){.kind = HK_SYMBOL_CONSTANT, .value = (double)i->value};
  hk_symbol own = {.kind = HK_SYMBOL_VARIABLE};
  own.slot = c->channels ? hk_item_own_variable(at->item, name, &own.dim) : -1;
  if (own.slot >= 0) return own;
  hk_mf_param *p = find_param(at->scope, name);
  if (!p) p = find_param(&at->r->model, name);
  if (p) {
    if (p->state == HK_MF_DONE)
      return (hk_symbol){.kind = HK_SYMBOL_CONSTANT, .value = p->value, .dim = p->dim};
    if (p->state == HK_MF_FAILED) {
      c->poisoned = true;
    } else {
      c->needs = p;
    }
    return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
  }
  const char *full = hk_mf_full_name(at, name);
  if (!full || hk_mf_is_broken(at->r, full)) {
    c->poisoned = true;
    return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
  }
  const hk_doc *tables = hk_doc_find(at->r->root, "tables");
  if (hk_spec_find(at->r->spec, HK_TABLE, full) || (tables && hk_doc_find(tables, full))) {
    hk_error err = {0};
    const hk_curve *table = hk_spec_table(at->r->spec, full, &err);
    if (table) return (hk_symbol){.kind = HK_SYMBOL_TABLE, .table = table};
    snprintf(hint, 256, "tables can be used in items, but not in parameters, indices and markers");
    return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
  }
  if (!c->channels) {
    if (strcmp(name, "t") == 0 || strcmp(full, name) != 0 || strchr(name, '.')) {
      snprintf(hint, 256, "this value is constant: only parameters are allowed, no channels");
    } else {
      hint_unknown(at, name, hint);
    }
    return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
  }
  hk_symbol symbol = {.kind = HK_SYMBOL_VARIABLE};
  full = hk_mf_current_channel(at->r, c->doc, full);
  symbol.slot = hk_spec_variable(at->r->spec, full, &symbol.dim, hint);
  if (symbol.slot < 0) {
    symbol.kind = HK_SYMBOL_UNKNOWN;
    if (!hint[0]) hint_unknown(at, name, hint);
  }
  return symbol;
}

hk_location hk_mf_inside(const hk_doc *doc, int offset) {
  hk_location place = doc->place;
  if (!doc->one_line || !place.line) return place;
  place.column += doc->quoted ? 1 : 0;
  for (int i = 0; i < offset && doc->text[i]; i++)
    if (((unsigned char)doc->text[i] & 0xC0) != 0x80) place.column++;
  return place;
}

/* Frees the bytecode of constants regularly, so that a million constants need little memory. */
static void tidy_scratch(hk_mf *r) {
  if (r->scratch.total < 1 << 20) return;
  hk_arena_free(&r->scratch);
  hk_arena_init(&r->scratch);
}

static hk_expr *compile(resolution *c, hk_arena *arena, const hk_doc *doc, int offset,
                        const char *text, size_t n, const char *key) {
  hk_expr_error trouble = {0};
  c->doc = doc;
  hk_expr *e = hk_expr_compile(arena, text, n, resolve, c, &trouble);
  if (e || c->needs || c->poisoned) return e;
  hk_location place = hk_mf_inside(doc, offset + trouble.column);
  hk_diag_add(c->at->r->diag, HK_ERROR, &place, "%s of %s: %s", key, c->at->owner, trouble.text);
  return NULL;
}

bool hk_mf_expect(const hk_mf_at *at, const hk_doc *doc, hk_doc_kind kind, const char *key,
                  const char *what) {
  if (doc->kind == kind && (kind != HK_DOC_SCALAR || *doc->text || doc->quoted)) return true;
  const char *colon = doc->kind == HK_DOC_SCALAR ? strchr(doc->text, ':') : NULL;
  const char *of = at->owner ? " of " : "", *owner = at->owner ? at->owner : "";
  if (doc->kind == HK_DOC_SCALAR && !*doc->text) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s%s%s has no value; it must be %s", key, of,
                owner, what);
  } else if (kind == HK_DOC_MAP && colon && colon > doc->text && colon[1] && colon[1] != ' ') {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
                "%s%s%s must be %s; write a space after the colon: '%.*s: ...'", key, of, owner,
                what, (int)(colon - doc->text < 60 ? colon - doc->text : 60), doc->text);
  } else if (kind == HK_DOC_SCALAR && doc->kind == HK_DOC_MAP && doc->first &&
             strchr(doc->first->key, '?')) {
    /* YAML reads the text `c ? a : b` in a list as a map with the key `c ? a`. */
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
                "%s%s%s must be %s; for 'c ? a : b' write if(c, a, b)", key, of, owner, what);
  } else {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s%s%s must be %s", key, of, owner, what);
  }
  return false;
}

static bool constant_text(const hk_mf_at *at, const hk_doc *doc, int offset, const char *text,
                          size_t n, const char *key, resolution *c, hk_mf_number *out) {
  tidy_scratch(at->r);
  hk_expr *e = compile(c, &at->r->scratch, doc, offset, text, n, key);
  if (!e) return false;
  *out = (hk_mf_number){hk_expr_value(e, NULL), hk_expr_dim(e), hk_expr_is_plain_zero(e)};
  if (isfinite(out->value)) return true;
  hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s is not a finite number", key,
              at->owner);
  return false;
}

bool hk_mf_constant(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_mf_number *out) {
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, key, "a quantity")) return false;
  resolution c = {.at = at};
  return constant_text(at, doc, 0, doc->text, strlen(doc->text), key, &c, out);
}

bool hk_mf_integer_text(const hk_mf_at *at, const hk_doc *doc, int offset, const char *text,
                        size_t n, const char *key, long *out) {
  resolution c = {.at = at};
  hk_mf_number number;
  if (!constant_text(at, doc, offset, text, n, key, &c, &number)) return false;
  if (hk_dim_is_none(number.dim) && number.value == floor(number.value) &&
      fabs(number.value) <= 2147483647.0) {
    *out = (long)number.value;
    return true;
  }
  hk_location place = hk_mf_inside(doc, offset);
  char unit[128];
  hk_dim_format(number.dim, unit, sizeof unit);
  hk_diag_add(at->r->diag, HK_ERROR, &place, "%s of %s must be a whole number, got %g%s%s", key,
              at->owner, number.value, hk_dim_is_none(number.dim) ? "" : " ",
              hk_dim_is_none(number.dim) ? "" : unit);
  return false;
}

bool hk_mf_integer(const hk_mf_at *at, const hk_doc *doc, const char *key, long *out) {
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, key, "a whole number")) return false;
  return hk_mf_integer_text(at, doc, 0, doc->text, strlen(doc->text), key, out);
}

hk_expr *hk_mf_expression(const hk_mf_at *at, const hk_doc *doc, const char *key) {
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, key, "an expression")) return NULL;
  resolution c = {.at = at, .channels = true};
  return compile(&c, &at->r->spec->arena, doc, 0, doc->text, strlen(doc->text), key);
}

/* --- Parameters ------------------------------------------------------------------------------ */

static void report_circle(hk_mf *r, hk_mf_param *top, const hk_mf_param *again) {
  char chain[400];
  size_t used = 0;
  const hk_mf_param *p = top;
  /* Reports a cycle of parameters. The chain is on the stack in reverse order, beginning with
   * `top`. An arrow `a -> b` in the message means that `a` needs `b`. */
  const hk_mf_param *path[12];
  int n = 0;
  for (; n < 11; p = p->below) {
    path[n++] = p;
    if (p == again) break;
  }
  const char *dots = path[n - 1] == again ? "" : "... -> ";
  used += (size_t)snprintf(chain, sizeof chain, "%s", dots);
  for (int i = n - 1; i >= 0 && used < sizeof chain; i--)
    used += (size_t)snprintf(chain + used, sizeof chain - used, "%.60s -> ", path[i]->doc->key);
  hk_diag_add(r->diag, HK_ERROR, &again->doc->place,
              "parameters refer to each other in a cycle: %s%s", chain, again->doc->key);
}

/* Evaluates one parameter and all parameters that it needs, with a stack instead of recursion: a
 * parameter that needs another one waits below it. */
static void settle(hk_mf *r, hk_mf_param *top) {
  top->below = NULL;
  while (top && !hk_mf_stop(r)) {
    top->state = HK_MF_OPEN;
    hk_mf_at at = {r, top->scope, top->index, NULL};
    char owner[80];
    snprintf(owner, sizeof owner, "parameter '%.60s'", top->doc->key);
    at.owner = owner;
    resolution c = {.at = &at};
    hk_mf_number number;
    bool ok = hk_mf_expect(&at, top->doc, HK_DOC_SCALAR, "value", "a quantity") &&
              constant_text(&at, top->doc, 0, top->doc->text, strlen(top->doc->text), "value", &c,
                            &number);
    if (ok) {
      top->state = HK_MF_DONE;
      top->value = number.value;
      top->dim = number.dim;
      top = top->below;
    } else if (c.needs && c.needs->state == HK_MF_NEW) {
      c.needs->below = top;
      top = c.needs;
    } else if (c.needs && c.needs->state == HK_MF_OPEN) {
      report_circle(r, top, c.needs);
      hk_mf_param *end = c.needs->below;
      for (; top != end; top = top->below) top->state = HK_MF_FAILED;
    } else {
      top->state = HK_MF_FAILED;
      top = top->below;
    }
  }
  for (; top; top = top->below) top->state = HK_MF_FAILED;
}

void hk_mf_settle(hk_mf *r, hk_mf_scope *scope) {
  for (int i = 0; i < scope->n_params; i++)
    if (scope->param[i].state == HK_MF_NEW) settle(r, &scope->param[i]);
}
