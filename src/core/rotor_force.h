/* Forces along angles of rotors: fast path without frames, for drivelines.
 *
 * If a force acts along a coordinate that is a function c(phi_A, phi_B) of the angles of two
 * rotors only (hk_relation_type.angles), then c, its gradient u and its second derivatives H
 * replace frames and their 12 x 12 tangents:
 *   f = F u,  -df/dq = -(F_c u u^T + F_rate u (H v)^T + F H),  -df/dv = -F_rate u u^T */
#ifndef HK_CORE_ROTOR_FORCE_H
#define HK_CORE_ROTOR_FORCE_H
#include "core/work.h"

struct hk_rotor_force_plan {
  bool on;         /* the force is of this kind */
  int va, vb;      /* index of the velocity of each rotor; -1: the ground */
  const double *k; /* constants of the relation */
  void (*angles)(const double *k, double a, double b, double d[6]);
  double u[2], H[2][2]; /* this and the following members are computed by hk_rotor_force_evaluate */
  double F, F_c, F_rate, Hv[2];
};

/* Marks the forces of this kind; called once. */
void hk_rotor_force_find(const hk_model *m, hk_rotor_force_plan *out);
/* Adds force i, which must be marked, to f, potential, dissipated and applied. */
void hk_rotor_force_evaluate(hk_work *w, int i, const hk_instant *at);
/* Fills the results of hk_rotor_force_evaluate with NaN. */
void hk_rotor_force_poison(const hk_model *m, hk_rotor_force_plan *out);
/* Adds the tangent of the last evaluation to the matrix. pair: slots of the matrix blocks of the force. */
void hk_rotor_force_assemble(const hk_rotor_force_plan *s, const hk_coefficients *c,
                             const hk_slot *pair, int n_ports);
#endif
