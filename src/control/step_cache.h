/* Cache of steps computed during the selection of an integrator.
 *
 * Integrators are compared over the first part of a run (setup/stepper_selection.h). The steps of the selected one are
 * not repeated: its states are stored, and hk_sim_step returns one after the other. The same state and the same end
 * time always give the same step. Before a stored step is used, the present state is compared with the stored one to
 * the last bit. If an input, the state or the end has changed, the remaining stored steps are discarded and the run
 * computes its own. */
#ifndef HK_CONTROL_STEP_CACHE_H
#define HK_CONTROL_STEP_CACHE_H
#include "sim/sim.h"

/* A snapshot of a simulation: its state, statistics and quality.  NULL: out of memory. */
hk_snapshot *hk_snapshot_keep(const hk_sim *s);
hk_status hk_snapshot_return(hk_sim *s, const hk_snapshot *place);
void hk_snapshot_free(hk_snapshot *place);

/* Adds the present state of a simulation that has just been reset to its start, or has made a step from the last cached
 * state. If memory is not sufficient or the cache is full, it adds no more states. */
void hk_step_cache_keep(hk_step_cache *a, const hk_sim *s);
void hk_step_cache_free(hk_step_cache *a);
/* Takes the next cached step of s->cache as the last step of s, if it is the one towards t_end; false: there is none.
 */
bool hk_step_cache_step(hk_sim *s, double t_end, hk_status *status);
#endif
