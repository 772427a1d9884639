/* Fit of parameters to measured curves: see fit.h.
 *
 *   1. Some points within the bounds of the parameters are evaluated; searches by least squares start from the best.
 *   2. With several curves, each is weighted by its remaining error, and the search is repeated until the weights
 *      stay the same.
 *   3. The derivatives at the end give the covariance s^2 (J^T J)^-1 of the parameters, and the combinations of
 *      parameters that do not change the curves: such parameters are rejected. */
#include "analysis/least_squares.h"
#include "study/fit_curve.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 100, STARTS_PER_PARAMETER = 10, MOST_SEARCHES = 3, MOST_WEIGHTINGS = 8 };
/* smallest ratio of the bounds for which the logarithm of the parameter is used */
static const double BY_LOGARITHM = 10;

typedef struct fitting {
  hk_fit *f;
  hk_residuals problem;
  double *weight; /* [n_curves] */
  double *value, *y;
  double *shifted, *r[2]; /* [n_parameters], [m] */
  /* [n_parameters] displacements of the parameters u for finite differences */
  double *step;
  double noise;
} fitting;

/* ---- parameters ---- */

static bool is_log(const hk_fit_parameter *p) {
  return p->low > 0 && p->high >= BY_LOGARITHM * p->low;
}

static double value_at(const hk_fit_parameter *p, double u) {
  if (u <= 0) return p->low;
  if (u >= 1) return p->high;
  return is_log(p) ? p->low * pow(p->high / p->low, u) : p->low + u * (p->high - p->low);
}

/* Derivative of the parameter value with respect to u. */
static double rate_at(const hk_fit_parameter *p, double u) {
  return is_log(p) ? value_at(p, u) * log(p->high / p->low) : p->high - p->low;
}

/* ---- residuals ---- */

static hk_status evaluate(void *context, const double *u, double *r, hk_error *err) {
  fitting *w = context;
  hk_fit *f = w->f;
  for (int i = 0; i < f->n_parameters; i++) w->value[i] = value_at(&f->parameter[i], u[i]);
  hk_status status = hk_fit_curves(f, w->value, w->y, &w->noise, err);
  size_t n = (size_t)f->n;
  for (int k = 0; k < f->n_curves && !status; k++)
    for (size_t i = 0; i < n; i++) {
      const hk_fit_curve *c = &f->curve[k];
      size_t at = (size_t)k * n + i;
      double d = w->y[at] - c->measured[i];
      if (c->part == HK_FIT_PHASE) d = remainder(d, 2 * M_PI);
      r[at] = d * w->weight[k];
    }
  return status;
}

/* Relative change of a parameter for finite differences. The value is a compromise: the error of a central difference
 * grows with the square of the change, while the effect of errors of the curves decreases. */
static double first_step(const fitting *w) { return fmin(3e-2, fmax(1e-4, cbrt(100 * w->noise))); }

/* The curves count as linear if a difference changes them by less than this: root mean square of the change, relative
 * to their deviation. */
static const double LINEAR = 0.05;

/* Residuals above this count as large: the curves then differ from the data by as much as the
 * data vary. */
static double unit_of(const fitting *w) {
  double most = 0;
  for (int k = 0; k < w->f->n_curves; k++)
    most = fmax(most, w->weight[k] * w->f->curve[k].deviation);
  return most;
}

/* Computes central differences; at a bound of the parameter, both points are inside the bounds. */
static hk_status differ(fitting *w, const double *u, const double *r, int k, double *J,
                        double *change, hk_error *err) {
  const int n = w->problem.n, m = w->problem.m;
  double h = w->step[k], at[2] = {h, -h};
  if (u[k] + h > 1) at[0] = -h, at[1] = -2 * h;
  if (u[k] - h < 0) at[0] = h, at[1] = 2 * h;
  for (int side = 0; side < 2; side++) {
    memcpy(w->shifted, u, (size_t)n * sizeof *u);
    w->shifted[k] += at[side];
    hk_status status = evaluate(w, w->shifted, w->r[side], err);
    if (status) return status;
  }
  bool central = at[0] == -at[1];
  double sum = 0;
  for (int i = 0; i < m; i++) {
    double a = w->r[0][i], b = w->r[1][i],
           d = central ? (a - b) / (2 * h) : (4 * a - b - 3 * r[i]) / (at[1]);
    J[(size_t)i * (size_t)n + (size_t)k] = d;
    sum += d * d;
  }
  *change = sqrt(sum / m) * h / unit_of(w);
  return HK_OK;
}

