/* Fill-reducing elimination order of the blocks of a symmetric pattern.
 *
 * Approximate minimum degree on the quotient graph [AmestoyDavisDuff1996], degrees weighted by
 * block size, with one precedence: a multiplier block is eliminated only after all its adjacent node blocks. Then
 * every pivot block is nonsingular if M* is positive definite and G has full row rank. Proof: let E be the eliminated
 * nodes and L the eliminated multipliers. The rows of L are zero outside of E. So G_LE has full row rank, as G_L has,
 * and [M_EE G_LE^T; G_LE 0] is nonsingular. A pivot block is the quotient of two such nonsingular leading blocks and
 * is therefore nonsingular. */
#ifndef HK_SOLVE_ORDERING_H
#define HK_SOLVE_ORDERING_H
#include "solve/block_matrix.h"

/* Structure of the factorization: block order[k] is the k-th to be eliminated and then couples to
 * the blocks fill[fill_start[k] .. fill_start[k+1]), all of which are eliminated later. */
typedef struct hk_ordering {
  int n;
  int *order;         /* [n] */
  int *position;      /* [n] inverse of order */
  size_t *fill_start; /* [n+1] */
  int *fill;          /* block numbers, not sorted */
} hk_ordering;

hk_status hk_ordering_create(const hk_block_pattern *p, hk_ordering **out);
void hk_ordering_free(hk_ordering *o);

#endif
