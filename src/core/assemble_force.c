/* Tangents of forces in the Newton matrix: along coordinates, between frames, through
 * expressions, and through the loads of joints with friction. */
#include "core/assemble.h"
#include "core/force.h"
#include "core/map.h"
#include "core/joint_friction_fast.h"
#include "core/rotor_force.h"
#include "relation/derive.h"
#include <string.h>

enum { MAX_PORTS = 2 + 2 * 16 };

/* out -= u (x) r, for a pair of rigid bodies. */
HK_INLINE void subtract_outer(const double *u, const double *r, hk_slot out) {
  hk_v4 x = HK_V4C(r);
  hk_v2 y = *(const hk_v2 *)(r + 4);
  for (int i = 0; i < HK_NODE_FEW; i++, out.at += out.stride) {
    HK_V4(out.at) -= u[i] * x;
    *(hk_v2 *)(out.at + 4) -= u[i] * y;
  }
}

/* block(p, q) -= u_p (x) r_q for the two ports p of the force and all ports q: u[2][widest], r[][widest]. */
HK_HOT static void add_rank_one(const hk_model *m, const hk_force *f, const hk_slot *pair,
                                const double *u, const double *r, int first, int last) {
  const int width = m->widest;
  for (int p = 0; p < 2; p++) {
    int np = m->marker[m->port[f->port + p]].node;
    if (np == HK_GROUND) continue;
    const double *up = u + p * width;
    for (int q = first; q < last; q++) {
      int nq = m->marker[m->port[f->port + q]].node;
      hk_slot out = pair[p * f->n_ports + q];
      if (nq == HK_GROUND || !out.at) continue;
      const double *rq = r + q * width;
      if (m->node[np].nv == HK_NODE_FEW && m->node[nq].nv == HK_NODE_FEW) {
        subtract_outer(up, rq, out);
        continue;
      }
      for (int i = 0; i < m->node[np].nv; i++)
        for (int j = 0; j < m->node[nq].nv; j++) out.at[i * out.stride + j] -= up[i] * rq[j];
    }
  }
}

/* Receives d(expression)/d(node coordinates): adds the gradient at the ports of each channel that the expression uses,
 * one pair of ports per channel. */
typedef struct leaf_sink {
  const hk_work *w;
  const hk_instant *in;
  const hk_coefficients *c;
  double *r; /* [n_ports][widest] */
  int port, n_ports;
} leaf_sink;

static void sink_leaf(void *context, int channel, double derivative) {
  leaf_sink *s = context;
  if (s->port + 2 > s->n_ports) return;
  const int width = s->w->model->widest;
  double room[4 * width], *r = s->r + s->port * width;
  hk_channel_gradient g = hk_channel_gradient_in(s->w->model, room);
  hk_channel_leaf_gradient(s->w, channel, s->in, &g);
  double cK = derivative * s->c->cK, cC = derivative * s->c->cC;
  for (int p = 0; p < 2; p++, r += width)
    for (int k = 0; k < width; k++) r[k] = cK * g.position[p][k] + cC * g.velocity[p][k];
  s->port += 2;
}

static void add_expressions(hk_system *s, const hk_work *w, const hk_force *f, const hk_slot *pair,
                            const hk_coefficients *c, const hk_instant *in,
                            const hk_force_result *e, const double *u) {
  const hk_model *m = s->model;
  const int width = m->widest;
  double r[MAX_PORTS * width], we[2 * width];
  memset(r, 0, sizeof r);
  leaf_sink sink = {w, in, c, r, 2, f->n_ports};
  for (int i = 0; i < f->n_expr; i++) {
    const hk_bound_expr *x = &f->expr[i];
    if (!x->expr) continue;
    double gradient[x->n + 1];
    hk_expr_gradient(x->expr, w->variable, gradient);
    int first = sink.port;
    double factor = f->coordinate >= 0 ? e->out.F_e[i] : 1;
    for (int k = 0; k < x->n; k++)
      hk_channel_leaves(m, w->variable, m->variable_channel[x->slot[k]], factor * gradient[k],
                        sink_leaf, &sink);
    memset(we, 0, sizeof we);
    if (f->coordinate < 0) {
      const double *q = e->out.w_e[i];
      hk_map_row(w, f->a, hk_v3(q[0], q[1], q[2]), hk_v3(q[3], q[4], q[5]), we);
      hk_map_row(w, f->b, hk_v3(q[6], q[7], q[8]), hk_v3(q[9], q[10], q[11]), we + width);
    }
    add_rank_one(m, f, pair, f->coordinate >= 0 ? u : we, r, first, sink.port);
  }
}

/* Adds to the blocks of G^T the derivative of the force with respect to lambda, which is due to the load of the
 * joint. */