static hk_status differentiate(void *context, const double *u, const double *r, double *J,
                               hk_error *err) {
  fitting *w = context;
  for (int k = 0; k < w->problem.n; k++) {
    const hk_fit_parameter *p = &w->f->parameter[k];
    if (!(w->step[k] > 0)) {
      double size = fmax(fabs(value_at(p, u[k])), 0.05 * fabs(p->high - p->low));
      w->step[k] = fmin(0.05, first_step(w) * size / rate_at(p, u[k]));
    }
    for (int pass = 0; pass < 4; pass++) {
      double change;
      hk_status status = differ(w, u, r, k, J, &change, err);
      if (status == HK_RETRY && pass < 3) {
        w->step[k] /= 10;
        continue;
      }
      if (status) return status == HK_RETRY ? HK_EFAIL : status;
      if (!(change > 2 * LINEAR)) break;
      w->step[k] *= LINEAR / change;
    }
  }
  return HK_OK;
}

/* ---- searches ---- */

typedef struct start {
  double cost, *u;
} start;

static int by_cost(const void *a, const void *b) {
  const start *p = a, *q = b;
  return p->cost < q->cost ? -1 : p->cost > q->cost;
}

/* Points that cover the unit cube of n dimensions evenly, for any number of points. Coordinate k of point i is u_k =
 * 1/2 + i g^-(k + 1) modulo 1, with the root g of g^(n + 1) = g + 1. Point 0 is the centre. */
static void set_point(int i, int n, double *u) {
  double g = 2;
  for (int pass = 0; pass < 60; pass++) g = pow(1 + g, 1.0 / (n + 1));
  for (int k = 0; k < n; k++) u[k] = fmod(0.5 + i * pow(g, -(k + 1)), 1);
}

/* Evaluates the points and sorts them; HK_EFAIL: the curves could be computed for none of them. */
static hk_status try_points(fitting *w, start *s, int n, hk_error *err) {
  hk_status status = HK_OK;
  int failed = 0;
  for (int i = 0; i < n; i++) {
    set_point(i, w->problem.n, s[i].u);
    status = evaluate(w, s[i].u, w->r[0], err);
    s[i].cost = 0;
    for (int k = 0; k < w->problem.m && !status; k++) s[i].cost += w->r[0][k] * w->r[0][k];
    if (status && status != HK_RETRY) return status;
    if (status || !isfinite(s[i].cost)) s[i].cost = INFINITY, failed++;
  }
  if (failed == n) /* err contains the reason of the last failure */
    return w->f->unread ? HK_EINPUT : HK_EFAIL;
  qsort(s, (size_t)n, sizeof *s, by_cost);
  return HK_OK;
}

static void keep(const fitting *w, const hk_least_squares *from, hk_least_squares *to) {
  size_t n = (size_t)w->problem.n, m = (size_t)w->problem.m;
  memcpy(to->u, from->u, (n + m + m * n) * sizeof *to->u);
  memcpy(to->at_end, from->at_end, n * sizeof *to->at_end);
  to->cost = from->cost;
  to->converged = from->converged;
}

/* Starts searches from the best points; the best result is stored in `best`. */
static hk_status search(fitting *w, hk_least_squares *best, hk_error *err) {
  hk_fit *f = w->f;
  int n = f->starts > 0 ? f->starts : STARTS_PER_PARAMETER * f->n_parameters;
  size_t dim = (size_t)f->n_parameters;
  hk_least_squares s;
  start *all = calloc((size_t)n, sizeof *all);
  double *u = calloc((size_t)n * dim + 1, sizeof *u), cost[MOST_SEARCHES] = {0};
  hk_status status = hk_least_squares_create(&w->problem, &s, err);
  if (!status && (!all || !u)) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n && all && u; i++) all[i].u = u + (size_t)i * dim;
  if (!status) status = try_points(w, all, n, err);
  best->cost = INFINITY;
  for (int i = 0; i < n && i < MOST_SEARCHES && !status && isfinite(all[i].cost); i++) {
    memcpy(s.u, all[i].u, dim * sizeof *u);
    memset(w->step, 0, dim * sizeof *w->step);
    status = hk_least_squares_solve(&w->problem, MOST_ITERATIONS, &s, err);
    f->iterations += s.iterations;
    if (status == HK_EFAIL && i + 1 < n && best->cost < INFINITY) status = HK_OK, s.cost = INFINITY;
    cost[f->searches++] = s.cost;
    if (!status && s.cost < best->cost) keep(w, &s, best);
  }
  for (int i = 0; i < f->searches; i++)
    f->equal += sqrt(cost[i]) <= 1.01 * sqrt(best->cost) + 1e-6 * sqrt(w->problem.m);
  hk_least_squares_free(&s);
  free(all);
  free(u);
  return status;
}

