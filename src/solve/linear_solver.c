/* Selection of the linear solver: see linear_solver.h. */
#include "solve/linear_solver.h"

#include <stdlib.h>

#define WEAK_GROWTH 1e9 /* element growth in the factorization by BLOCK above which KLU is used */

/* Tries BLOCK first, and KLU if BLOCK fails. */
typedef struct auto_solver {
  hk_linear_solver head;
  hk_linear_solver *block, *klu, *used;
} auto_solver;

static hk_status use(auto_solver *a, hk_linear_solver *used, hk_status status) {
  a->used = used;
  a->head.singular_row = used->singular_row;
  a->head.growth = used->growth;
  return status;
}

static hk_status auto_factor(hk_linear_solver *s, const hk_block_matrix *m) {
  auto_solver *a = (auto_solver *)s;
  hk_status block = use(a, a->block, hk_linear_solver_factor(a->block, m));
  if (block == HK_OK && s->growth < WEAK_GROWTH) return HK_OK;
  if (!a->klu) {
    hk_status created = hk_klu_solver_create(s->pattern, &a->klu, NULL);
    if (created) return block == HK_OK ? HK_OK : created;
  }
  hk_status klu = hk_linear_solver_factor(a->klu, m);
  /* Reports the row that BLOCK has found, because it belongs to the joint or body at which the
   * factorization fails; KLU reports a column. */
  return klu == HK_OK ? use(a, a->klu, HK_OK) : block == HK_OK ? HK_OK : klu;
}

static void auto_solve(hk_linear_solver *s, double *x) {
  hk_linear_solver_solve(((auto_solver *)s)->used, x);
}

static void auto_destroy(hk_linear_solver *s) {
  auto_solver *a = (auto_solver *)s;
  hk_linear_solver_destroy(a->block);
  hk_linear_solver_destroy(a->klu);
  free(a);
}

static void auto_poison(hk_linear_solver *s) {
  auto_solver *a = (auto_solver *)s;
  hk_linear_solver_poison(a->block);
  if (a->klu) hk_linear_solver_poison(a->klu);
}

static const hk_linear_solver_type auto_type = {"auto", auto_factor, auto_solve, auto_destroy,
                                                auto_poison};

static hk_status auto_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  auto_solver *a = calloc(1, sizeof *a);
  if (!a) return hk_fail(err, HK_ENOMEM, "out of memory: linear solver");
  a->head = (hk_linear_solver){.type = &auto_type, .pattern = p, .singular_row = -1, .growth = 1};
  hk_status status = hk_block_lu_create(p, &a->block, err);
  if (status) {
    free(a);
    return status;
  }
  a->used = a->block;
  *out = &a->head;
  return HK_OK;
}

hk_status hk_linear_solver_create(const hk_block_pattern *p, hk_linear_solver_kind kind,
                                  hk_linear_solver **out, hk_error *err) {
  *out = NULL;
  if (!p || !p->finished) return hk_fail(err, HK_EINPUT, "the matrix pattern is not finished");
  switch (kind) {
    case HK_SOLVER_AUTO:
      return auto_create(p, out, err);
    case HK_SOLVER_BLOCK:
      return hk_block_lu_create(p, out, err);
    case HK_SOLVER_KLU:
      return hk_klu_solver_create(p, out, err);
  }
  return hk_fail(err, HK_EINPUT, "unknown kind of linear solver: %d", (int)kind);
}

void hk_linear_solver_destroy(hk_linear_solver *s) {
  if (s) s->type->destroy(s);
}
