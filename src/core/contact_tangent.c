/* Tangents of compliant contacts: see contact.h.
 *
 * Rows have twelve columns, for the displacements d of the two frames in world axes. With the
 * coefficients (cK, cC) of the matrix, a quantity y(d, d') has the combined row  cK dy/dd + cC
 * dy/dd'.  With
 *   gap    -> cK n G                    G = (-1, rA~, 1, -rB~): v = G d'
 *   v      -> cK V + cC G               V = dv/dd: v depends on the contact point c and on the frame origins x
 *   rate   -> v n_d cK + n (row of v)
 *   N      -> -N_depth cK n G - N_rate (row of rate)
 *   T      = -N f(|vt|) vt,  vt = v - n rate, or (t.v) t if the gap has one tangent
 * dF is a 3x12 matrix Q. The moments about the frames are r x F: dM = r x Q + cK (dc - dx) x F.
 * The velocities of the frames also change with the positions of their nodes; dF/dv gives this
 * contribution (add_turning). */
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"
#include <string.h>

/* Three rows of twelve. */
typedef struct rows {
  hk_v4 r[3][3];
} rows;

HK_INLINE rows load_rows(const double d[3][12]) {
  rows out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.r[i][j] = HK_V4C(d[i] + 4 * j);
  return out;
}

/* a x rows */
HK_INLINE void cross_rows(hk_vec3 a, const rows *x, rows *out) {
  for (int j = 0; j < 3; j++) {
    hk_v4 x0 = x->r[0][j], x1 = x->r[1][j], x2 = x->r[2][j];
    out->r[0][j] = a.y * x2 - a.z * x1;
    out->r[1][j] = a.z * x0 - a.x * x2;
    out->r[2][j] = a.x * x1 - a.y * x0;
  }
}

HK_INLINE void dot_rows(hk_vec3 a, const rows *x, hk_v4 out[3]) {
  for (int j = 0; j < 3; j++) out[j] = a.x * x->r[0][j] + a.y * x->r[1][j] + a.z * x->r[2][j];
}

/* x += u (x) y */
HK_INLINE void add_outer(rows *x, hk_vec3 u, const hk_v4 y[3]) {
  for (int j = 0; j < 3; j++) {
    x->r[0][j] += u.x * y[j];
    x->r[1][j] += u.y * y[j];
    x->r[2][j] += u.z * y[j];
  }
}

HK_INLINE void add_scaled(rows *x, double s, const rows *y) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) x->r[i][j] += s * y->r[i][j];
}

/* x[:, at..at+2] += s a~ */
HK_INLINE void add_skew(rows *x, int at, double s, hk_vec3 a) {
  double *m = (double *)x->r;
  a = hk_scale(s, a);
  m[at + 1] -= a.z, m[at + 2] += a.y;
  m[12 + at] += a.z, m[12 + at + 2] -= a.x;
  m[24 + at] -= a.y, m[24 + at + 1] += a.x;
}

/* x[:, at..at+2] += s A */
HK_INLINE void add_mat(rows *x, int at, double s, const hk_mat3 *A) {
  double *m = (double *)x->r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[12 * i + at + j] += s * A->m[i][j];
}

HK_INLINE void add_diagonal(rows *x, int at, double s) {
  double *m = (double *)x->r;
  m[at] += s, m[12 + at + 1] += s, m[24 + at + 2] += s;
}

typedef struct side {
  int marker;
  hk_vec3 w, r; /* angular velocity of the frame; vector from its origin to the contact point */
} side;

/* Sum over the points of a contact: dF, dMA, dMB. The force on B is F, the force on A is -F. */
typedef struct tangent {
  rows F, MA, MB;
} tangent;

/* Derivatives of force and couple with respect to the velocity and angular velocity of B
 * relative to A. */
typedef struct drag {
  hk_mat3 Fv, Fw, Mv, Mw;
} drag;

