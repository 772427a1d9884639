/* Constraint rows: values, Jacobian in node coordinates, forces. Bias accelerations:
 * constraint_bias.c.
 *
 * A row is stored as [n_ports][width] doubles in hk_work.G, in the coordinates of the node of each
 * port; the entries of a port on the ground stay zero. */
#include "core/map.h"
#include "relation/angle.h"
#include "relation/derive.h"

static int port_node(const hk_model *m, const hk_constraint *c, int p) {
  return m->marker[m->port[c->port + p]].node;
}

/* Returns true if a node is a rigid body or the ground. */
static bool moves_rigidly(const hk_model *m, int node) {
  return node == HK_GROUND || m->node[node].moves == HK_MOVES_RIGID;
}

bool hk_constraint_is_wide(const hk_model *m, const hk_constraint *c) {
  return c->n_ports == 2 && moves_rigidly(m, port_node(m, c, 0)) &&
         moves_rigidly(m, port_node(m, c, 1));
}

static bool turns_alone(const hk_relation_type *type) {
  return type->turning_b || !hk_relation_is_curved(type);
}

/* Returns true if the constraint connects the ground to a rigid body and acts on a single coordinate or on relations
 * held at a constant value. */
static bool is_from_ground(const hk_model *m, const hk_constraint *c, const hk_constraint_plan *l) {
  if (l->a != HK_GROUND || l->b == HK_GROUND) return false;
  for (int i = 0; i < c->n_held; i++)
    if (!turns_alone(m->held[c->held + i].type)) return false;
  if (c->n_held) return true;
  const hk_coordinate *q = &m->coordinate[m->term[c->term].coordinate];
  return c->n_terms == 1 && turns_alone(q->type);
}

/* See hk_constraint_plan.first_friction. */
static void find_joint_friction(hk_work *w) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (f->joint < 0 || f->coordinate < 0 || f->b >= 0 || f->depends_on_state) continue;
    const hk_constraint *c = &m->constraint[f->joint];
    const hk_coordinate *q = &m->coordinate[f->coordinate];
    hk_constraint_plan *l = &w->plan[f->joint];
    if (l->form != HK_FORM_WIDE || l->from_ground || l->a == l->b || c->n_held == 0) continue;
    if (q->a != m->port[c->port] || q->b != m->port[c->port + 1]) continue;
    if (l->n_frictions == 0) l->first_friction = i;
    if (l->first_friction + l->n_frictions == i) l->n_frictions++;
  }
}

/* Returns true if the direction of the relation depends on the rotations of the bodies, and not on their positions. */
static bool bends_by_turning(const hk_relation_type *type) {
  return type == &hk_relation_along || type == &hk_relation_dot || type == &hk_relation_point ||
         type == &hk_relation_parallel;
}

/* Computes hk_constraint_plan.turned. The forces of the constraint couple rotation and translation and, by their lever
 * arms, rotations with each other. */
static void find_turned(const hk_model *m, const hk_constraint *c, hk_constraint_plan *l) {
  double place = 0, turn = 0;
  bool known = c->n_held > 0 && !m->massless;
  for (int i = 0; i < c->n_held; i++) known = known && bends_by_turning(m->held[c->held + i].type);
  l->turned[0] = l->turned[1] = INFINITY;
  if (!known) return;
  for (int p = 0; p < c->n_ports; p++) {
    int i = port_node(m, c, p);
    if (i == HK_GROUND) continue;
    const hk_node *n = &m->node[i];
    for (int k = 0; k < n->nv; k++) {
      double *most = n->coordinate[k].angular ? &turn : &place;
      *most = fmax(*most, m->give[n->v + k]);
    }
  }
  l->turned[0] = sqrt(place * turn) + m->length * turn;
  l->turned[1] = turn;
}

