/* A gear pair at one moment: which teeth touch, in which slices, and how they share the load.
 *
 * The face width is cut into slices.  In each the two gears stand in a transverse section of their own (a
 * `section`), so that tilted axes and helical teeth need nothing more.  A flank's pairs of teeth follow each
 * other by one base pitch along the line of action; they are in contact between the tips of both gears.
 * At the tips contact ends over a short way, `edge`, in which the width that touches falls from all to
 * nothing: were it cut off at once the force would jump.  Or it goes on, with `corner`: beyond the tip its
 * corner recedes from the other flank by
 *   e = t^2 r (r + r')/(2 rb^2 r'),   t the way beyond the tip, r, r' the roll lengths there,
 * of the gear whose tip it is and of the other: the gap of two circles that touch beside it.
 */
#ifndef HK_GEAR_PAIR_H
#define HK_GEAR_PAIR_H
#include "gear/compliance.h"
#include "gear/involute.h"
#include "gear/mesh.h"
#include "gear/shape.h"
#include <hooke/math3.h>
#include <math.h>

typedef struct hk_gear_pair {
  hk_involute geometry;
  int slices, teeth_at_once; /* pairs that one flank can have in contact */
  const double *part;        /* [slices] middle of each over the common face, from -1/2 to 1/2 */
  double shift, face;        /* of b along the axes, and the common face width, as placed, m */
  double width;              /* of a slice along its line of contact, as placed, m */
  hk_gear_shape shape[2];
  hk_gear_compliance compliance[2][2]; /* of each gear, for the forward and the backward flank */
  bool corner;
  double edge;             /* m */
  double spread;           /* roll length between the ends of a slice of a helical tooth, m */
  double modulus, poisson; /* of the line contact: see hk_line_spot */
  const hk_line_ops *ops;
  const void *law;
  double phase;            /* angle by which the teeth of gear 2 are turned from its x axis */
  double pitch_normal;     /* along the common normal per length of the reference circle */
  double most_pitch_error; /* of two teeth that meet, along the common normal, m */
  double least_shape;      /* modification of both flanks together: none is less, m */
  hk_vec3 placed;       /* centre of gear 2 from that of gear 1 as they were placed, world axes */
  bool carried;         /* the line of centres turns, as that of a planet does */
  double torque, speed; /* of gear 1 in `hooke gear`, N m and rad/s; torque NAN: not given */
} hk_gear_pair;

/* The flanks of one pair of teeth, number 0, in one transverse section; the others stand base pitches
 * further on. */
typedef struct hk_gear_section {
  double roll[2]; /* R1, R2 */
  double overlap; /* along the common normal, m */
  double turn[2]; /* speed of each surface over the contact per roll length, rad/s */
  double radial;  /* speed of sliding that comes from centres moving apart, m/s */
  double height[2], height_slope[2]; /* along each gear's axis, and slopes by the shift of gear 2 */
  double part;                       /* common face width over that of the gears as placed */
} hk_gear_section;

/* One slice of one pair that may carry load. */
typedef struct hk_gear_touched {
  int pair, slice;        /* pair: R1 = section's + pair * base pitch */
  double roll[2];         /* in the middle of the part of its width that is in contact */
  double moves[2][2];     /* derivatives of these by the roll lengths in the middle of the slice */
  double shape_slope[2];  /* of the modification by the roll lengths */
  double radius_slope[2]; /* of the equivalent radius */
  double depth_slope[2];  /* of ln(depth2) */
  double shape_shift;     /* ... by the shift of gear 2 along the axes */
  double weight_slope[2]; /* of ln(weight) by the roll lengths in the middle of the slice */
  double weight;          /* part of the slice's width on the path of contact */
  double narrow[2]; /* slopes of its own compliance by ln(weight) and ln(common face width), m/N */
  double speed, sliding; /* sum and difference of the surfaces' speeds, m/s */
} hk_gear_touched;

/* The forward flank (1) or the backward one (-1), which sees the tables of helical gears from the other side;
 * and the teeth of pair 0: tooth 0 of a gear is the one on its x axis, or behind that by less than a pitch. */
typedef struct hk_gear_side {
  double flank;
  int tooth[2];
  double step; /* by which the overlap of the next pair is larger, m */
} hk_gear_side;

/* What a pair of teeth remembers, per slice: its film, x of gear/mesh.h (0: it was not on the path of contact),
 * the rate at which that changed over the last step, and how this rate changes. */
enum { HK_GEAR_FILM, HK_GEAR_X, HK_GEAR_X_RATE, HK_GEAR_X_BEND, HK_GEAR_TRACE };

/* Whether a film can have changed over a step of length dt: infinite ones mean that nothing changes any more, and
 * far below a nanosecond is only what rounding leaves of a time. */
static inline bool hk_gear_moves(double dt) { return dt > 1e-12 && dt < INFINITY; }

/* These numbers by number of pair; NULL: it remembers nothing. */
typedef struct hk_gear_recall {
  const double *(*of)(const void *context, int pair);
  const void *context;
  double dt;
} hk_gear_recall;

/* The loads of one flank; arrays as long as hk_gear_flank_room says. */
typedef struct hk_gear_flank_load {
  int n;
  hk_gear_touched *touched;
  hk_mesh_slice *slice;
  hk_gear_touch *touch;         /* for the compliance of one gear at a time */
  double *C, *C_roll[2], *room; /* C_roll: see hk_gear_compliance_add, of each gear */
  int iterations;
} hk_gear_flank_load;

/* How far contact may go on beyond the tips, along the roll lengths. */
double hk_gear_path_margin(const hk_gear_pair *p);
/* Doubles of scratch for one flank of the pair, and their layout. */
int hk_gear_flank_room(const hk_gear_pair *p);
void hk_gear_flank_lay(const hk_gear_pair *p, double *scratch, hk_gear_flank_load *out);
/* Which teeth touch, and the loads.  False: no loads were found.  With `slopes`, C_roll is filled. */
bool hk_gear_flank_solve(const hk_gear_pair *p, const hk_gear_section *section,
                         const hk_gear_side *side, const hk_gear_recall *recall, bool slopes,
                         hk_gear_flank_load *out);
#endif
