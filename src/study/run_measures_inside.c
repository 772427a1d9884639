/* Evaluation of measures inside a step.
 *
 * For most steps the cubic through four values of the integrator's interpolation is sufficient.  Otherwise the
 * interpolation is read at five points of a panel, initially the whole step.  A panel is bisected if
 *   - the fourth difference of the five values exceeds the error that the run's tolerance allows for the channel's range, or
 *   - the channel is a sensor and interval arithmetic (hk_scan_sensor) gives a wider range over the panel than the five
 *     values show: a fast oscillation within the step, or a pulse.
 * The quartic through the five values is then passed to the measures as four parabolas.  The ends of windows and the
 * time of `at` are additional samples. */
#include "study/run_measures.h"
#include "control/scan.h"

enum { PLACES = 5, PANEL = PLACES - 1 };

/* Maximum number of bisections of a step for channels other than sensors: they are polynomials there, so few panels
 * are sufficient. */
enum { MOST_SMOOTH = 2, MOST_HALVINGS = 44 };

typedef struct panel {
  double from, to;
  double y[PLACES], angle[PLACES];
  int depth;
} panel;

typedef struct reader {
  hk_run_measures *run;
  hk_sim *sim;
  int place;         /* index in `sampled` */
  int which;         /* the measure */
  int channel[2], n; /* channel of the value, and of the angle before it */
  int sensor;        /* index of the sensor if it is not a polynomial of channels; -1: not */
  bool ranged;       /* the range of the sensor within the step is known */
  /* remaining number of bisections to search for peaks and jumps that the computed ranges do not exclude */
  int patience;
  double noise; /* error of the value due to errors of the motion; NaN: not computed yet */
  double fine;  /* largest ratio of fourth difference and range for which a quartic is used */
  bool broken;  /* true: the last panel evaluated by intervals may contain a kink or a jump */
  bool carried; /* before the step: see hk_run_measures_carried */
  /* if the limit of bisections was reached: largest possible deviation of the channel from the
   * samples of the last panel; otherwise 0 */
  double unseen;
} reader;

static bool counts_events(const hk_measure *m) {
  return m->kind == HK_MEASURE_EVENTS || m->kind == HK_MEASURE_EVENT_TIME;
}

/* Returns the largest fourth difference for which a quartic is used, relative to the range.  The
 * error of a quartic is about a hundredth of its next (fifth) difference, which is estimated as the
 * fourth difference to the power of 5/4.  The allowed error is a thousand times rtol, the sum of
 * the errors of many steps; for events it is larger, because it is sufficient that no event is
 * missed. */
static double fine_enough(const hk_measure *m, double rtol) {
  return counts_events(m) ? 1e-2 : fmin(pow(1e5 * rtol, 0.8), 1e-3);
}

/* Returns true if a measure uses the curve between samples, or values at specified times. */
static bool needs_curve(const hk_measure *m) {
  return m->kind != HK_MEASURE_AT && m->kind != HK_MEASURE_INITIAL && m->kind != HK_MEASURE_FINAL &&
         m->kind != HK_MEASURE_CHANGE && m->kind != HK_MEASURE_RATE;
}

static hk_status read_place(reader *k, double t, double *y, double *angle, hk_error *err) {
  double value[2];
  hk_status status = hk_sim_values_at(k->sim, t, k->channel, k->n, value, err);
  if (status) return status;
  if (k->n == 2) *angle = value[0];
  *y = value[k->n - 1];
  return HK_OK;
}

static void widen(double *lo, double *hi, double y) {
  if (y < *lo) *lo = y;
  if (y > *hi) *hi = y;
}

static bool is_extreme(const hk_measure *m) {
  return m->kind == HK_MEASURE_MIN || m->kind == HK_MEASURE_MAX || m->kind == HK_MEASURE_MAX_ABS ||
         m->kind == HK_MEASURE_PEAK_TO_PEAK;
}

static bool holds_level(const hk_measure *m, double lo, double hi) {
  return m->rule.every > 0 || (lo <= m->rule.level && m->rule.level <= hi);
}

