/* The fixed ball joint of examples/cv_joint/rzeppa.yaml against an independent program (SDIRK2 on
 * hand-written equations, 20 000 steps per revolution), closed forms, and the exact identities of
 * the means over a revolution:
 *   T_I - T = L,  M_outer = T tan(b/2) + L/sin b,  M_inner = T tan(b/2) - L/tan b
 * with the loss L per radian.
 *
 * The two differ in the drag that models the side walls of the windows: in the program it acts
 * along the cage's axis, so that at large articulation angles its power differs slightly from its
 * dissipation. In hooke it acts along the bisector of the axes of cage and inner race. Up to 20 deg
 * the difference is negligible. At 40 deg the loss of the undercut-free joint is 7.09 N m in the
 * first case and 7.21 N m in the second, by a second program that has both; there the loss is
 * compared with the second program, and also without any drag. */
#include "verify/verify.h"

static const double DEG = 57.29577951308232, PITCH = 0.031, OFFSET = 0.004;

typedef struct rzeppa_case {
  const char *track;
  int balls;
  double bend, T, mu;                                         /* [deg], [N m] */
  bool brief;                                                 /* also in the short run */
  double cage, tilt;                                          /* [deg] */
  double low, high, counter, window_low, window_high, window; /* over F0 */
  double outer, inner, loss, guide;                           /* [N m], [N] */
  double stroke_outer, stroke_inner, stroke_window;           /* [mm] */
} rzeppa_case;

