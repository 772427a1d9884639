/* Events within a step: the first instant at which a gap closes, a normal force or a sliding velocity vanishes, or
 * friction reaches its limit.  The step is repeated with other lengths until that instant is known to the last bits
 * of the time. */
#include "integrator/impact/event_driven.h"
#include "control/gap_scan.h"
#include <float.h>

/* If the contact forces are not unique, the computed forces may exceed the friction limit of one contact although
 * other contacts could carry the load. This is not an event as long as other forces exist that satisfy all limits. */
static void look_for_others(hk_sim *s, hk_event_driven *e, double *f) {
  bool beyond = false;
  for (int i = 0; i < e->n; i++)
    beyond = beyond || (e->point[i].mode == HK_MODE_STICK && f[2 * i + 1] < 0);
  if (!beyond) return;
  hk_event_find_open(e);
  if (!hk_event_can_stick(s, e)) return;
  hk_event_doubt_hold(s, e, f);
  for (int i = 0; i < e->n; i++)
    if (e->point[i].mode == HK_MODE_STICK) f[2 * i + 1] = fabs(f[2 * i + 1]);
}

void hk_event_functions(hk_sim *s, hk_event_driven *e, double *f, double *rate) {
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    const hk_contact_row *row = &e->row[i];
    bool rubs = row->mu > 0 && row->tangents > 0;
    rate[i] = p->rate[HK_DIR_N];
    f[2 * i] = hk_event_held(p) ? p->force[HK_DIR_N] : row->gap;
    f[2 * i + 1] = INFINITY;
    if (hk_event_held(p) && p->torn[HK_DIR_N] != 0) f[2 * i] = -fabs(p->torn[HK_DIR_N]);
    if (!hk_event_held(p) || !rubs) continue;
    double T = hypot(p->force[HK_DIR_T], p->force[HK_DIR_S]);
    double torn = hypot(p->torn[HK_DIR_T], p->torn[HK_DIR_S]);
    if (p->mode == HK_MODE_STICK)
      f[2 * i + 1] = torn > 0 ? -torn : row->mu * p->force[HK_DIR_N] - T;
    else if (row->tangents == 1 || p->frozen)
      f[2 * i + 1] = p->slip[0] * p->rate[HK_DIR_T] +
                     (row->tangents == 2 ? p->slip[1] * p->rate[HK_DIR_S] : 0);
  }
  if (e->delassus->rank < e->delassus->n) look_for_others(s, e, f);
}

/* Round-off of gaps and velocities, relative to the length of the model and to the fastest velocity. */
static const double round_off = 1e-14;

/* A gap that is zero at the start may become negative by round-off, although it opens or stays closed. */
static bool is_event(const hk_sim *s, const hk_event_driven *e, int k, const double *f,
                     const double *rate) {
  int i = k / 2;
  if (!(f[k] < 0)) return false;
  if (hk_event_held(&e->point[i])) return true;
  return rate[i] < -round_off * e->speed ||
         f[k] < -(round_off * s->model->length + 2 * fabs(fmin(e->lo[k], 0)));
}

static bool any_event(const hk_sim *s, const hk_event_driven *e, const double *f,
                      const double *rate) {
  for (int k = 0; k < 2 * e->n; k++)
    if (is_event(s, e, k, f, rate)) return true;
  return false;
}

/* Cubic through values and slopes at the ends of [0, h]. */
static double hermite(double h, double f0, double r0, double f1, double r1, double x) {
  double u = x / h, w = 1 - u;
  return w * w * ((1 + 2 * u) * f0 + h * u * r0) + u * u * ((1 + 2 * w) * f1 - h * w * r1);
}

static double hermite_root(double h, double f0, double r0, double f1, double r1) {
  double a = 0, b = h;
  for (int i = 0; i < 60; i++) {
    double c = 0.5 * (a + b);
    if (hermite(h, f0, r0, f1, r1, c) > 0)
      a = c;
    else
      b = c;
  }
  return 0.5 * (a + b);
}

static hk_status repeat(hk_sim *s, hk_event_driven *e, double h, double *f, double *rate) {
  hk_status status = hk_event_integrate(s, e, h);
  if (!status) hk_event_functions(s, e, f, rate);
  return status;
}

