/* The point of action of every gap is halfway between the surfaces of the two bodies, on their common normal.
 *
 * A gap and its normal do not tell where the surfaces are: moving both along the normal changes neither.  Here each
 * surface is written down on its own, as the distance of a point from the material, and every contact of the registry
 * must have an entry. */
#include "registry/builtin.h"
#include "spec/type.h"
#include "support/check.h"
#include <hooke/gap.h>

typedef struct value {
  const char *name;
  double x;
} value;

/* Distance of a point, in the axes of the frame, from the material; point: index of the point of contact. */
typedef double distance_fn(hk_vec3 p, int point);

typedef struct surfaces {
  const char *type;
  value v[10];
  const char *choice[2][2];
  hk_vec3 at;  /* of B in the axes of A */
  double near; /* B is within this distance of it */
  bool tilts;  /* B may have any orientation, otherwise it is rotated about z only */
  distance_fn *a;
  distance_fn *b; /* NULL: the corner `corner` of B */
  hk_vec3 (*corner)(int point);
} surfaces;

static double round_about_z(hk_vec3 p) { return hypot(p.x, p.y); }

/* ---- balls, planes, bores ---- */
static double ball_2(hk_vec3 p, int point) { return hk_norm(p) - 2; }
static double ball_3(hk_vec3 p, int point) { return hk_norm(p) - 3; }
static double socket_35(hk_vec3 p, int point) { return 3.5 - hk_norm(p); }
static double plane(hk_vec3 p, int point) { return p.z; }
static double window(hk_vec3 p, int point) { return point ? p.z - 0.2 + 3.1 : 3.1 - (p.z - 0.2); }
static double bore_35(hk_vec3 p, int point) { return 3.5 - round_about_z(p); }
static double pin_3(hk_vec3 p, int point) { return round_about_z(p) - 3; }
static double guides(hk_vec3 p, int point) { return point % 2 ? 2.3 + p.y : 2.3 - p.y; }
static hk_vec3 tip(int point) { return hk_v3(0, 0, 0); }
static hk_vec3 block(int point) { return hk_v3(point < 2 ? 4 : -4, point % 2 ? -2 : 2, 0); }

/* ---- grooves: radius 3.5 for a ball of 3, clearance 0.1, contact angle 0.7, pitch radius 20, azimuth 0.4 ---- */
static hk_vec3 section(hk_vec3 p) { /* radial, circumferential and axial parts */
  return hk_v3(cos(0.4) * p.x + sin(0.4) * p.y, cos(0.4) * p.y - sin(0.4) * p.x, p.z);
}
static double flank(double x, double y, int point, double side) {
  const double e = 3.5 - 3 - 0.1;
  return 3.5 - hypot(x - side * e * cos(0.7), y - side * e * sin(0.7) * (point ? -1 : 1));
}
/* A straight track of an inner race, with skew 0.2 and inclination 0.3 */
static double straight(hk_vec3 p, int point) {
  const hk_vec3 q = hk_sub(section(p), hk_v3(20, 0, 0));
  const hk_vec3 x = hk_v3(cos(0.3), 0, sin(0.3)),
                z = hk_v3(-cos(0.2) * sin(0.3), sin(0.2), cos(0.2) * cos(0.3));
  return flank(hk_dot(q, x), hk_dot(q, hk_cross(z, x)), point, 1);
}
/* An arc about a point of the axis at z = 5, of an outer race */
static double arc(hk_vec3 p, int point) {
  const hk_vec3 q = section(p);
  return flank(hypot(q.x, q.z - 5) - hypot(20, 5), q.y, point, -1);
}
static double ring(hk_vec3 p, int point) { return 3.5 - hypot(round_about_z(p) - 20, p.z - 0.3); }

#define GROOVE                                                                       \
  {"azimuth", 0.4}, {"pitch_radius", 20}, {"ball_radius", 3}, {"track_radius", 3.5}, \
      {"contact_angle", 0.7}, {                                                      \
    "clearance", 0.1                                                                 \
  }
