/* Trunnion: a point of a pin B stays on the axis of A, as in one short bearing. Two rows.
 *   xA.d = yA.d = 0 with d = xB - xA
 * Free coordinates: displacement zA.d along the axis; angle of the x axis of B about it. Two
 * trunnions at a distance carry a transverse moment as a couple of forces. Therefore the
 * friction of each (joint_friction) depends on its own load; a single revolute joint in the
 * middle could not represent this. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_free_along(b, "displacement", HK_Z);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_draw_cylinder(d, HK_DRAW_B, 0.7 * d->size, 0, 2 * d->size,
                   (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw_cylinder(d, HK_DRAW_A, 1.15 * d->size, 0.72 * d->size, 1.6 * d->size,
                   (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_trunnion = {
    .name = "trunnion",
    .category = HK_JOINT,
    .doc =
        "One short bearing of a pin: a point of B stays on the joint axis of A; rotation is free. "
        "Coordinates: displacement, angle.",
    .source = "point on line [Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
