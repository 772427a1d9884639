/* src/mesh, src/shape: meshes are closed with outward normals, their volumes agree with the formulas, damaged
 * files are rejected. */
#include "spec/type.h"
#include "shape/shape.h"
#include "mesh/drawing.h"
#include "mesh/mesh_file.h"
#include "support/check.h"
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Normals belong to the outer side of the triangle. */
static void check_normals(const hk_mesh *m) {
  for (size_t i = 0; i < m->n_triangles; i++) {
    const uint32_t *t = m->triangle + 3 * i;
    hk_vec3 a = hk_mesh_position(m, t[0]), b = hk_mesh_position(m, t[1]),
            c = hk_mesh_position(m, t[2]);
    hk_vec3 n = hk_cross(hk_sub(b, a), hk_sub(c, a));
    for (int k = 0; k < 3; k++) {
      const float *y = m->normal + 3 * t[k];
      double along = y[0] * n.x + y[1] * n.y + y[2] * n.z;
      if (!(along > -0.2 * hk_norm(n)))
        fail_msg("triangle %zu looks the other way: %g", i, along / hk_norm(n));
    }
  }
}

static hk_volume closed(hk_mesh *m) {
  hk_volume v;
  hk_error err = {0};
  assert_false(m->failed);
  if (hk_mesh_volume(m, &v, &err)) fail_msg("%s", err.text);
  check_normals(m);
  hk_mesh_free(m);
  return v;
}

static void assert_close(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance * fabs(b) + 1e-14)) fail_msg("%.9g is not %.9g", a, b);
}

static void solids_are_closed(void **state) {
  (void)state;
  hk_error err = {0};
  hk_mesh m = {0};
  hk_mesh_box(&m, hk_v3(1, 2, 3));
  assert_close(closed(&m).volume, 6, 1e-6);
  hk_mesh_cylinder(&m, 2, 1, 3);
  assert_close(closed(&m).volume, M_PI * 9, 0.01);
  hk_mesh_cylinder(&m, 2, 0, 3);
  assert_close(closed(&m).volume, M_PI * 12, 0.01);
  hk_mesh_cone(&m, 2, 0, 3);
  assert_close(closed(&m).volume, M_PI * 4, 0.01);
  hk_mesh_sphere(&m, 2, 1);
  assert_close(closed(&m).volume, 4.0 / 3 * M_PI * 7, 0.03);
  hk_mesh_socket(&m, 1, 1.5, 0);
  assert_close(closed(&m).volume, 2.0 / 3 * M_PI * (1.5 * 1.5 * 1.5 - 1), 0.03);
  const double L[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 3, 0, 3};
  assert_int_equal(hk_mesh_extrude(&m, L, 6, 2, &err), HK_OK);
  assert_close(closed(&m).volume, 8, 1e-6);
  double back[12];
  for (int i = 0; i < 6; i++) back[2 * i] = L[10 - 2 * i], back[2 * i + 1] = L[11 - 2 * i];
  assert_int_equal(hk_mesh_extrude(&m, back, 6, 2, &err), HK_OK);
  assert_close(closed(&m).volume, 8, 1e-6);
}

static void races_and_cages_are_closed(void **state) {
  (void)state;
  hk_mesh m = {0};
  hk_track track[6];
  for (int k = 0; k < 6; k++) {
    double f = k * M_PI / 3, tilt = k % 2 ? 0.1 : -0.1;
    track[k] = (hk_track){hk_v3(cos(f), sin(f), 0), hk_v3(-tilt * sin(f), tilt * cos(f), 1), 0.2};
  }
  hk_mesh_outer_race(&m, 1.05, 1.5, 0.8, track, 6);
  double plain = M_PI * (1.5 * 1.5 - 1.05 * 1.05) * 0.8;
  double v = closed(&m).volume;
  assert_true(v < plain && v > 0.8 * plain);
  hk_mesh_inner_race(&m, 0.4, 0.95, 0.8, track, 6);
  plain = M_PI * (0.95 * 0.95 - 0.16) * 0.8;
  v = closed(&m).volume;
  assert_true(v < plain && v > 0.7 * plain);
  hk_mesh_cage(&m, 0.95, 1.05, 0.8, 6, 0.21, 0.25);
  v = closed(&m).volume;
  double ring = M_PI * (1.05 * 1.05 - 0.95 * 0.95);
  assert_close(v, ring * 0.8 - ring * 0.42 * 6 * 0.5 / (2 * M_PI), 0.01);
}

