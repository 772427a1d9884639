/* Pin in a bore for motion in the plane normal to the bore axis: the revolute joint with
 * clearance. Frame A is on the axis of the bore with z along it, B on the axis of the pin. With
 * p the part of xB - xA in the plane and r = |p|:
 *   gap = R_bore - R_pin - r,  n = -p/r,  c = xB - (R_pin + gap/2) n,  t = n x z */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct pin_in_bush_planar {
  hk_contact_common common;
  double bore_radius, pin_radius;
} pin_in_bush_planar;

static const pin_in_bush_planar defaults = {{0}, 0, 0};

static const hk_param params[] = {
    HK_REAL(pin_in_bush_planar, bore_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the bore of a"),
    HK_REAL(pin_in_bush_planar, pin_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the pin of b"),
};

enum { PIN, CLEARANCE, LEAST };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const pin_in_bush_planar *p = hk_item_data(item);
  if (p->bore_radius < p->pin_radius)
    return hk_fail(err, HK_EINPUT, "bore_radius %g m is smaller than pin_radius %g m",
                   p->bore_radius, p->pin_radius);
  k[PIN] = p->pin_radius;
  k[CLEARANCE] = p->bore_radius - p->pin_radius;
  k[LEAST] = 1e-12 * p->bore_radius;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x), z = hk_column(&A->R, 2), p = hk_axpy(d, -hk_dot(d, z), z);
  double r = hk_norm(p);
  bool direction = r > k[LEAST]; /* undefined on the axis; any direction is valid there */
  out->gap = k[CLEARANCE] - r;
  out->n = direction ? hk_scale(-1 / r, p) : hk_column(&A->R, 0);
  out->c = hk_gap_ball_point(B, k[PIN], out);
  out->t = hk_cross(out->n, z);
  if (!(out->gap < near)) return;
  const double turn = -1 / (direction ? r : k[LEAST]);
  hk_gap_ball(d, k[PIN], 1, &out->t, &turn, out);
  if (!with_t) return;
  /* t rotates with n in the plane: dt = dthetaA x t - n turn (t . du) */
  double g[12];
  hk_gap_row(out->t, d, hk_v3(0, 0, 0), g);
  hk_gap_carried_tangent(HK_GAP_TA, out);
  hk_gap_outer(out->t_d, hk_scale(-turn, out->n), g);
}

static double deepest(const double *k) { return k[PIN]; }

static const hk_gap_ops ops = {.points = 1,
                               .concave = true,
                               .tangents = 1,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval};

static void draw(const hk_item *item, hk_drawing *d) {
  const pin_in_bush_planar *p = hk_item_data(item);
  double R = p->bore_radius, r = p->pin_radius;
  hk_draw_cylinder(d, HK_DRAW_A, 1.4 * R, R, 1.2 * R,
                   (hk_draw_style){.bore = R, .clearance = R - r});
  hk_draw_cylinder(d, HK_DRAW_B, r, 0, 2 * R, (hk_draw_style){.paint = HK_PAINT_STEEL});
  d->play = HK_PLAY_PIN, d->clearance = R - r;
}

const hk_type hk_type_contact_pin_in_bush_planar = {
    .name = "pin_in_bush_planar",
    .category = HK_CONTACT,
    .doc =
        "Pin (b, on its axis) in a bore (a, on its axis, z along it) with clearance, for motion in "
        "the plane normal to z.",
    .source = "distance of the axes",
    .size = sizeof(pin_in_bush_planar),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
