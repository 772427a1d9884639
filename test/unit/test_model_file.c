/* Valid model files: contents of the spec. */
#include "model_file_case.h"
#include <hooke/model.h>

static void parameters_in_any_order(void **state) {
  (void)state;
  reading r = read_text(
      "title: Slider crank\n"
      "parameters: {k: 2*L/n, L: 0.3 m, n: 4, m: 3 kg, half: m/2}\n"
      "bodies:\n"
      "  b: {type: rod, length: k, mass: half, position: [L, -L, 0]}\n");
  assert_read(&r);
  assert_string_equal(r.spec->title, "Slider crank");
  assert_string_equal(r.spec->file, "m.yaml");
  assert_float_equal(real(&r, HK_BODY, "b", "length"), 0.15, 1e-16);
  assert_float_equal(real(&r, HK_BODY, "b", "mass"), 1.5, 1e-16);
  assert_vec3(&r, HK_BODY, "b", "position", 0.3, -0.3, 0);
  const hk_item *b = item_of(&r, HK_BODY, "b");
  assert_int_equal(b->place.line, 5);
  assert_int_equal(b->place.column, 3);
  assert_int_equal(hk_item_location(b, "mass")->column, 35);
  assert_string_equal(hk_item_location(b, "mass")->file, "m.yaml");
  assert_ptr_equal(hk_item_location(b, "orientation"), &b->place);
  done(&r);
}

/* Joints may refer to parts of composite joints, and these to each other's parts, in any order. */
static void parts_of_composite_joints(void **state) {
  (void)state;
  reading r = read_text(
      "joints:\n"
      "  ball: {type: spherical, b: second.end, at: [0, 0, 1 m]}\n"
      "  second: {type: shaft, a: first.end, lengths: [0.6 m], outer_diameters: [20 mm]}\n"
      "  first: {type: shaft, lengths: [0.4 m], outer_diameters: [20 mm]}\n");
  assert_read(&r);
  assert_vec3(&r, HK_BODY, "second.end", "position", 0, 0, 1);
  done(&r);
}

/* A chain of forward references of any length: no recursion, no repeated work. */
static void long_chain_of_parameters(void **state) {
  (void)state;
  enum { N = 20000 };
  char *body = malloc(64 * N);
  int n = sprintf(body, "parameters:\n");
  for (int i = 0; i < N; i++) n += sprintf(body + n, "  p%d: p%d + 1 m\n", i, i + 1);
  sprintf(body + n, "  p%d: 0 m\nbodies: {b: {type: rod, mass: 1 kg, length: p0}}\n", N);
  reading r = read_text(body);
  assert_read(&r);
  assert_true(real(&r, HK_BODY, "b", "length") == N);
  done(&r);
  free(body);
}

static void defaults_by_type(void **state) {
  (void)state;
  reading r = read_text(
      "parameters: {m0: 2 kg}\n"
      "defaults: {rod: {mass: m0, length: 1 m}}\n"
      "bodies: {a: {type: rod}, b: {type: rod, mass: 5 kg}, c: {type: sphere, mass: 1 kg, radius: "
      "1 "
      "m}}\n");
  assert_read(&r);
  assert_true(real(&r, HK_BODY, "a", "mass") == 2);
  assert_true(real(&r, HK_BODY, "b", "mass") == 5);
  assert_true(real(&r, HK_BODY, "b", "length") == 1);
  assert_true(real(&r, HK_BODY, "c", "mass") == 1);
  done(&r);
}

static hk_mat3 orientation(const char *form) {
  char body[400];
  snprintf(body, sizeof body, "bodies: {b: {mass: 1 kg, orientation: %s}}\n", form);
  reading r = read_text(body);
  assert_read(&r);
  hk_mat3 R = hk_quat_matrix(*(hk_quat *)field(item_of(&r, HK_BODY, "b"), "orientation"));
  done(&r);
  return R;
}

static void assert_same(hk_mat3 A, hk_mat3 B) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) assert_float_equal(A.m[i][j], B.m[i][j], 1e-14);
}

