/* Contacts of balls, four at once (SIMD): forces and rates of contact_ball.c with one contact in
 * each lane.
 *
 * Contacts with a gap and a law that support this form (base/simd4.h), and that differ only in
 * their constants, are collected once into batches of four. The remaining contacts are evaluated
 * one by one. */
#include "core/force.h"
#include "core/simd4.h"
#include "core/map.h"

/* ---- batches ---- */

static bool takes_four(const hk_contact *c) {
  return c->ball && c->gap->four && c->law->four && c->n_points == 2 && !c->owns && c->reach == 0 &&
         c->law->four->takes(c->l);
}

static bool alike(const hk_contact *a, const hk_contact *b) {
  return takes_four(b) && a->gap == b->gap && a->law == b->law && a->friction == b->friction &&
         a->a == b->a;
}

/* Fills the constants of all lanes; lanes without a contact repeat the first one. */
static void fill(const hk_model *m, hk_contact_batch *b) {
  for (int lane = 0; lane < 4; lane++) {
    const hk_contact *c = b->contact[lane < b->n ? lane : 0];
    b->contact[lane] = c;
    b->index[lane] = (int)(c - m->contact);
    b->point[lane] = c->point;
    b->frame[lane] = c->b;
    b->node[lane] = m->marker[c->b].node;
    b->v[lane] = m->node[b->node[lane]].v;
    b->used[lane] = lane < b->n ? -1 : 0;
    for (int i = 0; i < HK_GAP_CONSTANTS; i++) b->k[i][lane] = c->k[i];
    for (int i = 0; i < HK_LAW_CONSTANTS; i++) b->l[i][lane] = c->l[i];
  }
}

void hk_contact_batches(hk_work *w) {
  const hk_model *m = w->model;
  w->n_batches = w->n_singles = 0;
  for (int i = 0; i < m->n_contacts; i++)
    w->single[i] = -1; /* -1: not assigned to a group of
                                                              * four yet */
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->law->set_valued || w->single[i] == 0) continue;
    hk_contact_batch *b = &w->batch[w->n_batches];
    b->n = 0;
    for (int k = i; takes_four(c) && k < m->n_contacts && b->n < 4; k++)
      if (w->single[k] < 0 && alike(c, &m->contact[k])) b->contact[b->n++] = &m->contact[k];
    if (b->n < 2) continue;
    for (int k = 0; k < b->n; k++) w->single[b->contact[k] - m->contact] = 0;
    fill(m, b);
    w->n_batches++;
  }
  for (int i = 0; i < m->n_contacts; i++)
    if (!m->contact[i].law->set_valued && w->single[i] < 0) w->single[w->n_singles++] = i;
}

/* ---- forces ---- */

_Static_assert(sizeof(hk_contact_eval) == 9 * sizeof(double),
               "every member of hk_contact_eval is written");

/* Writes the results at a point to the hk_contact_eval of each lane. */
HK_INLINE void put_touch(hk_work *w, const hk_contact_batch *b, int point, const hk_v4 in[9]) {
  hk_v4 first[4], second[4];
  hk_transpose4(in[0], in[1], in[2], in[3], first);
  hk_transpose4(in[4], in[5], in[6], in[7], second);
  hk_v4 last = in[8];
#pragma GCC unroll 4
  /* in descending order: unused lanes contain a copy of the first contact, which is written last
   * and overwrites them */
  for (int lane = 3; lane >= 0; lane--) {
    double *t = (double *)&w->touch[b->point[lane] + point];
    HK_V4(t) = first[lane], HK_V4(t + 4) = second[lane];
    t[8] = last[lane];
  }
}

/* Sums over the points; powers and energy are per lane. */
typedef struct sums {
  hk_vec4 F, M;
  hk_v4 potential, dissipated;
} sums;

HK_INLINE bool add_point(hk_work *w, const hk_contact_batch *b, int point, const hk_ball_four *g,
                         const hk_motion *s, sums *o) {
  const hk_contact *c = b->contact[0];
  const hk_v4 none = hk_all4(0);
  hk_m4 closed = (g->gap < none) & b->used;
  hk_v4 touch[9] = {g->gap, none, none, none, none, none, none, none, none};
  if (!hk_any4(closed)) {
    put_touch(w, b, point, touch);
    return false;
  }
  hk_vec4 n = {g->n[0], g->n[1], g->n[2]};
  hk_v4 h = g->radius + 0.5 * g->gap, rate = hk_x4_dot(n, s->u), depth = hk_only4(closed, -g->gap),
        closing = -rate;
  hk_normal_four l;
  c->law->four->normal(b->l, &depth, &closing, &l);
  hk_m4 pushes = l.N > none;
  o->potential += l.potential;
  o->dissipated += (l.elastic - l.N) * rate;
  touch[1] = l.N, touch[3] = l.potential, touch[4] = l.N_depth, touch[5] = l.N_rate;
  touch[6] = hk_only4(pushes, rate);
  o->F = hk_x4_axpy(o->F, l.N, n);
  if (c->friction == HK_FRICTION_SLIDE) {
    hk_vec4 vt = hk_x4_axpy(hk_x4_axpy(s->u, -rate, n), -h, hk_x4_cross(s->w, n));
    hk_v4 v2 = hk_x4_dot(vt, vt), v = hk_sqrt4(v2), f, f_v;
    c->law->four->slide(b->l, &v, &f, &f_v);
    hk_v4 Nf = l.N * f;
    o->F = hk_x4_axpy(o->F, -Nf, vt);
    o->M = hk_x4_axpy(o->M, h * Nf, hk_x4_cross(n, vt));
    touch[2] = Nf * v2;
    o->dissipated += touch[2];
    touch[7] = hk_only4(pushes, f), touch[8] = hk_only4(pushes, f_v);
  }
  put_touch(w, b, point, touch);
  return true;
}

