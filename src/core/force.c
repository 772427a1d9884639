/* The loop over forces: node forces, energies and powers. */
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"
#include "core/joint_friction_fast.h"
#include "core/rotor_force.h"
#include <stdio.h>
#include <string.h>

/* Sum of squares of the reaction forces of a constraint. */
static double force_squared(const hk_model *m, const hk_constraint *c, const double *lambda) {
  double sum = 0;
  for (int r = c->row; r < c->row + c->n_rows; r++)
    if (!m->row_angular[r]) sum += lambda[r] * lambda[r];
  return sum;
}

double hk_joint_load(const hk_model *m, int constraint, const double *lambda) {
  const hk_constraint *c = &m->constraint[constraint];
  double sum = force_squared(m, c, lambda);
  if (c->thread) sum += force_squared(m, &m->constraint[c->thread], lambda);
  return sqrt(sum);
}

HK_APART void hk_work_fail(hk_work *w, const hk_item *item, const char *what) {
  if (w->failure.item) return;
  w->failure.item = item;
  snprintf(w->failure.what, sizeof w->failure.what, "%s", what);
}

static void put_expressions(const hk_work *w, const hk_force *force, double *out) {
  hk_timed *kept = &w->timed[force - w->model->force];
  if (kept->on && kept->t == w->variable[0]) {
    memcpy(out, kept->e, (size_t)force->n_expr * sizeof *out);
    return;
  }
  for (int i = 0; i < force->n_expr; i++)
    out[i] = force->expr[i].expr ? hk_expr_value(force->expr[i].expr, w->variable) : 0;
  if (!kept->on) return;
  kept->t = w->variable[0];
  memcpy(kept->e, out, (size_t)force->n_expr * sizeof *out);
}

HK_INLINE void put_input(const hk_work *w, const hk_force *force, const hk_instant *in,
                         hk_force_result *r) {
  const hk_model *m = w->model;
  r->in.A = r->in.B = NULL;
  r->in.a_rests = false;
  r->in.c = r->in.rate = r->in.load = 0;
  r->in.t = in->t;
  r->in.h = in->h;
  r->in.constants = force->constants;
  r->in.memory = in->memory + force->memory;
  r->in.scratch = w->scratch;
  if (force->b >= 0) {
    r->in.A = &w->frame[force->a];
    r->in.B = &w->frame[force->b];
    r->in.a_rests = m->marker[force->a].node == HK_GROUND;
  }
  if (force->coordinate >= 0) {
    const hk_coordinate *c = &m->coordinate[force->coordinate];
    const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
    r->J = (hk_row){0};
    c->type->gradient(c->k, A, B, &r->J);
    if (!force->ops->rate_only) r->in.c = hk_coordinate_value(w, force->coordinate, in->turn);
    r->in.rate = hk_row_rate(&r->J, A, B);
  }
  if (force->joint >= 0) r->in.load = hk_joint_load(m, force->joint, in->lambda);
  if (force->n_expr > 0) put_expressions(w, force, r->in.e);
}

void hk_force_input(const hk_work *w, const hk_force *force, const hk_instant *in,
                    hk_force_result *r) {
  put_input(w, force, in, r);
}

/* Sets n numbers to zero; n is a multiple of twelve. */
HK_INLINE void clear_numbers(double *x, size_t n) {
  for (double *end = x + n; x < end; x += 12) HK_V4(x) = HK_V4(x + 4) = HK_V4(x + 8) = (hk_v4){0};
}

_Static_assert(offsetof(hk_force_out, w_e) % (12 * sizeof(double)) == 0,
               "cleared in groups of twelve");

/* Clears only the members that will be read: the large tangent arrays for forces between frames only, and the
 * derivatives of the expressions in use only. */
HK_HOT static void clear(const hk_force *force, bool tangent, hk_force_out *out) {
  const size_t head = offsetof(hk_force_out, w_e) / sizeof(double);
  clear_numbers((double *)out, head + (size_t)force->n_expr * 12);
  if (tangent && force->b >= 0) clear_numbers(out->K[0], 144), clear_numbers(out->C[0], 144);
}

void hk_force_evaluate(const hk_work *w, const hk_force *force, const hk_instant *in, bool tangent,
                       hk_force_result *r) {
  put_input(w, force, in, r);
  clear(force, tangent, &r->out);
  r->out.has_K = r->out.has_C = false;
  r->out.potential = r->out.dissipated = r->out.applied = 0;
  r->out.tangent = tangent;
  force->ops->eval(force->item->data, &r->in, &r->out);
  if (tangent && force->numerical) hk_force_differences(force, &r->in, &r->out);
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

static hk_field field_of(const hk_force *force, const hk_instant *in) {
  return (hk_field){force->ops->field, force->item->data, in->t};
}

HK_HOT HK_FLAT static void add_field(hk_work *w, const hk_force *force, const hk_instant *in) {
  const hk_model *m = w->model;
  const hk_field field = field_of(force, in);
  double potential = w->potential;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_node_field(n, &w->R[i], hk_map_own(w, n), in->q + n->q, &field, w->f + n->v, &potential);
  }
  w->potential = potential;
}