static const rzeppa_case CASES[] = {
    {"arc", 6,    5,     300,   0,     false, 2.574, -0.47, .353, 1.397, 0,
     .079,  .223, .1512, 13.10, 13.09, 0.000, 1569,  1.41,  1.37, 0.175},
    {"arc", 6,    5,     300,   .05,  true,  2.730, 0.44, .483, 1.571, 0,
     .081,  .233, .1524, 20.31, 5.91, 0.628, 1490,  1.49, 1.29, 0.171},
    {"arc", 6,    5,     1000,  0,     false, 2.634, -0.69, .436, 1.252, 0,
     .094,  .185, .1395, 43.67, 43.65, 0.000, 4962,  1.44,  1.39, 0.175},
    {"arc", 6,    5,     1000,  .05,   false, 2.663, 0.51, .611, 1.266, 0,
     .102,  .188, .1415, 62.53, 24.87, 1.643, 3852,  1.45, 1.34, 0.171},
    {"arc", 6,    10,    100,  0,    false, 5.044, -0.42, 0,    2.312, .111,
     0,     .383, .1507, 8.75, 8.74, 0.000, 548,   2.78,  2.72, 0.349},
    {"arc", 6,    10,    100,   .05,  false, 5.388, -0.06, .003, 2.392, .190,
     .001,  .398, .1608, 11.80, 5.75, 0.529, 531,   2.94,  2.52, 0.349},
    {"arc", 6,    10,    300,   0,     false, 5.066, -0.56, 0,    1.966, .119,
     0,     .319, .1454, 26.26, 26.24, 0.001, 1854,  2.79,  2.73, 0.349},
    {"arc", 6,    10,    300,   .05,   true,  5.515, -0.12, .107, 2.043, .142,
     .019,  .328, .1553, 35.08, 17.54, 1.534, 1755,  3.01,  2.45, 0.349},
    {"arc", 6,    10,    1000,  0,     false, 5.128, -0.88, .048, 1.728, .137,
     .014,  .261, .1353, 87.52, 87.46, 0.004, 6342,  2.84,  2.75, 0.349},
    {"arc", 6,    10,    1000,   .05,   false, 5.750, -0.25, .260, 1.686, .113,
     .044,  .266, .1444, 116.09, 59.32, 4.966, 5733,  3.15,  2.32, 0.349},
    {"arc", 6,    20,    300,   0,     false, 10.031, -0.55, 0,    2.715, .540,
     -.035, .418, .1506, 52.92, 52.88, 0.006, 1661,   5.54,  5.47, 0.695},
    {"arc", 6,    20,    300,   .05,   false, 10.339, -0.39, 0,    2.648, .505,
     -.031, .437, .1600, 61.61, 44.71, 2.978, 1656,   5.66,  5.25, 0.694},
    {"arc", 6,    20,    1000,   0,      false, 10.070, -0.91, 0,    2.454, .558,
     -.038, .376, .1376, 176.39, 176.27, 0.020, 5874,   5.58,  5.48, 0.695},
    {"arc", 6,    20,    1000,   .05,    false, 10.548, -0.67, 0,    2.376, .523,
     -.041, .399, .1463, 205.22, 149.18, 9.881, 6024,   5.78,  5.15, 0.694},
    {"arc", 6,    40,    100,   0,     false, 20.012, -0.32, 0,     3.175, 1.054,
     -.353, .697, .1878, 36.40, 36.39, 0.003, 594,    10.99, 10.94, 1.369},
    {"arc", 6,    40,    100,   .05,   false, 20.119, -0.28, 0,     3.451, .995,
     -.326, .690, .1979, 40.01, 33.63, 2.325, 632,    11.04, 10.79, 1.368},
    {"arc", 6,    40,    300,    0,      false, 20.018, -0.47, 0,     3.094, 1.029,
     -.362, .680, .1726, 109.21, 109.17, 0.014, 1729,   11.00, 10.94, 1.368},
    {"arc", 6,    40,    300,    .05,    false, 20.171, -0.42, 0,     3.063, .975,
     -.333, .675, .1835, 119.92, 100.97, 6.895, 1851,   11.08, 10.74, 1.368},
    {"undercut_free", 6,    20,    300,   0,     false, 10.093, -0.54, 0,    2.739, .484,
     -.025,           .474, .1636, 52.91, 52.88, 0.005, 1862,   5.57,  5.38, 0.714},
    {"undercut_free", 6,    20,    300,   .05,   true,  10.344, -0.38, 0,    2.642, .484,
     -.032,           .472, .1652, 61.62, 44.70, 2.984, 1871,   5.66,  5.26, 0.714},
    {"undercut_free", 6,    40,    300,    0,      false, 20.131, -0.42, 0,     3.147, .545,
     -.173,           .801, .2177, 109.21, 109.18, 0.011, 2622,   11.15, 10.91, 1.802},
    {"undercut_free", 6,    40,    300,    .05,    false, 20.224, -0.37, 0,     3.166, .660,
     -.217,           .763, .2087, 120.22, 100.74, 7.089, 2661,   11.18, 10.88, 1.802},
    {"arc", 8,    10,    300,   0,     false, 5.070, -0.67, 0,    2.634, .367,
     0,     .308, .1015, 26.27, 26.23, 0.003, 1000,  2.92,  2.90, 0.244},
    {"arc", 8,    10,    300,   .05,   true,  5.625, -0.04, 0,    2.519, .338,
     -.006, .289, .1102, 34.36, 18.26, 1.408, 1039,  3.24,  2.54, 0.244},
    {"arc", 8,    40,    300,    0,      false, 20.017, -0.42, 0,     3.864, .909,
     -.360, .624, .1114, 109.21, 109.17, 0.015, 826,    11.58, 11.57, 0.958},
    {"arc", 8,    40,    300,    .05,    false, 20.160, -0.39, 0,     3.804, .768,
     -.358, .656, .1201, 117.13, 103.11, 5.100, 936,    11.70, 11.44, 0.959},
};

typedef struct rzeppa_run {
  vf_case c;
  hk_run_report report;
  char name[80];
} rzeppa_run;

static double get(const rzeppa_run *r, const char *name) {
  for (int i = 0; i < r->report.n_measures; i++)
    if (strcmp(r->report.measure[i].name, name) == 0) return r->report.measure[i].value;
  fail_msg("no measure '%s'", name);
  return NAN;
}

static void run(rzeppa_run *r, const hk_override *set, int n) {
  vf_file(&r->c, "examples/cv_joint/rzeppa.yaml", set, n);
  if (hk_run(r->c.model, NULL, &r->report, &r->c.diag)) fail_msg("%s", r->report.error.text);
}

static void done(rzeppa_run *r) {
  hk_run_report_free(&r->report);
  vf_close(&r->c);
}

