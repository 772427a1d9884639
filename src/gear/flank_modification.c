/* See flank_modification.h. */
#include "gear/flank_modification.h"
#include <math.h>

/* amount * (t/length)^2 for t > 0 */
static double relief(double amount, double length, double t, double *slope) {
  *slope = 0;
  if (!(t > 0) || !(length > 0)) return 0;
  *slope = 2 * amount * t / (length * length);
  return amount * t * t / (length * length);
}

/* Reads a measured trace; beyond its ends, which the path of contact exceeds by micrometres at
 * most, the end value is used. */
static void read_trace(const hk_curve *c, double roll, double y[3]) {
  if (hk_curve_covers(c, roll)) {
    hk_curve_jet(c, roll, y);
    return;
  }
  y[0] = hk_curve_value(c, roll < c->x[0] ? c->x[0] : c->x[c->n - 1]);
  y[1] = 0;
}

/* Linear interpolation between the two nearest traces. */
static double topography(const hk_gear_shape *s, double roll, double axial, double slope[2]) {
  double at = fmax(0, fmin(1, axial / s->face_width + 0.5)) * (s->traces - 1), low[3], high[3];
  int first = (int)fmin(floor(at), s->traces - 2);
  read_trace(s->trace[first], roll, low);
  read_trace(s->trace[first + 1], roll, high);
  double part = at - first, inside = at > 0 && at < s->traces - 1;
  slope[0] += low[1] + part * (high[1] - low[1]);
  slope[1] += inside * (high[0] - low[0]) * (s->traces - 1) / s->face_width;
  return low[0] + part * (high[0] - low[0]);
}

double hk_gear_shape_at(const hk_gear_shape *s, double roll, double axial, double slope[2]) {
  double half = (s->last - s->first) / 2, t = (roll - s->first) / half - 1;
  double tip, root, z = 2 * axial / s->face_width, up = s->last > s->first ? 1 : -1, y[3];
  double e = s->crown * t * t + s->lead_crown * z * z + 0.5 * s->lead_slope * z;
  slope[0] = 2 * s->crown * t / half;
  slope[1] = (4 * s->lead_crown * z + s->lead_slope) / s->face_width;
  e += relief(s->tip_relief, s->tip_length, s->tip_length - up * (s->last - roll), &tip);
  e += relief(s->root_relief, s->root_length, s->root_length - up * (roll - s->first), &root);
  slope[0] += up * (tip - root);
  if (s->profile) {
    read_trace(s->profile, roll, y);
    e += y[0];
    slope[0] += y[1];
  }
  if (s->traces) e += topography(s, roll, axial, slope);
  if (!s->lead) return e;
  read_trace(s->lead, axial, y);
  slope[1] += y[1];
  return e + y[0];
}

double hk_gear_shape_least(const hk_gear_shape *s, double beyond) {
  enum { PLACES = 400, SECTIONS = 32 };
  if (!s->profile && !s->lead && !s->traces) return -0.5 * fabs(s->lead_slope);
  double low = fmin(s->first, s->last) - beyond, high = fmax(s->first, s->last) + beyond;
  double least = INFINITY, most = -INFINITY, slope[2];
  for (int i = 0; i <= SECTIONS; i++)
    for (int k = 0; k <= PLACES; k++) {
      double axial = s->face_width * ((double)i / SECTIONS - 0.5);
      double e = hk_gear_shape_at(s, low + (high - low) * k / PLACES, axial, slope);
      least = fmin(least, e);
      most = fmax(most, e);
    }
  return least - 0.5 * (most - least);
}

double hk_gear_pitch_error(const hk_gear_shape *s, int tooth) {
  if (!s->pitch_error) return 0;
  int at = tooth % s->teeth;
  return s->pitch_error[at < 0 ? at + s->teeth : at];
}
