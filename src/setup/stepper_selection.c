/* Comparison of integrators: see stepper_selection.h. */
#include "control/event.h"
#include "setup/stepper_selection.h"
#include "spec/registry.h"
#include "control/step_cache.h"
#include "setup/initial_snapshot.h"
#include <stdlib.h>

/* Number of steps of a run, or of attempts in its first part, above which fast modes may be the reason for short
 * steps. */
static const double many_steps = 2400;
static const double first_part = 1.0 / 12;
enum { FIRST_TRIES = 60, PART_TRIES = 200 };

/* Integrators are compared over this number of attempts. The integrator that damps modes is
 * already compared after a few attempts. If it has completed a sixth of the run by then, or is
 * far from being better, no further attempts are made. */
enum { MOST_TRIES = 400, FEW_TRIES = 100 };
static const double damped_part = 1.0 / 6;

/* Factor by which the steps of the other integrator must be longer to justify a change. At equal tolerances a
 * second-order method is less accurate than a high-order one, and tolerances that compensate for this cost about twice
 * the steps; moreover, the comparison covers only the beginning of the run. */
static const double much_longer = 4;

/* If the bodies move by less than this multiple of the tolerance within the run, the motion may be round-off; then a
 * test decides whether the motion is steady. */
static const double hardly = 100;

typedef struct tolerances {
  double rtol, atol;
} tolerances;

/* A candidate: the time reached by each attempt. */
typedef struct runner {
  const hk_type *type;
  tolerances tolerance;
  bool failed; /* the candidate could not be created, or one of its steps failed */
  bool keeps;  /* steps of this candidate, which become the steps of the run if the candidate is
                * selected */
  int n;
  double at[MOST_TRIES + 1];
  hk_snapshot *aside; /* present state of this candidate while another candidate is simulated */
  hk_step_cache made;
} runner;

typedef struct trial {
  hk_sim *sim;
  hk_beginning beginning;
  const hk_sim_options *given;
  tolerances own; /* tolerances of the integrator selected by `auto` */
  /* times: the candidates simulate from `start` to `end`; the whole run ends at `run_end` */
  double start, end, run_end;
  runner *running;    /* the candidate in `sim`; NULL: none */
  hk_step_cache made; /* steps of the best candidate so far, and its tolerances */
  tolerances of_made;
  hk_status status; /* there was not enough memory, so the comparison has no result */
} trial;

static runner runner_of(const trial *k, const hk_type *type, tolerances tolerance) {
  return (runner){
      .type = type, .tolerance = tolerance, .at = {k->start}, .made = {.end = k->run_end}};
}

/* Returns true if forces depend on the model only. Forces that are functions of the calling program may depend on
 * values that this program sets between the creation of a simulation and the run. */
static bool is_closed(const hk_model *m) {
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].item->type->in_programs_only) return false;
  return m->spec->registry->n_added == 0;
}

/* A candidate with this integrator. If forces depend on the model only, the steps of the candidate are stored, so that
 * the run can use them. */
static runner candidate_of(const trial *k, const hk_type *type, tolerances tolerance) {
  runner r = runner_of(k, type, tolerance);
  r.keeps = is_closed(k->sim->model);
  return r;
}

static void note(trial *k, runner *r, hk_status status) {
  if (!status) return;
  r->failed = true;
  if (status == HK_ENOMEM) k->status = status;
}

static void put_aside(trial *k, runner *r) {
  if (r->failed) return;
  hk_snapshot_free(r->aside);
  r->aside = hk_snapshot_keep(k->sim);
  if (!r->aside) note(k, r, HK_ENOMEM);
}

/* Puts the present state of this candidate into `sim`. */
static void take_up(trial *k, runner *r) {
  if (k->running == r) return;
  if (k->running) put_aside(k, k->running);
  k->running = r;
  hk_sim_options o = *k->given;
  o.rtol = r->tolerance.rtol, o.atol = r->tolerance.atol;
  note(k, r, hk_beginning_return(k->sim, &k->beginning, r->type, &o, NULL));
  if (r->failed) return;
  if (r->aside)
    note(k, r, hk_snapshot_return(k->sim, r->aside));
  else if (r->keeps)
    hk_step_cache_keep(&r->made, k->sim);
}

