/* repeat, assemblies, parts, ports and include. */
#include "model_file_case.h"
#include <sys/stat.h>
#include <hooke/registry.h>
#include <unistd.h>

static void repeat_over_an_index(void **state) {
  (void)state;
  reading r = read_text(
      "parameters: {n: 3, L: 0.5 m}\n"
      "bodies:\n"
      "  link: {repeat: {i: 0..n}, type: rod, mass: (1 + i) * 1 kg, length: L, position: [i*L, 0, "
      "0]}\n"
      "  none: {repeat: {i: 5..4}, mass: 1 kg}\n"
      "  some: {repeat: {i: [0, 2, n+1]}, mass: 1 kg}\n"
      "  grid: {repeat: {i: 0..1, j: 0..i}, mass: 1 kg}\n"
      "  named: {repeat: {i: 1..2}, name: \"v[i+1]\", mass: 1 kg}\n"
      "joints:\n"
      "  pin: {repeat: {i: 1..n}, type: revolute, a: \"link[i-1]\", b: \"link[ i ]\"}\n"
      "forces:\n"
      "  f: {repeat: {i: 1..n}, type: load, b: \"link[i]\", force: [\"link[i-1].x * 1 N/m\", 0, "
      "0]}\n");
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 4 + 3 + 3 + 2);
  assert_int_equal(r.spec->n[HK_JOINT], 3);
  assert_true(real(&r, HK_BODY, "link[3]", "mass") == 4);
  assert_vec3(&r, HK_BODY, "link[2]", "position", 1, 0, 0);
  assert_string_equal(text(&r, HK_JOINT, "pin[2]", "a"), "link[1]");
  assert_string_equal(text(&r, HK_JOINT, "pin[2]", "b"), "link[2]");
  item_of(&r, HK_BODY, "some[4]");
  item_of(&r, HK_BODY, "grid[1][0]");
  item_of(&r, HK_BODY, "grid[1][1]");
  assert_null(hk_spec_find(r.spec, HK_BODY, "grid[0][1]"));
  item_of(&r, HK_BODY, "v[3]");
  done(&r);
}

/* Only brackets with an index of the repetition are indices: file names may contain other brackets. */
static void texts_in_repetitions(void **state) {
  (void)state;
  reading r = read_text(
      "parameters: {n: 3}\n"
      "bodies: {b: {mass: 1 kg}}\n"
      "shapes:\n"
      "  s: {repeat: {i: 1..2}, body: b, type: mesh, unit: 1 mm, file: "
      "\"a[old]/w[n]_[i+1]_[2].stl\"}\n"
      "  open: {repeat: {i: 1..2}, body: b, type: mesh, unit: 1 mm, file: \"a[i.stl\"}\n"
      "  alone: {body: b, type: mesh, unit: 1 mm, file: \"a[i].stl\"}\n");
  assert_read(&r);
  assert_string_equal(text(&r, HK_SHAPE, "s[1]", "file"), "a[old]/w[n]_[2]_[2].stl");
  assert_string_equal(text(&r, HK_SHAPE, "s[2]", "file"), "a[old]/w[n]_[3]_[2].stl");
  assert_string_equal(text(&r, HK_SHAPE, "open[2]", "file"), "a[i.stl");
  assert_string_equal(text(&r, HK_SHAPE, "alone", "file"), "a[i].stl");
  done(&r);
}

