/* Branches of periodic orbits over a parameter: see hooke/nonlinear.h and docs/periodic.md.
 *
 *   1. the first orbit, by hk_periodic_run;
 *   2. at each point: one plain period, whose steps become the grid, the multipliers, the tangent;
 *   3. a step along the tangent, shortened until Newton's method converges;
 *   4. events between the two ends of the step, located on the same grid;
 *   5. until the parameter leaves its range: the last point lies on its bound. */
#include "analysis/branch.h"
#include "analysis/floquet.h"
#include "base/options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 41, DEFAULT_MOST = 1000, MOST_EVENTS = 4, MOST_TRIALS = 40 };
static const double SHORTEST = 1e-4, LONGER = 1.5, FIRST_STEP = 0.25;
static const double LOCATED = 1e-7; /* of a unit of the arc length */

const char *hk_special_name(hk_special special) {
  static const char *const name[] = {"", "fold", "flip", "Neimark-Sacker", "branch point"};
  return special >= HK_ORDINARY && special <= HK_BRANCH_POINT ? name[special] : "";
}

/* ---- points ---- */

static hk_status add_point(hk_follower *f, hk_special special, hk_branch_point **out,
                           hk_error *err) {
  hk_orbit_branch *b = f->out;
  if (b->n == b->room) {
    int room = b->room ? 2 * b->room : 64;
    hk_branch_point *more = realloc(b->point, (size_t)room * sizeof *more);
    if (!more) return hk_fail(err, HK_ENOMEM, "out of memory");
    b->point = more;
    b->room = room;
  }
  hk_search *q = &f->q;
  *out = &b->point[b->n++];
  **out = (hk_branch_point){.value = f->now.value, .special = special};
  hk_periodic *orbit = &(*out)->orbit;
  *orbit = (hk_periodic){.found = true,
                         .period = q->p.T,
                         .residual = q->residual,
                         .error = NAN,
                         .trivial = NAN,
                         .uncertainty = NAN,
                         .stepper = hk_sim_stepper_name(q->s),
                         .unknowns = q->p.n,
                         .per_period = q->p.n_tau,
                         .state_size = hk_search_bytes(q)};
  orbit->state = malloc(orbit->state_size);
  if (!orbit->state) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(orbit->state, q->x, orbit->state_size);
  return HK_OK;
}

/* The grid of a fixed step follows the period; otherwise one plain period determines it. */
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

/* The orbit at q->x becomes a point: its grid, multipliers, tangent. */
static hk_status settle(hk_follower *f, double *ahead, hk_error *err) {
  hk_search *q = &f->q;
  hk_branch_point *point;
  hk_status status = plan(f, err);
  double error = q->out->error;
  if (!status) status = hk_shooter_rebase(&q->p, q->x, err);
  if (!status) status = hk_search_period(q, true, err);
  if (status) return status;
  int size = q->p.n + (f->orbit.unknown ? 1 : 0) + 1;
  if (f->out->n) { /* the way from the last point */
    hk_shooter_chart(&q->p, f->out->point[f->out->n - 1].orbit.state, ahead);
    for (int i = 0; i < q->p.n; i++) ahead[i] = -ahead[i] / HK_BRANCH_SHARE;
    ahead[size - 1] = (f->now.value - f->out->point[f->out->n - 1].value) / f->unit;
    if (f->orbit.unknown) ahead[q->p.n] = 0;
  } else {
    hk_zero(ahead, size);
    ahead[size - 1] = f->o->last > f->o->first ? 1 : -1;
  }
  status = add_point(f, HK_ORDINARY, &point, err);
  if (!status) status = hk_follower_keep(f, ahead, err);
  point = &f->out->point[f->out->n - 1];
  point->orbit.error = error;
  if (!status) status = hk_floquet_judge(&q->p, q->x, f->orbit.unknown, &point->orbit, err);
  return status;
}

/* ---- events ---- */

