/* Items, markers, names and setters of a spec. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <hooke/element.h>
#include "spec/item.h"
#include "registry/builtin.h"
#include <stdio.h>
#include <string.h>

static hk_error err;

static void *field(hk_item *item, const char *name) {
  const hk_param *p = hk_type_param(item->type, hk_type_param_find(item->type, name));
  return (char *)item->data + p->offset;
}

static void assert_says(const char *words) {
  if (!strstr(err.text, words)) fail_msg("'%s' does not say '%s'", err.text, words);
}

static int create(void **state) {
  *state = hk_spec_create();
  return *state ? 0 : -1;
}

static int destroy(void **state) {
  hk_spec_destroy(*state);
  return 0;
}

static void items_by_name(void **state) {
  hk_spec *s = *state;
  hk_item *bob = hk_spec_add(s, HK_BODY, "rigid_body", "bob", &err);
  assert_non_null(bob);
  assert_ptr_equal(hk_spec_find(s, HK_BODY, "bob"), bob);
  assert_null(hk_spec_find(s, HK_JOINT, "bob"));
  assert_null(hk_spec_find(s, HK_BODY, "bo"));
  assert_null(hk_spec_add(s, HK_BODY, "rigid_body", "bob", &err));
  assert_says("two bodies named 'bob'");
  assert_non_null(hk_spec_add(s, HK_JOINT, "revolute", "bob", &err)); /* another section */
  assert_null(hk_spec_add(s, HK_BODY, "rigid_bod", "b", &err));
  assert_says("did you mean 'rigid_body'?");
  assert_null(hk_spec_add(s, HK_BODY, "rigid_body", "ground", &err));
  assert_null(hk_spec_add(s, (hk_category)99, "rigid_body", "x", &err));
  static const char *const bad[] = {"", "1a", "a b", "a.", "a[", "a[]", "a[x]", ".a", "a-b"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_null(hk_spec_add(s, HK_BODY, "rigid_body", bad[i], &err));
  static const char *const good[] = {"_a", "left.link[0][-2]", "a1.b"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_non_null(hk_spec_add(s, HK_BODY, "rigid_body", good[i], &err));
  assert_int_equal(s->n[HK_BODY], 4);
}

/* If hk_spec_add has failed, the setters report it, and the program continues. */
static void no_item(void **state) {
  hk_item *item = hk_spec_add(*state, HK_BODY, "no_such_type", "bob", &err);
  const double two[2] = {0, 1};
  assert_null(item);
  const hk_status status[] = {
      hk_item_real(item, "mass", 1, &err),
      hk_item_int(item, "mass", 1, &err),
      hk_item_bool(item, "mass", true, &err),
      hk_item_vec3(item, "position", hk_v3(0, 0, 0), &err),
      hk_item_rotation(item, "orientation", (hk_quat){1, 0, 0, 0}, &err),
      hk_item_reals(item, "inertia", two, 2, &err),
      hk_item_text(item, "a", "ground", &err),
      hk_item_expression(item, "value", 0, "1", &err),
      hk_item_points(item, "points", two, two, 2, NULL, NULL, &err),
      hk_item_term(item, "terms", "x", 1, &err),
  };
  for (size_t i = 0; i < sizeof status / sizeof *status; i++)
    assert_int_equal(status[i], HK_EINPUT);
  assert_says("'terms' cannot be set: the item is NULL");
  assert_int_equal(hk_item_real(item, NULL, 1, NULL), HK_EINPUT);
}

static void many_items(void **state) {
  hk_spec *s = *state;
  enum { N = 100000 };
  char name[40];
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "link[%d]", i);
    assert_non_null(hk_spec_add(s, HK_BODY, "point_mass", name, &err));
  }
  for (int i = 0; i < N; i += 997) {
    snprintf(name, sizeof name, "link[%d]", i);
    assert_ptr_equal(hk_spec_find(s, HK_BODY, name), s->item[HK_BODY][i]);
  }
}

