/* Point on line: the origin of B stays on the z axis of A.  Two rows.
 *   xA.d = yA.d = 0 with d = xB - xA
 * Free coordinate: displacement zA.d.  Rotation is free.
 */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_free_along(b, "displacement", HK_Z);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh ball = {0};
  hk_mesh_sphere(&ball, 0.9 * d->size, 0);
  hk_draw_cylinder(d, HK_DRAW_A, 0.4 * d->size, 0, 14 * d->size,
                   (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_point_on_line = {
    .name = "point_on_line",
    .category = HK_JOINT,
    .doc = "A point of B stays on the joint axis of A; rotation is free. Coordinate: displacement.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