HK_HOT static void add_load_of(hk_system *s, const hk_constraint *c, const hk_slot *slot,
                               const hk_force *f, const double *lambda, double over,
                               const double *u, int width) {
  const hk_model *m = s->model;
  for (int p = 0; p < 2; p++, u += width) {
    hk_slot out = slot[p];
    if (!out.at) continue;
    int nv = m->node[m->marker[m->port[f->port + p]].node].nv;
    for (int r = c->row; r < c->row + c->n_rows; r++) {
      if (!s->kept[r]) continue;
      double share = over * lambda[r], *to = out.at++;
      if (m->row_angular[r]) continue;
      for (int k = 0; k < nv; k++, to += out.stride) *to -= share * u[k];
    }
  }
}

/* Adds the tangent of a friction force that depends on the load of a joint. u[2][width]: the
 * force per unit of load, divided by `scale`. */
static void add_load(hk_system *s, int index, const hk_force *f, const double *lambda, double load,
                     double scale, const double *u, int width) {
  const hk_constraint *c = &s->model->constraint[f->joint];
  if (load == 0 || scale == 0) return;
  add_load_of(s, c, s->load + 4 * index, f, lambda, scale / load, u, width);
  if (c->thread)
    add_load_of(s, &s->model->constraint[c->thread], s->load + 4 * index + 2, f, lambda,
                scale / load, u, width);
}

/* Computes u[2][width] of a force along a coordinate from its gradient, and of a force between two
 * frames. */
static void map_gradient(const hk_work *w, const hk_force *f, const hk_row *J, double *u,
                         int width) {
  const hk_coordinate *q = &w->model->coordinate[f->coordinate];
  hk_map_row(w, q->a, J->xa, J->ta, u);
  hk_map_row(w, q->b, J->xb, J->tb, u + width);
}

static void map_wrenches(const hk_work *w, const hk_force *f, const double l[12], double *u,
                         int width) {
  hk_map_row(w, f->a, hk_v3(l[0], l[1], l[2]), hk_v3(l[3], l[4], l[5]), u);
  hk_map_row(w, f->b, hk_v3(l[6], l[7], l[8]), hk_v3(l[9], l[10], l[11]), u + width);
}

/* to += c k, for tangents without velocity terms (turning). */
HK_HOT static void add_tangent(double c, const hk_pair_tangent *k, hk_pair_tangent *to) {
  for (int p = 0; p < 2; p++) {
    to->f[p] = hk_axpy(to->f[p], c, k->f[p]);
    to->m[p] = hk_axpy(to->m[p], c, k->m[p]);
  }
  if (!k->has_K) return;
  const double *from = k->K[0];
  double *at = to->K[0];
  if (to->has_K)
    for (int i = 0; i < 144; i += 4) HK_V4(at + i) += c * HK_V4C(from + i);
  else
    for (int i = 0; i < 144; i += 4) HK_V4(at + i) = c * HK_V4C(from + i);
  to->has_K = true;
}

/* Subtracts by_a u (x) u of a and by_b u (x) u of b from the blocks of two rigid bodies. */
HK_HOT static void subtract_joint_friction(const hk_joint_friction *a, const hk_joint_friction *b,
                                           double by_a, double by_b, const hk_slot *pair,
                                           int n_ports) {
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      hk_slot out = pair[p * n_ports + q];
      if (!out.at) continue;
      const double *u = a->u[q], *v = b->u[q];
      hk_v4 x = by_a * HK_V4C(u), y = by_b * HK_V4C(v);
      hk_v2 x2 = by_a * *(const hk_v2 *)(u + 4), y2 = by_b * *(const hk_v2 *)(v + 4);
      for (int i = 0; i < HK_NODE_FEW; i++, out.at += out.stride) {
        HK_V4(out.at) -= a->u[p][i] * x + b->u[p][i] * y;
        *(hk_v2 *)(out.at + 4) -= a->u[p][i] * x2 + b->u[p][i] * y2;
      }
    }
}

/* Tangent of the joint friction, as far as it depends on sliding speeds and on the load; other
 * parts are negligible in short steps. All forces act between the same frames; two are
 * processed at once. */
static void add_joint_friction(hk_system *s, const hk_work *w, const hk_constraint_plan *l,
                               const hk_coefficients *c, const hk_instant *in) {
  const hk_model *m = s->model;
  for (int i = l->first_friction, end = i + l->n_frictions; i < end; i += 2) {
    const hk_joint_friction *a = &w->joint_friction[i], *b = i + 1 < end ? a + 1 : a;
    double by_a = c->cK * a->F_c + c->cC * a->F_rate,
           by_b = b == a ? 0 : c->cK * b->F_c + c->cC * b->F_rate;
    subtract_joint_friction(a, b, by_a, by_b, s->pair + s->pair_start[m->n_constraints + i],
                            m->force[i].n_ports);
  }
  for (int i = l->first_friction; i < l->first_friction + l->n_frictions && !c->ideal; i++)
    add_load(s, i, &m->force[i], in->lambda, w->joint_friction[i].load, w->joint_friction[i].F_load,
             w->joint_friction[i].u[0], HK_NODE_FEW);
}

