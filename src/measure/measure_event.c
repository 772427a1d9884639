/* Events of a channel: crossings of a level, or of equally spaced levels.
 *
 * With u = (y - level)/every a rise from u0 to u1 reaches the whole numbers in (u0, u1], a fall
 * those in [u1, u0): a level that is only touched counts once, and a level at which the value
 * starts does not count. */
#include "measure/measure.h"
#include <math.h>

void hk_measure_set_events(hk_measure *m, const hk_event_rule *rule) { m->rule = *rule; }

/* Number of levels reached between ya and yb, and the first of them. */
static int64_t levels_between(const hk_event_rule *r, double ya, double yb, double *first) {
  bool up = yb > ya;
  if (ya == yb || r->crossing == (up ? HK_CROSSING_FALLING : HK_CROSSING_RISING)) return 0;
  *first = r->level;
  if (!(r->every > 0))
    return up ? ya < r->level && yb >= r->level : ya > r->level && yb <= r->level;
  double u0 = (ya - r->level) / r->every, u1 = (yb - r->level) / r->every;
  double from = up ? floor(u0) : ceil(u0), to = up ? floor(u1) : ceil(u1);
  *first = r->level + (from + (up ? 1 : -1)) * r->every;
  double count = fabs(to - from);
  return count < 9e15 ? (int64_t)count : 0;
}

/* The level of the requested event if it is between ya and yb; otherwise NaN. */
static double asked_level(const hk_measure *m, double ya, double yb, int64_t *count) {
  double first = NAN;
  int64_t left = m->rule.n - m->n_events;
  *count = levels_between(&m->rule, ya, yb, &first);
  if (m->kind != HK_MEASURE_EVENT_TIME || left < 1 || left > *count) return NAN;
  return first + (yb > ya ? 1 : -1) * (double)(left - 1) * m->rule.every;
}

/* Fraction of the interval from sample `a` (0) to sample `b` (1) at which the curve reaches the level. The parabola
 * also uses the sample before `a`, unless there is a jump between this sample and `a`, or this sample is so close to
 * `a` that noise would dominate. */
static double share_at(const hk_measure *m, double ta, double ya, double tb, double yb,
                       double level) {
  double share = (level - ya) / (yb - ya), lo = 0, hi = 1;
  double back = m->has_before && ta == m->last.t ? (m->before.t - ta) / (tb - ta) : 0;
  if (!(back < -0.1) || !isfinite(m->before.y)) return share;
  double bow = (m->before.y - ya - (yb - ya) * back) / (back * (back - 1));
  for (int pass = 0; pass < 60 && hi - lo > 1e-16; pass++) {
    double rest = ya + (yb - ya) * share + bow * share * (share - 1) - level;
    double slope = yb - ya + bow * (2 * share - 1), next = share - rest / slope;
    if (rest == 0) break;
    if ((rest > 0) == (yb > ya))
      hi = share;
    else
      lo = share;
    if (fabs(next - share) <= 1e-15) break;
    share = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  return share;
}

void hk_measure_add_events(hk_measure *m, double ta, double ya, double tb, double yb) {
  int64_t count;
  double level = asked_level(m, ya, yb, &count);
  if (!isnan(level))
    m->event_t = tb > ta ? ta + (tb - ta) * share_at(m, ta, ya, tb, yb, level) : tb;
  m->n_events += count;
}

double hk_measure_event_ahead(const hk_measure *m, double t, double y) {
  int64_t count;
  bool inside = m->any && m->last.t >= m->t0 && t <= m->t1 && t > m->last.t;
  return inside && isfinite(y) ? asked_level(m, m->last.y, y, &count) : NAN;
}