/* D += s a b^T */
static void add_dyad(hk_mat3 *D, double s, hk_vec3 a, hk_vec3 b) {
  const double u[3] = {s * a.x, s * a.y, s * a.z};
  for (int i = 0; i < 3; i++)
    D->m[i][0] += u[i] * b.x, D->m[i][1] += u[i] * b.y, D->m[i][2] += u[i] * b.z;
}

/* Combined row (cK, cC) of the velocity of B relative to A at the contact point. */
HK_INLINE rows velocity_rows(const side *a, const side *b, const rows *c_d,
                             const hk_coefficients *c) {
  rows out;
  cross_rows(hk_scale(c->cK, hk_sub(b->w, a->w)), c_d, &out);
  add_skew(&out, 0, c->cK, a->w);
  add_skew(&out, 6, -c->cK, b->w);
  add_diagonal(&out, 0, -c->cC);
  add_skew(&out, 3, c->cC, a->r);
  add_diagonal(&out, 6, c->cC);
  add_skew(&out, 9, -c->cC, b->r);
  return out;
}

/* n G: the row of the gap. */
HK_INLINE void gap_row(const side *a, const side *b, hk_vec3 n, double s, hk_v4 out[3]) {
  hk_vec3 ma = hk_cross(a->r, n), mb = hk_cross(b->r, n);
  double d[12] = {-n.x, -n.y, -n.z, -ma.x, -ma.y, -ma.z, n.x, n.y, n.z, mb.x, mb.y, mb.z};
  for (int j = 0; j < 3; j++) out[j] = s * HK_V4C(d + 4 * j);
}

/* Drilling and rolling resistance, and anisotropic friction. */
HK_APART static rows general_friction(const hk_contact *c, const hk_contact_point *p, const side *a,
                                      const side *b, const hk_coefficients *k, const rows *U,
                                      const rows *n_d, const hk_v4 N_row[3], rows *couple,
                                      drag *D) {
  rows t_d = load_rows(p->gap.t_d), s_d, W = {0}, F = {0};
  hk_vec3 n = p->gap.n, t = p->gap.t, s = hk_cross(n, t), w = hk_sub(b->w, a->w);
  rows x;
  cross_rows(n, &t_d, &s_d);
  cross_rows(hk_neg(t), n_d, &x);
  add_scaled(&s_d, 1, &x);
  add_diagonal(&W, 3, -k->cC);
  add_diagonal(&W, 9, k->cC);
  const hk_vec3 axis[HK_N_SLIP] = {t, s, n, t, s};
  const rows *axis_d[HK_N_SLIP] = {&t_d, &s_d, n_d, &t_d, &s_d};
  double slip[HK_N_SLIP], out[HK_N_SLIP], J[HK_N_SLIP][HK_N_SLIP], by_N[HK_N_SLIP];
  hk_v4 slip_row[HK_N_SLIP][3];
  for (int i = 0; i < HK_N_SLIP; i++) {
    hk_vec3 y = i < HK_SPIN ? p->slip : w;
    slip[i] = hk_dot(axis[i], y);
    hk_v4 moved[3];
    dot_rows(axis[i], i < HK_SPIN ? U : &W, slip_row[i]);
    /* d(axis . v) uses the full v, including its normal part rate n. */
    hk_vec3 whole = i < HK_SPIN ? p->velocity : w;
    dot_rows(whole, axis_d[i], moved);
    for (int j = 0; j < 3; j++) slip_row[i][j] += k->cK * moved[j];
  }
  c->law->friction(c->l, p->normal.N, slip, out, J, by_N);
  if (c->one_way) { /* there is neither a force nor sliding in the direction n x t */
    out[HK_SLIDE_S] = by_N[HK_SLIDE_S] = 0;
    for (int i = 0; i < HK_N_SLIP; i++) J[HK_SLIDE_S][i] = J[i][HK_SLIDE_S] = 0;
  }
  *couple = (rows){0};
  for (int i = 0; i < HK_N_SLIP; i++) {
    hk_v4 row[3];
    for (int j = 0; j < 3; j++) {
      row[j] = by_N[i] * N_row[j];
      for (int l = 0; l < HK_N_SLIP; l++) row[j] += J[i][l] * slip_row[l][j];
    }
    hk_mat3 *by_v = i < HK_SPIN ? &D->Fv : &D->Mv, *by_w = i < HK_SPIN ? &D->Fw : &D->Mw;
    add_dyad(by_v, -by_N[i] * p->normal.N_rate, axis[i], n);
    for (int l = 0; l < HK_N_SLIP; l++)
      add_dyad(l < HK_SPIN ? by_v : by_w, J[i][l], axis[i], axis[l]);
    rows *to = i < HK_SPIN ? &F : couple;
    add_outer(to, axis[i], row);
    add_scaled(to, k->cK * out[i], axis_d[i]);
  }
  return F;
}

