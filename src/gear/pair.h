/* A gear pair at one instant: teeth and slices in contact, and their load sharing.
 *
 * The face width is divided into slices. Each slice has its own transverse section (`section`) of the two gears, so
 * that tilted axes and helical teeth need no other treatment. The tooth pairs of a flank follow each other by one base
 * pitch along the line of action; they are in contact between the tips of both gears. At the tips contact is blended
 * out over a short length (`blend_length` of the model file), in which the fraction of the width in contact decreases
 * from one to zero: an abrupt end would make the force jump. With `corner_contact`, contact continues: beyond the tip
 * its corner recedes from the other flank by
 *
 *   e = t^2 r (r + r')/(2 rb^2 r')
 *
 * with t the distance beyond the tip and r, r' the roll lengths there, of the gear with this tip and of the other gear:
 * the gap of two circles near their point of contact. */
#ifndef HK_GEAR_PAIR_H
#define HK_GEAR_PAIR_H
#include "gear/compliance.h"
#include "gear/involute.h"
#include "gear/load_sharing.h"
#include "gear/flank_modification.h"
#include <hooke/math3.h>
#include <math.h>

typedef struct hk_gear_pair {
  hk_involute geometry;
  int slices, teeth_at_once; /* maximum number of tooth pairs of one flank in contact */
  /* [slices] middle of each slice as a fraction of the common face, from -1/2 to 1/2 */
  const double *part;
  double face_of[2];   /* face width of each gear, m */
  double shift;        /* axial shift of `b` as placed, m */
  double face, middle; /* width and middle of the common face as placed, m */
  double width;        /* width of a slice along its contact line, as placed, m */
  hk_gear_shape shape[2];
  hk_gear_compliance compliance[2][2]; /* compliance of each gear, for the forward and the
                                        * backward flank */
  bool corner;
  double edge;             /* m */
  double spread;           /* roll length between the ends of a slice of a helical tooth, m */
  double modulus, poisson; /* constants of the line contact: see hk_line_spot */
  const hk_line_ops *ops;
  const void *law;
  double phase;        /* angle by which the teeth of gear 2 are rotated from its x axis */
  double pitch_normal; /* distance along the common normal per length of the reference circle */
  /* maximum pitch deviation of two meeting teeth, along the common normal, m */
  double most_pitch_error;
  double least_shape; /* lower bound of the sum of the modifications of both flanks, m */
  hk_vec3 placed;     /* vector from the centre of gear 1 to that of gear 2 as placed, world axes */
  bool carried;       /* the line of centres rotates, as for a planet gear */
  /* data for `hooke gear`: torque [N m] and speed [rad/s] of gear 1; torque NAN: not given */
  double torque, speed;
} hk_gear_pair;

/* The flanks of tooth pair 0 in one transverse section; each further pair is one base pitch away. */
typedef struct hk_gear_section {
  double roll[2]; /* R1, R2 */
  double overlap; /* along the common normal, m */
  /* speed of each surface relative to the contact point, divided by the roll length; rad/s */
  double turn[2];
  double radial; /* part of the sliding velocity due to a change of the centre distance, m/s */
  double height[2], height_slope[2]; /* along the axis of each gear, and derivatives with respect
                                      * to the shift of gear 2 */
  /* common face width divided by the common face width in the initial position */
  double part;
} hk_gear_section;

/* One slice of one tooth pair that may carry load. */
typedef struct hk_gear_touched {
  int pair, slice;        /* pair: number of the tooth pair; its R1 is that of the section plus
                           * `pair` base pitches */
  double roll[2];         /* roll lengths in the middle of the part of the slice that is in
                           * contact */
  double moves[2][2];     /* derivatives of `roll` with respect to the roll lengths in the middle
                           * of the slice */
  double shape_slope[2];  /* derivatives of the modification with respect to the roll lengths */
  double radius_slope[2]; /* derivatives of the equivalent radius */
  double depth_slope[2];  /* derivatives of ln(depth2) */
  double shape_shift;     /* derivative of the modification with respect to the axial shift of
                           * gear 2 */
  double weight_slope[2]; /* derivatives of ln(weight) with respect to the roll lengths in the
                           * middle of the slice */
  double weight;          /* fraction of the slice width on the path of contact */
  double narrow[2]; /* derivatives of its own compliance with respect to ln(weight) and ln(common
                     * face width), m/N */
  double speed, sliding; /* sum and difference of the surface speeds, m/s */
} hk_gear_touched;

/* The forward flank (1) or the backward one (-1), for which the tables of helical gears are
 * mirrored, and the teeth of pair 0: tooth 0 of a gear is the one on its x axis, or the one less
 * than a pitch behind it. */
typedef struct hk_gear_side {
  double flank;
  int tooth[2];
  double step; /* penetration of the next pair minus penetration of this pair, m */
} hk_gear_side;

/* Internal variables of a tooth pair, per slice: its film thickness, x of gear/load_sharing.h (0: it was
 * not on the path of contact), the rate of x over the last step, and the change of this rate. */
enum { HK_GEAR_FILM, HK_GEAR_X, HK_GEAR_X_RATE, HK_GEAR_X_BEND, HK_GEAR_TRACE };

/* Returns true if a film can change over a step of size dt: infinite dt means steady state, and values far below a
 * nanosecond are round-off of the time. */
static inline bool hk_gear_moves(double dt) { return dt > 1e-12 && dt < INFINITY; }

/* Internal variables of the tooth pairs by number of the pair; NULL: not stored. */
typedef struct hk_gear_recall {
  const double *(*of)(const void *context, int pair);
  const void *context;
  double dt;
} hk_gear_recall;

/* The loads of one flank; for the length of the arrays see hk_gear_flank_scratch. */
typedef struct hk_gear_flank_load {
  int n;
  hk_gear_touched *touched;
  hk_mesh_slice *slice;
  hk_gear_touch *touch;         /* working memory for the compliance of one gear at a time */
  double *C, *C_roll[2], *room; /* C_roll of each gear: see hk_gear_compliance_add */
  int iterations;
} hk_gear_flank_load;

/* Distance along the roll lengths by which contact may continue beyond the tips. */
double hk_gear_path_margin(const hk_gear_pair *p);
/* Number of doubles of scratch memory for one flank of the pair, and their layout. */
int hk_gear_flank_scratch(const hk_gear_pair *p);
void hk_gear_flank_lay(const hk_gear_pair *p, double *scratch, hk_gear_flank_load *out);
/* Determines the teeth in contact and their loads. Returns false if Newton's iteration fails.
 * With `slopes`, C_roll is filled. */
bool hk_gear_flank_solve(const hk_gear_pair *p, const hk_gear_section *section,
                         const hk_gear_side *side, const hk_gear_recall *recall, bool slopes,
                         hk_gear_flank_load *out);
#endif