/* Returns the largest change of an extreme that a value within these bounds could cause. */
static double beyond(const hk_measure *m, double lo, double hi) {
  double above = hi - m->max, below = m->min - lo;
  switch (m->kind) {
    case HK_MEASURE_MIN:
      return below;
    case HK_MEASURE_MAX:
      return above;
    case HK_MEASURE_PEAK_TO_PEAK:
      return fmax(above, below);
    default:
      return fmax(hi, -lo) - fmax(m->max, -m->min);
  }
}

/* Effect of round-off and of the errors of the motion on the sensor. If two motions agree, a sensor of their
 * difference shows nothing but these errors. */
static double noise_of(reader *k) {
  if (!k->ranged) return 0;
  if (isnan(k->noise)) k->noise = hk_scan_sensor_noise(k->sim, k->sensor);
  return k->noise;
}

/* Factor between the noise of a value and that of a fourth difference: on average this number, at most 16. */
static const double in_difference = 4;

/* Allowed deviations of a sensor between samples, as fractions of its range so far. hidden_top: of an extreme of a
 * smooth sensor, which the polynomial follows. hidden_corner: of an extreme at a kink, and of an integral over the
 * whole run. hidden_swing: of an integral over one panel. */
static const double hidden_top = 1e-3, hidden_corner = 1e-7, hidden_swing = 1e-5;

/* Possible deviation of the sensor within a panel from its samples, which have this distance; 0: it does not matter.
 *   - An extreme is changed by values beyond it. If the sensor is monotonic, these are at the ends of the panel.
 *   - Events are changed if a level is within the range.
 *   - Other measures are changed by every oscillation, most by an oscillation that returns to the same values at all
 *     samples. Between two samples the deviation is at most half their distance times the rate. */
static double hides(reader *k, double from, double to, double least, double most, double distance,
                    double range) {
  const hk_measure *m = &k->run->measure[k->which];
  if (!k->ranged) return 0;
  const hk_flow f = hk_scan_sensor(k->sim, k->sensor, from, to);
  bool broken = f.bends || f.corner, one_way = !broken && (f.rate_lo >= 0 || f.rate_hi <= 0);
  double spread = most - least, width = f.hi - f.lo, rate = fmax(f.rate_hi, -f.rate_lo);
  double may = width, allowed = fmax(0.5 * spread, hidden_swing * range);
  if (!f.known) return 0;
  if (is_extreme(m)) {
    may = one_way ? 0 : fmin(beyond(m, f.lo, f.hi), fmax(f.hi - most, least - f.lo));
    allowed = (broken ? hidden_corner : hidden_top) * range;
  } else if (counts_events(m) && (one_way || !holds_level(m, f.lo, f.hi))) {
    return 0;
  } else if (broken) {
    allowed = hidden_corner * range * k->run->duration / (to - from);
  } else {
    may = fmin(0.5 * distance * rate, width);
  }
  k->broken = broken;
  return may > allowed && may > noise_of(k) ? may : 0;
}

static double third_of(const double y[4]) { return fabs(y[0] - 3 * y[1] + 3 * y[2] - y[3]); }

/* Magnitude of the fourth difference. For a curve that is odd about the middle it is 0, and the third differences are
 * used, as for a sine. */
static double fourth_difference(const double y[PLACES], double range) {
  double third = fmax(third_of(y), third_of(y + 1));
  double fourth = fabs(y[0] - 4 * y[1] + 6 * y[2] - 4 * y[3] + y[4]);
  return fmax(fourth, third * cbrt(third / range));
}

/* If two motions agree, a sensor of their difference is only noise, and the computed ranges of this sensor are never
 * narrow enough. Therefore the number of bisections is limited, per run and per step. */
enum { MOST_HALVED = 200000, EACH_STEP = 200 };

/* PATIENCE: number of bisections in a step after which the search stops, less the panels that the intervals exclude.
 * The search for a pulse, and for the jump of a remainder, excludes a panel with every bisection. If the interval
 * bounds of a sensor are always much wider than its actual range of values, no bisection gives a
 * result: after FRUITLESS such bisections only LITTLE_PATIENCE per step are made. */