static void outlines_that_are_none_are_refused(void **state) {
  (void)state;
  hk_mesh m = {0};
  hk_error err = {0};
  const double eight[] = {0, 0, 1, 1, 1, 0, 0, 1}, line[] = {0, 0, 1, 0, 2, 0};
  assert_int_equal(hk_mesh_extrude(&m, eight, 4, 1, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "crosses itself"));
  assert_int_equal(hk_mesh_extrude(&m, line, 3, 1, &err), HK_EINPUT);
  assert_int_equal(hk_mesh_extrude(&m, line, 2, 1, &err), HK_EINPUT);
  hk_mesh_free(&m);
}

/* ---- mass from shapes ---- */

static hk_model *compile(const char *text, hk_diag *diag) {
  hk_diag_init(diag);
  hk_spec *spec = hk_model_text_read("model.yaml", text, strlen(text), NULL, 0, diag);
  return spec ? hk_model_compile(spec, diag) : NULL;
}

static void same_mass(const char *shape, const char *body) {
  char text[2][1000];
  hk_model *m[2];
  snprintf(
      text[0], 1000,
      "format: 1\nbodies:\n  b: {density: 7850 kg/m^3, shape: %s, velocity: [1 m/s, 2 m/s, 0], "
      "angular_velocity: [1 rad/s, 2 rad/s, 3 rad/s]}\n",
      shape);
  snprintf(text[1], 1000,
           "format: 1\nbodies:\n  b: {%s, velocity: [1 m/s, 2 m/s, 0], angular_velocity: [1 rad/s, "
           "2 rad/s, "
           "3 rad/s]}\n",
           body);
  double energy[2];
  for (int i = 0; i < 2; i++) {
    hk_diag diag;
    m[i] = compile(text[i], &diag);
    if (!m[i]) fail_msg("%s", diag.n ? diag.message[0].text : "");
    hk_sim *sim;
    hk_error err = {0};
    assert_int_equal(hk_sim_create(m[i], NULL, &sim, &diag, &err), HK_OK);
    energy[i] = hk_sim_value(sim, hk_model_channel_find(m[i], "energy.kinetic"));
    hk_sim_destroy(sim);
    hk_model_destroy(m[i]);
    hk_diag_free(&diag);
  }
  assert_close(energy[0], energy[1], 1e-6);
}

/* The bodies of these types have separate formulas. */
static void mass_from_shapes(void **state) {
  (void)state;
  same_mass("{type: box, size: [1 m, 2 m, 3 m]}",
            "type: box, size: [1 m, 2 m, 3 m], density: 7850 kg/m^3");
  same_mass("{type: cylinder, radius: 2 m, inner_radius: 1 m, length: 3 m}",
            "type: cylinder, radius: 2 m, inner_radius: 1 m, length: 3 m, density: 7850 kg/m^3");
  same_mass("{type: sphere, radius: 2 m, inner_radius: 1 m}",
            "type: sphere, radius: 2 m, inner_radius: 1 m, density: 7850 kg/m^3");
  same_mass(
      "{type: extrusion, outline: [[-0.5 m, -1 m], [0.5 m, -1 m], [0.5 m, 1 m], [-0.5 m, 1 m]], "
      "length: "
      "3 m}",
      "type: box, size: [1 m, 2 m, 3 m], density: 7850 kg/m^3");
  /* Two halves add up to the whole, even if rotated. */
  same_mass(
      "[{type: box, size: [1 m, 2 m, 1.5 m], offset: [0, 0, 0.75 m]}, {type: box, size: [2 m, 1 m, "
      "1.5 m], "
      "offset: [0, 0, -0.75 m], rotation: {axis: z, angle: 90 deg}}]",
      "type: box, size: [1 m, 2 m, 3 m], density: 7850 kg/m^3");
  /* A cylinder of two cones. */
  same_mass("[{type: cone, radius: 1 m, top_radius: 1 m, length: 2 m}]",
            "type: cylinder, radius: 1 m, length: 2 m, density: 7850 kg/m^3");
}

