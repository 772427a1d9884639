/* Universal joint with clearance between the input yoke and the cross, reduced to two angles.
 *
 * Frame A belongs to the rotor that is the input yoke (angle phi_1), B to the rotor that
 * represents the cross, fixed to the output yoke (angle phi_1c); z of each frame is the axis of
 * its rotor. With Delta = phi_1 - phi_1c, the lever arm L and the radial clearance C [Ali2025,
 * eq. 5]:
 *   left   gap = C - L Delta,  W_N = (-L, L)
 *   right  gap = C + L Delta,  W_N = (L, -L)
 * The cross rotates in the bores of the yoke by phi_2; the trunnions of radius R_1 slide with
 *   R_1 phi_2' = nu R_1 phi_1c',  nu = -sin b cos b cos phi_1c/(1 - sin^2 b cos^2 phi_1c)
 * so W_T = (0, nu R_1). The publication has phi_1' here, but the cross rotates with phi_1c'.
 * With C = 0 both sides touch at the same time, and their normal forces are not unique. The two sides are then treated
 * as one row with a normal force of either sign (`tight`). */
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct universal_clearance {
  hk_contact_common common;
  double clearance, arm, pin_radius, angle;
} universal_clearance;

static const universal_clearance defaults = {{0}, 0, 0, 0, 0};

static const hk_param params[] = {
    HK_REAL(universal_clearance, clearance, "m", HK_REQUIRED,
            "radius of the yoke bore minus that of the trunnion", HK_MIN(0)),
    HK_REAL(universal_clearance, arm, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of the contact from the shaft axis"),
    HK_REAL(universal_clearance, pin_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the trunnions at the sliding surface"),
    HK_REAL(universal_clearance, angle, "rad", HK_REQUIRED, "angle between the two shafts",
            HK_RANGE(-1.5, 1.5)),
};

enum { CLEARANCE, ARM, SLIDE, SIN2 };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  (void)err;
  const universal_clearance *p = hk_item_data(item);
  double s = sin(p->angle);
  k[CLEARANCE] = p->clearance;
  k[ARM] = p->arm;
  k[SLIDE] = -s * cos(p->angle) * p->pin_radius;
  k[SIN2] = s * s;
  return HK_OK;
}

static void rows(const double *k, const hk_frame *A, const hk_frame *B, hk_gap_rows *out) {
  hk_vec3 a = hk_column(&A->R, 2), b = hk_column(&B->R, 2), zero = {0, 0, 0};
  double L = k[ARM], Delta = A->angle - B->angle, c = cos(B->angle);
  double slide = k[SLIDE] * c / (1 - k[SIN2] * c * c);
  for (int i = 0; i < 2; i++) {
    double side = i ? L : -L;
    out[i].gap = k[CLEARANCE] + side * Delta;
    out[i].N = (hk_row){zero, hk_scale(side, a), zero, hk_scale(-side, b)};
    out[i].T[0] = (hk_row){zero, zero, zero, hk_scale(slide, b)};
    out[i].T[1] = (hk_row){zero, zero, zero, zero};
  }
}

static bool tight(const double *k) { return k[CLEARANCE] == 0; }

static const char *const POINTS[] = {"left", "right"};
static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = POINTS,
                               .tangents = 1,
                               .prepare = prepare,
                               .rows = rows,
                               .tight = tight};

/* Draws the input yoke and the cross; a composite joint that contains this contact draws itself. */
static void draw(const hk_item *item, hk_drawing *d) {
  const universal_clearance *p = hk_item_data(item);
  hk_mesh yoke = {0}, cross = {0};
  hk_mesh_yoke(&yoke, p->arm, p->pin_radius + p->clearance, 0.5 * p->arm);
  hk_mesh_cross(&cross, p->arm, p->pin_radius);
  hk_draw(d, HK_DRAW_A, &yoke, (hk_draw_style){.part = true});
  hk_draw(d, HK_DRAW_B, &cross, (hk_draw_style){.paint = HK_PAINT_STEEL, .part = true});
  d->play = HK_PLAY_TURN, d->clearance = p->clearance;
}

const hk_type hk_type_contact_universal_clearance = {
    .name = "universal_clearance",
    .category = HK_CONTACT,
    .doc =
        "Universal joint with clearance, reduced to two angles: between the rotor of the input "
        "yoke (a) and that of the cross (b); z of both frames along the rotor axes.",
    .source = "[Ali2025, eqs 2 and 5], sliding velocity corrected",
    .size = sizeof(universal_clearance),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