/* ---- weights ---- */

static double rms_of(const fitting *w, const double *r, int curve) {
  size_t n = (size_t)w->f->n;
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += r[(size_t)curve * n + i] * r[(size_t)curve * n + i];
  return sqrt(sum / (double)n) / w->weight[curve];
}

/* The weight of a curve is limited: if the residuals of the curve are below this fraction of the deviation, the weight
 * does not increase further. */
static const double LEAST_ERROR = 1e-6;

/* Weights the curves by their remaining errors and repeats the search, starting from its result. */
static hk_status weight(fitting *w, hk_least_squares *s, hk_error *err) {
  const hk_fit *f = w->f;
  hk_status status = HK_OK;
  for (int pass = 0; pass < MOST_WEIGHTINGS && f->n_curves > 1 && !status; pass++) {
    double largest = 0;
    for (int k = 0; k < f->n_curves; k++) {
      double now = 1 / fmax(rms_of(w, s->r, k), LEAST_ERROR * f->curve[k].deviation);
      largest = fmax(largest, fabs(log(now / w->weight[k])));
      w->weight[k] = now;
    }
    if (pass && largest < 0.02) break;
    memset(w->step, 0, (size_t)f->n_parameters * sizeof *w->step);
    status = hk_least_squares_solve(&w->problem, MOST_ITERATIONS, s, err);
    w->f->iterations += s->iterations;
  }
  return status;
}

/* ---- what the data tell ---- */

static void fill_curves(fitting *w, const hk_least_squares *s) {
  hk_fit *f = w->f;
  for (int k = 0; k < f->n_curves; k++) {
    hk_fit_curve *c = &f->curve[k];
    const double *r = s->r + (size_t)k * (size_t)f->n;
    double square = 0, product = 0;
    for (int i = 0; i < f->n; i++) {
      c->fitted[i] = c->measured[i] + r[i] / w->weight[k];
      square += r[i] * r[i];
      if (i) product += r[i] * r[i - 1];
    }
    c->rms = sqrt(square / f->n) / w->weight[k];
    c->neighbours = square > 0 ? product / square : 0;
  }
}

/* If a parameter changes the curves by less than this fraction of their deviation over its whole range, its effect
 * cannot be distinguished from the error of the finite differences. */
static double silence(const fitting *w) { return fmax(1e-7, 100 * w->noise / first_step(w)); }

static hk_status refuse_silent(const fitting *w, const hk_least_squares *s, hk_error *err) {
  const hk_fit *f = w->f;
  size_t n = (size_t)f->n_parameters, m = (size_t)w->problem.m;
  for (size_t k = 0; k < n; k++) {
    double sum = 0;
    for (size_t i = 0; i < m; i++) sum += s->J[i * n + k] * s->J[i * n + k];
    if (sqrt(sum / (double)m) > silence(w) * unit_of(w)) continue;
    return hk_fail(err, HK_EFAIL,
                   "the measured curves do not depend on '%s': the data cannot determine it; leave "
                   "it out of --vary",
                   f->parameter[k].path);
  }
  return HK_OK;
}

/* Describes a change of the parameters along the direction with the smallest effect: "raising 'k' by 1 % and lowering
 * 'm' by 0.98 %". */
static void describe(const fitting *w, const hk_least_squares *s, const double *v, char *text,
                     size_t size) {
  const hk_fit *f = w->f;
  size_t n = (size_t)f->n_parameters, m = (size_t)w->problem.m, used = 0;
  double *change = calloc(n + 1, sizeof *change), most = 0;
  text[0] = '\0';
  for (size_t k = 0; k < n && change; k++) {
    const hk_fit_parameter *p = &f->parameter[k];
    double norm = 0;
    for (size_t i = 0; i < m; i++) norm += s->J[i * n + k] * s->J[i * n + k];
    double value = value_at(p, s->u[k]), size_of = fmax(fabs(value), 1e-3 * (p->high - p->low));
    change[k] = norm > 0 ? v[k] / sqrt(norm) * rate_at(p, s->u[k]) / size_of : 0;
    if (fabs(change[k]) > fabs(most)) most = change[k];
  }
  bool first = true;
  for (size_t k = 0; k < n && change && most != 0; k++) {
    if (fabs(change[k]) < 0.05 * fabs(most) || used + 100 > size) continue;
    double percent = change[k] / most;
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s '%.60s' by %.3g %%", first ? "" : " and ",
                         percent > 0 ? "raising" : "lowering", f->parameter[k].path, fabs(percent));
    first = false;
  }
  free(change);
}

