/* Branches of periodic orbits over a parameter: see hooke/nonlinear.h and docs/periodic.md.
 *
 *   1. The first orbit is found by hk_periodic_run.
 *   2. At each point, one period with adaptive steps gives the grid of steps; then the multipliers and the tangent
 *      are computed.
 *   3. A step along the tangent follows, shortened until Newton's method converges.
 *   4. Events between the two ends of the step are located on the same grid.
 *   5. The branch ends when the parameter leaves its range; the last point is at the bound. */
#include "analysis/branch.h"
#include "base/required.h"
#include "analysis/floquet.h"
#include "base/options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 41, DEFAULT_MOST = 1000, LEAST_CLOSED = 4 };
static const double SHORTEST = 1e-4, LONGER = 1.5, FIRST_STEP = 0.25;
/* A branch counts as closed if its first orbit is between two successive points, at a distance from their connecting
 * line below this fraction of their distance. */
static const double CLOSED = 0.1;

const char *hk_special_name(hk_special special) {
  static const char *const name[] = {"", "fold", "flip", "Neimark-Sacker", "branch point"};
  return special >= HK_ORDINARY && special <= HK_BRANCH_POINT ? name[special] : "";
}

/* ---- points ---- */

hk_status hk_follower_add(hk_follower *f, hk_special special, hk_branch_point **out,
                          hk_error *err) {
  hk_orbit_branch *b = f->out;
  hk_search *q = &f->q;
  if (b->n == b->room) {
    int room = b->room ? 2 * b->room : 64;
    hk_branch_point *more = realloc(b->point, (size_t)room * sizeof *more);
    if (!more) return hk_fail(err, HK_ENOMEM, "out of memory");
    b->point = more;
    b->room = room;
  }
  void *state = NULL;
  size_t state_size;
  hk_status status = hk_search_copy(q, q->x, &state, &state_size, err);
  if (status) {
    free(state);
    return status;
  }
  double value = f->now.value;
  *out = &b->point[b->n++];
  **out = (hk_branch_point){
      .value = value, .special = special, .from = value, .to = value, .located = true};
  (*out)->orbit = (hk_periodic){.found = true,
                                .period = q->p.T,
                                .residual = q->residual,
                                .error = NAN,
                                .trivial = NAN,
                                .uncertainty = NAN,
                                .stepper = hk_sim_stepper_name(hk_search_outer(q)),
                                .choose = q->chosen,
                                .unknowns = q->p.n,
                                .per_period = q->accurate ? q->p.per_period : q->p.n_tau,
                                .state = state,
                                .state_size = state_size};
  return HK_OK;
}

/* Determines the grid of steps: equal steps if the step size is fixed, otherwise the steps of one adaptive period. */
static hk_status plan(hk_follower *f, hk_error *err) {
  hk_search *q = &f->q;
  hk_periodic only = {0};
  q->out = &only;
  double h = q->s->option.step;
  if (h > 0 && !hk_integrator_can(q->s, HK_IMPACTS)) {
    hk_status status = hk_shooter_divide(&q->p, h, err);
    if (status) return status;
  }
  hk_status status = hk_search_plan(q, err);
  if (!status) status = hk_shooter_freeze(&q->p, err);
  return status;
}

/* Vector from the last point to the present orbit, in units. */
static void look_back(hk_follower *f, double *way) {
  const hk_search *q = &f->q;
  int n = q->p.n, size = n + (f->orbit.unknown ? 1 : 0) + 1;
  hk_zero(way, size);
  if (f->out->n == 0) {
    way[size - 1] = f->o->last > f->o->first ? 1 : -1;
    return;
  }
  hk_shooter_chart(&q->p, f->end, way);
  for (int i = 0; i < n; i++) way[i] = -way[i] / HK_BRANCH_SHARE;
  if (f->orbit.unknown) way[n] = (1 - f->T / q->p.T) / HK_BRANCH_SHARE;
  way[size - 1] = (f->now.value - f->value) / f->unit;
}

