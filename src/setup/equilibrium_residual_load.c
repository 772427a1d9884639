/* Magnitude of the loads on each body, the scale of its equilibrium: see equilibrium_residual.h.
 *
 * The load is the largest single force on the body, so that forces that cancel in the sum still count: applied
 * forces, reactions of its joints, its weight, and a fraction of stiffness times length and of kinetic energy over
 * length, because positions and velocities are only known to rounding; far from the origin of the world the rounding
 * of the positions themselves counts.  Each body has its own scale, so that a stiff
 * spring elsewhere does not hide a light body that is not in equilibrium.  Joints and contacts transmit rounding
 * errors, so the scale of a body is at least FLOOR of the largest load among the bodies that it is connected to or
 * may touch. */
#include "setup/equilibrium_residual.h"
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"
#include <float.h>
#include <string.h>

/* The residual of a body is judged relative to the largest load on it. A body without loads gets a load from its
 * springs, stiffness times length, and from its motion, kinetic energy over length; otherwise its round-off would count
 * as a residual. SHARE is the fraction of these two quantities that counts as a load. */
static const double SHARE = 1e-3;
/* The same fraction for the stiffness of a contact, which acts over a distance much shorter than a body. */
static const double TOUCH_SHARE = 1e-6;
static const double FLOOR = 1e-6;
/* Fraction of stiffness times distance from the origin. With this fraction, a residual at the tolerance 1e-10
 * corresponds to a displacement by four rounding errors of a position: one for each of the two bodies in a contact,
 * and one for each lever arm. */
static const double ROUNDED = 4 * DBL_EPSILON / 1e-10;

static void count(hk_balance *b, int marker, double size) {
  int node = b->sim->model->marker[marker].node;
  if (node != HK_GROUND) b->load[node] = fmax(b->load[node], size);
}

/* Distance of a marker from the origin of the world. This distance determines the round-off of positions. */
static double far_out(const hk_balance *b, int marker) {
  return hk_norm(b->sim->work->frame[marker].x);
}

static double wrench_size(const double *w, double length) {
  double size = 0;
  for (int i = 0; i < 6; i++) size = fmax(size, fabs(w[i]) / (i < 3 ? 1 : length));
  return size;
}

static double row_size(const hk_row *J, double length) {
  double x = fmax(hk_norm(J->xa), hk_norm(J->xb)), t = fmax(hk_norm(J->ta), hk_norm(J->tb));
  return fmax(x, t / length);
}

/* Same as row_size, for a row in the node coordinates of a marker. */
static double node_row_size(const hk_work *w, int marker, const double *row, double length) {
  const hk_node *n = hk_map_node(w, marker);
  double x = 0, t = 0;
  if (n) hk_node_squares(n, row, &x, &t);
  return fmax(sqrt(x), sqrt(t) / length);
}

typedef struct steepness {
  const hk_work *work;
  const hk_instant *in;
  double length; /* characteristic length of the model */
  double most;   /* largest change of the expression due to a displacement of this length */
} steepness;

static void visit_leaf(void *context, int channel, double derivative) {
  steepness *s = context;
  double room[4 * s->work->model->widest];
  hk_channel_gradient g = hk_channel_gradient_in(s->work->model, room);
  hk_channel_leaf_gradient(s->work, channel, s->in, &g);
  double size = fmax(node_row_size(s->work, g.a, g.position[0], s->length),
                     node_row_size(s->work, g.b, g.position[1], s->length));
  s->most = fmax(s->most, fabs(derivative) * size * s->length);
}

/* Markers on which the force acts, and the lever arm of a force that acts along a coordinate. */
typedef struct reach {
  int a, b;
  double lever;
} reach;

/* Adds the stiffness of expressions that depend on positions, as for springs. */
static void count_expressions(hk_balance *b, const hk_force *f, const hk_instant *in,
                              const hk_force_result *e, const reach *at) {
  const hk_work *w = b->sim->work;
  const hk_model *m = w->model;
  for (int i = 0; i < f->n_expr; i++) {
    const hk_bound_expr *x = &f->expr[i];
    if (!x->expr) continue;
    steepness s = {w, in, m->length, 0};
    double gradient[x->n + 1];
    hk_expr_gradient(x->expr, w->variable, gradient);
    for (int k = 0; k < x->n; k++)
      hk_channel_leaves(m, w->variable, m->variable_channel[x->slot[k]], gradient[k], visit_leaf,
                        &s);
    const double *q = e->out.w_e[i];
    bool along = f->coordinate >= 0;
    double effort = fabs(e->out.F_e[i]) * at->lever;
    count(b, at->a, SHARE * s.most * (along ? effort : wrench_size(q, m->length)));
    count(b, at->b, SHARE * s.most * (along ? effort : wrench_size(q + 6, m->length)));
  }
}

static void count_force(hk_balance *b, const hk_force *f, const double *x) {
  const hk_model *m = b->sim->model;
  double L = m->length;
  hk_force_result e;
  const hk_instant in = hk_instant_settled(m, x, b->lambda);
  hk_force_evaluate(b->sim->work, f, &in, true, &e);
  reach at = {f->a, f->b, 0};
  if (f->coordinate >= 0) {
    const hk_coordinate *c = &m->coordinate[f->coordinate];
    at = (reach){c->a, c->b, row_size(&e.J, L)};
    double size = fmax(fabs(e.out.F) * at.lever, SHARE * fabs(e.out.F_c) * at.lever * at.lever * L);
    count(b, at.a, size);
    count(b, at.b, size);
  }
  if (at.b >= 0) count_expressions(b, f, &in, &e, &at);
  if (f->b < 0) return;
  for (int side = 0; side < 2; side++) {
    double size = wrench_size(e.out.w + 6 * side, L);
    for (int k = 0; k < 6; k++)
      size = fmax(size, fabs(e.out.K[6 * side + k][6 * side + k]) *
                            (k < 3 ? fmax(SHARE * L, ROUNDED * far_out(b, at.b)) : SHARE / L));
    count(b, side ? f->b : f->a, size);
  }
}

