/* Every parameter of every type: what is set by a call or written in a model file is what the type
 * finds in its struct, the rest keeps its defaults, and what does not fit is refused. */
#include "support/kind_size.h"
#include "support/subject.h"
#include "registry/builtin.h"

/* One drawn value, in the forms that a call and a file need. */
typedef struct value {
  double x[64];
  int n;
  char text[3][400];
  bool yes;
} value;

static int choices(const hk_param *p) {
  int n = 0;
  while (p->choices[n]) n++;
  return n;
}

static void draw_value(const hk_param *p, value *v) {
  memset(v, 0, sizeof *v);
  switch (p->kind) {
    case HK_PARAM_REAL:
      v->n = 1;
      break;
    case HK_PARAM_INT:
      v->n = 1;
      v->x[0] = floor(random_real(p));
      return;
    case HK_PARAM_BOOL:
      v->yes = pick(2);
      return;
    case HK_PARAM_ENUM:
      snprintf(v->text[0], sizeof v->text[0], "%s", p->choices[pick(choices(p))]);
      return;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      v->n = 3;
      break;
    case HK_PARAM_ROTATION:
      v->n = 4;
      break;
    case HK_PARAM_INERTIA:
      v->n = 6;
      for (int i = 0; i < 6; i++) v->x[i] = i < 3 ? uniform(1, 1.5) : uniform(-0.2, 0.2);
      return;
    case HK_PARAM_REALS:
      v->n = p->count;
      random_reals(v->x, p->count);
      return;
    case HK_PARAM_STRING:
      snprintf(v->text[0], sizeof v->text[0], "some text");
      return;
    case HK_PARAM_FRAME:
      snprintf(v->text[0], sizeof v->text[0], "%s", pick(2) ? "first.m" : "second");
      return;
    case HK_PARAM_JOINT:
      snprintf(v->text[0], sizeof v->text[0], "%s", pick(2) ? "hinge" : "arm");
      return;
    case HK_PARAM_LAW:
      snprintf(v->text[0], sizeof v->text[0], "law");
      return;
    case HK_PARAM_STEPPER:
      snprintf(v->text[0], sizeof v->text[0], "%s",
               hk_registry_at(hk_registry_builtin(), HK_STEPPER,
                              pick(hk_registry_count(hk_registry_builtin(), HK_STEPPER)))
                   ->name);
      return;
    case HK_PARAM_COORDINATE:
      snprintf(v->text[0], sizeof v->text[0], "%s", random_coordinate(true));
      return;
    case HK_PARAM_CHANNEL:
      snprintf(v->text[0], sizeof v->text[0], "%s", pick(2) ? "first.m.vx" : "hinge.angle");
      return;
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      v->n = p->kind == HK_PARAM_EXPR ? 1 : 3;
      for (int i = 0; i < v->n; i++) random_expression(p, false, v->text[i], sizeof v->text[i]);
      return;
    case HK_PARAM_POINTS:
      v->n = 4;
      for (int i = 0; i < 4; i++) v->x[i] = i + uniform(0, 0.5);
      return;
    case HK_PARAM_TERMS:
      v->n = 2;
      v->x[0] = uniform(0.5, 2), v->x[1] = uniform(-2, -0.5);
      return;
  }
  for (int i = 0; i < v->n; i++) v->x[i] = random_real(p);
}

static hk_status set_value(hk_item *item, const hk_param *p, const value *v, hk_error *err) {
  const double *x = v->x;
  hk_status status = HK_OK;
  switch (p->kind) {
    case HK_PARAM_REAL:
      return hk_item_real(item, p->name, x[0], err);
    case HK_PARAM_INT:
      return hk_item_int(item, p->name, (long)x[0], err);
    case HK_PARAM_BOOL:
      return hk_item_bool(item, p->name, v->yes, err);
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      return hk_item_vec3(item, p->name, hk_v3(x[0], x[1], x[2]), err);
    case HK_PARAM_ROTATION:
      return hk_item_rotation(item, p->name, (hk_quat){x[0], x[1], x[2], x[3]}, err);
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      return hk_item_reals(item, p->name, x, v->n, err);
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < v->n && !status; i++)
        status = hk_item_expression(item, p->name, i, v->text[i], err);
      return status;
    case HK_PARAM_POINTS:
      return hk_item_points(item, p->name, x, x + 2, 2, "s", "m", err);
    case HK_PARAM_TERMS:
      status = hk_item_term(item, p->name, "hinge.angle", x[0], err);
      return status ? status : hk_item_term(item, p->name, "wheel.angle", x[1], err);
    default:
      return hk_item_text(item, p->name, v->text[0], err);
  }
}

