/* Point on plane: the origin of B stays in the plane through A perpendicular to the z axis of A.
 * One row.
 *   zA.(xB - xA) = 0
 * Free coordinates: x and y along the axes of A. Rotation is free. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_Z);
  hk_joint_free_along(b, "x", HK_X);
  hk_joint_free_along(b, "y", HK_Y);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh plate = {0}, ball = {0};
  hk_mesh_box(&plate, hk_v3(14 * d->size, 14 * d->size, 0.15 * d->size));
  hk_mesh_sphere(&ball, 0.7 * d->size, 0);
  hk_draw(d, HK_DRAW_A, &plate, (hk_draw_style){.paint = HK_PAINT_GLASS});
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_point_on_plane = {
    .name = "point_on_plane",
    .category = HK_JOINT,
    .doc = "A point of B stays in the plane perpendicular to the axis of A. Coordinates: x, y.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