/* Computes the mark of an orbit: numbers that do not depend on its phase and identify it. They are the parameter, the
 * period and the ranges of the velocities. */
static void make_mark(const hk_follower *f, double *mark) {
  const hk_shooter *p = &f->q.p;
  *mark++ = f->now.value;
  *mark++ = p->T;
  for (int j = 0; j < f->q.m->nv; j++) {
    *mark++ = p->low[j];
    *mark++ = p->high[j];
  }
}

/* Returns the difference of entry i of the marks a and b (see make_mark), divided by a unit. This unit is the step unit for
 * the parameter, and a fixed fraction of the values of the present orbit for the period and the velocities. */
static double mark_difference(const hk_follower *f, const double *a, const double *b, int i) {
  const hk_shooter *p = &f->q.p;
  double unit = i == 0   ? f->unit
                : i == 1 ? HK_BRANCH_SHARE * p->T
                         : HK_BRANCH_SHARE * p->scale[f->q.m->nv + (i - 2) / 2];
  return (a[i] - b[i]) / unit;
}

/* Makes the orbit at q->x a point of the branch: computes its grid, multipliers and tangent. */
static hk_status settle(hk_follower *f, double *way, hk_error *err) {
  hk_search *q = &f->q;
  hk_branch_point *point;
  bool first = f->out->n == 0;
  hk_status status = plan(f, err);
  double error = q->out->error;
  if (!status) status = hk_shooter_rebase(&q->p, q->x, err);
  if (!status) status = hk_search_period(q, true, err);
  if (status) return status;
  look_back(f, way);
  status = hk_follower_add(f, HK_ORDINARY, &point, err);
  if (status) return status;
  point->orbit.error = error;
  status = hk_follower_keep(f, way, err);
  make_mark(f, f->mark + (first ? 0 : 2) * (2 * q->m->nv + 2));
  if (!status)
    status = hk_floquet_judge(&q->p, q->x, f->orbit.unknown, HK_FLOQUET_VALUES, &point->orbit, err);
  if (!status && !first) status = hk_follower_compare_grids(f, err);
  return status;
}

/* ---- the branch ---- */

static bool outside(const hk_follower *f, double value, double *bound) {
  double low = fmin(f->o->first, f->o->last), high = fmax(f->o->first, f->o->last);
  double slack = 1e-9 * f->unit;
  *bound = value > high ? high : low;
  return value > high + slack || value < low - slack;
}

/* Returns true if the branch has returned to its first orbit. This orbit is then between the last point and the
 * present point. Stores the present point as the last point. */
static bool is_closed(const hk_follower *f, int points) {
  int n = 2 * f->q.m->nv + 2;
  double *first = f->mark, *last = first + n, *now = last + n, dot = 0, way = 0, off = 0;
  bool closed = false;
  if (points > LEAST_CLOSED) {
    for (int i = 0; i < n; i++) {
      double step = mark_difference(f, now, last, i);
      dot += mark_difference(f, first, last, i) * step;
      way += step * step;
    }
    double share = way > 0 ? dot / way : -1;
    for (int i = 0; i < n; i++) {
      double d = mark_difference(f, first, last, i) - share * mark_difference(f, now, last, i);
      off += d * d;
    }
    closed = share >= 0 && share <= 1 && off <= CLOSED * CLOSED * way;
  }
  memcpy(last, now, (size_t)n * sizeof *last);
  return closed;
}

hk_status hk_follower_put_back(hk_follower *f, hk_error *err) {
  hk_status status = hk_follower_set(f, f->to.value, err);
  f->q.p.T = f->to.T;
  memcpy(f->q.x, f->to.x, hk_search_bytes(&f->q));
  return status;
}

/* Makes one step along the branch from the last point. The step is shortened until Newton's method converges. *ds: on
 * entry the length of this step, on return the length of the next step. */
