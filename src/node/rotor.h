/* Inline functions of a rotor node for the fast loops; src/node/rotor.c builds its table from
 * the same functions.
 *
 * q is the angle phi about a fixed axis through x0; the direction z of this axis is the third column of R0. If the
 * angle changes by dphi, a frame at s from the axis moves by dx = z dphi x s and rotates by dtheta = z dphi. */
#ifndef HK_NODE_ROTOR_H
#define HK_NODE_ROTOR_H
#include "base/hot.h"
#include "node/node.h"

HK_INLINE hk_vec3 hk_rotor_axis(const hk_node *n) { return hk_column(&n->R0, 2); }

/* Computes R = R0 times a rotation about z; and J, J', J'' of the angle if the inertia varies. */
HK_INLINE void hk_rotor_place(const hk_node *n, double angle, hk_mat3 *restrict R, double *own) {
  const double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) {
    R->m[i][0] = n->R0.m[i][0] * c + n->R0.m[i][1] * s;
    R->m[i][1] = n->R0.m[i][1] * c - n->R0.m[i][0] * s;
    R->m[i][2] = n->R0.m[i][2];
  }
  if (n->vary) n->vary(n->item->data, angle, own);
}

/* The frame of the rotor itself: z along the axis, at x0. */
HK_INLINE void hk_rotor_own_frame(const hk_node *n, const hk_mat3 *R, const double *q,
                                  const double *v, hk_frame *F) {
  F->R = *R;
  F->s = F->v = hk_v3(0, 0, 0);
  F->angle = q[0];
  F->rate = v[0];
  F->x = n->x0;
  F->w = hk_scale(F->rate, hk_rotor_axis(n));
}

HK_INLINE double hk_rotor_map(const hk_node *n, hk_vec3 s, hk_vec3 jx, hk_vec3 jt) {
  return hk_dot(hk_rotor_axis(n), hk_add(jt, hk_cross(s, jx)));
}

/* d(z . (m + s x f)) = z . (z x s) x f */
HK_INLINE double hk_rotor_geometric(const hk_node *n, hk_vec3 s, hk_vec3 f) {
  hk_vec3 z = hk_rotor_axis(n);
  return hk_dot(z, hk_cross(hk_cross(z, s), f));
}

/* The axis is constant: dw = 0, dv = w x (dtheta x s) */
HK_INLINE double hk_rotor_turning(const hk_node *n, const hk_frame *F, hk_vec3 jv) {
  return hk_dot(hk_rotor_axis(n), hk_cross(F->s, hk_cross(jv, F->w)));
}

/* Inertia of the rotor. own: J, J' and J'' at the angle, for a rotor with variable inertia. */
HK_INLINE double hk_rotor_inertia(const hk_node *n, const double *own) {
  return n->vary ? own[0] : n->inertia.m[2][2];
}

HK_INLINE double hk_rotor_force(const hk_node *n, const double *own, double rate) {
  return n->vary ? -0.5 * own[1] * rate * rate : 0;
}

/* Coefficient of the angle in the Newton matrix: d(J phi'' + J' phi'^2/2) without the term dJ phi'', because Newton's
 * iteration converges without it. */
HK_INLINE double hk_rotor_tangent(const hk_node *n, const double *own,
                                  const hk_inertia_weights *c) {
  if (!n->vary) return c->cM * n->inertia.m[2][2];
  double rate = c->v[0];
  return c->cM * own[0] + c->cC * own[1] * rate + c->cK * 0.5 * own[2] * rate * rate;
}
#endif