static hk_mat3 turn(int axis, double a) {
  double c = cos(a), s = sin(a);
  if (axis == 0) return (hk_mat3){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
  if (axis == 1) return (hk_mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
  return (hk_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

static void rotations(void **state) {
  (void)state;
  const double d = M_PI / 180;
  assert_same(orientation("{axis: z, angle: 30 deg}"), turn(2, 30 * d));
  assert_same(orientation("{axis: -x, angle: 0.2 rad}"), turn(0, -0.2));
  assert_same(orientation("{axis: [0, 2, 0], angle: 90 deg}"), turn(1, 90 * d));
  assert_same(orientation("{quaternion: [1, 1, 0, 0]}"), turn(0, 90 * d));
  assert_same(orientation("{z: x, x: [1, 5, 0]}"), (hk_mat3){{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}});
  hk_mat3 a = turn(2, 10 * d), b = turn(0, 20 * d), ab = hk_matmul(&a, &b);
  assert_same(orientation("[{axis: z, angle: 10 deg}, {axis: x, angle: 20 deg}]"), ab);
  /* All twelve sequences: R = R1 R2 R3 about the rotated axes. */
  static const char *const seq[] = {"xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
                                    "xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
  for (int i = 0; i < 12; i++) {
    char form[80];
    snprintf(form, sizeof form, "{euler: %s, angles: [10 deg, 20 deg, 30 deg]}", seq[i]);
    hk_mat3 R1 = turn(seq[i][0] - 'x', 10 * d), R2 = turn(seq[i][1] - 'x', 20 * d),
            R3 = turn(seq[i][2] - 'x', 30 * d);
    hk_mat3 R12 = hk_matmul(&R1, &R2);
    assert_same(orientation(form), hk_matmul(&R12, &R3));
  }
}

static void other_kinds(void **state) {
  (void)state;
  reading r = read_text(
      "bodies:\n"
      "  a: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2], fixed: position}\n"
      "  b: {mass: 1 kg, inertia: [1 kg*m^2, 2 kg*m^2, 3 kg*m^2, 0, -4 kg*m^2, 0]}\n"
      "joints:\n"
      "  j: {type: revolute, a: a, b: b, at: [0, 0, 0], axis: [0, 3 m, 4 m]}\n"
      "  k: {type: revolute, a: ground, b: a, axis: -y, at: [0, 0, 0]}\n"
      "  c: {type: coupling, terms: {j.angle: 2, k.angle: -0.5}}\n"
      "forces:\n"
      "  l: {type: load, b: b, force: [0, 3 N * sin(2 rad/s * t), -j.angle * 1 N/rad]}\n"
      "  f: {type: bushing, a: a, b: b, stiffness_matrix: [1, 2, 3, 4, 5, 6]}\n"
      "motions:\n"
      "  m: {coordinate: j.angle, value: 5 rad/s * t}\n"
      "analysis: {duration: 2 min}\n");
  assert_read(&r);
  const double *I = field(item_of(&r, HK_BODY, "b"), "inertia");
  assert_true(I[0] == 1 && I[2] == 3 && I[3] == 0 && I[4] == -4);
  assert_vec3(&r, HK_JOINT, "j", "axis", 0, 0.6, 0.8);
  assert_vec3(&r, HK_JOINT, "k", "axis", 0, -1, 0);
  const hk_terms *t = field(item_of(&r, HK_JOINT, "c"), "terms");
  assert_int_equal(t->n, 2);
  assert_string_equal(t->term[1].coordinate, "k.angle");
  assert_true(t->term[1].factor == -0.5);
  assert_int_equal(t->term[1].place.line, 8);
  hk_expr **force = field(item_of(&r, HK_FORCE, "l"), "force");
  double v[8] = {0.5};
  assert_float_equal(hk_expr_value(force[1], v), 3 * sin(1.0), 1e-14);
  assert_false(hk_expr_is_constant(force[2]));
  const double *K = field(item_of(&r, HK_FORCE, "f"), "stiffness_matrix");
  assert_true(K[0] == 1 && K[7] == 2 && K[35] == 6 && K[1] == 0);
  assert_true(real(&r, HK_ANALYSIS, "analysis", "duration") == 120);
  done(&r);
}

static void markers(void **state) {
  (void)state;
  reading r = read_text(
      "bodies:\n"
      "  ground: {markers: {left: {at: [0, 1 m, 0]}}}\n"
      "  b: {type: rod, mass: 1 kg, length: 1 m, markers: {tip: [2 m, 0, 0], mid: {orientation: "
      "{axis: z, angle: 90 deg}}, o: }}\n"
      "joints: {j: {type: spherical, a: ground.left, b: b.tip}}\n");
  assert_read(&r);
  assert_int_equal(r.spec->n_markers, 4);
  assert_true(hk_spec_find_marker(r.spec, "ground.left")->at.y == 1);
  assert_true(hk_spec_find_marker(r.spec, "b.tip")->at.x == 2);
  assert_float_equal(hk_spec_find_marker(r.spec, "b.mid")->orientation.z, sqrt(0.5), 1e-15);
  assert_string_equal(text(&r, HK_JOINT, "j", "b"), "b.tip");
  done(&r);
}

static void overrides(void **state) {
  (void)state;
  static const char body[] =
      "parameters: {L: 1 m}\n"
      "bodies: {b: {type: rod, mass: 1 kg, length: L}}\n"
      "joints: {pin: {type: revolute, a: ground, b: b}}\n";
  const hk_override set[] = {{"parameters.L", "5 mm"},
                             {"bodies.b.mass", "2*L*1 kg/mm"},
                             {"pin.at", "[L, 0, 2 m]"},
                             {"analysis.duration", "1 s"}};
  reading r = read_set(body, set, 4);
  assert_read(&r);
  assert_float_equal(real(&r, HK_BODY, "b", "length"), 0.005, 1e-18);
  assert_float_equal(real(&r, HK_BODY, "b", "mass"), 10, 1e-14);
  assert_vec3(&r, HK_JOINT, "pin", "at", 0.005, 0, 2);
  assert_true(real(&r, HK_ANALYSIS, "analysis", "duration") == 1);
  done(&r);
  const hk_override shorter[] = {{"L", "7 m"}, {"title", "New"}};
  r = read_set(body, shorter, 2);
  assert_read(&r);
  assert_true(real(&r, HK_BODY, "b", "length") == 7);
  assert_string_equal(r.spec->title, "New");
  done(&r);
}

/* An override may add, replace or remove an item. */
static void whole_items(void **state) {
  (void)state;
  static const char body[] =
      "bodies: {b: {type: rod, mass: 1 kg, length: 1 m}, c: {mass: 3 kg}}\n"
      "forces: {weight: {type: gravity}}\n";
  const hk_override set[] = {{"bodies.new", "{type: point_mass, mass: \"2 kg\", position: [1 m, 0, 0]}"},
                             {"bodies.b", "{type: sphere, mass: 4 kg, radius: 1 m}"},
                             {"joints.pin", "{type: revolute, b: b}"},
                             {"forces.weight", "~"},
                             {"bodies.c", "~"}};
  reading r = read_set(body, set, 5);
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 2);
  assert_int_equal(r.spec->n[HK_FORCE], 0);
  assert_int_equal(r.spec->n[HK_JOINT], 1);
  assert_true(real(&r, HK_BODY, "new", "mass") == 2);
  assert_true(real(&r, HK_BODY, "b", "mass") == 4);
  assert_string_equal(hk_item_type_name(hk_spec_find(r.spec, HK_BODY, "b")), "sphere");
  done(&r);
}

static void empty_sections(void **state) {
  (void)state;
  reading r = read_text("bodies:\njoints: {}\nparameters:\nanalysis:\n");
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 0);
  done(&r);
}

/* Every complete example of the reference manual is read and compiled. */
static void examples_of_the_reference(void **state) {
  (void)state;
  static char page[100000];
  FILE *f = fopen(HOOKE_SOURCE_DIR "/docs/model-file.md", "r");
  assert_non_null(f);
  page[fread(page, 1, sizeof page - 1, f)] = '\0';
  fclose(f);
  int n = 0;
  for (char *p = page; (p = strstr(p, "```yaml\n"));) {
    p += strlen("```yaml\n");
    char *end = strstr(p, "```");
    assert_non_null(end);
    reading r;
    hk_diag_init(&r.diag);
    r.spec = hk_model_text_read("model-file.md", p, (size_t)(end - p), NULL, 0, &r.diag);
    assert_read(&r);
    hk_model *m = hk_model_compile(r.spec, &r.diag);
    for (int i = 0; !m && i < r.diag.n; i++) print_error("%s\n", r.diag.message[i].text);
    assert_non_null(m);
    hk_model_destroy(m);
    hk_diag_free(&r.diag);
    p = end + 3;
    n++;
  }
  assert_true(n >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_in_any_order),
      cmocka_unit_test(long_chain_of_parameters),
      cmocka_unit_test(defaults_by_type),
      cmocka_unit_test(rotations),
      cmocka_unit_test(other_kinds),
      cmocka_unit_test(markers),
      cmocka_unit_test(overrides),
      cmocka_unit_test(whole_items),
      cmocka_unit_test(parts_of_composite_joints),
      cmocka_unit_test(empty_sections),
      cmocka_unit_test(examples_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
