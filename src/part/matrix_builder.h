/* Matrices of a part from lists of entries, for the readers of matrix files.
 *
 * An unknown is a direction of a node.  Entries may come from one half of the matrix or from both. */
#ifndef HK_PART_MATRIX_BUILDER_H
#define HK_PART_MATRIX_BUILDER_H
#include "part/text.h"
#include "sparse/nodal_matrix.h"

typedef struct hk_matrix_entry {
  int row, column; /* unknowns: 3 node + direction */
  double value;
} hk_matrix_entry;

typedef struct hk_matrix_list {
  size_t n, room;
  hk_matrix_entry *entry;
  bool halved; /* one half of a symmetric matrix, with the diagonal */
} hk_matrix_list;

hk_status hk_matrix_add(hk_matrix_list *l, int row, int column, double value, hk_error *err);
void hk_matrix_list_free(hk_matrix_list *l);
/* Makes stiffness and mass of `nodes` nodes.  Refuses a matrix that is not symmetric, and a mass
 * that is not a number times the unit matrix for each pair of nodes. The message contains the
 * name of the file and the node. Values are multiplied by the factors. */
hk_status hk_matrix_build(int nodes, const long *label, const hk_matrix_list *K, const char *K_name,
                          double K_factor, const hk_matrix_list *M, const char *M_name,
                          double M_factor, hk_nodal_matrix *out, hk_error *err);
#endif