#define IN_TRACK \
  { 20 * 0.92106099400288508, 20 * 0.38941834230865049, 0 }

static const surfaces known[] = {
    {"sphere_on_sphere",
     {{"radius_a", 2}, {"radius_b", 3}},
     {{0}},
     {0, 0, 5},
     1,
     true,
     ball_2,
     ball_3,
     0},
    {"sphere_in_socket",
     {{"socket_radius", 3.5}, {"ball_radius", 3}},
     {{0}},
     {0, 0, 0},
     0.9,
     true,
     socket_35,
     ball_3,
     0},
    {"sphere_on_plane", {{"radius", 3}}, {{0}}, {1, 2, 3}, 1, true, plane, ball_3, 0},
    {"point_on_plane", {{0}}, {{0}}, {1, 2, 0}, 1, true, plane, 0, tip},
    {"ball_in_window",
     {{"half_width", 3.1}, {"ball_radius", 3}, {"offset", 0.2}},
     {{0}},
     {9, 1, 0.2},
     0.4,
     true,
     window,
     ball_3,
     0},
    {"sphere_in_bore",
     {{"bore_radius", 3.5}, {"sphere_radius", 3}},
     {{0}},
     {0, 0, 4},
     0.9,
     true,
     bore_35,
     ball_3,
     0},
    {"pin_in_bush",
     {{"bore_radius", 3.5}, {"pin_radius", 3}, {"length", 8}},
     {{0}},
     {0, 0, 1},
     0.9,
     false,
     bore_35,
     pin_3,
     0},
    {"trunnion_in_bore",
     {{"bore_radius", 3.5}, {"pin_radius", 3}, {"length", 8}},
     {{0}},
     {0, 0, 1},
     0.9,
     false,
     bore_35,
     pin_3,
     0},
    {"pin_in_bush_planar",
     {{"bore_radius", 3.5}, {"pin_radius", 3}},
     {{0}},
     {0, 0, 1},
     0.9,
     false,
     bore_35,
     pin_3,
     0},
    {"corners_in_slot",
     {{"half_length", 4}, {"half_height", 2}, {"clearance", 0.3}},
     {{0}},
     {7, 0, 0},
     0.5,
     true,
     guides,
     0,
     block},
    {"ball_in_groove",
     {GROOVE, {"skew_angle", 0.2}, {"inclination", 0.3}},
     {{"race", "inner"}},
     IN_TRACK,
     0.3,
     true,
     straight,
     ball_3,
     0},
    {"ball_in_curved_groove",
     {GROOVE, {"offset", 5}},
     {{"race", "outer"}},
     IN_TRACK,
     0.3,
     true,
     arc,
     ball_3,
     0},
    {"ball_in_ring",
     {{"ball_radius", 3}, {"groove_radius", 3.5}, {"center_radius", 20}, {"center_offset", 0.3}},
     {{"race", "inner"}},
     {19.4, 0, 0.4},
     0.3,
     true,
     ring,
     ball_3,
     0},
};
enum { KNOWN = sizeof known / sizeof *known };

static uint64_t noise = 1;
static double draw(double size) {
  noise = noise * 6364136223846793005u + 1442695040888963407u;
  return size * (2 * (double)(noise >> 11) / 9007199254740992.0 - 1);
}
static hk_vec3 draws(double size) {
  const double x = draw(size), y = draw(size);
  return hk_v3(x, y, draw(size));
}

/* Outward normal of a surface, in the world, by differences. */
static hk_vec3 outward(distance_fn *f, const hk_frame *F, hk_vec3 p, int point) {
  const double h = 1e-5;
  const hk_vec3 x = hk_v3(h, 0, 0), y = hk_v3(0, h, 0), z = hk_v3(0, 0, h);
  const hk_vec3 g = hk_v3(f(hk_add(p, x), point) - f(hk_sub(p, x), point),
                          f(hk_add(p, y), point) - f(hk_sub(p, y), point),
                          f(hk_add(p, z), point) - f(hk_sub(p, z), point));
  return hk_mul(&F->R, hk_scale(0.5 / h, g));
}