static void count_contact(hk_balance *b, const hk_contact *c, const double *x) {
  hk_contact_point p[HK_CONTACT_MAX_POINTS];
  const hk_instant in = hk_instant_settled(b->sim->model, x, b->lambda);
  if (c->law->set_valued) return;
  hk_contact_evaluate(b->sim->work, c, &in, false, p);
  for (int i = 0; i < c->n_points; i++) {
    double size = hk_norm(p[i].force);
    size = fmax(size, p[i].normal.N_depth *
                          fmax(TOUCH_SHARE * b->sim->model->length, ROUNDED * far_out(b, c->b)));
    count(b, c->a, size);
    count(b, c->b, size);
  }
}

/* Adds the reactions, joint by joint: the multiplier blocks of the metric contain G. */
static void count_reactions(hk_balance *b) {
  const hk_model *m = b->sim->model;
  const hk_block_pattern *p = b->metric->pattern;
  double *lambda = b->rhs;
  for (int r = 0; r < m->nc; r++)
    if (b->metric->row_at[r] >= 0) lambda[b->metric->row_at[r]] = b->lambda[r];
  for (int i = m->n_nodes; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int node = p->column[e], width = node < m->n_nodes ? p->size[node] : 0;
      const double *G = b->metric->matrix->value + p->value_start[e];
      for (int k = 0; k < width; k++) {
        double force = 0;
        for (int r = 0; r < p->size[i]; r++) force += G[r * width + k] * lambda[p->offset[i] + r];
        force = fabs(force) / (hk_balance_is_moment(m, node, k) ? m->length : 1);
        b->load[node] = fmax(b->load[node], force);
      }
    }
}

/* Adds the elastic forces of flexible bodies, like those of springs: the rounding of positions changes the force of
 * the stiffest mode. */
static void count_deformation(hk_balance *b, const double *x) {
  const hk_model *m = b->sim->model;
  for (int i = 0; i < m->n_nodes && m->elastic; i++) {
    const hk_node *n = &m->node[i];
    double k[2];
    if (!n->type->stiffness) continue;
    n->type->stiffness(n, k);
    const double *at = x + m->at.q + n->q;
    double far = hk_norm(hk_v3(at[0], at[1], at[2])) + n->arm;
    b->load[i] = fmax(b->load[i], fmax(SHARE * k[0] * m->length, ROUNDED * k[1] * far));
  }
}

/* Adds weight, gyroscopic moments and kinetic energy. */
static void count_inertia(hk_balance *b, const double *x) {
  const hk_model *m = b->sim->model;
  const double *v = x + m->at.v;
  double *p = b->rhs;
  hk_mass_multiply(b->sim->work, v, p);
  for (int i = 0; i < m->n_nodes; i++) {
    double energy = 0;
    for (int k = 0; k < m->node[i].nv; k++) {
      int at = m->node[i].v + k;
      double most = fmax(fabs(b->sim->work->f[at]), fabs(b->inertia[at]));
      double force = most / (hk_balance_is_moment(m, i, k) ? m->length : 1);
      b->load[i] = fmax(b->load[i], force);
      energy += v[at] * p[at] / 2;
    }
    b->load[i] = fmax(b->load[i], SHARE * energy / m->length);
  }
}

void hk_balance_loads(hk_balance *b, const double *x) {
  const hk_model *m = b->sim->model;
  memset(b->load, 0, (size_t)m->n_nodes * sizeof *b->load);
  for (int i = 0; i < m->n_forces; i++)
    if (!m->force[i].field) count_force(b, &m->force[i], x);
  for (int i = 0; i < m->n_contacts; i++) count_contact(b, &m->contact[i], x);
  count_reactions(b);
  count_inertia(b, x);
  count_deformation(b, x);
  double *most = b->rhs;
  memset(most, 0, (size_t)m->n_nodes * sizeof *most);
  b->largest = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    most[b->group[i]] = fmax(most[b->group[i]], b->load[i]);
    b->largest = fmax(b->largest, b->load[i]);
  }
  for (int i = 0; i < m->n_nodes; i++) b->load[i] = fmax(b->load[i], FLOOR * most[b->group[i]]);
}

static int root(int *group, int i) {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

static void join(int *group, int i, int j) {
  int a = root(group, i), b = root(group, j);
  group[a > b ? a : b] = a > b ? b : a;
}

void hk_balance_groups(hk_balance *b) {
  const hk_model *m = b->sim->model;
  int nodes = m->n_nodes;
  const hk_block_pattern *p = b->metric->pattern;
  for (int i = 0; i < nodes; i++) b->group[i] = i;
  for (int i = nodes; i < p->nb; i++) {
    int first = -1;
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      if (p->column[e] >= nodes) continue;
      if (first < 0) first = p->column[e];
      join(b->group, first, p->column[e]);
    }
  }
  for (int i = 0; i < m->n_contacts; i++) {
    int na = m->marker[m->contact[i].a].node, nb = m->marker[m->contact[i].b].node;
    if (na != HK_GROUND && nb != HK_GROUND) join(b->group, na, nb);
  }
  for (int i = 0; i < nodes; i++) b->group[i] = root(b->group, i);
}
