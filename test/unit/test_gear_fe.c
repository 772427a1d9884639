/* Finite elements of a gear, piece by piece: outline, element, mesh, condensation, ring, helix. */
#include "support/check.h"
#include "support/gear_case.h"
#include "fe/hexahedron.h"
#include "fe/ring.h"

/* ---- outline ---- */

static void outline_of_the_rig(void **state) {
  (void)state;
  hk_fe_gear g = rig_gear(false);
  hk_fe_outline o;
  double r, angle, foot;
  MUST(hk_fe_outline_make(&g.body.tooth, &o, err));
  /* The fillet leaves the root circle and meets the flank without a step or a kink. */
  hk_fe_outline_fillet(&o, M_PI / 2, &r, &angle);
  assert_near(1e3 * r, 71.78961, 1e-9, "root radius");
  assert_true(angle < M_PI / 57);
  hk_fe_outline_fillet(&o, o.form_normal, &r, &angle);
  assert_near(angle, hk_fe_outline_half(&o, o.form_radius * (1 + 1e-12)), 1e-7,
              "where the flank begins");
  double h = 1e-6, f = o.form_radius;
  double below = (hk_fe_outline_half(&o, f) - hk_fe_outline_half(&o, f - h)) / h;
  double above = (hk_fe_outline_half(&o, f + h) - hk_fe_outline_half(&o, f)) / h;
  assert_near(below / above, 1, 1e-2, "slope where the flank begins");
  assert_true(o.form_roll > 0 && o.form_roll < g.roll_first);
  /* Foot of the line of action: the point of the flank is the foot and R along the normal. */
  double R = 30e-3;
  hk_fe_outline_flank(&o, R, &r, &foot);
  double x = RIG_BASE * sin(foot) + R * cos(foot), y = RIG_BASE * cos(foot) - R * sin(foot);
  assert_near(hypot(x, y), r, 1e-12, "radius");
  assert_near(atan2(x, y), hk_fe_outline_half(&o, r), 1e-12, "angle");
}

static hk_fe_tooth plain_tooth(int z, double x) {
  double m = 1e-3, a = 20 * M_PI / 180, r = m * z / 2;
  return (hk_fe_tooth){z,
                       r * cos(a),
                       r + m * (1 + x),
                       r - m * (1.25 - x),
                       M_PI / (2 * z) + 2 * x * tan(a) / z + tan(a) - a,
                       r,
                       a,
                       0.38 * m};
}

static void undercut_and_pointed(void **state) {
  (void)state;
  hk_fe_outline o;
  hk_error why = {0};
  /* Fewer than 17 teeth of the standard rack are undercut: the flank begins above the base circle, by a
   * kink, and the tooth is thinner below. */
  hk_fe_tooth t = plain_tooth(12, 0);
  MUST(hk_fe_outline_make(&t, &o, err));
  assert_true(o.form_normal > t.pressure_angle && o.form_radius > t.base_radius);
  double f = o.form_radius;
  assert_near(hk_fe_outline_half(&o, f * (1 - 1e-9)), hk_fe_outline_half(&o, f * (1 + 1e-9)), 1e-6,
              "joint");
  assert_true(hk_fe_outline_half(&o, 0.99 * f) < hk_fe_outline_half(&o, f));
  t = plain_tooth(30, 0);
  MUST(hk_fe_outline_make(&t, &o, err));
  assert_near(o.form_normal, t.pressure_angle, 1e-12, "no undercut");
  t.tip_radius += 2e-3;
  assert_int_equal(hk_fe_outline_make(&t, &o, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "pointed below their tip radius of 18 mm"));
  t = plain_tooth(30, 0), t.root_radius -= 1e-3;
  assert_int_equal(hk_fe_outline_make(&t, &o, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "12.75 mm"));
}

/* ---- element ---- */

