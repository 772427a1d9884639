/* Events on a branch of periodic orbits. At an event a test function changes its sign; this file locates the event. */
#include "analysis/branch.h"
#include "analysis/floquet.h"
#include <stdlib.h>

enum { MOST_EVENTS = 4, MOST_TRIALS = 60, MOST_FAILURES = 4 };
static const double LOCATED = 1e-7; /* accuracy of the location, in units of the arc length */

/* Multipliers whose distance from 1 is below this value belong to conserved momenta or to the phase, and are not
 * tested. */
static const double NEUTRAL = 1e-7;
/* Largest distance of a complex pair from the unit circle at a Neimark-Sacker point. Two real multipliers with the
 * product 1 (a neutral saddle) are not an event. */
static const double ON_CIRCLE = 1e-3;

/* ---- test functions ---- */

static void take_pair(double term, hk_branch_test *test) {
  double sign = (test->pair < 0) != (term < 0) ? -1 : 1;
  test->pair = sign * fmin(fabs(test->pair), fabs(term));
}

hk_status hk_follower_test(hk_follower *f, const double *t, hk_branch_test *test, hk_error *err) {
  const hk_shooter *p = &f->q.p;
  size_t n = (size_t)p->n;
  double *re = calloc(2 * n + 1, sizeof *re), trivial;
  int count = 0, kept = 0;
  if (!re) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *im = re + n;
  hk_status status = hk_floquet_eigen(p, f->orbit.unknown, re, im, &count, &trivial, err);
  *test =
      (hk_branch_test){.fold = t[f->size - 1], .flip = 1, .branch = 1, .pair = 1, .complex = NAN};
  for (int i = 0; i < count && !status; i++) {
    if (hypot(re[i] - 1, im[i]) < NEUTRAL) continue;
    if (im[i] == 0) {
      test->flip *= re[i] + 1;
      test->branch *= 1 - re[i];
      for (int k = 0; k < kept; k++) take_pair(re[i] * re[k] - 1, test);
      re[kept++] = re[i]; /* moves the real multipliers to the front of the array */
    } else if (im[i] > 0) {
      double size = hypot(re[i], im[i]);
      take_pair(size * size - 1, test);
      test->complex = fmin(test->complex, fabs(size - 1)); /* fmin ignores NaN */
    }
  }
  /* at a fold both test functions change their sign; the product does not */
  test->branch *= test->fold;
  free(re);
  return status;
}

static double *value_of(hk_branch_test *t, hk_special event) {
  return event == HK_FOLD      ? &t->fold
         : event == HK_FLIP    ? &t->flip
         : event == HK_NEIMARK ? &t->pair
                               : &t->branch;
}

static int find_events(hk_branch_test *a, hk_branch_test *b, hk_special *event) {
  int n = 0;
  for (hk_special k = HK_FOLD; k <= HK_BRANCH_POINT; k++)
    if (*value_of(a, k) * *value_of(b, k) < 0) event[n++] = k;
  return n;
}

/* ---- location ---- */

/* One end of an interval that contains an event: distance from the last point, test function, parameter. */
typedef struct side {
  double s, f, value;
} side;

/* Shortens the interval from `a` to `b` by regula falsi (Illinois) until its length is LOCATED; *located: true if this
 * length was reached. On return, the present orbit is the orbit at `b`, unless no orbit was computed. */
static hk_status locate(hk_follower *f, hk_special event, side *a, side *b, hk_branch_test *test,
                        bool *located, hk_error *err) {
  double fa = a->f, fb = b->f, way = b->s > a->s ? 1 : -1, shift = 0.5;
  int last = 0, failures = 0;
  *located = false;
  for (int k = 0; k < MOST_TRIALS; k++) {
    double length = fabs(b->s - a->s), near = 0.5 * LOCATED;
    if (length <= 1.01 * LOCATED) {
      *located = true;
      break;
    }
    double share = failures ? shift : k % 6 == 5 ? 0.5 : fa / (fa - fb);
    share = fmin(fmax(share, near / length), 1 - near / length);
    side c = {.s = a->s + way * share * length};
    hk_status status = hk_follower_step(f, c.s, test, err);
    if (status == HK_RETRY ||
        status == HK_EFAIL) { /* attempts another position in the interval, if possible */
      static const double other[MOST_FAILURES] = {0.25, 0.75, 0.1, 0.9};
      if (failures == MOST_FAILURES) break;
      shift = other[failures++];
      continue;
    }
    if (status) return status;
    failures = 0;
    c.f = *value_of(test, event);
    c.value = f->now.value;
    if ((a->f > 0) == (c.f > 0)) {
      *a = c, fa = c.f;
      fb = last == 1 ? fb / 2 : b->f;
      last = 1;
    } else {
      *b = c, fb = c.f;
      fa = last == -1 ? fa / 2 : a->f;
      last = -1;
    }
  }
  hk_status status = hk_follower_step(f, b->s, test, err);
  if (status == HK_RETRY || status == HK_EFAIL) *located = false;
  return status;
}