enum { PATIENCE = 24, FRUITLESS = 1000, LITTLE_PATIENCE = 2 };

static int patience_of(const reader *k) {
  return k->run->fruitless[k->which] < FRUITLESS ? PATIENCE : LITTLE_PATIENCE;
}

/* Returns true if the quartic through the five values is accurate enough. */
static bool is_round(reader *k, const panel *p) {
  double range = k->run->most[k->place] - k->run->least[k->place], size = 0;
  for (int i = 0; i < PLACES; i++) size = fmax(size, fabs(p->y[i]));
  double off = fourth_difference(p->y, range) - k->fine * range - 0x1p-46 * size;
  return !(off > 0 && off > in_difference * noise_of(k));
}

static bool may_go_on(const reader *k) {
  long most = MOST_HALVED + EACH_STEP * hk_sim_statistics(k->sim).steps;
  if (k->run->halvings > most) k->run->coarse[k->which] = true;
  return k->run->halvings <= most;
}

static bool is_too_coarse(reader *k, const panel *p) {
  const hk_measure *m = &k->run->measure[k->which];
  double least = p->y[0], most = p->y[0], range = k->run->most[k->place] - k->run->least[k->place];
  bool apart = p->to - p->from > 1e-12 * fmax(1, fabs(p->to));
  k->unseen = 0;
  if (!apart || p->depth >= (k->sensor >= 0 || k->carried ? MOST_HALVINGS : MOST_SMOOTH))
    return false;
  if (p->to <= m->t0 || p->from >= m->t1) return false;
  for (int i = 1; i < PLACES; i++) widen(&least, &most, p->y[i]);
  double off = fourth_difference(p->y, range);
  if ((!is_extreme(m) || beyond(m, least - off, most + off) > 0) && !is_round(k, p))
    return k->patience = PATIENCE, k->run->fruitless[k->which] = 0, may_go_on(k);
  if (k->sensor < 0 || k->carried) return false;
  double unseen = hides(k, p->from, p->to, least, most, (p->to - p->from) / PANEL, range);
  if (unseen > 0 && k->patience > 0 && may_go_on(k))
    return k->patience--, k->run->fruitless[k->which]++, true;
  /* this bisection was useful: its result excludes half of a panel */
  if (!(unseen > 0) && p->depth > 0) {
    k->patience++;
    if (k->run->fruitless[k->which] > 0) k->run->fruitless[k->which]--;
  }
  k->unseen = unseen > 0 ? unseen : is_extreme(m) && k->broken ? hidden_corner * range : 0;
  return false;
}

/* The quartic through five values, evaluated midway between two of them. */
static double between(const double y[PLACES], int i) {
  static const double outer[PLACES] = {35, 140, -70, 28, -5}, inner[PLACES] = {-5, 60, 90, -20, 3};
  double sum = 0;
  for (int j = 0; j < PLACES; j++) {
    int from_side = i < PANEL / 2 ? j : PANEL - j;
    sum += (i == 0 || i == PANEL - 1 ? outer : inner)[from_side] * y[j];
  }
  return sum / 128;
}

static void add_error(reader *k, double from, double to, double error) {
  const hk_measure *m = &k->run->measure[k->which];
  double inside = fmin(to, m->t1) - fmax(from, m->t0);
  if (inside > 0) k->run->error[k->which].sum += error * inside;
}

/* An extreme: its value and time. */
typedef struct top {
  double y, t;
} top;

/* Refines an extreme on the part of the curve that ends at the sample (t, y). The parabola gives the time of the
 * extreme accurately, but the value less accurately. Therefore the value of the sensor at this time is computed; it
 * may turn out not to be an extreme. side: 1 for a maximum, -1 for a minimum. */
static hk_status read_turn(reader *k, double from, top end, top before, int side, top *now,
                           hk_error *err) {
  double angle;
  if (!(now->t > from && now->t < end.t)) return HK_OK;
  hk_status status = read_place(k, now->t, &now->y, &angle, err);
  if (side * end.y > side * now->y) *now = end;
  if (!(side * now->y > side * before.y)) *now = before;
  return status;
}

