/* The ball-type CV joint and the tripod joint: their parts, and invalid input. */
#include "verify/verify.h"

static void open_with(vf_case *c, const char *file, const char *path, const char *value) {
  hk_override o = {path, value};
  char full[100];
  snprintf(full, sizeof full, "examples/cv_joint/%s.yaml", file);
  vf_file(c, full, &o, path ? 1 : 0);
}

static void it_expands_into_its_parts(void **state) {
  (void)state;
  static const char *const channels[] = {"cvj.ball[0].x",
                                         "cvj.ball[7].vz",
                                         "cvj.cage.qw",
                                         "cvj.cage_angle",
                                         "cvj.bend",
                                         "cvj.twist",
                                         "cvj.plunge",
                                         "cvj.stroke[7]",
                                         "cvj.inner[3].loaded.normal_force",
                                         "cvj.outer[0].counter.gap",
                                         "cvj.window[5].back.power",
                                         "cvj.track_force_max",
                                         "cvj.track_force_min",
                                         "cvj.counter_force_max",
                                         "cvj.cage_force_max"};
  vf_case c;
  open_with(&c, "plunging", NULL, NULL);
  assert_int_equal(hk_model_velocity_count(c.model), 8 * 6 + 6 + 3 + 1);
  assert_int_equal(hk_model_constraint_count(c.model), 0);
  for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) vf_channel(&c, channels[i]);
  assert_true(hk_model_channel_find(c.model, "cvj.ball[8].x") < 0);
  vf_close(&c);
}

/* Rigid rotation, no penetration, no force. */
static void it_starts_at_rest_in_the_turning_frame(void **state) {
  (void)state;
  const double W = 31.415926535897931, r = 0.055;
  vf_case c;
  open_with(&c, "plunging", NULL, NULL);
  vf_start(&c, NULL);
  for (int k = 0; k < 8; k++) {
    char name[60];
    double phi = M_PI / 4 * k;
    const struct {
      const char *what;
      double value;
    } want[] = {{"ball[%d].x", r * cos(phi)},
                {"ball[%d].y", r * sin(phi)},
                {"ball[%d].vx", -W * r * sin(phi)},
                {"ball[%d].vy", W * r * cos(phi)},
                {"ball[%d].wz", W},
                {"inner[%d].loaded.gap", 0},
                {"outer[%d].counter.gap", 0},
                {"window[%d].front.gap", 3e-6},
                {"window[%d].back.gap", 3e-6},
                {"stroke[%d]", 0},
                {"inner[%d].loaded.normal_force", 0}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
      int n = snprintf(name, sizeof name, "cvj.");
      snprintf(name + n, sizeof name - (size_t)n, want[i].what, k);
      double error = vf_value(&c, name) - want[i].value;
      if (fabs(error) > 1e-9) fail_msg("%s is off by %g", name, error);
    }
  }
  vf_close(&c);
}

/* In a run that starts at a later time the guided race is articulated: the cage is in the bisecting plane, the
 * balls are in its windows and, up to terms of second order in the angle, in their tracks. */
static void it_stands_between_the_races_as_they_are_at_the_start(void **state) {
  (void)state;
  const double bend = M_PI / 90;
  vf_case c;
  open_with(&c, "plunging", "analysis.start", "200 ms");
  vf_start(&c, NULL);
  assert_float_equal(vf_value(&c, "cvj.bend"), bend, 1e-9);
  assert_float_equal(vf_value(&c, "cvj.cage_angle"), bend / 2, 1e-9);
  for (int k = 0; k < 8; k++) {
    char name[60];
    snprintf(name, sizeof name, "cvj.window[%d].front.gap", k);
    assert_float_equal(vf_value(&c, name), 3e-6, 1e-12);
    snprintf(name, sizeof name, "cvj.inner[%d].loaded.gap", k);
    assert_float_equal(vf_value(&c, name), 0, 0.055 * bend * bend);
  }
  vf_close(&c);
}

