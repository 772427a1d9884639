/* Measures of a channel: see measure.h. */
#include "measure/measure.h"
#include <math.h>
#include <string.h>

/* Relative tolerance of times: a run that ends at 0.99999999999 has reached 1. */
static const double TIME_SLACK = 1e-9;
/* If an outer sample is closer than this fraction of the interval, it is more likely due to noise or an event than to
 * curvature: a cubic through it would oscillate. */
static const double MIN_GAP = 0.1;

static double slack(double t) { return isfinite(t) ? TIME_SLACK * fabs(t) : 0; }

static bool is_point(hk_measure_kind kind) {
  return kind == HK_MEASURE_AT || kind == HK_MEASURE_INITIAL || kind == HK_MEASURE_FINAL;
}

/* Returns true if the measure has a point at the start and at the end. */
static bool is_difference(hk_measure_kind kind) {
  return kind == HK_MEASURE_CHANGE || kind == HK_MEASURE_RATE;
}

void hk_measure_init(hk_measure *m, hk_measure_kind kind, double t0, double t1) {
  memset(m, 0, sizeof *m);
  m->kind = kind;
  m->t0 = isnan(t0) && kind != HK_MEASURE_AT ? -INFINITY : t0;
  m->t1 = isnan(t1) ? INFINITY : t1;
  m->min = INFINITY;
  m->max = -INFINITY;
  m->min_t = m->max_t = m->event_t = NAN;
  m->rule.n = 1;
  m->point.kind = is_point(kind) ? kind : HK_MEASURE_INITIAL;
  m->point.at = kind == HK_MEASURE_FINAL ? m->t1 : m->t0;
  m->end.kind = HK_MEASURE_FINAL;
  m->end.at = m->t1;
  m->point.value = m->point.time = m->end.value = m->end.time = NAN;
}

static bool is_event(hk_measure_kind kind) {
  return kind == HK_MEASURE_EVENTS || kind == HK_MEASURE_EVENT_TIME;
}

/* ---- windows ---- */
/* Neumaier's compensated sum: a long run adds millions of small terms. */
static void accumulate(double *sum, double *low, double term) {
  double total = *sum + term;
  *low += fabs(*sum) >= fabs(term) ? (*sum - total) + term : (term - total) + *sum;
  *sum = total;
}

static void include(hk_measure *m, double t, double y) {
  if (m->n_inside++ == 0) m->first_t = t;
  m->last_t = t;
  m->last_y = y;
  if (y < m->min) m->min = y, m->min_t = t;
  if (y > m->max) m->max = y, m->max_t = t;
}

static double on_piece(const hk_measure_node *a, const hk_measure_node *b, double t) {
  if (t <= a->t) return a->y;
  if (t >= b->t) return b->y;
  double s = (t - a->t) / (b->t - a->t);
  return (1 - s) * a->y + s * b->y + 4 * s * (1 - s) * b->bow;
}

/* Includes the extremum of a parabola between its ends. */
static void include_turn(hk_measure *m, const hk_measure_piece *p) {
  double s = 0.5 + (p->yb - p->ya) / (8 * p->bow);
  if (!(s > 0 && s < 1)) return;
  double t = p->lo + s * (p->hi - p->lo),
         y = p->ya + s * (p->yb - p->ya) + 4 * s * (1 - s) * p->bow;
  if (y < m->min) m->min = y, m->min_t = t;
  if (y > m->max) m->max = y, m->max_t = t;
}

/* Integral of the square. */
static double square(const hk_measure_piece *p) {
  double a = p->ya, b = p->yb, c = p->bow;
  return (p->hi - p->lo) * ((a * a + a * b + b * b) / 3 + 2.0 / 3 * c * (a + b) + 8.0 / 15 * c * c);
}

