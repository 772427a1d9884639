/* The ball in its track against a second method: the track built from the published rotations, and a search for
 * the nearest point of each flank. */
#include "spec/type.h"
#include "support/check.h"
#include <hooke/gap.h>

static const double R_BALL = 0.0111125, PITCH = 0.055, PI = 3.14159265358979323846;

typedef struct track {
  bool outer, reverse;
  double azimuth, alpha, beta, track, angle, play;
} track;

static const hk_gap_ops *groove(const track *t, double *k) {
  hk_spec *spec = hk_spec_create();
  hk_item *g = add_item(spec, HK_CONTACT, "ball_in_groove", "g");
  set_text(g, "race", t->outer ? "outer" : "inner");
  set_text(g, "load", t->reverse ? "reverse" : "forward");
  set_real(g, "azimuth", t->azimuth);
  set_real(g, "pitch_radius", PITCH);
  set_real(g, "alpha", t->alpha);
  set_real(g, "beta", t->beta);
  set_real(g, "ball_radius", R_BALL);
  set_real(g, "track_radius", t->track);
  set_real(g, "contact_angle", t->angle);
  set_real(g, "play", t->play);
  const hk_gap_ops *ops = g->type->ops;
  MUST(ops->prepare(g, k, err));
  hk_spec_destroy(spec);
  return ops;
}

static track random_track(void) {
  return (track){pick(2),
                 pick(2),
                 uniform(-3, 3),
                 uniform(-0.3, 0.3),
                 uniform(-0.3, 0.3),
                 R_BALL * uniform(1.02, 1.2),
                 uniform(0.5, 1.1),
                 uniform(0, 1e-5)};
}

/* ---- second route ---- */

static hk_mat3 rx(double a) {
  return (hk_mat3){{{1, 0, 0}, {0, cos(a), -sin(a)}, {0, sin(a), cos(a)}}};
}
static hk_mat3 ry(double b) { /* as printed in eq. 8 */
  return (hk_mat3){{{cos(b), 0, sin(b)}, {0, 1, 0}, {-sin(b), 0, cos(b)}}};
}
static hk_mat3 rz(double c) {
  return (hk_mat3){{{cos(c), -sin(c), 0}, {sin(c), cos(c), 0}, {0, 0, 1}}};
}

/* x_tr = Rx(a) Ry(b) Rz(phi)^T (x_race - P), inverted. */
static hk_vec3 track_to_world(const track *t, const hk_frame *A, hk_vec3 x) {
  hk_mat3 X = rx(t->alpha), Y = ry(t->beta), Z = rz(t->azimuth), Q = hk_matmul(&X, &Y);
  hk_vec3 in_race = hk_mul(&Z, hk_add(hk_tmul(&Q, x), hk_v3(PITCH, 0, 0)));
  return hk_add(A->x, hk_mul(&A->R, in_race));
}

/* Point of a flank: angle u from the middle of its arc, z along the track. */
static hk_vec3 flank_point(const track *t, const hk_frame *A, bool counter, double u, double z) {
  double race = t->outer ? -1 : 1, side = (counter ? -1 : 1) * (t->reverse ? -1 : 1);
  double e = t->track - R_BALL - t->play, c = race * cos(t->angle), s = race * side * sin(t->angle);
  double middle = atan2(-s, -c); /* the flank lies opposite to its centre, seen from the ball */
  return track_to_world(
      t, A, hk_v3(e * c + t->track * cos(middle + u), e * s + t->track * sin(middle + u), z));
}

/* Smallest distance from p to the flank by successive refinement of a grid. */
static double nearest(const track *t, const hk_frame *A, hk_vec3 p, bool counter, hk_vec3 *at) {
  double u0 = 0, z0 = 0, du = PI / 2, dz = 0.02, best = INFINITY;
  for (int round = 0; round < 60; round++, du *= 0.6, dz *= 0.6) {
    double bu = u0, bz = z0;
    for (int i = -5; i <= 5; i++)
      for (int j = -5; j <= 5; j++) {
        double u = u0 + du * i / 5, z = z0 + dz * j / 5;
        if (fabs(u) > PI / 2) continue;
        hk_vec3 x = flank_point(t, A, counter, u, z);
        double distance = hk_norm(hk_sub(x, p));
        if (distance < best) best = distance, bu = u, bz = z, *at = x;
      }
    u0 = bu, z0 = bz;
  }
  return best;
}