/* Estimates the first zero in (lo, hi) of those event functions that are negative at hi. */
static double estimate(const hk_sim *s, const hk_event_driven *e, double lo, double hi) {
  double best = hi, h = hi - lo;
  for (int k = 0; k < 2 * e->n; k++) {
    if (!is_event(s, e, k, e->hi, e->hi_rate)) continue;
    double f0 = e->lo[k], f1 = e->hi[k], x = 0.5 * h;
    if (f0 > 0 && !hk_event_held(&e->point[k / 2]))
      x = hermite_root(h, f0, e->lo_rate[k / 2], f1, e->hi_rate[k / 2]);
    else if (f0 > 0)
      x = h * f0 / (f0 - f1);
    best = fmin(best, lo + x);
  }
  return best;
}

/* The interval around an event is narrow enough at this share of the time, or of the step. Estimates that follow each other
 * on the same side are moved on by a share of their distance. If MANY estimates have not reduced the interval to
 * reduced_share of its length, it is halved. An estimate keeps a distance from the ends of the interval, as a share of the
 * narrow interval. */
static const double time_grain = 2e-16, narrow_share = 1e-14, push_share = 0.1,
                    reduced_share = 0.25, end_share = 0.25;
enum { MOST_ESTIMATES = 120, MANY = 4 };

/* Locates the first event in (0, *h]. The state at *h is already after an event (e->hi). *h becomes a time just after
 * the first event. */
static hk_status locate(hk_sim *s, hk_event_driven *e, double *h) {
  double lo = 0, hi = *h, t = e->start[s->model->at.t], size = hi, last = -1;
  double *f = e->probe, *rate = e->probe_rate;
  double narrow = fmax(time_grain * fabs(t), narrow_share * hi);
  bool event = false;
  for (int iteration = 0; hi - lo > narrow && iteration < MOST_ESTIMATES; iteration++) {
    double x = estimate(s, e, lo, hi);
    /* The next estimate should be on the other side of the root than the last one. */
    double push = fmax(narrow, push_share * fabs(x - last));
    if (last >= 0) x += event ? -push : push;
    if (iteration % MANY == MANY - 1 && hi - lo > reduced_share * size) x = 0.5 * (lo + hi);
    if (iteration % MANY == MANY - 1) size = hi - lo;
    x = fmin(fmax(x, lo + end_share * narrow), hi - end_share * narrow);
    if (!(x > lo && x < hi)) break;
    hk_status status = repeat(s, e, x, f, rate);
    if (status) return status;
    event = any_event(s, e, f, rate);
    last = x;
    hk_copy(event ? e->hi : e->lo, f, 2 * e->n);
    hk_copy(event ? e->hi_rate : e->lo_rate, rate, e->n);
    if (event)
      hi = x;
    else
      lo = x;
  }
  *h = hi;
  return repeat(s, e, hi, e->hi, e->hi_rate);
}

/* A minimum is found by MINIMUM_HALVINGS bisections of the step. The sign of the slope follows from two values at a
 * distance of slope_share of the step. A gap with a minimum above clearly_open times the smaller of its two end values
 * stays open. */
enum { MINIMUM_HALVINGS = 40 };
static const double slope_share = 1e-6, clearly_open = 0.1;

/* Returns the time at which the cubic of a gap is smallest. The gap is open at both ends of the
 * step. 0: the gap stays clearly open. */
static double lowest_gap(const hk_event_driven *e, int i, double h) {
  double f0 = e->lo[2 * i], f1 = e->hi[2 * i], r0 = e->lo_rate[i], r1 = e->hi_rate[i];
  if (!(r0 < 0 && r1 > 0)) return 0;
  double a = 0, b = h, d = slope_share * h;
  for (int k = 0; k < MINIMUM_HALVINGS; k++) {
    double c = 0.5 * (a + b);
    if (hermite(h, f0, r0, f1, r1, c + d) < hermite(h, f0, r0, f1, r1, c))
      a = c;
    else
      b = c;
  }
  return hermite(h, f0, r0, f1, r1, a) < clearly_open * fmin(f0, f1) ? a : 0;
}

