/* Message if no step succeeds: see failure.h. */
#include "control/failure.h"
#include "sim/table_lookup.h"
#include "solve/contact_problem.h"
#include <stdio.h>

/* The equation with the largest remaining residual of the last attempt (s->r).  Returns its node, or -1. */
static int name_worst_equation(const hk_sim *s, char *text, size_t size, int *constraint_row) {
  const hk_model *m = s->model;
  int row = -1, node = -1;
  *constraint_row = -1;
  hk_max_abs(s->r, s->system->n, &row);
  snprintf(text, size, "the equations of motion");
  for (int i = 0; i < m->n_nodes; i++)
    if (row >= m->node[i].v && row < m->node[i].v + m->node[i].nv) {
      bool state = m->node[i].type->number;
      snprintf(text, size, "the %s%s of %s '%s'",
               m->node[i].coordinate[row - m->node[i].v].equation, state ? "" : " balance",
               state ? "state" : "body", m->node[i].name);
      node = i;
    }
  for (int r = 0; r < m->nc; r++)
    if (row >= m->nv && s->kept[r] && s->system->row_at[r] == row) {
      hk_model_row_text(m, r, text, size);
      *constraint_row = r;
    }
  return node;
}

/* Finds the contact with the largest force on a node, and its law; NULL: no contact is closed. */
static const hk_contact *hardest_contact(const hk_sim *s, int node, int *point) {
  const hk_model *m = s->model;
  const hk_contact *found = NULL;
  double most = 0;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    if (c->law->set_valued || !(s->work->touch[i].N > most)) continue;
    if (m->marker[c->a].node != node && m->marker[c->b].node != node) continue;
    most = s->work->touch[i].N;
    found = c;
    *point = i - c->point;
  }
  return found;
}

/* The element with a force that was not finite at the end of the last attempt, or NULL. */
static const hk_item *find_not_finite(hk_sim *s, double h) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x_next), before = hk_instant_at(m, s->x);
  in.h = h;
  if (!isfinite(hk_max_abs(in.q, m->nq, NULL) + hk_max_abs(in.v, m->nv, NULL)))
    in.q = before.q,
    /* the new state is not finite either: use the forces at the start of the step */
        in.v = before.v;
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  return hk_forces_not_finite(s->work, &in);
}

static hk_status about(hk_error *err, const char *element, int row, hk_status status) {
  hk_error_about(err, element, NAN, row);
  return status;
}

/* Message if the contact solver failed. It names the contact with the largest impulse of the last attempt. */
static hk_status impulses_not_found(const hk_sim *s, double h, hk_error *err) {
  const hk_model *m = s->model;
  const char *name = NULL;
  double most = -1;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    double N = fabs(s->x_next[m->at.touch + i * HK_N_TOUCH + HK_TOUCH_IMPULSE_N]);
    if (c->law->set_valued && N > most) most = N, name = c->name;
  }
  return about(
      err, name, -1,
      hk_fail(err, HK_EFAIL,
              "no step succeeds at t = %.9g s, even with h = %.3g s: the impulses of the contacts "
              "cannot be found: their equations have a residual of %.2g, the largest at contact "
              "'%s'. Try less friction, another step, or look for contacts that press against each "
              "other",
              s->x[m->at.t], h, s->stats.contact_merit, name ? name : ""));
}

hk_status hk_step_failed(hk_sim *s, double h, const char *why, hk_error *err) {
  char where[600];
  int row = -1;
  const hk_item *reader = NULL;
  if (!why &&
      (reader = hk_lookups_explain(s->model, s->work->variable, false, where, sizeof where)))
    why = where;
  const hk_item *e = s->work->failure.item ? s->work->failure.item
                     : why                 ? NULL
                                           : find_not_finite(s, h);
  if (e)
    return about(
        err, e->name, -1,
        hk_fail(
            err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s '%s' (%s): %s",
            s->x[s->model->at.t], h, hk_category_name(e->type->category), e->name, e->type->name,
            s->work->failure.item ? s->work->failure.what : "its force is not a finite number"));
  if (why)
    return about(err, reader ? reader->name : NULL, -1,
                 hk_fail(err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s",
                         s->x[s->model->at.t], h, why));
  if (s->stats.contact_merit > HK_CONTACT_TOL) return impulses_not_found(s, h, err);
  if (hk_explain_later_conflict(s, 1e-3 * fmax(s->option.duration, 1e-3), where, sizeof where))
    return hk_fail(
        err, HK_EFAIL,
        "no step succeeds at t = %.9g s: from here on %s. Remove one of them or make them agree",
        s->x[s->model->at.t], where);
  if (hk_explain_dead_point(s, where, sizeof where))
    return hk_fail(err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s",
                   s->x[s->model->at.t], h, where);
  int point = 0, node = name_worst_equation(s, where, sizeof where, &row);
  const hk_contact *c = node < 0 ? NULL : hardest_contact(s, node, &point);
  if (c)
    return about(
        err, c->name, -1,
        hk_fail(err, HK_EFAIL,
                "no step succeeds at t = %.9g s, even with h = %.3g s; the equation with the "
                "largest residual is %s, loaded "
                "most by contact '%s%s%s' between '%s' and '%s' (%.4g N). Try more damping or a "
                "larger friction_velocity in law '%s', or a smaller max_step or min_step",
                s->x[s->model->at.t], h, where, c->name, c->gap->point_names ? "." : "",
                c->gap->point_names ? c->gap->point_names[point] : "",
                ((const hk_contact_common *)c->item->data)->a,
                ((const hk_contact_common *)c->item->data)->b, s->work->touch[c->point + point].N,
                c->law_item->name));
  const char *name = node >= 0  ? s->model->node[node].name
                     : row >= 0 ? s->model->constraint[s->model->row_constraint[row]].name
                                : NULL;
  return about(
      err, name, row,
      hk_fail(err, HK_EFAIL,
              "no step succeeds at t = %.9g s, even with h = %.3g s; the equation with the largest "
              "residual is %s. Try a smaller max_step, a larger rtol or more damping, or look for "
              "a jump in a load or motion at this time",
              s->x[s->model->at.t], h, where));
}