static void a_cone_agrees_with_its_mesh(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  hk_error err = {0};
  hk_item *cone = hk_spec_add(spec, HK_SHAPE, "cone", "c", &err);
  hk_item_real(cone, "length", 3, &err), hk_item_real(cone, "radius", 2, &err);
  hk_item_real(cone, "top_radius", 0.5, &err);
  const hk_shape_ops *ops = cone->type->ops;
  hk_volume exact = {0}, coarse;
  hk_mesh m = {0};
  assert_int_equal(ops->volume(cone, &exact, &err), HK_OK);
  assert_int_equal(ops->mesh(cone, &m, &err), HK_OK);
  assert_int_equal(hk_mesh_volume(&m, &coarse, &err), HK_OK);
  assert_close(coarse.volume, exact.volume, 0.01);
  assert_close(coarse.center.z, exact.center.z, 0.01);
  for (int i = 0; i < 3; i++) assert_close(coarse.inertia[i], exact.inertia[i], 0.015);
  hk_mesh_free(&m);
  hk_spec_destroy(spec);
}

static void refused(const char *text, const char *says) {
  hk_diag diag;
  hk_model *m = compile(text, &diag);
  if (m) fail_msg("accepted: %s", text);
  if (!strstr(diag.message[0].text, says))
    fail_msg("'%s' does not say '%s'", diag.message[0].text, says);
  assert_true(diag.message[0].place.line > 1);
  hk_diag_free(&diag);
}

static void bad_shapes_are_told(void **state) {
  (void)state;
#define BODY(x) "format: 1\nbodies:\n  b: {" x "}\n"
  refused(BODY("mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], shape: {type: bax}"),
          "did you mean 'box'");
  refused(BODY("density: 1 kg/m^3"), "no shape");
  refused(BODY("density: 1 kg/m^3, mass: 1 kg, shape: {type: sphere, radius: 1 m}"),
          "both density and mass");
  refused(
      BODY(
          "type: sphere, radius: 1 m, mass: 1 kg, shape: {type: sphere, radius: 1 m, color: stel}"),
      "did you mean 'steel'");
  refused(
      BODY(
          "type: sphere, radius: 1 m, mass: 1 kg, shape: {type: mesh, file: none.stl, unit: 1 mm}"),
      "cannot read 'none.stl'");
  refused(BODY("type: sphere, radius: 1 m, mass: 1 kg, shape: [3]"), "a map such as");
  refused(BODY("type: sphere, radius: 1 m, mass: 1 kg") "shapes:\n  s: {type: sphere, body: c, radius: 1 m}\n",
          "c");
  refused(BODY("x: 1"), "unknown key 'x'");
}

/* ---- files ---- */

static hk_status parse(const char *name, const char *bytes, size_t size, hk_mesh *m, char *why) {
  hk_error err = {0};
  *m = (hk_mesh){0};
  hk_status status = hk_mesh_parse(name, bytes, size, 1e-3, m, &err);
  strcpy(why, err.text);
  return status;
}

static size_t binary_cube(unsigned char *out) {
  hk_mesh m = {0};
  hk_mesh_box(&m, hk_v3(2, 2, 2));
  memset(out, 0, 84);
  out[80] = (unsigned char)m.n_triangles;
  for (size_t i = 0; i < m.n_triangles; i++) {
    memset(out + 84 + 50 * i, 0, 50);
    for (int k = 0; k < 3; k++)
      memcpy(out + 84 + 50 * i + 12 + 12 * (size_t)k,
             m.position + 3 * m.triangle[3 * i + (size_t)k], 12);
  }
  size_t size = 84 + 50 * m.n_triangles;
  hk_mesh_free(&m);
  return size;
}

static void binary_stl(void **state) {
  (void)state;
  unsigned char bytes[2000];
  char why[1024];
  hk_mesh m;
  size_t size = binary_cube(bytes);
  assert_int_equal(parse("cube.STL", (char *)bytes, size, &m, why), HK_OK);
  assert_close(closed(&m).volume, 8e-9, 1e-5);
  assert_int_equal(parse("cube.stl", (char *)bytes, size - 7, &m, why), HK_EINPUT);
  assert_non_null(strstr(why, "truncated"));
  bytes[83] = 0xff; /* four billion triangles */
  assert_int_equal(parse("cube.stl", (char *)bytes, size, &m, why), HK_EINPUT);
  bytes[83] = 0;
  memset(bytes + 84 + 12, 0xff, 4); /* NaN */
  assert_int_equal(parse("cube.stl", (char *)bytes, size, &m, why), HK_EINPUT);
  assert_non_null(strstr(why, "triangle 1 is not a finite"));
  memcpy(bytes, "solid ", 6); /* binary although it starts with "solid" */
  size = binary_cube(bytes);
  memcpy(bytes, "solid ", 6);
  assert_int_equal(parse("cube.stl", (char *)bytes, size, &m, why), HK_OK);
  hk_mesh_free(&m);
}