/* The event between the distances 0 and ds on the same grid, by regula falsi (Illinois). */
static hk_status locate(hk_follower *f, hk_special event, double ds, const hk_branch_test *end,
                        hk_error *err) {
  double a = 0, b = ds, fa = hk_branch_test_of(&f->test, event), fb = hk_branch_test_of(end, event);
  hk_branch_test test;
  hk_status status = HK_OK;
  int side = 0;
  for (int k = 0; k < MOST_TRIALS && !status; k++) {
    double c = b - fb * (b - a) / (fb - fa);
    if (!(c > a && c < b) || k % 8 == 7) c = 0.5 * (a + b);
    status = hk_follower_step(f, c, &test, err);
    if (status) break;
    double fc = hk_branch_test_of(&test, event);
    if (!isfinite(fc)) break;
    if (fa * fc > 0) {
      double moved = c - a;
      a = c, fa = fc;
      if (side == 1) fb /= 2;
      side = 1;
      if (moved < LOCATED) break;
    } else {
      double moved = b - c;
      b = c, fb = fc;
      if (side == -1) fa /= 2;
      side = -1;
      if (moved < LOCATED) break;
    }
    if (fc == 0 || b - a < LOCATED) break;
  }
  return status;
}

static hk_status add_events(hk_follower *f, double ds, const hk_branch_test *end, hk_error *err) {
  hk_special event[MOST_EVENTS];
  int n = hk_branch_events(&f->test, end, event, MOST_EVENTS), first = f->out->n;
  hk_status status = HK_OK;
  for (int k = 0; k < n && !status; k++) {
    hk_branch_point *point;
    status = locate(f, event[k], ds, end, err);
    if (status == HK_RETRY || status == HK_EFAIL) { /* the table shows it between two points */
      status = HK_OK;
      continue;
    }
    if (!status) status = add_point(f, event[k], &point, err);
    if (status) break;
    status = hk_floquet_judge(&f->q.p, f->q.x, f->orbit.unknown, &point->orbit, err);
    point->orbit.stability = HK_UNDECIDED;
  }
  /* in the order of the parameter along the step */
  double way = f->now.value >= f->value ? 1 : -1;
  hk_branch_point *p = f->out->point;
  for (int i = first; i < f->out->n; i++)
    for (int k = i + 1; k < f->out->n; k++)
      if (way * (p[k].value - p[i].value) < 0 && p[i].special != HK_FOLD &&
          p[k].special != HK_FOLD) {
        hk_branch_point other = p[i];
        p[i] = p[k];
        p[k] = other;
      }
  return status;
}

/* ---- the branch ---- */

static bool outside(const hk_follower *f, double value, double *bound) {
  double low = fmin(f->o->first, f->o->last), high = fmax(f->o->first, f->o->last);
  double slack = 1e-9 * f->unit;
  *bound = value > high ? high : low;
  return value > high + slack || value < low - slack;
}

/* The branch has come back to its first orbit. */
static bool is_closed(hk_follower *f) {
  hk_orbit_branch *b = f->out;
  if (b->n < 8 || fabs(f->now.value - b->point[0].value) > 0.5 * f->unit) return false;
  hk_shooter_chart(&f->q.p, b->point[0].orbit.state, f->u);
  return hk_shooter_size(&f->q.p, f->u) < 0.1 && b->point[0].value != f->o->first;
}

typedef struct place {
  double *x, value, T;
} place;

static hk_status put_back(hk_follower *f, const place *at, hk_error *err) {
  hk_status status = hk_follower_set(f, at->value, err);
  f->q.p.T = at->T;
  memcpy(f->q.x, at->x, hk_search_bytes(&f->q));
  return status;
}

/* One step from the last point, as long as possible; *ds: its length, then that of the next. */
static hk_status advance(hk_follower *f, double *ds, place *to, bool *ends, hk_error *err) {
  hk_branch_test test = {0};
  hk_status status = HK_RETRY;
  hk_error why = {0};
  double bound, taken = *ds;
  bool whole = true;
  while (status == HK_RETRY && *ds >= SHORTEST) {
    status = hk_follower_step(f, *ds, &test, &why);
    taken = *ds;
    if (status == HK_RETRY) *ds /= 2, whole = false;
  }
  if (status == HK_RETRY) return hk_fail(err, HK_RETRY, "%s", why.text);
  if (status) return hk_fail(err, status, "%s", why.text);
  if (outside(f, f->now.value, &bound)) {
    *ends = true;
    double t = f->tangent[f->size - 1] * f->unit, reach = t != 0 ? (bound - f->value) / t : 0;
    taken = reach > 0 && reach < taken ? reach : taken;
    status = hk_follower_land(f, taken, bound, &test, err);
    if (status) return status;
    f->out->end = bound == f->o->last ? HK_BRANCH_REACHED : HK_BRANCH_BACK;
  }
  hk_search_go_on(&f->q);
  *to = (place){to->x, f->now.value, f->q.p.T};
  memcpy(to->x, f->q.x, hk_search_bytes(&f->q));
  status = add_events(f, taken, &test, err);
  if (!status) status = put_back(f, to, err);
  if (whole) *ds = fmin(1, LONGER * *ds);
  return status;
}

