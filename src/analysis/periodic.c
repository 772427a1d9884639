/* Periodic orbits: see hooke/nonlinear.h and docs/periodic.md.
 *
 *   1. simulate to `from`, then two plain periods, to obtain scales and to damp fast modes;
 *   2. Anderson's mixing on a frozen grid of steps;
 *   3. Newton's method with the derivative of the steps, if the residual falls slowly;
 *   4. one plain period with adaptive steps and without a restart: its change is the stated error. */
#include "analysis/anderson.h"
#include "analysis/dense.h"
#include "analysis/floquet.h"
#include "base/options.h"
#include "model/layout.h"
#include <hooke/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-6;
enum {
  MOST_RUNS = 200,
  MOST_PLAIN = 5000,
  PLAIN_FIRST = 2,
  PATIENCE = 4,
  MOST_CUTS = 3,
  MOST_GRIDS = 3,
  MOST_JUDGED = 150, /* unknowns */
  MOST_ROUNDS = 10,  /* of Newton's method */
  PLAIN_PERIODS = 40
};
static const double SLOW = 0.5; /* mean factor per period above which Newton's method takes over */

typedef struct search {
  const hk_periodic_options *o;
  hk_periodic *out;
  const hk_model *m;
  hk_sim *s;
  hk_shooter p;
  double *x, *end, *best; /* states */
  double *y, *g, *c, *r;  /* unknowns */
  double *A, *b;          /* bordered matrix and right side */
  double residual, best_residual, best_T;
  double tolerance;
  int most_runs;
} search;

static size_t bytes(const search *q) { return (size_t)q->s->state_size * sizeof(double); }

/* ---- start ---- */

static hk_status check(const hk_periodic_options *o, const hk_model *m, hk_error *err) {
  if (!o->unknown && !(o->period > 0 && isfinite(o->period)))
    return hk_fail(err, HK_EINPUT, "the period must be positive, not %g s", o->period);
  if (o->unknown && !(o->period > 0) && (o->turn < 1 || o->turn >= m->n_channels))
    return hk_fail(err, HK_EINPUT, "an unknown period needs a first guess or a channel that turns");
  if (o->tolerance < 0 || o->tolerance >= 1)
    return hk_fail(err, HK_EINPUT, "the tolerance must be between 0 and 1, not %g", o->tolerance);
  return HK_OK;
}

/* Steps with a derivative if the model allows it. */
static hk_status create_sim(search *q, hk_diag *diag, hk_error *err) {
  hk_sim_options sim;
  HK_TAKE_OPTIONS(sim, q->o->sim);
  sim.size = 0;
  sim.one_step = true;
  if (!q->m->set_valued) sim.stepper = "generalized_alpha";
  hk_status status = hk_sim_create(q->m, &sim, &q->s, diag, err);
  if (status == HK_EFAIL || status > 0) status = HK_EINPUT;
  return status;
}

/* The first guess of an unknown period. */
static hk_status guess_period(search *q, double *T, hk_error *err) {
  hk_sim *s = q->s;
  int channel = q->o->turn;
  double t0 = hk_sim_time(s), first = hk_sim_value(s, channel), amount = q->o->amount;
  double longest = s->option.duration > 0 ? s->option.duration : 1e3, before = first, t = t0;
  int way = 0, passed = 0;
  while (t < t0 + longest) {
    hk_status status = hk_sim_step(s, t0 + longest, err);
    if (status) return status;
    double value = hk_sim_value(s, channel), now = hk_sim_time(s);
    double goal = first + amount;
    if (amount != 0 && (value - goal) * (amount > 0 ? 1 : -1) >= 0) {
      *T = t + (now - t) * (goal - before) / (value - before) - t0;
      return HK_OK;
    }
    if (amount == 0) {
      int direction = value > before ? 1 : -1;
      if (!way && value != before) way = direction;
      bool crosses = (before - first) * (value - first) <= 0 && t > t0 && value != before;
      if (crosses && direction == way && passed++ >= 0) {
        *T = t + (now - t) * (first - before) / (value - before) - t0;
        return HK_OK;
      }
    }
    before = value;
    t = now;
  }
  if (amount == 0)
    return hk_fail(err, HK_EFAIL,
                   "channel '%s' does not return to %g within %g s: no period was found",
                   hk_model_channel_name(q->m, channel), first, longest);
  return hk_fail(err, HK_EFAIL,
                 "channel '%s' changes by %g only within %g s, not by %g: no period was found",
                 hk_model_channel_name(q->m, channel), before - first, longest, amount);
}

