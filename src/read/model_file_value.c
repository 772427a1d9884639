/* One value of a document -> one parameter of an item: see model_file_reader.h. */
#include "read/model_file_reader.h"
#include "spec/renamed.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool hk_mf_quantity(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_dim wanted,
                    double *out) {
  hk_mf_number number;
  if (!hk_mf_constant(at, doc, key, &number)) return false;
  *out = number.value;
  if (number.zero) return true;
  if (!hk_dim_fits(number.dim, wanted)) {
    hk_error err;
    hk_dim_misfit(key, at->owner, number.dim, wanted, &err);
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s", err.text);
    return false;
  }
  return true;
}

/* Reads the numbers of a list, or of a list of lists row by row; returns their number, -1 on error.  `wanted` NULL: any unit. */
static int numbers(const hk_mf_at *at, const hk_doc *doc, const char *key, const hk_dim *wanted,
                   int max, double *out) {
  int n = 0;
  for (const hk_doc *row = doc->first; row; row = row->next) {
    bool list = row->kind == HK_DOC_LIST;
    for (const hk_doc *c = list ? row->first : row; c; c = list ? c->next : NULL, n++) {
      hk_mf_number any;
      double value = 0;
      if (wanted ? !hk_mf_quantity(at, c, key, *wanted, &value) : !hk_mf_constant(at, c, key, &any))
        return -1;
      if (n < max) out[n] = wanted ? value : any.value;
    }
  }
  return n;
}

bool hk_mf_vector(const hk_mf_at *at, const hk_doc *doc, const char *key, const char *unit,
                  hk_vec3 *out) {
  hk_unit u = {0};
  double v[3];
  if (unit) hk_unit_parse(unit, strlen(unit), &u, NULL);
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, key, "a list of three quantities")) return false;
  if (doc->n != 3) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
                "%s of %s must be a list of three quantities, got %d", key, at->owner, doc->n);
    return false;
  }
  int n = numbers(at, doc, key, &u.dim, 3, v);
  if (n == 3) *out = hk_v3(v[0], v[1], v[2]);
  return n == 3;
}

/* Reports the error of a setter at the location of the value. */
static void report(const hk_mf_at *at, const hk_doc *doc, const hk_error *err) {
  if (err->code == HK_ENOMEM) at->r->diag->out_of_memory = true;
  hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s", err->text);
}

static void set_real(const hk_mf_at *at, hk_item *item, const hk_param *p, int index,
                     const hk_doc *doc) {
  hk_mf_number number;
  hk_error err;
  if (!hk_mf_constant(at, doc, p->name, &number)) return;
  if (hk_item_check_dim(item, index, number.dim, number.zero, &err) ||
      hk_item_real(item, p->name, number.value, &err))
    report(at, doc, &err);
}

static void set_bool(const hk_mf_at *at, hk_item *item, const hk_param *p, const hk_doc *doc) {
  hk_error err;
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, p->name, "true or false")) return;
  bool yes = strcmp(doc->text, "true") == 0;
  if (!yes && strcmp(doc->text, "false") != 0) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s must be true or false", p->name,
                at->owner);
  } else if (hk_item_bool(item, p->name, yes, &err)) {
    report(at, doc, &err);
  }
}

static void set_reals(const hk_mf_at *at, hk_item *item, const hk_param *p, const hk_doc *doc) {
  enum { MAX = 144 };
  double v[MAX];
  hk_dim wanted;
  hk_error err;
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, p->name, "a list of quantities")) return;
  int n = numbers(at, doc, p->name, hk_param_dim(p, &wanted) ? &wanted : NULL, MAX, v);
  if (n >= 0 && n <= MAX && hk_item_reals(item, p->name, v, n, &err)) report(at, doc, &err);
  if (n > MAX)
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s has too many values: %d", p->name,
                at->owner, n);
}

/* Sets the name of a joint or law, which must exist. */
static void set_item_name(const hk_mf_at *at, hk_item *item, const hk_param *p, const hk_doc *doc,
                          const char *name, const char *full) {
  hk_spec *spec = at->r->spec;
  hk_error err;
  hk_category category = p->kind == HK_PARAM_LAW ? HK_LAW : HK_JOINT;
  if (hk_spec_find(spec, category, full)) {
    if (hk_item_text(item, p->name, full, &err)) report(at, doc, &err);
    return;
  }
  const char *best = NULL;
  for (int i = 0; i < spec->n[category]; i++) {
    const char *pair[2] = {spec->item[category][i]->name, best};
    const char *near = hk_nearest_name(full, pair, best ? 2 : 1);
    if (near) best = near;
  }
  char hint[300];
  hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s: there is no %s '%s'%s", p->name,
              at->owner, hk_category_name(category), name,
              hk_mf_did_you_mean(best, hint, sizeof hint));
}

