/* Every registered type, from the registry alone: its name, documentation, defaults and parameter
 * table; for joints, the rows they constrain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "measure/measure.h"
#include "unit/probe.h"
#include "registry/builtin.h"
#include <hooke/model.h>

static void every_type_has_a_sound_table(void **state) {
  (void)state;
  for (hk_category c = 0; c < HK_N_CATEGORIES; c++) {
    assert_true(hk_registry_count(hk_registry_builtin(), c) > 0);
    assert_null(
        hk_registry_at(hk_registry_builtin(), c, hk_registry_count(hk_registry_builtin(), c)));
    assert_null(hk_registry_at(hk_registry_builtin(), c, -1));
    assert_true(hk_category_name(c) && hk_category_section(c));
    const char *usual = hk_category_default_type(c);
    if (usual) assert_non_null(hk_registry_find(hk_registry_builtin(), c, usual));
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), c); i++) {
      const hk_type *t = hk_registry_at(hk_registry_builtin(), c, i);
      hk_error err = {0};
      if (hk_type_sound(t, &err)) fail_msg("%s", err.text);
      assert_ptr_equal(hk_registry_find(hk_registry_builtin(), c, t->name), t); /* no name twice */
      assert_int_equal(hk_type_param_find(t, "no_such_parameter"), -1);
      assert_null(hk_type_param(t, -1));
    }
  }
  assert_null(hk_registry_find(hk_registry_builtin(), HK_JOINT, "no_such_joint"));
  assert_null(hk_category_name(HK_N_CATEGORIES));
}

static void measures_take_what_the_measure_module_knows(void **state) {
  (void)state;
  const hk_type *t = hk_registry_find(hk_registry_builtin(), HK_MEASURE, "channel");
  const char *const *take = hk_type_param(t, hk_type_param_find(t, "take"))->choices;
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++)
    assert_string_equal(take[k], hk_measure_kind_name((hk_measure_kind)k));
  assert_null(take[HK_MEASURE_N_KINDS]);
}

/* A model of one joint between two bodies, which are at a distance if the joint is a link. */
static hk_model *joint_alone(const char *type, hk_diag *diag) {
  hk_error err;
  hk_spec *spec = hk_spec_create();
  const double inertia[3] = {1, 1, 1};
  static const char *const name[2] = {"first", "second"};
  assert_non_null(spec);
  for (int i = 0; i < 2; i++) {
    hk_item *body = hk_spec_add(spec, HK_BODY, "rigid_body", name[i], &err);
    assert_non_null(body);
    assert_int_equal(hk_item_real(body, "mass", 1, &err), HK_OK);
    assert_int_equal(hk_item_reals(body, "inertia", inertia, 3, &err), HK_OK);
    assert_int_equal(hk_item_vec3(body, "position", hk_v3(i, 0, 0), &err), HK_OK);
  }
  hk_item *joint = hk_spec_add(spec, HK_JOINT, type, "joint", &err);
  assert_non_null(joint);
  assert_int_equal(hk_item_text(joint, "a", "first", &err), HK_OK);
  assert_int_equal(hk_item_text(joint, "b", "second", &err), HK_OK);
  if (strcmp(type, "distance") && strcmp(type, "revolute_spherical"))
    assert_int_equal(hk_item_vec3(joint, "at", hk_v3(0.5, 0, 0), &err), HK_OK);
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(joint->type, i)); i++)
    if (p->kind == HK_PARAM_REAL && (p->flags & HK_REQUIRED))
      assert_int_equal(hk_item_real(joint, p->name, 0.01, &err), HK_OK);
  return hk_model_compile(spec, diag);
}

static void joints_hold_as_many_rows_as_their_mechanics_says(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int rows;
    const char *coordinate[4];
  } known[] = {
      {"fixed", 6, {NULL}},
      {"revolute", 5, {"angle"}},
      {"prismatic", 5, {"displacement"}},
      {"cylindrical", 4, {"displacement", "angle"}},
      {"planar", 3, {"x", "y", "angle"}},
      {"spherical", 3, {NULL}},
      {"universal", 4, {"angle_a", "angle_b"}},
      {"constant_velocity", 4, {NULL}},
      {"distance", 1, {NULL}},
      {"revolute_spherical", 2, {"angle"}},
      {"point_on_line", 2, {"displacement"}},
      {"point_on_plane", 1, {"x", "y"}},
      {"screw", 5, {"angle", "displacement"}},
  };
  int n_known = sizeof known / sizeof *known, checked = 0;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_JOINT); i++) {
    const hk_type *t = hk_registry_at(hk_registry_builtin(), HK_JOINT, i);
    const hk_joint_ops *ops = t->ops; /* wheels on the ground: test/verify/test_rolling.c */
    if (!ops->frames || ops->ground || ops->expand) continue;
    hk_diag diag;
    hk_diag_init(&diag);
    hk_model *m = joint_alone(t->name, &diag);
    if (!m) print_error("joint '%s': %s\n", t->name, diag.n ? diag.message[0].text : "");
    assert_non_null(m);
    assert_in_range(hk_model_constraint_count(m), 1, 6);
    for (int k = 0; k < n_known; k++) {
      if (strcmp(known[k].type, t->name)) continue;
      checked++;
      assert_int_equal(hk_model_constraint_count(m), known[k].rows);
      for (int c = 0; known[k].coordinate[c]; c++) {
        char channel[64] = "joint.";
        strcat(channel, known[k].coordinate[c]);
        assert_true(hk_model_channel_find(m, channel) > 0);
      }
    }
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  assert_int_equal(checked, n_known);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_has_a_sound_table),
      cmocka_unit_test(measures_take_what_the_measure_module_knows),
      cmocka_unit_test(joints_hold_as_many_rows_as_their_mechanics_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
