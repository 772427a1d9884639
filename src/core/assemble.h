/* Parts of the Newton matrix: see assemble.c. */
#ifndef HK_CORE_ASSEMBLE_H
#define HK_CORE_ASSEMBLE_H
#include "core/map.h"
#include "core/work.h"

/* Assembles all forces except the joint friction that is assembled together with its joint. */
void hk_assemble_forces(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* Assembles the only part of the force tangents that remains if stiffness and damping are omitted:
 * the derivative of joint friction with respect to the load of its joint. */
void hk_assemble_loads(hk_system *s, hk_work *w, const hk_instant *in);
/* Adds the tangent of the friction along the coordinates of a joint
 * (hk_constraint_plan.first_friction). The contribution of the changing force direction is added to
 * `k`, the tangent of the joint before its multiplication by cK. k = NULL: this contribution is
 * omitted, and so is the change of the sliding speed by the rotation of the bodies. */
void hk_assemble_joint_friction(hk_system *s, hk_work *w, int joint, const hk_coefficients *c,
                                const hk_instant *in, hk_pair_tangent *k);
#endif
