/* Set-valued contacts in static analyses.
 *
 * The force of a closed set-valued contact follows from the motion and is not a function of the position. So the
 * contact has no stiffness, and an equilibrium with this force cannot be computed from hk_forces. An open contact has
 * no influence. */
#include "setup/equilibrium_residual.h"

static double smallest_gap(const hk_work *w, const hk_contact *c) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  hk_gap_rows rows[HK_CONTACT_MAX_POINTS];
  double least = INFINITY;
  if (c->gap->rows)
    c->gap->rows(c->k, A, B, rows);
  else
    c->gap->eval(c->k, A, B, -INFINITY, false, gap);
  for (int i = 0; i < c->n_points; i++)
    least = fmin(least, c->gap->rows ? rows[i].gap : gap[i].gap);
  return least;
}

hk_status hk_balance_refuse_closed(hk_sim *sim, hk_error *err) {
  const hk_model *m = sim->model;
  const hk_instant in = hk_instant_at(m, sim->x);
  if (!m->set_valued) return HK_OK;
  hk_kinematics(sim->work, &in, HK_FRAMES_MOVING);
  sim->out.have_frames = false;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (!c->law->set_valued || smallest_gap(sim->work, c) > 1e-9 * m->length) continue;
    hk_fail(err, HK_EINPUT,
            "contact '%s' is closed and follows the set-valued law '%s' (%s), which has no force "
            "as a function of the position: equilibrium and linear analysis need a compliant law, "
            "such as hertz",
            c->name, c->law_item->name, c->law_item->type->name);
    hk_error_about(err, c->name, sim->x[m->at.t], -1);
    return HK_EINPUT;
  }
  return HK_OK;
}
