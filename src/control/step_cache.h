/* Cache of steps computed during the selection of an integrator.
 *
 * Integrators are tried from the start of a run (setup/stepper_selection.h), and the steps of the selected one are
 * not repeated: the states that it reached are kept, and hk_sim_step takes one after the other.  The state is
 * complete: from the same state towards the same end there is only one step.  Before each of them the two states are
 * compared to the last bit, so that a change of an input, a state or an end discards the rest, and the run continues
 * by itself. */
#ifndef HK_CONTROL_STEP_CACHE_H
#define HK_CONTROL_STEP_CACHE_H
#include "sim/sim.h"

/* A snapshot of a simulation: its state, statistics and quality.  NULL: out of memory. */
hk_snapshot *hk_snapshot_keep(const hk_sim *s);
hk_status hk_snapshot_return(hk_sim *s, const hk_snapshot *place);
void hk_snapshot_free(hk_snapshot *place);

/* Adds the present state of a simulation that has just been reset to its start, or has made a step from the last
 * cached state.  If memory is insufficient, or there are too many, no more are added. */
void hk_step_cache_keep(hk_step_cache *a, const hk_sim *s);
void hk_step_cache_free(hk_step_cache *a);
/* Takes the next cached step of s->cache as the last step of s, if it is the one towards t_end; false: there is none.
 */
bool hk_step_cache_step(hk_sim *s, double t_end, hk_status *status);
#endif
