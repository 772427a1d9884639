/* Creep of regularised friction: see creep.h. */
#include "sim/creep.h"
#include "core/contact.h"
#include "core/force.h"
#include <stdlib.h>
#include <string.h>

static bool may_creep(const hk_contact *c) {
  return c->friction != HK_FRICTION_NONE && c->law->full_speed;
}

hk_status hk_creep_create(hk_sim *s) {
  const hk_model *m = s->model;
  hk_quality_record *r = &s->quality;
  int n = 0;
  for (int i = 0; i < m->n_forces; i++) n += m->force[i].ops->sliding != NULL;
  for (int i = 0; i < m->n_contacts; i++) n += may_creep(&m->contact[i]);
  if (n == 0) return HK_OK;
  if (!(r->creep = calloc((size_t)n, sizeof *r->creep))) return HK_ENOMEM;
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].ops->sliding) r->creep[r->n_creeps++] = (hk_creep){.force = i, .contact = -1};
  for (int i = 0; i < m->n_contacts; i++)
    if (may_creep(&m->contact[i])) r->creep[r->n_creeps++] = (hk_creep){.force = -1, .contact = i};
  return HK_OK;
}

void hk_creep_begin(hk_sim *s) {
  s->quality.crept = s->x[s->model->at.t];
  for (int i = 0; i < s->quality.n_creeps; i++)
    s->quality.creep[i].way = hk_v3(0, 0, 0), s->quality.creep[i].time = 0,
    s->quality.creep[i].slow = 0, s->quality.creep[i].slid = 0;
}

/* Returns true if B rolls on A faster than it slides; slow sliding is then a part of rolling. The rolling velocity is
 * computed with the lever arm of the smaller body. */
static bool rolls(const hk_work *w, const hk_contact *c, hk_vec3 at, hk_vec3 slip) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  double arm = fmin(hk_norm(hk_sub(at, A->x)), hk_norm(hk_sub(at, B->x)));
  return arm * hk_norm(hk_sub(B->w, A->w)) > hk_norm(slip);
}

/* Finds the sliding velocity at the end of the step; false: there is no normal load, or the contact
 * rolls. */
static bool slides(const hk_sim *s, hk_creep *c, const hk_instant *in, hk_vec3 *velocity) {
  const hk_model *m = s->model;
  if (c->force >= 0) {
    const hk_force *f = &m->force[c->force];
    hk_force_result r;
    hk_force_input(s->work, f, in, &r);
    *velocity = f->ops->sliding(f->item->data, &r.in, &c->full);
    return f->joint < 0 || r.in.load > 0;
  }
  const hk_contact *k = &m->contact[c->contact];
  hk_vec3 at;
  int pressed = 0;
  while (pressed < k->n_points && !(s->work->touch[k->point + pressed].N > 0)) pressed++;
  if (pressed == k->n_points) return false;
  *velocity = hk_contact_slip(s->work, k, pressed, &at);
  c->full = k->law->full_speed(k->l);
  return !rolls(s->work, k, at, *velocity);
}

/* Number of steps between evaluations; this is sufficient, because creep lasts for many steps.
 * A step is always evaluated if it is a large fraction of the elapsed time. */
enum { EVERY = 16 };
static const double part = 1.0 / 100;

void hk_creep_step(hk_sim *s, double now) {
  hk_quality_record *r = &s->quality;
  double past = now - r->crept;
  if (r->n_creeps == 0 || !(past > 0)) return;
  if (s->stats.steps % EVERY && past < part * (now - s->option.start)) return;
  const hk_instant in = hk_instant_last(s->model, s->x, s->x + s->model->at.lambda);
  r->crept = now;
  for (int i = 0; i < r->n_creeps; i++) {
    hk_creep *c = &r->creep[i];
    hk_vec3 v;
    bool loaded = slides(s, c, &in, &v), slow = loaded && hk_norm(v) < c->full;
    if (loaded) c->slid += past * hk_norm(v);
    /* An oscillation is slow only for a moment, at its reversals. Therefore a motion counts as
     * creep only if it is slow at two successive evaluations. */
    if (slow && c->slow) {
      c->way = hk_axpy(c->way, past / 2, hk_add(v, c->velocity));
      c->time += past;
    }
    c->slow = slow;
    if (slow) c->velocity = v;
  }
}

void hk_creep_save(const hk_creep *c, double *out) {
  const double kept[HK_CREEP_KEPT] = {c->way.x,      c->way.y,      c->way.z,      c->time, c->slow,
                                      c->velocity.x, c->velocity.y, c->velocity.z, c->slid};
  memcpy(out, kept, sizeof kept);
}

void hk_creep_restore(hk_creep *c, const double *in) {
  c->way = hk_v3(in[0], in[1], in[2]);
  c->time = in[3];
  c->slow = in[4];
  c->velocity = hk_v3(in[5], in[6], in[7]);
  c->slid = in[8];
}

const hk_creep *hk_creep_worst(const hk_sim *s) {
  const hk_creep *worst = NULL;
  for (int i = 0; i < s->quality.n_creeps; i++) {
    const hk_creep *c = &s->quality.creep[i];
    if (!worst || hk_norm(c->way) > hk_norm(worst->way)) worst = c;
  }
  return worst;
}
