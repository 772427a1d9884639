/* Compliant contacts of balls: fast closed-form versions of contact.c and contact_tangent.c.
 *
 * B is a rigid body that carries a ball at its reference point. A is any node with a known kind
 * of motion (hk_moves) and its marker at the reference point. With d = xB - xA, u = vB - vA - wA
 * x d (the velocity of the ball relative to A), w = wB - wA and h = radius + gap/2, the contact
 * point is at -h n from the centre of the ball and
 *   rate = n . u,  vt = u - h w x n - rate n,  F = N e,  e = n - f vt,  M = -h n x F (about B)
 * All of these rotate with A, so that only changes relative to A matter. For the displacements y
 * = dxB - dxA + d x thetaA, thetaA and phi = thetaB - thetaA, weighted by (cK, cC) as in
 * contact_tangent.c,
 *   dd = cK y,   du = OA y + cK (vB - vA) x thetaA,   dw = OB phi,   O = cC - cK w~
 *   dF = X y + (D - cK F~) thetaA + W phi
 * where with H = n_u, z = H u, p = vt x w, q = (p.n) n/2 + H (h p + rate vt), g = f'/|vt|
 *   X = e (-cK (N_depth n + N_rate z) - N_rate O'n)^T + N f n (cK z + O'n)^T + cK N f (w x n) n^T/2
 *       + N g vt (cK q - O'vt)^T + cK N ((1 + f rate) H + f h w~ H) - N f OA,   O' = OA^T
 *   D = cK (-N f (vB-vA)~ + (N f n - N_rate e) (n x (vB-vA))^T - N g vt (vt x (vB-vA))^T)
 *   W = -N h (f n~ OB + g vt (OB^T (vt x n))^T)
 * and dM = cK (-(n x F) n^T/2 + h F~ H) y - cK M~ thetaA - h n x (X y + D thetaA + W phi). The
 * moment on A is that of F about A: M + d x F. */
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"

/* Vectors use four lanes; the last lane is not used. All functions are inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Three rows of three numbers; the fourth lanes are not used. The members have names instead of
 * being an array with loops, because the compiler then keeps them in registers. */
typedef struct mat {
  hk_v4 x, y, z;
} mat;

static const hk_v4 ZERO = {0, 0, 0, 0};

HK_INLINE hk_v4 pack(hk_vec3 a) { return (hk_v4){a.x, a.y, a.z, a.z}; }
HK_INLINE hk_vec3 unpack(hk_v4 a) { return hk_v3(a[0], a[1], a[2]); }

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define YZX(a) __builtin_shufflevector(a, a, 1, 2, 0, 3)
#endif
#endif
#ifndef YZX
#define YZX(a) ((hk_v4){(a)[1], (a)[2], (a)[0], (a)[3]})
#endif

HK_INLINE hk_v4 cross(hk_v4 a, hk_v4 b) {
  hk_v4 c = a * YZX(b) - YZX(a) * b;
  return YZX(c);
}
HK_INLINE double dot(hk_v4 a, hk_v4 b) {
  hk_v4 c = a * b;
  return c[0] + c[1] + c[2];
}

/* Reads four numbers although the vector has three. This is safe, because in its struct each
 * vector is followed by another member. */
HK_INLINE hk_v4 load(const hk_vec3 *a) { return HK_V4C(&a->x); }

HK_INLINE mat load_mat(const hk_mat3 *A) {
  const double *z = A->m[2];
  return (mat){HK_V4C(A->m[0]), HK_V4C(A->m[1]), {z[0], z[1], z[2], z[2]}};
}

/* Loads a matrix that has just been stored one number at a time. The matrix is loaded one number at a time as well,
 * because a wide load would have to wait until these stores are complete. */
HK_INLINE mat fresh_mat(const hk_mat3 *A) {
  const double *x = A->m[0], *y = A->m[1], *z = A->m[2];
  return (mat){{x[0], x[1], x[2], x[2]}, {y[0], y[1], y[2], y[2]}, {z[0], z[1], z[2], z[2]}};
}

HK_INLINE mat scaled(double s, const mat *X) { return (mat){s * X->x, s * X->y, s * X->z}; }

