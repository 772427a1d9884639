/* Tangents of contacts of balls, four at once (SIMD), with one contact in each lane. Equations
 * and symbols are those of contact_ball.c. The second derivative of the gap is H = sum of kappa
 * tau tau^T, so that X, W, D are sums of a few dyads and of terms s 1 + a~:
 *   X = n a^T + vt b^T + cK Nf (w x n) n^T/2
 *       + sum of cK kappa ((N + Nf rate) tau + Nf h w x tau) tau^T - Nf (cC - cK wA~)
 *   a = e + Nf y,  b = g (cK q - yt) - f e,  e = -cK N_depth n - N_rate y,  y = yn + cK H u
 * A lane with an open point has N = N_depth = N_rate = f = g = 0 and adds nothing. */
#include "core/force.h"
#include "core/simd4.h"
#include "core/map.h"

HK_INLINE hk_vec4 neg(hk_vec4 a) { return (hk_vec4){-a.x, -a.y, -a.z}; }
HK_INLINE hk_vec4 plus(hk_vec4 a, hk_vec4 b) { return (hk_vec4){a.x + b.x, a.y + b.y, a.z + b.z}; }
HK_INLINE hk_mat4 mat_neg(const hk_mat4 *X) { return (hk_mat4){neg(X->x), neg(X->y), neg(X->z)}; }

/* X += u y^T */
HK_INLINE void add_outer(hk_mat4 *X, hk_vec4 u, hk_vec4 y) {
  X->x = hk_x4_axpy(X->x, u.x, y);
  X->y = hk_x4_axpy(X->y, u.y, y);
  X->z = hk_x4_axpy(X->z, u.z, y);
}

/* X += s 1 + a~ */
HK_INLINE void add_skew(hk_mat4 *X, hk_vec4 a) {
  X->x.y -= a.z, X->x.z += a.y;
  X->y.x += a.z, X->y.z -= a.x;
  X->z.x -= a.y, X->z.y += a.x;
}
HK_INLINE void add_spin(hk_mat4 *X, hk_v4 s, hk_vec4 a) {
  X->x.x += s, X->y.y += s, X->z.z += s;
  add_skew(X, a);
}

/* out += a~ X */
HK_INLINE void add_cross(hk_mat4 *out, hk_vec4 a, const hk_mat4 *X) {
  out->x = hk_x4_axpy(hk_x4_axpy(out->x, a.y, X->z), -a.z, X->y);
  out->y = hk_x4_axpy(hk_x4_axpy(out->y, a.z, X->x), -a.x, X->z);
  out->z = hk_x4_axpy(hk_x4_axpy(out->z, a.x, X->y), -a.y, X->x);
}

/* out += X a~: cross product of each row with a. */
HK_INLINE void add_times_skew(hk_mat4 *out, const hk_mat4 *X, hk_vec4 a) {
  out->x = plus(out->x, hk_x4_cross(X->x, a));
  out->y = plus(out->y, hk_x4_cross(X->y, a));
  out->z = plus(out->z, hk_x4_cross(X->z, a));
}
HK_INLINE void sub_mat(hk_mat4 *X, const hk_mat4 *Y) {
  X->x = hk_x4_minus(X->x, Y->x), X->y = hk_x4_minus(X->y, Y->y), X->z = hk_x4_minus(X->z, Y->z);
}

/* X a */
HK_INLINE hk_vec4 mul(const hk_mat4 *X, hk_vec4 a) {
  return (hk_vec4){hk_x4_dot(X->x, a), hk_x4_dot(X->y, a), hk_x4_dot(X->z, a)};
}

/* X R, R^T X */
HK_INLINE hk_mat4 times(const hk_mat4 *X, const hk_mat4 *R) {
  return (hk_mat4){hk_x4_tmul(R, X->x), hk_x4_tmul(R, X->y), hk_x4_tmul(R, X->z)};
}
HK_INLINE hk_mat4 turned(const hk_mat4 *R, const hk_mat4 *X) {
  return (hk_mat4){hk_x4_tmul(X, (hk_vec4){R->x.x, R->y.x, R->z.x}),
                   hk_x4_tmul(X, (hk_vec4){R->x.y, R->y.y, R->z.y}),
                   hk_x4_tmul(X, (hk_vec4){R->x.z, R->y.z, R->z.z})};
}

