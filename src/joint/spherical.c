/* Spherical joint: a point of B coincides with a point of A.  Three rows, xB - xA = 0.
 * The relative rotation is free and has no coordinate.
 */
#include "joint/joint.h"

static void build(hk_joint_builder *b) { hk_joint_hold_point(b); }

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_spherical = {
    .name = "spherical",
    .category = HK_JOINT,
    .doc = "Ball joint: two points coincide, every rotation is free.",
    .source = "[Haug 1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};