/* Restarts the measure at a jump at the start of the window: only the value after the jump belongs to the window. */
static void restart_window(hk_measure *m) {
  m->n_inside = 0;
  m->pile.n = 0;
  m->co = m->co_low = m->si = m->si_low = 0;
  m->turn = (hk_measure_turn){
      .order = m->turn.order, .angle = m->turn.angle, .last_angle = m->turn.last_angle};
  m->min = INFINITY;
  m->max = -INFINITY;
  m->not_finite = false;
  m->n_events = 0;
  m->event_t = NAN;
}

static void add_harmonic(hk_measure *m, const hk_measure_piece *p) {
  double c, s;
  hk_measure_wave(m->omega, p, &c, &s);
  accumulate(&m->co, &m->co_low, c);
  accumulate(&m->si, &m->si_low, s);
}

/* Returns the angle of the shaft at a time between two samples. */
static double angle_at(const hk_measure *m, const hk_measure_node *a, const hk_measure_node *b,
                       double t) {
  double s = b->t > a->t ? (t - a->t) / (b->t - a->t) : 1;
  return m->turn.last_angle + s * (m->turn.angle - m->turn.last_angle);
}

/* Returns the amplitude; the contribution of a constant over the window is not part of the
 * harmonic. */
static double harmonic_amplitude(const hk_measure *m, double span) {
  double mean = (m->sum + m->sum_low) / span, w = m->omega;
  double c = m->co + m->co_low - mean * (sin(w * m->last_t) - sin(w * m->first_t)) / w;
  double s = m->si + m->si_low + mean * (cos(w * m->last_t) - cos(w * m->first_t)) / w;
  return 2 / span * hypot(c, s);
}

/* Returns the part of the curve from sample `a` to sample `b` that is between the times lo and hi. */
static hk_measure_piece part_of(const hk_measure_node *a, const hk_measure_node *b, double lo,
                                double hi) {
  if (a->t == b->t) return (hk_measure_piece){lo, hi, b->y, b->y, 0};
  double share = (hi - lo) / (b->t - a->t);
  return (hk_measure_piece){lo, hi, on_piece(a, b, lo), on_piece(a, b, hi), share * share * b->bow};
}

/* Adds the part of the curve between the samples `a` and `b` that is in the window. */
static void add_piece(hk_measure *m, const hk_measure_node *a, const hk_measure_node *b) {
  double lo = fmax(a->t, m->t0), hi = fmin(b->t, m->t1);
  bool jump = a->t == b->t;
  if (lo > hi) return;
  if (jump && lo == m->t0) restart_window(m);
  hk_measure_piece p = part_of(a, b, lo, hi);
  if (!isfinite(p.ya) || !isfinite(p.yb)) {
    m->not_finite = true;
    return;
  }
  if (m->n_inside == 0) include(m, lo, p.ya);
  if (p.bow != 0) include_turn(m, &p);
  include(m, hi, p.yb);
  if (is_event(m->kind)) hk_measure_add_events(m, lo, jump && lo > m->t0 ? a->y : p.ya, hi, p.yb);
  switch (m->kind) { /* only the requested quantity is computed, to save time */
    case HK_MEASURE_ORDER:
      p.lo = angle_at(m, a, b, lo), p.hi = angle_at(m, a, b, hi);
      if (!jump) hk_measure_add_turn(m, &p);
      break;
    case HK_MEASURE_HARMONIC:
      add_harmonic(m, &p);
      accumulate(&m->sum, &m->sum_low, hk_measure_area(&p));
      break;
    case HK_MEASURE_MEAN:
    case HK_MEASURE_INTEGRAL:
      accumulate(&m->sum, &m->sum_low, hk_measure_area(&p));
      break;
    case HK_MEASURE_RMS:
      accumulate(&m->sq, &m->sq_low, square(&p));
      break;
    case HK_MEASURE_PERCENTILE:
      hk_measure_add_stay(m, &p);
      break;
    default:
      break;
  }
}

static void add_first(hk_measure *m, const hk_measure_node *a) {
  if (a->t < m->t0 || a->t > m->t1) return;
  if (isfinite(a->y))
    include(m, a->t, a->y);
  else
    m->not_finite = true;
}