/* Continues from a state of an orbit. If the period has changed, the time becomes the same number
 * of new periods after the start, so that the phase of time-dependent loads stays the same. */
static hk_status take_over(search *q) {
  const hk_periodic_options *o = q->o;
  double origin = hk_sim_time(q->s), *x = malloc(o->start_size);
  if (!x) return HK_ENOMEM;
  memcpy(x, o->start, o->start_size);
  double *t = &x[q->m->at.t];
  if (!o->unknown && o->start_period > 0 && fabs(o->start_period - o->period) > 1e-12 * o->period)
    *t = origin + (*t - origin) / o->start_period * o->period;
  hk_status status = hk_sim_state_set(q->s, x);
  free(x);
  return status;
}

static hk_status begin(search *q, hk_diag *diag, hk_error *err) {
  const hk_periodic_options *o = q->o;
  hk_status status = check(o, q->m, err);
  if (!status) status = create_sim(q, diag, err);
  if (status) return status;
  hk_sim *s = q->s;
  q->out->stepper = hk_sim_stepper_name(s);
  if (q->m->nv == 0)
    return hk_fail(err, HK_EINPUT, "the model has no coordinates that could repeat");
  if (o->start && o->start_size != hk_sim_state_size(s))
    return hk_fail(err, HK_EINPUT, "the state to start from belongs to a model of another size");
  if (o->start) status = take_over(q);
  if (!status && o->from > hk_sim_time(s)) status = hk_sim_advance(s, o->from, err);
  double T = o->period;
  if (!status && o->unknown && !(T > 0)) status = guess_period(q, &T, err);
  if (!status) status = hk_shooter_create(&q->p, s, T, err);
  if (status) return status;
  q->p.go_on = o->go_on;
  q->p.context = o->context;
  size_t nv = (size_t)q->m->nv, x = (size_t)s->state_size;
  q->x = malloc(3 * x * sizeof *q->x);
  q->y = calloc(10 * nv + (2 * nv + 1) * (2 * nv + 1) + 4, sizeof *q->y);
  if (!q->x || !q->y) return hk_fail(err, HK_ENOMEM, "out of memory");
  q->end = q->x + x;
  q->best = q->end + x;
  q->g = q->y + 2 * nv;
  q->c = q->g + 2 * nv;
  q->r = q->c + 2 * nv + 1;
  q->b = q->r + 2 * nv;
  q->A = q->b + 2 * nv + 1;
  hk_sim_state_get(s, q->x);
  memcpy(q->best, q->x, bytes(q));
  q->best_T = T;
  q->best_residual = q->residual = INFINITY;
  if (!hk_integrator_can(s, HK_IMPACTS)) status = hk_tangent_create(s, &q->p.tangent, err);
  return status;
}

/* ---- iterations ---- */

static void keep_best(search *q) {
  if (!(q->residual < q->best_residual)) return;
  q->best_residual = q->residual;
  q->best_T = q->p.T;
  memcpy(q->best, q->x, bytes(q));
}

/* One period from q->x to q->end; unknowns of both in y and g, the residual in r. */
static hk_status period(search *q, bool columns, hk_error *err) {
  hk_shooter_chart(&q->p, q->x, q->y);
  hk_status status = hk_shooter_run(&q->p, q->x, q->end, columns, err);
  if (status) return status;
  hk_shooter_chart(&q->p, q->end, q->g);
  for (int i = 0; i < q->p.n; i++) q->r[i] = q->g[i] - q->y[i];
  q->residual = hk_shooter_size(&q->p, q->r);
  if (!isfinite(q->residual)) return hk_fail(err, HK_EFAIL, "the motion is not finite");
  keep_best(q);
  return HK_OK;
}

