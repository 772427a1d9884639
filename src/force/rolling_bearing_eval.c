/* Conversion between frames and the action of a bearing.
 *
 * The frame `a` is on the outer ring and the frame `b` on the inner ring. The elements have fixed azimuths in the cage
 * frame C. This frame has the origin of `a` and is rotated about the axis z of `a` by
 *   phi = phi_0 + ratio (psi - psi_0)
 * where psi is the angle of rotation of `b` about z relative to `a`, and `ratio` is the speed of the cage relative to
 * `a`, divided by the speed of `b` relative to `a`. The rate of psi is
 *   psi' = e.(wB - wA),   e = (n + z)/(1 + n.z),   n: the z axis of `b`
 * The internal variables contain phi_0, psi_0 and the ratio, all from the last step.
 *
 * The functions of bearing/ring_force.h compute the force between the cage frame C and `b`. Small rotations dtheta_A
 * of `a` and dtheta_B of `b` rotate C by
 *   dtheta_C = dtheta_A + ratio z dpsi,   dpsi = e.(dtheta_B - dtheta_A)
 * Therefore a moment M on C along z acts on `a`, and in addition the moment -ratio M acts on `a` and the moment +ratio
 * M on `b`, both about e. These additional moments close the energy balance of the variable compliance. S is the sum
 * of all moments about e: +ratio M, friction, and the moments of defects that rotate with the cage or a ring. */
#include "base/hot.h"
#include "force/rolling_bearing.h"
#include <string.h>

/* Rows and columns of `a` and `b`. */
enum { XA, TA = 3, XB = 6, TB = 9 };