/* Adds the contribution of the frame velocities, which change when a node moves: changes of F and
 * of the couple in node coordinates, and the resulting moments about the frames. The rows of A and
 * B have opposite signs. */
HK_INLINE void turn_point(const hk_work *w, const side *a, const side *b, int q, double cK,
                          const drag *D, bool couple, const int n) {
  const side *s = q ? b : a;
  double F[3][n], M[3][n];
  memset(F, 0, sizeof F);
  memset(M, 0, sizeof M);
  double sign = q ? cK : -cK;
  for (int i = 0; i < 3; i++) {
    const double *v = D->Fv.m[i], *o = D->Fw.m[i];
    hk_vec3 jv = hk_scale(sign, hk_v3(v[0], v[1], v[2])), jw = hk_cross(s->r, jv);
    if (couple) jw = hk_axpy(jw, sign, hk_v3(o[0], o[1], o[2]));
    hk_map_turning(w, s->marker, jv, jw, F[i]);
    if (!couple) continue;
    v = D->Mv.m[i], o = D->Mw.m[i];
    jv = hk_scale(sign, hk_v3(v[0], v[1], v[2]));
    jw = hk_axpy(hk_cross(s->r, jv), sign, hk_v3(o[0], o[1], o[2]));
    hk_map_turning(w, s->marker, jv, jw, M[i]);
  }
  double *T = hk_map_turning_of(w, q);
  for (int end = 0; end < 2; end++, T += 6 * n)
    for (int j = 0; j < n; j++) {
      double one = end ? -1 : 1;
      hk_vec3 f = hk_v3(F[0][j], F[1][j], F[2][j]), m = hk_cross(end ? b->r : a->r, f);
      T[j] += one * f.x, T[n + j] += one * f.y, T[2 * n + j] += one * f.z;
      T[3 * n + j] += one * (m.x + M[0][j]), T[4 * n + j] += one * (m.y + M[1][j]);
      T[5 * n + j] += one * (m.z + M[2][j]);
    }
}

HK_APART static void turn_point_wide(const hk_work *w, const side *a, const side *b, int q,
                                     double cK, const drag *D, bool couple) {
  turn_point(w, a, b, q, cK, D, couple, w->model->widest);
}

HK_INLINE void add_turning(const hk_work *w, const side *a, const side *b, int q, double cK,
                           const drag *D, bool couple) {
  if (w->model->widest > HK_NODE_FEW)
    turn_point_wide(w, a, b, q, cK, D, couple);
  else
    turn_point(w, a, b, q, cK, D, couple, HK_NODE_FEW);
}

/* Change of vt = v - n rate. */
HK_INLINE rows slip_rows(const hk_contact_point *p, const rows *U, const rows *n_d,
                         const hk_v4 rate[3], double cK) {
  rows vt = *U;
  hk_v4 minus[3];
  for (int j = 0; j < 3; j++) minus[j] = -rate[j];
  add_outer(&vt, p->gap.n, minus);
  add_scaled(&vt, -p->rate * cK, n_d);
  return vt;
}

