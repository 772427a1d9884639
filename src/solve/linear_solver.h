/* Direct solution of A x = b for a block matrix: one interface, two methods.
 *
 * BLOCK: static-order block LU (block_lu.h). Fast; no pivoting between blocks, so that every
 * node block must be nonsingular after the elimination of its neighbours, and the kept
 * constraint rows must be independent. The result depends only on the matrix. BLOCK eliminates bodies before
 * constraints, so that the result loses digits in proportion to (lever arm / radius of gyration)^2 of the lightest
 * body; `growth` shows this.
 *
 * KLU: scalar sparse LU with partial pivoting. Slower; also supports massless bodies that are
 * held by constraints only. Every factorization chooses its pivots again, so that the result
 * depends only on the matrix (klu_solver.c).
 *
 * AUTO: BLOCK, and KLU for a matrix that BLOCK finds singular or nearly singular (growth above
 * 1e9). KLU is set up at its first use, the only allocation after create. */
#ifndef HK_SOLVE_LINEAR_SOLVER_H
#define HK_SOLVE_LINEAR_SOLVER_H
#include "solve/block_matrix.h"

typedef enum hk_linear_solver_kind {
  HK_SOLVER_AUTO,
  HK_SOLVER_BLOCK,
  HK_SOLVER_KLU
} hk_linear_solver_kind;

typedef struct hk_linear_solver hk_linear_solver;

typedef struct hk_linear_solver_type {
  const char *name;
  hk_status (*factor)(hk_linear_solver *s, const hk_block_matrix *m);
  void (*solve)(hk_linear_solver *s, double *x);
  void (*destroy)(hk_linear_solver *s);
  void (*poison)(hk_linear_solver *s); /* fills the factorization with NaN, to expose stale data */
} hk_linear_solver_type;

/* Common first member of every solver object. */
struct hk_linear_solver {
  const hk_linear_solver_type *type;
  const hk_block_pattern *pattern;
  /* after HK_RETRY: a scalar row, in the original order, that depends on other rows; otherwise
   * -1 */
  int singular_row;
  /* largest ratio of the scale of a row to its pivot: 1 is good, 1e13 means singular */
  double growth;
};

/* The pattern must be finished and must outlive the solver. */
hk_status hk_linear_solver_create(const hk_block_pattern *p, hk_linear_solver_kind kind,
                                  hk_linear_solver **out, hk_error *err);
void hk_linear_solver_destroy(hk_linear_solver *s);

/* Factorizes the matrix.  HK_OK; HK_RETRY if it is numerically singular or not finite (see
 * singular_row); HK_ENOMEM only from KLU. After a failure, another factorization must succeed
 * before solve is called. */
static inline hk_status hk_linear_solver_factor(hk_linear_solver *s, const hk_block_matrix *m) {
  return s->type->factor(s, m);
}
/* Solves A x = b in place: x holds b on entry and the solution on return, in the original order. No
 * allocation. A solver must not be used by two threads at the same time. */
static inline void hk_linear_solver_solve(hk_linear_solver *s, double *x) { s->type->solve(s, x); }

static inline void hk_linear_solver_poison(hk_linear_solver *s) { s->type->poison(s); }

/* Constructors of the methods, for hk_linear_solver_create. */
hk_status hk_block_lu_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err);
hk_status hk_klu_solver_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err);
/* Replaces KLU without its library, for FMUs, so that their users need not consider the licence of
 * KLU. */
hk_status hk_pivot_lu_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err);

#endif