static bool same(double a, double b) { return fabs(a - b) <= 1e-15 * (1 + fabs(b)); }

static const void *field(const hk_item *item, const hk_param *p) {
  return (const char *)item->data + p->offset;
}

/* Does the struct hold the value? */
static bool holds(const hk_item *item, const hk_param *p, const value *v) {
  const void *at = field(item, p);
  const double *d = at;
  double scale = 1, variable[1] = {0.7};
  int n = v->n;
  switch (p->kind) {
    case HK_PARAM_INT:
      return *(const int *)at == (int)v->x[0];
    case HK_PARAM_BOOL:
      return *(const bool *)at == v->yes;
    case HK_PARAM_ENUM:
      return strcmp(p->choices[*(const int *)at], v->text[0]) == 0;
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < n; i++) { /* against the same text, compiled apart */
        hk_spec *spec = hk_spec_create();
        hk_item *sensor = add_item(spec, HK_SENSOR, "expression", "s");
        set_expr(sensor, "value", 0, v->text[i]);
        const hk_expr *e = *(hk_expr *const *)sensor->data, *got = ((hk_expr *const *)at)[i];
        bool equal = got && hk_dim_equal(hk_expr_dim(got), hk_expr_dim(e)) &&
                     hk_expr_value(got, variable) == hk_expr_value(e, variable);
        hk_spec_destroy(spec);
        if (!equal) return false;
      }
      return true;
    case HK_PARAM_POINTS: {
      const hk_points *t = at;
      return t->n == 2 && memcmp(t->x, v->x, 2 * sizeof *t->x) == 0 &&
             memcmp(t->y, v->x + 2, 2 * sizeof *t->y) == 0;
    }
    case HK_PARAM_TERMS: {
      const hk_terms *t = at;
      return t->n == 2 && strcmp(t->term[0].coordinate, "hinge.angle") == 0 &&
             strcmp(t->term[1].coordinate, "wheel.angle") == 0 && t->term[0].factor == v->x[0] &&
             t->term[1].factor == v->x[1];
    }
    case HK_PARAM_DIRECTION:
    case HK_PARAM_ROTATION:
      scale = 0;
      for (int i = 0; i < n; i++) scale += v->x[i] * v->x[i];
      scale = 1 / sqrt(scale);
      break;
    case HK_PARAM_REAL:
    case HK_PARAM_VEC3:
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      break;
    default:
      return strcmp(*(const char *const *)at, v->text[0]) == 0;
  }
  for (int i = 0; i < n; i++)
    if (!same(d[i], scale * v->x[i])) return false;
  return true;
}

typedef void type_check(const hk_type *type);
static void for_every_type(type_check *check) {
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), (hk_category)c); i++) {
      random_seed((uint64_t)(100 * c + i));
      check(hk_registry_at(hk_registry_builtin(), (hk_category)c, i));
    }
}

/* ---- calls ---- */

static void check_setters(const hk_type *type) {
  const hk_param *p, *q;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    hk_spec *spec = hk_spec_create();
    hk_item *item = add_item(spec, type->category, type->name, "subject");
    hk_error err = {0};
    value v;
    assert_memory_equal(item->data, type->defaults, type->size);
    assert_true(item->given == 0);
    draw_value(p, &v);
    if (set_value(item, p, &v, &err)) fail_msg("%s", err.text);
    if (!holds(item, p, &v)) fail_msg("%s of '%s' is not what was set", p->name, type->name);
    assert_true(item->given == (uint64_t)1 << i);
    for (int j = 0; (q = hk_type_param(type, j)); j++)
      if (j != i)
        assert_memory_equal(field(item, q), (const char *)type->defaults + q->offset, kind_size(q));
    hk_spec_destroy(spec);
  }
}