static void run_case(rzeppa_run *r, const rzeppa_case *k) {
  static const hk_override eight[] = {
      {"balls", "8"},       {"pitch_radius", "33 mm"},         {"ball_radius", "7.54 mm"},
      {"offset", "2.8 mm"}, {"guide_outer_radius", "35.5 mm"}, {"guide_inner_radius", "31 mm"}};
  char text[3][40];
  snprintf(text[0], sizeof text[0], "%g deg", k->bend);
  snprintf(text[1], sizeof text[1], "%g N*m", k->T);
  snprintf(text[2], sizeof text[2], "%g", k->mu);
  snprintf(r->name, sizeof r->name, "%s%s, %g deg, %g N m, mu %g",
           strcmp(k->track, "arc") == 0 ? "arc" : "undercut-free", k->balls == 8 ? ", 8 balls" : "",
           k->bend, k->T, k->mu);
  hk_override set[10] = {
      {"bend", text[0]}, {"torque", text[1]}, {"mu", text[2]}, {"track", k->track}};
  int n = 4;
  for (int i = 0; i < 6 && k->balls == 8; i++) set[n++] = eight[i];
  run(r, set, n);
}

static void check(const rzeppa_run *r, const char *measure, double factor, double reference,
                  double tolerance) {
  vf_check("rzeppa", r->name, measure, factor * get(r, measure), reference, tolerance,
           "independent program");
}

static void check_forces(const rzeppa_run *r, const rzeppa_case *k) {
  check(r, "track_force_min", 1, k->low, 0.02);
  check(r, "track_force_max", 1, k->high, (k->mu > 0 ? 0.015 : 0.02) * k->high);
  check(r, "counter_flank_max", 1, k->counter, 0.02);
  check(r, "window_force_min", 1, k->window_low, 0.01);
  check(r, "window_force_max", 1, k->window_high, 0.01);
  check(r, "window_force_mean", 1, k->window, 0.015 * k->window);
  check(r, "guide_force", 1, k->guide, 0.02 * k->guide);
}

static void check_identities(const rzeppa_run *r, double T, double b) {
  double L = get(r, "loss"), least = 1e-4 * fabs(T);
  vf_check("rzeppa", r->name, "driving torque - T [N m]", get(r, "driving_torque") - T, L, least,
           "identity: L");
  vf_check("rzeppa", r->name, "T tan(b/2) + L/sin b [N m]", get(r, "secondary_torque_outer"),
           T * tan(b / 2) + L / sin(b), least, "identity");
  vf_check("rzeppa", r->name, "T tan(b/2) - L/tan b [N m]", get(r, "secondary_torque_inner"),
           T * tan(b / 2) - L / tan(b), least, "identity");
}

static void check_case(const rzeppa_case *k) {
  rzeppa_run r;
  run_case(&r, k);
  check(&r, "cage_angle", DEG, k->cage, 0.005);
  check(&r, "cage_tilt", DEG, k->tilt, 0.03);
  check_forces(&r, k);
  check(&r, "secondary_torque_outer", 1, k->outer, fmax(0.003 * k->outer, 0.05));
  check(&r, "secondary_torque_inner", 1, k->inner, fmax(0.003 * k->inner, 0.05));
  bool other_drag = k->mu > 0 && k->bend > 30 && strcmp(k->track, "arc") != 0;
  double loss = other_drag ? 7.212 : k->loss;
  check(&r, "loss", 1, loss, fmax(0.015 * loss, 1e-3));
  check(&r, "stroke_outer", 1e3, k->stroke_outer, 0.01);
  check(&r, "stroke_inner", 1e3, k->stroke_inner, 0.01);
  check(&r, "window_stroke", 1e3, k->stroke_window, 0.003);
  check_identities(&r, k->T, k->bend / DEG);
  if (k->mu == 0)
    vf_check("rzeppa", r.name, "T tan(b/2) [N m]", get(&r, "secondary_torque_outer"),
             k->T * tan(k->bend / DEG / 2), 0.001 * k->T * tan(k->bend / DEG / 2), "closed form");
  done(&r);
}

