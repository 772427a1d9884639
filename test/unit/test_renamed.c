/* Former names (spec/renamed.list): every line of the table is correct, and the setters, the
 * reader, expressions, --set and suggestions accept former names and groups. */
#include "model_file_case.h"
#include "reference/type_help.h"
#include "registry/builtin.h"
#include "spec/renamed.h"
#include <hooke/hooke.h>
#include <hooke/param.h>

enum { QUIET, NOTE };
typedef struct line {
  int category;
  const char *type, *key, *old_name, *new_name;
} line;

static const line TYPES[] = {
#define HK_RENAMED_TYPE(note, category, old, new) {category, NULL, NULL, old, new},
#define HK_RENAMED_KEY(note, category, type, old, new)
#define HK_RENAMED_CHOICE(category, type, key, old, new)
#define HK_RENAMED_CHANNEL(note, old, new)
#include "spec/renamed.list"
#undef HK_RENAMED_TYPE
#undef HK_RENAMED_KEY
};
static const line KEYS[] = {
#define HK_RENAMED_TYPE(note, category, old, new)
#define HK_RENAMED_KEY(note, category, type, old, new) {category, type, NULL, old, new},
#include "spec/renamed.list"
#undef HK_RENAMED_KEY
#undef HK_RENAMED_CHOICE
};
static const line CHOICES[] = {
#define HK_RENAMED_KEY(note, category, type, old, new)
#define HK_RENAMED_CHOICE(category, type, key, old, new) {category, type, key, old, new},
#include "spec/renamed.list"
#undef HK_RENAMED_CHOICE
#undef HK_RENAMED_CHANNEL
};
static const line CHANNELS[] = {
#define HK_RENAMED_CHOICE(category, type, key, old, new)
#define HK_RENAMED_CHANNEL(note, old, new) {0, NULL, NULL, old, new},
#include "spec/renamed.list"
};
#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const hk_registry *types(void) { return hk_registry_builtin(); }

static const hk_param *exact(const hk_type *type, const char *name) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}

static bool has_choice(const hk_param *p, const char *word) {
  for (int i = 0; p->choices && p->choices[i]; i++)
    if (strcmp(p->choices[i], word) == 0) return true;
  return false;
}

/* The i-th type to which a line applies. */
static const hk_type *type_of(const line *l, int i) {
  const hk_type *t;
  for (int k = 0; (t = hk_registry_at(types(), (hk_category)l->category, k)); k++)
    if ((!*l->type || strcmp(t->name, l->type) == 0) && i-- == 0) return t;
  return NULL;
}

static void lines_of_types(void **state) {
  (void)state;
  for (int i = 0; i < COUNT(TYPES); i++) {
    const hk_type *t = hk_registry_find(types(), (hk_category)TYPES[i].category, TYPES[i].old_name);
    assert_non_null(t);
    assert_string_equal(t->name, TYPES[i].new_name);
  }
}

static void lines_of_keys(void **state) {
  (void)state;
  for (int i = 0; i < COUNT(KEYS); i++) {
    const line *l = &KEYS[i];
    const hk_type *t;
    int n = 0;
    for (int k = 0; (t = type_of(l, k)); k++) {
      if (!exact(t, l->new_name) || exact(t, l->old_name)) continue;
      n++;
      assert_string_equal(hk_type_param(t, hk_type_param_find(t, l->old_name))->name, l->new_name);
    }
    if (!n) fail_msg("no type has '%s', formerly '%s'", l->new_name, l->old_name);
    if (*l->type) assert_int_equal(n, 1);
  }
}

static void lines_of_choices(void **state) {
  (void)state;
  for (int i = 0; i < COUNT(CHOICES); i++) {
    const line *l = &CHOICES[i];
    const hk_type *t;
    int n = 0;
    for (int k = 0; (t = type_of(l, k)); k++) {
      const hk_param *p = exact(t, l->key);
      if (!p || !has_choice(p, l->new_name) || has_choice(p, l->old_name)) continue;
      n++;
    }
    if (!n) fail_msg("no '%s' can be '%s', formerly '%s'", l->key, l->new_name, l->old_name);
  }
}

typedef struct word_search {
  const char *word;
  bool found;
} word_search;

static void look(void *context, const hk_quantity *q) {
  word_search *s = context;
  for (const char *at = q->name; (at = strstr(at, s->word)); at++) {
    const char end = at[strlen(s->word)];
    if ((at == q->name || at[-1] == '.') && (!end || end == '.' || end == '[')) s->found = true;
  }
}

