/* Universal joint (Hooke, Cardan): the shafts A and B meet at a point and are coupled by a massless
 * cross, one arm along the x axis of A, the other along the y axis of B.  Four rows.
 *   xB - xA = 0,  xA.yB = 0
 * The shafts lie along the z axes when straight.  The arms stay square, so the rows are independent
 * everywhere, but at a bend of 90 degrees no turning is passed on.  It is not homokinetic: with the
 * bend beta the ratio of the speeds swings between cos(beta) and 1/cos(beta) twice a turn.
 * The choice of arms is that of ADAMS, as its universal pendulum shows.
 * Free coordinates: angle_a, turn of the cross about A's arm; angle_b, turn of B about its own.
 */
#include "joint/joint.h"

static void build(hk_joint_builder *b) {
  /* Arms along x of A and y of B. */
  static const double arms[7] = {1, 0, 0, 0, 1, 0};
  hk_joint_hold_point(b);
  hk_joint_hold(b, &hk_relation_dot, arms, 7, "cross");
  hk_joint_free(b, "angle_a", &hk_relation_cross_a, NULL, 0);
  hk_joint_free(b, "angle_b", &hk_relation_cross_b, NULL, 0);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

const hk_type hk_type_joint_universal = {
    .name = "universal",
    .category = HK_JOINT,
    .doc = "Cardan joint: a cross with arms along the x axis of A and the y axis of B. "
           "Coordinates: angle_a, angle_b.",
    .source = "[Haug 1989, ch. 9]; arms as in ADAMS",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};
