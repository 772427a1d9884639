/* Largest articulation of ball-type joints with straight tracks: closed forms, ball travel, and messages. */
#include "model/model.h"
#include "verify/verify.h"

static const double r = 55e-3, ball = 11.1125e-3, offset = 8e-3;

/* Channel of the sensor that monitors the joint. */
static double limit_of(const char *file, hk_override *set, int n) {
  vf_case c;
  double limit = 0;
  vf_file(&c, file, set, n);
  for (int i = 0; i < c.model->n_coordinates; i++)
    if (strcmp(c.model->coordinate[i].name, "cvj.articulation_angle") == 0)
      limit = c.model->coordinate[i].limit;
  vf_close(&c);
  return limit;
}

/* Without spheres the wall of the cage reaches at most to the contacts, r + r_ball cos 45 deg. */
static void balls_stay_in_the_wall_of_the_cage(void **state) {
  (void)state;
  double room = r + ball * sqrt(0.5);
  double h = 0.5 * limit_of("examples/cv_joint/double_offset.yaml", NULL, 0);
  assert_float_equal(r / cos(h) + offset * tan(h), room, 1e-7);
  h = 0.5 * limit_of("examples/cv_joint/plunging.yaml",
                     (hk_override[]){{"alpha", "0 deg"}, {"beta", "0 deg"}}, 2);
  assert_float_equal(r / cos(h), room, 1e-7);
  /* Radial inclination moves them further out: here by at most r tan(h) tan(beta)/(1 - ...). */
  double t = tan(0.08377580409572781), g = 0.5 * limit_of("examples/cv_joint/plunging.yaml",
                                                          (hk_override[]){{"alpha", "0 deg"}}, 1);
  assert_float_equal((r / cos(g)) / (1 - tan(g) * t), room, 1e-7);
  assert_true(g < h);
}

/* With spheres, the cage has a wall of given thickness in the plane of the balls. */
static void spheres_leave_less(void **state) {
  (void)state;
  hk_override set[] = {{"defaults.cv_ball_joint.guide_outer_radius", "60 mm"},
                       {"defaults.cv_ball_joint.guide_inner_radius", "50 mm"}};
  double h = 0.5 * limit_of("examples/cv_joint/double_offset.yaml", set, 2);
  assert_float_equal(r / cos(h) + offset * tan(h), sqrt(60e-3 * 60e-3 - offset * offset), 1e-7);
}

/* Many balls: windows as long as the ball travel meet.  With tracks parallel to the axes, a ball moves on an
 * ellipse with the semi-axes r and r/cos(b/2), and at the distance x it needs asin(ball/x) to each side.  (The
 * centre of its motion leads the cage by asin(tan^2(b/4)).) */
static void windows_leave_something_between_them(void **state) {
  (void)state;
  hk_override set[] = {{"alpha", "0 deg"}, {"beta", "0 deg"}, {"balls", "14"}};
  double b = limit_of("examples/cv_joint/plunging.yaml", set, 3);
  double ahead = asin(tan(b / 4) * tan(b / 4)), most = 0, travel = 0;
  for (int i = 0; i < 36000; i++) {
    double a = 2 * M_PI * i / 36000, x = r * cos(a) / cos(b / 2), y = r * sin(a);
    double turn = remainder(atan2(y, x) - a, 2 * M_PI);
    travel = fmax(travel, turn);
    most = fmax(most, turn + asin(ball / hypot(x, y)));
  }
  assert_float_equal(travel, ahead, 1e-8);
  /* The limit is searched in steps of one degree: the error is that of half a degree from the peak of a wave
   * with two periods. */
  double seen = 0.5 * pow(2 * M_PI / 360, 2) * ahead;
  assert_true(most >= M_PI / 14 - 1e-9 && most < M_PI / 14 + seen);
}

