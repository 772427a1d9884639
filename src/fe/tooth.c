/* Outline of a tooth: see tooth.h. */
#include "fe/tooth.h"
#include <math.h>

static double involute(double angle) { return tan(angle) - angle; }

/* While the rack rolls, the normal of the generated surface passes through the pitch point.
 * Therefore the centre C of the corner is on the line from the pitch point at the angle `normal`
 * to the pitch line, and the rack has moved by side - depth/tan(normal) from the middle of the
 * space. */
void hk_fe_outline_fillet(const hk_fe_outline *o, double normal, double *r, double *angle) {
  if (o->tooth.ring) {
    double up = o->centre + o->rho * sin(normal), aside = o->rho * cos(normal);
    *r = hypot(up, aside);
    *angle = o->centre_angle - atan2(aside, up);
    return;
  }
  double reference = o->tooth.reference_radius, away = o->depth / sin(normal) + o->rho;
  double x = -away * cos(normal), y = reference - away * sin(normal);
  double moved = o->side - o->depth / tan(normal);
  *r = hypot(x, y);
  *angle = M_PI / o->tooth.teeth + atan2(x, y) - moved / reference;
}

static double flank_half(const hk_fe_outline *o, double r) {
  double base = o->tooth.base_radius;
  double half = o->tooth.half_angle - (r > base ? involute(acos(base / r)) : 0);
  return o->tooth.ring ? M_PI / o->tooth.teeth - half : half;
}

/* Normal of the corner at radius r of the fillet; it decreases from the root to the flank. */
static double normal_at(const hk_fe_outline *o, double r) {
  double low = o->form_normal, high = M_PI / 2, at, angle;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    hk_fe_outline_fillet(o, middle, &at, &angle);
    *((at > r) != o->tooth.ring ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

double hk_fe_outline_half(const hk_fe_outline *o, double r) {
  if (o->tooth.ring ? r <= o->form_radius : r >= o->form_radius) return flank_half(o, r);
  double at, angle;
  hk_fe_outline_fillet(o, normal_at(o, r), &at, &angle);
  return angle;
}

void hk_fe_outline_flank(const hk_fe_outline *o, double R, double *r, double *foot) {
  *r = hypot(o->tooth.base_radius, R);
  *foot = o->tooth.half_angle - R / o->tooth.base_radius;
  if (o->tooth.ring) *foot = M_PI / o->tooth.teeth - *foot;
}

/* If the straight flank of the rack would pass below the base circle, the corner of the rack cuts into the involute. The
 * flank of the tooth then begins at the intersection of fillet and involute. */
static hk_status find_undercut(hk_fe_outline *o, hk_error *err) {
  double low = o->tooth.pressure_angle, high = M_PI / 2, r, angle;
  /* From the root upwards: the fillet is inside the flank until they intersect. */
  double last = high;
  for (int i = 1; i <= 400; i++) {
    double normal = high + (low - high) * i / 400;
    hk_fe_outline_fillet(o, normal, &r, &angle);
    if (r > o->tooth.base_radius && angle >= flank_half(o, r)) {
      for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (normal + last);
        hk_fe_outline_fillet(o, middle, &r, &angle);
        *(r > o->tooth.base_radius && angle >= flank_half(o, r) ? &normal : &last) = middle;
      }
      o->form_normal = normal;
      return HK_OK;
    }
    last = normal;
  }
  return hk_fail(err, HK_EINPUT,
                 "a gear with %d teeth and this profile shift is undercut beyond its flank: use a "
                 "larger profile shift",
                 o->tooth.teeth);
}

/* ---- rings ---- */

/* A space of a ring has the shape of an external tooth. The centre of the fillet is on the
 * involute parallel to the flank, offset by rho into the space, and rho below the root circle. */
static double ring_form_roll(const hk_fe_tooth *t, double rho) {
  double centre = t->root_radius - rho;
  return rho + sqrt(fmax(0, centre * centre - t->base_radius * t->base_radius));
}

double hk_fe_ring_fillet(const hk_fe_tooth *t, double roll) {
  double low = 0, high = t->corner_radius;
  if (ring_form_roll(t, high) >= roll) return high;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    *(ring_form_roll(t, middle) >= roll ? &low : &high) = middle;
  }
  return low;
}

