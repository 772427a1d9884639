/* Geometry of a pair of cylindrical involute gears, spur or helical, external or with a ring: pure
 * functions [ISO21771; Litvin2004].
 *
 * In a transverse section the flanks are involutes of the base circles rb1, rb2, which touch on the line
 * of action, the common tangent of the base circles.  Places on it are told by the roll lengths R1 and R2,
 * the distances from the points where it touches the base circles: they are also the flanks' radii of
 * curvature.  With the centre distance a and the working pressure angle, cos(alpha) = (rb2 + s rb1)/a,
 *   R2 = a sin(alpha) - s R1,   s = 1 for external gears, -1 for a ring
 * A tooth of gear 1 whose middle stands at the angle c1 from the line of centres touches at
 *   R1 = rb1 (f c1 + psi1 + alpha),   f = 1: flank that drives when gear 1 turns to the left, -1: other
 * where psi is half of the angle that a tooth (of a ring: a space) takes at the base circle, and the flanks
 * overlap along the line of action by
 *   delta = R1 + s R2' - s a sin(alpha),   R2' = rb2 (f c2 + psi2 + alpha)
 * Its gradient is the direction of the line of action, for any motion of the two centres.
 *
 * Helical gears are turned along their axis, by tan(beta_b)/rb per length; distances along the common
 * normal are cos(beta_b) times those of the transverse section.
 */
#ifndef HK_GEAR_INVOLUTE_H
#define HK_GEAR_INVOLUTE_H
#include <hooke/base.h>
#include <stdbool.h>

/* A pair as its drawing gives it.  NAN: not given. */
typedef struct hk_gear_drawing {
  int teeth[2];
  bool ring;                 /* gear 2 has internal teeth */
  double module;             /* normal, m */
  double pressure_angle;     /* of the rack, normal section, rad */
  double helix_angle;        /* of gear 1 at the reference cylinder, rad; > 0: right hand */
  double profile_shift[2];   /* in modules; of a ring > 0: tooth thicker, tip further in */
  double center_distance;    /* m */
  double face_width;         /* m: the common one */
  double tip_diameter[2];    /* m */
  double addendum, dedendum; /* of the rack, in modules: 1 and 1.25 by ISO 53 */
  double backlash; /* m: clearance between the flanks along the common normal, by thinner teeth */
} hk_gear_drawing;

typedef struct hk_involute {
  double sign; /* s above */
  int teeth[2];
  double module;                    /* normal, m */
  double transverse_pressure_angle; /* at the reference circle, rad */
  double working_pressure_angle;    /* at the pitch circle, transverse, rad */
  double helix_angle, base_helix_angle;
  double cos_base, tan_base; /* of the base helix angle */
  double shift[2];           /* profile shift in modules */
  double tip_shortening;     /* in modules */
  double center_distance, face_width;
  double reference_radius[2], base_radius[2], pitch_radius[2], tip_radius[2], root_radius[2];
  double half_angle[2]; /* psi above, rad */
  double base_pitch;    /* transverse, m */
  double tip_roll[2];   /* roll length at the tip */
  double form_roll[2];  /* ... where the flank begins above the fillet; of a ring: 0 */
  bool undercut[2];     /* the rack's tip has cut away the flank next to the base circle */
  /* Roll length at which contact ends towards the tip: that of the tip, or less (of a ring: more) where the
   * flank of an undercut mate begins above what the tip reaches, at the center distance of the drawing. */
  double end_roll[2];
  double pitch_roll[2]; /* ... at the pitch point, T */
  double path[2];       /* R1 at which the contact of a pair begins and ends */
  double transverse_ratio, overlap_ratio, total_ratio;
  double backlash;         /* of the working pair along the common normal, m */
  double tip_thickness[2]; /* at the tip circle, transverse, m */
} hk_involute;

/* Refuses what cannot run, with the numbers: pointed teeth, tips that meet roots or run below the base
 * circle, contact ratio below one, negative backlash. */
hk_status hk_involute_design(const hk_gear_drawing *d, hk_involute *out, hk_error *err);

/* tan(x) - x, and its inverse for x in [0, pi/2). */
double hk_involute_of(double angle);
double hk_involute_inverse(double inv);

/* Distance along the line of action from the flank of gear i (0, 1) at roll length R to the middle of its
 * tooth: how deep its material is under the contact.  `slope` is dh/dR. */
double hk_involute_depth(const hk_involute *g, int gear, double R, double *slope);

/* Equivalent radius of curvature of both flanks in the normal section, with its derivatives. */
double hk_involute_radius(const hk_involute *g, double R1, double R2, double slope[2]);

#endif