/* Sums over the contact points, with the symbols of contact_ball.c; XM, WM and DM belong to the moment. If node A can
 * only rotate about one axis, z is the direction of this axis, Dz = D z and DMz = DM z. */
typedef struct sums {
  hk_mat4 X, W, XM, WM, D, DM;
  hk_vec4 F, M, Dz, DMz;
} sums;

/* Data shared by all points. */
typedef struct shared {
  hk_motion s;
  hk_vec4 wA, wB, z;
  double cK, cC;
  hk_moves moves; /* kind of motion of A */
  bool turns;     /* A has rotational coordinates */
} shared;

/* Result of the law at a point. */
typedef struct state {
  hk_vec4 n, vt;
  hk_v4 h, rate, N, N_depth, N_rate, f, Nf, g; /* g = N f'/|vt| */
} state;

/* Reads the hk_contact_eval of one point per lane into vectors, one vector per member. Returns a pointer to the last
 * member. */
HK_INLINE hk_v4 gather_touch(const hk_work *w, const hk_contact_batch *b, int point, hk_v4 out[8]) {
  const double *t[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) t[i] = (const double *)&w->touch[b->point[i] + point];
  hk_transpose4(HK_V4C(t[0]), HK_V4C(t[1]), HK_V4C(t[2]), HK_V4C(t[3]), out);
  hk_transpose4(HK_V4C(t[0] + 4), HK_V4C(t[1] + 4), HK_V4C(t[2] + 4), HK_V4C(t[3] + 4), out + 4);
  return (hk_v4){t[0][8], t[1][8], t[2][8], t[3][8]};
}

HK_INLINE hk_v4 abs4(hk_v4 a) { return hk_where4(a < hk_all4(0), -a, a); }

/* Returns false if no lane is in contact. Reuses the results of the force evaluation: see the function `look` in
 * contact_ball.c. */
HK_INLINE bool look(const hk_work *w, const hk_contact_batch *b, int point, const hk_ball_four *gap,
                    const shared *o, state *p) {
  const hk_contact *c = b->contact[0];
  const hk_v4 none = hk_all4(0);
  hk_m4 closed = (gap->gap < none) & b->used;
  if (!hk_any4(closed)) return false;
  const hk_vec4 *u = &o->s.u;
  hk_v4 t[8], f_v = gather_touch(w, b, point, t);
  p->n = (hk_vec4){gap->n[0], gap->n[1], gap->n[2]};
  p->h = gap->radius + 0.5 * gap->gap;
  p->rate = hk_x4_dot(p->n, *u);
  p->vt = hk_x4_axpy(hk_x4_axpy(*u, -p->rate, p->n), -p->h, hk_x4_cross(o->s.w, p->n));
  hk_v4 v2 = hk_x4_dot(p->vt, p->vt), v = hk_sqrt4(v2);
  hk_v4 off = 1e-13 * (abs4(u->x) + abs4(u->y) + abs4(u->z));
  hk_m4 known =
      (t[1] > none) & (abs4(t[0] - gap->gap) <= 1e-13 * p->h) & (abs4(t[6] - p->rate) <= off);
  if (hk_any4(closed & ~known)) {
    hk_v4 depth = hk_only4(closed, -gap->gap), closing = -p->rate;
    hk_normal_four l;
    c->law->four->normal(b->l, &depth, &closing, &l);
    p->N = l.N, p->N_depth = l.N_depth, p->N_rate = l.N_rate, p->f = none;
    if (c->friction == HK_FRICTION_SLIDE) c->law->four->slide(b->l, &v, &p->f, &f_v);
  } else {
    p->N = t[1], p->N_depth = t[4], p->N_rate = t[5], p->f = t[7];
  }
  hk_m4 acts = closed & ((p->N > none) | (p->N_rate > none));
  p->N = hk_only4(acts, p->N);
  p->N_depth = hk_only4(acts, p->N_depth), p->N_rate = hk_only4(acts, p->N_rate);
  if (c->friction == HK_FRICTION_SLIDE) {
    hk_m4 slides = acts & (v > none);
    p->f = hk_only4(acts, p->f);
    p->g = hk_only4(slides, p->N * f_v) / hk_where4(slides, v, hk_all4(1));
  } else {
    p->f = p->g = none;
  }
  p->Nf = p->N * p->f;
  return hk_any4(acts);
}

