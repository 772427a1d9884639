/* Cylindrical joint: B slides along and rotates about the z axis of A. Four rows.
 *   xA.d = yA.d = 0 with d = xB - xA,  zA.xB = zA.yB = 0
 * Free coordinates: displacement zA.d, and angle about the z axis of A. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold_axis(b);
  hk_joint_free_along(b, "displacement", HK_Z);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a long pin on `b` in a sleeve on `a`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_draw_cylinder(d, HK_DRAW_B, 0.62 * s, 0, 8 * s, (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw_cylinder(d, HK_DRAW_A, 1.15 * s, 0.64 * s, 3 * s,
                   (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_cylindrical = {
    .name = "cylindrical",
    .category = HK_JOINT,
    .doc = "B slides along and rotates about the joint axis. Coordinates: displacement, angle.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
