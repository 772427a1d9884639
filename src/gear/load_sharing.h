/* Load sharing: the loads of n slices of all tooth pairs, with local deformations and coupled
 * bulk compliance,
 *   r_i = sum_j C_ij F_j + y_i(x_i) - p_i = 0
 * with the penetration p_i minus the flank modification, the bulk compliance C of both gears,
 * and the law of the line contact (gear/line.h), in the unknowns x_i = ln of the steady load.
 * Newton's method with the exact Jacobian C diag(dF/dx) + diag(dy/dx) and steps of at most 2.5,
 * starting from the last accepted loads. Slices that would need a tensile load in a dry law are
 * open; this is determined during the iteration and stored. */
#ifndef HK_GEAR_LOAD_SHARING_H
#define HK_GEAR_LOAD_SHARING_H
#include "gear/line.h"

typedef struct hk_mesh_slice {
  hk_line_spot spot;
  hk_line_past past;
  double overlap; /* p, m */
  double weight;  /* fraction of its width in contact: 1, less at the ends of the path */
  /* on entry the initial value of Newton's iteration (NAN: unknown; at or below the minimum of
   * the law: the slice is open), on return the solution */
  double x;
  bool open; /* carries no load */
  int tries; /* number of times the slice was opened during the iteration */
  hk_line_load load;
} hk_mesh_slice;

/* Number of doubles of scratch memory for hk_mesh_solve. */
int hk_mesh_scratch(int n);
/* Solves for all x; afterwards `room` holds the factorization of the Jacobian for hk_mesh_respond.
 * Returns the number of iterations, or -1 if it fails. */
int hk_mesh_solve(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                  const double *C, double *room);
/* Computes the derivatives of the unknowns by the implicit function theorem, in place. On entry: dr/dz[n][m], the
 * derivatives of the residual; on return: dx/dz. */
void hk_mesh_respond(const hk_mesh_slice *slice, int n, const double *room, double *z, int m);
#endif