static void tolerances_are_those_of_one_ball(void **state) {
  (void)state;
  vf_case c;
  open_with(&c, "plunging", "joints.cvj.size_error", "[0 um, 1 um, -2 um]");
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "cvj.inner[0].loaded.gap")) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.inner[1].loaded.gap") + 1e-6) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.outer[2].counter.gap") - 2e-6) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.window[2].front.gap") - 5e-6) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "joints.cvj.depth_error", "[3 um]");
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "cvj.inner[0].counter.gap") - 3e-6) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.inner[1].counter.gap")) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "joints.cvj.radial_error", "[10 um]");
  vf_start(&c,
           NULL); /* the inner race's track moves out, against the ball: e_1 . e_r = cos 45 deg */
  assert_true(fabs(vf_value(&c, "cvj.inner[0].loaded.gap") + 10e-6 * cos(M_PI / 4)) < 2e-7);
  assert_true(fabs(vf_value(&c, "cvj.outer[0].loaded.gap")) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "joints.cvj.ball[0].pitch_error", "5.5 um");
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "cvj.inner[0].loaded.gap") + 5.5e-6 * sin(M_PI / 4)) < 2e-7);
  assert_true(fabs(vf_value(&c, "cvj.outer[0].loaded.gap")) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "cvj.outer_pitch_error[3]", "5.5 um");
  vf_start(&c, NULL);
  assert_true(fabs(fabs(vf_value(&c, "cvj.outer[3].loaded.gap")) - 5.5e-6 * sin(M_PI / 4)) < 2e-7);
  assert_true(fabs(vf_value(&c, "cvj.outer[2].loaded.gap")) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "cvj.ball[1].window_error", "2 um"); /* the planes are at 3 um */
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "cvj.window[1].front.gap") - 5e-6) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.window[1].back.gap") - 1e-6) < 1e-12);
  assert_true(fabs(vf_value(&c, "cvj.window[0].back.gap") - 3e-6) < 1e-12);
  vf_close(&c);
  open_with(&c, "plunging", "cvj.ball[7].window_width_error", "-4 um");
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "cvj.window[7].front.gap") - 1e-6) < 1e-12);
  vf_close(&c);
  open_with(&c, "tripod", "tripod.roller[2].size_error", "3 um");
  vf_start(&c, NULL);
  double other = vf_value(&c, "tripod.track[1].loaded.gap");
  assert_true(fabs(vf_value(&c, "tripod.track[2].loaded.gap") - other + 3e-6) < 1e-12);
  vf_close(&c);
  open_with(&c, "tripod", "tripod.roller[0].pitch_error", "4 um");
  vf_start(&c, NULL);
  assert_true(fabs(vf_value(&c, "tripod.track[0].loaded.gap") -
                   vf_value(&c, "tripod.track[0].counter.gap")) > 4e-6);
  vf_close(&c);
}

static void refused(const char *file, const char *path, const char *value, const char *first,
                    const char *second) {
  hk_override o = {path, value};
  char full[600];
  hk_diag diag;
  snprintf(full, sizeof full, "%s/examples/cv_joint/%s.yaml", HOOKE_SOURCE_DIR, file);
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(full, &o, 1, &diag);
  if (spec) fail_msg("%s = %s is taken", path, value);
  if (!vf_said(&diag, first) || !vf_said(&diag, second)) {
    vf_tell(&diag);
    fail_msg("%s = %s: no word of '%s' and '%s'", path, value, first, second);
  }
  assert_int_equal(diag.n_errors, 1); /* and no message about items that are missing as a consequence */
  hk_diag_free(&diag);
}

static void what_makes_no_joint_is_refused(void **state) {
  (void)state;
  refused("plunging", "balls", "16", "21.4599 mm apart", "22.225 mm");
  refused("plunging", "balls", "7", "even", "7");
  refused("plunging", "pcd", "20 mm", "pcd 20 mm", "22.225 mm");
  refused("plunging", "joints.cvj.track_radius", "11 mm", "track_radius 11 mm", "11.1125 mm");
  refused("plunging", "joints.cvj.flank_play", "0.6 mm", "600 um", "555.625 um");
  refused("plunging", "clearance", "-1 um", "22.224 mm", "22.225 mm");
  refused("plunging", "alpha", "90 deg", "track_skew_angle 90 deg", "90 deg");
  refused("plunging", "beta", "-95 deg", "track_inclination -95 deg", "90 deg");
  refused("plunging", "contact_angle", "90 deg", "contact_angle 90 deg", "90 deg");
  refused("plunging", "analysis.start", "100 ms", "180 deg", "radius 11.1125 mm");
  refused("plunging", "joints.cvj.size_error", "[0 m, 0 m, 4 um]", "ball 2 is 22.233 mm",
          "22.231 mm");
  refused("plunging", "joints.cvj.pitch_error", "[0, 0, 0, 0, 0, 0, 0, 0, 1 um]", "ball 8",
          "8 balls");
  refused("plunging", "cvj.pitch_error[8]", "1 um", "ball 8", "8 balls");
  refused("plunging", "cvj.bal[1].pitch_error", "1 um", "one value per ball", "'bal'");
  refused("plunging", "cvj.ball[1].pcd", "1 um", "'pcd' of 'cvj'", "'ball'");
  refused("plunging", "cvj.ball[x].pitch_error", "1 um", "index in brackets", "999");
  refused("plunging", "cvj.pcd[1]", "1 um", "not a list", "element 1");
  refused("plunging", "joints.cvj.at", "[0, 0, 0]", "frames a and b", "markers");
  refused("plunging", "joints.cvj.track_family", "double_offset", "6 deg", "4.8 deg");
  refused("double_offset", "defaults.cv_ball_joint.cage_offset", "0 mm", "cage_offset", "> 0");
  refused("tripod", "roller_radius", "40 mm", "34.641 mm", "80 mm");
  refused("tripod", "joints.tripod.flank_play", "1 mm", "1000 um", "170 um");
  refused("tripod", "joints.tripod.contact_angle", "90 deg", "90 deg", "89.4 deg");
}

