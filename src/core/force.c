/* The loop over forces: node forces, energies and powers. */
#include "base/hot.h"
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"
#include "core/spin.h"
#include <stdio.h>
#include <string.h>

double hk_joint_load(const hk_model *m, int constraint, const double *lambda) {
  const hk_constraint *c = &m->constraint[constraint];
  double sum = 0;
  for (int r = c->row; r < c->row + c->n_rows; r++)
    if (!m->row_angular[r]) sum += lambda[r] * lambda[r];
  return sqrt(sum);
}

HK_APART void hk_work_fail(hk_work *w, const hk_item *item, const char *what) {
  if (w->failure.item) return;
  w->failure.item = item;
  snprintf(w->failure.what, sizeof w->failure.what, "%s", what);
}

void hk_force_input(const hk_work *w, const hk_force *force, const hk_instant *in,
                    hk_force_result *r) {
  const hk_model *m = w->model;
  memset(&r->in, 0, sizeof r->in);
  r->in.t = in->t;
  r->in.h = in->h;
  r->in.constants = force->constants;
  r->in.memory = in->memory + force->memory;
  r->in.scratch = w->scratch;
  if (force->b >= 0) {
    r->in.A = &w->frame[force->a];
    r->in.B = &w->frame[force->b];
  }
  if (force->coordinate >= 0) {
    const hk_coordinate *c = &m->coordinate[force->coordinate];
    const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
    r->J = (hk_row){0};
    c->type->gradient(c->k, A, B, &r->J);
    r->in.c = hk_coordinate_value(w, force->coordinate, in->turn);
    r->in.rate = hk_row_rate(&r->J, A, B);
  }
  if (force->joint >= 0) r->in.load = hk_joint_load(m, force->joint, in->lambda);
  for (int i = 0; i < force->n_expr; i++)
    r->in.e[i] = force->expr[i].expr ? hk_expr_value(force->expr[i].expr, w->variable) : 0;
}

void hk_force_evaluate(const hk_work *w, const hk_force *force, const hk_instant *in, bool tangent,
                       hk_force_result *r) {
  hk_force_input(w, force, in, r);
  /* The big arrays of tangents are cleared only by those who read them. */
  memset(&r->out, 0, tangent ? sizeof r->out : offsetof(hk_force_out, K));
  r->out.has_K = r->out.has_C = false;
  r->out.potential = r->out.dissipated = r->out.applied = 0;
  r->out.tangent = tangent;
  force->ops->eval(force->item->data, &r->in, &r->out);
}

static void put_row(double *w, double s, hk_vec3 x, hk_vec3 t) {
  w[0] = s * x.x, w[1] = s * x.y, w[2] = s * x.z;
  w[3] = s * t.x, w[4] = s * t.y, w[5] = s * t.z;
}

void hk_force_action(const hk_model *m, const hk_force *force, const hk_force_result *r,
                     hk_action *out) {
  out->a = force->a, out->b = force->b;
  memcpy(out->w, r->out.w, sizeof out->w);
  if (force->coordinate < 0) return;
  const hk_coordinate *c = &m->coordinate[force->coordinate];
  out->a = c->a, out->b = c->b;
  put_row(out->w, r->out.F, r->J.xa, r->J.ta);
  put_row(out->w + 6, r->out.F, r->J.xb, r->J.tb);
}

static void add_wrench(hk_work *w, int marker, hk_vec3 f, hk_vec3 moment, double *out) {
  const hk_model *m = w->model;
  int node = m->marker[marker].node;
  if (node == HK_GROUND) return;
  const hk_node *n = &m->node[node];
  double u[6];
  if (w->load) hk_load_add(w, node, f, hk_add(moment, hk_cross(w->frame[marker].s, f)));
  if (n->kind == HK_NODE_GUIDED) /* what the guide must do to keep its turning */
    w->applied -= hk_dot(w->turning[node].w, hk_add(moment, hk_cross(w->frame[marker].s, f)));
  hk_map_row(n, &w->R[node], w->frame[marker].s, f, moment, u);
  for (int k = 0; k < n->nv; k++) out[n->v + k] += u[k];
}

