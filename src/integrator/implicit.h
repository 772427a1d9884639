/* Equations and Newton's iteration of the implicit integrators for constrained mechanisms.  At the end of a step
 *
 *   M v1' + G^T lambda = f(q1, v1),   g(q1) = 0
 *
 * The unknowns are the displacement xi at q1 (node axes) and the change of lambda divided by ca, so that the matrix
 *   [ (M + cv/ca C) T^-1 + K/ca   G^T ]
 *   [ G                           0   ]
 * hardly depends on the step.  Each integrator defines how v and v' depend on the displacement. */
#ifndef HK_INTEGRATOR_IMPLICIT_H
#define HK_INTEGRATOR_IMPLICIT_H
#include "sim/sim.h"

/* Largest noise, as a multiple of the tolerance, with which Newton's iteration may end near a singular position. */
#define HK_MOST_NOISE 30.0

typedef struct hk_implicit hk_implicit;
struct hk_implicit {
  double h;      /* length of the step */
  double ca, cv; /* d v'/d xi, d v/d xi */
  /* [nv] rotation vector D of the step; the columns of the inertia are multiplied by T^-1(D) */
  const double *D;
  double
      soft; /* regularization at singular positions, as a fraction of the inertia of the constraints; 0: default */
  bool
      noisy; /* accept a step with round-off as large as the tolerance, because no other step succeeds */
  double
      /* for models with contacts: residual at which Newton's iteration may stop, as a fraction of the error of the
       * step; 0: default */
      loose;
  const double *x0;
  const void *formula; /* the stepper's own */
  /* Moves q, v and v' of x1 by xi, which may be overwritten.  Returns the magnitude of the move relative to the
   * tolerance; if it is not finite, x1 is unchanged. */
  double (*move)(hk_sim *s, const hk_implicit *k, double *xi, double *x1);
  /* Returns true if the events in x1 already show that a step with slow convergence would be rejected; its error is
   * then in info. NULL: not known before the end of the step. */
  bool (*hopeless)(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
  /* Local error of x1 relative to the tolerance. */
  double (*error)(hk_sim *s, const hk_implicit *k, const double *x1);
};

/* Solves the equations for x1, starting from its prediction. On return, work contains the frames, constraints and
 * forces at x1. HK_RETRY: no convergence, or stopped (info->memory->hopeless). */
hk_status hk_implicit_solve(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
/* Computes accelerations and multipliers of x1 from its positions and velocities (index-1 form), with the factorization
 * of the step, and up to three further iterations if these are inaccurate; leaves the forces at the end of the step in
 * work. A correction that is still too large is stored in info->memory->crept. Call this function after
 * hk_implicit_solve, because it uses the constraints that hk_implicit_solve leaves in `work`. */
hk_status hk_implicit_accelerations(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
/* Projects the end of the step onto the velocity constraints: see hk_velocity_project. If the correction is only
 * noise, it is not applied, and its magnitude is stored in info->memory->crept. */
hk_status hk_implicit_project(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info);
#endif
