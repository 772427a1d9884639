/* Percentile of a channel: the value that it does not exceed during a given fraction of the time.
 *
 * The parts of the curve between successive samples, which are parabolas, are stored. The time that a parabola spends
 * below a level is known exactly, and the level is found by bisection. If the number of parts becomes very large, they
 * are replaced by a histogram: the time that the curve spends in each of many equal intervals of the value. So the
 * amount of memory is limited; the error is then far below the width of an interval. */
#include "measure/measure.h"
#include <math.h>
#include <stdlib.h>

enum {
  FIRST = 1024,     /* number of parts of the curve in the first allocation */
  MOST = 1 << 20,   /* largest number of parts that are stored */
  STEPS = 1 << 18,  /* number of intervals of the histogram that replaces them */
  MOST_LINES = 256, /* lines for one parabola */
  HALVES = 200      /* bisections, at most */
};

void hk_measure_set_share(hk_measure *m, double share) { m->share = share; }

void hk_measure_free(hk_measure *m) {
  free(m->pile.piece);
  m->pile = (hk_measure_pile){0};
}

/* Fraction of the duration of a part of the curve between its start and the relative time `s`, limited to 0 ... 1. */
static double clip(double s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

/* Fraction of the duration of a part of the curve during which its value is at or below the level. The part is the
 * parabola
 *   y = ya + (yb - ya + 4 bow) s - 4 bow s^2,   s = 0 ... 1 */
static double share_below(const hk_measure_stay *p, double level) {
  double a = -4 * p->bow, b = p->yb - p->ya + 4 * p->bow, c = p->ya - level;
  double top = b * b / (4 * fabs(a)); /* infinite or NaN for a straight line */
  if (!(fabs(a) > 1e-12 * (fabs(b) + fabs(c))) || !isfinite(top)) {
    if (b == 0) return c <= 0;
    double s = clip(-c / b);
    return b > 0 ? s : 1 - s;
  }
  double root = b * b - 4 * a * c;
  /* the parabola does not cross the level: its maximum is below it, or its minimum is above it */
  if (root <= 0) return a < 0;
  double q = -0.5 * (b + copysign(sqrt(root), b)), s1 = q / a, s2 = q != 0 ? c / q : 0;
  double lo = clip(fmin(s1, s2)), hi = clip(fmax(s1, s2));
  return a > 0 ? hi - lo : 1 - (hi - lo);
}

static double time_below(const hk_measure_pile *pile, double level) {
  double sum = 0;
  for (int64_t i = 0; i < pile->n; i++)
    sum += pile->piece[i].time * share_below(&pile->piece[i], level);
  return sum;
}

/* Histogram of the time over intervals of the value: the time in interval i is own[i] plus the sum of rate[0 ... i]. */
typedef struct distribution {
  double least, step;
  double own[STEPS], rate[STEPS + 1];
} distribution;

/* Adds a straight line, which spends the same time in each interval of the histogram that it crosses. */
static void add_line(distribution *d, double time, double ya, double yb) {
  double lo = (fmin(ya, yb) - d->least) / d->step, hi = (fmax(ya, yb) - d->least) / d->step;
  int first = (int)fmin(fmax(lo, 0), STEPS - 1), last = (int)fmin(fmax(hi, 0), STEPS - 1);
  if (first == last) {
    d->own[first] += time;
    return;
  }
  double rate = time / (hi - lo);
  d->own[first] += (first + 1 - lo) * rate;
  d->own[last] += (hi - last) * rate;
  d->rate[first + 1] += rate;
  d->rate[last] -= rate;
}

/* Adds a parabola as straight lines. The number of lines is so large that their distance from the parabola is less
 * than one interval of the histogram. */
static void add_lines(distribution *d, const hk_measure_stay *p) {
  int n = (int)fmin(ceil(sqrt(fabs(p->bow) / d->step)), MOST_LINES);
  if (n < 1) n = 1;
  double before = p->ya;
  for (int i = 1; i <= n; i++) {
    double s = (double)i / n, y = p->ya + s * (p->yb - p->ya) + 4 * s * (1 - s) * p->bow;
    add_line(d, p->time / n, before, y);
    before = y;
  }
}

static void condense(hk_measure *m) {
  hk_measure_pile *pile = &m->pile;
  distribution *d = calloc(1, sizeof *d);
  if (!d) {
    pile->lost = true;
    return;
  }
  d->least = m->min;
  d->step = m->max > m->min ? (m->max - m->min) / STEPS : 1;
  for (int64_t i = 0; i < pile->n; i++) add_lines(d, &pile->piece[i]);
  pile->n = 0;
  double rate = 0;
  for (int i = 0; i < STEPS; i++) {
    rate += d->rate[i];
    double time = d->own[i] + rate, y = d->least + i * d->step;
    if (time > 0)
      pile->piece[pile->n++] = (hk_measure_stay){time, y, m->max > m->min ? y + d->step : y, 0};
  }
  free(d);
}

void hk_measure_add_stay(hk_measure *m, const hk_measure_piece *p) {
  hk_measure_pile *pile = &m->pile;
  if (!(p->hi > p->lo) || pile->lost) return;
  if (pile->n == MOST) condense(m);
  if (pile->n == pile->room) {
    int64_t room = pile->room ? 2 * pile->room : FIRST;
    hk_measure_stay *piece = realloc(pile->piece, (size_t)room * sizeof *piece);
    if (!piece) {
      pile->lost = true;
      return;
    }
    pile->piece = piece, pile->room = room;
  }
  pile->piece[pile->n++] = (hk_measure_stay){p->hi - p->lo, p->ya, p->yb, p->bow};
}

double hk_measure_percentile_value(const hk_measure *m) {
  double lo = m->min, hi = m->max, whole = 0;
  for (int64_t i = 0; i < m->pile.n; i++) whole += m->pile.piece[i].time;
  if (!(whole > 0)) return m->last_y;
  if (m->share <= 0) return lo;
  if (m->share >= 1) return hi;
  if (time_below(&m->pile, lo) >= m->share * whole) return lo;
  /* a tolerance is needed near zero only; elsewhere bisection ends at adjacent doubles before */
  double least = 1e-16 * (hi - lo);
  for (int k = 0; k < HALVES && hi - lo > least; k++) {
    double middle = lo + 0.5 * (hi - lo);
    if (!(middle > lo && middle < hi)) break;
    if (time_below(&m->pile, middle) >= m->share * whole)
      hi = middle;
    else
      lo = middle;
  }
  return lo <= 0 && hi >= 0 ? 0 : hi;
}
