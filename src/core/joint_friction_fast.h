/* Load-dependent friction along the coordinates of a joint between two rigid bodies: fast path
 * without frames.
 *
 * Only the gradient u of the coordinate, in the coordinates of both bodies, is needed: the rate
 * is u.v, the force is F u, and for short steps the tangent consists of products of u. The force
 * evaluation computes u, and the tangent uses it again. */
#ifndef HK_CORE_JOINT_FRICTION_FAST_H
#define HK_CORE_JOINT_FRICTION_FAST_H
#include "core/work.h"

struct hk_joint_friction {
  /* the force is one of the n_frictions forces from first_friction on of a hk_constraint_plan */
  bool on;
  /* this and the following members are computed by hk_joint_friction_force */
  double u[2][HK_NODE_FEW];
  double load, F_c, F_rate, F_load;
};

/* Marks the forces that are joint friction, using the constraint plans; called once. */
void hk_joint_friction_find(hk_work *w);
/* Adds force i, which must be marked, to f, potential, dissipated and applied. */
void hk_joint_friction_force(hk_work *w, int i, const hk_instant *at);
/* Fills the results of hk_joint_friction_force with NaN. */
void hk_joint_friction_poison(const hk_model *m, hk_joint_friction *out);
#endif
