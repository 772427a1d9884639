/* The length of steps.
 *
 * An error that grows as h^(p + 1) with the length h meets the tolerance at h error^(-1/(p + 1)), error over tolerance; p is the
 * order of the method, which every attempt tells with its error.  Steps are made a little shorter than that, because the
 * constant changes from step to step and a rejected step costs as much as an accepted one; and small gains are not worth a
 * change.
 */
#ifndef HK_CONTROL_CONTROLLER_H
#define HK_CONTROL_CONTROLLER_H
#include "control/source.h"

/* The length wanted for the next step from a state x; part of it. */
static inline double *hk_control_wanted(const hk_sim *s, double *x) { return &x[s->model->at.control]; }
/* No step is shorter, except to end at an event. */
static inline double hk_control_smallest(const hk_sim *s) {
  double t = s->x[s->model->at.t];
  return s->option.min_step > 0 ? s->option.min_step : 1e-12 * fmax(1, fabs(t));
}

typedef enum hk_step_verdict {
  HK_STEP_GOOD,
  HK_STEP_TOO_LONG,  /* the error is above the tolerance */
  HK_STEP_UNSOLVED,  /* the equations of the step were not solved */
  HK_STEP_ELSEWHERE, /* round-off spoils this end, another one is wanted */
  HK_STEP_PASSED     /* it would pass an event: see source.h */
} hk_step_verdict;

/* What an attempt came to, by what the integrator returned and told. */
hk_step_verdict hk_control_verdict(const hk_sim *s, hk_status returned, const hk_attempt *a);
/* The length wanted for the next step, after a good one that was attempted with the length h; `most`: no more. */
double hk_control_next(const hk_sim *s, const hk_attempt *a, double h, double most);
/* The length of the next attempt, after one of length h that was not good. */
double hk_control_again(const hk_sim *s, hk_step_verdict verdict, const hk_attempt *a, double h);
/* After a step has been accepted: the next is wanted so long; a time that is t_end up to round-off becomes t_end. */
void hk_control_arrive(hk_sim *s, double t_end, double next);
/* What kept the step from being longer, in words for the user. */
const char *hk_control_limit(const hk_sim *s, const hk_attempt *a, const hk_plan *plan);
/* The length of a first step from s->x, whose accelerations are known. */
double hk_first_step(const hk_sim *s);
#endif
