/* Matrices by nodes: see nodal_matrix.h. */
#include "fe_solve/nodal_matrix.h"
#include <stdlib.h>

void hk_nodal_matrix_free(hk_nodal_matrix *A) {
  free(A->first);
  free(A->column);
  free(A->K);
  free(A->m);
  *A = (hk_nodal_matrix){0};
}

size_t hk_nodal_entry(const hk_nodal_matrix *A, int row, int column) {
  size_t low = A->first[row], high = A->first[row + 1];
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (A->column[mid] < column)
      low = mid + 1;
    else
      high = mid;
  }
  return low < A->first[row + 1] && A->column[low] == column ? low : (size_t)-1;
}

void hk_nodal_stiffness_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y) {
  size_t length = 3 * (size_t)A->n;
  for (int v = 0; v < vectors; v++, x += length, y += length)
    for (int i = 0; i < A->n; i++) {
      double s[3] = {0};
      for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
        const double *k = A->K + 9 * e, *u = x + 3 * (size_t)A->column[e];
        for (int d = 0; d < 3; d++)
          s[d] += k[3 * d] * u[0] + k[3 * d + 1] * u[1] + k[3 * d + 2] * u[2];
      }
      for (int d = 0; d < 3; d++) y[3 * (size_t)i + (size_t)d] = s[d];
    }
}

void hk_nodal_mass_times(const hk_nodal_matrix *A, const double *x, int vectors, double *y) {
  size_t length = 3 * (size_t)A->n;
  for (int v = 0; v < vectors; v++, x += length, y += length)
    for (int i = 0; i < A->n; i++) {
      double s[3] = {0};
      for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
        const double *u = x + 3 * (size_t)A->column[e];
        for (int d = 0; d < 3; d++) s[d] += A->m[e] * u[d];
      }
      for (int d = 0; d < 3; d++) y[3 * (size_t)i + (size_t)d] = s[d];
    }
}
