/* Resets a simulation to its start: see initial_snapshot.h. */
#include "setup/initial_snapshot.h"
#include "base/huge_pages.h"
#include "control/contact_error.h"
#include "control/controller.h"
#include "sim/quality.h"
#include <stdlib.h>

hk_status hk_sim_make_states(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  size_t nv = (size_t)m->nv, nc = (size_t)m->nc;
  s->state_size =
      m->at.size + (hk_integrator_of(s)->state_size ? hk_integrator_of(s)->state_size(m) : 0);
  size_t size = (size_t)s->state_size;
  free(s->block);
  s->x = s->block = hk_huge_calloc(
      3 * size + (nv + nc) + 4 * nv + 3 * nc + 8 + 6 * (size_t)m->n_nodes + (size_t)m->n_variables,
      sizeof *s->x);
  if (!s->x) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->kept_past = false;
  s->x_next = s->x + size;
  s->out.x_between = s->x_next + size;
  s->r = s->out.x_between + size;
  s->d = s->r + nv + nc;
  s->u = s->d + nv; /* generalized-alpha also uses a second half of this array */
  s->out.vd = s->u + 2 * nv;
  s->y = s->out.vd + nv;
  s->out.lambda = s->y + nc;
  s->full = s->out.lambda + nc;
  s->out.load = (double(*)[6])(s->full + nc + 8);
  s->out.variable = (double *)(s->out.load + m->n_nodes);
  return HK_OK;
}

hk_status hk_beginning_keep(const hk_sim *s, hk_beginning *b, hk_error *err) {
  int size = s->model->at.size;
  *b = (hk_beginning){
      .x = malloc((size_t)size * sizeof *b->x), .stats = s->stats, .quality = s->quality};
  if (!b->x) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_copy(b->x, s->x, size);
  return HK_OK;
}

void hk_beginning_free(hk_beginning *b) {
  free(b->x);
  b->x = NULL;
}

static hk_status change_stepper(hk_sim *s, const hk_type *stepper, const hk_sim_options *options,
                                hk_error *err) {
  hk_sim_options o = options ? *options : (hk_sim_options){0};
  if (s->own) hk_integrator_of(s)->destroy(s);
  free(s->parameter);
  s->own = s->parameter = NULL;
  o.stepper = stepper->name;
  hk_status status = hk_sim_choose(s, &o, NULL, err);
  if (!status) status = hk_sim_make_states(s, err);
  free(s->judge.block); /* depends on the tolerances */
  s->judge = (hk_contact_judge){0};
  return status ? status : hk_contact_judge_create(s, err);
}

hk_status hk_beginning_return(hk_sim *s, const hk_beginning *b, const hk_type *stepper,
                              const hk_sim_options *options, hk_error *err) {
  const hk_model *m = s->model;
  hk_status status = change_stepper(s, stepper, options, err);
  if (status) return status;
  hk_copy(s->x, b->x, m->at.size);
  *hk_control_wanted(s, s->x) = hk_first_step(s);
  if (hk_integrator_of(s)->restart) hk_integrator_of(s)->restart(s, s->x);
  hk_copy(s->out.vd, s->x + m->at.vd, m->nv);
  hk_copy(s->out.lambda, s->x + m->at.lambda, m->nc);
  s->out.have_accelerations = true;
  s->out.have_frames = s->out.have_loads = s->out.have_variables = s->out.have_step = false;
  status = hk_sim_follow_state(s, err);
  s->stats = b->stats;
  hk_quality_again(s, &b->quality);
  if (!status && hk_integrator_of(s)->create) status = hk_integrator_of(s)->create(s, err);
  return status;
}
