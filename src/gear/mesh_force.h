/* Force of a gear pair: from position and motion of gear 2 relative to gear 1 to a generalized
 * force Q along (u, psi) of gear/relative_position.h, with its derivatives with respect to
 * positions and rates.
 *
 * Every slice has a normal load F along the gradient of its penetration, -F grad(delta), and a
 * friction force T along the gradient of its sliding. The loads follow from gear/pair.h, their
 * derivatives from the implicit function theorem.
 *
 * Energy: the teeth store F^T C F/2 and the energy of the local deformations. The rest of the
 * power -F delta' is
 *   lost      by the squeezed film, F_D (q' - h'), by dampers and by sliding;
 *   supplied  by the rolling surfaces that draw oil into the gap, F_SS h', and by the change of the
 *             flanks and of the compliance along the path of contact (zero in total over a pitch).
 * If a law is reduced near its cut-off gap, F_SS and the energy of the local deformation are
 * reduced by the same fraction, so that a slice that just comes within the range of the law
 * stores no energy. The change of energy due to a change of this fraction counts as supplied. */
#ifndef HK_GEAR_MESH_FORCE_H
#define HK_GEAR_MESH_FORCE_H
#include "gear/relative_position.h"
#include "gear/record.h"

typedef struct hk_gear_action {
  double Q[6];
  double Q_q[6][6], Q_v[6][6];
  double potential, dissipated, applied;
} hk_gear_action;

/* Number of doubles of scratch memory; for internal variables see gear/slots.h. */
int hk_gear_mesh_force_scratch(const hk_gear_pair *p);
/* Computes the force. Returns NULL, or an error message. `memory` and `record` may be NULL. */
const char *hk_gear_mesh_force(const hk_gear_pair *p, const hk_gear_relative *at,
                               const double *memory, double dt, bool tangent, double *room,
                               hk_gear_action *out, hk_gear_record *record);
/* Updates the internal variables of the teeth in contact at the end of a step. */
void hk_gear_remember(const hk_gear_pair *p, const hk_gear_relative *at, double dt, double *room,
                      double *memory);
/* Penetration of the forward flank (1) or the backward one (-1) in the middle section; NAN if
 * the gears do not mesh. */
double hk_gear_overlap(const hk_gear_pair *p, const hk_gear_relative *at, double side,
                       double *room);
/* Rotates the teeth of gear 2 so that the given flank has the given penetration in this
 * position; side = 0: so that both flanks have the same gap. Fails as hk_gear_mesh_force does, or with
 * "" if the gears are far apart. */
const char *hk_gear_set_phase(hk_gear_pair *p, const hk_gear_relative *at, double side,
                              double overlap, double *room);
#endif
