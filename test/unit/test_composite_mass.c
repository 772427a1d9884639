/* Mass and inertia that composite joints compute from their geometry, against integration over meshes and grids; notes and
 * warnings about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "composite/cv_ball_joint.h"
#include "mesh/mesh.h"
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_near(double x, double want, double relative, const char *what) {
  if (!(fabs(x - want) <= relative * fabs(want)))
    fail_msg("%s: %.9g, expected %.9g", what, x, want);
}

/* Sums over a grid in cylindrical coordinates. */
static hk_cv_cage on_grid(const hk_cv_ring *ring, int windows) {
  enum { N = 300 };
  hk_cv_cage c = {0, 0, 0};
  const double l = 0.5 * ring->length, open = windows * ring->half_angle / M_PI;
  for (int i = 0; i < N; i++) {
    const double z = l * ((2 * i + 1.0) / N - 1), q = ring->round ? z * z : 0;
    const double ri = sqrt(ring->inner * ring->inner - q), ro = sqrt(ring->outer * ring->outer - q);
    const double around = 2 * M_PI * (fabs(z) < ring->half_width ? 1 - open : 1);
    for (int k = 0; k < N; k++) {
      const double r = ri + (ro - ri) * (k + 0.5) / N;
      const double m = around * r * (ro - ri) / N * 2 * l / N;
      c.mass += m, c.axial += m * r * r, c.transverse += m * (0.5 * r * r + z * z);
    }
  }
  return c;
}

/* The mesh of the drawing has flat facets, and straight lines instead of arcs of a sphere: 5 %. */
static void the_cage_is_that_of_its_drawing(void **state) {
  (void)state;
  const hk_cv_ring rings[] = {{0.050, 0.060, 0.033, 0.011, 0.2, false},
                              {0.028, 0.034, 0.026, 0.009, 0.35, true}};
  for (int i = 0; i < 2; i++) {
    hk_mesh m = {0};
    hk_volume v;
    hk_error err;
    hk_mesh_cage(&m, rings[i].inner, rings[i].outer, rings[i].length, 6, rings[i].half_width,
                 rings[i].half_angle);
    if (rings[i].round) hk_mesh_make_round(&m);
    assert_int_equal(hk_mesh_volume(&m, &v, &err), HK_OK);
    hk_cv_cage c = hk_cv_ring_inertia(&rings[i], 6, 1);
    hk_cv_cage g = on_grid(&rings[i], 6);
    assert_near(v.volume, c.mass, 0.05, "volume");
    assert_near(v.inertia[2], c.axial, 0.05, "axial");
    assert_near(v.inertia[0], c.transverse, 0.05, "transverse");
    assert_near(g.mass, c.mass, 4e-3, "volume on a grid");
    assert_near(g.axial, c.axial, 4e-3, "axial on a grid");
    assert_near(g.transverse, c.transverse, 4e-3, "transverse on a grid");
    hk_mesh_free(&m);
  }
}

/* An example's model file without the given lines. */
static hk_model *without(const char *file, const char *const *key, int n, const char *extra,
                         hk_diag *diag) {
  static char text[60000];
  char path[300], line[2000];
  size_t used = 0;
  snprintf(path, sizeof path, "%s/examples/%s", HOOKE_SOURCE_DIR, file);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) {
    bool keep = true;
    for (int i = 0; i < n; i++) keep = keep && !strstr(line, key[i]);
    if (keep) used += (size_t)snprintf(text + used, sizeof text - used, "%s", line);
    if (!keep && extra) used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", extra);
    if (!keep) extra = NULL;
  }
  fclose(f);
  hk_diag_init(diag);
  return hk_model_compile(hk_model_text_read("model", text, used, NULL, 0, diag), diag);
}

static const char *said(const hk_diag *diag, hk_severity severity, const char *text) {
  for (int i = 0; i < diag->n; i++)
    if (diag->message[i].severity == severity && strstr(diag->message[i].text, text))
      return diag->message[i].text;
  return NULL;
}

static const char *const CAGE[] = {"cage_mass:", "cage_axial_inertia:", "cage_transverse_inertia:"};

