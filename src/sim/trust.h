/* How good a run is, as far as it can tell by itself: kept from the first step to the last.
 *
 * The worst of each kind counts, not the last: an energy that was wrong in between has made the
 * motion wrong, whatever it is at the end.
 */
#ifndef HK_TRUST_H
#define HK_TRUST_H
#include "sim/sim.h"

/* Room for what is kept. */
hk_status hk_trust_create(hk_sim *s, hk_error *err);
void hk_trust_free(hk_sim *s);
/* Forget what was before the state s->x. */
void hk_trust_begin(hk_sim *s);
/* The record that it made then. */
void hk_trust_again(hk_sim *s, const hk_trust_record *begun);
/* What of the record is behind its pointers and goes on from step to step: so many doubles. */
int hk_trust_list_count(const hk_sim *s);
void hk_trust_lists_get(const hk_sim *s, double *out);
void hk_trust_lists_set(hk_sim *s, const double *in);
/* The displacements [nv] by which the step in hand may be wrong, the frames of its end being in work.
 *
 * The scale of an error is the model's size, but a film's is its clearance, thousands of times smaller: positions
 * that are right to the tolerance may be anything there. */
void hk_trust_displaced(hk_sim *s, const double *error);
/* After a step to s->x, whose forces and constraints are in work; error: its local one, over
 * tolerance. */
void hk_trust_step(hk_sim *s, double error);
/* An impact at t whose impulse went on through contacts that touched. */
void hk_trust_shared(hk_sim *s, double t);
/* A motion, or a joint beside it, whose velocity has jumped at t. */
void hk_trust_kick(hk_sim *s, double t, const char *constraint, double jump);
/* Whether a contact slides hangs on how the pressure is shared between it and another, which is open. */
void hk_trust_open(hk_sim *s, double t, const char *contact, const char *other);
#endif