/* Binary search: mounts are sorted by marker. */
static int mount_of(const hk_work *w, int marker) {
  int low = 0, high = w->n_mounts;
  if (w->model->marker[marker].node == HK_GROUND) return -1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (w->mount[middle].frame <= marker)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void hk_constraint_plans(hk_work *w) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    hk_constraint_plan *l = &w->plan[i];
    *l = (hk_constraint_plan){
        .form = HK_FORM_GENERAL, .a = HK_GROUND, .b = HK_GROUND, .va = -1, .vb = -1};
    find_turned(m, c, l);
    if (c->n_ports != 2) continue;
    l->a = port_node(m, c, 0), l->b = port_node(m, c, 1);
    if (!hk_constraint_is_wide(m, c)) continue;
    l->va = l->a == HK_GROUND ? -1 : m->node[l->a].v;
    l->vb = l->b == HK_GROUND ? -1 : m->node[l->b].v;
    l->form = HK_FORM_WIDE;
    l->from_ground = is_from_ground(m, c, l);
    const hk_held *h = m->held + c->held;
    if (c->n_held < 1 || h[0].type != &hk_relation_point) continue;
    if (c->n_held == 1)
      l->form = HK_FORM_POINT;
    else if (c->n_held == 2 && h[1].type == &hk_relation_parallel)
      l->form = HK_FORM_REVOLUTE;
    else
      continue;
    l->ma = mount_of(w, m->port[c->port]), l->mb = mount_of(w, m->port[c->port + 1]);
    double *G = w->G + c->jacobian;
    for (int r = 0; r < 3; r++) {
      G[12 * r + r] = l->va < 0 ? 0 : -1;
      G[12 * r + 6 + r] = l->vb < 0 ? 0 : 1;
    }
  }
  find_joint_friction(w);
}

HK_INLINE void put_parallel(const hk_work *w, int a, int b, const hk_frame *A, const hk_frame *B,
                            int width, double *G) {
  const hk_vec3 z = hk_column(&A->R, 2), zero = {0, 0, 0};
  for (int i = 0; i < 2; i++, G += 2 * width) {
    hk_vec3 t = hk_cross(z, hk_column(&B->R, i));
    hk_map_row(w, a, zero, t, G);
    hk_map_row(w, b, zero, hk_neg(t), G + width);
  }
}

/* Computes the rows of the displacement along an axis of A, as in hk_relation_along, between rigid
 * bodies. */
HK_INLINE void put_along(const hk_work *w, const hk_constraint_plan *l, const hk_frame *A,
                         const hk_frame *B, const double *k, bool rows, double *g, double *G) {
  hk_vec3 e = hk_mul(&A->R, hk_v3(k[0], k[1], k[2])), d = hk_sub(B->x, A->x), zero = {0, 0, 0};
  g[0] = hk_dot(e, d);
  if (!rows) return;
  if (l->va >= 0) hk_rigid_map(&w->R[l->a], A->s, hk_neg(e), hk_cross(e, d), G);
  if (l->vb >= 0) hk_rigid_map(&w->R[l->b], B->s, e, zero, G + 6);
}

HK_INLINE void put_moment(const hk_mat3 *R, hk_vec3 t, double *out) {
  hk_vec3 u = hk_tmul(R, t);
  out[0] = u.x, out[1] = u.y, out[2] = u.z;
}

/* Computes the rows of the cosine between two axes, as in hk_relation_dot, which does not depend on
 * positions. */
HK_INLINE void put_dot(const hk_work *w, const hk_constraint_plan *l, const hk_frame *A,
                       const hk_frame *B, const double *k, bool rows, double *g, double *G) {
  hk_vec3 a = hk_mul(&A->R, hk_v3(k[0], k[1], k[2])), b = hk_mul(&B->R, hk_v3(k[3], k[4], k[5]));
  g[0] = hk_dot(a, b) - k[6];
  if (!rows) return;
  hk_vec3 t = hk_cross(a, b);
  if (l->va >= 0) put_moment(&w->R[l->a], t, G + 3);
  if (l->vb >= 0) put_moment(&w->R[l->b], hk_neg(t), G + 9);
}

HK_INLINE void put_gradient(const hk_work *w, int a, int b, const hk_held *h, int width,
                            double *G) {
  const hk_frame *A = &w->frame[a], *B = &w->frame[b];
  hk_row J[HK_RELATION_MAX_ROWS] = {0};
  h->type->gradient(h->k, A, B, J);
  for (int r = 0; r < h->type->rows; r++, G += 2 * width) {
    hk_map_row(w, a, J[r].xa, J[r].ta, G);
    hk_map_row(w, b, J[r].xb, J[r].tb, G + width);
  }
}

