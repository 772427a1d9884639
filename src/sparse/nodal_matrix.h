/* Stiffness and mass of a part, by nodes: 3 x 3 blocks of the stiffness, one number of the mass per pair of nodes.
 *
 * Symmetric; both halves are stored.  Vectors have 3 numbers per node. */
#ifndef HK_SPARSE_NODAL_MATRIX_H
#define HK_SPARSE_NODAL_MATRIX_H
#include <stddef.h>

typedef struct hk_nodal_matrix {
  int n;         /* nodes */
  size_t *first; /* [n + 1] first entry of each row */
  int *column;   /* [first[n]] ascending in each row; the diagonal is always there */
  double *K;     /* [first[n]][9] blocks, by rows */
  double *m;     /* [first[n]] the mass is m_ij times the unit matrix */
} hk_nodal_matrix;

void hk_nodal_matrix_free(hk_nodal_matrix *A);
/* Position of an entry in its row; (size_t)-1: there is none. */
size_t hk_nodal_entry(const hk_nodal_matrix *A, int row, int column);
/* y = K x and y = M x for several vectors, one after another. */
void hk_nodal_stiffness_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y);
void hk_nodal_mass_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y);
#endif