static const char LEG[] =
    "parameters: {l: 9 m, mass0: 2 kg}\n"
    "bodies:\n"
    "  chassis: {mass: 1 kg, markers: {left: [0, 1 m, 0], right: [0, -1 m, 0]}}\n"
    "  thigh: {mass: 77 kg}\n"
    "assemblies:\n"
    "  leg:\n"
    "    parameters: {l: 0.5 m, w: l/2}\n"
    "    ports: [hip]\n"
    "    bodies:\n"
    "      thigh: {type: rod, length: l, mass: mass0, position: [w, 0, 0], velocity: [1 m/s, 0, "
    "0]}\n"
    "    joints:\n"
    "      pin: {type: revolute, a: hip, b: thigh, at: [0, 0, 0], axis: x}\n"
    "      tie: {type: spherical, a: chassis, b: thigh}\n"
    "    sensors:\n"
    "      s: {value: pin.angle}\n"
    "  pair:\n"
    "    ports: [base]\n"
    "    parts:\n"
    "      first: {assembly: leg, connect: {hip: base}, position: [1 m, 0, 0]}\n"
    "      other: {repeat: {i: 1..2}, assembly: leg, parameters: {l: i * 1 m}, connect: {hip: "
    "base.left}}\n";

static void parts_have_names_parameters_and_places(void **state) {
  (void)state;
  char body[3000];
  snprintf(
      body, sizeof body,
      "%sparts:\n"
      "  a: {assembly: leg, parameters: {l: 0.4 m}, connect: {hip: chassis.left}, position: [0, 1 "
      "m, 0], orientation: {axis: z, angle: 90 deg}}\n",
      LEG);
  reading r = read_text(body);
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 3);
  assert_float_equal(real(&r, HK_BODY, "a.thigh", "length"), 0.4, 1e-16);
  assert_true(real(&r, HK_BODY, "a.thigh", "mass") == 2); /* parameter of the model */
  assert_vec3(&r, HK_BODY, "a.thigh", "position", 0, 1.2, 0);
  assert_vec3(&r, HK_BODY, "a.thigh", "velocity", 0, 1, 0);
  hk_quat q = *(hk_quat *)field(item_of(&r, HK_BODY, "a.thigh"), "orientation");
  assert_float_equal(q.w, sqrt(0.5), 1e-15);
  assert_float_equal(q.z, sqrt(0.5), 1e-15);
  assert_string_equal(text(&r, HK_JOINT, "a.pin", "a"), "chassis.left");
  assert_string_equal(text(&r, HK_JOINT, "a.pin", "b"), "a.thigh"); /* the inner one */
  assert_string_equal(text(&r, HK_JOINT, "a.tie", "a"), "chassis"); /* found further out */
  assert_vec3(&r, HK_JOINT, "a.pin", "at", 0, 1, 0);
  assert_vec3(&r, HK_JOINT, "a.pin", "axis", 0, 1, 0);
  item_of(&r, HK_SENSOR, "a.s");
  done(&r);
}

static void nested_parts(void **state) {
  (void)state;
  char body[3000];
  snprintf(body, sizeof body,
           "%sparts:\n"
           "  p: {assembly: pair, connect: {base: chassis}, position: [0, 0, 2 m], orientation: "
           "{axis: z, angle: 180 deg}}\n",
           LEG);
  reading r = read_text(body);
  assert_read(&r);
  assert_string_equal(text(&r, HK_JOINT, "p.first.pin", "a"), "chassis");
  assert_string_equal(text(&r, HK_JOINT, "p.other[2].pin", "a"), "chassis.left");
  assert_vec3(&r, HK_BODY, "p.first.thigh", "position", -1.25, 0, 2);
  assert_vec3(&r, HK_BODY, "p.other[2].thigh", "position", -1, 0, 2);
  done(&r);
}

