/* Step size control.
 *
 * The error of a method of order p grows as h^(p + 1) with the step size h. If a step of length h has the error
 * `error`, relative to the tolerance, the error of a step of length h error^(-1/(p + 1)) equals the tolerance. Every
 * attempt returns its error and p. Steps are slightly shorter than this, because the constant changes from step to
 * step and a rejected step costs as much as an accepted one. Small increases of the step size are not made. */
#ifndef HK_CONTROL_CONTROLLER_H
#define HK_CONTROL_CONTROLLER_H
#include "control/source.h"

/* The step size requested from a state x, which is part of the state. */
static inline double *hk_control_wanted(const hk_sim *s, double *x) {
  return &x[s->model->at.control];
}

typedef enum hk_step_verdict {
  HK_STEP_GOOD,
  HK_STEP_TOO_LONG, /* the error is above the tolerance */
  HK_STEP_UNSOLVED, /* the equations of the step were not solved */
  HK_STEP_ELSEWHERE, /* round-off dominates at the end of this step, so the next attempt must end at another time */
  HK_STEP_PASSED /* the step would pass an event: see source.h */
} hk_step_verdict;

/* Classifies an attempt from the integrator's return values. */
hk_step_verdict hk_control_verdict(const hk_sim *s, hk_status returned, const hk_attempt *a);
/* The step size requested after a good attempt of size h; at most `most`. */
double hk_control_next(const hk_sim *s, const hk_attempt *a, double h, double most);
/* The step size of the next attempt after a failed attempt of size h. */
double hk_control_again(const hk_sim *s, hk_step_verdict verdict, const hk_attempt *a, double h);
/* Call after a step was accepted. Stores the requested size of the next step. If the time equals t_end within
 * round-off, sets it to t_end. */
void hk_control_arrive(hk_sim *s, double t_end, double next);
/* Reason for the present limit of the step size, as a text for the user. */
const char *hk_control_limit(const hk_sim *s, const hk_attempt *a, const hk_plan *plan);
/* The length of a first step from s->x; the accelerations of s->x must be known. */
double hk_first_step(const hk_sim *s);
#endif
