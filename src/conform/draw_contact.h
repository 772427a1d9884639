/* Random states in which two bodies touch, for the tests of a gap with a law: see
 * check_contact.c. */
#ifndef HK_CONFORM_DRAW_CONTACT_H
#define HK_CONFORM_DRAW_CONTACT_H
#include "conform/subject.h"

typedef enum hk_contact_outcome {
  HK_CONTACT_REFUSED,
  HK_CONTACT_NOT_FIT, /* the check is not possible at this state */
  HK_CONTACT_JUDGED
} hk_contact_outcome;
/* Checks one random law and gap between two sides. */
typedef hk_contact_outcome hk_contact_judge_fn(hk_trial *t, const hk_type *law, const hk_between *s,
                                               const char *who);

/* Creates a random model with bodies "one" and "two", the law and the contact; NULL: the model was rejected. at:
 * position of another model with the same random numbers, or NULL. */
hk_model *hk_contact_draw(hk_trial *t, const hk_type *law, const hk_between *s, bool for_run,
                          const hk_check_state *at);
/* Finds a state in which points carry load and none is about to close or open. */
bool hk_contact_find_touch(hk_trial *t, const hk_model *m, hk_check_state *s);
hk_contact_outcome hk_contact_at_touch(hk_trial *t, const hk_type *law, const hk_between *s,
                                       const char *who,
                                       bool (*check)(hk_trial *t, hk_check_state *at,
                                                     const char *who));
/* Calls a function for every suitable compliant law, between the first `pairs` of sides; each law must be tested
 * between two free bodies. */
void hk_contact_every_law(hk_trial *t, int pairs, int draws, hk_contact_judge_fn *check);
/* check_symmetry.c: compares accelerations of the model rotated and moved, with `a` and `b` exchanged, and mirrored. */
hk_contact_judge_fn hk_check_contact_places;
#endif
