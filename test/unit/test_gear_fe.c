/* Finite elements of a gear, part by part: outline, element, mesh, condensation, ring, helix. */
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
  /* Foot of the line of action: the point of the flank is the foot plus R along the normal. */
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
  /* Gears of the standard rack with fewer than 17 teeth are undercut: the flank begins above the base circle
   * with a kink, and the tooth is thinner below. */
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

/* A distorted element: constant strain gives the exact energy, rigid motion gives zero. */
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
  /* Uniaxial and volumetric unit strain: E/2 and 3 E/(2 (1 - 2 nu)) per volume. */
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

/* The compliances do not depend on the number of neighbours in the table.  The gear is a closed ring: seen from
 * tooth 0, the two halves are mirror images for a force along the opposite flank. */
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
  /* Teeth further away move less. */
  for (int o = 0; o < 3; o++)
    assert_true(hk_gear_compliance_entry(&three, o, 2, 0, 2, 0) >
                hk_gear_compliance_entry(&three, o + 1, 2, 0, 2, 0));
  hk_arena_free(&arena);
}

/* A small helix angle has a small effect, and reversed slices give the opposite hand. */
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

/* Returns true if the work of every load at station r is more than `least` times that of equal loads on all slices. */
static bool resists(const hk_gear_compliance *c, int r, double least) {
  double L[HK_GEAR_MAX_SLICES][HK_GEAR_MAX_SLICES], sum = 0;
  const int n = c->slices;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += hk_gear_compliance_entry(c, 0, r, i, r, j) / n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double a = hk_gear_compliance_entry(c, 0, r, i, r, j) - (i == j ? least * sum : 0);
      for (int k = 0; k < j; k++) a -= L[i][k] * L[j][k];
      if (i == j && !(a > 0)) return false;
      L[i][j] = i == j ? sqrt(a) : a / L[j][j];
    }
  return true;
}

/* Slices of 1 mm, far thinner than the tooth: every load does positive work, and the means over the slices are the compliance
 * of wide slices. */
static void thin_slices(void **state) {
  (void)state;
  enum { MANY = 24 };
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_gear g = coarse_gear();
  g.stations = 3, g.density.along = 8;
  g.body.twist = tan(28 * M_PI / 180) / RIG_BASE;
  hk_gear_compliance wide = must_solve(&g, &arena);
  g.slices = MANY;
  hk_gear_compliance thin = must_solve(&g, &arena);
  /* More slices than nodes along the face: without a correction the work of some loads would be only round-off, of either
   * sign. */
  for (int r = 0; r < 3; r++) assert_true(resists(&thin, r, 5e-7));
  for (int k = 0; k < 36; k++) {
    const int r = k / 12, i = k / 6 % 2, s = k / 2 % 3, j = k % 2, half = MANY / 2;
    double sum = 0;
    for (int m = 0; m < half * half; m++)
      sum += hk_gear_compliance_entry(&thin, 0, r, i * half + m / half, s, j * half + m % half);
    assert_near(sum / (half * half) / hk_gear_compliance_entry(&wide, 0, r, i, s, j), 1, 1e-4,
                "mean over slices");
  }
  hk_arena_free(&arena);
}