static bool done(const search *q) { return q->residual <= q->tolerance; }
static bool spent(const search *q) { return q->p.runs >= q->most_runs; }

/* Starts the next period where this one ended. */
static void go_on_plainly(search *q) { memcpy(q->x, q->end, bytes(q)); }

static hk_status plain(search *q, int most, hk_error *err) {
  hk_status status = HK_OK;
  for (int k = 0; k < most && !status && !done(q) && !spent(q); k++) {
    if (k) go_on_plainly(q);
    status = period(q, false, err);
  }
  return status;
}

/* *slow: true if the iteration ended because Newton's method would be faster. */
static hk_status anderson(search *q, bool may_end, bool *slow, hk_error *err) {
  hk_anderson a;
  double past[PATIENCE + 1] = {0};
  hk_status status = hk_anderson_create(&a, q->p.n, err);
  *slow = false;
  for (int k = 0; !status && !done(q) && !spent(q); k++) {
    double before = q->residual;
    status = hk_anderson_next(&a, q->y, q->g, q->c, err);
    if (status) break;
    for (int i = 0; i < q->p.n; i++) q->c[i] -= q->g[i];
    go_on_plainly(q);
    status = hk_shooter_move(&q->p, q->x, q->c, err);
    if (!status) status = period(q, false, err);
    if (status == HK_EFAIL && k == 0) break;
    if (!status && q->residual > 4 * before) hk_anderson_forget(&a);
    memmove(past + 1, past, PATIENCE * sizeof *past);
    past[0] = q->residual;
    if (k < PATIENCE || status) continue;
    q->out->reduction = pow(past[0] / past[PATIENCE], 1.0 / PATIENCE);
    if (may_end && q->out->reduction > SLOW) {
      *slow = !done(q);
      break;
    }
  }
  hk_anderson_free(&a);
  return status;
}

/* The step c of Newton's method: (P - E) c - flow dT = r; if the period is unknown, the component
 * of c along the flow is 0. */
static hk_status solve_step(search *q, double *dT, hk_error *err) {
  const hk_shooter *p = &q->p;
  int n = p->n, size = n + (q->o->unknown ? 1 : 0);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) q->A[i * size + k] = p->P[i * n + k] - p->E[i * n + k];
    q->b[i] = q->r[i];
  }
  if (q->o->unknown) {
    double length = 0;
    for (int i = 0; i < n; i++) length += p->flow[i] * p->flow[i];
    length = length > 0 ? sqrt(length) : 1;
    for (int i = 0; i < n; i++) {
      q->A[i * size + n] = -p->flow[i] / length;
      q->A[n * size + i] = p->flow[i] / length;
    }
    q->A[n * size + n] = 0;
    q->b[n] = 0;
    *dT = 1 / length;
  } else {
    *dT = 0;
  }
  hk_svd svd;
  hk_status status = hk_svd_make(q->A, size, size, 1e-9, &svd, err);
  if (status) return status;
  hk_svd_solve(&svd, q->b, q->c);
  hk_svd_free(&svd);
  if (q->o->unknown) *dT *= q->c[n];
  return HK_OK;
}

/* The new initial state after the step `share` c: the end of the period, displaced, including its
 * accelerations and memory. */
