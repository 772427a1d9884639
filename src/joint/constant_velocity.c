/* Constant velocity joint: two shafts along the z axes of A and B meet at a point and turn equally
 * at any bend angle.  Four rows.
 *   xB - xA = 0,  (xA.yB - yA.xB)/2 = 0
 * The last row is a moment along zA + zB, the axis that bisects the shafts, so
 * (wA - wB).(zA + zB) = 0: shafts in fixed bearings have equal speeds, exactly and at every
 * instant.  Valid below a bend of 180 degrees.  Bending is free and without friction or plunge; B
 * turned half a turn about its shaft satisfies the row too (joint.h).  The x axes agree when the
 * shaft is straightened: `at` and `axis` describe the joint straight; shafts that stand bent in the
 * file need axis_a and axis_b, or a marker on each, with z along its shaft.
 */
#include <hooke/joint.h>
#include "shape/drawing.h"

static void build(hk_joint_builder *b) {
  hk_joint_hold_point(b);
  hk_joint_hold(b, &hk_relation_homokinetic, NULL, 0, "turn");
}

static const hk_param params[] = {HK_SHAFT_PARAMS};

static const hk_joint_ops ops = {.frames = true, .bent = hk_shaft_swung, .build = build};

/* A bell on a with a ball on b. */
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
    .doc = "Homokinetic joint: shafts along z meet at a point and turn equally at any bend angle.",
    .source = "[Minaker, eq. 12]",
    .size = sizeof(hk_shaft_joint),
    .defaults = &hk_shaft_joint_defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
