/* Amplitude of an order: of a sine that comes so many times per turn of a shaft.
 *
 * Over the shaft's angle, instead of over time: 2/Phi |integral of (y - mean) exp(i n angle) dangle| over the
 * last whole turn that the window has, counted from where it begins; over all of the angle if it is less than
 * one turn.  Both value and angle are straight between samples, for which the integrals are exact.
 */
#include "measure/measure.h"
#include <math.h>

void hk_measure_set_order(hk_measure *m, double order) { m->turn.order = order; }
void hk_measure_set_angle(hk_measure *m, double angle) { m->turn.angle = angle; }

void hk_measure_wave(double omega, double lo, double hi, double ya, double yb, double *c,
                     double *s) {
  double h = hi - lo, x = 0.5 * omega * h, phase = omega * 0.5 * (lo + hi);
  double sinc = fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x;
  double odd = fabs(x) < 1e-2 ? x / 3 * (1 - x * x / 10) : (sinc - cos(x)) / x;
  double even = 0.5 * (ya + yb) * sinc * h, tilt = 0.5 * (yb - ya) * odd * h;
  *c = even * cos(phase) - tilt * sin(phase);
  *s = even * sin(phase) + tilt * cos(phase);
}

static void add(hk_turn_sums *k, double order, double from, double to, double ya, double yb) {
  double c, s;
  hk_measure_wave(order, from, to, ya, yb, &c, &s);
  k->co += c, k->si += s, k->sum += 0.5 * (ya + yb) * (to - from);
}

void hk_measure_add_turn(hk_measure *m, double from, double to, double ya, double yb) {
  hk_measure_turn *t = &m->turn;
  if (from == to) return;
  if (t->way == 0) t->way = to > from ? 1 : -1, t->start = from;
  /* Angles from the start, positive ahead; whole turns are cut out. */
  double a = t->way * (from - t->start), b = t->way * (to - t->start);
  for (double mark = t->whole + 2 * M_PI; b > a && mark <= b; mark += 2 * M_PI) {
    double y = ya + (yb - ya) * (mark - a) / (b - a);
    add(&t->now, t->order, a, mark, ya, y);
    a = mark, ya = y;
    t->whole = mark;
    t->at_whole = t->now;
  }
  if (b != a) add(&t->now, t->order, a, b, ya, yb);
  t->end = b;
}

double hk_measure_order_value(const hk_measure *m) {
  const hk_measure_turn *t = &m->turn;
  const hk_turn_sums *k = t->whole > 0 ? &t->at_whole : &t->now;
  double span = t->whole > 0 ? t->whole : t->end, n = t->order;
  if (!(span > 0)) return 0;
  double mean = k->sum / span;
  return 2 / span * hypot(k->co - mean * sin(n * span) / n, k->si + mean * (cos(n * span) - 1) / n);
}