static void set_name(const hk_mf_at *at, hk_item *item, const hk_param *p, const hk_doc *doc) {
  hk_error err;
  const char *full, *name = NULL;
  if (p->kind == HK_PARAM_FRAME) {
    full = hk_mf_frame(at, doc, p->name);
  } else {
    if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, p->name, "a name")) return;
    name = hk_mf_indexed_name(at, doc, doc->text);
    full = name ? hk_mf_full_name(at, name) : NULL;
  }
  if (!full || hk_mf_is_broken(at->r, full)) return;
  if (p->kind == HK_PARAM_JOINT || p->kind == HK_PARAM_LAW) {
    set_item_name(at, item, p, doc, name, full);
    return;
  }
  if (p->kind == HK_PARAM_CHANNEL) full = hk_mf_current_channel(at->r, doc, full);
  if (hk_item_text(item, p->name, full, &err)) {
    report(at, doc, &err);
  }
}

/* Returns true if one of the words up to `end` is an index of the repetition. */
static bool has_index(const hk_mf_at *at, const char *s, const char *end) {
  while (s < end) {
    const char *word = s;
    while (s < end && (isalnum((unsigned char)*s) || *s == '_')) s++;
    size_t n = (size_t)(s - word);
    for (const hk_mf_index *i = at->index; n && i; i = i->next)
      if (strlen(i->name) == n && memcmp(i->name, word, n) == 0) return true;
    if (!n) s++;
  }
  return false;
}

/* Text of a value in a repeated item, in which names may contain indices: `column[i]`. Brackets that contain no index
 * of the repetition are part of the text, for example of the name of a file. NULL: an error was reported. */
static const char *indexed_text(const hk_mf_at *at, const hk_doc *doc) {
  const char *text = doc->text, *kept = text;
  char *out = NULL;
  for (const char *open = strchr(text, '['); open; open = strchr(open + 1, '[')) {
    const char *close = strchr(open, ']');
    long value;
    if (!close || !has_index(at, open + 1, close)) continue;
    if (!hk_mf_integer_text(at, doc, (int)(open + 1 - text), open + 1, (size_t)(close - open - 1),
                            "index", &value))
      return NULL;
    out = hk_arena_printf(&at->r->arena, "%s%.*s%ld", out ? out : "", (int)(open + 1 - kept), kept,
                          value);
    if (!out) {
      hk_mf_no_memory(at->r);
      return NULL;
    }
    kept = close;
  }
  if (!out) return text;
  out = hk_arena_printf(&at->r->arena, "%s%s", out, kept);
  if (!out) hk_mf_no_memory(at->r);
  return out;
}

static void set_text(const hk_mf_at *at, hk_item *item, const hk_param *p, const hk_doc *doc,
                     hk_error *err) {
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, p->name, "a text")) return;
  const char *text = p->kind == HK_PARAM_STRING ? indexed_text(at, doc) : doc->text;
  const hk_renamed current =
      p->kind == HK_PARAM_ENUM ? hk_renamed_choice(item->type, p->name, text) : (hk_renamed){0};
  if (current.new_name) hk_mf_former_value(at->r, doc, current.new_name, current.note);
  if (text) hk_item_text(item, p->name, text, err);
}

static void set_expr(const hk_mf_at *at, hk_item *item, const hk_param *p, int index, int component,
                     const hk_doc *doc) {
  hk_expr *e = hk_mf_expression(at, doc, p->name);
  hk_error err;
  if (e && hk_item_set_expr(item, index, component, e, &err)) report(at, doc, &err);
}

static void set_expr3(const hk_mf_at *at, hk_item *item, const hk_param *p, int index,
                      const hk_doc *doc) {
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, p->name, "a list of three expressions")) return;
  if (doc->n != 3) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
                "%s of %s must be a list of three expressions, got %d", p->name, at->owner, doc->n);
    return;
  }
  int i = 0;
  for (const hk_doc *c = doc->first; c; c = c->next) set_expr(at, item, p, index, i++, c);
}

static void set_terms(const hk_mf_at *at, hk_item *item, const hk_param *p, int index,
                      const hk_doc *doc) {
  if (!hk_mf_expect(at, doc, HK_DOC_MAP, p->name, "a map from coordinates to factors")) return;
  hk_item_clear_terms(item, index);
  for (const hk_doc *c = doc->first; c; c = c->next) {
    const char *name = hk_mf_indexed_name(at, c, c->key);
    const char *full = name ? hk_mf_full_name(at, name) : NULL;
    hk_mf_number number;
    hk_error err;
    if (!full || !hk_mf_constant(at, c, p->name, &number)) continue;
    if (hk_item_term(item, p->name, full, number.value, &err)) {
      report(at, c, &err);
      return;
    }
    hk_terms *terms = (hk_terms *)((char *)item->data + p->offset);
    hk_term *term = &terms->term[terms->n - 1];
    term->place = hk_mf_keep_place(at->r, c->key_place);
    term->dim = number.dim;
    term->has_dim = true;
  }
}