HK_INLINE void held_rows(hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                         bool rows) {
  const hk_model *m = w->model;
  int a = m->port[c->port], b = m->port[c->port + 1], width = c->width;
  const hk_frame *A = &w->frame[a], *B = &w->frame[b];
  double *g = w->g + c->row, *G = w->G + c->jacobian;
  for (const hk_held *h = m->held + c->held, *end = h + c->n_held; h < end; h++) {
    const hk_relation_type *type = h->type;
    if (type == &hk_relation_along && l->form) {
      put_along(w, l, A, B, h->k, rows, g, G);
    } else if (type == &hk_relation_dot && l->form) {
      put_dot(w, l, A, B, h->k, rows, g, G);
    } else {
      type->value(h->k, A, B, g);
      if (!rows) {
      } else if (type == &hk_relation_point) {
        hk_map_point(w, a, -1, G, 2 * width);
        hk_map_point(w, b, 1, G + width, 2 * width);
      } else if (type == &hk_relation_parallel) {
        put_parallel(w, a, b, A, B, width, G);
      } else {
        put_gradient(w, a, b, h, width, G);
      }
    }
    g += type->rows;
    G += 2 * width * type->rows;
  }
}

/* Writes the rotation columns -s~ R of three rows. */
HK_INLINE void put_lever_column(const double R[3][3], hk_vec3 s, int j, double *out) {
  out[j] = s.z * R[1][j] - s.y * R[2][j];
  out[12 + j] = s.x * R[2][j] - s.z * R[0][j];
  out[24 + j] = s.y * R[0][j] - s.x * R[1][j];
}
HK_INLINE void put_lever(const hk_mat3 *R, hk_vec3 s, double *out) {
  put_lever_column(R->m, s, 0, out);
  put_lever_column(R->m, s, 1, out);
  put_lever_column(R->m, s, 2, out);
}

/* Same as held_rows, for a point, and possibly parallel axes, between rigid bodies: writes only the entries that can
 * change. */
HK_INLINE void linked_rows(hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                           bool rows) {
  const hk_model *m = w->model;
  const hk_frame *A = &w->frame[m->port[c->port]], *B = &w->frame[m->port[c->port + 1]];
  double *g = w->g + c->row, *G = w->G + c->jacobian;
  g[0] = B->x.x - A->x.x;
  g[1] = B->x.y - A->x.y;
  g[2] = B->x.z - A->x.z;
  if (rows && l->va >= 0) put_lever(&w->R[l->a], hk_neg(A->s), G + 3);
  if (rows && l->vb >= 0) put_lever(&w->R[l->b], B->s, G + 9);
  if (l->form == HK_FORM_POINT) return;
  hk_vec3 z = hk_column(&A->R, 2), x = hk_column(&B->R, 0), y = hk_column(&B->R, 1);
  g[3] = hk_dot(z, x);
  g[4] = hk_dot(z, y);
  if (!rows) return;
  hk_vec3 tx = hk_cross(z, x), ty = hk_cross(z, y);
  if (l->va >= 0) {
    put_moment(&w->R[l->a], tx, G + 39);
    put_moment(&w->R[l->a], ty, G + 51);
  }
  if (l->vb >= 0) {
    put_moment(&w->R[l->b], hk_neg(tx), G + 45);
    put_moment(&w->R[l->b], hk_neg(ty), G + 57);
  }
}

static double wrap(double angle) { return angle - 2 * M_PI * floor(angle / (2 * M_PI) + 0.5); }

/* Adds the revolutions counted so far to the value. */
static double unwrapped(const hk_coordinate *c, double value, const double *turn) {
  return c->turn < 0 ? value : turn[c->turn] + wrap(value - turn[c->turn]);
}

double hk_coordinate_value(const hk_work *w, int coordinate, const double *turn) {
  const hk_coordinate *c = &w->model->coordinate[coordinate];
  double value;
  c->type->value(c->k, &w->frame[c->a], &w->frame[c->b], &value);
  return unwrapped(c, value, turn);
}

double hk_coordinate_rate(const hk_work *w, int coordinate) {
  const hk_coordinate *c = &w->model->coordinate[coordinate];
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_row J = {0};
  c->type->gradient(c->k, A, B, &J);
  return hk_row_rate(&J, A, B);
}

