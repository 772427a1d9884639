/* Derivative of a step: how a small change of the state at its start changes the state at its
 * end, on the same step size.
 *
 * A change is a column of hk_tangent_size doubles:
 *
 *   d       [nv]        displacement of the configuration, rotations in body axes (hk_configuration_add)
 *   w       [nv]        velocities
 *   vd      [nv]        accelerations
 *   a       [nv]        the acceleration variable of the method
 *   shift   [nc]        lambda_shift, if some friction depends on the reaction of a joint; otherwise unused
 *   memory  [n_memory]  internal variables of elements
 *
 * The equations of the step are differentiated at its end. The matrix is that of Newton's
 * iteration, with all couplings; its only approximation (the rotation within the step in the
 * damping columns) is removed by iterative refinement. The derivatives of elements with respect
 * to their memory, and that of velocity constraints with respect to positions, are central
 * differences along the column. One term is neglected: the projection corrects velocities with a matrix that also
 * changes with the state. The neglected term is the change of this matrix times the correction. It is small, because
 * the correction is of second order in h.
 *
 * The derivative is that of a step with fully converged equations: see hk_sim_step_exactly. */
#ifndef HK_INTEGRATOR_TANGENT_H
#define HK_INTEGRATOR_TANGENT_H
#include "sim/sim.h"

typedef struct hk_tangent hk_tangent;
/* HK_EINPUT: the integrator of the simulation has no derivative. */
hk_status hk_tangent_create(hk_sim *s, hk_tangent **out, hk_error *err);
void hk_tangent_destroy(hk_tangent *t);
/* Number of doubles of a column. */
int hk_tangent_size(const hk_tangent *t);
/* Offsets within a column. */
typedef struct hk_column_parts {
  int d, w, vd, a, shift, memory, size;
} hk_column_parts;
hk_column_parts hk_column_at(const hk_model *m);

/* Replaces n columns at x0, the start of a step of length h, by the columns at x1, the accepted end of the step.
 * HK_RETRY: the matrix is singular. HK_ENOMEM. */
hk_status hk_tangent_step(hk_tangent *t, const double *x0, double h, const double *x1,
                          double *column, int n, hk_error *err);
/* Completes n columns at x. Their d and w are given and satisfy the constraints; accelerations are computed as at the
 * start of a run; internal variables of elements are unchanged. */
hk_status hk_tangent_start(hk_tangent *t, const double *x, double *column, int n, hk_error *err);
/* Subtracts from w the component that violates the velocity constraints after a displacement d: G w + d(G v + g_t)/dq
 * d = 0. */
hk_status hk_tangent_project(hk_tangent *t, const double *x, double *column, int n, hk_error *err);
/* Adds share * sum_k c[k] (column k) to the private variables of the integrator in x. x is the state at the end of
 * the step to which the columns belong. */
void hk_tangent_add_own(const hk_tangent *t, double *x, const double *column, int n,
                        const double *c, double share);
#endif
