/* Stiffness and mass of a part. Each pair of nodes has a 3 x 3 block of the stiffness and one number of the mass.
 *
 * Symmetric; both halves are stored.  Vectors have 3 numbers per node. */
#ifndef HK_FE_SOLVE_NODAL_MATRIX_H
#define HK_FE_SOLVE_NODAL_MATRIX_H
#include <stddef.h>

typedef struct hk_nodal_matrix {
  int n;         /* nodes */
  size_t *first; /* [n + 1] first entry of each row */
  int *column;   /* [first[n]] columns, ascending in each row; the diagonal is always included */
  double *K;     /* [first[n]][9] blocks, by rows */
  double *m;     /* [first[n]] the mass is m_ij times the unit matrix */
} hk_nodal_matrix;

void hk_nodal_matrix_free(hk_nodal_matrix *A);
/* Index of an entry in its row; (size_t)-1: there is no such entry. */
size_t hk_nodal_entry(const hk_nodal_matrix *A, int row, int column);
/* y = K x and y = M x for several vectors, stored one after another. */
void hk_nodal_stiffness_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y);
void hk_nodal_mass_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y);
#endif