void hk_coordinates_accept(const hk_work *w, double *turn) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_coordinates; i++)
    if (m->coordinate[i].turn >= 0) turn[m->coordinate[i].turn] = hk_coordinate_value(w, i, turn);
}

/* Value and gradient of a coordinate; for an angle both are computed together. */
HK_INLINE double read_coordinate(const hk_work *w, const hk_coordinate *k, bool rows, hk_row *J) {
  const hk_frame *A = &w->frame[k->a], *B = &w->frame[k->b];
  double value;
  if (k->type == &hk_relation_angle) {
    const hk_angle_reading r = hk_angle_of_turn(A, B);
    if (rows) J->ta = hk_angle_moment(&r), J->tb = hk_neg(J->ta);
    return atan2(r.s, r.q);
  }
  k->type->value(k->k, A, B, &value);
  if (rows) k->type->gradient(k->k, A, B, J);
  return value;
}

HK_APART static void sum_row(hk_work *w, const hk_constraint *c, const hk_instant *in, bool rows) {
  const hk_model *m = w->model;
  double g = -c->constant, *G = w->G + c->jacobian;
  for (int i = 0; i < c->n_terms; i++) {
    const hk_model_term *term = &m->term[c->term + i];
    const hk_coordinate *k = &m->coordinate[term->coordinate];
    hk_row J = {0};
    double f = term->factor, value = read_coordinate(w, k, rows, &J);
    if (rows) {
      hk_map_row(w, k->a, hk_scale(f, J.xa), hk_scale(f, J.ta), G + 2 * i * c->width);
      hk_map_row(w, k->b, hk_scale(f, J.xb), hk_scale(f, J.tb), G + (2 * i + 1) * c->width);
    }
    g += f * unwrapped(k, value, in->turn);
  }
  if (c->value) {
    double d1, d2;
    w->variable[0] = in->t;
    g -= hk_expr_second(c->value, w->variable, 0, &d1, &d2);
    w->gt[c->row] = -d1;
  }
  w->g[c->row] = g;
}

/* Evaluates constraints first to last - 1. */
HK_INLINE void evaluate(hk_work *w, const hk_instant *in, const bool rows, int first, int last) {
  const hk_constraint *c = w->model->constraint + first, *end = w->model->constraint + last;
  for (const hk_constraint_plan *l = w->plan + first; c < end; c++, l++) {
    if (l->form >= HK_FORM_POINT)
      linked_rows(w, c, l, rows);
    else if (c->n_held)
      held_rows(w, c, l, rows);
    else
      sum_row(w, c, in, rows);
  }
}

HK_HOT HK_FLAT void hk_constraints(hk_work *w, const hk_instant *in) {
  evaluate(w, in, true, 0, w->model->n_constraints);
}

HK_HOT HK_FLAT void hk_constraint_values(hk_work *w, const hk_instant *in) {
  evaluate(w, in, false, 0, w->model->n_constraints);
}

/* ---- G^T lambda and G v ---- */

HK_INLINE void wide_force(const double *restrict G, const double *restrict lambda, int rows,
                          const hk_constraint_plan *l, double *f) {
  hk_v4 u0 = {0}, u1 = {0}, u2 = {0};
  for (int r = 0; r < rows; r++, G += 12) {
    u0 += lambda[r] * HK_V4C(G);
    u1 += lambda[r] * HK_V4C(G + 4);
    u2 += lambda[r] * HK_V4C(G + 8);
  }
  double *a = f + l->va, *b = f + l->vb;
  if (l->va >= 0) {
    HK_V4(a) -= u0;
    a[4] -= u1[0], a[5] -= u1[1];
  }
  if (l->vb >= 0) {
    b[0] -= u1[2], b[1] -= u1[3];
    HK_V4(b + 2) -= u2;
  }
}

HK_APART static void general_force(const hk_work *w, const hk_constraint *c, const double *lambda,
                                   double *f) {
  const hk_model *m = w->model;
  const double *G = w->G + c->jacobian;
  for (int r = c->row; r < c->row + c->n_rows; r++)
    for (int p = 0; p < c->n_ports; p++, G += c->width) {
      int node = port_node(m, c, p);
      if (node == HK_GROUND) continue;
      double *out = f + m->node[node].v;
      for (int k = 0; k < m->node[node].nv; k++) out[k] -= lambda[r] * G[k];
    }
}

