/* Revolute-spherical link: a massless rod with a revolute joint on A and a spherical joint on B. Two rows:
 *   zA.d = h,  |d| = L  with d = xB - xA
 * The axis of the revolute joint is the z axis of A. h and L follow from the initial position in the model file,
 * unless L is given. B moves on a circle about the axis. Free coordinate: angle of the rod about the axis. */
#include <hooke/joint.h>
#include "mesh/drawing.h"

typedef struct revolute_spherical {
  hk_joint_common joint;
  double length;
} revolute_spherical;

static const revolute_spherical defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(revolute_spherical, length, "m", HK_POSITIVE,
            "distance between the origins of the frames; default: as placed in the model file"),
};

static void build(hk_joint_builder *b) {
  /* below this distance from the axis, in m and relative to the length, the angle is round-off */
  static const double SMALLEST = 1e-12, SMALLEST_RATIO = 1e-9;
  const revolute_spherical *p = hk_item_data(b->item);
  hk_vec3 d = hk_sub(b->B->x, b->A->x), axis = hk_column(&b->A->R, 2);
  bool given = hk_item_given(b->item, hk_type_param_find(hk_item_type(b->item), "length"));
  double k[2] = {hk_dot(axis, d), given ? p->length : hk_norm(d)};
  if (!(hk_norm(hk_cross(axis, d)) > fmax(SMALLEST, SMALLEST_RATIO * hk_norm(d)))) {
    hk_joint_refuse(
        b, NULL,
        "the end on b is on the axis of the revolute joint, which is the z axis of frame a; "
        "place the frames apart, or use a spherical joint");
    return;
  }
  if (!(k[1] > fabs(k[0]))) {
    hk_joint_refuse(b, "length",
                    "the link of %.6g m is shorter than the distance %.6g m of its ends along the "
                    "axis of the revolute joint",
                    k[1], fabs(k[0]));
    return;
  }
  hk_joint_hold(b, &hk_relation_link, k, 2, "z,length");
  hk_joint_free(b, "angle", &hk_relation_azimuth, NULL, 0);
}

static const hk_joint_ops ops = {.frames = true, .build = build};

/* Draws a rod with a bush on `a` and a ball on `b`. */
static void draw(const hk_item *item, hk_drawing *d) {
  (void)item;
  hk_mesh ball = {0};
  hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.35 * d->size, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw_cylinder(d, HK_DRAW_A, 0.8 * d->size, 0, 1.6 * d->size,
                   (hk_draw_style){.paint = HK_PAINT_DARK});
  hk_mesh_sphere(&ball, 0.7 * d->size, 0);
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_joint_revolute_spherical = {
    .name = "revolute_spherical",
    .category = HK_JOINT,
    .doc =
        "Massless link with a revolute joint on A, about its z axis, and a spherical joint on B. "
        "Coordinate: angle.",
    .source = "[Haug1989, ch. 9]",
    .size = sizeof(revolute_spherical),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
