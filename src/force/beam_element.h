/* The wrench of a slender elastic bar between two frames: see beam_element.c. */
#ifndef HK_BEAM_ELEMENT_H
#define HK_BEAM_ELEMENT_H
#include <hooke/frame.h>
#include <stdbool.h>

/* x runs along the bar from A to B, y and z are the principal axes of its section. */
typedef struct hk_beam {
  double length;
  double axial;            /* EA [N] */
  double shear_y, shear_z; /* GA along y and z, with the section's shear factor [N] */
  double torsion;          /* GJ [N m^2] */
  double bend_y, bend_z;   /* EI about y and z [N m^2] */
  double damping;          /* stress of the rate over stress of the strain [s] */
} hk_beam;

typedef struct hk_beam_wrench {
  double energy, dissipated;
  hk_mat3 axes;               /* of the middle: columns in world axes */
  hk_vec3 force;              /* that the part towards B exerts on that towards A, middle axes */
  hk_vec3 moment_a, moment_b; /* likewise at the two ends */
  double bow;                 /* angle between the ends [rad] */
  /* If asked: minus the derivatives of (force, moment on A, on B) with respect to displacements and
   * velocities of A, then B; world axes. */
  double (*K)[12], (*C)[12];
} hk_beam_wrench;

/* K and C may be NULL; they are overwritten.  False: the ends are turned by more than
 * HK_BEAM_MOST_BOW against each other, where the formulas end. */
#define HK_BEAM_MOST_BOW 3.0
bool hk_beam_wrench_of(const hk_beam *beam, const hk_frame *A, const hk_frame *B,
                       hk_beam_wrench *out);
#endif
