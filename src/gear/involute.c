/* See involute.h. */
#include "gear/involute.h"
#include <math.h>

double hk_involute_of(double angle) { return tan(angle) - angle; }

/* Uses Newton's method from an estimate that is accurate at both ends of the range; from this
 * estimate the function is convex, so the method converges. */
double hk_involute_inverse(double inv) {
  if (!(inv > 0)) return 0;
  double x = inv < 0.8 ? 1.441 * cbrt(inv) - 0.374 * inv : M_PI / 2 - 1 / (inv + M_PI / 2);
  for (int i = 0; i < 30; i++) {
    double t = tan(x), step = (t - x - inv) / (t * t);
    x -= step;
    if (fabs(step) <= 1e-16 * (1 + x)) break;
  }
  return x;
}

double hk_involute_depth(const hk_involute *g, int gear, double R, double *slope) {
  double rb = g->base_radius[gear], phi = R / rb;
  bool ring = gear == 1 && g->sign < 0;
  double to = ring ? phi + M_PI / g->teeth[1] - g->half_angle[1] : phi - g->half_angle[gear];
  double t = tan(to), turn = ring ? 1 : -1;
  if (slope) *slope = turn * t * t;
  return turn * rb * (t - phi);
}

double hk_involute_radius(const hk_involute *g, double R1, double R2, double slope[2]) {
  double sum = R2 + g->sign * R1, R = R1 * R2 / sum;
  if (slope) {
    slope[0] = R2 * R2 / (sum * sum * g->cos_base);
    slope[1] = g->sign * R1 * R1 / (sum * sum * g->cos_base);
  }
  return R / g->cos_base;
}

/* ---- nominal geometry ---- */

static hk_status check_rack(const hk_gear_drawing *d, hk_error *err) {
  for (int i = 0; i < 2; i++)
    if (d->teeth[i] < 3)
      return hk_fail(err, HK_EINPUT, "gear %c has %d teeth; it needs 3 or more", "ab"[i],
                     d -> teeth[i]);
  if (d->ring && d->teeth[1] <= d->teeth[0])
    return hk_fail(err, HK_EINPUT, "ring b has %d teeth; it must have more than the %d of gear a",
                   d->teeth[1], d->teeth[0]);
  if (!(d->module > 0 && d->face_width > 0))
    return hk_fail(err, HK_EINPUT, "module and face_width must be positive");
  if (!(d->pressure_angle > 0 && d->pressure_angle < M_PI / 4))
    return hk_fail(err, HK_EINPUT, "a pressure angle of %.4g deg is not between 0 and 45 deg",
                   d->pressure_angle * 180 / M_PI);
  if (!(fabs(d->helix_angle) < M_PI / 3))
    return hk_fail(err, HK_EINPUT, "a helix angle of %.4g deg is not below 60 deg",
                   d->helix_angle * 180 / M_PI);
  if (!(d->backlash >= 0))
    return hk_fail(err, HK_EINPUT, "a backlash of %.4g um is negative: the teeth would jam",
                   d->backlash * 1e6);
  return HK_OK;
}

static const double MOST_SHIFTS = 6; /* limit of the sum of both profile shifts, beyond which no
                                      * teeth can be cut */