/* A crooked element: constant strain gives the exact energy, rigid motion none. */
static void patch(void **state) {
  (void)state;
  static double K[81][81];
  double x[27][3], E = 210e9, nu = 0.3;
  hk_fe_material m = {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
  for (int n = 0; n < 27; n++) {
    double p[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    x[n][0] = p[0] + 0.1 * p[1] * p[2] + 0.05 * p[1] * p[1];
    x[n][1] = 2 * p[1] + 0.2 * p[0];
    x[n][2] = 0.5 * p[2] - 0.1 * p[0] * p[1];
  }
  assert_true(hk_hex_stiffness(x, m, K));
  double strained[2];
  for (int mode = 0; mode < 8; mode++) {
    double u[81], energy = 0, largest = 0;
    for (int n = 0; n < 27; n++) {
      const double *p = x[n];
      double field[8][3] = {{1, 0, 0},
                            {0, 1, 0},
                            {0, 0, 1},
                            {-p[1], p[0], 0},
                            {0, -p[2], p[1]},
                            {p[2], 0, -p[0]},
                            {p[0], -nu * p[1], -nu * p[2]},
                            {p[0], p[1], p[2]}};
      for (int d = 0; d < 3; d++) u[3 * n + d] = field[mode][d];
    }
    for (int a = 0; a < 81; a++) {
      double f = 0;
      for (int b = 0; b < 81; b++) f += K[a][b] * u[b];
      largest = fmax(largest, fabs(f));
      energy += 0.5 * f * u[a];
    }
    if (mode < 6) assert_true(largest < 1e-9 * K[0][0]);
    if (mode >= 6) strained[mode - 6] = energy;
  }
  /* A pull and a swelling of unit strain: E/2 and 3 E/(2 (1 - 2 nu)) per volume. */
  assert_near(strained[1] / strained[0], 3 / (1 - 2 * nu), 1e-10, "energies");
  for (int n = 0; n < 27; n++) x[n][0] = -x[n][0];
  assert_false(hk_hex_stiffness(x, m, K));
}

/* ---- the gear ---- */

static hk_fe_gear coarse_gear(void) {
  hk_fe_gear g = rig_gear(true);
  g.stations = 5, g.slices = 2;
  g.density = (hk_fe_density){.across = 4, .up = 4, .land = 1, .rim = 2, .along = 4};
  return g;
}

static hk_gear_compliance must_solve(const hk_fe_gear *g, hk_arena *arena) {
  hk_gear_compliance c = {0};
  MUST(hk_fe_gear_solve(g, arena, NULL, &c, err));
  MUST(hk_gear_compliance_check(&c, err));
  return c;
}

/* However many neighbours are looked at, they are the same; and the gear is a ring: seen from tooth 0 the
 * two halves are mirror images as far as a force along the other flank is concerned. */
static void neighbours_of_neighbours(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_gear g = coarse_gear();
  hk_gear_compliance one = must_solve(&g, &arena);
  g.reach = 3;
  hk_gear_compliance three = must_solve(&g, &arena);
  for (int o = -1; o <= 1; o++)
    for (int k = 0; k < 100; k++) {
      int r = k / 20, i = k / 10 % 2, s = k / 2 % 5, j = k % 2;
      double a = hk_gear_compliance_entry(&one, o, r, i, s, j);
      assert_near(hk_gear_compliance_entry(&three, o, r, i, s, j) / a, 1, 1e-8, "tooth %d", o);
    }
  /* Further teeth move less. */
  for (int o = 0; o < 3; o++)
    assert_true(hk_gear_compliance_entry(&three, o, 2, 0, 2, 0) >
                hk_gear_compliance_entry(&three, o + 1, 2, 0, 2, 0));
  hk_arena_free(&arena);
}

/* A small helix changes little, and slices in reverse are the other hand. */
static void helix(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_gear g = coarse_gear();
  hk_gear_compliance spur = must_solve(&g, &arena);
  g.body.twist = 1e-6;
  hk_gear_compliance nearly = must_solve(&g, &arena);
  g.body.twist = tan(20 * M_PI / 180) / RIG_BASE;
  hk_gear_compliance right = must_solve(&g, &arena);
  g.body.twist = -g.body.twist;
  hk_gear_compliance left = must_solve(&g, &arena);
  double change = 0;
  for (int k = 0; k < 100; k++) {
    int r = k / 20, i = k / 10 % 2, s = k / 2 % 5, j = k % 2;
    double a = hk_gear_compliance_entry(&spur, 0, r, i, s, j),
           b = hk_gear_compliance_entry(&right, 0, r, i, s, j);
    assert_near(hk_gear_compliance_entry(&nearly, 0, r, i, s, j) / a, 1, 1e-5, "no helix");
    assert_near(hk_gear_compliance_entry(&left, 0, r, 1 - i, s, 1 - j) / b, 1, 1e-8, "other hand");
    change = fmax(change, fabs(hk_gear_compliance_entry(&left, 0, r, i, s, j) / b - 1));
  }
  assert_true(change > 1e-3);
  hk_arena_free(&arena);
}

/* A thin gear without anything that holds its faces is in plane stress. */
static void thin_gear_is_plane(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_gear g = coarse_gear();
  g.body.web_thickness = 0, g.slices = 1, g.density.along = 1;
  g.body.kind = HK_FE_PLANE_STRESS;
  hk_gear_compliance plane = must_solve(&g, &arena);
  g.body.kind = HK_FE_PLANE_STRAIN;
  hk_gear_compliance strain = must_solve(&g, &arena);
  g.body.kind = HK_FE_SPACE, g.body.face_width = 1e-3;
  hk_gear_compliance thin = must_solve(&g, &arena);
  for (int r = 0; r < 5; r++) {
    double flat = 23 * hk_gear_compliance_entry(&plane, 0, r, 0, r, 0);
    /* The bore holds the thin one's faces too, which counts for half a percent. */
    assert_near(hk_gear_compliance_entry(&thin, 0, r, 0, r, 0) / flat, 1, 3e-3, "plane stress");
    /* Held faces stiffen the bending of the tooth by 1 - nu^2 at most, and shear not at all. */
    double held = 23 * hk_gear_compliance_entry(&strain, 0, r, 0, r, 0) / flat;
    assert_true(held < 0.985 && held > 0.91);
  }
  hk_arena_free(&arena);
}

static void refused(void **state) {
  (void)state;
  struct {
    double bore, thick, first, last;
    const char *why;
  } bad[] = {{72e-3, 0, 0, 0, "the bore's radius is 72 mm"},
             {20e-3, 25e-3, 0, 0, "the web is 25 mm thick"},
             {36e-3, 5e-3, 0, 0, "the bore (36 mm)"},
             {20e-3, 0, 5e-3, 0, "contact from 5 to 34.1629 mm of roll length leaves the flank"},
             {20e-3, 0, 0, 40e-3, "from 20.4893 to 34.163 mm"}};
  for (int k = 0; k < 5; k++) {
    hk_arena arena;
    hk_gear_compliance c;
    hk_error why = {0};
    hk_arena_init(&arena);
    hk_fe_gear g = coarse_gear();
    g.body.bore_radius = bad[k].bore, g.body.web_thickness = bad[k].thick;
    if (bad[k].first > 0) g.roll_first = bad[k].first;
    if (bad[k].last > 0) g.roll_last = bad[k].last;
    assert_int_equal(hk_fe_gear_solve(&g, &arena, NULL, &c, &why), HK_EINPUT);
    if (!strstr(why.text, bad[k].why)) fail_msg("'%s' does not say '%s'", why.text, bad[k].why);
    hk_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outline_of_the_rig),
                                     cmocka_unit_test(undercut_and_pointed),
                                     cmocka_unit_test(patch),
                                     cmocka_unit_test(neighbours_of_neighbours),
                                     cmocka_unit_test(helix),
                                     cmocka_unit_test(thin_gear_is_plane),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
