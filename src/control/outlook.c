/* See outlook.h. */
#include "control/outlook.h"
#include <math.h>

/* steps_ahead: number of steps that one evaluation of the range covers. much_shorter: the range is evaluated again,
 * over a shorter time, if the ratio of the present step to the earlier one is below this value. Over a time that is
 * long compared with the steps, few expressions are monotonic. */
static const double steps_ahead = 32, much_shorter = 0.25;

static hk_flow flow_between(const hk_expr *e, double from, double to) {
  const hk_flow time = {from, to, 1, 1, .known = true};
  return hk_expr_flow(e, &time);
}

const hk_flow *hk_outlook_over(hk_outlook *k, const hk_expr *e, double from, double to) {
  bool covered = k->from <= from && to <= k->until;
  if (covered && !(to - from < much_shorter * k->step)) return &k->flow;
  k->from = from, k->until = INFINITY, k->step = 0;
  k->flow =
      flow_between(e, from, INFINITY); /* after a ramp, an expression often remains constant */
  if (k->flow.lo == k->flow.hi) return &k->flow;
  k->step = to - from;
  k->until = from + steps_ahead * k->step;
  k->flow = flow_between(e, from, k->until);
  return &k->flow;
}
