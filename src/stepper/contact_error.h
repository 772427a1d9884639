/* The local error of compliant contacts, judged by energy: see contact_error.c. */
#ifndef HK_CONTACT_ERROR_H
#define HK_CONTACT_ERROR_H
#include "stepper/sim.h"

/* How a stepper averages a force over a step: a1 = ((1 - af) N1 + af N0 - am a0)/(1 - am), mean =
 * (1 - gamma) a0 + gamma a1.  The trapezoidal rule: af = am = 0, gamma = 1/2. */
typedef struct hk_force_mean {
  double af, am, gamma;
} hk_force_mean;

/* Largest error of a contact over what is allowed, for the step of length h from x0 to x1, whose
 * frames are in work; 0 without compliant contacts.  What the next step needs is put into x1. */
double hk_contact_error(hk_sim *s, const hk_force_mean *mean, const double *x0, double h, double *x1);
/* The same of the first state. */
void hk_contact_error_begin(hk_sim *s, double *x);
#endif
