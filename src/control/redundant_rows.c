/* Redundant rows of the joints during a run: see redundant_rows.h. */
#include "control/redundant_rows.h"

/* Largest violation of rows omitted as redundant, which must stay satisfied. */
bool hk_rows_broken(const hk_sim *s) {
  const hk_model *m = s->model;
  if (s->stats.redundant == 0) return false;
  double tolerance = 1e-10 * fmax(1, m->length);
  for (int r = 0; r < m->nc; r++)
    if (!s->kept[r] && !(fabs(s->work->g[r]) <= tolerance)) return true;
  return false;
}

hk_status hk_rows_take_back(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  int before = s->stats.redundant;
  const hk_instant in = hk_instant_at(m, s->x_next);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  hk_status status = hk_find_redundancy(s, NULL, err);
  if (status) return status;
  if (s->stats.redundant >= before) {
    char text[600] = "the mechanism jams or leaves a singular position";
    int row = hk_explain_conflict(s, s->work->g, false, text, sizeof text);
    hk_fail(err, HK_EFAIL, "at t = %.9g s constraints that were redundant no longer agree: %s%s",
            s->x[m->at.t], text,
            s->stats.steps == 0 ? "; if the mechanism is at a dead point, start next to it" : "");
    return hk_blame_row(s, row, HK_EFAIL, err);
  }
  /* The force of a row that becomes redundant must not remain in the history. */
  s->kept_past = false;
  for (int r = 0; r < m->nc; r++)
    if (!s->kept[r]) s->x[m->at.lambda + r] = s->x[m->at.lambda_shift + r] = 0;
  if (hk_integrator_of(s)->restart) hk_integrator_of(s)->restart(s, s->x);
  return hk_build_systems(s, s->system->full, err);
}