HK_INLINE void add_mat(mat *X, const mat *Y) { X->x += Y->x, X->y += Y->y, X->z += Y->z; }
HK_INLINE void sub_mat(mat *X, const mat *Y) { X->x -= Y->x, X->y -= Y->y, X->z -= Y->z; }

/* Broadcasts each component of a vector to all lanes, for a left factor that is used more than
 * once. */
HK_INLINE mat spread(hk_v4 a) {
  return (mat){{a[0], a[0], a[0], a[0]}, {a[1], a[1], a[1], a[1]}, {a[2], a[2], a[2], a[2]}};
}

/* X += u y^T */
HK_INLINE void add_outer(mat *X, const mat *u, hk_v4 y) {
  X->x += u->x * y, X->y += u->y * y, X->z += u->z * y;
}

/* X += a~ */
HK_INLINE void add_skew(mat *X, hk_v4 a) {
  hk_v4 b = -a;
  X->x += (hk_v4){0, b[2], a[1], a[1]};
  X->y += (hk_v4){a[2], 0, b[0], b[0]};
  X->z += (hk_v4){b[1], a[0], 0, 0};
}

/* s 1 + a~ */
HK_INLINE mat spin(double s, hk_v4 a) {
  hk_v4 b = -a;
  return (mat){{s, b[2], a[1], a[1]}, {a[2], s, b[0], b[0]}, {b[1], a[0], s, s}};
}

/* out += a~ X */
HK_INLINE void add_cross(mat *out, const mat *a, const mat *X) {
  out->x += a->y * X->z - a->z * X->y;
  out->y += a->z * X->x - a->x * X->z;
  out->z += a->x * X->y - a->y * X->x;
}

/* out += X a~: cross product of each row with a. */
HK_INLINE void add_times_skew(mat *out, const mat *X, hk_v4 a) {
  out->x += cross(X->x, a), out->y += cross(X->y, a), out->z += cross(X->z, a);
}

/* X^T a */
HK_INLINE hk_v4 tmul(const mat *X, hk_v4 a) { return a[0] * X->x + a[1] * X->y + a[2] * X->z; }

HK_INLINE hk_v4 mul(const mat *X, hk_v4 a) {
  double z = dot(X->z, a);
  return (hk_v4){dot(X->x, a), dot(X->y, a), z, z};
}

/* X R */
HK_INLINE mat times(const mat *X, const mat *R) {
  return (mat){tmul(R, X->x), tmul(R, X->y), tmul(R, X->z)};
}

/* R^T X */
HK_INLINE mat turned(const hk_mat3 *R, const mat *X) {
  return (mat){R->m[0][0] * X->x + R->m[1][0] * X->y + R->m[2][0] * X->z,
               R->m[0][1] * X->x + R->m[1][1] * X->y + R->m[2][1] * X->z,
               R->m[0][2] * X->x + R->m[1][2] * X->y + R->m[2][2] * X->z};
}

/* ---- data shared by both points of a contact ---- */

typedef struct pair {
  hk_v4 d, u, w, wA, wB, dv;
} pair;

HK_INLINE pair pair_of(const hk_frame *A, const hk_frame *B) {
  pair s = {.d = load(&B->x) - load(&A->x),
            .dv = load(&B->v) - load(&A->v),
            .wA = load(&A->w),
            .wB = load(&B->w)};
  s.u = s.dv - cross(s.wA, s.d);
  s.w = s.wB - s.wA;
  return s;
}

/* Sums over the points, with the symbols at the head of the file; XM, DM, WM belong to the
 * moment. */
typedef struct sums {
  mat X, D, W, XM, DM, WM;
  hk_v4 F, M;
} sums;

/* ---- forces ---- */

