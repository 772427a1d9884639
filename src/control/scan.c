/* Search of a step for missed events: see scan.h. */
#include "core/force.h"
#include "core/map.h"
#include "control/scan_private.h"
#include <stdlib.h>
#include <string.h>

/* An effect is significant above this fraction of the tolerance. */
static const double matters = 0.5;

double hk_scan_effect(const hk_sim *s, int watched, double jump, double rate_jump, double over) {
  const hk_watched *k = &s->model->watched[watched];
  double give = s->scan->give[watched] / hk_tolerance(s);
  if (k->of_motion) return give * fmax(jump, rate_jump * over);
  return k->of_state ? give * over * fmax(jump, rate_jump * over / 2)
                     : give * over * over / 2 * fmax(jump, rate_jump * over / 3);
}

/* ---- corners and jumps ---- */

/* An expression may stay close to a kink without reaching it, like a parabola that touches a line. Interval
 * arithmetic then needs very many subintervals to exclude the kink. After this number of subintervals, a kink is
 * assumed. */
enum { PATIENT = 200, DEPTH = 64 };

/* Returns the change of an expression between two nearby points, minus the change that its slope explains. */
static hk_scan_bend measure_bend(const hk_sim *s, const hk_watched *k, const hk_scan_path *p,
                                 double from, double to) {
  double width = to - from;
  hk_flow y[4];
  for (int i = 0; i < 4; i++) {
    double at = from + (i - 1) * width;
    y[i] = hk_scan_flow(s, k, p, at, at);
  }
  double jump = fabs(y[2].lo - y[1].lo), rate_jump = fabs(y[2].rate_lo - y[1].rate_lo);
  double beside = fmax(fabs(y[1].lo - y[0].lo), fabs(y[3].lo - y[2].lo));
  double rate_beside = fmax(fabs(y[1].rate_lo - y[0].rate_lo), fabs(y[3].rate_lo - y[2].rate_lo));
  /* the slope is infinite, as at the zero of a square root or at a pole */
  if (!isfinite(rate_jump + rate_beside)) rate_jump = rate_beside = 0;
  return (hk_scan_bend){from, to, fmax(jump - 2 * beside, 0), fmax(rate_jump - 2 * rate_beside, 0),
                        y[2].lo - y[1].lo};
}

static double grain_of(const hk_scan_path *p) { return hk_scan_near(p->t) / p->h; }

bool hk_scan_first_bend(const hk_sim *s, int watched, const hk_scan_path *p, double from, double to,
                        double over, int *pieces, hk_scan_bend *out) {
  const hk_watched *k = &s->model->watched[watched];
  double later[DEPTH], grain = grain_of(p);
  int n = 0, tries = 0;
  while (from<to && * pieces> 0) {
    double middle = 0.5 * (from + to);
    double fine = tries < PATIENT ? grain : ldexp(grain, (tries - PATIENT) / 8);
    bool bends = hk_scan_flow(s, k, p, from, to).bends;
    --*pieces, tries++;
    if (bends && to - from > fine && n < DEPTH && from < middle && middle < to) {
      later[n++] = to, to = middle;
      continue;
    }
    if (bends) {
      *out = measure_bend(s, k, p, from, to);
      if (hk_scan_effect(s, watched, out->jump, out->rate_jump, over) > matters) return true;
      tries = 0;
    }
    if (n == 0) return false;
    from = to, to = later[--n];
  }
  return false;
}

/* ---- what is smooth ---- */

/* The cubic through the values and slopes at the two ends of a part of the path (as Bernstein coefficients), and the
 * allowed deviation of the expression from this cubic. */
typedef struct told {
  double b[4];
  double from, length;
  double allowed;
} told;

static double told_at(const told *k, double at) {
  double u = (at - k->from) / k->length, v = 1 - u;
  return v * v * (v * k->b[0] + 3 * u * k->b[1]) + u * u * (3 * v * k->b[2] + u * k->b[3]);
}

/* Bound of the distance of the cubic from the straight line between its ends. */
static double bow_of(const double b[4]) {
  double slope = b[3] - b[0];
  return fmax(fabs(b[1] - b[0] - slope / 3), fabs(b[2] - b[0] - 2 * slope / 3));
}

/* A deviation of the expression below this fraction of the cubic's distance from a straight line is covered by the
 * integrator's error estimate, which uses differences over the step. The limit is not a fraction of the change of the
 * cubic itself: steps of any length integrate a linear function exactly, and a small peak on top of a large force that
 * changes evenly, such as the force of a spring, would never be found. */