static void numbers(void **state) {
  hk_item *rod = hk_spec_add(*state, HK_BODY, "rod", "rod", &err);
  int mass = hk_type_param_find(rod->type, "mass");
  assert_false(hk_item_given(rod, mass));
  assert_int_equal(hk_item_real(rod, "mass", 2.5, &err), HK_OK);
  assert_true(hk_item_given(rod, mass) && hk_item_has(rod, "mass"));
  assert_true(*(double *)field(rod, "mass") == 2.5);
  assert_int_equal(hk_item_real(rod, "mas", 1, &err), HK_EINPUT);
  assert_says("unknown parameter 'mas' of body 'rod'; did you mean 'mass'?");
  assert_int_equal(hk_item_real(rod, "mass", NAN, &err), HK_EINPUT);
  assert_int_equal(hk_item_real(rod, "mass", INFINITY, &err), HK_EINPUT);
  assert_says("mass of body 'rod' must be finite");
  assert_int_equal(hk_item_real(rod, "mass", -1, &err), HK_EINPUT);
  assert_says("got -1 kg");
  assert_true(*(double *)field(rod, "mass") == 2.5); /* a refused value changes nothing */
  assert_int_equal(hk_item_vec3(rod, "mass", hk_v3(1, 2, 3), &err), HK_EINPUT);
  assert_says("mass of body 'rod' must be a number");
  assert_int_equal(hk_item_int(rod, "mass", 3, &err), HK_OK);
  assert_true(*(double *)field(rod, "mass") == 3);
  assert_int_equal(hk_item_real(rod, "mass", -1, NULL), HK_EINPUT); /* err may be NULL */
}

static void vectors_and_rotations(void **state) {
  hk_item *body = hk_spec_add(*state, HK_BODY, "rigid_body", "b", &err);
  assert_int_equal(hk_item_vec3(body, "position", hk_v3(1, -2, 3), &err), HK_OK);
  hk_vec3 p = *(hk_vec3 *)field(body, "position");
  assert_true(p.x == 1 && p.y == -2 && p.z == 3);
  assert_int_equal(hk_item_vec3(body, "position", hk_v3(1, NAN, 3), &err), HK_EINPUT);
  assert_int_equal(hk_item_rotation(body, "orientation", (hk_quat){3, 0, 4, 0}, &err), HK_OK);
  hk_quat q = *(hk_quat *)field(body, "orientation");
  assert_float_equal(q.w, 0.6, 1e-15);
  assert_float_equal(q.y, 0.8, 1e-15);
  assert_int_equal(hk_item_rotation(body, "orientation", (hk_quat){0, 0, 0, 0}, &err), HK_EINPUT);
  hk_item *pin = hk_spec_add(*state, HK_JOINT, "revolute", "pin", &err);
  assert_int_equal(hk_item_vec3(pin, "axis", hk_v3(0, 3e-200, 4e-200), &err), HK_OK);
  hk_vec3 a = *(hk_vec3 *)field(pin, "axis");
  assert_float_equal(a.y, 0.6, 1e-15);
  assert_float_equal(a.z, 0.8, 1e-15);
  assert_int_equal(hk_item_vec3(pin, "axis", hk_v3(0, 0, 0), &err), HK_EINPUT);
}

static void lists(void **state) {
  hk_item *body = hk_spec_add(*state, HK_BODY, "rigid_body", "b", &err);
  double I[6] = {1, 2, 3, -0.1, 0.2, 0.3};
  assert_int_equal(hk_item_reals(body, "inertia", I, 6, &err), HK_OK);
  assert_memory_equal(field(body, "inertia"), I, sizeof I);
  assert_int_equal(hk_item_reals(body, "inertia", I, 3, &err), HK_OK);
  const double *now = field(body, "inertia");
  assert_true(now[2] == 3 && now[3] == 0 && now[5] == 0);
  assert_int_equal(hk_item_reals(body, "inertia", I, 4, &err), HK_EINPUT);
  assert_says("takes 3 or 6 numbers, got 4");
}