/* Each part of the curve is a parabola through three samples, with s from 0 to 1 along the part. Let d be the third
 * difference of the samples. Then the error of the parabola is d/6 s (s - 1/2) (s - 1), at most d/120, and the error
 * of its slope is d/12. The curvature of the parabola is 8 `bow`. Therefore the error of the time of the extreme is
 * d/(96 bow), and the error of the value is half the curvature times the square of the error of the time. */
static double turn_error(double third, double bow) {
  return fmin(third / 120, bow != 0 ? third * third / (2304 * fabs(bow)) : third);
}

typedef struct piece {
  double t, y, bow;
  double turn, corner; /* errors of an extreme between two samples, and at a sample */
  double shape;        /* error of the parabola */
} piece;

static hk_status add_piece(reader *k, const piece *p, hk_error *err) {
  hk_measure *m = &k->run->measure[k->which];
  hk_run_measure_error *e = &k->run->error[k->which];
  const top end = {p->y, p->t}, low = {m->min, m->min_t}, high = {m->max, m->max_t};
  double from = m->last.t;
  hk_status status = HK_OK;
  hk_measure_add_bowed(m, p->t, p->y, p->bow);
  if (m->kind == HK_MEASURE_PERCENTILE) add_error(k, from, p->t, p->shape);
  if (!is_extreme(m)) return HK_OK;
  top highest = {m->max, m->max_t}, lowest = {m->min, m->min_t};
  if (m->max > high.y) status = read_turn(k, from, end, high, 1, &highest, err);
  if (m->min < low.y && !status) status = read_turn(k, from, end, low, -1, &lowest, err);
  if (highest.t != high.t) e->max = p->corner + p->turn;
  if (lowest.t != low.t) e->min = p->corner + p->turn;
  m->max = highest.y, m->max_t = highest.t;
  m->min = lowest.y, m->min_t = lowest.t;
  return status;
}

/* Error of a polynomial through samples with the given next difference: a fraction of the following
 * difference, which is estimated to be smaller by the mean ratio of all differences up to this
 * one. */
static double polynomial_error(double share, double difference, double range, int order) {
  return range > 0 ? share * difference * pow(fmin(difference / range, 1), 1.0 / order) : 0;
}

/* Factors of these estimates. At a kink no higher difference is smaller than the previous one. */
static const double corner_share = 0.3, quartic_share = 0.03, cubic_share = 0.06;

static hk_status add_pieces(reader *k, const panel *p, hk_error *err) {
  hk_measure *m = &k->run->measure[k->which];
  bool instants = m->kind == HK_MEASURE_EVENT_TIME; /* times of events are samples, too */
  bool is_smooth = is_round(k, p), straight = instants || !is_smooth;
  double range = k->run->most[k->place] - k->run->least[k->place];
  double difference = fourth_difference(p->y, range);
  double error = is_smooth ? polynomial_error(quartic_share, difference, range, PANEL)
                           : corner_share * difference;
  double third = fmax(third_of(p->y), third_of(p->y + 1)),
         corner = k->unseen + (is_smooth ? 0 : error);
  for (int i = 0; i < PANEL; i++) {
    double t = i + 1 < PANEL ? p->from + (p->to - p->from) * (i + 1) / PANEL : p->to;
    double bow = straight ? 0 : between(p->y, i) - 0.5 * (p->y[i] + p->y[i + 1]);
    hk_status status = hk_run_measures_event(k->run, k->sim, k->which, t, p->y[i + 1], err);
    if (status) return status;
    if (k->n == 2) hk_measure_set_angle(m, p->angle[i + 1]);
    const piece next = {t, p->y[i + 1], bow, turn_error(third, bow), corner, third / 120};
    status = add_piece(k, &next, err);
    if (status) return status;
  }
  add_error(k, p->from, p->to, error + k->unseen);
  return HK_OK;
}