static const double share_told = 0.25;
/* The same limit for expressions of motions. The limit for motions is smaller, because the error estimate may not
 * include their errors: joints enforce a motion exactly, and a prescribed rotation needs no force. */
static const double share_told_of_motion = 1e-3;
/* Tolerance for prescribed motions, relative to the size of the model, if the integrator's
 * tolerance is larger. Between the ends of a step h the velocity also follows the cubic; its
 * deviation is about 10/h times the deviation of the position. */
static const double tolerance_of_motion = 2e-10;
/* The rate of an expression counts as constant if its range is below this fraction of the rate. */
static const double plain = 0.5;

/* Returns true if the rate of an expression changes so little along a step that the expression
 * is nearly a straight line. If the rate is between r and R, the deviation from the straight
 * line through both ends is at most (R - r) h/4, and this line rises by at least min(|r|, |R|)
 * h. */
static bool is_plain(const hk_flow *f) {
  double least = fmin(fabs(f->rate_lo), fabs(f->rate_hi));
  return f->rate_lo * f->rate_hi > 0 && f->rate_hi - f->rate_lo <= plain * least;
}

/* Computes the ranges of value and rate of the cubic on a part of the path. The rate is with respect to the position
 * on the path. */
static void told_ranges(const told *k, double from, double to, hk_flow *out) {
  double y0 = told_at(k, from), y1 = told_at(k, to), length = to - from;
  double size = 3 / k->length, r[2],
         u[2] = {(from - k->from) / k->length, (to - k->from) / k->length};
  double d[3] = {size * (k->b[1] - k->b[0]), size * (k->b[2] - k->b[1]),
                 size * (k->b[3] - k->b[2])};
  for (int i = 0; i < 2; i++) {
    double v = 1 - u[i];
    r[i] = v * v * d[0] + 2 * u[i] * v * d[1] + u[i] * u[i] * d[2];
  }
  double middle =
      3 * (y1 - y0) / length - r[0] - r[1]; /* the middle Bernstein coefficient of the rate */
  double b1 = y0 + r[0] * length / 3, b2 = y1 - r[1] * length / 3;
  out->lo = fmin(fmin(y0, y1), fmin(b1, b2)), out->hi = fmax(fmax(y0, y1), fmax(b1, b2));
  out->rate_lo = fmin(middle, fmin(r[0], r[1])), out->rate_hi = fmax(middle, fmax(r[0], r[1]));
}

/* The cubic of an expression on a part of the path. It ends before a switch, because slopes
 * after the switch belong to the other branch. */
static told cubic_between(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double from,
                          double to) {
  const hk_flow y0 = hk_scan_flow(s, k, p, from, from), y1 = hk_scan_flow(s, k, p, to, to);
  double third = (to - from) * p->h / 3, share = k->of_motion ? share_told_of_motion : share_told;
  told out = {.b = {y0.lo, y0.lo + y0.rate_lo * third, y1.lo - y1.rate_lo * third, y1.lo},
              .from = from,
              .length = to - from};
  out.allowed = share * bow_of(out.b);
  if (isfinite(out.allowed)) return out;
  /* If a slope is infinite, as that of a square root at zero, a straight line is used. */
  out.b[1] = (2 * y0.lo + y1.lo) / 3, out.b[2] = (y0.lo + 2 * y1.lo) / 3;
  out.allowed = share * fabs(y1.lo - y0.lo);
  return out;
}

/* Highest degree of a polynomial of time whose deviation from its cubic is computed, and not searched. */
enum { MOST_EXACT = 6 };
/* Positions between the ends of the cubic. */
static const double inner_place[3] = {0.25, 0.5, 0.75};
/* Maximum of u^2 (1-u)^2. */
static const double most_shape = 1.0 / 16;

/* Bound of the deviation of a polynomial of time from its cubic. The difference of both is zero to second order at both
 * ends, so it is u^2 (1-u)^2 q(u) with q of degree 2, which three values determine; q lies between its Bernstein
 * coefficients. */