/* Finds the minimum of the polynomial through the values of function k at the start and at the stages. Returns 0 if
 * the polynomial is clearly positive. */
static double lowest_sample(const hk_event_driven *e, int k, double h) {
  enum { GRID = 40 };
  double at[HK_EVENT_STAGES] = {0}, f[HK_EVENT_STAGES] = {e->lo[k]}, best = 0;
  int n = 1, last = HK_EVENT_STAGES - 1;
  for (int i = e->n_slow ? 4 : 1; i <= last; i++) {
    if (i < last && !(e->sample_at[i] < 1)) continue;
    at[n] = e->sample_at[i];
    f[n++] = e->sample[i * 2 * e->n + k];
  }
  double low = 0.2 * fmin(f[0], f[n - 1]), inside = INFINITY;
  for (int i = 1; i < n - 1; i++) inside = fmin(inside, f[i]);
  /* a minimum below `low` would have to lie between two stages, where the values of the stages would show it */
  if (inside > 4 * low) return 0;
  for (int g = 1; g < GRID; g++) {
    double x = (double)g / GRID, value = 0;
    for (int i = 0; i < n; i++) {
      double part = f[i];
      for (int j = 0; j < n; j++) part *= j == i ? 1 : (x - at[j]) / (at[i] - at[j]);
      value += part;
    }
    if (value < low) low = value, best = x * h;
  }
  return best;
}

static bool is_open(const void *context, int i) {
  const hk_event_driven *e = context;
  return !hk_event_held(&e->point[i]);
}

/* Finds a gap that closes and opens again within the integrated step. *looked: set to true if the search has
 * evaluated the rows in `work` at another time of the step. */
static double scan_gaps(hk_sim *s, hk_event_driven *e, double h, bool *looked) {
  const hk_gap_way way = {e->start, e->q, e->v, h};
  for (int i = 0; i < e->n && !*looked; i++)
    *looked = is_open(e, i) && !s->model->contact[e->row[i].contact].gap->concave;
  return *looked ? hk_gap_scan(s, &way, e->row, e->n, is_open, e, round_off * s->model->length)
                 : INFINITY;
}

/* Finds pairs of events that cancel within the step (0, h]. Returns a time between two such events, or 0. */
static hk_status look_inside(hk_sim *s, hk_event_driven *e, double h, double *found) {
  double first = h;
  *found = 0;
  for (int i = 0; i < e->n; i++)
    for (int k = 2 * i; k < 2 * i + 2; k++) {
      if (e->lo[k] > DBL_MAX || e->hi[k] > DBL_MAX) continue;
      double x = hk_event_held(&e->point[i]) ? lowest_sample(e, k, h) : lowest_gap(e, i, h);
      if (x > 0) first = fmin(first, x);
    }
  bool looked = false;
  first = fmin(first, scan_gaps(s, e, h, &looked));
  if (!(first < h)) return looked ? repeat(s, e, h, e->hi, e->hi_rate) : HK_OK;
  hk_status status = repeat(s, e, first, e->hi, e->hi_rate);
  if (!status && any_event(s, e, e->hi, e->hi_rate)) *found = first;
  if (!status && *found == 0) status = repeat(s, e, h, e->hi, e->hi_rate);
  return status;
}

hk_status hk_event_find(hk_sim *s, hk_event_driven *e, double *h, bool *event) {
  hk_event_functions(s, e, e->hi, e->hi_rate);
  *event = any_event(s, e, e->hi, e->hi_rate);
  if (!*event) {
    double found;
    hk_status status = look_inside(s, e, *h, &found);
    if (status || found == 0) return status;
    *event = true;
    *h = found;
  }
  return locate(s, e, h);
}

void hk_event_mark(const hk_sim *s, hk_event_driven *e) {
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    p->hit = !hk_event_held(p) && is_event(s, e, 2 * i, e->hi, e->hi_rate);
    p->stopped = p->mode == HK_MODE_SLIP && (is_event(s, e, 2 * i + 1, e->hi, e->hi_rate) ||
                                             e->hi[2 * i + 1] < hk_event_still * e->speed);
  }
}