static hk_status take_step(search *q, const double *end, const double *c, double share,
                           const double *old_r, hk_error *err) {
  hk_shooter *p = &q->p;
  const hk_model *m = q->m;
  const hk_column_parts at = hk_column_at(m);
  memcpy(q->x, end, bytes(q));
  for (int i = 0; i < p->n;
       i++) { /* from the end of the period: back by the residual r, then by the step at that end, P
               * c */
    q->b[i] = -old_r[i];
    for (int k = 0; k < p->n; k++) q->b[i] += share * p->P[i * p->n + k] * c[k];
  }
  hk_status status = hk_shooter_move(p, q->x, q->b, err);
  if (status || !p->tangent) return status;
  for (int k = 0; k < p->n; k++) {
    const double *col = p->column + (size_t)k * (size_t)at.size;
    for (int i = 0; i < m->nv; i++) q->x[m->at.vd + i] += share * c[k] * col[at.vd + i];
    for (int i = 0; i < m->n_memory; i++)
      q->x[m->at.memory + i] += share * c[k] * col[at.memory + i];
  }
  hk_tangent_add_own(p->tangent, q->x, p->column, p->n, c, share);
  return HK_OK;
}

static hk_status newton(search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  size_t n = 2 * (size_t)q->m->nv + 2;
  double *c = malloc(2 * n * sizeof *c), *r = c + n, *end = malloc(bytes(q));
  hk_status status = c && end ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  int poor = 0;
  for (int round = 1; !status && !done(q) && !spent(q); round++) {
    if (round % MOST_ROUNDS ==
        0) { /* the iteration does not converge near this state: plain periods lead away from it */
      status = plain(q, PLAIN_PERIODS, err);
      if (status || done(q)) break;
      go_on_plainly(q);
    }
    status = hk_shooter_rebase(p, q->x, err);
    if (!status) status = period(q, true, err);
    if (status || done(q)) break;
    double dT, before = q->residual, T = p->T, share = 1;
    status = solve_step(q, &dT, err);
    memcpy(c, q->c, n * sizeof *c);
    memcpy(r, q->r, (size_t)p->n * sizeof *r);
    memcpy(end, q->end, bytes(q));
    double longest = hk_shooter_size(p, c);
    if (longest > 3)
      share = 3 / longest; /* far beyond the present amplitude the derivative has no meaning */
    bool better = false;
    for (int cut = 0; !status && cut < MOST_CUTS && !better; cut++, share /= 4) {
      p->T = T + share * dT;
      if (!(p->T > 0.1 * T)) continue;
      status = take_step(q, end, c, share, r, err);
      if (status == HK_EFAIL || status == HK_RETRY)
        status = HK_OK;
      else if (!status)
        status = period(q, false, err);
      if (status == HK_EFAIL) status = HK_OK, q->residual = INFINITY;
      better = q->residual < before * (cut < MOST_CUTS - 1 ? 0.9 : 1);
    }
    if (status || done(q)) break;
    poor = better ? 0 : poor + 1;
    if (!better) { /* plain periods instead, more each time: there may be no orbit nearby any
                    * more */
      p->T = T;
      memcpy(q->end, end, bytes(q));
      for (int k = 0; k < 2 << (2 * poor - 2) && !status && !done(q) && !spent(q); k++) {
        go_on_plainly(q);
        status = period(q, false, err);
      }
      if (poor >= 4 || done(q)) break;
    }
    go_on_plainly(q);
  }
  free(c);
  free(end);
  return status;
}

static hk_status iterate(search *q, hk_error *err) {
  hk_periodic_method method = q->o->method;
  bool slow = false;
  hk_status status = HK_OK;
  if (method == HK_PERIODIC_PLAIN) return plain(q, q->most_runs, err);
  if (q->o->unknown) method = HK_PERIODIC_NEWTON;
  if (method != HK_PERIODIC_NEWTON) status = anderson(q, method == HK_PERIODIC_AUTO, &slow, err);
  if (status == HK_EFAIL && method == HK_PERIODIC_AUTO) status = HK_OK, slow = true;
  if (!status && (method == HK_PERIODIC_NEWTON || slow) && !done(q)) {
    if (slow) memcpy(q->x, q->best, bytes(q));
    q->residual = INFINITY;
    status = newton(q, err);
  }
  return status;
}

/* ---- the end ---- */

static void name_coordinate(const hk_model *m, int j, bool rate, char *text, size_t size) {
  hk_state_entry e;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (j < n->v || j >= n->v + n->nv) continue;
    hk_layout_entry(m, m->at.v + j, &e);
    size_t length = strlen(e.name);
    if (!rate && length > 5 && strcmp(e.name + length - 5, ".rate") == 0) e.name[length - 5] = '\0';
    snprintf(text, size, "%.150s", e.name);
    return;
  }
}

