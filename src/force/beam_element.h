/* Wrench of a slender elastic beam between two frames: see beam_element.c. */
#ifndef HK_FORCE_BEAM_ELEMENT_H
#define HK_FORCE_BEAM_ELEMENT_H
#include <hooke/frame.h>
#include <stdbool.h>

/* x is along the beam from A to B, y and z are the principal axes of its cross-section. */
typedef struct hk_beam {
  double length;
  double axial;            /* EA [N] */
  double shear_y, shear_z; /* GA along y and z, including the shear factor of the section [N] */
  double torsion;          /* GJ [N m^2] */
  double bend_y, bend_z;   /* EI about y and z [N m^2] */
  double damping;          /* damping time: viscous stress per strain rate divided by elastic
                            * stress per strain [s] */
} hk_beam;

typedef struct hk_beam_wrench {
  double energy, dissipated;
  hk_mat3 axes;  /* axes of the middle frame: columns in world axes */
  hk_vec3 force; /* force exerted by the part towards B on the part towards A, in middle axes */
  hk_vec3 moment_a, moment_b; /* moments at the two ends, with the sign of `force` */
  double bow;                 /* angle between the ends [rad] */
  /* If not NULL: negative derivatives of (force, moment on A, on B) with respect to
   * displacements and velocities of A, then B; world axes. */
  double (*K)[12], (*C)[12];
} hk_beam_wrench;

/* Computes the wrench. K and C may be NULL; they are overwritten. Returns false if the rotation
 * between the ends exceeds HK_BEAM_MOST_BOW, the limit of the formulas. */
#define HK_BEAM_MOST_BOW 3.0
bool hk_beam_wrench_of(const hk_beam *beam, const hk_frame *A, const hk_frame *B,
                       hk_beam_wrench *out);
#endif
