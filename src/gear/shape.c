/* See shape.h. */
#include "gear/shape.h"

/* amount * (t/length)^2 for t > 0 */
static double relief(double amount, double length, double t, double *slope) {
  *slope = 0;
  if (!(t > 0) || !(length > 0)) return 0;
  *slope = 2 * amount * t / (length * length);
  return amount * t * t / (length * length);
}

double hk_gear_shape_at(const hk_gear_shape *s, double roll, double axial, double *slope) {
  double half = (s->last - s->first) / 2, t = (roll - s->first) / half - 1;
  double tip, root, z = 2 * axial / s->face_width;
  double e = s->crown * t * t + s->lead_crown * z * z + 0.5 * s->lead_slope * z;
  *slope = 2 * s->crown * t / half;
  e += relief(s->tip_relief, s->tip_length, roll - (s->last - s->tip_length), &tip);
  e += relief(s->root_relief, s->root_length, s->first + s->root_length - roll, &root);
  *slope += tip - root;
  if (s->profile) {
    double y[3];
    hk_curve_jet(s->profile, roll, y);
    e += y[0];
    *slope += y[1];
  }
  return s->lead ? e + hk_curve_value(s->lead, axial) : e;
}
