/* Corner on a plane: the material of A fills z < 0 of its frame, B is at the corner.
 *   gap = z . (xB - xA),  n = z,  c = halfway between corner and plane
 * A corner has no curvature: the law must have a given stiffness. */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct point_on_plane {
  hk_contact_common common;
} point_on_plane;

static const point_on_plane defaults = {{0}};

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  (void)item, (void)k, (void)err;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  (void)k;
  hk_vec3 d = hk_sub(B->x, A->x);
  out->n = hk_column(&A->R, 2);
  out->t = hk_column(&A->R, 0);
  out->gap = hk_dot(out->n, d);
  out->c = hk_gap_ball_point(B, 0, out);
  if (!(out->gap < near)) return;
  hk_gap_ball(d, 0, 0, NULL, NULL, out);
  if (with_t) hk_gap_carried_tangent(HK_GAP_TA, out);
}

static const hk_gap_ops ops = {
    .points = 1, .concave = true, .tangents = 2, .prepare = prepare, .eval = eval};

static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh plate = {0};
  hk_mesh_box(&plate, hk_v3(20 * s, 20 * s, 0.1 * s));
  hk_mat3 I = hk_mat3_identity();
  hk_mesh_move(&plate, &I, hk_v3(0, 0, -0.05 * s));
  hk_draw(d, HK_DRAW_A, &plate, (hk_draw_style){.paint = HK_PAINT_GLASS});
}

const hk_type hk_type_contact_point_on_plane = {
    .name = "point_on_plane",
    .category = HK_CONTACT,
    .doc = "Corner (b, at the corner) on a plane (a, z out of the material).",
    .source = "distance of the corner from the plane",
    .size = sizeof(point_on_plane),
    .defaults = &defaults,
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