/* Computes one half of a panel; every second of its values is already known. */
static hk_status halve(reader *k, const panel *whole, int half, panel *out, hk_error *err) {
  double middle = 0.5 * (whole->from + whole->to);
  *out = (panel){half ? middle : whole->from, half ? whole->to : middle, .depth = whole->depth + 1};
  for (int i = 0; i < PLACES; i++) {
    if (i % 2 == 0) {
      out->y[i] = whole->y[PANEL / 2 * half + i / 2];
      out->angle[i] = whole->angle[PANEL / 2 * half + i / 2];
      continue;
    }
    double t = out->from + (out->to - out->from) * i / PANEL;
    hk_status status = read_place(k, t, &out->y[i], &out->angle[i], err);
    if (status) return status;
    widen(&k->run->least[k->place], &k->run->most[k->place], out->y[i]);
  }
  return HK_OK;
}

static hk_status add_panel(reader *k, const panel *whole, hk_error *err) {
  panel later[MOST_HALVINGS + 1], now = *whole;
  int n = 0;
  for (;;) {
    hk_status status = HK_OK;
    if (is_too_coarse(k, &now)) {
      panel left;
      k->run->halvings++;
      status = halve(k, &now, 1, &later[n++], err);
      if (!status) status = halve(k, &now, 0, &left, err);
      if (status) return status;
      now = left;
      continue;
    }
    status = add_pieces(k, &now, err);
    if (status || n == 0) return status;
    now = later[--n];
  }
}

/* Adds a part of the step; its first value is known. */
static hk_status add_part(reader *k, double from, double to, double *y, double *angle,
                          hk_error *err) {
  panel p = {.from = from, .to = to, .y = {*y}, .angle = {*angle}};
  for (int i = 1; i < PLACES; i++) {
    double t = i < PANEL ? from + (to - from) * i / PANEL : to;
    hk_status status = read_place(k, t, &p.y[i], &p.angle[i], err);
    if (status) return status;
    widen(&k->run->least[k->place], &k->run->most[k->place], p.y[i]);
  }
  *y = p.y[PANEL], *angle = p.angle[PANEL];
  return add_panel(k, &p, err);
}

/* Additional times within the step at which a measure needs a sample: the ends of its window, and the time of `at`. */
static int find_cuts(const hk_measure *m, double from, double to, double cut[3]) {
  const double wanted[3] = {m->t0, m->t1, m->kind == HK_MEASURE_AT ? m->point.at : NAN};
  int n = 0;
  for (int i = 0; i < 3; i++) {
    bool known = false;
    for (int j = 0; j < n; j++) known = known || cut[j] == wanted[i];
    if (!known && wanted[i] > from && wanted[i] < to) cut[n++] = wanted[i];
  }
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && cut[j] < cut[j - 1]; j--) {
      double earlier = cut[j];
      cut[j] = cut[j - 1], cut[j - 1] = earlier;
    }
  return n;
}

/* y, angle: values at `from`, on return those at `to`. */
static hk_status add_parts(reader *k, const double *cut, int n, double from, double to, double *y,
                           double *angle, hk_error *err) {
  hk_status status = HK_OK;
  hk_measure *m = &k->run->measure[k->which];
  for (int i = 0; i <= n && !status; i++) {
    double end = i < n ? cut[i] : to;
    if (needs_curve(m)) {
      status = add_part(k, from, end, y, angle, err);
    } else {
      status = read_place(k, end, y, angle, err);
      if (!status) hk_measure_add(m, end, *y);
    }
    from = end;
  }
  return status;
}

static reader reader_of(hk_run_measures *r, hk_sim *sim, int place) {
  const hk_channel *c = &r->model->channel[r->sampled[place]];
  bool angle = place > 0 && hk_run_measures_is_angle(r, r->sampled_all[place - 1]);
  reader k = {
      .run = r,
      .sim = sim,
      .place = place,
      .which = r->all_measure[r->sampled_all[place]],
      .n = angle ? 2 : 1,
      .sensor = c->owner == HK_OF_SENSOR && r->model->sensor_watched[c->index].expr ? c->index : -1,
  };
  k.ranged = k.sensor >= 0 && !r->model->sensor_watched[k.sensor].at_output;
  k.fine = fine_enough(&r->measure[k.which], sim->option.rtol);
  k.patience = patience_of(&k);
  k.noise = NAN;
  k.channel[0] = angle ? r->sampled[place - 1] : r->sampled[place];
  k.channel[1] = r->sampled[place];
  return k;
}

