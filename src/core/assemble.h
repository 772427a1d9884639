/* Parts of the Newton matrix: see assemble.c. */
#ifndef HK_CORE_ASSEMBLE_H
#define HK_CORE_ASSEMBLE_H
#include "core/map.h"
#include "core/work.h"

/* All forces, but those that go with their joint. */
void hk_assemble_forces(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* What forces have without stiffness and damping: friction that follows a joint's load. */
void hk_assemble_loads(hk_system *s, hk_work *w, const hk_instant *in);
/* Friction along the coordinates of a joint (hk_link.rubbing); what its change of direction adds to the tangent of the
 * joint, before cK, into k; NULL: that is left out, and so is what turning bodies change of the speed. */
void hk_assemble_rubbing(hk_system *s, hk_work *w, int joint, const hk_coefficients *c,
                         const hk_instant *in, hk_pair_tangent *k);
#endif
