/* Numeric kernels of the block LU, compiled twice from block_kernel.inc: for any processor and
 * for x86-64 with AVX2 and FMA. The choice is made once, when a solver is created.
 *
 * A front is a dense matrix F = [F11 F12; F21 F22]. The index 1 stands for the pivot rows of a step, the index 2 for
 * the remaining rows. The step computes
 *     P = F11^-1,  W = P F12,  F21,  F22 <- F22 - F21 W,
 * and stores P, W and F21 as the factorization (hk_step_up). A solution consists of z1 = P b1 and b2 -= F21 z1 up the
 * tree, and of x1 = z1 - W x2 down the tree: products of small matrices and vectors, without division and without a
 * triangular recurrence. Row n of the front storage holds the scale of each row: the largest magnitude of its diagonal
 * so far. */
#ifndef HK_SOLVE_BLOCK_KERNEL_H
#define HK_SOLVE_BLOCK_KERNEL_H
#include "solve/block_lu.h"

#define HK_PIVOT_LIMIT 1e13 /* scale / pivot above this: singular */

typedef struct hk_block_kernel {
  const char *name;
  /* Factorizes all fronts; *growth = largest scale / pivot (up to a factor of 6). Returns -1,
   * or the number of a scalar row, in the original order, with a pivot that is too small or not
   * finite. */
  int (*factor)(const hk_front_plan *plan, const double *a, double *storage, double *factors,
                double *growth);
  /* vector: scratch of n_vector + 16 doubles. */
  void (*solve)(const hk_front_plan *plan, const double *factors, double *vector, double *x);
} hk_block_kernel;

extern const hk_block_kernel hk_block_kernel_portable;
/* NULL if the processor or the compiler does not support this kernel. */
const hk_block_kernel *hk_block_kernel_avx2(void);
const hk_block_kernel *hk_block_kernel_best(void);

/* hk_block_lu_create with a given kernel, for tests and benchmarks. */
hk_status hk_block_lu_create_with(const hk_block_pattern *p, const hk_block_kernel *kernel,
                                  hk_linear_solver **out, hk_error *err);

/* Inverts a block in place with scaled partial pivoting, for blocks that need pivoting. scale[p]: see above. Returns
 * the row whose pivot is too small; -1: there is no such row. */
int hk_block_invert_pivoted(double *f, int stride, int p, const double *scale, double *growth);

#endif
