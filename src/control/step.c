/* hk_sim_step: one accepted step.
 *
 *   sources   handle events that have been reached, and return the next required end   (source.h)
 *   attempt   the integrator makes a step of that length                               (sim/integrator.h)
 *   verdict   from its error, and from the events that the sources find within it      (controller.h)
 *   accept    the new state replaces the old one, or an attempt of another length follows */
#include "control/controller.h"
#include "control/fmu_start.h"
#include "control/failure.h"
#include "control/redundant_rows.h"
#include "control/source.h"
#include "control/event.h"
#include "control/step_cache.h"
#include "control/rotation_limit.h"
#include "sim/ledger.h"
#include "sim/dense_output.h"
#include "sim/table_lookup.h"
#include "sim/quality.h"
#include <math.h>
#include <string.h>

/* ---- acceptance ---- */

/* Records the data of an accepted step, with the frames of its end in `work`. For a jump of velocities h is 0. */
static void remember(hk_sim *s, double h, double *x) {
  const hk_model *m = s->model;
  double *lambda = s->full;
  hk_copy(x + m->at.memory_old, x + m->at.memory, m->n_memory);
  if (!(h > 0)) return;
  for (int r = 0; r < m->nc; r++) lambda[r] = x[m->at.lambda + r] + x[m->at.lambda_shift + r];
  hk_instant in = hk_instant_last(m, x, lambda);
  in.h = h;
  hk_memory_accept(s->work, &in, x + m->at.memory);
}

static void accept(hk_sim *s, double h, double error) {
  const hk_model *m = s->model;
  double *x = s->x_next;
  if (m->n_memory) remember(s, h, x);
  if (!hk_integrator_can(s, HK_OWN_LEDGER)) hk_ledger_advance(s, s->x, h, x);
  if (m->n_turns) hk_coordinates_accept(s->work, x + m->at.turn);
  if (m->n_lookups) hk_lookups_accept(s, x);
  s->x_next = s->x;
  s->x = x;
  s->kept_past = s->out.have_step = true;
  s->out.have_accelerations = s->out.have_loads = s->out.have_variables = false;
  s->out.have_frames = hk_integrator_can(s, HK_LEAVES_FRAMES) && s->out.steps_show_all;
  hk_sources_accept(s, h);
  s->stats.steps++;
  s->stats.step = h;
  s->stats.constraint_error = m->nc ? hk_max_abs(s->work->g, m->nc, NULL) : 0;
  hk_quality_step(s, error);
}

/* ---- attempts ---- */

/* Rejects a length below the resolution of time, and a fixed length for which revolutions cannot be counted. */
static hk_status check_length(hk_sim *s, double h, hk_error *err) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t];
  if (!(t + h > t) && hk_sim_adapts(s) && s->stats.steps > 0)
    return hk_step_failed(s, h, NULL, err);
  if (!(t + h > t))
    return hk_fail(err, HK_EFAIL,
                   "a step of %.3g s is below the time resolution at t = %.9g s; let the run start "
                   "nearer to 0",
                   h, t);
  int node = 0;
  if (hk_sim_adapts(s) || m->n_turns == 0 || !(h * hk_fastest_turn(s, false, &node) > M_PI))
    return HK_OK;
  hk_fail(err, HK_EFAIL,
          "a step of %.4g s rotates body '%s' by more than 180 degrees at t = %.9g s, so that "
          "angles cannot be counted; use a step below %.3g s",
          h, m->node[node].name, t, M_PI / 2 / hk_fastest_turn(s, false, NULL));
  hk_error_about(err, m->node[node].name, NAN, -1);
  return HK_EFAIL;
}