/* Adds the tangent of a force along a coordinate. If `joint` is given, the part due to the change
 * of direction is added to this tangent of the joint that owns the coordinate. */
HK_INLINE void along(hk_system *s, hk_work *w, int index, const hk_coefficients *c,
                     const hk_force_result *e, const hk_instant *in, hk_pair_tangent *joint,
                     const int width) {
  const hk_model *m = s->model;
  const hk_force *f = &m->force[index];
  const hk_coordinate *q = &m->coordinate[f->coordinate];
  const hk_slot *pair = s->pair + s->pair_start[m->n_constraints + index];
  const hk_force_out *o = &e->out;
  hk_pair_tangent k;
  double one[HK_RELATION_MAX_ROWS] = {1};
  memset(k.K, 0, sizeof k.K);
  hk_relation_curvature(q->type, q->k, &w->frame[q->a], &w->frame[q->b], one, k.K);
  double u[2 * width], r[2 * width], *const to[2] = {r, r + width};
  memset(u, 0, sizeof u);
  memset(r, 0, sizeof r);
  hk_rate_gradient(w, q->type, q->k, q->a, q->b, &e->J, k.K, to);
  map_gradient(w, f, &e->J, u, width);
  double cc = c->cK * o->F_c + c->cC * o->F_rate, cr = c->cK * o->F_rate;
  for (int i = 0; i < 2 * width; i++) r[i] = cc * u[i] + cr * r[i];
  add_rank_one(m, f, pair, u, r, 0, 2);

  k.has_K = hk_relation_is_curved(q->type);
  k.has_turning[0] = k.has_turning[1] = false;
  k.f[0] = e->J.xa, k.m[0] = e->J.ta, k.f[1] = e->J.xb, k.m[1] = e->J.tb;
  if (o->F != 0 && joint)
    add_tangent(-o->F, &k, joint);
  else if (o->F != 0)
    hk_map_pair(w, q->a, q->b, &k, -c->cK * o->F, pair, f->n_ports);
  if (f->depends_on_state) add_expressions(s, w, f, pair, c, in, e, u);
  if (f->joint >= 0 && !c->ideal)
    add_load(s, index, f, in->lambda, e->in.load, o->F_load, u, width);
}

HK_APART static void along_wide(hk_system *s, hk_work *w, int index, const hk_coefficients *c,
                                const hk_force_result *e, const hk_instant *in,
                                hk_pair_tangent *joint) {
  along(s, w, index, c, e, in, joint, s->model->widest);
}

static void add_along(hk_system *s, hk_work *w, int index, const hk_coefficients *c,
                      const hk_force_result *e, const hk_instant *in, hk_pair_tangent *joint) {
  if (s->model->widest > HK_NODE_FEW)
    along_wide(s, w, index, c, e, in, joint);
  else
    along(s, w, index, c, e, in, joint, HK_NODE_FEW);
}

/* to = cK K + cC C, for the rows and columns from `first` on. */
HK_HOT static void combine(const hk_coefficients *c, const double *restrict K,
                           const double *restrict C, int first, double *restrict to) {
  const double cK = c->cK, cC = c->cC;
  for (int i = 12 * first; i < 144; i += 12)
    for (int j = first ? 4 : 0; j < 12; j += 4)
      HK_V4(to + i + j) = cK * HK_V4C(K + i + j) + cC * HK_V4C(C + i + j);
}

static void add_between(hk_system *s, hk_work *w, int index, const hk_coefficients *c,
                        const hk_force_result *e, const hk_instant *in) {
  const hk_model *m = s->model;
  const hk_force *f = &m->force[index];
  const hk_slot *pair = s->pair + s->pair_start[m->n_constraints + index];
  const hk_force_out *o = &e->out;
  hk_pair_tangent k;
  k.has_K = o->has_K || o->has_C;
  k.has_turning[0] = k.has_turning[1] = false;
  int first = e->in.a_rests ? 6 : 0; /* rows and columns of a frame at rest are never used */
  if (k.has_K) combine(c, o->K[0], o->C[0], first, k.K[0]);
  /* C acts on the velocities of the frames, which also change with the positions of their nodes. */
  for (int q = 0; o->has_C && q < 2; q++) {
    int marker = q ? f->b : f->a;
    k.has_turning[q] =
        !hk_map_fold_turning(w, marker, c, o->C[first] + 6 * q, 12 - first, k.K[first] + 6 * q);
    if (k.has_turning[q])
      hk_map_turning_rows(w, marker, c->cK, o->C[0] + 6 * q, 12, hk_map_turning_of(w, q));
  }
  const double *u = o->w;
  for (int p = 0; p < 2; p++) {
    k.f[p] = hk_scale(-c->cK, hk_v3(u[6 * p], u[6 * p + 1], u[6 * p + 2]));
    k.m[p] = hk_scale(-c->cK, hk_v3(u[6 * p + 3], u[6 * p + 4], u[6 * p + 5]));
  }
  hk_map_pair(w, f->a, f->b, &k, 1, pair, f->n_ports);
  if (f->depends_on_state) add_expressions(s, w, f, pair, c, in, e, NULL);
  if (f->joint >= 0 && !c->ideal) {
    const int width = m->widest;
    double g[2 * width];
    memset(g, 0, sizeof g);
    map_wrenches(w, f, o->w_load, g, width);
    add_load(s, index, f, in->lambda, e->in.load, 1, g, width);
  }
}

