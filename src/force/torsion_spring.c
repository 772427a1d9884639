/* Spring and damper along an angle: a joint coordinate, the angle between two rotors, or the
 * rotation of one frame about the z axis of another.
 *   M = -(k (phi - phi0) + d phi' + preload)
 * With backlash b the stiffness is k only beyond |phi - phi0| = b/2; inside it is a thousandth
 * of k, so that the angle is determined at rest. Beyond b/2 the damping increases to its full
 * value over b/50, so that the moment does not jump when flanks come into contact. Potential k
 * (phi - phi0)^2/2 + preload (phi - phi0). Angles are unwrapped. Between frames of bodies the
 * angle is that of hk_relation_angle, intended for axes that stay nearly aligned. */
#include "force/angle_between.h"
#include <hooke/element.h>
#include "mesh/drawing.h"

typedef struct torsion_spring {
  const char *coordinate, *a, *b;
  double stiffness, damping, free_angle, preload, backlash;
} torsion_spring;

static const torsion_spring defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_COORDINATE(torsion_spring, coordinate, 0, "angle to act on, such as `hinge.angle`"),
    HK_FRAME(torsion_spring, a, 0, "instead of coordinate: rotor or frame on the first side"),
    HK_FRAME(torsion_spring, b, 0, "instead of coordinate: rotor or frame on the second side"),
    HK_REAL(torsion_spring, stiffness, "N m/rad", 0, "moment per angle", HK_MIN(0)),
    HK_REAL(torsion_spring, damping, "N m s/rad", 0, "moment per angular rate", HK_MIN(0)),
    HK_REAL(torsion_spring, free_angle, "rad", 0, "free angle, at which the spring has no moment"),
    HK_REAL(torsion_spring, preload, "N m", 0,
            "moment against increasing angle, at the free angle"),
    HK_REAL(torsion_spring, backlash, "rad", 0,
            "angle around the free angle in which the stiffness is reduced to a thousandth, as "
            "between the flanks of a spline",
            HK_MIN(0)),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const torsion_spring *p = hk_item_data(item);
  bool has_coordinate = p->coordinate && *p->coordinate, has_b = p->b && *p->b;
  if (has_coordinate == has_b)
    return hk_fail(err, HK_EINPUT,
                   "it acts either along a coordinate or between a and b; give exactly one of "
                   "coordinate and b");
  if (has_coordinate) {
    b->coordinate = p->coordinate;
    b->along_angle = true;
    return HK_OK;
  }
  return hk_bind_angle(item, p->a, p->b, b, err);
}

/* Stiffness within the backlash relative to that beyond it. */
static const double CENTRING = 1e-3;

/* Signed angle beyond the backlash; share: fraction of the damping that acts there, slope: its
 * derivative. */
static double beyond(const torsion_spring *p, double twist, double *share, double *slope) {
  double half = p->backlash / 2, ramp = p->backlash / 50;
  double x = twist > half ? twist - half : twist < -half ? twist + half : 0;
  *share = fmin(1, fabs(x) / ramp);
  *slope = *share < 1 && x != 0 ? copysign(1 / ramp, x) : 0;
  return x;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const torsion_spring *p = data;
  double share, slope, twist = in->c - p->free_angle;
  if (p->backlash == 0) {
    out->F = -(p->stiffness * twist + p->damping * in->rate + p->preload);
    out->F_c = -p->stiffness;
    out->F_rate = -p->damping;
    out->potential = 0.5 * p->stiffness * twist * twist + p->preload * twist;
    out->dissipated = p->damping * in->rate * in->rate;
    return;
  }
  double x = beyond(p, twist, &share, &slope);
  double loose = twist - x,
         soft = CENTRING * p->stiffness; /* angle within the backlash, and stiffness there */
  out->F = -(p->stiffness * x + soft * loose + share * p->damping * in->rate + p->preload);
  out->F_c = x != 0 ? -p->stiffness - slope * p->damping * in->rate : -soft;
  out->F_rate = -share * p->damping;
  out->potential =
      0.5 * p->stiffness * x * x + soft * loose * (0.5 * loose + x) + p->preload * twist;
  out->dissipated = share * p->damping * in->rate * in->rate;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

static void draw(const hk_item *item, hk_drawing *d) {
  const torsion_spring *p = hk_item_data(item);
  hk_mesh m = {0};
  hk_mesh_spiral(&m, 1.3 * d->size, 2.6 * d->size, 0.16 * d->size, 4);
  hk_draw(d, HK_DRAW_A, &m, (hk_draw_style){.paint = HK_PAINT_SPRING});
  if (p->b && *p->b) /* drawn as a shaft if its ends are apart */
    hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.35 * d->size, (hk_draw_style){.paint = HK_PAINT_SPRING});
}

static void mirror(hk_item *item) {
  torsion_spring *p = hk_item_edit(item);
  p->free_angle = -p->free_angle;
  p->preload = -p->preload;
}

const hk_type hk_type_force_torsion_spring = {
    .name = "torsion_spring",
    .category = HK_FORCE,
    .doc = "Linear spring and damper along an angle of a joint, or between two rotors.",
    .source = "Hooke's law, viscous damping",
    .size = sizeof(torsion_spring),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
    .draw = draw,
};