/* 0.12 kg in the example. */
static void an_omitted_cage_is_computed_and_noted(void **state) {
  (void)state;
  hk_diag diag;
  hk_body_info cage;
  hk_model *m = without("cv_joint/rzeppa.yaml", CAGE, 3, NULL, &diag);
  assert_non_null(m);
  const char *note = said(&diag, HK_NOTE, "cage_mass");
  assert_non_null(note);
  assert_non_null(strstr(note, "cage_transverse_inertia"));
  assert_non_null(strstr(note, "cage_density 7850"));
  assert_int_equal(hk_model_body_info(m, hk_model_body_find(m, "cvj.cage"), &cage), HK_OK);
  assert_near(cage.mass, 0.12, 0.2, "cage");
  assert_true(cage.inertia[2][2] < 2 * cage.inertia[0][0]);
  hk_model_destroy(m);
  hk_diag_free(&diag);

  /* A given mass scales the inertia and causes no note. */
  double axial = cage.inertia[2][2] / cage.mass;
  m = without("cv_joint/rzeppa.yaml", CAGE, 3, "    cage_mass: 0.2 kg", &diag);
  assert_non_null(m);
  assert_int_equal(hk_model_body_info(m, hk_model_body_find(m, "cvj.cage"), &cage), HK_OK);
  assert_near(cage.mass, 0.2, 1e-12, "given mass");
  assert_near(cage.inertia[2][2] / cage.mass, axial, 1e-12, "scaled inertia");
  assert_null(said(&diag, HK_NOTE, "cage_mass "));
  assert_null(said(&diag, HK_WARNING, "outside of the range"));
  hk_model_destroy(m);
  hk_diag_free(&diag);

  m = without("cv_joint/rzeppa.yaml", CAGE, 3, "    cage_mass: 120 kg", &diag);
  assert_non_null(m);
  assert_non_null(said(&diag, HK_WARNING, "cage_mass 120 kg is outside of the range"));
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* Zone of a ball with a bore, by the midpoint rule. */
static void an_omitted_roller_is_a_barrel(void **state) {
  (void)state;
  static const char *const keys[] = {"roller_mass:", "roller_inertia:"};
  hk_diag diag;
  hk_body_info roller;
  double radius = 17e-3, b = 11e-3, r[1];
  hk_model *m = without("cv_joint/tripod.yaml", keys, 2, NULL, &diag);
  assert_non_null(m);
  assert_non_null(said(&diag, HK_NOTE, "roller_inertia"));
  hk_spec *s = hk_model_spec(m);
  const hk_item *joint = hk_spec_find(s, HK_JOINT, "tripod");
  if (hk_item_get_reals(joint, "roller_radius", r, 1) == 1) radius = r[0];
  if (hk_item_get_reals(joint, "trunnion_radius", r, 1) == 1 && r[0] > 0) b = r[0];
  double V = 0, I = 0, w = 0.6 * radius;
  for (int i = 0; i < 2000; i++) {
    double z = w * ((i + 0.5) / 1000 - 1), q = radius * radius - z * z, h = w / 1000;
    V += M_PI * (q - b * b) * h;
    I += M_PI / 2 * (q * q - b * b * b * b) * h;
  }
  assert_int_equal(hk_model_body_info(m, hk_model_body_find(m, "tripod.roller[1]"), &roller),
                   HK_OK);
  assert_near(roller.mass, 7850 * V, 1e-5, "mass");
  assert_near(roller.inertia[2][2], 7850 * I, 1e-5, "inertia");
  hk_spec_destroy(s);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

/* Two crossed cylinders on a grid. */
static void an_omitted_cross_is_two_cylinders(void **state) {
  (void)state;
  static const char *const keys[] = {"cross_mass:", "cross_inertia:"};
  hk_diag diag;
  hk_body_info cross;
  double a[1], r[1];
  hk_model *m = without("ujoint_clearance/spatial.yaml", keys, 2, NULL, &diag);
  assert_non_null(m);
  assert_non_null(said(&diag, HK_NOTE, "cross_mass"));
  hk_spec *s = hk_model_spec(m);
  const hk_item *joint = hk_spec_find(s, HK_JOINT, "joint");
  assert_int_equal(hk_item_get_reals(joint, "arm", a, 1), 1);
  assert_int_equal(hk_item_get_reals(joint, "pin_radius", r, 1), 1);
  enum { N = 160 };
  double V = 0, X = 0, Z = 0, h = 2 * a[0] / N, hz = 2 * r[0] / N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) {
        double x = (i + 0.5) * h - a[0], y = (j + 0.5) * h - a[0], z = (k + 0.5) * hz - r[0];
        if (hypot(y, z) > r[0] && hypot(x, z) > r[0]) continue;
        V += h * h * hz, X += h * h * hz * (y * y + z * z), Z += h * h * hz * (x * x + y * y);
      }
  assert_int_equal(hk_model_body_info(m, hk_model_body_find(m, "joint.cross"), &cross), HK_OK);
  assert_near(cross.mass, 7850 * V, 0.01, "mass");
  assert_near(cross.inertia[0][0], 7850 * X, 0.01, "about the pins");
  assert_near(cross.inertia[2][2], 7850 * Z, 0.01, "about their normal");
  hk_spec_destroy(s);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cage_is_that_of_its_drawing),
      cmocka_unit_test(an_omitted_cage_is_computed_and_noted),
      cmocka_unit_test(an_omitted_roller_is_a_barrel),
      cmocka_unit_test(an_omitted_cross_is_two_cylinders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
