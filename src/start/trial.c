/* Steppers tried against each other: see trial.h. */
#include "start/trial.h"
#include "start/beginning.h"
#include <stdlib.h>

/* A run of so few steps is short enough as it is; one of so many, or with so many tries of a step for its first part, may be
 * held up by modes. */
static const double few_steps = 500, many_steps = 2400;
static const double first_part = 1.0 / 12;
enum { FIRST_TRIES = 60, PART_TRIES = 200 };

/* Steppers are compared over so many tries.  The one that damps modes is first compared after a few: where it is through
 * a sixth of the run by then, or far from winning, more would be wasted. */
enum { MOST_TRIES = 400, FEW_TRIES = 100 };
static const double damped_part = 1.0 / 6;

/* Steps that have to be longer by this to be worth a change.  With equal tolerances a method of second order is less exact than
 * one of high order, and tolerances that make up for it cost it about twice the steps; one of higher order has steps that cost
 * more; and the trial sees but the beginning. */
static const double much_longer = 4, longer = 2;

/* What moves nothing by more than this many tolerances within the run may be round-off: worth a trial whether the motion is
 * steady. */
static const double hardly = 100;

typedef struct trial {
  hk_sim *sim;
  hk_beginning beginning;
  const hk_sim_options *given;
  double rtol, atol;          /* of what is tried */
  double start, end, run_end; /* of the run; what is tried goes to `end` */
  struct runner *running;     /* what `sim` is at present; NULL: none of them */
} trial;

/* A stepper on trial: the time that each try has come to. */
typedef struct runner {
  const hk_type *type;
  double rtol, atol;
  bool failed; /* it cannot be made, or a step failed */
  int n;
  double at[MOST_TRIES + 1];
  double *x; /* the state that it has come to, while another one is running */
  hk_sim_stats stats;
} runner;

static runner runner_of(const trial *k, const hk_type *type) {
  return (runner){.type = type, .rtol = k->rtol, .atol = k->atol, .at = {k->start}};
}

static void put_aside(runner *r, const hk_sim *s) {
  size_t bytes = hk_sim_state_size(s);
  if (!r->x && !(r->x = malloc(bytes))) r->failed = true;
  if (r->x) hk_sim_state_get(s, r->x);
  r->stats = s->stats;
}

/* `sim` becomes this one, as far as it has come. */
static void take_up(trial *k, runner *r) {
  if (k->running == r) return;
  if (k->running) put_aside(k->running, k->sim);
  k->running = r;
  hk_sim_options o = *k->given;
  o.rtol = r->rtol, o.atol = r->atol;
  if (hk_beginning_return(k->sim, &k->beginning, r->type, &o, NULL)) r->failed = true;
  if (!r->x || r->failed) return;
  if (hk_sim_state_set(k->sim, r->x)) r->failed = true;
  k->sim->stats = r->stats;
}

static bool is_through(const trial *k, const runner *r) {
  return !r->failed && r->at[r->n] >= k->end;
}

/* Up to so many tries of a step. */
static void go_on(trial *k, runner *r, int most) {
  if (!r->failed && r->n < most && r->at[r->n] < k->end) take_up(k, r);
  while (!r->failed && r->n < most && r->at[r->n] < k->end) {
    if (hk_sim_step(k->sim, k->run_end, NULL)) {
      r->failed = true;
      return;
    }
    const hk_sim_stats made = hk_sim_statistics(k->sim);
    double before = r->at[r->n];
    for (long now = made.steps + made.rejected; r->n < most && r->n < now;) r->at[++r->n] = before;
    r->at[r->n] = hk_sim_time(k->sim);
  }
}

static void dismiss(trial *k, runner *r) {
  if (k->running == r) k->running = NULL;
  free(r->x);
}

/* The way in time of a try, over the latter half of them; NaN: one failed. */
static double way_of(const runner *r) {
  return r->failed || r->n == 0 ? NAN : (r->at[r->n] - r->at[r->n / 2]) / (r->n - r->n / 2);
}

static void set_part(trial *k, double part) { k->end = k->start + part * (k->run_end - k->start); }

/* Whether the stepper that damps modes wins, with its tolerances.  `way` is that of a try of the other one with those of the
 * run, which are no looser: what is not longer than that needs no comparison. */
static bool damping_wins(trial *k, const hk_type *own, const hk_type *damps, double way) {
  runner a = runner_of(k, own), b = runner_of(k, damps);
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
  dismiss(k, &a);
  dismiss(k, &b);
  return wins;
}

