/* Thin wheel that rolls without slip on a plane of the ground.  Three rows: its height is held in
 * position, the velocity of its point of contact along and across the track in velocity only
 * (src/relation/rolling.c).  The plane is square to the z axis of a, through its origin; the wheel's
 * centre is the origin of b and its axis the z axis of b.  Not for a wheel that lies flat. */
#include <hooke/joint.h>
#include "shape/drawing.h"

typedef struct rolling_wheel {
  hk_joint_common joint;
  double radius;
} rolling_wheel;

static const rolling_wheel defaults = {HK_JOINT_COMMON_DEFAULTS, 0};

static const hk_param params[] = {
    HK_REAL(rolling_wheel, radius, "m", HK_REQUIRED | HK_POSITIVE, "of the wheel"),
};

static void build(hk_joint_builder *b) {
  const rolling_wheel *p = HK_DATA(b->item, rolling_wheel);
  if (hk_norm(hk_cross(hk_column(&b->A->R, 2), hk_column(&b->B->R, 2))) < 1e-3)
    hk_joint_refuse(b, "b",
                    "the wheel lies flat: z of b, its axis, is along z of a, the plane's normal. "
                    "Give frames, not 'at' and 'axis'");
  hk_joint_hold(b, &hk_relation_wheel_height, &p->radius, 1, "height");
  hk_joint_hold(b, &hk_relation_rolling, &p->radius, 1, "roll,slide");
}

static const hk_joint_ops ops = {.frames = true, .ground = true, .build = build};

/* A thin wheel with spokes, whose axis is z of b. */
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

const hk_type hk_type_joint_rolling_wheel = {
    .name = "rolling_wheel",
    .category = HK_JOINT,
    .doc =
        "A thin wheel rolls without slip on a plane of the ground: z of a is the plane's normal, "
        "z of b the wheel's axis.",
    .source = "[derived in src/relation/rolling.c]",
    .size = sizeof(rolling_wheel),
    .defaults = &defaults,
    .ops = &ops,
    .draw = draw,
    HK_TABLE(params),
};