/* f += force and moment on the balls, which are rigid bodies; zero in lanes without a contact. */
HK_INLINE void push_balls(const hk_work *w, const hk_contact_batch *b, const sums *o) {
  const hk_mat4 R = hk_x4_rotations(w, b);
  hk_vec4 M = hk_x4_tmul(&R, o->M);
  hk_v4 t[4];
  hk_transpose4(o->F.x, o->F.y, o->F.z, M.x, t);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    double *f = w->f + b->v[i];
    HK_V4(f) += t[i];
    *(hk_v2 *)(f + 4) += (hk_v2){M.y[i], M.z[i]};
  }
}

HK_HOT HK_FLAT void hk_contact_batch_forces(hk_work *w, const hk_contact_batch *b) {
  const hk_model *m = w->model;
  const hk_contact *first = b->contact[0];
  const hk_frame *A = &w->frame[first->a], *B[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) B[i] = &w->frame[b->frame[i]];
  const hk_motion s = hk_motion_of(A, B);
  const hk_v4 none = hk_all4(0);
  hk_ball_four gap[2];
  hk_batch_gaps(b, A, &s, false, gap);
  sums o = {{none, none, none}, {none, none, none}, none, none};
  bool loaded = add_point(w, b, 0, &gap[0], &s, &o);
  bool counter = add_point(w, b, 1, &gap[1], &s, &o);
  if (!loaded && !counter) return;
  w->potential += hk_v4_sum(o.potential);
  w->dissipated += hk_v4_sum(o.dissipated);
  if (w->load) {
    for (int i = 0; i < b->n; i++)
      hk_load_add(w, b->node[i], hk_v3(o.F.x[i], o.F.y[i], o.F.z[i]),
                  hk_v3(o.M.x[i], o.M.y[i], o.M.z[i]));
  }
  push_balls(w, b, &o);
  int a = m->marker[first->a].node;
  if (a == HK_GROUND) return;
  hk_vec4 M = hk_x4_cross(s.d, o.F);
  hk_map_center_wrench(
      w, a, hk_v3(-hk_v4_sum(o.F.x), -hk_v4_sum(o.F.y), -hk_v4_sum(o.F.z)),
      hk_v3(-hk_v4_sum(M.x + o.M.x), -hk_v4_sum(M.y + o.M.y), -hk_v4_sum(M.z + o.M.z)), w->f);
}

/* ---- rates and mobilities ---- */

/* Adds J M^-1 J^T and J off of node A, which translates, rotates about its axis, or both; t = d
 * x n. */
HK_INLINE void add_mobility(const hk_work *w, int a, hk_vec4 n, hk_vec4 t, const double *off,
                            hk_v4 *mobility, hk_v4 *along) {
  const hk_node *N = &w->model->node[a];
  const double *give = w->model->give + N->v;
  off += N->v;
  if (N->moves == HK_MOVES_AXIS) {
    hk_v4 row = hk_x4_dot(hk_x4_same(hk_rotor_axis(N)), t);
    *mobility += give[0] * row * row;
    *along -= off[0] * row;
    return;
  }
  *mobility += give[0] * n.x * n.x + give[1] * n.y * n.y + give[2] * n.z * n.z;
  *along -= off[0] * n.x + off[1] * n.y + off[2] * n.z;
  if (N->moves != HK_MOVES_RIGID) return;
  for (int k = 0; k < 3; k++) {
    const double(*R)[3] = w->R[a].m;
    hk_v4 row = R[0][k] * t.x + R[1][k] * t.y + R[2][k] * t.z;
    *mobility += give[3 + k] * row * row;
    *along -= off[3 + k] * row;
  }
}

HK_HOT HK_FLAT void hk_contact_batch_approach(const hk_work *w, const hk_contact_batch *b,
                                              const double *off, hk_approach_four *out) {
  const hk_model *m = w->model;
  const hk_contact *first = b->contact[0];
  const hk_frame *A = &w->frame[first->a], *B[4];
  int a = m->marker[first->a].node;
  const int *v = b->v;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) B[i] = &w->frame[b->frame[i]];
  const hk_motion s = hk_motion_of(A, B);
  hk_ball_four gap[2];
  hk_batch_gaps(b, A, &s, false, gap);
  hk_v4 give[4], moved[4];
  hk_transpose4(HK_V4C(m->give + v[0]), HK_V4C(m->give + v[1]), HK_V4C(m->give + v[2]),
                HK_V4C(m->give + v[3]), give);
  hk_transpose4(HK_V4C(off + v[0]), HK_V4C(off + v[1]), HK_V4C(off + v[2]), HK_V4C(off + v[3]),
                moved);
  for (int i = 0; i < 2; i++) {
    hk_vec4 n = {gap[i].n[0], gap[i].n[1], gap[i].n[2]};
    hk_v4 mobility = give[0] * n.x * n.x + give[1] * n.y * n.y + give[2] * n.z * n.z;
    hk_v4 along = moved[0] * n.x + moved[1] * n.y + moved[2] * n.z, rate = hk_x4_dot(n, s.u);
    if (a != HK_GROUND) add_mobility(w, a, n, hk_x4_cross(s.d, n), off, &mobility, &along);
    out->rate[i] = rate, out->mobility[i] = mobility, out->along[i] = along;
  }
}