/* Force of a field on a node and its potential there; false: none can move it. */
static bool field_at(const hk_force *force, const hk_node *n, const hk_instant *in, hk_vec3 *f,
                     double *potential) {
  if (n->kind == HK_NODE_ROTOR || n->mass == 0) return false;
  const double *q = in->q + n->q;
  *potential = 0;
  hk_vec3 a = force->ops->field(force->item->data, in->t, hk_v3(q[0], q[1], q[2]), potential);
  *f = hk_scale(n->mass, a);
  *potential *= n->mass;
  return true;
}

static void add_field(hk_work *w, const hk_force *force, const hk_instant *in) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_nodes; i++) {
    hk_vec3 f;
    double potential, *out = w->f + m->node[i].v;
    if (!field_at(force, &m->node[i], in, &f, &potential)) continue;
    out[0] += f.x, out[1] += f.y, out[2] += f.z;
    w->potential += potential;
  }
}

void hk_field_energy(const hk_model *m, const hk_force *force, const hk_instant *in, double *energy,
                     double *power) {
  *energy = *power = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    hk_vec3 f;
    double potential;
    const double *v = in->v + m->node[i].v;
    if (!field_at(force, &m->node[i], in, &f, &potential)) continue;
    *energy += potential;
    *power += hk_dot(f, hk_v3(v[0], v[1], v[2]));
  }
}

/* f = -omega x J omega in body axes, and zero elsewhere. */
HK_HOT HK_FLAT static void put_gyroscopic(const hk_work *w, const double *v, double *f) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double *out = f + n->v;
    out[0] = n->vary ? -0.5 * w->J[i][1] * v[n->v] * v[n->v] : 0;
    if (n->kind == HK_NODE_ROTOR) continue;
    out[1] = out[2] = 0;
    if (n->kind != HK_NODE_RIGID) continue;
    hk_vec3 o = hk_v3(v[n->v + 3], v[n->v + 4], v[n->v + 5]);
    hk_vec3 g = hk_cross(hk_mul(&n->inertia, o), o);
    out[3] = g.x, out[4] = g.y, out[5] = g.z;
  }
}

hk_status hk_forces(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  w->failure.item = NULL;
  w->potential = w->dissipated = w->applied = 0;
  if (w->load) memset(w->load, 0, (size_t)m->n_nodes * sizeof *w->load);
  hk_variables(w, in);
  put_gyroscopic(w, in->v, w->f);
  hk_force_result r;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *force = &m->force[i];
    if (force->field) {
      add_field(w, force, in);
      continue;
    }
    if (w->spin[i].on) {
      hk_spin_force(w, i, in);
      continue;
    }
    hk_force_evaluate(w, force, in, false, &r);
    const hk_force_out *o = &r.out;
    if (o->failed) hk_work_fail(w, force->item, o->failed);
    if (force->coordinate >= 0 && o->F != 0) {
      const hk_coordinate *c = &m->coordinate[force->coordinate];
      add_wrench(w, c->a, hk_scale(o->F, r.J.xa), hk_scale(o->F, r.J.ta), w->f);
      add_wrench(w, c->b, hk_scale(o->F, r.J.xb), hk_scale(o->F, r.J.tb), w->f);
    }
    if (force->b >= 0) {
      const double *u = o->w;
      add_wrench(w, force->a, hk_v3(u[0], u[1], u[2]), hk_v3(u[3], u[4], u[5]), w->f);
      add_wrench(w, force->b, hk_v3(u[6], u[7], u[8]), hk_v3(u[9], u[10], u[11]), w->f);
    }
    w->potential += o->potential;
    w->dissipated += o->dissipated;
    w->applied += o->applied;
  }
  if (m->n_contacts) hk_contact_forces(w, in);
  return w->failure.item ? HK_RETRY : HK_OK;
}

const hk_item *hk_forces_not_finite(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  hk_force_result r;
  hk_variables(w, in);
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *force = &m->force[i];
    if (force->field) continue;
    hk_force_evaluate(w, force, in, false, &r);
    double sum = r.out.F;
    for (int k = 0; k < 12; k++) sum += r.out.w[k];
    if (!isfinite(sum)) return force->item;
  }
  hk_contact_point p[HK_CONTACT_MAX_POINTS];
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->gap->rows) continue;
    hk_contact_evaluate(w, c, in, false, p);
    for (int k = 0; k < c->n_points; k++)
      if (!isfinite(hk_dot(p[k].force, p[k].force)) || !isfinite(p[k].gap.gap)) return c->item;
  }
  return NULL;
}