static void what_a_call_sets_is_in_the_struct(void **state) {
  (void)state;
  for_every_type(check_setters);
}

/* A value that must be refused and must not change anything. */
static void assert_refused(hk_item *item, const hk_param *p, double x) {
  hk_error err = {0};
  hk_status status = HK_OK;
  const hk_vec3 v = {1, x, 1};
  if (p->kind == HK_PARAM_REAL) status = hk_item_real(item, p->name, x, &err);
  if (p->kind == HK_PARAM_VEC3) status = hk_item_vec3(item, p->name, v, &err);
  if (p->kind == HK_PARAM_INT) status = hk_item_int(item, p->name, (long)x, &err);
  if (p->kind == HK_PARAM_INERTIA || p->kind == HK_PARAM_REALS) {
    double list[64] = {0};
    list[1] = x;
    status = hk_item_reals(item, p->name, list, p->kind == HK_PARAM_INERTIA ? 6 : p->count, &err);
  }
  if (status != HK_EINPUT || !strstr(err.text, p->name))
    fail_msg("%s of '%s' accepts %g (%s)", p->name, item->type->name, x, err.text);
  assert_memory_equal(item->data, item->type->defaults, item->type->size);
  assert_true(item->given == 0);
}

static void check_ranges(const hk_type *type) {
  const hk_param *p;
  hk_spec *spec = hk_spec_create();
  hk_item *item = add_item(spec, type->category, type->name, "subject");
  hk_error err = {0};
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    bool whole = p->kind == HK_PARAM_INT;
    bool number = whole || p->kind == HK_PARAM_REAL || p->kind == HK_PARAM_VEC3 ||
                  p->kind == HK_PARAM_INERTIA || p->kind == HK_PARAM_REALS;
    if (number && !whole) {
      assert_refused(item, p, NAN);
      assert_refused(item, p, INFINITY);
    }
    if (number && p->flags & HK_POSITIVE) assert_refused(item, p, 0), assert_refused(item, p, -1);
    bool limited = (p->min != 0 || p->max != 0) && !(p->flags & HK_POSITIVE);
    if (number && limited && isfinite(p->min)) assert_refused(item, p, p->min - 1);
    if (number && limited && isfinite(p->max)) assert_refused(item, p, p->max + 1);
    /* The wrong kind of value. */
    bool text =
        p->kind == HK_PARAM_STRING || (p->kind >= HK_PARAM_FRAME && p->kind <= HK_PARAM_EXPR);
    hk_status status = text ? hk_item_bool(item, p->name, true, &err)
                            : hk_item_text(item, p->name, "no such thing", &err);
    assert_int_equal(status, HK_EINPUT);
    assert_true(item->given == 0);
  }
  hk_spec_destroy(spec);
}

static void what_is_out_of_range_is_refused(void **state) {
  (void)state;
  for_every_type(check_ranges);
}

/* ---- files ---- */

static const char BODIES[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {m: {at: [1 m, 0, 0]}}}\n"
    "  first: {type: sphere, radius: 1 m, mass: 1 kg, markers: {m: {at: [0, 1 m, 0]}}}\n"
    "  second: {type: sphere, radius: 1 m, mass: 1 kg, position: [3 m, 0, 0]}\n"
    "  wheel: {type: rotor, inertia: 1 kg*m^2}\n"
    "  disc: {type: rotor, inertia: 1 kg*m^2}\n";
static const char JOINTS[] =
    "joints:\n"
    "  hinge: {type: revolute, a: first, b: second}\n"
    "  arm: {type: cylindrical, a: first, b: second}\n";