static bool is_through(const trial *k, const runner *r) {
  return !r->failed && r->at[r->n] >= k->end;
}

/* Simulates the candidate until it has made this number of attempts. */
static void go_on(trial *k, runner *r, int most) {
  note(k, r, k->status);
  if (!r->failed && r->n < most && r->at[r->n] < k->end) take_up(k, r);
  while (!r->failed && r->n < most && r->at[r->n] < k->end) {
    note(k, r, hk_step_without_events(k->sim, k->run_end, NULL));
    if (r->failed) return;
    if (!hk_sim_goes_on(k->sim, k->start, k->run_end)) {
      k->status = HK_STOPPED;
      r->failed = true;
      return;
    }
    if (r->keeps) hk_step_cache_keep(&r->made, k->sim);
    const hk_sim_stats made = hk_sim_statistics(k->sim);
    double before = r->at[r->n];
    for (long now = made.steps + made.rejected; r->n < most && r->n < now;) r->at[++r->n] = before;
    r->at[r->n] = hk_sim_time(k->sim);
  }
}

/* Ends a candidate; keeps its steps as those of the run if it is the best so far. */
static void dismiss(trial *k, runner *r, bool best) {
  if (k->running == r) k->running = NULL;
  hk_snapshot_free(r->aside);
  hk_step_cache *lost = best ? &k->made : &r->made;
  hk_step_cache_free(lost);
  if (best) k->made = r->made, k->of_made = r->tolerance;
}

/* Returns the mean time advanced per attempt in the second half of the attempts; NaN: an attempt
 * failed. */
static double way_of(const runner *r) {
  return r->failed || r->n == 0 ? NAN : (r->at[r->n] - r->at[r->n / 2]) / (r->n - r->n / 2);
}

static void set_part(trial *k, double part) {
  k->end = part < 1 ? k->start + part * (k->run_end - k->start) : k->run_end;
}

/* Finds the tolerances that the stepper would use. */
static bool find_tolerances(trial *k, const hk_type *type, tolerances *out) {
  hk_sim other = {.model = k->sim->model, .damps_modes = true};
  hk_sim_options o = *k->given;
  o.stepper = type->name;
  hk_status status = hk_sim_choose(&other, &o, NULL, NULL);
  if (status == HK_ENOMEM) k->status = status;
  free(other.parameter);
  *out = (tolerances){other.option.rtol, other.option.atol};
  return !status;
}

/* Returns true if the integrator that damps modes is selected, with its tolerances. `way`: time per attempt of the
 * other integrator with the tolerances of the run, which are at least as strict. If the time per attempt of the
 * damping integrator is not larger than `way`, even with its own tolerances, no further comparison is needed. */
static bool damping_wins(trial *k, const hk_type *own, const hk_type *damps, double way) {
  tolerances t;
  if (!find_tolerances(k, damps, &t)) return false;
  runner a = runner_of(k, own, t), b = candidate_of(k, damps, t);
  double gain = NAN;
  set_part(k, damped_part);
  go_on(k, &b, FEW_TRIES);
  if (way_of(&b) > 0.5 * much_longer * way) {
    go_on(k, &a, FEW_TRIES);
    gain = way_of(&b) / way_of(&a);
    if (!is_through(k, &b) && gain > 0.5 * much_longer) {
      go_on(k, &a, MOST_TRIES);
      go_on(k, &b, MOST_TRIES);
      gain = way_of(&b) / way_of(&a);
    }
  }
  bool wins = gain > much_longer && !is_through(k, &a);
  dismiss(k, &a, false);
  dismiss(k, &b, wins);
  return wins;
}

