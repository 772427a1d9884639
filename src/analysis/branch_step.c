/* One step along a branch of periodic orbits: Newton's method in the unknowns and the parameter (pseudo-arclength). */
#include "analysis/branch.h"
#include "analysis/dense_matrix.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 8 };
/* Change of the parameter for finite differences, in its unit of branch.h. */
static const double APART = 1e-4;
/* Smallest cosine of the angle between successive tangents: if the cosine is smaller, the step ended on another branch
 * or is too long. */
static const double TURN = 0.7;

/* ---- models ---- */

static void close_model(hk_branch_model *b) {
  hk_tangent_destroy(b->tangent);
  hk_sim_destroy(b->sim);
  hk_sim_destroy(b->accurate);
  hk_model_destroy(b->model);
  *b = (hk_branch_model){0};
}

static hk_status open_model(hk_follower *f, double value, hk_branch_model *b, hk_error *err) {
  const hk_model *like = f->q.m;
  hk_periodic_options o = f->orbit;
  *b = (hk_branch_model){.value = value};
  hk_status status = f->o->model(f->o->context, value, &b->model, &o, err);
  if (!status && !b->model) status = hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  if (!status)
    status = hk_search_sim(&f->orbit, b->model, &b->sim, &b->accurate, &f->q.chosen, NULL, err);
  if (!status && !hk_integrator_can(b->sim, HK_IMPACTS))
    status = hk_tangent_create(b->sim, &b->tangent, err);
  b->period = o.period;
  if (!status && like &&
      (b->model->nv != like->nv || b->model->nc != like->nc ||
       (f->q.s && b->sim->state_size != f->q.s->state_size)))
    status = hk_fail(err, HK_EINPUT,
                     "at %.9g the parameter changes the number of coordinates or joints; a branch "
                     "cannot be followed through such a change",
                     value);
  if (!status && !f->orbit.unknown && !(b->period > 0 && isfinite(b->period)))
    status = hk_fail(err, HK_EINPUT, "the period must be positive, not %g s", b->period);
  if (status) close_model(b);
  return status;
}

/* From now on uses this model for the periods. */
static hk_status use_model(hk_follower *f, const hk_branch_model *b, hk_error *err) {
  f->q.m = b->model;
  f->q.s = f->q.p.s = b->sim;
  f->q.p.sym.m = b->model;
  f->q.p.tangent = b->tangent;
  f->q.accurate = b->accurate;
  if (!f->orbit.unknown) f->q.p.T = b->period;
  return hk_shooter_use_accurate(&f->q.p, b->accurate, err);
}

hk_status hk_follower_set(hk_follower *f, double value, hk_error *err) {
  if (f->now.model && f->now.value == value) return use_model(f, &f->now, err);
  hk_branch_model b;
  hk_status status = open_model(f, value, &b, err);
  if (status) return status;
  status = use_model(f, &b, err);
  close_model(&f->now);
  f->now = b;
  return status;
}

void hk_follower_close(hk_follower *f) { close_model(&f->now); }

/* Sets the phase of all functions of time, so that it stays the same if the period changes. */
static void set_phase(const hk_follower *f, double *x, double T) {
  double *t = &x[f->q.m->at.t];
  if (!f->orbit.unknown && T != f->q.p.T) *t = f->origin + (*t - f->origin) / T * f->q.p.T;
}

/* ---- derivative by the parameter, tangent ---- */

/* Computes the residual r of the period that starts at q->x, with model b. The period is simulated on the grid, even
 * if there is an accurate simulation: a difference of residuals needs the same steps. */
static hk_status residual_with(hk_follower *f, const hk_branch_model *b, double T, double *r,
                               hk_error *err) {
  hk_search *q = &f->q;
  hk_shooter *p = &q->p;
  double *x = malloc(2 * hk_search_bytes(q));
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *end = x + q->s->state_size;
  hk_status status = use_model(f, b, err);
  memcpy(x, q->x, hk_search_bytes(q));
  set_phase(f, x, T);
  hk_zero(f->b, f->size);
  if (!status) status = hk_shooter_move(p, x, f->b, err);
  if (!status && p->accurate) {
    status = hk_shooter_convert(q->s, x, end, err);
    memcpy(x, end, hk_search_bytes(q));
  }
  if (!status) hk_shooter_chart(p, x, q->y);
  p->only_grid = true;
  if (!status) status = hk_shooter_run(p, x, end, false, err);
  p->only_grid = false;
  if (!status) hk_shooter_chart(p, end, q->g);
  for (int i = 0; i < p->n && !status; i++) r[i] = q->g[i] - q->y[i];
  free(x);
  return status;
}