static void print_value(char *out, size_t size, const hk_param *p, const value *v) {
  char unit[64] = "";
  size_t n = 0;
  bool plain = !p->unit || p->flags & HK_ANY_UNIT;
  if (!plain) snprintf(unit, sizeof unit, " %s", p->unit);
  for (char *c = unit + 1; *unit && *c; c++)
    if (*c == ' ') *c = '*';
  switch (p->kind) {
    case HK_PARAM_REAL:
      snprintf(out, size, "%.17g%s", v->x[0], unit);
      return;
    case HK_PARAM_INT:
      snprintf(out, size, "%.0f", v->x[0]);
      return;
    case HK_PARAM_BOOL:
      snprintf(out, size, "%s", v->yes ? "true" : "false");
      return;
    case HK_PARAM_ROTATION:
      snprintf(out, size, "{quaternion: [%.17g, %.17g, %.17g, %.17g]}", v->x[0], v->x[1], v->x[2],
               v->x[3]);
      return;
    case HK_PARAM_EXPR:
      snprintf(out, size, "\"%s\"", v->text[0]);
      return;
    case HK_PARAM_EXPR3:
      snprintf(out, size, "[\"%s\", \"%s\", \"%s\"]", v->text[0], v->text[1], v->text[2]);
      return;
    case HK_PARAM_POINTS:
      snprintf(out, size, "[[%.17g s, %.17g m], [%.17g s, %.17g m]]", v->x[0], v->x[2], v->x[1],
               v->x[3]);
      return;
    case HK_PARAM_TERMS:
      snprintf(out, size, "{hinge.angle: %.17g, wheel.angle: %.17g}", v->x[0], v->x[1]);
      return;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      for (int i = 0; i < v->n; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%.17g%s", i ? ", " : "[", v->x[i], unit);
      snprintf(out + n, size - n, "]");
      return;
    default:
      snprintf(out, size, "%s", v->text[0]);
  }
}

enum { TEXT = 20000 };

/* A file with one item; `body` are its parameters. */
static void print_file(char *out, const hk_type *type, const char *body) {
  char item[TEXT];
  snprintf(item, sizeof item, "  subject: {type: %s%s}\n", type->name, body);
  const char *section = hk_category_section(type->category);
  if (type->category == HK_STEPPER)
    snprintf(out, 2 * TEXT, "%s%sanalysis: {duration: 1 s, stepper: %s%s}\n", BODIES, JOINTS,
             type->name, body);
  else if (type->category == HK_ANALYSIS)
    snprintf(out, 2 * TEXT, "%s%sanalysis: {type: %s%s}\n", BODIES, JOINTS, type->name, body);
  else if (type->category == HK_BODY)
    snprintf(out, 2 * TEXT, "%s%s%s", BODIES, item, JOINTS);
  else if (type->category == HK_JOINT)
    snprintf(out, 2 * TEXT, "%s%s%slaws:\n  law: {type: signorini}\n", BODIES, JOINTS, item);
  else if (type->category == HK_CONTACT)
    snprintf(out, 2 * TEXT, "%s%slaws:\n  law: {type: signorini}\ncontacts:\n%s", BODIES, JOINTS,
             item);
  else
    snprintf(out, 2 * TEXT, "%s%s%s:\n%s", BODIES, JOINTS, section, item);
}

static hk_spec *read_text(const char *text, hk_diag *diag) {
  hk_diag_init(diag);
  return hk_model_text_read("model", text, strlen(text), NULL, 0, diag);
}

static void check_file(const hk_type *type) {
  const hk_param *p;
  if (type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->expand)
    return; /* composite */
  if (type->category == HK_TABLE) return; /* its texts name files, columns and units */
  static char text[2 * TEXT], body[TEXT], one[TEXT];
  for (int only = 0; hk_type_param(type, only); only++) {
    value v[HK_MAX_PARAMS];
    size_t n = 0;
    uint64_t given = 0;
    body[0] = 0;
    for (int i = 0; (p = hk_type_param(type, i)); i++) {
      if (i != only && !(p->flags & HK_REQUIRED)) continue;
      draw_value(p, &v[i]);
      print_value(one, sizeof one, p, &v[i]);
      n += (size_t)snprintf(body + n, sizeof body - n, ", %s: %s", p->name, one);
      given |= (uint64_t)1 << i;
    }
    print_file(text, type, body);
    hk_diag diag;
    hk_spec *spec = read_text(text, &diag);
    if (!spec) {
      print_messages(&diag);
      fail_msg("%s", body);
    }
    hk_diag_free(&diag);
    const hk_item *item = type->category == HK_ANALYSIS ? spec->item[HK_ANALYSIS][0]
                          : type->category == HK_STEPPER
                              ? spec->item[HK_STEPPER][0]
                              : hk_spec_find(spec, type->category, "subject");
    assert_ptr_equal(item->type, type);
    assert_true(item->given == given);
    for (int i = 0; (p = hk_type_param(type, i)); i++) {
      if (!(given >> i & 1))
        assert_memory_equal(field(item, p), (const char *)type->defaults + p->offset, kind_size(p));
      else if (!holds(item, p, &v[i]))
        fail_msg("%s of '%s' is not what the file says: %s", p->name, type->name, body);
    }
    hk_spec_destroy(spec);
  }
}

static void what_a_file_says_is_in_the_struct(void **state) {
  (void)state;
  for_every_type(check_file);
}

/* Required parameters except `skip`, which is written as `bad` (NULL: left out). */
static void assert_file_refused(const hk_type *type, int skip, const char *bad) {
  static char text[2 * TEXT], body[TEXT], one[TEXT];
  const hk_param *p;
  size_t n = 0;
  body[0] = 0;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    value v;
    draw_value(p, &v);
    print_value(one, sizeof one, p, &v);
    if (i == skip && bad)
      n += (size_t)snprintf(body + n, sizeof body - n, ", %s: %s", p->name, bad);
    if (i != skip && p->flags & HK_REQUIRED)
      n += (size_t)snprintf(body + n, sizeof body - n, ", %s: %s", p->name, one);
  }
  print_file(text, type, body);
  hk_diag diag;
  hk_spec *spec = read_text(text, &diag);
  if (spec) fail_msg("'%s' accepts%s", type->name, body);
  assert_true(diag.n_errors >= 1 && diag.message[0].place.line > 1);
  const char *name = hk_type_param(type, skip)->name;
  if (!strstr(diag.message[0].text, name))
    fail_msg("the message about %s of '%s' does not name it: %s", name, type->name,
             diag.message[0].text);
  hk_diag_free(&diag);
}

static void check_units(const hk_type *type) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    bool any = p->flags & HK_ANY_UNIT;
    if (p->flags & HK_REQUIRED) assert_file_refused(type, i, NULL);
    if (p->kind == HK_PARAM_REAL && !any) {
      assert_file_refused(type, i, p->unit ? "1" : "1 kg");
      assert_file_refused(type, i, "1 A*kg");
      assert_file_refused(type, i, "1 furlongs");
      assert_file_refused(type, i, "[1, 2]");
    }
    if (p->kind == HK_PARAM_VEC3) {
      assert_file_refused(type, i, "[1, 2, 3]");
      assert_file_refused(type, i, "[1 A*kg, 1 A*kg, 1 A*kg]");
    }
    if (p->kind == HK_PARAM_EXPR && !any)
      assert_file_refused(type, i, "\"1 A*kg * sin(1 rad/s * t)\"");
    if (p->kind == HK_PARAM_STEPPER) assert_file_refused(type, i, "nonsense");
    if (p->kind == HK_PARAM_ENUM) assert_file_refused(type, i, "nonsense");
    if (p->kind == HK_PARAM_INT) assert_file_refused(type, i, "1.5");
  }
}

static void a_file_with_the_wrong_unit_is_refused(void **state) {
  (void)state;
  for_every_type(check_units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_call_sets_is_in_the_struct),
      cmocka_unit_test(what_is_out_of_range_is_refused),
      cmocka_unit_test(what_a_file_says_is_in_the_struct),
      cmocka_unit_test(a_file_with_the_wrong_unit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