/* Profile shifts and centre distance: values not given follow from the others without backlash. */
static hk_status set_center(const hk_gear_drawing *d, hk_involute *g, hk_error *err) {
  double s = g->sign, z = d->teeth[1] + s * d->teeth[0], at = g->transverse_pressure_angle;
  double B = g->base_radius[1] + s * g->base_radius[0], tan_n = tan(d->pressure_angle);
  /* In the formulas of ISO 21771 a ring has z < 0; z above is |z1 + z2|. */
  double per_shift = 2 * tan_n / z * s, inv = hk_involute_of(at);
  bool given[2] = {!isnan(d->profile_shift[0]), !isnan(d->profile_shift[1])};
  for (int i = 0; i < 2; i++) g->shift[i] = given[i] ? d->profile_shift[i] : 0;
  g->center_distance = d->center_distance;
  if (!isnan(d->center_distance)) {
    if (!(d->center_distance > B))
      return hk_fail(
          err, HK_EINPUT,
          "a center distance of %.6g mm is not above the sum of the base circle radii, %.6g mm",
          d->center_distance * 1e3, B * 1e3);
    double sum = (hk_involute_of(acos(B / d->center_distance)) - inv) / per_shift;
    if (!(given[0] && given[1]) && fabs(sum) > MOST_SHIFTS)
      return hk_fail(err, HK_EINPUT,
                     "a center distance of %.6g mm needs a sum of profile shifts of %.4g modules; "
                     "the limit is %g. Without profile shift these teeth mesh at %.6g mm; check "
                     "the numbers of teeth, the module and the helix angle",
                     d->center_distance * 1e3, sum, MOST_SHIFTS, B / cos(at) * 1e3);
    if (!given[0] && !given[1])
      g->shift[0] = g->shift[1] = sum / 2;
    else if (!given[0])
      g->shift[0] = sum - g->shift[1];
    else if (!given[1])
      g->shift[1] = sum - g->shift[0];
  }
  double free = inv + per_shift * (g->shift[0] + g->shift[1]); /* without backlash */
  if (!(free > 0))
    return hk_fail(err, HK_EINPUT,
                   "no pressure angle is possible with profile shifts of %.4g and %.4g",
                   g->shift[0], g->shift[1]);
  if (isnan(d->center_distance)) g->center_distance = B / cos(hk_involute_inverse(free));
  g->working_pressure_angle = acos(B / g->center_distance);
  /* At a larger distance than that without backlash, external gears have backlash; a ring has
   * less. */
  double play = 2 * s * B * (hk_involute_of(g->working_pressure_angle) - free) * g->cos_base;
  g->backlash = d->backlash + play;
  if (g->backlash < -1e-12 * B)
    return hk_fail(err, HK_EINPUT,
                   "the backlash is negative, %.4g um: profile shifts of %.6g and %.6g need a "
                   "center distance %s %.6g mm",
                   g->backlash * 1e6, g->shift[0], g->shift[1], d->ring ? "of at most" : "from",
                   B / cos(hk_involute_inverse(free)) * 1e3);
  return HK_OK;
}

/* The rounded tip of the rack, in the transverse section: it touches the straight flank at the
 * depth of the addendum and the bottom at the depth of the dedendum. */
typedef struct rack_tip {
  double radius;
  /* depth of the centre of the rounding below the pitch line of the rack, which rolls on the reference circle */
  double depth;
  double side; /* distance of the centre of the rounding from the middle of the rack tooth */
} rack_tip;

static rack_tip tip_of(const hk_gear_drawing *d, const hk_involute *g, int gear) {
  double alpha = g->transverse_pressure_angle, sine = sin(alpha), cosine = cos(alpha);
  double radius = fmax(0, d->dedendum - d->addendum) * d->module / (1 - sine);
  double below =
      d->dedendum * d->module - radius; /* the datum line, at which tooth and space are equal */
  double quarter = M_PI * d->module / cos(d->helix_angle) / 4,
         thinner = d->backlash / (4 * g->cos_base);
  return (rack_tip){radius, below - g->shift[gear] * d->module,
                    quarter - below * tan(alpha) - (radius - thinner) / cosine};
}

/* While the rack rolls, the normal of the surface cut by its tip passes through the pitch point,
 * at an angle to the pitch line that decreases from 90 degrees, at the root, to the pressure
 * angle. Returns true if the fillet at this angle is beyond the flank; *r: its radius. */
static bool cuts_flank(const hk_involute *g, int gear, const rack_tip *t, double normal,
                       double *r) {
  double reference = g->reference_radius[gear], rb = g->base_radius[gear];
  double away = t->depth / sin(normal) + t->radius, x = away * cos(normal),
         y = reference - away * sin(normal);
  double moved = t->depth / tan(normal) - t->side;
  *r = hypot(x, y);
  double half = M_PI / g->teeth[gear] - atan2(x, y) + moved / reference;
  return *r > rb && half >= g->half_angle[gear] - hk_involute_of(acos(rb / *r));
}

/* The involute of an external gear ends at the end of the straight flank of the rack: further
 * inside contact would be with the fillet. A rack that reaches beyond the point at which the
 * line of action touches the base circle undercuts the flank; the flank then begins at the
 * intersection with the path of the rack tip. */