/* Computes the derivative with respect to the parameter as the difference of two periods with the same unknowns. */
static hk_status differentiate(hk_follower *f, hk_error *err) {
  hk_search *q = &f->q;
  hk_shooter *p = &q->p;
  double middle = 0.5 * (f->o->first + f->o->last), T = p->T;
  double e = (f->now.value < middle ? 1 : -1) * APART * f->unit;
  double *r = malloc(((size_t)p->n + 1) * sizeof *r);
  hk_branch_model b = {0};
  hk_status status =
      r ? open_model(f, f->now.value + e, &b, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) memcpy(r, q->r, (size_t)p->n * sizeof *r);
  if (!status && p->accurate) status = residual_with(f, &f->now, T, r, err);
  if (!status) status = residual_with(f, &b, T, f->rate, err);
  for (int i = 0; i < p->n && !status; i++) f->rate[i] = (f->rate[i] - r[i]) / e;
  hk_status back = use_model(f, &f->now, err);
  p->T = T;
  close_model(&b);
  free(r);
  return status ? status : back;
}

/* Fills all rows except the last of the linear equations A u = b of a step: (P - E) c - flow dT - rate dvalue = r. c
 * is the change of the state, dT the change of the period, dvalue the change of the parameter. The component of c
 * along the flow is 0. */
static void fill(hk_follower *f) {
  const hk_search *q = &f->q;
  const hk_shooter *p = &q->p;
  int n = p->n, size = f->size;
  hk_zero(f->A, size * size);
  hk_zero(f->b, size);
  for (int i = 0; i < n; i++) {
    double *row = f->A + (size_t)i * (size_t)size;
    for (int k = 0; k < n; k++) row[k] = (p->P[i * n + k] - p->E[i * n + k]) * HK_BRANCH_SHARE;
    if (f->orbit.unknown) row[n] = -p->flow[i] * p->T * HK_BRANCH_SHARE;
    row[size - 1] = -f->rate[i] * f->unit;
    f->b[i] = q->r[i];
  }
  if (!f->orbit.unknown) return;
  double *row = f->A + (size_t)n * (size_t)size, most = hk_max_abs(p->flow, n, NULL);
  for (int k = 0; k < n; k++) row[k] = p->flow[k] / (most > 0 ? most : 1) * HK_BRANCH_SHARE;
}

/* Solves the linear equations for u, in units. The last equation is t u = last. */
static hk_status solve(hk_follower *f, const double *t, double last, double *u, hk_error *err) {
  int size = f->size;
  hk_svd svd;
  memcpy(f->A + (size_t)(size - 1) * (size_t)size, t, (size_t)size * sizeof *t);
  f->b[size - 1] = last;
  hk_status status = hk_svd_make(f->A, size, size, 1e-10, &svd, err);
  if (status) return status;
  hk_svd_solve(&svd, f->b, u);
  hk_svd_free(&svd);
  return HK_OK;
}

/* Computes the tangent of the last period with columns, in the direction of `ahead`. */
static hk_status make_tangent(hk_follower *f, const double *ahead, double *t, hk_error *err) {
  fill(f);
  hk_zero(f->b, f->size);
  hk_status status = solve(f, ahead, 1, t, err);
  double most = status ? 0 : hk_max_abs(t, f->size, NULL);
  if (!status && !(most > 0 && isfinite(most)))
    status = hk_fail(err, HK_EFAIL, "the direction of the branch cannot be computed");
  for (int i = 0; i < f->size && !status; i++) t[i] /= most;
  return status;
}

