/* Channels of joints and forces: their action on side `b`. */
#include "core/force.h"
#include "sim/output.h"
#include <string.h>

/* Converts six components from world axes to the axes R. */
static void in_axes(const hk_mat3 *R, const double *world, double *own) {
  for (int k = 0; k < 6; k += 3) {
    hk_vec3 v = hk_tmul(R, hk_v3(world[k], world[k + 1], world[k + 2]));
    own[k] = v.x, own[k + 1] = v.y, own[k + 2] = v.z;
  }
}

static void add_row(const hk_row *J, double factor, double out[6]) {
  for (int j = 0; j < 3; j++) {
    out[j] += factor * hk_part(J->xb, j);
    out[3 + j] += factor * hk_part(J->tb, j);
  }
}

/* Adds the force and the moment of a constraint on a sum of the joint's coordinates, such as the thread of a
 * screw. */
static void add_thread(const hk_model *m, const hk_constraint *c, const hk_frame *frame,
                       double lambda, double out[6]) {
  for (int i = 0; i < c->n_terms; i++) {
    const hk_model_term *t = &m->term[c->term + i];
    const hk_coordinate *q = &m->coordinate[t->coordinate];
    hk_row J = {0};
    q->type->gradient(q->k, &frame[q->a], &frame[q->b], &J);
    add_row(&J, -lambda * t->factor, out);
  }
}

/* Computes -J^T lambda: force on `b`, moment about the origin of its joint frame. */
static void read_joint(hk_reading *r, int constraint) {
  const hk_model *m = r->sim->model;
  const hk_constraint *c = &m->constraint[constraint];
  const hk_frame *A = &r->sim->work->frame[m->port[c->port]];
  const hk_frame *B = &r->sim->work->frame[m->port[c->port + 1]];
  const double *lambda = r->lambda + c->row;
  double *out = r->reaction;
  memset(out, 0, sizeof r->reaction);
  for (int i = 0; i < c->n_held; i++) {
    const hk_held *h = &m->held[c->held + i];
    hk_row J[HK_RELATION_MAX_ROWS] = {0};
    h->type->gradient(h->k, A, B, J);
    for (int k = 0; k < h->type->rows; k++) add_row(&J[k], -lambda[k], out);
    lambda += h->type->rows;
  }
  const hk_constraint *thread = &m->constraint[c->thread];
  if (c->thread) add_thread(m, thread, r->sim->work->frame, r->lambda[thread->row], out);
  in_axes(&A->R, out, out + HK_JOINT_OWN_FX);
}

double hk_output_joint(hk_reading *r, int constraint, int component) {
  if (r->joint != constraint) read_joint(r, constraint);
  r->joint = constraint;
  return r->reaction[component];
}

double hk_output_force(hk_reading *r, int force, int component) {
  if (r->force != force) {
    memset(r->force_value, 0,
           sizeof r->force_value); /* a type may leave some of its values unset */
    hk_force_channels(r->sim->work, &r->sim->model->force[force], &r->in, r->force_value);
  }
  r->force = force;
  return r->force_value[component];
}
