/* Sphere in a cylindrical bore with clearance, in which it can slide and tilt, such as the cage
 * of a double offset joint in its outer race. Frame A is anywhere on the axis of the bore, z
 * along it; B is at the centre of the sphere. With p the part of d = xB - xA perpendicular to z,
 * r = |p|:
 *   gap = R_bore - R_sphere - r,  n = -p/r,  c = xB - (R_sphere + gap/2) n
 * The bore has no ends. */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct sphere_in_bore {
  hk_contact_common common;
  double bore_radius, sphere_radius;
} sphere_in_bore;

static const sphere_in_bore defaults = {{0}, 0, 0};

static const hk_param params[] = {
    HK_REAL(sphere_in_bore, bore_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the bore of a"),
    HK_REAL(sphere_in_bore, sphere_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the sphere of b"),
};

enum { BORE, SPHERE, CLEARANCE };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const sphere_in_bore *p = hk_item_data(item);
  if (p->bore_radius < p->sphere_radius)
    return hk_fail(err, HK_EINPUT, "bore_radius %g m is smaller than sphere_radius %g m",
                   p->bore_radius, p->sphere_radius);
  k[BORE] = p->bore_radius;
  k[SPHERE] = p->sphere_radius;
  k[CLEARANCE] = p->bore_radius - p->sphere_radius;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x), z = hk_column(&A->R, 2), p = hk_axpy(d, -hk_dot(d, z), z);
  double r = hk_norm(p), least = 1e-12 * k[BORE];
  bool direction = r > least; /* undefined on the axis; any direction is valid there */
  out->gap = k[CLEARANCE] - r;
  out->n = direction ? hk_scale(-1 / r, p) : hk_column(&A->R, 0);
  out->c = hk_gap_ball_point(B, k[SPHERE], out);
  out->t = z;
  if (!(out->gap < near)) return;
  const hk_vec3 tau = hk_cross(z, out->n);
  const double turn = -1 / (direction ? r : least);
  hk_gap_ball(d, k[SPHERE], 1, &tau, &turn, out);
  if (with_t) hk_gap_carried_tangent(HK_GAP_TA, out);
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){INFINITY, -k[BORE], k[SPHERE], k[SPHERE]};
}

static double deepest(const double *k) { return k[SPHERE]; }

static const hk_gap_ops ops = {.points = 1,
                               .concave = true,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .curvature = curvature};

static void draw(const hk_item *item, hk_drawing *d) {
  const sphere_in_bore *p = hk_item_data(item);
  double R = p->bore_radius, r = p->sphere_radius;
  hk_mesh sphere = {0};
  hk_mesh_sphere(&sphere, r, 0);
  hk_draw(d, HK_DRAW_B, &sphere, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw_cylinder(d, HK_DRAW_A, 1.2 * R, R, 2 * R, (hk_draw_style){.bore = R, .clearance = R - r});
  d->play = HK_PLAY_PIN, d->clearance = R - r;
}

const hk_type hk_type_contact_sphere_in_bore = {
    .name = "sphere_in_bore",
    .category = HK_CONTACT,
    .doc =
        "Sphere (b, at its centre) in a cylindrical bore (a, on its axis, z along it) with "
        "clearance.",
    .source = "distance of the sphere centre from the bore axis",
    .size = sizeof(sphere_in_bore),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