/* Twenty-four contacts share the law, but its error is reported once. */
static void a_law_that_fits_no_contact_is_told_once(void **state) {
  (void)state;
  const hk_override o = {"laws.steel.friction", "pade"};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec =
      hk_model_file_read(HOOKE_SOURCE_DIR "/examples/cv_joint/plunging.yaml", &o, 1, &diag);
  assert_non_null(spec);
  assert_null(hk_model_compile(spec, &diag));
  assert_true(vf_said(&diag, "semi_axis_t"));
  assert_int_equal(diag.n_errors, 1);
  hk_diag_free(&diag);
}

static void a_run_that_fails_names_ball_contact_and_remedy(void **state) {
  (void)state;
  hk_override o[] = {{"mu", "0.2"}, {"analysis.min_step", "5e-6 s"}};
  vf_case c;
  vf_file(&c, "examples/cv_joint/plunging.yaml", o, 2);
  hk_run_report report;
  assert_true(hk_run(c.model, NULL, &report, &c.diag) < 0);
  assert_true(report.t > 0.01 && report.t < 0.67);
  static const char *const words[] = {"cvj.ball[", "contact 'cvj.", "damping",
                                      "velocity",  "law 'steel'",   "max_step"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strstr(report.error.text, words[i]))
      fail_msg("no '%s' in: %s", words[i], report.error.text);
  hk_run_report_free(&report);
  vf_close(&c);
}

static double final_value(const char *file, const char *path, const char *value, double t,
                          const char *channel) {
  vf_case c;
  open_with(&c, file, path, value);
  vf_start(&c, NULL);
  vf_advance(&c, t);
  double x = vf_value(&c, channel);
  vf_close(&c);
  return x;
}

/* The ideal joint and the joint with balls rotate the wheel by the same angle. */
static void both_fidelities_turn_equally(void **state) {
  (void)state;
  double ideal = final_value("half_shaft", NULL, NULL, 0.03, "wheel.angle");
  double full = final_value("half_shaft", "joints.cvj.fidelity", "full", 0.03, "wheel.angle");
  assert_true(fabs(ideal - full) < 2e-4);
  assert_true(fabs(ideal - 31.415926535897931 * 0.03) < 1e-9);
}

static void relatives_tilt_and_orbit(void **state) {
  (void)state;
  hk_override o = {"mu", "0"};
  vf_case c;
  hk_run_report r;
  vf_file(&c, "examples/cv_joint/double_offset.yaml", (hk_override[]){o, {"revolutions", "1"}}, 2);
  assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
  for (int i = 0; i < r.n_measures; i++) {
    if (strcmp(r.measure[i].name, "cage_angle") == 0) /* half of 2 deg; the guides deflect slightly */
      assert_true(fabs(r.measure[i].value - M_PI / 180) < 4e-4);
    if (strcmp(r.measure[i].name, "secondary_torque_outer") == 0) /* T tan(beta/2) */
      assert_true(fabs(r.measure[i].value - 2000 * tan(M_PI / 180)) < 0.05);
  }
  hk_run_report_free(&r);
  vf_close(&c);
  vf_file(&c, "examples/cv_joint/tripod.yaml", NULL, 0);
  assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
  double orbit = 0.04 * (1 / cos(M_PI / 18) - 1) / 2;
  for (int i = 0; i < r.n_measures; i++)
    if (strcmp(r.measure[i].name, "orbit_order_3") == 0)
      assert_true(fabs(r.measure[i].value - orbit) < 0.01 * orbit);
  hk_run_report_free(&r);
  vf_close(&c);
}

/* ---- fixed joints ---- */

static double of_ball(vf_case *c, const char *format, int k) {
  char name[60];
  snprintf(name, sizeof name, format, k);
  return vf_value(c, name);
}

