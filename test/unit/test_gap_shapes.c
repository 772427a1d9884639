/* The other gaps at positions with a known result. */
#include "spec/type.h"
#include "support/check.h"
#include <hooke/gap.h>

typedef struct value {
  const char *name;
  double x;
} value;

/* Prepares a gap; NULL with the reason if it is rejected. */
static const hk_gap_ops *prepare(const char *type, const value *v, int n, double *k,
                                 hk_error *err) {
  hk_spec *spec = hk_spec_create();
  hk_item *g = add_item(spec, HK_CONTACT, type, "g");
  for (int i = 0; i < n; i++) set_real(g, v[i].name, v[i].x);
  const hk_gap_ops *ops = g->type->ops;
  hk_status status = ops->prepare(g, k, err);
  hk_spec_destroy(spec);
  return status ? NULL : ops;
}
#define GAP(type, k, ...)                     \
  prepare(type, (const value[]){__VA_ARGS__}, \
          (int)(sizeof((const value[]){__VA_ARGS__}) / sizeof(value)), k, &err)

static void is(hk_vec3 v, double x, double y, double z, const char *what) {
  assert_near(v.x, x, 1e-13, "%s, x", what);
  assert_near(v.y, y, 1e-13, "%s, y", what);
  assert_near(v.z, z, 1e-13, "%s, z", what);
}

/* The nearest points of the two surfaces: c is halfway between them. */
static hk_vec3 on_a(const hk_gap *g) { return hk_axpy(g->c, -0.5 * g->gap, g->n); }
static hk_vec3 on_b(const hk_gap *g) { return hk_axpy(g->c, 0.5 * g->gap, g->n); }

static hk_frame frame_at(double x, double y, double z) {
  return (hk_frame){.x = {x, y, z}, .R = hk_mat3_identity()};
}

static void a_ball_between_the_planes_of_a_window(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0};
  hk_error err = {0};
  hk_gap out[2];
  const hk_gap_ops *ops = GAP("ball_in_window", k, {"half_width", 0.011}, {"ball_radius", 0.01});
  hk_frame A = frame_at(0, 0, 0), B = frame_at(0.05, 0, 0.0012);
  ops->eval(k, &A, &B, -INFINITY, false, out);
  assert_near(out[0].gap, -0.0002, 1e-16, "front");
  assert_near(out[1].gap, 0.0022, 1e-16, "back");
  is(out[0].n, 0, 0, -1, "front pushes back");
  is(out[1].n, 0, 0, 1, "back pushes forward");
  is(on_a(&out[0]), 0.05, 0, 0.011, "point of the front plane");
  is(on_a(&out[1]), 0.05, 0, -0.011, "point of the back plane");
  assert_null(GAP("ball_in_window", k, {"half_width", 0.009}, {"ball_radius", 0.01}));
  assert_non_null(strstr(err.text, "half_width 0.009 m is smaller than ball_radius 0.01 m"));
}

static void balls_planes_and_sockets(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0};
  hk_error err = {0};
  hk_gap g;
  hk_frame A = frame_at(0, 0, 0), B = frame_at(3, 0, 4);
  GAP("sphere_on_sphere", k, {"radius_a", 2}, {"radius_b", 3.5})
      ->eval(k, &A, &B, -INFINITY, false, &g);
  assert_near(g.gap, -0.5, 1e-15, "two balls");
  is(g.n, 0.6, 0, 0.8, "from a to b");
  is(on_a(&g), 1.2, 0, 1.6, "on the ball of a");
  is(on_b(&g), 0.9, 0, 1.2, "on the ball of b");
  GAP("sphere_in_socket", k, {"socket_radius", 7}, {"ball_radius", 3})
      ->eval(k, &A, &B, -INFINITY, false, &g);
  assert_near(g.gap, -1, 1e-15, "ball in a socket");
  is(g.n, -0.6, 0, -0.8, "towards the socket's centre");
  is(on_a(&g), 4.2, 0, 5.6, "on the socket");
  assert_null(GAP("sphere_in_socket", k, {"socket_radius", 2}, {"ball_radius", 3}));
  GAP("sphere_on_plane", k, {"radius", 4.5})->eval(k, &A, &B, -INFINITY, false, &g);
  assert_near(g.gap, -0.5, 1e-15, "ball on a plane");
  is(g.n, 0, 0, 1, "out of the plane");
  is(on_a(&g), 3, 0, 0, "on the plane");
  prepare("point_on_plane", NULL, 0, k, &err)->eval(k, &A, &B, -INFINITY, false, &g);
  assert_near(g.gap, 4, 1e-15, "corner over a plane");
}