/* y^T (cC - cK w~), as a column */
HK_INLINE hk_vec4 rate_row(const shared *o, hk_vec4 w, hk_vec4 y) {
  return hk_x4_axpy(hk_x4_scale(hk_all4(o->cC), y), hk_all4(o->cK), hk_x4_cross(w, y));
}

/* Returns X. Also adds to XM the contributions to the moment that are not contained in -h n x
 * X: the contributions of the lever arm and of the rotation of n. */
HK_INLINE hk_mat4 by_position(const state *p, const shared *o, const hk_ball_four *gap,
                              int n_curvatures, hk_vec4 m, hk_mat4 *XM) {
  const hk_v4 cK = hk_all4(o->cK), Nf = p->Nf;
  const hk_vec4 n = p->n, vt = p->vt, q0 = hk_x4_cross(vt, o->s.w), wn = hk_x4_cross(o->s.w, n);
  hk_vec4 y = rate_row(o, o->wA, n), yt = rate_row(o, o->wA, vt);
  hk_vec4 q = hk_x4_scale(0.5 * hk_x4_dot(q0, n), n), F = hk_x4_axpy(hk_x4_scale(p->N, n), -Nf, vt);
  hk_vec4 lever = hk_x4_axpy(hk_x4_scale(p->h, q0), p->rate, vt);
  const hk_v4 half = 0.5 * cK * Nf; /* h changes by half of the gap */
  hk_mat4 X = {hk_x4_scale(half * wn.x, n), hk_x4_scale(half * wn.y, n),
               hk_x4_scale(half * wn.z, n)};
  add_outer(XM, hk_x4_scale(-half, m), n); /* n x F = Nf m */
  for (int i = 0; i < n_curvatures; i++) {
    hk_vec4 tau = {gap->tau[i][0], gap->tau[i][1], gap->tau[i][2]};
    hk_v4 kappa = cK * gap->kappa[i];
    hk_vec4 along =
        hk_x4_axpy(hk_x4_scale(p->N + Nf * p->rate, tau), Nf * p->h, hk_x4_cross(o->s.w, tau));
    y = hk_x4_axpy(y, kappa * hk_x4_dot(tau, o->s.u), tau);
    q = hk_x4_axpy(q, gap->kappa[i] * hk_x4_dot(tau, lever), tau);
    add_outer(&X, hk_x4_scale(kappa, along), tau);
    add_outer(XM, hk_x4_scale(kappa * p->h, hk_x4_cross(F, tau)), tau);
  }
  hk_vec4 e = hk_x4_axpy(hk_x4_scale(-cK * p->N_depth, n), -p->N_rate, y);
  add_outer(&X, n, hk_x4_axpy(e, Nf, y));
  add_outer(&X, vt, hk_x4_axpy(hk_x4_scale(p->g, hk_x4_axpy(neg(yt), cK, q)), -p->f, e));
  add_spin(&X, -o->cC * Nf, hk_x4_scale(cK * Nf, o->wA));
  return X;
}

/* W: n~ wB~ = wB n^T - (n . wB) */
HK_INLINE hk_mat4 by_rotation(const state *p, const shared *o, hk_vec4 m) {
  hk_v4 c = -p->Nf * p->h, k = -o->cK * c;
  hk_mat4 W = {hk_x4_scale(k * o->wB.x, p->n), hk_x4_scale(k * o->wB.y, p->n),
               hk_x4_scale(k * o->wB.z, p->n)};
  add_outer(&W, p->vt, hk_x4_scale(-p->g * p->h, rate_row(o, o->wB, m)));
  add_spin(&W, -k * hk_x4_dot(p->n, o->wB), hk_x4_scale(o->cC * c, p->n));
  return W;
}

/* D = -cK Nf dv~ + n r^T + vt t^T: r and t. */
HK_INLINE void by_frame(const state *p, const shared *o, hk_vec4 *r, hk_vec4 *t) {
  hk_vec4 y = hk_x4_scale(hk_all4(o->cK), hk_x4_cross(p->n, o->s.dv));
  *r = hk_x4_scale(p->Nf - p->N_rate, y);
  *t = hk_x4_axpy(hk_x4_scale(p->N_rate * p->f, y), -o->cK * p->g, hk_x4_cross(p->vt, o->s.dv));
}