/* Adds the event between two distances on the present grid as a point. */
static hk_status add_event(hk_follower *f, hk_special event, side a, side b, hk_error *err) {
  hk_branch_point *point;
  hk_branch_test test;
  bool located, known = true;
  hk_status status = locate(f, event, &a, &b, &test, &located, err);
  if (status == HK_RETRY || status == HK_EFAIL) {
    status = hk_follower_put_back(f, err);
    if (!status) status = hk_search_period(&f->q, true, err);
    known = !status;
    if (status == HK_RETRY || status == HK_EFAIL) status = HK_OK; /* a point without multipliers */
  } else if (!status && event == HK_NEIMARK && located && !(test.complex < ON_CIRCLE)) {
    return HK_OK;
  }
  if (!status) status = hk_follower_add(f, event, &point, err);
  if (status) return status;
  f->reported |= 1u << event;
  point->located = located;
  point->from = a.value;
  point->to = b.value;
  if (!located && isfinite(f->ahead.fold) && event == HK_NEIMARK && isnan(f->ahead.complex) &&
      isnan(f->test.complex)) { /* the multipliers on both sides are real: a neutral saddle */
    hk_periodic_free(&point->orbit);
    f->out->n--;
    return HK_OK;
  }
  if (known)
    status =
        hk_floquet_judge(&f->q.p, f->q.x, f->orbit.unknown, HK_FLOQUET_ON_GRID, &point->orbit, err);
  point->orbit.stability = HK_UNDECIDED;
  return status;
}

hk_status hk_follower_add_events(hk_follower *f, hk_error *err) {
  hk_special event[MOST_EVENTS];
  int n = find_events(&f->test, &f->ahead, event), first = f->out->n;
  hk_status status = HK_OK;
  double way = f->to.value >= f->value ? 1 : -1;
  f->reported = 0;
  for (int k = 0; k < n && !status; k++)
    status = add_event(f, event[k], (side){0, *value_of(&f->test, event[k]), f->value},
                       (side){f->taken, *value_of(&f->ahead, event[k]), f->to.value}, err);
  /* keeps the points in the order of the parameter along the step */
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

hk_status hk_follower_compare_grids(hk_follower *f, hk_error *err) {
  hk_special event[MOST_EVENTS];
  int n = find_events(&f->ahead, &f->test, event);
  hk_status status = HK_OK;
  for (int k = 0; k < n && !status; k++) {
    double *now = value_of(&f->test, event[k]), old = *value_of(&f->ahead, event[k]);
    /* The event was before this point on the old grid, but is after this point on the new grid. */
    if (f->reported & (1u << event[k])) {
      *now = old;
      continue;
    }
    /* The event is after this point on the old grid, but before this point on the new grid. Therefore the search for
     * the event goes backwards on the new grid. */
    hk_branch_test test = {0};
    side a = {.s = -f->taken}, b = {.f = *now, .value = f->value};
    status = hk_follower_step(f, a.s, &test, err);
    bool bracket = !status && *value_of(&test, event[k]) * *now < 0;
    if (status == HK_RETRY || status == HK_EFAIL) status = HK_OK;
    if (status) break;
    a.f = bracket ? *value_of(&test, event[k]) : old;
    a.value = bracket ? f->now.value : f->value;
    int before = f->out->n;
    if (bracket) {
      status = add_event(f, event[k], a, b, err);
    } else { /* the distance of the event from this point is within the error of the steps */
      a.s = -LOCATED;
      status = add_event(f, event[k], a, b, err);
    }
    if (status || f->out->n == before) continue;
    hk_branch_point point =
        f->out->point[before]; /* inserts the event before the point that was just added */
    f->out->point[before] = f->out->point[before - 1];
    f->out->point[before - 1] = point;
  }
  return status;
}
