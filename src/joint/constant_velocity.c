/* Constant velocity joint: two shafts along the z axes of A and B meet at a point and have equal
 * angles of rotation at any articulation angle. Four rows.
 *   xB - xA = 0,  (xA.yB - yA.xB)/2 = 0
 * The reaction of the last row is a moment along zA + zB, the bisector of the shaft axes. Therefore (wA - wB).(zA +
 * zB) = 0, and shafts in fixed bearings have exactly equal speeds at every instant. Valid for articulation angles
 * below 180 degrees. Articulation is free, without friction or plunge. The row is also satisfied if B is rotated by
 * half a revolution about its shaft (joint.h). The x axes coincide when the joint is straight: `at` and `axis`
 * describe the straight joint. Shafts that are placed in the model file with an articulation angle need axis_a and
 * axis_b, or a marker on each shaft with z along it. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_point(b);
  hk_joint_hold(b, &hk_relation_homokinetic, NULL, 0, "turn");
}

static const hk_param params[] = {HK_SHAFT_PARAMS};

static const hk_joint_ops ops = {.frames = true, .articulated = hk_shaft_swung, .build = build};

/* Draws a bell on `a` with a ball on `b`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh bell = {0}, ball = {0};
  hk_mesh_socket(&bell, 1.9 * s, 2.3 * s, 0.4 * s);
  hk_mesh_sphere(&ball, 1.6 * s, 0);
  hk_draw(d, HK_DRAW_A, &bell, (hk_draw_style){0});
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_constant_velocity = {
    .name = "constant_velocity",
    .category = HK_JOINT,
    .doc =
        "Homokinetic joint: shafts along z meet at a point; transmits constant velocity at any "
        "articulation angle.",
    .source = "[Minaker, eq. 12]",
    .size = sizeof(hk_shaft_joint),
    .defaults = &hk_shaft_joint_defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