HK_INLINE void add_frame(const state *p, const shared *o, hk_vec4 arm, sums *to) {
  hk_vec4 r, t, skew = hk_x4_scale(-o->cK * p->Nf, o->s.dv);
  by_frame(p, o, &r, &t);
  if (o->moves == HK_MOVES_AXIS) {
    hk_vec4 D = hk_x4_axpy(hk_x4_cross(skew, o->z), hk_x4_dot(r, o->z), p->n);
    D = hk_x4_axpy(D, hk_x4_dot(t, o->z), p->vt);
    to->Dz = plus(to->Dz, D);
    to->DMz = plus(to->DMz, hk_x4_cross(arm, D));
    return;
  }
  hk_mat4 D = {hk_x4_scale(p->n.x, r), hk_x4_scale(p->n.y, r), hk_x4_scale(p->n.z, r)};
  add_outer(&D, p->vt, t);
  add_skew(&D, skew);
  to->D.x = plus(to->D.x, D.x), to->D.y = plus(to->D.y, D.y), to->D.z = plus(to->D.z, D.z);
  add_cross(&to->DM, arm, &D);
}

HK_INLINE void add_point(const state *p, const shared *o, const hk_ball_four *gap, int n_curvatures,
                         sums *to) {
  hk_vec4 m = hk_x4_cross(p->vt, p->n), arm = hk_x4_scale(-p->h, p->n);
  hk_mat4 X = by_position(p, o, gap, n_curvatures, m, &to->XM);
  to->X.x = plus(to->X.x, X.x), to->X.y = plus(to->X.y, X.y), to->X.z = plus(to->X.z, X.z);
  add_cross(&to->XM, arm, &X);
  hk_mat4 W = by_rotation(p, o, m);
  to->W.x = plus(to->W.x, W.x), to->W.y = plus(to->W.y, W.y), to->W.z = plus(to->W.z, W.z);
  add_cross(&to->WM, arm, &W);
  to->F = hk_x4_axpy(hk_x4_axpy(to->F, p->N, p->n), -p->Nf, p->vt);
  to->M = hk_x4_axpy(to->M, -p->h * p->Nf, m);
  if (o->turns) add_frame(p, o, arm, to);
}

/* ---- into the matrix, which holds the negative derivatives ---- */

/* put_six writes the rows of two adjacent 3x3 blocks, put_three the rows of one block. */
HK_INLINE void put_six(hk_v4 *out, const hk_mat4 *X, const hk_mat4 *Y) {
  out[0] = X->x.x, out[1] = X->x.y, out[2] = X->x.z, out[3] = Y->x.x, out[4] = Y->x.y,
  out[5] = Y->x.z, out[6] = X->y.x, out[7] = X->y.y, out[8] = X->y.z, out[9] = Y->y.x,
  out[10] = Y->y.y, out[11] = Y->y.z, out[12] = X->z.x, out[13] = X->z.y, out[14] = X->z.z,
  out[15] = Y->z.x, out[16] = Y->z.y, out[17] = Y->z.z;
}
HK_INLINE void put_three(hk_v4 *out, const hk_mat4 *X) {
  out[0] = X->x.x, out[1] = X->x.y, out[2] = X->x.z, out[3] = X->y.x, out[4] = X->y.y,
  out[5] = X->y.z, out[6] = X->z.x, out[7] = X->z.y, out[8] = X->z.z;
}

/* Adds `in` to one block of each lane: n contiguous numbers, n even. Lanes without a contact add
 * zero to the block of the first lane. */
HK_INLINE void put_lanes(const hk_slot *const to[4], int which, const hk_v4 *in, int n) {
  double *a = to[0][which].at, *b = to[1][which].at, *c = to[2][which].at, *d = to[3][which].at;
  hk_v4 t[4];
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    hk_transpose4(in[i], in[i + 1], in[i + 2], in[i + 3], t);
    HK_V4(a + i) += t[0];
    HK_V4(b + i) += t[1];
    HK_V4(c + i) += t[2];
    HK_V4(d + i) += t[3];
  }
  if (i == n) return;
  hk_v4 x = in[i], y = in[i + 1];
  *(hk_v2 *)(a + i) += (hk_v2){x[0], y[0]};
  *(hk_v2 *)(b + i) += (hk_v2){x[1], y[1]};
  *(hk_v2 *)(c + i) += (hk_v2){x[2], y[2]};
  *(hk_v2 *)(d + i) += (hk_v2){x[3], y[3]};
}

