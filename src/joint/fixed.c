/* Fixed joint: B is rigidly attached to A. Six rows, no free coordinate.
 *   xB - xA = 0,  zA.xB = zA.yB = xA.yB = 0
 * If the axes coincide, the reactions of the last three rows are moments about y, -x and z, so that these rows are
 * independent. The three products are also zero after a rotation by 180 degrees about an axis (see joint.h). */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_point(b);
  hk_joint_hold_axes(b);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static void draw(const hk_item *item, hk_drawing *d) {
  hk_mesh block = {0};
  hk_mesh_box(&block, hk_v3(1.4 * d->size, 1.4 * d->size, 1.4 * d->size));
  hk_draw(d, HK_DRAW_B, &block, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_fixed = {
    .name = "fixed",
    .category = HK_JOINT,
    .doc = "Fixes B to A: no relative motion.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