static void tables_of_the_independent_program(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    if (CASES[i].brief || vf_long()) check_case(&CASES[i]);
}

/* Without the drag of the cage both programs and hooke have the same equations: undercut-free, 40 deg, 300 N m. */
static void without_drag(void **state) {
  (void)state;
  rzeppa_run r = {.name = "undercut-free, 40 deg, no drag"};
  if (!vf_long()) return;
  run(&r,
      (hk_override[]){{"track", "undercut_free"},
                      {"bend", "40 deg"},
                      {"joints.cvj.cage_spin_damping", "0 N*m*s/rad"}},
      3);
  check(&r, "loss", 1, 6.866, 0.005 * 6.866);
  check(&r, "track_force_max", 1, 3.196, 0.015 * 3.196);
  check(&r, "counter_flank_max", 1, 0.668, 0.02);
  check(&r, "secondary_torque_outer", 1, 119.87, 0.05);
  check(&r, "guide_force", 1, 2651, 0.02 * 2651);
  done(&r);
}

/* Straight joint: all balls are loaded equally, with F = T/(n r sin g), W = 2 F cos g sin d, guides
 * about n W/2 each, and the contact angle g from the deformation of flanks, windows and guides. */
static void straight_joint(void **state) {
  (void)state;
  static const char *const torque[] = {"100 N*m", "300 N*m", "1000 N*m"};
  const double ball = 8.7313e-3, gap = 0.04 * ball, e = gap - 10e-6, half = sqrt(0.5);
  const double sin_d = OFFSET / hypot(PITCH, OFFSET);
  for (int i = 0; i < 3; i++) {
    double T = atof(torque[i]), F0 = T / (6 * PITCH * half), g = M_PI / 4, F = 0, W = 0;
    for (int n = 0; n < 200; n++) {
      F = T / (6 * PITCH * sin(g));
      W = 2 * F * cos(g) * sin_d;
      double along = 20e-6 + pow(3 * W / 1e11, 2.0 / 3) + pow(W / 1.4e10, 2.0 / 3);
      g = acos((e * half - along * sin_d) / (gap + pow(F / 4e10, 2.0 / 3)));
    }
    rzeppa_run r;
    run(&r, (hk_override[]){{"bend", "0 deg"}, {"torque", torque[i]}}, 2);
    snprintf(r.name, sizeof r.name, "straight, %s", torque[i]);
    vf_check("rzeppa", r.name, "track force [F0]", get(&r, "track_force_max"), F / F0, 1e-3,
             "closed form");
    vf_check("rzeppa", r.name, "window force [F0]", get(&r, "window_force_mean"), W / F0,
             1e-3 * W / F0, "closed form");
    if (i == 1) check(&r, "guide_force", 1, 1045, 0.02 * 1045);
    done(&r);
  }
}

/* Without friction and counter flank the window carries the remaining force due to the funnel angle
 * and the skew of a ball's two tracks,
 *   W = 2 F (cos g cos(b/2) sin d + sin g sin(b/2) cos a),
 * a the azimuth of the ball, g its contact angle, here computed from its position in the track of
 * the outer race. */
static double window_force(vf_case *c, int k, double b, double *force) {
  const double gap = 0.04 * 8.7313e-3, m = -(gap - 10e-6) * sqrt(0.5), rho = hypot(PITCH, OFFSET);
  char name[60];
  hk_vec3 p;
  double *x[3] = {&p.x, &p.y, &p.z};
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "cvj.ball[%d].%c", k, "xyz"[i]);
    *x[i] = vf_value(c, name);
  }
  double a = vf_value(c, "outer.angle") + M_PI / 3 * k;
  double out = p.x * cos(a) + p.y * sin(a), y = p.y * cos(a) - p.x * sin(a), z = p.z - OFFSET;
  double rx = hypot(out, z) - rho - m, g = atan2(y - m, rx);
  snprintf(name, sizeof name, "cvj.outer[%d].loaded.normal_force", k);
  *force = vf_value(c, name);
  return 2 * *force * (cos(g) * cos(b / 2) * OFFSET / rho + sin(g) * sin(b / 2) * cos(a));
}