/* ---- points ---- */
static double hermite(const hk_measure_node *a, const hk_measure_node *b, double t) {
  double h = b->t - a->t, s = (t - a->t) / h, r = 1 - s;
  return r * r * ((1 + 2 * s) * a->y + s * h * a->rate) +
         s * s * ((1 + 2 * r) * b->y - r * h * b->rate);
}

static double lagrange(const hk_measure_node *node, int n, double t) {
  double y = 0;
  for (int i = 0; i < n; i++) {
    double weight = 1;
    for (int j = 0; j < n; j++)
      if (j != i) weight *= (t - node[j].t) / (node[i].t - node[j].t);
    y += weight * node[i].y;
  }
  return y;
}

/* Value at p->at from the nodes around this time; NaN if the time is outside of the nodes. */
static double interpolate(const hk_measure_point *p) {
  const hk_measure_node *node = p->node;
  int n = p->n_nodes, k = n - p->n_after; /* node[k] is the first node after `at` */
  double t = p->at;
  if (n == 0 || k == 0) return NAN;
  if (node[k - 1].t == t) return node[k - 1].y;
  if (k == n) return t <= node[n - 1].t + slack(t) ? node[n - 1].y : NAN;
  const hk_measure_node *a = &node[k - 1], *b = &node[k];
  if (a->has_rate && b->has_rate) return hermite(a, b, t);
  int first = 0, end = n;
  double gap = MIN_GAP * (b->t - a->t);
  for (int i = k - 1; i > first; i--)
    if (node[i].t - node[i - 1].t < gap) first = i;
  for (int i = k; i + 1 < end; i++)
    if (node[i + 1].t - node[i].t < gap) end = i + 1;
  return lagrange(node + first, end - first, t);
}

static void settle(hk_measure_point *p) {
  p->value = interpolate(p);
  p->time = p->at;
  p->done = true;
}

static void push_node(hk_measure_point *p, double t1, const hk_measure_node *x, bool jump) {
  if (p->done) return;
  if (p->n_nodes == 0 && !jump && x->t > p->at + slack(p->at)) {
    bool starts_here = p->kind == HK_MEASURE_INITIAL && x->t <= t1;
    p->value = starts_here ? x->y : NAN;
    p->time = x->t;
    p->done = true;
    return;
  }
  if (jump && p->n_after > 0) {
    settle(p);
    return;
  }
  if (jump) p->n_nodes = 0;
  if (p->n_nodes == 4) memmove(p->node, p->node + 1, 3 * sizeof *p->node), p->n_nodes = 3;
  p->node[p->n_nodes++] = *x;
  /* If the first sample is within the tolerance of the requested time, it is treated as if it were at this time. */
  if (x->t > p->at && p->n_nodes > 1)
    p->n_after++;
  else if (x->t > p->at)
    p->node[0].t = p->at;
  const hk_measure_node *last = &p->node[p->n_nodes - 1];
  bool hermite_now = p->n_after == 1 && last->has_rate && p->n_nodes > 1 && last[-1].has_rate;
  if (hermite_now || (p->n_after >= 2 && p->n_nodes == 4)) settle(p);
}

/* ---- samples ---- */
static void add_sample(hk_measure *m, hk_measure_node x) {
  if (!isfinite(x.t) || (m->any && x.t < m->seen_t1)) {
    m->unordered = true;
    return;
  }
  bool jump = m->any && x.t == m->seen_t1;
  if (is_point(m->kind) || is_difference(m->kind)) push_node(&m->point, m->t1, &x, jump);
  if (is_difference(m->kind)) push_node(&m->end, m->t1, &x, jump);
  if (is_point(m->kind)) {
    /* Only its point. */
  } else if (m->any) {
    add_piece(m, &m->last, &x);
  } else {
    add_first(m, &x);
  }
  if (!m->any) m->seen_t0 = x.t;
  m->seen_t1 = x.t;
  m->turn.last_angle = m->turn.angle;
  m->has_before = m->any && !jump;
  m->before = m->last;
  m->last = x;
  m->any = true;
}