static double form_roll(const hk_gear_drawing *d, const hk_involute *g, int gear, bool *undercut) {
  enum { PLACES = 400, HALVES = 50 };
  double alpha = g->transverse_pressure_angle, sine = sin(alpha), r;
  double straight =
      g->reference_radius[gear] * sine - (d->addendum - g->shift[gear]) * d->module / sine;
  const rack_tip tip = tip_of(d, g, gear);
  *undercut = false;
  double last = M_PI / 2, normal = last;
  for (int i = 1; i <= PLACES && straight < 0; i++, last = normal) {
    normal = M_PI / 2 + (alpha - M_PI / 2) * i / PLACES;
    if (!cuts_flank(g, gear, &tip, normal, &r)) continue;
    for (int k = 0; k < HALVES; k++) {
      double middle = 0.5 * (normal + last);
      *(cuts_flank(g, gear, &tip, middle, &r) ? &normal : &last) = middle;
    }
    cuts_flank(g, gear, &tip, normal, &r);
    *undercut = true;
    return sqrt(r * r - pow(g->base_radius[gear], 2));
  }
  return straight;
}

/* The tip of a ring generated by the rack often reaches into the fillet of its mating gear; it
 * is then cut at the start of the fillet. */
static double ring_tip(const hk_involute *g, double ra) {
  double form = fmax(g->form_roll[0], 0.02 * g->base_pitch), rb = g->base_radius[1];
  return fmax(ra, hypot(rb, g->center_distance * sin(g->working_pressure_angle) + form));
}

static void set_circles(const hk_gear_drawing *d, hk_involute *g) {
  double s = g->sign, a0 = g->reference_radius[1] + s * g->reference_radius[0];
  double thinner = d->backlash / (4 * g->cos_base),
         inv = hk_involute_of(g->transverse_pressure_angle);
  /* Tips are shortened so that the clearance to the root of the other gear stays that of the
   * rack. */
  double k = s * (s * (g->shift[0] + g->shift[1]) - (g->center_distance - a0) / d->module);
  g->tip_shortening = d->ring ? 0 : fmax(k, 0);
  for (int i = 0; i < 2; i++) {
    bool ring = i == 1 && s < 0;
    double out = ring ? -1 : 1, x = g->shift[i], rb = g->base_radius[i];
    double ra = g->reference_radius[i] + out * d->module * (d->addendum + x - g->tip_shortening);
    g->half_angle[i] =
        (M_PI / 2 + out * 2 * x * tan(d->pressure_angle)) / d->teeth[i] + inv - out * thinner / rb;
    if (!ring) g->form_roll[i] = form_roll(d, g, i, &g->undercut[i]);
    if (ring) ra = ring_tip(g, ra);
    g->tip_radius[i] = isnan(d->tip_diameter[i]) ? ra : d->tip_diameter[i] / 2;
    g->root_radius[i] = g->reference_radius[i] - out * d->module * (d->dedendum - x);
    g->pitch_radius[i] = rb / cos(g->working_pressure_angle);
    g->pitch_roll[i] = rb * tan(g->working_pressure_angle);
  }
}

/* Checks the tips: not pointed, and outside (ring: inside) the start of the involute. */
static hk_status check_tips(hk_involute *g, hk_error *err) {
  for (int i = 0; i < 2; i++) {
    bool ring = i == 1 && g->sign < 0;
    double ra = g->tip_radius[i], rb = g->base_radius[i], angle;
    if (!(ra > rb))
      return hk_fail(err, HK_EINPUT,
                     "the tip diameter of gear %c, %.6g mm, is not above its base circle, %.6g mm",
                     "ab"[i], 2e3 * ra, 2e3 * rb);
    if (ring ? ra >= g->root_radius[i] : ra <= g->root_radius[i])
      return hk_fail(
          err, HK_EINPUT,
          "the tip diameter of gear %c, %.6g mm, must be %s than its root diameter, %.6g mm",
          'a' + i, 2e3 * ra, ring ? "smaller" : "larger", 2e3 * g->root_radius[i]);
    angle = acos(rb / ra);
    double half = g->half_angle[i] - hk_involute_of(angle);
    g->tip_thickness[i] = 2 * ra * (ring ? M_PI / g->teeth[i] - half : half);
    if (!(g->tip_thickness[i] > 0))
      return hk_fail(err, HK_EINPUT,
                     "the teeth of gear %c are pointed: they would be %.4g mm thick at the tip "
                     "diameter of %.6g mm; reduce it or the profile shift",
                     'a' + i, 1e3 * g->tip_thickness[i], 2e3 * ra);
    g->tip_roll[i] = sqrt(ra * ra - rb * rb);
  }
  return HK_OK;
}

