/* Amplitude of an order: amplitude of a sine that occurs the given number of times per revolution of a
 * shaft.
 *
 * Integrals are taken over the angle of the shaft instead of time: 2/Phi |integral of (y - mean)
 * exp(i n angle) dangle| over all complete revolutions in the window, counted from its start, or over
 * the whole angle if it is less than one revolution. The angle is linear between samples, the value is
 * linear or a parabola; for these the integrals are exact. */
#include "measure/measure.h"
#include <math.h>

void hk_measure_set_order(hk_measure *m, double order) { m->turn.order = order; }
void hk_measure_set_angle(hk_measure *m, double angle) { m->turn.angle = angle; }

double hk_measure_area(const hk_measure_piece *p) {
  return (p->hi - p->lo) * (0.5 * (p->ya + p->yb) + 2.0 / 3 * p->bow);
}

void hk_measure_wave(double omega, const hk_measure_piece *p, double *c, double *s) {
  double h = p->hi - p->lo, x = 0.5 * omega * h, phase = omega * 0.5 * (p->lo + p->hi);
  double sinc = fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x;
  double odd = fabs(x) < 1e-2 ? x / 3 * (1 - x * x / 10) : (sinc - cos(x)) / x;
  double bowed = fabs(x) < 1e-2 ? 2.0 / 3 * (1 - x * x / 10) : 2 * odd / x;
  double even = (0.5 * (p->ya + p->yb) * sinc + p->bow * bowed) * h,
         tilt = 0.5 * (p->yb - p->ya) * odd * h;
  *c = even * cos(phase) - tilt * sin(phase);
  *s = even * sin(phase) + tilt * cos(phase);
}

static void add(hk_turn_sums *k, double order, const hk_measure_piece *p) {
  double c, s;
  hk_measure_wave(order, p, &c, &s);
  k->co += c, k->si += s, k->sum += hk_measure_area(p);
}

/* Divides a part of the curve at `mark`; returns what is before `mark`, and keeps the rest. */
static hk_measure_piece cut_off(hk_measure_piece *p, double mark) {
  double share = (mark - p->lo) / (p->hi - p->lo), rest = 1 - share;
  double y = p->ya + (p->yb - p->ya) * share + 4 * p->bow * share * rest;
  hk_measure_piece before = {p->lo, mark, p->ya, y, p->bow * share * share};
  *p = (hk_measure_piece){mark, p->hi, y, p->yb, p->bow * rest * rest};
  return before;
}

void hk_measure_add_turn(hk_measure *m, const hk_measure_piece *piece) {
  hk_measure_turn *t = &m->turn;
  double from = piece->lo, to = piece->hi;
  if (from == to) return;
  if (t->way == 0) t->way = to > from ? 1 : -1, t->start = from;
  /* Angles from the start, positive in the direction of rotation; the curve between two samples is divided at complete
   * revolutions. */
  hk_measure_piece p = *piece;
  p.lo = t->way * (from - t->start), p.hi = t->way * (to - t->start);
  for (double mark = t->whole + 2 * M_PI; p.hi > p.lo && mark <= p.hi; mark += 2 * M_PI) {
    const hk_measure_piece before = cut_off(&p, mark);
    add(&t->now, t->order, &before);
    t->whole = mark;
    t->at_whole = t->now;
  }
  if (p.hi != p.lo) add(&t->now, t->order, &p);
  t->end = p.hi;
}

double hk_measure_order_value(const hk_measure *m) {
  const hk_measure_turn *t = &m->turn;
  const hk_turn_sums *k = t->whole > 0 ? &t->at_whole : &t->now;
  double span = t->whole > 0 ? t->whole : t->end, n = t->order;
  if (!(span > 0)) return 0;
  double mean = k->sum / span;
  return 2 / span * hypot(k->co - mean * sin(n * span) / n, k->si + mean * (cos(n * span) - 1) / n);
}