/* Returns true if the channel is the defect of the energy balance. This defect is a difference of sums that are
 * updated at the ends of steps, and it has no meaning within a step. */
static bool is_ledger(const hk_channel *c) {
  return c->owner == HK_OF_ENERGY && c->component == HK_ENERGY_BALANCE_ERROR;
}

/* Returns true if the values at the ends of a step are sufficient: a second-order method with short steps, and a
 * sensor without further variation. */
static bool ends_tell(reader *k, bool is_long, double from, double to, double y0, double y1) {
  const hk_run_measures *r = k->run;
  double cut[3] = {0},
         range = fmax(r->most[k->place], fmax(y0, y1)) - fmin(r->least[k->place], fmin(y0, y1));
  if (find_cuts(&r->measure[k->which], from, to, cut) > 0) return false;
  if (!needs_curve(&r->measure[k->which]) || is_ledger(&r->model->channel[r->sampled[k->place]]))
    return true;
  if (is_long) return false;
  return hides(k, from, to, fmin(y0, y1), fmax(y0, y1), to - from, range) == 0;
}

/* ---- most steps: a cubic through four values ---- */

enum { THIRDS = 3 };

/* Magnitude of the third difference. For a curve that is even about the middle it is 0: see fourth_difference. */
static double third_difference(const double y[THIRDS + 1], double range) {
  double second = fmax(fabs(y[0] - 2 * y[1] + y[2]), fabs(y[1] - 2 * y[2] + y[3]));
  double third = third_of(y);
  return fmax(third, second * sqrt(second / range));
}

/* Largest third difference for which a cubic is used: its error is about a fiftieth of the next difference. */
static double fine_cubic(const reader *k) {
  return fmin(pow(5e5 * k->sim->option.rtol, 0.75), 3e-3);
}

static bool cubic_tells(reader *k, double from, double to, const double y[THIRDS + 1]) {
  const hk_measure *m = &k->run->measure[k->which];
  double range = k->run->most[k->place] - k->run->least[k->place], least = y[0], most = y[0];
  for (int i = 1; i <= THIRDS; i++) widen(&least, &most, y[i]);
  double off = third_difference(y, range), size = fmax(fabs(least), fabs(most));
  double fine = counts_events(m) ? 0.03 : fine_cubic(k);
  if ((!is_extreme(m) || beyond(m, least - off, most + off) > 0) &&
      off > fine * range + 0x1p-46 * size && off > in_difference * noise_of(k))
    return false;
  return hides(k, from, to, least, most, (to - from) / THIRDS, range) == 0;
}

static hk_status add_cubic(reader *k, double from, double to, const double y[THIRDS + 1],
                           const double angle[THIRDS + 1], hk_error *err) {
  hk_measure *m = &k->run->measure[k->which];
  bool instants = m->kind == HK_MEASURE_EVENT_TIME;
  const double middle[THIRDS] = {(5 * y[0] + 15 * y[1] - 5 * y[2] + y[3]) / 16,
                                 (-y[0] + 9 * y[1] + 9 * y[2] - y[3]) / 16,
                                 (y[0] - 5 * y[1] + 15 * y[2] + 5 * y[3]) / 16};
  double range = k->run->most[k->place] - k->run->least[k->place];
  for (int i = 0; i < THIRDS; i++) {
    double t = i + 1 < THIRDS ? from + (to - from) * (i + 1) / THIRDS : to;
    hk_status status = hk_run_measures_event(k->run, k->sim, k->which, t, y[i + 1], err);
    if (status) return status;
    if (k->n == 2) hk_measure_set_angle(m, angle[i + 1]);
    double bow = instants ? 0 : middle[i] - 0.5 * (y[i] + y[i + 1]);
    const piece next = {t, y[i + 1], bow, turn_error(third_of(y), bow), 0, third_of(y) / 120};
    status = add_piece(k, &next, err);
    if (status) return status;
  }
  add_error(k, from, to, polynomial_error(cubic_share, third_difference(y, range), range, THIRDS));
  return HK_OK;
}