/* Change of vt = (t.v) t. */
HK_APART static rows one_way_rows(const hk_contact_point *p, const rows *U, double cK) {
  const rows t_d = load_rows(p->gap.t_d);
  rows vt = {0};
  hk_v4 along[3], turned[3];
  dot_rows(p->gap.t, U, along);
  dot_rows(p->velocity, &t_d, turned);
  for (int j = 0; j < 3; j++) along[j] += cK * turned[j];
  add_outer(&vt, p->gap.t, along);
  add_scaled(&vt, cK * hk_dot(p->gap.t, p->velocity), &t_d);
  return vt;
}

/* Sliding friction T = -N f(|vt|) vt; dvt/dv is 1 - n n^T, or t t^T. */
HK_INLINE void add_sliding(const hk_contact *c, const hk_contact_point *p, const rows *vt,
                           const hk_v4 N_row[3], rows *Q, drag *D) {
  const hk_vec3 n = p->gap.n, t = p->gap.t;
  double speed = hk_norm(p->slip), f_v, f = c->law->slide(c->l, speed, &f_v);
  hk_v4 along[3];
  add_outer(Q, hk_scale(-f, p->slip), N_row);
  dot_rows(p->slip, vt, along);
  add_scaled(Q, -p->normal.N * f, vt);
  double g = speed > 0 ? -p->normal.N * f_v / speed : 0;
  add_outer(Q, hk_scale(g, p->slip), along);
  add_dyad(&D->Fv, p->normal.N_rate * f, p->slip, n);
  add_dyad(&D->Fv, g, p->slip, p->slip);
  if (c->one_way) {
    add_dyad(&D->Fv, -p->normal.N * f, t, t);
    return;
  }
  add_dyad(&D->Fv, p->normal.N * f, n, n);
  for (int i = 0; i < 3; i++) D->Fv.m[i][i] -= p->normal.N * f;
}

HK_INLINE void add_point(const hk_work *w, const hk_contact *c, const hk_contact_point *p,
                         const side *a, const side *b, const hk_coefficients *k, tangent *out,
                         hk_pair_tangent *pair) {
  rows n_d = load_rows(p->gap.n_d), c_d = load_rows(p->gap.c_d);
  rows U = velocity_rows(a, b, &c_d, k);
  hk_vec3 n = p->gap.n, v = p->velocity;
  hk_v4 rate[3], turn[3], N_row[3];
  dot_rows(n, &U, rate);
  dot_rows(v, &n_d, turn);
  gap_row(a, b, n, -p->normal.N_depth * k->cK, N_row);
  for (int j = 0; j < 3; j++) {
    rate[j] += k->cK * turn[j];
    N_row[j] -= p->normal.N_rate * rate[j];
  }
  rows Q = {0}, couple;
  drag D = {0};
  add_dyad(&D.Fv, -p->normal.N_rate, n, n);
  add_outer(&Q, n, N_row);
  add_scaled(&Q, k->cK * p->normal.N, &n_d);
  if (c->friction == HK_FRICTION_SLIDE) {
    rows vt = c->one_way ? one_way_rows(p, &U, k->cK) : slip_rows(p, &U, &n_d, rate, k->cK);
    add_sliding(c, p, &vt, N_row, &Q, &D);
  } else if (c->friction == HK_FRICTION_GENERAL) {
    rows F = general_friction(c, p, a, b, k, &U, &n_d, N_row, &couple, &D);
    add_scaled(&Q, 1, &F);
    add_scaled(&out->MA, 1, &couple);
    add_scaled(&out->MB, 1, &couple);
  }
  add_scaled(&out->F, 1, &Q);
  /* Moments about the frames: r x Q - F x (dc - dx) cK. The rows of the moment on A are those of the force +F,
   * although -F acts on A; put_rows changes the signs of force and moment. */
  rows x;
  hk_vec3 f = hk_scale(-k->cK, p->force);
  rows moved;
  cross_rows(f, &c_d, &moved);
  cross_rows(a->r, &Q, &x);
  add_scaled(&out->MA, 1, &x);
  add_scaled(&out->MA, 1, &moved);
  add_skew(&out->MA, 0, -1, f);
  cross_rows(b->r, &Q, &x);
  add_scaled(&out->MB, 1, &x);
  add_scaled(&out->MB, 1, &moved);
  add_skew(&out->MB, 6, -1, f);
  bool turned = c->friction == HK_FRICTION_GENERAL;
  for (int q = 0; q < 2; q++) add_turning(w, a, b, q, k->cK, &D, turned);
  hk_vec3 F = hk_scale(k->cK, p->force), M = hk_scale(k->cK, p->couple);
  pair->f[0] = hk_add(pair->f[0], F), pair->f[1] = hk_sub(pair->f[1], F);
  pair->m[0] = hk_add(pair->m[0], hk_add(M, hk_cross(a->r, F)));
  pair->m[1] = hk_sub(pair->m[1], hk_add(M, hk_cross(b->r, F)));
}