/* A thin gear with free faces is in plane stress. */
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
    /* The bore also constrains the faces of the thin gear, with an effect of half a percent. */
    assert_near(hk_gear_compliance_entry(&thin, 0, r, 0, r, 0) / flat, 1, 3e-3, "plane stress");
    /* Constrained faces reduce the bending compliance of the tooth by at most the factor 1 - nu^2, and do not
     * affect shear. */
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
  } bad[] = {{72e-3, 0, 0, 0, "the radius of the bore is 72 mm"},
             {20e-3, 25e-3, 0, 0, "the web is 25 mm thick"},
             {36e-3, 5e-3, 0, 0, "the bore (36 mm)"},
             {20e-3, 0, 5e-3, 0, "contact from 5 to 34.1629 mm of roll length is not on the flank"},
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

/* ---- rings ---- */

/* A ring whose teeth are 2 modules high with the reference circle in their middle. */
static hk_fe_tooth ring_tooth(int z) {
  double m = 1e-3, a = 20 * M_PI / 180, r = m * z / 2;
  return (hk_fe_tooth){.teeth = z,
                       .base_radius = r * cos(a),
                       .tip_radius = r - m,
                       .root_radius = r + 1.25 * m,
                       .half_angle = M_PI / (2 * z) + tan(a) - a,
                       .reference_radius = r,
                       .pressure_angle = a,
                       .corner_radius = 0.38 * m,
                       .ring = true};
}

static void outline_of_a_ring(void **state) {
  (void)state;
  hk_fe_tooth t = ring_tooth(72);
  hk_fe_outline o;
  hk_error why = {0};
  double r, angle, foot, h = 1e-7;
  MUST(hk_fe_outline_make(&t, &o, err));
  hk_fe_outline_fillet(&o, M_PI / 2, &r, &angle);
  assert_near(r, t.root_radius, 1e-12, "root radius");
  assert_true(angle < M_PI / 72);
  hk_fe_outline_fillet(&o, o.form_normal, &r, &angle);
  assert_near(r, o.form_radius, 1e-12, "where the flank ends");
  assert_near(angle, hk_fe_outline_half(&o, r), 1e-10, "where the flank ends");
  double below = (hk_fe_outline_half(&o, r) - hk_fe_outline_half(&o, r - h)) / h;
  double above = (hk_fe_outline_half(&o, r + h) - hk_fe_outline_half(&o, r)) / h;
  assert_near(above / below, 1, 1e-2, "slope where the flank ends");
  /* Half a pitch thick at the reference circle, thicker towards the root. */
  assert_near(hk_fe_outline_half(&o, t.reference_radius), M_PI / 144, 1e-12, "thickness");
  assert_true(hk_fe_outline_half(&o, o.form_radius) > hk_fe_outline_half(&o, t.tip_radius));
  double R = t.reference_radius * sin(t.pressure_angle) + 3e-4;
  hk_fe_outline_flank(&o, R, &r, &foot);
  double x = t.base_radius * sin(foot) - R * cos(foot),
         y = t.base_radius * cos(foot) + R * sin(foot);
  assert_near(hypot(x, y), r, 1e-12, "radius");
  assert_near(atan2(x, y), hk_fe_outline_half(&o, r), 1e-12, "angle");
  /* The contact may leave no space for such a fillet. */
  double wanted = o.form_roll + 2e-4, smaller = hk_fe_ring_fillet(&t, wanted);
  assert_true(smaller > 0 && smaller < o.rho);
  t.corner_radius = smaller;
  MUST(hk_fe_outline_make(&t, &o, err));
  assert_near(o.form_roll, wanted, 1e-9, "room for contact");
  t = ring_tooth(72), t.tip_radius = t.base_radius - 1e-4;
  assert_int_equal(hk_fe_outline_make(&t, &o, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "a ring tooth is not possible"));
}

/* The compliance of a gear or ring of z teeth, at five heights of the tooth from root to tip, for the tooth
 * itself and both neighbours. */
static void along_the_tooth(int z, bool ring, double out[15]) {
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_tooth tooth = ring ? ring_tooth(z) : plain_tooth(z, 0);
  double middle = tooth.reference_radius * sin(tooth.pressure_angle), reach = 1.6e-3;
  hk_fe_gear g = {.slices = 1,
                  .stations = 5,
                  .reach = 1,
                  .roll_first = middle - reach,
                  .roll_last = middle + reach};
  g.body = (hk_fe_body){.tooth = tooth,
                        .face_width = 10e-3,
                        .bore_radius = tooth.root_radius + (ring ? 10e-3 : -10e-3),
                        .youngs_modulus = 210e9,
                        .poisson_ratio = 0.3,
                        .kind = HK_FE_PLANE_STRAIN};
  hk_gear_compliance c = must_solve(&g, &arena);
  for (int k = 0; k < 15; k++) { /* the tip of a ring is at its smallest roll length */
    int r = ring ? 4 - k % 5 : k % 5, o = ring ? 1 - k / 5 : k / 5 - 1;
    out[k] = hk_gear_compliance_entry(&c, o, r, 0, r, 0);
  }
  hk_arena_free(&arena);
}

/* With an increasing number of teeth, a ring and an external gear both tend to a rack.  The rim of a ring is
 * thicker outwards, that of a gear thinner inwards, by its height over the radius: this error decreases with
 * the number of teeth and cancels in (4 c(4 z) - c(z))/3. */
static void ring_and_gear_meet_in_a_rack(void **state) {
  (void)state;
  double c[2][2][15], apart = 0, off = 0;
  for (int k = 0; k < 4; k++) along_the_tooth(k / 2 ? 800 : 200, k % 2, c[k / 2][k % 2]);
  for (int k = 0; k < 15; k++) {
    double rack[2];
    for (int ring = 0; ring < 2; ring++) rack[ring] = (4 * c[1][ring][k] - c[0][ring][k]) / 3;
    apart = fmax(apart, fabs(c[1][1][k] / c[1][0][k] - 1));
    off = fmax(off, fabs(rack[1] / rack[0] - 1));
  }
  print_message("ring against external gear: %.3g with 800 teeth, %.3g as racks\n", apart, off);
  assert_true(apart < 0.1 && off < 0.02);
}

/* A rack of z teeth as gear b of a helical pair, external or a ring: the teeth of both have the same
 * inclination. */
static hk_fe_gear helical_rack(int z, bool ring, double lead) {
  hk_fe_tooth tooth = ring ? ring_tooth(z) : plain_tooth(z, 0);
  double middle = tooth.reference_radius * sin(tooth.pressure_angle), reach = 1.6e-3;
  hk_fe_gear g = {.slices = 2,
                  .stations = 5,
                  .reach = 1,
                  .roll_first = middle - reach,
                  .roll_last = middle + reach,
                  .density = {.across = 4, .up = 4, .land = 1, .rim = 2, .along = 4}};
  g.body = (hk_fe_body){.tooth = tooth,
                        .face_width = 6e-3,
                        .twist = -lead / tooth.base_radius,
                        .bore_radius = tooth.root_radius + (ring ? 6e-3 : -6e-3),
                        .youngs_modulus = 210e9,
                        .poisson_ratio = 0.3};
  return g;
}

/* Helical rings: with a zero helix angle they equal the spur ring, reversed slices give the opposite hand, and
 * for a large number of teeth they tend to the same rack as an external gear, with soft and stiff ends in the
 * same order. */
static void helical_rings(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  const double lead = tan(20 * M_PI / 180);
  hk_fe_gear of[] = {helical_rack(400, true, 0), helical_rack(400, true, 1e-6),
                     helical_rack(400, true, lead), helical_rack(400, true, -lead),
                     helical_rack(400, false, lead)};
  hk_gear_compliance c[5];
  for (int k = 0; k < 5; k++) c[k] = must_solve(&of[k], &arena);
  double change = 0;
  for (int k = 0; k < 100; k++) {
    int r = k / 20, i = k / 10 % 2, s = k / 2 % 5, j = k % 2;
    double a = hk_gear_compliance_entry(&c[0], 0, r, i, s, j),
           b = hk_gear_compliance_entry(&c[2], 0, r, i, s, j);
    assert_near(hk_gear_compliance_entry(&c[1], 0, r, i, s, j) / a, 1, 1e-5, "no helix");
    assert_near(hk_gear_compliance_entry(&c[3], 0, r, 1 - i, s, 1 - j) / b, 1, 1e-7, "other hand");
    change = fmax(change, fabs(hk_gear_compliance_entry(&c[3], 0, r, i, s, j) / b - 1));
  }
  assert_true(change > 1e-2);
  /* Ratio of the compliances of both ends, from the root to the tip, which has the smallest roll length. */
  for (int r = 0; r < 5; r++) {
    double ends[2];
    for (int ring = 0; ring < 2; ring++) {
      const hk_gear_compliance *t = &c[ring ? 2 : 4];
      int at = ring ? 4 - r : r;
      ends[ring] = log(hk_gear_compliance_entry(t, 0, at, 0, at, 0) /
                       hk_gear_compliance_entry(t, 0, at, 1, at, 1));
    }
    print_message("height %d: ends differ by %.4f, of the ring by %.4f\n", r, ends[0], ends[1]);
    assert_true(fabs(ends[1] - ends[0]) < 0.25 * fabs(ends[0]) + 2e-3);
  }
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outline_of_the_rig),
                                     cmocka_unit_test(undercut_and_pointed),
                                     cmocka_unit_test(patch),
                                     cmocka_unit_test(neighbours_of_neighbours),
                                     cmocka_unit_test(helix),
                                     cmocka_unit_test(thin_slices),
                                     cmocka_unit_test(thin_gear_is_plane),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(outline_of_a_ring),
                                     cmocka_unit_test(ring_and_gear_meet_in_a_rack),
                                     cmocka_unit_test(helical_rings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
