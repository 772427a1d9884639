/* Bias of constraint rows, G' v + g_tt: the second time derivative of the constraints for zero accelerations of the
 * node coordinates. */
#include "core/map.h"
#include "relation/derive.h"
#include "relation/dot.h"

static double relation_bias(const hk_work *w, const hk_relation_type *type, const double *k, int a,
                            int b, double *out) {
  const hk_frame *A = &w->frame[a], *B = &w->frame[b];
  hk_row J[HK_RELATION_MAX_ROWS] = {0};
  hk_vec3 xa, ta, xb, tb;
  hk_relation_bias(type, k, A, B, out);
  type->gradient(k, A, B, J);
  hk_map_bias(w, a, &xa, &ta);
  hk_map_bias(w, b, &xb, &tb);
  for (int r = 0; r < type->rows; r++)
    out[r] += hk_dot(J[r].xa, xa) + hk_dot(J[r].ta, ta) + hk_dot(J[r].xb, xb) + hk_dot(J[r].tb, tb);
  return out[0];
}

/* Same as the function above, for a point, and possibly parallel axes, between rigid bodies; the ground has neither
 * velocity nor lever arm. */
HK_INLINE void linked_bias(const hk_work *w, const hk_constraint *c, const hk_constraint_plan *l,
                           double *out) {
  const int *port = w->model->port + c->port;
  const hk_frame *A = &w->frame[port[0]], *B = &w->frame[port[1]];
  hk_vec3 b = hk_sub(hk_rigid_centripetal(B), hk_rigid_centripetal(A));
  out[0] = b.x, out[1] = b.y, out[2] = b.z;
  if (l->form == HK_FORM_POINT) return;
  hk_vec3 z = hk_column(&A->R, 2);
  out[3] = hk_dot_bias(z, hk_column(&B->R, 0), A, B);
  out[4] = hk_dot_bias(z, hk_column(&B->R, 1), A, B);
}

HK_HOT HK_FLAT void hk_constraint_bias(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    double *out = w->bias + c->row;
    if (w->plan[i].form >= HK_FORM_POINT) {
      linked_bias(w, c, &w->plan[i], out);
      continue;
    }
    for (int k = 0; k < c->n_held; k++) {
      const hk_held *h = &m->held[c->held + k];
      relation_bias(w, h->type, h->k, m->port[c->port], m->port[c->port + 1], out);
      out += h->type->rows;
    }
    if (c->n_held) continue;
    *out = 0;
    for (int k = 0; k < c->n_terms; k++) {
      const hk_model_term *term = &m->term[c->term + k];
      const hk_coordinate *s = &m->coordinate[term->coordinate];
      double b[HK_RELATION_MAX_ROWS];
      *out += term->factor * relation_bias(w, s->type, s->k, s->a, s->b, b);
    }
    if (c->value) {
      double d1, d2;
      w->variable[0] = in->t;
      hk_expr_second(c->value, w->variable, 0, &d1, &d2);
      *out -= d2;
    }
  }
}

double hk_coordinate_bias(const hk_work *w, int coordinate) {
  const hk_coordinate *c = &w->model->coordinate[coordinate];
  double b[HK_RELATION_MAX_ROWS];
  return relation_bias(w, c->type, c->k, c->a, c->b, b);
}

double hk_coordinate_acceleration(const hk_work *w, int coordinate, const double *vd) {
  const hk_coordinate *c = &w->model->coordinate[coordinate];
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_row J = {0};
  double bias[HK_RELATION_MAX_ROWS];
  c->type->gradient(c->k, A, B, &J);
  hk_relation_bias(c->type, c->k, A, B, bias);
  hk_vec3 xa, ta, xb, tb;
  hk_map_acceleration(w, c->a, vd, &xa, &ta);
  hk_map_acceleration(w, c->b, vd, &xb, &tb);
  return hk_dot(J.xa, xa) + hk_dot(J.ta, ta) + hk_dot(J.xb, xb) + hk_dot(J.tb, tb) + bias[0];
}