/* The coordinate with the largest change over the period, relative to the scales. */
static void find_worst(search *q) {
  const hk_model *m = q->m;
  const hk_shooter *p = &q->p;
  double most = -1;
  int at = 0;
  memcpy(p->ref, q->x, bytes(q)); /* differences from the start */
  hk_shooter_chart(p, q->end, q->g);
  for (int j = 0; j < 2 * m->nv; j++) {
    if (j < m->nv && p->cyclic[j]) continue;
    if (fabs(p->d[j]) > most) most = fabs(p->d[j]), at = j;
  }
  name_coordinate(m, at % m->nv, at >= m->nv, q->out->worst, sizeof q->out->worst);
}

static hk_status tell_drifts(search *q, hk_error *err) {
  const hk_model *m = q->m;
  hk_periodic *out = q->out;
  double *d = malloc((size_t)(m->nv + 1) * sizeof *d);
  out->drift = calloc((size_t)m->nv + 1, sizeof *out->drift);
  if (!d || !out->drift) {
    free(d);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  hk_configuration_sub(m, q->end + m->at.q, q->x + m->at.q, d);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k;
      if (!q->p.cyclic[j]) continue;
      hk_drift *to = &out->drift[out->n_drifts++];
      name_coordinate(m, j, false, to->name, sizeof to->name);
      to->unit = m->node[i].coordinate[k].angular ? "rad" : "m";
      to->amount = d[j];
    }
  free(d);
  return HK_OK;
}

/* One period with the steps of a plain run.  Its grid replaces the frozen one if the orbit needs another. */
static hk_status confirm(search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  bool fixed = q->s->option.step > 0;
  double *kept = malloc(bytes(q)), residual = q->residual;
  if (!kept) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(kept, q->x, bytes(q));
  go_on_plainly(q);
  p->frozen = fixed;
  hk_status status = period(q, false, err);
  q->out->error = q->residual;
  q->residual = residual;
  if (status) memcpy(q->x, kept, bytes(q));
  free(kept);
  return status;
}

static hk_status search_orbit(search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  hk_status status = hk_shooter_run(p, q->x, q->end, false, err);
  for (int k = 0; k < PLAIN_FIRST && !status; k++) {
    status = hk_shooter_rebase(p, q->end, err);
    if (!status && k == PLAIN_FIRST - 1) {
      status = hk_shooter_find_cyclic(p, q->x, q->end, err);
      if (!status) status = hk_shooter_rebase(p, q->end, err);
    }
    go_on_plainly(q);
    if (!status) status = period(q, false, err);
  }
  for (int grid = 0; !status; grid++) {
    status = hk_shooter_freeze(p, err);
    if (!status) status = hk_shooter_rebase(p, q->x, err);
    q->residual = q->best_residual = INFINITY;
    if (!status) status = period(q, false, err);
    if (!status) status = iterate(q, err);
    if (!status) q->out->per_period = p->n_tau;
    q->out->found = !status && done(q);
    if (status || !q->out->found) break;
    memcpy(q->best, q->x, bytes(q));
    q->best_T = p->T;
    find_worst(q);
    status = confirm(q, err);
    /* The step grid was chosen for another motion: the search is repeated with the grid of the
     * orbit. */
    if (status || grid >= MOST_GRIDS - 1 || q->out->error <= fmax(100 * q->tolerance, 1e-3)) break;
  }
  return status;
}