/* Reads one value of a point; all values in a column must have the same dimension, except that a
 * plain 0 fits any dimension. */
static bool point_number(const hk_mf_at *at, const hk_doc *doc, const char *what, bool *known,
                         hk_dim *dim, double *value) {
  hk_mf_number number;
  char left[128], right[128];
  if (!hk_mf_constant(at, doc, what, &number)) return false;
  *value = number.value;
  if (number.zero) return true;
  if (*known && !hk_dim_equal(*dim, number.dim)) {
    hk_dim_format(*dim, left, sizeof left);
    hk_dim_format(number.dim, right, sizeof right);
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s: the points before are in %s, not %s",
                what, at->owner, left, right);
    return false;
  }
  *known = true;
  *dim = number.dim;
  return true;
}

/* [[0 s, 0 mm], [1 s, 5 mm], ...] */
static void set_points(const hk_mf_at *at, hk_item *item, const hk_param *p, int index,
                       const hk_doc *doc) {
  static const char what[] = "a list of points such as [[0 s, 0 mm], [1 s, 5 mm]]";
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, p->name, what)) return;
  double *x = HK_NEW_ARRAY(&at->r->arena, double, doc->n + 1);
  double *y = HK_NEW_ARRAY(&at->r->arena, double, doc->n + 1);
  hk_points points = {0, x, y, {{0}}, {{0}}};
  bool known_x = false, known_y = false;
  hk_error err;
  if (!x || !y) {
    hk_mf_no_memory(at->r);
    return;
  }
  for (const hk_doc *row = doc->first; row; row = row->next, points.n++) {
    int i = points.n;
    if (row->kind != HK_DOC_LIST || row->n != 2) {
      hk_diag_add(at->r->diag, HK_ERROR, &row->place, "%s of %s must be %s", p->name, at->owner,
                  what);
      return;
    }
    if (!point_number(at, row->first, "x", &known_x, &points.x_dim, &x[i]) ||
        !point_number(at, row->first->next, "y", &known_y, &points.y_dim, &y[i]))
      return;
    if (i && !(x[i] > x[i - 1])) {
      hk_diag_add(at->r->diag, HK_ERROR, &row->place,
                  "%s of %s: x must ascend, but %g follows %g (in SI units)", p->name, at->owner,
                  x[i], x[i - 1]);
      return;
    }
  }
  if (points.n < 2)
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s: a table needs at least two points",
                p->name, at->owner);
  else if (hk_item_set_points(item, index, &points, &err))
    report(at, doc, &err);
}

void hk_mf_set_param(const hk_mf_at *at, hk_item *item, int index, const hk_doc *doc) {
  const hk_param *p = hk_type_param(item->type, index);
  hk_error err = {0};
  hk_vec3 v;
  hk_quat q;
  long i;
  item->param_place[index] = hk_mf_keep_place(at->r, doc->place);
  switch (p->kind) {
    case HK_PARAM_REAL:
      set_real(at, item, p, index, doc);
      break;
    case HK_PARAM_INT:
      if (hk_mf_integer(at, doc, p->name, &i)) hk_item_int(item, p->name, i, &err);
      break;
    case HK_PARAM_BOOL:
      set_bool(at, item, p, doc);
      break;
    case HK_PARAM_ENUM:
    case HK_PARAM_STRING:
    case HK_PARAM_STEPPER:
      set_text(at, item, p, doc, &err);
      break;
    case HK_PARAM_VEC3:
      if (hk_mf_vector(at, doc, p->name, p->unit, &v)) hk_item_vec3(item, p->name, v, &err);
      break;
    case HK_PARAM_DIRECTION:
      if (hk_mf_direction(at, doc, p->name, &v)) hk_item_vec3(item, p->name, v, &err);
      break;
    case HK_PARAM_ROTATION:
      if (hk_mf_rotation(at, doc, p->name, &q)) hk_item_rotation(item, p->name, q, &err);
      break;
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      set_reals(at, item, p, doc);
      break;
    case HK_PARAM_FRAME:
    case HK_PARAM_JOINT:
    case HK_PARAM_LAW:
    case HK_PARAM_COORDINATE:
    case HK_PARAM_CHANNEL:
      set_name(at, item, p, doc);
      break;
    case HK_PARAM_EXPR:
      set_expr(at, item, p, index, 0, doc);
      break;
    case HK_PARAM_EXPR3:
      set_expr3(at, item, p, index, doc);
      break;
    case HK_PARAM_POINTS:
      set_points(at, item, p, index, doc);
      break;
    case HK_PARAM_TERMS:
      set_terms(at, item, p, index, doc);
      break;
  }
  if (err.code) report(at, doc, &err);
}
