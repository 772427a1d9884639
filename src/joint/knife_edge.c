/* Knife edge: the origin of B has no velocity along the y axis of B; one non-holonomic row.
 * Examples: a skate, or the rear axle of a car in plane motion. */
#include <hooke/joint.h>

static void build(hk_joint_builder *b) {
  hk_joint_hold(b, &hk_relation_knife_edge, NULL, 0, "slide");
}

static const hk_joint_ops ops = {.frames = true, .ground = true, .build = build};

const hk_type hk_type_joint_knife_edge = {
    .name = "knife_edge",
    .category = HK_JOINT,
    .doc = "A point of B has no velocity along the y axis of B (a skate). A is the ground.",
    .source = "[derived in src/relation/rolling.c]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};
