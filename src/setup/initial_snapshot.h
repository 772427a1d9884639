/* The beginning of a run, to which a simulation is put back, with any stepper and any tolerances: joints are closed,
 * rows are sorted and matrices are laid out once for all the steppers that are tried. */
#ifndef HK_BEGINNING_H
#define HK_BEGINNING_H
#include "sim/sim.h"

typedef struct hk_beginning {
  double *x; /* the model's part of the state */
  hk_sim_stats stats;
  hk_trust_record trust;
} hk_beginning;

/* States and scratch of s->stepper, empty. */
hk_status hk_sim_make_states(hk_sim *s, hk_error *err);
/* Of a simulation that has not been stepped yet. */
hk_status hk_beginning_keep(const hk_sim *s, hk_beginning *b, hk_error *err);
void hk_beginning_free(hk_beginning *b);
/* s becomes, bit by bit, what hk_sim_create makes of these options with the stepper by its name. */
hk_status hk_beginning_return(hk_sim *s, const hk_beginning *b, const hk_type *stepper,
                              const hk_sim_options *options, hk_error *err);
#endif
