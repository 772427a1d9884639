/* Snapshot of the start of a run. A simulation can be reset to it with any integrator and any tolerances: joints are
 * closed, rows are selected and matrices are allocated once for all integrators that are compared. */
#ifndef HK_SETUP_INITIAL_SNAPSHOT_H
#define HK_SETUP_INITIAL_SNAPSHOT_H
#include "sim/sim.h"

typedef struct hk_beginning {
  double *x; /* part of the state that belongs to the model */
  hk_sim_stats stats;
  hk_quality_record quality;
} hk_beginning;

/* Allocates states and scratch memory of s->stepper, zeroed. */
hk_status hk_sim_make_states(hk_sim *s, hk_error *err);
/* Keeps the start of a simulation that has not made a step yet. */
hk_status hk_beginning_keep(const hk_sim *s, hk_beginning *b, hk_error *err);
void hk_beginning_free(hk_beginning *b);
/* Resets s, so that it is identical bit by bit to the result of hk_sim_create with these options and this integrator. */
hk_status hk_beginning_return(hk_sim *s, const hk_beginning *b, const hk_type *stepper,
                              const hk_sim_options *options, hk_error *err);
#endif
