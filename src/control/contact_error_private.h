/* What the judgement of contacts one by one (contact_error.c) and four at once (contact_error_four.c) share. */
#ifndef HK_CONTACT_JUDGE_H
#define HK_CONTACT_JUDGE_H
#include "control/contact_error.h"

/* Parts of the energy of one contact, and of the liveliest contact of its bodies, that a step may make or
 * lose; part of the tolerance that a lasting load may press. */
static const double hk_judge_own_share = 1e-5, hk_judge_body_share = 3e-5,
                    hk_judge_load_share = 0.1;
/* Way within a step of a velocity that counts as none: this part of the tolerance of lengths, but not less than what
 * round-off makes of a difference of places, this part of the model's length. */
static const double hk_judge_velocity_floor = 1e-7, hk_judge_grain = 16 * 0x1p-52;
/* Over how many radians of its stiffest ringing a load must last. */
static const double hk_judge_lasting = 100;

/* As fmin and fmax for numbers, but inlined. */
static inline double hk_least(double a, double b) { return a < b ? a : b; }
static inline double hk_most(double a, double b) { return a > b ? a : b; }
/* The larger error; what is no number is the largest. */
static inline double hk_worse(double error, double worst) {
  return error > worst || isnan(error) ? error : worst;
}

static inline double *hk_note_of(const hk_model *m, double *x, int point) {
  return x + m->at.touch + point * HK_N_TOUCH;
}

/* The energy that the liveliest contact of a marker's body turns over; the ground has any. */
static inline double hk_body_energy(const hk_sim *s, int marker) {
  int node = s->model->marker[marker].node;
  return node == HK_GROUND ? INFINITY : s->judge.energy[node];
}

/* A point that is judged. */
typedef struct hk_judged {
  const hk_contact *c;
  int number; /* within the contact */
  double mobility;
  double off; /* velocity along the normal by which the end of the step may be off */
  const double *at0;
  double *at1;
} hk_judged;

/* Notes the touch that spoils a step, if it is the first. */
void hk_look_ahead(hk_sim *s, const hk_judged *p, double h, const hk_instant *in);

/* Of a bunch what x1 notes, the energies of its bodies at x0, and its verdict; then, with those of all contacts, its error.
 */
void hk_bunch_judge(hk_sim *s, int bunch, const double *x0, double h, double *x1,
                    const hk_step_rule *rule, const double *off);
double hk_bunch_error(hk_sim *s, int bunch, const double *x0, double h, double *x1,
                      const hk_instant *in);
#endif
