/* A model as a differential equation: see continuous.h. */
#include "integrator/continuous.h"
#include "control/redundant_rows.h"
#include "core/contact.h"
#include "model/layout.h"
#include "node/dispatch.h"
#include "sim/output.h"
#include <hooke/integrator.h>

hk_status hk_continuous_supports(const hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (!c->law->set_valued) continue;
    hk_fail(
        err, HK_EINPUT,
        "contact '%s' with the law '%s' (%s) makes velocities jump, so other integrators cannot "
        "integrate the model as a differential equation; use a compliant law, or co-simulation",
        c->name, c->law_item->name, c->law_item->type->name);
    hk_error_about(err, c->name, NAN, -1);
    return HK_EINPUT;
  }
  for (int i = 0; i < m->n_forces && m->n_moving; i++) {
    const hk_force *f = &m->force[i];
    if (f->n_memory == 0 || f->ops->memory_smooth) continue;
    hk_fail(err, HK_EINPUT,
            "force '%s' (%s) depends on earlier steps, so other integrators cannot integrate the "
            "model as a differential equation; use co-simulation",
            f->name, f->item->type->name);
    hk_error_about(err, f->name, NAN, -1);
    return HK_EINPUT;
  }
  if (m->n_moving)
    return hk_fail(err, HK_EINPUT,
                   "a contact law depends on earlier steps, so other integrators cannot integrate "
                   "the model as a differential equation; use co-simulation");
  if (hk_integrator_of(s)->accelerations || hk_integrator_can(s, HK_MEANS))
    return hk_fail(err, HK_EINPUT,
                   "the accelerations of the '%s' stepper are mean values over its steps; set "
                   "another stepper in the analysis",
                   s->stepper->name);
  return HK_OK;
}

/* ---- the states ---- */

/* Number of velocities that are states: all velocities except those of `state` items. */
static bool has_velocity(const hk_node *n) { return !n->type->number; }

int hk_continuous_count(const hk_model *m) { return m->nq + m->nv - m->n_states; }

/* Index of velocity state i in v. */
static int velocity_at(const hk_model *m, int i) {
  const hk_node *n = m->node;
  for (;; n++) {
    if (!has_velocity(n)) continue;
    if (i < n->nv) return n->v + i;
    i -= n->nv;
  }
}

void hk_continuous_entry(const hk_model *m, int i, bool rate, hk_state_entry *out) {
  bool position = i < m->nq;
  int at = position ? i : velocity_at(m, i - m->nq);
  hk_layout_entry(m, (position ? m->at.q : m->at.v) + at, out);
  if (!rate) return;
  const char *const unit[][2] = {
      {"m", "m/s"}, {"rad", "rad/s"}, {"1", "1/s"}, {"m/s", "m/s^2"}, {"rad/s", "rad/s^2"}};
  for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
    if (strcmp(out->unit, unit[k][0]) == 0) {
      out->unit = unit[k][1];
      return;
    }
}

double hk_continuous_nominal(const hk_model *m, int i) {
  hk_state_entry e;
  hk_continuous_entry(m, i, false, &e);
  return *e.unit == 'm' && m->length > 0 ? m->length : 1;
}

void hk_continuous_get(const hk_sim *s, double *x) {
  const hk_model *m = s->model;
  hk_copy(x, s->x + m->at.q, m->nq);
  x += m->nq;
  for (const hk_node *n = m->node; n < m->node + m->n_nodes; n++) {
    if (!has_velocity(n)) continue;
    hk_copy(x, s->x + m->at.v + n->v, n->nv);
    x += n->nv;
  }
}

hk_status hk_continuous_place(hk_sim *s, double t, const double *x, hk_error *err) {
  const hk_model *m = s->model;
  double *q = s->x + m->at.q, *v = s->x + m->at.v;
  s->x[m->at.t] = t;
  s->out.have_accelerations = s->out.have_frames = s->out.have_loads = s->out.have_variables =
      s->out.have_step = false;
  hk_copy(q, x, m->nq);
  hk_zero(v, m->nv);
  const double *from = x + m->nq;
  for (const hk_node *n = m->node; n < m->node + m->n_nodes; n++) {
    if (!has_velocity(n)) continue;
    hk_copy(v + n->v, from, n->nv);
    from += n->nv;
    if (n->turn < 0) continue;
    double *turn = q + n->q + n->turn;
    hk_quat_put(turn, hk_quat_normalize(hk_quat_at(turn)));
  }
  hk_status status = hk_integrator_project(s, s->x);
  if (status)
    return hk_fail(err, status, "at t = %.9g s the joints cannot be closed near the given states",
                   t);
  return hk_states_begin(s, s->x, err);
}

