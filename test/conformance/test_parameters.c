/* Every parameter of every type: a value set by a call or in a model file arrives in the struct of the type,
 * all other members keep their defaults, and invalid values are rejected. */
#include "support/kind_size.h"
#include "support/subject.h"
#include "conform/parameter_value.h"
#include "registry/builtin.h"

typedef hk_value value;
static void draw_value(const hk_param *p, value *v) { WITH_TRIAL(t, hk_value_draw(t, p, v)); }
static bool holds(const hk_item *item, const hk_param *p, const value *v) {
  return hk_value_holds(trial(), item, p, v);
}
static const void *field(const hk_item *item, const hk_param *p) {
  return (const char *)item->data + p->offset;
}

typedef void type_check(const hk_type *type);
static void for_every_type(type_check *check) {
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), (hk_category)c); i++) {
      random_seed((uint64_t)(100 * c + i));
      check(hk_registry_at(hk_registry_builtin(), (hk_category)c, i));
    }
}

static void check_calls(const hk_type *type) {
  hk_conform_report report;
  hk_error err = {0};
  const hk_conform_options only = {.only = "parameters"};
  if (hk_conform(hk_registry_builtin(), type->category, type->name, &only, &report, &err))
    fail_msg("%s: %s", err.text, report.check[0].text);
}

static void what_a_call_sets_is_in_the_struct(void **state) {
  (void)state;
  for_every_type(check_calls);
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
  else if (type->category == HK_FORCE)
    snprintf(out, 2 * TEXT, "%s%slaws:\n  law: {type: signorini}\nforces:\n%s", BODIES, JOINTS,
             item);
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

/* A flexible body is refused without a file that exists. */
static bool needs_file(const hk_type *type) { return strcmp(type->name, "flexible_body") == 0; }

static void check_file(const hk_type *type) {
  const hk_param *p;
  if (type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->expand)
    return; /* composite */
  if (type->category == HK_TABLE || type->category == HK_FMU)
    return; /* texts are names of files, columns and units */
  if (needs_file(type)) return;
  static char text[2 * TEXT], body[TEXT], one[TEXT];
  for (int only = 0; hk_type_param(type, only); only++) {
    enum { MOST = 200 };
    static value v[MOST];
    bool given[MOST] = {false};
    assert_true(hk_type_param_count(type) <= MOST);
    size_t n = 0;
    body[0] = 0;
    const hk_param *one_of = hk_type_param(type, only);
    if (one_of->flags & HK_FILE || strcmp(one_of->name, "file") == 0)
      continue; /* any text would have to be a valid name */
    for (int i = 0; (p = hk_type_param(type, i)); i++) {
      if (i != only && !(p->flags & HK_REQUIRED)) continue;
      draw_value(p, &v[i]);
      print_value(one, sizeof one, p, &v[i]);
      n += (size_t)snprintf(body + n, sizeof body - n, ", %s: %s", p->name, one);
      given[i] = true;
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
    for (int i = 0; (p = hk_type_param(type, i)); i++) {
      assert_true(hk_item_given(item, i) == given[i]);
      if (!given[i])
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

/* Required parameters except `skip`, which is set to `bad` (NULL: omitted). */
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
  if (needs_file(type)) return;
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
      cmocka_unit_test(what_a_file_says_is_in_the_struct),
      cmocka_unit_test(a_file_with_the_wrong_unit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
