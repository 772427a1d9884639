/* One flank of a gear pair, forward or backward, in all its transverse sections: roll lengths, overlap and
 * sliding of pair 0 of teeth, with everything's derivative by place (gear/place.h).
 *
 * Helical teeth: a height changes the overlap by tan(beta_b) times as much, and the heights that count are
 * those at the contact, at which the teeth of both gears are cut.  With the place of contact,
 *   p = s (rb1/cos(alpha) + w sin(alpha)) e + s f w cos(alpha) t,   w = R1 - rb1 tan(alpha),
 * e along the line of centres, t to the left of it, the heights of gear/place.h differ by
 *   h = z + X E + Y T,   X = 2 s (rb1/cos(alpha) + w sin(alpha)) - a,   Y = 2 s f w cos(alpha)
 * with the lean E, T of the axes.  So the force acts at the contact, on both gears, and tips each of them by
 * its own radius.  Pairs further on have another w, and by `step` another overlap where axes lean.
 */
#ifndef HK_GEAR_FLANK_H
#define HK_GEAR_FLANK_H
#include "gear/place.h"
#include "gear/slots.h"

/* One section. */
typedef struct hk_gear_rows {
  double overlap[6], overlap_q[6][6]; /* of pair 0 */
  double roll[2][6];
  double turn[2][6], turn_q[2][6][6]; /* gradients of the angles behind hk_gear_section.turn */
  double radial[6], radial_q[6][6];
} hk_gear_rows;

/* What all of a flank's work needs. */
typedef struct hk_gear_flank_at {
  const hk_gear_pair *p;
  const hk_gear_relative *at;
  const hk_gear_axes *axes;
  const hk_gear_stand *stand;
  double f;  /* 1: forward, -1: backward */
  int other; /* tooth of gear 2 in pair 0, in base pitches of it; that of gear 1 is in slots */
  hk_gear_section *section;
  hk_gear_rows *rows;
  hk_place_value step; /* by which the overlap of the next pair is larger; spur teeth: 0 */
  double narrower;     /* slope of ln(common face width) by the shift */
  hk_gear_slots slots;
} hk_gear_flank_at;

/* All sections, with pair 0 near the pitch point; `second`: also the derivatives of gradients. */
void hk_gear_set_sections(hk_gear_flank_at *k, bool second);

static inline double hk_gear_along(const double g[6], const double rate[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += g[i] * rate[i];
  return sum;
}
#endif