static void choices_and_names(void **state) {
  hk_item *body = hk_spec_add(*state, HK_BODY, "rigid_body", "b", &err);
  assert_int_equal(hk_item_text(body, "fixed", "position", &err), HK_OK);
  assert_int_equal(*(int *)field(body, "fixed"), HK_FIXED_POSITION);
  assert_int_equal(hk_item_text(body, "fixed", "positoin", &err), HK_EINPUT);
  assert_says("did you mean 'position'?");
  char name[] = "b.tip";
  hk_item *pin = hk_spec_add(*state, HK_JOINT, "revolute", "pin", &err);
  assert_int_equal(hk_item_text(pin, "a", name, &err), HK_OK);
  name[0] = 'x'; /* the text is copied */
  assert_string_equal(*(const char **)field(pin, "a"), "b.tip");
  assert_int_equal(hk_item_text(pin, "a", NULL, &err), HK_EINPUT);
}

static void terms(void **state) {
  hk_item *c = hk_spec_add(*state, HK_JOINT, "coupling", "c", &err);
  assert_non_null(c);
  char name[40];
  for (int i = 0; i < 9; i++) {
    snprintf(name, sizeof name, "hinge[%d].angle", i);
    assert_int_equal(hk_item_term(c, "terms", name, i + 0.5, &err), HK_OK);
  }
  const hk_terms *t = field(c, "terms");
  assert_int_equal(t->n, 9);
  for (int i = 0; i < 9; i++) assert_true(t->term[i].factor == i + 0.5);
  assert_string_equal(t->term[7].coordinate, "hinge[7].angle");
  assert_int_equal(hk_item_term(c, "terms", "hinge[3].angle", 1, &err), HK_EINPUT);
  assert_says("twice");
}

static void expressions(void **state) {
  hk_spec *s = *state;
  assert_non_null(hk_spec_add(s, HK_BODY, "rigid_body", "b", &err));
  hk_item *load = hk_spec_add(s, HK_FORCE, "load", "f", &err);
  assert_non_null(load);
  assert_int_equal(hk_item_expression(load, "force", 1, "3 N * sin(2 rad/s * t)", &err), HK_OK);
  hk_expr **e = field(load, "force");
  double vars[8] = {0.25};
  assert_float_equal(hk_expr_value(e[1], vars), 3 * sin(0.5), 1e-14);
  assert_int_equal(hk_item_expression(load, "force", 0, "3 m", &err), HK_EINPUT);
  assert_says("force of force 'f' needs another unit");
  assert_int_equal(hk_item_expression(load, "force", 0, "3", &err), HK_EINPUT);
  assert_says("needs a unit: N");
  assert_int_equal(hk_item_expression(load, "force", 3, "3 N", &err), HK_EINPUT);
  assert_int_equal(hk_item_expression(load, "force", 0, "3 N * (", &err), HK_EINPUT);
  assert_int_equal(hk_item_vec3(load, "force", hk_v3(1, 2, 3), &err), HK_OK);
  assert_true(hk_expr_value(e[2], vars) == 3);
}

static void markers(void **state) {
  hk_spec *s = *state;
  hk_item *b = hk_spec_add(s, HK_BODY, "rigid_body", "b", &err);
  hk_quat one = hk_quat_identity();
  assert_int_equal(hk_spec_marker(s, b, "tip", hk_v3(1, 0, 0), one, &err), HK_OK);
  assert_int_equal(hk_spec_marker(s, NULL, "tip", hk_v3(0, 1, 0), one, &err), HK_OK);
  assert_int_equal(hk_spec_marker(s, b, "tip", hk_v3(1, 0, 0), one, &err), HK_EINPUT);
  assert_says("two markers named 'b.tip'");
  assert_int_equal(hk_spec_marker(s, b, "a.b", hk_v3(1, 0, 0), one, &err), HK_EINPUT);
  assert_int_equal(hk_spec_marker(s, b, "n", hk_v3(NAN, 0, 0), one, &err), HK_EINPUT);
  hk_item *pin = hk_spec_add(s, HK_JOINT, "revolute", "pin", &err);
  assert_int_equal(hk_spec_marker(s, pin, "m", hk_v3(1, 0, 0), one, &err), HK_EINPUT);
  assert_int_equal(s->n_markers, 2);
  assert_ptr_equal(hk_spec_find_marker(s, "b.tip")->body, b);
  assert_null(hk_spec_find_marker(s, "ground.tip")->body);
  assert_null(hk_spec_find_marker(s, "b.top"));
}