/* Every ball is in the bisecting plane, on the centre lines of both of its tracks: no flank is closer than its
 * clearance, and no force acts. */
static void check_fixed_start(const char *track, const char *bend, double b) {
  const double r = 0.031, e = 0.004, rho = hypot(r, e), tau = tan(b / 2);
  vf_case c;
  vf_file(&c, "examples/cv_joint/rzeppa.yaml", (hk_override[]){{"track", track}, {"bend", bend}},
          2);
  vf_start(&c, NULL);
  for (int k = 0; k < 6; k++) {
    double a = M_PI / 3 * k, t = tau * sin(a);
    double l = (e * t + sqrt(e * e * t * t + r * r * (1 + t * t))) / (1 + t * t);
    if (strcmp(track, "arc") != 0 && rho * t > e) l = rho;
    assert_float_equal(of_ball(&c, "cvj.ball[%d].x", k), l * cos(a), 1e-12);
    assert_float_equal(of_ball(&c, "cvj.ball[%d].y", k), l * sin(a), 1e-12);
    assert_float_equal(of_ball(&c, "cvj.ball[%d].z", k), l * t, 1e-12);
    assert_float_equal(of_ball(&c, "cvj.inner[%d].loaded.gap", k), 10e-6, 1e-10);
    assert_float_equal(of_ball(&c, "cvj.outer[%d].counter.gap", k), 10e-6, 1e-10);
    assert_float_equal(of_ball(&c, "cvj.window[%d].front.gap", k), 0, 1e-12);
    /* Equal travel from the middle of both tracks; around the centre of the arc at most half the articulation
     * angle. */
    double out = of_ball(&c, "cvj.outer_stroke[%d]", k), in = of_ball(&c, "cvj.stroke[%d]", k);
    assert_float_equal(out, -in, 1e-9);
    if (strcmp(track, "arc") == 0)
      assert_true(fabs(out + rho * asin(e / rho)) < rho * b / 2 * (1 + 1e-9) + 1e-9);
  }
  assert_float_equal(vf_value(&c, "cvj.cage_angle"), b / 2, 1e-9);
  assert_float_equal(vf_value(&c, "cvj.outer_guide.gap"), 20e-6, 1e-12);
  assert_float_equal(vf_value(&c, "cvj.inner_guide.gap"), 20e-6, 1e-12);
  vf_close(&c);
}

static void fixed_joints_start_bent_without_overlap(void **state) {
  (void)state;
  check_fixed_start("arc", "0 deg", 0);
  check_fixed_start("arc", "10 deg", M_PI / 18);
  check_fixed_start("arc", "45 deg", M_PI / 4);
  check_fixed_start("undercut_free", "40 deg", M_PI / 4.5);
}

static void what_makes_no_fixed_joint_is_refused(void **state) {
  (void)state;
  refused("rzeppa", "offset", "0 mm", "do not meet at an angle", "0 mm");
  refused("rzeppa", "offset", "40 mm", "track_offset 40 mm", "31 mm");
  refused("rzeppa", "bend", "60 deg", "60 deg",
          "allows 45.23 deg: beyond this, the balls leave the wall");
  refused("rzeppa", "bodies.inner.position", "[0, 0, 2 mm]", "the tracks do not meet",
          "2 mm apart");
  refused("rzeppa", "window_clearance", "-100 um", "17.3626 mm",
          "17.4626 mm by more than the largest interference of 0.5 %");
  refused("rzeppa", "cvj.ball[1].size_error", "60 um", "ball 1 is 17.5826 mm", "17.4626 mm");
  refused("rzeppa", "guide_clearance", "-1 um", "guide_clearance -1 um", "interference");
  refused("rzeppa", "guide_outer_radius", "30 mm", "31 mm", "30 mm");
  refused("rzeppa", "guide_inner_radius", "0 mm", "guide_inner_radius", "guide_outer_radius");
  refused("rzeppa", "balls", "2", "3 balls", "2");
  refused("rzeppa", "balls", "12", "16.0468 mm apart", "17.4626 mm");
  refused("rzeppa", "cvj.track_inclination", "2 deg", "planes through the axes", "2 deg");
  refused("tripod", "bend", "80 deg", "80 deg", "allows 70.53 deg");
}