static void text_files(void **state) {
  (void)state;
  char why[1024];
  hk_mesh m;
#define PARSE(name, text) parse(name, text, strlen(text), &m, why)
  static const char facet[] =
      "solid x\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1e0 0 0\n vertex 0 +1. "
      "0\n endloop\n "
      "endfacet\nendsolid x\n";
  assert_int_equal(PARSE("a.stl", facet), HK_OK);
  assert_true(m.n_triangles == 1 && m.position[3] == 1e-3f);
  hk_mesh_free(&m);
  static const char *const bad[][2] = {
      {"solid\nfacet\nvertex 0 0 0\nendfacet\n", "a.stl:4: this facet has 1 corners"},
      {"solid\nfacet\nvertex 0 0\n", "a.stl:3: this corner does not have three numbers"},
      {"solid\nfacet\nvertex 0 0 nan\n", "this corner does not have three numbers"},
      {"solid\nvertex 0 0 1\n", "fourth corner"},
      {"solid\nfacet\nvertex 0 0 1\n", "ends within"},
      {"solid\nendsolid\n", "no triangle"},
      {"hello\n", "is not valid in an STL file"},
      {"solid\nfacet\nvertex 1e300 0 0\n", "finite"},
      {"", "no triangle"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(PARSE("a.stl", bad[i][0]), HK_EINPUT);
    if (!strstr(why, bad[i][1])) fail_msg("'%s' does not say '%s'", why, bad[i][1]);
    hk_mesh_free(&m);
  }
  assert_int_equal(PARSE("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2/2 -2 4\n"), HK_OK);
  assert_true(m.n_triangles == 2);
  hk_mesh_free(&m);
  assert_int_equal(PARSE("a.obj", "v 0 0 0\nf 1 2 3\n"), HK_EINPUT);
  assert_non_null(strstr(why, "a.obj:2: the face refers to corner 2, but there are only 1"));
  assert_int_equal(PARSE("a.obj", "v 0 0 0\nf 1 1\n"), HK_EINPUT);
  assert_int_equal(PARSE("a.obj", "v 0 0 0\nf x\n"), HK_EINPUT);
  assert_int_equal(PARSE("a.txt", "v 0 0 0\n"), HK_EINPUT);
}

static void an_open_surface_has_no_volume(void **state) {
  (void)state;
  hk_mesh m = {0};
  hk_volume v;
  hk_error err = {0};
  hk_mesh_face(&m, hk_v3(0, 0, 0), hk_v3(1, 0, 0), hk_v3(1, 1, 0), hk_v3(0, 1, 0));
  assert_int_equal(hk_mesh_volume(&m, &v, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "not closed"));
  hk_mesh_free(&m);
  assert_int_equal(hk_mesh_volume(&m, &v, &err), HK_EINPUT);
}

static void colours(void **state) {
  (void)state;
  unsigned rgb = 0;
  assert_true(hk_colour_parse("#12aBf0", &rgb) && rgb == 0x12abf0);
  assert_true(hk_colour_parse("steel", &rgb));
  assert_false(hk_colour_parse("#12abf", &rgb) || hk_colour_parse("#12abfg", &rgb) ||
               hk_colour_parse("", &rgb));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_are_closed),
      cmocka_unit_test(races_and_cages_are_closed),
      cmocka_unit_test(outlines_that_are_none_are_refused),
      cmocka_unit_test(mass_from_shapes),
      cmocka_unit_test(a_cone_agrees_with_its_mesh),
      cmocka_unit_test(bad_shapes_are_told),
      cmocka_unit_test(binary_stl),
      cmocka_unit_test(text_files),
      cmocka_unit_test(an_open_surface_has_no_volume),
      cmocka_unit_test(colours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
