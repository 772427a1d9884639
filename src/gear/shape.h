/* Modifications of a flank: material that is taken off the involute, along the normal [m].
 *   crown      parabola over the path of contact, zero in its middle, its value at both ends
 *   relief     parabola from where it begins to the tip or to the root end of the path
 *   lead       crowning over the face width, and a slope: its value at both ends, and from end to end
 *   traces     measured ones along the roll length and along the face width
 *   topography measured traces along the roll length at places over the face, linear between them
 * And where its teeth stand: pitch deviations, by which a tooth is displaced as a whole.
 */
#ifndef HK_GEAR_SHAPE_H
#define HK_GEAR_SHAPE_H
#include "expr/curve.h"

typedef struct hk_gear_shape {
  /* Roll lengths between which the flank is in contact; last: towards the tip, which a ring has where the
   * roll length is smallest (last < first). */
  double first, last;
  double face_width;
  double crown;                                            /* m */
  double tip_relief, tip_length, root_relief, root_length; /* m, lengths along the roll length */
  double lead_crown, lead_slope;
  const hk_curve *profile, *lead; /* of roll length and of axial position; NULL: none */
  /* Topography, evenly spread from one end of the face to the other: none, or from two on. */
  int traces;
  const hk_curve *const *trace;
  int teeth;
  const double
      *pitch_error; /* [teeth] to the left about the axis, at the reference circle, m; NULL: none */
} hk_gear_shape;

/* Sum of all at a roll length and an axial position from the middle; slopes by both. */
double hk_gear_shape_at(const hk_gear_shape *s, double roll, double axial, double slope[2]);
/* None of all is less anywhere on the face, on the path of contact and so far beyond its ends.  Measured traces are
 * looked at in some thousand places, and half of their range is allowed for what lies between. */
double hk_gear_shape_least(const hk_gear_shape *s, double beyond);
/* Of a tooth, by any number that counts on around the gear. */
double hk_gear_pitch_error(const hk_gear_shape *s, int tooth);
#endif