static hk_status advance(hk_follower *f, double *ds, bool *ends, hk_error *err) {
  hk_status status = HK_RETRY;
  hk_error why = {0};
  double bound;
  bool whole = true;
  while (status == HK_RETRY && *ds >= SHORTEST) {
    status = hk_follower_step(f, *ds, &f->ahead, &why);
    f->taken = *ds;
    if (status == HK_RETRY) *ds /= 2, whole = false;
  }
  if (status) return hk_fail(err, status, "%s", why.text);
  if (outside(f, f->now.value, &bound)) {
    *ends = true;
    double t = f->tangent[f->size - 1] * f->unit, reach = t != 0 ? (bound - f->value) / t : 0;
    f->taken = reach > 0 && reach < f->taken ? reach : f->taken;
    status = hk_follower_land(f, f->taken, bound, &f->ahead, err);
    if (status) return status;
    f->out->end = bound == f->o->last ? HK_BRANCH_REACHED : HK_BRANCH_BACK;
  }
  hk_search_go_on(&f->q);
  f->to.value = f->now.value;
  f->to.T = f->q.p.T;
  memcpy(f->to.x, f->q.x, hk_search_bytes(&f->q));
  status = hk_follower_add_events(f, err);
  if (!status) status = hk_follower_put_back(f, err);
  if (whole) *ds = fmin(1, LONGER * *ds);
  return status;
}

static hk_status follow(hk_follower *f, hk_error *err) {
  int most = f->o->most_points > 0 ? f->o->most_points : DEFAULT_MOST, settled = 1;
  double ds = FIRST_STEP;
  bool ends = false;
  double *way = calloc(2 * (size_t)f->q.m->nv + 2, sizeof *way);
  hk_status status = way ? settle(f, way, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status)
    memcpy(f->mark + 2 * f->q.m->nv + 2, f->mark, (2 * (size_t)f->q.m->nv + 2) * sizeof *f->mark);
  while (!status && !ends) {
    if (f->o->go_on && !f->o->go_on(f->o->context, f->out->n)) {
      status = hk_fail(err, HK_STOPPED, "stopped by the caller");
      break;
    }
    status = advance(f, &ds, &ends, err);
    if (!status) status = settle(f, way, err);
    if (!status && is_closed(f, ++settled) && !ends) f->out->end = HK_BRANCH_CLOSED, ends = true;
    if (!status && !ends && f->out->n >= most) f->out->end = HK_BRANCH_FULL, ends = true;
  }
  if ((status == HK_RETRY || status == HK_EFAIL) && f->out->n > 1) {
    f->out->end = HK_BRANCH_LOST;
    snprintf(f->out->why, sizeof f->out->why, "%.390s", err ? err->text : "");
    status = HK_OK;
  }
  free(way);
  return status == HK_RETRY ? HK_EFAIL : status;
}

/* Finds the first orbit and prepares the continuation from it. */
static hk_status begin(hk_follower *f, hk_error *err) {
  hk_branch_model *b = &f->now;
  hk_periodic first = {0};
  b->value = f->o->start ? *f->o->start : f->o->first;
  hk_status status = f->o->model(f->o->context, b->value, &b->model, &f->orbit, err);
  if (!status && !b->model) status = hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  if (status) return status;
  b->period = f->orbit.period;
  status = hk_periodic_run(b->model, &f->orbit, &first, f->diag, err);
  f->orbit.start = first.state;
  f->orbit.start_size = first.state_size;
  f->orbit.start_period = first.period;
  f->orbit.from = 0;
  if (f->orbit.unknown) f->orbit.period = first.period;
  f->q.m = b->model;
  if (!status) status = hk_search_begin(&f->q, NULL, err);
  b->sim = f->q.s;
  b->accurate = f->q.accurate;
  b->tangent = f->q.p.tangent;
  if (!status) { /* the start time of the runs, to which phases refer */
    hk_sim *fresh = NULL, *accurate = NULL;
    status = hk_search_sim(&f->orbit, b->model, &fresh, &accurate, &f->q.chosen, NULL, err);
    if (!status) f->origin = hk_sim_time(fresh);
    hk_sim_destroy(fresh);
    hk_sim_destroy(accurate);
  }
  if (!status) status = hk_shooter_run(&f->q.p, f->q.x, f->q.end, false, err);
  if (!status) status = hk_shooter_rebase(&f->q.p, f->q.x, err);
  if (!status) status = hk_shooter_find_cyclic(&f->q.p, f->q.x, f->q.end, err);
  if (!status) status = hk_shooter_rebase(&f->q.p, f->q.x, err);
  f->orbit.start = NULL;
  hk_periodic_free(&first);
  return status;
}

