/* Symbolic part of the static-order block LU, shared by block_lu.c (numeric part) and rank.c.
 *
 * The elimination is multifrontal. A front is a small dense matrix over a list of blocks: first
 * the pivot blocks, eliminated one after another ("steps"), then the boundary; the Schur
 * complement of the boundary is added to the parent front. Fronts are numbered so that children
 * precede parents. */
#ifndef HK_SOLVE_BLOCK_LU_H
#define HK_SOLVE_BLOCK_LU_H
#include "solve/block_matrix.h"
#include "solve/linear_solver.h"

typedef struct hk_front_step {
  int block;  /* natural block number */
  int row;    /* first scalar row of the block, original order */
  int offset; /* first row of the pivot block within the front */
  int rest;   /* number of rows of the front after the pivot block */
  uint8_t size, is_multiplier;
  size_t up, down; /* offsets in the stored factorization: see hk_step_up */
} hk_front_step;

/* The factors of a step with p pivot rows and r remaining rows have two parts: p x p and r x p
 * numbers for the upward pass of a solve, and p rows of r, padded to multiples of four, for the
 * downward pass. The upward parts of all steps come first, in the order of the steps, then the
 * downward parts. Each pass of a solve therefore reads contiguous memory, which the processor
 * can prefetch. */
static inline size_t hk_step_up(int p, int r) { return ((size_t)p * (size_t)(p + r) + 3) / 4 * 4; }
static inline size_t hk_step_down(int p, int r) { return (size_t)p * (size_t)((r + 3) / 4 * 4); }

/* A dense block of A that is copied into a front. */
typedef struct hk_front_copy {
  size_t from; /* index of the first number in hk_block_matrix.value */
  int to;      /* into the front */
  int shape;   /* number of rows and columns: 8 * rows + columns */
} hk_front_copy;

/* Part of a row of the Schur complement of a child that is contiguous in the parent. The runs of
 * all children of a front are stored next to each other. */
typedef struct hk_front_run {
  int from, to; /* column in the child's boundary, column in the parent */
  int width;
  bool last; /* true: the last run of a child: only padding follows this run */
  /* positions of the run in the vectors of child and parent, in the scratch memory of a solve */
  size_t vector_from, vector_to;
} hk_front_run;

typedef struct hk_front {
  int n;      /* rows */
  int pivots; /* number of rows eliminated in this front; the boundary is the rest */
  /* doubles from row to row: a step may write columns up to the next multiple of four */
  int stride;
  int parent; /* -1: root */
  /* Rows and columns before zero_from are filled by copies and need not be set to zero. */
  int zero_from;
  /* offset in the front storage; fronts that are not in use at the same time share storage */
  size_t start;
  int step_start, step_end; /* into step */
  int copy_start, copy_end; /* into copy */
  /* first entry in `child` and one after the last: fronts whose Schur complement is added to this front */
  int child_start, child_end;
  /* first entry in `run` and one after the last: map from the boundary of this front to its parent */
  int run_start, run_end;
  /* first entry in `run` and one after the last: map from the boundaries of all children to this front */
  int in_start, in_end;
  int index_start;     /* first entry in index: original scalar row of each front row */
  size_t vector_start; /* offset in the scratch of a solve: n entries and room for one vector */
} hk_front;

typedef struct hk_front_plan {
  const hk_block_pattern *pattern; /* the pattern of the matrix, or `split` */
  hk_block_pattern *split;         /* NULL: no block is larger than HK_BLOCK_MAX */
  int n_front, max_n;
  hk_front *front;
  hk_front_step *step;
  hk_front_copy *copy;
  hk_front_run *run;
  int *child;
  int *index;
  size_t n_storage; /* doubles of front storage, including padding that vector loads may read */
  size_t n_factor;  /* number of doubles of the stored factorization, including padding */
  size_t n_vector;  /* number of doubles of the scratch of a solve */
} hk_front_plan;

hk_status hk_front_plan_create(const hk_block_pattern *p, hk_front_plan **out, hk_error *err);
void hk_front_plan_free(hk_front_plan *plan);

#endif
