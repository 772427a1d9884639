/* Prismatic joint: B slides along the z axis of A without turning.  Five rows.
 *   xA.d = yA.d = 0 with d = xB - xA,  zA.xB = zA.yB = xA.yB = 0
 * Free coordinate: displacement zA.d.
 */
#include "joint/joint.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold_axes(b);
  hk_joint_free_along(b, "displacement", HK_Z);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_prismatic = {
    .name = "prismatic",
    .category = HK_JOINT,
    .doc = "Slide: B moves along the joint axis without turning. Coordinate: displacement.",
    .source = "[Haug 1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};
