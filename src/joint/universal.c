/* Universal joint (Hooke, Cardan): the shafts A and B meet at a point and are coupled by a
 * massless cross, one arm along the x axis of A, the other along the y axis of B. Four rows.
 *   xB - xA = 0,  xA.yB = 0
 * The shafts are along the z axes when straight. The arms stay perpendicular, so the rows are
 * always independent, but at an articulation angle of 90 degrees no rotation is transmitted. The
 * joint is not homokinetic: at the articulation angle beta the speed ratio varies between
 * cos(beta) and 1/cos(beta) twice per revolution. The arms are chosen as in ADAMS, according to
 * its example of a universal pendulum. Free coordinates: angle_a, rotation of the cross about
 * the arm of A; angle_b, rotation of B about its arm. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) {
  /* The arms of the cross are along x of A and y of B. */
  static const double arms[7] = {1, 0, 0, 0, 1, 0};
  hk_joint_hold_point(b);
  hk_joint_hold(b, &hk_relation_dot, arms, 7, "cross");
  hk_joint_free(b, "angle_a", &hk_relation_cross_a, NULL, 0);
  hk_joint_free(b, "angle_b", &hk_relation_cross_b, NULL, 0);
}

static const hk_param params[] = {HK_SHAFT_PARAMS};

static const hk_joint_ops ops = {.frames = true, .articulated = hk_shaft_square, .build = build};

/* Draws two yokes with the arms of the cross: x of A, y of B. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh yoke[2] = {{0}}, pin[2] = {{0}};
  for (int i = 0; i < 2; i++) {
    hk_mesh_yoke(&yoke[i], 2.2 * s, 0.45 * s, 0.9 * s);
    hk_mesh_cylinder(&pin[i], 0.45 * s, 0, 4.4 * s);
  }
  hk_draw(d, HK_DRAW_A, &yoke[0], (hk_draw_style){0});
  hk_draw_at(d, HK_DRAW_A, hk_v3(0, 0, 0), hk_draw_along_x(), &pin[0],
             (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw_at(d, HK_DRAW_B, hk_v3(0, 0, 0), hk_quat_exp(hk_v3(M_PI / sqrt(2), M_PI / sqrt(2), 0)),
             &yoke[1], (hk_draw_style){0});
  hk_draw_at(d, HK_DRAW_B, hk_v3(0, 0, 0), hk_draw_along_y(), &pin[1],
             (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_universal = {
    .name = "universal",
    .category = HK_JOINT,
    .doc =
        "Cardan joint: a cross with arms along the x axis of A and the y axis of B. Coordinates: "
        "angle_a, angle_b.",
    .source = "[Haug1989, ch. 9]; arms as in ADAMS",
    .size = sizeof(hk_shaft_joint),
    .defaults = &hk_shaft_joint_defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
