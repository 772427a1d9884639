/* Matrices of a part from lists of entries, for the readers of matrix files.
 *
 * An unknown is one direction of one node. The list may contain one half of the matrix or both halves. */
#ifndef HK_REDUCE_MATRIX_BUILDER_H
#define HK_REDUCE_MATRIX_BUILDER_H
#include "reduce/text.h"
#include "fe_solve/nodal_matrix.h"

typedef struct hk_matrix_entry {
  int row, column; /* unknowns: 3 node + direction */
  double value;
} hk_matrix_entry;

typedef struct hk_matrix_list {
  size_t n, room;
  hk_matrix_entry *entry;
  bool halved; /* the list contains one half of a symmetric matrix, including the diagonal */
} hk_matrix_list;

hk_status hk_matrix_add(hk_matrix_list *l, int row, int column, double value, hk_error *err);
void hk_matrix_list_free(hk_matrix_list *l);
/* Creates stiffness and mass of `nodes` nodes. Values are multiplied by the factors. Rejects a matrix that is not
 * symmetric, and a mass that is not a number times the unit matrix for each pair of nodes; the message gives the file
 * and the node. */
hk_status hk_matrix_build(int nodes, const long *label, const hk_matrix_list *K, const char *K_name,
                          double K_factor, const hk_matrix_list *M, const char *M_name,
                          double M_factor, hk_nodal_matrix *out, hk_error *err);
#endif
