/* Perpendicular axes: the z axis of B stays perpendicular to the x axis of A; all other motion
 * is free. One row, xA.zB = 0; its reaction is a moment about their common normal. */
#include <hooke/joint.h>

static void build(hk_joint_builder *b) {
  static const double axes[7] = {1, 0, 0, 0, 0, 1, 0};
  hk_joint_hold(b, &hk_relation_dot, axes, 7, "square");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_perpendicular_axes = {
    .name = "perpendicular_axes",
    .category = HK_JOINT,
    .doc = "Holds the z axis of B perpendicular to the x axis of A; all other motion is free.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .symmetry = HK_MIRRORS,
};
