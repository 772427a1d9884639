/* What the start of a simulation has made of the model file, told to whoever reads the messages: bodies
 * that were moved to close the joints, speeds that were changed, mechanisms that cannot move, bodies that
 * nothing holds, contacts that overlap. */
#ifndef HK_TELL_H
#define HK_TELL_H
#include "sim/sim.h"

/* After the positions were found and the redundant rows left out. */
void hk_tell_assembly(const hk_sim *s, hk_diag *diag);
/* After the velocities were found. */
void hk_tell_speeds(const hk_sim *s, hk_diag *diag);
/* Of contacts at the first state; HK_EINPUT where one is deeper than the analysis allows. */
hk_status hk_tell_overlaps(hk_sim *s, hk_diag *diag, hk_error *err);
/* Of all contacts where the bodies are now; 0: none overlaps. */
double hk_deepest_overlap(hk_sim *s);
#endif