static hk_vec3 vec(const double *v) { return hk_v3(v[0], v[1], v[2]); }
static void put(double *to, hk_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

void hk_rolling_bearing_turn(const hk_bearing *p, const hk_force_in *in, hk_bearing_turn *out) {
  const hk_mat3 *A = &in->A->R, *B = &in->B->R;
  const hk_vec3 a[2] = {hk_column(A, 0), hk_column(A, 1)},
                b[2] = {hk_column(B, 0), hk_column(B, 1)};
  const double raw =
      atan2(hk_dot(a[1], b[0]) - hk_dot(a[0], b[1]), hk_dot(a[0], b[0]) + hk_dot(a[1], b[1]));
  double before = 0, cage = 0;
  out->ratio = p->linear.on ? 0 : p->kappa; /* a linearised bearing does not rotate with its cage */
  if (in->memory && in->memory[HK_BEARING_MEMORY_RATIO] != 0) {
    before = in->memory[HK_BEARING_MEMORY_TURN];
    cage = in->memory[HK_BEARING_MEMORY_CAGE];
    out->ratio = in->memory[HK_BEARING_MEMORY_RATIO];
  }
  const double turned = remainder(raw - before, 2 * M_PI);
  out->turn = before + turned;
  out->cage = cage + out->ratio * turned;
}

HK_HOT HK_FLAT void hk_rolling_bearing_pose(const hk_bearing *p, const hk_force_in *in,
                                            hk_bearing_pose *out) {
  const hk_frame *A = in->A, *B = in->B;
  hk_bearing_turn now;
  hk_rolling_bearing_turn(p, in, &now);
  out->ratio = now.ratio;
  double c = cos(now.cage), s = sin(now.cage);
  hk_mat3 Rz = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  out->R = hk_matmul(&A->R, &Rz);
  out->z = hk_column(&A->R, 2), out->n = hk_column(&B->R, 2);
  out->q = 1 + hk_dot(out->n, out->z);
  out->e = hk_scale(1 / out->q, hk_add(out->n, out->z));
  out->w = hk_sub(B->w, A->w);
  double spin = hk_dot(out->e, out->w);
  out->w_cage = hk_axpy(A->w, out->ratio * spin, out->z);
  hk_vec3 r = hk_sub(B->x, A->x);
  hk_vec3 v = hk_sub(hk_sub(B->v, A->v), hk_cross(out->w_cage, r));
  out->place = (hk_bearing_place){.u = hk_tmul(&out->R, r),
                                  .Q = hk_tmatmul(&out->R, &B->R),
                                  .cage = now.cage,
                                  .turn = now.turn,
                                  .speed = {spin, hk_dot(A->w, out->z), NAN}};
  put(out->place.rate, hk_tmul(&out->R, v));
  put(out->place.rate + 3, hk_tmul(&out->R, hk_sub(B->w, out->w_cage)));
  out->place.rate[HK_BEARING_CAGE] = out->ratio * spin;
  out->place.rate[HK_BEARING_TURN] = spin;
}

/* Force and moment on `b` at its origin, lever arm from `a` to `b`, moment about e. */
typedef struct vectors {
  hk_vec3 r, F, M;
  double S;
} vectors;

/* ---- derivatives ---- */

/* Rows of the force (0 to 2) and moment (3 to 5) on `b`, with respect to displacements and
 * rotations of `b`: the columns of all frames follow from them. */
typedef struct columns {
  hk_vec3 by_x[6], by_turn[6];
} columns;

/* Converts rows and columns from the axes of the cage to world axes. */
HK_INLINE void into_world(const hk_mat3 *R, hk_vec3 rows[6]) {
  for (int half = 0; half < 6; half += 3) {
    hk_vec3 turned[3];
    for (int b = 0; b < 3; b++) turned[b] = hk_mul(R, rows[half + b]);
    for (int a = 0; a < 3; a++)
      rows[half + a] = hk_axpy(hk_axpy(hk_scale(R->m[a][0], turned[0]), R->m[a][1], turned[1]),
                               R->m[a][2], turned[2]);
  }
}

HK_INLINE double dot8(const double a[8], const double b[8]) {
  return hk_v4_sum(HK_V4C(a) * HK_V4C(b) + HK_V4C(a + 4) * HK_V4C(b + 4));
}

/* Vectors in the axes of the cage. */
typedef struct local {
  hk_vec3 e, eta, w_cage;
  /* derivatives of the eight coordinates with respect to the relative rotation: S = t.Q */
  double t[8];
  /* derivatives of their rates with respect to it, because the axes rotate with the cage */
  double g[8];
} local;

/* The relative rotation changes by e.dtheta_B, and its rate by eta.dtheta_B. */
HK_INLINE local find_local(const hk_bearing_pose *s) {
  const double k = s->ratio, *rate = s->place.rate;
  const hk_vec3 u = s->place.u, eta = hk_cross(s->n, hk_axpy(s->w, -rate[HK_BEARING_TURN], s->z));
  return (local){.e = hk_tmul(&s->R, s->e),
                 .eta = hk_scale(1 / s->q, hk_tmul(&s->R, eta)),
                 .w_cage = hk_tmul(&s->R, s->w_cage),
                 .t = {k * u.y, -k * u.x, 0, 0, 0, -k, k, 1},
                 .g = {k * rate[1], -k * rate[0], 0, k * rate[4], -k * rate[3], 0, 0, 0}};
}

/* Derivatives of the eight generalized forces with respect to displacements of frame `b`, with frame `a` at rest, in
 * the axes of the cage. */
HK_INLINE void by_inner_ring(const local *l, const hk_bearing_action *act, hk_vec3 Kx[8],
                             hk_vec3 Kt[8], hk_vec3 Cx[8], hk_vec3 Ct[8]) {
  for (int i = 0; i < 8; i++) {
    const double *K = act->K[i], *C = act->C[i], C_t = dot8(C, l->t), w = act->Q_w[0][i];
    Cx[i] = vec(C);
    Kx[i] = hk_sub(vec(K), hk_cross(Cx[i], l->w_cage));
    Kt[i] = hk_axpy(hk_axpy(vec(K + 3), dot8(K, l->t) + dot8(C, l->g), l->e), C_t - w, l->eta);
    Ct[i] = hk_axpy(vec(C + 3), C_t - w, l->e);
  }
}

/* Derivatives of S = t.Q. */
HK_INLINE hk_vec3 of_turn(const local *l, const hk_vec3 rows[8]) {
  hk_vec3 sum = rows[HK_BEARING_TURN];
  for (int i = 0; i < HK_BEARING_TURN; i++) sum = hk_axpy(sum, l->t[i], rows[i]);
  return sum;
}

/* Stiffness and damping with respect to `b`, with `a` at rest. */
HK_INLINE void find_columns(const hk_bearing_pose *s, const hk_bearing_action *act, double S,
                            columns *K, columns *C) {
  const local l = find_local(s);
  const double k = s->ratio, *Q = act->Q;
  const hk_vec3 u = s->place.u;
  hk_vec3 Kx[8], Kt[8], Cx[8], Ct[8];
  by_inner_ring(&l, act, Kx, Kt, Cx, Ct);
  hk_vec3 Sx = of_turn(&l, Kx), St = of_turn(&l, Kt), S_v = of_turn(&l, Cx), S_w = of_turn(&l, Ct);
  Sx = hk_add(Sx, hk_v3(k * Q[1], -k * Q[0], 0)); /* t depends on u */
  St = hk_axpy(St, k * k * (u.x * Q[0] + u.y * Q[1]), l.e);
  for (int half = 0; half < 6; half += 3) { /* forces rotate with the cage */
    Kt[half] = hk_axpy(Kt[half], k * Q[half + 1], l.e);
    Kt[half + 1] = hk_axpy(Kt[half + 1], -k * Q[half], l.e);
  }
  for (int a = 0; a < 3; a++) { /* the moment S e, at constant e */
    const double e = a == 0 ? l.e.x : a == 1 ? l.e.y : l.e.z;
    Kx[3 + a] = hk_axpy(Kx[3 + a], e, Sx), Kt[3 + a] = hk_axpy(Kt[3 + a], e, St);
    Cx[3 + a] = hk_axpy(Cx[3 + a], e, S_v), Ct[3 + a] = hk_axpy(Ct[3 + a], e, S_w);
  }
  memcpy(K->by_x, Kx, sizeof K->by_x), memcpy(K->by_turn, Kt, sizeof K->by_turn);
  memcpy(C->by_x, Cx, sizeof C->by_x), memcpy(C->by_turn, Ct, sizeof C->by_turn);
  into_world(&s->R, K->by_x), into_world(&s->R, K->by_turn);
  into_world(&s->R, C->by_x), into_world(&s->R, C->by_turn);
  /* -S de, de = (dtheta_B x n - e (z.(dtheta_B x n)))/q */
  const double e[3] = {s->e.x, s->e.y, s->e.z};
  for (int a = 0; a < 3; a++) {
    const hk_vec3 axis = hk_axpy(hk_v3(a == 0, a == 1, a == 2), -e[a], s->z);
    K->by_turn[3 + a] = hk_axpy(K->by_turn[3 + a], -S / s->q, hk_cross(s->n, axis));
  }
}

/* Rows of `a` from those of `b`: F_a = -F,  M_a = -(M + r x F). */
HK_INLINE void add_reaction(hk_vec3 r, double K[12][12]) {
  for (int j = 0; j < 12; j++) {
    const hk_vec3 F = hk_v3(K[XB][j], K[XB + 1][j], K[XB + 2][j]), lever = hk_cross(r, F);
    K[XA][j] = -F.x, K[XA + 1][j] = -F.y, K[XA + 2][j] = -F.z;
    K[TA][j] = -K[TB][j] - lever.x;
    K[TA + 1][j] = -K[TB + 1][j] - lever.y;
    K[TA + 2][j] = -K[TB + 2][j] - lever.z;
  }
}

/* The columns of frame `a` follow from those of frame `b`. Forces depend on differences of positions and of velocities
 * only, and if both frames and all velocities are rotated by theta, force and moment rotate with them:
 *   K_xA = -K_xB
 *   K_tA theta = -theta x W - C (theta x v) - K_xB (theta x r) - K_tB theta
 * An angular velocity added to both frames changes nothing but the speed of the outer ring:
 *   C_tA omega = -W_w z.omega - C_xB (omega x r) - C_tB omega
 * `W_w`: derivatives of force and moment with respect to this speed. */
HK_INLINE void hand_out(const hk_force_in *in, const hk_bearing_pose *s, const vectors *v,
                        const columns *k, const columns *c, const double W_w[6],
                        hk_force_out *out) {
  const hk_vec3 rate = hk_sub(in->B->v, in->A->v), w_A = in->A->w, turned = hk_cross(w_A, s->z);
  for (int i = 0; i < 6; i++) {
    const hk_vec3 kx = k->by_x[i], kt = k->by_turn[i], cx = c->by_x[i], ct = c->by_turn[i];
    const hk_vec3 lever = hk_cross(cx, v->r);
    const int a = i % 3;
    hk_vec3 tA = hk_cross(hk_v3(a == 0, a == 1, a == 2), i < 3 ? v->F : v->M);
    tA = hk_sub(hk_add(tA, hk_cross(kx, v->r)), kt);
    tA = hk_add(tA, hk_add(hk_cross(cx, rate), hk_cross(lever, w_A)));
    tA = hk_axpy(hk_add(tA, hk_cross(ct, s->w)), W_w[i], turned);
    put(out->K[XB + i] + XA, hk_neg(kx)), put(out->K[XB + i] + XB, kx);
    put(out->K[XB + i] + TA, tA), put(out->K[XB + i] + TB, kt);
    put(out->C[XB + i] + XA, hk_neg(cx)), put(out->C[XB + i] + XB, cx);
    put(out->C[XB + i] + TA, hk_axpy(hk_sub(lever, ct), -W_w[i], s->z));
    put(out->C[XB + i] + TB, ct);
  }
  add_reaction(v->r, out->K), add_reaction(v->r, out->C);
  const hk_mat3 F = hk_skew(v->F); /* lever arm of the reaction */
  hk_block_add(out->K, TA, XA, 1, &F), hk_block_add(out->K, TA, XB, -1, &F);
}

HK_HOT HK_FLAT static void tangent(const hk_force_in *in, const hk_bearing *p,
                                   const hk_bearing_pose *s, const hk_bearing_action *act,
                                   const vectors *v, hk_force_out *out) {
  const bool inertia = p->dynamics != HK_BEARING_STATIC;
  columns K, C;
  double W_w[6] = {0};
  find_columns(s, act, v->S, &K, &C);
  if (inertia) {
    const double *Q = act->Q_w[1],
                 S = Q[HK_BEARING_TURN] + s->ratio * (Q[HK_BEARING_CAGE] - Q[5] -
                                                      s->place.u.x * Q[1] + s->place.u.y * Q[0]);
    put(W_w, hk_mul(&s->R, vec(Q)));
    put(W_w + 3, hk_axpy(hk_mul(&s->R, vec(Q + 3)), S, s->e));
  }
  hand_out(in, s, v, &K, &C, W_w, out);
  out->has_K = true;
  out->has_C = act->moves || inertia;
}

void hk_rolling_bearing_eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const hk_bearing *p = &((const hk_rolling_bearing *)in->constants)->bearing;
  hk_bearing_pose s;
  hk_bearing_action act;
  hk_rolling_bearing_pose(p, in, &s);
  out->failed = hk_bearing_act(p, &s.place, out->tangent, &act, NULL);
  if (out->failed) return;
  vectors v = {.r = hk_sub(in->B->x, in->A->x), .F = hk_mul(&s.R, vec(act.Q))};
  const hk_vec3 M = hk_mul(&s.R, vec(act.Q + 3)), M_cage = hk_neg(hk_add(M, hk_cross(v.r, v.F)));
  v.S = act.Q[HK_BEARING_TURN] + s.ratio * (act.Q[HK_BEARING_CAGE] + hk_dot(s.z, M_cage));
  v.M = hk_axpy(M, v.S, s.e);
  put(out->w, hk_neg(v.F));
  put(out->w + TA, hk_axpy(M_cage, -v.S, s.e));
  put(out->w + XB, v.F);
  put(out->w + TB, v.M);
  out->potential = act.potential;
  out->dissipated = act.dissipated;
  out->applied = act.applied;
  if (out->tangent) tangent(in, p, &s, &act, &v, out);
}
