/* Equal orientation: all axes of B stay parallel to those of A; translations are free. Three
 * rows,
 *   zA.xB = zA.yB = xA.yB = 0
 * as in a fixed joint without its point rows. Use it to lock the rotation of a body that
 * represents a point mass. */
#include <hooke/joint.h>

static void build(hk_joint_builder *b) { hk_joint_hold_axes(b); }

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_orientation = {
    .name = "orientation",
    .category = HK_JOINT,
    .doc = "Holds the orientation of B to that of A; all translations are free.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
