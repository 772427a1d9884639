/* src/scene: the scene of a model gives the positions of its bodies, is restored from its file, and
 * finds contacts by name. */
#include "scene/scene_export.h"
#include "support/check.h"
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MODEL[] =
    "format: 1\n"
    "title: 'a <b>title</b>'\n"
    "bodies:\n"
    "  ground: {shape: {type: box, size: [1 m, 1 m, 1 cm]}}\n"
    "  arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0], markers: {tip: [0.5 m, "
    "0, 0]}}\n"
    "  ball: {type: sphere, radius: 10 cm, mass: 1 kg, position: [3 m, 0.05 m, 0.0999 m], shape: "
    "{type: sphere, "
    "radius: 10 cm, color: red}}\n"
    "  wheel: {type: rotor, inertia: 1 kg*m^2, axis: x, rate: 2 rad/s, position: [0, 2 m, 0]}\n"
    "  bob: {type: point_mass, mass: 1 kg, position: [0, 0, 2 m]}\n"
    "  lump: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], center_of_mass: [0.1 m, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, b: arm.start, at: [0, 0, 0], axis: y}\n"
    "laws:\n"
    "  steel: {type: hertz, stiffness: 1e8 N/m^1.5}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, law: steel, radius: 10 cm}\n"
    "forces:\n"
    "  g: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "  spring: {type: spring_damper, a: arm.tip, b: bob, stiffness: 10 N/m, length: 1 m}\n"
    "measures:\n"
    "  top: {of: bob.z, take: max}\n"
    "analysis: {duration: 0.2 s, output_step: 0.05 s}\n";

static hk_model *compile(const char *text) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model.yaml", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) fail_msg("%s", diag.n ? diag.message[0].text : "no model");
  hk_diag_free(&diag);
  return m;
}

static const char *path(void) {
  static char name[300];
  snprintf(name, sizeof name, "%s/test_scene_%ld.h5", HOOKE_BINARY_DIR, (long)getpid());
  return name;
}

static void write_results(const hk_model *m) {
  hk_run_report report;
  hk_diag diag;
  hk_diag_init(&diag);
  const hk_run_options options = {.results = path(), .model_text = MODEL};
  assert_int_equal(hk_run(m, &options, &report, &diag), HK_OK);
  hk_run_report_free(&report);
  hk_diag_free(&diag);
}

static int body(const hk_scene *s, const char *name) {
  for (int i = 0; i < s->n_bodies; i++)
    if (strcmp(s->body[i].name, name) == 0) return i;
  fail_msg("no body '%s'", name);
  return -1;
}

static void a_scene_shows_every_body(void **state) {
  (void)state;
  hk_model *m = compile(MODEL);
  hk_scene *s;
  hk_error err = {0};
  assert_int_equal(hk_scene_build(m, &s, &err), HK_OK);
  assert_int_equal(s->n_bodies, 5);
  for (int b = -1; b < s->n_bodies; b++) {
    int n = 0;
    for (int i = 0; i < s->n_solids; i++) n += s->solid[i].at.body == b && s->solid[i].part;
    if (n == 0) fail_msg("nothing is drawn for body %d", b);
  }
  assert_int_equal(s->n_links, 1);
  assert_int_equal(s->n_contacts, 1);
  assert_true(s->up.z == 1 && s->size > 0);
  /* The shape of the ball replaces the drawing of its type. */
  int of_ball = 0;
  for (int i = 0; i < s->n_solids; i++)
    if (s->solid[i].at.body == body(s, "ball") && s->solid[i].part)
      of_ball++, assert_int_equal(s->solid[i].colour, 0xc8321e);
  assert_int_equal(of_ball, 1);
  hk_scene_free(s);
  hk_model_destroy(m);
}

/* A shaft with a yoke at either end, drawn by two joints, and a body with a part at one point and a
 * joint at another. */