/* ---- the equations ---- */

/* The rate k at which the distance from the constraints decreases. */
static double attraction(const hk_sim *s) {
  const hk_model *m = s->model;
  double most = 0, length = m->length > 0 ? m->length : 1;
  for (const hk_node *n = m->node; n < m->node + m->n_nodes; n++)
    for (int k = 0; k < n->nv && has_velocity(n); k++) {
      double size = fabs(s->x[m->at.v + n->v + k]);
      most = fmax(most, n->coordinate[k].angular ? size : size / length);
    }
  return 2 * most;
}

hk_status hk_continuous_rates(hk_sim *s, const double *x, double *rate, hk_error *err) {
  const hk_model *m = s->model;
  hk_status status = hk_output_accelerations(s, err);
  if (status == HK_RETRY)
    return hk_fail(err, HK_RETRY, "at t = %.9g s there are no finite accelerations", s->x[m->at.t]);
  if (status) return status;
  double *q = s->x + m->at.q, *v = s->x + m->at.v, *a = rate + m->nq, k = attraction(s);
  hk_configuration_rate(m, q, v, rate);
  for (int i = 0; i < m->nq && x; i++) rate[i] -= k * (x[i] - q[i]);
  for (const hk_node *n = m->node; n < m->node + m->n_nodes; n++) {
    if (!has_velocity(n)) continue;
    const double *given = x ? x + (a - rate) : v + n->v;
    for (int i = 0; i < n->nv; i++) a[i] = s->out.vd[n->v + i] - k * (given[i] - v[n->v + i]);
    a += n->nv;
  }
  return HK_OK;
}

double hk_continuous_distance(const hk_sim *s, const double *x) {
  const hk_model *m = s->model;
  const double *q = s->x + m->at.q, *v = s->x + m->at.v;
  double most = 0, pace = fmax(attraction(s), 1);
  for (int i = 0; i < m->nq; i++)
    most = fmax(most, fabs(x[i] - q[i]) / hk_continuous_nominal(m, i));
  for (int i = m->nq; i < hk_continuous_count(m); i++)
    most = fmax(most,
                fabs(x[i] - v[velocity_at(m, i - m->nq)]) / (pace * hk_continuous_nominal(m, i)));
  return most;
}

/* ---- events ---- */

/* Expressions that affect the motion: of forces and states, and of the sensors that these read. */
static int each_switch(const hk_model *m, const double *variable, double *out) {
  int n = 0;
  for (int i = 0; i < m->n_forces; i++)
    for (int k = 0; k < m->force[i].n_expr; k++)
      if (m->force[i].expr[k].expr)
        n += hk_expr_switches(m->force[i].expr[k].expr, variable, out ? out + n : NULL);
  for (int i = 0; i < m->n_step_variables; i++) {
    const hk_channel *c = &m->channel[m->variable_channel[m->step_variable[i]]];
    if (c->owner == HK_OF_SENSOR)
      n += hk_expr_switches(m->sensor[c->index].expr.expr, variable, out ? out + n : NULL);
  }
  return n;
}

int hk_continuous_switch_count(const hk_model *m) {
  return each_switch(m, NULL, NULL) + m->n_points;
}

hk_status hk_continuous_switches(hk_sim *s, double *out, hk_error *err) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  hk_instant in = hk_instant_last(m, s->x, s->out.lambda);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  if (hk_forces(w, &in)) return hk_work_failed(w, err);
  int n = each_switch(m, w->variable, out);
  for (int i = 0; i < m->n_contacts; i++)
    for (int k = 0; k < m->contact[i].n_points; k++)
      out[n++] = w->touch[m->contact[i].point + k].gap - m->contact[i].reach;
  return HK_OK;
}

hk_status hk_continuous_accept(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  /* the next evaluations start from these accelerations and multipliers */
  hk_copy(s->x + m->at.vd, s->out.vd, m->nv);
  hk_copy(s->x + m->at.lambda, s->out.lambda, m->nc);
  const hk_instant in = hk_instant_last(m, s->x, s->x + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraint_values(s->work, &in);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  if (m->n_turns) hk_coordinates_accept(s->work, s->x + m->at.turn);
  hk_memory_accept(s->work, &in, s->x + m->at.memory);
  hk_copy(s->x + m->at.memory_old, s->x + m->at.memory, m->n_memory);
  if (!hk_rows_broken(s)) return HK_OK;
  hk_copy(s->x_next, s->x, s->state_size);
  s->out.have_accelerations = false;
  return hk_rows_take_back(s, err);
}