static double polynomial_deviation(const hk_sim *s, const hk_watched *k, const hk_scan_path *p,
                                   const told *cubic) {
  double q[3];
  for (int i = 0; i < 3; i++) {
    double u = inner_place[i], at = cubic->from + u * cubic->length, shape = u * (1 - u);
    q[i] = (hk_scan_value(s, k, p, at) - told_at(cubic, at)) / (shape * shape);
  }
  double q0 = 3 * (q[0] - q[1]) + q[2], q1 = q[0] + 3 * (q[2] - q[1]);
  double middle = 2 * q[1] - 0.5 * (q0 + q1);
  return fmax(fabs(middle), fmax(fabs(q0), fabs(q1))) * most_shape;
}

/* Finds the first position at which the expression deviates from its cubic by more than the allowed value; 1: there
 * is none before `to`; 0: the search needed too many subintervals. f: range of the expression between from and to. */
static double first_hidden(const hk_sim *s, const hk_watched *k, const hk_scan_path *p,
                           const told *cubic, double from, double to, hk_flow f, int pieces) {
  double later[DEPTH], found = 1;
  int n = 0;
  double off0 = 0, off1 = 0, off_later[DEPTH];
  for (bool first = true;; first = false) {
    if (--pieces <= 0) return 0;
    hk_flow c;
    if (!first) f = hk_scan_flow(s, k, p, from, to);
    told_ranges(cubic, from, to, &c);
    double length = to - from;
    double differs = fmax(f.rate_hi * p->h - c.rate_lo, c.rate_hi - f.rate_lo * p->h);
    double bound =
        fmin(0.5 * (fabs(off0) + fabs(off1) + differs * length), fmax(f.hi - c.lo, c.hi - f.lo));
    double middle = 0.5 * (from + to);
    if (!(bound <= cubic->allowed) && n < DEPTH) {
      double off = hk_scan_value(s, k, p, middle) - told_at(cubic, middle);
      if (!(fabs(off) <= cubic->allowed)) { /* later positions are not needed any more */
        found = to = middle, off1 = off, n = 0;
        if ((to - from) * p->h <= hk_scan_near(p->t)) return found;
        continue;
      }
      later[n] = to, off_later[n] = off1;
      n++, to = middle, off1 = off;
      continue;
    }
    if (n == 0) return found;
    from = to, off0 = off1;
    to = later[--n], off1 = off_later[n];
  }
}

/* ---- a whole step ---- */

/* Largest distance d (a time) before a switch from which the state may be extrapolated across the switch. The
 * extrapolation leaves a velocity error of v'' d^2/2. The displacement that this error causes within a usual step h
 * must be a small fraction of the tolerance. v'' is at most about v'/h, so that h cancels. With joints and motions
 * this error also violates the constraints of the velocities, so that the next step, however short, would be rejected
 * for it. */
static const double harmless = 0.005;

/* reach_share: largest distance before a switch, relative to a step. reach_falls: the distance is shortened by this
 * factor until expressions change evenly within it. */
static const double reach_share = 1e-3, reach_falls = 0.25;

static double reach_of(const hk_sim *s, double h) {
  double norm = hk_error_norm(s, s->x + s->model->at.vd);
  double smooth = norm > 0 ? sqrt(2 * harmless / norm) : h;
  return fmax(fmin(reach_share * h, smooth), 4 * hk_scan_near(s->x[s->model->at.t]));
}

/* If a step would end shortly before a switch, it is shortened to this fraction of the distance to the switch. */
static const double short_of = 0.3;

/* Number of halvings by which the range of an expression is refined. */
enum { REFINED = 6 };

/* Range of an expression on a part of a path that has no switch, except at its end. If the terms of the expression
 * cancel, its interval may extend beyond the switch. An interval that is wider than allowed is therefore halved; after
 * some halvings the values at the ends are used. */
static void widen(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double from,
                  double to, double allowed, int halvings, double *lo, double *hi) {
  hk_flow f = hk_scan_flow(s, k, p, from, to);
  double middle = 0.5 * (from + to);
  if (f.hi - f.lo <= allowed) {
    *lo = fmin(*lo, f.lo), *hi = fmax(*hi, f.hi);
  } else if (halvings > 0) {
    widen(s, k, p, from, middle, allowed, halvings - 1, lo, hi);
    widen(s, k, p, middle, to, allowed, halvings - 1, lo, hi);
  } else {
    double y0 = hk_scan_value(s, k, p, from), y1 = hk_scan_value(s, k, p, to);
    *lo = fmin(*lo, fmin(y0, y1)), *hi = fmax(*hi, fmax(y0, y1));
  }
}

