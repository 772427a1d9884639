/* Internal variables of elements (`memory`): see hooke/element.h. No other file writes them. */
#include "core/contact.h"
#include "core/force.h"

static void write_force(const hk_work *w, const hk_force *f, const hk_instant *in, bool start,
                        double *memory) {
  hk_force_result r;
  hk_force_input(w, f, in, &r);
  (start && f->ops->start ? f->ops->start : f->ops->accept)(f->item->data, &r.in, memory);
}

static void write_contact(const hk_work *w, const hk_contact *c, const hk_instant *in, bool start,
                          double *memory) {
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  double rate[HK_CONTACT_MAX_POINTS];
  hk_contact_approach(w, c, gap, rate);
  hk_law_in law = hk_law_in_at(w, in);
  for (int i = 0; i < c->n_points; i++) {
    hk_law_in_point(c, in, i, &law);
    law.depth = -gap[i].gap;
    law.rate = -rate[i];
    (start && c->law->start ? c->law->start : c->law->accept)(c->l, &law, memory);
    memory += c->law->memory;
  }
}

static void write_all(hk_work *w, const hk_instant *in, bool start, double *memory) {
  const hk_model *m = w->model;
  hk_variables(w, in);
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].n_memory) write_force(w, &m->force[i], in, start, memory + m->force[i].memory);
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].law->memory)
      write_contact(w, &m->contact[i], in, start, memory + m->contact[i].memory);
}

void hk_memory_start(hk_work *w, const hk_instant *in, double *memory) {
  if (w->model->n_memory) write_all(w, in, true, memory);
}

void hk_memory_accept(hk_work *w, const hk_instant *in, double *memory) {
  if (w->model->n_memory) write_all(w, in, false, memory);
}
