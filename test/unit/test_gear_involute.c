/* Involute geometry of gear pairs against closed forms, published numbers, and flanks drawn point by point. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "gear/involute.h"
#include <math.h>
#include <string.h>

#define assert_about(got, wanted, tolerance)                                                 \
  do {                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                 \
    if (!(fabs(got_ - wanted_) <= (tolerance))) fail_msg("%.12g, not %.12g", got_, wanted_); \
  } while (0)

static const double DEG = M_PI / 180, MM = 1e-3;

static hk_gear_drawing drawing(int z1, int z2, double module) {
  return (hk_gear_drawing){.teeth = {z1, z2},
                           .module = module,
                           .pressure_angle = 20 * DEG,
                           .profile_shift = {NAN, NAN},
                           .center_distance = NAN,
                           .face_width = 20 * MM,
                           .tip_diameter = {NAN, NAN},
                           .addendum = 1,
                           .dedendum = 1.25};
}

static hk_gear_drawing rig(void) {
  hk_gear_drawing d = drawing(57, 57, 2.6 * MM);
  d.center_distance = 150 * MM;
  d.face_width = 23 * MM;
  d.backlash = 0.1 * MM;
  return d;
}

static hk_involute design(const hk_gear_drawing *d) {
  hk_involute g;
  hk_error err = {0};
  if (hk_involute_design(d, &g, &err)) fail_msg("%s", err.text);
  return g;
}

static void the_rig(void **state) {
  hk_gear_drawing d = rig();
  hk_involute g = design(&d);
  assert_about(g.working_pressure_angle / DEG, 21.81072, 1e-5);
  assert_about(g.shift[0] + g.shift[1], 0.722778, 1e-6);
  assert_about(g.shift[0], 0.361389, 1e-6);
  assert_about(g.base_radius[0], 69.63122 * MM, 1e-8);
  assert_about(g.base_pitch, 7.675539 * MM, 8e-9);
  assert_about(g.pitch_roll[0], 27.865620 * MM, 1e-9);
  assert_about(2 * g.tip_radius[0], 155.12078 * MM, 1e-8);
  assert_about(2 * g.root_radius[1], 143.57922 * MM, 1e-8);
  assert_about(g.tip_shortening, 0.030471, 1e-6);
  assert_about(g.path[1] - g.pitch_roll[0], 6.297322 * MM, 1e-9);
  assert_about(g.pitch_roll[0] - g.path[0], 6.297322 * MM, 1e-9);
  assert_about(g.transverse_ratio, 1.640880, 1e-6);
  assert_about(g.half_angle[0], 0.04671844, 1e-8);
  assert_about(g.backlash, 0.1 * MM, 1e-15);
  double T = g.pitch_roll[0], slope[2];
  assert_about(hk_involute_depth(&g, 0, T, NULL), 2.1741 * MM, 1e-7);
  assert_about(hk_involute_radius(&g, T, T, slope), T / 2, 1e-15);
  /* The coupled point case of test_gear_load_sharing. */
  assert_about(hk_involute_depth(&g, 0, T + 2.675539 * MM, NULL), 1.764571791e-3, 1e-9);
  assert_about(hk_involute_depth(&g, 1, T - 2.675539 * MM, NULL), 2.497264259e-3, 1e-9);
  assert_about(hk_involute_radius(&g, T - 5 * MM, T + 5 * MM, slope), 1.348422835e-2, 1e-10);
  d.tip_diameter[0] = d.tip_diameter[1] = 154.5 * MM;
  assert_about(design(&d).transverse_ratio, 1.4557, 1e-4);
}

/* A gear pair of the test suite of the ROSS project. */
static void ross(void **state) {
  hk_gear_drawing d = drawing(62, 62, 2 * MM);
  assert_about(design(&d).transverse_ratio, 1.7897798668, 1e-9);
}

static void derivatives(void **state) {
  hk_gear_drawing d = rig();
  d.ring = true;
  d.teeth[0] = 19;
  d.center_distance = NAN;
  d.profile_shift[0] = 0.2, d.profile_shift[1] = 0.1;
  for (int ring = 0; ring < 2; ring++, d.ring = false, d.teeth[0] = 57) {
    hk_involute g = design(&d);
    for (int i = 0; i < 2; i++) {
      double R = 0.6 * g.pitch_roll[i] + 0.4 * g.tip_roll[i], slope, h = 1e-6;
      double by =
          (hk_involute_depth(&g, i, R + h, NULL) - hk_involute_depth(&g, i, R - h, NULL)) / (2 * h);
      hk_involute_depth(&g, i, R, &slope);
      assert_about(slope, by, 1e-7);
    }
    double R1 = 1.1 * g.pitch_roll[0], R2 = 0.9 * g.pitch_roll[1], h = 1e-6, slope[2];
    hk_involute_radius(&g, R1, R2, slope);
    assert_about(
        slope[0],
        (hk_involute_radius(&g, R1 + h, R2, NULL) - hk_involute_radius(&g, R1 - h, R2, NULL)) /
            (2 * h),
        1e-7);
    assert_about(
        slope[1],
        (hk_involute_radius(&g, R1, R2 + h, NULL) - hk_involute_radius(&g, R1, R2 - h, NULL)) /
            (2 * h),
        1e-7);
  }
}