static hk_status conclude(fitting *w, const hk_least_squares *s, hk_error *err) {
  hk_fit *f = w->f;
  size_t n = (size_t)f->n_parameters;
  double *cov = calloc(n * n + n + 1, sizeof *cov);
  bool *silent = calloc(n + 1, sizeof *silent);
  hk_weakest weakest = {.v = cov ? cov + n * n : NULL};
  hk_status status =
      cov && silent ? refuse_silent(w, s, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status)
    status = hk_covariance(s->J, w->problem.m, f->n_parameters, cov, silent, &weakest, err);
  double h = first_step(w), accurate = fmax(1e-4, 10 * h * h);
  if (!status && n > 1 && weakest.effect < accurate) {
    char text[500];
    describe(w, s, weakest.v, text, sizeof text);
    status = hk_fail(err, HK_EFAIL,
                     "the data cannot distinguish these parameters: %s changes the curves by less "
                     "than %.1g of the effect of each alone; leave one of them out of --vary",
                     text, fmax(weakest.effect, 1e-6));
  }
  int held = 0;
  for (size_t k = 0; k < n; k++) held += s->at_end[k];
  double variance = s->cost / fmax(1, w->problem.m - ((double)n - held));
  for (size_t k = 0; k < n && !status; k++) {
    hk_fit_parameter *p = &f->parameter[k];
    double sigma = sqrt(variance * cov[k * n + k]);
    p->value = value_at(p, s->u[k]);
    p->uncertainty = sigma * rate_at(p, s->u[k]);
    p->at_bound = s->at_end[k];
    for (size_t j = 0; j < n; j++)
      f->correlation[k * n + j] = cov[k * n + j] / sqrt(cov[k * n + k] * cov[j * n + j]);
    if (sigma < 1) continue;
    status =
        hk_fail(err, HK_EFAIL,
                "the data cannot determine '%s': its standard uncertainty, %.3g%s%s, is as large "
                "as its range; leave it out of --vary, or measure where it matters",
                p->path, p->uncertainty, p->unit[0] ? " " : "", p->unit);
  }
  free(cov);
  free(silent);
  return status;
}

/* ---- the whole fit ---- */

static hk_status reserve(fitting *w, hk_error *err) {
  hk_fit *f = w->f;
  size_t n = (size_t)f->n_parameters, c = (size_t)f->n_curves, m = c * (size_t)f->n;
  w->weight = calloc(c + 3 * n + 3 * m + 1, sizeof *w->weight);
  f->correlation = calloc(n * n + 1, sizeof *f->correlation);
  if (!w->weight || !f->correlation) return hk_fail(err, HK_ENOMEM, "out of memory");
  w->value = w->weight + c;
  w->shifted = w->value + n;
  w->step = w->shifted + n;
  w->y = w->step + n;
  w->r[0] = w->y + m;
  w->r[1] = w->r[0] + m;
  for (size_t k = 0; k < c; k++) w->weight[k] = 1 / f->curve[k].deviation;
  return HK_OK;
}

hk_status hk_fit_run(hk_fit *f, hk_error *err) {
  fitting w = {.f = f};
  w.problem = (hk_residuals){.n = f->n_parameters,
                             .m = f->n_curves * f->n,
                             .context = &w,
                             .evaluate = evaluate,
                             .differentiate = differentiate};
  if (w.problem.m <= w.problem.n)
    return hk_fail(err, HK_EINPUT, "%d measured values cannot determine %d parameters", w.problem.m,
                   w.problem.n);
  hk_least_squares s;
  hk_status status = hk_least_squares_create(&w.problem, &s, err);
  if (!status) status = reserve(&w, err);
  if (!status) status = search(&w, &s, err);
  if (!status) status = weight(&w, &s, err);
  f->converged = s.converged;
  if (!status) fill_curves(&w, &s);
  if (!status) status = conclude(&w, &s, err);
  hk_least_squares_free(&s);
  free(w.weight);
  return status;
}
