/* A type outside of the library that draws itself with hooke/draw.h only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include "scene/scene.h"
#include <string.h>

typedef struct thing {
  const char *b;
} thing;

static const hk_param params[] = {HK_FRAME(thing, b, HK_REQUIRED, "frame")};

static hk_status bind(const hk_item *item, hk_force_binding *out, hk_error *err) {
  (void)err;
  out->a = "ground";
  out->b = HK_DATA(item, thing)->b;
  return HK_OK;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  (void)data, (void)in, (void)out;
}

static void draw(const hk_item *item, hk_drawing *d) {
  static const hk_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int triangle[5][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 1, 7}};
  const hk_draw_style style = {.paint = HK_PAINT_OWN, .colour = 0x123456, .part = true};
  assert_true(hk_draw_size(d) > 0);
  assert_string_equal(hk_item_name(item), "it");
  hk_draw_sphere(d, HK_DRAW_B, hk_v3(0, 0, 1), 0.5, style);
  hk_draw_box(d, HK_DRAW_B, hk_v3(0, 0, 0), hk_quat_identity(), hk_v3(1, 2, 3), style);
  hk_draw_tube(d, HK_DRAW_B, hk_v3(0, 0, 0), hk_quat_identity(), 0.5, 0.25, 1, style);
  hk_draw_triangles(d, HK_DRAW_B, corner, 4, triangle, 5, style);
  hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.1, style);
  hk_draw_spring(d, HK_DRAW_A, HK_DRAW_B, 0.2, 5);
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};
static const thing defaults = {0};
static const hk_type type = {.name = "thing",
                             .category = HK_FORCE,
                             .doc = "Nothing that is drawn.",
                             .source = "definition",
                             .size = sizeof(thing),
                             .defaults = &defaults,
                             HK_TABLE(params),
                             .ops = &ops,
                             .draw = draw};

static hk_scene *scene_of(bool with) {
  static const char text[] =
      "format: 1\nbodies: {ball: {type: sphere, radius: 1 m, density: 1 kg/m^3}}\n"
      "forces: {it: {type: thing, b: ball}}\nanalysis: {duration: 1 s}\n";
  hk_type other = type;
  if (!with) other.draw = NULL;
  hk_registry *types = hk_registry_create();
  assert_int_equal(hk_registry_add(types, &other, NULL), HK_OK);
  hk_spec *s = hk_model_text_read_with(types, "test", text, sizeof text - 1, NULL, 0, NULL);
  hk_model *m = hk_model_compile(s, NULL);
  assert_non_null(m);
  hk_scene *scene;
  assert_int_equal(hk_scene_build(m, &scene, NULL), HK_OK);
  hk_model_destroy(m);
  hk_registry_destroy(types);
  return scene;
}

static void a_plugin_type_is_seen(void **state) {
  (void)state;
  hk_scene *with = scene_of(true), *without = scene_of(false);
  assert_int_equal(with->n_solids - without->n_solids, 4);
  assert_int_equal(with->n_links - without->n_links, 2);
  bool tetrahedron = false;
  for (int i = 0; i < with->n_solids; i++)
    tetrahedron = tetrahedron || with->mesh[with->solid[i].mesh].n_triangles == 4;
  assert_true(tetrahedron); /* the triangle with an invalid corner is omitted */
  hk_scene_free(with);
  hk_scene_free(without);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plugin_type_is_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