/* An undercut leaves space for the tip of the mating gear. */
static hk_status check_fillet(const hk_involute *g, int gear, double roll, hk_error *err) {
  double form = g->form_roll[gear];
  if (g->undercut[gear] || roll >= form - 1e-9 * g->base_radius[gear]) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the teeth interfere: the tip of gear %c reaches %.4g mm into the root fillet of "
                 "gear %c along the line of action; reduce the tip diameter of %c",
                 "ba"[gear], 1e3 * (form - roll), "ab"[gear], "ba"[gear]);
}

static hk_status check_clearance(const hk_involute *g, hk_error *err) {
  for (int i = 0; i < 2; i++) {
    double tip = g->tip_radius[i], root = g->root_radius[1 - i], a = g->center_distance, room;
    if (g->sign > 0)
      room = a - tip - root;
    else
      room = i == 0 ? root - a - tip : tip - a - root; /* root of the ring, then of the pinion */
    if (room < -1e-9 * a)
      return hk_fail(
          err, HK_EINPUT,
          "the teeth interfere: the tip of gear %c reaches %.4g mm below the root circle "
          "of gear %c",
          "ab"[i], -1e3 * room, "ba"[i]);
  }
  return HK_OK;
}

static hk_status set_path(hk_involute *g, hk_error *err) {
  double length = g->center_distance * sin(g->working_pressure_angle);
  /* R1 at the contact of the tip of gear 2. */
  double first = g->sign * (length - g->tip_roll[1]), last = g->tip_roll[0];
  if (!(first > 0))
    return hk_fail(err, HK_EINPUT,
                   "the teeth interfere: the tip of gear b would touch gear a %.4g mm below its "
                   "base circle along the line of action; reduce the tip diameter of b",
                   -1e3 * first);
  if (!(length - g->sign * last > 0))
    return hk_fail(err, HK_EINPUT,
                   "the teeth interfere: the tip of gear a would touch gear b %.4g mm below its "
                   "base circle along the line of action; reduce the tip diameter of a",
                   1e3 * (g->sign * last - length));
  hk_status status = check_fillet(g, 0, first, err);
  if (!status) status = check_fillet(g, 1, length - g->sign * last, err);
  if (status) return status;
  if (g->undercut[0]) first = fmax(first, g->form_roll[0]);
  if (g->undercut[1]) last = fmin(last, length - g->form_roll[1]);
  g->path[0] = first;
  g->path[1] = last;
  g->end_roll[0] = last;
  g->end_roll[1] = length - g->sign * first;
  g->transverse_ratio = (last - first) / g->base_pitch;
  g->overlap_ratio = g->face_width * fabs(sin(g->helix_angle)) / (M_PI * g->module);
  g->total_ratio = g->transverse_ratio + g->overlap_ratio;
  if (!(g->total_ratio >= 1))
    return hk_fail(
        err, HK_EINPUT,
        "the contact ratio is %.4g; below 1 there are times without any tooth pair in contact",
        g->total_ratio);
  return HK_OK;
}

hk_status hk_involute_design(const hk_gear_drawing *d, hk_involute *g, hk_error *err) {
  hk_status status = check_rack(d, err);
  if (status) return status;
  *g = (hk_involute){.sign = d->ring ? -1 : 1,
                     .teeth = {d->teeth[0], d->teeth[1]},
                     .module = d->module,
                     .helix_angle = d->helix_angle,
                     .face_width = d->face_width};
  g->transverse_pressure_angle = atan(tan(d->pressure_angle) / cos(d->helix_angle));
  g->tan_base = tan(d->helix_angle) * cos(g->transverse_pressure_angle);
  g->base_helix_angle = atan(g->tan_base);
  g->cos_base = cos(g->base_helix_angle);
  for (int i = 0; i < 2; i++) {
    g->reference_radius[i] = d->teeth[i] * d->module / cos(d->helix_angle) / 2;
    g->base_radius[i] = g->reference_radius[i] * cos(g->transverse_pressure_angle);
  }
  g->base_pitch = 2 * M_PI * g->base_radius[0] / d->teeth[0];
  status = set_center(d, g, err);
  if (status) return status;
  set_circles(d, g);
  status = check_tips(g, err);
  if (!status) status = check_clearance(g, err);
  return status ? status : set_path(g, err);
}