bool hk_scan_is_calm(const hk_sim *s, const hk_scan_path *p, double from, double to, double over) {
  for (int i = 0; i < s->model->n_watched; i++) {
    const hk_watched *k = &s->model->watched[i];
    if (k->of_motion) continue;
    double time = (to - from) * p->h, share = (k->of_state ? 1 : 2) * time / over;
    double most = matters / (hk_scan_effect(s, i, 1, 0, over) * share);
    double lo = INFINITY, hi = -INFINITY;
    widen(s, k, p, from, to, most, REFINED, &lo, &hi);
    if (!(hi - lo <= most)) return false;
  }
  return true;
}

hk_seen hk_scan_approach(hk_sim *s, const hk_scan_path *p, double after, double *h) {
  hk_scan_memory *memory = hk_scan_memory_of(s, s->x);
  /* The usual step length is used here, because the present step may be short and end at the switch. */
  double over = fmax(*h, memory->pace), reach = reach_of(s, over), least = 4 * hk_scan_near(p->t);
  while (reach > least && !hk_scan_is_calm(s, p, fmax(after - reach, 0) / p->h, after / p->h, over))
    reach = fmax(reach_falls * reach, least);
  memory->due = s->x[s->model->at.t] + after, memory->reach = reach;
  if (after <= reach) return HK_SEEN_HERE;
  *h = after - short_of * reach;
  return HK_SEEN_EARLIER;
}

static void look_at_ends(hk_sim *s) {
  const hk_model *m = s->model;
  hk_scan *k = s->scan;
  size_t size = hk_scan_key_size(m);
  if (!k->known || memcmp(k->key, s->x + m->at.t, size) != 0) {
    hk_scan_look(s, s->x, false, k->end[0]);
    memcpy(k->key, s->x + m->at.t, size);
    k->known = true;
  }
  hk_scan_look(s, s->x_next, false, k->end[1]);
}

static const double pace_fall =
    0.1; /* share of each step by which the usual step falls while steps are short */

static void accept(hk_sim *s, double h) {
  const hk_model *m = s->model;
  hk_scan *k = s->scan;
  hk_scan_memory *memory = hk_scan_memory_of(s, s->x);
  if (!(h > 0)) { /* velocities have jumped and have not been evaluated */
    hk_scan_forget(s);
    return;
  }
  memory->pace = fmax(h, memory->pace - pace_fall * h);
  double *end = k->end[0];
  k->end[0] = k->end[1];
  k->end[1] = end;
  memcpy(k->key, s->x + m->at.t, hk_scan_key_size(m));
}

/* A switch that was just crossed may still appear within this share of the time, which counts as at least this long [s]. */
static const double crossed_share = 2e-11, least_time = 1e-3;

/* The search starts at this position: at the very beginning of a step, the switch that was just crossed may still
 * appear. */
static double first_place(double t, double h) {
  return fmin(crossed_share * fmax(least_time, fabs(t)) / h, 0.5);
}

/* Returns true if an expression of time changes by less than `delta` over this step and over those after it. */
static bool is_constant_ahead(const hk_sim *s, int watched, const hk_scan_path *p, double delta) {
  const hk_flow *f =
      hk_outlook_over(&s->scan->ahead[watched], s->model->watched[watched].expr, p->t, p->t + p->h);
  return f->hi - f->lo <= delta;
}

/* Finds the first position at which the step must end; 1: there is none. *bends: true if a kink or a jump is at this
 * position. */
static double first_trouble(const hk_sim *s, const hk_scan_path *p, double from, bool *bends) {
  const hk_model *m = s->model;
  double over = fmax(p->h, hk_scan_memory_of(s, s->x)->pace), end = 1;
  *bends = false;
  for (int i = 0; i < m->n_watched && from < end; i++) {
    const hk_watched *k = &m->watched[i];
    int pieces = HK_SCAN_PIECES;
    double delta = 1 / hk_scan_effect(s, i, 1, 0, p->h);
    if (k->timed && is_constant_ahead(s, i, p, delta)) continue;
    hk_flow whole = hk_scan_flow(s, k, p, from, end);
    hk_scan_bend bend;
    double before = end;
    if (whole.bends && !k->timed && hk_scan_first_bend(s, i, p, from, end, over, &pieces, &bend))
      end = bend.left, *bends = true;
    if (pieces <= 0) end = fmin(end, 0.5), *bends = false;
    if (end < before) s->scan->trouble = i;
    bool polynomial = k->gentle_in_pieces && whole.known;
    if (whole.hi - whole.lo <= delta || polynomial || !(from < end)) continue;
    if (is_plain(&whole) && !k->timed) continue;
    told cubic = cubic_between(s, k, p, from, end);
    if (k->of_motion) delta *= fmin(tolerance_of_motion * m->length / hk_tolerance(s), 1);
    cubic.allowed = fmax(delta, cubic.allowed);
    if (k->timed && k->degree <= MOST_EXACT && !whole.bends &&
        polynomial_deviation(s, k, p, &cubic) <= cubic.allowed)
      continue;
    double found = first_hidden(s, k, p, &cubic, from, end, whole, HK_SCAN_PIECES / 2);
    if (!(found > 0)) found = 0.5;
    if (found < end) end = found, *bends = false, s->scan->trouble = i;
  }
  return end;
}

