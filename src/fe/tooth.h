/* The outline of a gear's tooth in a transverse section: involute flank, and the fillet that the rounded tip
 * of the rack leaves, as it is generated [Litvin2004, chapter 6].  The teeth of a ring point inwards; their
 * fillet is an arc that touches flank and root circle, because it depends on the cutter.
 *
 * Polar coordinates about the gear's centre, the angle from the middle of the tooth; the tooth is
 * symmetric, so half of it is enough.
 */
#ifndef HK_FE_TOOTH_H
#define HK_FE_TOOTH_H
#include <hooke/base.h>
#include <stdbool.h>

/* A gear by itself, transverse section; lengths in m, angles in rad. */
typedef struct hk_fe_tooth {
  int teeth;
  double base_radius, tip_radius, root_radius;
  double half_angle; /* that a tooth (of a ring: a space) takes at the base circle, half of it */
  double reference_radius;
  double pressure_angle; /* at the reference circle */
  double corner_radius;  /* of the rack's tip: 0.38 modules by ISO 53; of a ring: of the fillet */
  bool ring;
} hk_fe_tooth;

typedef struct hk_fe_outline {
  hk_fe_tooth tooth;
  double rho; /* radius of the rack's corner */
  double depth,
      side; /* of the corner's centre: below the reference circle, from the middle of the space */
  double centre, centre_angle; /* of a ring's fillet: radius and angle of its centre */
  double form_normal;          /* angle of the corner's normal where the flank begins, rad */
  double form_radius, form_roll;
} hk_fe_outline;

/* Largest fillet of a ring that leaves the flank up to this roll length; at most the tooth's corner_radius. */
double hk_fe_ring_fillet(const hk_fe_tooth *t, double roll);

/* Refuses teeth that such a rack does not make. */
hk_status hk_fe_outline_make(const hk_fe_tooth *t, hk_fe_outline *out, hk_error *err);

/* Half of the angle that the tooth takes at radius r, root to tip. */
double hk_fe_outline_half(const hk_fe_outline *o, double r);
/* Point of the fillet where the rack's corner has this normal: form_normal .. pi/2, where the root
 * circle begins. */
void hk_fe_outline_fillet(const hk_fe_outline *o, double normal, double *r, double *angle);
/* The flank at roll length R: radius, and the angle of the line of action's foot on the base circle.
 * The outward normal there is (cos foot, -sin foot) in (x, y) = r (sin angle, cos angle). */
void hk_fe_outline_flank(const hk_fe_outline *o, double R, double *r, double *foot);
#endif
