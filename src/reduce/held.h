/* Static displacements of a part with held interfaces: nodes of rigid interfaces do not move; the fitted motions of
 * averaging interfaces are prescribed by multipliers (zero by default).
 *
 * If there is no rigid interface, the stiffness is singular. Therefore six springs are added before it is factorized.
 * The springs are statically determinate. Their forces are additional unknowns and cancel in the result, so the
 * springs change only its round-off. */
#ifndef HK_REDUCE_HELD_H
#define HK_REDUCE_HELD_H
#include "reduce/interface.h"
#include "fe_solve/cholesky.h"

typedef struct hk_held {
  const hk_nodal_matrix *A;
  const double (*x)[3];
  int n_interfaces;
  const hk_part_interface *interface;
  hk_cholesky *factor;
  unsigned char *held; /* [nodes] 1: the node belongs to a rigid interface */
  double **row;        /* [n_interfaces] hk_part_interface_rows */
  /* number of constraints: 6 per averaging interface, and the springs */
  int averages, springs, size;
  hk_nodal_spring spring[6];
  double *Z;         /* [size][3 nodes] K^-1 applied to the constraint rows and to the springs */
  double *S, *pivot; /* LU factors of the equations for the multipliers */
} hk_held;

hk_status hk_held_make(const hk_nodal_matrix *A, const double (*x)[3], int n_interfaces,
                       const hk_part_interface *interface, hk_progress_fn *progress, void *context,
                       hk_held *out, hk_error *err);
void hk_held_free(hk_held *h);
/* b <- displacements caused by the forces b, for several vectors. motion: [vectors][6 averages] prescribed motions of
 * the averaging interfaces in their order; NULL: zero. */
hk_status hk_held_solve(const hk_held *h, int vectors, double *b, const double *motion,
                        hk_error *err);
/* Displacements for a unit motion of each component of each interface, without other loads: mode[6 n_interfaces][3
 * nodes]. */
hk_status hk_held_constraint_modes(const hk_held *h, double *mode, hk_error *err);
/* Computes motion[6] of an interface from the displacements u of all nodes. */
void hk_held_motion(const hk_held *h, int interface, const double *u, double motion[6]);
/* Adds the nodal forces that represent a load[6] on an interface. */
void hk_held_load(const hk_held *h, int interface, const double load[6], double *force);
#endif
