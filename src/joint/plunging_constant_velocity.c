/* Plunging constant velocity joint: as constant_velocity, but the centre of B can slide along
 * the axis of A. Three rows.
 *   xA.(xB - xA) = 0,  yA.(xB - xA) = 0,  (xA.yB - yA.xB)/2 = 0
 * Free coordinate: `displacement`, the plunge along zA. Articulation and plunge are
 * frictionless. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_along(b, HK_X);
  hk_joint_hold_along(b, HK_Y);
  hk_joint_hold(b, &hk_relation_homokinetic, NULL, 0, "turn");
  hk_joint_free_along(b, "displacement", HK_Z);
}

static const hk_param params[] = {HK_SHAFT_PARAMS};

static const hk_joint_ops ops = {.frames = true, .articulated = hk_shaft_swung, .build = build};

/* Draws a ball on `b` that slides in a tube on `a`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh ball = {0};
  hk_mesh_sphere(&ball, 1.8 * s, 0);
  hk_draw_cylinder(d, HK_DRAW_A, 2.3 * s, 1.9 * s, 4 * s, (hk_draw_style){.paint = HK_PAINT_GLASS});
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_plunging_constant_velocity = {
    .name = "plunging_constant_velocity",
    .category = HK_JOINT,
    .doc =
        "Homokinetic joint with plunge: the second shaft also slides along the axis of the first.",
    .source = "[Minaker, eq. 12], without the axial row",
    .size = sizeof(hk_shaft_joint),
    .defaults = &hk_shaft_joint_defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
