/* Block-sparse square matrix with a structurally symmetric pattern of small dense blocks.
 *
 * The Newton matrix of a multibody system is
 *
 *     A = [ M*  G^T + D ]     M* = M + h C + h^2 K : node blocks (6 body, 3 point, 1 rotor,
 *                                                         6 + m flexible body with m modes)
 *         [ G   0       ]     one multiplier block per joint (its 1 to 6 kept rows)
 *
 * Blocks are numbered 0 .. nb-1 in the order of the caller ("natural order"); the scalar
 * unknowns follow block by block. The pattern is fixed before any value is known. A matrix is a
 * pattern plus one array of values, so that element code looks up the address of its block once
 * and adds to it in every assembly. */
#ifndef HK_SOLVE_BLOCK_MATRIX_H
#define HK_SOLVE_BLOCK_MATRIX_H
#include <hooke/base.h>

/* Largest size of a pivot block of the elimination, and of a multiplier block.  Node blocks may be larger: see
 * hk_block_pattern_split. */
enum { HK_BLOCK_MAX = 6 };

/* Compressed block rows; only block_matrix.c may write them. */
typedef struct hk_block_pattern {
  int nb;    /* number of blocks */
  int rows;  /* scalar rows */
  int *size; /* [nb] rows of each block */
  /* [nb] row stride of the values in the columns of each block: the size of the block, or of the larger block of
   * which it is a part */
  int *stride;
  uint8_t *is_multiplier; /* [nb] 1: zero diagonal block, eliminated after its nodes */
  int *offset;            /* [nb+1] first scalar row of each block */
  int *row_start;         /* [nb+1] into column, value_start; valid after finish */
  int *column;            /* [nnzb] ascending within a block row; the diagonal is always present */
  size_t *value_start;    /* [nnzb] first value of each block */
  size_t n_value;
  bool finished;
  /* pairs collected by hk_block_pattern_add; released by finish */
  int *pair;
  size_t n_pair, pair_capacity;
} hk_block_pattern;

/* Creates a pattern.  size[nb]; is_multiplier[nb] may be NULL (all blocks are nodes).  NULL: out of
 * memory, nb < 0, a size is below 1, a multiplier is larger than HK_BLOCK_MAX, or the sum of sizes
 * does not fit an int.  nb = 0 is an empty matrix. */
hk_block_pattern *hk_block_pattern_create(int nb, const int *size, const uint8_t *is_multiplier);
/* Adds (i,j) and (j,i). Duplicates are allowed; diagonals are always included. */
hk_status hk_block_pattern_add(hk_block_pattern *p, int i, int j);
/* Sorts and freezes the pattern; no further entries can be added. */
hk_status hk_block_pattern_finish(hk_block_pattern *p);
void hk_block_pattern_free(hk_block_pattern *p);
/* Computes the pattern of the same matrix, with the same values, in which blocks larger than HK_BLOCK_MAX are divided
 * into parts.  *split: NULL if there are none. */
hk_status hk_block_pattern_split(const hk_block_pattern *p, hk_block_pattern **split);
static inline int hk_block_pattern_rows(const hk_block_pattern *p) { return p->rows; }
static inline int hk_block_pattern_offset(const hk_block_pattern *p, int block) {
  return p->offset[block];
}
/* The block that holds a scalar row. */
int hk_block_pattern_block_of_row(const hk_block_pattern *p, int row);
/* Position of block (i,j) in `column`, or -1. */
int hk_block_pattern_find(const hk_block_pattern *p, int i, int j);

typedef struct hk_block_matrix {
  const hk_block_pattern *pattern;
  double *value; /* [n_value], blocks one after another, each dense row-major */
  size_t n_value;
} hk_block_matrix;

/* Creates a matrix of zeros.  The pattern must be finished and must outlive the matrix. */
hk_block_matrix *hk_block_matrix_create(const hk_block_pattern *p);
void hk_block_matrix_free(hk_block_matrix *m);
/* Returns the address of the dense row-major block (i,j), with *row_stride doubles from one row to
 * the next; NULL if the block is not in the pattern.  The address is valid as long as the matrix
 * exists.  O(log n). */
double *hk_block_matrix_at(const hk_block_matrix *m, int i, int j, int *row_stride);
/* y = A x, natural order. */
void hk_block_matrix_multiply(const hk_block_matrix *m, const double *x, double *y);

#endif
