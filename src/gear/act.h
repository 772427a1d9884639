/* What a gear pair exerts: from the place and motion of gear 2 as seen from gear 1 to a generalised force Q
 * along (u, psi) of gear/place.h, with its derivatives by place and by rates.
 *
 * Every slice presses with F along the gradient of its overlap, -F grad(delta), and rubs with T along the
 * gradient of its sliding.  The loads follow from gear/pair.h; their derivatives from the implicit function
 * theorem.
 *
 * Energy.  Teeth store F^T C F/2 and the local deformations.  The rest of the power -F delta' is
 *   lost   by the squeezed film, F_D (q' - h'), by dampers and by sliding;
 *   fed in by the rolling surfaces that draw oil into the gap, F_SS h', and where flanks or compliance
 *          change along the path of contact, which over a pitch adds up to nothing.
 * Where a law fades, F_SS and the energy of the local deformation are the parts of them that are left, so that a
 * slice that comes within its reach stores nothing yet; what the energy changes by because the part does is fed in.
 */
#ifndef HK_GEAR_ACT_H
#define HK_GEAR_ACT_H
#include "gear/place.h"
#include "gear/record.h"

typedef struct hk_gear_action {
  double Q[6];
  double Q_q[6][6], Q_v[6][6];
  double potential, dissipated, applied;
} hk_gear_action;

/* Doubles of scratch; of memory: gear/slots.h. */
int hk_gear_act_room(const hk_gear_pair *p);
/* NULL, or what went wrong in words.  `memory` and `record` may be NULL. */
const char *hk_gear_act(const hk_gear_pair *p, const hk_gear_relative *at, const double *memory,
                        double dt, bool tangent, double *room, hk_gear_action *out,
                        hk_gear_record *record);
/* What the teeth in contact remember of this moment. */
void hk_gear_remember(const hk_gear_pair *p, const hk_gear_relative *at, double dt, double *room,
                      double *memory);
/* Overlap of the forward flank (1) or the backward one (-1) in the middle section; NAN where the gears do not
 * mesh. */
double hk_gear_overlap(const hk_gear_pair *p, const hk_gear_relative *at, double side,
                       double *room);
/* Turns the teeth of gear 2 so that in this place this flank overlaps by this much; side = 0: so that both
 * are equally far apart.  Fails as hk_gear_act does, or with "" where the gears are nowhere near each other. */
const char *hk_gear_set_phase(hk_gear_pair *p, const hk_gear_relative *at, double side,
                              double overlap, double *room);
#endif