static const char PIECES[] =
    "format: 1\n"
    "bodies:\n"
    "  input: {type: rotor, inertia: 1 kg*m^2}\n"
    "  shaft: {type: rotor, inertia: 1 kg*m^2, markers: {rear: {at: [0, 0, 1 m]}}}\n"
    "  output: {type: rotor, inertia: 1 kg*m^2, position: [0, 0, 1 m]}\n"
    "  shaped: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 1 m, 0], "
    "markers: {far: [1 m, 0, 0]}, "
    "shape: {type: sphere, radius: 10 cm}}\n"
    "joints:\n"
    "  one: {type: universal_clearance_joint, fidelity: reduced, a: input, b: shaft, clearance_a: "
    "50 um, bend: 0, arm: 4 cm, "
    "pin_radius: 1 cm, cross_mass: 1 kg, cross_inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 2e-3 kg*m^2], "
    "law: steel}\n"
    "  two: {type: universal_clearance_joint, fidelity: reduced, a: shaft.rear, b: output, "
    "clearance_a: 50 um, bend: 0, arm: 4 cm, "
    "pin_radius: 1 cm, cross_mass: 1 kg, cross_inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 2e-3 kg*m^2], "
    "law: steel}\n"
    "  ball: {type: spherical, b: shaped.far, at: [1 m, 1 m, 0]}\n"
    "laws:\n"
    "  steel: {type: signorini}\n"
    "analysis: {duration: 1 ms, step: 0.1 ms, stepper: moreau}\n";

/* Parts of a body that extend over the interval from `low` to `high` of z, in the axes of the
 * body. */
static int parts_across(const hk_scene *s, int body, double low, double high) {
  int n = 0;
  for (int i = 0; i < s->n_solids; i++) {
    hk_vec3 a, b;
    if (s->solid[i].at.body != body || !s->solid[i].part) continue;
    assert_true(hk_mesh_bounds(&s->mesh[s->solid[i].mesh], &a, &b));
    hk_quat q = s->solid[i].at.pose.q;
    if (fabs(q.x) + fabs(q.y) > 1e-9) continue; /* a yoke in reversed orientation */
    double z = s->solid[i].at.pose.x.z;
    n += z + a.z <= low && z + b.z >= high;
  }
  return n;
}

static void what_stands_apart_on_one_body_is_joined_by_rods(void **state) {
  (void)state;
  hk_model *m = compile(PIECES);
  hk_scene *s;
  hk_error err = {0};
  assert_int_equal(hk_scene_build(m, &s, &err), HK_OK);
  assert_int_equal(parts_across(s, body(s, "shaft"), 0.2, 0.8), 1);
  assert_int_equal(parts_across(s, body(s, "input"), 0.2, 0.8), 0);
  int of_shaped = 0; /* a body with a shape of its own has no further drawing */
  for (int i = 0; i < s->n_solids; i++)
    of_shaped += s->solid[i].at.body == body(s, "shaped") && s->solid[i].part;
  assert_int_equal(of_shaped, 1);
  hk_scene_free(s);
  hk_model_destroy(m);
}

static void poses_and_contacts_come_back_from_the_file(void **state) {
  (void)state;
  hk_model *m = compile(MODEL);
  write_results(m);
  hk_results *r;
  hk_scene *s;
  hk_error err = {0};
  if (hk_results_open(path(), &r, &err)) fail_msg("%s", err.text);
  if (hk_scene_of_results(r, &s, &err)) fail_msg("%s", err.text);
  assert_string_equal(s->title, "a <b>title</b>");
  assert_null(strchr(s->json, '<'));
  int n = hk_results_channel_count(r);
  double *row = malloc(sizeof *row * (size_t)n);
  hk_stance pose[5];
  hk_scene_touch touch[4];
  for (int k = 0; k < 5; k++) {
    assert_int_equal(hk_results_read_rows(r, k, 1, row, &err), HK_OK);
    hk_scene_poses(s, row, pose);
    hk_vec3 x = pose[body(s, "arm")].x;
    assert_true(x.x == row[hk_results_find(r, "arm.x")] && x.z == row[hk_results_find(r, "arm.z")]);
    double angle = row[hk_results_find(r, "wheel.angle")];
    hk_quat q = pose[body(s, "wheel")].q;
    assert_true(fabs(q.w - cos(angle / 2)) < 1e-12 && fabs(q.x - sin(angle / 2)) < 1e-12);
    assert_true(fabs(angle - 2 * row[0]) < 1e-6);
    /* The marker at the end of the rod is at the position of its channel. */
    for (int i = 0; i < s->n_markers; i++)
      if (strcmp(s->marker[i].name, "arm.tip") == 0)
        assert_true(fabs(hk_scene_place_at(&s->marker[i].at, pose).x.z -
                         row[hk_results_find(r, "arm.tip.z")]) < 1e-9);
    int touching = hk_scene_touches(s, row, pose, touch);
    double N = row[hk_results_find(r, "floor.normal_force")];
    assert_int_equal(touching, N > 0);
    if (!touching) continue;
    assert_true(fabs(touch[0].c.z) < 1e-3 && touch[0].n.z == 1 &&
                fabs(touch[0].force.z - N) < 1e-9 * N);
    assert_true(fabs(touch[0].c.x - row[hk_results_find(r, "ball.x")]) < 1e-12);
    /* Without a force vector, the magnitude along the normal is used: there is no friction. */
    int fx = s->point[0].channel[HK_POINT_FX];
    s->point[0].channel[HK_POINT_FX] = -1;
    assert_int_equal(hk_scene_touches(s, row, pose, touch), 1);
    assert_true(touch[0].force.x == 0 && fabs(touch[0].force.z - N) < 1e-9 * N);
    s->point[0].channel[HK_POINT_FX] = fx;
  }
  const char *summary = hk_results_summary(r);
  assert_non_null(strstr(summary, "\"name\": \"top\""));
  assert_non_null(strstr(summary, "\"degrees_of_freedom\""));
  free(row);
  hk_scene_free(s);
  hk_results_destroy(r);
  hk_model_destroy(m);
  unlink(path());
}

