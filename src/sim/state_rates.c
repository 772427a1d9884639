/* Rates of states without a previous step: at the start and after a jump of an input. */
#include "sim/sim.h"

/* z' = rate; the expression may read rates of other states: all are evaluated repeatedly until they no longer change. */
hk_status hk_states_begin(hk_sim *s, double *x, hk_error *err) {
  const hk_model *m = s->model;
  double *v = x + m->at.v, change = 0;
  if (m->n_states == 0) return HK_OK;
  for (int pass = 0; pass <= m->n_states + 50; pass++) {
    const hk_instant in = hk_instant_last(m, x, x + m->at.lambda);
    hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
    if (hk_forces(s->work, &in)) return hk_work_failed(s->work, err);
    change = 0;
    for (int i = 0; i < m->n_states; i++) { /* the force on a state's node is rate - v */
      int at = m->node[m->state[i].node].v;
      double size = fabs(v[at]) + fabs(s->work->f[at]);
      change = fmax(change, size > 0 ? fabs(s->work->f[at]) / size : 0);
      v[at] += s->work->f[at];
      if (isfinite(v[at])) continue;
      hk_fail(err, HK_RETRY, "the rate of state '%s' is not finite", m->state[i].name);
      hk_error_about(err, m->state[i].name, x[m->at.t], -1);
      return HK_RETRY;
    }
    if (change <= 1e-14) return HK_OK;
  }
  if (change <= 1e-10) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the rates of states depend on each other in a cycle that has no solution");
}