/* Adds `in`, summed over the lanes, to a block of n numbers that all lanes share. */
HK_INLINE void put_sum(double *at, const hk_v4 *in, int n) {
  int i = 0;
  hk_v4 t[4];
  for (; i + 4 <= n; i += 4) {
    hk_transpose4(in[i], in[i + 1], in[i + 2], in[i + 3], t);
    HK_V4(at + i) += (t[0] + t[1]) + (t[2] + t[3]);
  }
  for (; i < n; i++) at[i] += hk_v4_sum(in[i]);
}

/* A has no rotational coordinates, only positions. */
HK_INLINE void put_position(const hk_slot *const to[4], const hk_mat4 *X, const hk_mat4 *WR,
                            const hk_mat4 *MX) {
  hk_v4 e[18];
  hk_mat4 minus = mat_neg(X);
  put_three(e, &minus);
  put_sum(to[0][0].at, e, 9);
  put_six(e, X, WR);
  put_lanes(to, 1, e, 18);
  put_three(e, X);
  put_three(e + 9, MX);
  put_lanes(to, 2, e, 18);
}

/* A rotates about z only. */
HK_INLINE void put_rotor(const hk_slot *const to[4], const sums *o, const shared *c,
                         const hk_mat4 *R) {
  const hk_vec4 z = c->z, d = c->s.d, zd = hk_x4_cross(d, z);
  const hk_v4 cK = hk_all4(c->cK);
  hk_vec4 F = plus(hk_x4_minus(mul(&o->X, zd), mul(&o->W, z)), o->Dz);
  hk_vec4 M = plus(hk_x4_minus(mul(&o->XM, zd), mul(&o->WM, z)), o->DMz);
  F = hk_x4_axpy(F, -cK, hk_x4_cross(o->F, z));
  M = hk_x4_axpy(M, -cK, hk_x4_cross(o->M, z));
  to[0][0].at[0] += hk_v4_sum(hk_x4_dot(z, plus(M, hk_x4_cross(d, F))));
  /* z . (XM + d~ X - cK F~) and z . (WM + d~ W): z . d x b = (z x d) . b */
  hk_vec4 x = hk_x4_minus(hk_x4_tmul(&o->XM, z), hk_x4_tmul(&o->X, zd));
  hk_vec4 w = hk_x4_minus(hk_x4_tmul(&o->WM, z), hk_x4_tmul(&o->W, zd)), m = hk_x4_tmul(R, M);
  x = hk_x4_axpy(x, -cK, hk_x4_cross(z, o->F));
  w = hk_x4_tmul(R, w);
  const hk_v4 row[6] = {x.x, x.y, x.z, w.x, w.y, w.z},
              column[6] = {-F.x, -F.y, -F.z, -m.x, -m.y, -m.z};
  put_lanes(to, 1, row, 6);
  put_lanes(to, 2, column, 6);
}

/* F, M: columns of thetaA for the force and the moment on B. The other arguments are columns for the moment on A: `a`
 * of thetaA, `b` of thetaB, `x` of xB. */
