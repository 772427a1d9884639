/* What the implicit steppers for constrained mechanisms share: the equations at the end of a step
 *
 *   M v1' + G^T lambda = f(q1, v1),   g(q1) = 0
 *
 * and Newton's iteration on them.  The unknowns are the displacement xi at q1 (node axes) and the
 * change of lambda divided by ca, so that the matrix
 *   [ (M + cv/ca C) T^-1 + K/ca   G^T ]
 *   [ G                           0   ]
 * hardly depends on the step.  A stepper says how v and v' follow from the displacement.
 */
#ifndef HK_IMPLICIT_H
#define HK_IMPLICIT_H
#include "sim/sim.h"

/* Beside a singular position Newton's iteration may end in noise of this many tolerances, but not in more. */
#define HK_MOST_NOISE 30.0

typedef struct hk_implicit hk_implicit;
struct hk_implicit {
  double h;      /* length of the step */
  double ca, cv; /* d v'/d xi, d v/d xi */
  const double
      *D;      /* [nv] turning within which v follows from q1: T^-1(D) on the inertia's columns */
  double soft; /* part of the constraints' inertia that singular positions get; 0: the usual one */
  bool noisy;  /* rather take a step with round-off as large as the tolerance than none */
  double loose; /* beside contacts: share of the step's error that Newton may leave; 0: as elsewhere */
  const double *x0;
  const void *formula; /* the stepper's own */
  /* q, v and v' of x1 moved by xi, which may be overwritten.  Returns the size of the move over
   * tolerance; if it is not finite, x1 is left alone. */
  double (*move)(hk_sim *s, const hk_implicit *k, double *xi, double *x1);
  /* Whether a step that Newton's iteration finds hard would not be taken anyway, by what x1 has met; then with its error
   * in info.  NULL: it is not known before the end. */
  bool (*hopeless)(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
  /* Local error of x1 over tolerance. */
  double (*error)(hk_sim *s, const hk_implicit *k, const double *x1);
};

/* x1 onto the equations, from the prediction that it holds; the frames, constraints and forces of its
 * end are left in work.  HK_RETRY: it did not converge; or it was given up, info->memory->hopeless. */
hk_status hk_implicit_solve(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
/* Accelerations and multipliers of x1 from its positions and velocities (index-1 form), by the factors of
 * the step and further solves where these are far off; the forces at its end are left in work.  What the last
 * of them still moved is told by info->memory->crept, if it is not small.  Comes behind hk_implicit_solve, whose constraints it takes. */
hk_status hk_implicit_accelerations(hk_sim *s, const hk_implicit *k, double *x1,
                                    hk_attempt *info);
/* The step's end projected onto the velocities' constraints: see hk_velocity_project.  A correction that is noise is left out
 * and told by info->memory->crept. */
hk_status hk_implicit_project(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
#endif
