/* Steppers tried against each other: see trial.h. */
#include "start/trial.h"
#include <stdlib.h>

/* A run that comes this far with so many tries of a step is short enough as it is.  One that does not promise to is first
 * compared after a few: where the other one is through by then, or far from winning, more would be wasted. */
enum { MOST_TRIES = 400, MANY_TRIES = 200, FEW_TRIES = 100 };
static const double part_of_run = 1.0 / 6;

/* Steps that have to be longer by this to be worth a change.  With equal tolerances a method of second order is less exact than
 * one of high order, and tolerances that make up for it cost it about twice the steps; one of higher order has steps that cost
 * more; and the trial sees but the beginning. */
static const double much_longer = 4, longer = 2.5;

typedef struct trial {
  const hk_model *model;
  hk_sim_options option;
  hk_sim_maker *make;
  double end, run_end;
} trial;

/* A stepper on trial: the time that each try has come to. */
typedef struct runner {
  hk_sim *sim; /* NULL: it cannot be made, or a step failed */
  int n;
  double at[MOST_TRIES + 1];
} runner;

static void give_up(runner *r) {
  hk_sim_destroy(r->sim);
  r->sim = NULL;
}

static void begin(trial *k, const hk_type *type, runner *r) {
  k->option.stepper = type->name;
  *r = (runner){0};
  if (k->make(k->model, &k->option, &r->sim, NULL, NULL)) give_up(r);
  if (r->sim) r->at[0] = hk_sim_time(r->sim);
}

static bool is_through(const trial *k, const runner *r) { return r->sim && r->at[r->n] >= k->end; }

/* Up to so many tries of a step. */
static void go_on(const trial *k, runner *r, int most) {
  while (r->sim && r->n < most && r->at[r->n] < k->end) {
    if (hk_sim_step(r->sim, k->run_end, NULL)) {
      give_up(r);
      return;
    }
    const hk_sim_stats made = hk_sim_statistics(r->sim);
    double before = r->at[r->n];
    for (long now = made.steps + made.rejected; r->n < most && r->n < now;) r->at[++r->n] = before;
    r->at[r->n] = hk_sim_time(r->sim);
  }
}

/* The way in time of a try, over the latter half of them; NaN: one failed. */
static double way_of(const runner *r) {
  return r->sim ? (r->at[r->n] - r->at[r->n / 2]) / (r->n - r->n / 2) : NAN;
}

/* Whether the stepper that damps modes wins; *slow: if it does not, that the other one has many steps to make. */
static bool damping_wins(trial *k, const hk_type *own, const hk_type *damps, bool *slow) {
  runner a, b = {0};
  begin(k, own, &a);
  go_on(k, &a, FEW_TRIES);
  double part = (a.at[a.n] - a.at[0]) / (k->end - a.at[0]), gain = NAN;
  bool decided = false;
  *slow = a.sim && part * MOST_TRIES < FEW_TRIES;
  if (*slow) {
    begin(k, damps, &b);
    go_on(k, &b, FEW_TRIES);
    gain = way_of(&b) / way_of(&a);
    decided = is_through(k, &b) || gain < 0.5 * much_longer;
  }
  if (!decided) {
    go_on(k, &a, MOST_TRIES);
    *slow = a.sim && !is_through(k, &a);
    if (*slow && !b.sim) begin(k, damps, &b);
    if (*slow) go_on(k, &b, MOST_TRIES);
    gain = *slow ? way_of(&b) / way_of(&a) : NAN;
  }
  give_up(&a);
  give_up(&b);
  return gain > much_longer;
}

static bool following_wins(trial *k, const hk_type *own, const hk_type *follows) {
  runner a, b = {0};
  begin(k, own, &a);
  go_on(k, &a, MANY_TRIES);
  if (a.sim && !is_through(k, &a)) begin(k, follows, &b);
  go_on(k, &b, MANY_TRIES);
  bool wins = way_of(&b) > longer * way_of(&a);
  give_up(&a);
  give_up(&b);
  return wins;
}

/* Tolerances become those that the stepper would use. */
static bool set_tolerances(trial *k, const hk_type *type) {
  hk_sim other = {.model = k->model};
  k->option.stepper = type->name;
  bool found = !hk_sim_choose(&other, &k->option, NULL, NULL);
  free(other.parameter);
  k->option.rtol = other.option.rtol, k->option.atol = other.option.atol;
  return found;
}

const hk_type *hk_trial_winner(const hk_sim *s, const hk_sim_options *options, hk_sim_maker *make,
                               const char **why) {
  const hk_type *damps = hk_sim_rival(s, options, false), *follows = hk_sim_rival(s, options, true);
  double start = hk_sim_time(s), duration = s->option.duration;
  trial k = {.model = s->model,
             .option = options ? *options : (hk_sim_options){0},
             .make = make,
             .end = start + part_of_run * duration,
             .run_end = start + duration};
  if (!damps || !(duration > 0) || !set_tolerances(&k, damps)) return NULL;
  bool slow;
  *why = "modes without damping, which keep formulas of high order to short steps";
  if (damping_wins(&k, s->stepper, damps, &slow)) return damps;
  *why = "many steps, and nothing stiff";
  k.option.rtol = s->option.rtol, k.option.atol = s->option.atol;
  return slow && follows && following_wins(&k, s->stepper, follows) ? follows : NULL;
}