static void nearest(void **state) {
  (void)state;
  static const char *const names[] = {"mass", "length", "position", "x", "duration"};
  assert_string_equal(hk_nearest_name("mas", names, 5), "mass");
  assert_string_equal(hk_nearest_name("lenght", names, 5), "length");
  assert_string_equal(hk_nearest_name("POSITION", names, 5), "position");
  assert_string_equal(hk_nearest_name("dur", names, 5), "duration");
  assert_null(hk_nearest_name("y", names, 5));
  assert_null(hk_nearest_name("stiffness", names, 5));
  assert_null(hk_nearest_name("", names, 5));
  assert_null(hk_nearest_name("mass", names, 0));
}

/* An angle must be given with a unit: a plain number could be meant in degrees. */
static void fitting_dimensions(void **state) {
  (void)state;
  hk_unit rad, rate, hertz, none = {0};
  assert_int_equal(hk_unit_parse("rad", 3, &rad, NULL), HK_OK);
  assert_int_equal(hk_unit_parse("rad/s", 5, &rate, NULL), HK_OK);
  assert_int_equal(hk_unit_parse("1/s", 3, &hertz, NULL), HK_OK);
  assert_true(hk_dim_fits(rad.dim, rad.dim));
  assert_false(hk_dim_fits(none.dim, rad.dim));
  assert_false(hk_dim_fits(rad.dim, none.dim));
  assert_true(hk_dim_fits(hertz.dim, rate.dim));
}

/* Properties of every table that the reader, the schema and `hooke types` rely on. */
static void all_tables(void **state) {
  (void)state;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), (hk_category)c); i++) {
      const hk_type *type = hk_registry_at(hk_registry_builtin(), (hk_category)c, i);
      const hk_param *p;
      int n = 0;
      for (; (p = hk_type_param(type, n)); n++) {
        hk_unit unit;
        if (p->unit && hk_unit_parse(p->unit, strlen(p->unit), &unit, &err))
          fail_msg("%s.%s: %s", type->name, p->name, err.text);
        if (p->unit && (unit.factor != 1 || unit.offset != 0))
          fail_msg("%s.%s: '%s' is not an SI unit", type->name, p->name, p->unit);
        assert_true(p->offset < type->size);
        assert_int_equal(hk_type_param_find(type, p->name), n); /* no name twice */
        assert_true((p->kind == HK_PARAM_ENUM) == (p->choices != NULL));
        assert_true((p->kind == HK_PARAM_REALS) == (p->count > 0));
        assert_non_null(p->doc);
      }
      assert_int_equal(hk_type_param_count(type), n);
      if (c != HK_STEPPER || n) assert_non_null(type->defaults);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(items_by_name, create, destroy),
      cmocka_unit_test_setup_teardown(no_item, create, destroy),
      cmocka_unit_test_setup_teardown(many_items, create, destroy),
      cmocka_unit_test_setup_teardown(numbers, create, destroy),
      cmocka_unit_test_setup_teardown(vectors_and_rotations, create, destroy),
      cmocka_unit_test_setup_teardown(lists, create, destroy),
      cmocka_unit_test_setup_teardown(choices_and_names, create, destroy),
      cmocka_unit_test_setup_teardown(terms, create, destroy),
      cmocka_unit_test_setup_teardown(expressions, create, destroy),
      cmocka_unit_test_setup_teardown(markers, create, destroy),
      cmocka_unit_test(nearest),
      cmocka_unit_test(fitting_dimensions),
      cmocka_unit_test(all_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
