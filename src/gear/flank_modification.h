/* Modifications of a flank: material removed from the involute, along the normal [m].
 *   crown      parabola over the path of contact, zero in its middle, the given value at both ends
 *   relief     parabola from its start to the tip or to the root end of the path
 *   lead       crowning over the face width (value at both ends), and slope (value from end to end)
 *   traces     measured along the roll length and along the face width
 *   topography measured traces along the roll length at several positions of the face, linear between them
 * Also the pitch deviations, by which whole teeth are displaced. */
#ifndef HK_GEAR_FLANK_MODIFICATION_H
#define HK_GEAR_FLANK_MODIFICATION_H
#include "expr/curve.h"

typedef struct hk_gear_shape {
  /* Roll lengths between which the flank is in contact; last: towards the tip, which for a ring
   * is at the smallest roll length (last < first). */
  double first, last;
  double face_width;
  double crown;                                            /* m */
  double tip_relief, tip_length, root_relief, root_length; /* amounts in m; lengths are roll
                                                            * lengths, m */
  double lead_crown, lead_slope;
  const hk_curve *profile, *lead; /* functions of roll length and of axial position; NULL: none */
  /* Topography: traces evenly spaced from one end of the face to the other; none, or at least
   * two. */
  int traces;
  const hk_curve *const *trace;
  int teeth;
  const double *pitch_error; /* [teeth] positive counter-clockwise about the axis, at the reference
                     * circle, m; NULL: none */
} hk_gear_shape;

/* Sum of all modifications at a roll length and an axial position from the middle; derivatives
 * with respect to both. */
double hk_gear_shape_at(const hk_gear_shape *s, double roll, double axial, double slope[2]);
/* Lower bound of the modifications on the face, on the path of contact and up to `beyond` past
 * its ends. Measured traces are sampled at some thousand points, and half of their range is
 * subtracted for values between the samples. */
double hk_gear_shape_least(const hk_gear_shape *s, double beyond);
/* Pitch deviation of a tooth; numbers beyond the number of teeth continue around the gear. */
double hk_gear_pitch_error(const hk_gear_shape *s, int tooth);
#endif