static void a_damaged_scene_is_refused(void **state) {
  (void)state;
  hk_model *m = compile(MODEL);
  hk_scene *s, *again;
  hk_bytes data = {0};
  hk_error err = {0};
  assert_int_equal(hk_scene_build(m, &s, &err), HK_OK);
  assert_int_equal(hk_scene_write(s, &data, &err), HK_OK);
  assert_int_equal(hk_scene_read(s->json, data.at, data.n, &again, &err), HK_OK);
  assert_true(again->n_solids == s->n_solids && again->n_markers == s->n_markers &&
              again->n_points == s->n_points);
  for (int i = 0; i < s->n_meshes; i++) {
    assert_true(again->mesh[i].n_triangles == s->mesh[i].n_triangles);
    assert_memory_equal(again->mesh[i].position, s->mesh[i].position, 12 * s->mesh[i].n_vertices);
  }
  hk_scene_free(again);
  static const char *const change[][2] = {{"\"body\": 1", "\"body\": 7"},
                                          {"\"mesh\": 0", "\"mesh\":-1"},
                                          {"\"format\": 1", "\"format\": 9"},
                                          {"\"kind\": \"point\"", "\"kind\": \"spoon\""},
                                          {"\"bodies\": [", "\"bodies\": {"}};
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    char *bad = strdup(s->json), *at = strstr(bad, change[i][0]);
    assert_non_null(at);
    memcpy(at, change[i][1], strlen(change[i][1]));
    assert_int_equal(hk_scene_read(bad, data.at, data.n, &again, &err), HK_EINPUT);
    free(bad);
  }
  data.at[data.n / 2] ^= 0x55;
  assert_int_equal(hk_scene_read(s->json, data.at, data.n, &again, &err), HK_EINPUT);
  assert_int_equal(hk_scene_read(s->json, data.at, 10, &again, &err), HK_EINPUT);
  hk_bytes_free(&data);
  hk_scene_free(s);
  hk_model_destroy(m);
}

static void gzip_and_back(void **state) {
  (void)state;
  hk_error err = {0};
  hk_bytes packed = {0}, plain = {0};
  char *text = malloc(200000);
  for (int i = 0; i < 200000; i++) text[i] = (char)((long)i * i >> 7);
  assert_int_equal(hk_gzip(text, 200000, &packed, &err), HK_OK);
  assert_int_equal(hk_gunzip(packed.at, packed.n, 200000, &plain, &err), HK_OK);
  assert_true(plain.n == 200000);
  assert_memory_equal(plain.at, text, 200000);
  hk_bytes_free(&plain);
  assert_int_equal(hk_gunzip(packed.at, packed.n, 100000, &plain, &err), HK_EINPUT);
  hk_bytes_free(&plain), hk_bytes_free(&packed);
  free(text);
  char *out = NULL;
  size_t length;
  FILE *f = open_memstream(&out, &length);
  hk_base64(f, "any carnal pleas", 16);
  fclose(f);
  assert_string_equal(out, "YW55IGNhcm5hbCBwbGVhcw==");
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_shows_every_body),
      cmocka_unit_test(what_stands_apart_on_one_body_is_joined_by_rods),
      cmocka_unit_test(poses_and_contacts_come_back_from_the_file),
      cmocka_unit_test(a_damaged_scene_is_refused),
      cmocka_unit_test(gzip_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