static hk_vec3 seen_from(const hk_frame *F, hk_vec3 world) {
  return hk_tmul(&F->R, hk_sub(world, F->x));
}

static void judge(const surfaces *s, const hk_frame *A, const hk_frame *B, int point,
                  const hk_gap *g) {
  const hk_vec3 a = seen_from(A, hk_axpy(g->c, -0.5 * g->gap, g->n)),
                b = seen_from(B, hk_axpy(g->c, 0.5 * g->gap, g->n));
  assert_near(s->a(a, point), 0, 1e-12, "%s, point %d: on the surface of a", s->type, point);
  assert_near(hk_norm(hk_sub(outward(s->a, A, a, point), g->n)), 0, 1e-8,
              "%s, point %d: normal of a", s->type, point);
  if (!s->b) {
    assert_near(hk_norm(hk_sub(b, s->corner(point))), 0, 1e-12, "%s, point %d: corner of b",
                s->type, point);
    return;
  }
  assert_near(s->b(b, point), 0, 1e-12, "%s, point %d: on the surface of b", s->type, point);
  assert_near(hk_norm(hk_add(outward(s->b, B, b, point), g->n)), 0, 1e-8,
              "%s, point %d: normal of b", s->type, point);
}

static void forces_act_halfway_between_the_surfaces(void **state) {
  (void)state;
  for (int i = 0; i < KNOWN; i++) {
    const surfaces *s = &known[i];
    hk_spec *spec = hk_spec_create();
    hk_item *item = add_item(spec, HK_CONTACT, s->type, "g");
    const hk_gap_ops *ops = item->type->ops;
    double k[HK_GAP_CONSTANTS] = {0};
    hk_error err = {0};
    for (int j = 0; j < 10 && s->v[j].name; j++) set_real(item, s->v[j].name, s->v[j].x);
    for (int j = 0; j < 2 && s->choice[j][0]; j++)
      assert_int_equal(hk_item_text(item, s->choice[j][0], s->choice[j][1], &err), HK_OK);
    if (ops->prepare(item, k, &err)) fail_msg("%s: %s", s->type, err.text);
    for (int n = 0; n < 200; n++) {
      hk_frame A = {.x = draws(5), .R = hk_quat_matrix(hk_quat_exp(draws(2)))}, B;
      const hk_mat3 turn = hk_quat_matrix(hk_quat_exp(s->tilts ? draws(2) : hk_v3(0, 0, draw(3))));
      B.x = hk_add(A.x, hk_mul(&A.R, hk_add(s->at, draws(s->near))));
      B.R = hk_matmul(&A.R, &turn);
      hk_gap out[HK_CONTACT_MAX_POINTS];
      ops->eval(k, &A, &B, -INFINITY, false, out);
      for (int p = 0; p < ops->points; p++) judge(s, &A, &B, p, &out[p]);
    }
    hk_spec_destroy(spec);
  }
}

static void every_contact_is_known_here(void **state) {
  (void)state;
  const hk_registry *types = hk_registry_builtin();
  for (int i = 0; i < hk_registry_count(types, HK_CONTACT); i++) {
    const hk_type *type = hk_registry_at(types, HK_CONTACT, i);
    bool found =
        !((const hk_gap_ops *)type->ops)->eval; /* a gap between coordinates has no point */
    for (int j = 0; j < KNOWN; j++) found = found || !strcmp(known[j].type, type->name);
    if (!found) fail_msg("contact '%s': its surfaces are missing in this test", type->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_act_halfway_between_the_surfaces),
      cmocka_unit_test(every_contact_is_known_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
