/* Static-order block LU: see block_lu.h (plan) and block_kernel.h (numeric part). */
#include "base/huge_pages.h"
#include "solve/block_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct block_lu {
  hk_linear_solver head;
  hk_front_plan *plan;
  const hk_block_kernel *kernel;
  double *storage; /* the fronts */
  double *factors; /* arrays needed by solves: see hk_step_up */
  double *vector;  /* scratch of solve */
} block_lu;

static hk_status factor(hk_linear_solver *s, const hk_block_matrix *m) {
  block_lu *lu = (block_lu *)s;
  s->singular_row = lu->kernel->factor(lu->plan, m->value, lu->storage, lu->factors, &s->growth);
  if (s->singular_row < 0) return HK_OK;
  /* The padding columns contain zeros unless a NaN has reached them. */
  memset(lu->storage, 0, lu->plan->n_storage * sizeof *lu->storage);
  return HK_RETRY;
}

static void solve(hk_linear_solver *s, double *x) {
  block_lu *lu = (block_lu *)s;
  lu->kernel->solve(lu->plan, lu->factors, lu->vector, x);
}

static void destroy(hk_linear_solver *s) {
  block_lu *lu = (block_lu *)s;
  hk_front_plan_free(lu->plan);
  free(lu->storage);
  free(lu->factors);
  free(lu->vector);
  free(lu);
}

/* Fills a step with NaN except for the padding between its parts, which is read too and must stay
 * zero. */
static void poison_step(block_lu *lu, const hk_front_step *st) {
  double *up = lu->factors + st->up, *down = lu->factors + st->down;
  size_t square = (size_t)st->size * (size_t)(st->size + st->rest);
  for (size_t k = 0; k < square; k++) up[k] = NAN;
  for (size_t k = 0; k < hk_step_down(st->size, st->rest); k++) down[k] = NAN;
}

static void poison(hk_linear_solver *s) {
  block_lu *lu = (block_lu *)s;
  /* fills all entries except the padding, which must stay zero */
  for (int i = 0; i < lu->plan->n_front; i++) {
    const hk_front *f = &lu->plan->front[i];
    for (int r = 0; r < f->n; r++)
      for (int c = 0; c < f->n; c++)
        lu->storage[f->start + (size_t)r * (size_t)f->stride + (size_t)c] = NAN;
    for (int k = f->step_start; k < f->step_end; k++) poison_step(lu, &lu->plan->step[k]);
  }
}

static const hk_linear_solver_type block_lu_type = {"block", factor, solve, destroy, poison};

hk_status hk_block_lu_create_with(const hk_block_pattern *p, const hk_block_kernel *kernel,
                                  hk_linear_solver **out, hk_error *err) {
  *out = NULL;
  block_lu *lu = calloc(1, sizeof *lu);
  if (!lu) return hk_fail(err, HK_ENOMEM, "out of memory: linear solver");
  lu->head =
      (hk_linear_solver){.type = &block_lu_type, .pattern = p, .singular_row = -1, .growth = 1};
  lu->kernel = kernel;
  hk_status status = hk_front_plan_create(p, &lu->plan, err);
  if (status) {
    destroy(&lu->head);
    return status;
  }
  lu->storage = hk_huge_calloc(lu->plan->n_storage, sizeof *lu->storage);
  lu->factors = hk_huge_calloc(lu->plan->n_factor, sizeof *lu->factors);
  lu->vector = calloc(lu->plan->n_vector + 16, sizeof *lu->vector);
  if (!lu->storage || !lu->factors || !lu->vector) {
    destroy(&lu->head);
    return hk_fail(err, HK_ENOMEM, "out of memory: factors of a matrix of %d rows", p->rows);
  }
  *out = &lu->head;
  return HK_OK;
}

hk_status hk_block_lu_create(const hk_block_pattern *p, hk_linear_solver **out, hk_error *err) {
  return hk_block_lu_create_with(p, hk_block_kernel_best(), out, err);
}
