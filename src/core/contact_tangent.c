/* Tangents of compliant contacts: see contact.h.
 *
 * Rows are twelve wide, over the motions d of the two nodes in world axes.  For the coefficients
 * (cK, cC) of the matrix a quantity y(d, d') appears as the one row  cK dy/dd + cC dy/dd'.  With
 *   gap    -> -n G                      G = (-1, rA~, 1, -rB~): v = G d'
 *   v      -> cK V + cC G               V: v changes with c, with the nodes and with their turning
 *   rate   -> v n_d cK + n (row of v)
 *   N      -> -N_depth cK n G - N_rate (row of rate)
 *   T      = -N f(|vt|) vt,  vt = v - n rate
 * dF is a 3x12 matrix Q, the moments about the nodes are r x F: dM = r x Q + cK (dc - dx) x F.  What
 * arrives at a rigid body is R^T M, and R turns: d(R^T M) = R^T (dM + M~ dtheta).
 */
#include "base/hot.h"
#include "core/contact.h"
#include "core/force.h"

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

/* Motions of a marker at s from its node: dx = dx_n + dtheta x s, so the columns of theta gain
 * -(columns of x) s~. */
static void shift_columns(double d[3][12], int at, hk_vec3 s) {
  for (int i = 0; i < 3; i++) {
    hk_vec3 u = hk_cross(s, hk_v3(d[i][at], d[i][at + 1], d[i][at + 2]));
    d[i][at + 3] += u.x, d[i][at + 4] += u.y, d[i][at + 5] += u.z;
  }
}

typedef struct side {
  int node;
  hk_node_kind kind;
  const hk_mat3 *R;
  hk_vec3 w, r; /* angular velocity; from the node to the point of contact */
} side;

/* Sum over the points of a contact: dF, dMA, dMB, where the force on B is F and that on A -F. */
typedef struct tangent {
  rows F, MA, MB;
} tangent;