hk_status hk_follower_keep(hk_follower *f, const double *ahead, hk_error *err) {
  hk_search *q = &f->q;
  const hk_shooter *p = &q->p;
  size_t n = (size_t)p->n, columns = p->tangent ? n * (size_t)hk_tangent_size(p->tangent) : 0;
  f->size = p->n + (f->orbit.unknown ? 1 : 0) + 1;
  if (columns > f->room_column) {
    free(f->column);
    f->column = malloc(columns * sizeof *f->column);
    f->room_column = f->column ? columns : 0;
    if (!f->column) return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  memcpy(f->end, q->end, hk_search_bytes(q));
  memcpy(f->r, q->r, n * sizeof *f->r);
  memcpy(f->P, p->P, n * n * sizeof *f->P);
  if (columns) memcpy(f->column, p->column, columns * sizeof *f->column);
  f->value = f->now.value;
  f->T = p->T;
  hk_status status = differentiate(f, err);
  if (!status) status = make_tangent(f, ahead, f->tangent, err);
  if (!status) status = hk_follower_test(f, f->tangent, &f->test, err);
  return status;
}

/* ---- steps ---- */

/* Moves to the unknowns u, in units, from a period that ended at `end` with the residual r. */
static hk_status take(hk_follower *f, double *end, double T, const double *r, double *u,
                      hk_error *err) {
  hk_search *q = &f->q;
  int n = q->p.n;
  double value = f->now.value + u[f->size - 1] * f->unit;
  double longer = f->orbit.unknown ? u[n] * HK_BRANCH_SHARE * T : 0;
  if (longer < -0.5 * T) return hk_fail(err, HK_RETRY, "the period vanishes");
  hk_status status = hk_follower_set(f, value, err);
  if (status) return status == HK_EINPUT ? HK_RETRY : status;
  if (f->orbit.unknown) q->p.T = T + longer;
  set_phase(f, end, T);
  for (int i = 0; i < n; i++) f->u[i] = u[i] * HK_BRANCH_SHARE;
  status = hk_search_take(q, end, f->u, 1, r, err);
  if (!status) status = hk_search_period(q, true, err);
  return status == HK_EFAIL ? HK_RETRY : status;
}

static hk_status predict(hk_follower *f, double ds, hk_error *err) {
  hk_search *q = &f->q;
  hk_shooter *p = &q->p;
  size_t n = (size_t)p->n, columns = p->tangent ? n * (size_t)hk_tangent_size(p->tangent) : 0;
  hk_status status = hk_follower_set(f, f->value, err);
  if (status) return status;
  p->T = f->T;
  memcpy(p->P, f->P, n * n * sizeof *f->P);
  if (columns) memcpy(p->column, f->column, columns * sizeof *f->column);
  double *u = f->t, *end = malloc(hk_search_bytes(q));
  if (!end) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(end, f->end, hk_search_bytes(q));
  for (int i = 0; i < f->size; i++) u[i] = ds * f->tangent[i];
  status = take(f, end, f->T, f->r, u, err);
  free(end);
  return status;
}

/* Distance of the present iterate from the last point, along the tangent and in units. */
static double along(const hk_follower *f) {
  const hk_search *q = &f->q;
  int n = q->p.n;
  const double *t = f->tangent;
  double sum = t[f->size - 1] * (f->now.value - f->value) / f->unit;
  for (int i = 0; i < n; i++) sum += t[i] * q->y[i] / HK_BRANCH_SHARE;
  if (f->orbit.unknown) sum += t[n] * (q->p.T / f->T - 1) / HK_BRANCH_SHARE;
  return sum;
}

/* Newton's method from the present iterate. The last equation prescribes the arc length `goal` or, if `only` is given,
 * this value of the parameter. */
static hk_status correct(hk_follower *f, double goal, const double *only, hk_error *err) {
  hk_search *q = &f->q;
  double *u = f->t, first = q->residual;
  double *end = malloc(hk_search_bytes(q)), *r = malloc((size_t)f->size * 2 * sizeof *r);
  hk_status status = end && r ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  double *row = r ? r + f->size : NULL;
  for (int i = 0; !status; i++) {
    if (hk_search_done(q) && (!only || fabs(f->now.value - *only) <= 1e-9 * f->unit)) break;
    if (i == MOST_ITERATIONS || !(q->residual < 5 * first + 0.1)) {
      status =
          hk_fail(err, HK_RETRY, "Newton's method does not converge (residual %.2g)", q->residual);
      break;
    }
    memcpy(end, q->end, hk_search_bytes(q));
    memcpy(r, q->r, (size_t)q->p.n * sizeof *r);
    fill(f);
    hk_zero(row, f->size);
    if (only) row[f->size - 1] = 1;
    status = solve(f, only ? row : f->tangent,
                   only ? (*only - f->now.value) / f->unit : goal - along(f), u, err);
    if (!status && !(hk_max_abs(u, f->size, NULL) < 4))
      status = hk_fail(err, HK_RETRY, "Newton's method converges to another branch");
    if (!status) status = take(f, end, q->p.T, r, u, err);
  }
  free(end);
  free(r);
  return status;
}

/* Computes the test functions of the orbit that was found. Rejects the orbit if it belongs to another branch. */
static hk_status judge(hk_follower *f, hk_branch_test *test, hk_error *err) {
  double *t = f->u, dot = 0, a = 0, b = 0;
  hk_status status = make_tangent(f, f->tangent, t, err);
  if (status) return status;
  for (int i = 0; i < f->size; i++) {
    dot += t[i] * f->tangent[i];
    a += t[i] * t[i];
    b += f->tangent[i] * f->tangent[i];
  }
  if (dot < TURN * sqrt(a * b)) return hk_fail(err, HK_RETRY, "the branch turns sharply");
  return hk_follower_test(f, t, test, err);
}

hk_status hk_follower_step(hk_follower *f, double ds, hk_branch_test *test, hk_error *err) {
  double length = 0;
  for (int i = 0; i < f->size; i++) length += f->tangent[i] * f->tangent[i];
  hk_status status = predict(f, ds, err);
  if (!status) status = correct(f, ds * length, NULL, err);
  return status ? status : judge(f, test, err);
}

hk_status hk_follower_land(hk_follower *f, double ds, double value, hk_branch_test *test,
                           hk_error *err) {
  hk_status status = predict(f, ds, err);
  if (!status) status = correct(f, 0, &value, err);
  return status ? status : judge(f, test, err);
}