/* ---- before a step ---- */

hk_status hk_run_measures_carried(hk_run_measures *r, hk_sim *sim, hk_error *err) {
  double from = r->last, to = hk_sim_step_start(sim);
  hk_status status = HK_OK;
  for (int i = 0; i < r->n_sampled && !status; i++) {
    if (hk_run_measures_is_angle(r, r->sampled_all[i])) continue;
    reader k = reader_of(r, sim, i);
    double *y = &r->inside[i], *angle = k.n == 2 ? y - 1 : y, cut[3] = {0};
    k.carried = true;
    int cuts = find_cuts(&r->measure[k.which], from, to, cut);
    if (!is_ledger(&r->model->channel[r->sampled[i]])) {
      status = add_parts(&k, cut, cuts, from, to, y, angle, err);
      continue;
    }
    status = read_place(&k, to, y, angle, err);
    if (!status) hk_measure_add(&r->measure[k.which], to, *y);
  }
  r->last = to;
  return status;
}

/* ---- a whole step ---- */

static hk_status add_end(reader *k, double to, double y, double angle, hk_error *err) {
  hk_measure *m = &k->run->measure[k->which];
  hk_status status = hk_run_measures_event(k->run, k->sim, k->which, to, y, err);
  if (k->n == 2) hk_measure_set_angle(m, angle);
  hk_measure_add(m, to, y);
  return status;
}

static bool any_curve(const hk_run_measures *r) {
  for (int i = 0; i < r->n_sampled; i++)
    if (needs_curve(&r->measure[r->all_measure[r->sampled_all[i]]]) &&
        !is_ledger(&r->model->channel[r->sampled[i]]))
      return true;
  return false;
}

hk_status hk_run_measures_inside(hk_run_measures *r, hk_sim *sim, bool is_long, hk_error *err) {
  double to = hk_sim_time(sim), from = hk_sim_step_start(sim);
  int n = r->n_sampled;
  bool curves = is_long && any_curve(r);
  double *y[THIRDS + 1];
  hk_status status = HK_OK;
  for (int k = 0; k <= THIRDS; k++) y[k] = r->inside + k * n;
  /* the end of the step is evaluated first, because the caller may have computed the data for
   * channels there */
  for (int k = THIRDS; k >= (curves ? 1 : THIRDS) && !status; k--) {
    double t = k < THIRDS ? from + (to - from) * k / THIRDS : to;
    status = hk_sim_values_at(sim, t, r->sampled, n, y[k], err);
  }
  if (!status && r->has_ranges) hk_scan_last_step(sim);
  for (int i = 0; i < n && !status; i++) {
    if (hk_run_measures_is_angle(r, r->sampled_all[i])) continue;
    reader k = reader_of(r, sim, i);
    int at = k.n == 2 ? i - 1 : i;
    const double value[THIRDS + 1] = {y[0][i], y[1][i], y[2][i], y[3][i]};
    const double angle[THIRDS + 1] = {y[0][at], y[1][at], y[2][at], y[3][at]};
    double last = value[0], last_angle = angle[0];
    double cut[3] = {0};
    int cuts = find_cuts(&r->measure[k.which], from, to, cut);
    for (int j = 0; j <= THIRDS; j++)
      if (curves || j % THIRDS == 0) widen(&r->least[i], &r->most[i], value[j]);
    if (ends_tell(&k, is_long, from, to, value[0], value[THIRDS]))
      status = add_end(&k, to, value[THIRDS], angle[THIRDS], err);
    else if (cuts == 0 && curves && cubic_tells(&k, from, to, value))
      status = add_cubic(&k, from, to, value, angle, err);
    else
      status = add_parts(&k, cut, cuts, from, to, &last, &last_angle, err);
  }
  for (int i = 0; i < n; i++) y[0][i] = y[THIRDS][i];
  return status;
}