/* Adds the force F and the moment M of a contact point. */
HK_INLINE void add_force(hk_work *w, const hk_contact *c, const hk_ball_gap *b, const pair *s,
                         hk_law_in *in, hk_contact_eval *t, hk_v4 *F, hk_v4 *M) {
  hk_v4 n = pack(b->n);
  double h = b->radius + 0.5 * b->gap, rate = dot(n, s->u);
  hk_normal l;
  l.failed = NULL;
  in->depth = -b->gap;
  in->rate = -rate;
  hk_contact_normal(c, in, &l);
  if (l.failed) hk_work_fail(w, c->item, l.failed);
  w->potential += l.potential;
  t->potential = l.potential;
  double damping = (l.elastic - l.N) * rate;
  w->dissipated += damping;
  if (l.N == 0) return;
  t->N = l.N, t->N_depth = l.N_depth, t->N_rate = l.N_rate, t->rate = rate;
  if (c->friction != HK_FRICTION_SLIDE) {
    *F += l.N * n;
    return;
  }
  hk_v4 vt = s->u - rate * n - h * cross(s->w, n);
  double v2 = dot(vt, vt);
  t->f = c->law->slide(c->l, sqrt(v2), &t->f_v);
  double Nf = l.N * t->f;
  hk_v4 T = -Nf * vt;
  t->sliding_power = Nf * v2;
  w->dissipated += t->sliding_power;
  *F += l.N * n + T;
  *M -= h * cross(n, T);
}

HK_HOT HK_FLAT void hk_contact_ball_forces(hk_work *w, const hk_contact *c, const hk_instant *in,
                                           hk_law_in *law) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_ball_gap gap[HK_CONTACT_MAX_POINTS];
  c->gap->ball(c->k, A, B, c->reach, false, gap);
  pair s = pair_of(A, B);
  hk_v4 F = ZERO, M = ZERO;
  bool any = false;
  for (int i = 0; i < c->n_points; i++) {
    hk_contact_eval *t = &w->touch[c->point + i];
    *t = (hk_contact_eval){.gap = gap[i].gap};
    if (gap[i].gap >= c->reach) continue;
    hk_law_in_point(c, in, i, law);
    add_force(w, c, &gap[i], &s, law, t, &F, &M);
    any = true;
  }
  if (!any) return;
  const hk_model *m = w->model;
  hk_map_center_wrench(w, m->marker[c->b].node, unpack(F), unpack(M), w->f);
  int a = m->marker[c->a].node;
  if (a == HK_GROUND) return;
  hk_map_center_wrench(w, a, unpack(-F), unpack(-(M + cross(s.d, F))), w->f);
}

/* ---- rates and mobilities ---- */

HK_HOT HK_FLAT void hk_contact_ball_approach(const hk_work *w, const hk_contact *c,
                                             const double *off, hk_approach *out) {
  const hk_model *m = w->model;
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  int a = m->marker[c->a].node, b = m->node[m->marker[c->b].node].v;
  hk_ball_gap gap[HK_CONTACT_MAX_POINTS];
  c->gap->ball(c->k, A, B, INFINITY, false, gap);
  pair s = pair_of(A, B);
  for (int i = 0; i < c->n_points; i++) {
    hk_v4 n = pack(gap[i].n);
    hk_approach *o = &out[i];
    o->rate = dot(n, s.u);
    o->along = n[0] * off[b] + n[1] * off[b + 1] + n[2] * off[b + 2];
    const double *give = m->give + b;
    o->mobility = give[0] * n[0] * n[0] + give[1] * n[1] * n[1] + give[2] * n[2] * n[2];
    if (a == HK_GROUND) continue;
    const hk_node *N = &m->node[a];
    double row[HK_NODE_FEW];
    hk_map_row(w, c->a, gap[i].n, unpack(cross(s.d, n)), row);
    give = m->give + N->v;
    for (int k = 0; k < N->nv; k++) {
      o->mobility += give[k] * row[k] * row[k];
      o->along -= row[k] * off[N->v + k];
    }
  }
}

/* ---- tangents of a point ---- */

/* y^T (cC - cK w~), as a column */
HK_INLINE hk_v4 rate_row(const hk_coefficients *c, hk_v4 w, hk_v4 y) {
  return c->cC * y + c->cK * cross(w, y);
}

/* Result of the law at a point. */
typedef struct state {
  hk_normal l;
  hk_v4 n, vt;
  double h, rate, f, Nf, g; /* g = N f'/|vt| */
} state;

