/* Distance link: two points keep their distance, as if connected by a massless rod with
 * spherical joints at its ends. One row, |xB - xA| - L = 0.
 *
 * The length must be positive: at zero the link has no direction (use a spherical joint
 * instead). Default length: the distance between the points in the initial position of the model
 * file. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

typedef struct distance {
  hk_joint_common joint;
  double length;
} distance;

static const distance defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(distance, length, "m", HK_POSITIVE,
            "distance of the points; default: as placed in the model file"),
};

static void build(hk_joint_builder *b) {
  static const double SMALLEST = 1e-12; /* m; below this the direction is round-off */
  const distance *p = hk_item_data(b->item);
  bool given = hk_item_given(b->item, hk_type_param_find(hk_item_type(b->item), "length"));
  double apart = hk_norm(hk_sub(b->B->x, b->A->x)), length = given ? p->length : apart;
  if (given && !(length > SMALLEST)) {
    hk_joint_refuse(b, "length", "the length of a distance link must be positive, not %g m",
                    length);
    return;
  }
  if (!(apart > SMALLEST)) {
    hk_joint_refuse(b, NULL,
                    "the two points of the link coincide as placed in the model file; place them "
                    "apart (for points that stay together use a spherical joint)");
    return;
  }
  hk_joint_hold(b, &hk_relation_distance, &length, 1, "length");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a rod with an eye at each end. */
static void draw(const hk_item *item, hk_drawing *d) {
  const char *const ends[] = {HK_DRAW_A, HK_DRAW_B};
  hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.35 * d->size, (hk_draw_style){.paint = HK_PAINT_STEEL});
  for (int i = 0; i < 2; i++) {
    hk_mesh ball = {0};
    hk_mesh_sphere(&ball, 0.7 * d->size, 0);
    hk_draw(d, ends[i], &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
  }
}

const hk_type hk_type_joint_distance = {
    .name = "distance",
    .category = HK_JOINT,
    .doc = "Massless link: two points keep their distance.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(distance),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
