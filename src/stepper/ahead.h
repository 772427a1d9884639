/* Steps that were made before the run asks for them.
 *
 * Steppers are tried from the start of a run (start/trial.h), and what the winner has done there is not done again: the places
 * that it came to are kept, and hk_sim_step takes one after the other.  The state is everything: from the same state towards
 * the same end there is but one step.  Before each of them the two are compared to the last bit, so that an input, a state or
 * an end that somebody sets drops what is left, and the run goes on by itself. */
#ifndef HK_AHEAD_H
#define HK_AHEAD_H
#include <hooke/sim.h>

typedef struct hk_snapshot hk_snapshot;

/* Where a simulation stands: its state, statistics and trust.  NULL: out of memory. */
hk_snapshot *hk_snapshot_keep(const hk_sim *s);
hk_status hk_snapshot_return(hk_sim *s, const hk_snapshot *place);
void hk_snapshot_free(hk_snapshot *place);

typedef struct hk_ahead {
  hk_snapshot *first,
      *last;    /* from where the simulation stands to where the last of these steps ended */
  double end;   /* the time that they go to */
  size_t bytes; /* of all places */
  bool full;    /* no further ones are kept */
} hk_ahead;

/* The place where a simulation stands that has just been put to its beginning, or has just made a step from the last place kept.
 * Where memory lacks, or there are too many, the earlier ones are all. */
void hk_ahead_keep(hk_ahead *a, const hk_sim *s);
void hk_ahead_free(hk_ahead *a);
/* The next of the steps kept in s->ahead becomes the last one of s, if it is the one towards t_end; false: there is none. */
bool hk_ahead_step(hk_sim *s, double t_end, hk_status *status);
#endif