/* Fills p with the result of the law. The matrix is nearly always assembled at the state of the last force evaluation,
 * t. The law depends only on this state, so its results are then copied from the record `t` without a new
 * evaluation. */
HK_INLINE bool look(const hk_contact *c, const hk_ball_gap *b, const pair *s,
                    const hk_contact_eval *t, hk_law_in *in, state *p) {
  p->n = pack(b->n);
  p->h = b->radius + 0.5 * b->gap;
  p->rate = dot(p->n, s->u);
  p->l.failed = NULL;
  /* The SIMD evaluation rounds differently, so the comparison needs a tolerance. */
  double u = fabs(s->u[0]) + fabs(s->u[1]) + fabs(s->u[2]);
  bool known = t->N > 0 && fabs(t->gap - b->gap) <= 1e-13 * p->h &&
               fabs(t->rate - p->rate) <= 1e-13 * u && !c->owns;
  if (known) {
    p->l.N = t->N, p->l.N_depth = t->N_depth, p->l.N_rate = t->N_rate;
  } else {
    in->depth = -b->gap;
    in->rate = -p->rate;
    hk_contact_normal(c, in, &p->l);
  }
  double N = p->l.N;
  if (N == 0 && p->l.N_rate == 0) return false;
  p->vt = s->u - p->rate * p->n - p->h * cross(s->w, p->n);
  p->f = p->g = 0;
  if (c->friction == HK_FRICTION_SLIDE) {
    double v2 = dot(p->vt, p->vt), speed = sqrt(v2), f_v = t->f_v;
    p->f = known ? t->f : c->law->slide(c->l, speed, &f_v);
    p->g = speed > 0 ? N / speed * f_v : 0;
  }
  p->Nf = N * p->f;
  return true;
}

/* X, with e = n - f vt and N f = Nf; un, ut: n and vt broadcast to all lanes. */
HK_INLINE mat by_position(const state *p, const pair *s, const mat *H, const mat *un, const mat *ut,
                          const hk_coefficients *k) {
  double cK = k->cK, Nf = p->Nf;
  hk_v4 n = p->n, vt = p->vt, z = tmul(H, s->u), q0 = cross(vt, s->w);
  hk_v4 yn = rate_row(k, s->wA, n), yt = rate_row(k, s->wA, vt), yz = yn + cK * z;
  hk_v4 q = tmul(H, p->h * q0 + p->rate * vt) + 0.5 * dot(q0, n) * n;
  hk_v4 e = -cK * p->l.N_depth * n - p->l.N_rate * yz;
  mat X = spin(-Nf * k->cC, Nf * cK * s->wA), curved = scaled(cK * (p->l.N + Nf * p->rate), H);
  mat Q = scaled(p->h, H), w = spread(cK * Nf * s->w);
  add_mat(&X, &curved);
  add_outer(&X, un, e + Nf * yz);
  add_outer(&X, ut, p->g * (cK * q - yt) - p->f * e);
  add_outer(&Q, un, 0.5 * n); /* h changes by half of the gap */
  add_cross(&X, &w, &Q);
  return X;
}

/* W: n~ wB~ = wB n^T - (n . wB) */
HK_INLINE mat by_rotation(const state *p, const pair *s, hk_v4 m, const mat *ut,
                          const hk_coefficients *k) {
  double c = -p->Nf * p->h;
  mat W = spin(c * k->cK * dot(p->n, s->wB), c * k->cC * p->n), w = spread(-c * k->cK * s->wB);
  add_outer(&W, &w, p->n);
  add_outer(&W, ut, -p->g * p->h * rate_row(k, s->wB, m));
  return W;
}

HK_INLINE mat by_frame(const state *p, const pair *s, const mat *un, const mat *ut, double cK) {
  mat D = spin(0, -p->Nf * cK * s->dv);
  hk_v4 y = cross(p->n, s->dv);
  add_outer(&D, un, cK * (p->Nf - p->l.N_rate) * y);
  add_outer(&D, ut, cK * (p->l.N_rate * p->f * y - p->g * cross(p->vt, s->dv)));
  return D;
}

