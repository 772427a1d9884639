/* The matrices of the equations of motion at the current state, for programs that do their own analysis:
 *
 *   M d'' + C d' + K d + G^T dlambda = 0,   G d = 0
 *
 * for small displacements d of the velocity coordinates (translations in world axes, rotations in body
 * axes).  C and K are the exact derivatives of all forces, K with the tangent stiffness of the constraint
 * forces. In general neither C nor K is symmetric. G has every constraint row, including redundant ones. */
#ifndef HOOKE_MATRICES_H
#define HOOKE_MATRICES_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Compressed rows: entries start[i] to start[i + 1] - 1 of row i, columns ascending. */
typedef struct hk_csr {
  int rows, columns;
  int *start, *column;
  double *value;
} hk_csr;

typedef struct hk_matrices {
  /* square, of size hk_model_velocity_count; all three have the same pattern, which includes
   * explicit zeros */
  hk_csr M, C, K;
  hk_csr G; /* hk_model_constraint_count rows */
  void *block;
} hk_matrices;

/* Computes the matrices; the state is not changed.  Free `out` with hk_matrices_free, even after a
 * failure. */
HK_API hk_status hk_sim_matrices(hk_sim *sim, hk_matrices *out, hk_error *err);
HK_API void hk_matrices_free(hk_matrices *m);

#ifdef __cplusplus
}
#endif
#endif
