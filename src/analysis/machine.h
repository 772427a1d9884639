/* Analyses of machine elements on their own: see hooke/machine.h. */
#ifndef HK_ANALYSIS_MACHINE_H
#define HK_ANALYSIS_MACHINE_H
#include "model/model.h"

/* Runs the analysis of this force alone with the values of its item, if its type has one; otherwise returns HK_OK.
 * load: torque [N m] or force along x and z [N] if the item gives none. */
hk_status hk_machine_analyse(const hk_model *m, const hk_force *force, double load, hk_error *err);
#endif