void hk_measure_set_frequency(hk_measure *m, double omega) { m->omega = omega; }

void hk_measure_add(hk_measure *m, double t, double y) {
  add_sample(m, (hk_measure_node){t, y, 0, false, 0});
}

void hk_measure_add_bowed(hk_measure *m, double t, double y, double bow) {
  add_sample(m, (hk_measure_node){t, y, 0, false, isfinite(bow) ? bow : 0});
}

void hk_measure_add_rate(hk_measure *m, double t, double y, double rate) {
  add_sample(m, (hk_measure_node){t, y, rate, isfinite(rate), 0});
}

/* ---- results ---- */
/* Returns the value at the requested time, as far as it is known now, and its time. */
static double point_value(const hk_measure *m, const hk_measure_point *p, double *time) {
  *time = p->time;
  if (p->done || !m->any) return p->value;
  *time = fmin(p->at, m->last.t);
  double y = interpolate(p);
  bool ended_early = p->kind == HK_MEASURE_FINAL && p->n_after == 0 && m->last.t < p->at;
  return isnan(y) && ended_early && m->last.t >= m->t0 ? m->last.y : y;
}

static double change(const hk_measure *m) {
  double time;
  return point_value(m, &m->end, &time) - point_value(m, &m->point, &time);
}

static bool point_missing(const hk_measure *m) {
  if (!m->any) return true;
  if (m->kind == HK_MEASURE_INITIAL) return m->seen_t0 > m->t1 || m->seen_t1 < m->t0 - slack(m->t0);
  if (m->kind == HK_MEASURE_FINAL) return m->seen_t1 < m->t0 || m->seen_t0 > m->t1 + slack(m->t1);
  double at = m->point.at;
  return at < m->seen_t0 - slack(at) || at > m->seen_t1 + slack(at);
}

hk_measure_state hk_measure_status(const hk_measure *m) {
  bool point = is_point(m->kind);
  double time;
  if (isnan(m->t0) || (m->kind != HK_MEASURE_AT && m->t1 < m->t0)) return HK_MEASURE_BAD_WINDOW;
  if (m->unordered) return HK_MEASURE_UNORDERED;
  if (point ? point_missing(m) : !m->not_finite && m->n_inside == 0) return HK_MEASURE_NO_SAMPLE;
  if (point ? !isfinite(point_value(m, &m->point, &time)) : m->not_finite)
    return HK_MEASURE_NOT_FINITE;
  if (m->pile.lost) return HK_MEASURE_NO_MEMORY;
  if (m->kind == HK_MEASURE_EVENT_TIME)
    return isnan(m->event_t) ? HK_MEASURE_NO_EVENT : HK_MEASURE_OK;
  bool late = isfinite(m->t0) && m->seen_t0 > m->t0 + slack(m->t0);
  bool early = isfinite(m->t1) && m->seen_t1 < m->t1 - slack(m->t1);
  if (m->kind == HK_MEASURE_AT) return HK_MEASURE_OK;
  if (m->kind == HK_MEASURE_INITIAL) return late ? HK_MEASURE_PARTIAL : HK_MEASURE_OK;
  if (m->kind == HK_MEASURE_FINAL) return early ? HK_MEASURE_PARTIAL : HK_MEASURE_OK;
  return late || early ? HK_MEASURE_PARTIAL : HK_MEASURE_OK;
}