HK_INLINE bool add_point(hk_work *w, const hk_contact *c, int i, const hk_ball_gap *b,
                         const pair *s, hk_law_in *in, bool turns, const hk_coefficients *k,
                         sums *o) {
  state p;
  bool acts = look(c, b, s, &w->touch[c->point + i], in, &p);
  if (p.l.failed) hk_work_fail(w, c->item, p.l.failed);
  if (!acts) return false;
  double cK = k->cK;
  hk_v4 m = cross(p.vt, p.n);
  mat H = fresh_mat(&b->n_u), un = spread(p.n), ut = spread(p.vt);
  mat X = by_position(&p, s, &H, &un, &ut, k), W = by_rotation(&p, s, m, &ut, k);
  mat arm = scaled(-p.h, &un), um = spread(-0.5 * cK * p.Nf * m), F = scaled(cK * p.h * p.l.N, &un);
  const hk_v4 ones = {1, 1, 1, 1};
  add_outer(&F, &ut, -cK * p.h * p.Nf * ones);
  add_mat(&o->X, &X);
  add_mat(&o->W, &W);
  add_cross(&o->XM, &arm, &X);
  add_cross(&o->XM, &F, &H);
  add_outer(&o->XM, &um, p.n); /* n x F = Nf m */
  add_cross(&o->WM, &arm, &W);
  o->F += p.l.N * p.n - p.Nf * p.vt;
  o->M -= p.h * p.Nf * m;
  if (!turns) return true;
  mat D = by_frame(&p, s, &un, &ut, cK);
  add_mat(&o->D, &D);
  add_cross(&o->DM, &arm, &D);
  return true;
}

/* ---- into the matrix, which holds the negative derivatives ---- */

HK_INLINE void put_row(double *at, double s, hk_v4 x, hk_v4 y) {
  HK_V4(at) += s * (hk_v4){x[0], x[1], x[2], y[0]};
  *(hk_v2 *)(at + 4) += s * (hk_v2){y[1], y[2]};
}

/* Adds s times the matrices X and Y to out, where the rows of X and Y are next to each other. */
HK_INLINE void put_six(hk_slot out, int row, double s, const mat *X, const mat *Y) {
  double *at = out.at + row * out.stride;
  put_row(at, s, X->x, Y->x);
  put_row(at + out.stride, s, X->y, Y->y);
  put_row(at + 2 * out.stride, s, X->z, Y->z);
}

HK_INLINE void put_short(double *at, double s, hk_v4 x) {
  *(hk_v2 *)at += s * (hk_v2){x[0], x[1]};
  at[2] += s * x[2];
}

HK_INLINE void put_three(hk_slot out, int row, double s, const mat *X) {
  double *at = out.at + row * out.stride;
  put_short(at, s, X->x);
  put_short(at + out.stride, s, X->y);
  put_short(at + 2 * out.stride, s, X->z);
}

/* A has no rotational coordinates, only positions. */
HK_INLINE void put_position(const hk_slot *to, const mat *X, const mat *W, const mat *M) {
  put_three(to[0], 0, -1, X);
  put_six(to[1], 0, 1, X, W);
  put_three(to[2], 0, 1, X);
  put_three(to[2], 3, 1, M);
}

/* A rotates about z only. */
HK_INLINE void put_rotor(const hk_slot *to, const sums *o, const pair *s, double cK, hk_v4 z,
                         const mat *R) {
  hk_v4 zd = cross(s->d, z);
  hk_v4 F = mul(&o->X, zd) + mul(&o->D, z) - mul(&o->W, z) - cK * cross(o->F, z);
  hk_v4 M = mul(&o->XM, zd) + mul(&o->DM, z) - mul(&o->WM, z) - cK * cross(o->M, z);
  to[0].at[0] += dot(z, M + cross(s->d, F));
  /* z . (XM + d~ X - cK F~) and z . (WM + d~ W): z . d x b = (z x d) . b */
  hk_v4 x = tmul(&o->XM, z) - tmul(&o->X, zd) - cK * cross(z, o->F);
  hk_v4 w = tmul(&o->WM, z) - tmul(&o->W, zd);
  put_row(to[1].at, 1, x, tmul(R, w));
  hk_v4 m = tmul(R, M);
  double *at = to[2].at;
  at[0] -= F[0], at[1] -= F[1], at[2] -= F[2];
  at[3] -= m[0], at[4] -= m[1], at[5] -= m[2];
}

