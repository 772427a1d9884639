/* Symbolic side of the static-order block LU, shared by block_lu.c (numbers) and rank.c.
 *
 * The elimination is multifrontal.  A front is a small dense matrix over a list of blocks: first
 * the pivot blocks, eliminated one after another ("steps"), then the boundary, whose Schur
 * complement is added into the parent front.  Fronts are numbered so that children precede parents.
 */
#ifndef HK_BLOCK_LU_H
#define HK_BLOCK_LU_H
#include "solve/block_matrix.h"
#include "solve/linear_solver.h"

typedef struct hk_front_step {
  int block;  /* natural block number */
  int row;    /* its first scalar row, natural order */
  int offset; /* first row of the pivot block within the front */
  int rest;   /* rows of the front behind it */
  uint8_t size, is_multiplier;
  size_t up, down; /* into the factors: see hk_step_up */
} hk_front_step;

/* The factors of a step with p pivot rows and r behind them are two pieces: p x p and r x p numbers that a solve reads
 * going up, and p rows of r, filled up to whole vectors of four, for its way down.  Those for the way up of all steps come
 * first, in the order of the steps, then those for the way down: either way a solve reads what lies one behind the other,
 * and nothing else, which is what a processor fetches ahead of its use. */
static inline size_t hk_step_up(int p, int r) { return ((size_t)p * (size_t)(p + r) + 3) / 4 * 4; }
static inline size_t hk_step_down(int p, int r) { return (size_t)p * (size_t)((r + 3) / 4 * 4); }

/* A dense block of A, copied to its place in a front. */
typedef struct hk_front_copy {
  size_t from; /* into hk_block_matrix.value */
  int to;      /* into the front */
  int shape;   /* 8 * rows + columns */
} hk_front_copy;

/* Part of a row of a child's Schur complement that lands contiguously in the parent.  The runs of
 * all children of a front are neighbours. */
typedef struct hk_front_run {
  int from, to; /* column in the child's boundary, column in the parent */
  int width;
  bool last;                     /* of its child: only padding follows it */
  size_t vector_from, vector_to; /* the same places in the scratch of a solve */
} hk_front_run;

typedef struct hk_front {
  int n;      /* rows */
  int pivots; /* rows eliminated here; the boundary is the rest */
  int stride; /* doubles from row to row: every step may touch columns rounded up to four */
  int parent; /* -1: root */
  /* Rows and columns before zero_from are covered by copies and need not be zeroed first. */
  int zero_from;
  size_t start; /* into the front storage, which fronts share that are not alive together */
  int step_start, step_end;   /* into step */
  int copy_start, copy_end;   /* into copy */
  int child_start, child_end; /* into child: fronts whose Schur complement is added here */
  int run_start, run_end;     /* into run: how this front's boundary maps into its parent */
  int in_start, in_end;       /* into run: how the boundaries of all children map into this front */
  int index_start;            /* into index: natural scalar row of each front row */
  size_t vector_start;        /* into the scratch of a solve: n entries and room for a vector */
} hk_front;

typedef struct hk_front_plan {
  const hk_block_pattern *pattern;
  int n_front, max_n;
  hk_front *front;
  hk_front_step *step;
  hk_front_copy *copy;
  hk_front_run *run;
  int *child;
  int *index;
  size_t n_storage; /* doubles of front storage, including slack for over-reading vectors */
  size_t n_factor;  /* doubles of factors, with such slack */
  size_t n_vector;  /* doubles of scratch of a solve */
} hk_front_plan;

hk_status hk_front_plan_create(const hk_block_pattern *p, hk_front_plan **out, hk_error *err);
void hk_front_plan_free(hk_front_plan *plan);

#endif
