/* Detection of dependent rows of a constraint Jacobian.
 *
 * The matrix holds an SPD metric W in the diagonal blocks of its nodes (couplings between nodes
 * are ignored: any metric is valid) and G, G^T in the coupling blocks; multiplier diagonals are
 * zero. With W = L L^T the columns of B = L^-1 G^T are made triangular by Householder
 * reflections, front by front in the elimination order of block_lu.h. When column j is processed, the length of its
 * part that is still not zero is the distance, in the metric W^-1, of g_j from the span of the previous rows. If the
 * square of this distance is below tol * g_j W^-1 g_j^T, the row is dependent and skipped: tol = 1e-12 means a
 * distance of 1e-6 of the length of the row. The normal equations G W^-1 G^T are never formed, because they would
 * square the condition number, so that a dependent row could appear to be independent due to round-off. */
#ifndef HK_SOLVE_RANK_H
#define HK_SOLVE_RANK_H
#include "solve/block_matrix.h"

#define HK_RANK_TOL 1e-12

typedef struct hk_rank hk_rank;

/* Analyses m. dependent[rows of the pattern] is set to 1 for a dependent multiplier row and to 0
 * otherwise (natural order; node rows are 0). Within a joint the rows with the largest distances
 * are kept; of rows with equal distances, the earlier one. A zero row is dependent. `keep` may be
 * NULL; otherwise *keep receives an object for hk_rank_dependency, to be freed by the caller; it
 * refers to m. HK_EFAIL if W is not positive definite (err gives the scalar row). */
hk_status hk_rank_analyse(const hk_block_matrix *m, double tol, uint8_t *dependent,
                          int *n_dependent, hk_rank **keep, hk_error *err);
/* For dependent row j: computes c[rows of the pattern], zero except at kept multiplier rows, such
 * that G_kept^T c = g_j^T.  *residual (may be NULL) is max |G_kept^T c - g_j^T| / max |g_j|. */
hk_status hk_rank_dependency(hk_rank *r, int row, double *c, double *residual, hk_error *err);
void hk_rank_free(hk_rank *r);

#endif