double hk_measure_value(const hk_measure *m) {
  double span = m->last_t - m->first_t, time;
  if (hk_measure_status(m) > HK_MEASURE_PARTIAL) return NAN;
  switch (m->kind) {
    case HK_MEASURE_MIN:
      return m->min;
    case HK_MEASURE_MAX:
      return m->max;
    case HK_MEASURE_PEAK_TO_PEAK:
      return m->max - m->min;
    case HK_MEASURE_MAX_ABS:
      return fmax(fabs(m->min), fabs(m->max));
    case HK_MEASURE_INTEGRAL:
      return m->sum + m->sum_low;
    case HK_MEASURE_MEAN:
      return span > 0 ? (m->sum + m->sum_low) / span : m->last_y;
    case HK_MEASURE_CHANGE:
      return change(m);
    case HK_MEASURE_RATE:
      return span > 0 ? change(m) / span : 0;
    case HK_MEASURE_HARMONIC:
      return span > 0 ? harmonic_amplitude(m, span) : 0;
    case HK_MEASURE_ORDER:
      return hk_measure_order_value(m);
    case HK_MEASURE_PERCENTILE:
      return hk_measure_percentile_value(m);
    case HK_MEASURE_EVENTS:
      return (double)m->n_events;
    case HK_MEASURE_EVENT_TIME:
      return m->event_t;
    case HK_MEASURE_RMS:
      return span > 0 ? sqrt((m->sq + m->sq_low) / span) : fabs(m->last_y);
    default:
      return point_value(m, &m->point, &time);
  }
}

double hk_measure_time(const hk_measure *m) {
  double time = NAN;
  if (hk_measure_status(m) > HK_MEASURE_PARTIAL) return NAN;
  if (is_point(m->kind)) point_value(m, &m->point, &time);
  if (m->kind == HK_MEASURE_EVENT_TIME) time = m->event_t;
  if (m->kind == HK_MEASURE_MIN) time = m->min_t;
  if (m->kind == HK_MEASURE_MAX) time = m->max_t;
  if (m->kind == HK_MEASURE_MAX_ABS) time = fabs(m->min) > fabs(m->max) ? m->min_t : m->max_t;
  return time;
}

const char *hk_measure_why(hk_measure_state state) {
  switch (state) {
    case HK_MEASURE_OK:
      return "";
    case HK_MEASURE_PARTIAL:
      return "the run covers only a part of the window";
    case HK_MEASURE_NO_SAMPLE:
      return "the run has no sample in the window";
    case HK_MEASURE_NOT_FINITE:
      return "a value in the window is not a finite number";
    case HK_MEASURE_UNORDERED:
      return "the samples are not in order of time";
    case HK_MEASURE_BAD_WINDOW:
      return "the window ends before it starts, or has zero length";
    case HK_MEASURE_NO_EVENT:
      return "the run has fewer events in the window than the requested one";
    case HK_MEASURE_NO_MEMORY:
      return "out of memory for the curve";
  }
  return "unknown state";
}

static const char *const kind_name[HK_MEASURE_N_KINDS] = {
    [HK_MEASURE_MIN] = "min",
    [HK_MEASURE_MAX] = "max",
    [HK_MEASURE_MEAN] = "mean",
    [HK_MEASURE_RMS] = "rms",
    [HK_MEASURE_MAX_ABS] = "max_abs",
    [HK_MEASURE_PEAK_TO_PEAK] = "peak_to_peak",
    [HK_MEASURE_INTEGRAL] = "integral",
    [HK_MEASURE_INITIAL] = "initial",
    [HK_MEASURE_FINAL] = "final",
    [HK_MEASURE_AT] = "at",
    [HK_MEASURE_CHANGE] = "change",
    [HK_MEASURE_RATE] = "rate",
    [HK_MEASURE_HARMONIC] = "harmonic",
    [HK_MEASURE_EVENTS] = "events",
    [HK_MEASURE_EVENT_TIME] = "event_time",
    [HK_MEASURE_ORDER] = "order",
    [HK_MEASURE_PERCENTILE] = "percentile"};

const char *hk_measure_kind_name(hk_measure_kind kind) {
  return (unsigned)kind < HK_MEASURE_N_KINDS ? kind_name[kind] : "";
}

bool hk_measure_kind_find(const char *name, hk_measure_kind *kind) {
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++)
    if (strcmp(kind_name[k], name) == 0) {
      *kind = (hk_measure_kind)k;
      return true;
    }
  return false;
}
