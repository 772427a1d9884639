/* Reading back parameters of items: see hooke/spec.h. */
#include "base/number.h"
#include "spec/item.h"
#include "spec/stepper_keys.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hk_item_name(const hk_item *item) { return item ? item->name : ""; }
const char *hk_item_type_name(const hk_item *item) { return item ? item->type->name : ""; }
hk_category hk_item_category(const hk_item *item) {
  return item ? item->type->category : HK_N_CATEGORIES;
}
const hk_type *hk_item_type(const hk_item *item) { return item ? item->type : NULL; }
const void *hk_item_data(const hk_item *item) { return item ? item->data : NULL; }
void *hk_item_edit(hk_item *item) { return item ? item->data : NULL; }
bool hk_item_given(const hk_item *item, int index) {
  return item && index >= 0 && (item->param_state[index] & HK_PARAM_GIVEN);
}
hk_spec *hk_item_spec(const hk_item *item) { return item ? item->spec : NULL; }
const hk_item *hk_item_made_by(const hk_item *item) { return item ? item->made_by : NULL; }

/* Finds the item that holds the parameter: the keys of a stepper are set on the analysis and stored
 * in separate items. */
static const hk_item *holder_of(const hk_item *item, const char *param, const hk_param **p) {
  if (!item || !param) return NULL;
  if (hk_stepper_takes(item, param)) {
    const hk_spec *spec = item->spec;
    for (int i = 0; i < spec->n[HK_STEPPER]; i++) {
      const hk_item *keys = spec->item[HK_STEPPER][i];
      int k = hk_type_param_find(keys->type, param);
      if (k < 0 || !hk_item_given(keys, k)) continue;
      *p = hk_type_param(keys->type, k);
      return keys;
    }
    return NULL;
  }
  *p = hk_type_param(item->type, hk_type_param_find(item->type, param));
  return *p ? item : NULL;
}

/* ---- numbers ---- */

static int count_of(const hk_param *p, const void *at) {
  switch (p->kind) {
    case HK_PARAM_REAL:
    case HK_PARAM_INT:
    case HK_PARAM_BOOL:
    case HK_PARAM_ENUM:
    case HK_PARAM_EXPR:
      return 1;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
    case HK_PARAM_EXPR3:
      return 3;
    case HK_PARAM_ROTATION:
      return 4;
    case HK_PARAM_INERTIA:
      return 6;
    case HK_PARAM_REALS:
      return p->flags & HK_COUNTED ? (int)((const double *)at)[p->count] : p->count;
    default:
      return -1;
  }
}

/* Reads value i of a parameter; false: the parameter is an expression of time or channels. */
static bool number_at(const hk_param *p, const void *at, int i, double *x) {
  const hk_expr *const *e = at;
  switch (p->kind) {
    case HK_PARAM_INT:
    case HK_PARAM_ENUM:
      *x = *(const int *)at;
      return true;
    case HK_PARAM_BOOL:
      *x = *(const bool *)at;
      return true;
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      if (!e[i] || !hk_expr_is_constant(e[i])) return false;
      *x = hk_expr_value(e[i], NULL);
      return true;
    default: /* vectors and rotations are consecutive doubles */
      *x = ((const double *)at)[i];
      return true;
  }
}

int hk_item_get_reals(const hk_item *item, const char *param, double *out, int capacity) {
  const hk_param *p;
  const hk_item *holder = holder_of(item, param, &p);
  if (!holder) return -1;
  const void *at = (const char *)holder->data + p->offset;
  int n = count_of(p, at);
  for (int i = 0; i < n; i++) {
    double x;
    if (!number_at(p, at, i, &x)) return -1;
    if (out && i < capacity) out[i] = x;
  }
  return n;
}

/* ---- text ---- */

/* Text that is built piece by piece in a buffer that may be too small. */
typedef struct writer {
  char *buf;
  size_t size, length;
} writer;