/* The matrix contains the negative derivatives of the forces: -F on A, F on B. */
HK_INLINE void put_rows(const tangent *T, double K[12][12]) {
  const double *F = (const double *)T->F.r, *MA = (const double *)T->MA.r,
               *MB = (const double *)T->MB.r;
  double *to = &K[0][0];
  for (int i = 0; i < 36; i++) {
    to[i] = F[i];
    to[36 + i] = MA[i];
    to[72 + i] = -F[i];
    to[108 + i] = -MB[i];
  }
}

HK_HOT HK_FLAT void hk_contact_assemble(hk_system *s, hk_work *w, const hk_coefficients *c,
                                        const hk_instant *in) {
  const hk_model *m = w->model;
  hk_contact_point p[HK_CONTACT_MAX_POINTS];
  const int *start = s->pair_start + m->n_constraints + m->n_forces;
  for (int i = 0; i < w->n_batches; i++) {
    const hk_contact_batch *b = &w->batch[i];
    const hk_slot *to[4];
    for (int l = 0; l < 4; l++) to[l] = s->pair + start[b->index[l]];
    hk_contact_batch_assemble(w, b, c, to);
  }
  for (int i = 0; i < w->n_singles; i++) {
    const hk_contact *k = &m->contact[w->single[i]];
    const hk_slot *pair = s->pair + start[w->single[i]];
    if (k->ball) {
      hk_contact_ball_assemble(w, k, c, in, pair);
      continue;
    }
    const hk_frame *A = &w->frame[k->a], *B = &w->frame[k->b];
    hk_contact_evaluate(w, k, in, true, p);
    side a = {.marker = k->a, .w = A->w}, b = {.marker = k->b, .w = B->w};
    tangent T;
    hk_pair_tangent to;
    bool any = false;
    for (int j = 0; j < k->n_points; j++) {
      if (p[j].normal.failed) hk_work_fail(w, k->item, p[j].normal.failed);
      if (p[j].gap.gap >= k->reach || (p[j].normal.N == 0 && p[j].normal.N_rate == 0)) continue;
      if (!any) {
        T = (tangent){0};
        memset(w->turning, 0, 24 * (size_t)m->widest * sizeof *w->turning);
        to.f[0] = to.f[1] = to.m[0] = to.m[1] = hk_v3(0, 0, 0);
      }
      any = true;
      a.r = hk_sub(p[j].gap.c, A->x);
      b.r = hk_sub(p[j].gap.c, B->x);
      add_point(w, k, &p[j], &a, &b, c, &T, &to);
    }
    if (!any) continue;
    to.has_K = to.has_turning[0] = to.has_turning[1] = true;
    put_rows(&T, to.K);
    hk_map_pair(w, k->a, k->b, &to, 1, pair, 2);
  }
}
