/* Channels of contact points. */
#include "core/contact.h"
#include "sim/dense_output.h"
#include "sim/output.h"
#include <string.h>

/* Length of the step or part of a step that ends at the state, over which its impulses act; before the first step:
 * infinite. */
static double last_step(const hk_sim *s) {
  double h = hk_dense_impulse_time(s);
  return h > 0 ? h : INFINITY;
}

/* Returns a value that the last step stored in the state, for a contact with a set-valued law; NaN
 * for other terms. */
static double kept(const hk_sim *s, int point, int term) {
  const double *x = s->x + s->model->at.touch + point * HK_N_TOUCH;
  double h = last_step(s);
  switch (term) {
    case HK_CONTACT_NORMAL_FORCE:
      return x[HK_TOUCH_IMPULSE_N] / h;
    case HK_CONTACT_FRICTION_FORCE:
      return hypot(x[HK_TOUCH_IMPULSE_T], x[HK_TOUCH_IMPULSE_S]) / h;
    case HK_CONTACT_SLIDING_WORK:
      return x[HK_TOUCH_SLIDING_WORK];
    case HK_CONTACT_IMPULSE:
      return x[HK_TOUCH_IMPULSE_N];
    case HK_CONTACT_APPROACH:
      return x[HK_TOUCH_APPROACH];
    case HK_CONTACT_IMPACTS:
      return x[HK_TOUCH_IMPACTS];
    case HK_CONTACT_CLOSED:
      return x[HK_TOUCH_IMPULSE_N] > 0;
    case HK_CONTACT_CLOSED_TIME:
      return x[HK_TOUCH_CLOSED];
    default:
      return NAN;
  }
}

static void touch_rows(const hk_contact *c, const hk_frame *frame, int point, const double force[3],
                       hk_row *out) {
  hk_gap_rows rows[HK_CONTACT_MAX_POINTS] = {0};
  c->gap->rows(c->k, &frame[c->a], &frame[c->b], rows);
  const hk_gap_rows *r = &rows[point - c->point];
  const hk_row *direction[3] = {&r->N, &r->T[0], &r->T[1]};
  *out = (hk_row){0};
  for (int i = 0; i <= c->gap->tangents; i++) {
    out->xa = hk_axpy(out->xa, force[i], direction[i]->xa);
    out->ta = hk_axpy(out->ta, force[i], direction[i]->ta);
    out->xb = hk_axpy(out->xb, force[i], direction[i]->xb);
    out->tb = hk_axpy(out->tb, force[i], direction[i]->tb);
  }
}

void hk_output_touching(const hk_sim *s, const hk_contact *c, int point, hk_touching *out) {
  const hk_contact_point *p = &s->out.point[point];
  *out = (hk_touching){.at = p->gap.c, .force = p->force, .couple = p->couple};
  if (!c->law->set_valued) return;
  const double *x = s->x + s->model->at.touch + point * HK_N_TOUCH;
  double h = last_step(s);
  const double force[3] = {x[HK_TOUCH_IMPULSE_N] / h, x[HK_TOUCH_IMPULSE_T] / h,
                           x[HK_TOUCH_IMPULSE_S] / h};
  if (c->gap->rows) {
    *out = (hk_touching){.row = {{0}}};
    touch_rows(c, s->work->frame, point, force, &out->row);
    return;
  }
  out->couple = hk_v3(0, 0, 0);
  out->force = hk_axpy(hk_scale(force[0], p->gap.n), force[1], p->gap.t);
  out->force = hk_axpy(out->force, force[2], hk_cross(p->gap.n, p->gap.t));
}

/* Adds a force and a moment at a point of a marker's body. */
static void add_load(hk_sim *s, int marker, hk_vec3 at, hk_vec3 force, hk_vec3 moment) {
  int node = s->model->marker[marker].node;
  if (node == HK_GROUND) return;
  const hk_frame *F = &s->work->frame[marker];
  hk_vec3 arm = hk_add(hk_sub(at, F->x), F->s);
  hk_vec3 m = hk_add(moment, hk_cross(arm, force));
  double *l = s->out.load[node];
  l[0] += force.x, l[1] += force.y, l[2] += force.z, l[3] += m.x, l[4] += m.y, l[5] += m.z;
}