static hk_status attempt(hk_sim *s, double h, hk_attempt *a) {
  const hk_model *m = s->model;
  a->error = a->made = a->next = 0;
  a->order = 0;
  a->elsewhere = false;
  a->judged = a->reached = h;
  s->noise_fades = false;
  /* The integrator does not write all parts of the state that follow the velocities. Therefore
   * these parts are copied first. */
  memcpy(s->x_next + m->at.turn, s->x + m->at.turn,
         (size_t)(m->at.size - m->at.turn) * sizeof *s->x);
  hk_instant_ends(m, s->x, h, s->x_next); /* the end is evaluated before the step is accepted */
  hk_status status = hk_integrator_of(s)->attempt(s, s->x, h, s->x_next, a);
  if (!status && a->error <= 1 && hk_sim_adapts(s) && !hk_integrator_can(s, HK_OWN_LEDGER))
    hk_ledger_judge(s, h, s->x_next, a);
  return status;
}

/* Outcome of a step. */
typedef struct outcome {
  bool event; /* no step was attempted, because an event must be handled first */
  hk_status status;
} outcome;

/* Maximum number of attempts for a step, and maximum number of row selections within an attempt. */
enum { MOST_ATTEMPTS = 60, MOST_SORTED = 3 };
/* Number of attempts that may end at a switch that was found within the previous attempt. The time of a real switch
 * does not change, and two to four attempts reach it. But the switch may exist only on the interpolated path; then it
 * moves with the end of the step. An example is a stiff spring that follows a cam whose height grows exponentially.
 * In this case the step is halved. */
enum { MOST_PASSED = 8 };

/* Returns true if Newton's iteration lacks the geometric coupling between bodies. This coupling is omitted at first,
 * but preloaded joints may need it. */
static bool lacks_coupling(const hk_sim *s, hk_step_verdict verdict, int rejected) {
  return verdict == HK_STEP_UNSOLVED && rejected == 2 && s->model->nc > 0 && !s->system->full &&
         s->option.tangent == HK_TANGENT_AUTO;
}

static outcome take_step(hk_sim *s, double t_end, bool may_meet, hk_error *err) {
  double *t = &s->x[s->model->at.t], *wanted = hk_control_wanted(s, s->x);
  hk_attempt_memory memory = {0};
  hk_attempt a = {.memory = &memory, .wanted = hk_sim_adapts(s) ? *wanted : s->option.step};
  hk_plan plan = hk_sources_plan(s, a.wanted, t_end);
  hk_status status = check_length(s, plan.h, err);
  for (int n = 0, sorted = 0, passed = 0; !status; n++) {
    a.due = plan.h >= plan.due - *t;
    hk_status returned = attempt(s, plan.h, &a);
    if (returned < 0)
      return (outcome){false, hk_fail(err, returned, "%s",
                                      a.why ? a.why : "the linear solver ran out of memory")};
    hk_step_verdict verdict = hk_control_verdict(s, returned, &a);
    if (verdict == HK_STEP_GOOD && hk_rows_broken(s)) {
      status = ++sorted > MOST_SORTED ? hk_step_failed(s, plan.h, a.why, err)
                                      : hk_rows_take_back(s, err);
      continue;
    }
    bool good = verdict == HK_STEP_GOOD;
    double end = good ? a.reached : plan.h, most = INFINITY;
    hk_seen seen =
        end > 0 ? hk_sources_look(s, good, may_meet, &end, &most, &plan.limit) : HK_SEEN_NOTHING;
    if (seen == HK_SEEN_HERE) return (outcome){.event = true};
    if (seen == HK_SEEN_EARLIER) verdict = HK_STEP_PASSED;
    if (verdict == HK_STEP_GOOD) {
      s->limit = hk_control_limit(s, &a, &plan);
      accept(s, a.reached, a.made > 0 ? a.made : a.error);
      hk_control_arrive(s, t_end, hk_control_next(s, &a, plan.h, most));
      return (outcome){0};
    }
    s->stats.rejected++;
    a.rejected++;
    memory.unsolved = memory.unsolved || verdict == HK_STEP_UNSOLVED;
    if (lacks_coupling(s, verdict, a.rejected))
      status = hk_build_systems(s, true, err);
    else
      plan.h = verdict != HK_STEP_PASSED ? hk_control_again(s, verdict, &a, plan.h)
               : ++passed > MOST_PASSED  ? fmin(end, 0.5 * plan.h)
                                         : end;
    a.wanted = plan.h;
    /* A step that ends at an event may be arbitrarily short. */
    bool too_short = plan.h < hk_smallest_step(s) && verdict != HK_STEP_PASSED;
    if (!status && (too_short || n >= MOST_ATTEMPTS))
      status = hk_step_failed(s, plan.h, a.why, err);
  }
  return (outcome){false, status};
}