/* Maximum number of consecutive switches that cannot be crossed. */
enum { MOST_LEFT_OUT = 8 };
static const double clearly_shorter =
    0.9; /* largest length of a step that must end earlier, as a fraction of the attempt before */

static hk_seen scan_step(hk_sim *s, double *h, bool may_cross) {
  double t = s->x[s->model->at.t], from = first_place(t, *h);
  hk_scan_memory *memory = hk_scan_memory_of(s, s->x);
  look_at_ends(s);
  const hk_scan_path p = hk_scan_path_of(s, t, *h);
  for (int i = 0; i < MOST_LEFT_OUT; i++) {
    bool bends;
    double end = first_trouble(s, &p, from, &bends);
    if (end >= 1) return HK_SEEN_NOTHING;
    if (!bends) {
      *h *= fmin(end, clearly_shorter);
      return HK_SEEN_EARLIER;
    }
    hk_seen verdict = hk_scan_approach(s, &p, end * *h, h);
    if (verdict != HK_SEEN_HERE || may_cross) return verdict;
    from = fmin(fmax(memory->reach / *h, end + grain_of(&p)), 1);
    memory->reach = 0;
  }
  *h *= 0.5;
  return HK_SEEN_EARLIER;
}

static bool present(const hk_sim *s) {
  return s->model->n_watched > 0 && hk_integrator_can(s, HK_ADAPTIVE);
}

static hk_seen look(hk_sim *s, bool good, bool may_meet, double *end, double *next) {
  (void)next;
  hk_seen seen = good ? scan_step(s, end, may_meet) : hk_scan_rejected(s, end);
  return seen == HK_SEEN_HERE && !may_meet ? HK_SEEN_NOTHING : seen;
}

static const hk_expr *last_trouble(const hk_sim *s, const hk_item **item) {
  const hk_watched *k = &s->model->watched[s->scan->trouble];
  *item = k->item;
  return k->text;
}

const hk_source hk_source_scan = {
    .what = "a load or state that changes or switches within a longer step",
    .present = present,
    .meet = hk_scan_cross,
    .look = look,
    .who = last_trouble,
    .accept = accept};

/* ---- the effect of an expression ---- */

/* The largest displacement, relative to the tolerance, that a force or a moment of these magnitudes at a marker causes
 * in any direction, divided by t^2/2 (constant acceleration from rest). */
static double give_at(const hk_sim *s, int marker, double force, double moment, double *d) {
  const hk_model *m = s->model;
  double largest = 0;
  if (marker < 0 || m->marker[marker].node == HK_GROUND) return 0;
  const hk_node *n = &m->node[m->marker[marker].node];
  for (int i = 0; i < 6; i++) {
    double row[n->nv], size = i < 3 ? force : moment;
    const hk_vec3 e = hk_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2), zero = {0, 0, 0};
    hk_map_row(s->work, marker, i < 3 ? e : zero, i < 3 ? zero : e, row);
    hk_zero(d, m->nv);
    for (int k = 0; k < n->nv; k++) d[n->v + k] = size * row[k] * m->give[n->v + k];
    largest = fmax(largest, hk_error_norm(s, d));
  }
  return isfinite(largest) ? largest : 0;
}