/* A pin tilted about y inside a bore of length 2: its ends move to opposite sides. */
static void a_tilted_pin_touches_both_ends_of_the_bore(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0}, tilt = 0.02;
  hk_error err = {0};
  hk_gap out[2];
  hk_frame A = frame_at(0, 0, 0), B = frame_at(0, 0, 0);
  const hk_gap_ops *ops =
      GAP("pin_in_bush", k, {"bore_radius", 0.51}, {"pin_radius", 0.5}, {"length", 2});
  B.R = hk_quat_matrix(hk_quat_exp(hk_v3(0, tilt, 0))); /* +z of the pin leans to +x */
  ops->eval(k, &A, &B, -INFINITY, false, out);
  for (int p = 0; p < 2; p++) {
    assert_near(out[p].gap, 0.01 - sin(tilt), 1e-14, "gap");
    is(out[p].n, (p ? -1 : 1) * cos(tilt), 0, (p ? 1 : -1) * sin(tilt), "normal to the pin's axis");
    assert_near(hk_norm(hk_sub(on_a(&out[p]), hk_v3(0, 0, p ? 1 : -1))), 0.51, 1e-14,
                "on the bore");
    assert_near(hk_dot(out[p].t, hk_column(&B.R, 2)), 1, 1e-14, "first tangent along the pin");
  }
  assert_null(GAP("pin_in_bush", k, {"bore_radius", 0.4}, {"pin_radius", 0.5}, {"length", 2}));
}

static void a_pin_in_a_plane_ignores_the_axial_position(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0};
  hk_error err = {0};
  hk_gap g;
  hk_frame A = frame_at(0, 0, 0), B = frame_at(0, 0.03, 7);
  const hk_gap_ops *ops = GAP("pin_in_bush_planar", k, {"bore_radius", 0.52}, {"pin_radius", 0.5});
  ops->eval(k, &A, &B, -INFINITY, false, &g);
  assert_near(g.gap, -0.01, 1e-15, "gap");
  is(g.n, 0, -1, 0, "towards the bore's axis");
  is(g.t, -1, 0, 0, "around the axis");
  is(on_a(&g), 0, 0.52, 7, "on the bore");
}

static void a_turned_block_touches_with_two_corners(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0}, turn = 0.1;
  hk_error err = {0};
  hk_gap out[4];
  hk_frame A = frame_at(0, 0, 0), B = frame_at(5, 0.01, 0);
  const hk_gap_ops *ops =
      GAP("corners_in_slot", k, {"half_length", 0.4}, {"half_height", 0.2}, {"clearance", 0.02});
  B.R = hk_quat_matrix(hk_quat_exp(hk_v3(0, 0, turn)));
  ops->eval(k, &A, &B, -INFINITY, false, out);
  double s = 0.4 * sin(turn), c = 0.2 * cos(turn);
  assert_near(out[0].gap, 0.22 - (0.01 + s + c), 1e-15, "front top");
  assert_near(out[1].gap, 0.22 + (0.01 + s - c), 1e-15, "front bottom");
  assert_near(out[2].gap, 0.22 - (0.01 - s + c), 1e-15, "back top");
  assert_near(out[3].gap, 0.22 + (0.01 - s - c), 1e-15, "back bottom");
  assert_true(out[0].gap < 0 && out[3].gap < 0.22 - 0.2 && out[1].gap > 0 && out[2].gap > 0);
  is(out[0].n, 0, -1, 0, "the upper guide pushes down");
  is(out[3].n, 0, 1, 0, "the lower guide pushes up");
  is(on_b(&out[0]), 5 + 0.4 * cos(turn) - 0.2 * sin(turn), 0.01 + s + c, 0, "the corner");
}

/* Sliding speed of the trunnions by differentiating tan phi_2 = -tan b sin phi_1c. */
static void the_universal_joint_has_the_gaps_of_its_angles(void **state) {
  (void)state;
  double k[HK_GAP_CONSTANTS] = {0}, C = 5e-5, L = 0.04, R = 0.01, b = 0.3;
  hk_error err = {0};
  hk_gap_rows out[2];
  hk_frame A = frame_at(0, 0, 0), B = frame_at(0, 0, 0);
  const hk_gap_ops *ops =
      GAP("universal_clearance", k, {"clearance", C}, {"arm", L}, {"pin_radius", R}, {"angle", b});
  for (int i = 0; i < 20; i++) {
    A.angle = 0.5 * i, B.angle = A.angle - 0.001;
    ops->rows(k, &A, &B, out);
    assert_near(out[0].gap, C - L * 0.001, 1e-15, "left");
    assert_near(out[1].gap, C + L * 0.001, 1e-15, "right");
    is(out[0].N.ta, 0, 0, -L, "left, yoke");
    is(out[0].N.tb, 0, 0, L, "left, cross");
    is(out[1].N.ta, 0, 0, L, "right, yoke");
    is(out[1].N.tb, 0, 0, -L, "right, cross");
    double h = 1e-5,
           slope = (atan(-tan(b) * sin(B.angle + h)) - atan(-tan(b) * sin(B.angle - h))) / (2 * h);
    for (int p = 0; p < 2; p++) {
      assert_near(out[p].T[0].tb.z, R * slope, 1e-11, "sliding");
      is(out[p].T[0].ta, 0, 0, 0, "sliding, yoke");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_between_the_planes_of_a_window),
      cmocka_unit_test(balls_planes_and_sockets),
      cmocka_unit_test(a_tilted_pin_touches_both_ends_of_the_bore),
      cmocka_unit_test(a_pin_in_a_plane_ignores_the_axial_position),
      cmocka_unit_test(a_turned_block_touches_with_two_corners),
      cmocka_unit_test(the_universal_joint_has_the_gaps_of_its_angles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
