/* Private parts of a linear model: its matrices in the block pattern of the Newton matrix. */
#ifndef HK_ANALYSIS_LINEARISE_H
#define HK_ANALYSIS_LINEARISE_H
#include "setup/equilibrium_residual.h"
#include "analysis/dense_matrix.h"
#include <complex.h>
#include <hooke/linear.h>

struct hk_linear_inside {
  hk_sim *sim;
  double *x;         /* [at.size] the state */
  hk_system *sys;    /* full pattern; all rows if dense, kept rows if sparse */
  double *M, *L, *K; /* [n_value] values in the pattern of sys; M holds the multiplier blocks too */
  double *later;  /* [at.size] the state a little later in the same steady motion; NULL at rest */
  hk_mat3 turned; /* rotation of the rotating axes up to the state `later` */
  /* speed of the motion, which sets the time to the later state, 0.7/speed; 0 at rest */
  double speed;
  /* [n] for a model in motion: imbalance of the forces and of the moments on each body, divided by the loads on this
   * body */
  double *imbalance;
  bool is_later; /* true: the states x and `later` are exchanged */
  double *load;  /* friction: G^T - df/dlambda as [nc][n], or NULL */
  double *NL;    /* [n][dof] left basis; equal to N without friction */
  double *block;
};

/* src/analysis/linearise.c: computes the matrices at the state x in the axes of l; N and the
 * reduced matrices. */
void hk_linear_fill(hk_linear *l, hk_balance *b, const double *x);
hk_status hk_linear_reduce(hk_linear *l, double rank_tol, hk_error *err);
hk_status hk_linear_refuse(const hk_imbalance *e, const char *more, hk_error *err);
/* src/analysis/linearise_moving.c: rejects accelerations that a steady motion does not have; finds axes in which
 * the matrices are constant. */
hk_status hk_linear_check_steady(hk_linear *l, hk_balance *b, double tolerance, hk_error *err);
hk_status hk_linear_moving(hk_linear *l, hk_balance *b, double rank_tol, double tolerance,
                           hk_error *err);
/* src/analysis/linearise_blocks.c: assembles M, L and K in the axes of l, at the frames in the work of s and the state
 * x, in the pattern of the system. turned: rotation of rotating axes since the state of l; NULL:
 * none. */
void hk_linear_assemble(const hk_linear *l, const hk_sim *s, const double *x, const double *lambda,
                        const hk_mat3 *turned, double *M, double *L, double *K);
/* src/analysis/linearise_rotating.c: finds the rotation that explains the accelerations of all nodes, and stores it
 * in b. There is no such rotation if all accelerations are zero, or if no rotation explains them. */
hk_status hk_linear_find_rotation(hk_linear *l, hk_balance *b, double tolerance, hk_error *err);
/* If all accelerations are zero, the rotating axes may have the angular velocity of any body. Returns the angular
 * velocity of the next body from *node on; false: there are no more bodies. */
bool hk_linear_next_rotation(const hk_linear *l, hk_balance *b, double tolerance, int *node);
/* Computes the state x a time dt later, if the whole model rotates steadily with `spin`, and the rotation of the
 * rotating axes during dt. */
void hk_linear_rotate(const hk_balance *b, const double *from, double dt, double *d, double *x,
                      hk_mat3 *turned);
/* Writes the node blocks of `value` as a dense matrix [n][n]. */
void hk_linear_expand(const hk_linear *l, const hk_system *sys, const double *value, double *out);
/* Expands the multiplier blocks, with all rows kept: G from the rows, G^T - df/dlambda (transposed,
 * may be NULL) from the columns. */
void hk_linear_expand_constraints(const hk_linear *l, const hk_system *sys, const double *value,
                                  double *G, double *load);
/* y = A x over the nodes for the values of one of the matrices. */
void hk_linear_multiply(const hk_linear *l, const double *value, const double *x, double *y);

/* Regular first-order form of the reduced model: massless directions z0 are separated,
 *   z = Q1 z1 + Q0 z0.
 * Without damping these directions follow statically, z0 = -X z1, and Kc is the condensed
 * stiffness. M1 = C C^T. */
typedef struct hk_reduced {
  int n, n1, n0;
  bool damped;    /* the model has damping or gyroscopic terms L */
  bool condensed; /* z0 follows statically */
  /* true, for models with friction: the rows of z1 are multiplied by M1^-1, and C = 1 */
  bool left_scaled;
  double *Q1, *Q0;   /* [n][n1], [n][n0] */
  double *C;         /* [n1][n1] lower Cholesky factor of M1 */
  double *K11, *L11; /* [n1][n1]; K11 is condensed if `condensed` */
  double *K10, *L10; /* [n1][n0] */
  double *K01, *L01; /* [n0][n1] */
  double *K00, *L00; /* [n0][n0] */
  double *X;         /* [n0][n1] if condensed */
  double *block;
} hk_reduced;
/* Makes the reduced form; HK_EINPUT with the name of the body if a massless body has no
 * resistance. */