static hk_status no_orbit(search *q, hk_error *err) {
  hk_periodic *out = q->out;
  memcpy(q->x, q->best, bytes(q));
  find_worst(q);
  double r = q->best_residual;
  if (out->runs >= q->most_runs)
    return hk_fail(err, HK_EFAIL,
                   "no periodic orbit was found in %d periods of %.9g s: '%s' still changes by "
                   "%.3g of its range per "
                   "period; the motion has another period, a second frequency, drifts, or is "
                   "chaotic (see `hooke "
                   "poincare`), or more periods are needed (--from, --runs)",
                   out->runs, q->p.T, out->worst, r);
  return hk_fail(err, HK_EFAIL,
                 "no periodic orbit was found: after %d periods of %.9g s '%s' still changes by "
                 "%.3g of its range per "
                 "period, and the residual no longer falls; the motion has another period, a "
                 "second frequency, drifts, "
                 "or is chaotic (see `hooke poincare`)",
                 out->runs, q->p.T, out->worst, r);
}

/* The search has changed the state: the energy integrals restart at the start of the orbit. */
static hk_status reset_ledger(search *q) {
  hk_sim *s = q->s;
  const hk_model *m = q->m;
  double *ledger = q->best + m->at.ledger;
  if (hk_sim_state_set(s, q->best)) return HK_ENOMEM;
  const hk_instant in = hk_instant_last(m, q->best, q->best + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  if (hk_forces(s->work, &in)) return HK_OK; /* the state is reported as it is */
  ledger[HK_LEDGER_DISSIPATED] = ledger[HK_LEDGER_MOTION] = ledger[HK_LEDGER_APPLIED] = 0;
  ledger[HK_LEDGER_START] = hk_kinetic_energy(s->work, q->best + m->at.v) + s->work->potential;
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  return HK_OK;
}

static hk_status finish(search *q, hk_status status, hk_error *err) {
  hk_periodic *out = q->out;
  out->runs = q->p.runs;
  out->derivatives = q->p.derivatives;
  out->cuts = q->p.cuts;
  out->steps = q->p.steps;
  out->unknowns = q->p.n;
  out->residual = out->found ? q->residual : q->best_residual;
  out->period = q->best_T;
  if (!q->best) return status;
  out->state = malloc(bytes(q));
  if (!out->state || reset_ledger(q)) return hk_fail(err, HK_ENOMEM, "out of memory");
  out->state_size = bytes(q);
  memcpy(out->state, q->best, bytes(q));
  if (!status && !out->found) status = no_orbit(q, err);
  return status;
}

hk_status hk_periodic_run(const hk_model *model, const hk_periodic_options *options,
                          hk_periodic *out, hk_diag *diag, hk_error *err) {
  hk_periodic_options o;
  HK_TAKE_OPTIONS(o, options);
  *out = (hk_periodic){
      .residual = NAN, .error = NAN, .trivial = NAN, .uncertainty = NAN, .stepper = ""};
  if (!model) return hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  bool is_plain = o.method == HK_PERIODIC_PLAIN;
  search q = {.o = &o,
              .out = out,
              .m = model,
              .tolerance = o.tolerance > 0 ? o.tolerance : DEFAULT_TOLERANCE,
              .most_runs = o.most_runs > 0 ? o.most_runs
                           : is_plain      ? MOST_PLAIN
                                           : MOST_RUNS};
  hk_status status = begin(&q, diag, err);
  if (!status) {
    status = search_orbit(&q, err);
    if (status == HK_RETRY) status = HK_EFAIL;
    if (!status && out->found) status = tell_drifts(&q, err);
    /* Newton's method also finds unstable orbits, which do not occur in a real machine: therefore
     * stability is part of the result. */
    bool cheap = q.p.tangent && q.p.n <= MOST_JUDGED && o.method != HK_PERIODIC_PLAIN;
    if (!status && out->found && (o.floquet || cheap)) {
      status = hk_shooter_freeze(&q.p, err);
      if (!status) status = hk_floquet(&q.p, q.x, o.unknown, out, err);
    }
    status = finish(&q, status, err);
  }
  hk_shooter_free(&q.p);
  free(q.x);
  free(q.y);
  hk_sim_destroy(q.s);
  return status;
}

void hk_periodic_free(hk_periodic *o) {
  if (!o) return;
  free(o->drift);
  free(o->re);
  free(o->im);
  free(o->state);
  *o = (hk_periodic){0};
}
