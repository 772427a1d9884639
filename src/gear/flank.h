/* One flank of a gear pair, forward or backward, in all its transverse sections: roll lengths,
 * penetration and sliding of tooth pair 0, with all derivatives with respect to position
 * (gear/relative_position.h).
 *
 * Position of the contact: a flank of gear 1 meets the line of action at the roll length R1, that of
 * gear 2 at R2. They touch if R1 and R2 add up to the length a sin(alpha) of the line between the
 * base circles. If the sum is larger, the flanks penetrate each other by the difference delta. The deflections of the
 * individual teeth are not known here, and both gears must be treated equally. Therefore the contact is assumed
 * half-way between both flanks, at the roll length R1 - delta/2 of gear 1.
 *
 * Helical teeth: a height changes the penetration by tan(beta_b) times the height. The relevant
 * heights are those at the contact, at which the teeth of both gears are cut. With the contact
 * position,
 *   p = s (rb1/cos(alpha) + w sin(alpha)) e + s f w cos(alpha) t,   w = R1 - delta/2 - rb1 tan(alpha),
 * e along the line of centres, t perpendicular to it (counter-clockwise), the heights of
 * gear/relative_position.h differ by
 *   h = z + X E + Y T,   X = 2 s (rb1/cos(alpha) + w sin(alpha)) - a,   Y = 2 s f w cos(alpha)
 * with the inclination (lean) E, T of the axes. Therefore the force acts at the contact, on both
 * gears, with the lever arm of each gear. Other tooth pairs have another w and, if the axes are
 * inclined, another penetration by `step`. */
#ifndef HK_GEAR_FLANK_H
#define HK_GEAR_FLANK_H
#include "gear/relative_position.h"
#include "gear/slots.h"

/* The pressure angle of a section, and its derivative with respect to the distance of the centres. */
typedef struct hk_gear_mesh_angle {
  double alpha, sine, cosine, tangent, by_distance;
} hk_gear_mesh_angle;

/* One section. */
typedef struct hk_gear_rows {
  hk_gear_mesh_angle angle;           /* the same for both flanks */
  double overlap[6], overlap_q[6][6]; /* penetration of pair 0 */
  double roll[2][6];
  /* gradients of the rotation angles whose rates are hk_gear_section.turn */
  double turn[2][6], turn_q[2][6][6];
  double radial[6], radial_q[6][6];
} hk_gear_rows;

/* Data for all computations of one flank. */
typedef struct hk_gear_flank_at {
  const hk_gear_pair *p;
  const hk_gear_relative *at;
  const hk_gear_axes *axes;
  const hk_gear_centers *centers;
  double f; /* 1: forward, -1: backward */
  /* tooth of gear 2 in pair 0, in base pitches of that gear; for the tooth of gear 1 see slots.h */
  int other;
  hk_gear_section *section;
  hk_gear_rows *rows;
  hk_gear_value
      step;        /* penetration of the next pair minus penetration of this pair; spur teeth: 0 */
  double narrower; /* derivative of ln(common face width) with respect to the shift */
  hk_gear_slots slots;
} hk_gear_flank_at;

/* Computes the pressure angles of n sections. */
void hk_gear_set_angles(const hk_involute *g, const hk_gear_centers *centers, int n,
                        hk_gear_rows *rows);
/* Computes positions, penetrations and heights of all sections, with pair 0 near the pitch point, and step.v. */
void hk_gear_set_sections(hk_gear_flank_at *k);
/* Computes, after hk_gear_set_sections, gradients and rates of the sections and the rest of `step`; `second`: also the
 * derivatives of the gradients. */
void hk_gear_set_rows(hk_gear_flank_at *k, bool second);

static inline double hk_gear_along(const double g[6], const double rate[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += g[i] * rate[i];
  return sum;
}
#endif