static void windows_carry_funnel_and_skew(void **state) {
  (void)state;
  const double b = 5 / DEG, F0 = 300 / (6 * PITCH * sqrt(0.5));
  vf_case c;
  vf_file(&c, "examples/cv_joint/rzeppa.yaml", (hk_override[]){{"mu", "0"}, {"bend", "5 deg"}}, 2);
  vf_start(&c, NULL);
  vf_advance(&c, 0.11);
  hk_vec3 sum = {0, 0, 0};
  double size = 0, worst = 0;
  for (int k = 0; k < 6; k++) {
    char front[60], back[60], name[3][40];
    double F, formula = window_force(&c, k, b, &F);
    snprintf(front, sizeof front, "cvj.window[%d].front.normal_force", k);
    snprintf(back, sizeof back, "cvj.window[%d].back.normal_force", k);
    double W = vf_value(&c, front) - vf_value(&c, back);
    for (int i = 0; i < 3; i++) snprintf(name[i], sizeof name[i], "cvj.ball[%d].%c", k, "xyz"[i]);
    hk_vec3 p = hk_v3(vf_value(&c, name[0]), vf_value(&c, name[1]), vf_value(&c, name[2]));
    worst = fmax(worst, fabs(W - formula) / F0);
    sum = hk_axpy(sum, W, p);
    size += fabs(W) * PITCH;
  }
  vf_bound("rzeppa", "5 deg, mu 0", "window force against funnel and skew [F0]", worst, 1e-3,
           "closed form");
  /* The guides exert no moment: neither do the windows. */
  vf_bound("rzeppa", "5 deg, mu 0", "moment of the windows on the cage [sum W r]",
           hk_norm(hk_v3(sum.x, sum.y, 0)) / size, 1e-3, "closed form");
  vf_close(&c);
}

/* Stiff and without clearance, the cage is in the plane that bisects the articulation angle. */
static void stiff_joint_is_homokinetic(void **state) {
  (void)state;
  if (!vf_long()) skip();
  rzeppa_run r;
  run(&r,
      (hk_override[]){{"bend", "5 deg"},
                      {"mu", "0"},
                      {"K", "4e12 N/m^1.5"},
                      {"K_window", "1.4e12 N/m^1.5"},
                      {"K_guide", "1e13 N/m^1.5"},
                      {"flank_play", "0.5 um"},
                      {"guide_clearance", "0.5 um"}},
      7);
  vf_check("rzeppa", "stiff, 5 deg", "cage_angle", DEG * get(&r, "cage_angle"), 2.503, 0.005,
           "independent program");
  vf_check("rzeppa", "stiff, 5 deg", "cage_tilt", DEG * get(&r, "cage_tilt"), -0.02, 0.03,
           "independent program");
  done(&r);
}

/* The funnel opens in the opposite direction: a mirror image.  If the outer race drives, the cage
 * lags, and the balls still press towards the opening. */
static void signs(void **state) {
  (void)state;
  rzeppa_run r;
  run(&r, (hk_override[]){{"offset", "-4 mm"}}, 1);
  snprintf(r.name, sizeof r.name, "offset -4 mm");
  vf_check("rzeppa", r.name, "window_force_mean", get(&r, "window_force_mean"), -.1553, 0.0023,
           "mirror image");
  vf_check("rzeppa", r.name, "secondary_torque_outer", get(&r, "secondary_torque_outer"), 35.08,
           0.1, "mirror image");
  done(&r);
  run(&r,
      (hk_override[]){{"torque", "-300 N*m"}, {"joints.cvj.load", "reverse"}, {"revolutions", "1"}},
      3);
  snprintf(r.name, sizeof r.name, "outer race drives");
  assert_true(get(&r, "cage_angle") * DEG < 4.9 && get(&r, "window_force_mean") > 0.1);
  check_identities(&r, -300, 10 / DEG);
  done(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_of_the_independent_program),
      cmocka_unit_test(without_drag),
      cmocka_unit_test(straight_joint),
      cmocka_unit_test(windows_carry_funnel_and_skew),
      cmocka_unit_test(stiff_joint_is_homokinetic),
      cmocka_unit_test(signs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