/* Whether the stepper that follows modes wins against way `own` of a try. */
static bool following_wins(trial *k, const hk_type *follows, double own) {
  runner b = runner_of(k, follows);
  set_part(k, 1);
  go_on(k, &b, FIRST_TRIES);
  dismiss(k, &b);
  return way_of(&b) > longer * own;
}

/* Whether the run is steady: all that the stepper to which such a motion is nothing may have mistaken of it adds up to no
 * more than a single step of the other one may.  It goes as far into the run as its tries last: what bodies fly into later is met.
 * Its first part is enough, unless loads or motions go with time and may set in later. */
static bool is_steady(trial *k, const hk_type *keeps) {
  const hk_sim *s = k->sim;
  double duration = s->option.duration,
         allowed = s->option.atol + s->option.rtol * s->model->length;
  if (!(hk_error_norm(s, s->x + s->model->at.vd) * duration * duration <= hardly)) return false;
  runner r = runner_of(k, keeps);
  bool even = true;
  set_part(k, 1);
  while (even && r.n < FEW_TRIES && !is_through(k, &r)) {
    go_on(k, &r, r.n + 1);
    even = !r.failed && s->trust.worst.local_error <= allowed;
  }
  set_part(k, s->model->timed ? 1 : first_part);
  even = even && is_through(k, &r);
  dismiss(k, &r);
  return even;
}

/* Tolerances become those that the stepper would use. */
static bool set_tolerances(trial *k, const hk_type *type) {
  hk_sim other = {.model = k->sim->model};
  hk_sim_options o = *k->given;
  o.stepper = type->name;
  bool found = !hk_sim_choose(&other, &o, NULL, NULL);
  free(other.parameter);
  k->rtol = other.option.rtol, k->atol = other.option.atol;
  return found;
}

static bool modes_hold_up(trial *k, const hk_type *own, const hk_type *damps, double way) {
  double rtol = k->rtol, atol = k->atol;
  bool wins = set_tolerances(k, damps) && damping_wins(k, own, damps, way);
  k->rtol = rtol, k->atol = atol;
  return wins;
}

static const char steady[] = "steady motion, in which it makes no error",
                  stiff[] =
                      "modes without damping, which keep formulas of high order to short steps",
                  soft[] = "many steps, and nothing stiff";

/* NULL: none is to be preferred to s->stepper. */
static const hk_type *find_winner(trial *k, const char **why) {
  const hk_sim *s = k->sim;
  const hk_type *own = s->stepper, *damps = hk_sim_rival(s, k->given, HK_RIVAL_DAMPS),
                *follows = hk_sim_rival(s, k->given, HK_RIVAL_FOLLOWS),
                *keeps = hk_sim_rival(s, k->given, HK_RIVAL_STEADY);
  *why = steady;
  if (is_steady(k, keeps)) return keeps;
  if (!damps) return NULL;
  runner a = runner_of(k, own);
  set_part(k, first_part);
  go_on(k, &a, FIRST_TRIES);
  double first = way_of(&a), steps = a.n + (k->run_end - a.at[a.n]) / first;
  const hk_type *winner = NULL;
  if (!(steps <= many_steps)) {
    go_on(k, &a, FEW_TRIES);
    *why = stiff;
    if (modes_hold_up(k, own, damps, way_of(&a))) winner = damps;
  }
  if (!winner && !(steps <= few_steps) && follows && following_wins(k, follows, first))
    winner = follows, *why = soft;
  if (!winner && steps <= many_steps) {
    set_part(k, first_part);
    go_on(k, &a, PART_TRIES);
    *why = stiff;
    if (!is_through(k, &a) && modes_hold_up(k, own, damps, way_of(&a))) winner = damps;
  }
  dismiss(k, &a);
  return winner;
}

hk_status hk_trial_choose(hk_sim *s, const hk_sim_options *options, hk_error *err) {
  static const hk_sim_options none = {0};
  double start = hk_sim_time(s), duration = s->option.duration;
  const char *asked = s->option.stepper, *why = s->why, *better;
  const hk_type *own = s->stepper;
  if (!(duration > 0) || !hk_sim_rival(s, options, HK_RIVAL_STEADY)) return HK_OK;
  trial k = {.sim = s,
             .given = options ? options : &none,
             .rtol = s->option.rtol,
             .atol = s->option.atol,
             .start = start,
             .run_end = start + duration};
  hk_status status = hk_beginning_keep(s, &k.beginning, err);
  if (status) return status;
  const hk_type *winner = find_winner(&k, &better);
  status = hk_beginning_return(s, &k.beginning, winner ? winner : own, options, err);
  s->option.stepper = asked;
  s->why = winner ? better : why;
  hk_beginning_free(&k.beginning);
  return status;
}
