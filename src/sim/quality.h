/* Quality of a run: worst values, kept from the first step to the last.
 *
 * The worst value of each kind counts, not the last: a temporary energy error makes the subsequent
 * motion wrong, even if the final energy is correct.  quality_check.c compares the values with
 * their limits and writes the sentences.
 *
 * A new indicator is a kind in hooke/quality.h, a call of hk_quality_note (or a value kept here), and one line with
 * its check in quality_check.c. */
#ifndef HK_SIM_QUALITY_H
#define HK_SIM_QUALITY_H
#include "sim/sim.h"

/* The motion is accurate if the sum of the errors of all steps is at most this part of the displacement of the bodies. */
#define HK_ACCURATE_MOTION 3e-3

/* Allocates memory for the record. */
hk_status hk_quality_create(hk_sim *s, hk_error *err);
void hk_quality_free(hk_sim *s);
/* Resets the record to the start at the state s->x. */
void hk_quality_begin(hk_sim *s);
/* Restores a saved record. */
void hk_quality_again(hk_sim *s, const hk_quality_record *begun);
/* Number of doubles in the separate arrays of the record that continue from step to step. */
int hk_quality_list_count(const hk_sim *s);
void hk_quality_lists_get(const hk_sim *s, double *out);
void hk_quality_lists_set(hk_sim *s, const double *in);
/* Records the possible errors [nv] of the current step, as displacements; the frames of its end must be in `work`.
 *
 * Position errors are compared with the model's size, but a film depends on its clearance, which is thousands of times
 * smaller. Positions that are within the tolerance may therefore be too inaccurate for a film. */
void hk_quality_displaced(hk_sim *s, const double *error);
/* Call after a step to s->x, with its forces and constraints in `work`; error: local error of the
 * step relative to the tolerance. */
void hk_quality_step(hk_sim *s, double error);

/* Sets s->quality.way to the displacements from the start. */
void hk_quality_way(hk_sim *s);
/* Keeps an amount if it is the largest so far. */
static inline void hk_quality_note(hk_sim *s, hk_quality_kind kind, double amount, double t,
                                   const char *element) {
  hk_worst *w = &s->quality.worst[kind];
  if (amount <= w->amount) return;
  w->amount = amount, w->time = t, w->element = element;
}
/* Counts an event; stores amount, time and element names of the first event of its kind. */
void hk_quality_event(hk_sim *s, hk_quality_kind kind, double amount, double t, const char *element,
                      const char *other);

/* ---- the list (quality_check.c) ---- */

/* Returns the list of a simulation: every kind that applies to its model. */
hk_quality *hk_quality_list(const hk_sim *s); /* NULL: out of memory */
/* Adds an entry: kind, name and unit are set, scale and time are NaN, all other members are zero.  A warning about it
 * refers to `location`, which may be NULL.  Returns NULL if out of memory. */
hk_indicator *hk_quality_append(hk_quality *q, hk_quality_kind kind, const hk_location *location);
/* Adds a warning to diag for each entry that is not good; returns their number. */
int hk_quality_report(const hk_quality *q, hk_diag *diag);
#endif
