/* Setters of item parameters by name, driven by the parameter tables: see hooke/spec.h. */
#include "spec/item.h"
#include "spec/own_name.h"
#include "spec/registry.h"
#include "spec/renamed.h"
#include "spec/signal.h"
#include "spec/stepper_keys.h"
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 1000 };

static void *field(const hk_item *item, const hk_param *p) {
  return (char *)item->data + p->offset;
}

static void mark_given(hk_item *item, int index) { item->param_state[index] |= HK_PARAM_GIVEN; }

bool hk_item_has(const hk_item *item, const char *param) {
  return item && param && hk_item_given(item, hk_type_param_find(item->type, param));
}

void hk_item_forget(hk_item *item, const char *param) {
  int i = hk_type_param_find(item->type, param);
  if (i >= 0) item->param_state[i] &= (unsigned char)~HK_PARAM_GIVEN;
}

/* Rejects changes of a table that an expression already uses: expressions keep the curve that the
 * table had when they were compiled, so the change would have no effect. */
static hk_status refuse_used_table(const hk_item *item, hk_error *err) {
  if (item->type->category != HK_TABLE || !((const hk_table_params *)item->data)->table)
    return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "table '%s' is already used by an expression with its present points; set the "
                 "points before the expression, or read the model again",
                 item->name);
}

