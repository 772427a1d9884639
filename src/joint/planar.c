/* Planar joint: B moves in the plane through A that is perpendicular to the z axis of A. Three
 * rows.
 *   zA.(xB - xA) = 0,  zA.xB = zA.yB = 0
 * Free coordinates: x and y along the axes of A, and angle about the z axis of A. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_Z);
  hk_joint_hold_axis(b);
  hk_joint_free_along(b, "x", HK_X);
  hk_joint_free_along(b, "y", HK_Y);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh plate = {0};
  hk_mesh_box(&plate, hk_v3(14 * d->size, 14 * d->size, 0.15 * d->size));
  hk_draw(d, HK_DRAW_A, &plate, (hk_draw_style){.paint = HK_PAINT_GLASS});
}

const hk_type hk_type_joint_planar = {
    .name = "planar",
    .category = HK_JOINT,
    .doc = "B moves in the plane perpendicular to the joint axis. Coordinates: x, y, angle.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
