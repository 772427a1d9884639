/* Forces of compliant contacts: see contact.h. */
#include "core/contact.h"
#include "core/force.h"
#include "core/map.h"
#include <hooke/numerical.h>

/* Velocity of B relative to A at c. */
HK_INLINE hk_vec3 relative_velocity(const hk_frame *A, const hk_frame *B, hk_vec3 c) {
  hk_vec3 vb = hk_add(B->v, hk_cross(B->w, hk_sub(c, B->x)));
  return hk_sub(vb, hk_add(A->v, hk_cross(A->w, hk_sub(c, A->x))));
}

/* Friction with drilling and rolling resistance: force and couple on B. */
HK_APART static void general_friction(const hk_contact *c, const hk_frame *A, const hk_frame *B,
                                      const hk_gap *g, hk_contact_point *p) {
  hk_vec3 s = hk_cross(g->n, g->t), w = hk_sub(B->w, A->w);
  const hk_vec3 axis[HK_N_SLIP] = {g->t, s, g->n, g->t, s};
  double slip[HK_N_SLIP], out[HK_N_SLIP];
  for (int i = 0; i < HK_N_SLIP; i++) slip[i] = hk_dot(axis[i], i < HK_SPIN ? p->slip : w);
  c->law->friction(c->l, p->normal.N, slip, out, NULL, NULL);
  if (c->one_way) out[HK_SLIDE_S] = 0;
  for (int i = 0; i < HK_N_SLIP; i++) {
    if (i < HK_SPIN)
      p->force = hk_axpy(p->force, out[i], axis[i]);
    else
      p->couple = hk_axpy(p->couple, out[i], axis[i]);
    p->sliding_power -= out[i] * slip[i];
  }
}

static hk_vec3 slip_of(const hk_contact *c, const hk_gap *g, hk_vec3 velocity, double rate) {
  return c->one_way ? hk_scale(hk_dot(g->t, velocity), g->t) : hk_axpy(velocity, -rate, g->n);
}

/* Fills all members of p except the gap. */
HK_INLINE void touch(const hk_contact *c, const hk_frame *A, const hk_frame *B, const hk_gap *g,
                     hk_law_in *in, hk_contact_point *p) {
  hk_vec3 v = relative_velocity(A, B, g->c);
  p->velocity = v;
  p->rate = hk_dot(g->n, v);
  p->slip = slip_of(c, g, v, p->rate);
  in->depth = -g->gap;
  in->rate = -p->rate;
  p->normal.failed = NULL;
  hk_contact_normal(c, in, &p->normal);
  p->force = hk_scale(p->normal.N, g->n);
  p->couple = hk_v3(0, 0, 0);
  p->sliding_power = 0;
  p->damping_power = (p->normal.elastic - p->normal.N) * p->rate;
  if (c->friction == HK_FRICTION_SLIDE) {
    double f_v, f = c->law->slide(c->l, hk_norm(p->slip), &f_v);
    p->force = hk_axpy(p->force, -p->normal.N * f, p->slip);
    p->sliding_power = p->normal.N * f * hk_dot(p->slip, p->slip);
  } else if (c->friction == HK_FRICTION_GENERAL) {
    general_friction(c, A, B, g, p);
  }
}

void hk_contact_approach(const hk_work *w, const hk_contact *c, hk_gap *gap, double *rate) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  c->gap->eval(c->k, A, B, -INFINITY, false, gap);
  for (int i = 0; i < c->n_points; i++)
    rate[i] = hk_dot(gap[i].n, relative_velocity(A, B, gap[i].c));
}

hk_vec3 hk_contact_slip(const hk_work *w, const hk_contact *c, int point, hk_vec3 *at) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  c->gap->eval(c->k, A, B, -INFINITY, c->one_way, gap);
  const hk_gap *g = &gap[point];
  hk_vec3 v = relative_velocity(A, B, g->c);
  *at = g->c;
  return slip_of(c, g, v, hk_dot(g->n, v));
}

