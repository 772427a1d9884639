/* Structure of a Cholesky factor: elimination tree and supernodes, by nodes. */
#ifndef HK_FE_SOLVE_SUPERNODES_H
#define HK_FE_SOLVE_SUPERNODES_H
#include <hooke/base.h>

typedef struct hk_supernodes {
  int n;         /* nodes that are eliminated */
  int *order;    /* [n] node of the matrix that is eliminated in step i */
  int count;     /* supernodes */
  int *start;    /* [count + 1] first column of each supernode */
  int *of;       /* [n] supernode of a column */
  size_t *first; /* [count + 1] into `row` */
  int *row;      /* rows below the diagonal block, ascending */
} hk_supernodes;

/* Computes the structure. The graph must contain both directions of each edge. order: n nodes in the order of
 * elimination; other nodes are not in the factor. Nodes are reordered within the elimination tree, which does not
 * change the number of entries. `total`: number of nodes of the graph. */
hk_status hk_supernodes_make(int total, const size_t *first, const int *column, const int *order,
                             int n, hk_supernodes *out, hk_error *err);
void hk_supernodes_free(hk_supernodes *s);
#endif
