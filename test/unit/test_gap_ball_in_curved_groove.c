/* The ball in an arc-shaped track against a second method: points of the flank surface, constructed around the
 * centre of the arc, and a search for the nearest one. */
#include "spec/type.h"
#include "support/check.h"
#include <hooke/gap.h>

static const double R_BALL = 0.0087313, PITCH = 0.031, PI = 3.14159265358979323846;

typedef struct track {
  bool outer, reverse, undercut_free;
  double azimuth, offset, track, angle, play;
} track;

static const hk_gap_ops *groove(const track *t, double *k) {
  hk_spec *spec = hk_spec_create();
  hk_item *g = add_item(spec, HK_CONTACT, "ball_in_curved_groove", "g");
  set_text(g, "race", t->outer ? "outer" : "inner");
  set_text(g, "load", t->reverse ? "reverse" : "forward");
  set_text(g, "track", t->undercut_free ? "undercut_free" : "arc");
  set_real(g, "azimuth", t->azimuth);
  set_real(g, "pitch_radius", PITCH);
  set_real(g, "offset", t->offset);
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
                 pick(2),
                 uniform(-3, 3),
                 uniform(-0.006, 0.006),
                 R_BALL * uniform(1.02, 1.2),
                 uniform(0.5, 1.1),
                 uniform(0, 1e-5)};
}

/* ---- second route ---- */

static bool is_straight(const track *t, double v) {
  return t->undercut_free && v * (t->offset < 0 ? -1 : 1) > 0;
}

/* A point at the distance x outside and y beside the centre line, at the angle v around the centre of the arc;
 * on the straight part v is the length along it divided by the radius of the arc. */
static hk_vec3 on_track(const track *t, const hk_frame *A, double x, double y, double v) {
  double rho = hypot(PITCH, t->offset), c = cos(t->azimuth), s = sin(t->azimuth);
  double r = (rho + x) * cos(v), z = t->offset + (rho + x) * sin(v);
  if (is_straight(t, v)) r = rho + x, z = t->offset + rho * v;
  return hk_add(A->x, hk_mul(&A->R, hk_v3(r * c - y * s, r * s + y * c, z)));
}

/* Point of a flank: angle u from the middle of its arc, v along the track. */
static hk_vec3 flank_point(const track *t, const hk_frame *A, bool counter, double u, double v) {
  double race = t->outer ? -1 : 1, side = (counter ? -1 : 1) * (t->reverse ? -1 : 1);
  double e = t->track - R_BALL - t->play, c = race * cos(t->angle), s = race * side * sin(t->angle);
  double middle = atan2(-s, -c); /* the flank lies opposite to its centre, seen from the ball */
  return on_track(t, A, e * c + t->track * cos(middle + u), e * s + t->track * sin(middle + u), v);
}

/* Smallest distance from p to the flank near v by successive refinement of a grid. */
static double nearest(const track *t, const hk_frame *A, hk_vec3 p, bool counter, double v,
                      hk_vec3 *at) {
  double u0 = 0, v0 = v, du = PI / 2, dv = 0.3, best = INFINITY;
  for (int round = 0; round < 60; round++, du *= 0.6, dv *= 0.6) {
    double bu = u0, bv = v0;
    for (int i = -5; i <= 5; i++)
      for (int j = -5; j <= 5; j++) {
        double u = u0 + du * i / 5, w = v0 + dv * j / 5;
        if (fabs(u) > PI / 2) continue;
        hk_vec3 x = flank_point(t, A, counter, u, w);
        double distance = hk_norm(hk_sub(x, p));
        if (distance < best) best = distance, bu = u, bv = w, *at = x;
      }
    u0 = bu, v0 = bv;
  }
  return best;
}

