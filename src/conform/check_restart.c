/* The state is complete: a state saved during a run and restored into a new simulation, with NaN in its scratch
 * memory, has the same future to the last bit. */
#include "conform/checks.h"
#include "sim/sim.h"
#include <string.h>

enum { BEFORE = 5, AFTER = 6 };

static void check(hk_trial *t, const hk_between *at) {
  const hk_type *type = t->type;
  hk_model *m;
  hk_error err = {0};
  hk_sim *run = hk_check_moving(t, at, &m);
  for (int i = 0; i < BEFORE; i++)
    if (hk_sim_step(run, 1e9, &err)) hk_trial_fail(t, "%s", err.text);
  hk_sim *fresh = hk_subject_sim(t, m, &(hk_sim_options){.step = 2e-3});
  double *saved = hk_trial_room(t, hk_sim_state_size(run), 1);
  hk_sim_state_get(run, saved);
  if (hk_sim_state_set(fresh, saved)) hk_trial_fail(t, "a state cannot be restored");
  for (int i = 0; i < AFTER; i++) {
    hk_status status = hk_sim_step(run, 1e9, &err);
    hk_sim_poison(fresh);
    if (hk_sim_step(fresh, 1e9, &err) != status)
      hk_trial_fail(t, "%s '%s': a restored run ends differently: %s",
                    hk_category_name(type->category), type->name, err.text);
    if (status) break; /* of both */
    for (int k = 0; k < run->state_size; k++)
      if (memcmp(run->x + k, fresh->x + k, sizeof *run->x) != 0)
        hk_trial_fail(
            t, "%s '%s': a restored run differs: entry %d of the state is %.17g and %.17g at %g s",
            hk_category_name(type->category), type->name, k, run->x[k], fresh->x[k],
            hk_sim_time(run));
  }
}

void hk_check_restart(hk_trial *t) {
  const bool force = t->type->category == HK_FORCE;
  t->turn = HK_MILD_TURN;
  hk_subject_repeat(t, 4, 70,
                    &(hk_between){t->type->category == HK_MOTION ? HK_ON_GROUND : HK_ON_BODY,
                                  HK_ON_BODY, true, force},
                    check);
}