static void nearest_points_of_the_flanks_agree(void **state) {
  (void)state;
  random_seed(1);
  for (int i = 0; i < 40; i++) {
    track t = random_track();
    double k[HK_GAP_CONSTANTS] = {0};
    const hk_gap_ops *ops = groove(&t, k);
    hk_frame A = {.x = random_vector(0.1), .R = hk_quat_matrix(random_rotation())}, B = A;
    double e = t.track - R_BALL;
    B.x =
        track_to_world(&t, &A, hk_v3(uniform(-e, e) / 4, uniform(-e, e) / 4, uniform(-0.01, 0.01)));
    hk_gap out[2];
    ops->eval(k, &A, &B, -INFINITY, false, out);
    for (int p = 0; p < 2; p++) {
      hk_vec3 at = {0, 0, 0};
      double distance = nearest(&t, &A, B.x, p == 1, &at);
      assert_near(out[p].gap, distance - R_BALL, 1e-12, "gap of flank %d", p);
      assert_near(hk_norm(hk_sub(hk_axpy(out[p].c, -0.5 * out[p].gap, out[p].n), at)), 0, 2e-8,
                  "point of flank %d", p);
      hk_vec3 n = hk_scale(1 / distance, hk_sub(B.x, at));
      assert_near(hk_norm(hk_sub(out[p].n, n)), 0, 2e-6, "normal of flank %d", p);
      assert_near(hk_dot(out[p].n, out[p].t), 0, 1e-12, "tangent of flank %d", p);
    }
  }
}

/* ---- single numbers ---- */

static const track PLAIN = {false, false, 0, 0, 0, 1.05 * 0.0111125, 0.7853981633974483, 0};

static void the_ball_in_the_middle_touches_all_four_flanks(void **state) {
  (void)state;
  const double h = sqrt(0.5);
  for (int race = 0; race < 2; race++)
    for (int reverse = 0; reverse < 2; reverse++) {
      track t = PLAIN;
      double k[HK_GAP_CONSTANTS] = {0};
      t.outer = race, t.reverse = reverse;
      const hk_gap_ops *ops = groove(&t, k);
      hk_frame A = {.R = hk_mat3_identity()}, B = A;
      hk_gap out[2];
      B.x = hk_v3(PITCH, 0, 0);
      ops->eval(k, &A, &B, -INFINITY, false, out);
      for (int p = 0; p < 2; p++) {
        double out_ = race ? -1 : 1, along = (race ? -1 : 1) * (p ? -1 : 1) * (reverse ? -1 : 1);
        assert_near(out[p].gap, 0, 1e-17, "gap");
        /* The inner race pushes outwards, and on the loaded flank in the driving direction. */
        assert_near(out[p].n.x, out_ * h, 1e-14, "normal outwards");
        assert_near(out[p].n.y, along * h, 1e-14, "normal around");
        assert_near(out[p].n.z, 0, 1e-14, "normal along the axis");
      }
    }
}

static void play_opens_both_flanks(void **state) {
  (void)state;
  track t = PLAIN;
  double k[HK_GAP_CONSTANTS] = {0};
  t.play = 2e-5;
  const hk_gap_ops *ops = groove(&t, k);
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  hk_gap out[2];
  B.x = hk_v3(PITCH, 0, 0);
  ops->eval(k, &A, &B, -INFINITY, false, out);
  assert_near(out[0].gap, 2e-5, 1e-16, "loaded");
  assert_near(out[1].gap, 2e-5, 1e-16, "counter");
}

/* The arch is open: a ball lifted out of an inner track does not touch the far side of the circles. */
static void a_ball_that_left_the_track_is_free(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0};
  const hk_gap_ops *ops = groove(&PLAIN, k);
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  hk_gap out[2];
  for (int i = 0; i < 50; i++) {
    B.x = hk_v3(PITCH + 1e-3 * i, 0, 0);
    ops->eval(k, &A, &B, -INFINITY, false, out);
    assert_true(out[0].gap >= 0 && out[1].gap >= 0);
  }
}

static void refused(const char *param, double value, const char *words) {
  hk_spec *spec = hk_spec_create();
  hk_item *g = add_item(spec, HK_CONTACT, "ball_in_groove", "g");
  double k[HK_GAP_CONSTANTS];
  hk_error err = {0};
  set_text(g, "race", "inner");
  set_real(g, "pitch_radius", PITCH);
  set_real(g, "ball_radius", R_BALL);
  set_real(g, "track_radius", 1.05 * R_BALL);
  set_real(g, param, value);
  assert_int_equal(((const hk_gap_ops *)g->type->ops)->prepare(g, k, &err), HK_EINPUT);
  if (!strstr(err.text, words)) fail_msg("'%s' does not say '%s'", err.text, words);
  hk_spec_destroy(spec);
}

static void impossible_tracks_are_refused_with_both_numbers(void **state) {
  (void)state;
  refused("track_radius", 0.011,
          "track_radius 0.011 m must be larger than ball_radius 0.0111125 m");
  refused("pitch_radius", 0.01, "pitch_radius 0.01 m must be larger than ball_radius 0.0111125 m");
  refused("play", 0.001, "clearance 0.001 m must be smaller");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_points_of_the_flanks_agree),
      cmocka_unit_test(the_ball_in_the_middle_touches_all_four_flanks),
      cmocka_unit_test(play_opens_both_flanks),
      cmocka_unit_test(a_ball_that_left_the_track_is_free),
      cmocka_unit_test(impossible_tracks_are_refused_with_both_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