/* The new name of a line is that of a channel or of a quantity of a contact point. */
static void lines_of_channels(void **state) {
  (void)state;
  for (int i = 0; i < COUNT(CHANNELS); i++) {
    word_search s = {CHANNELS[i].new_name, false};
    const hk_type *t;
    for (int c = 0; c < HK_N_CATEGORIES; c++)
      for (int k = 0; (t = hk_registry_at(types(), (hk_category)c, k)); k++) {
        int n;
        const char *const *point = hk_type_points(t, &n);
        hk_type_channels(types(), t, look, &s);
        for (int j = 0; j < n; j++) s.found = s.found || strcmp(point[j], s.word) == 0;
      }
    if (!s.found) fail_msg("there is no channel '%s', formerly '%s'", s.word, CHANNELS[i].old_name);
  }
}

static void setters(void **state) {
  (void)state;
  hk_error err = {0};
  hk_spec *spec = hk_spec_create();
  hk_item *beam = hk_spec_add(spec, HK_FORCE, "beam", "rod", &err);
  assert_int_equal(hk_item_real(beam, "young", 7e10, &err), HK_OK);
  assert_true(hk_item_has(beam, "youngs_modulus") && hk_item_has(beam, "young"));
  assert_int_equal(hk_item_real(beam, "youngs_modulus", 2e11, &err), HK_OK);
  assert_true(*(double *)field(beam, "young") == 2e11);
  hk_item *law = hk_spec_add(spec, HK_LAW, "hertz", "steel", &err);
  assert_int_equal(hk_item_text(law, "friction", "mu2", &err), HK_OK);
  int by_old = *(int *)field(law, "friction");
  assert_int_equal(hk_item_text(law, "friction", "tanh", &err), HK_OK);
  assert_int_equal(by_old, *(int *)field(law, "friction"));
  /* A misspelt former name gives a suggestion with the current one. */
  assert_int_equal(hk_item_real(law, "yung", 1, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'youngs_modulus'?"));
  assert_int_equal(hk_item_text(law, "friction", "mu9", &err), HK_EINPUT);
  hk_item *mesh = hk_spec_add(spec, HK_FORCE, "gear_pair", "mesh", &err);
  assert_int_equal(hk_item_int(mesh, "gear_b.teeth", 31, &err), HK_OK);
  assert_int_equal(((int *)field(mesh, "teeth_b"))[0], 31);
  assert_int_equal(hk_item_real(mesh, "gear_a.crown", 1e-6, &err), HK_OK);
  assert_true(*(double *)field(mesh, "profile_crowning_a") == 1e-6);
  assert_int_equal(hk_item_real(mesh, "gear_c.teeth", 3, &err), HK_EINPUT);
  assert_non_null(hk_spec_add(spec, HK_SENSOR, "bend", "angle", &err));
  hk_spec_destroy(spec);
}

static void reader(void **state) {
  (void)state;
  reading r = read_text(
      "laws:\n  oil: {type: hertz, young: 2e11 Pa, friction: mu1}\nanalysis: {duration: 1 s, "
      "begin: as_placed}\n");
  assert_read(&r);
  assert_int_equal(r.diag.n, 0); /* both names are valid */
  assert_true(real(&r, HK_LAW, "oil", "youngs_modulus") == 2e11);
  done(&r);
  r = read_text("bodies: {s: {type: universal_shaft, inertia: 1 kg*m^2, bend: 10 deg}}\n");
  assert_read(&r);
  assert_int_equal(r.diag.n, 1);
  assert_int_equal(r.diag.message[0].severity, HK_NOTE);
  assert_non_null(strstr(r.diag.message[0].text, "'bend' is now called 'articulation_angle'"));
  assert_int_equal(r.diag.message[0].place.column, 56);
  done(&r);
  r = read_text("laws: {oil: {type: hertz, young: 2e11 Pa, youngs_modulus: 2e11 Pa}}\n");
  assert_null(r.spec);
  assert_non_null(strstr(r.diag.message[0].text,
                         "youngs_modulus of law 'oil' is given twice, here as 'youngs_modulus'"));
  done(&r);
}

static const char GEARS[] =
    "bodies: {a: {type: rotor, inertia: 1 kg*m^2}, b: {type: rotor, inertia: 1 kg*m^2}}\n"
    "forces:\n  mesh: {type: gear_pair, a: a, b: b, module: 2 mm, face_width: 10 mm, "
    "center_distance: 50 mm,\n"
    "    gear_a: {teeth: 20, crown: 3 um, youngs_modulus: 70 GPa}, teeth_b: 30}\n";

static void groups(void **state) {
  (void)state;
  reading r = read_text(GEARS);
  assert_read(&r);
  assert_int_equal(((int *)field(item_of(&r, HK_FORCE, "mesh"), "teeth_a"))[0], 20);
  assert_int_equal(((int *)field(item_of(&r, HK_FORCE, "mesh"), "teeth_b"))[0], 30);
  assert_true(real(&r, HK_FORCE, "mesh", "profile_crowning_a") == 3e-6);
  assert_true(real(&r, HK_FORCE, "mesh", "youngs_modulus_a") == 70e9);
  done(&r);
  /* With either name, --set changes the existing value. */
  static const char *const path[] = {"mesh.gear_a.crown", "mesh.crown_a", "mesh.profile_crowning_a",
                                     "forces.mesh.gear_a.profile_crowning"};
  for (int i = 0; i < 4; i++) {
    hk_override set[] = {{path[i], "5 um"}, {"mesh.gear_b.teeth", "33"}};
    r = read_set(GEARS, set, 2);
    assert_read(&r);
    assert_true(real(&r, HK_FORCE, "mesh", "profile_crowning_a") == 5e-6);
    assert_int_equal(((int *)field(item_of(&r, HK_FORCE, "mesh"), "teeth_b"))[0], 33);
    done(&r);
  }
  r = read_text("forces: {mesh: {type: gear_pair, gear_a: {teeth: 20, teth: 3}, teeth_a: 20}}\n");
  assert_null(r.spec);
  assert_non_null(strstr(r.diag.message[0].text,
                         "unknown key 'teth' in 'gear_a' of force 'mesh'; did you mean 'teeth'?"));
  assert_non_null(
      strstr(r.diag.message[1].text, "teeth_a of force 'mesh' is given twice, here as 'teeth_a'"));
  done(&r);
}

static const char SPRING[] =
    "bodies: {m: {type: point_mass, mass: 1 kg, position: [2 m, 0, 0]}}\n"
    "forces: {s: {type: spring_damper, b: m, stiffness: 10 N/m, length: 1 m}}\n"
    "sensors: {pull: {value: s.own_fx + s.length*0}}\n"
    "measures: {most: {of: s.own_fx, take: max}}\n"
    "analysis: {duration: 1 ms}\n";

static void channels(void **state) {
  (void)state;
  hk_override set[] = {{"s.free_length", "1.5 m"}, {"sensors.pull.value", "s.own_fx"}};
  reading r = read_set(SPRING, set, 2);
  assert_read(&r);
  assert_true(real(&r, HK_FORCE, "s", "free_length") == 1.5);
  assert_string_equal(*(const char **)field(item_of(&r, HK_MEASURE, "most"), "of"), "s.local_fx");
  hk_model *m = hk_model_compile(r.spec, &r.diag);
  assert_non_null(m);
  int i = hk_model_channel_find(m, "s.own_fx");
  assert_true(i >= 0);
  assert_string_equal(hk_model_channel_name(m, i), "s.local_fx");
  assert_int_equal(hk_model_channel_find(m, "s.own_ft"), -1);
  assert_int_equal(hk_model_channel_find(m, "energy.bend"), -1);
  hk_model_destroy(m);
  hk_diag_free(&r.diag);
}

/* ---- no fixed number of parameters ---- */

enum { MANY = 150 };
typedef struct broad {
  hk_body_common body;
  double x[MANY];
} broad;

static void many_parameters(void **state) {
  (void)state;
  static char name[MANY][16];
  static hk_param params[MANY];
  static broad defaults;
  const hk_type *like = hk_registry_find(types(), HK_BODY, "rigid_body");
  memcpy(&defaults.body, like->defaults, sizeof defaults.body);
  hk_body_ops ops = *(const hk_body_ops *)like->ops;
  for (int i = 0; i < MANY; i++) {
    snprintf(name[i], sizeof name[i], "x%d", i);
    params[i] = (hk_param){.name = name[i],
                           .kind = HK_PARAM_REAL,
                           .offset = offsetof(broad, x) + 8 * (size_t)i,
                           .doc = "x"};
  }
  const hk_type type = {.name = "broad",
                        .category = HK_BODY,
                        .doc = "many",
                        .source = "[test]",
                        .size = sizeof(broad),
                        .defaults = &defaults,
                        .params = params,
                        .n_params = MANY,
                        .ops = &ops};
  hk_registry *r = hk_registry_create();
  hk_error err = {0};
  if (hk_registry_add(r, &type, &err)) fail_msg("%s", err.text);
  hk_spec *spec = hk_spec_create_with(r);
  hk_item *item = hk_spec_add(spec, HK_BODY, "broad", "b", &err);
  assert_non_null(item);
  assert_int_equal(hk_item_real(item, "x140", 7, &err), HK_OK);
  for (int i = 0; i < MANY; i++) assert_true(hk_item_has(item, name[i]) == (i == 140));
  assert_true(HK_DATA(item, broad)->x[140] == 7);
  assert_int_equal(hk_item_real(item, "x1400", 7, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'x1"));
  hk_spec_destroy(spec);
  hk_registry_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_types),   cmocka_unit_test(lines_of_keys),
      cmocka_unit_test(lines_of_choices), cmocka_unit_test(lines_of_channels),
      cmocka_unit_test(setters),          cmocka_unit_test(reader),
      cmocka_unit_test(groups),           cmocka_unit_test(channels),
      cmocka_unit_test(many_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