static hk_status follow(hk_follower *f, hk_error *err) {
  int most = f->o->most_points > 0 ? f->o->most_points : DEFAULT_MOST;
  double ds = FIRST_STEP;
  bool ends = false;
  place to = {.x = malloc(hk_search_bytes(&f->q))};
  double *ahead = calloc(2 * (size_t)f->q.m->nv + 2, sizeof *ahead);
  hk_status status =
      to.x && ahead ? settle(f, ahead, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  while (!status && !ends) {
    if (f->o->go_on && !f->o->go_on(f->o->context, f->out->n)) {
      status = hk_fail(err, HK_STOPPED, "stopped by the caller");
      break;
    }
    status = advance(f, &ds, &to, &ends, err);
    if (!status) status = settle(f, ahead, err);
    if (!status && !ends && is_closed(f)) f->out->end = HK_BRANCH_CLOSED, ends = true;
    if (!status && !ends && f->out->n >= most) f->out->end = HK_BRANCH_FULL, ends = true;
  }
  if ((status == HK_RETRY || status == HK_EFAIL) && f->out->n > 1) {
    f->out->end = HK_BRANCH_LOST;
    snprintf(f->out->why, sizeof f->out->why, "%.390s", err ? err->text : "");
    status = HK_OK;
  }
  free(to.x);
  free(ahead);
  return status == HK_RETRY ? HK_EFAIL : status;
}

/* The first orbit, and the search that continues from it. */
static hk_status begin(hk_follower *f, hk_error *err) {
  hk_branch_model *b = &f->now;
  hk_periodic first = {0};
  b->value = f->o->first;
  hk_status status = f->o->model(f->o->context, b->value, &b->model, &f->orbit, err);
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
  b->tangent = f->q.p.tangent;
  if (!status) { /* the time at which runs start, for phases */
    hk_sim *fresh = NULL;
    status = hk_search_sim(&f->orbit, b->model, &fresh, NULL, err);
    if (!status) f->origin = hk_sim_time(fresh);
    hk_sim_destroy(fresh);
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
  f->r = calloc(5 * size + n * n + size * size, sizeof *f->r);
  if (!f->end || !f->r) return hk_fail(err, HK_ENOMEM, "out of memory");
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
    return hk_fail(err, HK_EINPUT, "a branch needs models and the options of an orbit");
  if (!isfinite(o->first) || !isfinite(o->last) || o->first == o->last)
    return hk_fail(err, HK_EINPUT,
                   "a branch needs two different values of the parameter, not %g and %g", o->first,
                   o->last);
  if (o->points < 0 || o->points == 1)
    return hk_fail(err, HK_EINPUT, "a branch needs at least 2 points, not %d", o->points);
  return HK_OK;
}

hk_status hk_branch_run(const hk_branch_options *options, hk_orbit_branch *out, hk_diag *diag,
                        hk_error *err) {
  hk_branch_options o;
  HK_TAKE_OPTIONS(o, options);
  *out = (hk_orbit_branch){0};
  hk_status status = check(&o, err);
  if (status) return status;
  hk_follower f = {.o = &o, .out = out, .diag = diag};
  HK_TAKE_OPTIONS(f.orbit, o.orbit);
  f.orbit.size = 0;
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
  f.q.p.tangent = NULL; /* belongs to the model */
  hk_shooter_free(&f.q.p);
  hk_follower_close(&f);
  free(f.q.x);
  free(f.q.y);
  free(f.end);
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