/* Fields are uniform: their force changes only with the rotation of a node. */
static void add_field(hk_system *s, const hk_work *w, const hk_force *f, double cK,
                      const hk_instant *in) {
  const hk_field field = {f->ops->field, f->item->data, in->t};
  for (int i = 0; i < s->model->n_nodes; i++) {
    hk_pose p = hk_map_pose(w, i);
    hk_slot out = s->diagonal[i];
    if (p.node->type->field_tangent)
      p.node->type->field_tangent(&p, in->q + p.node->q, &field, cK, out.at, out.stride);
  }
}

/* ---- all forces ---- */

static bool goes_with_joint(const hk_work *w, int force) {
  int joint = w->model->force[force].joint;
  if (joint < 0) return false;
  const hk_constraint_plan *l = &w->plan[joint];
  return force >= l->first_friction && force < l->first_friction + l->n_frictions;
}

void hk_assemble_joint_friction(hk_system *s, hk_work *w, int joint, const hk_coefficients *c,
                                const hk_instant *in, hk_pair_tangent *k) {
  const hk_constraint_plan *l = &w->plan[joint];
  hk_force_result e;
  if (!k) {
    add_joint_friction(s, w, l, c, in);
    return;
  }
  for (int i = l->first_friction; i < l->first_friction + l->n_frictions; i++) {
    const hk_force *f = &s->model->force[i];
    hk_force_evaluate(w, f, in, true, &e);
    if (e.out.failed) hk_work_fail(w, f->item, e.out.failed);
    add_along(s, w, i, c, &e, in, k);
  }
}

void hk_assemble_forces(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in) {
  const hk_model *m = s->model;
  hk_force_result local;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (f->field) {
      if (m->field_tangents) add_field(s, w, f, c->cK, in);
      continue;
    }
    if (w->rotor_force[i].on) {
      hk_rotor_force_assemble(&w->rotor_force[i], c, s->pair + s->pair_start[m->n_constraints + i],
                              f->n_ports);
      continue;
    }
    if (c->cK != 0 && goes_with_joint(w, i))
      continue; /* assembled with its joint; with cK = 0 joints are not assembled */
    const bool known = c->ahead && hk_force_goes_ahead(f);
    const hk_force_result *e = known ? &w->ahead[i] : &local;
    if (!known) hk_force_evaluate(w, f, in, true, &local);
    if (e->out.failed) hk_work_fail(w, f->item, e->out.failed);
    if (f->coordinate >= 0) add_along(s, w, i, c, e, in, NULL);
    if (f->b >= 0) add_between(s, w, i, c, e, in);
  }
}

void hk_assemble_loads(hk_system *s, hk_work *w, const hk_instant *in) {
  const hk_model *m = s->model;
  hk_force_result e;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (f->joint < 0) continue;
    /* Results of hk_forces are valid only if they were computed with the same multipliers. */
    if (w->joint_friction[i].on &&
        w->joint_friction[i].load == hk_joint_load(m, f->joint, in->lambda)) {
      add_load(s, i, f, in->lambda, w->joint_friction[i].load, w->joint_friction[i].F_load,
               w->joint_friction[i].u[0], HK_NODE_FEW);
      continue;
    }
    const int width = m->widest;
    double u[2 * width];
    memset(u, 0, sizeof u);
    hk_force_evaluate(w, f, in, true, &e);
    if (e.out.failed) hk_work_fail(w, f->item, e.out.failed);
    if (f->coordinate >= 0) {
      map_gradient(w, f, &e.J, u, width);
      add_load(s, i, f, in->lambda, e.in.load, e.out.F_load, u, width);
    }
    if (f->b >= 0) {
      map_wrenches(w, f, e.out.w_load, u, width);
      add_load(s, i, f, in->lambda, e.in.load, 1, u, width);
    }
  }
}
