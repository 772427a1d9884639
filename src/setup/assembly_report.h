/* Messages about the start of a simulation: bodies moved to close the joints, changed speeds, mechanisms that cannot
 * move, unconnected bodies, overlapping contacts. */
#ifndef HK_SETUP_ASSEMBLY_REPORT_H
#define HK_SETUP_ASSEMBLY_REPORT_H
#include "sim/sim.h"

/* Reports the assembly.  Call after the positions were found and the redundant rows were
 * omitted. */
void hk_tell_assembly(const hk_sim *s, hk_diag *diag);
/* Reports changed speeds.  Call after the velocities were found. */
void hk_tell_speeds(const hk_sim *s, hk_diag *diag);
/* Reports overlaps of contacts at the first state; HK_EINPUT if one is deeper than the analysis
 * allows. */
hk_status hk_tell_overlaps(hk_sim *s, hk_diag *diag, hk_error *err);
/* Largest overlap of the contacts in composite joints at the present positions; 0: none. */
double hk_deepest_part_overlap(hk_sim *s);
#endif
