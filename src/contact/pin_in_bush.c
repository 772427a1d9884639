/* Pin in a bore with clearance, with contact at the two ends of the bore.
 *
 * Frame A is in the middle of the bore, z along its axis; frame B is anywhere on the axis of the
 * pin, z along it. The pin is longer than the bore. At the bore end Q = xA -+ (length/2) z_A,
 * with p the part of Q - xB that is normal to the pin axis and r = |p|,
 *   gap = R_bore - R_pin - r,  n = p/r,  c = Q - (R_bore - gap/2) n
 * This is a disc with the radius of the bore around the pin axis. A tilt by an angle changes the cross-section of the
 * pin only in proportion to the square of this angle. The angle is at most about the clearance divided by the length,
 * so this change is neglected. For plane motion see pin_in_bush_planar. */
#include "base/hot.h"
#include "contact/pin_in_bush.h"
#include "mesh/drawing.h"

static const hk_pin_in_bush defaults = {{0}, 0, 0, 0};

const hk_param hk_pin_in_bush_params[HK_PIN_IN_BUSH_PARAMS] = {
    HK_REAL(hk_pin_in_bush, bore_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the bore of a"),
    HK_REAL(hk_pin_in_bush, pin_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the pin of b"),
    HK_REAL(hk_pin_in_bush, length, "m", HK_REQUIRED | HK_POSITIVE,
            "length of the bore, from -length/2 to length/2 along z of a"),
};

enum { BORE, CLEARANCE, HALF_LENGTH };

hk_status hk_pin_in_bush_prepare(const hk_item *item, double *k, hk_error *err) {
  const hk_pin_in_bush *p = hk_item_data(item);
  if (p->bore_radius < p->pin_radius)
    return hk_fail(err, HK_EINPUT, "bore_radius %g m is smaller than pin_radius %g m",
                   p->bore_radius, p->pin_radius);
  k[BORE] = p->bore_radius;
  k[CLEARANCE] = p->bore_radius - p->pin_radius;
  k[HALF_LENGTH] = 0.5 * p->length;
  return HK_OK;
}

/* dn = dthetaB x n + tau (tau . (dQ - dxB - dthetaB x u))/r,  tau = zB x n,  u = Q - xB;
 * dc = dQ - arm dn + (n/2) dgap */
static void slopes(double arm, double r, hk_vec3 rA, hk_vec3 u, hk_gap *out) {
  hk_vec3 tau = hk_cross(out->t, out->n);
  double g[12];
  hk_gap_row(tau, rA, u, g);
  hk_gap_clear(out->n_d);
  hk_gap_outer(out->n_d, hk_scale(-1 / r, tau), g);
  hk_gap_carry(out->n_d, HK_GAP_TB, 1, out->n);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) out->c_d[i][j] = -arm * out->n_d[i][j];
  hk_gap_row(out->n, rA, u, g);
  hk_gap_outer(out->c_d, hk_scale(0.5, out->n), g);
  for (int i = 0; i < 3; i++) out->c_d[i][HK_GAP_XA + i] += 1;
  hk_gap_carry(out->c_d, HK_GAP_TA, 1, rA);
}

HK_HOT void hk_pin_in_bush_eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                                bool with_t, hk_gap *out) {
  hk_vec3 b = hk_column(&B->R, 2);
  double least = 1e-12 * k[BORE];
  for (int i = 0; i < 2; i++) {
    hk_gap *o = &out[i];
    hk_vec3 rA = hk_scale(i ? k[HALF_LENGTH] : -k[HALF_LENGTH], hk_column(&A->R, 2));
    hk_vec3 Q = hk_add(A->x, rA), u = hk_sub(Q, B->x), p = hk_axpy(u, -hk_dot(u, b), b);
    double r = hk_norm(p);
    bool direction = r > least; /* undefined on the axis; any direction is valid there */
    o->gap = k[CLEARANCE] - r;
    o->n = direction ? hk_scale(1 / r, p) : hk_column(&B->R, 0);
    o->c = hk_axpy(Q, 0.5 * o->gap - k[BORE], o->n);
    o->t = b;
    if (!(o->gap < near)) continue;
    slopes(k[BORE] - 0.5 * o->gap, direction ? r : least, rA, u, o);
    if (with_t) hk_gap_carried_tangent(HK_GAP_TB, o);
  }
}

hk_curvature hk_pin_in_bush_radii(const double *k) {
  return (hk_curvature){INFINITY, -k[BORE], INFINITY, k[BORE] - k[CLEARANCE], k[HALF_LENGTH]};
}

static void curvature(const double *k, int point, hk_curvature *out) {
  *out = hk_pin_in_bush_radii(k);
}

const char *const hk_pin_in_bush_points[2] = {"near", "far"};
double hk_pin_in_bush_deepest(const double *k) { return k[BORE] - k[CLEARANCE]; }

static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = hk_pin_in_bush_points,
                               .tangents = 2,
                               .prepare = hk_pin_in_bush_prepare,
                               .deepest = hk_pin_in_bush_deepest,
                               .eval = hk_pin_in_bush_eval,
                               .curvature = curvature,
                               .line = true};

void hk_pin_in_bush_draw(const hk_item *item, hk_drawing *d) {
  const hk_pin_in_bush *p = hk_item_data(item);
  double R = p->bore_radius, r = p->pin_radius;
  hk_draw_cylinder(d, HK_DRAW_A, 1.4 * R, R, p->length,
                   (hk_draw_style){.bore = R, .clearance = R - r});
  hk_draw_cylinder(d, HK_DRAW_B, r, 0, 1.3 * p->length, (hk_draw_style){.paint = HK_PAINT_STEEL});
  d->play = HK_PLAY_PIN, d->clearance = R - r;
}

const hk_type hk_type_contact_pin_in_bush = {
    .name = "pin_in_bush",
    .category = HK_CONTACT,
    .doc =
        "Pin (b, z along its axis) in a bore (a, in its middle, z along its axis) with clearance; "
        "contact is at the ends of the bore: near at -length/2, far at +length/2.",
    .source = "distance of the bore ends from the pin axis",
    .size = sizeof(hk_pin_in_bush),
    .defaults = &defaults,
    HK_TABLE(hk_pin_in_bush_params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = hk_pin_in_bush_draw,
};