static hk_status reserve(hk_follower *f, hk_error *err) {
  size_t n = 2 * (size_t)f->q.m->nv, size = n + 2;
  f->end = malloc(hk_search_bytes(&f->q));
  f->to.x = malloc(hk_search_bytes(&f->q));
  f->r = calloc(5 * size + n * n + size * size, sizeof *f->r);
  f->mark = calloc(3 * size, sizeof *f->mark);
  if (!f->end || !f->to.x || !f->r || !f->mark) return hk_fail(err, HK_ENOMEM, "out of memory");
  f->tangent = f->r + n;
  f->rate = f->tangent + size;
  f->u = f->rate + n;
  f->t = f->u + size;
  f->b = f->t + size;
  f->P = f->b + size;
  f->A = f->P + n * n;
  return HK_OK;
}

static hk_status check(const hk_branch_options *o, hk_error *err) {
  if (!o->model || !o->orbit)
    return hk_fail(
        err, HK_EINPUT,
        "the function that provides models, or the options of an orbit, must not be NULL");
  if (!isfinite(o->first) || !isfinite(o->last) || o->first == o->last)
    return hk_fail(err, HK_EINPUT,
                   "a branch needs two different values of the parameter, not %g and %g", o->first,
                   o->last);
  double low = fmin(o->first, o->last), high = fmax(o->first, o->last);
  if (o->start && !(*o->start >= low && *o->start <= high))
    return hk_fail(err, HK_EINPUT, "the start of a branch must be between %g and %g, not %g", low,
                   high, *o->start);
  if (o->points < 0 || o->points == 1)
    return hk_fail(err, HK_EINPUT, "a branch needs at least 2 points, not %d", o->points);
  return HK_OK;
}

hk_status hk_branch_run(const hk_branch_options *options, hk_orbit_branch *out, hk_diag *diag,
                        hk_error *err) {
  HK_REQUIRE(out, err);
  hk_branch_options o;
  HK_TAKE_OPTIONS(o, options);
  *out = (hk_orbit_branch){0};
  hk_status status = check(&o, err);
  if (status) return status;
  hk_follower f = {.o = &o, .out = out, .diag = diag};
  HK_TAKE_OPTIONS(f.orbit, o.orbit);
  f.orbit.size = 0;
  f.orbit.whole = true;
  f.unit = fabs(o.last - o.first) / ((o.points ? o.points : DEFAULT_POINTS) - 1);
  hk_periodic only = {0};
  f.q = (hk_search){.o = &f.orbit,
                    .out = &only,
                    .tolerance = f.orbit.tolerance > 0 ? f.orbit.tolerance : 1e-6,
                    .most_runs = 1000000000};
  status = begin(&f, err);
  if (!status) status = reserve(&f, err);
  if (!status) status = follow(&f, err);
  out->runs = f.q.p.runs;
  out->derivatives = f.q.p.derivatives;
  out->steps = f.q.p.steps;
  f.q.p.tangent = NULL; /* released with the arena of the model */
  hk_shooter_free(&f.q.p);
  hk_follower_close(&f);
  free(f.q.x);
  free(f.q.y);
  free(f.q.mean);
  free(f.end);
  free(f.to.x);
  free(f.mark);
  free(f.r);
  free(f.column);
  return status;
}

void hk_branch_free(hk_orbit_branch *b) {
  if (!b) return;
  for (int i = 0; i < b->n; i++) hk_periodic_free(&b->point[i].orbit);
  free(b->point);
  *b = (hk_orbit_branch){0};
}