static void put(writer *w, const char *text) {
  size_t n = strlen(text);
  if (w->length < w->size) snprintf(w->buf + w->length, w->size - w->length, "%s", text);
  w->length += n;
}

static void put_number(writer *w, double x, const hk_dim *dim) {
  char text[200];
  hk_quantity_format(x, *dim, text, sizeof text);
  put(w, text);
}

/* Dimension of a value; for a parameter with two units, the dimension in which it was given. */
static hk_dim dim_of(const hk_item *item, const hk_param *p, int index) {
  hk_dim dim = {{0}};
  const int state = item->param_state[index];
  if (p->angular_unit && state & HK_PARAM_ANGULAR) {
    hk_param_angular_dim(p, &dim);
  } else if (!p->angular_unit || state & HK_PARAM_LINEAR) {
    hk_param_dim(p, &dim);
  }
  return dim;
}

static void put_expr(writer *w, const hk_expr *e) { put(w, e ? hk_expr_text(e) : ""); }

static void put_list(writer *w, const hk_param *p, const void *at, const hk_dim *dim) {
  int n = count_of(p, at);
  put(w, "[");
  for (int i = 0; i < n; i++) {
    if (i) put(w, ", ");
    if (p->kind == HK_PARAM_EXPR3)
      put_expr(w, ((const hk_expr *const *)at)[i]);
    else
      put_number(w, ((const double *)at)[i], dim);
  }
  put(w, "]");
}

static void put_terms(writer *w, const hk_terms *t) {
  const hk_dim none = {{0}};
  put(w, "{");
  for (int i = 0; i < t->n; i++) {
    if (i) put(w, ", ");
    put(w, t->term[i].coordinate);
    put(w, ": ");
    put_number(w, t->term[i].factor, t->term[i].has_dim ? &t->term[i].dim : &none);
  }
  put(w, "}");
}

static void put_points(writer *w, const hk_points *t) {
  put(w, "[");
  for (int i = 0; i < t->n; i++) {
    put(w, i ? ", [" : "[");
    put_number(w, t->x[i], &t->x_dim);
    put(w, ", ");
    put_number(w, t->y[i], &t->y_dim);
    put(w, "]");
  }
  put(w, "]");
}

static void put_value(writer *w, const hk_item *item, const hk_param *p, int index) {
  const void *at = (const char *)item->data + p->offset;
  hk_dim dim = dim_of(item, p, index);
  char text[32];
  switch (p->kind) {
    case HK_PARAM_REAL:
      put_number(w, *(const double *)at, &dim);
      return;
    case HK_PARAM_INT:
      snprintf(text, sizeof text, "%d", *(const int *)at);
      put(w, text);
      return;
    case HK_PARAM_BOOL:
      put(w, *(const bool *)at ? "true" : "false");
      return;
    case HK_PARAM_ENUM:
      put(w, p->choices[*(const int *)at]);
      return;
    case HK_PARAM_EXPR:
      put_expr(w, *(const hk_expr *const *)at);
      return;
    case HK_PARAM_ROTATION:
      put(w, "{quaternion: ");
      put_list(w, p, at, &dim);
      put(w, "}");
      return;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
    case HK_PARAM_EXPR3:
      put_list(w, p, at, &dim);
      return;
    case HK_PARAM_TERMS:
      put_terms(w, at);
      return;
    case HK_PARAM_POINTS:
      put_points(w, at);
      return;
    default: { /* a text or a name */
      const char *name = *(const char *const *)at;
      put(w, name ? name : "");
      return;
    }
  }
}

int hk_item_get(const hk_item *item, const char *param, char *buf, size_t size) {
  const hk_param *p;
  const hk_item *holder = holder_of(item, param, &p);
  writer w = {buf, size, 0};
  if (buf && size) buf[0] = '\0';
  if (!holder) return -1;
  put_value(&w, holder, p, hk_type_param_find(holder->type, param));
  return (int)w.length;
}