/* Position of ball k perpendicular to the axis of the cage. */
static double radius_of(vf_case *c, int k) {
  char name[60];
  double d[3], q[4];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "cvj.ball[%d].%c", k, "xyz"[i]);
    d[i] = vf_value(c, name);
    snprintf(name, sizeof name, "cvj.cage.%c", "xyz"[i]);
    d[i] -= vf_value(c, name);
  }
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "cvj.cage.q%c", "wxyz"[i]);
    q[i] = vf_value(c, name);
  }
  hk_mat3 R = hk_quat_matrix((hk_quat){q[0], q[1], q[2], q[3]});
  hk_vec3 x = hk_tmul(&R, hk_v3(d[0], d[1], d[2]));
  return hypot(x.x, x.y);
}

/* The geometry that determines the limits is that of a run: with eight balls, an eighth of a revolution covers
 * all positions. */
static void balls_travel_as_the_geometry_says(void **state) {
  (void)state;
  hk_override set[] = {{"deflection", "20 deg"}, {"mu", "0"}, {"torque", "200 N*m"}};
  double h = M_PI / 18, most = 0, least = 1;
  vf_case c;
  vf_file(&c, "examples/cv_joint/double_offset.yaml", set, 3);
  vf_start(&c, NULL);
  vf_advance(&c, 80e-3);
  for (int i = 0; i <= 25; i++) {
    vf_advance(&c, 80e-3 + 1e-3 * i);
    for (int k = 0; k < 8; k++) {
      most = fmax(most, radius_of(&c, k));
      least = fmin(least, radius_of(&c, k));
    }
  }
  assert_float_equal(most, r / cos(h) + offset * tan(h), 2e-5);
  assert_true(least > r / cos(h) - offset * tan(h) - 5e-5 && least < r);
  vf_close(&c);
}

/* An initial position beyond the limit is rejected with the value of the limit, for both kinds. */
static void a_start_beyond_is_refused(void **state) {
  (void)state;
  static const char *const file[] = {"cross_groove", "double_offset"};
  static const char *const said[] = {
      "'plunging': the initial articulation angle is 80 deg, but the geometry "
      "allows 56.82 deg: beyond this, the balls leave the wall",
      "geometry allows 55.7 deg: beyond this, the balls leave the wall"};
  for (int i = 0; i < 2; i++) {
    hk_override o = {"bend", "80 deg"};
    char full[600];
    hk_diag diag;
    snprintf(full, sizeof full, "%s/examples/half_shaft/%s.yaml", HOOKE_SOURCE_DIR, file[i]);
    hk_diag_init(&diag);
    assert_null(hk_model_file_read(full, &o, 1, &diag));
    if (!vf_said(&diag, said[i])) {
      vf_tell(&diag);
      fail_msg("%s: no word of '%s'", file[i], said[i]);
    }
    hk_diag_free(&diag);
  }
}

/* If a run exceeds the limit later, it is reported with the time. */
static void a_run_beyond_is_told(void **state) {
  (void)state;
  static const char *const file[] = {"plunging", "double_offset"};
  static const char *const said[] = {"'cvj.articulation_angle' exceeded 48.79 deg", "'cvj.articulation_angle' exceeded 45.04 deg"};
  for (int i = 0; i < 2; i++) {
    char full[100];
    vf_case c;
    hk_run_report report;
    snprintf(full, sizeof full, "examples/cv_joint/%s.yaml", file[i]);
    vf_file(&c, full,
            (hk_override[]){{"deflection", "52 deg"}, {"end", "71 ms"}, {"torque", "100 N*m"}}, 3);
    assert_int_equal(hk_run(c.model, NULL, &report, &c.diag), HK_OK);
    const hk_indicator *k = hk_quality_find(report.quality, HK_QUALITY_ARTICULATION);
    assert_non_null(k);
    assert_string_equal(k->element, "cvj.articulation_angle");
    assert_true(k->time > 20e-3 && k->time < 70e-3);
    assert_true(vf_said(&c.diag, said[i]));
    hk_run_report_free(&report);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_stay_in_the_wall_of_the_cage),
      cmocka_unit_test(spheres_leave_less),
      cmocka_unit_test(windows_leave_something_between_them),
      cmocka_unit_test(balls_travel_as_the_geometry_says),
      cmocka_unit_test(a_start_beyond_is_refused),
      cmocka_unit_test(a_run_beyond_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
