/* Spherical joint: a point of B coincides with a point of A.  Three rows, xB - xA = 0.
 * The relative rotation is free and has no coordinate.
 */
#include <hooke/joint.h>
#include "mesh/drawing.h"

static void build(hk_joint_builder *b) { hk_joint_hold_point(b); }

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a ball on `b` in a socket on `a`. */
static void draw(const hk_item *item, hk_drawing *d) {
  double s = d->size;
  hk_mesh ball = {0}, socket = {0};
  hk_mesh_sphere(&ball, s, 0);
  hk_mesh_socket(&socket, 1.02 * s, 1.4 * s, 0.35 * s);
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_draw(d, HK_DRAW_A, &socket, (hk_draw_style){.paint = HK_PAINT_BODY});
}

const hk_type hk_type_joint_spherical = {
    .name = "spherical",
    .category = HK_JOINT,
    .doc = "Spherical joint: two points coincide, all rotations are free.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