/* Thickness at the reference circle: pi m/2 + 2 x m tan(alpha) without backlash; for the space of a ring with
 * the opposite sign. */
static void thickness(void **state) {
  hk_gear_drawing d = drawing(20, 70, 3 * MM);
  d.ring = true;
  d.profile_shift[0] = 0.3, d.profile_shift[1] = 0.3;
  hk_involute g = design(&d);
  for (int i = 0; i < 2; i++) {
    double r = g.reference_radius[i], sign = i ? -1 : 1;
    double s = 2 * r * (g.half_angle[i] - hk_involute_of(acos(g.base_radius[i] / r)));
    assert_about(s, 3 * MM * (M_PI / 2 + sign * 2 * 0.3 * tan(20 * DEG)), 1e-12);
  }
  assert_about(g.backlash, 0, 1e-12);
  /* At the pitch circles the tooth fills the space. */
  double s[2];
  for (int i = 0; i < 2; i++)
    s[i] = 2 * g.pitch_radius[i] * (g.half_angle[i] - hk_involute_of(g.working_pressure_angle));
  assert_about(s[0], s[1], 1e-12);
}

/* A point of the flank, constructed by unwinding a string; the middle of the tooth is at the angle `middle`. */
static void flank_point(const hk_involute *g, int gear, double middle, double R, double f,
                        double *x, double *y) {
  double rb = g->base_radius[gear], to = middle + f * (g->half_angle[gear] - R / rb);
  *x = rb * cos(to) - f * R * sin(to);
  *y = rb * sin(to) + f * R * cos(to);
}

/* Both flanks, for any tooth position of gear 1, meet in one point with opposite normals if delta = 0. */
static void flanks_touch(void **state) {
  for (int kind = 0; kind < 4; kind++) {
    hk_gear_drawing d = drawing(23, 61, 3 * MM);
    d.ring = kind & 1;
    d.profile_shift[0] = 0.25, d.profile_shift[1] = -0.1;
    hk_involute g = design(&d);
    double f = kind & 2 ? 1 : -1, s = g.sign, a = 1.0005 * g.center_distance;
    double alpha = acos((g.base_radius[1] + s * g.base_radius[0]) / a);
    double R1 = g.pitch_roll[0] + 2 * MM, R2 = a * sin(alpha) - s * R1;
    double c1 = f * (R1 / g.base_radius[0] - g.half_angle[0] - alpha);
    double c2 = f * (R2 / g.base_radius[1] - g.half_angle[1] - alpha);
    double x1, y1, x2, y2;
    flank_point(&g, 0, c1, R1, f, &x1, &y1);
    flank_point(&g, 1, c2, R2, f, &x2, &y2);
    if (s > 0) x2 = a - x2, y2 = -y2; /* seen from the other centre, rotated by half a revolution */
    if (s < 0) x2 -= a;
    assert_about(x1, x2, 1e-14);
    assert_about(y1, y2, 1e-14);
    assert_about(hypot(x1, y1), hypot(R1, g.base_radius[0]), 1e-14);
  }
}

static void helical(void **state) {
  hk_gear_drawing d = drawing(24, 53, 2.5 * MM);
  d.helix_angle = 15 * DEG;
  d.face_width = 40 * MM;
  hk_involute g = design(&d);
  double mt = 2.5 * MM / cos(15 * DEG);
  assert_about(g.reference_radius[0], 12 * mt, 1e-12);
  assert_about(sin(g.base_helix_angle), sin(15 * DEG) * cos(20 * DEG), 1e-14);
  assert_about(g.overlap_ratio, 40 * MM * sin(15 * DEG) / (M_PI * 2.5 * MM), 1e-12);
  assert_about(g.total_ratio, g.transverse_ratio + g.overlap_ratio, 1e-14);
  d.helix_angle = 1e-9;
  hk_involute almost = design(&d);
  d.helix_angle = 0;
  assert_about(almost.transverse_ratio, design(&d).transverse_ratio, 1e-12);
}

static void refuse(const hk_gear_drawing *d, const char *word) {
  hk_involute g;
  hk_error err = {0};
  assert_int_equal(hk_involute_design(d, &g, &err), HK_EINPUT);
  if (!strstr(err.text, word)) fail_msg("'%s' says nothing of '%s'", err.text, word);
}

