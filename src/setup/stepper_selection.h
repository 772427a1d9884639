/* Steppers tried against each other before a run, where the model alone does not tell which one it wants.
 *
 * A motion that is steady, at rest or with all velocities as they are, is an exact solution of a method that carries positions on
 * by the velocities of the bodies, while formulas of high order see rotations as polynomials.
 *
 * Formulas of high order wake undamped modes that are faster than a step of theirs, and then have to follow them in
 * steps of about 0.7/w, whatever the tolerance.  Whether that happens depends on the whole spectrum, on the tolerance and on
 * the motion.  So the stepper that `auto` took is tried from the start of the run: where it has not come far after many steps,
 * against one that damps such modes, with the same tolerances; and against one that follows them with less cost, with those of
 * the run.
 *
 * Every one is tried as it would run, and steps of the winner are not made again: see control/step_cache.h. */
#ifndef HK_TRIAL_H
#define HK_TRIAL_H
#include "sim/sim.h"

/* A simulation that has just been made gets the stepper that is to be preferred, and s->why says why.  It is left as
 * hk_sim_create makes it with that stepper by its name, and what that has done on trial is kept in s->cache. */
hk_status hk_trial_choose(hk_sim *s, const hk_sim_options *options, hk_error *err);
#endif
