/* Prismatic joint: B slides along the z axis of A without rotation. Five rows.
 *   xA.d = yA.d = 0 with d = xB - xA,  zA.xB = zA.yB = xA.yB = 0
 * Free coordinate: displacement zA.d. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold_axes(b);
  hk_joint_free_along(b, "displacement", HK_Z);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a bar on `a` in a block on `b`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh rail = {0}, block = {0};
  hk_mesh_box(&rail, hk_v3(0.8 * s, 0.8 * s, 10 * s));
  hk_mesh_box(&block, hk_v3(2 * s, 2 * s, 2.6 * s));
  hk_draw(d, HK_DRAW_A, &rail, (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw(d, HK_DRAW_B, &block, (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_prismatic = {
    .name = "prismatic",
    .category = HK_JOINT,
    .doc = "Slide: B moves along the joint axis without rotation. Coordinate: displacement.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