/* ---- a step ---- */

/* Maximum number of events handled before one step. */
enum { MOST_MET = 20 };

static hk_status begin(hk_sim *s, hk_error *err) {
  if (!s->own && hk_integrator_of(s)
                     ->create) { /* the simulation was used for an analysis of equilibrium before */
    hk_status status = hk_integrator_of(s)->create(s, err);
    if (status) return status;
  }
#ifdef HK_POISON
  hk_sim_poison(s);
#endif
  s->out.have_step = s->out.carried = false;
  s->work->still = false; /* set by hk_static_solve */
  s->told = hk_least_told(s);
  s->table_try.t = NAN;
  return HK_OK;
}

static hk_status step(hk_sim *s, double t_end, hk_error *err) {
  outcome o = {.status = begin(s, err)};
  for (int met = 0; !o.status; met++) {
    double before = s->x[s->model->at.t];
    o.status = hk_sources_meet(s, t_end, err);
    if (o.status || !(s->x[s->model->at.t] < t_end)) break;
    o = take_step(s, t_end, met < MOST_MET && (met == 0 || s->x[s->model->at.t] > before), err);
    if (!o.event) break;
  }
  s->told = 0;
  return o.status;
}

hk_status hk_step_without_events(hk_sim *s, double t_end, hk_error *err) {
  double t = hk_sim_time(s);
  hk_status status = HK_OK;
  s->out.carried = false;
  if (!hk_step_cache_step(s, t_end, &status))
    status = step(s, t_end, err);
  else if (status)
    hk_fail(err, status, "out of memory");
  if (status) hk_error_about(err, NULL, t, -1);
  return status;
}

hk_status hk_sim_step(hk_sim *s, double t_end, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  if (!(t_end > hk_sim_time(s))) return HK_OK;
  return s->model->n_events ? hk_events_step(s, t_end, hk_step_without_events, err)
                            : hk_step_without_events(s, t_end, err);
}

hk_status hk_sim_step_exactly(hk_sim *s, double t_end, double tightness, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_analysis_dynamics kept = s->option;
  double t = s->x[s->model->at.t];
  if (!(t_end > t)) return HK_OK;
  s->out.carried = false;
  hk_status status = begin(s, err);
  if (!status) status = hk_sources_meet(s, t_end, err);
  double h = t_end - s->x[s->model->at.t];
  if (!status && h > 0) {
    hk_attempt_memory memory = {0};
    hk_attempt a = {.memory = &memory, .wanted = h, .due = true};
    s->option.step = h;
    s->option.rtol *= tightness;
    s->option.atol *= tightness;
    status = attempt(s, h, &a);
    if (!status && hk_rows_broken(s)) status = HK_RETRY;
    if (!status) {
      s->limit = "the fixed step";
      accept(s, h, a.made > 0 ? a.made : a.error);
      s->x[s->model->at.t] = t_end;
    }
  }
  s->option = kept;
  s->told = 0;
  if (status) hk_fail(err, status, "the equations of a step of %.4g s could not be solved", h);
  if (status) hk_error_about(err, NULL, t, -1);
  return status;
}

void hk_sim_progress_set(hk_sim *s, hk_progress_fn *progress, void *context) {
  if (!s) return;
  s->progress = progress;
  s->progress_context = context;
}

hk_status hk_sim_advance(hk_sim *s, double t, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  if (isnan(t)) return hk_fail(err, HK_EINPUT, "the time to advance to is not a number");
  double start = s->x[s->model->at.t];
  while (s->x[s->model->at.t] < t) {
    hk_status status = hk_sim_step(s, t, err);
    if (status) return status;
    if (!hk_sim_goes_on(s, start, t)) return hk_fail(err, HK_STOPPED, "stopped by the caller");
  }
  return hk_exchange_now(s, err);
}
