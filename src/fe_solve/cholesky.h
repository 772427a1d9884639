/* Sparse Cholesky factors of the stiffness of a part, K = L L^T: supernodal, left-looking, with dense kernels of BLAS.
 *
 * The symbolic factorization works with nodes; each node has three displacements. Columns with the same structure
 * form a supernode, a dense trapezoid. Besides the factor, only one block of updates is allocated. */
#ifndef HK_FE_SOLVE_CHOLESKY_H
#define HK_FE_SOLVE_CHOLESKY_H
#include "fe_solve/nodal_matrix.h"
#include <hooke/base.h>

typedef struct hk_cholesky hk_cholesky;

/* A spring from a node to the ground along a unit vector. */
typedef struct hk_nodal_spring {
  int node;
  double direction[3], stiffness;
} hk_nodal_spring;

typedef struct hk_cholesky_task {
  const hk_nodal_matrix *A;
  const double (*x)[3]; /* positions of the nodes, used for the order of elimination */
  const unsigned char *
      held; /* [n] 1: the mesh node is held: it is not in the factorization, and its displacements are 0;
              * NULL: none */
  int n_springs; /* springs to the ground */
  const hk_nodal_spring *spring;
  hk_progress_fn *progress; /* NULL: not called */
  void *context;
} hk_cholesky_task;

typedef struct hk_cholesky_size {
  double entries; /* of L */
  double flops;   /* of the factorization */
} hk_cholesky_size;

/* Factorizes.  HK_EFAIL: the matrix is not positive definite; *node, if given, is the node at
 * which the factorization failed. */
hk_status hk_cholesky_create(const hk_cholesky_task *task, hk_cholesky **out, int *node,
                             hk_error *err);
void hk_cholesky_free(hk_cholesky *c);
hk_cholesky_size hk_cholesky_sizes(const hk_cholesky *c);
/* b <- K^-1 b for several vectors, stored one after another in b; displacements of held nodes become 0. */
hk_status hk_cholesky_solve(const hk_cholesky *c, int vectors, double *b, hk_error *err);
#endif
