/* Geometry of a pair of cylindrical involute gears, spur or helical, external or internal
 * (ring): pure functions [ISO21771; Litvin2004].
 *
 * In a transverse section the flanks are involutes of the base circles rb1, rb2. They touch on
 * the line of action, the common tangent of the base circles. Positions on it are given by the
 * roll lengths R1 and R2, the distances from the points at which it touches the base circles;
 * these are also the radii of curvature of the flanks. With the centre distance a and the
 * working pressure angle, cos(alpha) = (rb2 + s rb1)/a,
 *   R2 = a sin(alpha) - s R1,   s = 1 for external gears, -1 for a ring
 * A tooth of gear 1 with its middle at the angle c1 from the line of centres touches at
 *   R1 = rb1 (f c1 + psi1 + alpha)
 * with f = 1 for the flank that drives if gear 1 rotates counter-clockwise, -1 for the other
 * flank, and psi half of the angular width of a tooth (ring: of a space) at the base circle. The
 * penetration of the flanks along the line of action is
 *   delta = R1 + s R2' - s a sin(alpha),   R2' = rb2 (f c2 + psi2 + alpha)
 * Its gradient is the direction of the line of action, for any motion of the two centres.
 *
 * Helical gears are twisted along their axis by tan(beta_b)/rb per length; distances along the
 * common normal are cos(beta_b) times those of the transverse section. */
#ifndef HK_GEAR_INVOLUTE_H
#define HK_GEAR_INVOLUTE_H
#include <hooke/base.h>
#include <stdbool.h>

/* Nominal data of a pair. NAN: not given. */
typedef struct hk_gear_drawing {
  int teeth[2];
  bool ring;             /* gear 2 has internal teeth */
  double module;         /* normal, m */
  double pressure_angle; /* pressure angle of the rack, normal section, rad */
  double helix_angle; /* helix angle of gear 1 at the reference cylinder, rad; > 0: right-handed */
  double profile_shift[2];   /* in modules; ring: > 0 gives a thicker tooth and a tip further
                              * inside */
  double center_distance;    /* m */
  double face_width;         /* m: common face width */
  double tip_diameter[2];    /* m */
  double addendum, dedendum; /* coefficients of the rack, in modules: 1 and 1.25 by ISO 53 */
  double backlash; /* m: clearance between the flanks along the common normal, due to thinner
                    * teeth */
} hk_gear_drawing;

typedef struct hk_involute {
  double sign; /* s above */
  int teeth[2];
  double module;                    /* normal, m */
  double transverse_pressure_angle; /* transverse pressure angle at the reference circle, rad */
  double working_pressure_angle;    /* transverse pressure angle at the pitch circle, rad */
  double helix_angle, base_helix_angle;
  double cos_base, tan_base; /* cosine and tangent of the base helix angle */
  double shift[2];           /* profile shift in modules */
  double tip_shortening;     /* in modules */
  double center_distance, face_width;
  double reference_radius[2], base_radius[2], pitch_radius[2], tip_radius[2], root_radius[2];
  double half_angle[2]; /* psi above, rad */
  double base_pitch;    /* transverse, m */
  double tip_roll[2];   /* roll length at the tip */
  double form_roll[2];  /* roll length at which the involute begins above the fillet; ring: 0 */
  bool undercut[2];     /* the tip of the rack has cut away the flank near the base circle */
  /* Roll length at which contact ends towards the tip: that of the tip, or less (ring: more) if
   * the flank of an undercut mating gear begins above the reach of the tip; at the nominal
   * centre distance. */
  double end_roll[2];
  double pitch_roll[2]; /* roll length at the pitch point, T */
  double path[2];       /* R1 at which the contact of a pair begins and ends */
  double transverse_ratio, overlap_ratio, total_ratio;
  double backlash;         /* backlash of the working pair along the common normal, m */
  double tip_thickness[2]; /* transverse tooth thickness at the tip circle, m */
} hk_involute;

/* Computes the geometry; rejects gears that cannot run, with the values: pointed teeth, tips that
 * interfere with roots or extend below the base circle, contact ratio below one, negative
 * backlash. */
hk_status hk_involute_design(const hk_gear_drawing *d, hk_involute *out, hk_error *err);

/* tan(x) - x, and its inverse for x in [0, pi/2). */
double hk_involute_of(double angle);
double hk_involute_inverse(double inv);

/* Distance along the line of action from the flank of gear i (0, 1) at roll length R to the
 * middle of its tooth: the depth of the material under the contact. `slope` is dh/dR. */
double hk_involute_depth(const hk_involute *g, int gear, double R, double *slope);

/* Equivalent radius of curvature of both flanks in the normal section, with its derivatives. */
double hk_involute_radius(const hk_involute *g, double R1, double R2, double slope[2]);

#endif