static void nearest_points_of_the_flanks_agree(void **state) {
  (void)state;
  int straight = 0;
  random_seed(1);
  for (int i = 0; i < 40; i++) {
    track t = random_track();
    double k[HK_GAP_CONSTANTS] = {0}, v = uniform(-0.7, 0.7), e = t.track - R_BALL;
    const hk_gap_ops *ops = groove(&t, k);
    hk_frame A = {.x = random_vector(0.1), .R = hk_quat_matrix(random_rotation())}, B = A;
    B.x = on_track(&t, &A, uniform(-e, e) / 4, uniform(-e, e) / 4, v);
    straight += is_straight(&t, v);
    hk_gap out[2];
    ops->eval(k, &A, &B, -INFINITY, false, out);
    for (int p = 0; p < 2; p++) {
      hk_vec3 at = {0, 0, 0};
      double distance = nearest(&t, &A, B.x, p == 1, v, &at);
      assert_near(out[p].gap, distance - R_BALL, 1e-12, "gap of flank %d", p);
      assert_near(hk_norm(hk_sub(hk_axpy(out[p].c, -0.5 * out[p].gap, out[p].n), at)), 0, 2e-8,
                  "point of flank %d", p);
      hk_vec3 n = hk_scale(1 / distance, hk_sub(B.x, at));
      assert_near(hk_norm(hk_sub(out[p].n, n)), 0, 4e-6, "normal of flank %d", p);
      assert_near(hk_dot(out[p].n, out[p].t), 0, 1e-12, "tangent of flank %d", p);
    }
  }
  assert_true(straight > 5 && straight < 20);
}

/* ---- single numbers ---- */

static const track PLAIN = {false, false, false, 0, 0.004, 1.04 * 0.0087313, 0.7853981633974483, 0};

/* On the centre line the ball touches all flanks, and gaps are continuous at the end of the arc. */
static void the_middle_line_is_an_arc_and_its_tangent(void **state) {
  (void)state;
  for (int race = 0; race < 2; race++)
    for (int free = 0; free < 2; free++)
      for (int i = -8; i <= 8; i++) {
        track t = PLAIN;
        double k[HK_GAP_CONSTANTS] = {0};
        t.outer = race, t.undercut_free = free, t.offset = race ? 0.004 : -0.004;
        const hk_gap_ops *ops = groove(&t, k);
        hk_frame A = {.R = hk_mat3_identity()}, B = A;
        B.x = on_track(&t, &A, 0, 0, 0.1 * i);
        hk_gap out[2];
        ops->eval(k, &A, &B, -INFINITY, false, out);
        assert_near(out[0].gap, 0, 1e-16, "loaded at %d", i);
        assert_near(out[1].gap, 0, 1e-16, "counter at %d", i);
      }
}

/* As the radius of the arc grows, its contact tends to that of the straight track. */
static void a_large_arc_is_a_straight_track(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  hk_item *g = add_item(spec, HK_CONTACT, "ball_in_groove", "g");
  const double r = 1000;
  set_text(g, "race", "outer");
  set_real(g, "pitch_radius", r);
  set_real(g, "ball_radius", R_BALL);
  set_real(g, "track_radius", 1.04 * R_BALL);
  double k[2][HK_GAP_CONSTANTS] = {{0}};
  const hk_gap_ops *ops = g->type->ops;
  MUST(ops->prepare(g, k[0], err));
  hk_item *h = add_item(spec, HK_CONTACT, "ball_in_curved_groove", "h");
  const hk_gap_ops *curved = h->type->ops;
  set_text(h, "race", "outer");
  set_real(h, "pitch_radius", r);
  set_real(h, "ball_radius", R_BALL);
  set_real(h, "track_radius", 1.04 * R_BALL);
  MUST(curved->prepare(h, k[1], err));
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  B.x = hk_v3(r + 1e-4, 2e-4, 0.01);
  hk_gap a[2], b[2];
  ops->eval(k[0], &A, &B, -INFINITY, false, a);
  curved->eval(k[1], &A, &B, -INFINITY, false, b);
  for (int p = 0; p < 2; p++) {
    assert_near(a[p].gap, b[p].gap, 1e-7, "gap"); /* z^2/2r = 5e-8 m */
    assert_near(hk_norm(hk_sub(a[p].n, b[p].n)), 0, 5e-4, "normal");
  }
  hk_curvature flat, round;
  ops->curvature(k[0], 0, &flat);
  curved->curvature(k[1], 0, &round);
  assert_near(round.a_s, flat.a_s, 0, "radius of the flank");
  assert_near(round.a_t, -r / cos(0.7853981633974483) - R_BALL, 1e-9, "hollow along the track");
  hk_spec_destroy(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_points_of_the_flanks_agree),
      cmocka_unit_test(the_middle_line_is_an_arc_and_its_tangent),
      cmocka_unit_test(a_large_arc_is_a_straight_track),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