/* Windows narrower than the balls hold them from the start; 3 to 12 balls. */
static void interference_and_numbers_of_balls(void **state) {
  (void)state;
  vf_case c;
  open_with(&c, "rzeppa", "window_clearance", "-20 um");
  vf_start(&c, NULL);
  assert_float_equal(vf_value(&c, "cvj.window[2].front.gap"), -10e-6, 1e-12);
  assert_true(vf_value(&c, "cvj.window[2].back.normal_force") > 100);
  vf_close(&c);
  for (int n = 3; n <= 12; n += 3) {
    char balls[20];
    snprintf(balls, sizeof balls, "%d", n);
    vf_file(&c, "examples/cv_joint/rzeppa.yaml",
            (hk_override[]){{"balls", balls}, {"ball_radius", "7.5 mm"}}, 2);
    assert_int_equal(hk_model_velocity_count(c.model), 6 * n + 10);
    vf_start(&c, NULL);
    vf_advance(&c, 0.025);
    assert_true(fabs(vf_value(&c, "cvj.torque_a") - 300) < 30);
    vf_close(&c);
  }
}

/* The cage of a double-offset joint on contacts with clearance instead of springs: its angle is half the
 * articulation angle up to the clearance divided by the distance of the spheres, and the moments are those of
 * every homokinetic joint. */
static void a_double_offset_cage_on_spheres(void **state) {
  (void)state;
  hk_override set[] = {{"mu", "0"},
                       {"revolutions", "1"},
                       {"defaults.cv_ball_joint.guide_outer_radius", "60 mm"},
                       {"defaults.cv_ball_joint.guide_inner_radius", "50 mm"},
                       {"defaults.cv_ball_joint.guide_clearance", "2 um"}};
  vf_case c;
  hk_run_report r;
  vf_file(&c, "examples/cv_joint/double_offset.yaml", set, 5);
  vf_channel(&c, "cvj.outer_guide.normal_force");
  vf_channel(&c, "cvj.inner_guide.gap");
  assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
  int seen = 0;
  for (int i = 0; i < r.n_measures; i++) {
    double value = r.measure[i].value;
    if (strcmp(r.measure[i].name, "cage_angle") == 0)
      seen += fabs(value - M_PI / 180) < 2 * 2e-6 / 8e-3 + 4e-4;
    if (strcmp(r.measure[i].name, "secondary_torque_outer") == 0)
      seen += fabs(value - 2000 * tan(M_PI / 180)) < 0.05;
  }
  assert_int_equal(seen, 2);
  hk_run_report_free(&r);
  vf_close(&c);
  refused("double_offset", "defaults.cv_ball_joint.guide_outer_radius", "60 mm",
          "guide_inner_radius", "guide_outer_radius");
}

/* The track force is that of the flanks in contact, whichever flank `load` calls loaded: both torque directions
 * with both settings give the same. */
static void the_flanks_that_carry_are_found(void **state) {
  (void)state;
  static const struct {
    const char *file, *joint, *load;
  } cases[] = {{"zero_deflection", "cvj", "joints.cvj.load"},
               {"tripod", "tripod", "joints.tripod.load"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double force[2][2];
    for (int reverse = 0; reverse < 2; reverse++) {
      char name[2][60];
      vf_case c;
      open_with(&c, cases[i].file, cases[i].load, reverse ? "reverse" : "forward");
      vf_start(&c, NULL);
      vf_advance(&c, 10e-3);
      for (int m = 0; m < 2; m++) {
        snprintf(name[m], sizeof name[m], "%s.track_force_%s", cases[i].joint, m ? "min" : "max");
        force[reverse][m] = vf_value(&c, name[m]);
      }
      vf_close(&c);
    }
    for (int m = 0; m < 2; m++) {
      assert_true(force[0][m] > 100);
      assert_float_equal(force[1][m], force[0][m], 1e-3 * force[0][m]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_expands_into_its_parts),
      cmocka_unit_test(it_starts_at_rest_in_the_turning_frame),
      cmocka_unit_test(it_stands_between_the_races_as_they_are_at_the_start),
      cmocka_unit_test(tolerances_are_those_of_one_ball),
      cmocka_unit_test(what_makes_no_joint_is_refused),
      cmocka_unit_test(a_law_that_fits_no_contact_is_told_once),
      cmocka_unit_test(a_run_that_fails_names_ball_contact_and_remedy),
      cmocka_unit_test(both_fidelities_turn_equally),
      cmocka_unit_test(relatives_tilt_and_orbit),
      cmocka_unit_test(fixed_joints_start_bent_without_overlap),
      cmocka_unit_test(what_makes_no_fixed_joint_is_refused),
      cmocka_unit_test(interference_and_numbers_of_balls),
      cmocka_unit_test(a_double_offset_cage_on_spheres),
      cmocka_unit_test(the_flanks_that_carry_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
