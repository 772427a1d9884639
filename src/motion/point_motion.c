/* Prescribed motion of a point: the origin of frame `b` follows functions of time along the axes of frame `a`. One row
 * for each given component.
 *   e.(xB - xA) - value(t) = 0
 * Components that are not given stay free. Declares the coordinates x, y, z of the prescribed
 * components. */
#include <hooke/joint.h>

/* The frames are the common parameters of joints. */
typedef struct point_motion {
  hk_joint_common frames;
  hk_expr *x, *y, *z;
} point_motion;

static const point_motion defaults = {.frames = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_PARAM_AS("a", HK_PARAM_FRAME, point_motion, frames.a, NULL, 0,
                "frame that defines the axes of the motion"),
    HK_PARAM_AS("b", HK_PARAM_FRAME, point_motion, frames.b, NULL, HK_REQUIRED,
                "frame with the origin that is moved"),
    HK_EXPR(point_motion, x, "m", 0, "displacement along x of a, an expression of t only"),
    HK_EXPR(point_motion, y, "m", 0, "displacement along y of a, an expression of t only"),
    HK_EXPR(point_motion, z, "m", 0, "displacement along z of a, an expression of t only"),
};

static void build(hk_joint_builder *b) {
  const point_motion *p = hk_item_data(b->item);
  const hk_expr *const value[3] = {p->x, p->y, p->z};
  static const char *const name[3] = {"x", "y", "z"};
  static const hk_sum_term drive[3] = {{".x", 1}, {".y", 1}, {".z", 1}};
  if (!p->x && !p->y && !p->z) {
    hk_joint_refuse(b, NULL, "a point_motion needs at least one of x, y and z");
    return;
  }
  for (int i = 0; i < 3; i++) {
    if (!value[i]) continue;
    hk_joint_free_along(b, name[i], i);
    hk_joint_sum(b, name[i], &drive[i], 1, value[i], false);
  }
}

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_motion_point_motion = {
    .name = "point_motion",
    .category = HK_MOTION,
    .doc = "Moves the origin of a frame along functions of time, in one to three components.",
    .source = "rheonomic constraint [Haug1989, ch. 9]",
    .size = sizeof(point_motion),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