void hk_field_energy(const hk_work *w, const hk_force *force, const hk_instant *in, double *energy,
                     double *power) {
  const hk_field field = field_of(force, in);
  *energy = *power = 0;
  for (int i = 0; i < w->model->n_nodes; i++) {
    const hk_node *n = &w->model->node[i];
    double f[n->nv];
    memset(f, 0, sizeof f);
    hk_node_field(n, &w->R[i], hk_map_own(w, n), in->q + n->q, &field, f, energy);
    for (int k = 0; k < n->nv; k++) *power += f[k] * in->v[n->v + k];
  }
}

/* Sets f to the inertia (gyroscopic) forces of the nodes. */
HK_HOT HK_FLAT static void put_node_forces(const hk_work *w, const double *v, double *f) {
  const hk_node *n = w->model->node, *end = n + w->model->n_nodes;
  const hk_mat3 *R = w->R;
  const double *own = w->node_own;
  for (; n < end; n++, R++) hk_node_force(n, R, own + n->own, v + n->v, f + n->v);
}

/* Adds the energy of deformed nodes and the power of their damping. */
HK_APART static void add_stored(hk_work *w, const double *v) {
  for (int i = 0; i < w->model->n_nodes; i++) {
    hk_pose p = hk_map_pose(w, i);
    if (p.node->type->stored)
      p.node->type->stored(&p, v + p.node->v, &w->potential, &w->dissipated);
  }
}

/* Returns true if the moment of the wrench u is larger than the round-off of its force times the
 * length of the model. */
static bool has_moment(const hk_model *m, const double *u) {
  const hk_vec3 F = hk_v3(u[0], u[1], u[2]), M = hk_v3(u[3], u[4], u[5]);
  return hk_norm(M) > 1e-9 * m->length * hk_norm(F);
}

static hk_status all_forces(hk_work *w, const hk_instant *in, bool ahead) {
  const hk_model *m = w->model;
  w->failure.item = NULL;
  w->potential = w->dissipated = w->applied = 0;
  if (w->load) memset(w->load, 0, (size_t)m->n_nodes * sizeof *w->load);
  hk_variables(w, in);
  put_node_forces(w, in->v, w->f);
  if (m->elastic) add_stored(w, in->v);
  hk_force_result local;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *force = &m->force[i];
    if (force->field) {
      add_field(w, force, in);
      continue;
    }
    if (w->rotor_force[i].on) {
      hk_rotor_force_evaluate(w, i, in);
      continue;
    }
    if (w->joint_friction[i].on) {
      hk_joint_friction_force(w, i, in);
      continue;
    }
    const bool kept = ahead && hk_force_goes_ahead(force);
    hk_force_result *r = kept ? &w->ahead[i] : &local;
    hk_force_evaluate(w, force, in, kept, r);
    const hk_force_out *o = &r->out;
    if (o->failed) hk_work_fail(w, force->item, o->failed);
    if (force->coordinate >= 0 && o->F != 0) {
      const hk_coordinate *c = &m->coordinate[force->coordinate];
      hk_map_wrench(w, c->a, hk_scale(o->F, r->J.xa), hk_scale(o->F, r->J.ta), w->f);
      hk_map_wrench(w, c->b, hk_scale(o->F, r->J.xb), hk_scale(o->F, r->J.tb), w->f);
    }
    if (force->b >= 0) {
      const double *u = o->w;
      if ((force->point_a && has_moment(m, u)) || (force->point_b && has_moment(m, u + 6)))
        hk_work_fail(w, force->item, "it exerts a moment on a point mass, which has no rotation");
      hk_map_wrench(w, force->a, hk_v3(u[0], u[1], u[2]), hk_v3(u[3], u[4], u[5]), w->f);
      hk_map_wrench(w, force->b, hk_v3(u[6], u[7], u[8]), hk_v3(u[9], u[10], u[11]), w->f);
    }
    w->potential += o->potential;
    w->dissipated += o->dissipated;
    w->applied += o->applied;
  }
  if (m->compliant) hk_contact_forces(w, in);
  return w->failure.item ? HK_RETRY : HK_OK;
}

hk_status hk_forces(hk_work *w, const hk_instant *in) { return all_forces(w, in, false); }
hk_status hk_forces_ahead(hk_work *w, const hk_instant *in) { return all_forces(w, in, true); }

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