static double give_of(hk_sim *s, const hk_watched *k, const hk_instant *in) {
  const hk_force *f = &s->model->force[k->force];
  hk_force_result e;
  hk_force_evaluate(s->work, f, in, true, &e);
  if (f->coordinate >= 0) {
    const hk_coordinate *c = &s->model->coordinate[f->coordinate];
    double F = fabs(e.out.F_e[k->number]);
    return fmax(give_at(s, c->a, F * hk_norm(e.J.xa), F * hk_norm(e.J.ta), s->d),
                give_at(s, c->b, F * hk_norm(e.J.xb), F * hk_norm(e.J.tb), s->d));
  }
  const double *w = e.out.w_e[k->number];
  return fmax(
      give_at(s, f->a, hk_norm(hk_v3(w[0], w[1], w[2])), hk_norm(hk_v3(w[3], w[4], w[5])), s->d),
      give_at(s, f->b, hk_norm(hk_v3(w[6], w[7], w[8])), hk_norm(hk_v3(w[9], w[10], w[11])), s->d));
}

static bool reads(const hk_watched *k, int n, int slot) {
  for (int i = 0; i < n; i++)
    for (int j = 0; k[i].expr && j < k[i].n_slots; j++)
      if (k[i].slot[j] == slot) return true;
  return false;
}

static void add_leaf(hk_scan_leaves *l, int slot, const hk_channel *c) {
  l->slot[l->n++] = slot;
  l->needs_forces = l->needs_forces || c->owner == HK_OF_FORCE;
}

/* Collects the slots of the channels that watched expressions and sensors read. */
static void find_leaves(const hk_model *m, hk_scan *k) {
  for (int slot = 1; slot < m->n_variables; slot++) {
    const hk_channel *c = &m->channel[m->variable_channel[slot]];
    if (c->owner == HK_OF_SENSOR) continue;
    bool watched = reads(m->watched, m->n_watched, slot);
    if (watched) add_leaf(&k->watched, slot, c);
    if (watched || reads(m->sensor_watched, m->n_sensors, slot)) add_leaf(&k->all, slot, c);
  }
  k->same_leaves = k->all.n == k->watched.n;
}

hk_status hk_scan_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if ((m->n_watched == 0 && m->n_sensors == 0 && m->n_bulging == 0) || s->scan) return HK_OK;
  size_t nv = (size_t)m->n_variables, key = hk_scan_key_size(m) / sizeof(double),
         n = (size_t)m->n_watched;
  hk_scan *k = calloc(1, sizeof *k);
  s->scan = k;
  if (!k || !(k->block = calloc(n + 9 * nv + 2 * key + (size_t)m->at.size, sizeof *k->block)) ||
      !(k->flow = calloc(nv + 1, sizeof *k->flow)) ||
      !(k->watched.slot = calloc(2 * nv + 1, sizeof *k->watched.slot)) ||
      !(k->ahead = calloc(n + (size_t)m->n_bulging + 1, sizeof *k->ahead)))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  k->give = k->block, k->end[0] = k->give + n, k->end[1] = k->end[0] + 2 * nv;
  k->variable = k->end[1] + 2 * nv, k->last[0] = k->variable + nv;
  k->last[1] = k->last[0] + 2 * nv, k->key = k->last[1] + 2 * nv, k->last_key = k->key + key;
  s->out.before = k->last_key + key;
  k->all.slot = k->watched.slot + nv;
  k->peaks_ahead = k->ahead + n;
  for (int i = 0; i < m->n_watched; i++) k->moves = k->moves || !m->watched[i].timed;
  find_leaves(m, k);
  return HK_OK;
}

/* [m] Displacement per unit of a motion; angles are multiplied by the model's length. */
static double lever_of(const hk_model *m, const hk_watched *k) {
  if (k->force < 0) return m->length;
  const hk_constraint *c = &m->constraint[k->force];
  bool turns = c->n_terms > 0 && m->coordinate[m->term[c->term].coordinate].turn >= 0;
  return turns ? m->length : 1;
}

void hk_scan_begin(hk_sim *s) {
  const hk_model *m = s->model;
  if (!s->scan) return;
  const hk_instant in = hk_instant_last(m, s->x, s->x + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_variables(s->work, &in);
  for (int i = 0; i < m->n_watched; i++)
    s->scan->give[i] = m->watched[i].of_motion ? lever_of(m, &m->watched[i])
                                               : give_of(s, &m->watched[i], &in) *
                                                     fabs(m->watched[i].factor) * hk_tolerance(s);
}

void hk_scan_forget(hk_sim *s) {
  if (s->scan) s->scan->known = s->scan->last_known = false;
}

void hk_scan_free(hk_sim *s) {
  if (!s->scan) return;
  free(s->scan->flow);
  free(s->scan->watched.slot);
  free(s->scan->ahead);
  free(s->scan->block);
  free(s->scan);
  s->scan = NULL;
}