hk_status hk_reduced_make(const hk_linear *l, hk_reduced *out, hk_error *err);
void hk_reduced_free(hk_reduced *r);
/* Computes the projector [nv][nv] on the directions of a node that have inertia; *massless: number
 * of the other directions. */
hk_status hk_inertia_directions(const hk_linear *l, int node, double *P, int *massless,
                                hk_error *err);
/* HK_EINPUT with the name of the body that moves most in d [n], a motion without resistance. */
hk_status hk_dangling(const hk_linear *l, const double *d, hk_error *err);

/* src/analysis/linear_ports.c: p [n], the displacement of minimum norm per unit of motion i; G
 * contains the singular values of the constraints.  HK_EINPUT if another constraint prescribes the
 * coordinate of the motion. */
hk_status hk_linear_motion(const hk_linear *l, const hk_svd *G, int i, double *p, hk_error *err);
/* src/analysis/linear_ports.c: HK_EINPUT if the input (-1: none) or the output channel (-1: none) changes with time in
 * the axes of a moving model, such as a load in world axes on a model whose axes rotate. */
hk_status hk_linear_check_port(const hk_linear *l, int input, int channel, hk_error *err);
/* "m" or "rad" */
const char *hk_linear_motion_unit(const hk_linear *l, int i);

/* src/analysis/modes.c: N, Mr, Lr, Kr and the mass blocks of the nodes are used. */
hk_status hk_modes_dense(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                         hk_error *err);
/* src/analysis/modes_projected.c: large models with few free motions. */
/* Returns true if reactions act only along the directions that they constrain; false if friction depends on
 * reactions. */
bool hk_linear_is_ideal(const hk_linear *l);
bool hk_modes_can_project(const hk_linear *l, const hk_modes_options *o);
hk_status hk_modes_projected(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                             hk_error *err);
/* src/analysis/modes_sparse.c */
hk_status hk_modes_sparse(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                          hk_error *err);
/* src/analysis/modes_rolling.c: modes of models with nonholonomic constraints. */
hk_status hk_modes_rolling(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                           hk_error *err);
/* src/analysis/modes.c: allocates n modes with shapes. */
hk_status hk_modes_allocate(hk_modes *out, int n, int coordinates, hk_error *err);
/* Computes derived quantities, order and stability: |s| up to `zero` counts as zero, and so does a
 * real part up to `noise`. */
void hk_modes_finish(hk_modes *out, double zero, double noise);
/* Unpacks the first rows of eigenvector j from LAPACK's packing V [n][n]. */
void hk_eigenvector_unpack(const double *V, int n, int j, const double *im, double complex *out,
                           int rows);
/* shape [2 n] from d [n], scaled so that the largest component is 1. */
void hk_modes_put_shape(const double complex *d, int n, double *shape);
/* src/analysis/modes_slow.c: computes those modes of `out` again that are much slower than the
 * fastest one, each scaled to its frequency. unsure: values in `out` below this fraction of the
 * fastest frequency may be rounding of zero. *scale [rad/s]: the smallest scale used. The
 * member `frequency` of each mode becomes the scale of its own computation. */
hk_status hk_modes_slow(const hk_linear *l, bool shapes, double unsure, hk_modes *out,
                        double *scale, hk_error *err);
/* Sets the real part of a mode to zero if it may be only rounding. `noise`: relative rounding
 * error at the scale of the mode. See modes_certain.c. */
hk_status hk_modes_drop_rounding(const hk_linear *l, double noise, hk_modes *out, hk_error *err);
/* Returns true if s with the eigenvector x [n] is zero within rounding. Only for models in which
 * friction does not depend on reactions. */
bool hk_modes_is_zero(const hk_linear *l, double s_re, double s_im, const double complex *x);
/* src/analysis/modes.c: returns the magnitude up to which an eigenvalue with the displacements x [n] (NULL: any)
 * counts as a double zero, because the motion is steady only within the remaining imbalance. */
double hk_modes_state_zero(const hk_linear *l, const double complex *x);
/* Returns the real part of an eigenvalue that the remaining imbalance may cause. */
double hk_modes_state_noise(const hk_linear *l);
/* Relative rounding error of eigenvalues of a matrix of this size; for a double zero its square root. */
double hk_modes_noise(int size);
/* Direct feedthrough of a channel, [inputs]: the inputs of the model that the channel itself reads. */
hk_status hk_linear_feed(const hk_linear *l, int channel, double *feed);
/* Values of the expressions of loads and actuators at the time t in the linearised state; u [hk_linear_input_count],
 * 0 for inputs of the model. */
void hk_linear_input_values(const hk_linear *l, double t, double *u);
#endif