HK_INLINE void put_rigid(const hk_slot *const to[4], const sums *o, const shared *c,
                         const hk_mat4 *RA, const hk_mat4 *RB, const hk_mat4 *WR,
                         const hk_mat4 *MX) {
  const hk_vec4 d = c->s.d;
  const hk_v4 cK = hk_all4(c->cK);
  hk_vec4 cF = hk_x4_scale(-cK, o->F), cM = hk_x4_scale(-cK, o->M);
  hk_v4 e[36];
  hk_mat4 F = o->D, M = o->DM;
  add_times_skew(&F, &o->X, d);
  add_times_skew(&M, &o->XM, d);
  sub_mat(&F, &o->W);
  sub_mat(&M, &o->WM);
  add_skew(&F, cF);
  add_skew(&M, cM);
  hk_mat4 a = M, x = o->XM, b = o->WM;
  add_cross(&a, d, &F);
  add_skew(&a, neg(plus(cM, hk_x4_cross(d, cF))));
  add_cross(&b, d, &o->W);
  add_cross(&x, d, &o->X);
  add_skew(&x, cF);
  F = times(&F, RA);
  x = turned(RA, &x);
  b = turned(RA, &b), b = times(&b, RB);
  put_six(e, &o->X, WR);
  put_six(e + 18, &x, &b);
  put_lanes(to, 1, e, 36);
  M = turned(RB, &M), M = times(&M, RA);
  hk_mat4 minus = mat_neg(&F);
  put_six(e, &o->X, &minus);
  minus = mat_neg(&M);
  put_six(e + 18, MX, &minus);
  put_lanes(to, 2, e, 36);
  a = turned(RA, &a), a = times(&a, RA);
  minus = mat_neg(&o->X);
  put_six(e, &minus, &F);
  minus = mat_neg(&x);
  put_six(e + 18, &minus, &a);
  put_sum(to[0][0].at, e, 36);
}

HK_INLINE hk_mat4 same_mat(const hk_mat3 *R) {
  const double(*m)[3] = R->m;
  return (hk_mat4){hk_x4_same(hk_v3(m[0][0], m[0][1], m[0][2])),
                   hk_x4_same(hk_v3(m[1][0], m[1][1], m[1][2])),
                   hk_x4_same(hk_v3(m[2][0], m[2][1], m[2][2]))};
}

HK_INLINE void put_all(const hk_work *w, const hk_contact_batch *b, const hk_slot *const to[4],
                       const sums *o, const shared *c, int node) {
  const hk_mat4 R = hk_x4_rotations(w, b), WR = times(&o->W, &R), MX = turned(&R, &o->XM);
  hk_mat4 MW = o->WM;
  add_skew(&MW, hk_x4_scale(hk_all4(c->cK), o->M));
  MW = times(&MW, &R);
  MW = turned(&R, &MW);
  hk_v4 e[36];
  hk_mat4 top = mat_neg(&o->X), right = mat_neg(&WR);
  put_six(e, &top, &right);
  top = mat_neg(&MX), right = mat_neg(&MW);
  put_six(e + 18, &top, &right);
  put_lanes(to, 3, e, 36);
  if (node == HK_GROUND) return;
  if (c->moves == HK_MOVES_AXIS) {
    put_rotor(to, o, c, &R);
  } else if (c->moves == HK_MOVES_RIGID) {
    const hk_mat4 RA = same_mat(&w->R[node]);
    put_rigid(to, o, c, &RA, &R, &WR, &MX);
  } else {
    put_position(to, &o->X, &WR, &MX);
  }
}

HK_HOT HK_FLAT void hk_contact_batch_assemble(const hk_work *w, const hk_contact_batch *b,
                                              const hk_coefficients *k,
                                              const hk_slot *const to[4]) {
  const hk_model *m = w->model;
  const hk_contact *first = b->contact[0];
  const hk_frame *A = &w->frame[first->a], *B[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) B[i] = &w->frame[b->frame[i]];
  int node = m->marker[first->a].node, n_curvatures = first->gap->four->n_curvatures;
  shared c = {.s = hk_motion_of(A, B), .wA = hk_x4_same(A->w), .cK = k->cK, .cC = k->cC};
  c.moves = node == HK_GROUND ? HK_MOVES_TRANSLATION : m->node[node].moves;
  c.turns = c.moves != HK_MOVES_TRANSLATION;
  c.wB = plus(c.s.w, c.wA);
  c.z = hk_x4_same(c.moves == HK_MOVES_AXIS ? hk_rotor_axis(&m->node[node]) : hk_v3(0, 0, 0));
  hk_ball_four gap[2];
  hk_batch_gaps(b, A, &c.s, true, gap);
  sums o = {0};
  bool any = false;
  for (int i = 0; i < 2; i++) {
    state p;
    if (!look(w, b, i, &gap[i], &c, &p)) continue;
    add_point(&p, &c, &gap[i], n_curvatures, &o);
    any = true;
  }
  if (any) put_all(w, b, to, &o, &c, node);
}
