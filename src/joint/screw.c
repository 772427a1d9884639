/* Screw joint: B advances along the z axis of A as it rotates. Five rows: the four rows of the cylindrical joint, and
 * the row displacement - pitch/(2 pi) angle = initial value. Free coordinates: angle (unwrapped) and displacement. A
 * positive pitch is a right-handed thread. No friction, no backlash. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

typedef struct screw {
  hk_joint_common joint;
  double pitch;
} screw;

static const screw defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(screw, pitch, "m", HK_REQUIRED, "advance per revolution; positive: right-handed"),
};

static void build(hk_joint_builder *b) {
  const screw *p = hk_item_data(b->item);
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold_axis(b);
  hk_joint_free_angle(b, "angle");
  hk_joint_free_along(b, "displacement", HK_Z);
  const hk_sum_term thread[] = {{".displacement", 1}, {".angle", -p->pitch / (2 * M_PI)}};
  hk_joint_sum(b, "thread", thread, 2, NULL, true);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a spindle on `b` in a nut on `a`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_draw_cylinder(d, HK_DRAW_B, 0.7 * s, 0, 9 * s, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw_cylinder(d, HK_DRAW_A, 1.6 * s, 0.72 * s, 2 * s,
                   (hk_draw_style){.paint = HK_PAINT_BRASS});
}

static void mirror(hk_item *item) {
  screw *p = hk_item_edit(item);
  p->pitch = -p->pitch;
}

const hk_type hk_type_joint_screw = {
    .name = "screw",
    .category = HK_JOINT,
    .doc = "B advances along the joint axis as it rotates. Coordinates: angle, displacement.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(screw),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
    .mirror = mirror,
};
