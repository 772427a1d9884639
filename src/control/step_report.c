/* Report of the last step: see hk_step_report in hooke/sim.h. */
#include "control/breakpoint.h"
#include "sim/sim.h"

static long impacts_of(const hk_model *m, const double *x) {
  double sum = 0;
  for (int i = 0; i < m->n_points; i++) sum += x[m->at.touch + i * HK_N_TOUCH + HK_TOUCH_IMPACTS];
  return (long)sum;
}

/* Returns true if the step contains an impact: its length is 0, or a time-stepping method applied an impact impulse
 * within the step. */
static bool velocities_jumped(const hk_sim *s, const hk_step_report *r) {
  return s->out.have_step && ((r->end == r->start && s->stats.steps > 0) || r->impacts > 0);
}

void hk_sim_last_step(const hk_sim *s, hk_step_report *out) {
  if (!out) return;
  *out = (hk_step_report){.limit = ""};
  if (!s) return;
  const hk_model *m = s->model;
  double now = s->x[m->at.t];
  *out = (hk_step_report){.start = hk_sim_step_start(s), .end = now, .limit = hk_sim_step_limit(s)};
  if (s->out.have_step) out->impacts = impacts_of(m, s->x) - impacts_of(m, s->x_next);
  out->jump = velocities_jumped(s, out);
  out->next_breakpoint = hk_sim_adapts(s) ? hk_breakpoint_due(s) : INFINITY;
  if (!(out->next_breakpoint > now)) out->next_breakpoint = INFINITY;
}
