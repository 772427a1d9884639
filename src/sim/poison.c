/* Fills scratch memory with NaN to expose the use of stale data: a result must depend on the state only. */
#include "core/contact.h"
#include "core/force.h"
#include "core/joint_friction_fast.h"
#include "core/rotor_force.h"
#include "sim/sim.h"
#include <string.h>

void hk_fill_nan(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = NAN;
}

/* Fills the entries of G and gt that hk_constraints computes at x. All other entries are constants of the model, such
 * as the unit matrices in the rows of joints that hold a point. */
static void poison_rows(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  double *constant = w->kept_rows;
  memcpy(constant, w->G, (size_t)m->jacobian_size * sizeof *constant);
  memcpy(constant + m->jacobian_size, w->gt, (size_t)m->nc * sizeof *constant);
  hk_fill_nan(w->G, m->jacobian_size);
  hk_fill_nan(w->gt, m->nc);
  hk_kinematics(w, in, HK_FRAMES_MOVING);
  hk_constraints(w, in);
  for (int i = 0; i < m->jacobian_size; i++) w->G[i] = isnan(w->G[i]) ? constant[i] : NAN;
  for (int i = 0; i < m->nc; i++) w->gt[i] = isnan(w->gt[i]) ? constant[m->jacobian_size + i] : NAN;
}

static void poison_work(hk_work *w, const hk_instant *in) {
  const hk_model *m = w->model;
  poison_rows(w, in);
  hk_fill_nan(&w->R[0].m[0][0], 9 * m->n_nodes);
  hk_fill_nan(w->node_own, m->n_node_own);
  /* frames on the ground are constants of the model and are not overwritten */
  for (int i = 0; i < m->n_markers; i++)
    if (m->marker[i].node != HK_GROUND)
      hk_fill_nan(&w->frame[i].x.x, (int)(sizeof(hk_frame) / sizeof(double)));
  hk_fill_nan(w->g, m->nc);
  hk_fill_nan(w->bias, m->nc);
  hk_fill_nan(w->f, m->nv);
  hk_fill_nan(w->variable, m->n_variables);
  hk_fill_nan(w->scratch, m->n_scratch);
  hk_rotor_force_poison(m, w->rotor_force);
  for (int i = 0; i < m->n_forces; i++) w->timed[i].t = NAN;
  hk_joint_friction_poison(m, w->joint_friction);
  memset(w->ahead, 0xff, (size_t)m->n_forces * sizeof *w->ahead); /* every double becomes NaN */
  hk_fill_nan(&w->touch->gap, m->n_points * (int)(sizeof(hk_contact_eval) / sizeof(double)));
  w->potential = w->dissipated = w->applied = w->kinetic = NAN;
}

static void poison_output(hk_sim *s) {
  const hk_model *m = s->model;
  hk_output *o = &s->out;
  hk_fill_nan(o->vd, m->nv);
  hk_fill_nan(o->lambda, m->nc);
  hk_fill_nan(o->variable, m->n_variables);
  hk_fill_nan(&o->load[0][0], 6 * m->n_nodes);
  hk_fill_nan(o->x_between, s->state_size);
  memset(o->point, 0xff, (size_t)m->n_points * sizeof *o->point); /* every double becomes NaN */
  o->have_accelerations = o->have_frames = o->have_loads = o->have_variables = o->have_step = false;
}

static void poison_judge(const hk_model *m, int batches, hk_contact_judge *j) {
  if (m->n_points == 0) return;
  memset(j->four, 0xff, (size_t)batches * sizeof *j->four); /* every double becomes NaN */
  hk_fill_nan(j->mobility, m->n_points);
  hk_fill_nan(j->off, m->n_points);
  hk_fill_nan(j->energy, m->n_nodes);
}

static void poison_system(hk_system *sys) {
  hk_fill_nan(sys->matrix->value, (int)sys->pattern->n_value);
  hk_linear_solver_poison(sys->solver);
}

void hk_sim_poison(hk_sim *s) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_at(m, s->x);
  poison_work(s->work, &in);
  poison_output(s);
  poison_judge(m, s->work->n_batches, &s->judge);
  poison_system(s->system);
  poison_system(s->index1);
  hk_fill_nan(s->r, m->nv + m->nc);
  hk_fill_nan(s->d, m->nv);
  hk_fill_nan(s->u, 2 * m->nv);
  hk_fill_nan(s->y, m->nc);
  hk_fill_nan(s->full, m->nc);
  hk_fill_nan(s->x_next, s->state_size);
  s->kept_past = false;
  if (hk_integrator_of(s)->poison) hk_integrator_of(s)->poison(s);
}