static void wrong_parts(void **state) {
  (void)state;
  static const struct {
    const char *parts, *words;
  } cases[] = {
      {"{a: {assembly: leg}}", "port 'hip' of part 'a' is not connected"},
      {"{a: {assembly: leg, connect: {hop: chassis}}}", "did you mean 'hip'?"},
      {"{a: {assembly: leg, connect: {hip: chasis}}}", "did you mean 'chassis'?"},
      {"{a: {assembly: leg, connect: {hip: chassis.lft}}}", "did you mean 'chassis.left'?"},
      {"{a: {assembly: leg, connect: {hip: ground}, parameters: {ll: 1 m}}}", "no parameter 'll'"},
      {"{a: {assembly: lag, connect: {hip: ground}}}", "did you mean 'leg'?"},
      {"{a: {connect: {hip: ground}}}", "has no assembly"},
      {"{a: {assembly: leg, connect: {hip: ground}, at: [0, 0, 0]}}", "unknown key 'at'"},
      {"{a: 3}", "part 'a' must be a map"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char body[3000];
    snprintf(body, sizeof body, "%sparts: %s\n", LEG, cases[i].parts);
    reading r = read_text(body);
    assert_null(r.spec);
    if (!strstr(r.diag.message[0].text, cases[i].words))
      fail_msg("%s gives: %s", cases[i].parts, r.diag.message[0].text);
    done(&r);
  }
  reading r = read_text(
      "assemblies: {a: {parts: {x: {assembly: b}}}, b: {parts: {y: {assembly: a}}}}\n"
      "parts: {p: {assembly: a}}\n");
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 1);
  assert_non_null(strstr(r.diag.message[0].text, "assembly 'a' contains itself"));
  done(&r);
}

/* 10 sub-models, each with 10 instances of the next one, would make 1e10 parts without an item. */
static void explosion_is_bounded(void **state) {
  (void)state;
  char body[3000];
  int n = sprintf(body, "assemblies:\n  a0: {}\n");
  for (int i = 1; i <= 10; i++)
    n += sprintf(body + n, "  a%d: {parts: {p: {repeat: {i: 0..9}, assembly: a%d}}}\n", i, i - 1);
  sprintf(body + n, "parts: {x: {assembly: a10}}\n");
  reading r = read_text(body);
  assert_null(r.spec);
  assert_non_null(strstr(r.diag.message[0].text, "more than 1000000 items"));
  done(&r);
}

/* --- include --------------------------------------------------------------------------------- */

static char folder[] = HOOKE_BINARY_DIR "/include_XXXXXX";
static const char *const FILES[] = {"main.yaml", "parts.yaml", "sub/deep.yaml", "loop.yaml"};

static void put(const char *name, const char *content) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(content, f);
  fclose(f);
}

static int make_folder(void **state) {
  (void)state;
  char path[1000];
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/sub", folder);
  return mkdir(path, 0700);
}

static int remove_folder(void **state) {
  (void)state;
  char path[1000];
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, FILES[i]);
    remove(path);
  }
  snprintf(path, sizeof path, "%s/sub", folder);
  rmdir(path);
  return rmdir(folder);
}

static reading read_main(void) {
  char path[1000];
  reading r;
  hk_diag_init(&r.diag);
  snprintf(path, sizeof path, "%s/main.yaml", folder);
  r.spec = hk_model_file_read(path, NULL, 0, &r.diag);
  return r;
}

static void include_merges(void **state) {
  (void)state;
  put("main.yaml",
      "format: 1\ninclude: [parts.yaml, sub/deep.yaml]\nparameters: {L: 2 m}\n"
      "bodies: {b: {type: rod, length: L}}\nanalysis: {duration: 3 s}\n");
  put("parts.yaml",
      "include: sub/deep.yaml\nparameters: {L: 1 m, M: 4 kg}\ndefaults: {rod: {mass: "
      "M}}\nanalysis: {duration: 1 s, output_step: 1 ms}\n");
  put("sub/deep.yaml",
      "format: 1\nbodies: {a: {type: rod, length: L}}\ndefaults: {rod: {mass: 1 kg}}\n");
  reading r = read_main();
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 2);
  assert_true(real(&r, HK_BODY, "a", "length") == 2); /* the including file has precedence */
  assert_true(real(&r, HK_BODY, "a", "mass") == 4);
  assert_true(real(&r, HK_ANALYSIS, "analysis", "duration") == 3);
  assert_true(real(&r, HK_ANALYSIS, "analysis", "output_step") == 1e-3);
  assert_non_null(strstr(item_of(&r, HK_BODY, "a")->place.file, "sub/deep.yaml"));
  done(&r);
}