HK_INLINE void add_force(const hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                         const double *lambda, double *f) {
  if (l->form)
    wide_force(w->G + c->jacobian, lambda + c->row, c->n_rows, l, f);
  else
    general_force(w, c, lambda, f);
}

HK_HOT void hk_constraint_force(const hk_work *w, const double *lambda, double *f) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++)
    add_force(w, &m->constraint[i], &w->plan[i], lambda, f);
}

/* Number of constraints that are processed together. The rows of so many constraints still fit into the cache, and the
 * first narrow stores to these rows have completed when the rows are read with wider loads, so that the loads need not
 * wait. */
enum { AT_ONCE = 16 };

HK_HOT HK_FLAT void hk_constraints_with_force(hk_work *w, const hk_instant *in,
                                              const double *lambda, double *f) {
  const hk_model *m = w->model;
  for (int first = 0, last; first < m->n_constraints; first = last) {
    last = m->n_constraints - first > AT_ONCE ? first + AT_ONCE : m->n_constraints;
    evaluate(w, in, true, first, last);
    for (int i = first; i < last; i++) add_force(w, &m->constraint[i], &w->plan[i], lambda, f);
  }
}

HK_INLINE void wide_rate(const double *restrict G, const double *restrict v, int rows,
                         const hk_constraint_plan *l, const double *from, double *y) {
  const double rest[6] = {0}, *a = l->va < 0 ? rest : v + l->va, *b = l->vb < 0 ? rest : v + l->vb;
  hk_v4 x0 = HK_V4C(a), x1 = {a[4], a[5], b[0], b[1]}, x2 = HK_V4C(b + 2);
  for (int r = 0; r < rows; r++, G += 12) {
    hk_v4 p = HK_V4C(G) * x0 + HK_V4C(G + 4) * x1 + HK_V4C(G + 8) * x2;
    y[r] = from[r] + hk_v4_sum(p);
  }
}

HK_APART static void general_rate(const hk_work *w, const hk_constraint *c, const double *v,
                                  const double *from, double *y) {
  const hk_model *m = w->model;
  const double *G = w->G + c->jacobian;
  for (int r = 0; r < c->n_rows; r++) {
    y[r] = from[r];
    for (int p = 0; p < c->n_ports; p++, G += c->width) {
      int node = port_node(m, c, p);
      if (node == HK_GROUND) continue;
      const double *u = v + m->node[node].v;
      for (int k = 0; k < m->node[node].nv; k++) y[r] += G[k] * u[k];
    }
  }
}

HK_INLINE void put_rate(const hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                        const double *v, const double *from, double *y) {
  if (l->form)
    wide_rate(w->G + c->jacobian, v, c->n_rows, l, from + c->row, y + c->row);
  else
    general_rate(w, c, v, from + c->row, y + c->row);
}

/* Computes y = G v + from; the arrays `from` and y may be the same. */
HK_HOT static void add_rate(const hk_work *w, const double *v, const double *from, double *y) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++)
    put_rate(w, &m->constraint[i], &w->plan[i], v, from, y);
}

HK_HOT void hk_constraint_accelerations(const hk_work *w, const double *vd, const double *lambda,
                                        double *f, double *y) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++) {
    add_force(w, &m->constraint[i], &w->plan[i], lambda, f);
    put_rate(w, &m->constraint[i], &w->plan[i], vd, w->bias, y);
  }
}

void hk_constraint_rate(const hk_work *w, const double *v, double *y) {
  for (int r = 0; r < w->model->nc; r++) y[r] = 0;
  add_rate(w, v, y, y);
}

void hk_constraint_velocity(const hk_work *w, const double *v, double *y) {
  add_rate(w, v, w->gt, y);
}

double hk_constraint_row_rate(const hk_work *w, int row, const double *v) {
  const hk_model *m = w->model;
  const hk_constraint *c = &m->constraint[m->row_constraint[row]];
  const double *G = w->G + c->jacobian + c->width * c->n_ports * (row - c->row);
  double sum = 0;
  for (int p = 0; p < c->n_ports; p++, G += c->width) {
    int node = port_node(m, c, p);
    if (node == HK_GROUND) continue;
    for (int k = 0; k < m->node[node].nv; k++) sum += G[k] * v[m->node[node].v + k];
  }
  return sum;
}