HK_INLINE void put_rigid(const hk_slot *to, const sums *o, const pair *s, double cK,
                         const hk_mat3 *RA, const hk_mat3 *RB, const mat *W, const mat *MX) {
  /* F, M: columns of thetaA for the force and the moment on B. The other arguments are columns for the moment on A:
   * `a` of thetaA, `b` of thetaB, `x` of xB. */
  mat F = o->D, M = o->DM, x = o->XM, b = o->WM, minus, d = spread(s->d);
  const mat TA = load_mat(RA), TB = load_mat(RB);
  add_times_skew(&F, &o->X, s->d);
  add_times_skew(&M, &o->XM, s->d);
  sub_mat(&F, &o->W);
  sub_mat(&M, &o->WM);
  add_skew(&F, -cK * o->F);
  add_skew(&M, -cK * o->M);
  mat a = M;
  add_cross(&a, &d, &F);
  add_skew(&a, cK * (o->M + cross(s->d, o->F)));
  add_cross(&b, &d, &o->W);
  add_cross(&x, &d, &o->X);
  add_skew(&x, -cK * o->F);
  x = turned(RA, &x), a = turned(RA, &a), b = turned(RA, &b), M = turned(RB, &M);
  F = times(&F, &TA), a = times(&a, &TA), M = times(&M, &TA), b = times(&b, &TB);
  minus = scaled(-1, &o->X);
  put_six(to[0], 0, 1, &minus, &F);
  put_six(to[1], 0, 1, &o->X, W);
  put_six(to[2], 0, -1, &minus, &F);
  put_six(to[1], 3, 1, &x, &b);
  minus = scaled(-1, &x);
  put_six(to[0], 3, 1, &minus, &a);
  minus = scaled(-1, MX);
  put_six(to[2], 3, -1, &minus, &M);
}

HK_INLINE void put_all(const hk_work *w, const hk_slot *to, int a, int b, const sums *o,
                       const pair *s, double cK) {
  const hk_mat3 *RB = &w->R[b];
  mat R = load_mat(RB), W = times(&o->W, &R), MX = turned(RB, &o->XM), MW = o->WM;
  add_skew(&MW, cK * o->M);
  MW = times(&MW, &R);
  MW = turned(RB, &MW);
  put_six(to[3], 0, -1, &o->X, &W);
  put_six(to[3], 3, -1, &MX, &MW);
  if (a == HK_GROUND) return;
  const hk_node *A = &w->model->node[a];
  if (A->moves == HK_MOVES_AXIS)
    put_rotor(to, o, s, cK, pack(hk_rotor_axis(A)), &R);
  else if (A->moves == HK_MOVES_RIGID)
    put_rigid(to, o, s, cK, &w->R[a], RB, &W, &MX);
  else
    put_position(to, &o->X, &W, &MX);
}

HK_HOT HK_FLAT void hk_contact_ball_assemble(hk_work *w, const hk_contact *c,
                                             const hk_coefficients *k, const hk_instant *in,
                                             const hk_slot *to) {
  const hk_model *m = w->model;
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_ball_gap gap[HK_CONTACT_MAX_POINTS];
  c->gap->ball(c->k, A, B, c->reach, true, gap);
  int a = m->marker[c->a].node;
  bool turns = a != HK_GROUND && m->node[a].moves != HK_MOVES_TRANSLATION, any = false;
  pair s = pair_of(A, B);
  const mat none = {ZERO, ZERO, ZERO};
  sums o = {none, none, none, none, none, none, ZERO, ZERO};
  hk_law_in law = hk_law_in_at(w, in);
  for (int i = 0; i < c->n_points; i++) {
    if (gap[i].gap >= c->reach) continue;
    hk_law_in_point(c, in, i, &law);
    if (add_point(w, c, i, &gap[i], &s, &law, turns, k, &o)) any = true;
  }
  if (any) put_all(w, to, a, m->marker[c->b].node, &o, &s, k->cK);
}
