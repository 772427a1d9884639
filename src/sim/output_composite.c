/* Channels of composite joints: the sum of the actions of their parts on the joined bodies. */
#include "core/contact.h"
#include "core/force.h"
#include "sim/output.h"
#include <string.h>

/* The sums for each side: force, and moment about the origin of the frame on this side. */
typedef struct sums {
  hk_reading *r;
  const hk_composite *k;
  hk_vec3 force[2], moment[2];
} sums;

/* Adds a force that a part exerts at the point `at` of the marker's body, and a moment. */
static void act(sums *s, int marker, hk_vec3 at, hk_vec3 force, hk_vec3 moment) {
  const hk_model *m = s->r->sim->model;
  for (int side = 0; side < 2; side++) {
    int end = s->k->end[side];
    if (end < 0 || m->marker[end].node != m->marker[marker].node) continue;
    hk_vec3 arm = hk_sub(at, s->r->sim->work->frame[end].x);
    s->force[side] = hk_add(s->force[side], force);
    s->moment[side] = hk_add(s->moment[side], hk_add(moment, hk_cross(arm, force)));
  }
}

static void act_along(sums *s, int a, int b, const hk_row *J, double factor) {
  const hk_frame *frame = s->r->sim->work->frame;
  act(s, a, frame[a].x, hk_scale(factor, J->xa), hk_scale(factor, J->ta));
  act(s, b, frame[b].x, hk_scale(factor, J->xb), hk_scale(factor, J->tb));
}

/* Adds the reactions -J^T lambda of a constraint, which holds relations of two frames, or a sum of coordinates. */
static void add_constraint(sums *s, const hk_constraint *c) {
  const hk_model *m = s->r->sim->model;
  const hk_frame *frame = s->r->sim->work->frame;
  const double *lambda = s->r->lambda + c->row;
  int a = m->port[c->port], b = m->port[c->port + 1];
  for (int i = 0; i < c->n_held; i++) {
    const hk_held *h = &m->held[c->held + i];
    hk_row J[HK_RELATION_MAX_ROWS] = {0};
    h->type->gradient(h->k, &frame[a], &frame[b], J);
    for (int k = 0; k < h->type->rows; k++) act_along(s, a, b, &J[k], -*lambda++);
  }
  for (int i = 0; i < c->n_terms; i++) {
    const hk_model_term *t = &m->term[c->term + i];
    const hk_coordinate *q = &m->coordinate[t->coordinate];
    hk_row J = {0};
    q->type->gradient(q->k, &frame[q->a], &frame[q->b], &J);
    act_along(s, q->a, q->b, &J, -t->factor * *lambda);
  }
}

static void add_force(sums *s, const hk_force *f) {
  const hk_work *w = s->r->sim->work;
  hk_force_result e;
  hk_action on;
  hk_force_evaluate(w, f, &s->r->in, false, &e);
  hk_force_action(w->model, f, &e, &on);
  const double *u = on.w;
  act(s, on.a, w->frame[on.a].x, hk_v3(u[0], u[1], u[2]), hk_v3(u[3], u[4], u[5]));
  act(s, on.b, w->frame[on.b].x, hk_v3(u[6], u[7], u[8]), hk_v3(u[9], u[10], u[11]));
}

static void add_contact(sums *s, const hk_contact *c) {
  for (int i = 0; i < c->n_points; i++) {
    hk_touching t;
    hk_output_touching(s->r->sim, c, c->point + i, &t);
    if (c->gap->rows) {
      act_along(s, c->a, c->b, &t.row, 1);
      continue;
    }
    act(s, c->a, t.at, hk_neg(t.force), hk_neg(t.couple));
    act(s, c->b, t.at, t.force, t.couple);
  }
}

/* Writes the values of one side in the order of the channel table. */
static void put_side(const hk_mat3 *R, hk_vec3 F, hk_vec3 M, double *out) {
  hk_vec3 f = hk_tmul(R, F), m = hk_tmul(R, M);
  const double value[HK_N_SIDE] = {f.z, hypot(f.x, f.y),
                                   m.z, hypot(m.x, m.y),
                                   F.x, F.y,
                                   F.z, M.x,
                                   M.y, M.z,
                                   f.x, f.y,
                                   f.z, m.x,
                                   m.y, m.z};
  memcpy(out, value, sizeof value);
}

static void read_composite(hk_reading *r, const hk_composite *k) {
  const hk_model *m = r->sim->model;
  sums s = {.r = r, .k = k};
  for (int i = 0; i < k->n_members; i++) {
    const hk_member *part = &m->member[k->member + i];
    if (part->kind == HK_OF_JOINT) add_constraint(&s, &m->constraint[part->index]);
    if (part->kind == HK_OF_FORCE) add_force(&s, &m->force[part->index]);
    if (part->kind == HK_OF_CONTACT) add_contact(&s, &m->contact[part->index]);
  }
  memset(r->composite_value, 0, sizeof r->composite_value);
  for (int side = 0; side < 2 && k->end[side] >= 0; side++)
    put_side(&r->sim->work->frame[k->end[side]].R, s.force[side], s.moment[side],
             r->composite_value + side * HK_N_SIDE);
}

double hk_output_composite(hk_reading *r, int composite, int component) {
  if (r->composite != composite) read_composite(r, &r->sim->model->composite[composite]);
  r->composite = composite;
  return r->composite_value[component];
}
