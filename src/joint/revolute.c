/* Revolute joint: B rotates about the z axis of A. Five rows.
 *   xB - xA = 0,  zA.xB = zA.yB = 0
 * Free coordinate: angle from the x axis of A to the x axis of B, about the z axis of A. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_point(b);
  hk_joint_hold_axis(b);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a pin on `b` in an eye on `a`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_draw_cylinder(d, HK_DRAW_B, 0.62 * s, 0, 3.2 * s, (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw_cylinder(d, HK_DRAW_A, 1.15 * s, 0.64 * s, 2.2 * s,
                   (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_revolute = {
    .name = "revolute",
    .category = HK_JOINT,
    .doc = "Hinge: B rotates about the joint axis. Coordinate: angle.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
