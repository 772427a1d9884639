/* Parallel axes: the z axis of B stays parallel to that of A; translations and the rotation
 * about this axis are free. Two rows,  zA.xB = zA.yB = 0.  Free coordinate: angle about the z
 * axis of A. */
#include <hooke/joint.h>

static void build(hk_joint_builder *b) {
  hk_joint_hold_axis(b);
  hk_joint_free_angle(b, "angle");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_parallel_axes = {
    .name = "parallel_axes",
    .category = HK_JOINT,
    .doc =
        "Holds the axis of B parallel to that of A; B rotates about it and translates freely. "
        "Coordinate: angle.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
