/* Prescribed motion: a free coordinate follows a function of time. One row.
 *   coordinate - value(t) = 0
 * The multiplier of the row is the force or moment of the ideal drive; its work is part of the
 * energy balance. value must be twice differentiable for finite accelerations. */
#include <hooke/element.h>

typedef struct motion {
  const char *coordinate;
  hk_expr *value;
} motion;

static const motion defaults = {0};

static const hk_param params[] = {
    HK_COORDINATE(motion, coordinate, HK_REQUIRED, "coordinate to drive, such as `hinge.angle`"),
    HK_EXPR(motion, value, "m", HK_REQUIRED, "value of the coordinate, an expression of t only",
            HK_OR_ALONG_ANGLE("rad")),
};

static void build(hk_joint_builder *b) {
  const motion *p = hk_item_data(b->item);
  const hk_sum_term drive = {p->coordinate, 1};
  hk_joint_sum(b, "drive", &drive, 1, p->value, false);
}

static const hk_joint_ops ops = {.frames = false, .build = build};

const hk_type hk_type_motion_motion = {
    .name = "motion",
    .category = HK_MOTION,
    .doc = "Drives a joint coordinate or a rotor angle along a function of time.",
    .source = "rheonomic constraint [Haug1989, ch. 9]",
    .size = sizeof(motion),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