void hk_output_rigid_loads(hk_sim *s) {
  const hk_model *m = s->model;
  const hk_frame *frame = s->work->frame;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    for (int k = 0; k < c->n_points && c->law->set_valued; k++) {
      hk_touching t;
      hk_output_touching(s, c, c->point + k, &t);
      if (c->gap->rows) {
        add_load(s, c->a, frame[c->a].x, t.row.xa, t.row.ta);
        add_load(s, c->b, frame[c->b].x, t.row.xb, t.row.tb);
      } else {
        add_load(s, c->a, t.at, hk_neg(t.force), hk_neg(t.couple));
        add_load(s, c->b, t.at, t.force, t.couple);
      }
    }
  }
}

/* Returns a quantity of a contact with a set-valued law; `term` selects it. */
static double impulsive(const hk_reading *r, const hk_contact *k, int point, int term) {
  const hk_sim *s = r->sim;
  const hk_model *m = s->model;
  const double *x = s->x + m->at.touch + point * HK_N_TOUCH;
  double h = last_step(s);
  double tangential = hypot(x[HK_TOUCH_IMPULSE_T], x[HK_TOUCH_IMPULSE_S]);
  const hk_frame *A = &s->work->frame[k->a], *B = &s->work->frame[k->b];
  hk_touching touching;
  double gap, slip = 0;
  if (k->gap->rows) {
    hk_gap_rows rows[HK_CONTACT_MAX_POINTS];
    k->gap->rows(k->k, A, B, rows);
    const hk_gap_rows *row = &rows[point - k->point];
    gap = row->gap;
    for (int i = 0; i < k->gap->tangents; i++) slip = hypot(slip, hk_row_rate(&row->T[i], A, B));
  } else {
    const hk_gap *g = &s->out.point[point].gap;
    gap = g->gap;
    hk_vec3 v = hk_sub(hk_add(B->v, hk_cross(B->w, hk_sub(g->c, B->x))),
                       hk_add(A->v, hk_cross(A->w, hk_sub(g->c, A->x))));
    slip = hk_norm(hk_axpy(v, -hk_dot(v, g->n), g->n));
  }
  switch (term) {
    case HK_CONTACT_GAP:
      return gap;
    case HK_CONTACT_SLIP:
      return x[HK_TOUCH_IMPULSE_N] > 0 ? slip : 0;
    case HK_CONTACT_POWER:
      return slip * tangential / h;
    default:
      hk_output_touching(s, k, point, &touching);
      return hk_part(touching.force, term - HK_CONTACT_FX);
  }
}

double hk_output_contact(hk_reading *r, int point, int term) {
  const hk_sim *s = r->sim;
  const hk_model *m = s->model;
  const hk_contact *k = &m->contact[m->point_contact[point]];
  if (k->law->set_valued) {
    double x = kept(s, point, term);
    return isnan(x) ? impulsive(r, k, point, term) : x;
  }
  const hk_contact_point *p = &s->out.point[point];
  if (term >= HK_CONTACT_OWN) {
    double own[HK_MAX_OWN_CHANNELS];
    memset(own, 0, (size_t)k->law->n_channels * sizeof *own);
    hk_law_in in = hk_law_in_at(s->work, &r->in);
    hk_law_in_point(k, &r->in, point - k->point, &in);
    in.depth = -p->gap.gap;
    in.rate = -p->rate;
    k->law->read(k->l, &in, &p->normal, own);
    return own[term - HK_CONTACT_OWN];
  }
  double half_t = 0, half_s = 0, peak = 0, N = p->normal.N;
  switch (term) {
    case HK_CONTACT_GAP:
      return p->gap.gap;
    case HK_CONTACT_NORMAL_FORCE:
      return N;
    case HK_CONTACT_FRICTION_FORCE:
      return hk_norm(hk_axpy(p->force, -N, p->gap.n));
    case HK_CONTACT_SLIP:
      return hk_norm(p->slip);
    case HK_CONTACT_POWER:
      return p->sliding_power + p->damping_power;
    case HK_CONTACT_SLIDING_WORK:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_SLIDING_WORK];
    case HK_CONTACT_ENERGY:
      return p->normal.potential;
    case HK_CONTACT_APPROACH:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_APPROACH];
    case HK_CONTACT_IMPACTS:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_IMPACTS];
    case HK_CONTACT_CLOSED:
      return N > 0;
    case HK_CONTACT_CLOSED_TIME:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_CLOSED];
    case HK_CONTACT_PRESSURE:
    case HK_CONTACT_HALF_T:
    case HK_CONTACT_HALF_S:
      if (N > 0) k->law->pressure(k->l, -p->gap.gap, N, &half_t, &half_s, &peak);
      return term == HK_CONTACT_PRESSURE ? peak : term == HK_CONTACT_HALF_T ? half_t : half_s;
    default:
      return hk_part(p->force, term - HK_CONTACT_FX);
  }
}
