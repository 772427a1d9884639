/* Thin wheel that rolls without slip on a plane of the ground. Three rows: a position constraint
 * for its height, and two non-holonomic constraints for the velocity of its contact point along
 * and across the track (src/relation/rolling.c). The plane passes through the origin of frame `a`, perpendicular to
 * the z axis of `a`. The centre of the wheel is the origin of frame `b`, and the axis of the wheel is the z axis of
 * `b`. Not valid for a wheel that lies flat. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

typedef struct rolling_wheel {
  hk_joint_common joint;
  double radius;
} rolling_wheel;

static const rolling_wheel defaults = {HK_JOINT_COMMON_DEFAULTS, 0};

static const hk_param params[] = {
    HK_REAL(rolling_wheel, radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the wheel"),
};

static void build(hk_joint_builder *b) {
  const rolling_wheel *p = HK_DATA(b->item, rolling_wheel);
  if (hk_norm(hk_cross(hk_column(&b->A->R, 2), hk_column(&b->B->R, 2))) < 1e-3)
    hk_joint_refuse(b, "b",
                    "the wheel lies flat: its axis, the z axis of frame b, is along the normal of "
                    "the plane, the z axis of frame a. Give frames instead of 'at' and 'axis'");
  hk_joint_hold(b, &hk_relation_wheel_height, &p->radius, 1, "height");
  hk_joint_hold(b, &hk_relation_rolling, &p->radius, 1, "roll,slide");
}

static const hk_joint_ops ops = {.frames = true, .ground = true, .build = build};

/* Draws a thin wheel with spokes; its axis is the z axis of `b`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double r = HK_DATA(item, rolling_wheel)->radius;
  hk_mesh rim = {0};
  hk_mesh_cylinder(&rim, r, 0.93 * r, 0.06 * r);
  for (int k = 0; k < 4; k++) {
    hk_mesh spoke = {0};
    hk_mat3 R = hk_quat_matrix(hk_quat_axis_angle(hk_v3(0, 0, 1), k * M_PI / 4));
    hk_mesh_box(&spoke, hk_v3(1.9 * r, 0.03 * r, 0.03 * r));
    hk_mesh_move(&spoke, &R, hk_v3(0, 0, 0));
    hk_mesh_append(&rim, &spoke);
    hk_mesh_free(&spoke);
  }
  hk_draw(d, HK_DRAW_B, &rim, (hk_draw_style){.paint = HK_PAINT_DARK, .part = true});
}

/* An inclined wheel that touches the plane and rolls in another direction. */
static void stage(const hk_item *item, hk_stage *s) {
  const double r = HK_DATA(item, rolling_wheel)->radius, lean = 1.1;
  s->turn = hk_quat_mul(hk_quat_axis_angle(hk_v3(0, 0, 1), 0.7),
                        hk_quat_axis_angle(hk_v3(1, 0, 0), lean));
  s->at = hk_v3(0.2, -0.1, r * sin(lean));
}

const hk_type hk_type_joint_rolling_wheel = {
    .name = "rolling_wheel",
    .category = HK_JOINT,
    .doc =
        "A thin wheel rolls without slip on a plane of the ground: z of a is the normal of the "
        "plane, z of b the axis of the wheel.",
    .source = "[derived in src/relation/rolling.c]",
    .size = sizeof(rolling_wheel),
    .defaults = &defaults,
    .ops = &ops,
    .draw = draw,
    .stage = stage,
    HK_TABLE(params),
};