static hk_status make_ring(hk_fe_outline *o, hk_error *err) {
  const hk_fe_tooth *t = &o->tooth;
  double base = t->base_radius;
  if (!(t->tip_radius < t->root_radius) || !(t->tip_radius > base))
    return hk_fail(err, HK_EINPUT,
                   "a ring tooth is not possible between the tip radius %.6g mm (base circle %.6g "
                   "mm) and the root radius %.6g mm",
                   1e3 * t->tip_radius, 1e3 * base, 1e3 * t->root_radius);
  /* The radius is limited by the space: the fillets of both flanks meet at its middle. */
  for (int i = 0; i < 200; i++, o->rho *= 0.97) {
    double centre = t->root_radius - o->rho;
    double half = t->half_angle - o->rho / base - involute(acos(fmin(1, base / centre)));
    o->centre = centre;
    o->centre_angle = M_PI / t->teeth - half;
    if (centre > base && half > 0) break;
  }
  o->form_normal = acos(fmin(1, base / o->centre));
  o->form_roll = ring_form_roll(t, o->rho);
  o->form_radius = hypot(base, o->form_roll);
  double root = flank_half(o, t->root_radius);
  if (!(o->form_radius > t->tip_radius) || !(root < M_PI / t->teeth))
    return hk_fail(err, HK_EINPUT,
                   "the ring has no flank between its tip at %.6g mm and the fillet, which starts "
                   "at a radius of %.6g mm",
                   1e3 * t->tip_radius, 1e3 * o->form_radius);
  if (!(flank_half(o, t->tip_radius) > 0))
    return hk_fail(err, HK_EINPUT,
                   "the teeth of the ring are pointed above their tip radius of %.6g mm",
                   1e3 * t->tip_radius);
  return HK_OK;
}

hk_status hk_fe_outline_make(const hk_fe_tooth *t, hk_fe_outline *o, hk_error *err) {
  double a = t->pressure_angle, below = t->reference_radius - t->root_radius, angle;
  *o = (hk_fe_outline){.tooth = *t, .rho = t->corner_radius, .form_normal = a};
  if (t->ring) return make_ring(o, err);
  if (!(t->tip_radius > t->root_radius) || !(t->tip_radius > t->base_radius))
    return hk_fail(
        err, HK_EINPUT,
        "a tooth is not possible between the root radius %.6g mm and the tip radius %.6g mm",
        1e3 * t->root_radius, 1e3 * t->tip_radius);
  /* The rack flank touches the space at the tooth thickness; its corner must fit into the
   * remaining width. */
  double half_space = t->reference_radius * (M_PI / t->teeth - (t->half_angle - involute(a)));
  double room = half_space - below * tan(a), widest = room * cos(a) / (1 - sin(a));
  o->rho = fmin(fmin(o->rho, 0.95 * widest), 0.95 * below);
  if (!(room > 0) || !(o->rho > 0))
    return hk_fail(
        err, HK_EINPUT,
        "finite elements support only teeth generated by a rack: with the root radius %.6g mm, "
        "%.6g mm below the reference circle, the tip of the rack would be %.4g mm wide",
        1e3 * t->root_radius, 1e3 * below, 2e3 * room);
  o->depth = below - o->rho;
  o->side = room - o->rho * (1 - sin(a)) / cos(a);
  double form_roll = t->reference_radius * sin(a) - (o->depth + o->rho * sin(a)) / sin(a);
  if (form_roll < 0) {
    hk_status status = find_undercut(o, err);
    if (status) return status;
  }
  hk_fe_outline_fillet(o, o->form_normal, &o->form_radius, &angle);
  double base = t->base_radius;
  o->form_roll = sqrt(fmax(0, o->form_radius * o->form_radius - base * base));
  if (!(o->form_radius < t->tip_radius))
    return hk_fail(
        err, HK_EINPUT,
        "there is no flank between the fillet, up to a radius of %.6g mm, and the tip at %.6g mm",
        1e3 * o->form_radius, 1e3 * t->tip_radius);
  if (!(hk_fe_outline_half(o, t->tip_radius) > 0))
    return hk_fail(err, HK_EINPUT, "the teeth are pointed below their tip radius of %.6g mm",
                   1e3 * t->tip_radius);
  return HK_OK;
}
