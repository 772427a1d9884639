/* Start of a search for a periodic orbit: creates the simulation, estimates the period, and allocates the memory. */
#include "analysis/periodic_search.h"
#include "base/options.h"
#include <stdlib.h>
#include <string.h>

static hk_status check(const hk_periodic_options *o, const hk_model *m, hk_error *err) {
  if (!o->unknown && !(o->period > 0 && isfinite(o->period)))
    return hk_fail(err, HK_EINPUT, "the period must be positive, not %g s", o->period);
  if (o->unknown && !(o->period > 0) && (o->turn < 1 || o->turn >= m->n_channels))
    return hk_fail(
        err, HK_EINPUT,
        "an unknown period needs a first guess or a channel whose change defines the period");
  if (o->tolerance < 0 || o->tolerance >= 1)
    return hk_fail(err, HK_EINPUT, "the tolerance must be between 0 and 1, not %g", o->tolerance);
  return HK_OK;
}

static const char *const DIFFERENTIABLE = "generalized_alpha";
/* Tolerance of steps that serve only for the derivative: see accurate_period.c. */
static const double RTOL_OF_DERIVATIVE = 1e-5;

/* Returns true if periods are simulated with the integrator of a run, and another integrator is used only for the
 * derivative. */
static bool is_accurate(const hk_sim *run) {
  const hk_model *m = run->model;
  return hk_integrator_of(run)->order > 2 && run->option.step == 0 && m->n_memory == 0 &&
         !hk_has_kinks(m) && m->n_exchanges == 0;
}

/* If its tolerance is small, the search needs another tolerance than a run. */
static void tighten(const hk_periodic_options *o, const hk_sim *run, hk_sim_options *sim) {
  if (o->tolerance > 0 && 1e-3 * o->tolerance < run->option.rtol)
    sim->rtol = fmax(1e-3 * o->tolerance, 1e-13);
}

hk_status hk_search_sim(const hk_periodic_options *o, const hk_model *m, hk_sim **out,
                        hk_sim **accurate, const char **chosen, hk_diag *diag, hk_error *err) {
  hk_sim_options sim;
  HK_TAKE_OPTIONS(sim, o->sim);
  sim.size = 0;
  *accurate = NULL;
  *chosen = sim.stepper;
  hk_status status = HK_OK;
  if (!m->set_valued) {
    /* An ordinary run may also select this integrator, but its tolerances are then chosen for the contacts of the
     * model. */
    hk_sim *run = NULL;
    status = hk_sim_create(m, &sim, &run, NULL, err);
    bool other = !status && strcmp(hk_sim_stepper_name(run), DIFFERENTIABLE) != 0;
    if (other && is_accurate(run)) {
      sim.stepper = *chosen = hk_sim_stepper_name(run);
      tighten(o, run, &sim);
      status = hk_sim_create(m, &sim, accurate, diag, err);
      diag = NULL;
      sim.rtol = RTOL_OF_DERIVATIVE;
      sim.atol = 0;
    }
    if (other) sim.stepper = DIFFERENTIABLE;
    if (other && !*accurate) *chosen = DIFFERENTIABLE;
    hk_sim_destroy(run);
  }
  sim.one_step = true;
  if (!status) status = hk_sim_create(m, &sim, out, diag, err);
  if (!status && m->set_valued) *chosen = hk_sim_stepper_name(*out);
  if (status == HK_EFAIL || status > 0) status = HK_EINPUT;
  return status;
}

/* The first guess of an unknown period. */
static hk_status guess_period(hk_search *q, double *T, hk_error *err) {
  hk_sim *s = hk_search_outer(q);
  hk_zero(q->mean, q->m->nv);
  int channel = q->o->turn;
  double t0 = hk_sim_time(s), first = hk_sim_value(s, channel), amount = q->o->amount;
  double longest = s->option.duration > 0 ? s->option.duration : 1e3, before = first, t = t0;
  int way = 0, passed = 0;
  while (t < t0 + longest) {
    hk_status status = hk_sim_step(s, t0 + longest, err);
    if (status) return status;
    double value = hk_sim_value(s, channel), now = hk_sim_time(s);
    double goal = first + amount;
    for (int i = 0; i < q->m->nv; i++) {
      double so_far = now > t0 ? (now - t) / (now - t0) : 1;
      q->mean[i] += so_far * (s->x[q->m->at.v + i] - q->mean[i]);
    }
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
                 "channel '%s' changed by %g in %g s and did not reach %g: no period was found",
                 hk_model_channel_name(q->m, channel), before - first, longest, amount);
}

/* Continues from a state of an orbit. If the period has changed, the time is set to the same number of new periods
 * after the start, so that functions of time have the same phase. */
static hk_status take_over(hk_search *q) {
  const hk_periodic_options *o = q->o;
  double origin = hk_sim_time(hk_search_outer(q)), *x = malloc(o->start_size);
  if (!x) return HK_ENOMEM;
  memcpy(x, o->start, o->start_size);
  double *t = &x[q->m->at.t];
  if (!o->unknown && o->start_period > 0 && fabs(o->start_period - o->period) > 1e-12 * o->period)
    *t = origin + (*t - origin) / o->start_period * o->period;
  hk_status status = hk_sim_state_set(hk_search_outer(q), x);
  free(x);
  return status;
}

hk_status hk_search_begin(hk_search *q, hk_diag *diag, hk_error *err) {
  const hk_periodic_options *o = q->o;
  hk_status status = check(o, q->m, err);
  if (!status) status = hk_search_sim(o, q->m, &q->s, &q->accurate, &q->chosen, diag, err);
  if (status) return status;
  hk_sim *s = hk_search_outer(q);
  q->out->stepper = hk_sim_stepper_name(s);
  if (q->m->nv == 0)
    return hk_fail(err, HK_EINPUT, "the model has no coordinates that could repeat");
  if (o->start && o->start_size != hk_sim_state_size(s))
    return hk_fail(err, HK_EINPUT,
                   "the initial state belongs to another model: it has another number of values");
  if (o->start) status = take_over(q);
  if (!status && o->from > hk_sim_time(s)) status = hk_sim_advance(s, o->from, err);
  double T = o->period;
  q->mean = calloc((size_t)q->m->nv + 1, sizeof *q->mean);
  if (!q->mean) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_copy(q->mean, s->x + q->m->at.v, q->m->nv);
  if (!status && o->unknown && !(T > 0)) status = guess_period(q, &T, err);
  if (!status) status = hk_shooter_create(&q->p, q->s, T, err);
  if (!status) status = hk_shooter_use_accurate(&q->p, q->accurate, err);
  if (status) return status;
  q->p.go_on = o->go_on;
  q->p.context = o->context;
  size_t nv = (size_t)q->m->nv, x = (size_t)q->s->state_size;
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
  if (q->accurate)
    status = hk_shooter_convert(q->s, s->x, q->x, err);
  else
    hk_sim_state_get(s, q->x);
  memcpy(q->best, q->x, hk_search_bytes(q));
  q->best_T = T;
  q->best_residual = q->residual = INFINITY;
  if (!status && !hk_integrator_can(q->s, HK_IMPACTS))
    status = hk_tangent_create(q->s, &q->p.tangent, err);
  return status;
}
