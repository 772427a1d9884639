/* Ball on a plane: the material of A fills z < 0 of its frame, B is at the centre of the ball.
 *   gap = z . (xB - xA) - R,  n = z,  c = xB - (R + gap/2) n */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct sphere_on_plane {
  hk_contact_common common;
  double radius;
} sphere_on_plane;

static const sphere_on_plane defaults = {{0}, 0};

static const hk_param params[] = {
    HK_REAL(sphere_on_plane, radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball of b"),
};

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  (void)err;
  k[0] = HK_DATA(item, sphere_on_plane)->radius;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x);
  out->n = hk_column(&A->R, 2);
  out->t = hk_column(&A->R, 0);
  out->gap = hk_dot(out->n, d) - k[0];
  out->c = hk_gap_ball_point(B, k[0], out);
  if (!(out->gap < near)) return;
  hk_gap_ball(d, k[0], 0, NULL, NULL, out);
  if (with_t) hk_gap_carried_tangent(HK_GAP_TA, out);
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){INFINITY, INFINITY, k[0], k[0]};
}

static double deepest(const double *k) { return k[0]; }

static const hk_gap_ops ops = {.points = 1,
                               .concave = true,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .curvature = curvature};

static void draw(const hk_item *item, hk_drawing *d) {
  double r = HK_DATA(item, sphere_on_plane)->radius;
  hk_mesh plate = {0}, ball = {0};
  hk_mesh_box(&plate, hk_v3(12 * r, 12 * r, 0.04 * r));
  hk_mat3 I = hk_mat3_identity();
  hk_mesh_move(&plate, &I, hk_v3(0, 0, -0.02 * r));
  hk_mesh_sphere(&ball, r, 0);
  hk_draw(d, HK_DRAW_A, &plate, (hk_draw_style){.paint = HK_PAINT_GLASS});
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){0});
}

const hk_type hk_type_contact_sphere_on_plane = {
    .name = "sphere_on_plane",
    .category = HK_CONTACT,
    .doc = "Ball (b, at its centre) on a plane (a, z out of the material).",
    .source = "distance of the centre from the plane",
    .size = sizeof(sphere_on_plane),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
