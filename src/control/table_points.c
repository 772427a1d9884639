/* Tables read along the motion: steps must not pass over several of their points. */
#include "control/source.h"
#include "sim/table_lookup.h"

static bool present(const hk_sim *s) { return s->model->n_lookups > 0; }

/* A shorter step passes fewer points of the table, in proportion to its length. If it still passes this fraction of
 * the points of the longer step, the argument jumps, as mod(angle, 2*pi) does. The motion does not pass the table
 * points between the two arguments, and the scan of the step determines whether the jump is significant. */
static const double jumps = 0.8;

/* Shortens a step that passes more points than the table allows; the next step is limited in any case. */
static hk_seen look(hk_sim *s, bool good, bool may_meet, double *end, double *next) {
  static const double safety = 0.9;
  double pace = good ? hk_lookups_pace(s, s->x) : 0;
  (void)may_meet;
  if (!(pace > 0)) return HK_SEEN_NOTHING;
  hk_table_try *before = &s->table_try, now = {s->x[s->model->at.t], *end, pace};
  if (before->t == now.t && now.h < before->h && pace > jumps * before->pace)
    return HK_SEEN_NOTHING;
  *before = now;
  *next = fmin(*next, safety * *end / pace);
  if (pace <= 1 || hk_integrator_can(s, HK_IMPACTS))
    return HK_SEEN_NOTHING; /* such integrators choose their steps themselves */
  *end *= safety / pace;
  return HK_SEEN_EARLIER;
}

static void accept(hk_sim *s, double h) {
  (void)h;
  hk_lookups_accept(s, s->x);
}

const hk_source hk_source_table = {
    .what = "the points of a table", .present = present, .look = look, .accept = accept};
