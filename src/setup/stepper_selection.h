/* Comparison of integrators before a run, for cases that the model alone does not decide.
 *
 * A steady motion, at rest or with constant velocities, is an exact solution of a method that advances positions by
 * the velocities of the bodies, while high-order formulas approximate rotations by polynomials.
 *
 * High-order formulas excite undamped modes that are faster than their steps, and then have to follow them in steps
 * of about 0.7/w, whatever the tolerance.  Whether this happens depends on the whole spectrum, on the tolerance and
 * on the motion.  Therefore the integrator selected by `auto` is tried from the start of the run.  If it makes little
 * progress in many steps, it is compared with one that damps such modes, with the same tolerances, and with one that
 * follows them at lower cost, with those of the run.
 *
 * Each candidate is tried as it would run, and steps of the selected one are not repeated: see control/step_cache.h.
 */
#ifndef HK_SETUP_STEPPER_SELECTION_H
#define HK_SETUP_STEPPER_SELECTION_H
#include "sim/sim.h"

/* Selects the best integrator for a new simulation and stores the reason in s->why. The simulation then equals one
 * that hk_sim_create creates with the name of this integrator. The steps that this integrator made during the
 * comparison are in s->cache. */
hk_status hk_trial_choose(hk_sim *s, const hk_sim_options *options, hk_error *err);
#endif
