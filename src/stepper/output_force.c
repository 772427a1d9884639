/* Channels of joints and forces: what they exert on their b side. */
#include "core/force.h"
#include "stepper/output.h"
#include <string.h>

/* Six components in the axes R instead of the world's. */
static void in_axes(const hk_mat3 *R, const double *world, double *own) {
  for (int k = 0; k < 6; k += 3) {
    hk_vec3 v = hk_tmul(R, hk_v3(world[k], world[k + 1], world[k + 2]));
    own[k] = v.x, own[k + 1] = v.y, own[k + 2] = v.z;
  }
}

/* -J^T lambda: force on b, moment about the origin of its joint frame. */
static void read_joint(hk_reading *r, int constraint) {
  const hk_model *m = r->sim->model;
  const hk_constraint *c = &m->constraint[constraint];
  const hk_frame *A = &r->sim->work->frame[m->port[c->port]];
  const hk_frame *B = &r->sim->work->frame[m->port[c->port + 1]];
  const double *lambda = r->in.lambda + c->row;
  double *out = r->reaction;
  memset(out, 0, sizeof r->reaction);
  for (int i = 0; i < c->n_held; i++) {
    const hk_held *h = &m->held[c->held + i];
    hk_row J[HK_RELATION_MAX_ROWS] = {0};
    h->type->gradient(h->k, A, B, J);
    for (int k = 0; k < h->type->rows; k++)
      for (int j = 0; j < 3; j++) {
        out[j] -= lambda[k] * hk_part(J[k].xb, j);
        out[3 + j] -= lambda[k] * hk_part(J[k].tb, j);
      }
    lambda += h->type->rows;
  }
  in_axes(&A->R, out, out + HK_JOINT_OWN_FX);
}

double hk_output_joint(hk_reading *r, int constraint, int component) {
  if (r->joint != constraint) read_joint(r, constraint);
  r->joint = constraint;
  return r->reaction[component];
}

static double size(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double power(const double *w, const hk_frame *A, const hk_frame *B) {
  const double v[12] = {A->v.x, A->v.y, A->v.z, A->w.x, A->w.y, A->w.z,
                        B->v.x, B->v.y, B->v.z, B->w.x, B->w.y, B->w.z};
  double sum = 0;
  for (int i = 0; i < 12; i++) sum += w[i] * v[i];
  return sum;
}

static void read_force(hk_reading *r, const hk_force *f) {
  const hk_work *w = r->sim->work;
  double *out = r->force_value;
  memset(out, 0, sizeof r->force_value);
  if (f->field) {
    hk_field_energy(w, f, &r->in, &out[HK_FORCE_ENERGY], &out[HK_FORCE_POWER]);
    return;
  }
  hk_force_result e;
  hk_action action;
  hk_force_evaluate(w, f, &r->in, false, &e);
  hk_force_action(w->model, f, &e, &action);
  const hk_frame *A = &w->frame[action.a], *B = &w->frame[action.b];
  const double *on_b = action.w + 6;
  out[HK_FORCE_ALONG] = e.out.F;
  out[HK_FORCE_SIZE] = size(on_b);
  out[HK_FORCE_TORQUE] = size(on_b + 3);
  out[HK_FORCE_POWER] = power(action.w, A, B);
  out[HK_FORCE_LOSS] = e.out.dissipated;
  out[HK_FORCE_ENERGY] = e.out.potential;
  memcpy(out + HK_FORCE_FX, on_b, 6 * sizeof *on_b);
  in_axes(f->ops->own_axes_b ? &B->R : &A->R, on_b, out + HK_FORCE_OWN_FX);
  if (f->ops->read) f->ops->read(f->item->data, &e.in, &e.out, out + HK_FORCE_OWN);
}

double hk_output_force(hk_reading *r, int force, int component) {
  if (r->force != force) read_force(r, &r->sim->model->force[force]);
  r->force = force;
  return r->force_value[component];
}