/* Through links and from included files too; a registry may allow it. */
static void include_stays_inside(void **state) {
  (void)state;
  char outside[1000], text[1200];
  snprintf(outside, sizeof outside, "%s-outside.yaml", folder);
  FILE *f = fopen(outside, "w");
  assert_non_null(f);
  fputs("bodies: {a: {mass: 1 kg}}\n", f);
  fclose(f);
  snprintf(text, sizeof text, "include: %s\n", outside);
  put("sub/deep.yaml", text);
  put("main.yaml", "format: 1\ninclude: sub/deep.yaml\n");
  reading r = read_main();
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 1);
  assert_non_null(strstr(r.diag.message[0].text, "outside of the model's folder"));
  assert_non_null(strstr(r.diag.message[0].text, "--allow-outside"));
  assert_non_null(strstr(r.diag.message[0].place.file, "deep.yaml"));
  done(&r);
  snprintf(text, sizeof text, "%s/loop.yaml", folder);
  remove(text);
  assert_int_equal(symlink(outside, text), 0);
  put("main.yaml", "format: 1\ninclude: loop.yaml\n");
  r = read_main();
  assert_null(r.spec);
  assert_non_null(strstr(r.diag.message[0].text, "outside of the model's folder"));
  done(&r);
  hk_registry *types = hk_registry_create();
  assert_non_null(types);
  hk_registry_allow_outside(types);
  hk_diag_init(&r.diag);
  snprintf(text, sizeof text, "%s/main.yaml", folder);
  r.spec = hk_model_file_read_with(types, text, NULL, 0, &r.diag);
  assert_read(&r);
  assert_int_equal(r.spec->n[HK_BODY], 1);
  done(&r);
  hk_registry_destroy(types);
  remove(outside);
  snprintf(text, sizeof text, "%s/loop.yaml", folder);
  remove(text);
}

static void include_errors(void **state) {
  (void)state;
  put("main.yaml", "format: 1\ninclude: loop.yaml\nbodies: {a: {mass: 1 kg}}\n");
  put("loop.yaml", "include: main.yaml\nbodies: {a: {mass: 1 kg}}\n");
  reading r = read_main();
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 2);
  assert_non_null(strstr(r.diag.message[0].text,
                         "in a cycle: 'main.yaml' includes 'loop.yaml' includes 'main.yaml'"));
  assert_non_null(strstr(r.diag.message[0].place.file, "loop.yaml"));
  assert_non_null(strstr(r.diag.message[1].text, "'a' is already defined in"));
  done(&r);
  put("main.yaml", "format: 1\ninclude: main.yaml\n");
  r = read_main();
  assert_null(r.spec);
  assert_non_null(strstr(r.diag.message[0].text, "in a cycle: 'main.yaml' includes 'main.yaml'"));
  done(&r);
  /* A file that was rejected does not count as being read. */
  put("main.yaml", "format: 1\ninclude: [/etc/passwd, /etc/passwd]\n");
  r = read_main();
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 2);
  assert_non_null(strstr(r.diag.message[1].text, "outside of the model's folder"));
  done(&r);
  put("main.yaml", "format: 1\ninclude: [nothing.yaml, sub]\n");
  r = read_main();
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 2);
  assert_int_equal(r.diag.message[0].place.line, 2);
  done(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeat_over_an_index),
      cmocka_unit_test(texts_in_repetitions),
      cmocka_unit_test(parts_have_names_parameters_and_places),
      cmocka_unit_test(nested_parts),
      cmocka_unit_test(wrong_parts),
      cmocka_unit_test(explosion_is_bounded),
      cmocka_unit_test(include_merges),
      cmocka_unit_test(include_stays_inside),
      cmocka_unit_test(include_errors),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
