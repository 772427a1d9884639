/* Energy integrals: see hk_ledger in model/model.h. */
#ifndef HK_SIM_LEDGER_H
#define HK_SIM_LEDGER_H
#include "sim/sim.h"

/* Powers of the energy integrals at x1, in the order of hk_ledger; needs its forces in work. */
void hk_ledger_powers(const hk_sim *s, const double *x1, double power[3]);
/* Energy integrals from x0 to x1 by the trapezoidal rule; needs forces of x1 in work. */
void hk_ledger_advance(hk_sim *s, const double *x0, double h, double *x1);

/* [J] Error that energy integrals may have in a step from x0 to x1: the same fraction of the present energy as the
 * tolerance of positions relative to the model's length.  `power`: the largest at both ends; frames of x1 are in
 * work. */
double hk_ledger_tolerance(const hk_sim *s, double power, const double *x0, const double *x1);
/* [J] The present energy, computed from this tolerance. */
double hk_ledger_at_hand(const hk_sim *s, double tolerance);
/* Finds s->ledger; needs s->system. */
void hk_ledger_prepare(hk_sim *s);
/* Whether an error [J] of an attempt of length h is noise, which a shorter step would not reduce; otherwise the
 * error is stored for the next attempt. */
bool hk_ledger_is_noise(const hk_sim *s, double error, double h, hk_attempt *a);
/* Includes the error of hk_ledger_advance in a step from s->x to x1, with the forces of x1 in work, in the error of
 * the step. */
void hk_ledger_judge(const hk_sim *s, double h, const double *x1, hk_attempt *a);

typedef struct hk_balance {
  double kinetic, potential, worked, defect;
} hk_balance;
/* Values at s->x, with its forces in work. */
hk_balance hk_ledger_balance(const hk_sim *s);
/* Recomputes the work of the loads in the last step more accurately if the balance error is large; b: the balance.
 * Depends only on the states at both ends of the step. */
void hk_ledger_mend(hk_sim *s, hk_balance *b);
#endif