static void refusals(void **state) {
  hk_gear_drawing d = rig();
  d.backlash = -1e-6;
  refuse(&d, "backlash");
  d = rig();
  d.profile_shift[0] = d.profile_shift[1] = 0.5; /* too thick for 150 mm */
  d.backlash = 0;
  refuse(&d, "negative");
  d = rig();
  d.tip_diameter[0] = 175 * MM;
  refuse(&d, "pointed");
  d = rig();
  d.tip_diameter[0] = 157 * MM;
  refuse(&d, "interfere");
  d = rig();
  d.tip_diameter[0] = d.tip_diameter[1] = 152 * MM;
  refuse(&d, "contact ratio");
  d = rig();
  d.center_distance = 130 * MM;
  refuse(&d, "base circle radii");
  d = rig();
  d.teeth[0] = 2;
  refuse(&d, "2 teeth");
  d = rig();
  d.ring = true;
  refuse(&d, "ring");
  d = rig();
  d.teeth[1] = 40; /* at the distance of 57 */
  refuse(&d, "Without profile shift these teeth mesh at 126.1 mm");
  /* undercut: the tip of the wheel reaches below the base circle of the pinion */
  d = drawing(8, 60, 2 * MM);
  refuse(&d, "interfere");
}

static void inverse(void **state) {
  for (double x = 0.01; x < 1.5; x += 0.037)
    assert_about(hk_involute_inverse(hk_involute_of(x)), x, 1e-13);
  assert_true(hk_involute_inverse(0) == 0);
}

/* The round tip of the rack, rolled through the blank in many positions: the largest radius at which it removes
 * material from the involute. */
static double undercut_radius(const hk_gear_drawing *d, const hk_involute *g, int gear) {
  enum { ARC = 1500, ROLL = 2000 };
  double m = d->module, a = d->pressure_angle, x = g->shift[gear], r = g->reference_radius[gear],
         rb = g->base_radius[gear], most = 0;
  double rho = (d->dedendum - d->addendum) * m / (1 - sin(a)), down = d->dedendum * m - rho;
  double side = M_PI * m / 4 - down * tan(a) - rho / cos(a);
  for (int i = 0; i <= ARC; i++)
    for (int j = 0; j <= ROLL; j++) {
      double at = -M_PI / 2 + (M_PI / 2 - a) * i / ARC, moved = m * (4.0 * j / ROLL - 1);
      double X = side + rho * cos(at) + moved, Y = r - down + x * m + rho * sin(at),
             R = hypot(X, Y);
      if (R <= rb || R <= most) continue;
      double half = M_PI / g->teeth[gear] - atan2(X, Y) + moved / r;
      if (half < g->half_angle[gear] - hk_involute_of(acos(rb / R)) - 1e-9) most = R;
    }
  return most;
}

static void undercut(void **state) {
  static const double SHIFT[] = {-0.1, -0.3, 0, 0.3};
  for (int i = 0; i < 4; i++)
    for (int b = 0; b < 2; b++) { /* of a, or of b */
      hk_gear_drawing d = drawing(b ? 20 : 13, b ? 13 : 20, 1 * MM);
      d.profile_shift[b] = SHIFT[i], d.profile_shift[1 - b] = i < 3 ? -SHIFT[i] : 0;
      d.tip_diameter[1 - b] = 21.4 * MM;
      hk_involute g = design(&d);
      double length = g.center_distance * sin(g.working_pressure_angle);
      d.tip_diameter[1 - b] = 2 * hypot(g.base_radius[1 - b], (i < 3 ? 0.99 : 0.8) * length);
      g = design(&d);
      assert_true(g.undercut[b] == (i < 3) && !g.undercut[1 - b]);
      if (i < 3) { /* the tip would reach further */
        double r = undercut_radius(&d, &g, b), form = sqrt(r * r - pow(g.base_radius[b], 2));
        assert_about(g.form_roll[b], form, 1e-3 * MM);
        assert_about(g.end_roll[1 - b], length - g.form_roll[b], 1e-12);
        assert_about(b ? length - g.path[1] : g.path[0], g.form_roll[b], 1e-12);
      } else {
        assert_about(g.end_roll[1 - b], g.tip_roll[1 - b], 1e-12);
      }
      assert_about(g.end_roll[b], g.tip_roll[b], 1e-12);
      assert_about(g.transverse_ratio, (g.path[1] - g.path[0]) / g.base_pitch, 1e-12);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rig),   cmocka_unit_test(ross),         cmocka_unit_test(derivatives),
      cmocka_unit_test(thickness), cmocka_unit_test(flanks_touch), cmocka_unit_test(helical),
      cmocka_unit_test(refusals),  cmocka_unit_test(inverse),      cmocka_unit_test(undercut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
