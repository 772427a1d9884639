/* Intermediate results of the beam wrench, shared by beam_element.c and beam_tangent.c. */
#ifndef HK_FORCE_BEAM_BAR_H
#define HK_FORCE_BEAM_BAR_H
#include "force/beam_element.h"

/* Functions of y = phi . phi, with x = |phi|/2: a = x/sin x, b = (1 - a)/y, k = tan(x/2)/(4 x),
 * and their derivatives with respect to y. */
typedef struct hk_beam_middle {
  double a, b, k, a_y, b_y, k_y;
} hk_beam_middle;

typedef struct hk_beam_bar {
  const hk_beam *beam;
  hk_vec3 phi, p;
  hk_beam_middle mid;
  hk_mat3 S;
  hk_vec3 shear, curve; /* (EA, GA*_y, GA*_z), (GJ, EI_y, EI_z) */
  double phi_y, phi_z, c_y, c_z;
  hk_vec3 G, eta, E, M, g; /* E: d eps/dG */
  double N;
  hk_vec3 f, m; /* elastic plus viscous */
  /* velocities of the ends, in the axes of the middle frame */
  hk_vec3 V, s, w, spin, p_rate, phi_rate;
} hk_beam_bar;

/* Negative derivatives of the wrench with respect to displacements and velocities of A, then B,
 * in world axes; Rm: axes of the middle frame. */
void hk_beam_stiffness(const hk_beam_bar *b, const hk_mat3 *Rm, double (*K)[12]);
void hk_beam_damping(const hk_beam_bar *b, const hk_mat3 *Rm, double (*C)[12]);
#endif