/* Returns true if the run is steady: then the total error of the integrator that is exact for such a motion is at
 * most the error of a single step of the other one. The candidate is simulated to the end of the run if its number of
 * attempts is sufficient, so that later collisions are detected; its steps are then the steps of the run. Otherwise
 * the first part of the run is sufficient, unless loads or motions depend on time and may begin later. */
static bool is_steady(trial *k, const hk_type *keeps) {
  const hk_sim *s = k->sim;
  double duration = s->option.duration, allowed = hk_tolerance(s);
  tolerances t;
  if (!(hk_error_norm(s, s->x + s->model->at.vd) * duration * duration <= hardly)) return false;
  if (!find_tolerances(k, keeps, &t)) return false;
  runner r = candidate_of(k, keeps, t);
  bool even = true;
  set_part(k, 1);
  while (even && r.n < MOST_TRIES && !is_through(k, &r)) {
    go_on(k, &r, r.n + 1);
    even = !r.failed && s->quality.worst[HK_QUALITY_LOCAL_ERROR].amount <= allowed;
  }
  set_part(k, s->model->timed ? 1 : first_part);
  even = even && is_through(k, &r);
  dismiss(k, &r, even);
  return even;
}

static const char steady[] = "steady motion, in which it makes no error",
                  stiff[] =
                      "modes without damping, which keep formulas of high order to short steps";

/* Returns the preferable integrator; NULL: s->stepper. */
static const hk_type *find_winner(trial *k, const char **why) {
  const hk_sim *s = k->sim;
  const hk_type *own = s->stepper, *damps = hk_sim_rival(s, k->given, HK_RIVAL_DAMPS),
                *keeps = hk_sim_rival(s, k->given, HK_RIVAL_STEADY);
  *why = steady;
  if (keeps && is_steady(k, keeps)) return keeps;
  if (!damps) return NULL;
  runner a = candidate_of(k, own, k->own);
  set_part(k, first_part);
  go_on(k, &a, FIRST_TRIES);
  double first = way_of(&a), steps = a.n + (k->run_end - a.at[a.n]) / first;
  const hk_type *winner = NULL;
  if (!(steps <= many_steps)) {
    go_on(k, &a, FEW_TRIES);
    *why = stiff;
    if (damping_wins(k, own, damps, way_of(&a))) winner = damps;
  }
  if (!winner && steps <= many_steps) {
    set_part(k, first_part);
    go_on(k, &a, PART_TRIES);
    *why = stiff;
    if (!is_through(k, &a) && damping_wins(k, own, damps, way_of(&a))) winner = damps;
  }
  dismiss(k, &a, !winner);
  return winner;
}

hk_status hk_trial_choose(hk_sim *s, const hk_sim_options *options, hk_error *err) {
  static const hk_sim_options none = {0};
  double start = hk_sim_time(s), duration = s->option.duration;
  const char *asked = s->option.stepper, *why = s->why, *better;
  const hk_type *own = s->stepper;
  if (!(duration > 0) ||
      (!hk_sim_rival(s, options, HK_RIVAL_STEADY) && !hk_sim_rival(s, options, HK_RIVAL_DAMPS)))
    return HK_OK;
  trial k = {.sim = s,
             .given = options ? options : &none,
             .own = {s->option.rtol, s->option.atol},
             .start = start,
             .run_end = start + duration};
  hk_status status = hk_beginning_keep(s, &k.beginning, err);
  if (status) return status;
  const hk_type *winner = find_winner(&k, &better);
  s->damps_modes = winner != NULL;
  if (k.status)
    status =
        hk_fail(err, k.status, k.status == HK_STOPPED ? "stopped by the caller" : "out of memory");
  else
    status = hk_beginning_return(s, &k.beginning, winner ? winner : own, options, err);
  s->option.stepper = asked;
  s->why = winner ? better : why;
  if (!status && k.of_made.rtol == s->option.rtol && k.of_made.atol == s->option.atol)
    s->cache = k.made;
  else
    hk_step_cache_free(&k.made);
  hk_beginning_free(&k.beginning);
  return status;
}
