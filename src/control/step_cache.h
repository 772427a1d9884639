/* Steps that were made before the run asks for them.
 *
 * Steppers are tried from the start of a run (start/trial.h), and what the winner has done there is not done again: the places
 * that it came to are kept, and hk_sim_step takes one after the other.  The state is everything: from the same state towards
 * the same end there is but one step.  Before each of them the two are compared to the last bit, so that an input, a state or
 * an end that somebody sets drops what is left, and the run goes on by itself. */
#ifndef HK_CONTROL_STEP_CACHE_H
#define HK_CONTROL_STEP_CACHE_H
#include "sim/sim.h"

/* Where a simulation stands: its state, statistics and trust.  NULL: out of memory. */
hk_snapshot *hk_snapshot_keep(const hk_sim *s);
hk_status hk_snapshot_return(hk_sim *s, const hk_snapshot *place);
void hk_snapshot_free(hk_snapshot *place);

/* The place where a simulation stands that has just been put to its beginning, or has just made a step from the last place kept.
 * Where memory lacks, or there are too many, the earlier ones are all. */
void hk_step_cache_keep(hk_step_cache *a, const hk_sim *s);
void hk_step_cache_free(hk_step_cache *a);
/* The next of the steps kept in s->cache becomes the last one of s, if it is the one towards t_end; false: there is none. */
bool hk_step_cache_step(hk_sim *s, double t_end, hk_status *status);
#endif
