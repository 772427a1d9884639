/* Forces along angles of rotors: the short way past frames for drivelines.
 *
 * Where a force acts along a coordinate that is a function c(phi_A, phi_B) of two rotors' angles
 * alone (hk_relation_type.angles), all that frames and their 12 x 12 tangents say of it is in c,
 * its gradient u and its second derivatives H: f = F u,   -df/dq = -(F_c u u^T + F_rate u (H v)^T +
 * F H),   -df/dv = -F_rate u u^T
 */
#ifndef HK_CORE_SPIN_H
#define HK_CORE_SPIN_H
#include "core/work.h"

struct hk_spin {
  bool on;         /* the force is of this kind */
  int va, vb;      /* velocities of the rotors; -1: the ground */
  const double *k; /* of the relation */
  void (*angles)(const double *k, double a, double b, double d[6]);
  double u[2], H[2][2]; /* computed by hk_spin_force, as are the next ones */
  double F, F_c, F_rate, Hv[2];
};

/* Which forces are; once. */
void hk_spin_find(const hk_model *m, hk_spin *spin);
/* f, potential, dissipated, applied += those of force i, which must be one of them. */
void hk_spin_force(hk_work *w, int i, const hk_instant *at);
/* What that computes, filled with numbers that are none. */
void hk_spin_poison(const hk_model *m, hk_spin *spin);
/* The tangent of the last evaluation into the matrix; pair: its slots. */
void hk_spin_assemble(const hk_spin *s, const hk_coefficients *c, const hk_slot *pair, int n_ports);
#endif
