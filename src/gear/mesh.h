/* Load sharing: the loads of n slices, of all pairs of teeth, that give way locally and together,
 *   r_i = sum_j C_ij F_j + y_i(x_i) - p_i = 0
 * with the overlap p_i less the flank's modification, the bulk compliance C of both gears, and the law of
 * the line (gear/line.h), in the unknowns x_i = ln of the steady load.  Newton with the exact Jacobian
 * C diag(dF/dx) + diag(dy/dx) and steps of at most 2.5, from the last accepted loads; slices that a dry law
 * would have to pull are open, which is found on the way and remembered.
 */
#ifndef HK_GEAR_MESH_H
#define HK_GEAR_MESH_H
#include "gear/line.h"

typedef struct hk_mesh_slice {
  hk_line_spot spot;
  hk_line_past past;
  double overlap; /* p, m */
  double weight;  /* part of its width that is in contact: 1, less at the ends of the path */
  double
      x; /* where Newton begins, NAN: unknown, at or below the law's least: open; then the solution */
  bool open; /* carries nothing */
  int tries; /* how often it was opened on the way */
  hk_line_load load;
} hk_mesh_slice;

/* What is needed besides the slices: doubles for hk_mesh_solve. */
int hk_mesh_room(int n);
/* Solves for all x; `room` then holds the factors of the Jacobian for hk_mesh_respond.  Returns the number
 * of iterations, or -1 if it fails. */
int hk_mesh_solve(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                  const double *C, double *room);
/* Implicit function theorem: what the unknowns do when the residual changes, in place: on entry
 * dr/dz[n][m], on return dx/dz. */
void hk_mesh_respond(const hk_mesh_slice *slice, int n, const double *room, double *z, int m);
#endif