void hk_contact_evaluate(const hk_work *w, const hk_contact *c, const hk_instant *in,
                         bool derivatives, hk_contact_point *out) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  c->gap->eval(c->k, A, B, derivatives ? c->reach : -INFINITY, c->needs_t, gap);
  if (derivatives && c->gap_numerical) hk_gap_differences(c->gap, c->k, A, B, gap);
  hk_law_in law = hk_law_in_at(w, in);
  for (int i = 0; i < c->n_points; i++) {
    hk_contact_point *p = &out[i];
    p->gap = gap[i];
    p->normal = (hk_normal){0};
    p->velocity = p->slip = p->force = p->couple = hk_v3(0, 0, 0);
    p->sliding_power = p->damping_power = p->rate = 0;
    hk_law_in_point(c, in, i, &law);
    if (gap[i].gap < c->reach && !c->law->set_valued) touch(c, A, B, &gap[i], &law, p);
  }
}

/* Adds a force at the point `at`, and a couple. */
static void push(hk_work *w, int marker, hk_vec3 at, hk_vec3 f, hk_vec3 couple) {
  hk_vec3 r = hk_sub(at, w->frame[marker].x);
  hk_map_wrench(w, marker, f, hk_add(couple, hk_cross(r, f)), w->f);
}

HK_HOT void hk_contact_forces(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  hk_law_in law = hk_law_in_at(w, in);
  for (int i = 0; i < w->n_batches; i++) hk_contact_batch_forces(w, &w->batch[i]);
  for (int i = 0; i < w->n_singles; i++) {
    const hk_contact *c = &m->contact[w->single[i]];
    if (c->ball) {
      hk_contact_ball_forces(w, c, in, &law);
      continue;
    }
    const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
    c->gap->eval(c->k, A, B, -INFINITY, c->needs_t, gap);
    for (int k = 0; k < c->n_points; k++) {
      hk_contact_eval *t = &w->touch[c->point + k];
      *t = (hk_contact_eval){.gap = gap[k].gap};
      if (gap[k].gap >= c->reach) continue;
      hk_contact_point p;
      hk_law_in_point(c, in, k, &law);
      touch(c, A, B, &gap[k], &law, &p);
      if (p.normal.failed) hk_work_fail(w, c->item, p.normal.failed);
      w->potential += p.normal.potential;
      t->potential = p.normal.potential;
      if (p.normal.N == 0 && p.damping_power == 0) continue;
      t->N = p.normal.N, t->N_depth = p.normal.N_depth, t->N_rate = p.normal.N_rate;
      t->rate = p.rate;
      t->sliding_power = p.sliding_power;
      w->dissipated += p.sliding_power + p.damping_power;
      push(w, c->b, gap[k].c, p.force, p.couple);
      push(w, c->a, gap[k].c, hk_neg(p.force), hk_neg(p.couple));
    }
  }
}

/* Counts an impact, with the approach velocity at the end of the step, for a point that was open at
 * the start of the step and is in contact at its end. */
static void note_touch(const hk_contact *c, const hk_contact_eval *t, const double *a, double *b) {
  bool begins = t->N > 0 && a[HK_TOUCH_MODE] == HK_MODE_OPEN && t->rate < 0;
  bool counts = begins && -t->rate > c->count_above;
  b[HK_TOUCH_MODE] = t->N > 0 ? HK_MODE_SLIP : HK_MODE_OPEN;
  b[HK_TOUCH_APPROACH] = counts ? -t->rate : a[HK_TOUCH_APPROACH];
  b[HK_TOUCH_IMPACTS] = a[HK_TOUCH_IMPACTS] + counts;
}

void hk_contact_ledger(const hk_work *w, const double *x0, double h, double *x1) {
  const hk_model *m = w->model;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    if (c->law->set_valued) continue;
    const double *a = x0 + m->at.touch + i * HK_N_TOUCH;
    double *b = x1 + m->at.touch + i * HK_N_TOUCH, power = w->touch[i].sliding_power;
    b[HK_TOUCH_SLIDING_WORK] =
        a[HK_TOUCH_SLIDING_WORK] + 0.5 * h * (a[HK_TOUCH_SLIDING_POWER] + power);
    b[HK_TOUCH_SLIDING_POWER] = power;
    b[HK_TOUCH_CLOSED] = a[HK_TOUCH_CLOSED] + (w->touch[i].N > 0 ? h : 0);
    note_touch(c, &w->touch[i], a, b);
  }
}
