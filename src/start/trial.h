/* Steppers tried against each other before a run, where the model alone does not tell which one it wants.
 *
 * Formulas of high order wake undamped modes that are faster than a step of theirs, and then have to follow them in
 * steps of about 0.7/w, whatever the tolerance.  Whether that happens depends on the whole spectrum, on the tolerance and on
 * the motion.  So the stepper that `auto` took is tried from the start of the run: where it has not come far after many steps,
 * against one that damps such modes, with the same tolerances; and against one that follows them with less cost, with those of
 * the run. */
#ifndef HK_TRIAL_H
#define HK_TRIAL_H
#include "stepper/sim.h"

typedef hk_status hk_sim_maker(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                               hk_diag *diag, hk_error *err);
/* The stepper that is to be preferred to s->stepper, and why; NULL: none is.  `make` makes simulations. */
const hk_type *hk_trial_winner(const hk_sim *s, const hk_sim_options *options, hk_sim_maker *make,
                               const char **why);
#endif