/* Combined derivative of the velocity of B over A at the contact point. */
HK_INLINE rows velocity_rows(const side *a, const side *b, const rows *c_d,
                             const hk_coefficients *c) {
  rows out;
  cross_rows(hk_scale(c->cK, hk_sub(b->w, a->w)), c_d, &out);
  add_skew(&out, 0, c->cK, a->w);
  add_skew(&out, 6, -c->cK, b->w);
  if (a->kind == HK_NODE_RIGID) { /* -(dtheta x w) x r = -r~ w~ dtheta */
    hk_mat3 S = hk_skew(a->r), W = hk_skew(a->w), P = hk_matmul(&S, &W);
    add_mat(&out, 3, -c->cK, &P);
  }
  if (b->kind == HK_NODE_RIGID) {
    hk_mat3 S = hk_skew(b->r), W = hk_skew(b->w), P = hk_matmul(&S, &W);
    add_mat(&out, 9, c->cK, &P);
  }
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

/* Spinning, rolling and friction that is not the same in all directions. */
HK_APART static rows general_friction(const hk_contact *c, const hk_contact_point *p, const side *a,
                                      const side *b, const hk_coefficients *k, const rows *U,
                                      const rows *n_d, const hk_v4 N_row[3], rows *couple) {
  rows t_d = load_rows(p->gap.t_d), s_d, W = {0}, F = {0};
  hk_vec3 n = p->gap.n, t = p->gap.t, s = hk_cross(n, t), w = hk_sub(b->w, a->w);
  rows x;
  cross_rows(n, &t_d, &s_d);
  cross_rows(hk_neg(t), n_d, &x);
  add_scaled(&s_d, 1, &x);
  add_diagonal(&W, 3, -k->cC);
  add_diagonal(&W, 9, k->cC);
  if (a->kind == HK_NODE_RIGID) add_skew(&W, 3, k->cK, a->w); /* -(dtheta x w) = w~ dtheta */
  if (b->kind == HK_NODE_RIGID) add_skew(&W, 9, -k->cK, b->w);
  const hk_vec3 axis[HK_N_SLIP] = {t, s, n, t, s};
  const rows *axis_d[HK_N_SLIP] = {&t_d, &s_d, n_d, &t_d, &s_d};
  double slip[HK_N_SLIP], out[HK_N_SLIP], J[HK_N_SLIP][HK_N_SLIP], by_N[HK_N_SLIP];
  hk_v4 slip_row[HK_N_SLIP][3];
  for (int i = 0; i < HK_N_SLIP; i++) {
    hk_vec3 y = i < HK_SPIN ? p->slip : w;
    slip[i] = hk_dot(axis[i], y);
    hk_v4 moved[3];
    dot_rows(axis[i], i < HK_SPIN ? U : &W, slip_row[i]);
    /* d(axis . v) with the whole v, of which the normal part is rate n. */
    hk_vec3 whole = i < HK_SPIN ? hk_axpy(p->slip, p->rate, n) : w;
    dot_rows(whole, axis_d[i], moved);
    for (int j = 0; j < 3; j++) slip_row[i][j] += k->cK * moved[j];
  }
  c->law->friction(c->l, p->normal.N, slip, out, J, by_N);
  *couple = (rows){0};
  for (int i = 0; i < HK_N_SLIP; i++) {
    hk_v4 row[3];
    for (int j = 0; j < 3; j++) {
      row[j] = by_N[i] * N_row[j];
      for (int l = 0; l < HK_N_SLIP; l++) row[j] += J[i][l] * slip_row[l][j];
    }
    rows *to = i < HK_SPIN ? &F : couple;
    add_outer(to, axis[i], row);
    add_scaled(to, k->cK * out[i], axis_d[i]);
  }
  return F;
}

HK_INLINE void add_point(const hk_contact *c, const hk_contact_point *p, const side *a,
                         const side *b, const hk_coefficients *k, tangent *out) {
  rows n_d = load_rows(p->gap.n_d), c_d = load_rows(p->gap.c_d);
  rows U = velocity_rows(a, b, &c_d, k);
  hk_vec3 n = p->gap.n, v = hk_axpy(p->slip, p->rate, n);
  hk_v4 rate[3], turn[3], N_row[3];
  dot_rows(n, &U, rate);
  dot_rows(v, &n_d, turn);
  gap_row(a, b, n, -p->normal.N_depth * k->cK, N_row);
  for (int j = 0; j < 3; j++) {
    rate[j] += k->cK * turn[j];
    N_row[j] -= p->normal.N_rate * rate[j];
  }
  rows Q = {0}, couple;
  add_outer(&Q, n, N_row);
  add_scaled(&Q, k->cK * p->normal.N, &n_d);
  if (c->friction == HK_FRICTION_SLIDE) {
    double speed = hk_norm(p->slip), f_v, f = c->law->slide(c->l, speed, &f_v);
    add_outer(&Q, hk_scale(-f, p->slip), N_row);
    /* vt = v - n rate */
    rows vt = U;
    hk_v4 minus[3], along[3];
    for (int j = 0; j < 3; j++) minus[j] = -rate[j];
    add_outer(&vt, n, minus);
    add_scaled(&vt, -p->rate * k->cK, &n_d);
    dot_rows(p->slip, &vt, along);
    add_scaled(&Q, -p->normal.N * f, &vt);
    if (speed > 0) add_outer(&Q, hk_scale(-p->normal.N * f_v / speed, p->slip), along);
  } else if (c->friction == HK_FRICTION_GENERAL) {
    rows F = general_friction(c, p, a, b, k, &U, &n_d, N_row, &couple);
    add_scaled(&Q, 1, &F);
    add_scaled(&out->MA, 1, &couple);
    add_scaled(&out->MB, 1, &couple);
  }
  add_scaled(&out->F, 1, &Q);
  /* Moments about the nodes: r x Q - F x (dc - dx) cK; those on A belong to the force -F, and their
   * sign is turned with that of the force when they are put in place. */
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
  /* The nodes' axes turn. */
  if (a->kind == HK_NODE_RIGID)
    add_skew(&out->MA, 3, k->cK, hk_add(p->couple, hk_cross(a->r, p->force)));
  if (b->kind == HK_NODE_RIGID)
    add_skew(&out->MB, 9, k->cK, hk_add(p->couple, hk_cross(b->r, p->force)));
}

/* Columns of theta into the node's axes. */
HK_INLINE void turn_columns(double m[9][12], int at, const hk_mat3 *R) {
  for (int i = 0; i < 9; i++) {
    double x = m[i][at], y = m[i][at + 1], z = m[i][at + 2];
    for (int j = 0; j < 3; j++) m[i][at + j] = x * R->m[0][j] + y * R->m[1][j] + z * R->m[2][j];
  }
}

/* Three rows of moments into the node's axes: R^T m. */
HK_INLINE void turn_rows(double m[3][12], const hk_mat3 *R) {
  for (int j = 0; j < 12; j += 4) {
    hk_v4 x = HK_V4(m[0] + j), y = HK_V4(m[1] + j), z = HK_V4(m[2] + j);
    for (int i = 0; i < 3; i++) HK_V4(m[i] + j) = R->m[0][i] * x + R->m[1][i] * y + R->m[2][i] * z;
  }
}

/* One row of a contact's tangent into the columns of a node's block. */
HK_INLINE void put_row(double *out, const double *row, const side *q, hk_vec3 axis, double s) {
  switch (q->kind) {
    case HK_NODE_RIGID:
      for (int j = 0; j < 6; j++) out[j] += s * row[j];
      break;
    case HK_NODE_ROTOR:
      out[0] += s * (row[3] * axis.x + row[4] * axis.y + row[5] * axis.z);
      break;
    default:
      for (int j = 0; j < 3; j++) out[j] += s * row[j];
  }
}

/* Rows of node p: the force, then the moment; the matrix holds the negative derivative. */
HK_INLINE void put_rows(const hk_model *m, const double F[3][12], const double M[3][12],
                        const side *p, const side *q, int column, double sign, hk_slot out) {
  if (!out.at || p->node == HK_GROUND || q->node == HK_GROUND) return;
  hk_vec3 axis = q->kind == HK_NODE_ROTOR ? hk_column(&m->node[q->node].R0, 2) : hk_v3(0, 0, 0);
  double *at = out.at;
  if (p->kind == HK_NODE_ROTOR) {
    hk_vec3 z = hk_column(&m->node[p->node].R0, 2);
    double row[6];
    for (int j = 0; j < 6; j++)
      row[j] = z.x * M[0][column + j] + z.y * M[1][column + j] + z.z * M[2][column + j];
    put_row(at, row, q, axis, sign);
    return;
  }
  for (int i = 0; i < 3; i++, at += out.stride) put_row(at, F[i] + column, q, axis, sign);
  if (p->kind != HK_NODE_RIGID) return;
  for (int i = 0; i < 3; i++, at += out.stride) put_row(at, M[i] + column, q, axis, sign);
}

static side side_of(const hk_work *w, int marker) {
  const hk_model *m = w->model;
  int node = m->marker[marker].node;
  side s = {.node = node, .kind = HK_NODE_POINT, .w = w->frame[marker].w};
  if (node == HK_GROUND) return s;
  s.kind = m->node[node].kind;
  s.R = &w->R[node];
  return s;
}

HK_HOT HK_FLAT void hk_contact_assemble(hk_system *s, hk_work *w, const hk_coefficients *c,
                                        const hk_instant *in) {
  const hk_model *m = w->model;
  hk_contact_point p[HK_CONTACT_MAX_POINTS];
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *k = &m->contact[i];
    if (k->law->set_valued) continue;
    const hk_slot *pair = s->pair + s->pair_start[m->n_constraints + m->n_forces + i];
    if (k->ball) {
      hk_contact_ball_assemble(w, k, c, in, pair);
      continue;
    }
    const hk_frame *A = &w->frame[k->a], *B = &w->frame[k->b];
    hk_contact_evaluate(w, k, in, true, p);
    side a = side_of(w, k->a), b = side_of(w, k->b);
    tangent T;
    bool any = false;
    for (int j = 0; j < k->n_points; j++) {
      if (p[j].normal.failed) hk_work_fail(w, k->item, p[j].normal.failed);
      if (p[j].gap.gap >= 0 || (p[j].normal.N == 0 && p[j].normal.N_rate == 0)) continue;
      if (!any) T = (tangent){0};
      any = true;
      if (k->offset) {
        double(*d[3])[12] = {p[j].gap.n_d, p[j].gap.c_d, p[j].gap.t_d};
        for (int l = 0; l < (k->friction == HK_FRICTION_GENERAL ? 3 : 2); l++)
          shift_columns(d[l], 0, A->s), shift_columns(d[l], 6, B->s);
      }
      a.r = hk_add(hk_sub(p[j].gap.c, A->x), A->s);
      b.r = hk_add(hk_sub(p[j].gap.c, B->x), B->s);
      add_point(k, &p[j], &a, &b, c, &T);
    }
    if (!any) continue;
    double(*Z)[12] = (double(*)[12]) & T;
    if (a.kind == HK_NODE_RIGID) turn_columns(Z, 3, a.R), turn_rows(Z + 3, a.R);
    if (b.kind == HK_NODE_RIGID) turn_columns(Z, 9, b.R), turn_rows(Z + 6, b.R);
    const double(*F)[12] = (const double(*)[12])Z, (*MA)[12] = F + 3, (*MB)[12] = F + 6;
    put_rows(m, F, MA, &a, &a, 0, 1, pair[0]);
    put_rows(m, F, MA, &a, &b, 6, 1, pair[1]);
    put_rows(m, F, MB, &b, &a, 0, -1, pair[2]);
    put_rows(m, F, MB, &b, &b, 6, -1, pair[3]);
  }
}