/* Finds a parameter by name, if its kind is one of the n given kinds. */
static const hk_param *lookup(const hk_item *item, const char *name, const hk_param_kind *kinds,
                              int n, int *index, hk_error *err) {
  char label[300];
  if (!item) {
    hk_fail(err, HK_EINPUT, "'%s' cannot be set: the item is NULL, because hk_spec_add has failed",
            name ? name : "");
    return NULL;
  }
  hk_item_label(item, label, sizeof label);
  *index = name ? hk_type_param_find(item->type, name) : -1;
  if (*index < 0) {
    char other[600];
    if (name && hk_stepper_whose(item, name, other, sizeof other)) {
      hk_fail(err, HK_EINPUT, "%s", other);
      return NULL;
    }
    const char *near = name ? hk_nearest_key(item->type, item, name, NULL, 0) : NULL;
    hk_fail(err, HK_EINPUT, "unknown parameter '%s' of %s%s%s%s", name ? name : "", label,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
  }
  const hk_param *p = hk_type_param(item->type, *index);
  if (refuse_used_table(item, err)) return NULL;
  for (int i = 0; i < n; i++)
    if (p->kind == kinds[i]) return p;
  static const char *const word[] = {[HK_PARAM_REAL] = "a number",
                                     [HK_PARAM_INT] = "a whole number",
                                     [HK_PARAM_BOOL] = "true or false",
                                     [HK_PARAM_ENUM] = "one of its choices",
                                     [HK_PARAM_STRING] = "a text",
                                     [HK_PARAM_VEC3] = "three numbers",
                                     [HK_PARAM_DIRECTION] = "a direction",
                                     [HK_PARAM_ROTATION] = "a rotation",
                                     [HK_PARAM_INERTIA] = "3 or 6 moments",
                                     [HK_PARAM_REALS] = "a list of numbers",
                                     [HK_PARAM_FRAME] = "a frame",
                                     [HK_PARAM_JOINT] = "a joint",
                                     [HK_PARAM_LAW] = "a law",
                                     [HK_PARAM_COORDINATE] = "a coordinate",
                                     [HK_PARAM_CHANNEL] = "a channel",
                                     [HK_PARAM_EXPR] = "an expression",
                                     [HK_PARAM_EXPR3] = "three expressions",
                                     [HK_PARAM_TERMS] = "a map of coordinates",
                                     [HK_PARAM_STEPPER] = "a stepper",
                                     [HK_PARAM_POINTS] = "a list of points"};
  hk_fail(err, HK_EINPUT, "%s of %s must be %s", p->name, label, word[p->kind]);
  return NULL;
}

#define LOOKUP(...)                                                                 \
  static const hk_param_kind kinds[] = {__VA_ARGS__};                               \
  int index;                                                                        \
  const hk_param *p =                                                               \
      lookup(item, param, kinds, (int)(sizeof kinds / sizeof *kinds), &index, err); \
  if (!p) return HK_EINPUT

/* Sets a key of the stepper: makes the same call for the item that stores the keys of the
 * stepper. */
#define HOSTED(set)                                                                         \
  if (item && hk_stepper_takes(item, param)) {                                              \
    hk_status status = HK_OK;                                                               \
    hk_item *host;                                                                          \
    for (int i = 0; !status && (host = hk_stepper_host(item, param, i, &status, err)); i++) \
      status = set;                                                                         \
    return status;                                                                          \
  }

static hk_status set_reals(hk_item *item, const char *param, const double *value, int n,
                           hk_error *err);
static hk_status set_expression(hk_item *item, const char *param, int component, const char *text,
                                hk_error *err);

static hk_status out_of_range(const hk_item *item, const hk_param *p, double value, hk_error *err) {
  char label[300], must[120];
  const char *unit = p->unit && strcmp(p->unit, "1") != 0 ? p->unit : "";
  const char *blank = *unit ? " " : "";
  hk_item_label(item, label, sizeof label);
  bool above = p->min > -DBL_MAX, below = p->max < DBL_MAX;
  if (!isfinite(value)) {
    snprintf(must, sizeof must, "be finite");
  } else if (p->flags & HK_POSITIVE && value <= 0) {
    snprintf(must, sizeof must, "be > 0");
  } else if (p->flags & HK_POSITIVE) {
    snprintf(must, sizeof must, "be <= %g%s%s", p->max, blank, unit);
  } else if (above && below) {
    snprintf(must, sizeof must, "be between %g and %g%s%s", p->min, p->max, blank, unit);
  } else {
    snprintf(must, sizeof must, "be %s %g%s%s", above ? ">=" : "<=", above ? p->min : p->max, blank,
             unit);
  }
  return hk_fail(err, HK_EINPUT, "%s of %s must %s, got %g%s%s", p->name, label, must, value, blank,
                 unit);
}

static hk_status check_range(const hk_item *item, const hk_param *p, double value, hk_error *err) {
  bool limited = p->min != 0 || p->max != 0;
  bool ok = isfinite(value);
  if (p->flags & HK_POSITIVE) {
    ok = ok && value > 0 && (!(p->max > 0) || value <= p->max);
  } else if (limited) {
    ok = ok && value >= p->min && value <= p->max;
  }
  return ok ? HK_OK : out_of_range(item, p, value, err);
}

static hk_status check_all(const hk_item *item, const hk_param *p, const double *v, int n,
                           hk_error *err) {
  for (int i = 0; i < n; i++) {
    hk_status status = check_range(item, p, v[i], err);
    if (status) return status;
  }
  return HK_OK;
}

hk_status hk_item_set_expr(hk_item *item, int index, int component, hk_expr *e, hk_error *err) {
  const hk_param *p = hk_type_param(item->type, index);
  int n = p->kind == HK_PARAM_EXPR3 ? 3 : 1;
  if (component < 0 || component >= n)
    return hk_fail(err, HK_EINPUT, "%s has no component %d", p->name, component);
  hk_status status = hk_item_check_dim(item, index, hk_expr_dim(e), hk_expr_is_plain_zero(e), err);
  if (!status && hk_expr_is_constant(e)) status = check_range(item, p, hk_expr_value(e, NULL), err);
  if (status) return status;
  ((hk_expr **)field(item, p))[component] = e;
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_constant_expr(hk_item *item, int index, int component, double value,
                                   hk_error *err) {
  hk_dim dim;
  hk_param_dim(hk_type_param(item->type, index), &dim);
  hk_expr *e = hk_expr_constant(&item->spec->arena, value, dim);
  if (!e) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_item_set_expr(item, index, component, e, err);
  /* A value given in C is in SI units, whether the coordinate is a length or an angle. */
  item->param_state[index] &= (unsigned char)~HK_PARAM_LINEAR;
  return status;
}

static hk_status set_real(hk_item *item, const char *param, double value, hk_error *err) {
  HOSTED(set_real(host, param, value, err))
  LOOKUP(HK_PARAM_REAL, HK_PARAM_EXPR);
  if (p->kind == HK_PARAM_EXPR) return set_constant_expr(item, index, 0, value, err);
  hk_status status = check_range(item, p, value, err);
  if (status) return status;
  *(double *)field(item, p) = value;
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_int(hk_item *item, const char *param, long value, hk_error *err) {
  HOSTED(set_int(host, param, value, err))
  LOOKUP(HK_PARAM_INT, HK_PARAM_REAL, HK_PARAM_EXPR);
  if (p->kind != HK_PARAM_INT) return set_real(item, param, (double)value, err);
  if (value < INT_MIN || value > INT_MAX) return out_of_range(item, p, (double)value, err);
  hk_status status = check_range(item, p, (double)value, err);
  if (status) return status;
  *(int *)field(item, p) = (int)value;
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_bool(hk_item *item, const char *param, bool value, hk_error *err) {
  HOSTED(set_bool(host, param, value, err))
  LOOKUP(HK_PARAM_BOOL);
  *(bool *)field(item, p) = value;
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_direction(hk_item *item, const hk_param *p, int index, hk_vec3 v,
                               hk_error *err) {
  char label[300];
  double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
  if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z) || largest == 0) {
    hk_item_label(item, label, sizeof label);
    return hk_fail(err, HK_EINPUT, "%s of %s must be a direction, got [%g, %g, %g]", p->name, label,
                   v.x, v.y, v.z);
  }
  /* Components are scaled first, so that the norm of very small or very large ones neither
   * becomes 0 nor overflows. */
  *(hk_vec3 *)field(item, p) = hk_unit3(hk_v3(v.x / largest, v.y / largest, v.z / largest));
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_vec3(hk_item *item, const char *param, hk_vec3 value, hk_error *err) {
  LOOKUP(HK_PARAM_VEC3, HK_PARAM_DIRECTION, HK_PARAM_EXPR3, HK_PARAM_REALS, HK_PARAM_INERTIA);
  double v[3] = {value.x, value.y, value.z};
  hk_status status = HK_OK;
  switch (p->kind) {
    case HK_PARAM_DIRECTION:
      return set_direction(item, p, index, value, err);
    case HK_PARAM_EXPR3:
      for (int i = 0; i < 3 && !status; i++) status = set_constant_expr(item, index, i, v[i], err);
      return status;
    case HK_PARAM_VEC3:
      status = check_all(item, p, v, 3, err);
      if (status) return status;
      *(hk_vec3 *)field(item, p) = value;
      mark_given(item, index);
      return HK_OK;
    default:
      return set_reals(item, param, v, 3, err);
  }
}

static hk_status set_rotation(hk_item *item, const char *param, hk_quat value, hk_error *err) {
  LOOKUP(HK_PARAM_ROTATION);
  double n = value.w * value.w + value.x * value.x + value.y * value.y + value.z * value.z;
  if (!isfinite(n) || !(n > 1e-200)) {
    char label[300];
    hk_item_label(item, label, sizeof label);
    return hk_fail(err, HK_EINPUT, "%s of %s is not a rotation: [%g, %g, %g, %g]", p->name, label,
                   value.w, value.x, value.y, value.z);
  }
  *(hk_quat *)field(item, p) = hk_quat_normalize(value);
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_reals(hk_item *item, const char *param, const double *value, int n,
                           hk_error *err) {
  LOOKUP(HK_PARAM_REALS, HK_PARAM_INERTIA, HK_PARAM_VEC3, HK_PARAM_DIRECTION, HK_PARAM_EXPR3);
  char label[300];
  if (!value && n > 0) return hk_fail(err, HK_EINPUT, "%s: the array of numbers is NULL", param);
  hk_item_label(item, label, sizeof label);
  bool vector = p->kind != HK_PARAM_REALS && p->kind != HK_PARAM_INERTIA;
  int count = p->kind == HK_PARAM_INERTIA ? 6 : vector ? 3 : p->count;
  bool diagonal = p->kind == HK_PARAM_REALS && count == 36 && n == 6;
  bool principal = p->kind == HK_PARAM_INERTIA && n == 3;
  bool shorter = p->flags & HK_UP_TO && n < count;
  if (n != count && !diagonal && !principal && !shorter)
    return hk_fail(err, HK_EINPUT, "%s of %s takes %s%d numbers, got %d", p->name, label,
                   p->kind == HK_PARAM_INERTIA ? "3 or "
                   : p->flags & HK_UP_TO       ? "up to "
                   : count == 36               ? "6 or "
                                               : "",
                   count, n);
  if (vector) return set_vec3(item, param, hk_v3(value[0], value[1], value[2]), err);
  /* Products of inertia, and the coupling terms of a matrix, may have any sign. */
  int checked = p->kind == HK_PARAM_INERTIA ? 3 : n;
  hk_status status = check_all(item, p, value, checked, err);
  if (status) return status;
  for (int i = checked; i < n; i++)
    if (!isfinite(value[i])) return out_of_range(item, p, value[i], err);
  double *out = field(item, p);
  memset(out, 0, (size_t)count * sizeof *out);
  for (int i = 0; i < n; i++) out[diagonal ? 7 * i : i] = value[i];
  if (p->flags & HK_COUNTED) out[count] = n;
  mark_given(item, index);
  return HK_OK;
}

/* Index of `value` among n names; -1: unknown, with an error that lists the names. */
static int choose(const hk_item *item, const hk_param *p, const char *value,
                  const char *const *name, int n, hk_error *err) {
  for (int i = 0; i < n; i++)
    if (strcmp(name[i], value) == 0) return i;
  char label[300], list[400] = "";
  size_t used = 0;
  hk_item_label(item, label, sizeof label);
  for (int i = 0; i < n && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", name[i]);
  const char *near = hk_nearest_name(value, name, n);
  if (near)
    hk_fail(err, HK_EINPUT, "%s of %s cannot be '%.200s'; did you mean '%s'?", p->name, label,
            value, near);
  else
    hk_fail(err, HK_EINPUT, "%s of %s cannot be '%.200s'; it is one of %s", p->name, label, value,
            list);
  return -1;
}

static hk_status set_choice(hk_item *item, const hk_param *p, int index, const char *value,
                            hk_error *err) {
  int n = 0;
  while (p->choices[n]) n++;
  const char *current = hk_renamed_choice(item->type, p->name, value).new_name;
  for (int i = 0; i < n; i++)
    if (strcmp(p->choices[i], value) == 0) current = NULL;
  int choice = choose(item, p, current ? current : value, p->choices, n, err);
  if (choice < 0) return HK_EINPUT;
  *(int *)field(item, p) = choice;
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_stepper(hk_item *item, const hk_param *p, int index, const char *value,
                             hk_error *err) {
  const hk_registry *types = item->spec->registry;
  const int n = 1 + hk_registry_count(types, HK_STEPPER);
  const char **name = malloc((size_t)n * sizeof *name);
  if (!name) return hk_fail(err, HK_ENOMEM, "out of memory");
  name[0] = "auto";
  for (int i = 1; i < n; i++) name[i] = hk_registry_at(types, HK_STEPPER, i - 1)->name;
  int choice = choose(item, p, value, name, n, err);
  if (choice >= 0) {
    *(const char **)field(item, p) = name[choice];
    mark_given(item, index);
  }
  free(name);
  return choice < 0 ? HK_EINPUT : HK_OK;
}

static hk_status set_text(hk_item *item, const char *param, const char *value, hk_error *err) {
  HOSTED(set_text(host, param, value, err))
  LOOKUP(HK_PARAM_ENUM, HK_PARAM_STRING, HK_PARAM_FRAME, HK_PARAM_JOINT, HK_PARAM_LAW,
         HK_PARAM_COORDINATE, HK_PARAM_CHANNEL, HK_PARAM_EXPR, HK_PARAM_STEPPER);
  if (!value) return hk_fail(err, HK_EINPUT, "%s is NULL", p->name);
  if (p->kind == HK_PARAM_EXPR) return set_expression(item, param, 0, value, err);
  if (p->kind == HK_PARAM_ENUM) return set_choice(item, p, index, value, err);
  if (p->kind == HK_PARAM_STEPPER) return set_stepper(item, p, index, value, err);
  char *copy = hk_arena_strdup(&item->spec->arena, value);
  if (!copy) return hk_fail(err, HK_ENOMEM, "out of memory");
  *(const char **)field(item, p) = copy;
  mark_given(item, index);
  return HK_OK;
}

hk_status hk_item_set_points(hk_item *item, int index, const hk_points *points, hk_error *err) {
  hk_arena *arena = &item->spec->arena;
  if (refuse_used_table(item, err)) return HK_EINPUT;
  double *x = HK_NEW_ARRAY(arena, double, points->n + 1);
  double *y = HK_NEW_ARRAY(arena, double, points->n + 1);
  if (!x || !y) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (points->n) {
    memcpy(x, points->x, (size_t)points->n * sizeof *x);
    memcpy(y, points->y, (size_t)points->n * sizeof *y);
  }
  *(hk_points *)field(item, hk_type_param(item->type, index)) =
      (hk_points){points->n, x, y, points->x_dim, points->y_dim};
  mark_given(item, index);
  return HK_OK;
}

static hk_status set_points(hk_item *item, const char *param, const double *x, const double *y,
                            int n, const char *x_unit, const char *y_unit, hk_error *err) {
  LOOKUP(HK_PARAM_POINTS);
  hk_unit ux = {0}, uy = {0};
  if (n < 1 || !x || !y) return hk_fail(err, HK_EINPUT, "%s needs points", p->name);
  if ((x_unit && hk_unit_parse(x_unit, strlen(x_unit), &ux, err)) ||
      (y_unit && hk_unit_parse(y_unit, strlen(y_unit), &uy, err)))
    return HK_EINPUT;
  return hk_item_set_points(item, index, &(hk_points){n, x, y, ux.dim, uy.dim}, err);
}

static hk_symbol resolve_channel(void *context, const char *name, char *hint) {
  const hk_item *item = context;
  hk_symbol symbol = {.kind = HK_SYMBOL_VARIABLE};
  symbol.slot = hk_item_own_variable(item, name, &symbol.dim);
  if (symbol.slot >= 0) return symbol;
  if (hk_spec_find(item->spec, HK_TABLE, name)) {
    hk_error err = {0};
    const hk_curve *table = hk_spec_table(item->spec, name, &err);
    if (table) return (hk_symbol){.kind = HK_SYMBOL_TABLE, .table = table};
    snprintf(hint, 256, "%.250s", err.text);
    return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
  }
  symbol.slot = hk_spec_variable(item->spec, name, &symbol.dim, hint);
  if (symbol.slot < 0) symbol.kind = HK_SYMBOL_UNKNOWN;
  return symbol;
}

static hk_status set_expression(hk_item *item, const char *param, int component, const char *text,
                                hk_error *err) {
  LOOKUP(HK_PARAM_EXPR, HK_PARAM_EXPR3);
  if (!text) return hk_fail(err, HK_EINPUT, "%s is NULL", p->name);
  hk_expr_error trouble;
  hk_expr *e =
      hk_expr_compile(&item->spec->arena, text, strlen(text), resolve_channel, item, &trouble);
  if (!e) {
    char label[300];
    hk_item_label(item, label, sizeof label);
    return hk_fail(err, HK_EINPUT, "%s of %s, column %d: %s", p->name, label, trouble.column + 1,
                   trouble.text);
  }
  return hk_item_set_expr(item, index, component, e, err);
}

void hk_item_clear_terms(hk_item *item, int index) {
  const hk_param *p = hk_type_param(item->type, index);
  *(hk_terms *)field(item, p) = (hk_terms){0};
  item->param_state[index] &= (unsigned char)~HK_PARAM_GIVEN;
}

static hk_status set_term(hk_item *item, const char *param, const char *coordinate, double factor,
                          hk_error *err) {
  LOOKUP(HK_PARAM_TERMS);
  char label[300];
  hk_item_label(item, label, sizeof label);
  if (!coordinate || !*coordinate)
    return hk_fail(err, HK_EINPUT, "%s of %s: a coordinate is missing", p->name, label);
  hk_status status = check_range(item, p, factor, err);
  if (status) return status;
  if (!hk_item_given(item, index)) hk_item_clear_terms(item, index);
  hk_terms *terms = field(item, p);
  if (terms->n == MAX_TERMS)
    return hk_fail(err, HK_EINPUT, "%s of %s has more than %d terms", p->name, label, MAX_TERMS);
  for (int i = 0; i < terms->n; i++)
    if (strcmp(terms->term[i].coordinate, coordinate) == 0)
      return hk_fail(err, HK_EINPUT, "%s of %s contains '%s' twice", p->name, label, coordinate);
  /* The array grows if its length is a power of two. */
  if ((terms->n & (terms->n - 1)) == 0) {
    hk_term *grown = HK_NEW_ARRAY(&item->spec->arena, hk_term, terms->n ? 2 * terms->n : 1);
    if (!grown) return hk_fail(err, HK_ENOMEM, "out of memory");
    if (terms->n) memcpy(grown, terms->term, (size_t)terms->n * sizeof *grown);
    terms->term = grown;
  }
  char *copy = hk_arena_strdup(&item->spec->arena, coordinate);
  if (!copy) return hk_fail(err, HK_ENOMEM, "out of memory");
  terms->term[terms->n++] = (hk_term){.coordinate = copy, .factor = factor};
  mark_given(item, index);
  return HK_OK;
}

/* ---- setters: errors without an `err` are kept by the spec ---- */

#define KEEPING(call)                         \
  hk_error own = {0}, *to = err ? err : &own; \
  return hk_spec_note(item ? item->spec : NULL, err, call, &own)

hk_status hk_item_real(hk_item *item, const char *param, double value, hk_error *err) {
  KEEPING(set_real(item, param, value, to));
}

hk_status hk_item_int(hk_item *item, const char *param, long value, hk_error *err) {
  KEEPING(set_int(item, param, value, to));
}

hk_status hk_item_bool(hk_item *item, const char *param, bool value, hk_error *err) {
  KEEPING(set_bool(item, param, value, to));
}

hk_status hk_item_vec3(hk_item *item, const char *param, hk_vec3 value, hk_error *err) {
  KEEPING(set_vec3(item, param, value, to));
}

hk_status hk_item_rotation(hk_item *item, const char *param, hk_quat value, hk_error *err) {
  KEEPING(set_rotation(item, param, value, to));
}

hk_status hk_item_reals(hk_item *item, const char *param, const double *value, int n,
                        hk_error *err) {
  KEEPING(set_reals(item, param, value, n, to));
}

hk_status hk_item_text(hk_item *item, const char *param, const char *value, hk_error *err) {
  KEEPING(set_text(item, param, value, to));
}

hk_status hk_item_points(hk_item *item, const char *param, const double *x, const double *y, int n,
                         const char *x_unit, const char *y_unit, hk_error *err) {
  KEEPING(set_points(item, param, x, y, n, x_unit, y_unit, to));
}

hk_status hk_item_expression(hk_item *item, const char *param, int component, const char *text,
                             hk_error *err) {
  KEEPING(set_expression(item, param, component, text, to));
}

hk_status hk_item_term(hk_item *item, const char *param, const char *coordinate, double factor,
                       hk_error *err) {
  KEEPING(set_term(item, param, coordinate, factor, to));
}
