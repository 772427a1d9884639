/* Energy integrals: see hk_ledger in model/model.h. */
#ifndef HK_SIM_LEDGER_H
#define HK_SIM_LEDGER_H
#include "sim/sim.h"

/* Computes the powers of the energy integrals at x1, in the order of hk_ledger; the forces at x1
 * must be in `work`. */
void hk_ledger_powers(const hk_sim *s, const double *x1, double power[3]);
/* Advances the energy integrals from x0 to x1 by the trapezoidal rule; the forces at x1 must be in
 * work. */
void hk_ledger_advance(hk_sim *s, const double *x0, double h, double *x1);

/* Returns the error [J] allowed for energy integrals in a step from x0 to x1. The ratio of this error to the present
 * energy equals the ratio of the position tolerance to the model's length. `power`: the larger of the powers at both
 * ends; the frames of x1 must be in `work`. */
double hk_ledger_tolerance(const hk_sim *s, double power, const double *x0, const double *x1);
/* Returns the present energy [J] from which hk_ledger_tolerance has computed this tolerance. */
double hk_ledger_at_hand(const hk_sim *s, double tolerance);
/* Sets s->ledger; needs s->system. */
void hk_ledger_prepare(hk_sim *s);
/* Returns true if an error [J] of an attempt of length h is noise, which a shorter step would not reduce; otherwise
 * the error is stored for the next attempt. */
bool hk_ledger_is_noise(const hk_sim *s, double error, double h, hk_attempt *a);
/* Adds the error of hk_ledger_advance to the error of the step from s->x to x1; the forces of x1 must be in `work`. */
void hk_ledger_judge(const hk_sim *s, double h, const double *x1, hk_attempt *a);

typedef struct hk_balance {
  double kinetic, potential, worked, defect;
} hk_balance;
/* Returns the energy balance at s->x; its forces must be in `work`. */
hk_balance hk_ledger_balance(const hk_sim *s);
/* Recomputes the work of the loads in the last step more accurately if the balance error is large, and updates b. The
 * result depends only on the states at both ends of the step. */
void hk_ledger_mend(hk_sim *s, hk_balance *b);
#endif
